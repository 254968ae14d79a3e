"""The words of the page of spans."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "gamma_chance": (
        "Disorder by chance is the mean over {samples:count} chance continua that were drawn, from "
        "which gamma has a standard error of {error:estimate}; intervals are over documents, and "
        "leave it out."
    ),
}
