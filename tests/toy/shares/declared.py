"""What shares give: their figure, declared once."""

from __future__ import annotations

from iaa_jax.wording.figures import Figure

LABELS = (Figure("share", "of all ratings", "share", "Share"),)
"""Along labels."""

IN_JSON = {"labels": LABELS}
"""The figures of each part of the JSON record, by its name."""
