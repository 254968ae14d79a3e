"""Functions that measure one or several coefficients on ratings and return them as Datasets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax._types import Columns
from iaa_jax.catalog import CATALOG, NAMES
from iaa_jax.engine.drawing import Resampling
from iaa_jax.measure.figures import FIGURES
from iaa_jax.measure.intervals.coverage import doubts_of, notes_of_doubts
from iaa_jax.measure.intervals.uncertainty import identify_drawn_annotators
from iaa_jax.measure.options.declared import public, select
from iaa_jax.measure.options.interval_options import IntervalOptions
from iaa_jax.measure.options.label_options import LabelOptions
from iaa_jax.measure.options.resolved_interval import ResolvedInterval, resolve
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.ineffective_options import refuse_unused
from iaa_jax.measure.requests.level import (
    level_of,
    level_question,
    possible_levels,
    without_verdict,
)
from iaa_jax.measure.requests.request import Request, refuse_several_figures
from iaa_jax.measure.requests.resampling import resampling_of
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver, names_of_request
from iaa_jax.measure.requests.studies import lead_of
from iaa_jax.measure.results import (
    certainty_notes,
    conclusion_of,
    dataset_of,
    further_variables,
    gpu_note,
    left_out_of,
    notes_about,
    notes_on,
    provenance_of,
    usual_interval,
    variables_of,
    with_doubt,
)
from iaa_jax.measure.shared.full_sample import measure_full_sample
from iaa_jax.wording import Note, named
from iaa_jax.wording.figures import gives

if TYPE_CHECKING:
    import xarray as xr

NO_VARIANTS: Mapping[str, str] = MappingProxyType({})


@public
@gives({"FIGURES": FIGURES})
def agreement(
    ratings: Rated,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions),
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Measure several coefficients; `iaa_jax.agree` returns all that ``iaa agree`` prints.

    Standard errors and intervals are the same as if each coefficient were measured alone.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    coefficients : str, callable or sequence of them, optional
        Names from the catalogue, or functions with the signature of those in `iaa_jax.kernels`.
        By default, all coefficients that apply to the ratings, except those measured only on
        request; if several coefficients coincide, only one of them is measured.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the number of finished replicates and the number of all replicates.

    Returns
    -------
    xarray.Dataset
        Along ``coefficient``:

        FIGURES

        The attribute ``conclusion`` is "undefined" if no coefficient is defined, "perfect" if every
        defined coefficient and its observed agreement are 1, "level_undecided" if the labels are
        three or more numbers that may be a scale or names, "estimated" if there is no interval, and
        otherwise "measured". The attribute ``coefficient`` names the coefficient with which
        `iaa_jax.page` begins. If coefficients were requested, it is the first of them, and
        ``leads`` is "asked". Otherwise it is Krippendorff's alpha, or the first coefficient if
        alpha is not measured, and ``leads`` is "usual". ``level`` is the assumed level of
        measurement, "" if weights or a distance were given instead. If the level is uncertain, a
        note asks for it; if alpha is measured, the note gives alpha at each possible level. Other
        attributes record how the result was made. ``notes`` holds cautions and remarks, which
        `iaa_jax.page` puts into words.

    Raises
    ------
    IaaError
        If a name or an option is unknown or does not fit the ratings.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"], ["a", "a"]])
    >>> figures = iaa.agreement(ratings, ["cohen_kappa", "krippendorff_alpha"], interval=None)
    >>> figures.estimate.round(4).values
    array([0.6154, 0.64  ])
    """
    return agreement_and_labels(ratings, coefficients, (), label_options, options, progress)[0]


