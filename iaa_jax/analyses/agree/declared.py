"""What is said of coefficients: their figures, declared once."""

from __future__ import annotations

from iaa_jax.measure.figures import FIGURES, OF_GROUPS
from iaa_jax.wording.figures import Figure

ASKED = (
    Figure("word", "with ``--scale``, the word of the estimate", "word", "Word"),
    Figure(
        "reached", "the word that is reached, the standard error allowed for", "word", "At least"
    ),
    Figure("certain", "probability that at least this word is deserved", "share"),
    Figure("withheld", "why there is no word", "text"),
    Figure(
        "above",
        "with ``--above``, the probability of lying above each of its levels",
        "probability",
    ),
    Figure("zero_z", "with ``--zero``, z of the test of zero agreement", "short"),
    Figure("zero_p_value", "its p-value", "p", "p by chance"),
    Figure("zero_null_standard_error", "standard error where agreement is chance alone"),
    Figure("zero_method", "how the test was made", "word"),
    Figure("zero_note", "what is noted of it", "text"),
)
"""Further ones, where they are asked for."""

ALL = (*FIGURES, *OF_GROUPS, *ASKED)

IN_JSON = {"coefficients": (*FIGURES, *ASKED), "by": (*FIGURES, *OF_GROUPS)}
"""The figures of each part of the JSON record, by its name."""
