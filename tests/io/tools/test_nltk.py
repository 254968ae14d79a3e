"""NLTK: triples of coder, item and label, without a line of names."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from iaa_jax import IaaError, cohen_kappa, krippendorff_alpha, read, scott_pi

Write = Callable[..., Path]

SAMPLE = Path(__file__).parents[1] / "samples/universal/real_nltk_artstein_poesio_example.txt"


def refused(path: Path, **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        read(path, **options)
    return str(caught.value)


def test_artstein_and_poesio() -> None:
    ratings = read(SAMPLE)
    assert ratings.sizes["item"] == 100
    assert ratings.annotator.values.tolist() == ["a", "b"]
    assert ratings.label.values.tolist() == ["chck", "ireq", "stat"]
    kappa = cohen_kappa(ratings, interval=None)
    assert float(kappa.observed) == pytest.approx(0.88)
    assert float(kappa.estimate) == pytest.approx(0.80132, abs=5e-6)
    assert float(scott_pi(ratings, interval=None).estimate) == pytest.approx(0.79953, abs=5e-6)
    alpha = krippendorff_alpha(ratings, interval=None)
    assert float(alpha.estimate) == pytest.approx(0.80053, abs=5e-6)
    assert ratings.attrs["read_as"].startswith(
        "NLTK triples without names of columns, items from '2', annotators from '1'"
    )
    assert "notices" not in ratings.attrs


@pytest.mark.parametrize("mark", ["\t", ",", ";", " "])
def test_order_and_separators_do_not_count(write: Write, mark: str) -> None:
    lines = SAMPLE.read_text().replace("\t", mark).splitlines()
    random.Random(1).shuffle(lines)
    ratings = read(write("\n".join(lines), "triples.txt"))
    alpha = float(krippendorff_alpha(ratings, interval=None).estimate)
    assert alpha == float(krippendorff_alpha(read(SAMPLE), interval=None).estimate)


def test_items_that_come_first_are_turned(write: Write) -> None:
    turned = ["\t".join((b, a, c)) for a, b, c in map(str.split, SAMPLE.read_text().splitlines())]
    path = write("\n".join(turned), "turned.txt")
    assert "if the first names items, give item='1' and annotator='2'" in refused(path)
    turned_by_name = read(path, format="nltk")
    assert "triples_turned" in turned_by_name.attrs["reading"]
    assert turned_by_name.sizes["item"] == 2
    ratings = read(path, item="1", annotator="2")
    assert ratings.annotator.values.tolist() == ["a", "b"]
    assert "notices" not in ratings.attrs
    alpha = float(krippendorff_alpha(ratings, interval=None).estimate)
    assert alpha == pytest.approx(0.80053, abs=5e-6)


def test_commas_in_labels_and_any_ending(write: Write) -> None:
    rows = [(who, item, "x, y, z") for who in "ab" for item in "12"]
    ratings = read(write("\n".join(map("\t".join, rows)), "triples.data"))
    assert ratings.label.values.tolist() == ["x, y, z"]


def test_none_is_missing(write: Write) -> None:
    path = write("a 1 yes\nb 1 no\na 2 yes\nb 2 None\na 3 no\nb 3 no\n", "t.txt")
    ratings = read(path)
    assert ratings.primary.values.tolist() == [[1, 0], [1, -1], [0, 0]]
    assert ratings.attrs["skipped"] == "1 judgement without an answer (b: 1)"
    assert read(path, skipped="drop").sizes["item"] == 2


def test_repeats_and_rows_of_another_width_are_refused(write: Write) -> None:
    lines = SAMPLE.read_text()
    assert "twice.txt line 201 (item 1, annotator 'a') repeats" in refused(
        write(lines + "a\t1\tstat\n", "twice.txt")
    )
    long = "".join(f"{who}\t{n}\tyes\n" for n in range(5000) for who in "ab") + "a\t5000\n"
    assert "line 10001: 3 cells are needed" in refused(write(long, "short.txt"), format="nltk")


@pytest.mark.parametrize(
    "text", ["1,yes,no\n2,yes,yes\n3,no,yes\n", "The D O\ndog N O\n\nThe D O\n"]
)
def test_tables_without_names_that_are_no_triples(write: Write, text: str) -> None:
    assert "no export of NLTK: triples" in refused(write(text, "t.txt"), format="nltk")
