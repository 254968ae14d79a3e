"""Reasons why other programs give other values, each in a line, with the value it implies."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import xarray as xr
from scipy.stats import f

import iaa_jax as iaa
from tests.reference import ReferenceCase
from tests.reference.peers import PeerValue

Formula = Callable[[ReferenceCase, xr.Dataset], float]


class Reason(NamedTuple):
    """A reason why a program differs.

    Attributes
    ----------
    program : str
        Name of the program.
    words : str
        The reason, in a line.
    value : callable
        ``(case, ratings) -> the value implied``; NaN for no value.
    coefficients : tuple of str
        Coefficients that it applies to.
    field : str
        Part of the result that it applies to.
    """

    program: str
    words: str
    value: Formula
    coefficients: tuple[str, ...]
    field: str = "estimate"


def reason_of(
    case: ReferenceCase, program: str, field: str, theirs: float, ratings: xr.Dataset, near: float
) -> Reason | None:
    """Return the first reason that implies the program's value."""
    for reason in REASONS:
        if (reason.program, reason.field) != (program, field):
            continue
        if case.coefficient not in reason.coefficients:
            continue
        implied = reason.value(case, ratings)
        if (math.isnan(implied) and math.isnan(theirs)) or abs(implied - theirs) <= near:
            return reason
    return None


def _figure(name: str, ratings: xr.Dataset, **keywords: object) -> float:
    return float(getattr(iaa, name)(ratings, interval=None, **keywords).estimate)


def _codes(ratings: xr.Dataset) -> np.ndarray:
    return np.asarray(iaa.data.in_grid(ratings).primary.values)


def _complete(ratings: xr.Dataset) -> xr.Dataset:
    return ratings.isel(item=(_codes(ratings) >= 0).all(axis=1))


def _options(case: ReferenceCase) -> dict[str, object]:
    weights = case.options.get("weights", "identity")
    return {} if weights == "identity" else {"weights": weights}


def alpha_of_irr(case: ReferenceCase, ratings: xr.Dataset) -> float:
    """Return alpha as irr computes it, for m annotators and n ratings without gaps."""
    level = case.options.get("level", "nominal")
    alpha = _figure("krippendorff_alpha", ratings, level=level)
    annotators = ratings.sizes["annotator"]
    number = annotators * ratings.sizes["item"]
    return 1 - (1 - alpha) * (1 + (annotators - 2) / ((annotators - 1) * (number - 1)))


def on_complete_items(case: ReferenceCase, ratings: xr.Dataset) -> float:
    """Return the coefficient on the items that all annotators rated."""
    return _figure(case.coefficient, _complete(ratings), **_options(case))


def by_ratings(case: ReferenceCase, ratings: xr.Dataset) -> float:
    """Return a coefficient with agreement weighted by ratings, for several forms of chance."""
    codes, labels = _codes(ratings), ratings.sizes["label"]
    counts = np.stack([(codes == label).sum(axis=1) for label in range(labels)], axis=1)
    panel = counts.sum(axis=1)
    of_items = (counts[panel > 0] / panel[panel > 0, None]).mean(axis=0)
    of_pairs = counts[panel > 1].sum(axis=0) / counts[panel > 1].sum()
    margins = np.stack([(codes == label).sum(axis=0) for label in range(labels)], axis=1) / len(
        codes
    )
    agreement = np.eye(labels)
    if _options(case):  # quadratic weights of labels one step apart
        steps = np.arange(labels, dtype=float)
        agreement = 1 - (steps[:, None] - steps) ** 2 / (labels - 1) ** 2
    difference = (of_pairs * (1 - of_pairs)).sum() / (labels * (labels - 1))
    pairs = [margins[a] @ agreement @ margins[b] for a in range(len(margins)) for b in range(a)]
    expected = {
        "percent_agreement": 0.0,
        "brennan_prediger": agreement.mean(),
        "fleiss_kappa": of_items @ agreement @ of_items,
        "gwet_ac1": agreement.sum() * difference,
        "gwet_ac2": agreement.sum() * difference,
        "conger_kappa": np.mean(pairs),
    }[case.coefficient]
    observed = _figure("percent_agreement", ratings, average="rating_weighted", **_options(case))
    return float((observed - expected) / (1 - expected))


def with_labels_in_use(case: ReferenceCase | PeerValue, ratings: xr.Dataset) -> float:
    """Return the coefficient with only the labels that somebody used."""
    used = [ratings.label.values[code] for code in np.unique(_codes(ratings)) if code >= 0]
    return _figure(case.coefficient, iaa.data.keep_labels(ratings, used))


def undefined_as_one(_: ReferenceCase | None, ratings: xr.Dataset) -> float:
    """Return the mean of Cohen's kappa over pairs, where 0/0 counts as 1."""
    annotators = ratings.annotator.values
    kappas = [
        float(
            iaa.cohen_kappa(ratings.sel(annotator=[a, b]), interval=None, undefined="one").estimate
        )
        for place, a in enumerate(annotators)
        for b in annotators[place + 1 :]
    ]
    return float(np.mean(kappas))


def distances_apart(_: ReferenceCase, ratings: xr.Dataset) -> float:
    """Return weighted kappa with observed and expected distances divided by their own maxima."""
    codes = _codes(ratings)
    weight = np.asarray(ratings.item_weight.values, dtype=float)
    labels = ratings.sizes["label"]
    table = np.zeros((labels, labels))
    np.add.at(table, (codes[:, 0], codes[:, 1]), weight)
    distance = (np.arange(labels)[:, None] - np.arange(labels)) ** 2.0
    share = table / table.sum()
    chance = share.sum(axis=1)[:, None] * share.sum(axis=0)
    largest = (distance[share > 0].max(), distance[chance > 0].max())
    return float(
        1 - ((distance * share).sum() / largest[0]) / ((distance * chance).sum() / largest[1])
    )


