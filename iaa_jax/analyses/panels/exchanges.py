"""Whether the best panels lead by more than annotators who are alike would let them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.panels.subsets import PanelRequest, rows_of_size
from iaa_jax.engine.drawing.within_items import WithinItems
from iaa_jax.engine.panels import PanelRows
from iaa_jax.engine.rows import Progress
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.family_wise import max_t
from iaa_jax.measure.resampling import cluster_codes

EXCHANGES = 199
"""Exchanges of all ratings among annotators."""

_FEWER = 99
"""The same of many annotators, whose panels take long."""

_MANY = 12


def exchanges_of(annotators: int) -> int:
    """How many there are."""
    return EXCHANGES if annotators < _MANY else _FEWER


_ROUNDING = 1e-12


def leads_of_exchanges(
    study: PanelRequest,
    run: PanelRows,
    panels: NDArray[np.bool_],
    options: IntervalOptions,
    progress: Progress | None,
) -> Floats:
    """The lead of the best panel of each size over all annotators, (size, exchange)."""
    tables = study.resolver.tables
    order = tables.drawing_order
    grid = tables.grid_codes.codes
    # whom and what is drawn follows names, wherever they stand
    numbered = np.arange(grid.shape[1])
    turn = numbered if order.annotators is None else np.argsort(order.annotators)
    places = np.arange(tables.codes.distinct) if order.codes is None else order.codes
    code_of = np.append(np.argsort(places), -1)
    ratings = _exchanged(study, options.random.cluster, np.append(places, -1)[grid[:, turn]])
    sizes = rows_of_size(panels.shape[1])
    number_of = exchanges_of(panels.shape[1])
    best = np.full((len(sizes), number_of), -np.inf)
    done = 0
    for drawn, rows in ratings.blocks(number_of, options.seed):
        codes = code_of[drawn][:, np.argsort(turn)]
        part, start = slice(done, done + len(rows)), 0
        for block in run.of_others(grid, codes, _laid_out(study, codes)).over(panels, rows):
            figures = np.where(np.isnan(block), -np.inf, block)
            for number, size in enumerate(sizes):
                own = figures[max(size.start - start, 0) : max(size.stop - start, 0)]
                leading = own.max(axis=0, initial=-np.inf)
                best[number, part] = np.maximum(best[number, part], leading)
            start += len(block)
        done += len(rows)
        if progress is not None:
            at = 2 * len(panels) + len(panels) * done // number_of
            progress(at, 3 * len(panels))
    best = np.where(np.isneginf(best), np.nan, best)
    return np.asarray(best[:-1] - best[-1])


def p_values(gain: Floats, leads: Floats) -> Floats:
    """For all sizes together: how often exchanges lead by as much, step by step.

    Leads are compared in standard deviations from their mean, the data's own included, so that no
    size counts more than another.
    """
    every = np.concatenate([gain[:, None], leads], axis=1)
    known = ~np.isnan(every)
    number = np.maximum(known.sum(axis=1), 1)
    centre = np.where(known, every, 0.0).sum(axis=1) / number
    away = every - centre[:, None]
    spread = np.sqrt(np.where(known, away**2, 0.0).sum(axis=1) / number)
    spread = np.where(spread < _ROUNDING, 0.0, spread)
    size = away[:, 0]
    # the law of a difference under exchange is not shifted by the one found
    at_once = max_t(size, spread, (size[:, None] + away[:, 1:]).T, 0.5, two_sided=False)
    adjusted = at_once.step_down
    # leads that no exchange moves show nothing
    return np.where(np.isnan(gain), np.nan, np.where(np.isnan(adjusted), 1.0, adjusted))


def _exchanged(study: PanelRequest, cluster: str | None, codes: Integers) -> WithinItems:
    """What is exchanged: patterns, or items where these have weights or belong together."""
    tables = study.resolver.tables
    count, pattern_of = tables.identified.count, tables.identified.pattern_of
    if cluster is not None:
        of_items, _ = cluster_codes(tables, cluster)
        return WithinItems(codes[pattern_of], tables.item_weight, of_items)
    if np.array_equal(count, np.rint(count)):
        shown = np.flatnonzero(count > 0)
        codes, count = codes[shown], count[shown]
    else:
        codes, count = codes[pattern_of], tables.item_weight
    order = np.lexsort((count, *codes.T[::-1]))
    return WithinItems(codes[order], count[order])


def _laid_out(study: PanelRequest, codes: Integers) -> Floats:
    """The ratings of any codes (row, annotator), as the coefficient takes them."""
    tables, problem = study.resolver.tables, study.problem
    measure = problem.measure
    if measure.compares:
        return tables.spans.data(measure, codes)
    known = tables.codes_of(measure).codes
    cells = np.full((tables.codes.distinct + 1, *problem.data.shape[2:]), np.nan)
    cells[known[known >= 0]] = problem.data[known >= 0]
    return np.asarray(cells[codes])
