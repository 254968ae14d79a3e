"""Chooses the reader of the files that a caller named: of a tool's export, or of tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import xarray as xr

from iaa_jax._errors import IaaError, OptionError, shown
from iaa_jax.data.labels import parse_number
from iaa_jax.data.notices.finished import rating_notices
from iaa_jax.data.usual_names import ITEM, usual_name
from iaa_jax.io.base import OF_COLUMNS, Options, Reader
from iaa_jax.io.files import Listing, check_naming
from iaa_jax.io.plain import is_plain
from iaa_jax.io.registry import READERS, TOOLS, formats, tools
from iaa_jax.io.sheets import by_sheets
from iaa_jax.io.table import opening
from iaa_jax.io.table.columns import check_columns, split_names
from iaa_jax.io.table.excluding import notes_on_excluded
from iaa_jax.io.table.head import Head
from iaa_jax.io.table.source import ExcludedRows, Source
from iaa_jax.io.table_reader import (
    choose_reader,
    ratings_by,
    refuse_labels_of_items,
    refuse_repeated,
)
from iaa_jax.io.unsupported import unsupported
from iaa_jax.io.words import WORDS
from iaa_jax.wording import Note, command, first_clause, keyword, named, say, with_ways
from iaa_jax.wording.spelling import marked

if TYPE_CHECKING:
    from iaa_jax.io.export.judgements import Export
    from iaa_jax.io.export.tool import Tool

SPAN_TABLE = "spans"
SHOWN = 3  # maximum number of unreadable files listed with reasons

Done = TypeVar("Done")


def heads_of(files: Sequence[Source]) -> list[Head]:
    """Return the heads (column names and first rows) of the files whose heads have been read."""
    return [head for file in files if (head := file.known_head) is not None]


@dataclass
class _Files:
    """Files that a reader recognises, and notes on skipped members of folders and archives."""

    files: Sequence[Source]
    aside: Sequence[Note]
    _: KW_ONLY
    cautions: Sequence[Note] = ()
    excluded: Sequence[ExcludedRows] = ()  # judgements of an export, excluded by a field

    def left_out(self) -> list[Note]:
        """Return notes on what is not read: parts of tables, members of folders and archives.

        Raises
        ------
        IaaError
            If no row matches ``exclude``.
        """
        strays = [note for start in heads_of(self.files) for note in start.skipped]
        excluded = notes_on_excluded(self.files, self.excluded)
        return [*excluded, *dict.fromkeys(strays), *self.aside]


@dataclass(kw_only=True)
class ToolFiles(_Files):
    """The files of an annotation tool's export."""

    tool: Tool
    is_named: bool

    @property
    def name(self) -> str:
        """The name of the format."""
        return self.tool.name

    def export(self, options: Options, *, chooses: bool = False) -> Export:
        """Return the judgements; ``chooses`` says whether the caller needs a single question."""
        from iaa_jax.io.export.judgements import Export

        export = Export(self.tool.title, options, is_named=self.is_named, chooses=chooses)
        self.tool.read(self.files, export)
        self.excluded = export.excluded
        return export

    def ratings(self, options: Options) -> xr.Dataset:
        """Return the ratings on the chosen question, or its spans if it asks for spans."""
        from iaa_jax.io.export.choice import asks_for_spans
        from iaa_jax.io.export.ratings import ratings_of
        from iaa_jax.io.export.spans import spans_of

        export = self.export(options, chooses=True)
        return spans_of(export) if asks_for_spans(export) else ratings_of(export)


