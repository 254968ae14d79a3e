"""Chooses the sheets of a workbook that are read together."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.usual_names import ANNOTATOR, MONTH, usual_name
from iaa_jax.io.base import OF_COLUMNS, Options
from iaa_jax.io.layout.across import agree_within
from iaa_jax.io.layout.names import are_annotators
from iaa_jax.io.layout.rater_files import is_time, rater_files
from iaa_jax.io.table.opening import head, is_kind
from iaa_jax.io.table.source import Source
from iaa_jax.wording import keyword, with_ways

_PAIR = 2
_SHORTEST = 2  # minimum length of a common prefix of sheet names


def by_sheets(files: Sequence[Source], options: Options) -> list[Source]:
    """Return the files. A workbook becomes one file for each sheet that the caller named."""
    named = [getattr(options, name) for name in OF_COLUMNS]
    for file in files:
        file.named_columns = tuple(columns for columns in named if columns is not None)
    return [part for file in files for part in _parts(file)]


def describe_sheets(files: Sequence[Source], options: Options, message: str) -> list[str]:
    """Return advice on naming sheets, if the sheet of a workbook was guessed.

    ``message`` is the error message so far, which may already name the sheets.
    """
    file = files[0] if files else None
    titles = [] if file is None else _guessed(file)
    if file is None or not titles:
        return []
    ways = []
    together = max(_alike(file), key=len, default=[])
    sheets = [file.with_sheet(title) for title in together]
    shape = rater_files(sheets, options) if len(sheets) > 1 else None
    if shape is not None and shape.free:
        ways.append(
            f"the sheets {shown(together)} have the same columns "
            f"({shown(head(sheets[0]).names, 8)}): if each is of one annotator, give "
            f"{shape.advice(_named_together(together, titles))}"
        )
    if sum(title in message for title in titles) < 2:
        first = together[0] if len(together) > 1 else titles[-1]
        every = _named_together(together, titles) if len(together) > 1 else ""
        several = f", or several, as in {keyword('records', every)}" if every else ""
        ways.append(
            f"of the sheets {shown(titles, 8)} only one is read: name it, as in "
            f"{keyword('records', first)}{several}"
        )
    return ways


def _parts(file: Source) -> list[Source]:
    if file.records is None or not _is_workbook(file):
        return [file]
    from iaa_jax.io.table.workbook import opened

    book = opened(file)
    if file.records in book.titles:
        return [file]
    by_title: dict[str, bool] = {}  # whether the caller gave its name, not a pattern
    for part in (part.strip() for part in file.records.split(",")):
        if part in book.titles:
            by_title[part] = True
            continue
        fitting = [title for title in book.visible if fnmatch.fnmatchcase(title, part)]
        if not fitting:
            return [file]  # reading the file will report it
        for title in fitting:
            by_title.setdefault(title, False)
    sheets = [file.with_sheet(title) for title in by_title]
    for sheet, itself in zip(sheets, by_title.values(), strict=True):
        sheet.was_offered = file.was_offered or not itself
    return sheets


def _is_workbook(file: Source) -> bool:
    return is_kind(file, "xlsx")


def _guessed(file: Source) -> list[str]:
    if file.records is not None or not _is_workbook(file):
        return []
    from iaa_jax.io.table.xlsx import only_guessed

    try:
        return only_guessed(file)
    except IaaError:
        return []


def describe_one_sheet(files: Sequence[Source], options: Options) -> str | None:
    """Return a message if other sheets have the same columns and items as the named sheet.

    Each sheet may then hold the answers of one annotator, so that its columns are questions. There
    is no message if sheets are named like times, if columns are named like annotators, or if
    columns agree far better within the sheet than across sheets.
    """
    file = files[0]
    if len(files) > 1 or file.records is None or not _is_workbook(file):
        return None
    titles = next((each for each in _alike(file) if file.records in each), [])
    sheets = [file.with_sheet(title) for title in titles]
    shape = rater_files(sheets, options) if len(sheets) > 1 and not _are_rounds(titles) else None
    if shape is None or len(shape.answers) < _PAIR or are_annotators(shape.answers):
        return None
    sheet = next(each for each in shape.files if each.records == file.records)
    if agree_within(sheet, shape.files, shape.items, shape.answers):
        return None
    header = f"{keyword('header_line', 0)}, " if shape.nameless else ""
    item = keyword("item", ",".join(shape.items))
    others = shown([title for title in titles if title != file.records])
    return with_ways(
        f"{file}: sheet {file.records!r} has the columns {shown(shape.answers)} for the same items "
        f"as {others}, as sheets of an annotator each have",
        [
            "if each sheet is of one annotator, give "
            f"{shape.advice(_named_together(titles, titles))}",
            f"if the columns are annotators, give {header}{item} and "
            f"{keyword('annotators', ','.join(shape.answers))}",
        ],
    )


def _are_rounds(titles: Sequence[str]) -> bool:
    return all(is_time(title) or re.fullmatch(MONTH, title.strip(), re.I) for title in titles)


def _alike(file: Source) -> list[list[str]]:
    """Return groups of sheets with the same columns, and without a column of annotators."""
    from iaa_jax.io.table.xlsx import readable

    groups: dict[tuple[str, ...], list[str]] = {}
    for title, names in readable(file).items():
        if usual_name(names, ANNOTATOR) is None:
            groups.setdefault(tuple(sorted(names)), []).append(title)
    return [*groups.values()]


def _named_together(titles: Sequence[str], others: Iterable[str]) -> str:
    """Return a pattern that matches only these sheets, or a list of their names.

    If neither is possible, the first name is returned.
    """
    shared = takewhile(lambda letters: len({*letters}) == 1, zip(*titles, strict=False))
    start = "".join(letters[0] for letters in shared)
    pattern = f"{start.rstrip()}*"
    fit = [title for title in others if fnmatch.fnmatchcase(title, pattern)]
    in_the_way = any("," in title for title in titles)
    short = len(start.rstrip()) >= _SHORTEST and sorted(fit) == sorted(titles)
    if short and (in_the_way or len(titles) > _SHORTEST):
        return pattern
    return titles[0] if in_the_way else ",".join(titles)
