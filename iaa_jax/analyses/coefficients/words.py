"""The words of the catalogue's page."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "what": "{title}. {summary}",
    "also": "{title}. {summary} Also {aliases}.",
    "alone": "{title}: {summary}",
    "source": "{source}. https://doi.org/{doi}",
    "text": "{text}",
    "more": "More on one of them: 'iaa coefficients NAME'.",
}
