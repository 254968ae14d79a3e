"""Scores of one number, as "7/10", are numbers; what is mixed stays as it is, and is noted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import iaa_jax as iaa
from iaa_jax import read
from iaa_jax.wording import load_notes

Write = Callable[..., Path]

RATINGS = [(3, 4), (7, 7), (10, 9), (2, 2), (5, 6), (8, 8)]
LONG = "item,annotator,label\n"


def long(spell: Callable[[int, int], str]) -> str:
    cells = [spell(value, k) for k, value in enumerate(v for pair in RATINGS for v in pair)]
    return LONG + "".join(f"t{k // 2},{'ab'[k % 2]},{cell}\n" for k, cell in enumerate(cells))


def wide(spell: Callable[[int, int], str]) -> str:
    rows = [
        f"t{item},{','.join(spell(value, 2 * item + k) for k, value in enumerate(pair))}\n"
        for item, pair in enumerate(RATINGS)
    ]
    return "item,ann,bob\n" + "".join(rows)


def codes(ratings) -> list[str]:
    return [note.code for note in load_notes(ratings.attrs["reading"])]


@pytest.mark.parametrize("layout", [long, wide])
@pytest.mark.parametrize("end", ["/10", " / 10", "/10.0"])
@pytest.mark.parametrize("level", ["ordinal", "interval", "nominal"])
def test_scores_are_the_numbers(write: Write, layout, end: str, level: str) -> None:
    scores = read(write(layout(lambda value, _: f"{value}{end}")))
    numbers = read(write(layout(lambda value, _: str(value))))
    assert "labels_of_scores" not in codes(scores)
    if end == "/10.0":  # no whole number: nothing is guessed
        assert scores["label"].dtype == object
        return
    assert scores["label"].values.tolist() == numbers["label"].values.tolist()
    figures = [float(iaa.krippendorff_alpha(r, level=level).estimate) for r in (scores, numbers)]
    assert figures[0] == figures[1]
    assert f"scores such as '3{end}' as numbers (3)" in scores.attrs["read_as"]


def test_scores_with_fractions(write: Write) -> None:
    scores = read(write(wide(lambda value, _: f'"{value},5/12"')))
    assert scores["label"].values.tolist() == sorted({v + 0.5 for pair in RATINGS for v in pair})


@pytest.mark.parametrize(
    ("spell", "noted"),
    [
        (lambda value, k: str(value) if k % 5 == 0 else f"{value}/10", True),
        (lambda value, k: f"{value}/{10 + 10 * (k % 5 == 0)}", False),
        (lambda value, _: f"{value}/5", False),  # 8 of 5 is no score
        (lambda value, k: "yes" if k % 5 == 0 else f"{value}/10", False),
    ],
)
def test_mixtures_are_not_guessed(write: Write, spell, noted: bool) -> None:
    ratings = read(write(long(spell)))
    assert ratings["label"].dtype == object
    assert ("labels_of_scores" in codes(ratings)) == noted
    if noted:
        assert "'4/10' (1 rating)" in ratings.attrs["notices"]
    with pytest.raises(iaa.IaaError, match="needs labels that are numbers"):
        iaa.krippendorff_alpha(ratings, level="interval")


def test_declared_labels_stay(write: Write) -> None:
    labels = [f"{k}/10" for k in range(11)]
    ratings = read(write(long(lambda value, _: f"{value}/10")), labels=labels)
    assert ratings["label"].values.tolist() == labels


def test_a_scan_reads_the_same(write: Write) -> None:
    pytest.importorskip("duckdb")
    file = write(long(lambda value, _: f"{value}/10"))
    scanned = iaa.scan(file)
    assert scanned["label"].values.tolist() == read(file)["label"].values.tolist()