def _f_ends_of_average(case: ReferenceCase) -> tuple[float, float]:
    """Return an interval's ends for ICC(2,k), with degrees of freedom from ICC(2,k) itself."""
    table = np.array(case.data, dtype=float)
    items, annotators = table.shape
    of_items, of_annotators = table.mean(axis=1), table.mean(axis=0)
    rows = annotators * ((of_items - table.mean()) ** 2).sum() / (items - 1)
    columns = items * ((of_annotators - table.mean()) ** 2).sum() / (annotators - 1)
    left = table - of_items[:, None] - of_annotators + table.mean()
    error = (left**2).sum() / ((items - 1) * (annotators - 1))
    average = (rows - error) / (rows + (columns - error) / items)
    a = annotators * average / (items * (1 - average))
    b = 1 + annotators * average * (items - 1) / (items * (1 - average))
    parts = (a * columns) ** 2 / (annotators - 1)
    parts += (b * error) ** 2 / ((items - 1) * (annotators - 1))
    freedom = (a * columns + b * error) ** 2 / parts
    low, high = f.ppf(0.975, items - 1, freedom), f.ppf(0.975, freedom, items - 1)
    between = columns - error
    return (
        items * (rows - low * error) / (low * between + items * rows),
        items * (high * rows - error) / (between + items * high * rows),
    )


def low_of_average(case: ReferenceCase, _: xr.Dataset) -> float:
    """Return the lower end of this interval."""
    return _f_ends_of_average(case)[0]


def high_of_average(case: ReferenceCase, _: xr.Dataset) -> float:
    """Return the upper end of this interval."""
    return _f_ends_of_average(case)[1]


def corrected_in_each_item(_: ReferenceCase, ratings: xr.Dataset) -> float:
    """Return Gwet's standard error of nominal alpha, with P_a' = P_a (1 - e) + e in each item.

    Gwet's formula corrects P_a by e = 1 / (number of ratings) in alpha alone, not in the term of
    each item.
    """
    codes = _codes(ratings)
    counts = np.stack([(codes == k).sum(axis=1) for k in range(ratings.sizes["label"])], axis=1)
    counts = counts[counts.sum(axis=1) > 1]
    panel = counts.sum(axis=1)
    items, mean = len(counts), panel.mean()
    share = counts.sum(axis=0) / panel.sum()
    chance = share @ share
    agreeing = (counts * (counts - 1)).sum(axis=1) / (mean * (panel - 1))
    corrected = agreeing.mean() + (1 - agreeing.mean()) / panel.sum()
    larger = (panel - mean) / mean
    alpha = (agreeing.mean() - chance) / (1 - chance)
    expected = counts @ share / mean - chance * larger
    terms = (agreeing - corrected * larger - chance) / (1 - chance)
    terms -= 2 * (1 - alpha) * (expected - chance) / (1 - chance)
    return float(np.sqrt(((terms - alpha) ** 2).sum() / (items * (items - 1))))


def without_a_value(*_: object) -> float:
    """Return NaN, for a program that gives no value."""
    return math.nan


_GAPS = "counts only items that all annotators rated"
_BY_RATINGS = (
    "observed agreement is the mean over ratings, not over items; chance is by items (Fleiss), by "
    "ratings (Gwet), or also by items that an annotator left out (Hubert, compared with Conger)"
)

_AVERAGE = "the degrees of freedom of ICC(2,k) are computed from ICC(2,k), not from ICC(2,1)"

REASONS = (
    Reason(
        "irr (R)",
        "`kripp.alpha` makes observed disagreement 1 + (m - 2) / ((m - 1) (n - 1)) times as large, "
        "for m annotators and n ratings without gaps: right for two",
        alpha_of_irr,
        ("krippendorff_alpha",),
    ),
    Reason(
        "irr (R)", f"`kappam.fleiss` {_GAPS}", on_complete_items, ("fleiss_kappa", "conger_kappa")
    ),
    Reason("irr (R)", _AVERAGE, low_of_average, ("icc2k",), "ci_low"),
    Reason("irr (R)", _AVERAGE, high_of_average, ("icc2k",), "ci_high"),
    Reason(
        "irr (R)",
        "kappa 0/0 of a pair makes the mean undefined",
        without_a_value,
        ("mean_pairwise_cohen_kappa",),
    ),
    Reason(
        "nltk", "kappa 0/0 of a pair counts as 1", undefined_as_one, ("mean_pairwise_cohen_kappa",)
    ),
    Reason(
        "dkpro-statistics",
        _BY_RATINGS,
        by_ratings,
        (
            *("percent_agreement", "brennan_prediger", "fleiss_kappa"),
            *("gwet_ac1", "gwet_ac2", "conger_kappa"),
        ),
    ),
    Reason(
        "dkpro-statistics",
        "divides observed and expected distances by the largest of each",
        distances_apart,
        ("weighted_kappa",),
    ),
    Reason(
        "dkpro-statistics",
        "fails where a label is not used",
        without_a_value,
        ("conger_kappa",),
        "error",
    ),
    Reason(
        "irrCAC (Python)",
        "the standard error of alpha corrects observed agreement in the term of each item, not in "
        "alpha alone",
        corrected_in_each_item,
        ("krippendorff_alpha",),
        "se",
    ),
    Reason(
        "irrCAC (R)",
        "labels that nobody used do not count",
        with_labels_in_use,
        ("brennan_prediger", "gwet_ac1"),
    ),
)
"""If several fit, the first is used."""