@dataclass(kw_only=True)
class TableFiles(_Files):
    """Files that hold tables."""

    reader: Reader
    told: Mapping[str, Any]  # options inferred from the files

    @property
    def name(self) -> str:
        """The name of the format."""
        return self.reader.name

    def ratings(self, options: Options) -> xr.Dataset:
        """Return the ratings in the files."""
        of_exports = {
            "include": bool(options.include),
            "skipped": options.skipped != "missing",
            "empty": options.empty != "answered",
        }
        of_tools = [option for option, is_asked in of_exports.items() if is_asked]
        if of_tools:
            raise OptionError(
                f"{' and '.join(map(named, of_tools))} cannot be used with a plain table: only "
                "exports of annotation tools mark such judgements"
            )

        def read(files: Sequence[Source]) -> xr.Dataset:
            if files is not self.files:
                self.reader, self.told, self.cautions = choose_reader(files, options)
            return ratings_by(self.reader, files, replace(options, **self.told))

        try:
            ratings, self.files, left_out = from_readable_files(self.files, options, read)
        except IaaError as error:
            if self.name == "wide" and options.annotators is None:
                inferred = {**self.told, "duplicates": options.duplicates}
                refuse_repeated(self.files, replace(options, **inferred), error)
            error = self._with_labels_alike(error, options)
            raise _with_spans(error, self.files[0], options) from None
        self.aside = [*left_out, *self.aside]
        options = replace(options, **self.told)
        if self.name == "long" and options.label is None:
            refuse_labels_of_items(self.files, options, ratings)
        if self.name in READERS:
            check_naming(ratings, self.name, options.file_pattern)
        if options.keep is not None and self.name not in READERS:
            lost = [name for name in split_names(options.keep, ()) if name not in ratings.coords]
            if lost:
                raise IaaError(f"the format {self.name!r} did not keep the columns {shown(lost)}")
        return ratings

    def _with_labels_alike(self, error: IaaError, options: Options) -> IaaError:
        """Return the error on repeated ratings, with a warning if some labels hardly differ.

        Without the warning, a caller might keep one of the ratings, and notice only later that two
        labels are one label in two spellings.
        """
        if options.duplicates != "error" or "duplicates" not in error.options:
            return error
        inferred = {**self.told, "duplicates": "first", "progress": None, "keep": None}
        quiet = replace(options, **inferred)
        try:
            ratings = ratings_by(self.reader, self.files, quiet)
        except IaaError:
            return error
        notes = rating_notices(ratings, options.labels, self.name, options.separator)
        besides = [say(note, WORDS, marked) for note in notes if note.code == "labels_alike"]
        return error.reworded(with_ways(error.message, [f"besides, {text}" for text in besides]))


def choose(
    listed: Listing, options: Options, *, tables_alone: bool, spans_alone: bool = False
) -> ToolFiles | TableFiles:
    """Return the files with the reader of the named format, or else the first that knows them."""
    format = options.format
    if format in TOOLS and tables_alone:
        refused = ", ".join(map(named, options.columns_named()))
        raise OptionError(f"{refused or 'these options'} cannot be used with an export of {format}")
    if format in TOOLS or not (format is not None or tables_alone):
        tool_files = find_tool(listed, format)
        if tool_files is None and spans_alone:
            tool_files = find_tool(listed, SPAN_TABLE)
        if tool_files is not None:
            tool, files = tool_files
            _refuse_others(listed, files, tool)
            listed.check(files, tool.title)
            for file in files:
                file.forget_rows()  # first rows of many files take more memory than ratings
            is_named = format is not None
            return ToolFiles(files, listed.left_aside(files), tool=tool, is_named=is_named)
    if format in TOOLS:
        raise IaaError(f"this is no export of {formats()[str(format)]}")
    tables: Sequence[Source] = listed.tables()
    if format is None and not tables_alone:
        tables = _without_unread(listed, tables)
    listed.check(tables, "table")
    _refuse_links(tables)
    aside = listed.left_aside(tables)
    for file in tables:
        file.opens_cells = True
    files = by_sheets(tables, options)
    if spans_alone:
        raise IaaError(_no_spans(files[0]))
    try:
        (reader, inferred, cautions), files, left_out = from_readable_files(
            files, options, lambda files: choose_reader(files, options)
        )
    except IaaError as error:
        raise _with_spans(error, files[0], options) from None
    aside = [*left_out, *aside]
    cautions = [*cautions, *_rows_like_spans(files[0], options)]
    return TableFiles(files, aside, reader=reader, told=inferred, cautions=cautions)


def _rows_like_spans(source: Source, options: Options) -> list[Note]:
    """Return a caution on a table of labels whose rows may be spans."""
    if options.format is not None:
        return []
    try:
        start = opening.head(source)
    except IaaError:
        return []
    if not {"start", "end", "label"} <= {*start.names}:
        return []
    places = [parse_number(cell) for name in ("start", "end") for cell in start.column(name)]
    if not any(isinstance(place, int) for place in places):
        return []
    item = options.item or usual_name(start.names, ITEM) or "COLUMN"
    values = {"format": SPAN_TABLE, "item": item if isinstance(item, str) else ",".join(item)}
    return [Note("rows_like_spans", values, "caution")]


def _with_spans(error: IaaError, source: Source, options: Options) -> IaaError:
    """Return the error; if the rows may be spans, its message says how to read them."""
    if not {"duplicates", "annotator"} & {*error.options}:
        return error
    ways = [say(note, WORDS, marked) for note in _rows_like_spans(source, options)]
    return error.reworded(with_ways(error.message, ways))


def _no_spans(source: Source) -> str:
    return with_ways(
        f"no spans were found in {source}; its columns are {shown(opening.head(source).names, 12)}",
        [
            "a table of spans has a row per span and the columns document, annotator, start, end "
            "and label",
            "'iaa formats' lists the other formats",
            f"for labels, use {command('agree')}",
        ],
    )


def find_tool(listed: Listing, format: str | None) -> tuple[Tool, Sequence[Source]] | None:
    """Return the tool that wrote some of the files, and these files; None if there is no tool."""
    plain = format is None and all(map(is_plain, listed.files))
    for tool in () if plain else tools(TOOLS if format is None else (format,)):
        files = tool.choose(listed.files) or _named(tool, listed.files, format)
        if files:
            return tool, files
    return None


