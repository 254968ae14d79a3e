"""A long table larger than memory, in pieces: python scale_data.py FOLDER ROWS

The same ratings twice: in side/ those of an item stand in one row group of one file; in apart/ each
annotator has a file. Five annotators, five labels, 20 % missing; ids are whole numbers.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

ANNOTATORS, LABELS, MISSING = 5, 5, 0.2
RATINGS_EACH = ANNOTATORS * (1 - MISSING)

FILES, GROUPS = 10, 10
"""Files of side/, and row groups of each."""

SCHEMA = pa.schema([(name, pa.int64()) for name in ("item", "annotator", "label")])


def main() -> None:
    folder, rows = Path(sys.argv[1]), int(sys.argv[2])
    each = round(rows / RATINGS_EACH / FILES / GROUPS)
    with ExitStack() as stack:

        def writer(name: str) -> parquet.ParquetWriter:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            return stack.enter_context(parquet.ParquetWriter(folder / name, SCHEMA))

        side = [writer(f"side/{number}.parquet") for number in range(FILES)]
        apart = [writer(f"apart/{number}.parquet") for number in range(ANNOTATORS)]
        for piece in range(FILES * GROUPS):
            label = labels(each, piece)
            item, annotator = np.nonzero(label >= 0)
            columns = (item + piece * each, annotator, label[item, annotator])
            side[piece // GROUPS].write_table(pa.table(columns, SCHEMA))
            for number, file in enumerate(apart):
                own = annotator == number
                file.write_table(pa.table([column[own] for column in columns], SCHEMA))


def labels(items: int, piece: int) -> np.ndarray:
    """Labels (item, annotator) of a piece, -1 where there is none; annotators tend to agree.

    All rated the first item, so that both ways have annotators in one order, and the same digits.
    """
    rng = np.random.default_rng([0, piece])
    truth = rng.integers(0, LABELS, items)
    guess = rng.integers(0, LABELS, (items, ANNOTATORS))
    label = np.where(rng.random(guess.shape) < 0.6, truth[:, None], guess)
    missing = rng.random(guess.shape) < MISSING
    missing[0] &= piece > 0
    return np.where(missing, -1, label)


if __name__ == "__main__":
    main()
