"""The variables of corrected scores, declared once."""

from __future__ import annotations

from iaa_jax.wording.figures import ERROR_AND_ENDS, MEANT, Figure

FIGURES = (
    Figure(
        "measure",
        '"share", "mean", "accuracy", "precision", "recall" (sensitivity), "f1" or "specificity"',
        "word",
    ),
    Figure("label", 'the label of the score; "" if the score is about all labels', "label"),
    Figure("scored", "the annotator whose labels are compared with people's", "label"),
    Figure(
        "people_alone",
        "score from the items that people rated, without judges",
        heading="People alone",
        beside=ERROR_AND_ENDS,
        footnote=MEANT,
    ),
    Figure(
        "corrected",
        "people's score, corrected by the judges' labels of all items",
        heading="Corrected",
        beside=ERROR_AND_ENDS,
        footnote=MEANT,
    ),
    Figure(
        "saved",
        "further rated items that would give people alone the same error over items",
        "count",
        "Saved",
        footnote=MEANT,
    ),
    Figure(
        "from_people",
        "share of the variance of ``corrected`` that only more people, not more items, would lower",
        "share",
        "From people",
        footnote="share of the variance that only more people would lower.",
    ),
    Figure(
        "items_needed",
        "with ``half_width``: rated items needed; infinite if more than the judged items",
        "count",
        "Items needed",
        footnote="rated items needed for an interval of the requested half-width.",
    ),
    Figure(
        "people_needed",
        "with ``half_width``: people needed to rate these; more than now if items are not enough",
        "count",
        "People needed",
        footnote="people needed to rate these, each item by as many people as now.",
    ),
    Figure("code", "0, or 1 if no person gave the label and nothing can be corrected", "count"),
)
"""Variables along scores (dimension ``figure``)."""

BY_JUDGE = (
    Figure(
        "judge_alone",
        "score from the judge's labels of all items, in place of people's",
        heading="Judge alone",
        beside=ERROR_AND_ENDS,
        footnote=MEANT,
    ),
    Figure(
        "off",
        "``judge_alone`` less ``corrected``",
        "signed",
        "Off",
        beside=ERROR_AND_ENDS,
        footnote="judge alone - corrected.",
    ),
    Figure(
        "weight",
        "tuned weight of the judge; 0 if the judge does not help",
        heading="Weight",
        decimals=2,
        footnote=MEANT,
    ),
)
"""Variables along judges and scores."""

SCALARS = (
    Figure("judged_items", "items that all judges and scored annotators labelled", "count"),
    Figure("rated_items", "judged items that people rated", "count"),
    Figure("rated_units", "sampled units with rated items: items, or clusters", "count"),
)
"""Variables without an axis, for all scores."""

IN_JSON = {"": SCALARS, "figures": FIGURES, "judges": BY_JUDGE}
"""The variables of each part of the JSON record, by the part's name."""
