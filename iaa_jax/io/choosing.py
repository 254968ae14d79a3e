"""Which reader takes which files: those of annotation tools are asked first, then tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import xarray as xr

from iaa_jax._errors import IaaError, OptionError, shown
from iaa_jax.data.notices.otherwise import column_notices
from iaa_jax.data.storage import panel_sizes, rated
from iaa_jax.io.base import Options, Reader, Tool
from iaa_jax.io.export.json_records import START, first_record
from iaa_jax.io.files import Listing, check_naming
from iaa_jax.io.layout.crossed import crossed
from iaa_jax.io.layout.deciding import Trial, Try, decide, doubts, ways_of_repeated
from iaa_jax.io.layout.labels import refuse_labels_of_items
from iaa_jax.io.layout.plain import WideColumns, usual_rows
from iaa_jax.io.layout.raters import describe_files, told_by_files
from iaa_jax.io.layout.sample import distinct, sample
from iaa_jax.io.plain import is_plain
from iaa_jax.io.registry import READERS, TOOLS, formats, readers, tools
from iaa_jax.io.sheets import by_sheets, describe_one_sheet
from iaa_jax.io.table import opening
from iaa_jax.io.table.columns import check_columns, refuse_options, split_names
from iaa_jax.io.table.excluding import notes_on_excluded
from iaa_jax.io.table.opening import JSON
from iaa_jax.io.table.source import Source
from iaa_jax.io.unfolding import describe_lists, told_by_lists, told_by_way
from iaa_jax.io.unread import unread
from iaa_jax.io.unsound import of_sound
from iaa_jax.wording import Note, first_clause, keyword, named, with_ways

if TYPE_CHECKING:
    from iaa_jax.io.export.judgements import Export

NAMED = 5  # files that a note names
PAIR = 2
OF_ROWS = {"item", "unordered", "separator", "blank"}
"""Options that say nothing of how a table is laid out."""
FEWEST = 20  # items with two ratings, where a column names annotators


_Chosen = tuple[Reader, Mapping[str, Any], Sequence[Note]]


class _Files:
    """Files with the reader that knows them."""

    files: Sequence[Source]
    aside: Sequence[Note]

    def left_out(self) -> list[Note]:
        """What of folders and archives is not read, and the rows that the caller wants left out.

        Raises
        ------
        IaaError
            If there are none of these rows, or the files were not read row by row.
        """
        for file in self.files:
            if file.exclude and file.excluded is None:
                msg = (
                    f"{named('exclude')} is for tables, and {file} was not read as one: write it "
                    "as a table by 'iaa convert', and leave rows of that out"
                )
                raise OptionError(msg)
        strays = [note for file in self.files for note in file.strays()]
        return [*notes_on_excluded(self.files), *dict.fromkeys(strays), *self.aside]


@dataclass(frozen=True)
class ToolFiles(_Files):
    """The files of an annotation tool's export, and what of folders and archives is none."""

    tool: Tool
    files: Sequence[Source]
    aside: Sequence[Note]
    cautions: Sequence[Note] = ()
    is_named: bool = False

    @property
    def name(self) -> str:
        """The format."""
        return self.tool.name

    def export(self, options: Options, *, chooses: bool = False) -> Export:
        """The judgements in them, of which those of one question will be chosen or not."""
        from iaa_jax.io.export.judgements import Export

        export = Export(self.tool.title, options, is_named=self.is_named, chooses=chooses)
        self.tool.read(self.files, export)
        return export

    def ratings(self, options: Options) -> xr.Dataset:
        """The ratings on one question, or the spans where annotators marked nothing else."""
        from iaa_jax.io.export.choice import asks_for_spans
        from iaa_jax.io.export.ratings import ratings_of
        from iaa_jax.io.export.spans import spans_of

        export = self.export(options, chooses=True)
        return spans_of(export) if asks_for_spans(export) else ratings_of(export)


