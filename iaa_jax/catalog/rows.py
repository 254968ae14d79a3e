"""The rows of the catalogue, family by family, in the order of lists and tables."""

from __future__ import annotations

from iaa_jax.catalog import nominal

ROWS = (*nominal.ROWS,)
