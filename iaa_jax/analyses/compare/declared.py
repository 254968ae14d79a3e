"""Declarations of the variables of a comparison, one for tables, files and documentation."""

from __future__ import annotations

from iaa_jax.wording.figures import Figure

FIGURES = (
    Figure("estimate_a", "the coefficient in A"),
    Figure("estimate_b", "the coefficient in B"),
    Figure("difference", "``estimate_b - estimate_a``", "signed", "B - A"),
    Figure("standard_error", "standard error of the difference (infinitesimal jackknife)"),
    Figure("standard_error_a", "standard error of the coefficient in A"),
    Figure("standard_error_b", "standard error of the coefficient in B"),
    Figure("ci_low", "lower end of the interval of the difference"),
    Figure("ci_high", "upper end of the interval of the difference"),
    Figure(
        "interval",
        'how these ends were made; "square_and_add" where a set, or the difference, shows no '
        'spread (then there is no standard error), and "exchange" for labels by default',
        "word",
    ),
    Figure("z", "difference / standard_error"),
    Figure(
        "p_value",
        "two-sided: twice the share of the posterior on the other side of 0; with "
        '"square_and_add" 1 minus the confidence of the interval that ends at 0; with other '
        "intervals by exchange of items, or of clusters; where there is no such test with "
        '"kurtosis_t" like "square_and_add", else normal, over clusters Student\'s',
        "p",
        "p",
    ),
    Figure("permutation_p_value", "that by exchange", "p"),
    Figure(
        "adjusted_p_value",
        "for all rows together: step-down max-t, Bonferroni's with \"square_and_add\", or Holm's "
        "without exchanges and replicates",
        "p",
        "Adjusted",
    ),
    Figure("band_low", "lower end of an interval that holds for all rows together"),
    Figure("band_high", "upper end of an interval that holds for all rows together"),
    Figure("equivalence_p_value", "of two one-sided tests: the difference within ``margin``", "p"),
    Figure("detectable", "the true difference that such data show with 80 % power"),
    Figure("items_needed_a", "items in A that show a difference of ``margin``, or .05", "count"),
    Figure("items_needed_b", "items in B that do", "count"),
    Figure("undefined_replicates", "replicates in which the difference is undefined", "count"),
    Figure("undefined_permutations", "exchanges in which it is", "count"),
    Figure("code", "why there is no difference; 0 if there is one", "count"),
    Figure("code_a", "that of A", "count"),
    Figure("code_b", "that of B", "count"),
    Figure("reason", "the code in words", "text"),
    Figure("weights", "how labels agree", "word"),
    Figure("note", "what is noted of the row", "text"),
    Figure("conclusion", "the conclusion of the row, as below", "word"),
)
"""Variables of each coefficient, or label."""

OF_GROUPS = (
    Figure(
        "annotator_p_value",
        "share of the ways to divide the same annotators into groups of these sizes that differ "
        "as much (NaN for coefficients that are defined only for two annotators)",
        "p",
    ),
)
"""Further variables for two groups of annotators."""

AT_COMMON_MARGINS = (
    Figure("common_a", "the coefficient in A at common margins"),
    Figure("common_b", "the coefficient in B at common margins"),
    Figure("common_difference", "their difference", "signed", "B - A"),
    Figure("common_standard_error", "its standard error, which allows for estimated weights"),
    Figure("common_ci_low", "lower end of its interval (Student's t)"),
    Figure("common_ci_high", "upper end of its interval (Student's t)"),
    Figure("common_p_value", "its two-sided p-value (Student's t)", "p", "p"),
)
"""Further variables if labels are not equally frequent in both sets."""

ALL = (*FIGURES, *OF_GROUPS, *AT_COMMON_MARGINS)

IN_JSON = {"coefficients": ALL, "partial": ALL, "labels": ALL}
"""Variables of each part of the JSON record, by its name."""
