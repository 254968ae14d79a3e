"""Commands on large files of every kind, at three sizes each: time, peak memory and growth."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np
import pandas as pd
from large_results import Grown
from processes import GIGABYTE, guarded
from tables import crowd_frame, label_sets

Make = Callable[[Path, int], Path]
"""Writes the files of a size into a folder, and tells what the command gets."""


@dataclass(frozen=True)
class Files:
    """Files of a kind, the commands that read them, and what each may take at the largest size."""

    about: str
    sizes: tuple[int, int, int]
    make: Make
    calls: tuple[tuple[str, float], ...]
    """A command with its options, and seconds."""
    most_bytes: int = 2 * GIGABYTE
    """At which a process is ended."""


def commands(quick: bool) -> Iterator[Grown]:
    """Each command in a process of its own, with compiled code kept from a run before."""
    with tempfile.TemporaryDirectory() as folder:
        for number, files in enumerate(kinds()):
            within = Path(folder) / str(number)
            within.mkdir()
            sizes = [size // 10 for size in files.sizes] if quick else files.sizes
            made = [files.make(within, size) for size in sizes]
            for command, most in files.calls:
                runs = [
                    _run(command, path, files.most_bytes, Path(folder) / "kept") for path in made
                ]
                yield Grown(
                    f"iaa {command}, {files.about}",
                    tuple(sizes),
                    tuple(run["seconds"] for run in runs),
                    max(run["peak"] for run in runs),
                    files.most_bytes,
                    most,
                    "; ".join(
                        f"{size:,}: {run['ended']}"
                        for size, run in zip(sizes, runs, strict=True)
                        if run["ended"]
                    ),
                )


def _run(command: str, path: Path, limit: int, cache: Path) -> dict[str, float | int | str]:
    name, *options = command.split()
    call = ("-m", "iaa_jax", name, str(path), *options)
    guarded(limit, *call, cache=cache)
    return dict(guarded(limit, *call, cache=cache))


def kinds() -> Iterator[Files]:
    """What people have that is large in some way."""
    yield Files(
        "spans of each of two annotators in one document, each over a hundred others",
        (2_500, 5_000, 10_000),
        _spans,
        (("agree", 10), ("agree --coefficients half_credit_span_f1", 10)),
    )
    yield Files(
        "items with two different numbers each",
        (25_000, 50_000, 100_000),
        _numbers,
        (("agree", 20),),
        GIGABYTE,
    )
    yield Files(
        "items with sets of half as many labels by three annotators",
        (210, 420, 840),
        _sets,
        (("agree --label labels --separator ;", 8),),
    )
    yield Files(
        "annotators and five times as many ratings",
        (25_000, 50_000, 100_000),
        _crowd,
        (("agree", 20), ("annotators", 60)),
    )
    yield Files(
        "annotators who rate batches of 50 items",
        (109, 218, 436),
        _batches,
        (("annotators", 8), ("compare --by half", 8), ("agree --by batch", 8)),
    )
    by_model = ("dawid_skene", "one_coin", "glad", "mace")
    yield Files(
        "items with three or four ratings by a sixth as many annotators",
        (225, 450, 900),
        _weak_crowd,
        tuple((f"gold --method {method}", 15) for method in by_model),
    )
    yield Files(
        "items with three different numbers each, read as labels",
        (625, 1_250, 2_500),
        _numbers_of_three,
        (("annotators --level nominal", 5), ("items --level nominal", 5)),
    )
    yield Files("XMI files of 4,000 words", (176, 350, 700), _xmi, (("agree", 60),))


def _spans(folder: Path, size: int) -> Path:
    """Long ones at random places."""
    rng = np.random.default_rng(1)
    start = rng.integers(0, 99_999, 2 * size)
    end = np.minimum(start + rng.integers(1, 20_000, 2 * size), 100_000)
    who, label = np.repeat(["ann", "ben"], size), rng.choice(["x", "y", "z"], 2 * size)
    columns = {"document": "d1", "annotator": who, "start": start, "end": end, "label": label}
    return _written(folder, size, pd.DataFrame(columns))


def _numbers(folder: Path, size: int) -> Path:
    rng = np.random.default_rng(0)
    truth = rng.normal(size=(size, 1))
    rated = (truth + 0.3 * rng.normal(size=(size, 2))).round(6)
    return _written(folder, size, pd.DataFrame(rated, columns=["ann", "ben"]).rename_axis("item"))


def _sets(folder: Path, size: int) -> Path:
    """Half of all sets have one more label, any of all."""
    rng = np.random.default_rng(9)
    ratings = label_sets(size, 3, size * 388 // 840)
    names, mass = ratings["label"].values, ratings["mass"].values
    rows = []
    for item, annotator in zip(*np.nonzero(~np.isnan(mass[:, :, 0])), strict=True):
        chosen = {*names[mass[item, annotator] > 0]}
        if rng.random() < 0.5:
            chosen.add(names[rng.integers(len(names))])
        rows.append((item, f"a{annotator}", ";".join(sorted(chosen))))
    return _written(folder, size, pd.DataFrame(rows, columns=["item", "annotator", "labels"]))


def _crowd(folder: Path, size: int) -> Path:
    return _written(folder, size, crowd_frame(size, size, 5, 4))


def _weak_crowd(folder: Path, size: int) -> Path:
    """Annotators who are right in half to nine tenths of their ratings, most of them with few."""
    rng = np.random.default_rng(1)
    people, labels = size * 160 // 900, 4
    activity = rng.gamma(0.7, size=people) + 0.02
    accuracy = rng.uniform(0.5, 0.9, people)
    item = np.arange(size * 7 // 2) % size
    who = np.concatenate([rng.choice(people, size, p=activity / activity.sum()) for _ in range(4)])[
        : len(item)
    ]
    right = rng.random(len(item)) < accuracy[who]
    label = np.where(
        right, rng.integers(labels, size=size)[item], rng.integers(labels, size=len(item))
    )
    frame = pd.DataFrame({"item": item, "annotator": who, "label": label})
    return _written(folder, size, frame.drop_duplicates(["item", "annotator"]))


def _numbers_of_three(folder: Path, size: int) -> Path:
    rng = np.random.default_rng(0)
    rated = rng.normal(size=(size, 1)) + 0.3 * rng.normal(size=(size, 3))
    frame = pd.DataFrame(rated.round(4), columns=["ann", "ben", "cid"])
    return _written(folder, size, frame.rename_axis("item"))


def _batches(folder: Path, size: int) -> Path:
    """Each batch has five annotators of its own where numbers allow."""
    rng = np.random.default_rng(5)
    batch = np.repeat(np.arange(size), 50)
    item = batch // 5 * 50 + np.tile(np.arange(50), size)
    truth = rng.integers(0, 3, int(item.max()) + 1)
    label = np.where(rng.random(len(item)) < 0.7, truth[item], rng.integers(0, 3, len(item)))
    columns = {
        "item": item,
        "annotator": [f"w{k}" for k in batch],
        "label": label,
        "batch": [f"b{k}" for k in batch // 5],
        "half": np.where(batch // 5 < size // 10, "first", "second"),
    }
    return _written(folder, size, pd.DataFrame(columns))


def _xmi(folder: Path, size: int) -> Path:
    """Documents of two annotators each, with a token for each word and a span for a hundredth."""
    rng = np.random.default_rng(7)
    whole = folder / str(size)
    for number in range(size // 2):
        document = whole / f"d{number}.txt"
        document.mkdir(parents=True)
        text = " ".join(f"word{k}" for k in range(4_000))
        starts = [0, *(place + 1 for place, letter in enumerate(text) if letter == " ")]
        ends = [*(start - 1 for start in starts[1:]), len(text)]
        for who in ("ann", "ben"):
            marked = np.sort(rng.choice(4_000, 40, replace=False))
            labels = rng.choice(["PER", "LOC"], len(marked))
            elements = [
                f'<custom:Span xmi:id="{10 + k}" sofa="1" begin="{starts[at]}" end="{ends[at]}" '
                f'value="{label}"/>'
                for k, (at, label) in enumerate(zip(marked, labels, strict=True))
            ]
            elements += [
                f'<type5:Token xmi:id="{100 + k}" sofa="1" begin="{start}" end="{end}"/>'
                for k, (start, end) in enumerate(zip(starts, ends, strict=True))
            ]
            members = " ".join(map(str, [*range(10, 50), *range(100, 100 + len(starts))]))
            whole_text = XMI.format("".join(elements), quoteattr(text), members)
            (document / f"{who}.xmi").write_text(whole_text)
    return whole


XMI = """<?xml version="1.0" encoding="UTF-8"?><xmi:XMI xmlns:xmi="http://www.omg.org/XMI"
xmlns:cas="http:///uima/cas.ecore" xmlns:custom="http:///webanno/custom.ecore"
xmlns:type5="http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore"
xmi:version="2.0"><cas:NULL xmi:id="0"/>{0}<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView"
mimeType="text" sofaString={1}/><cas:View sofa="1" members="{2}"/></xmi:XMI>"""


def _written(folder: Path, size: int, frame: pd.DataFrame) -> Path:
    file = folder / f"{size}.csv"
    frame.to_csv(file, index=frame.index.name is not None)
    return file
