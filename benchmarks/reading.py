"""Reading tables of 1,000,000 judgements, against pandas on the same file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pandas as pd
from results import Line, Target
from tables import long_frame, wide_frame
from timing import Call, in_turn

from iaa_jax.io import read


def reading(quick: bool) -> Iterator[Line]:
    """The limit is a reader that only parses, on all cores; or else the count of line ends."""
    items = 4_000 if quick else 200_000
    ratings = f"{5 * items:,} judgements"
    wide = "item and 5 annotators"
    with tempfile.TemporaryDirectory() as folder:
        for work, frame, annotators in (
            ("long, ids and labels numbers", long_frame(items, 5, 5, text=False), None),
            ("long, ids and labels text", long_frame(items, 5, 5, text=True), None),
            (f"wide, {wide}", wide_frame(items, 5, 5), "annotator*"),
        ):
            file = Path(folder) / "ratings.csv"
            frame.to_csv(file, index=False)
            del frame
            limit, least = _parsing(file)
            ours, theirs, taken = in_turn(
                3 if quick else 5,
                partial(read, file, annotators=annotators),
                partial(pd.read_csv, file),
                least,
            )
            yield Line(
                f"read {ratings}, {work}",
                ours,
                "pandas.read_csv",
                theirs,
                Target(1 / 1.5),
                limit,
                taken,
            )


def _parsing(file: Path) -> tuple[str, Call]:
    try:
        from pyarrow import csv
    except ImportError:
        return "counting line ends", lambda: file.read_bytes().count(b"\n")
    return "pyarrow.csv", lambda: csv.read_csv(file)
