"""Dask frames: the patterns of ratings in memory, whatever a partition holds and a worker does."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import iaa_jax as iaa
from tests.scale.test_scan import assert_same, in_memory, rows, written

dask = pytest.importorskip("dask")
dask_frame = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")

COLUMNS = ("id", "who", "label")


def partitions(frame: pd.DataFrame, number: int = 4) -> dask_frame.DataFrame:
    return dask_frame.from_pandas(frame.reset_index(drop=True), npartitions=number, sort=False)


@pytest.mark.parametrize("crowd", [False, True])
def test_the_patterns_of_ratings_in_memory(crowd: bool) -> None:
    frame = rows(200, 150 if crowd else 4)
    if crowd:
        frame = frame.groupby("id", sort=False).head(5)
    assert_same(iaa.from_dask(partitions(frame), *COLUMNS), in_memory(frame))


def test_numbers_as_annotators_stand_in_the_order_of_their_first_rows() -> None:
    frame = rows(80).assign(who=lambda f: f["who"].str[-1].astype(int))
    frame["label"] = frame["label"].str[-1].astype(float)
    assert frame["who"].iloc[0] != frame["who"].min()
    assert_same(iaa.from_dask(partitions(frame), *COLUMNS), in_memory(frame))


def test_what_is_kept_apart() -> None:
    frame = rows(200).sort_values("doc", kind="stable").reset_index(drop=True)
    found = iaa.from_dask(partitions(frame), *COLUMNS, by="doc")
    assert_same(found, in_memory(frame, by="doc"))


@pytest.mark.parametrize("whole", [False, True])
def test_items_named_by_several_columns(whole: bool) -> None:
    """Rows without a label may lack a part of the name: there is nothing to lose."""
    frame = rows(120).assign(page=lambda f: f["id"].str[-1], text=lambda f: f["id"].str[:-1])
    frame = pd.concat([frame, frame[frame.label.isna()].assign(page=None)])
    parts = [part for _, part in frame.groupby("text")] if whole else [frame[::2], frame[1::2]]
    given = dask_frame.from_delayed([_delayed(part) for part in parts])
    found = iaa.from_dask(given, ["text", "page"], "who", "label", items_whole=whole)
    assert_same(found, in_memory(pd.concat(parts)))


def test_whole_items_and_a_broken_promise() -> None:
    frame = rows(200)
    with pytest.raises(iaa.IaaError, match="items in several partitions, contrary to items_whole"):
        iaa.from_dask(partitions(frame), *COLUMNS, items_whole=True)
    parts = [part for _, part in frame.groupby(frame["id"].str[-1])]
    whole = dask_frame.from_delayed([_delayed(part) for part in parts])
    found = iaa.from_dask(whole, *COLUMNS, items_whole=True)
    assert_same(found, in_memory(pd.concat(parts)))


def _delayed(part: pd.DataFrame) -> object:
    from dask import delayed

    return delayed(lambda: part)()


@pytest.mark.parametrize("whole", [False, True])
def test_partitions_that_are_odd(whole: bool) -> None:
    """Empty ones, one annotator alone, no label at all, labels that others do not have."""
    frame = rows(100)
    alone = rows(3).assign(id=lambda f: "x" + f["id"]).query("who == 'ann 2'")
    silent = rows(3).assign(
        id=lambda f: "y" + f["id"], label=lambda f: f["label"].mask(f.who != "")
    )
    other = rows(5).assign(id=lambda f: "z" + f["id"], label="label 9")
    parts = [frame[:0], frame, alone, silent, other]
    given = dask_frame.from_delayed([_delayed(part) for part in parts], meta=frame[:0])
    found = iaa.from_dask(given, *COLUMNS, items_whole=whole)
    assert_same(found, in_memory(pd.concat(parts)))


def test_little_comes_back_of_many_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a partition tells of itself, and the patterns of all: a few kilobytes of megabytes."""
    from iaa_jax.scale import partitions as module

    frame = rows(20_000, 3, 2).drop(columns="doc")
    sizes: list[int] = []
    computed = module._computed

    def watched(tasks: Sequence[object]) -> list[object]:
        found = computed(tasks)
        sizes.append(len(pickle.dumps(found)))
        return found

    monkeypatch.setattr(module, "_computed", watched)
    parts = [part for _, part in frame.groupby(frame["id"].str[:2])]  # their rows are scattered
    given = dask_frame.from_delayed([_delayed(part) for part in parts])
    iaa.from_dask(given, *COLUMNS)
    assert len(sizes) == 2
    assert max(sizes) < 20_000 < frame.memory_usage().sum() / 20


