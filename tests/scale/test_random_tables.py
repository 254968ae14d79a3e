"""Random small tables in random parts: a scan and a Dask frame give what memory gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa
from tests.scale.test_scan import assert_same
from tests.taken import one_of

dask = pytest.importorskip("dask")
dask_frame = pytest.importorskip("dask.dataframe")

IDS = (range(12), [f"{k:03}" for k in range(12)], [f" i{k}"[k % 3 == 0 :] for k in range(12)])
LABELS = (list("abc"), [0, 1, 2], ["1", "2.0", "x"], [1.5, 2.5], [True, False], ["NA", "no", "yes"])
LABELS += (["", "n", "y"], ["1,5", "2,5"], [-1, 0, 1], ["é", "漢", "-"])


def table(rng: np.random.Generator) -> pd.DataFrame:
    """A few items with a few ratings each, some missing, perhaps one twice or without a name."""
    annotators = int(rng.integers(1, 6)) if rng.random() < 0.9 else 130
    who = [f"u{k}" for k in range(annotators)] if rng.random() < 0.7 else list(range(annotators))
    ids, labels = IDS[rng.integers(len(IDS))], LABELS[rng.integers(len(LABELS))]
    rows = [
        (ids[k], who[a], labels[rng.integers(len(labels))], f"d{k // 3}", k % 2)
        for k in range(int(rng.integers(2, 12)))
        for a in rng.permutation(annotators)[: rng.integers(0, min(annotators, 5) + 1)]
    ]
    rows = rows or [(ids[0], who[0], labels[0], "d0", 0)]
    if rng.random() < 0.1:
        rows.append((*rows[0][:1], rows[0][1] if rng.random() < 0.5 else None, *rows[0][2:]))
    frame = pd.DataFrame(rows, columns=["item", "annotator", "label", "doc", "odd"])
    frame["label"] = frame["label"].where(rng.random(len(frame)) < 0.9, None)
    return frame.sample(frac=1, random_state=int(rng.integers(99))).reset_index(drop=True)


def parts(rng: np.random.Generator, frame: pd.DataFrame) -> list[pd.DataFrame]:
    cuts = np.sort(rng.integers(0, len(frame) + 1, int(rng.integers(0, 3))))
    return [frame[start:stop] for start, stop in pairwise([0, *cuts, len(frame)])]


def attempt(make: Callable[[], xr.Dataset]) -> xr.Dataset | str:
    """Return the result, or why it is refused."""
    try:
        return make()
    except iaa.IaaError as error:
        return str(error)


def written(rng: np.random.Generator, some: Sequence[pd.DataFrame], folder: Path) -> list[Path]:
    files = []
    for number, part in enumerate(some):
        kind = ("parquet", "csv", "csv.gz", "tsv")[rng.integers(4)]
        files.append(folder / f"{number}.{kind}")
        if kind == "parquet":
            part.to_parquet(files[-1], index=False)
        else:
            part.to_csv(files[-1], index=False, sep="\t" if kind == "tsv" else ",")
    return files


@pytest.mark.parametrize("seed", one_of(8, range(40)))
def test_files(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    frame = table(rng)
    files = written(rng, [part for part in parts(rng, frame) if len(part)], tmp_path)
    by = (None, ["doc"], ["odd", "doc"])[seed % 3]
    read, found = attempt(lambda: iaa.read(files, keep=by)), attempt(lambda: iaa.scan(files, by=by))
    assert isinstance(found, str) == isinstance(read, str), (found, read)
    if isinstance(read, xr.Dataset) and isinstance(found, xr.Dataset):
        of_items = [name for name in by or () if read[name].dims == ("item",)]
        assert_same(found, iaa.data.compress(read, by=of_items))
        damage(rng, files[0])
        # one alone may refuse what is damaged: not both look at all of a file
        read, found = attempt(lambda: iaa.read(files)), attempt(lambda: iaa.scan(files))
        if isinstance(found, xr.Dataset) and isinstance(read, xr.Dataset):
            assert_same(found, iaa.data.compress(read))


def damage(rng: np.random.Generator, file: Path) -> None:
    content = bytearray(file.read_bytes())
    place = int(rng.integers(len(content)))
    match rng.integers(4):
        case 0:
            del content[place:]
        case 1:
            content[place] = int(rng.integers(256))
        case 2:
            del content[place : place + int(rng.integers(1, 20))]
        case 3:
            content[place:place] = bytes([int(rng.integers(256))]) * 2
    file.write_bytes(content)


@pytest.mark.parametrize("seed", one_of(8, range(40)))
def test_partitions_and_merged_parts(seed: int) -> None:
    rng = np.random.default_rng(seed)
    frame = table(rng)
    by = (None, ["doc"], ["odd", "doc"])[seed % 3]
    some = parts(rng, frame)
    given = dask_frame.from_delayed([dask.delayed(part) for part in some], meta=frame[:0])
    expected = attempt(lambda: compressed(frame, by))
    with dask.config.set(scheduler="synchronous"):
        found = attempt(lambda: iaa.from_dask(given, by=by))
        whole = attempt(lambda: iaa.from_dask(given, by=by, items_whole=True))
    assert isinstance(found, str) == isinstance(expected, str), (found, expected)
    if isinstance(expected, str) or isinstance(found, str):
        return
    assert_same(found, expected)
    several = sum(part["item"].nunique() for part in some) > frame["item"].nunique()
    assert isinstance(whole, str) == several
    if isinstance(whole, xr.Dataset):
        assert_same(whole, expected)


def compressed(frame: pd.DataFrame, by: list[str] | None) -> xr.Dataset:
    ratings = iaa.from_long(frame)
    first = frame.drop_duplicates("item")
    kept = {name: ("item", first[name].to_numpy()) for name in by or ()}
    return iaa.data.compress(ratings.assign_coords(kept), by=by)