@dataclass
class TableFiles(_Files):
    """Files that hold tables, and what of folders and archives is none.

    Those that turn out to be no tables are left out when the ratings are read.
    """

    reader: Reader
    files: Sequence[Source]
    aside: Sequence[Note]
    file_pattern: str | None
    cautions: Sequence[Note] = ()
    told: Mapping[str, Any] = field(default_factory=dict)  # options that the files tell themselves
    format: str | None = None

    @property
    def name(self) -> str:
        """The format."""
        return self.reader.name

    def ratings(self, options: Options) -> xr.Dataset:
        """The ratings in them."""
        asked = {"include": bool(options.include), "skipped": options.skipped != "missing"}
        of_tools = [option for option, is_asked in asked.items() if is_asked]
        if of_tools:
            msg = (
                f"{' and '.join(map(named, of_tools))} cannot be used with a plain table, which "
                "tells no such judgements apart, as exports of annotation tools do"
            )
            raise OptionError(msg)

        def read(files: Sequence[Source]) -> xr.Dataset:
            if files is not self.files:
                self.reader, self.told, self.cautions = _reader(files, self.format, options)
            return _ratings(self.reader, files, replace(options, **self.told))

        try:
            ratings, self.files, left_out = of_sound(self.files, options, read)
        except IaaError as error:
            if self.name == "wide" and options.annotators is None:
                _refuse_repeated(self.files, replace(options, **self.told), error)
            raise
        self.aside = [*left_out, *self.aside]
        options = replace(options, **self.told)
        if self.name == "long" and options.label is None:
            refuse_labels_of_items(self.files, options, ratings)
        if self.name in READERS:
            check_naming(ratings, self.name, self.file_pattern)
        if options.keep is not None and self.name not in READERS:
            lost = [name for name in split_names(options.keep, ()) if name not in ratings.coords]
            if lost:
                msg = f"the format {self.name!r} did not keep the columns {shown(lost)}"
                raise IaaError(msg)
        return ratings


def choose(
    listed: Listing,
    format: str | None,
    options: Options,
    *,
    tables_alone: bool,
    spans_alone: bool = False,
) -> ToolFiles | TableFiles:
    """Find the reader of the files: that of the format, or the first one that knows them."""
    if format in TOOLS and tables_alone:
        refused = ", ".join(map(named, options.columns_named()))
        msg = f"{refused or 'these options'} cannot be used with an export of {format}"
        raise OptionError(msg)
    if format in TOOLS or not (format is not None or tables_alone):
        found = find_tool(listed, format)
        if found is not None:
            tool, files = found
            _refuse_others(listed, files, tool)
            listed.check(files, tool.title)
            aside, cautions = listed.left_aside(files), _damaged(listed, files)
            for file in files:
                file.forget_rows()  # of thousands of files they take more than what is read
            return ToolFiles(tool, files, aside, cautions, format is not None)
    if format in TOOLS:
        msg = f"this is no export of {formats()[str(format)]}"
        raise IaaError(msg)
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
    (reader, told, against), files, left_out = of_sound(
        files, options, lambda files: _reader(files, format, options)
    )
    aside = [*left_out, *aside]
    return TableFiles(reader, files, aside, listed.naming.pattern, against, told, format)


def _no_spans(source: Source) -> str:
    """Say that no spans are known in a file, show its columns, and how spans are named."""
    return with_ways(
        f"no spans were found in {source}; its columns are {shown(opening.head(source).names, 12)}",
        [
            "a table of spans has a row per span and the columns document, annotator, start, end "
            "and label",
            "'iaa formats' lists the other formats",
            "for labels, use 'iaa agree'",
        ],
    )


def find_tool(listed: Listing, format: str | None) -> tuple[Tool, Sequence[Source]] | None:
    """The annotation tool that wrote the files, or some of them; None if none did."""
    plain = format is None and all(map(is_plain, listed.files))
    for tool in () if plain else tools(TOOLS if format is None else (format,)):
        files = tool.choose(listed.files) or _named(tool, listed.files, format)
        if files:
            return tool, files
    return None


def _named(tool: Tool, sources: Sequence[Source], format: str | None) -> Sequence[Source]:
    """Files without the marks of a tool, which it takes where the caller names it."""
    take: Callable[[Sequence[Source]], Sequence[Source]] | None = getattr(tool, "take", None)
    return take(sources) if format is not None and take is not None else ()


def _refuse_links(files: Sequence[Source]) -> None:
    """Refuse links in folders to tables that are read anyway: their ratings would count twice.

    Of other formats several annotators' folders may share a text by links, as of brat.
    """
    links = [file for file in files if file.is_link()]
    places = {file.place(): file for file in files if not file.is_link()} if links else {}
    for link in links:
        if (file := places.get(link.place())) is not None:
            every = keyword("file_pattern", "*.txt")
            msg = (
                f"{link} is a link to {file}, which is read, too, and its ratings would count "
                f"twice: take the link away, or choose members by a file pattern, as in {every}"
            )
            raise IaaError(msg)


