"""CIFAR-10N as a long table: three workers an image, read without the library that wrote it."""

from __future__ import annotations

import csv
import gzip
import io
import pickle
import zipfile
from pathlib import Path

import pandas as pd

SLOTS = (1, 2, 3)
_ALLOWED = {
    ("numpy", "dtype"),
    ("numpy", "ndarray"),
    ("numpy.core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "_reconstruct"),
    ("_codecs", "encode"),
}


class _ArraysOnly(pickle.Unpickler):
    """A pickle may run anything; this one holds NumPy arrays."""

    def find_class(self, module: str, name: str) -> object:
        if (module, name) not in _ALLOWED:
            message = f"{module}.{name} is no part of a NumPy array"
            raise pickle.UnpicklingError(message)
        return super().find_class(module, name)


def long_table(folder: Path) -> pd.DataFrame:
    """Columns item, annotator and label: 50,000 images, 747 workers, ten labels."""
    archive = gzip.decompress((folder / "cifar10n" / "CIFAR-10_human.pt.gz").read_bytes())
    with zipfile.ZipFile(io.BytesIO(archive)) as members:
        pickled = next(name for name in members.namelist() if name.endswith("data.pkl"))
        labels = _ArraysOnly(io.BytesIO(members.read(pickled))).load()
    batches = (folder / "cifar10n" / "side_info_cifar10N.csv").read_text(encoding="utf-8")
    rows = []
    for batch in csv.DictReader(io.StringIO(batches)):
        first, last = map(int, batch["Image-batch"].split("--"))
        rows += [
            (image, int(batch[f"Worker{slot}-id"]), int(labels[f"random_label{slot}"][image]))
            for image in range(first, last + 1)
            for slot in SLOTS
        ]
    return pd.DataFrame(rows, columns=["item", "annotator", "label"])
