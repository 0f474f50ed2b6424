"""The thirteen kinds of kernelindex.dev/v1alpha1 as structs."""
