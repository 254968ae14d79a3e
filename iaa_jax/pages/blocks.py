"""What a page is made of: blocks of facts, tables, notes and pictures, as data.

Blocks hold numbers and notes, never finished lines: each renderer writes them for its target, and
is the one place where text is made safe for it.
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
"""Kinds whose cells have two ends."""

Text = str | Note
"""A text of the page's own, or a note that its words say; names from the data go into notes."""


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    key : str
        Its name in files.
    heading : str or Note
        What is printed above it.
    values : sequence
        A value per row: a number (NaN or None where there is none), a name or text; two ends for an
        "interval", a "share_interval" (of a share, in percent) or a "range" of counts; estimate and
        both ends for a "span", which is drawn, and perhaps a fourth number that the page's own
        words compare it with; numbers or dates for a "time"; notes for words.
    kind : str
        "label" says whose row it is, and is shortened in the middle; "text" is shortened at its
        end; "word" and figures never are.
    decimals : int
        Decimals of estimates, signed numbers and intervals.
    spare : int
        Where not all columns fit, the one with the highest number is left out first. Those with
        0, as all that was asked for, never are: the last of them stand below, beside the first
        column again.
    meaning : Note, optional
        What the figures are: printed below the table where the column is shown.
    marks : sequence of bool, optional
        Cells that get an asterisk.
    in_files : bool
        Whether it is only in files.
    in_words : bool
        Whether it is only on pages: names and texts, some of them notes, that say what figures
        in other columns hold.
    brief : str or Note, optional
        What replaces a heading that is a name from the data, where too little of it could be
        shown, or it would look like another. A heading without one is never shortened.
    named_above : bool
        Whether facts of the page say what the brief heading stands for: then it replaces a heading
        that would be cut, and nothing is said of it below the table.
    group : str
        Columns with the same are left out together.
    stands_for : str
        The group in whose place it is shown, where that is left out at the width of a terminal; it
        is ``in_files`` elsewhere.
    choices : sequence of str
        What people may fill in: a spreadsheet offers them as a list.
    several : bool
        Whether a cell takes several of the choices, with semicolons between them.
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
"""Rows of a table that a page shows at most: nobody reads more."""


def column_of(figure: Figure, values: Sequence[object] | Values) -> Column:
    """The column of a declared figure."""
    return Column(figure.name, figure.heading, values, figure.kind, figure.decimals)


