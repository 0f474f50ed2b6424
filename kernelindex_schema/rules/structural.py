"""KIX1: what the structure stage finds, field by field."""

from __future__ import annotations

from kernelindex_schema.findings import Severity
from kernelindex_schema.rules.catalogue import text_rule

unknown_api_version = text_rule(
    "KIX101",
    "unknown-api-version",
    Severity.ERROR,
    """``apiVersion`` is a text other than ``kernelindex.dev/v1alpha1``.

    Why: the version says what every other field means.

    Bad:
    ```yaml verbatim
    apiVersion: kernelindex.dev/v1
    kind: SoftwareProject
    metadata: {name: liger-kernel}
    spec: {name: Liger-Kernel}
    ```

    Good:
    ```yaml verbatim
    apiVersion: kernelindex.dev/v1alpha1
    kind: SoftwareProject
    metadata: {name: liger-kernel}
    spec: {name: Liger-Kernel}
    ```
    """,
    hint="write kernelindex.dev/v1alpha1",
    source="contract, Envelope",
)

unknown_kind = text_rule(
    "KIX102",
    "unknown-kind",
    Severity.ERROR,
    """``kind`` is a text that names none of the thirteen kinds.

    Why: without the kind nothing in ``spec`` can be checked, so nothing below it is.

    Bad:
    ```yaml verbatim
    apiVersion: kernelindex.dev/v1alpha1
    kind: SoftwareProjekt
    metadata: {name: liger-kernel}
    spec: {name: Liger-Kernel}
    ```

    Good:
    ```yaml verbatim
    apiVersion: kernelindex.dev/v1alpha1
    kind: SoftwareProject
    metadata: {name: liger-kernel}
    spec: {name: Liger-Kernel}
    ```
    """,
    source="contract, Kinds",
)

unknown_field = text_rule(
    "KIX103",
    "unknown-field",
    Severity.ERROR,
    """A key is none of the fields that stand there.

    Why: a misspelt optional field would be lost without a word, and identity covers every field that is written.

    Bad:
    ```yaml
    kind: SoftwareProject
    spec:
      name: Liger-Kernel
      repo: https://github.com/linkedin/Liger-Kernel
    ```

    Good:
    ```yaml
    kind: SoftwareProject
    spec:
      name: Liger-Kernel
      repository: https://github.com/linkedin/Liger-Kernel
    ```
    """,
    source="contract, Envelope",
)

missing_field = text_rule(
    "KIX104",
    "missing-field",
    Severity.ERROR,
    """A required field is absent; the finding marks the mapping that should hold it.

    Why: the contract gives no defaults: a default would change the digest of what was written.

    Bad:
    ```yaml verbatim
    apiVersion: kernelindex.dev/v1alpha1
    kind: SoftwareProject
    metadata: {name: liger-kernel}
    spec: {}
    ```

    Good:
    ```yaml verbatim
    apiVersion: kernelindex.dev/v1alpha1
    kind: SoftwareProject
    metadata: {name: liger-kernel}
    spec: {name: Liger-Kernel}
    ```
    """,
    source="contract, Envelope",
)

wrong_type = text_rule(
    "KIX105",
    "wrong-type",
    Severity.ERROR,
    """A value has another type than the field, such as a number where a text belongs, or null.

    Why: converting it silently would give two spellings one meaning in one reader only. null is never a stand-in for an
    absent field.

    Bad:
    ```yaml
    kind: SoftwareProject
    spec:
      name: Liger-Kernel
      homepage: null
    ```

    Good:
    ```yaml
    kind: SoftwareProject
    spec:
      name: Liger-Kernel
    ```
    """,
    source="contract, Envelope; edge cases, Objects",
)

malformed_text = text_rule(
    "KIX106",
    "malformed-text",
    Severity.ERROR,
    """A text does not follow the grammar of its field: digest, token, slug, name, instant, commit, URL, duration.

    Why: one thing has one spelling, so that equal things have equal digests and can be found by it.

    Bad:
    ```yaml
    kind: BenchmarkRun
    spec:
      observedAt: "2026-01-31T12:00:00+00:00"
    ```

    Good:
    ```yaml
    kind: BenchmarkRun
    spec:
      observedAt: "2026-01-31T12:00:00Z"
    ```
    """,
    source="contract, Primitive types",
)

out_of_range = text_rule(
    "KIX107",
    "out-of-range",
    Severity.ERROR,
    """A number is below or above the bounds of its field.

    Why: a negative duration or a ratio over 1 is no figure, and integers beyond 2^53 - 1 differ between readers.

    Bad:
    ```yaml
    kind: BenchmarkRun
    spec:
      correctness: {comparator: elementwise_close, matchedRatio: 1.5}
    ```

    Good:
    ```yaml
    kind: BenchmarkRun
    spec:
      correctness: {comparator: elementwise_close, matchedRatio: 0.995}
    ```
    """,
    source="contract, Primitive types; edge cases, Numbers",
)

