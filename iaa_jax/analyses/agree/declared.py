"""Declarations of the variables of agreement."""

from __future__ import annotations

from iaa_jax.measure.figures import FIGURES, IN_GROUPS, OF_GROUPS
from iaa_jax.measure.shared.annotators_in_parts import IN_PARTS
from iaa_jax.wording.figures import Figure

ASKED = (
    Figure("word", "with ``--scale``, the word of the estimate", "word", "Word"),
    Figure(
        "reached", "the word that is certain, allowing for the standard error", "word", "At least"
    ),
    Figure("certain", "probability that this word or a better one is deserved", "share"),
    Figure("withheld", "why there is no word", "text"),
    Figure("above", "with ``--above``, the probability of lying above each level", "probability"),
    Figure("zero_z", "with ``--zero``, z of the test of zero agreement", "short"),
    Figure("zero_p_value", "p-value of the test of zero agreement", "p", "p by chance"),
    Figure("zero_null_standard_error", "standard error if agreement is by chance alone"),
    Figure("zero_method", "method of the test of zero agreement", "word"),
    Figure("zero_note", "notes on the test of zero agreement", "text"),
)
"""Variables that options add to the coefficients."""

WORDS = (
    Figure("estimate", "the coefficient"),
    Figure("standard_error", "standard error in the source"),
    Figure("word", "word of the estimate", "word"),
    Figure("reached", "the best word that is certain; empty if no word is", "word"),
    Figure(
        "certain", "certainty of this word: the confidence, or its value in ``at_least``", "share"
    ),
    Figure(
        "withheld",
        'why no word is certain: "undefined", "no_interval", "no_spread" or the code in ``doubt``',
        "word",
    ),
    Figure("ci_low", "lower end of the interval, if words are by intervals"),
    Figure("ci_high", "upper end of the interval, if words are by intervals"),
    Figure(
        "undefined_replicates",
        "replicates in which the coefficient is undefined, if words are by probabilities",
        "count",
    ),
)
"""Variables of `iaa_jax.in_words`."""

BANDS = (
    Figure("probability", "probability that the coefficient lies in the band", "share"),
    Figure(
        "at_least", "probability that the coefficient lies in this band or a better one", "share"
    ),
)
"""Variables of `iaa_jax.in_words` with a value for each band of the scale."""

DOUBT = Figure(
    "doubt", "code of a note on why the interval may cover less often than its level", "word"
)

REPLICATES = (
    Figure("replicates", "the coefficient in each replicate; NaN where undefined"),
    Figure("replicate_standard_error", "with ``errors``, the standard error of each replicate"),
)
"""Variables of `iaa_jax.bootstrap` with a value for each replicate."""

DRAWN = (
    Figure("estimate", "the coefficient"),
    Figure(
        "standard_error",
        "standard error by the infinitesimal jackknife and, over random annotators, the jackknife",
    ),
    Figure("acceleration", 'acceleration a of "bca" intervals'),
    Figure("degrees", "degrees of freedom of the standard error"),
    Figure("lower_bound", "lower end of the range"),
    Figure("upper_bound", "upper end of the range"),
    Figure("highest_bound", "highest possible figure"),
    Figure("withheld", 'why there can be no interval; "" if there can', "text"),
    Figure("random", 'what was random: "items" or "items and annotators"', "word"),
    DOUBT,
    Figure("unanimous_units", "number of units, if all of them agree"),
    Figure(
        "unanimous_step",
        "largest fall of the coefficient if all these units disagreed: ``D_max / D_e``",
    ),
    Figure("unshared_units", "number of units, if the coefficient is a share and equals 0"),
)
"""Variables of `iaa_jax.bootstrap` with a value for each coefficient or label."""

INTERVALS = (
    Figure("estimate", "the coefficient"),
    Figure("standard_error", "standard error from `iaa_jax.bootstrap`"),
    Figure("ci_low", "lower end of the interval"),
    Figure("ci_high", "upper end of the interval"),
    Figure("undefined_replicates", "replicates in which the coefficient is undefined", "count"),
    Figure("withheld", "why there is no interval", "text"),
    DOUBT,
)
"""Variables of `iaa_jax.bootstrap.intervals`."""

ABOVE = (
    Figure(
        "probability",
        "probability that the coefficient lies above the cut-off, from the defined replicates",
        "share",
    ),
    Figure("monte_carlo_error", "Monte Carlo standard error of the probability"),
    Figure("undefined_replicates", "replicates in which the coefficient is undefined", "count"),
    Figure("withheld", "why there is no probability", "text"),
)
"""Variables of `iaa_jax.bootstrap.probability_above`; the first two are also along cut-offs."""

COVARIANCE = (
    Figure("estimate", "the coefficient"),
    Figure("standard_error", "square root of the variance"),
    Figure("band_low", "lower end of an interval that holds for all coefficients together"),
    Figure("band_high", "upper end of this interval"),
    Figure("note", "why a coefficient is left out of the band", "text"),
    Figure("factor", "factor q of the band, the same for all coefficients"),
)
"""Variables of `iaa_jax.covariance` for each coefficient, and the band's factor."""

MATRICES = (
    Figure("covariance", "covariance of two coefficients"),
    Figure("correlation", "correlation of two coefficients"),
)
"""Variables of pairs of coefficients."""

