"""ImplementationRevision: one callable, frozen at one revision of its source."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from kernelindex_schema.v1alpha1.envelope import Manifest, Object
from kernelindex_schema.v1alpha1.scalars import Digest, GitCommit, HttpsUrl, ManifestName, Pos, SetOf, Token

__all__ = [
    "BuildVariant",
    "CallableEntry",
    "ImplementationRevision",
    "ImplementationRevisionSpec",
    "ImplementationSource",
    "ImplementationSupport",
    "ImplementedOperation",
    "InstallRecipe",
    "LicenseEvidence",
    "Licensing",
    "ProjectRevision",
]


class ProjectRevision(Object, frozen=True, kw_only=True):
    """Which revision of a project the callable was taken from; give what is known."""

    repository: HttpsUrl | UnsetType = UNSET
    """Source repository. Absent: none is public, or not told."""
    commit: GitCommit | UnsetType = UNSET
    """Full git commit (``git rev-parse HEAD``). Absent: not known, and the revision is not pinned by it."""
    version: Annotated[str, Meta(max_length=100)] | UnsetType = UNSET
    """Released version, as the project writes it. Absent: not released, or not told."""
    tree_digest: Digest | UnsetType = UNSET
    """SHA-256 over the source tree. Absent: not computed."""


class ImplementedOperation(Object, frozen=True, kw_only=True):
    """Which operation is implemented."""

    spec_digest: Digest
    """Digest of the OperationSpec."""


class CallableEntry(Object, frozen=True, kw_only=True):
    """What is called."""

    language: Token
    """What the kernel is written in, such as ``triton``, ``cuda``, ``python`` or ``cutedsl``."""
    path: Annotated[str, Meta(max_length=500)] | UnsetType = UNSET
    """File within the repository, with ``/`` between folders. Absent: not told."""
    symbol: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    """Name of the function or class in that file. Absent: not told."""
    interface: Token | UnsetType = UNSET
    """How it is called, such as ``torch_module`` or ``c_abi``. Absent: not told."""


def _in_set_order(values: Any) -> Any:
    """The members once each, by UTF-16 code units (contract, setOf). What is no collection of text stays as it is:
    constructing a struct does not validate."""
    if not isinstance(values, tuple | list | set | frozenset):
        return values
    members = tuple(values)
    try:
        # Code points and UTF-16 code units order ASCII text alike, and nearly all text here is ASCII.
        if "".join(members).isascii():
            ordered = tuple(sorted(set(members)))
        else:
            ordered = tuple(sorted(set(members), key=lambda text: text.encode("utf-16-be", "surrogatepass")))
    except TypeError:
        return members
    return ordered


class ImplementationSupport(Object, frozen=True, kw_only=True):
    """What the callable runs on and takes. Each list is a set: order and repetitions carry no meaning."""

    hardware_architectures: Annotated[tuple[Token, ...], SetOf()]
    """Architectures that it runs on, such as ``sm_90`` or ``gfx942``; empty where nobody says."""
    products_tested: Annotated[tuple[Annotated[str, Meta(max_length=100)], ...], SetOf()] | UnsetType = UNSET
    """Products that it was run on, such as ``NVIDIA H100``. Absent: not told."""
    axes: Annotated[tuple[Annotated[str, Meta(max_length=200)], ...], SetOf()] | UnsetType = UNSET
    """Limits on axis values, each as a short text such as ``hidden % 8 == 0``. Absent: none is stated."""
    dtypes: Annotated[tuple[Token, ...], SetOf()]
    """Element types that it takes, such as ``bf16``; empty where nobody says."""
    layouts: Annotated[tuple[Annotated[str, Meta(max_length=50)], ...], SetOf()] | UnsetType = UNSET
    """Memory layouts that it takes, such as ``row_major``. Absent: not told."""

    def __post_init__(self) -> None:
        for name in ("hardware_architectures", "products_tested", "axes", "dtypes", "layouts"):
            given = getattr(self, name)
            if given is UNSET or (type(given) is tuple and len(given) < 2):
                continue
            ordered = _in_set_order(given)
            if ordered != given:
                msgspec.structs.force_setattr(self, name, ordered)


class ImplementationSource(Object, frozen=True, kw_only=True):
    """The source file of the callable, bound to its bytes."""

    content_digest: Digest
    """SHA-256 of the file's bytes."""
    file_name: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    """Name of the file. Absent: it has none, as with source taken from a results file."""
    size_bytes: Pos | UnsetType = UNSET
    """Size of the file in bytes. Absent: not told."""


class InstallRecipe(Object, frozen=True, kw_only=True):
    """How a build variant is installed."""

    kind: Literal["git", "pip", "package", "container", "source"]
    """The way; ``git`` needs ``repository`` and ``commit``, ``pip`` needs ``package``."""
    repository: HttpsUrl | UnsetType = UNSET
    """Repository to clone. Absent: not installed from one."""
    commit: GitCommit | UnsetType = UNSET
    """Full git commit to check out. Absent: not installed from a commit."""
    package: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    """Name of the package or image. Absent: not installed as one."""
    version: Annotated[str, Meta(max_length=100)] | UnsetType = UNSET
    """Version of the package, or tag of the image. Absent: not pinned by a version."""
    command: Annotated[str, Meta(max_length=1000)] | UnsetType = UNSET
    """Command that installs it. Absent: the usual one of this way."""


class BuildVariant(Object, frozen=True, kw_only=True):
    """One way to build or install the callable."""

    name: ManifestName
    """Name of the variant, such as ``source`` or ``wheel``."""
    install: InstallRecipe
    """How it is installed."""
    requirements: dict[Token, Annotated[str, Meta(max_length=200)]] | UnsetType = UNSET
    """What it needs, by name, with the version wanted, such as ``triton`` and ``>=3.1``. Absent: not told."""


class LicenseEvidence(Object, frozen=True, kw_only=True):
    """The file that the licence was read from."""

    path: Annotated[str, Meta(max_length=500)]
    """File within the repository, such as ``LICENSE``."""
    digest: Digest | UnsetType = UNSET
    """SHA-256 of the file's bytes. Absent: not computed."""


class Licensing(Object, frozen=True, kw_only=True):
    """Under which terms the callable is published; empty where nothing is known."""

    declared: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    """What the project states, as an SPDX licence expression such as ``Apache-2.0``. Absent: it states nothing."""
    concluded: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    """What a reader of the files concluded, as an SPDX licence expression. Absent: nobody looked."""
    evidence: LicenseEvidence | UnsetType = UNSET
    """The file that was read. Absent: none is named."""


class ImplementationRevisionSpec(Object, frozen=True, kw_only=True):
    """What identifies an implementation."""

    project_revision: ProjectRevision
    """Which revision of its project it was taken from."""
    operation: ImplementedOperation
    """Which operation it computes."""
    callable: CallableEntry
    """What is called."""
    support: ImplementationSupport
    """What it runs on and takes."""
    source: ImplementationSource | UnsetType = UNSET
    """Its source file. Absent: not bound to bytes; the project revision has to pin it."""
    build_variants: tuple[BuildVariant, ...] | UnsetType = UNSET
    """Ways to build or install it, in order of preference. Absent: not told."""
    licensing: Licensing
    """Its licence; ``{}`` where nothing is known."""


class ImplementationRevision(Manifest, frozen=True, kw_only=True, tag="ImplementationRevision", tag_field="kind"):
    """One immutable callable that computes an operation: source revision, entry point, support and licence."""

    spec: ImplementationRevisionSpec
    """What the digest is taken over, together with apiVersion and kind."""
