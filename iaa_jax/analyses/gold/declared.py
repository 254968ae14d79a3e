"""What gold labels come with: their figures, declared once."""

from __future__ import annotations

from iaa_jax.measure.shared.distribution import BINS
from iaa_jax.wording.figures import ENDS, MEANT, Figure

ITEMS = (
    Figure("gold", 'the best label; "", or NaN among numbers, if none', "label", "Gold"),
    Figure("gold_code", "its place among the labels, -1 for none", "count"),
    Figure(
        "certainty",
        "its probability; by methods of votes its share of them, of sets the smallest share that "
        "agrees with the gold set on a label; with the ends between which it would move if other "
        "items had been rated (from replicates)",
        heading="Certainty",
        decimals=2,
        beside=ENDS,
    ),
    Figure(
        "expected_certainty",
        "by models, the mean of that probability over replicates: closer to how often such labels "
        "are right",
        heading="Certainty",
        decimals=2,
    ),
    Figure("margin", "its lead over the best other label"),
    Figure("tied", "whether others share the first place; in CSV files which do", "word"),
    Figure(
        "decided_by",
        '"method", "tie" for the order of labels, "nobody" without a vote, "control" for a label '
        'known beforehand, or "adjudicated"; by the Expert Coder Index "majority", "expert_coder" '
        'or "expert_coder_tie"; of sets "majority" or "no_majority"',
        "word",
    ),
    Figure("disputed", "whether its ratings are not all alike, or none is its gold label", "word"),
    Figure("votes", "ratings of the item", "count", "Votes"),
    Figure("votes_by_label", "who gave what", "text", "Given"),
    Figure("in_doubt", "of sets, labels that some chose, most even first", "text", "In doubt"),
    Figure("stable", "share of replicates with the same gold label", "share", "Stable"),
    Figure("difficulty", 'by "glad"'),
    Figure(
        "decided_by_one_vote", "whether one vote less changes the gold label or makes a tie", "word"
    ),
    Figure(
        "annotators_decisive", "annotators without whom the gold label is another or none", "count"
    ),
    Figure("decisive_annotator", "of these the one without whom it is least probable", "label"),
)
"""Along items."""

BY_LABEL = (
    Figure("probability", "of each label; of sets the share of annotators who chose it"),
    Figure("winner", "whether the label is in the first place", "word"),
    Figure("holds", "of sets, whether the gold set has the label", "word"),
    Figure("credible", "whether it is in the smallest set with the asked confidence", "word"),
)
"""Along items and labels."""

GIVEN = (Figure("label_given", "of few annotators, their labels", "text"),)
"""Along items and annotators."""

