"""What judges, and annotators against gold labels, give: their figures, declared once."""

from __future__ import annotations

from iaa_jax.wording.figures import ENDS, Figure

JUDGES = (
    Figure(
        "advantage_probability",
        "mean over the people tested of how often the judge is as close to the others as they are",
        "share",
        "As close",
        beside=ENDS,
    ),
    Figure(
        "least_epsilon",
        "smallest epsilon at which it passes (to 1/4096; 1 where there is none below)",
        heading="Least epsilon",
        beside=ENDS,
    ),
    Figure("conclusion", '"passes", "fails" or "untested"', "word"),
    Figure("agreement", "coefficient of the judge with people", heading="Agreement", beside=ENDS),
    Figure(
        "difference",
        "that less the people's own, on the same items and people",
        "signed",
        "Difference",
        beside=ENDS,
    ),
    Figure("not_worse_p_value", "one-sided, that it is ``-margin`` or less", "p"),
    Figure(
        "against_people",
        'what this comes to: "better", "not_worse" (by ``margin`` or more), "worse", "open", or '
        "nothing without an interval",
        "word",
    ),
)
"""Along judges; intervals of the coefficient are from paired draws."""

BY_EPSILON = (
    Figure(
        "winning_rate",
        "share of the people whom the judge wins against, with a percentile interval",
        "share",
        "Wins",
        beside=ENDS,
    ),
    Figure("passes", "whether it is one half or more", "word"),
    Figure("passes_again", "share of replicates in which it passes", "share", "Passing"),
    Figure("power", "share of data sets of ``size`` items in which it does", "share"),
)
"""Along judges and epsilon, the last along size too."""

BY_PERSON = (
    Figure(
        "advantage",
        "how often the judge is as close to the others as this person",
        "share",
        "Judge",
    ),
    Figure(
        "advantage_of_person", "how often the person is as close as the judge", "share", "Person"
    ),
    Figure("items_compared", "items of the two and others", "count", "Items"),
    Figure("tested", "whether these are enough", "word"),
    Figure("p_value", "of the test, by epsilon", "p", "p"),
    Figure("beaten", "whether the judge wins, by epsilon", "word"),
)
"""Along judges and people, the last two along epsilon too."""

PEOPLE = (
    Figure(
        "agreement_of_person",
        "coefficient of the person with the others",
        heading="Agreement",
        beside=ENDS,
    ),
    Figure("agreement_of_people", "that of all people among each other", beside=ENDS),
)
"""Along people, and of all."""

AGAINST_GOLD = (
    Figure("accuracy", "share of right labels", "share", "Accuracy", beside=ENDS),
    Figure("kappa", "Cohen's, with the gold labels", heading="Kappa", beside=ENDS),
    Figure("items_compared", "items with a gold label that the annotator rated", "count", "Items"),
    Figure("items_of_label", "of these by gold label", "count", "Items", decimals=1),
    Figure(
        "confusion",
        "by gold label, the share of each label given, with intervals unless there are very many",
        "share",
        beside=ENDS,
    ),
)
"""Along annotators, the last two along gold labels too."""

IN_JSON = {
    "judges": (*JUDGES, *BY_EPSILON, *BY_PERSON),
    "persons": PEOPLE,
    "against_gold": AGAINST_GOLD,
}
"""The figures of each part of the JSON record, by its name."""