wrong_length = text_rule(
    "KIX108",
    "wrong-length",
    Severity.ERROR,
    """A text or list is longer or shorter than its field allows; text is counted in UTF-16 code units.

    Why: the registry refuses it.

    Bad:
    ```yaml
    kind: OperationSpec
    spec:
      outputs: []
    ```

    Good:
    ```yaml
    kind: OperationSpec
    spec:
      outputs:
        - {name: y, tensor: {shape: [128], dtype: fp32}}
    ```
    """,
    source="contract, Kinds; edge cases, Text",
)

unknown_value = text_rule(
    "KIX109",
    "unknown-value",
    Severity.ERROR,
    """A text is none of the words that its field accepts.

    Why: readers act on these words; one that they do not know would be passed over or taken for another.

    Bad:
    ```yaml
    kind: BenchmarkRun
    spec:
      status: failed
    ```

    Good:
    ```yaml
    kind: BenchmarkRun
    spec:
      status: runtime_error
    ```
    """,
    source="contract, Kinds",
)

ambiguous_duration = text_rule(
    "KIX110",
    "ambiguous-duration",
    Severity.ERROR,
    """A duration is not a whole number of nanoseconds.

    Why: durations are integers of nanoseconds; which way to round is for whoever measured to say.

    Bad:
    ```yaml
    kind: BenchmarkRun
    spec:
      timing:
        primaryStatistic: median
        latencyNs: {median: 410.2405 us}
    ```

    Good:
    ```yaml
    kind: BenchmarkRun
    spec:
      timing:
        primaryStatistic: median
        latencyNs: {median: 410.24 us}
    ```
    """,
    hint="round to whole nanoseconds",
    source="contract, Primitive types; edge cases, Durations",
)

incomplete_axis = text_rule(
    "KIX111",
    "incomplete-axis",
    Severity.ERROR,
    """A constant axis has no value, or a derived axis no expression.

    Why: shapes that use the axis could not be computed.

    Bad:
    ```yaml
    kind: OperationSpec
    spec:
      axes:
        heads: {role: constant, type: integer}
    ```

    Good:
    ```yaml
    kind: OperationSpec
    spec:
      axes:
        heads: {role: constant, type: integer, value: 32}
    ```
    """,
    source="contract, OperationSpec",
)

argument_not_tensor_or_scalar = text_rule(
    "KIX112",
    "argument-not-tensor-or-scalar",
    Severity.ERROR,
    """An argument has both ``tensor`` and ``scalar``, or neither.

    Why: exactly one of them says what the argument is.

    Bad:
    ```yaml
    kind: OperationSpec
    spec:
      inputs:
        - {name: eps}
    ```

    Good:
    ```yaml
    kind: OperationSpec
    spec:
      inputs:
        - {name: eps, scalar: {dtype: fp32}}
    ```
    """,
    source="contract, OperationSpec",
)

latency_without_centre = text_rule(
    "KIX113",
    "latency-without-centre",
    Severity.ERROR,
    """``latencyNs`` has neither ``median`` nor ``mean``.

    Why: results are ranked by one of the two; a minimum or a quantile alone says too little.

    Bad:
    ```yaml
    kind: BenchmarkRun
    spec:
      timing:
        primaryStatistic: median
        latencyNs: {minimum: 409120}
    ```

    Good:
    ```yaml
    kind: BenchmarkRun
    spec:
      timing:
        primaryStatistic: median
        latencyNs: {minimum: 409120, median: 410240}
    ```
    """,
    source="contract, BenchmarkRun",
)

misplaced_kind = text_rule(
    "KIX114",
    "misplaced-kind",
    Severity.ERROR,
    """A manifest of another kind stands where one kind belongs, such as a protocol in place of a run.

    Why: each place of a record or submission takes one kind; what stands in the wrong place would be read as another.

    Bad:
    ```yaml verbatim
    projects:
      - apiVersion: kernelindex.dev/v1alpha1
        kind: BenchmarkProtocol
        metadata: {name: do-bench}
        spec:
          harness: {name: Triton do_bench}
          measurement: {timer: cuda_events, primaryStatistic: median}
    ```

    Good:
    ```yaml verbatim
    projects:
      - apiVersion: kernelindex.dev/v1alpha1
        kind: SoftwareProject
        metadata: {name: liger-kernel}
        spec: {name: Liger-Kernel}
    ```
    """,
    source="contract, Documents that people exchange",
)
