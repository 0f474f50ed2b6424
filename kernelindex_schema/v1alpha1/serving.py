"""The serving kinds: a stack, its configuration, the load put on it, and a measured run."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from kernelindex_schema.v1alpha1.envelope import Manifest, Object
from kernelindex_schema.v1alpha1.run import Measurement
from kernelindex_schema.v1alpha1.scalars import Digest, GitCommit, HttpsUrl, Instant, Number, Pos, Positive, Slug, Token

__all__ = [
    "Dataset",
    "KvCache",
    "Parallelism",
    "Sampling",
    "ServiceObjective",
    "ServingConfiguration",
    "ServingConfigurationSpec",
    "ServingHarness",
    "ServingLimits",
    "ServingRun",
    "ServingRunSpec",
    "ServingSourceNative",
    "ServingStackRevision",
    "ServingStackRevisionSpec",
    "ServingTopology",
    "ServingWorkload",
    "ServingWorkloadSpec",
    "SpeculativeDecoding",
    "StackProject",
    "StackRelease",
    "TokenCounts",
    "TokenDistribution",
]


class StackProject(Object, frozen=True, kw_only=True):
    """Who publishes a serving stack."""

    name: Annotated[str, Meta(max_length=200)]
    """The project's name as it writes it."""
    repository: HttpsUrl | UnsetType = UNSET
    """Its source repository. Absent: none is public, or not told."""


class StackRelease(Object, frozen=True, kw_only=True):
    """Which release of a serving stack; give what is known."""

    version: Annotated[str, Meta(max_length=120)] | UnsetType = UNSET
    """Released version, as the project writes it. Absent: not released, or not told."""
    commit: GitCommit | UnsetType = UNSET
    """Full git commit. Absent: not recorded."""
    container_digest: Digest | UnsetType = UNSET
    """Digest of the container image. Absent: no container, or not recorded."""


class ServingStackRevisionSpec(Object, frozen=True, kw_only=True):
    """What identifies a serving stack."""

    project: StackProject
    """Who publishes it."""
    revision: StackRelease
    """Which release; ``{}`` where nothing is known."""
    backends: Annotated[tuple[Token, ...], Meta(max_length=8)] | UnsetType = UNSET
    """Engines below it, outermost first; the order is part of the identity. Absent: none, or not told."""
    api_protocol: Token | UnsetType = UNSET
    """What clients speak, such as ``openai_http`` or ``loadgen_sut``. Absent: not told."""
    license: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    """Its licence, as an SPDX expression where there is one. Absent: not told."""


class ServingStackRevision(Manifest, frozen=True, kw_only=True, tag="ServingStackRevision", tag_field="kind"):
    """One release of the software that serves models."""

    spec: ServingStackRevisionSpec
    """What the digest is taken over, together with apiVersion and kind."""


class Parallelism(Object, frozen=True, kw_only=True):
    """How the model is spread over accelerators, in ways; give what is known."""

    tensor: Pos | UnsetType = UNSET
    """Parts that each layer is split into. Absent: not told."""
    pipeline: Pos | UnsetType = UNSET
    """Stages that the layers are cut into. Absent: not told."""
    data: Pos | UnsetType = UNSET
    """Copies that share the requests. Absent: not told."""
    expert: Pos | UnsetType = UNSET
    """Parts that the experts are spread over. Absent: not told, or the model has none."""
    context: Pos | UnsetType = UNSET
    """Parts that a sequence is split into. Absent: not told."""


class KvCache(Object, frozen=True, kw_only=True):
    """The cache of keys and values."""

    dtype: Token | UnsetType = UNSET
    """Element type. Absent: that of the configuration, or not told."""
    capacity_tokens: Pos | UnsetType = UNSET
    """Tokens that it holds. Absent: the stack chooses, or not told."""


class ServingLimits(Object, frozen=True, kw_only=True):
    """Limits that the stack was started with."""

    max_sequence_length: Pos | UnsetType = UNSET
    """Longest sequence, prompt and output together, in tokens. Absent: the stack's default, or not told."""
    max_batch_size: Pos | UnsetType = UNSET
    """Most sequences in a batch. Absent: the stack's default, or not told."""
    max_num_tokens: Pos | UnsetType = UNSET
    """Most tokens in a batch. Absent: the stack's default, or not told."""


class SpeculativeDecoding(Object, frozen=True, kw_only=True):
    """How tokens are guessed ahead."""

    method: Token
    """The method, such as ``draft_model``, ``eagle`` or ``ngram``."""
    draft_model: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    """The model that guesses. Absent: the method has none, or not told."""


