"""The words of the page of gold labels."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "tied_items": (
        "{items:count item} {items:has|have} tied labels in the first place, and took the first of "
        "them in the order of labels: look at these first."
    ),
    "skill": "{skill}.",
    "gold_labels": "{items:count item} {items:has|have} a gold label by {method}.",
}
