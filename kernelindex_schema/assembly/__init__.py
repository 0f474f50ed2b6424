"""A flat bench record to a submission whose digests chain."""

from __future__ import annotations

from kernelindex_schema.assembly.bench import assemble, assemble_value, dropped_by_registry, examine
from kernelindex_schema.assembly.chain import Assembled
from kernelindex_schema.assembly.names import kebab

__all__ = ["Assembled", "assemble", "assemble_value", "dropped_by_registry", "examine", "kebab"]
