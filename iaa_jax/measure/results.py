"""The contents of a result: its variables, its notes, and a record of how it was made."""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, TypeGuard

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from iaa_jax import __version__, _thresholds as thresholds
from iaa_jax._errors import REASONS
from iaa_jax._types import Columns, Values, Variables
from iaa_jax.data.facts import FACTS
from iaa_jax.data.kind import Kind
from iaa_jax.engine import Prepared
from iaa_jax.engine.computing import Computing
from iaa_jax.engine.devices import gpu_there
from iaa_jax.measure.intervals.measurement import Measurement, replace_undefined
from iaa_jax.measure.options.interval import FigureKind
from iaa_jax.measure.options.interval_options import IntervalOptions
from iaa_jax.measure.options.resolved_interval import ResolvedInterval, resolve
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.floors import ROUNDING
from iaa_jax.measure.requests.level import level_of, level_question
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resampling import blank_clusters
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.requests.spread import Bounds
from iaa_jax.measure.words import note_text
from iaa_jax.wording import Note, dump_notes, load_notes

MANY_UNDEFINED = 0.05
"""Maximum share of undefined replicates with which an interval can still be used."""

WIDE = 0.5
"""Maximum width of an interval, as a share of the range of the coefficient: a wider interval gets a
caution."""

_CERTAINTY = ("code", "estimate", "observed", "ci_low", "ci_high", "undefined_replicates")


def variables_of(request: Request, figures: Measurement, options: IntervalOptions) -> Columns:
    """Return the variables of one coefficient in a result."""
    code = np.asarray(figures.agreement.code)
    reasons = [REASONS[number] for number in code.reshape(-1).tolist()]
    first = next(filter(None, reasons), "")
    used, empty = (-1, -1) if figures.pairs is None else figures.pairs[:2]
    return {
        "estimate": replace_undefined(request, figures, options, first),
        "observed": np.asarray(figures.agreement.observed, dtype=np.float64),
        "expected": np.asarray(figures.agreement.expected, dtype=np.float64),
        "standard_error": figures.standard_error,
        "ci_low": figures.low,
        "ci_high": figures.high,
        "code": code.astype(np.int64),
        "reason": np.array(reasons, dtype=str).reshape(code.shape),
        "undefined_replicates": figures.undefined_replicates,
        "interval": np.asarray(figures.made_by.method),
        "random": np.asarray(figures.made_by.random.units if figures.made_by.method else ""),
        "weights": np.asarray(request.used),
        "level": np.asarray(request.level),
        "note": np.asarray(note_text(notes_on(request, figures))),
        "pairs": np.asarray(used),
        "undefined_pairs": np.asarray(empty),
    }


def with_doubt(
    variables: Columns, doubt: Note | None, request: Request, interval: ResolvedInterval
) -> Columns:
    """Add the variable ``doubt`` to the variables of one coefficient.

    It is the code of a note on why the interval may cover less often than it claims, or "". Any
    interval without width is in doubt. A very wide interval is in doubt if its method was chosen
    automatically and there is no other doubt.
    """
    code = np.asarray(code_of(doubt))
    if doubt is None and interval.automatic:
        code = code_of_width(variables["ci_low"], variables["ci_high"], request.bounds)
    return {**variables, "doubt": np.where(_is_point(variables), "no_width", code)}


def code_of_width(low: Values, high: Values, bounds: Bounds) -> NDArray[np.str_]:
    """Return "wide_interval" for each interval that is wider than `WIDE`, and "" for the others."""
    return np.where(np.subtract(high, low) > WIDE * bounds.length, "wide_interval", "")


def code_of(note: Note | None) -> str:
    """Return the code of a note; "" if there is no note."""
    return "" if note is None else note.code


def _is_point(variables: Columns) -> NDArray[np.bool_]:
    return np.less_equal(np.subtract(variables["ci_high"], variables["ci_low"]), ROUNDING)


