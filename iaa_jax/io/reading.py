"""Readers: from the files of annotators and annotation tools to ratings."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

import xarray as xr

from iaa_jax._errors import IaaError, shown
from iaa_jax.io.base import Options, Reader, readers
from iaa_jax.io.files import PathLike, sources
from iaa_jax.io.table import opening
from iaa_jax.io.table.columns import explained
from iaa_jax.io.table.head import Progress
from iaa_jax.io.table.notices import of_labels, told
from iaa_jax.io.table.source import Source

__all__ = ["formats", "read"]

DUPLICATES = ("error", "first", "last")
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
    records: str | None = None,
    file_pattern: str | None = None,
    encoding: str | None = None,
    progress: Progress | None = None,
) -> xr.Dataset:
    r"""Read ratings from one or several files.

    Read are delimited texts (CSV and its kin), JSON (arrays of records, a record a line, objects
    keyed by item) and Parquet; plain, compressed, or inside a zip archive. Layouts are long (a row
    for each rating), wide (a row for each item, a column for each annotator), counts (a row for
    each item, a column for each label), one-hot, contingency and transposed. Blanks around a cell
    do not count. Empty cells and NA, N/A, NaN, nan, None, null, a dot and a star mean that the
    item was not rated, unless they are declared labels. Labels that are all numbers become
    numbers: 1 and 1.0 are one label.

    Columns are named as a list or as "a,b"; "a*" names all columns that begin with "a". Fields
    inside the fields of a record are named with dots, as in "answers.label"; places in a list of
    lists by their number from 0.

    Parameters
    ----------
    paths
        A file, or several files of one shape; their rows are put together. Pipes are read too;
        "-" is the standard input.
    format
        Name of the format (`iaa_jax.io.formats` lists them); None tells it from the file and the
        other options.
    item
        Column that names the item; several columns, as a list or as "a,b", are joined. Without
        it, a column with a usual name such as "item" or "text_id"; in a wide table else the row
        number if `annotators` is given, or the first column.
    annotator, label
        Columns of a long table that say who rated, and how.
    secondary
        Column of a long table with the second-choice label.
    annotators
        Columns of a wide table, one for each annotator, as a list or as "a,b".
    labels
        All possible labels in their order, as a list or as "a,b"; any other label is an error.
    question
        Question to read, where the files of a tool hold several; plain tables have none.
    duplicates
        What to do if an annotator rates an item twice: "error", or keep the "first" or "last". A
        wide table needs `annotators` for that: columns that were only guessed may be no annotators.
    skipped
        What an item that an annotator saw but left without label is: "missing", not rated.
    counts
        Columns with the number of annotators who chose a label, one for each label; a star in
        the name stands for the label, as in "votes_*". Nobody knows who rated.
    one_hot, multi_hot
        Columns with 1 where the label was given and 0 elsewhere, in a table with a row for each
        rating; a star in the name stands for the label. `one_hot` takes exactly one label a row,
        `multi_hot` any number.
    anonymous
        Whether nobody knows who rated: the ratings of an item are only slots, and there may be
        more of some items than of others.
    separator
        What stands between several labels in one cell, as in "joy;fear". JSON lists are
        recognised without it. The labels are a set, or separate ratings if `anonymous`.
    missing
        Further codes that mean "not rated", as a list or as "-1,?"; 1 and 1.0 are one code.
    records
        Field of a JSON document that holds the records; needed where several lists hold some with
        the same fields.
    file_pattern
        Pattern of the names of the files to read, for members of zip archives and for files;
        ``{annotator}`` stands for the part that names the annotator, as in "{annotator}.csv".
    encoding
        Encoding of text that is neither UTF-8 nor begins with a byte-order mark.
    progress
        Called with the number of rows read and of all rows (of files, where there are several).

    Returns
    -------
    xarray.Dataset
        Ratings. The attribute `read_as` says in one sentence how the files were understood,
        `skipped` what was left out and why (empty if nothing was). Where something may be meant
        otherwise (labels such as "NULL" or "-", labels that hardly differ, a table that may stand
        the other way round), `notices` says so, a sentence a line.

    Raises
    ------
    IaaError
        If a file cannot be read, its layout cannot be told, or its data cannot be used; the
        message names file, line, item and annotator.

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
        if value not in allowed:
            msg = f"{option} must be one of {shown(allowed)}, not {value!r}"
            raise IaaError(msg)
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
        progress=progress,
    )
    with ExitStack() as stack:
        files, aside = sources(
            paths, stack, file_pattern=file_pattern, encoding=encoding, records=records
        )
        try:
            ratings = _reader(files, format, options).read(files, options)
            notes = _notes(files)
        except IaaError as error:
            if any(str(file) in str(error) for file in files):
                raise
            more = f" and {len(files) - 3} more" if len(files) > 3 else ""
            msg = f"{', '.join(map(str, files[:3]))}{more}: {error}"
            raise IaaError(msg) from None
    skipped_parts = [part for part in (ratings.attrs.get("skipped", ""), *aside) if part]
    if "slot" in ratings.dims:
        notes.append(f"kept by slot (at most {ratings.sizes['slot']} ratings an item)")
    read_as = ", ".join([ratings.attrs.get("read_as", ""), *notes])
    ratings = ratings.assign_attrs(read_as=read_as, skipped=", ".join(skipped_parts))
    notices = [ratings.attrs.get("notices", ""), told(of_labels(ratings, options))]
    if any(notices):
        ratings.attrs["notices"] = "\n".join(filter(None, notices))
    return ratings


def formats() -> dict[str, str]:
    """List the formats that `read` knows: name and summary.

    Examples
    --------
    >>> list(formats())[:2]
    ['long', 'wide']
    """
    return {reader.name: reader.summary for reader in readers()}


def _parts(given: str | Sequence[object] | None) -> Sequence[object] | None:
    return [part.strip() for part in given.split(",")] if isinstance(given, str) else given


def _notes(files: Sequence[Source]) -> list[str]:
    """Say what was understood of the files beside their columns."""
    notes = [*dict.fromkeys(note for file in files if (note := file.kept_note()))]
    if len(files) > 1:
        notes.append(f"{len(files)} files")
    return notes


def _reader(files: Sequence[Source], format: str | None, options: Options) -> Reader:
    if format is None:
        found = next((reader for reader in readers() if reader.can_open(files, options)), None)
        if found is None:
            start = opening.head(files[0])
            # a row of another length says more than that the layout cannot be told
            opening.table(files[0], start.names[:1])
            raise IaaError(explained(files[0], start, len(files)))
        return found
    named = {}
    for reader in readers():
        if reader.name == format:
            return reader
        named[reader.name] = reader
    msg = f"there is no format {format!r}; the formats are {shown(named, 30)}"
    raise IaaError(msg)
