"""The variables of gold labels and gold spans, declared once."""

from __future__ import annotations

from iaa_jax.measure.shared.distribution import BINS
from iaa_jax.wording.figures import ENDS, MEANT, Figure

ITEMS = (
    Figure(
        "gold",
        'the best label, or the first of tied labels; "" or NaN if there is none. CSV files leave '
        "ties empty unless ``ties`` is given, and sets without a majority",
        "label",
        "Gold",
    ),
    Figure("gold_code", "index of the gold label among the labels; -1 for none", "count"),
    Figure(
        "certainty",
        "probability of the gold label by the model. Without a model, its share of the votes. For "
        "sets, the smallest share of annotators who agree with the gold set on a label. Intervals "
        "are from replicates",
        heading="Certainty",
        decimals=2,
        beside=ENDS,
    ),
    Figure(
        "expected_certainty",
        "with a model, mean certainty over replicates, closer to how often such labels are right",
        heading="Expected certainty",
        decimals=2,
    ),
    Figure("margin", "lead of the gold label over the best other label"),
    Figure(
        "tied", "whether several labels share the first place; in CSV files the tied labels", "word"
    ),
    Figure(
        "decided_by",
        '"method", "tie" for the order of labels, "nobody" without a vote, "control" for a label '
        'known beforehand, or "adjudicated"; by the Expert Coder Index "majority", "expert_coder" '
        'or "expert_coder_tie"; for sets "majority" or "no_majority"',
        "word",
    ),
    Figure("disputed", "whether the ratings differ, or none of them is the gold label", "word"),
    Figure("votes", "ratings of the item", "count", "Votes"),
    Figure("votes_by_label", "who gave which label", "text", "Given"),
    Figure(
        "in_doubt",
        "for sets, the disputed labels, the most evenly divided first",
        "text",
        "In doubt",
    ),
    Figure("stable", "share of replicates with the same gold label", "share", "Stable"),
    Figure("difficulty", 'difficulty of the item, by "glad"'),
    Figure(
        "decided_by_one_vote", "whether one vote less changes the gold label or makes a tie", "word"
    ),
    Figure(
        "annotators_decisive",
        "number of annotators without whom the gold label changes or is lost",
        "count",
    ),
    Figure(
        "decisive_annotator",
        "of these annotators, the one without whom the gold label is least probable",
        "label",
    ),
)
"""Variables along items."""

BY_LABEL = (
    Figure(
        "probability", "probability of each label; for sets the share of annotators who chose it"
    ),
    Figure("winner", "whether the label has the first place, alone or tied", "word"),
    Figure("holds", "for sets, whether the gold set has the label", "word"),
    Figure(
        "credible", "whether the label is in the smallest set that reaches the confidence", "word"
    ),
)
"""Variables along items and labels."""

GIVEN = (Figure("label_given", "the annotators' labels, if there are few annotators", "text"),)
"""Variables along items and annotators."""

ANNOTATORS = (
    Figure(
        "skill",
        "skill of the annotator, as the method defines it",
        heading="Skill",
        beside=("standard_error", *ENDS),
    ),
    Figure(
        "accuracy",
        "with a model, the expected share of the annotator's votes that are right",
        beside=ENDS,
    ),
    Figure("ratings", "votes that the annotator gave", "count", "Ratings"),
    Figure(
        "agreement",
        "agreement with the gold labels, which include the annotator's own votes",
        "share",
        "Agree",
        footnote="how often the annotator gave the gold label.",
    ),
    Figure("kappa", "Cohen's kappa with gold labels", heading="Kappa", decimals=2, footnote=MEANT),
    Figure("control_items", "control items that the annotator answered", "count", "Control items"),
    Figure(
        "control_agreement",
        "share of control items on which the annotator gave the known label",
        "share",
        "Control",
        footnote=MEANT,
    ),
    Figure(
        "gold_changed",
        "gold labels that change without the annotator",
        "count",
        "Would change",
        footnote=MEANT,
    ),
    Figure("confusion", "with a model, the probability of each label given the true one"),
)
"""Variables along annotators."""

LABELS = (
    Figure("gold_count", "items with this gold label", "count", "Gold"),
    Figure(
        "gold_share",
        "share of items with this label, of those with a gold label",
        "share",
        "Of items",
    ),
    Figure("vote_share", "share of the ratings with the label", "share", "Of votes"),
    Figure("prior", "with a model, the probability of the label before any vote"),
)
"""Variables along labels."""

