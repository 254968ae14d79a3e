"""Tests of one coefficient against chance: by a formula, an F test, or shuffled ratings.

Ratings are shuffled item by item, or document by document (a document is a cluster of items).
Shuffling item by item destroys correlation within documents, and so misjudges chance. Permuting
whole documents keeps it: an annotator's ratings of one document are swapped with the same
annotator's ratings of another document, with equally many items and the same missing ratings.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import exp, lgamma
from typing import NamedTuple

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Integers
from iaa_jax.data.drawing_order import places_by_name
from iaa_jax.data.patterns import Codes, identified_patterns
from iaa_jax.engine import Prepared
from iaa_jax.engine.drawing import Purpose, stream
from iaa_jax.engine.permutation import permute, shuffled_patterns
from iaa_jax.engine.problem import Problem
from iaa_jax.engine.route import over_rows
from iaa_jax.engine.rows import tell
from iaa_jax.kernels.icc_intervals import FInterval
from iaa_jax.measure.intervals.coverage import FEW_ITEMS
from iaa_jax.measure.intervals.standard_errors import by_formula
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resampling import cluster_codes
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.requests.studies import data_of_codes
from iaa_jax.wording import Note

NULLS = ("auto", "analytic", "permutation")
ALTERNATIVES = ("two-sided", "greater")

WITHIN = "permutation within annotators"
POOLED = "permutation of all ratings"
BY_CLUSTER = "permutation of clusters within annotators"
F_TEST = "F test"

MOST_SHUFFLED = 2 * 10**8
"""Maximum number of ratings that default permutations may move, all together."""

FEW_BY_CHANCE = 5
"""Minimum number of pairs of ratings expected to agree by chance on labels other than the
commonest, for a test by the normal distribution. With fewer, p-values of about .001 were found to
be up to ten times too small."""

_TOGETHER = 16

_LEAST_WAYS = 20
"""Minimum number of ways to permute documents (for p-values down to .05)."""


class ChanceTest(NamedTuple):
    """The test of one coefficient; the p-value is NaN if there is no test."""

    null_mean: float = math.nan
    null_standard_error: float = math.nan
    z: float = math.nan
    p_value: float = math.nan
    undefined_permutations: int = 0
    method: str = ""
    notes: tuple[Note, ...] = ()


class ChanceTestOptions(NamedTuple):
    """The options of a test."""

    null: str
    alternative: str
    permutations: int
    seed: int
    progress: Callable[[int, int], None] | None
    cluster: str | None = None


def has_no_formula(request: Request) -> bool:
    """Return whether a coefficient has neither a null standard error nor an F test."""
    return request.row is None or not (request.row.null_error or request.row.f_interval)


def prefers_formula(resolver: Resolver, identified: Request, how: ChanceTestOptions) -> Note | bool:
    """Return whether a formula is preferred to permutations; a note means yes, with the reason."""
    if how.null != "auto" or how.cluster is not None:
        return how.null == "analytic"
    if resolver.anonymous:
        return True
    problem = identified.problem
    if not _has_whole_weights(problem):
        return Note("form_of_weights", level="caution")
    shown = shuffled_patterns(problem, _codes_of(resolver, identified))
    if shown.numbers * how.permutations > MOST_SHUFFLED:
        values = {"ratings": shown.ratings, "permutations": how.permutations}
        return Note("form_of_many", values, "caution")
    return False


def _codes_of(resolver: Resolver, request: Request) -> Integers:
    """Return the codes of a coefficient's ratings, in the order of label names."""
    codes = resolver.tables.codes_of(request.problem.measure).codes
    places = resolver.tables.drawing_order.codes
    return codes if places is None else np.append(places, -1)[codes]


