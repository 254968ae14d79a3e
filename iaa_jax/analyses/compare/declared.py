"""Declarations of the variables of a comparison."""

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
        'method of the interval: "square_and_add" if a set or the difference shows no spread (then '
        'there is no standard error), and "permutations" for labels by default',
        "word",
    ),
    Figure("z", "difference / standard_error"),
    Figure(
        "p_value",
        "two-sided p-value. With a posterior interval it is twice the share of the posterior on "
        'the other side of 0; with "square_and_add" it is 1 minus the confidence of the interval '
        "that has 0 as an end; with other intervals it comes from permutations of items or "
        'clusters. If these are not possible, it is computed for "kurtosis_t" as for '
        '"square_and_add", and otherwise from the normal distribution (over clusters Student\'s t)',
        "p",
        "p",
    ),
    Figure("permutation_p_value", "two-sided p-value by permutations of items or clusters", "p"),
    Figure(
        "adjusted_p_value",
        "p-value adjusted for all rows together: by step-down max-t, by Bonferroni with "
        '"square_and_add", or by Holm without permutations and replicates',
        "p",
        "Adjusted",
    ),
    Figure("band_low", "lower end of an interval that holds for all rows together"),
    Figure("band_high", "upper end of an interval that holds for all rows together"),
    Figure(
        "equivalence_p_value",
        "p-value of two one-sided tests that the difference is within ``margin``",
        "p",
    ),
    Figure("detectable", "the true difference that data of this size show with 80 % power"),
    Figure(
        "items_needed_a", "items in A needed to show a difference of ``margin``, or 0.05", "count"
    ),
    Figure("items_needed_b", "items in B needed to show this difference", "count"),
    Figure("undefined_replicates", "replicates in which the difference is undefined", "count"),
    Figure("undefined_permutations", "permutations in which the difference is undefined", "count"),
    Figure("code", "code of the reason why the difference is undefined; 0 if defined", "count"),
    Figure("code_a", "code of the reason why the coefficient is undefined in A", "count"),
    Figure("code_b", "code of the reason why the coefficient is undefined in B", "count"),
    Figure("reason", "the code in words", "text"),
    Figure("weights", "the agreement weights or distance between labels", "word"),
    Figure("note", "notes on the row", "text"),
    Figure("conclusion", "the conclusion about the row, explained below", "word"),
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
    Figure("common_difference", "the difference at common margins", "signed", "B - A"),
    Figure(
        "common_standard_error",
        "standard error of ``common_difference``, which allows for estimated weights",
    ),
    Figure("common_ci_low", "lower end of the interval of ``common_difference`` (Student's t)"),
    Figure("common_ci_high", "upper end of the interval of ``common_difference`` (Student's t)"),
    Figure("common_p_value", "two-sided p-value of ``common_difference`` (Student's t)", "p", "p"),
)
"""Further variables if label frequencies differ."""

ALL = (*FIGURES, *OF_GROUPS, *AT_COMMON_MARGINS)

IN_JSON = {"coefficients": ALL, "partial": ALL, "labels": ALL}
