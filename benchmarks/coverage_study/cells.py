"""One cell: its data sets, their replicates, every interval, and how often each holds the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverage_study import drawing, populations, two_way
from coverage_study.designs import Design
from coverage_study.figures import Figures, figures_on
from iaa_jax.engine.precision import scope
from iaa_jax.kernels import intervals
from iaa_jax.kernels.intervals import Ends
from iaa_jax.measure import IntervalOptions, Sampling
from iaa_jax.measure.intervals.measurement import ONE_SIDED
from iaa_jax.measure.intervals.standard_errors import satterthwaite
from iaa_jax.measure.options.interval import SIMPLE
from iaa_jax.measure.options.resolved_interval import ResolvedInterval, resolve
from iaa_jax.measure.requests.spread import Bounds, Spread, Unanimity, ends_of, unanimous_lower_end

Floats = NDArray[np.floating]
Progress = Callable[[int, int], None]

_USUAL = resolve(IntervalOptions())
INTERVALS = {
    **{name: _USUAL.with_method(name) for name in (*SIMPLE, "studentized", "abc")},
    **{
        f"{name}, range": replace(_USUAL.with_method(name), on_unbounded_scale=True)
        for name in ("basic", "studentized", "normal", "t")
    },
    "bayesian": _USUAL.with_method("percentile"),
    "auto": _USUAL,
}
"""The intervals of the study: those that know nothing but the items seen."""

AUTOMATIC = "auto"
"""What the package takes where no kind of figure has an interval of its own."""

TWO_WAY = (AUTOMATIC, "percentile", "basic", "bca", "normal", "t", "normal, range", "t, range")
"""Those that can be had where annotators are drawn too."""

TOGETHER = 320_000
"""Cells (data set, replicate, place) that are worked on together: so many stay in a cache."""

BELOW, HELD, ABOVE, NONE, NO_FIGURE = -1, 0, 1, 2, 3
"""An interval lies below the truth, holds it, lies above it, or there is none, or no figure."""

_ROUNDING = 1e-9


@dataclass(frozen=True)
class Settings:
    """How much is simulated."""

    data_sets: int = 2000
    replicates: int = 999
    seed: int = 20_261_121


class Result(NamedTuple):
    """One interval of one coefficient on all data sets of a cell."""

    coefficient: str
    truth: float
    drawn: str
    interval: str
    confidence: float
    outcome: NDArray[np.int8]  # (data set,)
    width: Floats
    estimate: Floats
    undefined_replicates: Floats  # (data set,) share


class Facts(NamedTuple):
    """What anybody can count in a data set: arrays (data set,)."""

    pairable: Floats  # items with two ratings or more
    disagreeing: Floats  # of them, those with different labels
    rarest: Floats  # items with the label that the fewest items have
    informative: Floats  # pairable items but those all of whose ratings are the commonest label
    agreeing: Floats  # informative items whose ratings do not differ


class _Sets(NamedTuple):
    """The data sets of a cell, in one way to draw from them."""

    drawn: str
    data: drawing.DataSets
    degrees: Floats
    order: Any = None


def simulated(
    design: Design, settings: Settings, progress: Progress | None = None
) -> tuple[list[Result], Facts]:
    """All intervals of a cell, and the facts of its data sets."""
    draw = drawing.stream(settings.seed, design.name)
    codes, counts, truths, ways = _data_sets(design, settings, draw)
    facts = _facts(codes, counts, design.labels)
    figures = figures_on(design.coefficients, codes, design.labels, counts.sum(axis=0))
    results: list[Result] = []
    for way in ways(figures):
        units = np.minimum(way.degrees + 1, facts.pairable)
        results += _intervals(design, settings, figures, truths, way, units, draw, progress)
    if design.annotators_are == "random":
        results += _of_random_annotators(design, settings, figures, truths, codes, counts, draw)
    return results, facts


def truths_of(design: Design, shift: float) -> list[float]:
    """The coefficients of the population; of any two of all annotators, where they are drawn."""
    if design.annotators_are == "random":
        pair = replace(design, annotators=2, annotators_are="fixed")
        found = populations.population(pair, populations.mean_answers(design, shift))
    else:
        found = populations.of_fixed_annotators(design, shift)
    return figures_on(design.coefficients, found.codes, design.labels).truth(found.overall)


def _data_sets(design: Design, settings: Settings, draw: np.random.Generator) -> Any:
    """Patterns, counts (data set, pattern), the truths, and what is drawn for replicates."""
    shift = populations.shift_of(design)
    sets, truths = settings.data_sets, truths_of(design, shift)
    if design.annotators_are == "random":
        annotators = populations.random_annotators(design, sets, draw)
        answers = annotators.answers(shift, design.ordered)
        codes, probability = populations.random_probability(design, answers)
        counts = draw.multinomial(design.items, drawing.sure(probability))
        return codes, counts, truths, _by_items(counts)
    population = populations.of_fixed_annotators(design, shift)
    if not design.document:
        counts = draw.multinomial(design.items, drawing.sure(population.overall), size=sets)
        return population.codes, counts, truths, _by_items(counts)
    kinds, probability = population.kinds, population.probability
    by_document = drawing.documents(kinds, probability, design.items, design.document, sets, draw)
    counts = by_document.sum(axis=1)

    def ways(figures: Figures) -> Iterator[_Sets]:
        yield from _by_items(counts)(figures)
        rows = by_document @ figures.rows
        yield _Sets("documents", drawing.DataSets(np.ones(rows.shape[:2]), rows), _less_one(rows))

    return population.codes, counts, truths, ways


def _by_items(counts: Any) -> Callable[[Figures], Iterator[_Sets]]:
    def ways(figures: Figures) -> Iterator[_Sets]:
        yield _Sets("items", drawing.compressed(counts, figures.rows), counts.sum(axis=1) - 1.0)

    return ways


def _less_one(rows: Floats) -> Floats:
    return np.full(len(rows), rows.shape[1] - 1.0)


def _intervals(
    design: Design,
    settings: Settings,
    figures: Figures,
    truths: list[float],
    way: _Sets,
    units: Floats,
    draw: np.random.Generator,
    progress: Progress | None,
) -> list[Result]:
    from coverage_study import program

    count, rows = way.data.count, way.data.rows
    sets, number = len(count), settings.replicates
    of_figures = (figures.settings, figures.figures)
    with scope("float64"):
        wholes = program.on_data_sets(count, rows, *of_figures, design.confidences)
        wholes = [program.Whole(*(np.asarray(part) for part in whole)) for whole in wholes]
        together = max(1, min(sets, TOGETHER // (number * count.shape[1])))
        found: list[list[Result]] = []
        for start in range(0, sets, together):
            # the last part looks back, so that all parts have one shape
            begin = min(start, sets - together)
            part = slice(begin, begin + together)
            weights = drawing.replicates(count[part], number, draw)
            smooth = drawing.dirichlet(count[part], number, draw)
            replicated = program.on_replicates(weights, smooth, rows[part], *of_figures)
            kept = slice(start - begin, None)
            found.append([])
            for place, one in enumerate(replicated):
                whole = program.Whole(*(each[..., part] for each in wholes[place]))
                again = program.Replicated(*(np.asarray(each).T for each in one))
                own = _Own(way.drawn, way.degrees[part], units[part], *figures.of(place))
                for interval, confidence, ends in _ends(whole, again, own, design.confidences):
                    result = _judged(whole.estimate, ends, truths[place], again.replicates)
                    label = (figures.names[place], truths[place], way.drawn, interval, confidence)
                    found[-1].append(Result(*label, *(each[kept] for each in result)))
            if progress is not None:
                progress(min(start + together, sets), sets)
    return [_joined(parts) for parts in zip(*found, strict=True)]


class _Own(NamedTuple):
    """What intervals need beside estimates: how data sets are drawn from, and the figure."""

    drawn: str
    degrees: Floats
    units: Floats  # items with two ratings, or documents
    bounds: Bounds
    largest: float | None  # disagreement; None where it has no largest value

    def automatic(self) -> ResolvedInterval:
        cluster = None if self.drawn == "items" else "document"
        return resolve(IntervalOptions(sampling=Sampling(cluster)))


def _ends(
    whole: Any, again: Any, own: _Own, confidences: tuple[float, ...]
) -> Iterator[tuple[str, float, Ends]]:
    """Every interval of one figure on a few data sets, by the package's own functions."""
    spread = Spread(
        whole.standard_error, own.degrees, whole.skewness, again.replicates, again.errors
    )
    bias = intervals.bias_correction(whole.estimate, again.replicates)
    for place, confidence in enumerate(confidences):
        for name, how in INTERVALS.items():
            known = spread
            if name == "bayesian":
                known = replace(spread, replicates=again.bayesian)
            elif name == "abc":
                known = replace(spread, ends=Ends(*whole.abc[place]))
            elif name == AUTOMATIC:
                how = own.automatic()
            ends = ends_of(whole.estimate, known, how, own.bounds, confidence)
            if how.method == "bca":
                ends = _withheld(ends, bias)
            if name == AUTOMATIC and own.largest is not None:
                ends = _bounded(ends, whole, own, confidence)
            yield name, confidence, ends


