"""Declarations of the variables of item, annotator and label tables, one for all uses."""

from __future__ import annotations

from iaa_jax.measure.figures import IN_GROUPS, OF_GROUPS
from iaa_jax.measure.shared.annotators_in_parts import IN_PARTS
from iaa_jax.measure.shared.distribution import BINS
from iaa_jax.wording.figures import ENDS, ERROR_AND_ENDS, MEANT, Figure

_OVER_REPLICATES = (*ERROR_AND_ENDS, "undefined_replicates")

ITEMS = (
    Figure("ratings", "its ratings; for a document, annotators who saw it", "count", "Ratings"),
    Figure("spans", "for a document, spans that they marked in all", "count", "Spans"),
    Figure(
        "agreement",
        "mean agreement of the item's pairs of ratings, NaN for fewer than two; for a document the "
        "coefficient on it alone",
        heading="Agree",
    ),
    Figure(
        "entropy",
        "0 if all ratings are alike, 1 if all labels are equally frequent",
        heading="Entropy",
        decimals=2,
        footnote=MEANT,
    ),
    Figure("gini", "likewise, from squared shares"),
    Figure("most_frequent", "its most frequent label; the first in order of tied ones", "label"),
    Figure(
        "share", "share of ratings with its top label", heading="Share", decimals=2, footnote=MEANT
    ),
    Figure("tied", "labels tied for the most frequent; 1 if there is no tie", "count"),
    Figure("mean", "for numbers, mean of its ratings", heading="Mean"),
    Figure("disagreement", "for numbers, mean squared difference of its pairs", heading="Distance"),
    Figure("influence", "as by ``iaa_jax.influence``", "signed", "Influence"),
    Figure("change", "of the coefficient without the item, to first order", "signed", "Without"),
    Figure("rank", "1 for the lowest influence", "count"),
)
"""Variables along items."""

ANNOTATORS = (
    Figure("ratings", "ratings that the annotator gave", "count", "Ratings"),
    Figure("shared_items", "items that somebody else rated too", "count"),
    Figure("items_left", "items with two ratings even without the annotator", "count"),
    Figure(
        "others_agreement",
        "how far the others agree with one another on the annotator's items; NaN where on more "
        "than a tenth of them there is one other alone",
    ),
    Figure(
        "agreement",
        "mean agreement with another's rating of the same item; of spans the coefficient on the "
        "annotator's pairs with others",
        heading="Agree",
        beside=_OVER_REPLICATES,
    ),
    Figure(
        "item_agreement",
        "where a few items hold half of all comparisons, the mean over items of the share of "
        "others who agree: each item counts once",
        heading="Agree",
        beside=_OVER_REPLICATES,
    ),
    Figure(
        "lower_than_next",
        "how likely that agreement is lower than the next higher annotator's on other items like "
        "these (normal)",
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
        "share of items with the others' most frequent label, ties as ``ties`` says",
        heading="Majority",
        beside=_OVER_REPLICATES,
    ),
    Figure("disagreement", "for numbers, mean squared difference from others'", heading="Distance"),
    Figure("leans_to", 'label of the largest bias whose interval excludes 0, else ""', "label"),
    Figure("leaning", "that bias", "signed"),
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
        "share of the annotator's ratings with the label, less the others' on the same items; of "
        "numbers the mean difference from the others' mean; of spans how many more are marked in a "
        "document",
        "signed",
        "Bias",
        beside=ERROR_AND_ENDS,
    ),
)
"""Variables along annotators and labels, if there are labels."""

PAIRS = (
    Figure("pair_shared_items", "items that both rated", "count"),
    Figure("pair_agreement", "as ``agreement``, for the two"),
    Figure("pair_kappa", "for the two; NaN without common items"),
    Figure("pair_disagreement", "for numbers, as ``disagreement``, for the two"),
)
"""Variables along annotators twice, unless there are more than 1,000."""

PAIR_ORDER = (
    Figure("pair_place", "place in an order that puts annotators who agree side by side", "count"),
)
"""Variables along the second annotator of pairs."""

_WITH_KIND = (*ERROR_AND_ENDS, "interval")

