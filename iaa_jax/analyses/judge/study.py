"""The alternative annotator test: whether a judge, such as a model, may replace people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._types import Floats, Variables
from iaa_jax.analyses.judge import declared
from iaa_jax.analyses.judge.comparing import (
    EXCLUDED,
    check_epsilon,
    check_judges,
    check_score,
    compared,
    judged_alone,
)
from iaa_jax.analyses.judge.pairs import agreement_by_pairs, why_not_by_pairs
from iaa_jax.analyses.judge.testing import (
    ENOUGH,
    AlternativeAnnotatorTest,
    power_of,
    rate_ends,
    replicates_of,
)
from iaa_jax.data.kind import Kind
from iaa_jax.engine import PatternTable
from iaa_jax.engine.rows import Progress
from iaa_jax.kernels.judging import UnitSums, compare
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.intervals.pseudo_item import farther_ends
from iaa_jax.measure.options.declared import Share, Whole, keeps_empty_annotators
from iaa_jax.measure.options.interval import SIMPLE
from iaa_jax.measure.options.requirements import Each, Intervals, check_replicates_of, requires
from iaa_jax.measure.options.resolved_interval import resolve
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import without_verdict
from iaa_jax.measure.requests.resampling import cluster_codes
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.requests.studies import one_coefficient
from iaa_jax.measure.results import provenance_of_figures, result_dataset
from iaa_jax.measure.shared.closeness import has_numbers
from iaa_jax.measure.shared.named_annotators import people_besides
from iaa_jax.wording import Note
from iaa_jax.wording.figures import gives

EPSILON = (0.1, 0.0, 0.05, 0.15, 0.2, 0.25, 0.3)
"""Default values of epsilon, the main one first."""

SIZES = (50, 100, 200, 400, 800)
POWER_DRAWS = 512


@public
@keeps_empty_annotators
@requires(
    *EXCLUDED,
    options=Intervals(SIMPLE, sampling=("cluster",)),
    false_discovery_rate=Share(),
    min_items=Whole(2),
    items=Each(Whole(2)),
)
@gives(declared)
def judge(
    ratings: Rated,
    judges: str | Sequence[str],
    coefficient: CoefficientLike | None = None,
    *,
    epsilon: float | Sequence[float] = EPSILON,
    false_discovery_rate: float = 0.05,
    min_items: int = 30,
    score: str | None = None,
    margin: float = 0.1,
    items: Sequence[int] = SIZES,
    replicates: int = IntervalOptions.replicates,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions, "sampling", "confidence", "seed", "device"),
    progress: Progress | None = None,
) -> xr.Dataset:
    """Test whether a judge may replace people: the alternative annotator test.

    Each person a is left out in turn. On every item, the judge and the person are scored against
    the other people. The judge's advantage ``rho_f`` is the share of items on which the judge is at
    least as close to them as person a is; ``rho_a`` is the share on which the person is at least as
    close as the judge. Because a judge costs less than a person, it beats person a if ``rho_f >
    rho_a - epsilon``, by a one-sided paired t-test with Benjamini and Yekutieli's control of false
    discoveries over all people. The judge's winning rate is the share of people that it beats; it
    passes if this share is at least 1/2.

    The result also has the judge's agreement with people, as the mean of a coefficient over all
    pairs (unless there are more than 2,000), and people's agreement with each other, which no judge
    needs to exceed.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings of the judges and of two people or more, as the constructors and `iaa_jax.read`
        return them: one label, soft or two labels, sets of labels, or numbers.
    judges : str or sequence of str
        Which of the annotators are judges, such as models; all others are people.
    coefficient : str or callable, optional
        The coefficient for agreement by pairs; Krippendorff's alpha by default.
    epsilon : float or sequence of float
        How much better than the judge a person may be. The conclusion is about the first value.
        The test's authors suggest 0.1 against crowd workers, 0.15 against skilled annotators and
        0.2 against experts.
    false_discovery_rate : float
        Largest expected share of false wins among the people that a judge is said to beat.
    min_items : int
        Minimum number of items (or clusters) in common for a judge to be tested against a person.
    score : {"match", "distance"}, optional
        The measure of how close two ratings are; by default "distance" if ratings are numbers, and
        "match" otherwise. "match", for labels, is 1 if they are the same; for soft or two labels it
        is the probability that they share, and for sets of labels the share of labels in common
        (Jaccard). With "distance", for numbers and labels in order, the rating with the smaller
        root mean square difference from the others' ratings is closer; labels that are no numbers
        count by their ranks.
    margin : float
        Non-inferiority margin: how much less a judge may agree with people than people agree with
        each other.
    items : sequence of int
        Numbers of items for which the power is computed.
    replicates : int
        Number of bootstrap replicates over items, for intervals and power; 0 for none.
    label_options : LabelOptions
    options : IntervalOptions
        With clusters of items, t-tests are over clusters.
    progress : callable, optional
        Called with the number of replicates computed so far, and their total.

    Returns
    -------
    xarray.Dataset
        Along ``judge``:

        JUDGES

        Along ``judge`` and ``epsilon``; the last variable is also along ``size``:

        BY_EPSILON

        Along ``judge`` and ``person``; the last two variables are also along ``epsilon``:

        BY_PERSON

        Along ``person``, except the last variable, which is for all people together:

        PEOPLE

        Intervals of the coefficient are from paired replicates: the judge's agreement and the
        people's are computed with the same resampled items. Each end is from a normal interval
        (Student's over clusters), or from percentiles if their end is farther from the estimate.

        The attribute ``conclusion`` is "all" (every judge passes), "some", "none" or "untested".
        ``judged_alone`` counts the items that every judge rated and no person. ``on_ranks`` is 1 if
        distances are between ranks of labels. ``constant`` is the rating that is closest to
        people's on average.

    Raises
    ------
    IaaError
        If ratings are spans or counts without annotators, judges are unknown, fewer than two people
        remain, or an option does not fit.

    References
    ----------
    Calderon, N., Reichart, R. and Dror, R. (2025). The alternative annotator test for LLM-as-a-
    judge: how to statistically justify replacing human annotators with LLMs. ACL 2025.
    https://doi.org/10.18653/v1/2025.acl-long.782
    Benjamini, Y. and Yekutieli, D. (2001). The control of the false discovery rate in multiple
    testing under dependency. Annals of Statistics 29(4). https://doi.org/10.1214/aos/1013699998

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> import pandas as pd
    >>> rows = [["a", "a", "a", "a"], ["b", "b", "b", "b"], ["a", "b", "a", "a"]] * 12
    >>> people_and_model = iaa.from_wide(pd.DataFrame(rows, columns=["ann", "ben", "cy", "model"]))
    >>> result = iaa.judge(people_and_model, "model", replicates=0)
    >>> result.winning_rate.sel(judge="model", epsilon=0.1).item()
    1.0
    """
    resolver = Resolver(ratings, label_options)
    names = check_judges(ratings, judges)
    near_misses = score is None and resolver.counts_near_misses
    score = check_score(resolver, score)
    grid = check_epsilon(epsilon)
    check_replicates_of(options, replicates)
    annotators = [str(name) for name in ratings.annotator_names.tolist()]
    of_judges = np.array([annotators.index(name) for name in names])
    people = people_besides(ratings, names)
    of_people = np.array([annotators.index(name) for name in people])
    again = [name for name in annotators if name not in (*names, *people)]
    cluster = options.random.cluster
    clusters = None if cluster is None else cluster_codes(ratings, cluster)[0]
    sums, of_constant, count, constant = compared(
        resolver.tables, of_judges, of_people, score, clusters
    )
    comparison = compare(sums, count)
    table = ratings.exchangeable_table.other(count)
    sorted_grid = np.unique(grid)
    test = AlternativeAnnotatorTest(
        sorted_grid, false_discovery_rate, comparison.units >= min_items
    )
    at = int(np.searchsorted(sorted_grid, grid[0]))
    p_value = test.p_values(comparison)
    winning_rate = test.winning_rate(comparison)
    conclusion = np.where(winning_rate[:, at] >= ENOUGH, "passes", "fails")
    conclusion = np.where((conclusion == "passes") & _few_tested(test), "few_tested", conclusion)
    conclusion = np.where(np.isnan(winning_rate[:, at]), "untested", conclusion)
    variables: Variables = {
        "winning_rate": (("judge", "epsilon"), winning_rate),
        "passes": (("judge", "epsilon"), winning_rate >= ENOUGH),
        "constant_winning_rate": (
            ("judge", "epsilon"),
            test.winning_rate(compare(of_constant, count)),
        ),
        "conclusion": ("judge", conclusion.astype(object)),
        "p_value": (("judge", "person", "epsilon"), p_value),
        "beaten": (("judge", "person", "epsilon"), test.rejected(p_value)),
        "tested": (("judge", "person"), test.tested),
        "advantage": (("judge", "person"), comparison.advantage),
        "advantage_of_person": (("judge", "person"), comparison.advantage + comparison.difference),
        "items_compared": (("judge", "person"), np.tensordot(count, sums.items, axes=1)),
        "units_compared": (("judge", "person"), comparison.units),
        **_uncertain(test, sums, table, replicates, options, progress),
        **_power(test, sums, count, items, min_items, replicates, options),
    }
    request = one_coefficient(resolver, coefficient)
    why_not = why_not_by_pairs(resolver, request, of_judges, of_people)
    if why_not is None:
        variables |= agreement_by_pairs(
            resolver, request, of_judges, of_people, margin, replicates, options
        )
    attrs: dict[str, object] = {
        **provenance_of_figures(
            resolver,
            "judge",
            [request],
            notes=[
                *request.notes,
                *_notes(variables, people, again),
                *(() if why_not is None else (why_not,)),
                *_models_among(people),
                *(_near_misses(resolver) if near_misses and score == "match" else ()),
            ],
            clusters=None if clusters is None else len(count),
        ),
        **resolve(options).draw_attrs(precision=False),
        "replicates": replicates,
        "confidence": options.confidence,
        "coefficient": request.name,
        "weights": request.used,
        "epsilon": float(grid[0]),
        "false_discovery_rate": false_discovery_rate,
        "min_items": min_items,
        "score": score,
        "constant": constant,
        "on_ranks": int(score == "distance" and not has_numbers(resolver.tables)),
        "margin": margin,
        "power_draws": POWER_DRAWS if replicates else 0,
        "judged_alone": judged_alone(resolver.tables, of_judges),
        "conclusion": _conclude(variables["conclusion"][1].tolist()),
    }
    coords: dict[str, Any] = {
        "judge": np.array(names, dtype=object),
        "person": np.array(people, dtype=object),
        "epsilon": sorted_grid,
        "size": np.array(items, dtype=np.int64),
    }
    own: Variables = {
        name: ("person", values[of_people])
        for name, (_, values) in ratings.along("annotator").items()
        if name != "annotator"
    }
    return without_verdict(result_dataset(variables, own, attrs, coords))


def _few_tested(test: AlternativeAnnotatorTest) -> NDArray[np.bool_]:
    """Tell for which judges too few people could be tested for a pass to count."""
    return np.asarray(2 * test.tested.sum(axis=1) < test.tested.shape[1])


def _conclude(conclusions: list[str]) -> str:
    if all(conclusion == "untested" for conclusion in conclusions):
        return "untested"
    passing = conclusions.count("passes")
    return "all" if passing == len(conclusions) else ("some" if passing else "none")


def _uncertain(
    test: AlternativeAnnotatorTest,
    sums: UnitSums,
    table: PatternTable,
    replicates: int,
    options: IntervalOptions,
    progress: Progress | None,
) -> Variables:
    comparison = compare(sums, table.count)
    advantage, least = test.mean_advantage(comparison), test.least_epsilon(comparison)
    judges, width = len(advantage), len(test.epsilon)
    wins, ends = np.full((2, judges, width), np.nan), np.full((2, 2, judges), np.nan)
    again = np.full((judges, width), np.nan)
    if replicates:
        drawn = replicates_of(test, sums, table, replicates, options.seed, progress)
        known = test.tested.any(axis=1)
        figures = ((advantage, drawn.advantage), (least, drawn.least_epsilon))
        for index, (estimate, rows) in enumerate(figures):
            ends[index] = farther_ends(estimate, options.confidence, rows)
        people = test.tested.sum(axis=1)
        for judge in np.flatnonzero(known):
            for at, rates in enumerate(drawn.winning_rate[:, judge].T):
                rate = test.winning_rate(comparison)[judge, at]
                wins[:, judge, at] = rate_ends(rate, int(people[judge]), rates, options.confidence)
        again[known] = (drawn.winning_rate[:, known] >= ENOUGH).mean(axis=0)
    return {
        "advantage_probability": ("judge", advantage),
        "advantage_probability_ci_low": ("judge", ends[0, 0]),
        "advantage_probability_ci_high": ("judge", ends[0, 1]),
        "least_epsilon": ("judge", least),
        "least_epsilon_ci_low": ("judge", ends[1, 0]),
        "least_epsilon_ci_high": ("judge", ends[1, 1]),
        "winning_rate_ci_low": (("judge", "epsilon"), wins[0]),
        "winning_rate_ci_high": (("judge", "epsilon"), wins[1]),
        "pass_probability": (("judge", "epsilon"), again),
    }


def _power(
    test: AlternativeAnnotatorTest,
    sums: UnitSums,
    count: Floats,
    sizes: Sequence[int],
    min_items: int,
    replicates: int,
    options: IntervalOptions,
) -> Variables:
    items = float(count @ (sums.items.max(axis=(1, 2)) if sums.items.size else count))
    units = compare(sums, count).units
    figures = np.full((len(units), len(test.epsilon), len(sizes)), np.nan)
    for number, size in enumerate(sizes if replicates and items else ()):
        drawn = max(round(size * float(count.sum()) / items), 1)
        enough = replace(test, tested=units * drawn / count.sum() >= min_items)
        known = ~_few_tested(enough)
        power = power_of(enough, sums, count, drawn, POWER_DRAWS, options.seed)
        figures[..., number] = np.where(known[:, None], power, np.nan)
    return {"power": (("judge", "epsilon", "size"), figures)}


_MODEL = re.compile(
    r"gpt|claude|llama|gemini|gemma|mi[sx]tral|qwen|deepseek|\bllm|\bmodel|\bbot\b|[-_]\d+b\b",
    re.IGNORECASE,
)
"""Texts that occur in the names of models."""


def _models_among(people: Sequence[str]) -> Iterator[Note]:
    models = [name for name in people if _MODEL.search(name)]
    if models:
        values = {"names": models, "number": len(models)}
        yield Note("models_among_people", values, "caution")


def _near_misses(resolver: Resolver) -> Iterator[Note]:
    """Yield a caution on near misses between labels, which a match does not count."""
    if resolver.tables.kind is Kind.LABELS:
        in_order = resolver.tables.labels_in_order
        yield Note("exact_only" if in_order else "exact_only_of_names", {}, "caution")


def _notes(variables: Variables, people: list[str], again: list[str]) -> Iterator[Note]:
    tested = np.atleast_1d(variables["tested"][1].any(axis=0))
    if again:
        yield Note("further_ratings_left_out", {"names": again})
    if len(people) == 2:
        yield Note("two_people", {"names": people}, "caution")
    lost = [name for name, seen in zip(people, tested.tolist(), strict=True) if not seen]
    if lost:
        yield Note("people_untested", {"names": lost, "people": len(people)}, "caution")
