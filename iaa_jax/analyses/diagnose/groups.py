"""A breakdown: coefficients in each group of items, or among each group of annotators."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax.data.groups import groups_of
from iaa_jax.engine import Problem, Table
from iaa_jax.engine.problem import Floats
from iaa_jax.measure.interval import IntervalLike, IntervalOptions
from iaa_jax.measure.items import resolver_of, weights_of_items, with_identities
from iaa_jax.measure.label_options import Distance, Weights
from iaa_jax.measure.request import CoefficientLike, Request, Resolver, names_of_request
from iaa_jax.measure.results import provenance_of, variables_of
from iaa_jax.measure.sampling import Places, Sampling, resampling_of
from iaa_jax.measure.tables import RatingTables
from iaa_jax.measure.uncertainty import as_sampled, check_undefined, measured


def agreement_by(
    ratings: xr.Dataset,
    by: str,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Coefficients in each group of items, or among the annotators of each group.

    A group is a weight of 1 for what belongs to it and 0 for all else: labels, and their number,
    stay those of all ratings. Replicates are drawn within the group.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with a coordinate along ``item`` (batch, topic, ...) or along ``annotator`` (kind
        of annotator, team, ...).
    by : str
        The name of that coordinate.
    coefficients : str, callable or sequence of them, optional
        Names from the catalogue, or functions of the kernels' shape; by default all that apply
        to the whole.
    weights, weights_on, level, distance, p, min_common, undefined
        See `iaa_jax.agreement`.
    interval, sampling, confidence, replicates, seed
        Of the intervals, over the items of each group: see `iaa_jax.agreement`.
    progress : callable, optional
        Called with the groups done and their number.

    Returns
    -------
    xarray.Dataset
        Along ``group`` and ``coefficient`` the variables of `iaa_jax.agreement`, and along
        ``group`` ``group_items``, ``group_pairable_items`` and ``group_ratings``. What has no
        group (missing, NaN, "") is the last group, "(none)".

    Raises
    ------
    IaaError
        If there is no such coordinate, or an option is unknown or does not fit the ratings.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"], ["b", "b"], ["a", "b"], ["b", "a"]])
    >>> ratings = ratings.assign_coords(batch=("item", [1, 1, 2, 2]))
    >>> found = iaa.agreement_by(ratings, "batch", "percent_agreement", interval=None)
    >>> found.group.values, found.estimate.values.ravel()
    (array(['1', '2'], dtype=object), array([1., 0.]))
    """
    options = IntervalOptions(interval, confidence, replicates, seed, sampling=sampling)
    options.check()
    check_undefined(undefined)
    resolver = resolver_of(ratings, weights, weights_on, level, distance, p, min_common)
    axis, names, member = groups_of(ratings, by)
    requests = [resolver.request(name) for name in names_of_request(coefficients, resolver)]
    for one in requests:
        if one.problem.measure.per_label:
            message = f"{one.name} has one figure a label: name coefficients with a single figure"
            raise IaaError(message)
        if axis == "annotator" and one.problem.measure.annotators == 2 and len(member) > 2:
            message = f"{one.name} takes two annotators: name another coefficient"
            raise IaaError(message)
    if axis == "annotator" and options.random.draws_annotators:
        message = f"annotators='random' draws among all annotators, and {by!r} divides them"
        raise IaaError(message)
    requests = as_sampled(requests, resolver, options)
    parts = _by_items if axis == "item" else _by_annotators
    columns: list[list[dict[str, Any]]] = []
    totals = []
    every = parts(resolver, requests, member, len(names))
    for done, (problems, counts, places) in enumerate(every, start=1):
        in_group = [
            replace(one, problem=problem) for one, problem in zip(requests, problems, strict=True)
        ]
        resampling = resampling_of(options.random, ratings, resolver.tables, places)
        found = measured(in_group, options, counts[1], resampling=resampling)
        columns.append(
            [
                variables_of(one, figures, undefined, options.method)
                for one, figures in zip(in_group, found, strict=True)
            ]
        )
        totals.append(counts)
        if progress is not None:
            progress(done, len(names))
    variables: dict[str, Any] = {
        name: (
            ("group", "coefficient"),
            np.array([[column[name] for column in row] for row in columns]),
        )
        for name in columns[0][0]
    }
    for place, name in enumerate(("group_items", "group_pairable_items", "group_ratings")):
        variables[name] = ("group", np.array([counts[place] for counts in totals]))
    coords = {"group": names, "coefficient": np.array([request.name for request in requests])}
    attrs = {**provenance_of(resolver.ratings, "agreement_by", options), "by": by, "axis": axis}
    return xr.Dataset(variables, coords, attrs)