def further_variables(request: Request) -> Columns:
    """Return the variables that only some coefficients have, such as ``coverage``."""
    problem = request.problem
    if not problem.measure.beside:
        return {}
    sums = Prepared([problem]).summed(problem)
    return {name: np.asarray(of_sums(sums)) for name, of_sums in problem.measure.beside}


def notes_on(request: Request, figures: Measurement) -> tuple[Note, ...]:
    """Return the notes on one coefficient."""
    return (*request.notes, *figures.notes)


def notes_about(notes: Iterable[tuple[str, Sequence[Note]]]) -> list[Note]:
    """Merge notes on named coefficients, labels or groups: each note occurs once, with names."""
    about: dict[Note, list[str]] = {}
    for name, of_figure in notes:
        for note in of_figure:
            about.setdefault(note, []).append(name)
    return [note.on(names) for note, names in about.items()]


def conclusion_of(variables: Columns) -> str:
    """Return the conclusion on coefficients: "undefined", "perfect", "estimated" or "measured"."""
    defined = np.asarray(variables["code"]) == 0
    if not defined.any():
        return "undefined"
    least = np.minimum(variables["observed"], variables["estimate"])
    if (least[defined] > 1 - ROUNDING).all():
        return "perfect"
    return "estimated" if np.isnan(variables["ci_low"]).all() else "measured"


def certainty_notes(
    names: Iterable[object], variables: Columns, options: IntervalOptions, *, by_label: bool = False
) -> list[Note]:
    """Return notes on perfect agreement and on intervals that should be read with caution.

    ``by_label`` means that each figure is about one label.
    """
    if options.interval is None:
        return []
    figures = {name: np.atleast_1d(variables[name]) for name in _CERTAINTY}
    defined = figures["code"] == 0
    perfect = defined & (figures["observed"] > 1 - ROUNDING)
    no_width = defined & _is_point(figures)
    observed = figures["observed"]
    # a share of 0, as opposed to a coefficient of 0
    zero_share = (np.maximum(observed, figures["estimate"]) < ROUNDING) & (figures["ci_low"] == 0)
    has_width = figures["ci_high"] - figures["ci_low"] > ROUNDING
    at_bound = defined & has_width & (zero_share | (perfect & by_label))
    # at a bound, ends are binomial and use no replicates; without width there is a note already
    drawn = ~no_width & ~perfect & ~at_bound
    lost = drawn & (figures["undefined_replicates"] > MANY_UNDEFINED * options.replicates)
    wide = defined & (variables.get("doubt", np.array("")) == "wide_interval")
    return [
        Note(code, {}, "caution").on(
            str(name) for name, affected in zip(names, affected_figures, strict=True) if affected
        )
        for code, affected_figures in (
            ("perfect", perfect & no_width),
            ("no_width", no_width & ~perfect),
            ("at_bound", at_bound),
            ("many_undefined", defined & lost),
            ("wide_interval", wide),
        )
        if affected_figures.any()
    ]


def provenance_of(
    ratings: Rated,
    made_by: str,
    interval: ResolvedInterval | None = None,
    notes: Iterable[Note] = (),
    clusters: float | None = None,
    facts: Collection[str] = FACTS,
) -> dict[str, object]:
    """Return the attributes that record how a result was made, and from which ratings.

    If a result has several coefficients, ``interval`` is the interval of the main one, or the usual
    interval for such ratings.
    """
    blank = [] if interval is None else blank_clusters(interval.random, ratings)
    return {
        "see": "iaa.page(result)",  # first, so that a shortened repr shows it
        "made_by": made_by,
        "notes": dump_notes([*notes, *blank]),
        **{name: fact for name, fact in ratings.facts.items() if name in facts},
        **({} if interval is None else interval.record()),
        **({} if clusters is None else {"clusters": int(clusters)}),
        **({} if (device := ratings.computing.device) is None else {"device": device}),
        **versions(ratings.computing),
    }