LABELS = (
    Figure("count", "ratings with the label; for spans, spans", "count", "Ratings"),
    Figure("items", "items with it", "count"),
    Figure("share", "of all ratings, or spans", "share", "Share", beside=_WITH_KIND),
    Figure(
        "specific_agreement",
        "how often another annotator gave the label if one did",
        heading="Specific",
        beside=_WITH_KIND,
    ),
    Figure("coefficient_estimate", "the coefficient of the label against all others together"),
    Figure("coefficient_standard_error", "its standard error"),
    Figure("coefficient_ci_low", "lower end of its interval"),
    Figure("coefficient_ci_high", "upper end of its interval"),
    Figure("coefficient_interval", "the kind of that", "word"),
    Figure("coefficient_code", "why it is undefined; 0 if it is defined", "count"),
    Figure("coefficient_reason", "the code in words", "text"),
    Figure("rank", "1 for the lowest specific agreement", "count"),
    Figure(
        "unmatched",
        "share of spans without a partner: the other annotator has no span there, or those that "
        "overlap have another partner",
        "share",
        "No partner",
        footnote=MEANT,
    ),
)
"""Variables along labels."""

CONFUSIONS = (
    Figure("coincidences", "pairs of an item's ratings with both labels, over its ratings less 1"),
    Figure("expected", "the same if ratings are paired at random"),
    Figure("lift", "``coincidences / expected``"),
    Figure(
        "confusion",
        "share of others' ratings with the second label where one gave the first, each pair of "
        "ratings once: on the diagonal specific agreement; not of sets",
    ),
)
"""Variables along labels twice."""

LABEL_ORDER = (Figure("label_place", "place in an order with confused labels together", "count"),)
"""Variables along the second label of confusions."""

CONFUSED = (
    Figure("confused_label_1", "a label", "label", "Confused"),
    Figure("confused_label_2", "a label that it is confused with", "label", "with"),
    Figure("confused", "coincidences; for spans overlaps, one to one", heading="Pairs", decimals=1),
    Figure("confused_expected", "those by chance", heading="Expected"),
    Figure(
        "confused_lift",
        "confusions divided by those expected by chance; below 1 annotators tell the "
        "two labels apart better than chance would",
        heading="Times chance",
        decimals=2,
        footnote=MEANT,
    ),
    Figure("confused_share", "of all confusions", "share", "Share"),
)
"""Variables along pairs of labels, the most confused first."""

CASES = (
    Figure("case_a", "one of the two annotators, or labels", "label"),
    Figure("case_b", "the other", "label"),
    Figure("case_number", "number of such items in all", "count"),
    Figure("case_item", "the item, or document", "label", "Item"),
    Figure("case_given_a", "label that the first annotator gave", "label"),
    Figure("case_given_b", "what the other gave", "label"),
    Figure("case_spans_a", "spans that the first annotator marked", "count"),
    Figure("case_spans_b", "spans that the second annotator marked", "count"),
    Figure("case_shared", "identical spans of both", "count", "The same"),
    Figure("case_text", "text at the place of spans; empty if unknown", "text"),
    Figure("case_votes", "who gave which label", "text", "Given"),
)
"""Variables along items behind a heat map cell, up to ten for each two annotators or labels."""

MERGES = (
    Figure("first", "a label", "label", "Label"),
    Figure("second", "and one to merge it with", "label", "And"),
    Figure("agreement", "the coefficient with the two merged", heading="Agreement"),
    Figure("gain", "its gain, with a normal interval", "signed", "Gain", beside=ENDS),
    Figure("bits_lost", "information that the merge loses, in bits per rating"),
    Figure("share_lost", "lost information as a share of ``entropy``", "share", "Lost"),
    Figure(
        "confused", "pairs of an item's ratings with the two labels", heading="Confused", decimals=1
    ),
    Figure(
        "by_chance",
        "confusions expected if errors fall at random, by the model that explains most: errors by"
        " the labels' shares, even errors, or errors by how much each label attracts",
        heading="At random",
        decimals=1,
        footnote=MEANT,
    ),
    Figure(
        "p_value",
        "probability that random errors confuse labels as often, over all pairs",
        "p",
        "p",
        footnote=MEANT,
    ),
    Figure(
        "confused_by",
        "of a merge that would be worth it, the annotator without whom errors at random explain it",
        "label",
        "Confused by",
    ),
)
"""Variables along merges of two labels, by falling gain."""

