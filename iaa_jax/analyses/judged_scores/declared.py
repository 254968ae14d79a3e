"""What corrected scores give: their figures, declared once."""

from __future__ import annotations

from iaa_jax.wording.figures import ERROR_AND_ENDS, MEANT, Figure

FIGURES = (
    Figure(
        "measure",
        '"share", "mean", "accuracy", "precision", "recall" (sensitivity), "f1" or "specificity"',
        "word",
    ),
    Figure("label", "the label that it is of", "label"),
    Figure("scored", "whose labels are held against people's", "label"),
    Figure(
        "people_alone",
        "by the items that people rated alone",
        heading="People alone",
        beside=ERROR_AND_ENDS,
        footnote=MEANT,
    ),
    Figure(
        "corrected",
        "people's figure, moved by what the judges say of all items",
        heading="Corrected",
        beside=ERROR_AND_ENDS,
        footnote=MEANT,
    ),
    Figure(
        "saved",
        "how many rated items more people alone would need for the same error over items",
        "count",
        "Saved",
        footnote=MEANT,
    ),
    Figure(
        "from_people",
        "share of the variance of ``corrected`` that more items would not lower, only more people",
        "share",
        "From people",
        footnote="share of the variance that only more people would lower.",
    ),
    Figure(
        "items_needed",
        "with ``half_width``: how many rated items that takes; infinite: more than are judged",
        "count",
        "Items needed",
        footnote="rated items that an interval of the half-width asked for takes.",
    ),
    Figure(
        "people_needed",
        "with ``half_width``: how many people rate these; more than now where items alone cannot",
        "count",
        "People needed",
        footnote="people who rate these, each item by as many as now.",
    ),
    Figure("code", "0, or 1 where no person gave the label and nothing can be corrected", "count"),
)
"""Along figures."""

BY_JUDGE = (
    Figure(
        "judge_alone",
        "by what the judge says of all items, taken for people's labels",
        heading="Judge alone",
        beside=ERROR_AND_ENDS,
        footnote=MEANT,
    ),
    Figure(
        "off",
        "that less ``corrected``",
        "signed",
        "Off",
        beside=ERROR_AND_ENDS,
        footnote="judge alone - corrected.",
    ),
    Figure(
        "weight",
        "how far the judge is followed, tuned; 0: it helps nothing",
        heading="Weight",
        decimals=2,
        footnote=MEANT,
    ),
)
"""Along judges and figures."""

SCALARS = (
    Figure("judged_items", "items that all judges judged", "count"),
    Figure("rated_items", "of these, items that people rated", "count"),
    Figure("rated_units", "of these, units that are drawn: items, or clusters", "count"),
)
"""Of all figures."""

IN_JSON = {"": SCALARS, "figures": FIGURES, "judges": BY_JUDGE}
"""The figures of each part of the JSON record, by its name."""
