"""The variables of judges, and of annotators against gold labels, declared once."""

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
        "smallest epsilon at which the judge passes (to 1/4096; 1 if there is none below 1)",
        heading="Least epsilon",
        beside=ENDS,
        footnote="smallest epsilon at which the judge passes.",
    ),
    Figure(
        "conclusion",
        '"passes", "few_tested" (passes, but fewer than half of the people could be tested), '
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
        "coefficient of people with each other, on the items that the judge rated",
        heading="People",
        beside=ENDS,
        footnote="mean {title} of two people on the judge's items.",
    ),
    Figure(
        "difference",
        "the judge's agreement less the people's, on the same items and people",
        "signed",
        "Difference",
        beside=ENDS,
        footnote="the judge's agreement minus that of people.",
    ),
    Figure(
        "not_worse_p_value", "one-sided p-value against a difference of ``-margin`` or less", "p"
    ),
    Figure(
        "against_people",
        'conclusion on the difference: "better", "not_worse" (by ``margin`` or more), "worse", '
        '"open", or empty without an interval',
        "word",
    ),
)
"""Variables along judges; intervals of the coefficient are from paired draws."""

BY_EPSILON = (
    Figure(
        "winning_rate",
        "share of the people that the judge beats, with its interval",
        "share",
        "Wins",
        beside=ENDS,
        footnote=(
            "people whom the judge beats at epsilon {epsilon:short}; it passes if it beats half of "
            "them or more. The interval is of the share."
        ),
    ),
    Figure("passes", "whether the winning rate is one half or more", "word"),
    Figure(
        "constant_winning_rate",
        "winning rate of a judge that gives the rating ``constant`` to each of the judge's items",
        "share",
    ),
    Figure(
        "pass_probability",
        "share of resamples in which the judge passes",
        "share",
        "Passing",
        footnote=MEANT,
    ),
    Figure(
        "power",
        "share of simulated data sets of ``size`` items in which the judge passes; NaN if fewer "
        "than half of the people could be tested",
        "share",
    ),
)
"""Variables along judges and epsilon; the last is also along size."""

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
    Figure(
        "items_compared",
        "items that judge, person and others rated",
        "count",
        "Items",
        footnote=MEANT,
    ),
    Figure(
        "units_compared",
        "items that judge, person and others rated, or the clusters of these items",
        "count",
    ),
    Figure("tested", "whether ``units_compared`` is enough for a test", "word"),
    Figure(
        "p_value", "p-value against the person being better by epsilon", "p", "p", footnote=MEANT
    ),
    Figure("beaten", "whether the judge wins, by epsilon", "word"),
)
"""Variables along judges and people; the last two are also along epsilon."""

PEOPLE = (
    Figure(
        "agreement_of_person",
        "coefficient of the person with the others",
        heading="Person agrees",
        beside=ENDS,
        footnote="mean {title} of the person left out with the other people.",
    ),
    Figure("agreement_of_people", "coefficient of all people with each other", beside=ENDS),
)
"""Variables along people; the last is for all people together."""

BY_GOLD_LABEL = (
    Figure(
        "items_of_label",
        "items with each gold label that the annotator rated",
        "count",
        "Items",
        decimals=1,
    ),
    Figure(
        "precision",
        "share of right labels among those that the annotator gave",
        "share",
        "Precision",
        beside=ENDS,
        footnote="share of the items given this label that have it as gold label.",
    ),
    Figure(
        "recall",
        "share of right labels among the items with this gold label",
        "share",
        "Recall",
        beside=ENDS,
        footnote="share of the items with this gold label that were given it.",
    ),
    Figure(
        "f1",
        "harmonic mean of precision and recall",
        "share",
        "F1",
        beside=ENDS,
        footnote=MEANT,
    ),
)
"""Variables along annotators and gold labels."""

AGAINST_GOLD = (
    Figure("accuracy", "share of right labels", "share", "Accuracy", beside=ENDS),
    Figure(
        "kappa",
        "Cohen's kappa with gold labels",
        heading="Kappa",
        beside=ENDS,
        footnote="unweighted Cohen's kappa with gold labels: only the same label, or the same set, "
        "counts, whatever the level, weights or distance.",
    ),
    Figure("items_compared", "items with a gold label that the annotator rated", "count", "Items"),
    *BY_GOLD_LABEL,
    Figure(
        "confusion",
        "share of each label, by gold label; with very many labels, only other figures have "
        "intervals, or there is no confusion",
        "share",
        beside=ENDS,
    ),
)
"""Variables along annotators; the last is along gold labels and labels, too."""

JURY = (
    Figure("n_eff", "how many independent judges the jury is worth", decimals=1, beside=ENDS),
    Figure(
        "rho",
        "mean covariance of two judges' errors within the true label, over the mean variance of "
        "one judge's errors; the people's own errors are removed",
        beside=ENDS,
    ),
    Figure(
        "plain_rho",
        "the same correlation within one person's label, including the people's errors",
        beside=ENDS,
    ),
    Figure(
        "one_judge", "share of people's labels that a judge gives, on average", "share", beside=ENDS
    ),
    Figure(
        "majority",
        "share of people's labels that most judges give, ties split",
        "share",
        beside=ENDS,
    ),
    Figure(
        "independent",
        "share of people's labels that a majority would give if judges erred independently "
        "(drawn, as if people's own errors fell on labels as often as these occur)",
        "share",
    ),
)
"""Variables of a jury."""

JURY_PAIRS = (Figure("pair_rho", "correlation of two judges' errors, as in ``rho``"),)
"""Variables along pairs of judges."""

JURY_ASSUMED = (
    Figure("n_eff_if", "``n_eff`` if rho has the assumed value", heading="Worth", decimals=1),
)
"""Variables along assumed correlations."""

IN_JSON = {
    "judges": (*JUDGES, *BY_EPSILON, *BY_PERSON),
    "persons": PEOPLE,
    "against_gold": AGAINST_GOLD,
}
"""The variables of each part of the JSON record, by the part's name."""

IN_JSON_OF = {
    "iaa judge --gold": {"annotators": AGAINST_GOLD},
    "iaa judge --jury": {"": JURY, "judges": JURY_PAIRS, "assumed": JURY_ASSUMED},
}
"""The variables of commands whose JSON records have other parts."""