def agreement_and_labels(
    ratings: Rated,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None,
    separate: Sequence[str] | Mapping[str, tuple[str, Mapping[str, str]]],
    label_options: LabelOptions,
    options: IntervalOptions,
    progress: Callable[[int, int], None] | None = None,
    further: Sequence[str] = (),
    variants: Mapping[str, str] = NO_VARIANTS,
) -> tuple[xr.Dataset, dict[str, xr.Dataset]]:
    """Return a Dataset along ``coefficient``, and one Dataset for each ``separate`` coefficient.

    ``separate`` is a list of names (for example, of coefficients with an estimate per label), or
    maps names of results to a coefficient and its variants. ``further`` names are added to
    ``coefficients``, unless they are already among them. ``variants`` apply to the coefficients
    along ``coefficient`` that have them.
    """
    resolve(options).check(by_kind=True)
    resolver = Resolver(ratings, label_options)
    only_separate = separate and coefficients == []
    names = [] if only_separate else names_of_request(coefficients, resolver)
    known = {NAMES.get(name) for name in names if isinstance(name, str)}
    names += [name for name in further if NAMES[name] not in known]
    listed = [resolver.request(name, _own_variants(variants, name)) for name in names]
    alone = Resolver(resolver.tables)
    named_separate = (
        separate if isinstance(separate, Mapping) else {name: (name, {}) for name in separate}
    )
    others = [alone.request(*each) for each in named_separate.values()]
    _check_listed(listed, others, resolver)
    of_levels = _at_each_level(resolver, listed)
    requests = [*listed, *others, *of_levels.values()]
    requests = identify_drawn_annotators(requests, resolver, options)
    resampling = resampling_of(options.random, resolver.tables)
    figures = measure_full_sample(resolver, requests, options, resampling, progress)
    doubts = doubts_of(resolver.tables, resampling.clusters, requests, figures)
    columns = [
        with_doubt(variables_of(request, figure, options), doubt, request, figure.made_by)
        for request, figure, doubt in zip(requests, figures, doubts, strict=True)
    ]
    noted = [notes_on(request, figure) for request, figure in zip(requests, figures, strict=True)]
    size, end = len(listed), len(listed) + len(others)
    variables = {name: np.array([column[name] for column in columns[:size]]) for name in columns[0]}
    titles = [request.name for request in requests]
    levels = [_at_level(*each) for each in zip(of_levels, columns[end:], strict=True)]
    notes = [
        *notes_of_doubts([*zip(titles[:size], doubts[:size], strict=True)]),
        *level_question(resolver, listed, levels),
        *notes_about(zip(titles[:size], noted[:size], strict=True)),
        *gpu_note(requests, figures),
    ]
    interval, leading = usual_interval(options, ratings.kind), {}
    if listed:
        in_order = coefficients is not None
        lead = lead_of(titles[:size], in_order=in_order)
        # this records the requested sampling: if annotators are random only because a coefficient
        # is defined so (such as ICC(2)), its variable ``random`` says so
        interval = replace(figures[titles.index(lead)].made_by, random=options.random)
        leading = {"coefficient": lead, "leads": "asked" if in_order else "usual"}
    attrs = _attrs(resolver, interval, resampling, notes, variables, titles[:size]) | leading
    result = dataset_of(
        {name: ("coefficient", values) for name, values in variables.items()},
        {"coefficient": np.array(titles[:size])},
        attrs,
    )
    separate_results = {
        key: _alone(
            request, column, resolver, figure.made_by, resampling, [*filter(None, [doubt]), *notes]
        )
        for key, request, figure, column, doubt, notes in zip(
            named_separate,
            requests[size:end],
            figures[size:end],
            columns[size:end],
            doubts[size:end],
            noted[size:end],
            strict=True,
        )
    }
    return without_verdict(result), separate_results


def _own_variants(variants: Mapping[str, str], name: CoefficientLike) -> Mapping[str, str]:
    if not variants or not isinstance(name, str):
        return NO_VARIANTS
    known = CATALOG[NAMES[name]].variants
    return {option: value for option, value in variants.items() if option in known}


def _at_each_level(resolver: Resolver, listed: Sequence[Request]) -> dict[str, Request]:
    """Return requests for the first coefficient that takes levels, one for each possible level.

    The result is empty if only one level is possible.
    """
    levels = possible_levels(resolver, listed)
    known = [request.name for request in listed if request.row is not None and request.row.levels]
    if len(levels) == 1 or not known:
        return {}
    options = resolver.options
    return {
        level: Resolver(resolver.tables, replace(options, level=level)).request(known[0])
        for level in levels
    }


