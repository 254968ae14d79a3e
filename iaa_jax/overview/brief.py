"""The report on one page: a selection from its sections, with one picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax._types import Values
from iaa_jax.data.kind import Kind
from iaa_jax.overview.lazy_sections import LazySections
from iaa_jax.overview.next_step import next_steps
from iaa_jax.overview.page import (
    MADE_WITH,
    MOST_CAUSES,
    doubts_of,
    head_of,
    leading,
    making_of,
)
from iaa_jax.pages import Block, Facts, Page, Paragraph, Picture, Remarks, Table
from iaa_jax.pages.commands import Advice
from iaa_jax.pages.open_questions import LEVELS
from iaa_jax.pages.ratings import HEADINGS
from iaa_jax.wording import Note, Words

FEW = 3
"""Default number of coefficients on the page, the leading one first."""

_USED = ("findings", "judge")
"""Sections for which the page gives the reason if they could not be made."""

_SHORTER: Words = {"ratings_labels": "{labels:count}: {names:names 10 labels}"}
"""Templates that are shorter on this page than on others."""


def causes_and_steps(
    sections: LazySections, row: xr.Dataset | None, *, open_level: bool
) -> tuple[Page | None, list[Note]]:
    """Return the page of causes of disagreement, if there is one, and the next steps.

    With ``open_level`` (it is unknown whether numeric labels form a scale), there is no page and no
    step.
    """
    if open_level:
        return None, []
    causes = sections.page("findings")
    return causes, next_steps(
        row, sections.attributes, None if causes is None else causes.results[""]
    )


def brief_report(
    sections: LazySections,
    first: Page,
    title: str | None,
    judged: Sequence[str],
    commands: Advice,
    *,
    open_level: bool,
) -> Page:
    """Return a page of the head, a few coefficients, one picture, doubts and methods."""
    request = sections.request = replace(sections.request, texts=False)  # no passages of spans
    causes, steps = causes_and_steps(sections, leading(first), open_level=open_level)
    steps = [Note("step_report") if step.code == "step_read" else step for step in steps]
    spans = sections.page("spans") if request.kind is Kind.SPANS else None
    judge = sections.page("judge") if judged else None
    scope = [Note("primary_alone")] if request.kind is Kind.DOUBLES else []
    scope += [Note("judges_left_out", {"judges": judged})] if judged else []
    head = head_of(first, scope, steps, title, commands, causes, spans, judge)
    owner, picture = _picture(sections, causes, head)
    doubts = [
        Note("brief_left_out", {"section": name, "reason": error.message.removesuffix(".")})
        for name, error in sections.refused.items()
        if name in _USED
    ]
    if request.by is not None:
        doubts.append(Note("brief_drift_left_out", {"by": request.by}))
    making = making_of(head, first, with_paper=False)
    facts, methods, _ = making.blocks
    assert isinstance(facts, Facts)
    assert isinstance(methods, Remarks)
    blocks: list[Block] = [
        *_facts(head, methods),
        *([] if picture is None else [picture]),
        *_figures(head, picture, len(request.coefficients) or FEW),
        Remarks([*doubts_of(head), *doubts]),
        *([Paragraph(methods.notes)] if methods.notes else []),
        Facts([row for row in facts.rows if row[0] == MADE_WITH]),
    ]
    return replace(head, blocks=blocks, words={**owner.words, **head.words, **_SHORTER})


def _picture(
    sections: LazySections, causes: Page | None, head: Page
) -> tuple[Page, Picture | None]:
    names_annotator = False
    if causes is not None:
        annotators = causes.results[""]["annotator"].values[:MOST_CAUSES].tolist()
        names_annotator = any(map(str, annotators))
    for page in map(sections.page, ("annotators", "labels") if names_annotator else ("labels",)):
        if page is not None and page.pictures:
            return page, page.pictures[0]
    return head, next(iter(head.pictures), None)


def _facts(head: Page, methods: Remarks) -> Iterator[Facts]:
    stated = [value for note in head.answer for value in note.values.values()]
    for block in head.blocks:
        if isinstance(block, Facts):
            yield Facts(
                [
                    (heading, text)
                    for heading, text in block.rows
                    if text not in stated
                    and not (methods.notes and isinstance(text, Note) and text.code in HEADINGS)
                ]
            )


def _figures(head: Page, picture: Picture | None, few: int) -> Iterator[Table]:
    drawn = picture in head.pictures
    for table in head.tables:
        if table.id == LEVELS:
            yield table
        elif table.id == "coefficients":
            rows = list(table.rows_shown)[:few]
            columns = [
                replace(column, values=_some(column.values, rows))
                for column in table.columns
                if not (column.in_files or column.spare)
            ]
            yield replace(table, columns=columns, shown=None, in_files=drawn)


def _some(values: Values | Sequence[object], rows: Sequence[int]) -> Values | list[object]:
    return values[rows] if isinstance(values, np.ndarray) else [values[row] for row in rows]
