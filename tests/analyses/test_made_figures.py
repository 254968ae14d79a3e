"""A figure that is added to what an analysis declares is on its page, without another line."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses import _folder_of
from iaa_jax.pages import Page, render
from iaa_jax.pages.records import record
from iaa_jax.wording.figures import Figure
from tests.analyses.test_rows import (
    EXAMPLES,
    FUNCTIONS,
    TOGETHER as OF_ONE_PAGE,
    called,
    doubles,
    gaps,
    label_sets,
    labels,
    spans,
)
from tests.taken import one_of

FEW: dict[str, Any] = {"replicates": 60}

MERGED = [["x", "y"], ["y", "x"], ["x", "x"], ["y", "y"], ["z", "z"], ["z", "z"]] * 12

FURTHER = {
    "plan": lambda f: f(
        labels(), half_width=0.05, null=0.1, simulations=20, looks=[0.5, 1.0], cost_item=1.0, **FEW
    ),
    "gold": lambda f: f(labels(), "dawid_skene", restarts=2, leave_out=True, **FEW),
    "sweep": lambda f: f(doubles(), "specific_agreement", p=3, **FEW),
    "prodigy": lambda f: f(spans(), **FEW),
    "judge": lambda f: f(
        labels(40), labels()["annotator"].values[:1].tolist(), epsilon=[0.1, 0.3], **FEW
    ),
    "items": lambda f: f(spans()),
    "annotators": lambda f: f(spans(), **FEW),
    "labels": lambda f: f(spans(), **FEW),
    "labels.merges": lambda f: f(iaa.from_wide(MERGED), **FEW),
    "drift": lambda f: f(
        labels().assign_coords(day=("item", np.repeat(np.arange(4.0), 6))),
        by="day",
        permutations=39,
        **FEW,
    ),
    "label_sets": lambda f: f(label_sets(), **FEW),
    "missing": lambda f: f(gaps(), points=2, imputations=3),
}
"""Ratings and options with which tables stand on the page that are not always there."""

TOGETHER = [("group", "coefficient"), ("question", "coefficient"), ("items", "annotators")]
"""Two axes whose figures have a row for each of both."""

PREFIX = {"look": "look_"}
"""What stands before the names of figures along an axis."""


def has_page(name: str) -> bool:
    try:
        pages = import_module(f"iaa_jax.analyses.{_folder_of(name)}.page")
    except ModuleNotFoundError:
        return False
    return (name,) in pages.PAGES


def by_number(name: str) -> dict[str, xr.Dataset]:
    return dict(zip("abcde", OF_ONE_PAGE[name](), strict=False))


NOT_ASKED = ("span_f1.passages", "findings", "watch")
"""Functions whose example has tables in files, or figures of items in its record, alone."""

CASES = [
    *((name, EXAMPLES) for name in FUNCTIONS if has_page(name) and name not in NOT_ASKED),
    *((name, FURTHER) for name in FURTHER),
    *((name, {name: lambda _, name=name: by_number(name)}) for name in OF_ONE_PAGE),
]


WITHOUT = {
    "run": "shown where there are more than two answers, or they have names of their own",
    "annotator_2": "columns of a matrix, in an order of their own",
    "label_2": "likewise",
    "case": "items behind a heat map are folded in HTML, and else in files",
    "stretch": "two figures in each cell, a column an annotator",
    "start": "how well each start of a model did, for files",
    "agree": "the table of two annotators has a page of its own",
    "sweep": "classes and curves of items have pages of their own",
    "span_f1": "passages are shown as texts",
}
"""Axes that no table of a page has, or of further results of a page, and why."""


def declared_by(folder: str) -> Iterator[tuple[ModuleType, str, tuple[Figure, ...]]]:
    """Where modules of an analysis hold figures: alone, or in parts of a record."""
    for name, module in [*sys.modules.items()]:
        if name.startswith(f"iaa_jax.analyses.{folder}."):
            for key, value in [*vars(module).items()]:
                if isinstance(value, tuple) and value and isinstance(value[0], Figure):
                    yield module, key, value


def axes_of(result: xr.Dataset, declared: Collection[str]) -> Iterator[tuple[str, ...]]:
    """The axes that have tables: those of declared figures along one, or two together."""
    along = [variable.dims for name, variable in result.data_vars.items() if name in declared]
    for dims in dict.fromkeys(along):
        if (len(dims) == 1 or dims in TOGETHER) and not any(
            result.sizes[dim] == 0 or dim in WITHOUT for dim in dims
        ):
            yield tuple(map(str, dims))


def added(
    result: xr.Dataset, declared: Collection[str], start: int
) -> tuple[xr.Dataset, dict[str, Figure]]:
    """A result with a figure more along each axis, and what is declared of these, by variable."""
    figures = {}
    for number, dims in enumerate(axes_of(result, declared), start):
        name, prefix = f"made_up_{number}_", PREFIX.get(dims[0], "")
        shape = [result.sizes[dim] for dim in dims]
        values = np.full(shape, 10_000 * number)
        result = result.assign({f"{prefix}{name}": (dims, values)})
        figures[f"{prefix}{name}"] = Figure(name, "made up", "count", f"Made up {number}.")
    return result, figures


def declare(
    figures: Collection[Figure],
    folder: str,
    along: Collection[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Add figures to all that an analysis declares of figures along some axis."""
    for module, key, value in declared_by(folder):
        if {of for figure in value for of in (figure.name, f"look_{figure.name}")} & {*along}:
            monkeypatch.setattr(module, key, (*value, *figures))
    declared = import_module(f"iaa_jax.analyses.{folder}.declared")
    for part, value in declared.IN_JSON.items():
        monkeypatch.setitem(declared.IN_JSON, part, (*value, *figures))


@pytest.mark.parametrize(("name", "examples"), one_of(4, CASES))
def test_a_declared_figure_is_on_the_page_and_in_files(
    name: str, examples: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder, made = str(_folder_of(name)), called(name, examples)
    results = {"": made} if isinstance(made, xr.Dataset) else dict(made)
    iaa.page(made)  # loads the modules of the page
    known = {of for *_, value in declared_by(folder) for figure in value for of in figure.names}
    figures: dict[str, Figure] = {}
    for number, (key, result) in enumerate([*results.items()]):
        if name not in WITHOUT or not number:
            results[key], further = added(result, known, 100 * (number + 1))
            figures |= further
    along = {str(of) for each in results.values() for of, x in each.data_vars.items() if x.ndim}
    declare([*figures.values()], folder, along, monkeypatch)
    page: Page = iaa.page(results.get("", results))
    monkeypatch.setenv("COLUMNS", "400")
    terminal, html = str(page), render(page, "html")
    page.save(tmp_path)
    tables = "".join(each.read_text("utf-8") for each in tmp_path.glob("*.csv"))
    rows = json.dumps(record(page.results))
    assert figures or name in ("formats", "demo")
    for variable, figure in figures.items():
        for text in (terminal, html):
            assert figure.heading in text, figure
        assert f"{int(figure.name.split('_')[2]) * 10_000:,}" in terminal
        assert figure.name in tables
        assert variable in rows
