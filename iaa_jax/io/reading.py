"""From files to ratings: the reader is chosen, reads, and what it understood is noted."""

from __future__ import annotations

from collections.abc import Sequence

import xarray as xr

from iaa_jax._checks import check_kind
from iaa_jax.io.files import PathLike
from iaa_jax.io.joining import joining, not_joined
from iaa_jax.io.noting import with_notes, worded
from iaa_jax.io.request import request
from iaa_jax.io.table.head import Progress


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
    exclude: str | Sequence[str] | None = None,
    include: str | Sequence[str] | None = None,
    counts: str | Sequence[str] | None = None,
    one_hot: str | Sequence[str] | None = None,
    multi_hot: str | Sequence[str] | None = None,
    strength: str | None = None,
    anonymous: bool = False,
    unordered: bool = False,
    separator: str | None = None,
    missing: str | Sequence[object] | None = None,
    blank: str | None = None,
    merge_labels: str | Sequence[str] | None = None,
    merge_ids: str | Sequence[str] | None = None,
    records: str | None = None,
    header_line: int | None = None,
    file_pattern: str | None = None,
    encoding: str | None = None,
    keep: str | Sequence[str] | None = None,
    join: PathLike | None = None,
    max_megabytes: int = 1000,
    progress: Progress | None = None,
) -> xr.Dataset:
    r"""Read ratings from one or several files.

    It reads delimited text (CSV and its kin), JSON (arrays of records, one record per line, objects
    keyed by item) and Parquet; plain, compressed, or inside an archive (zip, tar). Layouts are long
    (a row for each rating), wide (a row for each item, a column for each annotator), counts (a row
    for each item, a column for each label), one-hot, contingency and transposed. Blanks around a
    cell are ignored. Empty cells and NA, N/A, NaN, nan, None, null, a dot and a star mean that the
    item was not rated, unless they are declared labels. Labels that are all numbers become numbers:
    1 and 1.0 are one label.

    Columns are named as a list or as "a,b"; "a*" names all columns that begin with "a". Fields
    inside the fields of a record, or of JSON objects in cells, are named with dots, as in
    "answers.label"; places in a list of lists by their number from 0.

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
        Columns of a long table that say who rated, and how. Several of annotators, as "a,b", name
        one together; beside as many of labels each names its own (a row an item).
    secondary
        Column of a long table with the second-choice label.
    annotators
        Columns of a wide table, one for each annotator, as a list or as "a,b".
    labels
        All possible labels in their order, as a list or as "a,b"; any other label is an error.
    question
        Question to read, where files hold several; plain tables have none.
    duplicates
        What to do if an annotator rates an item twice: "error", or keep the "first" or "last". Of
        long and wide tables and exports also "combine": the rows of an annotator on an item are one
        set of labels; "apart": the second rating is of a further annotator, "ann (2)"; or "votes":
        all are votes of the annotator, as `iaa_jax.gold` takes them and agreement does not. A wide
        table needs `annotators` for any of these: guessed columns may not be annotators.
    skipped
        What an item counts as that an annotator saw but did not label: "missing", not rated.
    exclude
        Rows of a table that do not count, by a column and its value, as in "status=rejected";
        several as a list. "status=" names the rows with nothing there. A value that no row has is
        an error.
    counts
        Columns with the number of annotators who chose a label, one for each label; a star in the
        name stands for the label, as in "votes_*". Annotators are unknown.
    one_hot, multi_hot
        Columns with 1 where the label was given and 0 elsewhere, in a table with a row for each
        rating; a star in the name stands for the label. `one_hot` takes exactly one label per row,
        `multi_hot` any number.
    strength
        Column with how strong the label of a row is, or 1 where it was given and 0 elsewhere: of a
        long table with a row for each item, annotator and label. The labels above 0 are the set
        that the annotator gave. With a row for each item and label, and a column of strengths for
        each annotator, name these by `annotators`, and the column of labels by `label`.
    anonymous
        Whether it is unknown who rated: the ratings of an item are only slots, and some items may
        have more than others.
    unordered
        Whether items that several columns name are the same in whatever order their names stand,
        as pairs of texts without a direction.
    separator
        What stands between several labels in one cell, as in "joy;fear". JSON lists are
        recognised without it. The labels are a set, or separate ratings if `anonymous`.
    missing
        Further codes that mean "not rated", as a list or as "-1,?"; 1 and 1.0 are one code.
    blank
        The label that blank cells are, as "no" where annotators only made ticks: in long and wide
        tables, in rows that name the item (and annotator). Annotators all of whose cells are blank
        rated nothing; NA and its kin stay "not rated".
    merge_labels, merge_ids
        Differences in spelling that make no other label, or no other item and annotator: "case",
        "form" (of Unicode) and "blanks" (invisible characters too), as a list or as "case,blanks".
        The declared spelling stays, else the commonest. Only what stands in cells is merged.
    records
        Field of a JSON document that holds the records; needed where several lists hold records
        with the same fields. "sentences[].responses[]" leads through lists inside the records: each
        innermost object is a row, with the fields around it, as in "sentences.text". Of a
        spreadsheet the sheet, or several that are read together, as in "Ann,Ben" or "Dr.*".
    header_line
        Line of delimited text on which the names of the columns stand; what stands above it is left
        out. Without it, lines of a single cell above the names are taken for titles. 0 says that
        there are no names: columns are named by their number, "1", "2" and so on.
    file_pattern
        Pattern of the names of the files to read, for members of archives and for files;
        ``{annotator}`` stands for the part that names the annotator, as in "{annotator}.csv"; with
        folders, "{annotator}/*.csv", it is one of the way below the folder or archive named.
    encoding
        Encoding of text that is not UTF-8 and has no byte-order mark; of `join` too, unless that is
        UTF-8.
    keep
        Further columns to keep as coordinates of the ratings, as a list or as "a,b": along `item`
        where every item has one value ("batch"), else along `annotator` where every annotator has
        one ("team"), else along both ("time"; by slot where ratings are). Empty cells are ignored.
        Columns of numbers become numbers, NaN where empty; all others are text, dates too, "" where
        empty. In a wide table whose annotators are not named, a kept column is not one of them
        unless it holds labels as they do.
    join
        A second file with a row for each item or each annotator, as batches of items or what is
        known of annotators: its columns become coordinates of the ratings. One of them has the ids,
        which its values tell; every item, or every annotator, must have a row.
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
    given = locals()
    check_kind("encoding", encoding, str | None)
    with joining(join, max_megabytes, encoding) as joined:
        asked = request(given, keep=not_joined(keep, joined))
        with asked.opened() as chosen:
            ratings = with_notes(chosen.ratings(asked.options), chosen, asked.options)
    if joined is not None:
        ratings, understood, skipped_rows = joined.add_to(ratings)
        ratings = worded(ratings, [understood], skipped_rows)
    return ratings.assign_attrs(files=asked.names, layout=chosen.name)
