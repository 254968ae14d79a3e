"""What every row of the analyses promises: folders, commands, results and pages of one shape."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses import ANALYSES, Analysis, _folder_of, function_of, words_of
from iaa_jax.engine.compiled import TRACES
from iaa_jax.pages import Page, render
from iaa_jax.pages.content import RENDERERS
from iaa_jax.pages.records import record
from iaa_jax.wording import load_notes
from iaa_jax.wording.figures import Figure
from tests.analyses.marked import marked
from tests.taken import one_of
from tools.openings import counted

FAST: dict[str, Any] = {"replicates": 60}

OTHER: dict[str, Any] = {"seed": 0, "noise": 1.0}
"""What is added to the seeds of all data below, and by how much their labels differ."""


def labels(items: int = 24, annotators: int = 3, seed: int = 1) -> xr.Dataset:
    rng = np.random.default_rng(seed + OTHER["seed"])
    truth = rng.integers(0, 3, items)
    rows = np.where(
        rng.random((items, annotators)) < 1 - 0.3 * OTHER["noise"],
        truth[:, None],
        rng.integers(0, 3, (items, annotators)),
    )
    ratings = iaa.from_wide(np.array(list("xyz"))[rows])
    return ratings.assign_coords(batch=("item", np.repeat(["b1", "b2"], items // 2)))


def gaps() -> xr.Dataset:
    rng = np.random.default_rng(6 + OTHER["seed"])
    ratings = labels()
    gone = rng.random(ratings.primary.shape) < 0.3
    return ratings.assign(primary=ratings.primary.where(~gone, -1))


def half_rated() -> xr.Dataset:
    """Ratings of all items by one annotator, and of half of them by two others."""
    ratings = labels()
    if "annotator_of" in ratings:  # votes, which are refused
        return ratings
    lost = (np.arange(24) % 2 == 0)[:, None] & (np.arange(ratings.primary.shape[1]) > 0)
    return ratings.assign(primary=ratings.primary.where(~lost, -1))


def doubles() -> xr.Dataset:
    rng = np.random.default_rng(2 + OTHER["seed"])
    share = 0.4 * OTHER["noise"]
    rows = [
        (item, f"ann{who}", "xyz"[k], "xyz"[(k + 1) % 3] if rng.random() < share else None)
        for item, row in enumerate(rng.integers(0, 3, (20, 3)))
        for who, k in enumerate(row)
    ]
    names = ("item", "annotator", "label", "secondary")
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    return iaa.from_long(columns, secondary="secondary")


def rated_twice() -> xr.Dataset:
    rng = np.random.default_rng(5 + OTHER["seed"])
    first = [(k, who, str(rng.choice(list("xyz")))) for who in ("ann", "bob") for k in range(12)]
    again = [(k, who, x if rng.random() < 0.7 else "z") for k, who, x in first]
    columns = zip(*first, *again, strict=True)
    return iaa.from_long(
        dict(zip(("item", "annotator", "label"), columns, strict=True)), duplicates="apart"
    )


def label_sets() -> xr.Dataset:
    rng = np.random.default_rng(3 + OTHER["seed"])
    rows = [
        [["xyz"[k] for k in range(3) if rng.random() < 0.5] for _ in range(3)] for _ in range(20)
    ]
    return iaa.from_sets(rows)


def spans() -> xr.Dataset:
    rng = np.random.default_rng(4 + OTHER["seed"])
    return iaa.from_spans(
        {
            f"d{number}": {
                who: [
                    (place, place + int(rng.integers(2, 4)), str(rng.choice(["x", "y"])))
                    for place in range(0, 40, 10)
                    if rng.random() < 0.8
                ]
                for who in ("ann", "bob", "cleo")
            }
            for number in range(24)
        }
    )


def gold_labels() -> dict[Any, Any]:
    return dict.fromkeys(labels()["item"].values[:9].tolist(), labels()["label"].values[0])


EXAMPLES: dict[str, Callable[..., xr.Dataset]] = {
    "judge.against_gold": lambda f: f(labels(), gold_labels(), replicates=60),
    "judge.jury": lambda f: f(labels(), labels()["annotator"].values[:2].tolist(), replicates=60),
    "agreement": lambda f: f(labels(), ["fleiss_kappa", "conger_kappa"], **FAST),
    "agreement_by": lambda f: f(labels(), "batch", **FAST),
    "annotators": lambda f: f(labels(), **FAST),
    "bootstrap": lambda f: f(labels(), ["fleiss_kappa"], **FAST),
    "coefficients": lambda f: f(),
    "compare": lambda f: f(labels(), labels(seed=2), ["fleiss_kappa"], permutations=39, **FAST),
    "doubles.item_classes": lambda f: f(doubles()),
    "doubles.item_curves": lambda f: f(doubles()),
    "doubles.labels": lambda f: f(doubles()),
    "doubles.patterns": lambda f: f(doubles()),
    "drift": lambda f: f(labels(), by="batch", permutations=39, **FAST),
    "gamma": lambda f: f(marked(12, 1 + OTHER["seed"]), **FAST),
    "gold.spans": lambda f: f(spans(), "partial"),
    "span_f1.passages": lambda f: f(spans(), 3),
    "gold.methods": lambda f: f(labels(), ["majority", "wawa", "dawid_skene"]),
    "in_words": lambda f: f(iaa.agreement(labels(), ["fleiss_kappa"], **FAST)),
    "plan.looks": lambda f: f([0.5, 1.0]),
    "bootstrap.intervals": lambda f: f(iaa.bootstrap(labels(), ["fleiss_kappa"], **FAST)),
    "missing.inverse_probability": lambda f: f(gaps(), by="batch"),
    "judge": lambda f: f(
        labels(), labels()["annotator"].values[:1].tolist(), min_items=5, replicates=60
    ),
    "judged_scores": lambda f: f(half_rated(), "annotator 1"),
    "label_sets": lambda f: f(label_sets(), **FAST),
    "labels": lambda f: f(labels(), **FAST),
    "missing": lambda f: f(gaps(), points=2, imputations=3),
    "panels": lambda f: f(labels(), **FAST),
    "per_label": lambda f: f(labels(), **FAST),
    "plan": lambda f: f(labels(), half_width=0.1, simulations=0, replicates=60),
    "prodigy": lambda f: f(labels(), **FAST),
    "bootstrap.probability_above": lambda f: f(
        iaa.bootstrap(labels(), ["fleiss_kappa"], **FAST), [0.5]
    ),
    "annotators.repeats": lambda f: f(rated_twice(), **FAST),
    "sharpen": lambda f: f(labels(), **FAST),
    "span_f1": lambda f: f(spans(), **FAST),
    "sweep": lambda f: f(doubles(), p=3, **FAST),
    "zero_agreement": lambda f: f(labels(), ["fleiss_kappa"], permutations=39),
}
"""How to call a function; one of ratings alone needs nothing here."""

OF_SEVERAL: dict[str, Callable[..., dict[str, xr.Dataset]]] = {
    "agree": lambda f: f(labels(), by="batch", above=[0.5], zero=True, **FAST),
}
"""How to call the function that returns several results, by name."""


def by_batch(name: str) -> list[xr.Dataset]:
    return [made(name), iaa.agreement_by(labels(), "batch", "krippendorff_alpha", **FAST)]


def over_p() -> list[xr.Dataset]:
    curve = made("sweep")
    items = iaa.doubles.item_curves(doubles(), p=curve)
    others = [made(f"doubles.{name}") for name in ("item_classes", "patterns", "labels")]
    return [curve, items, *others]


TOGETHER: dict[str, Callable[[], list[xr.Dataset]]] = {
    "agree": lambda: [*called("agree", OF_SEVERAL).values()],
    "annotators": lambda: by_batch("annotators"),
    "compare": lambda: [
        iaa.compare(labels(), labels(seed=2), "fleiss_kappa", per_label=split, **FAST)
        for split in (False, True)
    ],
    "items": lambda: by_batch("items"),
    "judge": lambda: [made("judge"), made("judge.against_gold")],
    "label_sets": lambda: [iaa.per_label(label_sets(), **FAST), made("label_sets")],
    "labels": lambda: by_batch("labels"),
    "missing": lambda: [made("missing"), made("missing.inverse_probability")],
    "panels": lambda: [made("panels"), made("panels.what_if")],
    "span_f1": lambda: [
        made("span_f1"),
        iaa.span_f1.coefficients(spans(), **FAST),
        made("span_f1.passages"),
    ],
    "sweep": over_p,
}
"""Results that are one page, by the function of the first."""

OF_OTHERS = (
    "agree.questions",
    "bootstrap.of_result",
    "coefficients.bibtex",
    "methods",
    "span_f1.coefficients",
)
"""Functions whose results are made by others, and one that returns text."""

OPENED_ANEW = {
    "annotators.repeats": 1,  # second ratings beside the first ones
    "compare": 4,  # two sets, and both on the items that they share
}
"""Functions that make further ratings of theirs, which are checked as well: how many."""

FUNCTIONS = [
    "agreement",
    "agreement_by",
    *(name for row in ANALYSES for name in row.functions if name not in (*OF_SEVERAL, *OF_OTHERS)),
    *(f"{row.folder}.{name}" for row in ANALYSES for name in row.namespace),
]


def called(name: str, examples: Mapping[str, Callable[..., Any]]) -> Any:
    return examples.get(name, lambda f: f(labels()))(attrgetter(name)(iaa))


def made(name: str) -> xr.Dataset:
    result: xr.Dataset = called(name, EXAMPLES)
    return result


@pytest.fixture(scope="module", params=FUNCTIONS)
def result(request: pytest.FixtureRequest) -> tuple[str, xr.Dataset]:
    return request.param, made(request.param)


def test_a_result_says_what_it_is_and_what_it_comes_to(result: tuple[str, xr.Dataset]) -> None:
    name, dataset = result
    assert dataset.attrs["made_by"] == name
    assert dataset.attrs["conclusion"].isidentifier()
    assert dataset.attrs["iaa_jax_version"] == iaa.__version__
    assert isinstance(load_notes(dataset.attrs["notes"]), list)


def test_the_conclusions_are_documented(result: tuple[str, xr.Dataset]) -> None:
    name, dataset = result
    function: Any = iaa
    for part in name.split("."):
        function = getattr(function, part)
    module = inspect.getmodule(function)
    assert f'"{dataset.attrs["conclusion"]}"' in f"{function.__doc__}{module.__doc__}"


def test_every_figure_of_a_result_is_declared(result: tuple[str, xr.Dataset]) -> None:
    name, dataset = result
    folder = _folder_of(name)
    module = import_module(f"iaa_jax.analyses.{folder}.declared")
    of_module = [part for part in vars(module).values() if isinstance(part, tuple)]
    declared = {
        known
        for part in of_module
        for figure in part
        if isinstance(figure, Figure)
        for known in figure.names
    }
    for parts in (getattr(module, "IN_JSON", {}), *getattr(module, "IN_JSON_OF", {}).values()):
        declared |= {known for part in parts.values() for each in part for known in each.names}
    assert {str(variable) for variable in dataset.data_vars} <= declared


def test_a_file_can_hold_a_result(result: tuple[str, xr.Dataset], tmp_path: Path) -> None:
    _, dataset = result
    dataset.to_netcdf(tmp_path / "result.nc", engine="scipy")
    again = xr.load_dataset(tmp_path / "result.nc", engine="scipy")
    assert str(iaa.page(again)) == str(iaa.page(dataset))


def test_a_result_is_a_page_in_every_form(result: tuple[str, xr.Dataset]) -> None:
    _, dataset = result
    page = iaa.page(dataset)
    assert isinstance(page, Page)
    for form in RENDERERS:
        text = render(page, form)
        assert text.strip()
        assert not re.search(r"\{\w+[:}]", text) or form == "latex"  # a field without a value
    assert page.results
    written = record(page.results)
    json.dumps(written, allow_nan=False)
    for part in {"": dataset, **page.results}.values():
        for name, variable in part.data_vars.items():
            if not variable.dims and "" in page.results:
                assert not isinstance(written[str(name)], list | dict), name


@pytest.mark.parametrize("name", TOGETHER)
def test_several_results_are_one_page_in_whatever_order(name: str) -> None:
    given = TOGETHER[name]()
    page = iaa.page(*given)
    assert len(given) > 1
    assert len(page.results) == len(given)
    assert page.answer
    json.dumps(record(page.results), allow_nan=False)
    if name not in ("agree", "compare"):  # of which one function made several
        assert str(iaa.page(*reversed(given))) == str(page)
        assert [*page.results] == [*iaa.page(*reversed(given)).results]


@pytest.mark.parametrize("name", one_of(3, FUNCTIONS))
def test_ratings_are_checked_once_where_they_are_opened(name: str) -> None:
    with counted() as so_far:
        made(name)
        done = so_far()
    further = OPENED_ANEW.get(name, 0)
    assert done.openings <= 1 + (further if name == "annotators.repeats" else 0)
    assert done.checks <= 1 + further


@pytest.mark.parametrize("name", ["panels", "sharpen", "gold", "label_sets"])
def test_top_shortens_a_page(name: str) -> None:
    results = TOGETHER[name]() if name in TOGETHER else [made(name)]
    shown, whole = (str(iaa.page(*results, top=top)).splitlines() for top in (1, None))
    assert len(shown) < len(whole)


def test_an_option_that_changes_nothing_on_a_page_is_refused() -> None:
    for wrong in ({"top": 3}, {"sentence": True}):
        with pytest.raises(iaa.IaaError):
            iaa.page(made("plan"), **wrong)
    with pytest.raises(iaa.IaaError):
        iaa.page(made("panels"), top=0)


def test_what_is_no_page() -> None:
    for wrong in ({}, 5, [made("items")], {"a": 1}):
        with pytest.raises(iaa.IaaError):
            iaa.page(wrong)
    with pytest.raises(iaa.IaaError):
        iaa.page()
    for several in (("plan", "items"), ("plan", "plan"), ("panels", "panels", "panels.what_if")):
        with pytest.raises(iaa.IaaError, match="cannot be shown on one page: show each separately"):
            iaa.page(*map(made, several))


def test_a_page_is_no_wider_than_the_terminal(
    result: tuple[str, xr.Dataset], monkeypatch: pytest.MonkeyPatch
) -> None:
    for width in (50, 70):
        monkeypatch.setenv("COLUMNS", str(width))
        lines = str(iaa.page(result[1])).splitlines()
        assert max(map(len, lines)) <= width
        assert all(line == line.rstrip() for line in lines)
        assert not re.search(r"\b(nan|inf)\b", " ".join(lines))


@pytest.mark.parametrize("row", ANALYSES, ids=lambda row: row.folder)
def test_a_folder_has_the_same_files(row: Analysis) -> None:
    package = f"iaa_jax.analyses.{row.folder}"
    assert import_module(package).__doc__
    command = ["command"] if row.commands else []  # it may be an option of another's
    for part in (*{*row.functions.values(), *row.namespace.values()}, "words", *command):
        assert import_module(f"{package}.{part}").__doc__
    if find_spec(f"{package}.page") is not None:
        page = import_module(f"{package}.page")
        assert page.__doc__
        made_by = {name for names in page.PAGES for name in names}
        assert made_by <= {*FUNCTIONS, *row.commands}
    assert words_of(row.folder)
    for command in row.commands:
        function = getattr(import_module(f"{package}.command"), function_of(command))
        assert inspect.getdoc(function)
        written = {"output", "debug", *(["json"] if command != "convert" else [])}
        assert written <= set(inspect.signature(function).parameters)


@pytest.mark.parametrize("row", ANALYSES, ids=lambda row: row.folder)
def test_a_command_has_the_defaults_of_its_function(row: Analysis) -> None:
    for command in row.commands:
        commands = import_module(f"iaa_jax.analyses.{row.folder}.command")
        name = function_of(command)
        function = getattr(iaa, "agreement" if name == "agree" else name, None)
        if not inspect.isfunction(function):
            continue
        typed = inspect.signature(getattr(commands, name)).parameters
        called = inspect.signature(function).parameters
        for one in typed.keys() & called.keys():
            # None: the command decides by the data
            assert typed[one].default in (called[one].default, None), (command, one)


COMPILING = (
    *("agreement", "bootstrap.probability_above", "compare", "drift", "findings", "gold.methods"),
    *("influence", "judge.jury", "labels", "missing.inverse_probability", "panels"),
    *("panels.what_if", "plan", "sharpen", "span_f1", "sweep", "watch"),
)
"""Functions that between them have all programs; the others are slow tests."""


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(
    "name",
    [
        name if name in COMPILING else pytest.param(name, marks=pytest.mark.slow)
        for name in FUNCTIONS
    ],
)
def test_other_data_of_the_same_size_compile_nothing(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(name)
    before = dict(TRACES)
    monkeypatch.setitem(OTHER, "seed", 100)
    monkeypatch.setitem(OTHER, "noise", 0.3)  # so that fewer patterns occur
    made(name)
    assert dict(TRACES) == before
