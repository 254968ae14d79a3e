"""Of every study with intervals: an estimate lies in its own, and none is without width unsaid.

A sample of items on which nothing varies leaves open what other items say: an interval without
width claims that nothing is left open. It is allowed where a row, or a note, says why.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from tests.noted import notes_of
from tests.taken import one_of

FAST: dict[str, Any] = {"replicates": 80}
BY_DOCUMENT = iaa.Sampling(cluster="document")
PLAIN = [list("aaa"), list("bbb")]
TABLES: dict[str, list[list[str | None]]] = {
    "all agree": [*PLAIN * 6],
    "one item differs": [*PLAIN * 6, list("aab")],
    "one item of a label": [list("aaa")] * 11 + [list("bbb")],
    "one rating of a label": [list("aaa")] * 11 + [list("aab")],
    "one differs always": [list("aab"), list("bba")] * 6,
    "nobody agrees": [list("abc"), list("bca"), list("cab")] * 4,
    "all agree, with gaps": [["a", "a", None], ["b", None, "b"], [None, "a", "a"]] * 4,
    "many labels": [[label] * 3 for label in "abcdefghijkl" * 2] + [list("aba")],
    "three items": [list("aaa"), list("bbb"), list("aba")],
}


def made(rows: list[list[str | None]]) -> xr.Dataset:
    number = np.arange(len(rows))
    truth = [next(label for label in row if label) for row in rows]
    return iaa.from_wide(rows).assign_coords(
        truth=("item", np.array(truth, dtype=object)),
        batch=("item", number % 2),
        document=("item", number // 2),
        chance=("item", np.where(number % 3, 0.5, 1.0)),
    )


def sets(ratings: xr.Dataset) -> xr.Dataset:
    """The same labels as sets of one."""
    names = ratings.label.values
    rows = [[[names[code]] if code >= 0 else [] for code in row] for row in ratings.primary.values]
    return iaa.from_sets(rows, labels=names.tolist())


Study = Callable[[xr.Dataset], xr.Dataset]
STUDIES: dict[str, Study] = {
    "agreement": lambda r: iaa.agreement(r, **FAST),
    "agreement of documents": lambda r: iaa.agreement(r, sampling=BY_DOCUMENT, **FAST),
    "agreement_by": lambda r: iaa.agreement_by(r, "batch", **FAST),
    "per_label": lambda r: iaa.per_label(r, **FAST),
    "labels": lambda r: iaa.labels(r, **FAST),
    "label_sets": lambda r: iaa.label_sets(sets(r), **FAST),
    "annotators": lambda r: iaa.annotators(r, **FAST),
    "annotators of documents": lambda r: iaa.annotators(r, sampling=BY_DOCUMENT, **FAST),
    "gold": lambda r: iaa.gold(r, leave_out=False, **FAST),
    "gold by a model": lambda r: iaa.gold(r, "dawid_skene", leave_out=False, **FAST),
    "against gold": lambda r: iaa.judge.against_gold(r, "truth", **FAST),
    "against gold of documents": lambda r: iaa.judge.against_gold(
        r, "truth", sampling=BY_DOCUMENT, **FAST
    ),
    "against uncertain gold": lambda r: iaa.judge.against_gold(
        r, iaa.gold(r, "dawid_skene", interval=None, leave_out=False), **FAST
    ),
    "judge": lambda r: iaa.judge(r, "annotator 3", min_items=2, items=[], **FAST),
    "judge of documents": lambda r: iaa.judge(
        r, "annotator 3", min_items=2, items=[], sampling=BY_DOCUMENT, **FAST
    ),
    "judged scores": lambda r: iaa.judged_scores(r, "annotator 3"),
    "sharpen": lambda r: iaa.sharpen(r, **FAST),
    "missing": lambda r: iaa.missing(r, points=1, imputations=3),
    "weighted": lambda r: iaa.missing.inverse_probability(r, probability="chance"),
    "panels": lambda r: iaa.panels(r, **FAST),
    "panels of documents": lambda r: iaa.panels(r, sampling=BY_DOCUMENT, **FAST),
    "drift": lambda r: iaa.drift(r, "batch", permutations=0, **FAST),
    "compare": lambda r: iaa.compare(r, r.isel(item=slice(None, None, -1)), **FAST),
}
PLACES = {
    "ci_low": ("estimate", "difference"),
    "coefficient_ci_low": ("coefficient_estimate",),
    "band_ci_low": ("band_share",),
}
"""Where the figure of an end stands that has no name of its own."""


SLOW = ("panels of documents",)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name
        for name in one_of(3, STUDIES)
    ],
)
def test_an_estimate_lies_in_an_interval_with_width(name: str) -> None:
    seen = 0
    for table, rows in TABLES.items():
        try:
            result = STUDIES[name](made(rows))
        except iaa.IaaError:  # too little for this study: it says so
            continue
        for low_name in map(str, result.data_vars):
            if not low_name.endswith("ci_low"):
                continue
            stems = PLACES.get(low_name, (low_name.removesuffix("_ci_low"),))
            stem = next(each for each in stems if each in result)
            low, high = result[low_name], result[low_name.replace("low", "high")]
            figure, low, high = xr.broadcast(result[stem], low, high)
            known = np.isfinite(low)
            seen += int(known.sum())
            where = f"{table}: {stem} of {name}"
            assert bool(((figure >= low - 1e-9) | ~known).all()), where
            assert bool(((figure <= high + 1e-9) | ~known).all()), where
            still = known & (high - low < 1e-9)
            assert bool((~still | says_why(result, name, stem, figure)).all()), where
    assert seen


def says_why(result: xr.Dataset, name: str, stem: str, figure: xr.DataArray) -> xr.DataArray:
    """Where something says why an interval has no width."""
    said = xr.zeros_like(figure, dtype=bool)
    if "doubt" in result and stem == "estimate":
        return said | (result["doubt"] == "no_width")
    if name == "sharpen":
        return said | bool(notes_of(result, "weights_still"))
    if stem == "least_epsilon":  # 1 where no epsilon lets the judge pass, by however much
        return figure == 1
    return said
