"""Several votes of an annotator on an item: only what is declared to take them does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError
from iaa_jax.catalog import CATALOG
from iaa_jax.catalog.labelling import METHODS
from iaa_jax.data.duplicates import DUPLICATES
from iaa_jax.data.long_rows import long_rows
from tests.analyses import test_rows
from tests.analyses.test_rows import FUNCTIONS, made

OF_VOTES = {"gold", "gold.methods"}
"""What takes them."""

OF_NO_RATINGS = {"coefficients", "plan.looks", "gamma", "gold.spans", "span_f1", "span_f1.passages"}
"""What is not about ratings of items."""


def with_votes(ratings: xr.Dataset, folder: Path) -> xr.Dataset:
    """The same ratings with some given again."""
    rows = long_rows(ratings.drop_vars("batch", errors="ignore"))
    again = pd.concat([rows, rows.iloc[::5], rows.iloc[:2]])
    path = folder / "votes.csv"
    again.to_csv(path, index=False)
    second = {"secondary": "secondary"} if "secondary" in again else {}
    read = iaa.read(path, duplicates="votes", item="item", label="label", **second)
    if "batch" in ratings.coords:
        read = read.assign_coords(batch=ratings["batch"])
    assert read.attrs["task"] == ratings.attrs["task"]
    assert read.attrs["repeated"] == 1
    return read


@pytest.fixture
def of_votes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """All examples with votes for ratings."""
    for name in ("labels", "gaps", "doubles", "label_sets", "rated_twice"):
        usual = getattr(test_rows, name)

        def changed(*given: Any, usual: Any = usual, **named: Any) -> xr.Dataset:
            return with_votes(usual(*given, **named), tmp_path)

        monkeypatch.setattr(test_rows, name, changed)


@pytest.mark.usefixtures("of_votes")
@pytest.mark.parametrize("name", sorted({*FUNCTIONS} - OF_NO_RATINGS))
def test_referee_spans_2_agreement_refuses_votes_in_every_function(name: str) -> None:
    if name in OF_VOTES:
        assert made(name).attrs["made_by"] == name
        return
    with pytest.raises(IaaError, match="several votes of an annotator on an item") as refused:
        made(name)
    message = str(refused.value)
    assert all(f"duplicates={choice!r}" in message for choice in DUPLICATES)


@pytest.mark.parametrize("name", [n for n, row in CATALOG.items() if not row.measure.compares])
def test_no_coefficient_takes_votes_of_one_for_agreement(name: str, tmp_path: Path) -> None:
    ratings = with_votes(test_rows.labels(annotators=2), tmp_path)
    with pytest.raises(IaaError, match="several votes of an annotator on an item"):
        getattr(iaa, name)(ratings)


@pytest.mark.parametrize("name", METHODS)
def test_methods_take_votes_as_their_rows_declare(name: str, tmp_path: Path) -> None:
    ratings = with_votes(test_rows.labels(), tmp_path)
    if METHODS[name].votes:
        found = iaa.gold(ratings, name, interval=None)
        assert found["votes"].sum() == iaa.summary(ratings).ratings
        return
    with pytest.raises(IaaError, match="several votes of an annotator on an item") as refused:
        iaa.gold(ratings, name)
    message = str(refused.value)
    assert all(f"duplicates={choice!r}" in message for choice in DUPLICATES)
    assert "method='dawid_skene'" in message


def test_methods_that_compare_annotators_are_left_out_of_a_comparison(tmp_path: Path) -> None:
    ratings = with_votes(test_rows.labels(), tmp_path)
    found = iaa.gold.methods(ratings)
    assert found["method"].values.tolist() == [name for name, row in METHODS.items() if row.votes]
    assert '"methods_left_out"' in found.attrs["notes"]


def test_what_was_drawn_of_votes_and_repeats_nothing_is_measured(tmp_path: Path) -> None:
    ratings = with_votes(test_rows.labels(), tmp_path)
    again = np.asarray(iaa.data.rated(ratings)).sum(axis=1) > 3
    once = ratings.isel(item=~again)
    assert once.attrs["repeated"] == 1
    plain = test_rows.labels().isel(item=~again)
    found, wanted = (iaa.krippendorff_alpha(each, interval=None) for each in (once, plain))
    assert found.estimate.item() == pytest.approx(wanted.estimate.item())
