"""Sentences about results, made from notes (codes with values) by templates and formatters."""

from __future__ import annotations

from iaa_jax.wording.notes import Note, dump_notes, load_notes
from iaa_jax.wording.spelling import (
    Spelling,
    as_list,
    command,
    first_clause,
    keyword,
    named,
    with_ways,
)
from iaa_jax.wording.templates import Guide, Words, joined, say

__all__ = [
    "Guide",
    "Note",
    "Spelling",
    "Words",
    "as_list",
    "command",
    "dump_notes",
    "first_clause",
    "joined",
    "keyword",
    "load_notes",
    "named",
    "say",
    "with_ways",
]
