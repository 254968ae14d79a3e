"""Figures of watching, declared once."""

from __future__ import annotations

from iaa_jax.wording.figures import ENDS, Figure

LOOKS = (
    Figure("arrival", "what came last: the date, batch or number", "label", "Until"),
    Figure("items", "items that had come", "count", "Items"),
    Figure("estimate", "the coefficient of these", heading="Figure"),
    Figure(
        "ci_low",
        "lower end of an interval that holds at all looks together, with the given confidence",
    ),
    Figure("ci_high", "upper end, likewise"),
    Figure("standard_error", "by the infinitesimal jackknife"),
    Figure(
        "one_look_ci_low",
        "lower end of an interval for one look alone, ``estimate - z standard error``; it does not "
        "hold at several",
    ),
    Figure("one_look_ci_high", "upper end, likewise"),
    Figure(
        "e_value",
        "evidence that the coefficient is above ``bar``: on average at most 1, at whatever look, "
        "if it is not; evidence of several sets of ratings multiplies",
        "short",
        "Evidence above",
    ),
    Figure(
        "e_value_below", "evidence that it is below ``bar``, likewise", "short", "Evidence below"
    ),
    Figure(
        "e_value_fallen",
        "evidence that it has been below ``bar`` since some look, though it may have been above "
        "before; NaN for a sequence by influence",
        "short",
    ),
)
"""Figures along looks; the e-values where there is a ``bar``."""

DIFFERENCE = (
    Figure(
        "difference",
        "``estimate`` minus the estimate of ``against``",
        "signed",
        "Difference",
        beside=ENDS,
    ),
)
"""Figures along looks, if there is something to compare with."""

ITEMS = (
    Figure("arrived", "the arrival of the item, counted from 1; in the order of watching", "count"),
    Figure("came", "the name of that arrival", "text"),
    Figure("digest", "a digest of its ratings", "text"),
)
"""Figures along items that have arrived."""

IN_JSON = {"looks": (*LOOKS, *DIFFERENCE), "items": ITEMS}
"""Figures of each part of the JSON record, by name."""
