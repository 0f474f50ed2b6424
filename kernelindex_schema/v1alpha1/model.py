"""ModelRevision: the model that a serving stack serves."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from kernelindex_schema.v1alpha1.envelope import Manifest, Object
from kernelindex_schema.v1alpha1.scalars import Digest, Pos, Token

__all__ = ["ModelRepository", "ModelRevision", "ModelRevisionSpec", "Tokenizer"]


class ModelRepository(Object, frozen=True, kw_only=True):
    """Where a model's weights are published."""

    host: Literal["huggingface", "github", "other"]
    """The hosting service."""
    id: Annotated[str, Meta(max_length=200)]
    """The model's id there, such as ``owner/model``."""
    revision: Annotated[str, Meta(max_length=100)] | UnsetType = UNSET
    """Commit or tag there; only a commit pins the weights. Absent: not recorded."""


class Tokenizer(Object, frozen=True, kw_only=True):
    """What cuts text into tokens; figures in tokens hang on it. Give what is known."""

    name: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    """Its name or repository. Absent: the model's own."""
    revision: Annotated[str, Meta(max_length=100)] | UnsetType = UNSET
    """Commit or tag. Absent: not recorded."""
    digest: Digest | UnsetType = UNSET
    """SHA-256 of the tokenizer file's bytes. Absent: not computed."""


class ModelRevisionSpec(Object, frozen=True, kw_only=True):
    """What identifies a model."""

    model: Annotated[str, Meta(max_length=200)]
    """The model's name as its publisher writes it."""
    repository: ModelRepository | UnsetType = UNSET
    """Where its weights are published. Absent: nowhere public, or not told."""
    tokenizer: Tokenizer | UnsetType = UNSET
    """Its tokenizer. Absent: the one published with the model, or it has none."""
    architecture: Annotated[str, Meta(max_length=100)] | UnsetType = UNSET
    """Name of its architecture, as in the model's ``config.json``. Absent: not told."""
    parameter_count: Pos | UnsetType = UNSET
    """Parameters in all, counted and not in billions; with experts, all of them. Absent: not told."""
    context_length: Pos | UnsetType = UNSET
    """Longest context that the model was made for, in tokens. Absent: not told, or it has none."""
    modality: Token | UnsetType = UNSET
    """What goes in and out, such as ``text`` or ``vision_language``. Absent: not told."""
    license: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    """Licence of the weights, as an SPDX expression where there is one. Absent: not told."""


class ModelRevision(Manifest, frozen=True, kw_only=True, tag="ModelRevision", tag_field="kind"):
    """One revision of a model: weights, tokenizer and what is known of its make."""

    spec: ModelRevisionSpec
    """What the digest is taken over, together with apiVersion and kind."""