class ServingConfigurationSpec(Object, frozen=True, kw_only=True):
    """What identifies a configuration."""

    stack_digest: Digest
    """Digest of the ServingStackRevision that is configured."""
    dtype: Token | UnsetType = UNSET
    """Element type that the model computes in, such as ``bf16`` or ``fp8``. Absent: not told."""
    quantization: Token | UnsetType = UNSET
    """How the weights are quantised, such as ``fp8`` or ``awq``. Absent: they are not, or not told."""
    parallelism: Parallelism | UnsetType = UNSET
    """How the model is spread over accelerators. Absent: not told."""
    attention_backend: Token | UnsetType = UNSET
    """What computes attention, such as ``flashinfer``. Absent: the stack's default, or not told."""
    kv_cache: KvCache | UnsetType = UNSET
    """The cache of keys and values. Absent: the stack's default, or not told."""
    limits: ServingLimits | UnsetType = UNSET
    """Limits that the stack was started with. Absent: its defaults, or not told."""
    speculative: SpeculativeDecoding | UnsetType = UNSET
    """How tokens are guessed ahead. Absent: they are not, or not told."""
    options: dict[Token, Annotated[str, Meta(max_length=500)]] | UnsetType = UNSET
    """Further options that can change a figure, by name, with their value as text. Absent: none, or not told."""


class ServingConfiguration(Manifest, frozen=True, kw_only=True, tag="ServingConfiguration", tag_field="kind"):
    """How a serving stack was set up: types, parallelism, cache, limits and options."""

    spec: ServingConfigurationSpec
    """What the digest is taken over, together with apiVersion and kind."""


class Dataset(Object, frozen=True, kw_only=True):
    """Where the requests come from."""

    name: Annotated[str, Meta(max_length=200)]
    """The data set's name, with its version where it has one."""
    digest: Digest | UnsetType = UNSET
    """SHA-256 of its file's bytes. Absent: not computed."""


class TokenDistribution(Object, frozen=True, kw_only=True):
    """How a number of tokens is spread over the requests."""

    distribution: Token
    """Its form, such as ``fixed``, ``uniform``, ``lognormal`` or ``empirical``."""
    mean: Positive | UnsetType = UNSET
    """Mean, in tokens. Absent: not told."""
    maximum: Pos | UnsetType = UNSET
    """Largest, in tokens. Absent: not told."""
    artifact_digest: Digest | UnsetType = UNSET
    """SHA-256 of a file with the single numbers. Absent: none is published."""


class TokenCounts(Object, frozen=True, kw_only=True):
    """How many tokens requests bring and get."""

    prompt: TokenDistribution | UnsetType = UNSET
    """Tokens of the prompt. Absent: not told."""
    output: TokenDistribution | UnsetType = UNSET
    """Tokens of the answer. Absent: not told."""


class ServiceObjective(Object, frozen=True, kw_only=True):
    """A promise that the run must keep, as in ``ttft_ms`` p99 <= 2000 ms."""

    metric: Token
    """What is bounded, such as ``ttft_ms`` (time to first token) or ``tpot_ms`` (time per output token)."""
    statistic: Token
    """Which figure of it, such as ``p99``."""
    operator: Literal["<=", "<"]
    """Whether the bound itself still keeps the promise (``<=``) or not (``<``)."""
    value: Positive
    """The bound, in ``unit``."""
    unit: Token
    """Unit of the bound, such as ``ms``."""


class Sampling(Object, frozen=True, kw_only=True):
    """How tokens are chosen."""

    temperature: Number | UnsetType = UNSET
    """Sampling temperature; 0 is greedy. Absent: the stack's default, or not told."""
    seeded: bool | UnsetType = UNSET
    """Whether the choice is seeded, so that a run can be repeated. Absent: not told."""


