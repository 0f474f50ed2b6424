"""Read, check, digest and convert GPU-kernel benchmark records in the format ``kernelindex.dev/v1alpha1``."""

__version__ = "0.1.0"