STEPS = (
    Figure("merged", "the name of the merged label", "label", "Merged"),
    Figure("labels_left", "labels after the merge", "count", "Labels left"),
    Figure("agreement_then", "the coefficient after it", heading="Agreement"),
    Figure("gain_then", "gain over no merge", "signed", "Gain"),
    Figure(
        "share_lost_then",
        "share lost of the entropy of all labels",
        "share",
        "Lost",
        footnote="share of a label's information ({entropy:estimate 2} bits) lost by merging.",
    ),
    Figure("p_value_then", "p-value of the merge on top of the ones before it", "p", "p"),
)
"""Variables along suggested merges, each on top of the ones before it."""

UNMERGED = (
    Figure("estimate", "the coefficient without any merge"),
    Figure("entropy", "entropy of all labels, in bits per rating"),
    Figure("picked", "mean gain, on a random half of the items, of the merge that is best there"),
    Figure("elsewhere", "mean gain of that merge on the other half"),
)
"""Variables of all labels."""

REPEATED = (
    Figure("estimate_of_all", "the coefficient of all repeated ratings together"),
    Figure("ci_low_of_all", "lower end of its interval"),
    Figure("ci_high_of_all", "upper end of its interval"),
)
"""Variables of each coefficient, of all annotators with themselves."""

OCCASIONS = (
    Figure(
        "occasion",
        "share of the distance from others that is the annotator's own wavering; ends are missing "
        "where all replicates have the same value",
        "share",
        "Wavering",
        beside=ENDS,
    ),
    Figure(
        "one_answer",
        "how far one answer agrees with the others'; of numbers the mean squared difference",
        heading="One answer",
    ),
    Figure(
        "all_answers",
        "the same of all answers to an item together: the one that is closest to all of them (of "
        "labels the most frequent one, ties split), of numbers their mean",
        heading="All answers",
    ),
    Figure("answers_gain", "how much better that is", "signed", "Gain", beside=ENDS),
)
"""Variables along annotators who rated items again."""

OCCASIONS_OF_ALL = tuple(
    Figure(f"{name}_of_all", meaning, kind)
    for figure in OCCASIONS
    for name, meaning, kind in (
        (figure.name, f"``{figure.name}`` of all together", figure.kind),
        *(
            (f"{figure.name}_{end}", f"{words} end of its interval", figure.kind)
            for end, words in zip(ENDS, ("lower", "upper"), strict=True)
            if figure.beside
        ),
    )
)
"""Variables of all annotators who rated items again."""

RUNS = (
    Figure("run_answers", "its answers to items with several answers", "count", "Answers"),
    Figure(
        "run_agreement",
        "how far they agree with the other answers; for numbers the mean squared difference",
        heading="Agree",
    ),
)
"""Variables along runs."""

KINDS = (
    Figure("kind_items", "items rated again by one annotator, in the group", "count", "Items"),
    Figure("kind_agreement", "self-agreement on them", heading="Agree", beside=ENDS),
)
"""Variables along groups of items."""

TURNS = (
    Figure(
        "turned",
        "share of answers with the label that are another one in another answer of the same "
        "annotator to the item",
        "share",
        "Turned",
    ),
    Figure(
        "moved",
        "earlier answers with the label and later ones with the other; of n answers a pair counts "
        "1 / (n - 1)",
        "count",
    ),
)
"""Variables along labels."""

CHANGES = (
    Figure("answers", "answers to the item by annotators who rated it again", "count", "Answers"),
    Figure(
        "changed",
        "mean distance of two answers to it by the same annotator; of labels the share that differ",
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
    Figure("code", "why it is undefined; 0 if it is defined", "count"),
    Figure("reason", "the code in words", "text"),
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
"""Variables of each part of the JSON record, by its name."""

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
"""Variables of commands with a record of their own."""
