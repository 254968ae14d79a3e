"""A request to read files: its files and options, and checks before reading."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields
from traceback import clear_frames
from typing import Any

from iaa_jax._checks import check_choice, check_kind, check_names, check_progress, check_whole
from iaa_jax._errors import IaaError, OptionError, shown
from iaa_jax._types import PathLike
from iaa_jax.data.duplicates import DUPLICATES
from iaa_jax.data.notices.similar import check_differences
from iaa_jax.io.base import Options
from iaa_jax.io.choosing import TableFiles, ToolFiles, choose
from iaa_jax.io.export.answers import EMPTY_AS, INCLUDE, SKIPPED_AS
from iaa_jax.io.files import Listing, file_name, listing, remember
from iaa_jax.io.sheets import describe_sheets
from iaa_jax.io.table.excluding import check_exclude
from iaa_jax.wording import named, with_ways
from iaa_jax.wording.formats import name as printable

_IN_MEMORY = ("DataFrame", "LazyFrame", "Series", "Table", "ndarray")
"""Types of in-memory tables: pandas, Polars, pyarrow and NumPy."""


@dataclass(frozen=True)
class FileRequest:
    """Files to read, and the caller's options."""

    paths: object
    options: Options
    spans_alone: bool = False

    def __post_init__(self) -> None:
        options = self.options
        check_choice("duplicates", options.duplicates, DUPLICATES)
        check_choice("skipped", options.skipped, SKIPPED_AS)
        check_choice("empty", options.empty, EMPTY_AS)
        for each in fields(options):
            if each.type == "str | None":
                check_kind(each.name, getattr(options, each.name), str | None)
        if options.header_line is not None:
            check_whole("header_line", options.header_line, 0)
        check_whole("max_megabytes", options.max_megabytes, 1)
        check_progress(options.progress)
        if unknown := [what for what in options.include if what not in INCLUDE]:
            raise OptionError(
                f"{named('include')} takes {', '.join(INCLUDE)}, not {shown(unknown)}"
            )
        if options.blank is not None and not options.blank.strip():
            raise OptionError(
                f"{named('blank')} is empty: name the label that blank cells stand for, as in 'no'"
            )
        if options.separator == "":
            raise IaaError(
                f"{named('separator')} is empty: name the text between labels, such as ';'"
            )

    @property
    def given(self) -> list[PathLike]:
        """The paths, as a list."""
        if isinstance(self.paths, (str, os.PathLike)):
            return [self.paths]
        kind = type(self.paths).__name__
        if kind in _IN_MEMORY:
            raise IaaError(
                f"{named('paths')} is a {kind}, no file: iaa_jax.from_long takes a row per "
                "rating, iaa_jax.from_wide a row per item"
            )
        paths = list(self.paths) if isinstance(self.paths, Iterable) else []
        files = [path for path in paths if isinstance(path, (str, os.PathLike))]
        if isinstance(self.paths, Iterable) and len(files) == len(paths):
            return files
        raise IaaError(f"{named('paths')} must be a file or a list of files, not {self.paths!r}")

    @property
    def names(self) -> str:
        """The names of the files, as JSON."""
        names = [file_name(path) for path in self.given]
        remember(names)
        return json.dumps(names, ensure_ascii=False)

    @contextmanager
    def listed(self) -> Iterator[Listing]:
        """Yield the files."""
        paths = self.given
        with _enough_memory(paths), ExitStack() as stack:
            yield listing(paths, stack, self.options)

    @contextmanager
    def opened(self) -> Iterator[ToolFiles | TableFiles]:
        """Yield the files with their reader; errors name the files."""
        with self.listed() as listed:
            try:
                yield choose(
                    listed,
                    self.options,
                    tables_alone=self.is_of_table(),
                    spans_alone=self.spans_alone,
                )
            except IaaError as error:
                ways = describe_sheets(listed.tables(), self.options, error.message)
                if ways:
                    raise error.reworded(with_ways(error.message, ways)) from None
                known = [str(file) for file in listed.files] + listed.containers
                if any(name in str(error) for name in known):
                    raise
                raise error.reworded(f"{_first_of(self.given)}: {error.message}") from None

    def is_of_table(self) -> bool:
        """Tell whether the caller gave options that only plain tables take."""
        options = self.options
        of_table = set(options.columns_named()) - {"item", "annotator", "anonymous"}
        return bool(of_table) or options.records is not None or options.header_line is not None


def request(given: Mapping[str, Any], **instead: Any) -> FileRequest:
    """Make a request from the parameters of `iaa_jax.read` and similar functions.

    ``instead`` has options that replace the caller's.
    """
    values = {**given, **instead}
    values |= {name: parts_or_list(name, values.get(name)) for name in ("labels", "missing")}
    values |= {
        name: check_differences(name, values.get(name)) for name in ("merge_labels", "merge_ids")
    }
    values["include"] = listed("include", values.get("include"))
    values["exclude"] = check_exclude(values.get("exclude"))
    keep = values.get("keep")
    if isinstance(keep, (str, list)) and keep in ("*", ["*"]):
        values |= {"keep": None, "keeps_all": True}
    options = Options(
        **{each.name: values[each.name] for each in fields(Options) if each.name in values}
    )
    return FileRequest(values["paths"], options, values.get("spans_alone", False))


def parts_or_list(option: str, text: str | Sequence[object] | None) -> Sequence[object] | None:
    """Split a text such as "a,b" at its commas, except between quotes; return a list unchanged."""
    check_names(option, () if text is None else text)
    if not isinstance(text, str):
        return text
    # only quotes at the beginning of a part are quotes, as on the command line
    rows = csv.reader([text], skipinitialspace=True) if '"' in text else [text.split(",")]
    return [part.strip() for row in rows for part in row]


def listed(option: str, text: str | Sequence[object] | None) -> list[str]:
    """Return a value as a list of texts; empty if nothing was given."""
    parts = parts_or_list(option, text)
    return [] if parts is None else [str(part) for part in parts]


def _first_of(paths: Sequence[PathLike]) -> str:
    names = [printable(file_name(path)) for path in paths[:3]]
    return ", ".join(names) + (f" and {len(paths) - 3:,} more" if len(paths) > 3 else "")


@contextmanager
def _enough_memory(paths: Sequence[PathLike]) -> Iterator[None]:
    try:
        yield
        return
    except MemoryError as error:
        clear_frames(error.__traceback__)
    raise IaaError(
        f"{_first_of(paths)}: there is not enough memory to read this; leave rows and fields that "
        "are not needed out of the file, or write JSON as CSV or Parquet, which take less"
    ) from None