def _damaged(listed: Listing, files: Sequence[Source]) -> list[Note]:
    """Note files that seem to be of the export, and in which nothing of its tool can be seen."""
    read = set(map(id, files))
    names, endings = {file.name for file in files}, {file.suffix for file in files}
    damaged = [
        file.below
        for file in listed.files
        if id(file) not in read
        and (file.name in names or (file.suffix in endings and _is_unreadable(file)))
    ]
    if not damaged:
        return []
    values = {"names": damaged[:NAMED], "count": len(damaged)}
    return [Note("files_damaged", values, "caution")]


def _is_unreadable(file: Source) -> bool:
    """Whether a file is empty, no text, or no JSON though it is named so."""
    start = file.start(START)
    return not start.strip() or b"\0" in start or (file.suffix in JSON and not first_record(file))


def _refuse_others(listed: Listing, files: Sequence[Source], tool: Tool) -> None:
    """Refuse files that were named themselves, and that the tool did not write."""
    known = set(map(id, files))
    others = [f for f in listed.files if f.container is None and id(f) not in known]
    if others:
        msg = (
            f"{shown(list(map(str, others)), 3)} {'is' if len(others) == 1 else 'are'} no export "
            f"of {tool.title}, as {files[0]} is: read what is of one tool, and leave the rest out"
        )
        raise IaaError(msg)


def _without_unread(listed: Listing, tables: Sequence[Source]) -> Sequence[Source]:
    """The files that may be tables, without what is recognised and not read.

    Raises
    ------
    IaaError
        If there is such a file, and it was named itself or beside it is no table.
    """
    found = [(file, known) for file in listed.files if (known := unread(file)) is not None]
    if not found:
        return tables
    those = {id(file) for file, _ in found}
    others = [file for file in tables if id(file) not in those]
    alone = not any(map(_is_table, others))
    for file, known in found:
        if file.container is None or alone:
            msg = f"{file} is {known.title}, which is not read: {known.instead}"
            raise IaaError(msg)
    return others


def _is_table(file: Source) -> bool:
    """Whether a file, if it is text, has columns and rows that fit them: what is prose has not."""
    try:
        if opening.kind_of(file) != "delimited":
            return True
        opening.table(file, opening.head(file).names[:1])
    except IaaError:
        return False
    return True


def _reader(files: Sequence[Source], format: str | None, options: Options) -> _Chosen:
    """The reader of tables, the options that the files tell themselves, and what to note."""
    if format is not None:
        return _of_format(files, format, options)
    told = told_by_way(files, options) or told_by_files(files, options)
    options = replace(options, **told)
    known = readers()
    for reader in islice(known, len(READERS)):
        if reader.can_open(files, options):
            said = _item_of(files, options) if reader.name == "long" else {}
            return reader, {**told, **said}, []
    plain = _plain(files, options)
    if plain is not None:
        reader, said, notes = plain
        return reader, {**told, **said}, notes
    for reader in known:
        if reader.can_open(files, options):
            return reader, told, []
    inside = told_by_lists(files, options)
    if inside is not None:
        return _called("long"), inside, []
    _refuse_files_of_raters(files, options)
    start = opening.head(files[0])
    for columns, named_by in ((options.item, named("item")), (options.keep, "")):
        if columns is not None:
            check_columns(files[0], start.names, split_names(columns, start.names), named_by)
    # a row of another length says more than that the layout cannot be told
    opening.table(files[0], start.names[:1])
    said = decide(files, options, _trying(files, options), describe_lists(files[0]))
    return *_reader_of(files, options, said), []


def _ratings(reader: Reader, files: Sequence[Source], options: Options) -> xr.Dataset:
    """The ratings that a reader reads, which of our own says what options it takes."""
    if (takes := getattr(reader, "takes", None)) is not None:
        refuse_options(options, reader.name, takes)
    return reader.read(files, options)


def _called(format: str) -> Reader:
    """The reader of a format."""
    reader = next((each for each in readers() if each.name == format), None)
    if reader is None:
        msg = f"there is no format {format!r}; the formats are {shown(formats(), 40)}"
        raise IaaError(msg)
    return reader


