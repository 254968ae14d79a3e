"""Declarations of the variables of agreement results, one for tables, files and documentation."""

from __future__ import annotations

from iaa_jax.measure.figures import FIGURES, IN_GROUPS, OF_GROUPS
from iaa_jax.measure.shared.annotators_in_parts import IN_PARTS
from iaa_jax.wording.figures import Figure

ASKED = (
    Figure("word", "with ``--scale``, the word of the estimate", "word", "Word"),
    Figure(
        "reached", "the word that is certain, allowing for the standard error", "word", "At least"
    ),
    Figure("certain", "probability that at least this word is deserved", "share"),
    Figure("withheld", "why there is no word", "text"),
    Figure("above", "with ``--above``, the probability of lying above each level", "probability"),
    Figure("zero_z", "with ``--zero``, z of the test of zero agreement", "short"),
    Figure("zero_p_value", "its p-value", "p", "p by chance"),
    Figure("zero_null_standard_error", "standard error if agreement is by chance alone"),
    Figure("zero_method", "how the test was made", "word"),
    Figure("zero_note", "what is noted of it", "text"),
)
"""Further variables, where they are asked for."""

WORDS = (
    Figure("estimate", "the coefficient"),
    Figure("standard_error", "that of the source"),
    Figure("word", "that of the estimate", "word"),
    Figure("reached", "the best word that is certain; empty where none is", "word"),
    Figure("certain", "how certain: the confidence, or the probability in ``at_least``", "share"),
    Figure(
        "withheld",
        'why none: "undefined", "no_interval", "no_spread" or the code in ``doubt``',
        "word",
    ),
    Figure("ci_low", "by intervals, the lower end"),
    Figure("ci_high", "by intervals, the upper end"),
    Figure(
        "undefined_replicates", "by probabilities, replicates in which it is undefined", "count"
    ),
)
"""Variables of coefficients in words."""

BANDS = (
    Figure("probability", "probability that the coefficient lies in the band", "share"),
    Figure("at_least", "probability that it lies in this band or a better one", "share"),
)
"""Variables along bands too."""

DOUBT = Figure(
    "doubt", "why the interval may cover less often than its level: the code of a note", "word"
)

REPLICATES = (
    Figure("replicates", "the coefficient in each replicate; NaN where undefined"),
    Figure("replicate_standard_error", "with ``errors``, the standard error of each replicate"),
)
"""Variables along replicates."""

DRAWN = (
    Figure("estimate", "the coefficient"),
    Figure("standard_error", "infinitesimal jackknife, and the jackknife over random annotators"),
    Figure("acceleration", 'the a of "bca"'),
    Figure("degrees", "degrees of freedom of the standard error"),
    Figure("lower_bound", "lower end of the range"),
    Figure("upper_bound", "upper end of the range"),
    Figure("highest_bound", "the most that can be"),
    Figure("withheld", 'why there can be no interval; "" if there can', "text"),
    Figure("random", 'what was random, as "items" or "items and annotators"', "word"),
    DOUBT,
    Figure("unanimous_units", "if nothing disagrees, the units that agree"),
    Figure("unanimous_step", "the most it would lose if all units disagreed: ``D_max / D_e``"),
    Figure("unshared_units", "if a share is 0, the units behind it, likewise"),
)
"""Variables of each coefficient with replicates."""

INTERVALS = (
    Figure("estimate", "the coefficient"),
    Figure("standard_error", "the estimate of `iaa_jax.bootstrap`"),
    Figure("ci_low", "lower end of the interval"),
    Figure("ci_high", "upper end of the interval"),
    Figure("undefined_replicates", "replicates in which the coefficient is undefined", "count"),
    Figure("withheld", "why there is no interval, if one could not be trusted", "text"),
    DOUBT,
)
"""Variables of each coefficient, from its replicates."""

ABOVE = (
    Figure(
        "probability",
        "probability that it lies above the cut-off, from the defined replicates",
        "share",
    ),
    Figure("monte_carlo_error", "its standard error from the number of replicates"),
    Figure("undefined_replicates", "replicates in which the coefficient is undefined", "count"),
)
"""Variables of each coefficient, along cut-offs except for the last."""

COVARIANCE = (
    Figure("estimate", "the coefficient"),
    Figure("standard_error", "the root of its variance"),
    Figure("band_low", "lower end of an interval that holds for all coefficients together"),
    Figure("band_high", "upper end of it"),
    Figure("note", "why a coefficient is left out of the band", "text"),
    Figure("factor", "one for all: the factor q of the band"),
)
"""Variables of each coefficient."""

