"""What is said of coefficients: their figures, declared once."""

from __future__ import annotations

from iaa_jax.measure.figures import FIGURES, IN_GROUPS, OF_GROUPS
from iaa_jax.measure.shared.annotators_in_parts import IN_PARTS
from iaa_jax.wording.figures import Figure

ASKED = (
    Figure("word", "with ``--scale``, the word of the estimate", "word", "Word"),
    Figure("reached", "the word reached, the standard error allowed for", "word", "At least"),
    Figure("certain", "probability that at least this word is deserved", "share"),
    Figure("withheld", "why there is no word", "text"),
    Figure("above", "with ``--above``, the probability to lie above each level", "probability"),
    Figure("zero_z", "with ``--zero``, z of the test of zero agreement", "short"),
    Figure("zero_p_value", "its p-value", "p", "p by chance"),
    Figure("zero_null_standard_error", "standard error where agreement is chance alone"),
    Figure("zero_method", "how the test was made", "word"),
    Figure("zero_note", "what is noted of it", "text"),
)
"""Further ones, where they are asked for."""

WORDS = (
    Figure("estimate", "the coefficient"),
    Figure("standard_error", "that of the source"),
    Figure("word", "that of the estimate", "word"),
    Figure("reached", "the best word that is certain; empty where none is", "word"),
    Figure("certain", "how certain: the confidence, or the probability by ``at_least``", "share"),
    Figure(
        "withheld", 'why none: "undefined", "no_interval", "no_spread" or that of ``doubt``', "word"
    ),
    Figure("ci_low", "by intervals, the lower end"),
    Figure("ci_high", "by intervals, the upper end"),
    Figure("undefined_replicates", "by probabilities, replicates without a figure", "count"),
)
"""Of each coefficient in words."""

BANDS = (
    Figure("probability", "that the coefficient lies in the band", "share"),
    Figure("at_least", "that it lies in this band or a better one", "share"),
)
"""Along bands too."""

DOUBT = Figure(
    "doubt", "why an interval may hold less often than it says: the code of a note", "word"
)

REPLICATES = (
    Figure("replicates", "the coefficient in each replicate; NaN where undefined"),
    Figure("replicate_standard_error", "with ``errors``, the standard error of each"),
)
"""Along replicates."""

DRAWN = (
    Figure("estimate", "the coefficient"),
    Figure("standard_error", "infinitesimal jackknife, and the jackknife over random annotators"),
    Figure("acceleration", 'the a of "bca"'),
    Figure("degrees", "degrees of freedom of the standard error"),
    Figure("lower_bound", "lower end of the range"),
    Figure("upper_bound", "upper end of the range"),
    Figure("highest_bound", "the most that can be"),
    Figure("withheld", 'why there can be no interval; "" where there can', "text"),
    Figure("random", 'what was random, as "items" or "items and annotators"', "word"),
    DOUBT,
    Figure("unanimous_units", "where nothing disagrees, the units that agree"),
    Figure("unanimous_step", "what it would lose at most if all units disagreed: ``D_max / D_e``"),
    Figure("unshared_units", "where a share is 0, the units that it stands on, likewise"),
)
"""Of each coefficient with replicates."""

INTERVALS = (
    Figure("estimate", "the coefficient"),
    Figure("standard_error", "that of `iaa_jax.bootstrap`"),
    Figure("ci_low", "lower end of the interval"),
    Figure("ci_high", "upper end of the interval"),
    Figure("undefined_replicates", "replicates in which the coefficient is undefined", "count"),
    Figure("withheld", "why there is no interval, where one could not be trusted", "text"),
    DOUBT,
)
"""Of each coefficient, from its replicates."""

ABOVE = (
    Figure("probability", "that it lies above the cut-off, from the defined replicates", "share"),
    Figure("monte_carlo_error", "its standard error from the number of replicates"),
    Figure("undefined_replicates", "replicates in which the coefficient is undefined", "count"),
)
"""Of each coefficient, along cut-offs but for the last."""

COVARIANCE = (
    Figure("estimate", "the coefficient"),
    Figure("standard_error", "the root of its variance"),
    Figure("band_low", "lower end of an interval that holds for all coefficients together"),
    Figure("band_high", "upper end of it"),
    Figure("note", "why a coefficient is left out of the band", "text"),
    Figure("factor", "one for all: the q of the band"),
)
"""Of each coefficient."""

