"""One coefficient along one line of times: all that `iaa_jax.drift` reports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import REASONS, IaaError
from iaa_jax.analyses.drift.contrasts import Contrasts, held_errors, in_errors
from iaa_jax.analyses.drift.cuts import Cuts, largest, no_step, ratio, steps
from iaa_jax.analyses.drift.line import Line, blocks_of, check_line, line_of
from iaa_jax.analyses.drift.own import Own, degrees_of, larger
from iaa_jax.analyses.drift.panel import label_change, label_shift, panel
from iaa_jax.analyses.drift.tests import (
    RECOMPUTED,
    PValues,
    Shuffled,
    located,
    p_values,
    slope_of,
)
from iaa_jax.analyses.drift.times import Times
from iaa_jax.analyses.drift.windows import (
    LEAST_EFFECTIVE,
    Figures,
    Local,
    Rows,
    Windows,
    covariance,
    multiplied,
    points_of,
    resampled,
    totals,
    usual_bandwidth,
)
from iaa_jax.engine import Prepared
from iaa_jax.engine.drivers import estimate_at
from iaa_jax.engine.problem import Floats
from iaa_jax.measure.family import band_factor
from iaa_jax.measure.interval import PERCENTILES, Form, IntervalOptions
from iaa_jax.measure.items import weights_of_items
from iaa_jax.measure.request import Request, Resolver
from iaa_jax.measure.results import provenance_of
from iaa_jax.measure.spread import NO_BOUNDS, Spread, ends_of
from iaa_jax.measure.uncertainty import pairs_behind, unsteady
from iaa_jax.measure.words import note_text

FEW_EFFECTIVE_ITEMS = 50
"""The code of a window that is worth too few items."""

_FEW = f"the window is worth fewer than {LEAST_EFFECTIVE:g} items with two ratings"

_RESAMPLED_CELLS = 3e8
"""Cells (replicate, window, pattern) up to which "auto" resamples items."""

_LOCATIONS = 1000
"""Replicates of the place of a change, at most."""

STRETCH_ITEMS, MOST_STRETCHES = 100, 12
"""Without batches own figures are those of stretches of items: so large, and so many at most."""

LEAST_DEGREES = 25.0
"""Fewer and larger stretches, where the errors of some are known less well than this."""

Progress = Callable[[int, int], None]


class Study:
    """One coefficient along one line of times."""

    def __init__(
        self,
        resolver: Resolver,
        request: Request,
        times: Times,
        points: int,
        bandwidth: float | None,
        options: IntervalOptions,
    ) -> None:
        self.resolver, self.request, self.times, self.options = resolver, request, times, options
        self.local = Local(request.problem)
        items = line_of(resolver, request, times)
        check_line(items, times)
        self.line, self.units = items.merged(), items.units()
        self.windows = points_of(times, self.line, points, bandwidth)
        self.cuts = Cuts(self.line)
        self.notes = [text for text in (note_text(request.notes),) if text]
        self.form = Form("normal") if options.interval is None else options.form
        self.replicates_by = ""
        self.band_factor = np.nan

    def found(self, permutations: int, undefined: str, progress: Progress | None) -> xr.Dataset:
        """All of it as one result."""
        line = self.line
        total = totals(line.pattern, line.weight, line.patterns)[None, :]
        whole = self.local.at(Rows(total, total, total.sum(axis=1), total), keep=True)
        overall = float(whole.estimate[0])
        rows = self.windows.rows
        figures = self.local.at(rows, keep=True)
        few = rows.effective < LEAST_EFFECTIVE
        figures = figures._replace(
            estimate=np.where(few, np.nan, figures.estimate),
            error=np.where(few, np.nan, figures.error),
        )
        variables = self._of_points(figures, rows, few, undefined, progress)
        self._of_overall(variables, whole, total)
        spread = whole.error[0] * np.sqrt(total.sum())
        spare = spread / np.sqrt(np.maximum(rows.effective, 1.0))
        own = self._own(figures, rows, spread)
        values, errors = own.found()
        sides = self.local.at(self.cuts.sides()) if len(self.cuts.place) else None
        influence = np.zeros(line.patterns)
        if whole.centred is not None:
            influence = np.nan_to_num(whole.centred[0]) * total.sum()
        self._of_slope(variables, float(values.slope), float(errors.slope), overall)
        coords = self._of_cuts(variables, sides, own, values, errors)
        self._of_deviation(variables, own, values, errors)
        shuffled, how = self._shuffled(
            figures, sides, ~few, overall, influence, permutations, variables, spare, progress
        )
        names = ("slope_p_value", "change_p_value", "deviation_p_value", "p_value")
        nothing = np.isnan(overall) or not permutations
        for name, value in zip(
            names, larger(own.p_values(self.options.seed), shuffled), strict=True
        ):
            variables[name] = ((), np.nan if nothing else value)
        variables["any_change_p_value"] = ((), np.nan if nothing else shuffled.together)
        variables |= label_change(self.resolver, self.times)
        coords |= {"point": self.times.shown(self.windows.at)}
        return xr.Dataset(variables, coords, self._attrs(permutations, how))

    @property
    def _batches(self) -> bool:
        return self.windows.bandwidth is None

    def _own(self, figures: Figures, rows: Rows, spread: float) -> Own:
        """The figures of batches, or of stretches of items, and what their comparison needs."""
        line, time = self.line, self.windows.at
        if not self._batches:
            most = int(np.clip(line.of_pairs.sum() // STRETCH_ITEMS, 3, MOST_STRETCHES))
            for stretches in (most, *(size for size in (8, 6, 4, 3) if size < most)):
                block = blocks_of(line.time, line.of_pairs, self.times, stretches)
                apart = Line(block.astype(np.float64), line.pattern, line.weight, line.pairable)
                windows = Windows(apart, np.arange(block.max() + 1.0), None)
                rows = windows.rows
                figures = self.local.at(rows, keep=True)
                if np.nanmin(degrees_of(rows, figures)) >= LEAST_DEGREES:
                    break
            held = np.maximum(totals(block, line.weight, len(windows.at)), 1e-300)
            time = totals(block, line.weight * line.time, len(windows.at)) / held
            few = rows.effective < LEAST_EFFECTIVE
            figures = figures._replace(estimate=np.where(few, np.nan, figures.estimate))
            starts = np.flatnonzero(np.diff(block, prepend=-1) > 0)
            self.starts = line.time[starts]
        else:
            self.starts = time
        known = np.isfinite(figures.estimate)
        error = held_errors(figures.error, spread / np.sqrt(np.maximum(rows.effective, 1.0)), known)
        still = known & (error > 1e-12) & ~(figures.error > 1e-12)
        if still.any() and self._batches:
            names = ", ".join(map(str, self.times.shown(time[still])[:3].tolist()))
            more = f" and {still.sum() - 3} more" if still.sum() > 3 else ""
            self.notes.append(
                f"nothing varies in {names}{more}: steps, trend and tests take the error of all "
                "items for its size there"
            )
        first = np.searchsorted(time, line.time[self.cuts.place])
        degrees = degrees_of(rows, figures)
        return Own(figures.estimate, error, degrees, time, first, self.times.in_order)

    def _of_deviation(
        self, variables: dict[str, Any], own: Own, values: Contrasts, errors: Contrasts
    ) -> None:
        """The batch or window furthest from the others, by their weighted mean."""
        z = in_errors(values.deviation, errors.deviation)
        place = largest(z)
        at = self.starts[place] if place >= 0 else np.nan
        variables["deviation_at"] = ((), self.times.shown(np.array([at]))[0])
        found = [np.nan] * 4
        if place >= 0:
            here = float(own.estimate[place])
            away = float(values.deviation[place])
            found = [float(z[place]), here, here - away, float(errors.deviation[place])]
        for name, value in zip(("z", "estimate", "others", "standard_error"), found, strict=True):
            variables[f"deviation_{name}"] = ((), value)

    def _of_points(
        self,
        figures: Figures,
        rows: Rows,
        few: NDArray[np.bool_],
        undefined: str,
        progress: Progress | None,
    ) -> dict[str, Any]:
        code, reason = self._codes(figures.estimate, few, rows)
        estimate = figures.estimate
        lost = (code != 0) & ~few
        if undefined == "raise" and lost.any():
            place = int(np.flatnonzero(lost)[0])
            at = self.times.shown(self.windows.at)[place]
            message = f"{self.request.name} is undefined at {at}: {reason[place]}"
            raise IaaError(message)
        given = {"one": 1.0, "zero": 0.0}.get(undefined, np.nan)
        low, high, band_low, band_high, none = self._intervals(figures, rows, progress)
        columns = {
            "estimate": np.where(lost, given, estimate),
            "standard_error": figures.error,
            "ci_low": low,
            "ci_high": high,
            "band_low": band_low,
            "band_high": band_high,
            "effective_items": rows.effective,
            "code": code,
            "reason": reason,
            "undefined_replicates": none,
        }
        return {name: ("point", column) for name, column in columns.items()}

    def _codes(
        self, estimate: Floats, few: NDArray[np.bool_], rows: Rows
    ) -> tuple[NDArray[np.int64], NDArray[Any]]:
        code = np.where(few, FEW_EFFECTIVE_ITEMS, 0).astype(np.int64)
        reason = np.where(few, _FEW, "").astype(object)
        for place in np.flatnonzero(np.isnan(estimate) & ~few):
            code[place] = self._code(rows.weight[place])
            reason[place] = REASONS[int(code[place])]
        return code, reason.astype(str)

    def _code(self, weight: Floats) -> int:
        """Why the coefficient is undefined at these weights."""
        return int(estimate_at(self.local.prepared, self.request.problem, weight).code)

    def _intervals(
        self, figures: Figures, rows: Rows, progress: Progress | None
    ) -> tuple[Floats, Floats, Floats, Floats, NDArray[np.int64]]:
        options, size = self.options, len(self.windows.at)
        nothing = np.full(size, np.nan)
        none = np.zeros(size, dtype=np.int64)
        if options.interval is None:
            return nothing, nothing, nothing, nothing, none
        cells = options.replicates * size * self.line.patterns
        if options.how.method == "auto" and cells > _RESAMPLED_CELLS:
            self.form = Form("normal")
        if self.form.method in PERCENTILES:
            self.replicates_by = "items drawn with replacement, with their times"
            drawn = resampled(self.local, self.windows, options.replicates, options.seed, progress)
            drawn[:, np.isnan(figures.estimate)] = np.nan
            none = np.isnan(drawn).sum(axis=0).astype(np.int64)
            none[np.isnan(figures.estimate)] = 0
        else:
            self.replicates_by = "Gaussian multipliers of the influences"
            held = np.flatnonzero(np.isfinite(figures.estimate))
            spread = covariance(self.windows, figures)[np.ix_(held, held)]
            drawn = np.full((options.replicates, size), np.nan)
            drawn[:, held] = multiplied(
                figures.estimate[held], spread, options.replicates, options.seed
            )
        row = self.request.row
        spread_of = Spread(
            figures.error,
            np.maximum(rows.weight.sum(axis=1) - 1, 1e-9),  # type: ignore[arg-type]
            figures.skewness,
            drawn,
        )
        bounds = NO_BOUNDS if row is None else row.bounds
        ends = ends_of(figures.estimate, spread_of, self.form, options.confidence, bounds)
        known = np.isfinite(figures.estimate)
        low, high = (np.where(known, end, np.nan) for end in ends)
        self.band_factor = float(
            band_factor(drawn, figures.estimate, figures.error, options.confidence)
        )
        reach = self.band_factor * figures.error
        return (
            low,
            high,
            np.fmin(figures.estimate - reach, low),
            np.fmax(figures.estimate + reach, high),
            none,
        )

    def _of_overall(self, variables: dict[str, Any], whole: Figures, total: Floats) -> None:
        estimate, error = float(whole.estimate[0]), float(whole.error[0])
        reach = self._normal() * error
        code = 0
        if np.isnan(estimate):
            code = self._code(total[0])
            self.notes.append(f"undefined on all items: {REASONS[code]}")
        variables["overall"] = ((), estimate)
        variables["overall_standard_error"] = ((), error)
        variables["overall_ci_low"] = ((), estimate - reach)
        variables["overall_ci_high"] = ((), estimate + reach)
        variables["overall_code"] = ((), code)

    def _of_slope(
        self, variables: dict[str, Any], slope: float, error: float, overall: float
    ) -> None:
        if np.isnan(overall):
            slope = error = np.nan
        reach = self._normal()
        span = float(self.line.time[-1] - self.line.time[0])
        for name, scale in (("slope", 1.0), ("period_change", span)):
            variables[name] = ((), slope * scale)
            variables[f"{name}_standard_error"] = ((), error * scale)
            variables[f"{name}_ci_low"] = ((), (slope - reach * error) * scale)
            variables[f"{name}_ci_high"] = ((), (slope + reach * error) * scale)

    def _normal(self) -> float:
        """Standard errors to each side of a normal interval; NaN where none is asked for."""
        from scipy.special import ndtri

        if self.options.interval is None:
            return np.nan
        return float(ndtri((1 + self.options.confidence) / 2))

    def _of_cuts(
        self,
        variables: dict[str, Any],
        sides: Figures | None,
        own: Own,
        values: Contrasts,
        errors_of: Contrasts,
    ) -> dict[str, Any]:
        """The scan, and the step that it finds."""
        place, time = self.cuts.place, self.line.time
        shown = self.times.shown
        before: Floats = np.zeros(0)
        after, step, error, z, one, two = (before,) * 6
        if sides is not None:
            before, after = np.split(sides.estimate, 2)
            step, error, z = steps(sides)
            one, two = np.split(sides.error, 2)
            if self._batches:
                (before, after), (one, two) = own.means()
                step, error = values.step, errors_of.step
                z = in_errors(step, error)
        columns = {
            "before": before,
            "after": after,
            "difference": step,
            "difference_standard_error": error,
            "z": z,
            "items_before": self.cuts.items_before,
            "cut_from": shown(time[np.maximum(place - 1, 0)]),
        }
        variables |= {name: ("cut", column) for name, column in columns.items()}
        best = largest(z)
        at = np.array([np.nan, np.nan, np.nan])
        figures = dict.fromkeys(
            ("before", "after", "difference", "difference_standard_error", "z"), np.nan
        )
        errors = (np.nan, np.nan)
        if best < 0:
            self.notes.append(no_step(sides))
        elif sides is not None:
            figures = {name: float(columns[name][best]) for name in figures}
            errors = float(one[best]), float(two[best])
            first, last = self._located(best)
            at = np.array([time[place[best]], time[place[first]], time[place[last]]])
        for name, value in zip(("change_at", "change_low", "change_high"), shown(at), strict=True):
            variables[name] = ((), value)
        variables |= {f"change_{name}": ((), value) for name, value in figures.items()}
        variables["change_before_standard_error"] = ((), errors[0])
        variables["change_after_standard_error"] = ((), errors[1])
        coords = {"cut": shown(time[place]) if len(place) else shown(np.zeros(1))[:0]}
        variables |= panel(self.resolver, self.times.position, float(at[0]), coords)
        variables |= label_shift(self.resolver, self.times.position, float(at[0]), coords)
        return coords

    def _located(self, best: int) -> tuple[int, int]:
        """The first and last cut at which the step may be."""
        cuts = Cuts(self.units)
        rows = self.cuts.sides()
        one = [best, best + len(self.cuts.place)]
        picked = Rows(rows.weight[one], rows.square[one], rows.effective[one])
        figures = self.local.at(picked, keep=True)
        if figures.centred is None:
            return best, best
        total = picked.weight.sum(axis=1)
        pseudo = figures.estimate[:, None] + figures.centred * total[:, None]
        options = self.options
        drawn = min(options.replicates, _LOCATIONS)
        return located(cuts, best, (pseudo[0], pseudo[1]), drawn, options.seed, options.confidence)

    def _shuffled(
        self,
        figures: Figures,
        sides: Figures | None,
        worth: NDArray[np.bool_],
        overall: float,
        influence: Floats,
        permutations: int,
        variables: dict[str, Any],
        spare: Floats,
        progress: Progress | None,
    ) -> tuple[PValues, str]:
        """P-values by shuffled times: exact if nothing at all changes, labels included."""
        line = self.line
        z = np.zeros(0) if sides is None else steps(sides)[2]
        step = largest(z)
        away = ratio(figures.estimate - overall, figures.error)
        place = largest(away)
        observed = (
            abs(float(slope_of(line.time, line.weight, influence[line.pattern]).z)),
            abs(float(z[step])) if step >= 0 else np.nan,
            abs(float(away[place])) if place >= 0 else np.nan,
        )
        if self._batches:
            # of their own figures, as they are shown
            slope = float(variables["slope"][1]) / float(variables["slope_standard_error"][1])
            observed = (
                abs(slope),
                abs(float(variables["change_z"][1])),
                abs(float(variables["deviation_z"][1])),
            )
        table = self.units.table()
        units = self.units if table is None else table
        windows = Windows(units, self.windows.at, self.windows.bandwidth)
        cuts = Cuts(units)
        shuffled = Shuffled(
            self.local,
            windows,
            cuts,
            influence,
            overall,
            worth,
            table is not None,
            spare if self._batches else None,
            self.times.in_order,
        )
        problem = self.request.problem
        # a kernel goes over all its data in each row, sums over patterns alone
        size = self.line.patterns if problem.factored else max(problem.data.size, 1)
        anew = permutations * (len(worth) + 2 * len(cuts.place)) * size <= RECOMPUTED
        how = "coefficients worked out anew"
        if not anew:
            how = "by influences to first order, the data as the shuffles"
            # like with like: exact figures have another spread than those to first order
            observed = shuffled.alike(observed)
        null = shuffled.null(permutations, self.options.seed, anew, progress)
        return p_values(observed, null), how

    def _attrs(self, permutations: int, how: str) -> dict[str, Any]:
        options, times = self.options, self.times
        attrs = provenance_of(self.resolver.ratings, "drift", options)
        whole = weights_of_items(self.resolver.ratings)
        untimed = float(whole[~np.isfinite(times.position)].sum())
        if untimed:
            self.notes.append(f"{untimed:,g} items have no {times.by} and are left out")
        pairs = pairs_behind(Prepared([self.request.problem]), self.request)
        if loose := unsteady(self.request, pairs):
            self.notes.append(
                f"pairs of annotators share few items ({loose.values['common']:g} in the middle), "
                "so that pairs come and go between replicates: read intervals and tests with care"
            )
        few = self.windows.rows.effective < LEAST_EFFECTIVE
        return {
            **attrs,
            "coefficient": self.request.name,
            "weights": self.request.used,
            "by": times.by,
            "kind": "continuous" if times.batches is None else "batches",
            "read_as": times.read_as,
            "in_order": int(times.in_order),
            "unit": times.unit,
            "span": float(self.line.time[-1] - self.line.time[0]),
            "bandwidth": np.nan if self.windows.bandwidth is None else self.windows.bandwidth,
            "stretches": 0 if self._batches else len(self.starts),
            "usual_bandwidth": np.nan if self._batches else usual_bandwidth(self.line),
            "kernel": "batch" if self.windows.bandwidth is None else "epanechnikov",
            "timed_items": float(self.line.weight.sum()),
            "untimed_items": untimed,
            "windows_without_figure": int(few.sum()),
            "interval": "" if options.interval is None else self.form.method,
            "resampling": self.replicates_by,
            "band_factor": self.band_factor,
            "permutations": permutations,
            "permuted": how if permutations else "",
            "note": "; ".join(self.notes),
        }
