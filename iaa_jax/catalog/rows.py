"""The rows of the catalogue, family by family, in the order of lists and tables."""

from __future__ import annotations

from iaa_jax.catalog import augmented, further, multi_label, nominal, numbers

ROWS = (*nominal.ROWS, *augmented.ROWS, *multi_label.ROWS, *numbers.ROWS, *further.ROWS)