MATRICES = (
    Figure("covariance", "of the two"),
    Figure("correlation", "of the two"),
)
"""Of each two coefficients."""

ZERO = (
    Figure("estimate", "the coefficient"),
    Figure("null_mean", "its mean under chance"),
    Figure("null_standard_error", "its spread under chance"),
    Figure("z", "``(estimate - null_mean) / null_standard_error``; an F test has none", "short"),
    Figure("p_value", "of the test", "p"),
    Figure("undefined_permutations", "permutations without a figure, left out", "count"),
    Figure("method", "the analytic form, or the kind of permutation", "word"),
    Figure("code", "why the estimate is undefined; 0 where it is defined", "count"),
    Figure("reason", "the code in words", "text"),
    Figure("note", "what is noted of the coefficient and its test", "text"),
)
"""Of each coefficient, or label."""

ZERO_OF_LABELS = (
    Figure("adjusted_p_value", "with ``per_label``, Holm's for all labels", "p", "Adjusted"),
)
"""Of labels alone."""

INDICES = (
    Figure("observed_agreement", "mean over pairs of annotators"),
    Figure("mean_pairwise_kappa", "mean of the pairs' kappas"),
    Figure("pooled_kappa", "from mean observed and mean expected agreement of the pairs"),
    Figure("davies_fleiss", "Davies and Fleiss's, which is Conger's; NaN with missing ratings"),
    Figure("kappa", "of two annotators, Cohen's on the common items, as all that follow"),
    Figure("kappa_max", "the largest kappa that these margins allow"),
    Figure("scott_pi", "Scott's pi"),
    Figure("pabak", "prevalence- and bias-adjusted kappa"),
    Figure("bowker", "chi-square of symmetry of the table"),
    Figure("bowker_df", "its degrees of freedom", "count"),
    Figure("bowker_p", "its p-value", "p"),
    Figure("prevalence_index", "of two labels, the prevalence of the first", "signed"),
    Figure("bias_index", "of two labels, the bias of the first", "signed"),
    Figure("mcnemar", "of two labels, chi-square of equal margins"),
    Figure("mcnemar_p", "its p-value", "p"),
    Figure("mcnemar_exact_p", "that of the binomial distribution", "p"),
)
"""Of all annotators, or of two."""

LABELS_OF_TABLES = (
    Figure("specific_agreement", "of the label"),
    Figure("prevalence", "of two annotators, the sum of both shares of it, less 1", "signed"),
    Figure("bias", "of two annotators, the first's share of it less the second's", "signed"),
)
"""Of each label."""

CELLS = (
    Figure("coincidences", "pairs of an item's ratings with both labels, each item by its ratings"),
    Figure("coincidences_expected", "those of ratings that are paired at random"),
    Figure("table", "of two annotators, common items by the first's label and the second's"),
)
"""Of each two labels."""

MARGINS = (Figure("margins", "share of the annotator's ratings with each label", "share"),)
"""Of annotators and labels."""

PAIRS = (
    Figure("first", "an annotator", "label"),
    Figure("second", "and another", "label"),
    Figure("shared_items", "items that both rated", "count"),
    Figure("pair_kappa", "Cohen's, of the two"),
    Figure("pair_kappa_max", "the largest kappa that their margins allow"),
    Figure("stuart", "Stuart and Maxwell's chi-square of equal margins"),
    Figure("stuart_df", "its degrees of freedom", "count"),
    Figure("stuart_p", "its p-value", "p"),
    Figure("stuart_p_holm", "Holm's for all pairs together", "p"),
)
"""Of pairs of annotators."""

OF_QUESTIONS = (
    Figure("question_items", "items of the question", "count", "Items"),
    Figure("question_pairable_items", "of these, with two ratings or more", "count"),
    Figure("question_annotators", "annotators of the question", "count"),
)
"""Of each question."""

ALL = (*FIGURES, *OF_GROUPS, *OF_QUESTIONS, *ASKED)
"""Columns of tables of coefficients."""

IN_JSON = {
    "coefficients": (*FIGURES, *ASKED),
    "by": (*IN_GROUPS, *OF_GROUPS, *IN_PARTS),
    "contingency": INDICES,
    "contingency.labels": (*LABELS_OF_TABLES, *CELLS),
    "contingency.annotators": MARGINS,
    "contingency.pairs": PAIRS,
}
"""The figures of each part of the JSON record, by its name."""
