"""Shapes that are more than one plain table: read right, whatever of their form changes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError
from tests.fuzz.law import outcome
from tests.fuzz.mutants import Mutant
from tests.fuzz.neutral import changes_of, repacked
from tests.fuzz.shapes import LABELS, OF_SETS, RATINGS, SHAPES, WHO
from tests.fuzz.tables import ENDINGS, LAYOUTS, TEXTS

HEADLESS = ("without header", "triples without header")
IN_ORDER = {
    "long first", "long last", "long votes", "list of ratings", "wide rows", "contingency",
    "transposed", "places of lists", "long anonymous", "wide anonymous",
}  # fmt: skip
"""Layouts in which the place of a row or of a column is a part of what is said."""


def alpha_of(ratings: xr.Dataset) -> float:
    if iaa.data.rated(ratings).sum() == 0:
        return np.nan
    names = ("am_agreement",) if ratings.attrs["task"] == "multi_label" else ("krippendorff_alpha",)
    return float(iaa.agreement(ratings, names, interval=None)["estimate"].values[0])


def plain_alpha() -> float:
    """Nominal alpha of the ratings by its coincidences, pair by pair."""
    count = np.zeros((3, 3))
    for of_item in RATINGS.values():
        codes = [LABELS.index(label) for label in of_item.values()]
        for a, first in enumerate(codes):
            for b, second in enumerate(codes):
                count[first, second] += (a != b) / (len(codes) - 1)
    total, of_label = count.sum(), count.sum(axis=0)
    expected = of_label @ (total - of_label) / (total - 1)
    return float(1 - (total - np.trace(count)) / expected)


def of_shape(name: str) -> Mutant:
    shape = SHAPES[name]()
    return Mutant(0, name, "its files", shape.files, shape.options, (), shape.paths)


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_is_read(name: str, tmp_path: Path) -> None:
    ratings = outcome(of_shape(name), tmp_path)
    assert not isinstance(ratings, IaaError), ratings
    who = [str(name) for name in ratings["annotator"].values]
    assert who == ["2", "3", "4"] if name == "without header" else sorted(who) == sorted(WHO)
    assert [str(label) for label in ratings["label"].values] == [*LABELS]
    if name not in OF_SETS:
        alpha = float(iaa.krippendorff_alpha(ratings, interval=None)["estimate"])
        assert alpha == pytest.approx(plain_alpha(), abs=1e-12)
    mass = iaa.data.mass(ratings).transpose("item", "annotator", "label").values
    for item, of_item in zip(ratings["item"].values, mass, strict=True):
        given = dict(zip(WHO if name == "without header" else who, of_item, strict=True))
        assert {each: LABELS[int(row.argmax())] for each, row in given.items()} == RATINGS[item]


def variants(one: Mutant, *, headed: bool, in_order: bool) -> Iterator[tuple[str, Mutant]]:
    dice = random.Random(1)
    for name, data in one.files.items():
        for said, change in changes_of(name, headed=headed).items():
            if in_order and ("another order" in said):
                continue
            yield f"{name}: {said}", replace(one, files={**one.files, name: change(data, dice)})
        if (again := repacked(name, data, dice)) is not None:
            yield (
                f"{name}: members in another order",
                replace(one, files={**one.files, name: again}),
            )
    if len(one.files) > 1:
        turned = dict(reversed(one.files.items()))
        yield "files in another order", replace(one, files=turned)


@pytest.mark.parametrize("name", SHAPES)
def test_the_form_of_a_shape_changes_nothing(name: str, tmp_path: Path) -> None:
    same_figures(of_shape(name), tmp_path, headed=name not in HEADLESS, in_order=name == "paired")


@pytest.mark.parametrize(
    "kind", ["csv", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("json", "jsonl"))]
)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_form_of_a_table_changes_nothing(layout: str, kind: str, tmp_path: Path) -> None:
    data = TEXTS[kind](LAYOUTS[layout]).encode()
    options = LAYOUTS[layout].options
    one = Mutant(0, layout, kind, {f"t{ENDINGS[kind]}": data}, options, ())
    same_figures(one, tmp_path, headed=True, in_order=layout in IN_ORDER)


def same_figures(one: Mutant, folder: Path, *, headed: bool, in_order: bool) -> None:
    plain = outcome(one, folder / "plain")
    assert not isinstance(plain, IaaError), plain
    for number, (said, variant) in enumerate(variants(one, headed=headed, in_order=in_order)):
        read = outcome(variant, folder / str(number))
        assert not isinstance(read, IaaError), f"{said}: {read}"
        assert dict(read.sizes) == dict(plain.sizes), said
        assert iaa.data.rated(read).sum() == iaa.data.rated(plain).sum(), said
        assert alpha_of(read) == pytest.approx(alpha_of(plain), abs=1e-12, nan_ok=True), said
