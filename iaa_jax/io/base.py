"""The protocol of table readers, the options that they take, and the notes that they add."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import xarray as xr

from iaa_jax.data.duplicates import DUPLICATES
from iaa_jax.io.options import ReadColumns, ReadRatings
from iaa_jax.io.table.head import Progress
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note, dump_notes, load_notes

OF_COLUMNS = (
    *("item", "annotator", "label", "secondary", "annotators"),
    *("counts", "one_hot", "multi_hot", "strength", "keep"),
)


@dataclass(frozen=True)
class Options(ReadRatings, ReadColumns):
    """The options of `read`."""

    labels: Sequence[object] | None = None
    missing: Sequence[object] | None = None
    merge_labels: Sequence[str] = ()
    merge_ids: Sequence[str] = ()
    exclude: Sequence[str] = ()
    include: Sequence[str] = ()
    choices: Sequence[str] = DUPLICATES  # accepted values of ``duplicates``
    keep: str | Sequence[str] | None = None
    keeps_all: bool = False  # whether to keep every column of a plain table that no option names
    progress: Progress | None = None

    def columns_named(self) -> list[str]:
        """Return the names of the given options that describe columns, except for ``keep``."""
        names = (*OF_COLUMNS[:-1], "anonymous", "unordered", "separator", "blank")
        return [name for name in names if getattr(self, name) not in (None, False)]

    def without(self, *choices: str) -> list[str]:
        """Return the accepted values of ``duplicates`` except for ``choices``."""
        return [name for name in self.choices if name not in choices]


class Reader(Protocol):
    """A reader of plain tables of one layout."""

    name: str
    summary: str

    def can_open(self, sources: Sequence[Source], options: Options) -> bool:
        """Tell whether the files look like this format; never raise."""

    def read(self, sources: Sequence[Source], options: Options) -> xr.Dataset:
        """Read ratings, and add (by `add_notes`) notes on how the files were understood.

        Instead of adding notes, a reader that another package defines may set the attributes
        ``read_as`` and ``skipped`` of the ratings to sentences.
        """


def add_notes(
    ratings: xr.Dataset,
    read_as: Sequence[Note],
    skipped: Sequence[Note] = (),
    otherwise: Sequence[Note] = (),
) -> xr.Dataset:
    """Return ratings with notes on how they were read, what was skipped, and what may be misread.

    Earlier notes on possible misreadings are kept; earlier notes on reading and skipping are
    replaced. A note is a code with values; a template in `iaa_jax.io.words` makes it a sentence.
    """
    before = load_notes(str(ratings.attrs.get("reading", "")))
    kept = [note for note in before if note.code not in ("read_as", "skipped")]
    notes = [Note("read_as", {"parts": list(read_as)}), *dict.fromkeys([*kept, *otherwise])]
    if skipped:
        notes.insert(1, Note("skipped", {"parts": list(skipped)}))
    return ratings.assign_attrs(reading=dump_notes(notes))
