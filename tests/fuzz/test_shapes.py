"""Shapes that are more than one plain table: read right, whatever of their form changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax import IaaError
from tests.fuzz.__main__ import NEUTRAL, run
from tests.fuzz.law import Broken, check_reading, outcomes
from tests.fuzz.mutants import Mutant
from tests.fuzz.neutral_pairs import Pair, neutral_outcome, neutral_pair
from tests.fuzz.said import figures, said
from tests.fuzz.shapes import OF_SETS, RATINGS, SECOND, SHAPES, shape_of

PAIRS = 40  # of which `.ci/run fuzz` reads 20,000
QUESTIONS = {
    "": RATINGS,
    "emotion": RATINGS,
    "shown": {
        item: {who: SECOND[label] for who, label in of_item.items()}
        for item, of_item in RATINGS.items()
    },
}


def plain_alpha(ratings: dict[str, dict[str, str]]) -> float:
    """Nominal alpha by its coincidences, pair by pair."""
    labels = sorted({label for of_item in ratings.values() for label in of_item.values()})
    count = np.zeros((len(labels), len(labels)))
    for of_item in ratings.values():
        codes = [labels.index(label) for label in of_item.values()]
        for a, first in enumerate(codes):
            for b, second in enumerate(codes):
                count[first, second] += (a != b) / (len(codes) - 1)
    total, of_label = count.sum(), count.sum(axis=0)
    expected = of_label @ (total - of_label) / (total - 1)
    return float(1 - (total - np.trace(count)) / expected)


def of_shape(name: str) -> Mutant:
    shape = shape_of(name)
    options, paths = shape.options, shape.paths
    return Mutant(0, name, "its files", shape.files, options, (), paths, shape.questions)


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_is_read(name: str, tmp_path: Path) -> None:
    results = outcomes(of_shape(name), tmp_path)
    assert [*results] == [*(shape_of(name).questions or ("",))]
    for question, ratings in results.items():
        assert not isinstance(ratings, IaaError), ratings
        expected = QUESTIONS[question]
        names = {"2": "ann", "3": "ben", "4": "eve"} if name == "without header" else {}
        rated = [
            (item, names.get(who, who.rpartition("_")[2]), rating, weight)
            for item, who, rating, weight in said(ratings)
        ]
        single = "mass" not in ratings
        assert rated == [
            (item, who, (label,) if single else ((label, 1.0),), 1.0)
            for item, of_item in sorted(expected.items())
            for who, label in sorted(of_item.items())
        ]
        assert single == (name not in OF_SETS)
        if single:
            alpha, items, number = figures(ratings)
            assert alpha == pytest.approx(plain_alpha(expected), abs=1e-12)
            assert (items, number) == (8, 24)


def test_what_is_joined_is_there(tmp_path: Path) -> None:
    (ratings,) = outcomes(of_shape("joined"), tmp_path).values()
    assert not isinstance(ratings, IaaError)
    assert dict(zip(ratings["annotator"].values, ratings["team"].values, strict=True)) == {
        "ann": "blue",
        "ben": "red",
        "eve": "red",
    }


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is measured on Linux")
def test_the_form_of_a_file_changes_nothing() -> None:
    for good, told in run(0, PAIRS, which=NEUTRAL):
        assert good, told


def test_another_figure_is_noticed(tmp_path: Path) -> None:
    one = of_shape("paired")
    changed = one.files["t.csv"].replace(b"joy", b"fear", 1)
    with pytest.raises(Broken, match=r"another form says \[.*'fear'"):
        neutral_outcome(Pair(one, replace(one, files={"t.csv": changed})), tmp_path)


@pytest.mark.parametrize(
    "name", ["paired", "without header", "triples without header", "joined", "files of raters"]
)
def test_a_lost_rating_is_noticed(name: str, tmp_path: Path) -> None:
    one = of_shape(name)
    (ratings,) = outcomes(one, tmp_path).values()
    assert not isinstance(ratings, IaaError)
    ratings["primary"][0, 0] = -1
    with pytest.raises(Broken, match="24 cells hold a rating, and 23 were read"):
        check_reading(ratings, one)


def test_a_refusal_of_one_form_is_noticed(tmp_path: Path) -> None:
    one = of_shape("files of raters")
    files = {name: data for name, data in one.files.items() if "ann" in name}
    with pytest.raises(Broken, match="in another form refused"):
        neutral_outcome(Pair(one, replace(one, files=files)), tmp_path)


def test_a_pair_is_the_same_each_time() -> None:
    assert [str(neutral_pair(k)) for k in range(50)] == [str(neutral_pair(k)) for k in range(50)]


def test_votes_say_nothing_of_agreement(tmp_path: Path) -> None:
    """Without a figure only what was said is compared."""
    text = b"item,ann,ben\n1,x,y\n1,x,x\n2,y,y\n"
    options = {"annotators": "ann,ben", "duplicates": "votes"}
    (ratings,) = outcomes(Mutant(0, "", "", {"t.csv": text}, options, ()), tmp_path).values()
    assert not isinstance(ratings, IaaError)
    assert np.isnan(figures(ratings)[0])
    assert [each[:3] for each in said(ratings)][:2] == [("1", "ann", ("x",))] * 2
    assert iaa.data.rated(ratings).sum() == 6
