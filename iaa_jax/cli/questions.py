"""Ratings on several questions, each read separately."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from iaa_jax._checks import text_of_star
from iaa_jax.cli.groups import InputOptions

if TYPE_CHECKING:
    import xarray as xr

    from iaa_jax.cli.progress import LateProgress

_OF_FILES = ("format", "records", "header_line", "file_pattern", "encoding", "max_megabytes")
_OF_TABLES = (
    *("item", "annotator", "secondary", "annotators", "counts", "one_hot", "multi_hot"),
    *("strength", "anonymous", "unordered", "separator", "blank"),
)
"""Options for the columns of plain tables."""


def ratings_of_questions(
    reading: InputOptions, names: Sequence[str], progress: LateProgress, keep: Sequence[str]
) -> dict[str, xr.Dataset]:
    """Return the ratings on each question, from columns, groups of columns, or an export."""
    from iaa_jax.io.files import pipes_kept

    with pipes_kept():
        return {
            name: _one(reading, columns).ratings(progress, keep)
            for name, columns in _columns(reading, names, keep).items()
        }


def _one(reading: InputOptions, columns: dict[str, str | None]) -> InputOptions:
    """Return the options that read one question.

    If the columns of annotators have a pattern such as "* hate", annotators may be named in full,
    as in "ann hate", or by the text for the star, as in "ann".
    """
    of_question = reading.other(reading.files, **columns)
    pattern, names = columns.get("annotators"), reading.keep_annotators
    if pattern is None or names is None:
        return of_question
    named = [
        name if text_of_star(pattern, name) is not None else pattern.replace("*", name)
        for name in names
    ]
    return replace(of_question, keep_annotators=named)


def _columns(
    reading: InputOptions, names: Sequence[str], keep: Sequence[str]
) -> dict[str, dict[str, str | None]]:
    """Return the options that name the columns of each question; a scan takes one label column."""
    if reading.scan:
        return {name: {"label": name} for name in names}
    from iaa_jax.io.base import Options
    from iaa_jax.io.questions import options_of_questions
    from iaa_jax.io.request import FileRequest

    request = FileRequest(
        list(reading.files),
        Options(
            **{name: reading.columns[name] for name in (*_OF_TABLES, *_OF_FILES)}, keep=[*keep]
        ),
    )
    return options_of_questions(request, names)
