"""The sections of a report: each takes the request and returns a page, or None.

They call public functions, as users do. A section is None if it does not apply.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses import page_of
from iaa_jax.analyses.diagnose.merges import MOST_LABELS
from iaa_jax.analyses.judge.comparing import check_judges
from iaa_jax.data.coordinates import item_coordinates
from iaa_jax.data.kind import Kind
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.sections import ReportRequest
from iaa_jax.measure.shared.times import values_by
from iaa_jax.pages import MOST_ROWS, Column, Page, Remarks, Table
from iaa_jax.pages.item_sheet import SHEET
from iaa_jax.pages.ratings import with_guesses_first
from iaa_jax.wording import Note
from iaa_jax.wording.undecided import UNDECIDED

USUAL_TIME = "time"
"""The default coordinate of times."""

PASSAGES = 5
"""Maximum number of passages shown with each annotator's marks."""

_ROUNDING = 1e-9
"""Tolerance within which agreement counts as 1."""


def judges_of(ratings: Rated, judges: Sequence[str], by: str | None) -> list[str]:
    """Return the annotators who are judges; refuse names that no section could use."""
    if by is not None:
        values_by(ratings, by)
    return check_judges(ratings, judges) if judges else []


def _given(ratings: Rated) -> Any:
    """Return ratings as the Dataset that signatures of public functions require."""
    return ratings


def _page(*results: xr.Dataset, **shown: object) -> Page:
    return page_of(results, shown)


def agreement(asked: ReportRequest) -> Page:
    """Report all coefficients with intervals, and what was read; labels have their own section."""
    names = asked.coefficients or None
    results = iaa.agree(_given(asked.ratings), names, scale=asked.scale, **asked.how)
    shown = [results[name] for name in ("coefficients", "contingency") if name in results]
    return with_guesses_first(_page(*shown, sentence=True))


def findings(asked: ReportRequest) -> Page | None:
    """Report the causes of disagreement, if there are any that a page can state."""
    if asked.ratings.anonymous or asked.ratings.annotators < 2:
        return None
    result = iaa.findings(_given(asked.described), asked.by, asked.coefficient, **asked.how)
    return _page(result) if result.attrs["conclusion"] == "found" else None


def labels(asked: ReportRequest) -> Page | None:
    """Report agreement on each label, and confused labels; label sets have their own section."""
    if not asked.has_labels or asked.kind is Kind.SETS:
        return None
    return _page(iaa.labels(_given(asked.ratings), asked.coefficient, **asked.how))


def merges(asked: ReportRequest) -> Page | None:
    """Report the labels that may be merged; none if no merger is worth it."""
    if asked.kind is not Kind.LABELS or not 3 <= len(asked.ratings.label_names) <= MOST_LABELS:
        return None
    result = iaa.labels.merges(_given(asked.ratings), asked.coefficient, **asked.how)
    return _page(result) if result.attrs["conclusion"] in ("merge", UNDECIDED) else None


def annotators(asked: ReportRequest) -> Page | None:
    """Compare each annotator with the others; none for two, or for unknown annotators."""
    if asked.ratings.anonymous or asked.ratings.annotators < 3:
        return None
    return _page(iaa.annotators(_given(asked.ratings), asked.coefficient, **asked.how))


def items(asked: ReportRequest) -> Page:
    """Report items by agreement, and the most disputed items with their labels."""
    of_labels = asked.kind.has_labels
    ratings = asked.ratings
    if asked.kind is Kind.SPANS:  # their section has the disputed passages
        ratings = ratings.without_coordinates(["text"])
    if not asked.texts:
        ratings = ratings.without_coordinates(item_coordinates(ratings.dataset))
    how: dict[str, Any] = {"votes": of_labels, "label_options": asked.label_options}
    result = iaa.items(_given(ratings), asked.coefficient, **how)
    page = _page(result)
    figure = "agreement" if "agreement" in result else "disagreement"
    values = result[figure].values[np.argsort(result["rank"].values)]
    differ = values < 1 - _ROUNDING if figure == "agreement" else values > 0
    disputed = np.flatnonzero(differ)[:MOST_ROWS].tolist()
    blocks = [
        replace(
            block,
            columns=_texts_second(block.columns),
            shown=disputed,
            notes=(),
            in_files=not disputed,
        )
        if isinstance(block, Table)
        else block
        for block in page.blocks
        if getattr(block, "id", "") != SHEET  # people fill in that of gold labels
    ]
    if of_labels and disputed:
        blocks.append(Remarks([Note("sheet")]))
    return replace(page, blocks=blocks)


