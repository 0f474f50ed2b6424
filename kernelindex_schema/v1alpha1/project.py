"""SoftwareProject: who publishes implementations."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from kernelindex_schema.v1alpha1.envelope import Manifest, Object
from kernelindex_schema.v1alpha1.scalars import HttpsUrl, Token

__all__ = ["Package", "ProjectHost", "SoftwareProject", "SoftwareProjectSpec"]


class ProjectHost(Object, frozen=True, kw_only=True):
    """Where a project is hosted, in a form that programs can look up."""

    kind: Literal["github", "huggingface", "gitlab", "other"]
    """The hosting service."""
    id: Annotated[str, Meta(max_length=200)]
    """The project's id there, such as ``owner/repository``."""


class Package(Object, frozen=True, kw_only=True):
    """A package that a project publishes."""

    ecosystem: Token
    """The package ecosystem, such as ``pypi`` or ``npm``."""
    name: Annotated[str, Meta(max_length=200)]
    """The package's name there."""


class SoftwareProjectSpec(Object, frozen=True, kw_only=True):
    """What identifies a software project."""

    name: Annotated[str, Meta(max_length=200)]
    """The project's name as it writes it."""
    kind: Literal["library", "individual", "vendor"] | UnsetType = UNSET
    """What sort of project it is. Absent: not told."""
    repository: HttpsUrl | UnsetType = UNSET
    """Source repository. Absent: none is public, or not told."""
    homepage: HttpsUrl | UnsetType = UNSET
    """Home page. Absent: none, or not told."""
    host: ProjectHost | UnsetType = UNSET
    """Hosting service and id. Absent: not told."""
    packages: tuple[Package, ...] | UnsetType = UNSET
    """Packages that the project publishes. Absent: not told."""


class SoftwareProject(Manifest, frozen=True, kw_only=True, tag="SoftwareProject", tag_field="kind"):
    """A project that publishes kernel implementations: a library, a vendor or a single author."""

    spec: SoftwareProjectSpec
    """What the digest is taken over, together with apiVersion and kind."""
