"""Options that say which files are read, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from iaa_jax._options import Flag, Listed, OneOf, Repeated, Text, Whole, option as declare
from iaa_jax.data.duplicates import DUPLICATES
from iaa_jax.io.export.answers import EMPTY_AS, SKIPPED_AS

if TYPE_CHECKING:
    from iaa_jax._types import PathLike


class FileRead(str):
    """The metavar of an option that names a file to read."""

    __slots__ = ()


class Guard(str):
    """The metavar of an option that limits the memory that data may take."""

    __slots__ = ()


@dataclass(frozen=True)
class _Megabytes(Whole):
    metavar: ClassVar[str] = Guard(Whole.metavar)


READ = FileRead("FILE")
_NAME, _TEXT, _NAMES = Text("NAME"), Text("TEXT"), Listed("A,B")


@dataclass(frozen=True)
class ReadColumns:
    """Options that name the columns of a file, and define how files are read.

    Parameters
    ----------
    item
        Column that names the item; several columns, as a list or as "a,b", are joined. By default,
        a column with a usual name such as "item" or "text_id". A wide table may lack such a column:
        then its first column names the item. If `annotators` is given, the item is instead the
        only other column whose cells are all different texts, or else the row number.
    annotator, label
        Columns of a long table with the annotator and the label. Several annotator columns, as in
        "a,b", together name one annotator. If there are as many label columns (and a row per item),
        each annotator column instead names the annotator of one label column.
    secondary
        Column of a long table with the second-choice label.
    annotators
        Columns of a wide table, one for each annotator, as a list or as "a,b".
    counts
        Columns with the number of annotators who chose a label, one column for each label; a star
        in the name stands for the label, as in "votes_*". Annotators are unknown.
    one_hot, multi_hot
        Columns with 1 if the label was given and 0 otherwise, in a table with a row for each
        rating; a star in the name stands for the label. `one_hot` takes exactly one label per row,
        `multi_hot` any number.
    strength
        Column of a long table with a row for each item, annotator and label: the strength of the
        label, or 1 if it was given and 0 otherwise. The labels with a strength above 0 are
        the set that the annotator gave. If the table has a row for each item and label and a column
        of strengths for each annotator, name these columns by `annotators`, and the column of
        labels by `label`.
    anonymous
        Whether it is unknown who rated: ratings are stored in slots (an item's first, second, ...
        rating), and items may have different numbers of ratings.
    unordered
        Whether the order of the names does not matter if several columns name an item, as for
        pairs of texts without a direction.
    records
        Field of a JSON document that holds the records; needed if several lists of records have
        common fields. "sentences[].responses[]" is a path through lists inside the records: each
        innermost object is a row, with the fields of the objects around it, such as
        "sentences.text". For a spreadsheet, `records` names one sheet, or several to read together,
        as in "Ann,Ben" or "Dr.*".
    header_line
        Line of delimited text, or row of a spreadsheet, with the column names; lines above it are
        left out. By default, lines of a single cell above the names are taken for titles. 0 means
        that there are no names: columns are named by their number, "1", "2" and so on.
    file_pattern
        Pattern of the names of the files to read, also in folders and archives. ``{annotator}``
        stands for the part that names the annotator, as in "{annotator}.csv". A pattern with
        folders, as in "{annotator}/*.csv", is matched against the path below the named folder or
        archive.
    encoding
        Encoding of text that is not UTF-8 and has no byte-order mark. It also applies to the file
        of `join`, unless that file is UTF-8.
    max_megabytes
        Maximum number of megabytes (millions of bytes) that all files may take once they are
        unpacked or read from a pipe, because a small file can unpack to more than memory holds.
        Plain files on disk are not limited, but JSON and XML that may need more than twice this
        memory once parsed are refused.
    format
        Name of the format (`iaa_jax.formats` lists all names); None recognises the format from the
        file and the other options.
    question
        Question to read, if the files hold several; plain tables have none.
    """

    item: str | Sequence[str] | None = declare(
        None, _NAMES, "Item column, or several: a,b.", common=True
    )
    annotator: str | None = declare(
        None, _NAME, "Annotator column, or a,b (long tables).", common=True
    )
    label: str | None = declare(None, _NAME, "Label column (long tables).", common=True)
    secondary: str | None = declare(None, _NAME, "Column of second-choice labels (long tables).")
    annotators: str | Sequence[str] | None = declare(
        None, _NAMES, "Annotators' columns (wide tables).", common=True
    )
    counts: str | Sequence[str] | None = declare(
        None, _NAMES, "Columns counting the annotators who chose each label, or 'votes_*'."
    )
    one_hot: str | Sequence[str] | None = declare(
        None, _NAMES, "Columns of 0 and 1, one per label, or 'is_*' (long tables)."
    )
    multi_hot: str | Sequence[str] | None = declare(
        None, _NAMES, "Columns of 0 and 1, several labels per row, or 'is_*' (long tables)."
    )
    strength: str | None = declare(
        None, _NAME, "Column of 0 and 1, or strengths, of the label in each row: sets of labels."
    )
    anonymous: bool = declare(False, Flag(None), "It is unknown which annotator gave which rating.")
    unordered: bool = declare(
        False,
        Flag(None),
        "Items named by several columns are the same in any order: pairs without direction.",
    )
    records: str | None = declare(
        None,
        _NAME,
        "Field of records (JSON), as in 'texts[].answers[]', or sheets (xlsx), as in 'Dr.*'.",
    )
    header_line: int | None = declare(
        None, Whole(0), "Line with the column names, if a title stands above it; 0: none."
    )
    file_pattern: str | None = declare(
        None,
        _TEXT,
        "Read only files that match, in archives too; '{annotator}.csv' or '{annotator}/*.csv' "
        "takes the annotator from the name of the file or folder.",
    )
    encoding: str | None = declare(
        None, _NAME, "Text encoding; by default UTF-8, unless a byte-order mark says otherwise."
    )
    max_megabytes: int = declare(
        1000, _Megabytes(1), "Maximum size (MB) of unpacked archives and of pipes."
    )
    format: str | None = declare(
        None, _NAME, "File format, if it is not recognised; see 'iaa formats'."
    )
    question: str | None = declare(None, _NAME, "Which question, if an export has several.")


@dataclass(frozen=True)
class ReadRatings:
    """Options that define which ratings there are, and how labels and names are written.

    Parameters
    ----------
    labels
        All possible labels in their order, as a list or as "a,b"; any other label is an error.
    missing
        Further codes that mean "not rated", as a list or as "-1,?"; 1 and 1.0 are one code.
    blank
        The label that blank cells stand for, such as "no" if annotators only ticked boxes. It
        applies to long and wide tables, in rows that name the item (and annotator). Blanks of an
        annotator who gave no label still mean "not rated", and so do NA and similar values.
    merge_labels, merge_ids
        Differences in spelling to ignore in labels, or in names of items and annotators: "case",
        "form" (of Unicode) and "blanks" (invisible characters too), as a list or as "case,blanks".
        The declared spelling is kept, otherwise the most frequent one. Names of columns are
        not merged.
    separator
        Separator of several labels in one cell, as in "joy;fear". JSON lists are recognised without
        it. The labels are a set, or, in a long table, separate ratings if `anonymous`.
    duplicates
        What to do if an annotator rates an item twice: raise an "error", or keep the "first" or
        "last". For long and wide tables and exports also "combine": the rows of an annotator on an
        item form one label set; "apart": the second rating counts as a further annotator's, "ann
        (2)"; or "votes": all count as votes of the annotator, for `iaa_jax.gold` but not for
        agreement. A wide table needs `annotators` for any value but "error", because guessed
        columns may not be annotators.
    skipped
        How to count an item that an annotator saw but did not label: as "missing" (not rated), as a
        "category" of its own, or "drop" the item.
    empty
        How to count an answer without any label or span in an export: as "answered"; or as
        "missing" (not rated), for tools that also list items that were not assigned.
    exclude
        Rows of a table, or judgements of an export, to leave out by a column (a field) and its
        value, as in "status=rejected"; several as a list. "week!=2" leaves out all others, and
        "status=" those that are empty there. A value that no row has is an error.
    join
        A second file with a row for each item or each annotator, with facts about them, such as
        batches or teams: its columns become coordinates of the ratings. The column of ids is found
        by its values; every item, or every annotator, must have a row.
    include
        Further judgements to read from an export: "drafts", "gold", "predictions", "curator",
        "rejected".
    """

    labels: str | Sequence[object] | None = declare(
        None, _NAMES, "All possible labels, in order; by default those in the data."
    )
    missing: str | Sequence[object] | None = declare(
        None, _NAMES, "Further values that mean 'not rated', as in '-1,?'."
    )
    blank: str | None = declare(
        None, _NAME, "Label that blank cells stand for, as in 'no' if annotators only ticked."
    )
    merge_labels: str | Sequence[str] | None = declare(
        None,
        _NAMES,
        "Treat labels as equal if they differ only in: case, form (Unicode), blanks.",
    )
    merge_ids: str | Sequence[str] | None = declare(
        None,
        _NAMES,
        "Treat items and annotators as equal if their names differ only in: case, form, blanks.",
    )
    separator: str | None = declare(
        None, _TEXT, "Separator between labels in one cell, as in 'joy;fear'."
    )
    duplicates: str = declare("error", OneOf(DUPLICATES), "If an annotator rated an item twice")
    skipped: str = declare("missing", OneOf(SKIPPED_AS), "Count skipped items as")
    empty: str = declare("answered", OneOf(EMPTY_AS), "Count answers without label or span as")
    exclude: str | Sequence[str] | None = declare(
        None,
        Repeated("COLUMN=VALUE"),
        "Leave out rows with this value, as in 'status=rejected'; 'week!=2' leaves out all others; "
        "repeatable.",
    )
    join: PathLike | None = declare(
        None,
        Text(READ),
        "Table with facts about items or annotators, such as batches, for --by and --cluster.",
    )
    include: str | Sequence[str] | None = declare(
        None, _NAMES, "Count these too: drafts, gold, predictions, curator, rejected."
    )
