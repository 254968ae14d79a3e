"""One seed, one figure: nothing else is drawn in another order of items, annotators and labels.

Nor by slot, nor where annotators have other names.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import Sampling, _thresholds
from iaa_jax.engine import shuffled_patterns
from tests.taken import one_of

ITEMS = 60
NAMES = ["ann", "ben", "cy", "dee"]
R: dict[str, Any] = {"replicates": 40}
P: dict[str, Any] = {"permutations": 40}

Study = Callable[[xr.Dataset], "xr.Dataset | dict[str, Any]"]


def cells_of(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Codes of labels (item, annotator), and where there is a gap."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, (ITEMS, 1))
    codes = np.where(rng.random((ITEMS, 4)) < 0.55, truth, rng.integers(0, 3, (ITEMS, 4)))
    return codes, rng.random((ITEMS, 4)) < 0.12


CODES, GAPS = cells_of(5)


def table(cells: np.ndarray, items: np.ndarray, who: np.ndarray) -> pd.DataFrame:
    rows = [f"i{k:02}" for k in items]
    return pd.DataFrame(cells[items][:, who], index=rows, columns=[NAMES[k] for k in who])


def with_time(ratings: xr.Dataset) -> xr.Dataset:
    time = [float(str(name)[1:]) for name in ratings.item.values]
    text = [f"t{int(k) // 3}" for k in time]
    return ratings.assign_coords(time=("item", time), text=("item", text))


def labels(items: np.ndarray, who: np.ndarray, order: list[str]) -> xr.Dataset:
    cells = np.array(list("abc"), dtype=object)[CODES]
    cells[GAPS] = None
    return with_time(iaa.from_wide(table(cells, items, who), labels=order))


def numbers(items: np.ndarray, who: np.ndarray, _: list[str]) -> xr.Dataset:
    cells = np.where(GAPS, np.nan, CODES + np.arange(ITEMS)[:, None] % 2 / 4)
    return with_time(iaa.from_values(table(cells, items, who)))


def tied(items: np.ndarray, who: np.ndarray, order: list[str]) -> xr.Dataset:
    """Nine labels as frequent as one another: more patterns than a prior has pseudo-items."""
    cells = (np.arange(27)[:, None] + np.arange(27)[:, None] // 9 * (np.arange(3) % 2)) % 9
    names = np.array(["a", "b", "c", *"defghi"], dtype=object)[cells]
    items, who = items[items < 27], who[who < 3]
    return iaa.from_wide(table(names, items, who), labels=[*order, *"ihgfed"])


def sets(items: np.ndarray, who: np.ndarray, order: list[str]) -> xr.Dataset:
    cells = np.full(CODES.shape, None)
    for (item, place), code in np.ndenumerate(CODES):
        if not GAPS[item, place]:
            cells[item, place] = sorted({"abc"[code], "abc"[(code * (item % 2) + place) % 3]})
    return with_time(iaa.from_sets(table(cells, items, who), labels=order))


def doubles(items: np.ndarray, who: np.ndarray, order: list[str]) -> xr.Dataset:
    """Every third rating names a second label."""
    rows = [
        (f"i{k:02}", NAMES[a], "abc"[code], "abc"[(code + 1) % 3] if (k + a) % 3 == 0 else None)
        for k in items
        for a in who
        if not GAPS[k, a]
        for code in [CODES[k, a]]
    ]
    columns = ["item", "annotator", "label", "secondary"]
    return iaa.from_long(pd.DataFrame(rows, columns=columns), secondary="secondary", labels=order)


def counts(items: np.ndarray, _: np.ndarray, order: list[str]) -> xr.Dataset:
    """These know no annotators: all ratings change places."""
    table = (CODES[items, :, None] == ["abc".index(name) for name in order]).sum(axis=1)
    return iaa.from_counts(table, labels=order)


def between(annotators: tuple[str, ...], ratings: xr.Dataset) -> xr.Dataset:
    return iaa.data.keep_annotators(ratings, annotators)


def compared(ratings: xr.Dataset) -> xr.Dataset:
    a, b = between(("ann", "ben"), ratings), between(("cy", "dee"), ratings)
    return iaa.compare(a, b, **R, **P)


def over_annotators(ratings: xr.Dataset) -> xr.Dataset:
    both = Sampling(annotators="random")
    return iaa.agreement(ratings, sampling=both, interval="percentile", **R)


def over_clusters(ratings: xr.Dataset) -> xr.Dataset:
    return iaa.agreement(ratings, sampling=Sampling(cluster="text"), interval="percentile", **R)


def over_documents(ratings: xr.Dataset) -> xr.Dataset:
    return iaa.drift(ratings, by="time", sampling=Sampling(cluster="text"), **R, **P)


def panels_by_size(ratings: xr.Dataset) -> xr.Dataset:
    """Without the list of all panels, which stands in the order of annotators."""
    return iaa.panels(ratings, **R).drop_dims("panel")


def by_posterior(ratings: xr.Dataset) -> dict[str, Any]:
    names = ["krippendorff_alpha", "percent_agreement", "gwet_ac1", "fleiss_kappa"]
    found = iaa.agreement(ratings, names, **R)
    assert set(found.interval.values.tolist()) == {"empirical_bayes"}
    return {"all": found, "of each label": iaa.specific_agreement(ratings, **R)}


ZERO = partial(iaa.zero_agreement, null="permutation", **P)


def zero_otherwise(ratings: xr.Dataset) -> dict[str, Any]:
    """By random tables, item by item on counted patterns, and on ratings themselves."""
    found = {}
    for where, name, size in (
        (shuffled_patterns, "TABLE_NUMBER", 0),
        (shuffled_patterns, "TABLE_NUMBER", 10**9),
        (_thresholds, "SHUFFLED_PATTERNS", 0),
    ):
        with pytest.MonkeyPatch.context() as low:
            low.setattr(where, name, size)
            found[f"{name} {size}"] = ZERO(ratings)
    return found


STUDIES: list[tuple[Callable[..., xr.Dataset], Study, set[str]]] = [
    *product((labels, numbers, sets), (ZERO, compared, over_annotators, over_clusters), [set()]),
    (labels, zero_otherwise, set()),
    (counts, ZERO, set()),
    *product((labels, numbers), (partial(iaa.missing, imputations=4),), [set()]),
    *product((labels, numbers), (partial(iaa.drift, by="time", **R, **P),), [set()]),
    *product((labels, tied), (by_posterior,), [set()]),
    (labels, partial(iaa.annotators, **R), set()),
    (labels, over_documents, set()),
    (labels, partial(iaa.influence, coefficient="conger_kappa"), set()),
    (labels, partial(iaa.judge, judges="dee", **R), set()),
    # what independent judges would come to is drawn label by label
    (labels, partial(iaa.judge.jury, judges=["cy", "dee"], **R), {"independent"}),
    (labels, partial(iaa.judged_scores, judges="dee"), set()),
    (labels, panels_by_size, set()),
    (labels, partial(iaa.sharpen, **R), set()),
    (labels, partial(iaa.gold, method="dawid_skene", **R), {"gold_code"}),
    # who is right where labels tie is the first in their order
    (labels, partial(iaa.panels.what_if, draws=3), {"with_expert", "position"}),
    (numbers, partial(iaa.panels.what_if, draws=3), set()),
    (numbers, partial(iaa.plan, half_width=0.1), set()),
    *product((labels, sets), (partial(iaa.variance),), [set()]),
    (sets, partial(iaa.am_agreement, **R), set()),
    (doubles, partial(iaa.sweep, p=4, **R), set()),
]

WITHOUT_SLOTS = (iaa.missing, iaa.panels.what_if, zero_otherwise)
"""What refuses a crowd, where annotators might not all have rated all items, and other draws."""


def differing(one: Any, other: Any) -> list[str]:
    """Figures of two results that differ, each along the names of the first."""
    if isinstance(one, dict):
        return [f"{k}: {name}" for k in one for name in differing(one[k], other[k])]
    for dim in set(one.dims) & set(one.coords):
        place = {str(name): k for k, name in enumerate(other[dim].values.tolist())}
        if place.keys() == {str(name) for name in one[dim].values.tolist()}:
            other = other.isel({dim: [place[str(name)] for name in one[dim].values.tolist()]})
    same = {"rtol": 1e-7, "atol": 1e-6, "equal_nan": True}
    numeric = [name for name in one.data_vars if one[name].dtype.kind in "fiub"]
    return [
        str(name)
        for name in numeric
        if not np.allclose(one[name].astype(float), other[name].astype(float), **same)
    ]


def named(case: object) -> str:
    return str(getattr(getattr(case, "func", case), "__name__", ""))


@pytest.mark.parametrize(("made", "study", "but"), one_of(2, STUDIES), ids=named)
def test_one_seed_draws_the_same_whatever_order(
    made: Callable[..., xr.Dataset], study: Study, but: set[str]
) -> None:
    rng = np.random.default_rng(1)
    items, who, order = np.arange(ITEMS), np.arange(4), ["a", "b", "c"]
    ratings = made(items, who, order)
    others = {
        "items": made(rng.permutation(ITEMS), who, order),
        "annotators": made(items, np.array([2, 0, 3, 1]), order),
        "labels": made(items, who, ["c", "a", "b"]),
    }
    if getattr(study, "func", study) not in WITHOUT_SLOTS:
        others["slots"] = iaa.data.in_slots(ratings)
    found = study(ratings)
    for what, other in others.items():
        spared = but if what == "labels" else set()
        assert not set(differing(found, study(other))) - spared, what