SCALARS = (
    Figure(
        "expected_right",
        "with a model, the share of right gold labels, control items left out",
        "share",
        beside=ENDS,
    ),
    Figure("iterations", "number of steps of the fit", "count"),
    Figure(
        "log_likelihood",
        'log likelihood of a model; for "mace" a lower bound, for "glad" with priors',
    ),
    Figure("likelihoods", "log likelihood of each start, the usual one first"),
)
"""Scalars, and the log likelihood along starts."""

OF_METHODS = (
    Figure("gold_items", "items with a gold label", "count"),
    Figure(
        "changed_items",
        "items whose gold label differs from that of the first method",
        "count",
        "Other",
        footnote="items whose label differs from that by {first}.",
    ),
    Figure("tied_items", "items with several labels in the first place", "count", "Tied"),
    Figure("unsure_items", "items with a certainty below 0.6", "count", "Unsure", footnote=MEANT),
    Figure(
        "mean_certainty",
        "mean over items with two votes or more; with a model also over items with one vote",
        heading="Certainty",
        decimals=2,
    ),
    Figure(
        "right",
        "share of items with a known label that get this label; if several labels are in the "
        "first place, it counts in part; NaN without known labels",
        "share",
        "Right",
        footnote="share of the items with a known label that have it; ties count in part.",
    ),
)
"""Variables along methods."""

SAME = (Figure("same", "share of items to which both methods give the same gold label", "share"),)
"""Variables along pairs of methods."""

BY_METHOD = (Figure("gold", "the gold label as text; the first of tied labels", "label"),)
"""Variables along items and methods."""

COMPARED = (
    Figure("choices", "how many different gold labels the item gets", "count"),
    Figure("by_label", "which methods give which label", "text", "Gold label by"),
    Figure("votes", "ratings of the item", "count"),
    Figure("votes_by_label", "who gave which label", "text", "Given"),
    Figure("known_label", 'the known label; "" if there is none', "label", "Known"),
)
"""Variables along items, if methods are compared."""

SPANS = (
    Figure("document", "document of the span", "label", "Document"),
    Figure(
        "places",
        'positions of the span, as "0 to 5"; parts separated by semicolons',
        "text",
        "Span",
    ),
    Figure("label_of_span", "label of the span", "label", "Label"),
    Figure("text", "text of the span, if the text of the document is known", "text", "Text"),
    Figure("passage", "text of the span in brackets, with some text around it", "text", "Passage"),
    Figure("start", "first position of the span", "count"),
    Figure("end", "position after the last position of the span", "count"),
    Figure("gold", "whether the span is gold", "word"),
    Figure("gold_label", "label of the gold span, which may have been adjudicated", "label"),
    Figure(
        "share",
        "share of the annotators who saw the document that marked the span",
        "share",
        "Share",
    ),
    Figure("votes", "annotators who marked the span", "count", "Marked"),
    Figure(
        "exact",
        "annotators who marked the span with these positions and this label",
        "count",
        "Exactly",
        footnote=MEANT,
    ),
    Figure("seen", "annotators who saw the document", "count", "Saw it"),
    Figure("tied", "whether exactly half of the annotators marked the span", "word"),
    Figure("label_tied", 'with "boundary", whether another label is as frequent', "word"),
    Figure("decided_by", '"majority" or "adjudicated"', "word"),
    Figure("marked_by", "who marked the span", "text", "Marked by"),
)
"""Variables along spans."""

SPANS_OF_ANNOTATORS = (
    Figure("marked", "spans that the annotator marked", "count", "Marked"),
    Figure("in_gold", "share of spans that are gold (precision)", "share", "Gold", footnote=MEANT),
    Figure("found", "share of gold spans marked (recall)", "share", "Found", footnote=MEANT),
)
"""Variables of gold spans along annotators."""

SPANS_OF_LABELS = (
    Figure("gold_count", "gold spans with this label", "count", "Gold"),
    Figure("span_count", "spans with this label that somebody marked", "count", "Spans"),
)
"""Variables of gold spans along labels."""

IN_JSON = {
    "items": (*ITEMS, *BY_LABEL, *GIVEN),
    "annotators": ANNOTATORS,
    "labels": LABELS,
    "bins": BINS,
    "": SCALARS,
}
"""The variables of each part of the JSON record, by the part's name."""

IN_JSON_OF = {
    "iaa gold of spans": {
        "spans": SPANS,
        "annotators": SPANS_OF_ANNOTATORS,
        "labels": SPANS_OF_LABELS,
    },
    "iaa gold --compare": {"methods": (*OF_METHODS, *SAME), "items": (*BY_METHOD, *COMPARED)},
}
"""The variables of commands whose JSON records have other parts."""