def _bounded(ends: Ends, whole: Any, own: _Own, confidence: float) -> Ends:
    """The automatic interval as the package gives it where nothing disagrees."""
    perfect = whole.estimate > 1 - _ROUNDING
    step = own.largest / np.where(perfect, 1 - whole.expected, 1.0)
    low = unanimous_lower_end(Unanimity(own.units, step), confidence)
    return Ends(np.where(perfect, low, ends.low), np.where(perfect, whole.estimate, ends.high))


def _withheld(ends: Ends, bias: Floats) -> Ends:
    """BCa as the package gives it: none where nearly all replicates lie on one side."""
    return Ends(*(np.where(np.abs(bias) > ONE_SIDED, np.nan, end) for end in ends))


def _of_random_annotators(
    design: Design,
    settings: Settings,
    figures: Figures,
    truths: list[float],
    codes: Any,
    counts: Any,
    draw: np.random.Generator,
) -> list[Result]:
    """The intervals where annotators are drawn as well as items."""
    found: list[list[Result]] = []
    automatic = resolve(IntervalOptions(sampling=Sampling(annotators="random")))
    for part in two_way.parts(figures, codes, counts, design.labels, settings.replicates, draw):
        found.append([])
        for place, (estimate, over_items, over_annotators, skewness, replicates) in enumerate(part):
            degrees = satterthwaite(
                (over_items**2, over_annotators**2), (design.items - 1.0, design.annotators - 1.0)
            )
            error = np.hypot(over_items, over_annotators)
            spread = Spread(error, degrees, skewness, replicates)
            bias = intervals.bias_correction(estimate, replicates)
            for confidence in design.confidences:
                for name in TWO_WAY:
                    bounds = figures.bounds[place]
                    random = name == AUTOMATIC
                    interval = automatic if random else INTERVALS[name]
                    ends = ends_of(estimate, spread, interval, bounds, confidence)
                    ends = _withheld(ends, bias) if name == "bca" else ends
                    result = _judged(estimate, ends, truths[place], replicates)
                    way = "items and annotators"
                    label = (figures.names[place], truths[place], way, name, confidence)
                    found[-1].append(Result(*label, *result))
    return [_joined(parts) for parts in zip(*found, strict=True)]


