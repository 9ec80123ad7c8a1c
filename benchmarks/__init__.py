"""Benchmarks: each runs as `python -m benchmarks.NAME` and ends with one RESULT line."""
