"""KIX0: what the codecs and the reading of files find. These rules cannot be deselected."""

from __future__ import annotations

from kernelindex_schema.findings import Severity
from kernelindex_schema.rules.catalogue import text_rule

unreadable = text_rule(
    "KIX001",
    "unreadable",
    Severity.ERROR,
    """An input cannot be opened: it is missing, may not be read, or is a folder in which no manifest was found.

    Why: nothing was checked. Passing silently would turn a misspelt path into a promise that was never kept.

    Bad:
    ```console
    $ kix-schema check rnus/
    ```

    Good:
    ```console
    $ kix-schema check runs/
    ```
    """,
    hint="check the spelling of the path, its permissions, and the suffixes of the files below it",
    source="design, Command",
)

internal_fault = text_rule(
    "KIX002",
    "internal-fault",
    Severity.ERROR,
    """A rule or a codec of this tool crashed on the input.

    Why: the fault lies in the tool. Every other finding stands, but the input was not checked as a whole, so it must
    not pass.

    Bad:
    ```console
    error KIX002 internal-fault: rule KIX401 crashed (ZeroDivisionError)
    ```

    Good:
    ```console
    $ kix-schema check runs/ --debug
    ```
    """,
    hint="report it with the input; --debug prints the traceback",
    source="design, Rules",
)

too_large = text_rule(
    "KIX003",
    "too-large",
    Severity.ERROR,
    """A document is over its bound: 1,048,576 bytes for a manifest, a record or a line of a stream, 64 MiB for a
    submission.

    Why: the bounds keep a check of foreign files cheap. A record this large carries raw samples that belong in an
    artifact.

    Bad:
    ```console
    $ stat --format %s run.json
    1048577
    ```

    Good:
    ```yaml
    kind: BenchmarkRun
    spec:
      evidence:
        rawSamples:
          uri: https://example.com/samples.bin
          digest: sha256:1111111111111111111111111111111111111111111111111111111111111111
    ```
    """,
    hint="move long data into a file of its own and refer to it with an artifact (uri and digest)",
    source="contract, Intake",
)

syntax = text_rule(
    "KIX004",
    "syntax",
    Severity.ERROR,
    """The text is not of the format that its suffix claims.

    Why: readers differ in what they make of malformed text, so two of them could see two different records.

    Bad:
    ```json verbatim
    {
      "apiVersion": "kernelindex.dev/v1alpha1",
      "kind": "SoftwareProject",
      "metadata": {"name": "liger-kernel"},
      "spec": {"name": "Liger-Kernel",}
    }
    ```

    Good:
    ```json verbatim
    {
      "apiVersion": "kernelindex.dev/v1alpha1",
      "kind": "SoftwareProject",
      "metadata": {"name": "liger-kernel"},
      "spec": {"name": "Liger-Kernel"}
    }
    ```
    """,
    source="contract, Intake; RFC 8259; YAML 1.2.2",
)

duplicate_key = text_rule(
    "KIX005",
    "duplicate-key",
    Severity.ERROR,
    """A mapping has the same key twice.

    Why: most JSON readers keep the last value and some the first, without a word (RFC 8259, section 4), so the same
    bytes would have two meanings and two digests.

    Bad:
    ```yaml verbatim
    apiVersion: kernelindex.dev/v1alpha1
    kind: SoftwareProject
    metadata: {name: liger-kernel}
    spec:
      name: Liger
      name: Liger-Kernel
    ```

    Good:
    ```yaml verbatim
    apiVersion: kernelindex.dev/v1alpha1
    kind: SoftwareProject
    metadata: {name: liger-kernel}
    spec:
      name: Liger-Kernel
    ```
    """,
    hint="keep one of the two",
    source="contract, Intake; RFC 8259, section 4",
)

too_deep = text_rule(
    "KIX006",
    "too-deep",
    Severity.ERROR,
    """Values are nested over 64 levels, the root being level 1.

    Why: no manifest needs more than twelve, and unbounded nesting exhausts the stack of many readers.

    Bad:
    ```json verbatim
    {"spec":
    [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
    ]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
    }
    ```

    Good:
    ```yaml
    kind: SoftwareProject
    ```
    """,
    source="contract, Intake; edge cases, Depth",
)

unsafe_yaml = text_rule(
    "KIX007",
    "unsafe-yaml",
    Severity.ERROR,
    """A YAML text has a tag beyond the core schema, or more aliases or expanded nodes than the bound.

    Why: other tags make some readers build objects or run code, and nested aliases grow a few bytes into gigabytes.

    Bad:
    ```yaml verbatim
    apiVersion: kernelindex.dev/v1alpha1
    kind: SoftwareProject
    metadata: {name: liger-kernel}
    spec: {name: !name Liger-Kernel}
    ```

    Good:
    ```yaml verbatim
    apiVersion: kernelindex.dev/v1alpha1
    kind: SoftwareProject
    metadata: {name: liger-kernel}
    spec: {name: Liger-Kernel}
    ```
    """,
    hint="write the value itself",
    source="contract, Intake; edge cases, YAML",
)

