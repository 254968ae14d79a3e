"""The page of agreement by question."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import xarray as xr

from iaa_jax._types import Attributes
from iaa_jax.analyses.agree.page_remarks import doubt_of, leading_first, remarks_of_question
from iaa_jax.analyses.agree.page_tables import parts_table
from iaa_jax.catalog import title_of
from iaa_jax.data.kind import Kind, kind_of
from iaa_jax.data.provenance import in_doubt
from iaa_jax.io.words import FIRST
from iaa_jax.measure.words import DOUBTS, FOR_SPANS
from iaa_jax.pages import Block, Facts, Page, Remarks, Text, intervals
from iaa_jax.pages.ratings import HEADINGS, short_facts
from iaa_jax.wording import Note, load_notes
from iaa_jax.wording.undecided import QUESTIONS, UNDECIDED


def questions_page(result: xr.Dataset) -> Page:
    """Return the page of `iaa_jax.agree.questions`."""
    in_order = leading_first(result)
    leading = in_order.isel(coefficient=0)
    first = result.isel(question=0)
    # each question has its own columns; the facts are about the first
    facts: list[tuple[Text, Text]] = [
        ("First read as", *row[1:]) if row[0] == "Read as" else row
        for row in short_facts(result.attrs).rows
        if row[0] != "Note"
    ]
    facts = [(heading, _question_counts(heading, text, result)) for heading, text in facts]
    values = {str(name): value for name, value in result.attrs.items()}
    values |= {"title": title_of(str(result.attrs["coefficient"]))}
    rows = [leading.isel(question=index) for index in range(result.sizes["question"])]
    of_leading = {str(row["question"].item()): doubt_of(row) for row in rows}
    for end in ("lowest", "highest"):
        in_doubt_there = of_leading.get(str(result.attrs.get(f"{end}_question")))
        values[f"{end}_in_doubt"] = Note("question_in_doubt") if in_doubt_there else ""
    conclusion = result.attrs["conclusion"]
    unranked = conclusion == "measured" and "lowest_question" not in result.attrs
    answer = (
        [] if unranked or conclusion == UNDECIDED else [Note(f"questions_{conclusion}", values)]
    )
    notes = [*_notes_of_questions(result.attrs)]
    for name, note in notes:
        of_question = Note("of_question", {"question": name, "note": note}, note.level)
        if note.code in (*QUESTIONS, *FIRST):
            answer.append(of_question)
        else:
            facts.append(("Note", of_question))
    if any(note.code in QUESTIONS for _, note in notes) and result.sizes["question"] > 1:
        answer.append(Note("levels_by_question"))
    if in_doubt((note for _, note in notes), result.attrs["items"]):
        answer.append(Note("reading_in_doubt"))
    blocks: list[Block] = [Facts(facts), parts_table(in_order, "question", "Question")]
    made = intervals.descriptions(first.attrs, _figures_of_questions(in_order))
    blocks.append(Remarks([*_doubted(in_order), *_remarks_of_questions(in_order), *made]))
    words = FOR_SPANS if kind_of(result.attrs) is Kind.SPANS else {}
    return Page("Agreement by question", answer, blocks, words, {"coefficients": result})


def _doubted(result: xr.Dataset) -> Iterator[Note]:
    """Yield a note for each doubt about intervals, with the questions behind it."""
    doubted: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for name in result["coefficient"].values.tolist():
        column = result.sel(coefficient=name)
        rows = [column.isel(question=index) for index in range(result.sizes["question"])]
        doubts = {str(row["question"].item()): doubt_of(row) for row in rows}
        for reason in dict.fromkeys(filter(None, doubts.values())):
            names = tuple(question for question, doubt in doubts.items() if doubt == reason)
            weights = str(column.sel(question=names[0])["weights"].item())
            doubted.setdefault((reason, names), []).append(title_of(name, weights))
    for (reason, names), titles in doubted.items():
        of_all = 1 < len(titles) == result.sizes["coefficient"]
        values = {"names": [*names], "why": Note(f"doubt_{reason}")}
        figures = Note("every_coefficient") if of_all else titles
        yield Note("questions_in_doubt", {"figures": figures, **values})


def _remarks_of_questions(result: xr.Dataset) -> Iterator[Note]:
    """Yield the remarks on single questions, each once with the names of its questions."""
    questions: dict[Note, list[str]] = {}
    known = json.loads(result.attrs.get("question_notes", "{}"))
    elsewhere = [code.removeprefix("doubt_") for code in DOUBTS]
    for index, (name, (_, notes)) in enumerate(known.items()):
        row = result.isel(question=index).assign_attrs(notes=notes)
        row = row.isel(coefficient=row["code"].notnull().values)
        for note in remarks_of_question(row, elsewhere):
            questions.setdefault(note, []).append(name)
    for note, names in questions.items():
        of_all = len(names) == len(known)
        yield note if of_all else Note("on_questions", {"questions": names, "note": note})


def _figures_of_questions(result: xr.Dataset) -> Iterator[intervals.Figure]:
    """Yield the intervals of each coefficient, by their method if it differs by question."""
    for title, methods, low in intervals.figures_of(result, title_of):
        measured = np.isfinite(low)
        kinds = dict.fromkeys(methods[measured].tolist())
        for method in kinds:
            rows = measured & (methods == method)
            names = {"title": title, "questions": result["question"].values[rows].tolist()}
            whose = Note("figure_on_questions", names) if len(kinds) > 1 else title
            yield whose, methods[rows], low[rows]


def _question_counts(heading: Text, text: Text, result: xr.Dataset) -> Text:
    """Return the range of a count over questions, or ``text`` if it does not vary."""
    counts = {"Items": ("items", "pairable_items"), "Annotators": ("annotators",)}.get(
        str(heading), ()
    )
    ends = {name: result[f"question_{name}"].values for name in counts}
    if all(np.ptp(values) == 0 for values in ends.values()):
        return text
    parts = [
        Note(
            f"questions_{name}{'' if np.ptp(values) else '_same'}",
            {"least": int(values.min()), "most": int(values.max())},
        )
        for name, values in ends.items()
    ]
    return Note("questions_parts", {"parts": parts})


def _notes_of_questions(attrs: Attributes) -> Iterator[tuple[str, Note]]:
    """Yield questions with notes on how they were read, and on their labels."""
    known = json.loads(attrs.get("question_notes", "{}"))
    for name, (reading, notes) in known.items():
        for note in load_notes(reading):
            if note.code not in HEADINGS:
                yield name, note
        for note in load_notes(notes):
            if note.code in QUESTIONS:
                yield name, note
