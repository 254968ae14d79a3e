"""The ratings Dataset: constructors, schema and questions to it."""

from __future__ import annotations

from iaa_jax.data.build import (
    from_contingency,
    from_counts,
    from_long,
    from_sets,
    from_values,
    from_wide,
)
from iaa_jax.data.build_ranked import from_ranked
from iaa_jax.data.schema import Summary, mass, rated, summary, validate

__all__ = [
    "Summary",
    "from_contingency",
    "from_counts",
    "from_long",
    "from_ranked",
    "from_sets",
    "from_values",
    "from_wide",
    "mass",
    "rated",
    "summary",
    "validate",
]