def _named(tool: Tool, sources: Sequence[Source], format: str | None) -> Sequence[Source]:
    take: Callable[[Sequence[Source]], Sequence[Source]] | None = getattr(tool, "take", None)
    return take(sources) if format is not None and take is not None else ()


def _refuse_links(files: Sequence[Source]) -> None:
    """Refuse links to tables that are also read, because their ratings would count twice.

    In other formats, such as brat, folders of several annotators may share a text by links.
    """
    links = [file for file in files if file.is_link()]
    places = {file.place(): file for file in files if not file.is_link()} if links else {}
    for link in links:
        if (file := places.get(link.place())) is not None:
            every = keyword("file_pattern", "*.txt")
            raise IaaError(
                f"{link} is a link to {file}, which is read, too, and its ratings would count "
                f"twice: remove the link, or choose members by a file pattern, as in {every}"
            )


def _refuse_others(listed: Listing, files: Sequence[Source], tool: Tool) -> None:
    known = set(map(id, files))
    others = [f for f in listed.files if f.container is None and id(f) not in known]
    if others:
        raise IaaError(
            f"{shown(list(map(str, others)), 3)} {'is' if len(others) == 1 else 'are'} no export "
            f"of {tool.title}, as {files[0]} is: read only files of one tool"
        )


def _without_unread(listed: Listing, tables: Sequence[Source]) -> Sequence[Source]:
    unread = [(file, known) for file in listed.files if (known := unsupported(file)) is not None]
    if not unread:
        return tables
    those = {id(file) for file, _ in unread}
    others = [file for file in tables if id(file) not in those]
    alone = not any(map(_is_table, others))
    for file, known in unread:
        if file.container is None or alone:
            raise IaaError(f"{file} is {known.title}, which is not read: {known.instead}")
    return others


def _is_table(file: Source) -> bool:
    try:
        if opening.kind_of(file) != "delimited":
            return True
        opening.table(file, opening.head(file).names[:1])
    except IaaError:
        return False
    return True


def from_readable_files(
    files: Sequence[Source], options: Options, work: Callable[[Sequence[Source]], Done]
) -> tuple[Done, Sequence[Source], list[Note]]:
    """Return the result of ``work`` on the readable files, these files, and notes on the others."""
    try:
        return work(files), files, []
    except IaaError:
        sound, left_out = without_unreadable(files, options)
        if not left_out:
            raise
        return work(sound), sound, left_out


def without_unreadable(
    files: Sequence[Source], options: Options
) -> tuple[Sequence[Source], list[Note]]:
    """Return the readable files, and a note on the unreadable ones, if these are a minority.

    If unreadable files are no minority, or if the caller named one of them, all files are returned,
    so that reading reports the error.
    """
    faults = [_fault(file, options) for file in files]
    if all(getattr(options, name) is None for name in OF_COLUMNS):
        faults = _with_other_columns(files, faults)
    bad = [(file, fault) for file, fault in zip(files, faults, strict=True) if fault is not None]
    if not 0 < 2 * len(bad) < len(files) or not all(file.was_offered for file, _ in bad):
        return files, []
    reasons = [Note("skipped_for", {"reason": first_clause(fault)}) for _, fault in bad[:SHOWN]]
    more = len(bad) - len(reasons)
    values = {
        "count": len(bad),
        "files": len(files),
        "reasons": reasons,
        "more": Note("skipped_for_more", {"count": more}) if more else None,
    }
    sound = [file for file, fault in zip(files, faults, strict=True) if fault is None]
    return sound, [Note("skipped_unsound", values)]


def _fault(file: Source, options: Options) -> str | None:
    """Return why a file cannot be read, or which named columns it lacks; None if it can be read."""
    try:
        names = opening.head(file).names
        for option in OF_COLUMNS:
            if (columns := getattr(options, option)) is not None:
                check_columns(file, names, split_names(columns, names), named(option))
        opening.table(file, names[:1])
    except IaaError as error:
        return error.message
    return None


def _with_other_columns(files: Sequence[Source], faults: Sequence[str | None]) -> list[str | None]:
    """Add a fault for each file that lacks more than half of the columns that most files have."""
    columns = [
        None if fault else frozenset(opening.head(file).names)
        for file, fault in zip(files, faults, strict=True)
    ]
    ((usual, times),) = Counter(filter(None, columns)).most_common(1) or [(frozenset(), 0)]
    all_faults = list(faults)
    for index, names in enumerate(columns):
        if names is not None and 2 * times > len(files) and 2 * len(names & usual) < len(usual):
            all_faults[index] = f"{files[index]} has other columns ({shown(sorted(names))})"
    return all_faults
