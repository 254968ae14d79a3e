"""Estimate scores of many judged items, corrected by the few items that people rated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import xarray as xr

from iaa_jax._types import Floats, Integers, Variables
from iaa_jax.analyses.judged_scores import declared
from iaa_jax.analyses.judged_scores.estimation import (
    Corrected,
    Estimate,
    correct,
    ends_of,
    ends_of_difference,
)
from iaa_jax.analyses.judged_scores.needed import CurrentDesign, check_width, needed
from iaa_jax.analyses.judged_scores.refusals import FEWEST_ITEMS_A_JUDGE, check_sample, people_of
from iaa_jax.analyses.judged_scores.sample import DrawnUnits, JudgedItems, sample_of
from iaa_jax.analyses.judged_scores.scores import ScoreRow, scores_of
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.options.declared import keeps_empty_annotators
from iaa_jax.measure.options.interval import SIMPLE
from iaa_jax.measure.options.requirements import Excluded, Intervals, requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resampling import blank_clusters, cluster_codes
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.results import provenance_of, result_dataset
from iaa_jax.measure.shared.named_annotators import annotators_named
from iaa_jax.measure.shared.probabilities import probabilities_of
from iaa_jax.wording import Note
from iaa_jax.wording.figures import gives

ENOUGH_PEOPLE = 3
"""If at least this many people rated items, people are a sample by default."""

WORTH = 0.1
"""Minimum share of the rated items that a worthwhile correction saves."""

NEVER_SEEN = 1
"""Code of a label that no person gave."""


@public
@keeps_empty_annotators
@requires(
    Excluded("spans", "scores are shares of items' labels", "see iaa_jax.span_f1"),
    Excluded("counts without annotators", "it must be known who gave which rating"),
    options=Intervals(SIMPLE, sampling=("cluster", "annotators")),
)
@gives(declared)
def judged_scores(
    ratings: Rated,
    judges: str | Sequence[str],
    people: str | Sequence[str] | None = None,
    *,
    scored: str | Sequence[str] | None = None,
    probability: str | None = None,
    these_items: bool = False,
    half_width: float | None = None,
    label_options: LabelOptions = select(LabelOptions, "p"),
    options: IntervalOptions = select(IntervalOptions, "sampling", "confidence"),
) -> xr.Dataset:
    """Estimate shares, means and accuracy over many judged items, of which people rated a few.

    A judge, such as a model, labels all items, and people a random part of them. The judge's own
    score is biased by its errors. If Y is the mean of people's values for an item, and f the
    judge's value, ``mean Y + l (mean f of all - mean f of the rated)`` is unbiased for any fixed l,
    however bad the judge is. It is more precise than the mean of Y alone if the judge is any good
    and l is well chosen (prediction-powered inference; in surveys the regression estimator).

    The weight l is tuned by least squares over the rated items (or clusters), and shrunk by the
    share of its explained variance that is due to chance, down to 0. With several judges, each has
    its own weight.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings of the judges and of people, as the constructors and `iaa_jax.read` return them: one
        label, soft or two labels, sets of labels, or numbers.
    judges : str or sequence of str
        The annotators who are judges. Only items count that all of them, and all of ``scored``,
        labelled.
    people : str or sequence of str, optional
        Who the people are; by default all who are neither judges nor scored. Gold labels for which
        a judge voted do not count as people's. Ratings do not show who voted for a label, so only a
        column "gold" next to a judge's votes "by NAME", as in files of gold labels, is refused.
    scored : str or sequence of str, optional
        Annotators whose labels are compared with people's, such as evaluated systems; by default
        the judges themselves.
    probability : str, optional
        A coordinate along items with each item's probability of being rated by people, above 0 and
        up to 1; by default all are equally likely.
    these_items : bool
        Whether the scores are about the judged items only, and not about items like them.
    half_width : float, optional
        Target half-width of corrected intervals. With it, the result also has the numbers of rated
        items and people needed.
    label_options : LabelOptions
    options : IntervalOptions
        With annotators "random", scores are about people like these; with "fixed", about these
        people alone. The default is "random" if three or more people rated items.

    Returns
    -------
    xarray.Dataset
        Along ``figure``:

        FIGURES

        Along ``judge`` and ``figure``:

        BY_JUDGE

        As scalars:

        SCALARS

        Scores are shares of labels (for sets the share of items with the label), the mean of
        numbers, and, for each scored annotator, accuracy (except for sets), precision, recall
        (sensitivity), F1 and specificity. All are linearized ratios of two means. With three labels
        or more, each share has its own weight, so corrected shares need not sum to 1.

        Errors over items come from the jackknife over units, with l retuned each time (ppi_py keeps
        l fixed, and its errors are smaller by a share of about 1 / n). Errors over people come from
        leaving each person out; the deviation of a person on one item is part of both errors, and
        is subtracted once. Shares and ratios have Wilson's interval with an effective number of
        items from the variance. Means have Student's interval; its degrees of freedom are the
        number of units or of people, whichever is smaller, less one. The interval of ``off``
        combines both intervals with their correlation (MOVER; Zou and Donner).

        The attribute ``conclusion`` is "worth" (for some share or mean the correction saves at
        least a tenth of the rated items), "no_gain", or "all_rated"; ``of_people`` is "like_these"
        or "these", and so is ``of_items``.

    Raises
    ------
    IaaError
        If an annotator is unknown, is both a judge and one of the people, or voted for gold labels;
        if fewer than two judged items were rated, or fewer than ten for each judge; or if an option
        does not fit.

    References
    ----------
    Angelopoulos, A. N., Bates, S., Fannjiang, C., Jordan, M. I. and Zrnic, T. (2023). Prediction-
    powered inference. Science 382. https://doi.org/10.1126/science.adi6000
    Angelopoulos, A. N., Duchi, J. C. and Zrnic, T. (2023). PPI++: efficient prediction-powered
    inference. https://arxiv.org/abs/2311.01453
    Cameron, A. C., Gelbach, J. B. and Miller, D. L. (2011). Robust inference with multiway
    clustering. Journal of Business & Economic Statistics 29(2).
    https://doi.org/10.1198/jbes.2010.07136
    Saerndal, C.-E., Swensson, B. and Wretman, J. (1992). Model assisted survey sampling. Springer.
    Zou, G. Y. and Donner, A. (2008). Construction of confidence limits about effect measures.
    Statistics in Medicine 27(10). https://doi.org/10.1002/sim.3095

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rated = [["a", "a", "b", "a"], ["b", "b", "b", "b"], ["a", "a", "a", "a"]] * 10
    >>> judged = [[None, None, None, "a"], [None, None, None, "b"]] * 200
    >>> result = iaa.judged_scores(iaa.from_wide(rated + judged), "annotator 4")
    >>> share = result.sel(figure="share of a", judge="annotator 4")
    >>> [round(float(share[name]), 3) for name in ("people_alone", "judge_alone", "corrected")]
    [0.556, 0.512, 0.439]
    """
    check_width(half_width)
    tables = Resolver(ratings, label_options).tables
    by = annotators_named(ratings, "judges", judges)
    whose = by if scored is None else annotators_named(ratings, "scored", scored)
    who = people_of(ratings, by, whose, people)
    index = {str(name): at for at, name in enumerate(ratings.annotator_names.tolist())}
    columns = list(dict.fromkeys([*by, *whose]))
    sample = sample_of(tables, [index[name] for name in columns], [index[name] for name in who])
    requested = options.random.annotators
    active = len(np.unique(sample.person))
    drawn = requested == "random" or (requested is None and active >= ENOUGH_PEOPLE)
    check_sample(sample, by, who, drawn=drawn)
    cluster, names = _clusters(ratings, options, sample)
    rated = float(sample.rated_weight.sum())
    if probability is None:
        chance = np.full(len(sample.rated), rated / float(sample.weight.sum()))
    else:
        indices = sample.judged[sample.rated]
        is_rated = np.zeros(ratings.items, dtype=bool)
        is_rated[indices] = True
        chance = probabilities_of(ratings, probability, is_rated)[indices]
    units = DrawnUnits(sample, chance, cluster)
    rows = list(scores_of(tables, sample, len(by), [(name, columns.index(name)) for name in whose]))
    results = [correct(row.values, sample, units, people=drawn, finite=these_items) for row in rows]
    variables = _variables(rows, results, by, rated, options.confidence)
    if half_width is not None:
        sizes = (rated, len(by) * FEWEST_ITEMS_A_JUDGE, active, units.rated, units.all)
        today = CurrentDesign(*sizes, drawn, options.confidence)
        variables |= _needed(results, rows, 2 * half_width, today)
    variables |= {
        "judged_items": ((), np.asarray(float(sample.weight.sum()))),
        "rated_items": ((), np.asarray(rated)),
        "rated_units": ((), np.asarray(units.rated)),
    }
    notes = [
        *_notes(ratings, sample, rows, by, who),
        *_notes_on_clusters(cluster, names, sample),
        *blank_clusters(options.random, ratings),
    ]
    if not drawn and requested is None:
        notes.append(Note("too_few_people", {"names": who, "people": active}, "caution"))
    attrs: dict[str, object] = {
        **provenance_of(
            ratings,
            "judged_scores",
            notes=notes,
            clusters=None if cluster is None else units.all,
        ),
        **options.random.record(),
        "confidence": options.confidence,
        "people_named": int(people is not None),
        "of_people": "like_these" if drawn else "these",
        "of_items": "these" if these_items else "like_these",
        "probability": probability or "",
        "p": label_options.p,
        **({} if half_width is None else {"half_width": half_width, "people": active}),
        "conclusion": _conclude(variables, rated),
    }
    coords = {
        "figure": np.array([row.name for row in rows], dtype=object),
        "judge": np.array(by, dtype=object),
        "person": np.array(who, dtype=object),
    }
    return result_dataset(variables, {}, attrs, coords)


def _clusters(
    ratings: Rated, options: IntervalOptions, sample: JudgedItems
) -> tuple[Integers | None, list[object]]:
    if options.random.cluster is None:
        return None, []
    codes, names = cluster_codes(ratings, options.random.cluster)
    return codes[sample.judged], names.tolist()


def _variables(
    rows: list[ScoreRow],
    results: list[Corrected],
    judges: list[str],
    rated: float,
    confidence: float,
) -> Variables:
    variables: Variables = {
        "measure": ("figure", _texts(row.measure for row in rows)),
        "label": ("figure", _texts(row.label for row in rows)),
        "scored": ("figure", _texts(row.scored for row in rows)),
        "code": ("figure", np.array([0 if row.seen else NEVER_SEEN for row in rows])),
    }
    shares = [row.measure != "mean" for row in rows]
    seen = np.array([row.seen for row in rows])
    for name in ("people_alone", "corrected"):
        estimates = [of.alone if name == "people_alone" else of.corrected for of in results]
        figures = _with_ends(estimates, shares, confidence)
        if name == "corrected":
            figures = np.where(seen, figures, np.nan)
        variables |= _named(name, figures, ("figure",))
    alone = [
        _with_ends([of.judges[at] for of in results], shares, confidence)
        for at in range(len(judges))
    ]
    # compared with its own labels, a judge is always right
    own = np.array([[row.scored == judge for row in rows] for judge in judges])
    figures = np.where(own, np.nan, np.stack(alone, axis=1))
    variables |= _named("judge_alone", figures, ("judge", "figure"))
    unit = np.array([row.unit for row in rows])
    off = np.array(
        [
            [_off(of, at, share, confidence) for of, share in zip(results, shares, strict=True)]
            for at in range(len(judges))
        ]
    ).transpose(2, 0, 1)
    off = np.where(own | ~seen, np.nan, off) * unit
    variables |= _named("off", off, ("judge", "figure"))
    weight = np.array([of.weight for of in results]).T
    variables["weight"] = (("judge", "figure"), np.where(seen & ~own, weight, np.nan) + 0.0)
    saved = [_saved(of, rated) for of in results]
    variables["saved"] = ("figure", np.where(seen, saved, np.nan))
    variables |= _in_their_unit(variables, rows)
    people_share = [of.corrected.people_share for of in results]
    variables["from_people"] = ("figure", np.where(seen, people_share, np.nan))
    return variables


def _needed(
    results: list[Corrected], rows: list[ScoreRow], width: float, today: CurrentDesign
) -> Variables:
    numbers = []
    for result, row in zip(results, rows, strict=True):
        share = row.measure != "mean"
        corrected = _within(result.corrected, share=share)
        needs = needed(corrected, width / row.unit, today, share=share)
        numbers.append(needs if row.seen else (np.nan, np.nan))
    items, people = np.array(numbers).T
    return {"items_needed": ("figure", items), "people_needed": ("figure", people)}


def _texts(values: Iterator[object]) -> np.ndarray:
    return np.array([str(value) for value in values], dtype=object)


def _with_ends(estimates: Sequence[Estimate], shares: Sequence[bool], confidence: float) -> Floats:
    """Return four rows along scores: estimates, standard errors, and both ends of intervals."""
    columns = []
    for estimate, share in zip(estimates, shares, strict=True):
        clipped = _within(estimate, share=share)
        ends = ends_of(clipped, confidence, share=share)
        columns.append([clipped.estimate, clipped.error, *ends])
    return np.array(columns).T


def _within(estimate: Estimate, *, share: bool) -> Estimate:
    """Clip the estimate of a share, which a correction may move below 0 or above 1."""
    if not share:
        return estimate
    return estimate._replace(estimate=float(np.clip(estimate.estimate, 0.0, 1.0)))


def _off(result: Corrected, at: int, share: bool, confidence: float) -> list[float]:
    judge, corrected = result.judges[at], _within(result.corrected, share=share)
    ends = ends_of_difference(judge, corrected, result.off[at], confidence, share=share)
    return [judge.estimate - corrected.estimate, result.off[at].error, *ends]


def _named(name: str, figures: Floats, dims: tuple[str, ...]) -> Variables:
    endings = ("", "_standard_error", "_ci_low", "_ci_high")
    return {
        f"{name}{ending}": (dims, values) for ending, values in zip(endings, figures, strict=True)
    }


def _in_their_unit(variables: Variables, rows: list[ScoreRow]) -> Variables:
    unit, centre = np.array([[row.unit, row.centre] for row in rows]).T
    moved: Variables = {}
    for name in ("people_alone", "corrected", "judge_alone"):
        for ending in ("", "_standard_error", "_ci_low", "_ci_high"):
            dims, values = variables[f"{name}{ending}"]
            moves = 0.0 if ending == "_standard_error" else centre
            moved[f"{name}{ending}"] = (dims, np.asarray(values) * unit + moves)
    return moved


def _saved(result: Corrected, rated: float) -> float:
    """Return how many more rated items would make people alone as precise as the correction."""
    alone, corrected = result.alone.item_variance, result.corrected.item_variance
    if np.isnan(alone) or not corrected < alone:
        return alone - alone  # 0, or undefined
    return rated * (alone / corrected - 1) if corrected > 0 else np.inf


def _main(variables: Variables) -> np.ndarray:
    return np.isin(variables["measure"][1].astype(str), ["share", "mean"])


def _conclude(variables: Variables, rated: float) -> str:
    if rated >= float(variables["judged_items"][1]):
        return "all_rated"
    saved = variables["saved"][1][_main(variables)]
    return "worth" if (saved >= WORTH * rated).any() else "no_gain"


def _notes(
    ratings: Rated, sample: JudgedItems, rows: list[ScoreRow], judges: list[str], people: list[str]
) -> Iterator[Note]:
    unseen = [row.label for row in rows if not row.seen and row.measure == "share"]
    if unseen:
        yield Note("never_given", {"labels": [str(label) for label in unseen]}, "caution")
    row, _, annotator = ratings.codes.ratings()
    names = ratings.annotator_names.astype(str)
    by_people = np.unique(row[np.isin(names[annotator], people)])
    lost = np.setdiff1d(by_people, sample.judged)
    if len(lost):
        values = {"items": float(ratings.item_weight[lost].sum()), "names": judges}
        yield Note("not_judged", values)


def _notes_on_clusters(
    cluster: Integers | None, names: list[object], sample: JudgedItems
) -> Iterator[Note]:
    if cluster is None:
        return
    unseen = np.setdiff1d(cluster, cluster[sample.rated])
    if len(unseen):
        values = {
            "names": [str(names[code]) for code in unseen[:10]],
            "number": len(unseen),
            "all": len(np.unique(cluster)),
        }
        yield Note("clusters_unrated", values, "caution")
