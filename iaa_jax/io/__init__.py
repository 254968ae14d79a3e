"""Readers: from the files of annotators and annotation tools to ratings."""

from __future__ import annotations

import difflib
import os
from collections.abc import Sequence
from pathlib import Path

import xarray as xr

from iaa_jax._errors import IaaError, shown
from iaa_jax.io.base import Options, Reader, readers
from iaa_jax.io.table.columns import explained
from iaa_jax.io.table.delimited import head

__all__ = ["formats", "read"]

DUPLICATES = ("error", "first", "last")
SKIPPED = ("missing",)

PathLike = str | os.PathLike[str]


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
) -> xr.Dataset:
    r"""Read ratings from one or several files.

    Read are delimited texts (commas, semicolons, tabs or bars; UTF-8; plain or compressed with
    gzip, bzip2 or xz) in two layouts: long, with a row for each rating, and wide, with a row for
    each item and a column for each annotator. Blanks around a cell do not count. Empty cells and
    NA, N/A, NaN, nan, None and null mean that the item was not rated, unless they are declared
    labels. Labels that are all numbers become numbers: 1 and 1.0 are one label.

    Parameters
    ----------
    paths
        A file, or several files of one shape; their rows are put together.
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
        What to do if an annotator rates an item twice: "error", or keep the "first" or "last".
    skipped
        What an item that an annotator saw but left without label is: "missing", not rated.

    Returns
    -------
    xarray.Dataset
        Ratings. The attribute `read_as` says in one sentence how the files were understood,
        `skipped` what was left out and why (empty if nothing was).

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
    files = _files(paths)
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
        labels=[part.strip() for part in labels.split(",")] if isinstance(labels, str) else labels,
        question=question,
        duplicates=duplicates,
        skipped=skipped,
    )
    try:
        return _reader(files, format, options).read(files, options)
    except IaaError as error:
        if any(str(path) in str(error) for path in files):
            raise
        msg = f"{', '.join(map(str, files))}: {error}"
        raise IaaError(msg) from None


def formats() -> dict[str, str]:
    """List the formats that `read` knows: name and summary.

    Examples
    --------
    >>> list(formats())[:2]
    ['long', 'wide']
    """
    return {reader.name: reader.summary for reader in readers()}


def _files(paths: PathLike | Sequence[PathLike]) -> list[Path]:
    files = [Path(path) for path in ([paths] if isinstance(paths, (str, os.PathLike)) else paths)]
    if not files:
        msg = "no file to read: give a path or several"
        raise IaaError(msg)
    for path in files:
        if not path.exists():
            folder = path.parent
            near = [p.name for p in folder.iterdir()] if folder.is_dir() else []
            close = difflib.get_close_matches(path.name, near, n=1)
            hint = f"; did you mean {folder / close[0]}?" if close else ""
            msg = f"{path}: there is no such file{hint}"
            raise IaaError(msg)
        if path.is_dir():
            msg = f"{path} is a folder; name the files in it"
            raise IaaError(msg)
    return files


def _reader(files: Sequence[Path], format: str | None, options: Options) -> Reader:
    if format is None:
        found = next((reader for reader in readers() if reader.can_open(files, options)), None)
        if found is None:
            raise IaaError(explained(files[0], head(files[0])))
        return found
    named = {}
    for reader in readers():
        if reader.name == format:
            return reader
        named[reader.name] = reader
    msg = f"there is no format {format!r}; the formats are {shown(named, 30)}"
    raise IaaError(msg)
