"""Templates of the texts on the pages of the catalogue of coefficients, by code."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "what": "{title}. {summary}",
    "also": "{title}. {summary} Also {aliases}.",
    "alone": "{title}. {summary}",
    "source": "{source}. {link}",
    "any_number": "any number",
    "two": "two",
    "who_known": "must be known",
    "who_unknown": "need not be known",
    "weights_taken": "agreement between labels or a distance",
    "no_weights": "none",
    "numbers": "numbers, or labels that are numbers",
    "complete": "those that every annotator rated",
    "more": "{advice:next_more}",
    "next_more": "For more on one coefficient: {try:coefficients NAME}.",
}
