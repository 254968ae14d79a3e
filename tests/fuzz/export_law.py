"""What holds for any export: each way to read it refuses it in a sentence, or says what it did."""

from __future__ import annotations

import inspect
from pathlib import Path

import pandas as pd
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError
from iaa_jax.data.duplicates import REPEATS
from iaa_jax.data.spans import check_spans
from tests.fuzz.law import Broken, check_message, check_reading, check_whole, ratings_in
from tests.fuzz.mutants import Mutant

Result = xr.Dataset | pd.DataFrame | IaaError


def export_outcome(mutant: Mutant, folder: Path) -> Result:
    """Read a mutant in all ways; what it became in the first that took it, or why none did."""
    paths = mutant.write(folder)
    results = {name: _read(name, paths, mutant) for name in ("read", "read_spans", "read_long")}
    ratings, spans, table = results.values()
    if isinstance(ratings, xr.Dataset):
        iaa.data.validate(ratings)
        _check_said(ratings.attrs)
        if ratings.attrs["layout"] in iaa.io.registry.TOOLS:
            _check_ratings(ratings, table)
        else:
            check_reading(ratings, mutant)
    if isinstance(spans, xr.Dataset):
        check_spans(spans)
        _check_said(spans.attrs)
        _check_spans(spans, table)
    if isinstance(table, pd.DataFrame):
        _check_said(table.attrs)
    taken = [result for result in results.values() if not isinstance(result, IaaError)]
    return taken[0] if taken else ratings


def _read(name: str, paths: list[Path], mutant: Mutant) -> Result:
    function = getattr(iaa, name)
    known = inspect.signature(function).parameters
    options = {key: value for key, value in mutant.options.items() if key in known}
    if name == "read_long" and options.get("duplicates", "keep") not in REPEATS:
        del options["duplicates"]
    try:
        result: Result = function(paths, **options)
    except IaaError as error:
        check_message(str(error))
        if "not enough memory" in str(error):
            raise Broken(error) from None
        return error
    check_whole(mutant)
    return result


def _check_said(attrs: dict[str, object]) -> None:
    if not attrs["read_as"]:
        msg = "nothing is said of how the file was read"
        raise Broken(msg)
    for text in (attrs["read_as"], attrs["skipped"], *str(attrs.get("notices", "")).splitlines()):
        if text:
            check_message(str(text))


def _check_ratings(ratings: xr.Dataset, table: Result) -> None:
    """Each rating has its row in the long table, and each answer there is a rating."""
    if not isinstance(table, pd.DataFrame) or "start" in table:
        return
    counts = table["status"].value_counts()
    rows = table[["item", "annotator"]]
    sets = ratings.attrs["task"] == "multi_label"
    expected = counts.get("answered", 0) + (counts.get("empty", 0) if sets else 0)
    if (
        rows.duplicated().any()
        or "(skipped)" in ratings["label"].values
        or table.attrs["sets"] != sets
    ):
        return  # of repeated ones the table may have more, and combined ones are sets
    found = ratings_in(ratings)
    if expected != found and "somebody skipped" not in ratings.attrs["skipped"]:
        msg = f"{expected} answers in the table, and {found} ratings"
        raise Broken(msg)


def _check_spans(spans: xr.Dataset, table: Result) -> None:
    """The long table has the same spans."""
    if not isinstance(table, pd.DataFrame) or "start" not in table or "judgement" in table:
        return
    expected, found = int(table["start"].notna().sum()), spans.sizes["span"]
    if expected != found and "somebody skipped" not in spans.attrs["skipped"]:
        msg = f"{expected} spans in the table, and {found} in the Dataset"
        raise Broken(msg)
