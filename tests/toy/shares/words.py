"""The words of the page of shares."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "common": "Every label is common.",
    "rare": "Some labels are rare.",
    "rare_labels": "Rare: {labels:names 5}.",
}
