"""The study of missing ratings: how a coefficient depends on their agreement."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import xarray as xr

from iaa_jax._checks import MOST_DRAWS, is_number
from iaa_jax._errors import OptionError
from iaa_jax._types import Floats, Variables
from iaa_jax.analyses.missing import declared
from iaa_jax.analyses.missing.extremes import (
    GappedRows,
    draw,
    extremes,
    grid_of,
    pair_bounds,
    reliability_at,
    shares_of,
)
from iaa_jax.data.kind import Kind
from iaa_jax.data.patterns import Codes
from iaa_jax.engine.drawing import Purpose, stream
from iaa_jax.engine.rows import Progress, tell
from iaa_jax.kernels.intervals import student_t
from iaa_jax.measure import Interval, IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.intervals.measurement import Measurement
from iaa_jax.measure.intervals.uncertainty import measure_requests
from iaa_jax.measure.options.declared import Whole, keeps_empty_annotators
from iaa_jax.measure.options.requirements import Excluded, requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import without_verdict
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.requests.spread import Bounds
from iaa_jax.measure.requests.studies import DEFAULT, one_coefficient
from iaa_jax.measure.results import provenance_of_figures, result_dataset
from iaa_jax.measure.shared.full_sample import measure_full_sample
from iaa_jax.measure.shared.gaps import note_on_whose_gaps
from iaa_jax.wording import Note, named
from iaa_jax.wording.figures import gives

MOST_STEPS = 500


@public
@keeps_empty_annotators
@requires(
    Excluded("spans", "only ratings of items by annotators can be missing", "use iaa_jax.span_f1"),
    Excluded(
        "crowds",
        "nearly all ratings are missing by design",
        "name some of them with keep_annotators, or give the probabilities of being rated to "
        "iaa_jax.missing.inverse_probability",
    ),
    points=Whole(1, MOST_STEPS),
    imputations=Whole(2, MOST_DRAWS),
)
@gives(declared)
def missing(
    ratings: Rated,
    coefficient: CoefficientLike | None = None,
    *,
    above: float | None = None,
    points: int = 10,
    imputations: int = 20,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions, "confidence", "seed", "device"),
    progress: Progress | None = None,
) -> xr.Dataset:
    """Estimate how far missing ratings would have to differ for the conclusion to change.

    A coefficient uses the observed ratings, as if missing ratings agreed as much. Here every gap in
    the table of items and annotators is filled many times. At ``delta = 0``, missing ratings are
    like the observed ones: a missing rating copies one of the n ratings that its item has so far,
    observed or filled in, with probability ``n r / (n r + 1 - r)``, and is drawn from all ratings
    otherwise; r is Krippendorff's alpha, clipped to 0 and 1. With this urn scheme, pairs with a
    missing rating disagree, on average, as much as observed pairs: ``1 - r`` times the disagreement
    by chance, for any distance. For delta above 0, a share delta of the missing ratings is drawn
    from all ratings, whatever the item. For delta below 0, a share ``-delta`` follows the majority
    of the item (for numbers, the lower median). So delta runs from -1, where all missing ratings
    agree, to 1, where none agrees beyond chance. Each delta is a model of its own (a pattern
    mixture), and the ratings cannot show which model holds.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` return them; neither spans nor ratings of a
        crowd, which are stored by slot (see `iaa_jax.data.in_slots`).
    coefficient : str or callable, optional
        The name of a coefficient with a single estimate, or a function with the signature of those
        in `iaa_jax.kernels`; Krippendorff's alpha by default.
    above : float, optional
        The level with which the coefficient is compared, if any.
    points : int
        Number of values of delta on each side of 0.
    imputations : int
        Number of fillings at each delta; all deltas share the same random numbers.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the number of finished coefficients and their total.

    Returns
    -------
    xarray.Dataset
        Along ``delta``:

        CURVE

        As scalars (between values of delta, the curve is interpolated linearly):

        SCALARS

        ``as_rated`` has the interval of `iaa_jax.agreement`; the attribute ``as_rated_interval`` is
        its kind.

        The attribute ``conclusion`` is "complete" (no gaps), "undefined" (the coefficient of the
        observed ratings is undefined), or, without ``above``, "filled". With ``above``, the
        attribute ``claim`` states what the observed ratings support: "low" (the lower end reaches
        ``above``), "estimate" (only the estimate does) or "below" (not even the estimate does). The
        ``conclusion`` is then "holds" (the claim is true at every delta), "tips" (at some) or
        "fails" (at none). ``extremes_cross`` is 1 if the lowest coefficient that was found
        (``least``), or for "below" the highest (``greatest``), contradicts the claim. Deliberate
        disagreement is not covered by delta, but by ``least``.

    Raises
    ------
    IaaError
        If the ratings are spans or stored by slot, or an option does not fit them.

    References
    ----------
    Rubin, D. B. (1976). Inference and missing data. Biometrika 63(3).
    https://doi.org/10.1093/biomet/63.3.581
    Little, R. J. A. (1993). Pattern-mixture models for multivariate incomplete data. Journal of the
    American Statistical Association 88(421). https://doi.org/10.1080/01621459.1993.10594302
    Barnard, J. and Rubin, D. B. (1999). Small-sample degrees of freedom with multiple imputation.
    Biometrika 86(4). https://doi.org/10.1093/biomet/86.4.948
    Cro, S., Carpenter, J. R. and Kenward, M. G. (2019). Information-anchored sensitivity analysis.
    Journal of the Royal Statistical Society A 182(2). https://doi.org/10.1111/rssa.12423
    Manski, C. F. (2003). Partial identification of probability distributions. Springer.
    https://doi.org/10.1007/b97478

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = [["a", "a", None], ["b", "b", "b"], ["a", "a", "a"], ["b", None, "b"]] * 12
    >>> result = iaa.missing(iaa.from_wide(rows + [["a", "b", "b"]]), above=0.8)
    >>> result.attrs["claim"], result.attrs["conclusion"], int(result.gaps)
    ('low', 'tips', 24)
    >>> bool(0 < result.tipping_low < result.tipping_estimate < 1)
    True
    """
    if above is not None and not (is_number(above) and np.isfinite(above)):
        raise OptionError(f"{named('above')} must be a number, not {above!r}")
    resolver = Resolver(ratings, label_options)
    request = one_coefficient(resolver, coefficient)
    grid = grid_of(resolver.tables)
    plain = _figure(resolver, request)
    (as_rated,) = measure_full_sample(resolver, [request], options)
    ends = _ends_of(plain, as_rated)
    delta = np.linspace(-1, 1, 2 * points + 1)
    gaps = float(grid.gaps.sum(axis=1) @ grid.weight)
    whose = note_on_whose_gaps(ratings)
    notes = [*request.notes, *([] if whose is None else [whose])]
    if not gaps or np.isnan(plain.estimate):
        figures = {name: np.full(len(delta), value) for name, value in ends.items()}
        figures |= {"monte_carlo_error": np.zeros(len(delta))}
        figures |= {"undefined": np.zeros(len(delta), dtype=np.int64)}
        least = greatest = plain.estimate if not gaps else np.nan
    else:
        model = _Model(resolver, request, grid, coefficient, label_options)
        drawn = model.figures(delta, imputations, options.seed, progress)
        figures = _pooled(drawn, ends, request.bounds, options)
        reached = extremes(resolver.tables, grid, coefficient, label_options)
        if reached is None:
            notes.append(Note("too_many_ways"))
        least, greatest = reached or (np.nan, np.nan)
        if figures["undefined"].any():
            most = int(figures["undefined"].max())
            notes.append(Note("undefined_fillings", {"most": most, "of": imputations}, "caution"))
    level, claim = (np.nan if above is None else float(above)), _claim(ends, above)
    low, high = pair_bounds(grid)
    scalars = {
        "as_rated": ends["estimate"],
        "as_rated_ci_low": ends["ci_low"],
        "as_rated_ci_high": ends["ci_high"],
        "tipping_estimate": crossing(delta, figures["estimate"], level),
        "tipping_low": crossing(delta, figures["ci_low"], level),
        "least": least,
        "greatest": greatest,
        "pairs_least": low,
        "pairs_greatest": high,
        "missing_share": gaps / (grid.weight.sum() * grid.codes.shape[1]),
    }
    variables: Variables = {name: ("delta", values) for name, values in figures.items()}
    variables |= {name: ((), np.asarray(value)) for name, value in scalars.items()}
    variables["gaps"] = ((), np.asarray(round(gaps)))
    attrs = {
        **provenance_of_figures(resolver, "missing", [request], notes=notes),
        "coefficient": request.name,
        "weights": request.used,
        "above": level,
        "claim": claim,
        "imputations": imputations,
        "seed": options.seed,
        "confidence": options.confidence,
        "as_rated_interval": as_rated.interval,
        "extremes_cross": int(greatest >= level if claim == "below" else least < level),
        "conclusion": _conclude(claim, figures, level, gaps, plain.estimate),
    }
    return without_verdict(result_dataset(variables, {}, attrs, {"delta": delta}))


class _Figure(NamedTuple):
    estimate: float
    error: float
    items: float


def _figure(resolver: Resolver, request: Request) -> _Figure:
    options = IntervalOptions(interval=Interval("t"))
    pairable = resolver.tables.totals["pairable_items"]
    (figure,) = measure_requests([request], options, pairable)
    return _Figure(
        float(figure.agreement.estimate),
        float(figure.standard_error),
        request.problem.table.items,
    )


def _ends_of(plain: _Figure, measured: Measurement) -> dict[str, float]:
    return {
        "estimate": plain.estimate,
        "standard_error": plain.error,
        "ci_low": float(measured.low),
        "ci_high": float(measured.high),
    }


class _Model:
    """The model of missing ratings, and the coefficient on the tables that it fills."""

    def __init__(
        self,
        resolver: Resolver,
        request: Request,
        grid: GappedRows,
        coefficient: CoefficientLike | None,
        label_options: LabelOptions,
    ) -> None:
        self.resolver, self.grid = resolver, grid
        self.coefficient, self.label_options = coefficient, label_options
        self.numbers = resolver.tables.kind is Kind.NUMBERS
        like = label_options
        if request.problem.measure.takes_values and not resolver.agreement_given:
            like = replace(like, level="interval")
        # alpha, with the distance of the coefficient, measures how alike the ratings of an item are
        self.alpha = Resolver(resolver.tables, like).request(DEFAULT)

    def figures(
        self, delta: Floats, imputations: int, seed: int, progress: Progress | None
    ) -> Floats:
        """Return estimates, standard errors and numbers of items (figure, imputation, delta)."""
        grid, tables = self.grid, self.resolver.tables
        figures = np.empty((3, imputations, len(delta)))
        for number in range(imputations):
            random = stream(seed, Purpose.FILLED_GAPS, number)
            # a Bayesian bootstrap of rows varies the quantities that the model takes from ratings
            weight = random.gamma(grid.weight)
            reliability = reliability_at(self.alpha, tables, grid, weight)
            shares = shares_of(grid, weight)
            drawn = draw(grid, reliability, shares, random, numbers=self.numbers)
            for index, value in enumerate(delta.tolist()):
                codes = Codes(drawn.at(value), grid.distinct)
                filled = tables.with_ratings(codes, weight=grid.weight)
                resolver = Resolver(filled, self.label_options)
                request = one_coefficient(resolver, self.coefficient)
                figures[:, number, index] = _figure(resolver, request)
                tell(progress, number * len(delta) + index + 1, imputations * len(delta))
        return figures


def _pooled(
    figures: Floats, as_rated: dict[str, float], bounds: Bounds, options: IntervalOptions
) -> dict[str, Floats]:
    """Pool fillings (figure, imputation, delta) by Rubin's rules.

    Fillings add no information, so the ends are at least as far from the estimate as for the
    observed ratings, within the range of the coefficient.
    """
    estimate, error, items = figures
    known = ~np.isnan(estimate)
    number = known.sum(axis=0)
    usable = np.where(number > 1, number, np.nan)
    mean = np.where(known, estimate, 0.0).sum(axis=0) / np.where(number > 0, number, np.nan)
    within = np.where(known, error**2, 0.0).sum(axis=0) / usable
    between = np.where(known, (estimate - mean) ** 2, 0.0).sum(axis=0) / (usable - 1)
    total = within + (1 + 1 / usable) * between
    with np.errstate(divide="ignore", invalid="ignore"):
        lost = np.where(total > 0, (1 + 1 / usable) * between / total, 0.0)
        complete = items[0] - 1
        observed = (complete + 1) / (complete + 3) * complete * (1 - lost)
        degrees = 1 / (lost**2 / (usable - 1) + 1 / observed)
    ends = student_t(mean, np.sqrt(total), degrees, options.confidence)
    below, above = (abs(as_rated[end] - as_rated["estimate"]) for end in ("ci_low", "ci_high"))
    low, high = np.fmin(ends.low, mean - below), np.fmax(ends.high, mean + above)
    return {
        "estimate": mean,
        "standard_error": np.sqrt(total),
        "ci_low": np.fmax(low, bounds.lower),
        "ci_high": np.fmin(high, bounds.highest),
        "monte_carlo_error": np.sqrt(between / usable),
        "undefined": len(estimate) - number,
    }


def crossing(delta: Floats, curve: Floats, level: float) -> float:
    """Return the delta nearest to 0 at which a piecewise linear curve crosses a level, or NaN.

    Examples
    --------
    >>> crossing(np.array([-1.0, 0.0, 1.0]), np.array([0.9, 0.8, 0.6]), 0.7)
    0.5
    """
    above = curve >= level
    known = ~np.isnan(curve)
    before = np.flatnonzero((above[1:] != above[:-1]) & known[1:] & known[:-1])
    if not len(before):
        return float("nan")
    share = (level - curve[before]) / (curve[before + 1] - curve[before])
    crossings = delta[before] + share * (delta[before + 1] - delta[before])
    return float(crossings[np.argmin(np.abs(crossings))].round(12))


def _claim(ends: dict[str, float], above: float | None) -> str:
    if above is None:
        return ""
    if ends["ci_low"] >= above:
        return "low"
    return "estimate" if ends["estimate"] >= above else "below"


def _conclude(
    claim: str, figures: dict[str, Floats], level: float, gaps: float, estimate: float
) -> str:
    if np.isnan(estimate):
        return "undefined"
    if not gaps:
        return "complete"
    if not claim:
        return "filled"
    curve = figures["ci_low" if claim == "low" else "estimate"]
    curve = curve[~np.isnan(curve)]
    is_true = curve < level if claim == "below" else curve >= level
    if is_true.all():
        return "holds"
    return "tips" if is_true.any() else "fails"
