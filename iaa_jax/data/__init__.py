"""The ratings Dataset: constructors, schema, forms, selections and summaries."""

from __future__ import annotations

from iaa_jax.data.build import (
    from_contingency,
    from_counts,
    from_long,
    from_mass,
    from_sets,
    from_values,
    from_wide,
)
from iaa_jax.data.build_ranked import from_ranked
from iaa_jax.data.compress import compress, merge
from iaa_jax.data.recode import at_least, recode
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
    "validate",
]
