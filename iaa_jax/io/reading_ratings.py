"""`read`: reads files as ratings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import xarray as xr

from iaa_jax._checks import check_kind
from iaa_jax._options import select, taking_options
from iaa_jax._types import PathLike
from iaa_jax.io.joining import joining, not_joined
from iaa_jax.io.noting import with_notes, worded
from iaa_jax.io.options import ReadColumns, ReadRatings
from iaa_jax.io.request import request


@taking_options
def read(
    paths: PathLike | Sequence[PathLike],
    *,
    columns: ReadColumns = select(ReadColumns),
    of_ratings: ReadRatings = select(ReadRatings),
    keep: str | Sequence[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    r"""Read ratings from one or several files.

    It reads delimited text (CSV and similar), JSON (arrays of records, one record per line, objects
    keyed by item), Parquet, spreadsheets, data of Stata, SPSS and R, and exports of annotation
    tools (`iaa_jax.formats` lists all formats); plain, compressed, or inside an archive (zip, tar).
    Tables may be long (a row for each rating), wide (a row for each item, a column for each
    annotator), counts (a row for each item, a column for each label), one-hot, contingency,
    transposed, or have one of a few other layouts. Blanks around a cell are ignored. Empty cells
    and NA, N/A, NaN, nan, None, null, a dot and a star mean that the item was not rated, unless
    they are declared labels. Labels that are all numbers become numbers: 1 and 1.0 are one label.

    Columns are named as a list or as "a,b"; "a*" names all columns that begin with "a". Inner
    fields of a record, or of a JSON object in a cell, are named with dots, as in "answers.label";
    so are elements of a list of objects or lists, by their index from 0.

    Parameters
    ----------
    paths
        A file, folder or archive, or several. The rows of files of the same layout are joined.
        Pipes are read too; "-" is standard input.
    columns : ReadColumns
    of_ratings : ReadRatings
    keep
        Further columns to keep as coordinates of the ratings, as a list or as "a,b". A coordinate
        is along `item` if every item has one value ("batch"), otherwise along `annotator` if every
        annotator has one ("team"), otherwise along both ("time"). If ratings are stored in slots
        (an item's first, second, ... rating), both means items and slots. Empty cells are ignored.
        A column of numbers becomes numbers, with NaN for empty cells. Any other column, also of
        dates, becomes text, with "" for empty cells. If the annotators of a wide table are not
        named, a kept column is an annotator only if it shares labels with other columns. "*" keeps
        every further column of a plain table; of an export, it keeps the times of judgements as
        "time".
    progress
        Function that is called with how much was read and the total: rows (bytes in some formats),
        or files if there are several.

    Returns
    -------
    xarray.Dataset
        Ratings. The attribute `read_as` says in one sentence how the files were understood,
        `skipped` what was left out and why (empty if nothing was). `notices` has one sentence per
        line on what may have been misread (labels such as "NULL" or "-", labels that hardly differ,
        a table that may be transposed).

    Raises
    ------
    IaaError
        If a file cannot be read, its layout is unclear, or its data cannot be used; the message
        names the file, and the line, item and annotator if they are known.

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
    parameters = {"paths": paths, **vars(columns), **vars(of_ratings), "progress": progress}
    check_kind("encoding", columns.encoding, str | None)
    with joining(of_ratings.join, columns.max_megabytes, columns.encoding) as joined:
        file_request = request(parameters, keep=not_joined(keep, joined))
        with file_request.opened() as chosen:
            ratings = with_notes(chosen.ratings(file_request.options), chosen, file_request.options)
    if joined is not None:
        ratings, understood, skipped_rows = joined.add_to(ratings)
        ratings = worded(ratings, [understood], skipped_rows)
    return ratings.assign_attrs(files=file_request.names, layout=chosen.name)
