"""Where causes are looked for: one after the other, those before mended, and measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from iaa_jax._types import Integers, Values
from iaa_jax.analyses.findings.amounts import label_use_in_sets, lengths_of_spans, marked_by_all
from iaa_jax.analyses.findings.annotators import behind_others
from iaa_jax.analyses.findings.causes import DATED, SURE, Cause
from iaa_jax.analyses.findings.course import changed, stopped
from iaa_jax.analyses.findings.items import cluster_codes, clusters, hard_groups, selective
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
from iaa_jax.data.kind import Kind
from iaa_jax.data.marked.counts import units_by_label
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import level_question
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.shared.times import Times

MOST = 10
"""Causes that are looked for one after the other, those before mended."""

_TRIED = 30
"""Causes, at the most, that are measured and gain too little to be told."""

_GAIN = 0.005
"""What mending a cause gains, at the least, to be told."""


_About = tuple[str, int, int]
"""The kind of a cause, its annotator and its label."""


def in_clusters(ratings: LongRatings, columns: Mapping[str, Values]) -> LongRatings:
    """The ratings with the items that belong together by the column whose groups agree most alike.

    As they are where no column's surely do.
    """
    sure = [cause for cause in clusters(ratings, columns) if cause.p_value < SURE]
    if not sure:
        return ratings
    largest = max(sure, key=lambda cause: cause.values["effect"])
    return replace(ratings, clusters=cluster_codes(columns[largest.column]))


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
        if self.measured is None or np.isnan(self.if_mended):
            return ""
        if not len(self.cause.rows):
            return "merged"
        return "left_out" if self.cause.codes is None else "recoded"

    @property
    def is_worth_it(self) -> bool:
        """Whether mending it surely gains, and enough to be told."""
        gain = self.gain[0]
        return bool(np.isnan(gain) or gain > max(_GAIN, 2 * self.error))

    @classmethod
    def of(
        cls,
        cause: Cause,
        before: Measured,
        then: Measured,
        confidence: float,
        clusters: Integers | None,
    ) -> MendedCause:
        """A cause, measured."""
        gain, error, low, high = then.gain_on(before, confidence, clusters)
        return cls(cause, then, then.estimate, (gain, low, high), error)


@dataclass(frozen=True)
class Search:
    """Where causes are looked for."""

    resolver: Resolver
    coefficient: CoefficientLike | None
    measured: Measured
    original: LongRatings
    times: Times | None
    columns: Mapping[str, Values]
    options: IntervalOptions
    repeats: Repeats | None = None

    def causes(self) -> Iterator[MendedCause]:
        """One cause after the other, each measured with it and all before mended."""
        ratings, before = self.original, self.measured
        refused: set[_About] = set()
        found = 0
        while found < MOST and len(refused) < _TRIED:
            cause = self._costliest(ratings, refused)
            if cause is None:
                break
            then = self._measure(mended(self.resolver.tables, self.original, cause.mend(ratings)))
            row = MendedCause.of(
                cause, before, then, self.options.confidence, self.original.clusters
            )
            if not row.is_worth_it:
                refused.add(_about(cause))
                continue
            ratings, found = cause.mend(ratings), found + 1
            before = before if np.isnan(then.estimate) else then
            yield row
        yield from self._beyond_annotators(ratings, before)

    def _measure(self, rated: Rated) -> Measured:
        return Measured.of(Resolver(rated, self.resolver.options), self.coefficient)

    def _costliest(self, ratings: LongRatings, refused: set[_About]) -> Cause | None:
        """Of the sure causes that are mended the costliest, labels put right before all others."""
        for family in self._families(ratings, refused):
            asked = [cause.asked(self.kinds) for cause in family]
            sure = [each for each in asked if each.p_value < SURE and _about(each) not in refused]
            if sure:
                return max(sure, key=lambda cause: cause.lost)
        return None

    @property
    def kinds(self) -> int:
        """Kinds of causes that are asked of these ratings."""
        of_items = 2 * (self.times is not None) + 2 * bool(self.columns)
        return 6 + of_items + (self.repeats is not None)

    def _families(self, ratings: LongRatings, refused: set[_About]) -> Iterator[Iterator[Cause]]:
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
        yield self._of_annotators(ratings, refused)

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

    def _of_annotators(self, ratings: LongRatings, refused: set[_About]) -> Iterator[Cause]:
        """Who is behind: from a date on or by one label where that is so, else altogether.

        How an annotator is behind who is so altogether is a question about him alone. Where one of
        both was ``refused`` the other is asked.
        """
        changes, behind = (
            {cause.annotator: cause for cause in causes if _about(cause) not in refused}
            for causes in (changed(ratings).values(), behind_others(ratings))
        )
        for annotator in behind.keys() - changes.keys():
            yield behind[annotator]
        for annotator, change in changes.items():
            always = behind.get(annotator)
            dated = change.asked(ratings.annotators)
            if always is None or change.p_value >= DATED:
                yield dated if always is None else always
            else:
                p_value = min(dated.p_value, always.p_value)
                yield replace(dated, p_value=p_value, p_of_date=change.p_value)

    def _beyond_annotators(self, ratings: LongRatings, before: Measured) -> Iterator[MendedCause]:
        """What is left: labels, items, and who is seen in them."""
        tables = self.resolver.tables
        families: list[Iterator[Cause]] = []
        if tables.kind in (Kind.SPANS, Kind.SETS):
            families += self._of_marks(ratings)
        elif tables.kind is Kind.LABELS and not self._ordered and not self._may_be_steps:
            pair = merged_pair(before, self.coefficient, self.options)
            if pair is not None and pair[0].asked(self.kinds).p_value < SURE:
                yield MendedCause.of(
                    pair[0].asked(self.kinds),
                    before,
                    pair[1],
                    self.options.confidence,
                    ratings.clusters,
                )
        if self.repeats is not None:
            names = [*map(str, tables.annotator_names.tolist())]
            families.append(self_disagreement(self.repeats, names, SURE / self.kinds))
        families.append(hard_groups(ratings, self.columns))
        left = [*stopped(self.original)]
        aside = {cause.annotator for cause in left}
        families += [iter(left), selective(ratings, self.original, aside)]
        families.append(clusters(ratings, self.columns))
        for family in families:
            sure = [each for cause in family if (each := cause.asked(self.kinds)).p_value < SURE]
            yield from map(MendedCause, sorted(sure, key=lambda cause: cause.p_value))

    @property
    def _may_be_steps(self) -> bool:
        """Whether labels may be steps, whose neighbours are confused without being one label."""
        return bool(level_question(self.resolver, [self.measured.request]))

    @property
    def _ordered(self) -> bool:
        """Whether labels are steps of a scale."""
        tables = self.resolver.tables
        return tables.kind is Kind.LABELS and self.resolver.options.level not in (None, "nominal")


def _about(cause: Cause) -> _About:
    return cause.kind, cause.annotator, cause.label
