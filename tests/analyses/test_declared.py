"""What analyses declare of their figures is what their results have."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, get_args

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses import ANALYSES
from iaa_jax.analyses.agree import declared as agree
from iaa_jax.analyses.coefficients import declared as coefficients
from iaa_jax.analyses.compare.declared import ALL
from iaa_jax.analyses.diagnose import declared as diagnose
from iaa_jax.analyses.doubles import declared as doubles
from iaa_jax.analyses.drift import declared as drift
from iaa_jax.analyses.gold import declared as gold
from iaa_jax.analyses.judge import declared as judge
from iaa_jax.analyses.label_sets import declared as label_sets
from iaa_jax.analyses.missing import declared as missing
from iaa_jax.analyses.panels import declared as panels
from iaa_jax.analyses.plan import declared as plan
from iaa_jax.analyses.prodigy import declared as prodigy
from iaa_jax.analyses.sharpen import declared as sharpen
from iaa_jax.analyses.spans import declared as spans
from iaa_jax.measure.figures import FIGURES
from iaa_jax.pages.records import record
from iaa_jax.wording.figures import Figure, Kind, by_name
from tests.analyses.doubles.made import made

FAST = {"replicates": 60, "permutations": 39}
DECLARED = [
    name
    for row in ANALYSES
    if find_spec(name := f"iaa_jax.analyses.{row.folder}.declared") is not None
]


@pytest.mark.parametrize("name", DECLARED)
def test_meanings_are_parts_of_sentences(name: str) -> None:
    declared = import_module(name)
    parts = [declared.IN_JSON, *getattr(declared, "IN_JSON_OF", {}).values()]
    for figures in (figures for part in parts for figures in part.values()):
        assert len(by_name(figures)) == len(figures)
        for figure in figures:
            assert isinstance(figure, Figure)
            assert figure.meaning
            assert not figure.meaning.endswith(".")
            assert figure.kind in get_args(Kind)


def own_names(result: xr.Dataset) -> set[str]:
    return {str(name) for name in result.data_vars}


def declared_of(*parts: str) -> set[str]:
    """The variables of parts of the tables of items, annotators and labels."""
    return set().union(*(known(diagnose.IN_JSON[part]) for part in parts))


def test_tables_have_the_figures_that_they_declare() -> None:
    chance = np.random.default_rng(2)
    numbers = chance.integers(4, size=(20, 3)).astype(float)
    marked = {
        f"d{k}": {
            who: [(0, 4, "x"), (6, 8 + k % 2, "xy"[who != "ann"])] for who in ("ann", "bob", "cleo")
        }
        for k in range(12)
    }
    controls = [[1] * 12] * 4
    uneven = [[*numbers[k, :2].tolist(), *[None] * 10] for k in range(20)]
    kinds = [iaa.from_wide(numbers), iaa.from_wide([*controls, *uneven]), iaa.from_values(numbers)]
    kinds.append(iaa.from_spans(marked))
    had = set().union(*(own_names(iaa.items(ratings)) for ratings in kinds))
    assert had == declared_of("items", "bins")
    of_annotators = set().union(*(own_names(iaa.annotators(ratings)) for ratings in kinds))
    of_annotators |= own_names(iaa.annotators(kinds[0], level="interval"))
    of_labels = own_names(iaa.labels(kinds[0])) | own_names(iaa.labels(kinds[-1]))
    cases = {name for name in of_annotators | of_labels if name.startswith("case_")}
    assert cases == declared_of("cases")
    assert of_annotators - cases == declared_of("annotators", "annotator_order")
    assert of_labels - cases == declared_of("labels", "label_order", "pairs")


def test_sharpening_has_the_figures_that_it_declares() -> None:
    chance = np.random.default_rng(3)
    result = iaa.sharpen(iaa.from_wide(chance.integers(3, size=(30, 4))), replicates=60)
    declared = tuple(figure for figures in sharpen.IN_JSON.values() for figure in figures)
    assert own_names(result) == known(declared)
    told = record(iaa.page(result).results)
    assert told["iterations"] == int(result.iterations)
    assert len(told["trace"]) == int(result.iterations) + 1


def test_gold_labels_have_the_figures_that_they_declare() -> None:
    chance = np.random.default_rng(4)
    truth = chance.integers(2, size=(40, 1))
    rows = np.where(chance.random((40, 4)) < 0.7, truth, chance.integers(2, size=(40, 4)))
    controls = np.where(np.arange(40) < 6, truth[:, 0].astype(str), "")
    ratings = iaa.from_wide(rows).assign_coords(known=("item", controls))
    few = {"replicates": 40, "leave_out": True, "control": "known"}
    results = [
        iaa.gold(ratings, "dawid_skene", restarts=2, **few),
        iaa.gold(ratings, "glad", **few),
        iaa.gold(iaa.from_sets([[["x"], ["x", "y"], []], [["y"], ["y"], ["x"]]] * 6)),
    ]
    declared = known(tuple(figure for part in gold.IN_JSON.values() for figure in part))
    assert set().union(*map(own_names, results)) == declared


def test_panels_and_gaps_have_the_figures_that_they_declare() -> None:
    chance = np.random.default_rng(5)
    rows = chance.integers(3, size=(40, 4)).astype(float)
    rows[chance.random(rows.shape) < 0.2] = np.nan
    ratings = iaa.from_wide(rows).assign_coords(kind=("item", np.arange(40) % 2))
    assert own_names(iaa.panels(ratings, replicates=60)) == known(
        (*panels.PANELS, *panels.SIZES, *panels.ANNOTATORS, *panels.SCALARS)
    )
    replaced = own_names(iaa.panels.what_if(ratings, draws=5))
    assert replaced == known(panels.REPLACED) | {"estimate"}
    filled = iaa.missing(ratings, points=2, imputations=3)
    assert own_names(filled) == known((*missing.CURVE, *missing.SCALARS))
    weighted = iaa.missing.inverse_probability(ratings, by="kind")
    assert own_names(weighted) == known((*missing.WEIGHTED, *missing.GROUPS))


def test_coefficients_have_the_figures_that_they_declare() -> None:
    chance = np.random.default_rng(6)
    ratings = iaa.from_wide(chance.integers(3, size=(30, 3))).assign_coords(
        half=("item", np.arange(30) % 2)
    )
    few = {"replicates": 60, "by": "half", "level": "nominal"}
    results = iaa.agree(ratings, scale="landis_koch", above=[0.5], zero=True, **few)
    assert own_names(results["coefficients"]) == known(agree.IN_JSON["coefficients"])
    by_half = own_names(results["by"])
    assert by_half == known(agree.IN_JSON["by"])
    assert own_names(iaa.agreement(ratings, replicates=60)) == known(FIGURES)


def test_judges_and_drift_have_the_figures_that_they_declare() -> None:
    chance = np.random.default_rng(7)
    truth = chance.integers(2, size=(60, 1))
    rows = np.where(chance.random((60, 4)) < 0.8, truth, chance.integers(2, size=(60, 4)))
    ratings = iaa.from_wide(rows).assign_coords(batch=("item", np.arange(60) // 12))
    name = str(ratings["annotator"].values[0])
    judged = iaa.judge(ratings, [name], min_items=5, items=[30], replicates=60)
    assert own_names(judged) == known(judge.IN_JSON["judges"] + judge.IN_JSON["persons"])
    right = dict(zip(ratings["item"].values.tolist(), truth[:, 0].tolist(), strict=True))
    compared = iaa.judge.against_gold(ratings, right, replicates=60)
    assert own_names(compared) == known(judge.AGAINST_GOLD)
    jury = iaa.judge.jury(ratings, ratings["annotator"].values[:2].tolist(), replicates=60)
    of_jury = judge.IN_JSON_OF["iaa judge --jury"].values()
    assert own_names(jury) == known(tuple(figure for part in of_jury for figure in part))
    drifted = own_names(iaa.drift(ratings, by="batch", **FAST))
    assert drifted == known(tuple(each for part in drift.IN_JSON.values() for each in part))


def test_sets_and_spans_have_the_figures_that_they_declare() -> None:
    rows = [[["x"], ["x", "y"], []], [["y"], ["y"], ["x", "z"]], [["x", "y"], ["y"], ["x"]]]
    sets = iaa.from_sets(rows * 8)
    parts = [part for name, part in label_sets.IN_JSON.items() if name != "labels"]
    of_sets = tuple(figure for part in parts for figure in part)
    assert own_names(iaa.label_sets(sets, replicates=60)) == known(of_sets)
    by_label = own_names(iaa.per_label(sets, replicates=60))
    assert by_label == known((*label_sets.COEFFICIENTS, *label_sets.LABELS))
    marked = iaa.from_spans(
        {
            f"d{k}": {
                who: [(0, 4, "x"), (6, 8 + k % 2, "y"), (10, 12, "x")][:most]
                for who, most in (("ann", 3), ("bob", 2), ("cleo", 1))
            }
            for k in range(12)
        }
    )
    result = iaa.span_f1(marked, replicates=60)
    given = own_names(result) | own_names(iaa.span_f1.passages(marked))
    assert given == known(tuple(x for part in spans.IN_JSON.values() for x in part))
    assert (result.n_a > result.n_b).all()  # so that what is swapped is seen
    assert (result.n_a - result.tp == result.fp).all()
    assert (result.n_b - result.tp == result.fn).all()


def keys_at(part: str, told: Any) -> set[str]:
    """The keys of the rows of a part of a JSON record, or of its single figures."""
    for name in filter(None, part.split(".")):
        told = told.get(name, {})
    if isinstance(told, dict) and not all(isinstance(row, dict) for row in told.values()):
        told = [{name for name, value in told.items() if not isinstance(value, (dict, list))}]
    return set().union(*(told.values() if isinstance(told, dict) else told))


def holds(
    declared: Mapping[str, tuple[Figure, ...]], *several: xr.Dataset | Mapping[str, xr.Dataset]
) -> None:
    """Parts of JSON records have the figures that are declared of them, and no others."""
    by_name = [{"": each} if isinstance(each, xr.Dataset) else each for each in several]
    told = [record(results) for results in by_name]
    variables = {
        name for results in by_name for result in results.values() for name in own_names(result)
    }
    found = {part: set().union(*(keys_at(part, one) for one in told)) for part in declared}
    for part, figures in declared.items():
        assert found[part] & variables == known(figures), part
    assert variables <= set().union(*found.values())


def test_plans_have_the_figures_that_they_declare() -> None:
    chance = np.random.default_rng(8)
    truth = chance.integers(2, size=(60, 1))
    rows = np.where(chance.random((60, 3)) < 0.8, truth, 1 - truth)
    pilot = iaa.from_wide(rows).assign_coords(document=("item", np.arange(60) // 3))
    few = {"half_width": 0.1, "null": 0.2, "replicates": 40}
    drawn = iaa.Sampling(cluster="document", annotators="random")
    simulated = iaa.plan(pilot, looks=2, simulations=20, **few)
    holds(plan.OF_PLAN, simulated, iaa.plan(pilot, sampling=drawn, **few))
    holds(plan.OF_VARIANCE, iaa.variance(pilot))
    assert own_names(iaa.plan.looks(2, items=90)) == known(plan.LOOKS)
    assert own_names(iaa.plan.looks(2)) < known(plan.LOOKS)


def test_secondary_labels_have_the_figures_that_they_declare() -> None:
    ratings = made()
    curve = iaa.sweep(ratings, p=3, replicates=60)
    of = iaa.doubles
    beside = of.item_classes, of.item_curves, of.patterns, of.labels
    several = [curve, *(function(ratings) for function in beside)]
    by_label = {"curve": iaa.sweep(ratings, "specific_agreement", p=3, replicates=60)}
    holds(doubles.IN_JSON, iaa.page(*several).results, by_label)


def test_prodigy_has_the_figures_that_it_declares() -> None:
    chance = np.random.default_rng(9)
    ratings = iaa.from_wide(chance.integers(2, size=(20, 3)))
    sets = iaa.from_sets([[["x"], ["x", "y"]], [["y"], ["x", "y"]], [["x"], []]] * 6)
    marked = {
        f"d{k}": {who: [(0, 4, "x"), (6, 8 + k % 2, "y")] for who in ("ann", "bob")}
        for k in range(12)
    }
    few = {"replicates": 60}
    of_sets = prodigy.IN_JSON_OF["iaa prodigy doc multilabel"]
    holds(prodigy.IN_JSON, iaa.prodigy(ratings, **few))
    holds({"": prodigy.STATISTICS, **of_sets}, iaa.prodigy(sets, **few))
    holds(prodigy.IN_JSON_OF["iaa prodigy span"], iaa.prodigy(iaa.from_spans(marked), **few))


def test_the_catalogue_has_the_columns_that_it_declares() -> None:
    holds(coefficients.IN_JSON, iaa.page(iaa.coefficients()).results)


def known(figures: tuple[Figure, ...]) -> set[str]:
    return {name for figure in figures for name in figure.names}


def compared() -> dict[str, xr.Dataset]:
    """Comparisons that between them have every figure."""
    chance = np.random.default_rng(1)
    truth = chance.integers(3, size=(40, 1))
    rows = np.where(chance.random((40, 4)) < 0.7, truth, chance.integers(3, size=(40, 4)))
    first, second = (iaa.from_wide(rows[:, side], labels=[0, 1, 2]) for side in ([0, 1], [2, 3]))
    often = iaa.from_wide(np.minimum(rows[:, [2, 3]], 1), labels=[0, 1, 2])
    groups = iaa.from_wide(rows).assign_coords(kind=("annotator", ["a", "a", "b", "b"]))
    return {
        "labels": iaa.compare(first, second, per_label=True, **FAST),
        "groups": iaa.compare(groups, by="kind", margin=0.1, **FAST),
        "other margins": iaa.compare(first, often, **FAST),
    }


def test_a_comparison_has_the_figures_that_it_declares() -> None:
    results = compared()
    for result in results.values():
        assert own_names(result) <= known(ALL)
    assert set().union(*map(own_names, results.values())) == known(ALL)
    documented = iaa.compare.__doc__
    for figure in ALL:
        assert f"- ``{figure.name}``: " in documented
