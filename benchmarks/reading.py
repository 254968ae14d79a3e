"""Reading tables of 1,000,000 judgements, against parsing and numbering the same cells."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pyarrow import csv
from results import Line, Target
from tables import long_frame, wide_frame
from timing import in_turn

from iaa_jax.io import read


def reading(quick: bool) -> Iterator[Line]:
    """The peer parses on all cores, and numbers the distinct cells of each column; no check."""
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
            ours, theirs, taken = in_turn(
                3 if quick else 5,
                partial(read, file, annotators=annotators),
                partial(_codes, file),
                partial(csv.read_csv, file),
            )
            yield Line(
                f"read {ratings}, {work}",
                ours,
                "pyarrow.csv to codes",
                theirs,
                Target(1 / 1.5),
                "pyarrow.csv",
                taken,
            )


def _codes(file: Path) -> list[NDArray[np.int32]]:
    columns = csv.read_csv(file).columns
    coded = [column.dictionary_encode().combine_chunks() for column in columns]
    return [column.indices.to_numpy() for column in coded]
