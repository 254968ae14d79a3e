"""Declarations of the catalogue's columns, one for all uses."""

from __future__ import annotations

from iaa_jax.wording.figures import Figure

COEFFICIENTS = (
    Figure("title", "its name in words", "text"),
    Figure("summary", "what it is, in a sentence", "text"),
    Figure("aliases", "other names accepted for it, separated by commas", "text"),
    Figure("equation", "its equation", "text"),
    Figure("range", "the values that it takes", "text"),
    Figure("undefined", "when it is undefined", "text"),
    Figure("source", "its sources", "text"),
    Figure("doi", "DOI of a source", "text"),
    Figure("link", "address of a source", "text"),
    Figure("levels", "the metrics that it accepts, separated by commas", "text"),
    Figure("identified", "whether it needs to know who rated", "word"),
    Figure("takes_weights", "whether it accepts agreement between labels", "word"),
    Figure("takes_values", "whether it takes numbers", "word"),
    Figure("complete", "whether only complete items count", "word"),
    Figure("annotators", "the only number of annotators that it allows; 0 for any", "count"),
)
"""Variables along coefficients."""

IN_JSON = {"coefficients": COEFFICIENTS}
"""Variables of each part of the JSON record, by its name."""
