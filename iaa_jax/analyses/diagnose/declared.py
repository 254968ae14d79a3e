"""Declarations of the variables of tables of items, annotators and labels."""

from __future__ import annotations

from iaa_jax.analyses.diagnose.declared_merges import MERGES, STEPS, UNMERGED
from iaa_jax.measure.figures import IN_GROUPS, OF_GROUPS
from iaa_jax.measure.shared.annotators_in_parts import IN_PARTS
from iaa_jax.measure.shared.distribution import BINS
from iaa_jax.wording.figures import ENDS, ERROR_AND_ENDS, MEANT, Figure

_OVER_REPLICATES = (*ERROR_AND_ENDS, "undefined_replicates")

ITEMS = (
    Figure("ratings", "ratings; for a document, annotators who saw it", "count", "Ratings"),
    Figure("spans", "for a document, spans that annotators marked in total", "count", "Spans"),
    Figure(
        "agreement",
        "mean agreement of the item's pairs of ratings, NaN for fewer than two ratings; for a "
        "document, the coefficient on the document alone",
        heading="Agree",
    ),
    Figure(
        "entropy",
        "0 if all ratings are alike, 1 if all labels are equally frequent",
        heading="Entropy",
        decimals=2,
        footnote=MEANT,
    ),
    Figure("gini", "like ``entropy``, but from squared shares"),
    Figure("most_frequent", "most frequent label; the first in order if several tie", "label"),
    Figure(
        "share", "share of ratings with its top label", heading="Share", decimals=2, footnote=MEANT
    ),
    Figure("tied", "number of labels that tie as most frequent; 1 without a tie", "count"),
    Figure("mean", "for numbers, mean of the ratings", heading="Mean"),
    Figure("disagreement", "mean squared difference of two ratings (numbers)", heading="Distance"),
    Figure("influence", "influence, as in ``iaa_jax.influence``", "signed", "Influence"),
    Figure(
        "change", "change of the coefficient without the item, to first order", "signed", "Without"
    ),
    Figure("rank", "1 for the lowest influence", "count"),
)
"""Variables along items."""

ANNOTATORS = (
    Figure("ratings", "ratings that the annotator gave", "count", "Ratings"),
    Figure("shared_items", "items that somebody else also rated", "count"),
    Figure("items_left", "items with two ratings or more without the annotator", "count"),
    Figure(
        "others_agreement",
        "agreement of the others with one another on the annotator's items; NaN if more than a "
        "tenth of these items have only one other rating",
    ),
    Figure(
        "agreement",
        "mean agreement with another annotator's rating of the same item; for spans, the "
        "coefficient on the annotator's pairs with others",
        heading="Agree",
        beside=_OVER_REPLICATES,
    ),
    Figure(
        "item_agreement",
        "if a few items hold half of all comparisons: mean over items of the share of others who "
        "agree, so that each item counts once",
        heading="Agree",
        beside=_OVER_REPLICATES,
    ),
    Figure(
        "lower_than_next",
        "probability, from a normal distribution, that the annotator agrees less than the next "
        "higher one on other items like these",
        "probability",
    ),
    Figure(
        "kappa",
        "chance-corrected agreement with the others as a group, which may rank "
        "annotators differently",
        heading="Kappa",
        beside=_OVER_REPLICATES,
        footnote=MEANT,
    ),
    Figure(
        "majority_agreement",
        "share of items with the others' most frequent label; ``ties`` determines how ties count",
        heading="Majority",
        beside=_OVER_REPLICATES,
    ),
    Figure("disagreement", "mean squared difference from others (numbers)", heading="Distance"),
    Figure("leans_to", 'label with the largest bias whose interval excludes 0, or ""', "label"),
    Figure("leaning", "bias of the label in ``leans_to``", "signed"),
    Figure(
        "mean_difference",
        "for labels on a scale of numbers (level interval or ratio), mean difference from the mean "
        "of the others' ratings of the same items; NaN without common items. Interval and p-value "
        "(of no difference) are by Student's t",
        "signed",
        "Higher by",
        beside=(*ERROR_AND_ENDS, "p_value"),
    ),
    Figure("spans", "spans that the annotator marked", "count", "Spans"),
    Figure(
        "spans_ratio",
        "number of spans, divided by the others' mean on the same documents",
        heading="Ratio",
        decimals=2,
        footnote=MEANT,
    ),
    Figure("without", "the coefficient without the annotator"),
    Figure("change", "``without`` minus ``estimate``", "signed", "Without"),
    Figure("rank", "1 for the lowest agreement (``item_agreement``, if present)", "count"),
)
"""Variables along annotators."""

