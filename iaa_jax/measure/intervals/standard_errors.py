"""Standard errors of coefficients by the infinitesimal jackknife, the jackknife, or a formula."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from iaa_jax._errors import IaaError, OptionError
from iaa_jax._types import Floats
from iaa_jax.catalog import CATALOG
from iaa_jax.catalog.model import AnalyticError
from iaa_jax.engine import Prepared, Problem
from iaa_jax.engine.drawing import Resampling
from iaa_jax.kernels import intervals
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.measure.options.interval import ERRORS
from iaa_jax.measure.options.resolved_interval import ResolvedInterval
from iaa_jax.measure.requests.request import Request
from iaa_jax.wording import Note, keyword, named

GROUPS = 20
"""Default number of groups of the grouped jackknife."""

UNDEFINED_WITHOUT_ONE = Note("undefined_without_annotator")


class StandardError(NamedTuple):
    """The standard error of a figure, its degrees of freedom, and further results for intervals.

    ``skewness`` is the acceleration of BCa. ``influential_units`` is the effective number of items
    or clusters that cause the spread.
    """

    standard_error: Floats
    degrees: Floats | float
    skewness: Floats
    note: Note | None = None
    influential_units: Floats | float = np.nan


def standard_errors(
    requests: Sequence[Request],
    agreements: Sequence[Agreement],
    prepared: Prepared,
    gradients: Sequence[Floats],
    interval: ResolvedInterval,
    resampling: Resampling,
) -> list[StandardError]:
    """Return the standard error of each figure, of the kind that the interval specifies."""
    usual = [from_influences(*pair, resampling) for pair in zip(requests, gradients, strict=True)]
    if interval.standard_error not in ERRORS:
        errors = _analytic(requests, agreements, usual, interval.standard_error, resampling)
    elif interval.standard_error == "infinitesimal_jackknife":
        errors = usual
    else:
        errors = _jackknife(agreements, prepared, usual, interval, resampling)
    return (
        _with_annotators(agreements, prepared, errors, interval)
        if resampling.annotators
        else errors
    )


def _jackknife(
    agreements: Sequence[Agreement],
    prepared: Prepared,
    usual: Sequence[StandardError],
    interval: ResolvedInterval,
    resampling: Resampling,
) -> list[StandardError]:
    from iaa_jax.engine.units import leave_units_out

    grouped = interval.standard_error == "grouped_jackknife"
    groups = (interval.groups or GROUPS) if grouped else None
    _check_whole_items(prepared, grouped, resampling)
    if groups is not None:
        groups = min(groups, int(prepared.problems[0].table.items))
    rows = leave_units_out(
        prepared,
        clusters=None if groups else resampling.clusters,
        groups=groups,
        seed=interval.seed,
        dtype=interval.dtype,
    )
    return [
        error._replace(
            standard_error=_by_leaving_out(estimates, count, agreement) * resampling.spread,
            degrees=count.sum() - 1,
            note=_left_undefined(estimates) if np.isnan(estimates).any() else None,
        )
        for error, agreement, (estimates, count) in zip(usual, agreements, rows, strict=True)
    ]


def _check_whole_items(prepared: Prepared, grouped: bool, resampling: Resampling) -> None:
    if resampling.clusters is not None and not grouped:
        return
    for problem in prepared.problems:
        count = problem.table.count
        parts = count != np.rint(count) if grouped else (count > 0) & (count < 1)
        if parts.any():
            weights = "weights that are not whole numbers" if grouped else "weights below 1"
            raise IaaError(
                f"the jackknife leaves whole items out, and some items have {weights}: use "
                f"{keyword('standard_error', 'infinitesimal_jackknife')}"
            )


def from_influences(request: Request, gradient: Floats, resampling: Resampling) -> StandardError:
    """Return the standard error by the infinitesimal jackknife over items or over clusters."""
    table, factor = request.problem.table, resampling.spread
    if resampling.clusters is None:
        return StandardError(
            intervals.infinitesimal_jackknife(gradient, table.count) * factor,
            table.items - 1,
            intervals.acceleration(gradient, table.count),
            influential_units=intervals.influential_items(gradient, table.count),
        )
    from iaa_jax.engine.units import unit_influences

    clusters = resampling.clusters
    influence = unit_influences(gradient, table, clusters)
    return StandardError(
        intervals.infinitesimal_jackknife(influence, clusters.count) * factor,
        clusters.number - 1,
        intervals.acceleration(influence, clusters.count),
        influential_units=intervals.influential_items(influence, clusters.count),
    )


def _with_annotators(
    agreements: Sequence[Agreement],
    prepared: Prepared,
    errors: Sequence[StandardError],
    interval: ResolvedInterval,
) -> list[StandardError]:
    """Add the jackknife variance over annotators to the variance over items.

    Both variances include the interaction of annotators and items, so their sum is slightly too
    large rather than too small.
    """
    from iaa_jax.engine.units import leave_annotators_out

    sums = []
    without_annotator = leave_annotators_out(prepared, interval.dtype)
    for agreement, error, (estimates, count) in zip(
        agreements, errors, without_annotator, strict=True
    ):
        of_annotators = _by_leaving_out(estimates, count, agreement)
        lost = bool(np.isnan(estimates).any())
        sums.append(
            error._replace(
                standard_error=np.hypot(error.standard_error, of_annotators),
                degrees=satterthwaite(
                    (error.standard_error**2, of_annotators**2), (error.degrees, count.sum() - 1)
                ),
                note=UNDEFINED_WITHOUT_ONE if lost else error.note,
            )
        )
    return sums


def satterthwaite(variances: Sequence[Floats | float], degrees: Sequence[Floats | float]) -> Floats:
    """Return the degrees of freedom of a sum of variances (Satterthwaite 1946).

    If all variances are 0, the result is the first of ``degrees``.
    """
    whole = np.asarray(sum(variances), dtype=np.float64)
    further = [
        np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0) for part in variances[1:]
    ]
    shares = [1 - np.sum(further, axis=0), *further]
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = [share**2 / of_part for share, of_part in zip(shares, degrees, strict=True)]
        return np.asarray(1 / sum(parts))


def _by_leaving_out(estimates: Floats, count: Floats, agreement: Agreement) -> Floats:
    error = intervals.jackknife(estimates, count)
    return np.where(agreement.code == 0, error, np.nan)


def _left_undefined(estimates: Floats) -> Note:
    times = int(np.isnan(estimates).reshape(len(estimates), -1).any(axis=1).sum())
    return Note("undefined_without_items", {"times": times})


def _analytic(
    requests: Sequence[Request],
    agreements: Sequence[Agreement],
    usual: Sequence[StandardError],
    name: str,
    resampling: Resampling,
) -> list[StandardError]:
    """Return analytic standard errors of the form ``name``; NaN for coefficients without it.

    If no coefficient has this form, an error is raised.
    """
    have = [request.row is not None and name in request.row.analytic for request in requests]
    if not any(have):
        known = sorted({form for row in CATALOG.values() for form in row.analytic})
        forms = sorted(
            {
                form
                for request in requests
                if request.row is not None
                for form in request.row.analytic
            }
        )
        raise OptionError(
            f"{named('standard_error')} must be one of {', '.join(ERRORS)}"
            + (
                f", or for this coefficient {', '.join(forms)}"
                if forms and len(requests) == 1
                else ""
            )
            + (f", or an analytic form ({', '.join(known)}) of a coefficient that has it")
            + f", not {name!r}"
        )
    errors = []
    for request, agreement, error_of_items in zip(requests, agreements, usual, strict=True):
        row, problem = request.row, request.problem
        if row is None or name not in row.analytic:
            undefined = np.full(np.shape(agreement.estimate), np.nan)
            errors.append(
                error_of_items._replace(
                    standard_error=undefined, note=Note("no_analytic_form", {"form": name})
                )
            )
            continue
        error, remark = by_formula(row.analytic[name], problem)
        error = np.where(agreement.code == 0, error * resampling.spread, np.nan)
        note = Note("said", {"text": remark}) if remark else None
        errors.append(error_of_items._replace(standard_error=error, note=note))
    return errors


def by_formula(form: AnalyticError, problem: Problem) -> tuple[Floats, str]:
    """Return the analytic standard error and "", or NaN and the reason why it does not apply."""
    reason = _misfit(form, problem)
    if reason:
        return np.asarray(np.nan), reason
    with np.errstate(divide="ignore", invalid="ignore"):
        error = form.error(
            problem.data,
            problem.table.count,
            problem.label_agreement,
            problem.weight,
            problem.annotator_of,
        )
    return np.asarray(error), ""


def _misfit(form: AnalyticError, problem: Problem) -> str:
    if not problem.factored or problem.kernel.formula is not form.formula or problem.data.ndim != 3:
        return "the formula is for another form of this coefficient"
    if not form.weighted and problem.label_agreement is not None:
        return "the formula is for labels that agree or do not, without weights"
    present = problem.table.count > 0
    ratings = np.sum(~np.isnan(problem.data[present]).any(axis=-1), axis=1)
    unbalanced = len(np.unique(ratings)) > 1
    if form.two and (unbalanced or 2 not in ratings):
        return "the formula is for two ratings on every item"
    if form.balanced and unbalanced:
        return (
            "the formula is for the same number of ratings on every item, and these have "
            f"{ratings.min()} to {ratings.max()}"
        )
    if form.single_labels:
        data = problem.data[present]
        if not np.isin(data[~np.isnan(data)], (0.0, 1.0)).all():
            return "the formula is for one whole label per rating"
        weight = problem.weight[problem.weight != 0]
        if len(weight) and (weight != weight[0]).any():
            return "the formula is for annotators with equal weights"
    return ""