MATRICES = (
    Figure("covariance", "of the two"),
    Figure("correlation", "of the two"),
)
"""Variables of each two coefficients."""

ZERO = (
    Figure("estimate", "the coefficient"),
    Figure("null_mean", "its mean under chance"),
    Figure("null_standard_error", "its spread under chance"),
    Figure("z", "``(estimate - null_mean) / null_standard_error``; an F test has none", "short"),
    Figure("p_value", "of the test", "p"),
    Figure("undefined_permutations", "permutations in which it is undefined, left out", "count"),
    Figure("method", "the analytic form, or the kind of permutation", "word"),
    Figure("code", "why the estimate is undefined; 0 where it is defined", "count"),
    Figure("reason", "the code in words", "text"),
    Figure("note", "notes on the coefficient and its test", "text"),
)
"""Variables of each coefficient, or label."""

ZERO_OF_LABELS = (
    Figure(
        "adjusted_p_value", "with ``per_label``, Holm's p-value for all labels", "p", "Adjusted"
    ),
)
"""Variables of labels alone."""

INDICES = (
    Figure("observed_agreement", "mean over pairs of annotators"),
    Figure("mean_pairwise_kappa", "mean of the pairs' kappas"),
    Figure("pooled_kappa", "from mean observed and mean expected agreement of the pairs"),
    Figure(
        "davies_fleiss", "Davies and Fleiss's kappa, equal to Conger's; NaN with missing ratings"
    ),
    Figure("kappa", "for two annotators, Cohen's on the common items, as all that follow"),
    Figure("kappa_max", "the largest kappa that these margins allow"),
    Figure("scott_pi", "Scott's pi"),
    Figure("pabak", "prevalence- and bias-adjusted kappa"),
    Figure("bowker", "chi-square of symmetry of the table"),
    Figure("bowker_df", "its degrees of freedom", "count"),
    Figure("bowker_p", "its p-value", "p"),
    Figure("prevalence_index", "for two labels, the prevalence of the first", "signed"),
    Figure("bias_index", "for two labels, the bias of the first", "signed"),
    Figure("mcnemar", "for two labels, chi-square of equal margins"),
    Figure("mcnemar_p", "its p-value", "p"),
    Figure("mcnemar_exact_p", "from the binomial distribution", "p"),
)
"""Variables of all annotators, or of two."""

LABELS_OF_TABLES = (
    Figure("specific_agreement", "of the label"),
    Figure("prevalence", "for two annotators, the sum of their shares of it, less 1", "signed"),
    Figure("bias", "for two annotators, the first's share of it less the second's", "signed"),
)
"""Variables of each label."""

CELLS = (
    Figure(
        "coincidences",
        "pairs of an item's ratings with both labels, divided by its ratings less 1",
    ),
    Figure("coincidences_expected", "the same if ratings are paired at random"),
    Figure("table", "for two annotators, common items by the first's label and the second's"),
)
"""Variables of each two labels."""

MARGINS = (Figure("margins", "share of the annotator's ratings with each label", "share"),)
"""Variables of annotators and labels."""

PAIRS = (
    Figure("first", "an annotator", "label"),
    Figure("second", "and another", "label"),
    Figure("shared_items", "items that both rated", "count"),
    Figure("pair_kappa", "Cohen's, of the two"),
    Figure("pair_kappa_max", "the largest kappa that their margins allow"),
    Figure("stuart", "Stuart and Maxwell's chi-square of equal margins"),
    Figure("stuart_df", "its degrees of freedom", "count"),
    Figure("stuart_p", "its p-value", "p"),
    Figure("stuart_p_holm", "Holm's p-value for all pairs together", "p"),
)
"""Variables of pairs of annotators."""

OF_QUESTIONS = (
    Figure("question_items", "items of the question", "count", "Items"),
    Figure("question_pairable_items", "items with two ratings or more", "count"),
    Figure("question_annotators", "annotators of the question", "count"),
)
"""Variables of each question."""

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
"""Variables of each part of the JSON record, by its name."""

IN_JSON_OF = {"iaa agree --questions": {"coefficients": (*FIGURES, *OF_QUESTIONS, *ASKED)}}
"""The variables of an option with a record of its own."""
