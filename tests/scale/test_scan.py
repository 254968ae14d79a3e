"""Files scanned by DuckDB: the patterns of ratings in memory, to the digit, or a clear error."""

from __future__ import annotations

import re
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.scale import database

NAMES = {"item": "id", "annotator": "who", "label": "label"}


def rows(items: int, annotators: int = 4, labels: int = 3, seed: int = 0) -> pd.DataFrame:
    """Long rows in random order, some without a label, with a document of 20 items each."""
    rng = np.random.default_rng(seed)
    item, annotator = (each.ravel() for each in np.mgrid[:items, :annotators])
    truth = rng.integers(0, labels, items)
    label = np.where(rng.random(len(item)) < 0.7, truth[item], rng.integers(0, labels, len(item)))
    frame = pd.DataFrame(
        {
            "id": [f"i{each}" for each in item],
            "who": [f"ann {each}" for each in annotator],
            "label": np.array([f"label {each}" for each in range(labels)], dtype=object)[label],
            "doc": [f"d{each // 20:04}" for each in item],
        }
    )
    frame.loc[rng.random(len(frame)) < 0.1, "label"] = None
    kept = frame[rng.random(len(frame)) < 0.8]
    return kept.sample(frac=1, random_state=seed).reset_index(drop=True)


def written(frame: pd.DataFrame, folder: Path, kind: str = "parquet", parts: int = 3) -> str:
    ends = np.linspace(0, len(frame), parts + 1).astype(int)
    for number, (start, stop) in enumerate(pairwise(ends)):
        part = frame[start:stop]
        if kind == "parquet":
            part.to_parquet(folder / f"{number}.parquet")
        else:
            separator = "\t" if kind == "tsv" else ","
            part.to_csv(folder / f"{number}.{kind}", index=False, sep=separator)
    return str(folder / f"*.{kind}")


def in_memory(frame: pd.DataFrame, **options: Any) -> xr.Dataset:
    ratings = iaa.from_long(frame, **NAMES)
    if options.get("by"):
        first = frame.drop_duplicates("id")
        ratings = ratings.assign_coords(doc=("item", first["doc"].to_numpy()))
    return iaa.data.compress(ratings, **options)


def assert_same(scanned: xr.Dataset, expected: xr.Dataset) -> None:
    of_files = {"files", "layout", "read_as", "reading", "skipped", "notices"}
    shared = {name: scanned.attrs.get(name) for name in expected.attrs}
    shared |= {name: expected.attrs[name] for name in of_files & expected.attrs.keys()}
    xr.testing.assert_identical(scanned.assign_attrs(shared), scanned.assign_attrs(expected.attrs))
    bare = [each.drop_attrs() for each in (scanned, expected)]
    xr.testing.assert_identical(*bare)


@pytest.mark.parametrize("kind", ["parquet", "csv", "tsv", "csv.gz"])
def test_the_patterns_of_ratings_in_memory(tmp_path: Path, kind: str) -> None:
    frame = rows(500)
    assert_same(iaa.scan(written(frame, tmp_path, kind), **NAMES), in_memory(frame))


@pytest.mark.parametrize(("annotators", "labels"), [(2, 2), (3, 70), (40, 3), (150, 4)])
def test_keys_in_one_number_in_several_and_as_lists(
    tmp_path: Path, annotators: int, labels: int
) -> None:
    """62 bits hold the ratings of few annotators; a crowd's are lists, and stored by slot."""
    frame = rows(60, annotators, labels)
    if annotators > 100:
        frame = frame.groupby("id", sort=False).head(5)
    scanned = iaa.scan(written(frame, tmp_path), **NAMES)
    assert_same(scanned, in_memory(frame))
    assert ("slot" in scanned.sizes) == (annotators > 100)


def test_numbers_as_labels_items_and_annotators(tmp_path: Path) -> None:
    frame = rows(80).assign(id=lambda f: f["id"].str[1:].astype(int))
    frame["label"] = frame["label"].str[-1].astype(float)
    frame["who"] = frame["who"].str[-1].astype(int)
    path = written(frame, tmp_path)
    read = iaa.read(sorted(tmp_path.glob("*.parquet")), **NAMES)
    assert_same(iaa.scan(path, **NAMES), iaa.data.compress(read))


def test_digits_of_everything_that_is_measured(tmp_path: Path) -> None:
    frame = rows(400)
    path = written(frame, tmp_path)
    scanned, plain = iaa.scan(path, **NAMES), iaa.from_long(frame, **NAMES)
    for one, other in zip(*(iaa.agreement(each) for each in (scanned, plain)), strict=True):
        assert one == other
    for name in ("estimate", "ci_low", "ci_high", "standard_error"):
        figures = [iaa.agreement(each, replicates=300)[name] for each in (scanned, plain)]
        np.testing.assert_array_equal(*figures)