def usual_interval(options: IntervalOptions, kind: Kind) -> ResolvedInterval:
    """Return the interval that coefficients on a kind of ratings usually have."""
    kinds: dict[Kind, FigureKind] = {Kind.NUMBERS: "numbers", Kind.SPANS: "spans"}
    return resolve(options, kinds.get(kind, "labels"))


def provenance_of_figures(
    resolver: Resolver,
    made_by: str,
    requests: Sequence[Request],
    interval: ResolvedInterval | None = None,
    notes: Iterable[Note] = (),
    clusters: float | None = None,
    facts: Collection[str] = FACTS,
) -> dict[str, object]:
    """Return the attributes of a result with coefficients, including the level of measurement."""
    notes = [*level_question(resolver, requests), *notes]
    return {
        **provenance_of(resolver.tables, made_by, interval, notes, clusters, facts),
        "level": level_of(resolver),
    }


def with_notes(result: xr.Dataset, notes: Iterable[Note]) -> xr.Dataset:
    """Add notes to a result."""
    known = load_notes(result.attrs.get("notes", ""))
    return result.assign_attrs(notes=dump_notes([*known, *notes]))


def gpu_note(requests: Iterable[Request], figures: Iterable[Measurement]) -> list[Note]:
    """Return a note if many weights were drawn, a GPU is available, and no device was chosen."""
    weights = [
        len(request.problem.table.count) * figure.made_by.replicates
        for request, figure in zip(requests, figures, strict=True)
        if figure.made_by.by_replicates and request.problem.computing.device is None
    ]
    long = max(weights, default=0) >= thresholds.DRAWN_LONG
    return [Note("gpu_there")] if long and gpu_there() else []


def left_out_of(resolver: Resolver) -> list[Note]:
    """Return notes on the coefficients that could not be measured, one note for each reason."""
    names: dict[str, list[str]] = {}
    for name, reason in resolver.left_out.items():
        names.setdefault(reason, []).append(name)
    return [
        Note("not_measured", {"coefficients": of_reason, "reason": reason})
        for reason, of_reason in names.items()
    ]


def versions(computing: Computing) -> dict[str, str]:
    """Return the backend of JAX, and the versions of this package, JAX and NumPy."""
    return {
        "backend": computing.devices[0].platform if "jax" in sys.modules else "cpu",
        "iaa_jax_version": __version__,
        "jax_version": _version("jax"),
        "numpy_version": np.__version__,
    }


@cache
def _version(package: str) -> str:
    return importlib.metadata.version(package)


def dataset_of(
    variables: Mapping[Any, Any],
    coords: Mapping[Any, Any] | None = None,
    attrs: Mapping[str, Any] | None = None,
) -> xr.Dataset:
    """Return a result from its variables, its coordinates and its attributes."""
    return xr.Dataset(variables, coords, attrs)


def result_dataset(
    variables: Mapping[str, tuple[str | tuple[str, ...], NDArray[Any]]],
    user_coords: Variables,
    attrs: dict[str, object],
    coords_of_results: Columns | None = None,
) -> xr.Dataset:
    """Return a result with the user's coordinates, renamed if a variable has the same name."""
    coords = {
        f"own_{name}" if name in variables else name: value for name, value in user_coords.items()
    }
    return dataset_of(variables, {**coords, **(coords_of_results or {})}, attrs)


def joined(results: Sequence[xr.Dataset], axis: str, names: Sequence[str]) -> xr.Dataset:
    """Concatenate results along a new axis, with NaN for the variables that a result lacks."""
    along = pd.Index([*names], name=axis, dtype=object)
    return xr.concat(results, along, join="outer", combine_attrs="drop")


def is_dataset(value: object) -> TypeGuard[xr.Dataset]:
    """Tell whether a value is a Dataset, as most results are."""
    return isinstance(value, xr.Dataset)
