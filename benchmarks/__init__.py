"""Measurements, side by side in one run: ``python -m benchmarks``. They make their own input and print ratios."""
