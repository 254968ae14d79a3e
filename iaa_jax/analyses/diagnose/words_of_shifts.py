"""Sentences on annotators whose numbers are higher or lower than those of the others."""

from __future__ import annotations

from iaa_jax.wording import Words

SHIFTS: Words = {
    "numbers_differ": "Compared with {others} on the same items, {each:and}{further}.",
    "all_the_others": "the others",
    "the_other": "{name:name}",
    "number_higher": "{name:name} is higher by {difference:estimate} ({ends:interval})",
    "number_lower": "{name:name} is lower by {difference:estimate} ({ends:interval})",
    "others_differ": "; {more:count} more {more:differs|differ}",
    "bias_from_others": "mean difference from the mean of the others.",
    "bias_from_others_tested": (
        "mean difference from the mean of the others; its interval is by Student's t."
    ),
}
