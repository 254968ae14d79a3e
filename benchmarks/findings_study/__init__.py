"""Sets that `benchmarks/findings.py` looks for causes in."""
