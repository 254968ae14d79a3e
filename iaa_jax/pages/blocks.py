"""The parts of a page as data: blocks of facts, tables, notes and pictures.

Blocks hold numbers, texts and notes, which each renderer words and escapes in its own format.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from iaa_jax._types import Floats, Values
from iaa_jax.wording import Note
from iaa_jax.wording.figures import Figure, Kind

TWO_ENDED: tuple[Kind, ...] = ("interval", "share_interval", "range")
"""Kinds of columns whose cells hold the two ends of an interval or range."""

Text = str | Note
"""A text of the page itself, or a note: a code with values, which a template puts into words.

Names from the data occur only in notes.
"""


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    key : str
        Name of the column in files.
    heading : str or Note
        Heading printed above the cells.
    values : sequence
        One value per row: a number (NaN or None if missing), a name, a text or a note. In columns
        of some kinds, a row has other values. An "interval", a "share_interval" (of a share, in
        percent) or a "range" of counts has two ends. A "span", which is drawn, has the estimate,
        both ends of its interval, and perhaps a number for comparison. A "time" is a number or a
        date.
    kind : str
        A "label" is a name, and is shortened in the middle. A "text" is shortened at its end. A
        "word" or a number is never shortened.
    decimals : int
        Decimals of estimates, signed numbers and intervals.
    spare : int
        Rank in which columns are left out if not all of them fit: the highest is left out first. A
        column with 0, such as one that the user requested, is never left out. If it does not fit,
        it follows in a further part of the table, which repeats the first column.
    meaning : Note, optional
        What the values mean, printed below the table if the column is shown.
    marks : sequence of bool, optional
        Whether each cell gets an asterisk.
    in_files : bool
        Whether the column is in files only.
    in_words : bool
        Whether the column is on pages only, since it repeats other columns in words.
    brief : str or Note, optional
        Replacement for a heading that is a name from the data, used if cut names would be too short
        or look alike. A heading without a replacement is never shortened.
    named_above : bool
        Whether facts on the page explain the brief heading. If so, it replaces a heading that would
        be cut, and no remark below the table explains it.
    group : str
        Columns of the same group are left out together.
    stands_for : str
        The group of columns that this column replaces in a terminal too narrow for the group. Such
        a column is ``in_files``, so that all other pages omit it.
    choices : sequence of str
        Values that people may fill in, offered as a list in a spreadsheet.
    several : bool
        Whether a cell may hold several choices, separated by semicolons.
    """

    key: str
    heading: Text
    values: Sequence[object] | Values
    kind: Kind = "estimate"
    decimals: int = 3
    spare: int = 0
    meaning: Note | None = None
    marks: Sequence[bool] | None = None
    in_files: bool = False
    in_words: bool = False
    brief: Text = ""
    named_above: bool = False
    group: str = ""
    stands_for: str = ""
    choices: Sequence[str] = ()
    several: bool = False


MOST_ROWS = 200
"""Maximum number of rows of a table on a page."""


def column_of(figure: Figure, values: Sequence[object] | Values) -> Column:
    """Return the column of a figure, with the format that its declaration states."""
    return Column(figure.name, figure.heading, values, figure.kind, figure.decimals)


@dataclass(frozen=True)
class Table:
    """A table; its columns hold all rows, of which a page may show only some.

    Attributes
    ----------
    id : str
        Name of the table on the page, and of its file.
    columns : sequence of Column
        The columns; the first one names the rows.
    caption : str or Note, optional
        Caption printed above the table.
    noun : str or Note
        The noun for the rows, in the plural ("items").
    shown : int or sequence of int, optional
        How many of the first rows a page shows, or which rows; all by default.
    notes : sequence of Note
        Remarks printed below the table.
    whole : bool
        Whether a terminal too narrow for all columns omits the table; HTML shows it folded.
    in_files : bool
        Whether the table is in files only.
    folded : bool
        Whether the table repeats a picture: HTML shows it folded below the picture, and other pages
        leave it to files.
    first_in_files : sequence of str
        Keys of columns that come first in files.
    """

    id: str
    columns: Sequence[Column]
    caption: Text = ""
    noun: Text = "rows"
    shown: int | Sequence[int] | None = None
    notes: Sequence[Note] = ()
    whole: bool = False
    in_files: bool = False
    folded: bool = False
    first_in_files: Sequence[str] = ()

    @property
    def unseen(self) -> bool:
        """Whether pages that cannot fold tables omit this one."""
        return self.in_files or self.folded or not self.rows

    @property
    def visible(self) -> list[Column]:
        """The columns that a page shows."""
        return [column for column in self.columns if not column.in_files]

    @property
    def written(self) -> list[Column]:
        """The columns in their order in files."""
        rank = {key: number for number, key in enumerate(self.first_in_files)}
        return sorted(self.columns, key=lambda column: rank.get(column.key, len(rank)))

    @property
    def to_fill_in(self) -> Column | None:
        """The column of a sheet that people fill in; None for other tables."""
        return next((column for column in self.columns if column.choices), None)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.columns[0].values) if self.columns else 0

    @property
    def rows_shown(self) -> Sequence[int]:
        """The rows that a page shows."""
        if self.shown is None or isinstance(self.shown, int):
            return range(self.rows if self.shown is None else min(self.rows, self.shown))
        return self.shown


