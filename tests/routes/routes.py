"""Routes from ratings to estimates, each as a function of ratings and coefficients.

Each returns, by coefficient, the estimate and, if the route has them, observed and expected
agreement, the standard error and the interval.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import xarray as xr

import iaa_jax as iaa
from iaa_jax.catalog import CATALOG, LEVELS
from iaa_jax.data.slots import in_grid, in_slots
from iaa_jax.measure.functions import coefficient_function
from tests.routes.kinds import Made


class Figure(NamedTuple):
    estimate: float
    observed: float = np.nan
    expected: float = np.nan
    error: float = np.nan
    low: float = np.nan
    high: float = np.nan


Figures = dict[str, Figure]
Route = Callable[[Made, Sequence[str], Path], Figures]

_PARTS = ("estimate", "observed", "expected", "standard_error", "ci_low", "ci_high")


def result_figures(result: xr.Dataset) -> Figures:
    """Return the numbers of each coefficient in a result."""
    return {
        str(name): Figure(*(float(result[part].sel(coefficient=name)) for part in _PARTS))
        for name in result.coefficient.values
    }


def result_figure(result: xr.Dataset) -> Figure:
    return Figure(*(float(result[part]) for part in _PARTS))


def at_once(made: Made, names: Sequence[str], folder: Path, **options: Any) -> Figures:
    return result_figures(iaa.agreement(made.ratings, names, **{**made.options, **options}))


def one_by_one(made: Made, names: Sequence[str], folder: Path, **options: Any) -> Figures:
    found = {}
    for name in names:
        found[name] = result_figure(public(name)(made.ratings, **own(name, made), **options))
    return found


def public(name: str) -> Callable[..., xr.Dataset]:
    """The function of a coefficient; of one that another function gives, that of its row."""
    return coefficient_function(name) if CATALOG[name].within else getattr(iaa, name)


def own(name: str, made: Made) -> dict[str, Any]:
    """The options that one coefficient takes: a level is the weights of those without levels."""
    row, given = CATALOG[name], dict(made.options)
    level = given.pop("level", None)
    if level is not None and row.levels:
        given["level"] = level
    elif level is not None and row.takes_weights and not row.measure.takes_values:
        given["weights"] = LEVELS[level].weights
    taken = inspect.signature(public(name)).parameters
    return {key: value for key, value in given.items() if key in taken}


def in_form(
    change: Callable[[Made, Path], xr.Dataset | None],
    made: Made,
    names: Sequence[str],
    folder: Path,
    **options: Any,
) -> Figures:
    """Evaluate all at once, for the ratings in another form; nothing if they have no such form."""
    ratings = change(made, folder)
    if ratings is None:
        return {}
    return result_figures(iaa.agreement(ratings, names, **{**made.options, **options}))


def by_group(axis: str, made: Made, names: Sequence[str], folder: Path, **options: Any) -> Figures:
    """One group that holds everything."""
    alone = made.ratings.attrs.get("anonymous") or made.ratings.attrs["task"] == "spans"
    if axis == "annotator" and alone:
        return {}
    whole = np.full(made.ratings.sizes[axis], "all")
    ratings = made.ratings.assign_coords(whole=(axis, whole))
    result = iaa.agreement_by(ratings, "whole", names, **{**made.options, **options})
    return result_figures(result.isel(group=0))


def compressed(made: Made, folder: Path) -> xr.Dataset | None:
    return iaa.data.compress(made.ratings)


def merged(made: Made, folder: Path) -> xr.Dataset | None:
    """Two halves, each compressed by itself, and added up."""
    halves = [made.ratings.isel(item=slice(start, None, 2)) for start in (0, 1)]
    return iaa.data.merge(*(iaa.data.compress(half) for half in halves))


def by_slot(made: Made, folder: Path) -> xr.Dataset | None:
    return None if made.ratings.attrs.get("anonymous") else in_slots(made.ratings)


def as_grid(made: Made, folder: Path) -> xr.Dataset | None:
    return in_grid(made.ratings)


def shuffled(made: Made, folder: Path) -> xr.Dataset | None:
    """Items and annotators in another order."""
    rng = np.random.default_rng(3)
    order = {"item": rng.permutation(made.ratings.sizes["item"])}
    if "slot" not in made.ratings.sizes and not made.ratings.attrs.get("anonymous"):
        order["annotator"] = rng.permutation(made.ratings.sizes["annotator"])
    return made.ratings.isel(order)


def anew(made: Made, folder: Path) -> xr.Dataset | None:
    """Row by row, rows in another order; a large table of label sets is held by its sets."""
    if made.ratings.attrs["task"] == "multi_label" and made.mass is not None:
        labels = made.ratings.label.values
        cells = [[None if np.isnan(c[0]) else labels[c > 0] for c in row] for row in made.mass]
        names = {"index": made.ratings.item.values, "columns": made.ratings.annotator.values}
        table = pd.DataFrame(cells, **names).sample(frac=1, random_state=2)
        return iaa.from_sets(table, labels=list(labels))
    if made.rows is None:
        return None
    rows = made.rows.sample(frac=1, random_state=2)
    labels = list(made.ratings.label.values)
    return iaa.from_long(rows, labels=labels)


def scanned(made: Made, folder: Path) -> xr.Dataset | None:
    """Three Parquet files, items divided between them."""
    if made.rows is None:
        return None
    rows = made.rows.sample(frac=1, random_state=2)
    for number in range(3):
        rows[number::3].to_parquet(folder / f"part{number}.parquet")
    labels = list(made.ratings.label.values)
    return iaa.scan(
        str(folder / "part*.parquet"),
        item="item",
        annotator="annotator",
        label="label",
        labels=labels,
    )


def partitioned(made: Made, folder: Path) -> xr.Dataset | None:
    if made.rows is None:
        return None
    import dask
    import dask.dataframe as dd

    with dask.config.set(scheduler="synchronous"):
        frame = dd.from_pandas(made.rows.sample(frac=1, random_state=2), npartitions=3)
        return iaa.from_dask(frame, labels=list(made.ratings.label.values))


ROUTES: Mapping[str, Route] = {
    "at once": at_once,
    "one by one": one_by_one,
    "group of items": partial(by_group, "item"),
    "group of annotators": partial(by_group, "annotator"),
    "compressed": partial(in_form, compressed),
    "merged": partial(in_form, merged),
    "shuffled": partial(in_form, shuffled),
    "made anew": partial(in_form, anew),
    "scanned": partial(in_form, scanned),
    "partitioned": partial(in_form, partitioned),
    "by slot": partial(in_form, by_slot),
    "as grid": partial(in_form, as_grid),
}
"""Routes that take the options of an interval."""
