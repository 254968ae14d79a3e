"""Agreement on each label as a question of its own: whether it is present or absent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax._types import Columns, Floats, Integers, Values, Variables
from iaa_jax.catalog import Measure, resolve_name, title_of
from iaa_jax.data.kind import Kind
from iaa_jax.engine import CodedRatings, Problem
from iaa_jax.engine.drawing import Resampling
from iaa_jax.kernels import counts
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.namespace import Array, namespace
from iaa_jax.measure.intervals.coverage import coverage_notes
from iaa_jax.measure.intervals.measurement import Measurement
from iaa_jax.measure.intervals.uncertainty import identify_drawn_annotators, measure_requests
from iaa_jax.measure.options.interval_options import IntervalOptions
from iaa_jax.measure.options.label_options import LabelOptions
from iaa_jax.measure.options.resolved_interval import resolve
from iaa_jax.measure.ratings.rated import Rated, presence_view
from iaa_jax.measure.requests.ineffective_options import refuse_unused
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resampling import resampling_of
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver, names_of_request
from iaa_jax.measure.results import (
    certainty_notes,
    conclusion_of,
    notes_about,
    notes_on,
    variables_of,
    with_doubt,
)
from iaa_jax.wording import Note

_AT_ONCE = 96
"""Maximum number of figures that are compiled as one function."""

_PRESENT = 1


class Presence(NamedTuple):
    """Agreement on the presence of each label, as the variables of a result.

    Attributes
    ----------
    coefficients : list of str
        The names of the coefficients.
    variables : dict
        Variables along (label, coefficient), and along label the prevalence with its interval.
    notes : list of Note
        Notes on the figures and their intervals.
    conclusion : str
        The conclusion, as in `iaa_jax.agreement`.
    clusters : float or None
        The number of clusters that were drawn.
    doubt : array (label, coefficient)
        The code of a caution about each interval, or "".
    """

    coefficients: list[str]
    variables: Variables
    notes: list[Note]
    conclusion: str
    clusters: float | None
    doubt: Values


def presence_of_labels(
    ratings: Rated,
    coefficients: CoefficientLike | Sequence[CoefficientLike],
    label_options: LabelOptions,
    options: IntervalOptions,
    progress: Callable[[int, int], None] | None = None,
) -> Presence:
    """Measure agreement on the presence of each label, with the same replicates for all labels."""
    resolve(options).check()
    ratings.refuse_votes()
    whole = ratings.at(1.0)
    presence = [_PresenceOfLabel(whole, label) for label in range(len(whole.label_names))]
    resolvers = [Resolver(tables, label_options) for tables in presence]
    names = names_of_request(coefficients, resolvers[0])
    _refuse_sets(names)
    resampling = resampling_of(options.random, whole)
    pairable = whole.totals["pairable_items"]
    together = _figures_by_label(whole, names, options)
    requests = [
        identify_drawn_annotators(
            [
                _prevalence(tables),
                *(
                    resolver.request(name)
                    for name in names
                    if not (isinstance(name, str) and name in together)
                ),
            ],
            *(resolver, options),
        )
        for tables, resolver in zip(presence, resolvers, strict=True)
    ]
    # for sets, an option without effect here may be meant for `iaa_jax.label_sets`
    if whole.kind is Kind.LABELS:
        refuse_unused([*requests[0][1:], *together.values()], resolvers[0])
    per_label = len(requests[0])
    listed = [request for of_label in requests for request in of_label]
    step = max(1, _AT_ONCE // per_label) * per_label
    figures: list[Measurement] = []
    for start in range(0, len(listed), step):
        part = listed[start : start + step]
        figures += measure_requests(part, options, pairable, progress, resampling)
    measured = list(zip(listed, figures, strict=True))
    of_all = dict(zip(together, _measured(together, options, pairable, resampling), strict=True))
    rows = []
    for label in range(len(presence)):
        of_label = iter(measured[label * per_label : (label + 1) * per_label])
        rows.append([next(of_label)])
        rows[-1] += [of_all[name] if name in of_all else next(of_label) for name in names]
    width = len(rows[0])
    columns = [
        {
            name: _part_for_label(value, label if coefficient in together else _PRESENT)
            for name, value in with_doubt(
                variables_of(request, figure, options), None, request, figure.made_by
            ).items()
        }
        for label, row in enumerate(rows)
        for coefficient, (request, figure) in zip((None, *names), row, strict=True)
    ]
    shape = (len(presence), width)
    values = {
        name: np.array([column[name] for column in columns]).reshape(shape) for name in columns[0]
    }
    variables: Variables = {
        name: (("label", "coefficient"), column[:, 1:])
        for name, column in values.items()
        if name != "doubt"  # notes state the doubts instead
    }
    variables["prevalence"] = ("label", values["estimate"][:, 0])
    for name in ("standard_error", "ci_low", "ci_high", "interval"):
        variables[f"prevalence_{name}"] = ("label", values[name][:, 0])
    for name, counted in (
        ("present_ratings", [tables.present_ratings() for tables in presence]),
        ("present_items", [tables.present_items() for tables in presence]),
    ):
        variables[name] = ("label", np.array(counted))
    labels = whole.label_names
    noted = [notes_on(*measurement) for row in rows for measurement in row]
    notes = coverage_notes(whole, options, resampling.clusters, "labels")
    for column, (request, _) in enumerate(rows[0][1:], start=1):
        of_column = {name: value[:, column] for name, value in values.items()}
        on_labels = noted[column::width]
        notes += _notes_on_labels(request.name, labels.tolist(), of_column, on_labels, options)
    return Presence(
        [request.name for request, _ in rows[0][1:]],
        variables,
        notes,
        conclusion_of({name: value[:, 1:] for name, value in values.items()}),
        resampling.cluster_count,
        values["doubt"][:, 1:],
    )


def _notes_on_labels(
    coefficient: str,
    labels: Sequence[object],
    variables: Columns,
    noted: Sequence[Sequence[Note]],
    options: IntervalOptions,
) -> list[Note]:
    names = [str(label) for label in labels]
    undefined: dict[str, list[str]] = {}
    for name, reason in zip(names, variables["reason"].tolist(), strict=True):
        if reason:
            undefined.setdefault(reason, []).append(name)
    notes = [Note("undefined", {"reason": reason}).on(on) for reason, on in undefined.items()]
    notes += certainty_notes(names, variables, options)
    notes += notes_about(zip(names, noted, strict=True))
    values = {"coefficient": title_of(coefficient)}
    return [
        Note("on_labels", {**values, "labels": note.about, "note": note}, note.level).on(note.about)
        for note in notes
    ]


_MASSES = np.array([[1.0, 0.0], [0.0, 1.0], [np.nan, np.nan]])
"""Masses of the codes 0 (label absent), 1 (label present), and -1 (no rating)."""


class _PresenceOfLabel(Rated):
    """Ratings of all labels, reduced to the presence and absence of one label."""

    def __init__(self, whole: Rated, label: int) -> None:
        super().__init__(presence_view(whole.dataset), computing=whole.computing)
        is_label = np.eye(len(whole.label_names))[:, label]
        self._presence = is_label if whole.kind is Kind.LABELS else whole.distinct_masses[:, label]
        self._coded: dict[int, CodedRatings] = {}
        # patterns of ratings with all labels, so that the labels share their replicates
        patterns = ("identified", "exchangeable")
        for name in ("codes", *patterns, *(f"{name}_table" for name in patterns)):
            self.__dict__[name] = getattr(whole, name)

    def at(self, p: float) -> Rated:
        """Return these ratings: presence does not depend on the share ``p`` of primary labels."""
        del p
        return self

    def present_ratings(self) -> float:
        return float(self._present(self.exchangeable.codes).sum(axis=1) @ self.exchangeable.count)

    def present_items(self) -> float:
        return float(self._present(self.exchangeable.codes).any(axis=1) @ self.exchangeable.count)

    def _present(self, codes: Integers) -> Floats:
        return np.append(self._presence, 0.0)[codes]

    def masses(self, measure: Measure) -> CodedRatings:
        """Return absence and presence as codes, so that the prior is on two labels."""
        ratings = super().masses(measure)
        assert isinstance(ratings, CodedRatings)
        if id(ratings) not in self._coded:
            code_of = np.append(self._presence, -1.0).astype(np.int8)
            self._coded[id(ratings)] = CodedRatings(
                code_of[ratings.codes], _MASSES.__getitem__, labels=2
            )
        return self._coded[id(ratings)]


def _refuse_sets(names: Sequence[CoefficientLike]) -> None:
    for name in names:
        if isinstance(name, str) and resolve_name(name).measure.label_sets:
            raise IaaError(
                f"{name} compares pairs of labels: on one label alone use krippendorff_alpha"
            )


def _prevalence(tables: _PresenceOfLabel) -> Request:
    measure = Measure(Kernel("prevalence", counts.rating_statistics, _prevalence_formula))
    problem = Problem(measure, tables.table(measure), tables.mass(measure))
    return Request("prevalence", None, problem, "", is_share=True)


def _prevalence_formula(
    sums: counts.RatingStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    del annotator_weight, disagreement
    xp = namespace(sums.proportions)
    share = counts.label_proportions(xp, sums)[_PRESENT]
    nan = xp.asarray(xp.nan, dtype=share.dtype)
    return Agreement(share, nan, nan, xp.asarray(0, dtype=xp.int32))


def _part_for_label(figure: Array, label: int) -> Array:
    return figure[label] if np.ndim(figure) else np.asarray(figure)[()]


def _figures_by_label(
    tables: Rated, names: Sequence[CoefficientLike], options: IntervalOptions
) -> dict[CoefficientLike, Request]:
    if tables.kind is not Kind.LABELS:
        return {}
    resolver = Resolver(tables)
    of_labels = [
        name for name in names if isinstance(name, str) and resolve_name(name).measure.per_label
    ]
    requests = [resolver.request(name) for name in of_labels]
    identified = identify_drawn_annotators(requests, resolver, options)
    return dict(zip(of_labels, identified, strict=True))


def _measured(
    together: Mapping[CoefficientLike, Request],
    options: IntervalOptions,
    pairable: float,
    resampling: Resampling,
) -> list[tuple[Request, Measurement]]:
    requests = [*together.values()]
    if not requests:
        return []
    figures = measure_requests(requests, options, pairable, resampling=resampling)
    return list(zip(requests, figures, strict=True))
