"""The items behind cells of heat maps, against loops over items and annotators."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.pages.content import render

NAMES = ("ann", "bob", "cleo", "dan")


def made(seed: int, items: int = 90) -> list[list[str | None]]:
    """Ratings of four people: bob says 'b' for 'a' too often, and some are missing."""
    chance = np.random.default_rng(seed)
    rows = []
    for _ in range(items):
        truth = "abcd"[chance.integers(4)]
        row: list[str | None] = [
            truth if chance.random() < 0.8 else str(chance.choice([*"abcd"])) for _ in NAMES
        ]
        if truth == "a" and chance.random() < 0.6:
            row[1] = "b"
        if chance.random() < 0.2:
            row[chance.integers(4)] = None
        rows.append(row)
    return rows


def ratings_of(rows: list[list[str | None]]) -> xr.Dataset:
    texts = [f"text {k}" for k in range(len(rows))]
    ids = [f"i{k}" for k in range(len(rows))]
    ratings = iaa.from_wide(rows, labels=[*"abcd"])
    return ratings.assign_coords(item=ids, annotator=[*NAMES], text=("item", texts))


def rows_of(result: xr.Dataset, *names: str) -> list[tuple[object, ...]]:
    return [*zip(*(result[f"case_{name}"].values.tolist() for name in names), strict=True)]


def votes(row: list[str | None]) -> dict[str, set[str]]:
    given: dict[str, set[str]] = {}
    for name, label in zip(NAMES, row, strict=True):
        if label is not None:
            given.setdefault(label, set()).add(name)
    return given


def read(line: str) -> dict[str, set[str]]:
    parts = (part.split(": ") for part in line.split("; "))
    return {label: set(names.split(", ")) for label, names in parts}


def dispute(row: list[str | None]) -> float:
    pairs = [*combinations([label for label in row if label is not None], 2)]
    return sum(a != b for a, b in pairs) / max(len(pairs), 1)


@pytest.mark.parametrize("seed", range(6))
def test_items_of_the_two_who_agree_least_are_those_of_a_loop(seed: int) -> None:
    rows = made(seed)
    result = iaa.annotators(ratings_of(rows), interval=None)
    lowest = [result.attrs[f"lowest_pair_{k}"] for k in (1, 2)]
    kappa = result.pair_kappa.sel(annotator=lowest[0], annotator_2=lowest[1])
    assert float(kappa) == np.nanmin(result.pair_kappa)
    one, two = (NAMES.index(name) for name in lowest)
    differ = [
        k for k, row in enumerate(rows) if None not in (row[one], row[two]) and row[one] != row[two]
    ]
    differ.sort(key=lambda k: (-dispute(rows[k]), k))
    wanted = [(*lowest, len(differ), f"i{k}", rows[k][one], rows[k][two]) for k in differ[:10]]
    assert rows_of(result, "a", "b", "number", "item", "given_a", "given_b") == wanted
    assert [read(line) for line in result.case_votes.values] == [
        votes(rows[k]) for k in differ[:10]
    ]
    assert result.case_own_text.values.tolist() == [f"text {k}" for k in differ[:10]]


@pytest.mark.parametrize("seed", range(6))
def test_items_of_two_labels_are_those_of_a_loop(seed: int) -> None:
    rows = made(seed)
    result = iaa.labels(ratings_of(rows), interval=None)
    found = rows_of(result, "a", "b", "number", "item")
    pairs = [*dict.fromkeys(row[:2] for row in found)]
    assert ("a", "b") in pairs
    assert len(pairs) <= 3
    assert pairs == sorted(
        pairs, key=lambda pair: -float(result.coincidences.sel(label=pair[0], label_2=pair[1]))
    )
    for a, b in pairs:
        counts = {k: Counter(filter(None, row)) for k, row in enumerate(rows)}
        both = {k: c[a] * c[b] / (c.total() - 1) for k, c in counts.items() if c[a] and c[b]}
        order = sorted(both, key=lambda k: (-both[k], k))[:10]
        wanted = [(a, b, len(both), f"i{k}") for k in order]
        assert [row for row in found if row[:2] == (a, b)] == wanted


def test_labels_that_are_seldom_confused_for_their_number_have_no_items() -> None:
    """'c' is common, so that errors at random would fall on it: 'a' and 'b' stand out alone."""
    rows = [["c", "c"]] * 60 + [["a", "a"]] * 20 + [["b", "b"]] * 20
    rows += [["a", "b"]] * 8 + [["a", "c"]] * 2 + [["c", "b"]] * 2
    found = rows_of(iaa.labels(iaa.from_wide(rows), interval=None), "a", "b")
    assert {*found} == {("a", "b")}


def test_near_labels_stand_below_far_ones() -> None:
    chance = np.random.default_rng(1)
    rows = chance.integers(1, 6, size=(60, 3))
    ratings = iaa.from_wide(rows.tolist(), labels=[1, 2, 3, 4, 5])
    result = iaa.annotators(ratings, level="ordinal", interval=None)
    apart = np.abs(result.case_given_a.values.astype(int) - result.case_given_b.values.astype(int))
    assert apart.tolist() == sorted(apart.tolist(), reverse=True)
    numbers = iaa.annotators(iaa.from_values(rows.astype(float)), interval=None)
    apart = np.abs(numbers.case_given_a.values - numbers.case_given_b.values)
    assert apart.tolist() == sorted(apart.tolist(), reverse=True)
    assert (apart == 4).any()


def test_sets_of_two_annotators_stand_side_by_side() -> None:
    rows = [[["x"], ["x", "y"], ["y"]], [["y"], ["y"], ["y"]]] * 12
    result = iaa.annotators(iaa.from_sets(rows), interval=None)
    assert {*rows_of(result, "given_a", "given_b")} == {("x", "y")}
    assert "case_a" not in iaa.labels(iaa.from_sets(rows), interval=None)


def spans(texts: bool = True) -> xr.Dataset:
    marked = {
        f"d{k}": {
            "ann": [(0, 4, "PER"), (9, 12, "ORG" if k < 5 else "PER")],
            "bob": [(0, 4, "PER"), (9, 12, "PER")],
            "cleo": [(0, 4, "PER"), (8, 12, "PER")][: 1 + (k > 0)],
        }
        for k in range(12)
    }
    made = iaa.from_spans(marked)
    text = np.array(["Anna met Bob in Rome."] * 12, dtype=object)
    return made.assign_coords(text=("document", text)) if texts else made


def test_documents_of_two_annotators_and_places_of_two_labels() -> None:
    result = iaa.annotators(spans(), interval=None)
    named = [result.attrs[f"lowest_pair_{k}"] for k in (1, 2)]
    assert named == ["ann", "cleo"]
    shown = rows_of(result, "item", "spans_a", "spans_b", "shared", "number")
    assert shown[0] == ("d1", 2, 2, 1, 12)
    assert len(shown) == 10
    assert "case_own_text" not in result.coords
    found = iaa.labels(spans(), interval=None)
    assert rows_of(found, "a", "b", "number", "item")[0] == ("ORG", "PER", 5, "d1")
    assert found.case_votes.values[0] == "ORG: ann (9-12); PER: cleo (8-12), bob (9-12)"
    assert found.case_text.values[0] == "Anna met Bob in Rome."
    assert {*iaa.labels(spans(texts=False), interval=None).case_text.values} == {""}


def test_pages_fold_them_and_the_terminal_says_where_they_are() -> None:
    page = iaa.page(iaa.labels(ratings_of(made(0)), interval=None))
    tables = [table.id for table in page.tables]
    assert tables[:2] == ["labels", "items_of_two_labels_1"]
    page_in_html = render(page, "html")
    heat_map, folded = page_in_html.index("</svg>"), page_in_html.index("items-of-two-labels")
    assert heat_map < folded < page_in_html.index('id="labels-labels"')
    assert "<details open" not in page_in_html
    assert "text 3" in page_in_html
    for form in ("terminal", "markdown", "latex"):
        assert "text 3" not in render(page, form)
    assert "In files (page.save()): 10 of" in str(page)


def test_a_report_without_texts_has_none_of_them() -> None:
    ratings = ratings_of(made(0))
    sections = {"sections": ["labels", "annotators"], "interval": None}
    assert "text 3" in render(iaa.report(ratings, **sections), "html")
    assert "text 3" not in render(iaa.report(ratings, texts=False, **sections), "html")