def test_what_is_refused(tmp_path: Path) -> None:
    frame = rows(50)
    first = frame[frame.label.notna()].index[3]
    for wrong, words in (
        (pd.concat([frame, frame[frame.label.notna()][:2]]), "an annotator who had already rated"),
        (frame.assign(who=frame.who.mask(frame.index == first)), "1 row without 'who'"),
        (frame.assign(id=frame.id.mask(frame.index == first)), "1 rating without 'id'"),
        (frame.assign(label=None), "no row has a label"),
        (frame.rename(columns={"who": "whom"}), "no column 'who'.* did you mean 'whom'"),
    ):
        with pytest.raises(iaa.IaaError, match=words):
            iaa.from_dask(partitions(wrong, 3), *COLUMNS)
    halves = [frame[:60], frame[60:].assign(id=frame.id[60:].astype("category").cat.codes)]
    mixed = [_delayed(half.astype({"id": object})) for half in halves]
    with (
        dask.config.set({"dataframe.convert-string": False}),
        pytest.raises(iaa.IaaError, match="'id' holds numbers and text, so that 1 and '1' would"),
    ):
        iaa.from_dask(dask_frame.from_delayed(mixed, meta=mixed[0].compute()[:0]), *COLUMNS)
    floats = frame.assign(id=frame.id.astype("category").cat.codes * 2.0 + 2.0**53)
    with pytest.raises(iaa.IaaError, match="'id' has ids that floats cannot hold exactly"):
        iaa.from_dask(partitions(floats), *COLUMNS)
    infinite = frame.assign(label=np.where(frame.label.isna(), np.nan, np.inf))
    with pytest.raises(iaa.IaaError, match=r"^\d+ ratings with a label that is not a finite"):
        iaa.from_dask(partitions(infinite), *COLUMNS)
    alone = pd.DataFrame({"item": range(40), "annotator": ["p", "q"] * 20, "label": [1, 2] * 20})
    with pytest.raises(iaa.IaaError, match="no item has two ratings: 40 ratings on as many items;"):
        iaa.from_dask(partitions(alone))
    with pytest.raises(iaa.IaaError, match="an item has several values"):
        iaa.from_dask(partitions(frame), *COLUMNS, by="who")
    with pytest.raises(iaa.IaaError, match="give a Dask frame, not DataFrame"):
        iaa.from_dask(frame)
    given = dask_frame.read_parquet(written(frame, tmp_path))
    (tmp_path / "1.parquet").write_bytes(b"PAR1 and nothing that follows")
    with pytest.raises(iaa.IaaError, match="Dask cannot compute a partition: "):
        iaa.from_dask(given, *COLUMNS)


@pytest.fixture
def client() -> Iterator[distributed.Client]:
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, memory_limit="2GB", dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.mark.slow
def test_a_worker_that_dies(client: distributed.Client, tmp_path: Path) -> None:
    """Once while partitions are looked into, and once while items are brought together."""
    rng = np.random.default_rng(0)
    item = rng.permutation(np.repeat(np.arange(25_000), 4))
    frame = pd.DataFrame({"id": item, "who": np.arange(len(item)) % 7, "label": item % 3})
    frame["label"] = frame["label"].where(rng.random(len(item)) < 0.6, 1)
    frame = frame.drop_duplicates(["id", "who"])
    written(frame, tmp_path, parts=12)

    def part(number: int) -> pd.DataFrame:
        times = len(list(tmp_path.glob(f"{number} *")))
        (tmp_path / f"{number} {times}").touch()
        if (number, times) in ((3, 0), (8, 1)):
            os.kill(os.getpid(), signal.SIGKILL)
        return pd.read_parquet(tmp_path / f"{number}.parquet")

    parts = [dask.delayed(part)(number) for number in range(12)]
    given = dask_frame.from_delayed(parts, meta=frame[:0])
    before = set(client.run(os.getpid).values())
    assert_same(iaa.from_dask(given, *COLUMNS), in_memory(frame))
    assert len(list(tmp_path.glob("3 *"))) > 2
    assert len(list(tmp_path.glob("8 *"))) > 2
    assert not before <= set(client.run(os.getpid).values())