BIAS = (
    Figure(
        "bias",
        "share of the annotator's ratings with the label, minus that of the others on the same "
        "items; for numbers, mean difference from the others' mean; for spans, difference in their "
        "number per document",
        "signed",
        "Bias",
        beside=ERROR_AND_ENDS,
    ),
)
"""Variables along annotators and labels, if there are labels."""

PAIRS = (
    Figure("pair_shared_items", "items that both annotators rated", "count"),
    Figure("pair_agreement", "``agreement`` of the two annotators"),
    Figure("pair_kappa", "kappa of the two annotators; NaN without common items"),
    Figure("pair_disagreement", "for numbers, ``disagreement`` of the two annotators"),
)
"""Variables of every pair of annotators, for up to 1,000 annotators (fewer with many labels)."""

PAIR_ORDER = (
    Figure(
        "pair_place",
        "position in an order that puts annotators who agree next to each other",
        "count",
    ),
)
"""Variables along the second annotator of pairs."""

_WITH_KIND = (*ERROR_AND_ENDS, "interval")

LABELS = (
    Figure("count", "ratings with the label; for spans, spans", "count", "Ratings"),
    Figure("items", "items with the label", "count"),
    Figure("share", "share of all ratings, or of spans", "share", "Share", beside=_WITH_KIND),
    Figure(
        "specific_agreement",
        "how often another annotator gave the label if one did",
        heading="Specific",
        beside=_WITH_KIND,
    ),
    Figure("coefficient_estimate", "the coefficient of the label against all others together"),
    Figure("coefficient_standard_error", "standard error of this coefficient"),
    Figure("coefficient_ci_low", "lower end of the coefficient's interval"),
    Figure("coefficient_ci_high", "upper end of the coefficient's interval"),
    Figure("coefficient_interval", "kind of the coefficient's interval", "word"),
    Figure(
        "coefficient_code", "code of the reason why the coefficient is undefined, or 0", "count"
    ),
    Figure("coefficient_reason", "this reason in words", "text"),
    Figure("rank", "1 for the lowest specific agreement", "count"),
    Figure(
        "unmatched",
        "share of spans without a partner, because the other annotator has no overlapping span, or "
        "the overlapping spans have other partners",
        "share",
        "No partner",
        footnote=MEANT,
    ),
)
"""Variables along labels."""

CONFUSIONS = (
    Figure("coincidences", "pairs of an item's ratings with the labels, over n - 1 for n ratings"),
    Figure("expected", "``coincidences`` if ratings are paired at random"),
    Figure("lift", "``coincidences / expected``"),
    Figure(
        "confusion",
        "share of others' ratings with the second label if one annotator gave the first; each pair "
        "of ratings counts once; specific agreement on the diagonal; not for sets",
    ),
)
"""Variables of every pair of labels."""

LABEL_ORDER = (Figure("label_place", "position that puts confused labels together", "count"),)
"""Variables along the second label of confusions."""

CONFUSED = (
    Figure("confused_label_1", "a label", "label", "Confused"),
    Figure("confused_label_2", "the label with which it is confused", "label", "with"),
    Figure("confused", "coincidences; for spans, matched overlaps", heading="Pairs", decimals=1),
    Figure("confused_expected", "coincidences expected by chance", heading="Expected"),
    Figure(
        "confused_lift",
        "confusions divided by those expected by chance; below 1, annotators distinguish the two "
        "labels better than by chance",
        heading="Times chance",
        decimals=2,
        footnote=MEANT,
    ),
    Figure("confused_share", "share of all confusions", "share", "Share"),
)
"""Variables along pairs of labels, the most confused first."""

CASES = (
    Figure("case_a", "one of the two annotators, or of the two labels", "label"),
    Figure("case_b", "the other annotator, or label", "label"),
    Figure("case_number", "total number of items of this pair", "count"),
    Figure("case_item", "the item, or document", "label", "Item"),
    Figure("case_given_a", "label that the first annotator gave", "label"),
    Figure("case_given_b", "label that the second annotator gave", "label"),
    Figure("case_spans_a", "spans that the first annotator marked", "count"),
    Figure("case_spans_b", "spans that the second annotator marked", "count"),
    Figure("case_shared", "spans that both annotators marked identically", "count", "The same"),
    Figure("case_text", "text of the spans; empty if unknown", "text"),
    Figure("case_votes", "who gave which label", "text", "Given"),
)
"""Variables along items on which two annotators differ, or items that have two confused labels."""