class ServingWorkloadSpec(Object, frozen=True, kw_only=True):
    """What identifies a load."""

    dataset: Dataset | UnsetType = UNSET
    """Where the requests come from. Absent: they are made up, or not told."""
    tokens: TokenCounts | UnsetType = UNSET
    """How many tokens requests bring and get. Absent: not told."""
    streaming: bool
    """Whether answers are streamed token by token."""
    load_generation: Literal["open_loop", "closed_loop", "offline"]
    """``open_loop``: requests arrive whatever the answers do. ``closed_loop``: a client waits for its answer before it
    asks again. ``offline``: all requests are there from the start."""
    arrival: Token | UnsetType = UNSET
    """How arrivals are spread in time, such as ``poisson`` or ``constant``. Absent: not told, or offline."""
    request_rate_per_second: Positive | UnsetType = UNSET
    """Requests that arrive in a second, on average. Absent: not bounded, or not told."""
    slo: Annotated[tuple[ServiceObjective, ...], Meta(max_length=8)] | UnsetType = UNSET
    """Promises that a run must keep. Absent: none."""
    sampling: Sampling | UnsetType = UNSET
    """How tokens are chosen. Absent: not told."""
    duration_seconds: Pos | UnsetType = UNSET
    """How long load is put on, in seconds. Absent: until the requests are done, or not told."""
    request_count: Pos | UnsetType = UNSET
    """How many requests are sent. Absent: as many as fit into the duration, or not told."""


class ServingWorkload(Manifest, frozen=True, kw_only=True, tag="ServingWorkload", tag_field="kind"):
    """The load that is put on a serving stack: requests, arrivals, sampling and promises."""

    spec: ServingWorkloadSpec
    """What the digest is taken over, together with apiVersion and kind."""


class ServingTopology(Object, frozen=True, kw_only=True):
    """The accelerators that served."""

    accelerator_vendor: Token | UnsetType = UNSET
    """Who makes them, such as ``nvidia``. Absent: not told, or several."""
    accelerator_model: Annotated[str, Meta(max_length=200)]
    """Product, such as ``NVIDIA H200-SXM-141GB``."""
    accelerators_per_node: Pos
    """Accelerators in each node that took part."""
    node_count: Pos
    """Nodes that took part."""
    interconnect: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    """What joins the accelerators or the nodes. Absent: not told."""


class ServingHarness(Object, frozen=True, kw_only=True):
    """The program that put on the load and took the figures."""

    name: Token
    """Which one, such as ``mlperf_loadgen``."""
    version: Annotated[str, Meta(max_length=100)]
    """Its version."""


class ServingSourceNative(Object, frozen=True, kw_only=True):
    """The figures as the source published them, kept so that the conversion can be checked."""

    source: Slug
    """Which publication the run was taken from, such as ``mlperf-inference``."""
    benchmark: Annotated[str, Meta(max_length=200)]
    """The benchmark's name there."""
    scenario: Token
    """The benchmark's scenario, such as ``server`` or ``offline``."""
    division: Token
    """The benchmark's division, such as ``closed`` or ``open``."""
    category: Token
    """The benchmark's category, such as ``datacenter`` or ``edge``."""
    external_id: Annotated[str, Meta(max_length=500)]
    """The run's own id there."""
    metrics: dict[Token, Number | Annotated[str, Meta(max_length=500)]] | UnsetType = UNSET
    """The source's figures and remarks under its names, as it wrote them. Absent: not kept."""


class ServingRunSpec(Object, frozen=True, kw_only=True):
    """What identifies a serving run."""

    model_digest: Digest
    """Digest of the ModelRevision that was served."""
    configuration_digest: Digest
    """Digest of the ServingConfiguration that served it."""
    workload_digest: Digest
    """Digest of the ServingWorkload that was put on."""
    topology: ServingTopology
    """The accelerators that served."""
    harness: ServingHarness
    """What put on the load and took the figures."""
    placement: Token | UnsetType = UNSET
    """Where prefill and decode ran, such as ``colocated`` or ``disaggregated``. Absent: not told."""
    quality_policy: Token
    """What made sure that answers stayed good, such as ``mlperf_closed_99``."""
    status: Literal["valid", "invalid", "incomplete_evidence"]
    """Whether the run counts; ``incomplete_evidence`` where what would show it is missing."""
    measurements: Annotated[tuple[Measurement, ...], Meta(min_length=1, max_length=64)]
    """The figures, one for each metric and statistic, each in the unit it names."""
    source_native: ServingSourceNative | UnsetType = UNSET
    """The source's own figures. Absent: the run was recorded in this format in the first place."""
    caveats: Annotated[tuple[Annotated[str, Meta(max_length=500)], ...], Meta(max_length=16)] | UnsetType = UNSET
    """What a reader must know before using the figures, one sentence each. Absent: nothing."""
    observed_at: Instant
    """When it was measured, in UTC, such as ``2026-01-31T12:00:00Z``; the spelling is part of the identity."""


class ServingRun(Manifest, frozen=True, kw_only=True, tag="ServingRun", tag_field="kind"):
    """One measured event: a model under a configuration and a load, on given accelerators, at an instant."""

    spec: ServingRunSpec
    """What the digest is taken over, together with apiVersion and kind."""
