"""From files to ratings: the reader is chosen, reads, and what it understood is noted."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from traceback import clear_frames

import xarray as xr

from iaa_jax._checks import check_choice, check_kind, check_names, check_progress, check_whole
from iaa_jax._errors import IaaError, shown
from iaa_jax.data.reading import parts_of
from iaa_jax.io.base import Options, Reader, add_notes
from iaa_jax.io.files import PathLike, check_naming, file_name, sources
from iaa_jax.io.registry import READERS, readers
from iaa_jax.io.table import opening
from iaa_jax.io.table.alike import check_differences, notes_on
from iaa_jax.io.table.columns import check_columns, split_names
from iaa_jax.io.table.head import Progress
from iaa_jax.io.table.hints import explain_layout
from iaa_jax.io.table.notices import id_notices, label_notices
from iaa_jax.io.table.odd_names import odd_notices
from iaa_jax.io.table.source import Source
from iaa_jax.io.words import in_words
from iaa_jax.wording import Note, load_notes, named
from iaa_jax.wording.formats import name as printable

DUPLICATES = ("error", "first", "last", "combine")
SKIPPED = ("missing",)


def read(
    paths: PathLike | Sequence[PathLike],
    *,
    format: str | None = None,
    item: str | Sequence[str] | None = None,
    annotator: str | None = None,
    label: str | None = None,
    secondary: str | None = None,
    annotators: str | Sequence[str] | None = None,
    labels: str | Sequence[object] | None = None,
    question: str | None = None,
    duplicates: str = "error",
    skipped: str = "missing",
    counts: str | Sequence[str] | None = None,
    one_hot: str | Sequence[str] | None = None,
    multi_hot: str | Sequence[str] | None = None,
    anonymous: bool = False,
    separator: str | None = None,
    missing: str | Sequence[object] | None = None,
    merge_labels: str | Sequence[str] | None = None,
    merge_ids: str | Sequence[str] | None = None,
    records: str | None = None,
    header_line: int | None = None,
    file_pattern: str | None = None,
    encoding: str | None = None,
    keep: str | Sequence[str] | None = None,
    max_megabytes: int = 1000,
    progress: Progress | None = None,
) -> xr.Dataset:
    r"""Read ratings from one or several files.

    It reads delimited text (CSV and its kin), JSON (arrays of records, one record per line, objects
    keyed by item) and Parquet; plain, compressed, or inside a zip archive. Layouts are long (a row
    for each rating), wide (a row for each item, a column for each annotator), counts (a row for
    each item, a column for each label), one-hot, contingency and transposed. Blanks around a cell
    are ignored. Empty cells and NA, N/A, NaN, nan, None, null, a dot and a star mean that the item
    was not rated, unless they are declared labels. Labels that are all numbers become numbers: 1
    and 1.0 are one label.

    Columns are named as a list or as "a,b"; "a*" names all columns that begin with "a". Fields
    inside the fields of a record are named with dots, as in "answers.label"; places in a list of
    lists by their number from 0.

    Parameters
    ----------
    paths
        A file, or several of the same layout, whose rows are joined. Pipes are read too; "-" is
        standard input.
    format
        Name of the format (`iaa_jax.formats` lists them); None recognises it from the file and the
        other options.
    item
        Column that names the item; several columns, as a list or as "a,b", are joined. Without it,
        a column with a usual name such as "item" or "text_id"; in a wide table, failing that, the
        row number if `annotators` is given, else the first column.
    annotator, label
        Columns of a long table that say who rated, and how.
    secondary
        Column of a long table with the second-choice label.
    annotators
        Columns of a wide table, one for each annotator, as a list or as "a,b".
    labels
        All possible labels in their order, as a list or as "a,b"; any other label is an error.
    question
        Question to read, where files hold several; plain tables have none.
    duplicates
        What to do if an annotator rates an item twice: "error", keep the "first" or "last", or
        "combine": the rows of an annotator on an item are one set of labels (long tables). A wide
        table needs `annotators` to keep one: guessed columns may not be annotators.
    skipped
        What an item counts as that an annotator saw but did not label: "missing", not rated.
    counts
        Columns with the number of annotators who chose a label, one for each label; a star in the
        name stands for the label, as in "votes_*". Annotators are unknown.
    one_hot, multi_hot
        Columns with 1 where the label was given and 0 elsewhere, in a table with a row for each
        rating; a star in the name stands for the label. `one_hot` takes exactly one label per row,
        `multi_hot` any number.
    anonymous
        Whether it is unknown who rated: the ratings of an item are only slots, and some items may
        have more than others.
    separator
        What stands between several labels in one cell, as in "joy;fear". JSON lists are
        recognised without it. The labels are a set, or separate ratings if `anonymous`.
    missing
        Further codes that mean "not rated", as a list or as "-1,?"; 1 and 1.0 are one code.
    merge_labels, merge_ids
        Differences in spelling that make no other label, or no other item and annotator: "case",
        "form" (of Unicode) and "blanks" (invisible characters too), as a list or as "case,blanks".
        The declared spelling stays, else the commonest. Only what stands in cells is merged.
    records
        Field of a JSON document that holds the records; needed where several lists hold records
        with the same fields.
    header_line
        Line of delimited text on which the names of the columns stand; what stands above it is left
        out. Without it, lines of a single cell above the names are taken for titles.
    file_pattern
        Pattern of the names of the files to read, for members of zip archives and for files;
        ``{annotator}`` stands for the part that names the annotator, as in "{annotator}.csv".
    encoding
        Encoding of text that is not UTF-8 and has no byte-order mark.
    keep
        Further columns to keep as coordinates of the ratings, as a list or as "a,b": along `item`
        where every item has one value ("batch"), else along `annotator` where every annotator has
        one ("team"), else along both ("time"; by slot where ratings are). Empty cells are ignored.
        Columns of numbers become numbers, NaN where empty; all others are text, dates too, "" where
        empty. In a wide table whose annotators are not named, a kept column is not one of them
        unless it holds labels as they do.
    max_megabytes
        How many megabytes (millions of bytes) the files may hold together once unpacked, or come
        through a pipe: a small file can be packed from more than memory holds. Plain files on disk
        are not limited.
    progress
        Called with the rows read and their total (files, where there are several).

    Returns
    -------
    xarray.Dataset
        Ratings. The attribute `read_as` says in one sentence how the files were understood,
        `skipped` what was left out and why (empty if nothing was). Where something may be meant
        otherwise (labels such as "NULL" or "-", labels that hardly differ, a table that may be
        transposed), `notices` says so, one sentence per line.

    Raises
    ------
    IaaError
        If a file cannot be read, its layout is unclear, or its data cannot be used; the message
        names file, line, item and annotator.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import iaa_jax as iaa
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "ratings.csv")
    ...     _ = file.write_text("text_id,ann,bob\n1,yes,no\n2,yes,yes\n")
    ...     ratings = iaa.read(file)
    >>> ratings.attrs["read_as"]
    "wide table, items from 'text_id', annotators: ann, bob"
    >>> ratings["primary"].values.tolist()
    [[1, 0], [1, 1]]
    """
    for option, value, allowed in (
        ("duplicates", duplicates, DUPLICATES),
        ("skipped", skipped, SKIPPED),
    ):
        check_choice(option, value, allowed)
    texts = {
        "format": format,
        "annotator": annotator,
        "label": label,
        "secondary": secondary,
        "question": question,
        "separator": separator,
        "records": records,
        "file_pattern": file_pattern,
        "encoding": encoding,
    }
    for option, text in texts.items():
        check_kind(option, text, str | None)
    if header_line is not None:
        check_whole("header_line", header_line, 1)
    for option, names in (("merge_labels", merge_labels), ("merge_ids", merge_ids)):
        check_names(option, () if names is None else names)
    check_progress(progress)
    options = Options(
        item=item,
        annotator=annotator,
        label=label,
        secondary=secondary,
        annotators=annotators,
        labels=_parts(labels),
        question=question,
        duplicates=duplicates,
        skipped=skipped,
        counts=counts,
        one_hot=one_hot,
        multi_hot=multi_hot,
        anonymous=anonymous,
        separator=separator,
        missing=_parts(missing),
        merge_labels=check_differences("merge_labels", _parts(merge_labels)),
        merge_ids=check_differences("merge_ids", _parts(merge_ids)),
        keep=keep,
        progress=progress,
    )
    check_whole("max_megabytes", max_megabytes, 1)
    if separator == "":
        msg = f"{named('separator')} is empty: name the text between labels, such as ';'"
        raise IaaError(msg)
    given = _paths(paths)
    with _enough_memory(given), ExitStack() as stack:
        files, aside = sources(
            given,
            stack,
            file_pattern=file_pattern,
            encoding=encoding,
            records=records,
            max_megabytes=max_megabytes,
            header_line=header_line,
        )
        try:
            reader = _reader(files, format, options)
            ratings = reader.read(files, options)
            _check_kept(ratings, reader, options)
            if reader.name in READERS:
                check_naming(ratings, reader.name, file_pattern)
            understood = _notes_on_files(files)
        except IaaError as error:
            if any(str(file) in str(error) for file in files):
                raise
            more = f" and {len(files) - 3:,} more" if len(files) > 3 else ""
            msg = f"{', '.join(map(str, files[:3]))}{more}: {error.message}"
            raise type(error)(msg) from None
        if "slot" in ratings.dims:
            understood.append(Note("read_by_slot", {"slots": ratings.sizes["slot"]}))
        for code, merged in (
            ("read_labels_merged", options.merge_labels),
            ("read_ids_merged", options.merge_ids),
        ):
            if merged:
                understood.append(Note(code, {"differences": notes_on(merged)}))
        otherwise = [
            *label_notices(ratings, options, reader.name),
            *id_notices(ratings, reader.name),
            *odd_notices(ratings, options, reader.name),
            *_truths(files, options),
        ]
        ratings = _with_notes(ratings, understood, aside, otherwise)
    reading = ratings.attrs.pop("reading")
    sentences = in_words(reading)
    notices = "\n".join(sentences["notices"])
    return ratings.assign_attrs(
        files=_names(given),
        layout=reader.name,
        read_as=sentences["read_as"],
        skipped=sentences["skipped"],
        **({"notices": notices} if notices else {}),
        reading=reading,
    )


def formats() -> dict[str, str]:
    """List the formats that `read` knows, name and summary.

    Examples
    --------
    >>> list(formats())[:2]
    ['long', 'wide']
    """
    return {reader.name: reader.summary for reader in readers()}


def _paths(paths: object) -> list[PathLike]:
    if isinstance(paths, (str, os.PathLike)):
        return [paths]
    given = list(paths) if isinstance(paths, Iterable) else []
    files = [path for path in given if isinstance(path, (str, os.PathLike))]
    if isinstance(paths, Iterable) and len(files) == len(given):
        return files
    msg = f"{named('paths')} must be a file or a list of files, not {paths!r}"
    raise IaaError(msg)


@contextmanager
def _enough_memory(paths: Sequence[PathLike]) -> Iterator[None]:
    """Say that memory ended, and give back what was read."""
    try:
        yield
        return
    except MemoryError as error:
        clear_frames(error.__traceback__)
    more = f" and {len(paths) - 3:,} more" if len(paths) > 3 else ""
    msg = (
        f"{', '.join(printable(file_name(path)) for path in paths[:3])}{more}: there is not enough "
        "memory to read this; leave rows and fields that are not needed out of the file, write "
        "JSON as CSV or Parquet, which take less, or read it where more memory is free"
    )
    raise IaaError(msg) from None


def _parts(text: str | Sequence[object] | None) -> Sequence[object] | None:
    return [part.strip() for part in text.split(",")] if isinstance(text, str) else text


def _check_kept(ratings: xr.Dataset, reader: Reader, options: Options) -> None:
    """Refuse columns that a reader of another package did not keep."""
    if options.keep is not None and reader.name not in READERS:
        lost = [name for name in _parts(options.keep) or () if name not in ratings.coords]
        if lost:
            msg = f"the format {reader.name!r} did not keep the columns {shown(lost)}"
            raise IaaError(msg)


def _names(paths: Sequence[PathLike]) -> str:
    """The files by their names, as JSON."""
    return json.dumps([file_name(path) for path in paths], ensure_ascii=False)


def _notes_on_files(files: Sequence[Source]) -> list[Note]:
    """What was understood of the files beside their columns."""
    notes = [*dict.fromkeys(note for file in files if (note := file.kept_note()) is not None)]
    gaps = [*dict.fromkeys(word for file in files for word in file.gaps)]
    if gaps:
        notes.append(Note("read_gaps", {"words": gaps}))
    if len(files) > 1:
        notes.append(Note("read_files", {"files": len(files)}))
    return notes


def _truths(files: Sequence[Source], options: Options) -> list[Note]:
    """Which columns hold true or false beside text, where labels are not declared."""
    columns = [*dict.fromkeys(name for file in files for name in file.truths)]
    if not columns or options.labels is not None:
        return []
    return [Note("truth_among_text", {"columns": columns, "count": len(columns)}, "caution")]


def _with_notes(
    ratings: xr.Dataset,
    understood: Sequence[Note],
    skipped: Sequence[Note],
    otherwise: Sequence[Note],
) -> xr.Dataset:
    """Ratings with the notes of their reader and those that all readers share."""
    if "reading" not in ratings.attrs:
        ratings = _of_other_package(ratings)
    known = load_notes(ratings.attrs["reading"])
    return add_notes(
        ratings,
        [*parts_of(ratings, "read_as"), *understood],
        [*parts_of(ratings, "skipped"), *skipped],
        [*(note for note in known if note.code not in ("read_as", "skipped")), *otherwise],
    )


def _of_other_package(ratings: xr.Dataset) -> xr.Dataset:
    """Ratings of a reader that says in words what it understood."""
    read_as, skipped = (
        [Note("read_by_other_package", {"text": ratings.attrs[name]})]
        if ratings.attrs.get(name)
        else []
        for name in ("read_as", "skipped")
    )
    return add_notes(ratings, read_as, skipped)


def _reader(files: Sequence[Source], format: str | None, options: Options) -> Reader:
    for reader in readers():
        if reader.name == format or (format is None and reader.can_open(files, options)):
            return reader
    if format is not None:
        msg = f"there is no format {format!r}; the formats are {shown(formats(), 30)}"
        raise IaaError(msg)
    start = opening.head(files[0])
    for columns, named_by in ((options.item, named("item")), (options.keep, "")):
        if columns is not None:
            check_columns(files[0], start.names, split_names(columns, start.names), named_by)
    # a row of another length says more than that the layout cannot be told
    opening.table(files[0], start.names[:1])
    raise IaaError(explain_layout(files[0], start, options, len(files)))