def by_null_formula(request: Request, estimate: float, how: ChanceTestOptions) -> ChanceTest:
    """Test by an F test or the first formula that applies; if none does, a note may say why."""
    from scipy.special import ndtr

    row = request.row
    if math.isnan(estimate):
        return ChanceTest()
    if row is not None and row.f_interval is not None:
        return _f_test(request.problem, row.f_interval, how)
    reasons: list[Note] = []
    few = _few_by_chance(request.problem)
    prefers_permutation = (
        few is not None and how.null == "auto" and _has_whole_weights(request.problem)
    )
    for name, form in ({} if row is None else row.null_error).items():
        error, reason = by_formula(form, request.problem)
        if reason or not error > 0 or prefers_permutation:
            values = {"form": name, "reason": reason or (few if error > 0 else Note("no_spread"))}
            reasons.append(Note("null_form_not_for", values))
            continue
        z = estimate / float(error)
        p_value = 2 * ndtr(-abs(z)) if how.alternative == "two-sided" else ndtr(-z)
        notes = [] if few is None else [few]
        if not request.problem.measure.identified:
            notes.append(Note("form_takes_annotators_alike", level="caution"))
        return ChanceTest(0.0, float(error), z, float(p_value), method=name, notes=tuple(notes))
    if how.null == "analytic" and not reasons:
        reasons = [Note("no_null_form")]
    return ChanceTest(notes=tuple(reasons[:1]))


def _few_by_chance(problem: Problem) -> Note | None:
    data, count = problem.data, problem.table.count
    if data.ndim < 3:
        return None
    rated = np.asarray(~np.isnan(data).any(axis=-1))
    ratings = rated.sum(axis=1)
    totals = count @ np.where(rated[..., None], data, 0.0).sum(axis=1)
    others = np.sort(totals / max(float(totals.sum()), 1e-300))[:-1]
    pairs = float(count @ (ratings * (ratings - 1) / 2)) * float(others @ others)
    items = float(count[ratings >= 2].sum())
    if items >= FEW_ITEMS and pairs >= FEW_BY_CHANCE:
        return None
    return Note("few_by_chance", {"items": items, "pairs": pairs}, "caution")


def _has_whole_weights(problem: Problem) -> bool:
    return bool(np.all(problem.table.count == np.rint(problem.table.count)))


def _f_test(
    problem: Problem, f_interval: Callable[..., FInterval], how: ChanceTestOptions
) -> ChanceTest:
    test = f_interval(problem.data, problem.table.count, 0.95)
    if math.isnan(test.f):
        return ChanceTest(notes=(Note("no_f_test"),))
    p_value = test.p_value
    if how.alternative == "two-sided":
        p_value = min(1.0, 2 * min(p_value, 1 - p_value))
    note = Note("f_value", {"f": test.f, "df1": test.df1, "df2": test.df2})
    return ChanceTest(0.0, p_value=p_value, method=F_TEST, notes=(note,))


def by_permutations(
    resolver: Resolver,
    requests: Sequence[Request],
    numbers: Sequence[float],
    how: ChanceTestOptions,
) -> list[ChanceTest]:
    """Test each coefficient by permutations."""
    if not _has_whole_weights(requests[0].problem):
        return [ChanceTest(notes=(Note("no_permutation_of_weights"),)) for _ in requests]
    if how.cluster is not None:
        rows = _permute_documents(resolver, requests, how, how.cluster)
    else:
        rows = permute(
            Prepared([request.problem for request in requests]),
            [_codes_of(resolver, request) for request in requests],
            permutations=how.permutations,
            seed=how.seed,
            progress=how.progress,
        )
    method = POOLED if resolver.anonymous else WITHIN if how.cluster is None else BY_CLUSTER
    notes = (Note("permuted_together"),) if resolver.anonymous else ()
    return [
        _test_by_shuffles(number, np.asarray(values, dtype=np.float64), how, method, notes)
        for number, values in zip(numbers, rows, strict=True)
    ]


def _test_by_shuffles(
    estimate: float, values: Floats, how: ChanceTestOptions, method: str, notes: tuple[Note, ...]
) -> ChanceTest:
    known = values[~np.isnan(values)]
    lost = len(values) - len(known)
    if lost:
        counts = {"undefined": lost, "permutations": len(values)}
        notes = (*notes, Note("undefined_permutations", counts))
    if not len(known):
        return ChanceTest(undefined_permutations=lost, notes=notes)
    all_values = np.append(known, estimate)
    tolerance = 1e-9 * max(1.0, float(np.abs(all_values).max()))
    if how.alternative == "two-sided":
        all_values = np.abs(all_values - all_values.mean())
    p_value = np.mean(all_values >= all_values[-1] - tolerance)
    mean = float(known.mean())
    spread = float(known.std(ddof=1)) if len(known) > 1 else math.nan
    z = (estimate - mean) / spread if spread > tolerance else math.nan
    if not spread > tolerance:
        notes = (*notes, Note("permuted_alike"))
    return ChanceTest(mean, spread, z, float(p_value), lost, method, notes)