_Part = tuple[list[Problem], tuple[float, float, float], Places]


def _by_items(
    resolver: Resolver, requests: Sequence[Request], member: NDArray[np.intp], groups: int
) -> Iterator[_Part]:
    tables = resolver.tables
    weight = weights_of_items(resolver.ratings)
    panel = (tables.identified.codes >= 0).sum(axis=1)
    for group in range(groups):
        inside = np.where(member == group, weight, 0.0)
        count = np.bincount(
            tables.identified.pattern_of, weights=inside, minlength=len(panel)
        ).astype(np.float64)
        count = np.where(panel > 0, count, 0.0)
        part = _Group(tables, count)
        totals = (float(inside.sum()), float(count[panel >= 2].sum()), float(count @ panel))
        problems = [part.problem(request.problem) for request in requests]
        yield problems, totals, part.places(member == group)


def _by_annotators(
    resolver: Resolver, requests: Sequence[Request], member: NDArray[np.intp], groups: int
) -> Iterator[_Part]:
    tables = resolver.tables
    problems = [with_identities(resolver, request.problem) for request in requests]
    places, count = tables.places, tables.identified_table.count
    whose = places.annotator_of
    if whose is None:
        whose = np.broadcast_to(np.arange(places.codes.shape[1]), places.codes.shape)
    for group in range(groups):
        weight = (member == group).astype(np.float64)
        inside = (places.codes >= 0) & (member[np.where(whose < 0, 0, whose)] == group)
        panel = inside.sum(axis=1)
        part = _Group(tables, np.where(panel > 0, count, 0.0))
        totals = (
            float(count[panel > 0].sum()),
            float(count[panel >= 2].sum()),
            float(count @ panel),
        )
        own = [replace(part.problem(problem), annotator_weight=weight) for problem in problems]
        yield own, totals, part.places(np.ones(len(tables.identified.pattern_of), dtype=bool))


class _Group:
    """The tables of some items: the patterns that they show, and their counts."""

    def __init__(self, tables: RatingTables, count: Floats) -> None:
        whole = tables.exchangeable
        coarse = np.bincount(whole.pattern_of, weights=count, minlength=len(whole.codes)).astype(
            np.float64
        )
        self._tables = tables
        self._of_exchangeable = _shown(coarse)
        self._of_identified = _shown(count)
        self._exchangeable = Table(coarse[self._of_exchangeable])
        number = np.zeros(len(coarse), dtype=np.intp)
        number[self._of_exchangeable] = np.arange(len(self._of_exchangeable))
        self._coarse_of = number[whole.pattern_of[self._of_identified]]
        self._identified = Table(count[self._of_identified], self._exchangeable, self._coarse_of)
        self._data: dict[int, Any] = {}

    def places(self, inside: NDArray[np.bool_]) -> Places:
        """The tables, and the place of each item's pattern in them; -1 for items outside."""
        number = np.full(len(self._tables.identified.codes), -1)
        number[self._of_identified] = np.arange(len(self._of_identified))
        fine = np.where(inside, number[self._tables.identified.pattern_of], -1)
        coarse = np.where(fine < 0, -1, self._coarse_of[fine])
        return [(self._exchangeable, coarse), (self._identified, fine)]

    def problem(self, problem: Problem) -> Problem:
        """The same coefficient on these items."""
        identified = problem.table is self._tables.identified_table
        rows = self._of_identified if identified else self._of_exchangeable
        # problems that share their arrays go on sharing them
        data = self._data.setdefault(id(problem.data), problem.data[rows])
        whose = problem.annotator_of
        if whose is not None:
            whose = self._data.setdefault(id(whose), whose[rows])
        return replace(
            problem,
            table=self._identified if identified else self._exchangeable,
            data=data,
            annotator_of=whose,
        )


def _shown(count: Floats) -> NDArray[np.intp]:
    """The patterns with an item; where there is none, one that no item shows."""
    found = np.flatnonzero(count > 0)
    return found if len(found) else np.zeros(1, dtype=np.intp)
