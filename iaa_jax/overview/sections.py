"""Functions that make the sections of a report, each as a page, or None if it does not apply."""

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

PASSAGES = 5
"""Maximum number of passages shown with each annotator's marks."""

_ROUNDING = 1e-9
"""Tolerance within which agreement counts as 1."""


def judges_of(ratings: Rated, judges: Sequence[str], by: str | None) -> list[str]:
    """Return the annotators who are judges; refuse unknown ones, and an unknown column ``by``."""
    if by is not None:
        values_by(ratings, by)
    return check_judges(ratings, judges) if judges else []


def _as_dataset(ratings: Rated) -> Any:
    """Return ratings, typed as the Dataset that signatures of public functions require."""
    return ratings


def _page(*results: xr.Dataset, **shown: object) -> Page:
    return page_of(results, shown)


def agreement(request: ReportRequest) -> Page:
    """Report coefficients, the contingency table if there is one, and what was read."""
    names = request.coefficients or None
    results = iaa.agree(_as_dataset(request.ratings), names, scale=request.scale, **request.how)
    shown = [results[name] for name in ("coefficients", "contingency") if name in results]
    return with_guesses_first(_page(*shown, sentence=True))


def findings(request: ReportRequest) -> Page | None:
    """Report the causes of disagreement; None if none is found."""
    if request.ratings.anonymous or request.ratings.annotators < 2:
        return None
    result = iaa.findings(
        _as_dataset(request.described), request.by, request.coefficient, **request.how
    )
    return _page(result) if result.attrs["conclusion"] == "found" else None


def labels(request: ReportRequest) -> Page | None:
    """Report agreement on each label, and confused labels.

    The result is None for numbers, long scales and label sets.
    """
    if not request.has_labels or request.kind is Kind.SETS:
        return None
    return _page(iaa.labels(_as_dataset(request.ratings), request.coefficient, **request.how))


def merges(request: ReportRequest) -> Page | None:
    """Report the labels that may be merged; None if no merge is worthwhile.

    Merges are sought among at least 3 and at most `MOST_LABELS` labels.
    """
    if request.kind is not Kind.LABELS or not 3 <= len(request.ratings.label_names) <= MOST_LABELS:
        return None
    result = iaa.labels.merges(_as_dataset(request.ratings), request.coefficient, **request.how)
    return _page(result) if result.attrs["conclusion"] in ("merge", UNDECIDED) else None


def annotators(request: ReportRequest) -> Page | None:
    """Compare each annotator with the others; None for fewer than three, or anonymous ratings."""
    if request.ratings.anonymous or request.ratings.annotators < 3:
        return None
    return _page(iaa.annotators(_as_dataset(request.ratings), request.coefficient, **request.how))


def items(request: ReportRequest) -> Page:
    """Report items by agreement, and the most disputed items with their labels."""
    of_labels = request.kind.has_labels
    ratings = request.ratings
    if request.kind is Kind.SPANS:  # the section on spans has the disputed passages
        ratings = ratings.without_coordinates(["text"])
    if not request.texts:
        ratings = ratings.without_coordinates(item_coordinates(ratings.dataset))
    how: dict[str, Any] = {"votes": of_labels, "label_options": request.label_options}
    result = iaa.items(_as_dataset(ratings), request.coefficient, **how)
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
        if getattr(block, "id", "") != SHEET  # the section on gold labels has the sheet to fill in
    ]
    if of_labels and disputed:
        blocks.append(Remarks([Note("sheet")]))
    return replace(page, blocks=blocks)


def _texts_second(columns: Sequence[Column]) -> list[Column]:
    first, *others = columns
    texts = [
        column
        for column in others
        if column.kind == "text" and getattr(column.heading, "code", "") == "own_column"
    ]
    return [first, *texts, *(column for column in others if column not in texts)]


def label_sets(request: ReportRequest) -> Page | None:
    """Report agreement on whole label sets, and on each label; None for other ratings."""
    if request.kind is not Kind.SETS:
        return None
    how: dict[str, Any] = {"options": request.options, "progress": request.progress}
    results = [iaa.per_label(_as_dataset(request.ratings), **how)]
    if len(request.ratings.label_names) > 1:
        results.append(iaa.label_sets(_as_dataset(request.ratings), **how))
    return _page(*results)


def gold(request: ReportRequest) -> Page | None:
    """Report gold labels, the least certain first; None for numbers and long scales."""
    if not request.has_labels:
        return None
    of_spans = request.kind is Kind.SPANS
    return _page(
        iaa.gold.spans(_as_dataset(request.ratings))
        if of_spans
        else iaa.gold(_as_dataset(request.ratings))
    )


def sweep(request: ReportRequest) -> Page | None:
    """Report how agreement changes if second labels count; None without second labels."""
    if request.kind is not Kind.DOUBLES:
        return None
    ratings = _as_dataset(request.ratings)
    of_labels: dict[str, Any] = {"label_options": request.label_options}
    curve = iaa.sweep(ratings, **request.how)
    return _page(
        curve,
        iaa.doubles.item_classes(ratings, **of_labels),
        iaa.doubles.item_curves(ratings, p=curve, **of_labels),
        iaa.doubles.patterns(ratings, p=(0.5, 0.75, 1.0)),
        iaa.doubles.labels(ratings, **of_labels),
    )


def drift(request: ReportRequest) -> Page | None:
    """Report how agreement changes over times or batches; None without either."""
    by = request.by or USUAL_TIME
    if request.by is None and by not in request.ratings.dataset.coords:
        return None
    return _page(iaa.drift(_as_dataset(request.ratings), by, request.coefficient, **request.how))


def spans(request: ReportRequest) -> Page | None:
    """Report what annotators of spans disagree on, with passages; None for other ratings."""
    if request.kind is not Kind.SPANS:
        return None
    how: dict[str, Any] = {"options": request.options, "progress": request.progress}
    results = [
        iaa.span_f1(_as_dataset(request.ratings), **how),
        iaa.span_f1.coefficients(_as_dataset(request.ratings), **how),
    ]
    if request.texts:
        results.append(iaa.span_f1.passages(_as_dataset(request.ratings), PASSAGES))
    shown = _page(*results)
    # the head of the report has the coefficients
    blocks = [
        replace(block, in_files=True)
        if isinstance(block, Table) and block.id == "coefficients"
        else block
        for block in shown.blocks
    ]
    return replace(shown, blocks=blocks)


def judge(request: ReportRequest) -> Page | None:
    """Report whether judges may replace people; None if no annotator is named as a judge."""
    if not request.judges:
        return None
    return _page(
        iaa.judge(_as_dataset(request.everyone), request.judges, request.coefficient, **request.how)
    )


def plan(request: ReportRequest) -> Page:
    """Report the precision that more items, or more annotators, would bring."""
    shown = _page(
        iaa.plan(_as_dataset(request.ratings), request.coefficient, **request.how), designs=False
    )
    return replace(shown, blocks=[*shown.blocks, Remarks([Note("precision_alone")])])


SECTIONS: dict[str, Callable[[ReportRequest], Page | None]] = {
    section.__name__: section
    for section in (
        *(findings, labels, merges, annotators, items, label_sets, gold),
        *(sweep, drift, spans, judge, plan),
    )
}
"""Sections below the head, in reading order."""
