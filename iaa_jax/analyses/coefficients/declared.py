"""What the catalogue says of coefficients: its columns, declared once."""

from __future__ import annotations

from iaa_jax.wording.figures import Figure

COEFFICIENTS = (
    Figure("title", "its name in words", "text"),
    Figure("summary", "what it is, in a sentence", "text"),
    Figure("aliases", "other names that are taken for it, with commas between", "text"),
    Figure("equation", "its equation", "text"),
    Figure("range", "the values that it takes", "text"),
    Figure("undefined", "when it is undefined", "text"),
    Figure("source", "the works that it comes from", "text"),
    Figure("doi", "DOI of a source", "text"),
    Figure("link", "address of a source", "text"),
    Figure("levels", "the metrics that it takes, with commas between", "text"),
    Figure("identified", "whether it needs to know who rated", "word"),
    Figure("takes_weights", "whether it takes agreement between labels", "word"),
    Figure("takes_values", "whether it takes numbers", "word"),
    Figure("complete", "whether only complete items count", "word"),
    Figure("annotators", "the only number of annotators that it is for; 0 for any", "count"),
)
"""Along coefficients."""

IN_JSON = {"coefficients": COEFFICIENTS}
"""The figures of each part of the JSON record, by its name."""
