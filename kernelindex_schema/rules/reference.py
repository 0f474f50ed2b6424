"""KIX5: digests and names by which manifests refer to each other.

What a record holds is decided here. What takes a whole collection (503 to 507) is found by the collection stage, by the
decisions at the end of this module.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET
from msgspec.structs import replace

from kernelindex_schema.findings import Path, Severity
from kernelindex_schema.nearest import did_you_mean
from kernelindex_schema.rules.catalogue import Context, Hit, hit, rule, text_rule
from kernelindex_schema.rules.source import date_in
from kernelindex_schema.v1alpha1 import BenchmarkRun, Record, Submission

__all__ = ["are_indistinct", "run_identity", "run_provenance"]


@rule(
    "KIX501",
    "protocol-digest-mismatch",
    Severity.ERROR,
    on="record",
    message="{path} is {recorded}, but the protocol beside it has {computed}",
    hint="one of the two was changed after the run was recorded: restore it, or record its own digest",
    source="contract, Documents that people exchange; comparison",
)
def protocol_digest_mismatch(record: Record, context: Context) -> Iterator[Hit]:
    """A record's run names another protocol than the one beside it.

    Why: the record shows rules that the timing was not taken by. A registry refuses it.

    Bad:
    ```yaml
    run:
      spec:
        protocolDigest: sha256:1111111111111111111111111111111111111111111111111111111111111111
    ```

    Good:
    ```yaml
    run: {}
    protocol:
      spec:
        measurement: {timer: cuda_events, samples: 100, primaryStatistic: median}
    ```
    """
    recorded = record.run.spec.protocol_digest
    protocol = record.protocol
    computed = context.digest(protocol)
    if recorded == computed:
        return
    here = ("run", "spec", "protocolDigest")
    about: list[Path] = [here]
    measurement = protocol.spec.measurement
    if measurement.primary_statistic not in context.primary_statistics:
        # Where the digest is that of the same protocol with an accepted statistic, KIX301 tells the one fault.
        for statistic in sorted(context.primary_statistics):
            accepted = replace(measurement, primary_statistic=statistic)
            if context.digest(replace(protocol, spec=replace(protocol.spec, measurement=accepted))) == recorded:
                about.append(("protocol", "spec", "measurement", "primaryStatistic"))
    yield hit(
        *here,
        about=tuple(about),
        related=((("protocol",), "the protocol"),),
        recorded=recorded,
        computed=computed,
    )


@rule(
    "KIX502",
    "environment-digest-mismatch",
    Severity.ERROR,
    on="record",
    message="{path} is {recorded}, but the environment beside it has {computed}",
    hint="one of the two was changed after the run was recorded: restore it, or record its own digest",
    source="contract, Documents that people exchange; comparison",
)
def environment_digest_mismatch(record: Record, context: Context) -> Iterator[Hit]:
    """A record's run names another environment than the one beside it.

    Why: the record shows hardware or software that the timing was not taken on. A registry refuses it.

    Bad:
    ```yaml
    run:
      spec:
        environmentDigest: sha256:1111111111111111111111111111111111111111111111111111111111111111
    ```

    Good:
    ```yaml
    run: {}
    environment:
      spec:
        hardware: {vendor: nvidia, product: NVIDIA A100, architecture: sm_80, formFactor: PCIe}
    ```
    """
    recorded = record.run.spec.environment_digest
    computed = context.digest(record.environment)
    if recorded != computed:
        yield hit(
            *("run", "spec", "environmentDigest"),
            related=((("environment",), "the environment"),),
            recorded=recorded,
            computed=computed,
        )


unresolved_reference = text_rule(
    "KIX503",
    "unresolved-reference",
    Severity.WARNING,
    """A digest refers to a manifest that is not there.

    Why: a reader cannot find out what was measured, and a changed manifest has left its old digest behind. Told only
    where the manifest ought to be: inside a submission that has the section concerned, or with ``--registry``.

    Bad:
    ```yaml
    workloads:
      - kind: WorkloadCase
    runs:
      - run:
          spec:
            workloadDigest: sha256:1111111111111111111111111111111111111111111111111111111111111111
    ```

    Good:
    ```yaml
    runs:
      - run:
          spec:
            workloadDigest: sha256:1111111111111111111111111111111111111111111111111111111111111111
    ```
    """,
    hint="add the manifest, or correct the digest; kix-schema digest prints digests",
    source="contract, Identity",
    subject="collection",
)

recorded_digest_mismatch = text_rule(
    "KIX504",
    "recorded-digest-mismatch",
    Severity.ERROR,
    """A row of a catalog export carries another digest than its manifest has.

    Why: whatever refers to the digest does not mean the manifest that stands beside it.

    Bad:
    ```yaml
    table: operations
    row:
      semanticDigest: sha256:1111111111111111111111111111111111111111111111111111111111111111
      manifest: {kind: OperationSpec}
    ```

    Good:
    ```yaml
    table: operations
    row:
      manifest: {kind: OperationSpec}
    ```
    """,
    hint="the manifest was changed, or the digest was taken of the document as written and not as normalised",
    source="contract, Documents that people exchange (catalog export)",
    subject="collection",
)

repeated_manifest = text_rule(
    "KIX505",
    "repeated-manifest",
    Severity.NOTE,
    """The same manifest, by its digest, stands in a collection twice.

    Why: it is one thing, and a registry keeps it once: a second name or title for it is lost.

    Bad:
    ```yaml
    kind: SoftwareProject
    ---
    kind: SoftwareProject
    ```

    Good:
    ```yaml
    kind: SoftwareProject
    ```
    """,
    source="contract, Identity",
    subject="collection",
)

one_name_two_identities = text_rule(
    "KIX506",
    "one-name-two-identities",
    Severity.WARNING,
    """Two manifests of one kind have the same ``metadata.name`` and different digests.

    Why: people refer to a manifest by its name, and this name means two things.

    Bad:
    ```yaml
    kind: SoftwareProject
    metadata: {name: liger-kernel}
    spec: {name: Liger-Kernel}
    ---
    kind: SoftwareProject
    metadata: {name: liger-kernel}
    spec: {name: Liger Kernel}
    ```

    Good:
    ```yaml
    kind: SoftwareProject
    metadata: {name: liger-kernel}
    spec: {name: Liger-Kernel}
    ---
    kind: SoftwareProject
    metadata: {name: liger-kernel-fork}
    spec: {name: Liger Kernel}
    ```
    """,
    hint="give each its own name",
    source="contract, Identity",
    subject="collection",
)

indistinct_runs = text_rule(
    "KIX507",
    "indistinct-runs",
    Severity.WARNING,
    """Two runs agree in all four digests, but their source tells them apart: another benchmark, provider or case.

    Why: the manifests do not say what distinguishes them, so both are filed under one implementation and one workload,
    and one of them under a wrong name.

    Bad:
    ```yaml
    kind: BenchmarkRun
    metadata: {name: swiglu-liger}
    spec:
      sourceNative: {source: liger-kernel-bench, benchmark: swiglu/forward}
    ---
    kind: BenchmarkRun
    metadata: {name: tiled-swiglu-liger}
    spec:
      sourceNative: {source: liger-kernel-bench, benchmark: tiled_swiglu/forward}
    ```

    Good:
    ```yaml
    kind: BenchmarkRun
    metadata: {name: swiglu-liger}
    spec:
      sourceNative: {source: liger-kernel-bench, benchmark: swiglu/forward}
    ---
    kind: BenchmarkRun
    metadata: {name: tiled-swiglu-liger}
    spec:
      implementationDigest: sha256:5555555555555555555555555555555555555555555555555555555555555555
      sourceNative: {source: liger-kernel-bench, benchmark: tiled_swiglu/forward}
    ```
    """,
    hint="state the difference in the implementation (path, symbol, buildVariants) or in the workload",
    source="design, Rules",
    subject="collection",
)


@rule(
    "KIX508",
    "unknown-project-slug",
    Severity.ERROR,
    on="submission",
    message="{path} is {slug}, which is no project of this submission{nearest}",
    hint="projectSlug is the metadata.name of a SoftwareProject",
    source="contract, Documents that people exchange (submission)",
)
def unknown_project_slug(submission: Submission, context: Context) -> Iterator[Hit]:
    """An implementation of a submission names a project that the submission's ``projects`` do not hold.

    Why: a registry files the implementation under that project. (A submission without ``projects`` refers to projects
    that the registry has.)

    Bad:
    ```yaml
    projects:
      - metadata: {name: liger-kernel}
    implementations:
      - projectSlug: liger_kernel
    ```

    Good:
    ```yaml
    projects:
      - metadata: {name: liger-kernel}
    implementations:
      - projectSlug: liger-kernel
    ```
    """
    if not submission.projects or not submission.implementations:
        return
    slugs = {project.metadata.name for project in submission.projects}
    for index, implementation in enumerate(submission.implementations):
        if implementation.project_slug not in slugs:
            slug = implementation.project_slug
            yield hit("implementations", index, "projectSlug", slug=slug, nearest=did_you_mean(slug, slugs))


def run_identity(run: BenchmarkRun) -> tuple[str, str, str, str]:
    """The four digests that ought to say what was measured (KIX507)."""
    spec = run.spec
    return spec.implementation_digest, spec.workload_digest, spec.protocol_digest, spec.environment_digest


def run_provenance(run: BenchmarkRun) -> tuple[str, str, str] | None:
    """Source, benchmark and case in the source's own words; None for a run without a source (KIX507).

    The case is the external id without a last part that says when: ``kernel/mode/provider/gpu/case/instant``. An id of
    another form may number single runs, so it says nothing here.
    """
    source = run.spec.source_native
    if source is UNSET:
        return None
    benchmark = "" if source.benchmark is UNSET else source.benchmark
    case, _, moment = ("" if source.external_id is UNSET else source.external_id).rpartition("/")
    observed = run.spec.observed_at
    # The usual spelling is recognised by one look, since every run of a collection is asked.
    says_when = moment == f"{observed[:10]}-{observed[11:19].replace(':', '-')}" or date_in(moment)
    return source.source, benchmark, case if says_when else ""


def are_indistinct(first: BenchmarkRun, second: BenchmarkRun) -> bool:
    """Whether two runs agree in all four digests although their sources tell them apart (KIX507)."""
    if run_identity(first) != run_identity(second):
        return False
    here, there = run_provenance(first), run_provenance(second)
    return here is not None and there is not None and here != there