def _texts_second(columns: Sequence[Column]) -> list[Column]:
    """Order columns of a table of items so that columns of the file follow the names of items."""
    first, *others = columns
    own = [
        column
        for column in others
        if column.kind == "text" and getattr(column.heading, "code", "") == "own_column"
    ]
    return [first, *own, *(column for column in others if column not in own)]


def label_sets(asked: ReportRequest) -> Page | None:
    """Report agreement on whole label sets, and on each label; none for single labels."""
    if asked.kind is not Kind.SETS:
        return None
    how: dict[str, Any] = {"options": asked.options, "progress": asked.progress}
    results = [iaa.per_label(_given(asked.ratings), **how)]
    if len(asked.ratings.label_names) > 1:
        results.append(iaa.label_sets(_given(asked.ratings), **how))
    return _page(*results)


def gold(asked: ReportRequest) -> Page | None:
    """Report the majority label of each item, the least certain first; none for numbers."""
    if not asked.has_labels:
        return None
    of_spans = asked.kind is Kind.SPANS
    return _page(
        iaa.gold.spans(_given(asked.ratings)) if of_spans else iaa.gold(_given(asked.ratings))
    )


def sweep(asked: ReportRequest) -> Page | None:
    """Report how agreement changes if second labels count; none without second labels."""
    if asked.kind is not Kind.DOUBLES:
        return None
    ratings = _given(asked.ratings)
    of_labels: dict[str, Any] = {"label_options": asked.label_options}
    curve = iaa.sweep(ratings, **asked.how)
    return _page(
        curve,
        iaa.doubles.item_classes(ratings, **of_labels),
        iaa.doubles.item_curves(ratings, p=curve, **of_labels),
        iaa.doubles.patterns(ratings, p=(0.5, 0.75, 1.0)),
        iaa.doubles.labels(ratings, **of_labels),
    )


def drift(asked: ReportRequest) -> Page | None:
    """Report how agreement changes over times or batches; none without either."""
    by = asked.by or USUAL_TIME
    if asked.by is None and by not in asked.ratings.dataset.coords:
        return None
    return _page(iaa.drift(_given(asked.ratings), by, asked.coefficient, **asked.how))


def spans(asked: ReportRequest) -> Page | None:
    """Report what annotators of spans disagree on, with passages; none for other ratings."""
    if asked.kind is not Kind.SPANS:
        return None
    how: dict[str, Any] = {"options": asked.options, "progress": asked.progress}
    results = [
        iaa.span_f1(_given(asked.ratings), **how),
        iaa.span_f1.coefficients(_given(asked.ratings), **how),
    ]
    if asked.texts:
        results.append(iaa.span_f1.passages(_given(asked.ratings), PASSAGES))
    shown = _page(*results)
    # the head of the report has the coefficients
    blocks = [
        replace(block, in_files=True)
        if isinstance(block, Table) and block.id == "coefficients"
        else block
        for block in shown.blocks
    ]
    return replace(shown, blocks=blocks)


def judge(asked: ReportRequest) -> Page | None:
    """Report whether judges may replace people; none if no annotator is named as a judge."""
    if not asked.judges:
        return None
    return _page(iaa.judge(_given(asked.everyone), asked.judges, asked.coefficient, **asked.how))


def plan(asked: ReportRequest) -> Page:
    """Report the precision that more items, or more annotators, would bring."""
    shown = _page(iaa.plan(_given(asked.ratings), asked.coefficient, **asked.how), designs=False)
    return replace(shown, blocks=[*shown.blocks, Remarks([Note("precision_alone")])])


SECTIONS: dict[str, Callable[[ReportRequest], Page | None]] = {
    section.__name__: section
    for section in (
        *(findings, labels, merges, annotators, items, label_sets, gold),
        *(sweep, drift, spans, judge, plan),
    )
}
"""Sections below the head, in reading order."""
