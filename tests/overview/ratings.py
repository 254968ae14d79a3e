"""Ratings of every kind that a report can be of."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import xarray as xr

import iaa_jax as iaa
from iaa_jax.pages import Page

WHO = ("ann", "ben", "eve")


def single(hostile: tuple[str, ...] = ()) -> xr.Dataset:
    rows = [["a", "a", "b"]] * 9 + [["b", "b", "b"]] * 7 + [["c", "a", "c"]] * 5
    names = dict(zip("abc", hostile[:3], strict=False)) if hostile else {}
    table = pd.DataFrame([[names.get(cell, cell) for cell in row] for row in rows])
    table.columns = list(hostile[3:6] or WHO)
    ratings = iaa.from_wide(table)
    texts = [f"private text {k}" for k in range(len(rows))]
    return ratings.assign_coords(
        text=("item", [*hostile, *texts][: len(rows)]), batch=("item", np.arange(len(rows)) // 7)
    )


def numbers() -> xr.Dataset:
    chance = np.random.default_rng(3)
    truth = chance.normal(50, 10, (30, 1))
    return iaa.from_values(truth + chance.normal(0, 4, (30, 3)))


def sets() -> xr.Dataset:
    return iaa.from_sets(
        [[["x"], ["x", "y"], []], [["y"], ["y"], ["x"]], [["z"], ["z"], ["z"]]] * 6
    )


def second() -> xr.Dataset:
    lines = [
        (item, who, label, second)
        for item in range(24)
        for who, label, second in zip(
            WHO, ("xyz"[item % 3], "xyz"[item % 3], "xyz"[item % 2]), ("y", "", "z"), strict=True
        )
    ]
    frame = pd.DataFrame(lines, columns=["item", "annotator", "label", "second"])
    frame["second"] = frame["second"].where(frame["second"] != frame["label"], "")
    return iaa.from_long(frame, secondary="second")


def spans() -> xr.Dataset:
    documents = {
        f"d{k}": {who: [(0, 4, "x"), (6, 8 + (k + len(who)) % 2, "y")] for who in ("ann", "benn")}
        for k in range(12)
    }
    return iaa.from_spans(documents, lengths=dict.fromkeys(documents, 12))


KINDS = {"single": single, "numbers": numbers, "sets": sets, "second": second, "spans": spans}


QUICK = {"interval": "normal", "replicates": 60}


@cache
def report_of(kind: str) -> Page:
    """The report of a kind of ratings, made once."""
    return iaa.report(KINDS[kind](), **QUICK)