ZERO = (
    Figure("estimate", "the coefficient"),
    Figure("null_mean", "mean of the coefficient under chance"),
    Figure("null_standard_error", "standard deviation of the coefficient under chance"),
    Figure("z", "``(estimate - null_mean) / null_standard_error``; an F test has none", "short"),
    Figure("p_value", "p-value of the test", "p"),
    Figure(
        "undefined_permutations",
        "permutations left out because the coefficient is undefined",
        "count",
    ),
    Figure("method", "the analytic form, or the kind of permutation", "word"),
    Figure("code", "why the estimate is undefined; 0 where it is defined", "count"),
    Figure("reason", "the code in words", "text"),
    Figure("note", "notes on the coefficient and its test", "text"),
)
"""Variables of `iaa_jax.zero_agreement`, for each coefficient or label."""

ZERO_OF_LABELS = (
    Figure(
        "adjusted_p_value", "with ``per_label``, Holm's p-value for all labels", "p", "Adjusted"
    ),
)
"""Variables of labels only."""

INDICES = (
    Figure("observed_agreement", "mean observed agreement of the pairs of annotators"),
    Figure("mean_pairwise_kappa", "mean of the kappas of pairs"),
    Figure("pooled_kappa", "kappa from mean observed and mean expected agreement of the pairs"),
    Figure(
        "davies_fleiss", "Davies and Fleiss's kappa, equal to Conger's; NaN with missing ratings"
    ),
    Figure("kappa", "for two annotators, Cohen's kappa on the common items"),
    Figure("kappa_max", "the largest kappa that these margins allow"),
    Figure("scott_pi", "Scott's pi"),
    Figure("pabak", "prevalence- and bias-adjusted kappa"),
    Figure("bowker", "Bowker's chi-square of symmetry of the table"),
    Figure("bowker_df", "degrees of freedom of Bowker's test", "count"),
    Figure("bowker_p", "p-value of Bowker's test", "p"),
    Figure("prevalence_index", "for two labels, the prevalence of the first", "signed"),
    Figure("bias_index", "for two labels, the bias of the first", "signed"),
    Figure("mcnemar", "for two labels, McNemar's chi-square of equal margins"),
    Figure("mcnemar_p", "p-value of McNemar's test", "p"),
    Figure("mcnemar_exact_p", "exact p-value of McNemar's test, by the binomial distribution", "p"),
)
"""Variables of `iaa_jax.contingency` without a dimension; from ``kappa`` on, for two annotators."""

LABELS_OF_TABLES = (
    Figure("specific_agreement", "specific agreement on the label"),
    Figure(
        "prevalence", "for two annotators, the sum of their shares of the label, minus 1", "signed"
    ),
    Figure("bias", "for two annotators, the difference of their shares of the label", "signed"),
)
"""Variables of each label."""

CELLS = (
    Figure(
        "coincidences",
        "pairs of ratings of an item with these labels, divided by its number of ratings minus 1",
    ),
    Figure("coincidences_expected", "coincidences if ratings are paired at random"),
    Figure("table", "for two annotators, common items by the labels of both"),
)
"""Variables of pairs of labels."""

MARGINS = (Figure("margins", "share of the annotator's ratings with each label", "share"),)
"""Variables of annotators and labels."""

PAIRS = (
    Figure("first", "first annotator of the pair", "label"),
    Figure("second", "second annotator of the pair", "label"),
    Figure("shared_items", "items that both annotators rated", "count"),
    Figure("pair_kappa", "Cohen's kappa of the pair"),
    Figure("pair_kappa_max", "the largest kappa that the margins of the pair allow"),
    Figure("stuart", "Stuart and Maxwell's chi-square of equal margins"),
    Figure("stuart_df", "degrees of freedom of the Stuart-Maxwell test", "count"),
    Figure("stuart_p", "p-value of the Stuart-Maxwell test", "p"),
    Figure("stuart_p_holm", "Holm's p-value for all pairs together", "p"),
)
"""Variables of pairs of annotators."""

OF_QUESTIONS = (
    Figure("question_items", "items of the question", "count", "Items"),
    Figure("question_pairable_items", "items of the question with two ratings or more", "count"),
    Figure("question_annotators", "annotators of the question", "count"),
)
"""Variables of each question."""

OF_QUESTION_FIGURES = (
    Figure(
        "question_measured_items",
        "items on which the coefficient is measured: those with two ratings or more, or only those "
        "that every annotator rated",
        "count",
        "Items",
    ),
)
"""Variables of each coefficient on each question."""

ALL = (*FIGURES, *OF_GROUPS, *OF_QUESTIONS, *OF_QUESTION_FIGURES, *ASKED)
"""Columns of tables of coefficients."""

IN_JSON = {
    "coefficients": (*FIGURES, *ASKED),
    "by": (*IN_GROUPS, *OF_GROUPS, *IN_PARTS),
    "contingency": INDICES,
    "contingency.labels": (*LABELS_OF_TABLES, *CELLS),
    "contingency.annotators": MARGINS,
    "contingency.pairs": PAIRS,
}

IN_JSON_OF = {
    "iaa agree --questions": {
        "coefficients": (*FIGURES, *OF_QUESTIONS, *OF_QUESTION_FIGURES, *ASKED)
    }
}
