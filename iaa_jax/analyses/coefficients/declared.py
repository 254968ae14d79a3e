"""Describe the variables of the results of `iaa_jax.coefficients`."""

from __future__ import annotations

from iaa_jax.wording.figures import Figure

COEFFICIENTS = (
    Figure("title", "the coefficient's name in words", "text"),
    Figure("summary", "what the coefficient is, in a sentence", "text"),
    Figure("aliases", "other accepted names, separated by commas", "text"),
    Figure("equation", "the equation", "text"),
    Figure("range", "the range of its estimates", "text"),
    Figure("undefined", "when it is undefined", "text"),
    Figure("source", "its sources", "text"),
    Figure("doi", "DOI of a source", "text"),
    Figure("link", "web address of a source", "text"),
    Figure("levels", "the metrics that it accepts, separated by commas", "text"),
    Figure("identified", "whether it needs to know who rated", "word"),
    Figure("takes_weights", "whether it accepts agreement weights between labels", "word"),
    Figure("takes_values", "whether it accepts ratings that are numbers", "word"),
    Figure("complete", "whether items count only if every annotator rated them", "word"),
    Figure("annotators", "the required number of annotators; 0 if it takes any number", "count"),
)
"""Variables with a value for each coefficient."""

IN_JSON = {"coefficients": COEFFICIENTS}
"""Variables of each part of the JSON record, by the name of the part."""
