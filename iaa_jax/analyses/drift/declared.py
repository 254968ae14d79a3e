"""Declarations of the variables of `iaa_jax.drift`."""

from __future__ import annotations

from iaa_jax.measure.shared.annotators_in_parts import IN_PARTS
from iaa_jax.wording.figures import ERROR_AND_ENDS, Figure

POINTS = (
    Figure("estimate", "the coefficient around this time, or of this batch", heading="Estimate"),
    Figure("standard_error", "standard error of the estimate"),
    Figure("ci_low", "lower end of the interval at this point"),
    Figure("ci_high", "upper end of the interval at this point"),
    Figure("band_low", "lower end of a band for all points together"),
    Figure("band_high", "upper end of a band for all points together"),
    Figure("effective_items", "effective number of items in the window", "short"),
    Figure("code", "code of the reason why the estimate is undefined; 0 if defined", "count"),
    Figure("reason", "the code in words", "text"),
    Figure("undefined_replicates", "replicates in which the estimate is undefined", "count"),
)
"""Variables along points."""

CUTS = (
    Figure("cut_from", "the last time before the cut", "time"),
    Figure("before", "the coefficient before the cut"),
    Figure("after", "the coefficient after the cut"),
    Figure("difference", "``after - before``", "signed", beside=("standard_error",)),
    Figure("z", "difference / standard error", "short"),
    Figure("items_before", "items before the cut", "count"),
)
"""Variables along cuts, by the first time after each cut."""

SIDES = (
    Figure("ratings_before", "ratings by the annotator before the largest step", "count"),
    Figure("ratings_after", "ratings by the annotator after the largest step", "count"),
    Figure(
        "label_share_before",
        "share of the ratings (for spans, of the spans) with the label, before the largest step",
        "share",
    ),
    Figure("label_share_after", "share of the label after the largest step", "share"),
)
"""Variables along annotators, and along labels."""

COURSES = (*IN_PARTS, Figure("stretch_items", "items in the stretch", "count"))
"""Variables along stretches and annotators; the last is along stretches only."""

FINDINGS = (
    Figure("finding_z", "the largest slope, step or deviation, in standard errors", "short"),
    Figure(
        "finding_share",
        "how well the finding explains the estimates, scaled to sum to 1 over the three",
        "share",
    ),
    Figure(
        "left_over_p_value", "p-value of the finding if the given finding is fitted as well", "p"
    ),
)
"""Variables along findings; the last is also along the given finding."""

SCALARS = (
    Figure("overall", "the coefficient of all items", beside=(*ERROR_AND_ENDS, "code")),
    Figure("slope", "trend per unit of time", "signed", beside=(*ERROR_AND_ENDS, "p_value")),
    Figure(
        "period_change",
        "change according to the trend over the whole period",
        "signed",
        beside=ERROR_AND_ENDS,
    ),
    Figure("change_at", "the first time after the largest step", "time"),
    Figure("change_low", "lower end of an interval for the time of the step", "time"),
    Figure("change_high", "upper end of an interval for the time of the step", "time"),
    Figure("change_before", "the coefficient before the step", beside=("standard_error",)),
    Figure("change_after", "the coefficient after the step", beside=("standard_error",)),
    Figure(
        "change_difference",
        "``change_after - change_before``",
        "signed",
        beside=("standard_error",),
    ),
    Figure("change_z", "``change_difference`` in standard errors", "short"),
    Figure("change_p_value", "p-value of the step", "p"),
    Figure(
        "panel_change", "share of ratings that moved to other annotators after the step", "share"
    ),
    Figure("deviation_at", "the batch or stretch farthest from the others", "time"),
    Figure("deviation_estimate", "the coefficient in that batch or stretch"),
    Figure("deviation_others", "mean of the other batches or stretches, weighted by 1 / SE^2"),
    Figure("deviation_standard_error", "standard error of the deviation from that mean"),
    Figure("deviation_z", "the deviation in standard errors", "short"),
    Figure("deviation_p_value", "p-value of the deviation", "p"),
    Figure("p_value", "p-value of all three tests together", "p"),
    Figure(
        "any_change_p_value", "p-value by shuffles of any change, label frequencies included", "p"
    ),
    Figure(
        "label_p_value", "p-value of the test that labels are equally frequent at all times", "p"
    ),
    Figure("label_changed", "the label whose share differs most", "label"),
    Figure("label_lowest", "lowest share of that label", "share"),
    Figure("label_lowest_at", "time of the lowest share", "time"),
    Figure("label_highest", "highest share of that label", "share"),
    Figure("label_highest_at", "time of the highest share", "time"),
)
"""Variables without an axis."""

IN_JSON = {
    "points": POINTS,
    "cuts": CUTS,
    "annotators, labels": SIDES,
    "stretches": COURSES,
    "findings": FINDINGS,
    "": SCALARS,
}