def test_clusters_are_kept_apart(tmp_path: Path) -> None:
    frame = rows(400)
    scanned = iaa.scan(written(frame, tmp_path), **NAMES, by="doc")
    plain = iaa.from_long(frame, **NAMES).assign_coords(
        doc=("item", frame.drop_duplicates("id")["doc"].to_numpy())
    )
    options = {"sampling": iaa.Sampling(cluster="doc"), "replicates": 300}
    one, other = (iaa.krippendorff_alpha(each, **options) for each in (scanned, plain))
    for name in ("estimate", "ci_low", "ci_high", "standard_error"):
        np.testing.assert_allclose(one[name], other[name], rtol=1e-12)


def test_whole_items_and_a_broken_promise(tmp_path: Path) -> None:
    frame = rows(300)
    path = written(frame, tmp_path)
    with pytest.raises(iaa.IaaError, match=r"items in several files, contrary to items_whole"):
        iaa.scan(path, **NAMES, items_whole=True)
    whole = frame.sort_values("doc", kind="stable").reset_index(drop=True)
    for number, (_, part) in enumerate(whole.groupby(whole["doc"] > "d0007")):
        part.to_parquet(tmp_path / f"{number}.parquet")
    (tmp_path / "2.parquet").unlink()
    assert_same(iaa.scan(path, **NAMES, items_whole=True), in_memory(whole))


