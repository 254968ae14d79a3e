"""Search for causes of disagreement one at a time, with earlier causes mended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from iaa_jax._types import Integers
from iaa_jax.analyses.findings.amounts import (
    label_use_beside_partners,
    label_use_in_sets,
    label_use_in_spans,
    lengths_of_spans,
    marked_by_all,
)
from iaa_jax.analyses.findings.annotators import behind_others
from iaa_jax.analyses.findings.causes import DATED, FEWEST, GAIN, SURE, Cause, RejectedCauses
from iaa_jax.analyses.findings.changes import changed, stopped
from iaa_jax.analyses.findings.columns import ItemGroups
from iaa_jax.analyses.findings.constant_answers import one_answer
from iaa_jax.analyses.findings.doubtful_readings import doubtful_readings
from iaa_jax.analyses.findings.items import hard_groups, selective
from iaa_jax.analyses.findings.label_pairs import merged_pair
from iaa_jax.analyses.findings.labels_of_annotators import (
    exchanged_labels,
    lumped_labels,
    one_for_another,
)
from iaa_jax.analyses.findings.long_ratings import LongRatings
from iaa_jax.analyses.findings.mending import Measured, mended
from iaa_jax.analyses.findings.numbers import scale_use, severe
from iaa_jax.analyses.findings.repeats import Repeats, self_disagreement
from iaa_jax.analyses.findings.span_ends import near_ends, near_ends_of_all
from iaa_jax.data.kind import Kind
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.requests.level import level_question
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.shared.times import Times

MOST = 10
"""Maximum number of mended causes."""

_TRIED = 30
"""Maximum number of causes tried."""

_HALF = 0.5
"""Minimum ratio of a shift in the original ratings to the shift in the mended ratings."""


@dataclass(frozen=True)
class MendedCause:
    """A cause, and the gain from mending it after earlier causes were mended."""

    cause: Cause
    measured: Measured | None = None
    if_mended: float = np.nan
    gain: tuple[float, float, float] = (np.nan, np.nan, np.nan)
    error: float = np.nan

    @property
    def mended_by(self) -> str:
        """How the cause is mended; "" if its gain was not measured."""
        if self.measured is None or np.isnan(self.if_mended):
            return ""
        return self.cause.mended_by or "merged"

    @property
    def is_worth_it(self) -> bool:
        """Whether the gain is significant and large enough, or unknown."""
        gain = self.gain[0]
        return bool(np.isnan(gain) or gain > max(GAIN, 2 * self.error))

    @classmethod
    def of(
        cls,
        cause: Cause,
        before: Measured,
        then: Measured,
        confidence: float,
        clusters: Integers | None,
    ) -> MendedCause:
        """Return a cause with the gain from mending it."""
        gain, error, low, high = then.gain_on(before, confidence, clusters)
        return cls(cause, then, then.estimate, (gain, low, high), error)


@dataclass(frozen=True)
class Search:
    """The search for causes in one set of ratings."""

    resolver: Resolver
    coefficient: CoefficientLike | None
    measured: Measured
    original: LongRatings
    times: Times | None
    columns: Mapping[str, ItemGroups]
    options: IntervalOptions
    repeats: Repeats | None = None
    clusters: Cause | None = None

    def causes(self) -> Iterator[MendedCause]:
        """Yield causes to mend, each after the earlier ones were mended; then other causes."""
        ratings, before = self.original, self.measured
        rejected = RejectedCauses()
        without_gain: list[Cause] = []
        kept: Cause | None = None
        moved: set[int] = set()
        number = tried = 0
        while number < MOST and tried < _TRIED:
            cause = self._costliest(ratings, rejected, without_gain)
            if cause is None:
                break
            tried += 1
            if self._too_few_left(cause, ratings):
                rejected.about.add(cause.about)
                if kept is None:
                    kept = cause.with_values(kept=1.0, **self._left(ratings))
                continue
            then = self._measure(cause.mend(ratings))
            row = MendedCause.of(
                cause, before, then, self.options.confidence, self.original.clusters
            )
            if not row.is_worth_it:
                rejected.add(cause, row.gain[0])
                without_gain += [cause] * (cause.correction is not None)
                continue
            if cause.mended_by == "left_out" and not self._gains_alone(cause, ratings):
                rejected.about.add(cause.about)
                continue
            row = replace(row, cause=cause.with_values(**self._left(ratings)))
            if cause.kind == "near_ends":
                # half of the annotators are never moved: their ends may be correct
                moved.add(cause.annotator)
                if 2 * (len(moved) + 1) >= self._annotators:
                    rejected.about |= {(cause.kind, k, -1) for k in range(ratings.annotators)}
            ratings, number = cause.mend(ratings), number + 1
            before = before if np.isnan(then.estimate) else then
            yield row
        if kept is not None:
            yield MendedCause(kept)
        yield from self._beyond_annotators(ratings, before, without_gain)

    def _gains_alone(self, cause: Cause, ratings: LongRatings) -> bool:
        """Return whether leaving ratings out raises the coefficient of the original ratings."""
        if len(ratings.item) == len(self.original.item):
            return True
        left = ~np.isin(self.original.place, ratings.place[cause.rows])
        return self._measure(self.original.taken(left)).estimate > self.measured.estimate

    def _left(self, ratings: LongRatings) -> dict[str, float]:
        left = len(np.unique(ratings.annotator))
        return {"left": float(left)} if left < self._annotators else {}

    def _too_few_left(self, cause: Cause, ratings: LongRatings) -> bool:
        """Return whether leaving an annotator out would leave half of the annotators or fewer."""
        own = ratings.annotator == cause.annotator
        if cause.mended_by != "left_out" or len(cause.rows) < own.sum():
            return False
        return 2 * len(np.unique(ratings.annotator[~own])) <= self._annotators

    @property
    def _annotators(self) -> int:
        return len(np.unique(self.original.annotator))

    def _measure(self, ratings: LongRatings) -> Measured:
        rated = mended(self.resolver.tables, ratings)
        return Measured.of(Resolver(rated, self.resolver.options), self.coefficient)

    def _costliest(
        self, ratings: LongRatings, rejected: RejectedCauses, without_gain: list[Cause]
    ) -> Cause | None:
        """Return the costliest significant cause of the first kind with causes to mend.

        Causes that cannot be mended are added to ``without_gain``.
        """
        for family in self._families(ratings, rejected):
            sure = [cause for cause in self._sure(family) if cause not in rejected]
            unmended = [cause for cause in sure if not cause.mended_by]
            rejected.about |= {cause.about for cause in unmended}
            without_gain += unmended
            if len(unmended) < len(sure):
                return max(
                    (cause for cause in sure if cause.mended_by), key=lambda cause: cause.lost
                )
        return None

    @property
    def kinds(self) -> int:
        """Number of kinds of causes tested."""
        item_kinds = 2 * (self.times is not None) + 2 * bool(self.columns)
        return 7 + item_kinds + (self.repeats is not None)

    def _families(
        self, ratings: LongRatings, rejected: RejectedCauses
    ) -> Iterator[Iterator[Cause]]:
        yield one_answer(ratings, SURE / self.kinds)
        values = ratings.numbers
        if values is not None:
            yield severe(ratings)
            yield scale_use(ratings, values[ratings.code])
        elif self._ordered:
            yield exchanged_labels(ratings)
            yield self._scale_causes(ratings, rejected)
            return
        elif self.resolver.tables.kind is Kind.LABELS:
            yield exchanged_labels(ratings)
            yield one_for_another(ratings)
            yield lumped_labels(ratings)
            yield label_use_beside_partners(ratings)
        else:
            if ratings.markings is not None:
                yield near_ends(ratings, ratings.markings)
                yield near_ends_of_all(ratings, ratings.markings)
            yield from self._marking_causes(ratings)
        yield self._annotator_causes(ratings, rejected)

    def _marking_causes(self, ratings: LongRatings) -> Iterator[Iterator[Cause]]:
        """Yield, by kind, causes for annotators who differ in spans or numbers of labels."""
        if ratings.markings is not None:
            markings = ratings.markings.distinct
            yield lengths_of_spans(ratings, markings)
            yield marked_by_all(ratings, markings)
            yield label_use_in_spans(ratings, markings)
        elif ratings.masses is not None:
            yield label_use_in_sets(ratings, ratings.masses)

    def _scale_causes(self, ratings: LongRatings, rejected: RejectedCauses) -> Iterator[Cause]:
        """Yield causes for ordinal labels, with the coefficient after mending as ``lost``.

        Rejected causes keep their ``lost``; so do all causes if there are very many.
        """
        causes = [
            cause
            for cause in severe(ratings)
            if cause.corrected_for(self.kinds).p_value < SURE and self._holds(cause)
        ]
        known = {cause.annotator for cause in causes if cause not in rejected}
        for cause in self._annotator_causes(ratings, rejected):
            if cause.annotator not in known and cause.corrected_for(self.kinds).p_value < SURE:
                causes.append(cause)
        for cause in causes:
            if len(causes) > _TRIED or cause in rejected:
                yield cause
            else:
                yield replace(cause, lost=self._measure(cause.mend(ratings)).estimate)

    def _holds(self, cause: Cause) -> bool:
        """Return whether a shift has a date, or is more than half as large without any mending."""
        original = self.original
        rows = original.rows_of(cause.annotator)
        rows = rows[original.comparable[rows]]
        mean = original.mean(original.above_others(original.values), rows)
        dated = not (np.isnan(cause.since) and np.isnan(cause.until))
        return dated or mean / cause.values["shift"] > _HALF

    def _annotator_causes(self, ratings: LongRatings, rejected: RejectedCauses) -> Iterator[Cause]:
        """Yield causes for annotators who agree less, over all times or on one side of a date.

        If an annotator has both causes, the one with a date counts only if the change is
        significant. If one of them was ``rejected``, the other is tested.
        """
        changes, shortfall = (
            {cause.annotator: cause for cause in causes if cause not in rejected}
            for causes in (changed(ratings).values(), behind_others(ratings))
        )
        for annotator in shortfall.keys() - changes.keys():
            yield shortfall[annotator]
        for annotator, change in changes.items():
            always = shortfall.get(annotator)
            dated = change.corrected_for(ratings.annotators)
            if always is None or change.p_value >= DATED:
                yield dated if always is None else always
            else:
                p_value = min(dated.p_value, always.p_value)
                yield replace(dated, p_value=p_value, p_of_date=change.p_value)

    def _beyond_annotators(
        self, ratings: LongRatings, before: Measured, without_gain: list[Cause]
    ) -> Iterator[MendedCause]:
        """Yield further causes, such as pairs of labels and kinds of items."""
        tables = self.resolver.tables
        families: list[Iterator[Cause]] = []
        if tables.kind in (Kind.SPANS, Kind.SETS):
            families.append(
                _label_use_causes(
                    self._marking_causes(ratings), without_gain, self.original, ratings
                )
            )
        elif tables.kind is Kind.LABELS and not self._ordered and not self._are_in_doubt:
            while pair := merged_pair(before, self.coefficient, self.options):
                cause, then = pair
                if cause.p_value >= SURE:
                    break
                if "share_gained" in cause.values:
                    yield from map(MendedCause, self._sure([cause]))
                    break
                yield MendedCause.of(cause, before, then, self.options.confidence, ratings.clusters)
                before = then
        if self.repeats is not None:
            names = [*map(str, tables.annotator_names.tolist())]
            families.append(self_disagreement(self.repeats, names, SURE / self.kinds))
        families.append(self._hard(ratings))
        stops = [*stopped(self.original)]
        excluded = {cause.annotator for cause in stops}
        families += [iter(stops), self._selective(ratings, excluded)]
        families.append(iter([self.clusters] if self.clusters else []))
        for family in families:
            yield from map(MendedCause, sorted(self._sure(family), key=lambda cause: cause.p_value))

    def _selective(self, ratings: LongRatings, excluded: set[int]) -> Iterator[Cause]:
        """Yield annotators with easy or hard items, if they are found before and after mending."""
        in_mended = {
            cause.about for cause in self._sure(selective(ratings, self.original, excluded))
        }
        for cause in selective(self.original, self.original, excluded):
            if cause.about in in_mended:
                yield cause

    def _sure(self, causes: Iterable[Cause]) -> list[Cause]:
        """Return the significant causes, corrected for the number of kinds."""
        corrected = [cause.corrected_for(self.kinds) for cause in causes]
        return [cause for cause in corrected if cause.p_value < SURE]

    def _hard(self, ratings: LongRatings) -> Iterator[Cause]:
        """Yield kinds of items with less agreement and a lower coefficient.

        The kinds of a column come by rising coefficient, up to the first that does not qualify.
        """
        causes: dict[str, list[Cause]] = {}
        for cause in hard_groups(ratings, self.columns):
            if cause.corrected_for(self.kinds).p_value < SURE:
                causes.setdefault(cause.column, []).append(cause)
        for column, of_column in causes.items():
            names, group = self.columns[column].names, self.columns[column].codes
            of_ratings = group[ratings.item]
            lower = {cause.group: cause for cause in of_column}
            of_kinds = [
                (self._measure(ratings.taken(of_ratings == code)).estimate, code)
                for code in np.flatnonzero(np.bincount(group[group >= 0]) >= FEWEST).tolist()
            ]
            for estimate, code in sorted(of_kinds):
                outside = (of_ratings != code) & (of_ratings >= 0)
                others = self._measure(ratings.taken(outside)).estimate
                if names[code] not in lower or not estimate < others:
                    break
                yield lower[names[code]].with_values(on_these=estimate, on_others=others)

    @property
    def _are_in_doubt(self) -> bool:
        """Whether labels may have been misread, or may be steps."""
        may_be_steps = level_question(self.resolver, [self.measured.request])
        readings = (cause.kind for cause in doubtful_readings(self.resolver.tables))
        return bool(may_be_steps) or "doubtful_reading" in readings

    @property
    def _ordered(self) -> bool:
        tables = self.resolver.tables
        return tables.kind is Kind.LABELS and self.resolver.options.level not in (None, "nominal")


def _label_use_causes(
    families: Iterator[Iterator[Cause]],
    without_gain: list[Cause],
    original: LongRatings,
    ratings: LongRatings,
) -> Iterator[Cause]:
    """Yield causes for annotators who differ in labels or spans.

    A cause that was found earlier stays if some of the annotator's ratings were left out later.
    """
    before, now = (np.bincount(of.annotator, minlength=of.annotators) for of in (original, ratings))
    tried = {cause.about for cause in without_gain if cause.mended_by}
    known = [cause for family in families for cause in family]
    about = {cause.about for cause in known}
    known += [
        cause
        for cause in without_gain
        if now[cause.annotator] < before[cause.annotator] and cause.about not in about
    ]
    for cause in known:
        yield cause.with_values(hardly=1.0) if cause.about in tried else cause
