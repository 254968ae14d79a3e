"""Functions on ratings Datasets: check, select, recode, merge and compress ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iaa_jax._lazy import on_first_use

if TYPE_CHECKING:
    from iaa_jax.data.compression import compress, merge
    from iaa_jax.data.marked.tokens import token_ratings
    from iaa_jax.data.recoding import at_least, recode
    from iaa_jax.data.schema import mass, rated, validate
    from iaa_jax.data.select import keep_annotators, keep_labels
    from iaa_jax.data.slots import in_grid, in_slots
else:
    __getattr__, __dir__ = on_first_use(
        __name__,
        {
            "compression": ("compress", "merge"),
            "marked.tokens": ("token_ratings",),
            "recoding": ("at_least", "recode"),
            "schema": ("mass", "rated", "validate"),
            "select": ("keep_annotators", "keep_labels"),
            "slots": ("in_grid", "in_slots"),
        },
    )

__all__ = [
    "at_least",
    "compress",
    "in_grid",
    "in_slots",
    "keep_annotators",
    "keep_labels",
    "mass",
    "merge",
    "rated",
    "recode",
    "token_ratings",
    "validate",
]
