"""Ratings shuffled document by document: what chance makes of items that belong together.

An annotator who copies labels down a document gives the items of it labels that go together, and
so do documents of one topic. Item by item these are no ratings by chance; document by document they
are, where annotators do not agree: what an annotator said of a document is exchanged with what the
same annotator said of others, of as many items and with the same gaps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import exp, lgamma

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Integers
from iaa_jax.data.drawing_order import places_by_name
from iaa_jax.data.patterns import Codes, identified_patterns
from iaa_jax.engine import Prepared
from iaa_jax.engine.drawing import stream
from iaa_jax.engine.problem import PatternTable
from iaa_jax.engine.route import over_rows
from iaa_jax.engine.rows import Progress
from iaa_jax.measure.request import Request
from iaa_jax.measure.resampling import cluster_codes
from iaa_jax.measure.resolver import Resolver

_TOGETHER = 16
"""Permutations that are under way at once."""

_LEAST_WAYS = 20
"""Ways to exchange documents with which a p-value can be as low as .05."""

_SHUFFLED = 9
"""The key of these random numbers."""


def permute_documents(
    resolver: Resolver,
    requests: Sequence[Request],
    cluster: str,
    *,
    permutations: int,
    seed: int,
    progress: Progress | None = None,
) -> list[Floats]:
    """Estimates (permutation,) of each request, with each annotator's documents exchanged."""
    tables = resolver.tables
    order = tables.drawing_order
    grid = tables.grid_codes.codes[tables.identified.pattern_of]
    turn = np.arange(grid.shape[1]) if order.annotators is None else np.argsort(order.annotators)
    back = np.argsort(turn)
    groups = _groups(resolver, cluster, grid[:, turn])
    random = stream(seed, 0, 0, _SHUFFLED)
    found: list[list[Floats]] = [[] for _ in requests]
    done = 0
    while done < permutations:
        several = [_shuffled(random, grid[:, turn], groups)[:, back] for _ in range(_TOGETHER)]
        several = several[: permutations - done]
        patterns = identified_patterns(Codes(np.concatenate(several), tables.codes.distinct))
        size = len(patterns.codes)
        place = patterns.pattern_of.reshape(len(several), -1)
        place = place + size * np.arange(len(several))[:, None]
        rows = np.bincount(place.reshape(-1), minlength=size * len(several))
        table = PatternTable(np.ones(size))
        problems = [
            replace(
                request.problem,
                table=table,
                ratings=_laid_out(resolver, request, patterns.codes),
                annotator_of=None,
            )
            for request in requests
        ]
        weights = rows.reshape(len(several), size).astype(np.float64)
        blocks = iter([(weights,)])
        values = over_rows(Prepared(problems), [table], blocks, len(several))
        for own, each in zip(found, values, strict=True):
            own.append(np.asarray(each))
        done += len(several)
        if progress is not None:
            progress(done, permutations)
    return [np.concatenate(each) for each in found]


def _groups(resolver: Resolver, cluster: str, codes: Integers) -> list[tuple[int, Integers]]:
    """For each annotator, documents (document, item) that can be exchanged, in order of names."""
    tables = resolver.tables
    if not np.all(tables.item_weight == 1):
        message = "documents of items with weights cannot be exchanged: leave the weights out"
        raise IaaError(message)
    document, _ = cluster_codes(tables, cluster)
    places = places_by_name(tables.item_names)
    places = np.arange(len(document)) if places is None else places
    order = np.lexsort((places, document))
    documents = np.split(order, np.cumsum(np.bincount(document))[:-1])
    groups: list[tuple[int, Integers]] = []
    ways = np.zeros(codes.shape[1])
    for annotator, own in enumerate(codes.T):
        alike: dict[tuple[bool, ...], list[Integers]] = {}
        for items in documents:
            rated = own[items] >= 0
            if rated.any():
                alike.setdefault(tuple(rated.tolist()), []).append(items)
        for several in alike.values():
            if len(several) > 1:
                groups.append((annotator, np.array(several)))
                ways[annotator] += lgamma(len(several) + 1)
    # who is exchanged with whom counts: one annotator may as well stay
    if exp(min(ways.sum() - ways.max(initial=0.0), 50.0)) < _LEAST_WAYS:
        message = (
            f"too few clusters by {cluster!r} have the same number of items, rated by the same "
            "annotators, to be exchanged: intervals of iaa_jax.agreement with this cluster say "
            "whether 0 is in"
        )
        raise IaaError(message)
    return groups


def _shuffled(
    random: np.random.Generator, codes: Integers, groups: list[tuple[int, Integers]]
) -> Integers:
    drawn = codes.copy()
    for annotator, documents in groups:
        source = documents[random.permutation(len(documents))]
        drawn[documents, annotator] = codes[source, annotator]
    return drawn


def _laid_out(resolver: Resolver, request: Request, codes: Integers) -> Floats:
    """The ratings of any codes (pattern, annotator), as the coefficient takes them."""
    problem = request.problem
    known = resolver.tables.codes_of(problem.measure).codes
    cells = np.full((resolver.tables.codes.distinct + 1, *problem.data.shape[2:]), np.nan)
    cells[known[known >= 0]] = problem.data[known >= 0]
    return np.asarray(cells[codes])
