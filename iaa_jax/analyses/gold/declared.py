"""The variables of gold labels and gold spans, declared once."""

from __future__ import annotations

from iaa_jax.measure.shared.distribution import BINS
from iaa_jax.wording.figures import ENDS, MEANT, Figure

ITEMS = (
    Figure("gold", 'the best label; "", or NaN among numbers, if none', "label", "Gold"),
    Figure("gold_code", "its index among the labels, -1 for none", "count"),
    Figure(
        "certainty",
        "its probability; without a model its share of the votes, for sets the smallest share that "
        "agrees with the gold set on a label; with an interval for how it would vary if other "
        "items had been rated (from replicates)",
        heading="Certainty",
        decimals=2,
        beside=ENDS,
    ),
    Figure(
        "expected_certainty",
        "with a model, its mean over replicates, closer to how often such labels are right",
        heading="Certainty",
        decimals=2,
    ),
    Figure("margin", "its lead over the best other label"),
    Figure("tied", "whether several labels share the first place; in CSV files which ones", "word"),
    Figure(
        "decided_by",
        '"method", "tie" for the order of labels, "nobody" without a vote, "control" for a label '
        'known beforehand, or "adjudicated"; by the Expert Coder Index "majority", "expert_coder" '
        'or "expert_coder_tie"; for sets "majority" or "no_majority"',
        "word",
    ),
    Figure("disputed", "whether its ratings differ, or none of them is the gold label", "word"),
    Figure("votes", "ratings of the item", "count", "Votes"),
    Figure("votes_by_label", "who gave what", "text", "Given"),
    Figure("in_doubt", "for sets, labels that some chose, the most even first", "text", "In doubt"),
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
    Figure("decisive_annotator", "the one of these without whom it is least probable", "label"),
)
"""Variables along items."""

BY_LABEL = (
    Figure("probability", "of each label; for sets the share of annotators who chose it"),
    Figure("winner", "whether the label is in the first place", "word"),
    Figure("holds", "for sets, whether the gold set has the label", "word"),
    Figure("credible", "whether it is in the smallest set that reaches the confidence", "word"),
)
"""Variables along items and labels."""

GIVEN = (Figure("label_given", "the annotators' labels, if there are few annotators", "text"),)
"""Variables along items and annotators."""

ANNOTATORS = (
    Figure("skill", "in the method's own terms", heading="Skill", beside=("standard_error", *ENDS)),
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
        "gold_changed", "labels that change without them", "count", "Would change", footnote=MEANT
    ),
    Figure("confusion", "with a model, the probability of each label given the true one"),
)
"""Variables along annotators."""

LABELS = (
    Figure("gold_count", "items with this gold label", "count", "Gold"),
    Figure("gold_share", "share of the items with a gold label", "share", "Of items"),
    Figure("vote_share", "share of the ratings", "share", "Of votes"),
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
    Figure("iterations", "steps that were taken", "count"),
    Figure("log_likelihood", 'with a model; for "mace" its lower bound, for "glad" with priors'),
    Figure("likelihoods", "log likelihood of each start, the usual one first"),
)
"""Variables of all items."""

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
        "over items with two votes or more; with a model also with one",
        heading="Certainty",
        decimals=2,
    ),
    Figure(
        "right",
        "share of items with a known label that get it; if several labels are in the "
        "first place, it counts in part; NaN without known labels",
        "share",
        "Right",
        footnote="share of the items with a known label that have it; ties count in part.",
    ),
)
"""Variables along methods."""

SAME = (Figure("same", "share of items to which both give the same gold label", "share"),)
"""Variables along pairs of methods."""

BY_METHOD = (Figure("gold", "the gold label as text; the first of tied ones", "label"),)
"""Variables along items and methods."""

COMPARED = (
    Figure("choices", "how many different gold labels the item gets", "count"),
    Figure("by_label", "which methods give which", "text", "Gold label by"),
    Figure("votes", "ratings of the item", "count"),
    Figure("votes_by_label", "who gave what", "text", "Given"),
    Figure("known_label", 'the known label, "" where there is none', "label", "Known"),
)
"""Variables along items, if methods are compared."""

SPANS = (
    Figure("document", "its document", "label", "Document"),
    Figure("places", 'its positions, as "0 to 5"; parts separated by semicolons', "text", "Span"),
    Figure("label_of_span", "its label", "label", "Label"),
    Figure("text", "its text, if the text of the document is known", "text", "Text"),
    Figure("passage", "its text in brackets, with some text around it", "text", "Passage"),
    Figure("start", "its first position", "count"),
    Figure("end", "the position after its last", "count"),
    Figure("gold", "whether it is gold", "word"),
    Figure("gold_label", "its label as gold, which may have been adjudicated", "label"),
    Figure("share", "share of the annotators who saw the document and marked it", "share", "Share"),
    Figure("votes", "annotators who marked it", "count", "Marked"),
    Figure(
        "exact",
        "annotators who marked it with these positions and label",
        "count",
        "Exactly",
        footnote=MEANT,
    ),
    Figure("seen", "annotators who saw the document", "count", "Saw it"),
    Figure("tied", "whether exactly half marked it", "word"),
    Figure("label_tied", 'with "boundary", whether another label is as frequent', "word"),
    Figure("decided_by", '"majority" or "adjudicated"', "word"),
    Figure("marked_by", "who marked it", "text", "Marked by"),
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
"""The variables of commands with a record of their own."""
