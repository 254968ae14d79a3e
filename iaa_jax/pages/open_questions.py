"""Pages of results without a conclusion, because the level of measurement was not stated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from iaa_jax.pages.blocks import Block, Paragraph, Remarks, Table
from iaa_jax.pages.page import Page
from iaa_jax.wording import Note
from iaa_jax.wording.undecided import NUMBERS, QUESTIONS, questions_of

ADVICE = "next"
"""Prefix of the codes of notes that advise a command.

Pages with an open question, and the sections of a report, omit such notes.
"""

_ASKING = (*QUESTIONS, "until_then")

LEVELS = "levels"
"""Id of the table with the result for each level of measurement."""


def question_first(page: Page) -> Page:
    """Return the page with its open question as the answer, and without advice.

    The table of levels comes first. Pages whose results have a conclusion, or the dimension
    ``question``, are unchanged.
    """
    questions = [note for result in page.results.values() for note in questions_of(result.attrs)]
    if not questions or any("question" in result.dims for result in page.results.values()):
        return page
    question = next((note for note in questions if "levels" in note.values), questions[0])
    answer = [question] if question.code == NUMBERS else [question, Note("until_then")]
    blocks = [_without_advice(block) for block in page.blocks]
    first = [block for block in blocks if _is_of_levels(block)]
    others = [block for block in blocks if not _is_of_levels(block)]
    return replace(page, answer=answer, blocks=[*first, *others])


def without_question(page: Page) -> Page:
    """Return a page without its open question, which the report above it asks."""
    return replace(page, answer=[note for note in page.answer if note.code not in _ASKING])


def _is_of_levels(block: Block) -> bool:
    return isinstance(block, Table) and block.id == LEVELS


def _without_advice(block: Block) -> Block:
    if isinstance(block, Paragraph):
        return Paragraph(_others(block.notes))
    return Remarks(_others(block.notes)) if isinstance(block, Remarks) else block


def _others(notes: Sequence[Note]) -> list[Note]:
    return [
        note for note in notes if note.code not in QUESTIONS and not note.code.startswith(ADVICE)
    ]