def _at_level(level: str, figures: Columns) -> dict[str, object]:
    names = ("estimate", "ci_low", "ci_high")
    return {"level": level, **{name: float(figures[name]) for name in names}}


def measure_coefficient(
    name: str,
    ratings: Rated,
    label_options: LabelOptions,
    options: IntervalOptions,
    variants: Mapping[str, object],
) -> xr.Dataset:
    """Measure one coefficient; the result has scalars, or figures along ``label``."""
    resolve(options).check(by_kind=True)
    resolver = Resolver(ratings, label_options)
    request = resolver.request(name, variants)
    _check_alone(request, resolver)
    (request,) = identify_drawn_annotators([request], resolver, options)
    resampling = resampling_of(options.random, resolver.tables)
    (figures,) = measure_full_sample(resolver, [request], options, resampling)
    (doubt,) = doubts_of(resolver.tables, resampling.clusters, [request], [figures])
    variables = variables_of(request, figures, options)
    variables = with_doubt(variables, doubt, request, figures.made_by) | further_variables(request)
    notes = [
        *filter(None, [doubt]),
        *level_question(resolver, [request]),
        *notes_on(request, figures),
        *gpu_note([request], [figures]),
    ]
    return _alone(request, variables, resolver, figures.made_by, resampling, notes)


def _alone(
    request: Request,
    variables: Columns,
    resolver: Resolver,
    interval: ResolvedInterval,
    resampling: Resampling,
    notes: Iterable[Note],
) -> xr.Dataset:
    per_label = request.row is not None and request.problem.measure.per_label
    names = resolver.tables.labels if per_label else [request.name]
    attrs = _attrs(
        *(resolver, interval, resampling, notes, variables, names, request.name),
        by_label=per_label,
    )
    if not per_label:
        scalars = {key: ((), value) for key, value in variables.items()}
        return without_verdict(dataset_of(scalars, attrs=attrs))
    return _along_labels(variables, resolver, attrs)


def _along_labels(variables: Columns, resolver: Resolver, attrs: dict[str, object]) -> xr.Dataset:
    labels = resolver.tables.labels
    spread = {
        key: ("label", np.broadcast_to(value, len(labels)).copy())
        for key, value in variables.items()
    }
    return dataset_of(spread, {"label": labels}, attrs)


def _attrs(
    resolver: Resolver,
    interval: ResolvedInterval,
    resampling: Resampling,
    notes: Iterable[Note],
    variables: Columns,
    names: Iterable[object],
    coefficient: str = "",
    *,
    by_label: bool = False,
) -> dict[str, object]:
    clusters = resampling.cluster_count
    all_notes = [
        *certainty_notes(names, variables, interval.options, by_label=by_label),
        *left_out_of(resolver),
        *notes,
    ]
    return {
        **({"coefficient": coefficient} if coefficient else {}),
        **provenance_of(resolver.tables, "agreement", interval, all_notes, clusters),
        "level": level_of(resolver),
        "conclusion": conclusion_of(variables),
    }


def _check_listed(
    requests: Sequence[Request], others: Sequence[Request], resolver: Resolver
) -> None:
    refuse_several_figures(requests, "call iaa_jax.{call} for it")
    refuse_unused([*requests, *others], resolver)
    level_and_weights = resolver.options.level is not None and resolver.weights_given
    if level_and_weights and all(
        request.row is not None and request.row.levels for request in requests
    ):
        _refuse_both(requests[0].name)


def _check_alone(request: Request, resolver: Resolver) -> None:
    _check_level_alone(request, resolver)
    refuse_unused([request], resolver)


def _check_level_alone(request: Request, resolver: Resolver) -> None:
    level = resolver.options.level
    if level is None or request.row is None or request.row.presupposes == level:
        return
    if not request.row.levels:
        takes = f"takes {named('weights')}" if request.row.takes_weights else "takes none"
        raise IaaError(
            f"{named('level')} is a metric of krippendorff_alpha; {request.name} {takes}"
        )
    if resolver.weights_given:
        _refuse_both(request.name)


def _refuse_both(name: str) -> None:
    both = f"{named('level')} and {named('weights')} both say"
    raise IaaError(f"{both} how labels agree for {name}: give one of them")