def _permute_documents(
    resolver: Resolver,
    requests: Sequence[Request],
    how: ChanceTestOptions,
    cluster: str,
) -> list[Floats]:
    """Return estimates (permutation,) of each coefficient."""
    tables = resolver.tables
    order = tables.drawing_order
    grid = tables.grid_codes.codes[tables.identified.pattern_of]
    turn = np.arange(grid.shape[1]) if order.annotators is None else np.argsort(order.annotators)
    back = np.argsort(turn)
    groups = _groups(resolver, cluster, grid[:, turn])
    random = stream(how.seed, Purpose.SHUFFLED_DOCUMENTS)
    batches: list[list[Floats]] = [[] for _ in requests]
    done = 0
    while done < how.permutations:
        permuted = [_shuffled(random, grid[:, turn], groups)[:, back] for _ in range(_TOGETHER)]
        permuted = permuted[: how.permutations - done]
        number = len(permuted)
        patterns = identified_patterns(Codes(np.concatenate(permuted), tables.codes.distinct))
        size = len(patterns.codes)
        cells = patterns.pattern_of.reshape(number, -1) + size * np.arange(number)[:, None]
        rows = np.bincount(cells.reshape(-1), minlength=size * number)
        table = requests[0].problem.table.other(np.ones(size))
        problems = [
            replace(
                request.problem,
                table=table,
                ratings=data_of_codes(tables, request.problem)(patterns.codes),
                annotator_of=None,
            )
            for request in requests
        ]
        weights = rows.reshape(number, size).astype(np.float64)
        blocks = iter([(weights,)])
        batch = over_rows(Prepared(problems), [table], blocks, number)
        for of_request, values in zip(batches, batch, strict=True):
            of_request.append(np.asarray(values))
        done += number
        tell(how.progress, done, how.permutations)
    return [np.concatenate(of_request) for of_request in batches]


def _groups(resolver: Resolver, cluster: str, codes: Integers) -> list[tuple[int, Integers]]:
    """Return groups of documents among which an annotator's ratings may be permuted.

    Each group is an annotator and an array (document, item) of item indices.
    """
    tables = resolver.tables
    if not np.all(tables.item_weight == 1):
        raise IaaError("documents of items with weights cannot be permuted: leave the weights out")
    document, _ = cluster_codes(tables, cluster)
    places = places_by_name(tables.item_names)
    places = np.arange(len(document)) if places is None else places
    order = np.lexsort((places, document))
    documents = np.split(order, np.cumsum(np.bincount(document))[:-1])
    groups: list[tuple[int, Integers]] = []
    ways = np.zeros(codes.shape[1])
    for annotator, codes_of_annotator in enumerate(codes.T):
        exchangeable: dict[tuple[bool, ...], list[Integers]] = {}
        for items in documents:
            rated = codes_of_annotator[items] >= 0
            if rated.any():
                exchangeable.setdefault(tuple(rated.tolist()), []).append(items)
        for group in exchangeable.values():
            if len(group) > 1:
                groups.append((annotator, np.array(group)))
                ways[annotator] += lgamma(len(group) + 1)
    # the annotator with the most ways is not counted: only differences between annotators matter
    if exp(min(ways.sum() - ways.max(initial=0.0), 50.0)) < _LEAST_WAYS:
        raise IaaError(
            f"too few clusters by {cluster!r} have the same number of items rated by the same "
            "annotators, so that they cannot be permuted: see whether intervals of "
            "iaa_jax.agreement with this cluster contain 0"
        )
    return groups


def _shuffled(
    random: np.random.Generator, codes: Integers, groups: list[tuple[int, Integers]]
) -> Integers:
    drawn = codes.copy()
    for annotator, documents in groups:
        source = documents[random.permutation(len(documents))]
        drawn[documents, annotator] = codes[source, annotator]
    return drawn
