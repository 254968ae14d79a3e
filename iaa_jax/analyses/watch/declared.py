"""Variables of `iaa_jax.watch` (agreement as ratings come in), declared once."""

from __future__ import annotations

from iaa_jax.wording.figures import ENDS, Figure

LOOKS = (
    Figure("arrival", "the last arrival: a date, batch or number", "label", "Until"),
    Figure("items", "items that had come so far", "count", "Items"),
    Figure("estimate", "the coefficient on these items", heading="Figure"),
    Figure(
        "ci_low",
        "lower end of an interval that holds at all looks together, with the given confidence",
    ),
    Figure("ci_high", "upper end of this interval"),
    Figure("standard_error", "standard error by the infinitesimal jackknife"),
    Figure(
        "one_look_ci_low",
        "lower end of an interval for one look alone, ``estimate - z standard error``; it does not "
        "hold at several looks",
    ),
    Figure("one_look_ci_high", "upper end of this interval"),
    Figure(
        "e_value",
        "evidence that the coefficient is above ``bar``: if it is not, the mean is at most 1 at "
        "any look; the evidence of separate sets of ratings can be multiplied",
        "short",
        "Evidence above",
    ),
    Figure(
        "e_value_below",
        "evidence that the coefficient is below ``bar``, on the same scale",
        "short",
        "Evidence below",
    ),
    Figure(
        "e_value_fallen",
        "evidence that the coefficient has been below ``bar`` since some look, even if it was "
        "above before; NaN for a sequence by influence",
        "short",
    ),
)
"""Variables along looks; e-values only if there is a ``bar``, the level to reach."""

DIFFERENCE = (
    Figure(
        "difference",
        "``estimate`` minus the estimate of ``against``",
        "signed",
        "Difference",
        beside=ENDS,
    ),
)
"""Variables along looks, if there are other ratings (``against``) to compare with."""

ITEMS = (
    Figure(
        "arrived",
        "number of the item's arrival, from 1; the items are in the order of watching",
        "count",
    ),
    Figure("came", "the name of the item's arrival", "text"),
    Figure("digest", "a digest of the item's ratings", "text"),
)
"""Variables along items that have arrived."""

IN_JSON = {"looks": (*LOOKS, *DIFFERENCE), "items": ITEMS}
"""Variables of each part of the JSON record, by name."""
