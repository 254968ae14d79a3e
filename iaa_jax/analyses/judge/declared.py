"""What judges, and annotators against gold labels, give: their figures, declared once."""

from __future__ import annotations

from iaa_jax.wording.figures import ENDS, MEANT, Figure

JUDGES = (
    Figure(
        "advantage_probability",
        "share of items on which the judge is at least as close to the other people as "
        "the person left out; mean over people",
        "share",
        "As close",
        beside=ENDS,
        footnote=MEANT,
    ),
    Figure(
        "least_epsilon",
        "smallest epsilon at which it passes (to 1/4096; 1 where there is none below)",
        heading="Least epsilon",
        beside=ENDS,
        footnote="smallest epsilon at which the judge passes.",
    ),
    Figure(
        "conclusion",
        '"passes", "few_tested" (it passes, but fewer than half of the people could be tested), '
        '"fails" or "untested"',
        "word",
    ),
    Figure(
        "agreement",
        "coefficient of the judge with people",
        heading="Agreement",
        beside=ENDS,
        footnote="mean {title} with each person.",
    ),
    Figure(
        "people_on_its_items",
        "that of people with each other, on the items that the judge rated",
        heading="People",
        beside=ENDS,
        footnote="mean {title} of two people on the judge's items.",
    ),
    Figure(
        "difference",
        "that less the people's own, on the same items and people",
        "signed",
        "Difference",
        beside=ENDS,
        footnote="the judge's agreement minus that of people.",
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
        footnote=(
            "people it wins against at epsilon {epsilon:short}; it passes from half of them"
            " on. The interval is that of the share."
        ),
    ),
    Figure("passes", "whether it is one half or more", "word"),
    Figure("passes_again", "share of resamples it passes in", "share", "Passing", footnote=MEANT),
    Figure("power", "share of data sets of ``size`` items in which it does", "share"),
)
"""Along judges and epsilon, the last along size too."""

BY_PERSON = (
    Figure(
        "advantage",
        "share of items on which the judge is at least as close to the others as the person",
        "share",
        "Judge",
        footnote=MEANT,
    ),
    Figure(
        "advantage_of_person",
        "share of items on which the person is at least as close to the others as the judge",
        "share",
        "Person",
        footnote=MEANT,
    ),
    Figure("items_compared", "rated by judge, person and others", "count", "Items", footnote=MEANT),
    Figure("tested", "whether these are enough", "word"),
    Figure("p_value", "against the person being better by epsilon", "p", "p", footnote=MEANT),
    Figure("beaten", "whether the judge wins, by epsilon", "word"),
)
"""Along judges and people, the last two along epsilon too."""

PEOPLE = (
    Figure(
        "agreement_of_person",
        "coefficient of the person with the others",
        heading="Person agrees",
        beside=ENDS,
        footnote="mean {title} of the person left out with the other people.",
    ),
    Figure("agreement_of_people", "that of all people among each other", beside=ENDS),
)
"""Along people, and of all."""

AGAINST_GOLD = (
    Figure("accuracy", "share of right labels", "share", "Accuracy", beside=ENDS),
    Figure("kappa", "Cohen's kappa with gold labels", heading="Kappa", beside=ENDS, footnote=MEANT),
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

JURY = (
    Figure("n_eff", "how many independent judges the jury is worth", decimals=1, beside=ENDS),
    Figure(
        "rho",
        "mean covariance of two judges' errors within the true label, over the mean variance of "
        "one's; the people's own errors are taken out",
        beside=ENDS,
    ),
    Figure("plain_rho", "the same within one person's label, errors and all", beside=ENDS),
    Figure("one_judge", "share of people's labels that a judge gives, mean", "share", beside=ENDS),
    Figure(
        "majority", "the same of the label that most judges give, ties split", "share", beside=ENDS
    ),
    Figure(
        "independent",
        "the same of a majority whose judges, as often right and wrong, err independently (drawn, "
        "as if people's own errors fell on labels as often as these occur)",
        "share",
    ),
)
"""Of a jury."""

JURY_PAIRS = (Figure("pair_rho", "correlation of two judges' errors, as in ``rho``"),)
"""Along judges twice."""

JURY_ASSUMED = (Figure("n_eff_if", "``n_eff`` if rho is this", heading="Worth", decimals=1),)
"""Along assumed correlations."""

IN_JSON = {
    "judges": (*JUDGES, *BY_EPSILON, *BY_PERSON),
    "persons": PEOPLE,
    "against_gold": AGAINST_GOLD,
}
"""The figures of each part of the JSON record, by its name."""

IN_JSON_OF = {
    "iaa judge --jury": {"": JURY, "judges": JURY_PAIRS, "assumed": JURY_ASSUMED},
}
"""Those of commands with a record of their own."""