REPEATED = (
    Figure("estimate_of_all", "the coefficient of all repeated ratings together"),
    Figure("ci_low_of_all", "lower end of the interval of this coefficient"),
    Figure("ci_high_of_all", "upper end of the interval of this coefficient"),
)
"""Variables along coefficients, for the agreement of all annotators with themselves."""

OCCASIONS = (
    Figure(
        "occasion",
        "share of the distance from others that is the annotator's own inconsistency; ends are "
        "missing if all replicates are equal",
        "share",
        "Wavering",
        beside=ENDS,
    ),
    Figure(
        "one_answer",
        "agreement of one answer with the others' answers; for numbers, mean squared difference",
        heading="One answer",
    ),
    Figure(
        "all_answers",
        "agreement of all answers to an item together: for labels, the answer closest to all (the "
        "most frequent one, ties split); for numbers, the mean",
        heading="All answers",
    ),
    Figure("answers_gain", "gain of all answers over one answer", "signed", "Gain", beside=ENDS),
    Figure(
        "within_deviation",
        "for numbers, the standard deviation of an annotator's answers to the same item, in units "
        "of the ratings: the root of the mean variance of these answers",
        heading="SD within",
    ),
)
"""Variables along annotators who rated items again."""

OCCASIONS_OF_ALL = tuple(
    Figure(f"{name}_of_all", meaning, kind)
    for figure in OCCASIONS
    for name, meaning, kind in (
        (figure.name, f"``{figure.name}`` of all annotators together", figure.kind),
        *(
            (f"{figure.name}_{end}", f"{words} end of its interval", figure.kind)
            for end, words in zip(ENDS, ("lower", "upper"), strict=True)
            if figure.beside
        ),
    )
)
"""Variables of all annotators who rated items again."""

RUNS = (
    Figure("run_answers", "answers of the run to items with several answers", "count", "Answers"),
    Figure(
        "run_agreement",
        "agreement with other answers of the same annotators; for numbers, mean squared difference",
        heading="Agree",
    ),
)
"""Variables along runs."""

KINDS = (
    Figure("kind_items", "items in the group that an annotator rated again", "count", "Items"),
    Figure("kind_agreement", "self-agreement on these items", heading="Agree", beside=ENDS),
)
"""Variables along groups of items."""

TURNS = (
    Figure(
        "turned",
        "share of answers with the label whose annotator gave the same item another label in "
        "another answer",
        "share",
        "Turned",
    ),
    Figure(
        "moved",
        "pairs of an earlier answer with the label and a later answer with the other label; among "
        "n answers, a pair counts 1 / (n - 1)",
        "count",
    ),
)
"""Variables along labels; the last is also along the label of the later answer."""

CHANGES = (
    Figure("answers", "answers to the item by annotators who rated it again", "count", "Answers"),
    Figure(
        "changed",
        "mean distance of two answers to the item by the same annotator; for labels, the share of "
        "such pairs that differ",
        heading="Changed",
    ),
)
"""Variables along items that were rated again."""

INFLUENCE = (
    Figure(
        "influence", "influence of the item on the coefficient: positive if it raises it", "signed"
    ),
    Figure("change", "change of the coefficient without the item, to first order", "signed"),
)
"""Variables along items."""

INFLUENCED = (
    Figure("estimate", "the coefficient of all items"),
    Figure("code", "code of the reason why the coefficient is undefined, or 0", "count"),
    Figure("reason", "this reason in words", "text"),
)
"""Variables of the coefficient."""

IN_JSON = {
    "items": ITEMS,
    "bins": BINS,
    "annotators": (*ANNOTATORS, *BIAS, *PAIRS),
    "annotator_order": PAIR_ORDER,
    "labels": (*LABELS, *CONFUSIONS),
    "label_order": LABEL_ORDER,
    "pairs": CONFUSED,
    "cases": CASES,
}
"""Variables of each part of the JSON record, by the name of the part."""

IN_JSON_OF = {
    "iaa annotators --repeats": {
        "groups": (*IN_GROUPS, *OF_GROUPS, *IN_PARTS, *OCCASIONS),
        "coefficients": REPEATED,
        "runs": RUNS,
        "kinds": KINDS,
        "labels": TURNS,
        "items": CHANGES,
        "": OCCASIONS_OF_ALL,
    },
    "iaa labels --suggest-merges": {"pairs": MERGES, "steps": STEPS, "": UNMERGED},
}
"""Variables of commands whose JSON records have other parts."""