@dataclass(frozen=True)
class Table:
    """A table; its columns hold all rows, of which a page shows the first.

    Attributes
    ----------
    id : str
        Its name among the tables of the page, and the name of its file.
    columns : sequence of Column
        The first one says whose row it is.
    caption : str or Note, optional
        What is printed above it.
    noun : str or Note
        What its rows are, in the plural ("items").
    shown : int or sequence of int, optional
        How many rows a page shows, the first, or which rows; all by default.
    notes : sequence of Note
        What to know beside the figures.
    whole : bool
        Whether a page that is too narrow for all its columns leaves it out.
    in_files : bool
        Whether it is only in files.
    folded : bool
        Whether it is behind a picture: HTML has it folded below, and it is else only in files.
    first_in_files : sequence of str
        Keys of columns that stand first in files, where a page has room for others.
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
        """Whether a page that folds nothing leaves it to files."""
        return self.in_files or self.folded or not self.rows

    @property
    def visible(self) -> list[Column]:
        """The columns that a page shows."""
        return [column for column in self.columns if not column.in_files]

    @property
    def written(self) -> list[Column]:
        """The columns in the order of files."""
        place = {key: number for number, key in enumerate(self.first_in_files)}
        return sorted(self.columns, key=lambda column: place.get(column.key, len(place)))

    @property
    def to_fill_in(self) -> Column | None:
        """The column that people fill in, of a sheet."""
        return next((column for column in self.columns if column.choices), None)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.columns[0].values) if self.columns else 0

    @property
    def rows_shown(self) -> Sequence[int]:
        """The rows that a page shows."""
        if self.shown is None or isinstance(self.shown, int):
            return range(self.rows if self.shown is None else min(self.rows, self.shown))
        return self.shown


@dataclass(frozen=True)
class SheetOptions:
    """What the sheet has that people fill in, and what a page says of it.

    Attributes
    ----------
    all_rows : bool
        Whether it also has what all agree on.
    ties_apart : bool
        Whether files leave the label of a tied item open, which only the order of labels decides.
    name : str
        What to call the file that is filled in next.
    is_written : bool
        Whether this very file is written with the page.
    """

    all_rows: bool = False
    ties_apart: bool = True
    name: str = "sheet.xlsx"
    is_written: bool = False


USUAL_SHEET = SheetOptions()


def spread(rows: int, most: int) -> list[int]:
    """Up to so many of the rows of a table, evenly over all of it, both ends among them."""
    even: list[int] = np.linspace(0, rows - 1, min(rows, most)).round().astype(int).tolist()
    return list(dict.fromkeys(even))


@dataclass(frozen=True)
class Facts:
    """Short lines: a heading and a text each."""

    rows: Sequence[tuple[Text, Text]]


@dataclass(frozen=True)
class Remarks:
    """Sentences, one per line."""

    notes: Sequence[Note]


@dataclass(frozen=True)
class Paragraph:
    """Sentences that belong together."""

    notes: Sequence[Note]


@dataclass(frozen=True)
class Band:
    """The area between two curves of a picture; around points, a line at each."""

    label: Text
    low: Floats
    high: Floats


@dataclass(frozen=True)
class Curve:
    """A curve of a picture: the main one, one that bounds it, or others behind both.

    Of the others only the first is named.
    """

    label: Text
    y: Floats
    style: Literal["main", "bound", "other"] = "main"


@dataclass(frozen=True)
class Mark:
    """A place in a picture with its text: a point, or a line where x or y is None."""

    label: Text
    x: float | np.datetime64 | None = None
    y: float | None = None


@dataclass(frozen=True)
class Picture:
    """Curves, points, bars or a square of figures: numbers with a kind, not a drawing.

    Attributes
    ----------
    id : str
        Its name among the pictures of the page.
    kind : str
        "lines" over numbers or dates, "points" or "bars" over names, "intervals" beside names, one
        below the other, or a "matrix", whose rows are the curves and have the names of ``x``, too.
    title, subtitle, x_label : str or Note
        What it shows, of what, and over what.
    x : array
        Numbers, dates or names.
    curves, bands, marks : sequences
        What is drawn, the main curve first.
    y_most : float, optional
        What y cannot exceed, so that there is no room above: 1 for agreement. Of a matrix the
        darkest shade.
    y_label : str or Note
        What y is, where neither the title nor a curve's name says it.
    aside : str
        Of a matrix whose rows have one figure more than there are names: what the last column is.
    in_percent : bool
        Whether figures of a matrix are shares, written as its title has them.
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
"""Kinds of pictures with curves over an axis, which a legend names."""


@dataclass(frozen=True)
class Underline:
    """What was marked in a text: characters from the first to the one after, and its label.

    ``place`` says where it is, for where it cannot be drawn. It is ``disputed`` where another who
    saw the text has not the same.
    """

    parts: Sequence[tuple[int, int]]
    label: str
    place: str = ""
    disputed: bool = True


@dataclass(frozen=True)
class Passage:
    """A stretch of a text, empty if it is not known, and by name what each marked in it.

    It is ``cut`` from the text before it, and behind it.
    """

    heading: Text
    text: str
    marks: Sequence[tuple[str, Sequence[Underline]]]
    cut: tuple[bool, bool] = (False, False)


@dataclass(frozen=True)
class Passages:
    """Texts with what was marked in them, each below its letters."""

    passages: Sequence[Passage]
    caption: Text = ""


@dataclass(frozen=True)
class Verbatim:
    """A text for other programs, line by line as it stands: nothing in it is cut or joined."""

    text: str
    caption: Text


Block = Facts | Table | Remarks | Paragraph | Picture | Passages | Verbatim