def _of_format(files: Sequence[Source], format: str, options: Options) -> _Chosen:
    """The reader that the caller names; of a wide table, all columns are of annotators."""
    reader = _called(format)
    if format != "wide" or not {*options.columns_named()} <= {*OF_ROWS, "anonymous"}:
        return reader, {}, []
    wide = WideColumns.of(files[0], options)
    if crossed(wide.annotators) is not None:
        decide(files, options, _trying(files, options))
    return reader, wide.told(files, options), column_notices(wide.ids, wide.annotators, options)


def _plain(files: Sequence[Source], options: Options) -> _Chosen | None:
    """Read tables as most are: rows with usual names, or a column for each annotator."""
    if not {*options.columns_named()} <= OF_ROWS:
        return None
    try:
        usual = usual_rows(files[0])
        wide = None if usual else WideColumns.of(files[0], options)
    except IaaError:
        return None  # who reads it says why
    if wide is None:
        return _called("long"), _item_of(files, options), []
    if not wide.are_likely(is_named=options.item is not None):
        return None
    _refuse_files_of_raters(files, options)
    notes = doubts(wide, options)
    return None if notes is None else (_called("wide"), wide.told(files, options), notes)


def _reader_of(
    files: Sequence[Source], options: Options, said: Mapping[str, object]
) -> tuple[Reader, Mapping[str, Any]]:
    """The reader of what is said of a table, and the options that it takes."""
    told = {name: value for name, value in said.items() if name not in ("format", "header_line")}
    asked = replace(options, **told)  # type: ignore[arg-type]
    if (format := said.get("format")) is not None:
        return _called(str(format)), told
    return next(each for each in readers() if each.can_open(files, asked)), told


def _item_of(files: Sequence[Source], options: Options) -> Mapping[str, Any]:
    """The item columns of a long table that says by usual names, or by what is given, the rest."""
    if options.item is not None or options.anonymous:
        return {}
    from iaa_jax.io.table.long import label_of
    from iaa_jax.io.table.rows import find_roles

    try:
        find_roles(files[0], options, (label_of(files[0], options), options.secondary))
    except IaaError as error:
        return decide(files, options, _trying(files, options), other=error)
    return {}


def _trying(files: Sequence[Source], options: Options) -> Try:
    return lambda told: _trial(files, options, told)


def _trial(files: Sequence[Source], options: Options, told: Mapping[str, object]) -> Trial | None:
    """What files give if that is said of them; None if nothing, or too few items with two ratings.

    The files are read as a whole, once more where ratings repeat.
    """
    header_line = told.get("header_line")
    sources = files
    if header_line is not None:
        sources = [file.with_header(int(str(header_line))) for file in files]
    quiet = replace(options, progress=None, keep=None)
    for duplicates in dict.fromkeys((options.duplicates, "first")):
        asked = replace(quiet, duplicates=duplicates)
        try:
            reader, said = _reader_of(sources, asked, told)
            ratings = _ratings(reader, sources, replace(asked, **said))
        except (IaaError, StopIteration):
            continue
        panel = panel_sizes(rated(ratings))
        several = int((panel >= PAIR).sum())
        if 2 * several < (panel > 0).sum() and not (several >= FEWEST and "annotator" in told):
            return None
        repeat = duplicates != options.duplicates
        return Trial(int((panel > 0).sum()), ratings.sizes["annotator"], int(panel.sum()), repeat)
    return None


def _refuse_repeated(files: Sequence[Source], options: Options, error: IaaError) -> None:
    """Say how a table is read whose items have several rows, where nobody named annotators."""
    table = sample(files)
    ids = split_names(options.item or (), table.names) if options.item else ()
    if not ids or not {*ids} <= table.columns.keys():
        return
    codes = table.joined(ids)
    if codes.min(initial=0) == 0 and len(distinct(codes)) < len(codes):
        free = replace(options, item=None, annotators=None)
        annotators = split_names(options.annotators or (), table.names)
        ways = ways_of_repeated(",".join(ids), annotators, _trying(files, free))
        raise IaaError(with_ways(first_clause(error.message), ways)) from None


def _refuse_files_of_raters(files: Sequence[Source], options: Options) -> None:
    """Refuse files or sheets of an annotator each that do not say what of them is the label."""
    described = describe_files(files, options) or describe_one_sheet(files, options)
    if described is not None:
        raise IaaError(described)
