"""A coefficient over p, the share of the primary label, with pointwise and simultaneous bands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import REASONS, IaaError
from iaa_jax.analyses.doubles.item_classes import CLASS_NAMES, READINGS, Thresholds, classified
from iaa_jax.analyses.doubles.pairs import Doubles, grid_of, refuse_without_doubles
from iaa_jax.engine import Prepared
from iaa_jax.engine.precision import DType
from iaa_jax.engine.problem import Floats
from iaa_jax.engine.sweep import Sweep, Swept
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.measure.family import band_factor
from iaa_jax.measure.interval import PERCENTILES, SIMPLE, IntervalLike, IntervalOptions
from iaa_jax.measure.items import resolver_of
from iaa_jax.measure.label_options import Distance, Weights
from iaa_jax.measure.request import CoefficientLike, Resolver
from iaa_jax.measure.results import provenance_of
from iaa_jax.measure.uncertainty import pairs_behind, unsteady, with_interval
from iaa_jax.measure.words import note_text

_SAME = 1e-12
"""Figures that are so near are the same: rounding does not choose the maximum."""


def sweep(
    ratings: xr.Dataset,
    coefficient: CoefficientLike = "augmented_kappa",
    *,
    p: object = 51,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    min_common: int = 2,
    normalize: str = "none",
    pool: str = "pairs",
    undefined_pairs: str = "omit",
    tau: float = 0.05,
    high: float = 0.6,
    interval: IntervalLike = "auto",
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    dtype: DType = "float64",
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """A coefficient as p, the share of the primary label, goes from 0.5 to 1.

    At p = 1 secondary labels are ignored, at p = 0.5 both labels count the same. Every sum behind
    a coefficient is a polynomial in p, so that few p fix the whole curve; the same draws of items
    serve every p. Labels stay the same over the sweep: one that is used as a secondary label only
    still counts at p = 1.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with secondary labels.
    coefficient : str or callable
        A name from the catalogue, or a function of the kernels' shape (which is worked out at
        every p directly).
    p : int or sequence of float
        A number of points from 0.5 to 1, or the points.
    weights, weights_on, level, distance, min_common
        How labels agree, and the options of pairwise coefficients: see `iaa_jax.agreement`.
    normalize, pool, undefined_pairs
        Options of `iaa_jax.augmented_kappa`.
    tau, high : float
        Thresholds of the four classes of items: see `iaa_jax.doubles.item_classes`.
    interval, confidence, replicates, seed
        Of the pointwise interval, and of the band: see `iaa_jax.agreement`.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    progress : callable, optional
        Called with the replicates done and their number.

    Returns
    -------
    xarray.Dataset
        Along ``p`` (and ``label``, for one figure a label):

        - ``estimate``, ``observed``, ``expected``, ``code``, ``reason``;
        - ``standard_error``, ``ci_low``, ``ci_high``: at each p by itself;
        - ``band_low``, ``band_high``: for all p together. The band is the estimate and
          ``band_factor`` standard errors to each side, the quantile of the largest
          ``|replicate - estimate| / standard_error`` over the grid; where the interval reaches
          further (BCa is not symmetric), as far as that;
        - ``ceiling``, the observed agreement that the same ratings would reach if both annotators
          of each pair gave them, ``estimate_at_ceiling``, and the estimate as a share of that,
          ``share_of_ceiling`` (for two annotators what ``normalize="ceiling"`` gives). NaN for
          coefficients whose observed agreement is no plain mean over items or ratings (means over
          pairs of annotators other than augmented kappa, Hubert's kappa, your own).

        Without it: ``maximum`` and ``p_at_maximum`` (of equal ones the largest p), ``at_one``,
        ``at_half``, and ``change`` from p = 1 to 0.5 with its ``change_standard_error``,
        ``change_ci_low`` and ``change_ci_high``; ``doubles``, the number of ratings with two
        labels, and ``double_share``; ``class_count`` along ``reading`` and ``item_class``. The
        attributes say how it was made.

    Raises
    ------
    IaaError
        If nothing depends on p, or an option is unknown or does not fit the ratings.

    References
    ----------
    Rosenberg, A. and Binkowski, E. (2004). Augmenting the kappa statistic to determine
    interannotator reliability for multiply labeled data points. HLT-NAACL 2004, 77-80.
    https://doi.org/10.3115/1613984.1614004

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_long(
    ...     {
    ...         "item": [1, 1, 2, 2, 3, 3],
    ...         "annotator": ["x", "y"] * 3,
    ...         "label": ["a", "b", "b", "b", "c", "c"],
    ...         "secondary": ["b", "a", None, "a", "a", "a"],
    ...     },
    ...     secondary="secondary",
    ... )
    >>> curve = iaa.sweep(ratings, p=[0.5, 0.75, 1.0], interval=None)
    >>> curve.estimate.round(3).values, float(curve.p_at_maximum)
    (array([0.217, 0.355, 0.5  ]), 1.0)
    """
    options = IntervalOptions(interval, confidence, replicates, seed, dtype)
    options.check(SIMPLE, band=True)
    thresholds = Thresholds(tau, high)
    thresholds.check()
    points = grid_of(p)
    resolver = resolver_of(ratings, weights, weights_on, level, distance, 1.0, min_common)
    refuse_without_doubles(ratings, "the curve")
    variants = {"normalize": normalize, "pool": pool, "undefined_pairs": undefined_pairs}
    whole = _Whole(resolver, coefficient, variants, np.append(points, [0.5, 1.0]), dtype)
    spread = whole.spread(options, len(points), progress)
    doubles = Doubles(resolver)
    ceiling, at_ceiling = _ceilings(whole, doubles)
    counts = classified(doubles, thresholds).counts(doubles)
    return _wrapped(whole, spread, points, ceiling, at_ceiling, doubles, counts, options)


class _Whole:
    """The coefficient at every p of the grid, and at 0.5 and 1 behind it."""

    def __init__(
        self,
        resolver: Resolver,
        coefficient: CoefficientLike,
        variants: dict[str, str],
        p: Floats,
        dtype: DType,
    ) -> None:
        self.resolver, self.p = resolver, p
        self._coefficient = coefficient
        self.request = resolver.request(coefficient)
        row = self.request.row
        known = () if row is None else row.variants
        usual = {"normalize": "none", "pool": "pairs", "undefined_pairs": "omit"}
        if extra := [
            name for name in variants if name not in known and variants[name] != usual[name]
        ]:
            message = f"{self.request.name} has no option {extra[0]!r}"
            raise IaaError(message)
        self.variants = {name: value for name, value in variants.items() if name in known}
        self.request = resolver.request(coefficient, self.variants)
        degree = None if row is None else row.degree_in_p
        self.swept = Swept(Sweep(p, self._problem_at, degree), dtype)
        self.agreement = self.swept.estimates()

    def _problem_at(self, p: float) -> Any:
        if p == 1.0:
            return self.request.problem
        resolver = self.resolver
        at_p = Resolver(
            resolver.ratings, resolver.options, p, resolver.numbers, resolver.tables.at(p)
        )
        return at_p.request(self._coefficient, self.variants).problem

    def spread(
        self, options: IntervalOptions, points: int, progress: Callable[[int, int], None] | None
    ) -> _Spread:
        """Standard errors, intervals and the band."""
        estimate = np.asarray(self.agreement.estimate, dtype=np.float64)
        request = self.request
        pairs = pairs_behind(Prepared([request.problem]), request)
        pairable = self.resolver.tables.totals["pairable_items"]
        note = ""
        if options.interval is not None:
            note = note_text(filter(None, [unsteady(request, pairs)]))
            if pairable < 2:
                note = (
                    f"the items with two ratings weigh {pairable:g} together (weights are numbers "
                    "of items): no standard error and no interval"
                )
        if options.interval is None or note:
            return _Spread.nothing(estimate, note)
        drawn = self.swept.bootstrap(options.replicates, options.seed, progress)
        resampled = options.method in PERCENTILES
        parts, ends = [], []
        for place, gradient in self.swept.influences():
            part = Agreement(*(figure[place] for figure in self.agreement))
            part_drawn = drawn[:, place] if resampled else None
            parts.append(with_interval(request, part, gradient, part_drawn, pairs, options))
            behind = range(*place.indices(len(self.p)))
            ends += [gradient[at - place.start] for at in behind if at >= points]
        half, one = ends
        codes = np.maximum(self.agreement.code[-2], self.agreement.code[-1])
        observed, expected = (
            part[-2] - part[-1] for part in (self.agreement.observed, self.agreement.expected)
        )
        drawn_moved = drawn[:, -2] - drawn[:, -1] if resampled else None
        whole = with_interval(
            request,
            Agreement(estimate[-2] - estimate[-1], observed, expected, codes),
            half - one,
            drawn_moved,
            pairs,
            options,
        )
        error, low, high, undefined = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("standard_error", "low", "high", "undefined_replicates")
        )
        factor = band_factor(
            drawn[:, :points], estimate[:points], error[:points], options.confidence
        )
        notes = dict.fromkeys(note_text(part.notes) for part in parts if part.notes)
        return _Spread(
            error,
            low,
            high,
            undefined,
            factor,
            np.array([whole.standard_error, whole.low, whole.high]),
            "; ".join(notes),
        )


@dataclass(frozen=True)
class _Spread:
    """How sure the curve is."""

    standard_error: Floats  # (p, ...)
    low: Floats
    high: Floats
    undefined_replicates: NDArray[np.int64]
    band_factor: Floats  # (...)
    change: Floats  # (standard error and ends, ...)
    note: str

    @classmethod
    def nothing(cls, estimate: Floats, note: str) -> _Spread:
        """No interval."""
        nan = np.full(estimate.shape, np.nan)
        none = np.zeros(estimate.shape, dtype=np.int64)
        return cls(nan, nan, nan, none, nan[0], np.stack([nan[0]] * 3), note)


def _ceilings(whole: _Whole, doubles: Doubles) -> tuple[Floats, Floats]:
    """The observed agreement within reach (p, ...), and the estimate there."""
    own = whole.swept.ceilings()
    if own is not None:
        return own
    expected = np.asarray(whole.agreement.expected, dtype=np.float64)
    problem = whole.request.problem
    fixed_distances = whole.request.level != "ordinal"
    over = problem.measure.observed_over
    if expected.ndim > 1 or not fixed_distances or not over:
        nothing = np.full(expected.shape, np.nan)
        return nothing, nothing
    ceiling = 1 - whole.p * (1 - whole.p) * doubles.self_disagreement(problem.disagreement, over)
    with np.errstate(divide="ignore", invalid="ignore"):
        at_ceiling = (ceiling - expected) / (1 - expected)
    return ceiling, np.where(np.isnan(whole.agreement.estimate), np.nan, at_ceiling)


def _wrapped(
    whole: _Whole,
    spread: _Spread,
    points: Floats,
    ceiling: Floats,
    at_ceiling: Floats,
    doubles: Doubles,
    counts: Floats,
    options: IntervalOptions,
) -> xr.Dataset:
    grid = slice(0, len(points))
    request, agreement = whole.request, whole.agreement
    further = ("label",) if request.problem.measure.per_label else ()
    estimate = np.asarray(agreement.estimate, dtype=np.float64)
    code = np.asarray(agreement.code).astype(np.int64)
    reason = np.vectorize(REASONS.__getitem__, otypes=[object])(code).astype(str)
    half_width = spread.band_factor * spread.standard_error
    along = {
        "estimate": estimate,
        "observed": agreement.observed,
        "expected": agreement.expected,
        "standard_error": spread.standard_error,
        "ci_low": spread.low,
        "ci_high": spread.high,
        "band_low": np.fmin(estimate - half_width, spread.low),
        "band_high": np.fmax(estimate + half_width, spread.high),
        "ceiling": ceiling,
        "estimate_at_ceiling": at_ceiling,
        "share_of_ceiling": _shares(estimate, at_ceiling),
        "code": code,
        "reason": reason,
        "undefined_replicates": spread.undefined_replicates,
    }
    variables: dict[str, Any] = {
        name: (("p", *further), np.asarray(figure)[grid]) for name, figure in along.items()
    }
    maximum, place = _maximum(estimate[grid])
    once = {
        "maximum": maximum,
        "p_at_maximum": np.where(np.isnan(maximum), np.nan, points[place]),
        "at_one": estimate[-1],
        "at_half": estimate[-2],
        "change": estimate[-2] - estimate[-1],
        "change_standard_error": spread.change[0],
        "change_ci_low": spread.change[1],
        "change_ci_high": spread.change[2],
        "band_factor": spread.band_factor,
    }
    variables |= {name: (further, figure) for name, figure in once.items()}
    share = doubles.ratings_with_two / doubles.ratings
    variables |= {"doubles": doubles.ratings_with_two, "double_share": share}
    variables["class_count"] = (("reading", "item_class"), counts)
    coords: dict[str, Any] = {
        "p": points,
        "reading": np.array(READINGS),
        "item_class": np.arange(1, 5),
        "class_name": ("item_class", np.array(CLASS_NAMES)),
    }
    if further:
        coords["label"] = whole.resolver.tables.labels
    attrs = {
        "coefficient": request.name,
        "weights": request.used,
        "note": "; ".join(note for note in (note_text(request.notes), spread.note) if note),
        "class_chance": doubles.chance_name,
        "at_every_p_directly": int(whole.swept.directly),
        **whole.variants,
        **provenance_of(whole.resolver.ratings, "sweep", options),
    }
    return xr.Dataset(variables, coords, attrs)


def _shares(estimate: Floats, at_ceiling: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        found = estimate / at_ceiling
    return np.where(np.isfinite(found), found, np.nan)


def _maximum(estimate: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """The largest figure, and the last place of it."""
    known = np.where(np.isnan(estimate), -np.inf, estimate)
    highest = known.max(axis=0)
    last = len(known) - 1 - np.argmax(known[::-1] >= highest - _SAME, axis=0)
    return np.where(np.isinf(highest), np.nan, highest), last
