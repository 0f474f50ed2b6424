"""``python -m kernelindex_schema._generate``."""

from __future__ import annotations

import sys

from kernelindex_schema._generate import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
