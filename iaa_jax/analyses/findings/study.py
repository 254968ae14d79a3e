"""Causes of disagreement that have a name, the one whose mending brings most first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import xarray as xr

from iaa_jax._types import Values, Variables
from iaa_jax.analyses.findings import declared
from iaa_jax.analyses.findings.annotators import behind_others
from iaa_jax.analyses.findings.causes import SURE, Cause
from iaa_jax.analyses.findings.columns import dates_of, kinds_of_items
from iaa_jax.analyses.findings.course import changed, stopped
from iaa_jax.analyses.findings.items import clusters, hard_groups, selective
from iaa_jax.analyses.findings.label_pairs import merged_pair
from iaa_jax.analyses.findings.labels_of_annotators import (
    exchanged_labels,
    lumped_labels,
    one_for_another,
)
from iaa_jax.analyses.findings.long_ratings import LongRatings
from iaa_jax.analyses.findings.mending import (
    Measured,
    as_numbers,
    long_ratings_of,
    mended,
    unit_of,
)
from iaa_jax.analyses.findings.numbers import scale_use, severe
from iaa_jax.analyses.findings.sets import label_use_in_sets
from iaa_jax.analyses.findings.spans import lengths_of_spans, marked_by_all
from iaa_jax.data.kind import Kind
from iaa_jax.data.marked.counts import units_by_label
from iaa_jax.engine.rows import Progress, tell
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.options.requirements import Excluded, requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import without_verdict
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.results import provenance_of_figures, result_dataset
from iaa_jax.measure.shared.times import Times
from iaa_jax.wording.figures import gives
from iaa_jax.wording.formats import short

_MOST = 10
"""Causes that are looked for one after the other, those before mended."""

_GAIN = 0.005
"""What mending a cause gains, at the least, to be told."""

_DATED = 0.01
"""How sure it is, at the least, that one who is behind is so from a date on."""


@public
@requires(
    Excluded("counts without annotators", "causes are looked for by annotator"),
    Excluded("one annotator", "annotators are compared with others"),
)
@gives(declared)
def findings(
    ratings: Rated,
    by: str | None = None,
    coefficient: CoefficientLike | None = None,
    *,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions, "confidence", "seed"),
    progress: Progress | None = None,
) -> xr.Dataset:
    """Causes of disagreement that have a name, and what mending each would bring.

    Looked for are an annotator who exchanges two labels, gives one for another, favours one,
    guesses, changes at a date, stops, or rates the easy items; of numbers one who is severe or uses
    less of the scale, of label sets one who leaves a label out or adds it, of spans one who marks
    less or more, or shorter or longer spans; a pair of labels that all confuse, a kind of items
    that all find hard, and items that belong together.

    An annotator is compared with what the others of an item say among themselves, so that neither
    hard items nor the others' errors are laid to him: where annotators are alike the mean of that
    difference is 0. What is surest is named, mended in the ratings, and the rest is looked through
    again, since one cause hides others. ``p_value`` is multiplied by the number of questions asked,
    those of each kind together counting as one of the kinds.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings of two annotators or more, as the constructors and `iaa_jax.read` make them; who is
        to blame only three on an item can tell.
    by : str, optional
        A coordinate of items with times or batches; by default one with dates, if there is one.
    coefficient : str or callable, optional
        What is measured as it is and mended; Krippendorff's alpha by default.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the causes found and the most that are looked for.

    Returns
    -------
    xarray.Dataset
        Along ``finding``, first what is mended by its gain, then all else:

        FINDINGS

        As it is, and with all mended:

        SCALARS

        The attribute ``conclusion`` is "found" or "none".

    Raises
    ------
    IaaError
        If annotators are unknown, there is only one, or an option does not fit.

    References
    ----------
    Miller, R. and Siegmund, D. (1982). Maximally selected chi square statistics. Biometrics 38(4).
    https://doi.org/10.2307/2529881

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = [["a", "a", "b"], ["b", "b", "a"], ["c", "c", "c"]] * 20
    >>> result = iaa.findings(iaa.from_wide(rows))
    >>> result.kind.values, result.annotator.values, float(result.if_mended[0])
    (array(['exchanged_labels'], dtype=object), array(['annotator 3'], dtype=object), 1.0)
    """
    ratings = as_numbers(ratings, label_options)
    resolver = Resolver(ratings, label_options)
    times = dates_of(ratings, by)
    columns = kinds_of_items(ratings, times)
    before = Measured.of(resolver, coefficient)
    search = _Search(
        resolver, coefficient, before, long_ratings_of(resolver, times), times, columns, options
    )
    rows: list[MendedCause] = []
    for row in search.causes():
        rows.append(row)
        tell(progress, min(len(rows), _MOST), _MOST)
    tell(progress, _MOST, _MOST)
    last = next((row.if_mended for row in rows[::-1] if row.measured), before.estimate)
    variables = _variables(rows, ratings, resolver, times)
    variables |= {
        "estimate": ((), np.asarray(before.estimate)),
        "if_all_mended": ((), np.asarray(last)),
    }
    attrs: dict[str, object] = {
        **provenance_of_figures(resolver, "findings", [before.request]),
        "coefficient": before.request.name,
        "weights": before.request.used,
        "confidence": options.confidence,
        "seed": options.seed,
        "by": "" if times is None else times.by,
        "sure": SURE,
        "three_rated": int((search.original.size > 2).any()),
        "conclusion": "found" if rows else "none",
    }
    return without_verdict(result_dataset(variables, {}, attrs))


@dataclass(frozen=True)
class MendedCause:
    """A cause, and what mending it brings on top of those before."""

    cause: Cause
    measured: Measured | None = None
    if_mended: float = np.nan
    gain: tuple[float, float, float] = (np.nan, np.nan, np.nan)
    error: float = np.nan

    @property
    def mended_by(self) -> str:
        """How it is mended."""
        if self.measured is None:
            return ""
        if not len(self.cause.rows):
            return "merged"
        return "left_out" if self.cause.codes is None else "recoded"

    @property
    def is_worth_it(self) -> bool:
        """Whether mending it surely gains, and enough to be told."""
        return self.gain[0] > max(_GAIN, 2 * self.error)

    @classmethod
    def of(cls, cause: Cause, before: Measured, then: Measured, confidence: float) -> MendedCause:
        """A cause, measured."""
        gain, error, low, high = then.gain_on(before, confidence)
        return cls(cause, then, then.estimate, (gain, low, high), error)


@dataclass(frozen=True)
class _Search:
    """Where causes are looked for."""

    resolver: Resolver
    coefficient: CoefficientLike | None
    measured: Measured
    original: LongRatings
    times: Times | None
    columns: Mapping[str, Values]
    options: IntervalOptions

    def causes(self) -> Iterator[MendedCause]:
        """One cause after the other, each measured with it and all before mended."""
        ratings, before = self.original, self.measured
        refused: set[tuple[str, int, int]] = set()
        found = 0
        while found < _MOST and len(refused) < _MOST:
            cause = self._costliest(ratings, refused)
            if cause is None:
                break
            then = self._measure(mended(self.resolver.tables, self.original, cause.mend(ratings)))
            row = MendedCause.of(cause, before, then, self.options.confidence)
            if not row.is_worth_it:
                refused.add(_about(cause))
                continue
            ratings, before, found = cause.mend(ratings), then, found + 1
            yield row
        yield from self._beyond_annotators(ratings, before)

    def _measure(self, rated: Rated) -> Measured:
        return Measured.of(Resolver(rated, self.resolver.options), self.coefficient)

    def _costliest(self, ratings: LongRatings, refused: set[tuple[str, int, int]]) -> Cause | None:
        """Of the sure causes that are mended the costliest, labels put right before all others."""
        for family in self._families(ratings):
            sure = [
                cause.asked(self.kinds)
                for cause in family
                if cause.asked(self.kinds).p_value < SURE and _about(cause) not in refused
            ]
            if sure:
                return max(sure, key=lambda cause: cause.lost)
        return None

    @property
    def kinds(self) -> int:
        """Kinds of causes that are asked of these ratings."""
        return 6 + 2 * (self.times is not None) + 2 * bool(self.columns)

    def _families(self, ratings: LongRatings) -> Iterator[Iterator[Cause]]:
        values = ratings.numbers
        if values is not None:
            yield severe(ratings, values[ratings.code])
            yield scale_use(ratings, values[ratings.code])
        elif self._ordered:
            yield exchanged_labels(ratings)
            yield severe(ratings, ratings.code.astype(np.float64))
        elif self.resolver.tables.kind is Kind.LABELS:
            yield exchanged_labels(ratings)
            yield one_for_another(ratings)
            yield lumped_labels(ratings)
        else:
            yield from self._of_marks(ratings)
        yield self._of_annotators(ratings)

    def _of_marks(self, ratings: LongRatings) -> Iterator[Iterator[Cause]]:
        """Who marks or gives more or less; of other ratings nobody."""
        tables = self.resolver.tables
        if tables.kind is Kind.SPANS:
            markings = tables.spans.markings.distinct
            yield lengths_of_spans(ratings, markings)
            yield marked_by_all(ratings, markings)
            yield label_use_in_sets(ratings, units_by_label(markings))
        elif tables.kind is Kind.SETS:
            yield label_use_in_sets(ratings, tables.distinct_masses)

    def _of_annotators(self, ratings: LongRatings) -> Iterator[Cause]:
        """Who is behind: from a date on or by one label where that is so, else altogether.

        How an annotator is behind who is so altogether is a question about him alone.
        """
        changes = changed(ratings)
        behind = {cause.annotator: cause for cause in behind_others(ratings)}
        for annotator in behind.keys() - changes.keys():
            yield behind[annotator]
        for annotator, change in changes.items():
            always = behind.get(annotator)
            dated = change.asked(ratings.annotators)
            if always is None or change.p_value >= _DATED:
                yield dated if always is None else always
            else:
                yield replace(dated, p_value=min(dated.p_value, always.p_value))

    def _beyond_annotators(self, ratings: LongRatings, before: Measured) -> Iterator[MendedCause]:
        """What is left: labels, items, and who is seen in them."""
        tables = self.resolver.tables
        families: list[Iterator[Cause]] = []
        if tables.kind in (Kind.SPANS, Kind.SETS):
            families += self._of_marks(ratings)
        elif tables.kind is Kind.LABELS and not self._ordered:
            pair = merged_pair(before, self.coefficient, self.options)
            if pair is not None and pair[0].asked(self.kinds).p_value < SURE:
                yield MendedCause.of(
                    pair[0].asked(self.kinds), before, pair[1], self.options.confidence
                )
        families.append(hard_groups(ratings, self.columns))
        left = [*stopped(self.original)]
        aside = {cause.annotator for cause in left}
        families += [iter(left), selective(ratings, self.original, aside)]
        families.append(clusters(ratings, self.columns))
        for family in families:
            sure = [each for cause in family if (each := cause.asked(self.kinds)).p_value < SURE]
            yield from map(MendedCause, sorted(sure, key=lambda cause: cause.p_value))

    @property
    def _ordered(self) -> bool:
        """Whether labels are steps of a scale."""
        tables = self.resolver.tables
        return tables.kind is Kind.LABELS and self.resolver.options.level not in (None, "nominal")


def _about(cause: Cause) -> tuple[str, int, int]:
    return cause.kind, cause.annotator, cause.label


def _variables(
    rows: list[MendedCause], ratings: Rated, resolver: Resolver, times: Times | None
) -> Variables:
    """The causes as columns."""
    labels = np.array([*map(str, resolver.tables.label_names.tolist()), ""], dtype=object)
    names = np.array([*map(str, ratings.annotator_names.tolist()), ""], dtype=object)
    causes = [row.cause for row in rows]

    def column(values: list[object], kind: type = object) -> tuple[str, Values]:
        return "finding", np.array(values, dtype=kind)

    def moments(positions: list[float]) -> tuple[str, Values]:
        return column([_moment(times, position) for position in positions])

    figures: dict[str, list[float]] = {name: [] for name in _FIGURES}
    unit = unit_of(resolver.tables) if resolver.tables.kind is Kind.NUMBERS else 1.0
    for cause in causes:
        powers = {"shift": 1, "then": 1 if cause.kind == "severe" else 2} | _SQUARES
        for name in _FIGURES:
            value = cause.values.get(name, np.nan)
            figures[name].append(value * unit ** powers.get(name, 0))
    return {
        "kind": column([cause.kind for cause in causes]),
        "annotator": column([names[cause.annotator] for cause in causes]),
        "label": column([labels[cause.label] for cause in causes]),
        "other_label": column([labels[cause.other_label] for cause in causes]),
        "since": moments([cause.since for cause in causes]),
        "until": moments([cause.until for cause in causes]),
        "column": column([cause.column for cause in causes]),
        "group": column([cause.group for cause in causes]),
        "items": column([cause.items for cause in causes], float),
        "p_value": column([cause.p_value for cause in causes], float),
        "mended_by": column([row.mended_by for row in rows]),
        "if_mended": column([row.if_mended for row in rows], float),
        "gain": column([row.gain[0] for row in rows], float),
        "gain_ci_low": column([row.gain[1] for row in rows], float),
        "gain_ci_high": column([row.gain[2] for row in rows], float),
        **{name: column([*values], float) for name, values in figures.items()},
    }


def _moment(times: Times | None, position: float) -> str:
    """A place in time as text: a date, a batch, or a number with its column; "" for none."""
    if times is None or np.isnan(position):
        return ""
    (value,) = times.coordinate_of(np.array([position]))
    if times.origin is not None:
        return str(np.datetime_as_string(value, unit="D"))
    return str(value) if times.names is not None else f"{times.by} {short(value)}"


_SQUARES = {"agreement": 2, "among_others": 2}
"""Figures of numbers that have the square of their unit."""

_FIGURES = tuple(figure.name for figure in declared.OF_SENTENCES)
