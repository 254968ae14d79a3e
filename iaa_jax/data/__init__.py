"""The ratings Dataset: constructors, schema, forms, selections and summaries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iaa_jax._lazy import on_first_use

if TYPE_CHECKING:
    from iaa_jax.data.build import from_long, from_wide
    from iaa_jax.data.build_counts import from_contingency, from_counts
    from iaa_jax.data.build_mass import from_mass
    from iaa_jax.data.build_ranked import from_ranked
    from iaa_jax.data.build_sets import from_sets, from_values
    from iaa_jax.data.compression import compress, merge
    from iaa_jax.data.marked.tokens import token_ratings
    from iaa_jax.data.recoding import at_least, recode
    from iaa_jax.data.schema import Summary, mass, rated, summary, validate
    from iaa_jax.data.select import keep_annotators, keep_labels
    from iaa_jax.data.slots import in_grid, in_slots

__all__ = [
    "Summary",
    "at_least",
    "compress",
    "from_contingency",
    "from_counts",
    "from_long",
    "from_mass",
    "from_ranked",
    "from_sets",
    "from_values",
    "from_wide",
    "in_grid",
    "in_slots",
    "keep_annotators",
    "keep_labels",
    "mass",
    "merge",
    "rated",
    "recode",
    "summary",
    "token_ratings",
    "validate",
]

__getattr__ = on_first_use(
    __name__,
    {
        "build": ("from_long", "from_wide"),
        "build_counts": ("from_contingency", "from_counts"),
        "build_mass": ("from_mass",),
        "build_ranked": ("from_ranked",),
        "build_sets": ("from_sets", "from_values"),
        "compression": ("compress", "merge"),
        "marked.tokens": ("token_ratings",),
        "recoding": ("at_least", "recode"),
        "schema": ("Summary", "mass", "rated", "summary", "validate"),
        "select": ("keep_annotators", "keep_labels"),
        "slots": ("in_grid", "in_slots"),
    },
)