bad_encoding = text_rule(
    "KIX008",
    "bad-encoding",
    Severity.ERROR,
    r"""The bytes are not UTF-8, or a text holds a lone surrogate.

    Why: such text cannot be interchanged: readers refuse it, replace it or drop it, and it has no canonical form (RFC
    8785, section 3.2.2.2).

    Bad:
    ```json verbatim
    {
      "apiVersion": "kernelindex.dev/v1alpha1",
      "kind": "SoftwareProject",
      "metadata": {"name": "liger-kernel"},
      "spec": {"name": "Liger \ud83d"}
    }
    ```

    Good:
    ```json verbatim
    {
      "apiVersion": "kernelindex.dev/v1alpha1",
      "kind": "SoftwareProject",
      "metadata": {"name": "liger-kernel"},
      "spec": {"name": "Liger \ud83d\udc2f"}
    }
    ```
    """,
    source="edge cases, Text; RFC 8785, section 3.2.2.2",
)

non_finite_number = text_rule(
    "KIX009",
    "non-finite-number",
    Severity.ERROR,
    """A number is NaN, infinite, or out of the range of a double.

    Why: JSON cannot say it, so it becomes null or another number on the way; and what is no number ranks nowhere.

    Bad:
    ```json verbatim
    {
      "apiVersion": "kernelindex.dev/v1alpha1",
      "kind": "ServingWorkload",
      "metadata": {"name": "poisson-load"},
      "spec": {"streaming": true, "loadGeneration": "open_loop", "requestRatePerSecond": NaN}
    }
    ```

    Good:
    ```json verbatim
    {
      "apiVersion": "kernelindex.dev/v1alpha1",
      "kind": "ServingWorkload",
      "metadata": {"name": "poisson-load"},
      "spec": {"streaming": true, "loadGeneration": "open_loop", "requestRatePerSecond": 2.5}
    }
    ```
    """,
    hint="leave the field out where there is no figure",
    source="edge cases, Numbers; RFC 8259, section 6",
)

unknown_format = text_rule(
    "KIX010",
    "unknown-format",
    Severity.ERROR,
    """Neither the suffix nor the content tells which format a file has.

    Why: guessing would check another document than the one that was meant.

    Bad:
    ```console
    $ kix-schema check run.dat
    ```

    Good:
    ```console
    $ kix-schema check run.dat --input-format json
    ```
    """,
    hint="rename the file, or name the format with --input-format",
    source="design, Command",
)

no_manifest = text_rule(
    "KIX011",
    "no-manifest",
    Severity.ERROR,
    """A document is none of those known: manifest, record, submission, bench record, catalog row.

    Why: a check that finds nothing to check has not passed. An empty file is often what a failed export leaves behind.

    Bad:
    ```yaml verbatim
    title: notes on the benchmark
    ```

    Good:
    ```yaml verbatim
    apiVersion: kernelindex.dev/v1alpha1
    kind: SoftwareProject
    metadata: {name: liger-kernel}
    spec: {name: Liger-Kernel}
    ```
    """,
    hint="a manifest has apiVersion and kind, a record has run, protocol and environment",
    source="contract, Which shape a document has",
)

damaged_archive = text_rule(
    "KIX012",
    "damaged-archive",
    Severity.ERROR,
    """A compressed file is cut off, is followed by garbage, or expands past the bound of its content.

    Why: what could be read of it is not what was written.

    Bad:
    ```console
    $ head --bytes 1000 catalog.jsonl.zst > part.jsonl.zst
    ```

    Good:
    ```console
    $ zstd --test catalog.jsonl.zst
    ```
    """,
    hint="fetch or compress the file again",
    source="contract, Intake",
)

over_registry_limit = text_rule(
    "KIX013",
    "over-registry-limit",
    Severity.WARNING,
    """A submission is over 262,144 bytes.

    Why: it is valid, but the registry's form refuses it.

    Bad:
    ```console
    $ stat --format %s submission.json
    262145
    ```

    Good:
    ```console
    $ stat --format %s submission-1.json submission-2.json
    131072
    131073
    ```
    """,
    hint="split it into several submissions",
    source="contract, Intake",
)

byte_order_mark = text_rule(
    "KIX014",
    "byte-order-mark",
    Severity.WARNING,
    """A text begins with a byte order mark (U+FEFF).

    Why: it is ignored here, as RFC 8259 allows, but other readers refuse such a file.

    Bad:
    ```console
    $ head --bytes 4 run.json | od --address-radix=n --format=x1
     ef bb bf 7b
    ```

    Good:
    ```console
    $ head --bytes 1 run.json | od --address-radix=n --format=x1
     7b
    ```
    """,
    hint="save the file as UTF-8 without a byte order mark",
    source="edge cases, JSON; RFC 8259, section 8.1",
)