def _judged(
    estimate: Floats, ends: Ends, truth: float, replicates: Floats
) -> tuple[NDArray[np.int8], Floats, Floats, Floats]:
    """On which side of the truth each interval lies, its width, and undefined replicates."""
    low, high = ends
    outcome = np.full(estimate.shape, HELD, dtype=np.int8)
    outcome[high < truth - _ROUNDING] = BELOW
    outcome[low > truth + _ROUNDING] = ABOVE
    outcome[np.isnan(low) | np.isnan(high)] = NONE
    outcome[np.isnan(estimate)] = NO_FIGURE
    return outcome, high - low, estimate, np.isnan(replicates).mean(axis=0)


def _joined(parts: tuple[Result, ...]) -> Result:
    arrays = (np.concatenate([part[place] for part in parts]) for place in range(5, 9))
    return Result(*parts[0][:5], *arrays)


def _facts(codes: Any, counts: Any, labels: int) -> Facts:
    rated = (codes >= 0).sum(axis=1)
    has = np.stack([(codes == label).any(axis=1) for label in range(labels)], axis=1)
    pairable = rated >= 2
    different = pairable & (has.sum(axis=1) > 1)
    ratings = np.stack([(codes == label).sum(axis=1) for label in range(labels)], axis=1)
    commonest = np.argmax(counts @ ratings, axis=1)
    unanimous = (pairable & ~different)[:, None] & has
    alike = np.take_along_axis(counts @ unanimous, commonest[:, None], axis=1)[:, 0]
    informative = counts @ pairable - alike
    differ = counts @ different
    rarest = (counts @ has).min(axis=1)
    return Facts(counts @ pairable, differ, rarest, informative, informative - differ)
