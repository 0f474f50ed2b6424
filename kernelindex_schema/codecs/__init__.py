"""Bytes to values with positions and back, one module a format."""