@dataclass(frozen=True)
class SheetOptions:
    """Options for the sheet in which people decide items, and for the sentences of a page about it.

    Attributes
    ----------
    all_rows : bool
        Whether the sheet includes items on which all annotators agree.
    ties_apart : bool
        Whether files leave the label of a tied item empty, rather than take the tied label that
        comes first in the order of labels.
    name : str
        Suggested name of the next such sheet.
    is_written : bool
        Whether the user named a file for the sheet, so that it is written with the page.
    """

    all_rows: bool = False
    ties_apart: bool = True
    name: str = "sheet.xlsx"
    is_written: bool = False


USUAL_SHEET = SheetOptions()


def spread(rows: int, most: int) -> list[int]:
    """Return at most ``most`` row numbers, evenly spaced from the first row to the last."""
    even: list[int] = np.linspace(0, rows - 1, min(rows, most)).round().astype(int).tolist()
    return list(dict.fromkeys(even))


@dataclass(frozen=True)
class Facts:
    """Short lines, each with a heading and a text."""

    rows: Sequence[tuple[Text, Text]]


@dataclass(frozen=True)
class Remarks:
    """Sentences, one per line."""

    notes: Sequence[Note]


@dataclass(frozen=True)
class Paragraph:
    """Sentences of one paragraph."""

    notes: Sequence[Note]


@dataclass(frozen=True)
class Band:
    """The area between two curves; in pictures of points or intervals, a line at each point."""

    label: Text
    low: Floats
    high: Floats


@dataclass(frozen=True)
class Curve:
    """A curve of a picture: a main curve, a bound of it, or another curve in the background.

    Of the curves in the background, the legend names only the first.
    """

    label: Text
    y: Floats
    style: Literal["main", "bound", "other"] = "main"


@dataclass(frozen=True)
class Mark:
    """A labelled point; without ``y``, a vertical line, and without ``x``, a horizontal line."""

    label: Text
    x: float | np.datetime64 | None = None
    y: float | None = None


@dataclass(frozen=True)
class Picture:
    """Data of a picture: curves, points, bars, intervals or a matrix.

    Attributes
    ----------
    id : str
        Name of the picture on the page.
    kind : str
        "lines" over numbers or dates, "points" or "bars" over names, "intervals" next to a list of
        names, or a "matrix". Each row of a matrix is one of the ``curves``, and ``x`` has the names
        of its rows, which are also those of its columns.
    title, subtitle, x_label : str or Note
        What the picture shows, the data that it shows, and the label of the x-axis.
    x : array
        Numbers, dates or names.
    curves, bands, marks : sequences
        Contents of the picture, the main curve first.
    y_most : float, optional
        Maximum possible y, such as 1 for agreement; the axis extends at most just above it. For
        a matrix, the value that has the darkest shade.
    y_label : str or Note
        Label of the y-axis, if neither the title nor a curve's name states what y is.
    aside : str
        Heading of an additional last column of a matrix, whose rows then have one value more.
    in_percent : bool
        Whether the values of a matrix are shares in percent, as its title states.
    """

    id: str
    kind: Literal["lines", "points", "bars", "intervals", "matrix"]
    title: Text
    subtitle: Text
    x: Values
    x_label: Text
    curves: Sequence[Curve]
    bands: Sequence[Band] = ()
    marks: Sequence[Mark] = ()
    y_most: float | None = 1.0
    y_label: Text = ""
    aside: str = ""
    in_percent: bool = False


OVER_AN_AXIS = ("lines", "points")
"""Kinds of pictures that have curves over an axis, and a legend with the names of the curves."""


@dataclass(frozen=True)
class Underline:
    """A span marked in a text, with its label.

    ``parts`` are the parts of the span, each with its start and its end, in characters of the text.
    ``place`` states the position in words, for pages that cannot draw the span. The span is
    ``disputed`` if another annotator saw the text without marking it.
    """

    parts: Sequence[tuple[int, int]]
    label: str
    place: str = ""
    disputed: bool = True


@dataclass(frozen=True)
class Passage:
    """A passage of text, and the spans that each annotator marked in it.

    The text is "" if it is unknown. ``cut`` states whether text is missing before the passage and
    after it.
    """

    heading: Text
    text: str
    marks: Sequence[tuple[str, Sequence[Underline]]]
    cut: tuple[bool, bool] = (False, False)


@dataclass(frozen=True)
class Passages:
    """Passages of text with the spans that annotators marked."""

    passages: Sequence[Passage]
    caption: Text = ""


@dataclass(frozen=True)
class Verbatim:
    """Text for other programs, printed line by line without cutting or joining."""

    text: str
    caption: Text


Block = Facts | Table | Remarks | Paragraph | Picture | Passages | Verbatim