ANNOTATORS = (
    Figure("skill", "in the method's own terms", heading="Skill", beside=("standard_error", *ENDS)),
    Figure("accuracy", "by models, the expected share of own votes that are right", beside=ENDS),
    Figure("ratings", "votes that the annotator gave", "count", "Ratings"),
    Figure(
        "agreement",
        "with the gold labels, in which own votes have a part",
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
    Figure("confusion", "by models, the probability of each label given the true one"),
)
"""Along annotators."""

LABELS = (
    Figure("gold_count", "items with this gold label", "count", "Gold"),
    Figure("gold_share", "of the items with one", "share", "Of items"),
    Figure("vote_share", "of the ratings", "share", "Of votes"),
    Figure("prior", "by models, the probability of the label before any vote"),
)
"""Along labels."""

SCALARS = (
    Figure(
        "expected_right",
        "by models, the share of gold labels that are right, beside those of control items",
        "share",
        beside=ENDS,
    ),
    Figure("iterations", "steps that were taken", "count"),
    Figure("log_likelihood", 'by models; of "mace" the bound raised, of "glad" with priors'),
    Figure("likelihoods", "that of each start, the usual one first"),
)
"""Of all."""

OF_METHODS = (
    Figure("gold_items", "items with a gold label", "count"),
    Figure(
        "changed_items",
        "items with another gold label than by the first method",
        "count",
        "Other",
        footnote="items whose label differs from that by {first}.",
    ),
    Figure("tied_items", "items with several labels in the first place", "count", "Tied"),
    Figure("unsure_items", "items with a certainty below 0.6", "count", "Unsure", footnote=MEANT),
    Figure(
        "mean_certainty",
        "over items with two votes or more; by models with one, too",
        heading="Certainty",
        decimals=2,
    ),
    Figure(
        "right",
        "share of items with a known label on which the method gives it; one of several labels in "
        "the first place counts in part; NaN without known ones",
        "share",
        "Right",
        footnote="share of the items with a known label that have it; ties count in part.",
    ),
)
"""Along methods."""

SAME = (Figure("same", "share of items with the same gold label by both", "share"),)
"""Along methods twice."""

BY_METHOD = (Figure("gold", "the gold label as text; of tied ones the first", "label"),)
"""Along items and methods."""

COMPARED = (
    Figure("choices", "how many different gold labels the item gets", "count"),
    Figure("by_label", "which methods give which", "text", "Gold label by"),
    Figure("votes", "ratings of the item", "count"),
    Figure("votes_by_label", "who gave what", "text", "Given"),
    Figure("known_label", 'the known label, "" where there is none', "label", "Known"),
)
"""Along items of which methods are compared."""

SPANS = (
    Figure("document", "where it stands", "label", "Document"),
    Figure("places", 'its places, as "0 to 5"; parts with semicolons between them', "text", "Span"),
    Figure("label_of_span", "its label", "label", "Label"),
    Figure("text", "what stands there, if the text of the document is known", "text", "Text"),
    Figure("passage", "the same in brackets, with some of the text around it", "text", "Passage"),
    Figure("start", "its first place", "count"),
    Figure("end", "the place after its last", "count"),
    Figure("gold", "whether it is gold", "word"),
    Figure("gold_label", "its label as gold, which somebody may have changed", "label"),
    Figure("share", "of annotators who saw the document, those who marked it", "share", "Share"),
    Figure("votes", "annotators who marked it", "count", "Marked"),
    Figure("exact", "annotators with these places and label", "count", "Exactly", footnote=MEANT),
    Figure("seen", "annotators who saw the document", "count", "Saw it"),
    Figure("tied", "whether just half marked it", "word"),
    Figure("label_tied", 'by "boundary", whether another label is as frequent', "word"),
    Figure("decided_by", '"majority" or "adjudicated"', "word"),
    Figure("marked_by", "who marked it", "text", "Marked by"),
)
"""Along spans."""

SPANS_OF_ANNOTATORS = (
    Figure("marked", "spans that the annotator marked", "count", "Marked"),
    Figure("in_gold", "share of spans that are gold (precision)", "share", "Gold", footnote=MEANT),
    Figure("found", "share of gold spans marked (recall)", "share", "Found", footnote=MEANT),
)
"""Along annotators, beside gold spans."""

SPANS_OF_LABELS = (
    Figure("gold_count", "gold spans with this label", "count", "Gold"),
    Figure("span_count", "spans with it that somebody marked", "count", "Spans"),
)
"""Along labels, of gold spans."""

IN_JSON = {
    "items": (*ITEMS, *BY_LABEL, *GIVEN),
    "annotators": ANNOTATORS,
    "labels": LABELS,
    "bins": BINS,
    "": SCALARS,
}
"""The figures of each part of the JSON record, by its name."""

IN_JSON_OF = {
    "iaa gold of spans": {
        "spans": SPANS,
        "annotators": SPANS_OF_ANNOTATORS,
        "labels": SPANS_OF_LABELS,
    },
    "iaa gold --compare": {"methods": (*OF_METHODS, *SAME), "items": (*BY_METHOD, *COMPARED)},
}
"""Those of a command with a record of its own."""