def test_whole_items_of_the_same_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hash says which items may stand in several files, their names which do."""
    answer = database.Database.rows

    def with_equal_hashes(self: database.Database, query: str, **options: bool) -> Any:
        self.connection.execute("CREATE OR REPLACE TEMP MACRO hash(name) AS length(name)")
        return answer(self, query, **options)

    monkeypatch.setattr(database.Database, "rows", with_equal_hashes)
    frame = rows(300).sort_values("doc", kind="stable").reset_index(drop=True)
    for number, (_, part) in enumerate(frame.groupby(frame["doc"] > "d0007")):
        part.to_parquet(tmp_path / f"{number}.parquet")
    path = str(tmp_path / "*.parquet")
    assert_same(iaa.scan(path, **NAMES, items_whole=True), in_memory(frame))
    frame[-1:].to_parquet(tmp_path / "2.parquet")
    with pytest.raises(iaa.IaaError, match=r"1 item in several files, contrary to items_whole"):
        iaa.scan(path, **NAMES, items_whole=True)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda f: pd.concat([f, f[f.label.notna()][:2]]), r"2 ratings by an annotator who had al"),
        (
            lambda f: f.assign(who=f.who.mask(f.index == f[f.label.notna()].index[3])),
            r"1 rating without 'who', the first in .*0\.parquet row 4",
        ),
        (
            lambda f: f.assign(id=f.id.mask(f.index == f[f.label.notna()].index[3])),
            "1 rating without 'id'",
        ),
        (lambda f: f.assign(label=None), "no row has a label"),
        (lambda f: f[f.who == "ann 1"], "only one annotator"),
        (lambda f: f.rename(columns={"who": "whom"}), "no column 'who'.* did you mean 'whom'"),
    ],
)
def test_what_is_refused(
    tmp_path: Path, change: Callable[[pd.DataFrame], pd.DataFrame], words: str
) -> None:
    with pytest.raises(iaa.IaaError, match=words):
        iaa.scan(written(change(rows(50)), tmp_path), **NAMES)


def test_wrong_calls(tmp_path: Path) -> None:
    path = written(rows(50).assign(turn=lambda f: f.index % 2), tmp_path)
    for wrong in ("much", "500", "-5GB", "50%", "", 500, None):
        with pytest.raises(iaa.IaaError, match=f"memory is an amount such as '2GB', not {wrong!r}"):
            iaa.scan(path, **NAMES, memory=wrong)
    for given, words in (
        ({"by": "turn"}, "'turn' describes single ratings, not items or annotators: item 'i"),
        ({"by": "label"}, "'label' describes ratings, and is their label"),
        ({"labels": ["label 0", "label 1"]}, "a label that was not declared: 'label 2'"),
    ):
        with pytest.raises(iaa.IaaError, match=words):
            iaa.scan(path, **NAMES, **given)
    for wrong, words in (
        (str(tmp_path / "no*.parquet"), "no file is named like"),
        (str(tmp_path / "no.parquet"), "there is no file"),
        ([], "name one file or more"),
        (str(tmp_path), r"is a folder: name its files, as in '.*\*\.parquet'"),
        ("-", "a pipe cannot be scanned"),
        ([path, str(tmp_path / "0.parquet")], r"1 file named twice: '.*0\.parquet'"),
        (5, "paths must be a file or a list of files, not 5"),
        ([None], r"paths must be a file or a list of files, not \[None\]"),
    ):
        with pytest.raises(iaa.IaaError, match=words):
            iaa.scan(wrong, **NAMES)
    (tmp_path / "0.json").write_text("[]")
    with pytest.raises(iaa.IaaError, match="only Parquet and delimited text"):
        iaa.scan(tmp_path / "0.json", **NAMES)
    (tmp_path / "1.parquet").write_bytes(b"PAR1 and nothing that follows")
    with pytest.raises(iaa.IaaError, match=r"1\.parquet cannot be read as Parquet"):
        iaa.scan(path, **NAMES)


@pytest.mark.parametrize("name", ["round[1].parquet", "it's.csv", "what?.csv"])
def test_names_with_signs_are_the_names_of_files(tmp_path: Path, name: str) -> None:
    frame = rows(50)
    if name.endswith("csv"):
        frame.to_csv(tmp_path / name, index=False)
    else:
        frame.to_parquet(tmp_path / name)
    assert_same(iaa.scan(tmp_path / name, **NAMES), in_memory(frame))


def test_too_little_memory_is_said(tmp_path: Path) -> None:
    path = written(rows(20_000, 6), tmp_path)
    with pytest.raises(iaa.IaaError, match=r"of memory does not suffice.*\(items_whole\)"):
        iaa.scan(path, **NAMES, memory="1MB")


@pytest.mark.parametrize(
    ("items", "annotators", "slots"),
    [(150_000, 900, 3), (50_000, 12, 12)],
    ids=["lists", "keys"],
)
def test_more_patterns_than_memory_are_refused(
    tmp_path: Path, items: int, annotators: int, slots: int
) -> None:
    """What they would take is what they take, near enough, where they may."""
    rng = np.random.default_rng(0)
    # of each item one annotator of every group, so that nobody rates it twice
    group = annotators // slots
    who = np.arange(slots) * group + rng.integers(0, group, (items, slots))
    label = rng.integers(0, 4, items * slots)
    frame = pd.DataFrame(
        {"id": np.repeat(np.arange(items), slots), "who": who.ravel(), "label": label}
    )
    frame.to_parquet(tmp_path / "crowd.parquet")
    words = r"([\d,]+) different patterns .* about (\d+) MB, and 60 MB may be used: give more"
    with pytest.raises(iaa.IaaError, match=words) as refused:
        iaa.scan(tmp_path / "crowd.parquet", **NAMES, memory="60MB")
    found = re.search(words, str(refused.value))
    assert found is not None
    patterns, needed = int(found[1].replace(",", "")), 1e6 * int(found[2])
    tracemalloc.start()
    try:
        ratings = iaa.scan(tmp_path / "crowd.parquet", **NAMES, memory="300MB")
        taken = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert ratings.sizes["item"] == patterns
    assert needed / 2 < taken < 1.2 * needed


def test_a_full_disk_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spilling takes place in a folder of its own, which may have no room."""
    query = "SELECT count(*) FROM (SELECT DISTINCT range::VARCHAR || 'a name' FROM range(2000000))"
    with database.database("60MB", None) as spilling:
        assert spilling.rows(query) == [(2_000_000,)]
    settings = (*database._SETTINGS, "max_temp_directory_size='1MB'")
    monkeypatch.setattr(database, "_SETTINGS", settings)
    with (
        pytest.raises(iaa.IaaError, match=r"no more room for temporary files in .*TMPDIR"),
        database.database("60MB", None) as full,
    ):
        full.rows(query)


def test_an_interrupt_ends_a_query_and_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def interrupt(done: int, total: int) -> None:
        assert len(list(tmp_path.iterdir())) == 1
        raise KeyboardInterrupt

    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt), database.database("100MB", interrupt) as opened:
        opened.rows("SELECT count(*) FROM range(1000000) a(x), range(1000000) b(y) WHERE x * y = 7")
    assert time.monotonic() - begun < 10
    assert not list(tmp_path.iterdir())


def test_progress_ends(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    iaa.scan(written(rows(50), tmp_path), **NAMES, progress=lambda *done: seen.append(done))
    assert seen[-1] == (100, 100)
