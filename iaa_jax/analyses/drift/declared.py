"""The variables of a result of drift, declared once."""

from __future__ import annotations

from iaa_jax.measure.shared.annotators_in_parts import IN_PARTS
from iaa_jax.wording.figures import ERROR_AND_ENDS, Figure

POINTS = (
    Figure("estimate", "the coefficient around this time, or of this batch", heading="Estimate"),
    Figure("standard_error", "its standard error"),
    Figure("ci_low", "lower end of the interval at this point"),
    Figure("ci_high", "upper end of the interval at this point"),
    Figure("band_low", "lower end of a band for all points together"),
    Figure("band_high", "upper end of that band"),
    Figure("effective_items", "items that the window is worth", "short"),
    Figure("code", "why the estimate is undefined; 0 where it is defined", "count"),
    Figure("reason", "the code in words", "text"),
    Figure("undefined_replicates", "replicates in which it is undefined", "count"),
)
"""Variables along points."""

CUTS = (
    Figure("cut_from", "the last time before the cut", "time"),
    Figure("before", "the coefficient before it"),
    Figure("after", "the coefficient after it"),
    Figure("difference", "``after - before``", "signed", beside=("standard_error",)),
    Figure("z", "difference / standard error", "short"),
    Figure("items_before", "items before it", "count"),
)
"""Variables along cuts, by the first time after each."""

SIDES = (
    Figure("ratings_before", "of the annotator, before the largest step", "count"),
    Figure("ratings_after", "and after it", "count"),
    Figure("label_share_before", "of the label before it; of spans, of all units", "share"),
    Figure("label_share_after", "and after it", "share"),
)
"""Variables along annotators, and along labels."""

COURSES = (*IN_PARTS, Figure("stretch_items", "items of the stretch", "count"))
"""Along stretches and annotators; the last along stretches only."""

FINDINGS = (
    Figure("finding_z", "the largest in standard errors: slope, step or deviation", "short"),
    Figure("finding_share", "how well it explains the estimates, as a share of all three", "share"),
    Figure("left_over_p_value", "of what the other finding leaves unexplained", "p"),
)
"""Along findings; the last also along the finding that is given."""

SCALARS = (
    Figure("overall", "the coefficient of all items", beside=(*ERROR_AND_ENDS, "code")),
    Figure("slope", "per unit of time", "signed", beside=(*ERROR_AND_ENDS, "p_value")),
    Figure("period_change", "slope over the whole time", "signed", beside=ERROR_AND_ENDS),
    Figure("change_at", "the first time after the largest step", "time"),
    Figure("change_low", "first end of an interval for that time", "time"),
    Figure("change_high", "last end of that interval", "time"),
    Figure("change_before", "the coefficient before the step", beside=("standard_error",)),
    Figure("change_after", "the coefficient after it", beside=("standard_error",)),
    Figure("change_difference", "their difference", "signed", beside=("standard_error",)),
    Figure("change_z", "the difference in standard errors", "short"),
    Figure("change_p_value", "of the step", "p"),
    Figure("panel_change", "share of ratings that moved to other annotators after it", "share"),
    Figure("deviation_at", "the window farthest from the others", "time"),
    Figure("deviation_estimate", "the coefficient there"),
    Figure("deviation_others", "mean of the others, weighted by 1 / SE^2"),
    Figure("deviation_standard_error", "of the difference"),
    Figure("deviation_z", "the difference in standard errors", "short"),
    Figure("deviation_p_value", "of the deviation", "p"),
    Figure("p_value", "of all three tests together", "p"),
    Figure("any_change_p_value", "by shuffles: of any change, label frequencies included", "p"),
    Figure("label_p_value", "whether labels are equally frequent at all times", "p"),
    Figure("label_changed", "the label whose share differs most", "label"),
    Figure("label_lowest", "its lowest share", "share"),
    Figure("label_lowest_at", "when it had that share", "time"),
    Figure("label_highest", "its highest share", "share"),
    Figure("label_highest_at", "when it had that share", "time"),
)
"""Variables of all items together."""

IN_JSON = {
    "points": POINTS,
    "cuts": CUTS,
    "annotators, labels": SIDES,
    "stretches": COURSES,
    "findings": FINDINGS,
    "": SCALARS,
}
"""The variables of each part of the JSON record, by its name."""
