"""`read_long`: reads files as a tidy long table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
import xarray as xr

from iaa_jax._checks import check_choice
from iaa_jax._options import select, taking_options
from iaa_jax._types import PathLike
from iaa_jax.data.duplicates import REPEATS
from iaa_jax.data.long_rows import long_rows
from iaa_jax.io.base import add_notes
from iaa_jax.io.choosing import ToolFiles
from iaa_jax.io.export.long import long_of
from iaa_jax.io.joining import joining, not_joined
from iaa_jax.io.noting import notes_on_files, with_notes, worded
from iaa_jax.io.options import ReadColumns, ReadRatings
from iaa_jax.io.request import request
from iaa_jax.io.table.cells import MISSING
from iaa_jax.wording import Note


@taking_options
def read_long(
    paths: PathLike | Sequence[PathLike],
    *,
    duplicates: str = "keep",
    columns: ReadColumns = select(ReadColumns),
    of_ratings: ReadRatings = select(ReadRatings, without=("duplicates", "skipped", "empty")),
    keep: str | Sequence[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> pd.DataFrame:
    r"""Read files as a tidy long table, with a row for each judgement or span.

    An export may have a single annotator (a plain table needs two). Its long table also has the
    judgements that `read` does not count, such as skipped items. `read` reads the table back once
    it is saved, and `from_spans` takes a table of spans.

    Parameters
    ----------
    paths
        Files, folders and archives, as for `read`.
    question
        Question to read, if an export has several; its answers may be labels, numbers or spans.
    duplicates
        What to do if an annotator judged an item twice: "keep" all judgements, raise an "error", or
        keep only the "first" or "last". If items are repeated in a table with a row for each item,
        `annotators` must be given.
    columns : ReadColumns
    of_ratings : ReadRatings
    keep, progress
        As for `read`.

    Returns
    -------
    pandas.DataFrame
        Columns item, annotator, label (a set of labels is a list as JSON) and status: "answered",
        "empty" (answered without a label), "skipped", or "missing" (a label that ``missing``
        names). Each span has a row, with the columns document, annotator, start, end and label; a
        judgement without spans has a row without positions. If a span has several parts, each part
        has a row, and a column unit has the same number in these rows. Further columns, if they are
        not empty: question, time, record, judgement (a number, if an annotator judged a
        document twice) and those of ``keep`` and ``join``. From a plain table, the rows are its
        ratings, without the column status (and without annotator, if anonymous). The attributes
        state how the files were understood (`read_as`), what was left out (`skipped`), and what may
        have been misread (`notices`).

    Raises
    ------
    IaaError
        If a file cannot be read, or its layout or question is unclear.

    Examples
    --------
    >>> import json, tempfile
    >>> from pathlib import Path
    >>> import iaa_jax as iaa
    >>> task = {"_input_hash": 7, "_view_id": "choice", "_annotator_id": "ann"}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "export.jsonl")
    ...     answers = {"answer": "accept", "accept": ["joy"]}, {"answer": "ignore"}
    ...     _ = file.write_text("\n".join(json.dumps(task | answer) for answer in answers))
    ...     table = iaa.read_long(file)
    >>> table.values.tolist()
    [[7, 'ann', 'joy', 'answered'], [7, 'ann', None, 'skipped']]
    """
    parameters = {"paths": paths, **vars(columns), **vars(of_ratings), "progress": progress}
    check_choice("duplicates", duplicates, REPEATS)
    repeats = None if duplicates == "keep" else duplicates
    with joining(of_ratings.join, columns.max_megabytes, columns.encoding) as joined:
        kept = not_joined(keep, joined)
        file_request = request(
            parameters, keep=kept, duplicates=repeats or "votes", choices=REPEATS
        )
        known = file_request.options
        with file_request.opened() as chosen:
            if isinstance(chosen, ToolFiles):
                export = chosen.export(known)
                table, read_as, skipped = long_of(export, repeats)
                notices = [*export.remarks.otherwise, *_like_missing(table)]
                noted = add_notes(xr.Dataset(), read_as, skipped, notices)
                noted = worded(
                    noted, notes_on_files(chosen.files), chosen.left_out(), chosen.cautions
                )
            else:
                noted = with_notes(chosen.ratings(known), chosen, known)
                table = long_rows(noted)
                table.attrs["sets"] = int(noted.attrs["task"] == "multi_label")
    if joined is not None:
        attrs = table.attrs
        table, understood, skipped_rows = joined.add_to_table(table)
        table.attrs, noted = attrs, worded(noted, [understood], skipped_rows)
    sentences = {name: noted.attrs.get(name, "") for name in ("read_as", "skipped", "notices")}
    table.attrs |= sentences | {"reading": noted.attrs["reading"], "files": file_request.names}
    return table


def _like_missing(table: pd.DataFrame) -> list[Note]:
    known = [str(label) for label in pd.unique(table["label"].dropna())]
    if table.attrs["sets"] or not MISSING.intersection(known) - {""} or "start" in table:
        return []
    words = sorted(MISSING.intersection(known))
    plain = not any(mark in label for label in known for mark in ',"')
    way = Note("long_declare", {"all": ",".join(known)}) if plain else Note("long_declare_all")
    values = {"words": words, "count": len(words), "way": way}
    return [Note("long_like_missing", values, "caution")]
