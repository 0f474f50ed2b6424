"""``python -m kernelindex_schema`` is ``kix-schema``."""

from __future__ import annotations

from kernelindex_schema.cli import main

if __name__ == "__main__":
    main()
