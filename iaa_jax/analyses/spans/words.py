"""The words of the page of spans."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {}
