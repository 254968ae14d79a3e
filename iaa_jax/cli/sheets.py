"""Sheets in which people decide disputed items: their file, their rows, and the texts in them."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from iaa_jax._errors import IaaError, OptionError
from iaa_jax.cli.exits import complain
from iaa_jax.cli.groups import InputOptions
from iaa_jax.cli.options import OUTPUT, TABLE, WRITTEN, option
from iaa_jax.cli.run import Output
from iaa_jax.cli.targets import is_standard
from iaa_jax.data.kind import Kind, kind_of
from iaa_jax.wording import named
from iaa_jax.wording.formats import enumerated, name as printable

if TYPE_CHECKING:
    import xarray as xr

    from iaa_jax.cli.progress import LateProgress
    from iaa_jax.pages import SheetOptions

ENDINGS = (".csv", ".xlsx")
_FIRST = "sheet.xlsx"
_TEXT = "text"
"""Name of the column of texts for spans, and for items in many exports."""


@dataclass(frozen=True)
class SheetRequest:
    """A sheet to fill in, and what it shows besides its items."""

    file: str | None = None
    all_rows: bool = False
    text: str | None = None
    texts: bool = True

    def beside(self, output: Output) -> Output:
        """Return the output with this sheet added; refuse its options if no sheet is written."""
        if not self.is_written(output):
            without_effect = {"all_rows": self.all_rows}
            without_effect |= {} if _is_written(output, ".csv") else {"no_texts": not self.texts}
            for name, given in without_effect.items():
                if given:
                    raise OptionError(
                        f"{named(name)} is about a sheet to fill in: name it with {named('sheet')}"
                    )
        return replace(output, sheet=self.file)

    def check_apart(self, adjudicated: Sequence[str], output: Output) -> None:
        """Refuse to overwrite the sheet whose decisions are read."""
        written = [*output.files, *filter(None, (self.file, output.json))]
        for sheet in adjudicated:
            if not any(_same(file, sheet) for file in written):
                continue
            new = SheetRequest().next_name(adjudicated)
            raise OptionError(
                f"{printable(sheet)} holds the decisions that are read: name another file, "
                f"such as {printable(new)}, and they are copied to it"
            )

    def is_written(self, output: Output) -> bool:
        """Tell whether the output includes a sheet: a workbook and a folder have all tables."""
        return self.file is not None or _is_written(output, ".xlsx")

    def reading(self, reading: InputOptions, output: Output) -> ReadingTexts:
        """Return an object that reads the ratings, and looks for texts if a table may show them.

        It does not look for texts if the user named a column of texts or excluded texts.
        """
        written = self.is_written(output) or _is_written(output, ".csv")
        return ReadingTexts(reading, self.text, looks=self.texts and not self.text and written)

    def options(self, adjudicated: Sequence[str] = (), *, ties_apart: bool = True) -> SheetOptions:
        """Return the options of the sheet for pages."""
        from iaa_jax.pages import SheetOptions

        name, is_written = self.next_name(adjudicated), self.file is not None
        return SheetOptions(self.all_rows, ties_apart, name, is_written)

    def next_name(self, adjudicated: Sequence[str] = ()) -> str:
        """Return the name of the sheet; if it has none, suggest a name that no file has yet."""
        if self.file is not None:
            return self.file
        path = Path(adjudicated[-1] if adjudicated else _FIRST)
        stem, number = re.split(r"(\d*)\Z", path.stem, maxsplit=1)[:2]
        ending = path.suffix if path.suffix.lower() in ENDINGS else ".xlsx"
        taken = int(number or 1) if adjudicated else 0
        while True:
            taken += 1
            name = str(path.with_name(f"{stem}{taken if taken > 1 else ''}{ending}"))
            if not os.path.lexists(name):
                return name


def sheet_options(
    text: Annotated[
        str | None,
        option(
            TABLE,
            "COLUMN",
            "Show this column with each item; by default, sheets find free text.",
            common=True,
        ),
    ] = None,
    texts: Annotated[
        bool,
        option(OUTPUT, None, "Show texts on the sheet, or keep them out.", "--texts/--no-texts"),
    ] = True,
    sheet: Annotated[
        str | None,
        option(
            OUTPUT,
            WRITTEN,
            "Write what is disputed to a sheet to fill in (.xlsx, .csv).",
            common=True,
        ),
    ] = None,
    all_rows: Annotated[
        bool, option(OUTPUT, None, "Also write to the sheet what all agree on.", "--all-rows")
    ] = False,
) -> SheetRequest:
    """Return the requested sheet."""
    if text is not None and not texts:
        raise OptionError(f"{named('no_texts')} keeps texts out, and {named('text')} names one")
    if sheet is not None and Path(sheet).suffix.lower() not in ENDINGS:
        raise OptionError(f"{printable(sheet)}: a sheet to fill in must end in .xlsx or .csv")
    return SheetRequest(sheet, all_rows, text, texts)


@dataclass(frozen=True)
class ReadingTexts:
    """Ratings to read, with a column of free text if ``looks`` is set and there is only one."""

    within: InputOptions
    text: str | None
    looks: bool

    @property
    def files(self) -> Sequence[str]:
        """The files, which no output may overwrite."""
        return self.within.files

    def ratings(
        self, progress: LateProgress, keep: Sequence[str] = (), *, single_items: bool = False
    ) -> xr.Dataset:
        """Return the ratings with further columns, and with texts."""
        text = self.text
        if not self.looks or self.within.scan:
            ratings = self.within.ratings(progress, keep, single_items=single_items)
        else:
            ratings, text = self._with_texts(progress, list(keep))
        is_spans = kind_of(ratings.attrs) is Kind.SPANS
        if text is not None and is_spans and ratings[text].dims == ("item",):
            return ratings.assign_coords(text=("item", ratings[text].values))
        return ratings

    def _with_texts(self, progress: LateProgress, keep: list[str]) -> tuple[xr.Dataset, str | None]:
        from iaa_jax.data.free_texts import free_texts

        ratings = self.within.with_every_column(progress, keep)
        text_columns = free_texts(ratings)
        if not text_columns and _TEXT not in ratings.coords:
            try:  # some exports have a column of texts that is read only on request
                further = self.within.ratings(progress, [*keep, _TEXT], single_items=True)
                text_columns = [name for name in free_texts(further) if name == _TEXT]
                ratings = further if text_columns else ratings
            except IaaError:
                pass
        if len(text_columns) > 1 and not {*text_columns} & {*keep}:
            candidates = enumerated([repr(name) for name in text_columns])
            complain(
                f"{printable(candidates)} may hold the texts, but none are written: name one with "
                "--text"
            )
        text = text_columns[0] if len(text_columns) == 1 else None
        if text is not None:
            complain(
                f"written with the texts of {printable(repr(text))}: --text names another "
                "column, and --no-texts keeps them out"
            )
        # columns that were not requested are left out
        others = [
            str(name)
            for name, column in ratings.coords.items()
            if "item" in column.dims and name not in ("item", text, *keep)
        ]
        return ratings.drop_vars(others), text


def _same(file: str, other_file: str) -> bool:
    return (
        os.path.exists(file) and os.path.exists(other_file) and os.path.samefile(file, other_file)
    )


def _is_written(output: Output, ending: str) -> bool:
    """Tell whether tables are written, to a file with this ending or to a folder."""
    named = [file for file in output.files if not is_standard(file)]
    return any(file.lower().endswith(ending) or _is_folder(file) for file in named)


def _is_folder(path: str) -> bool:
    return path.endswith("/") or os.path.isdir(path)
