"""An analysis and a coefficient that a copy of the package gets in `tests/test_toys.py`."""
