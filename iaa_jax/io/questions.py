"""Infers the options with which `read` reads questions about the same items."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from iaa_jax._errors import IaaError
from iaa_jax.data.usual_names import ANNOTATOR, ITEM, usual_name
from iaa_jax.io.base import Options
from iaa_jax.io.choosing import find_tool
from iaa_jax.io.files import Listing
from iaa_jax.io.layout.rater_files import rater_files
from iaa_jax.io.registry import TOOLS
from iaa_jax.io.request import FileRequest
from iaa_jax.io.table.columns import split_names
from iaa_jax.io.table.json_cells import holders
from iaa_jax.io.table.nested import lists_of
from iaa_jax.io.table.opening import head, kind_of
from iaa_jax.io.table.source import Source

_MARK = r"[\W_]"  # separators of question and annotator in a column name
_FEWEST = 2


def options_of_questions(
    asked: FileRequest, questions: Sequence[str]
) -> dict[str, dict[str, str | None]]:
    """Return the options with which `iaa_jax.read` reads each question, by the question's name.

    A question is a column of labels, a question of a tool's export, or a group of columns of a wide
    table. The names of such a group begin or end with the question's name, or match a pattern such
    as "tone_*". If a column or the names of files name the annotators, or if ratings are anonymous,
    each column that matches a pattern is a question, unless another option names the column.
    """
    with asked.listed() as listed:
        tool_files = None
        format = asked.options.format
        if format in TOOLS or (format is None and not asked.is_of_table()):
            tool_files = find_tool(listed, format)
        if tool_files is not None:
            return {name: {"question": name, "label": None} for name in questions}
        columns, inside = _columns(listed, questions)
        if any("*" in name for name in questions) and columns:
            taken = _taken(listed.tables(), asked.options, columns)
            if taken is not None:
                questions = [each for name in questions for each in _starred(name, columns, taken)]
    return {
        _without_star(name): {"annotators": pattern, "label": None}
        if name not in inside and (pattern := _group(name, columns)) is not None
        else {"label": name}
        for name in questions
    }


def _columns(listed: Listing, questions: Sequence[str]) -> tuple[list[str], set[str]]:
    """Return the columns of the first table, and the fields inside its lists of objects.

    Both are empty if the table cannot be read; reading it will report why.
    """
    try:
        source = listed.tables()[0]
        source.opens_cells, source.named_columns = True, tuple(questions)
        columns, lists = head(source).names, {}
        if kind_of(source) == "json_records":
            from iaa_jax.io.table.json_records import document_of

            lists = lists_of(document_of(source).records)
    except (IaaError, IndexError):
        return [], set()
    return columns, {name for fields in lists.values() for name in fields}


def _taken(files: Sequence[Source], options: Options, columns: Sequence[str]) -> set[str] | None:
    """Return the columns that no star matches: items, annotators, and columns that options name.

    Return None if neither a column nor the files name the annotators. A star may then stand for an
    annotator.
    """
    if options.annotators is not None:
        return None
    item = options.item or usual_name(columns, ITEM)
    annotator = options.annotator or usual_name(columns, ANNOTATOR)
    named = [item, annotator, options.secondary, options.strength, options.keep]
    if not (annotator or options.anonymous or all(file.annotator for file in files)):
        shape = rater_files(files, options)
        if shape is None:
            return None
        named.append(shape.items)
    return {each for name in named if name for each in split_names(name, columns)}


def _starred(name: str, columns: Sequence[str], taken: Collection[str]) -> list[str]:
    """Return the columns that match a name or pattern.

    A pattern matches no column in ``taken``, and no object whose fields are columns themselves.
    """
    if name in columns:
        return [name]
    left_out = {*holders(columns), *taken}
    return [each for each in split_names([name], columns) if each not in left_out] or [name]


def _without_star(name: str) -> str:
    bare = re.sub(rf"^\*{_MARK}*|{_MARK}*\*$", "", name)
    return bare or name


def _group(name: str, columns: Sequence[str]) -> str | None:
    """Return the pattern of a question's columns; None if fewer than two contain its name.

    Examples
    --------
    >>> columns = ["id", "tone_ann", "tone_bob", "ann.topic", "bob.topic"]
    >>> _group("tone", columns), _group("topic", columns), _group("id", columns)
    ('tone_*', '*.topic', None)
    """
    if name in columns:
        return None
    if "*" in name:
        return name
    for pattern, written in (
        (rf"{re.escape(name)}({_MARK}).+", "{name}{mark}*"),
        (rf".+({_MARK}){re.escape(name)}", "*{mark}{name}"),
    ):
        marks = [match[1] for column in columns if (match := re.fullmatch(pattern, column))]
        if len(marks) >= _FEWEST and len({*marks}) == 1 and marks[0] != ",":
            return written.format(name=name, mark=marks[0])
    return None
