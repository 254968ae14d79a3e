"""Standard errors by formulas: oracles, derivatives, laws, other programs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import array_api_strict
import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

from iaa_jax.catalog import CATALOG, Coefficient
from iaa_jax.engine import PatternTable, Prepared, Problem, influences
from iaa_jax.kernels import analytic, analytic_alpha, analytic_tables
from iaa_jax.kernels.intervals import infinitesimal_jackknife
from iaa_jax.measure.intervals.standard_errors import by_formula
from tests.kernels.cases import slots_of, soft_mass
from tests.oracles import analytic as oracle

MANY: dict[str, Callable[..., Any]] = {
    "percent_agreement": analytic.percent_linearized,
    "brennan_prediger": analytic.brennan_prediger_linearized,
    "fleiss_kappa": analytic.fleiss_linearized,
    "gwet_ac2": analytic.gwet_linearized,
    "conger_kappa": analytic.conger_linearized,
}
TWO: dict[str, Callable[..., Any]] = {
    "percent_agreement": analytic.percent_two_rater,
    "brennan_prediger": analytic.brennan_prediger_two_rater,
    "scott_pi": analytic.fleiss_two_rater,
    "gwet_ac2": analytic.gwet_two_rater,
    "krippendorff_alpha": analytic_alpha.alpha_two_rater,
}
ALPHA = {
    "raw": analytic_alpha.alpha_linearized,
    "corrected_pa": analytic_alpha.alpha_corrected_pa,
    "dist": analytic_alpha.alpha_of_counts,
}
LINEAR = [[1 - abs(k - j) / 3 for j in range(4)] for k in range(4)]
SKEWED = [[1.0, 0.6, 0.1, 0.0], [0.3, 1.0, 0.4, 0.0], [0.2, 0.5, 1.0, 0.7], [0.0, 0.1, 0.6, 1.0]]
AGREEMENTS = {"identity": oracle.identity(4), "linear": LINEAR, "skewed": SKEWED}

KRIPPENDORFF_12X4 = """
1 1 . 1|2 2 3 2|3 3 3 3|3 3 3 3|2 2 2 2|1 2 3 4|4 4 4 4|1 1 2 1|2 2 2 2|. 5 5 5|. . 1 1|. . 3 .
"""


def ratings_of(seed: int, items: int = 21, annotators: int = 3) -> list[list[int | None]]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, items)
    guess = rng.integers(0, 4, (items, annotators))
    codes = np.where(rng.random((items, annotators)) < 0.6, truth[:, None], guess)
    missing = rng.random((items, annotators)) < 0.25
    missing[:3] = False
    missing[3, 1:] = True
    missing[4] = True
    return [
        [None if gap else int(code) for code, gap in zip(row, gaps, strict=True)]
        for row, gaps in zip(codes, missing, strict=True)
    ]


def mass_of(ratings: oracle.Ratings, labels: int = 4) -> np.ndarray:
    eye = np.vstack([np.eye(labels), np.full(labels, np.nan)])
    return np.array([[eye[-1 if code is None else code] for code in row] for row in ratings])


def table_of(seed: int) -> list[list[int]]:
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 5, (4, 4)) + np.diag(rng.integers(3, 12, 4))
    return [[int(x) for x in row] for row in table]


def patterns_of(table: oracle.Matrix) -> tuple[np.ndarray, np.ndarray]:
    cells = list(itertools.product(range(len(table)), repeat=2))
    count = np.array([table[k][j] for k, j in cells], dtype=float)
    return mass_of([list(cell) for cell in cells], len(table)), count


def symmetric(s: oracle.Matrix) -> list[list[float]]:
    return ((np.array(s) + np.array(s).T) / 2).tolist()


def problem_of(name: str, mass: np.ndarray, count: np.ndarray, **given: Any) -> Problem:
    return Problem(CATALOG[name].measure, PatternTable(count), mass, **given)


def jackknife(problem: Problem) -> float:
    gradient = np.asarray(influences(Prepared([problem]))[0], dtype=np.float64)
    return float(infinitesimal_jackknife(gradient, problem.table.count))


@pytest.mark.parametrize("agreement", AGREEMENTS)
@pytest.mark.parametrize("name", MANY)
def test_gwets_linear_form_is_that_of_the_oracle(name: str, agreement: str) -> None:
    s = AGREEMENTS[agreement]
    for seed in range(3):
        ratings = ratings_of(seed)
        mass = mass_of(ratings)
        rated = (~np.isnan(mass[..., 0])).any(axis=1).astype(float)
        expected = oracle.gwet_linearized(ratings, s, name)
        given = None if agreement == "identity" else np.array(s)
        assert MANY[name](mass, rated, given) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("agreement", AGREEMENTS)
@pytest.mark.parametrize("form", ALPHA)
def test_the_forms_of_alpha_are_those_of_the_oracle(form: str, agreement: str) -> None:
    s = AGREEMENTS[agreement]
    found = []
    for seed in range(3):
        ratings = ratings_of(seed)
        expected = oracle.alpha_linearized(ratings, s, form)
        found.append(float(ALPHA[form](mass_of(ratings), np.ones(len(ratings)), np.array(s))))
        assert found[-1] == pytest.approx(expected, rel=1e-11)
    others = [float(ALPHA["raw"](mass_of(ratings_of(i)), np.ones(21), np.array(s))) for i in (0, 1)]
    assert form == "raw" or found[:2] != pytest.approx(others, rel=1e-6)


@pytest.mark.parametrize("agreement", AGREEMENTS)
@pytest.mark.parametrize("name", TWO)
def test_the_form_of_two_annotators_is_that_of_the_oracle(name: str, agreement: str) -> None:
    for seed in range(3):
        table = table_of(seed)
        s = symmetric(AGREEMENTS[agreement])
        mass, count = patterns_of(table)
        expected = oracle.gwet_two_rater(table, s, name)
        given = None if agreement == "identity" else np.array(AGREEMENTS[agreement])
        assert TWO[name](mass, count, given) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("agreement", AGREEMENTS)
@pytest.mark.parametrize("null", [False, True])
def test_fleiss_cohen_and_everitt(agreement: str, null: bool) -> None:
    s = AGREEMENTS[agreement]
    function = analytic_tables.cohen_null if null else analytic_tables.cohen_fleiss_cohen_everitt
    for seed in range(3):
        table = table_of(seed)
        mass, count = patterns_of(table)
        expected = oracle.fleiss_cohen_everitt(table, s, null=null)
        assert function(mass, count, np.array(s)) == pytest.approx(expected, rel=1e-11)
        if agreement == "identity":
            assert function(mass, count) == pytest.approx(expected, rel=1e-11)
            if null:
                assert oracle.fleiss_1981_null(table) == pytest.approx(expected, rel=1e-11)


def test_fleiss_nee_and_landis() -> None:
    rng = np.random.default_rng(5)
    for m, labels in ((2, 3), (6, 5), (4, 2)):
        ratings = [[int(x) for x in row] for row in rng.integers(0, labels, (15, m))]
        expected = oracle.fleiss_nee_landis_null(ratings, labels)
        found = analytic_tables.fleiss_null(mass_of(ratings, labels), np.ones(15))
        assert found == pytest.approx(expected, rel=1e-12)
        if labels == 2:
            assert expected == pytest.approx(math.sqrt(2 / (15 * m * (m - 1))), rel=1e-12)


@pytest.mark.parametrize("name", MANY)
def test_on_complete_data_the_linear_form_is_the_infinitesimal_jackknife(name: str) -> None:
    """With divided labels, asymmetric agreement and annotator weights too."""
    mass = soft_mass(3, (13, 3, 4), 0.0)
    count = np.array([1.0, 4.0, 0.5, *[1.0] * 9, 2.0])
    given = {"label_agreement": np.array(SKEWED), "annotator_weight": np.array([1.0, 0.4, 2.0])}
    expected = jackknife(problem_of(name, mass, count, **given))
    assert MANY[name](mass, count, **given) == pytest.approx(expected, rel=1e-6)


def test_with_gaps_the_linear_form_is_wider_than_the_derivative() -> None:
    """On this table .153, against .138 by the bootstrap."""
    codes = [row.split() for row in KRIPPENDORFF_12X4.strip().split("|")]
    ratings = [[None if code == "." else int(code) - 1 for code in row] for row in codes]
    mass, count = mass_of(ratings, 5), np.ones(12)
    found = float(analytic.fleiss_linearized(mass, count))
    assert found == pytest.approx(0.153, abs=5e-4)
    assert jackknife(problem_of("fleiss_kappa", mass, count)) < 0.95 * found
    # irrCAC 0.4.4 for Python, CAC(ratings, digits=12).krippendorff()["est"]["se"]
    assert analytic_alpha.alpha_corrected_pa(mass, count) == pytest.approx(
        0.145573886985, abs=5e-13
    )
    assert analytic_alpha.alpha_linearized(mass, count) == pytest.approx(0.14548, abs=5e-6)


def test_null_errors_are_the_others_where_agreement_is_chance() -> None:
    """The table that independence expects, and all patterns of m ratings with their chances."""
    p1, p2 = np.array([0.5, 0.3, 0.1, 0.1]), np.array([0.2, 0.25, 0.25, 0.3])
    mass, count = patterns_of((80 * np.outer(p1, p2)).tolist())
    for s in AGREEMENTS.values():
        null = analytic_tables.cohen_null(mass, count, np.array(s))
        found = analytic_tables.cohen_fleiss_cohen_everitt(mass, count, np.array(s))
        assert null == pytest.approx(float(found), rel=1e-10)
    for m in (2, 3, 4):
        cells = list(itertools.product(range(4), repeat=m))
        count = 50 * np.array([np.prod([p1[k] for k in cell]) for cell in cells])
        mass = mass_of([list(cell) for cell in cells])
        null = float(analytic_tables.fleiss_null(mass, count))
        found = float(analytic.fleiss_linearized(mass, count)) * math.sqrt(49 / 50)
        assert null == pytest.approx(found, rel=1e-10)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_against_statsmodels(weights: str | None) -> None:
    table = np.array(table_of(11))
    distance = np.abs(np.subtract.outer(np.arange(4), np.arange(4)))
    s = None
    if weights is not None:
        s = 1 - distance / 3 if weights == "linear" else 1 - (distance / 3) ** 2
    theirs = cohens_kappa(table, wt=weights)
    mass, count = patterns_of(table.tolist())
    found = analytic_tables.cohen_fleiss_cohen_everitt(mass, count, s)
    assert found == pytest.approx(theirs.std_kappa, rel=1e-10)
    null = analytic_tables.cohen_null(mass, count, s)
    assert null == pytest.approx(theirs.std_kappa0, rel=1e-10)


def functions() -> dict[str, Callable[..., Any]]:
    every = {f"many/{name}": f for name, f in MANY.items()}
    every |= {f"alpha/{name}": f for name, f in ALPHA.items()}
    every |= {f"two/{name}": f for name, f in TWO.items()}
    every["cohen"] = analytic_tables.cohen_fleiss_cohen_everitt
    every["cohen null"] = analytic_tables.cohen_null
    every["fleiss null"] = analytic_tables.fleiss_null
    return every


@pytest.mark.parametrize("name", functions())
def test_counts_are_repetitions_and_order_is_nothing(name: str) -> None:
    function = functions()[name]
    annotators = 2 if name.startswith(("two", "cohen", "fleiss null")) else 3
    rng = np.random.default_rng(8)
    ratings = ratings_of(8, annotators=annotators)
    if annotators == 2:
        ratings = [[x or 0 for x in row] for row in ratings]
    mass, count = mass_of(ratings), rng.integers(0, 4, len(ratings)).astype(float)
    count[np.isnan(mass[..., 0]).all(axis=1)] = 0
    s = None if name == "fleiss null" else np.array(LINEAR)
    found = float(function(mass, count, s))
    assert found > 0
    repeated = np.repeat(mass, count.astype(int), axis=0)
    assert function(repeated, np.ones(len(repeated)), s) == pytest.approx(found, rel=1e-11)
    order, names = rng.permutation(len(mass)), rng.permutation(4)
    renamed = None if s is None else s[np.ix_(names, names)]
    turned = function(mass[order][:, ::-1][..., names], count[order], renamed)
    assert turned == pytest.approx(found, rel=1e-11)


@pytest.mark.parametrize("name", functions())
def test_any_array_library(name: str) -> None:
    function = functions()[name]
    annotators = 2 if name.startswith(("two", "cohen", "fleiss null")) else 3
    ratings = [[x or 0 for x in row] for row in ratings_of(9, annotators=annotators)]
    mass, count = mass_of(ratings), np.ones(len(ratings))
    expected = float(function(mass, count, np.array(LINEAR)))
    xp = array_api_strict
    found = function(xp.asarray(mass), xp.asarray(count), xp.asarray(np.array(LINEAR)))
    assert float(found) == pytest.approx(expected, rel=1e-11)


def test_conger_slot_by_slot_is_the_same() -> None:
    mass = soft_mass(6, (19, 5, 3), 0.5)
    count = (~np.isnan(mass[..., 0])).any(axis=1) * 2.0
    weight = np.array([1.0, 2.0, 0.5, 1.0, 1.5])
    expected = float(analytic.conger_linearized(mass, count, None, weight))
    slots, annotator_of = slots_of(mass)
    found = analytic.conger_linearized(slots, count, None, weight, annotator_of)
    assert found == pytest.approx(expected, rel=1e-11)


def test_an_annotator_who_rated_nothing_changes_nothing() -> None:
    mass = mass_of(ratings_of(2))
    rated = (~np.isnan(mass[..., 0])).any(axis=1).astype(float)
    wider = np.concatenate([mass, np.full((21, 1, 4), np.nan)], axis=1)
    for function in MANY.values():
        assert function(wider, rated) == pytest.approx(float(function(mass, rated)), rel=1e-12)


def rows_with(kind: str) -> list[tuple[Coefficient, str]]:
    return [(row, name) for row in CATALOG.values() for name in getattr(row, kind)]


def test_what_the_catalogue_offers() -> None:
    offered = {(row.name, name) for row, name in rows_with("analytic")}
    linear = {name for name, form in offered if form == "gwet_linearized"}
    assert linear == {
        *("percent_agreement", "scott_pi", "fleiss_kappa", "conger_kappa"),
        *("brennan_prediger", "gwet_ac1", "gwet_ac2", "krippendorff_alpha"),
    }
    assert {name for name, form in offered if form == "gwet_two_rater"} == linear - {"conger_kappa"}
    nulls = {(row.name, name) for row, name in rows_with("null_error")}
    assert nulls == {
        ("cohen_kappa", "fleiss_cohen_everitt_1969"),
        ("cohen_kappa", "null_fleiss_1981"),
        ("scott_pi", "null_fleiss_nee_landis_1979"),
        ("fleiss_kappa", "null_fleiss_nee_landis_1979"),
    }
    for row, name in [*rows_with("analytic"), *rows_with("null_error")]:
        assert row.analytic.get(name, row.null_error.get(name)).doi.startswith("10.")


def refused(row: str, form: str, mass: np.ndarray, **given: Any) -> str:
    forms = {**CATALOG[row].null_error, **CATALOG[row].analytic}
    error, note = by_formula(forms[form], problem_of(row, mass, np.ones(len(mass)), **given))
    assert np.isnan(error) == bool(note)
    return note


def test_ratings_that_a_formula_is_not_for() -> None:
    gaps, soft = mass_of(ratings_of(1)), soft_mass(1, (13, 3, 4), 0.0)
    whole = mass_of([[0, 1], [1, 1], [2, 2]])
    assert "two ratings" in refused("scott_pi", "gwet_two_rater", gaps)
    assert "two ratings" in refused("gwet_ac1", "gwet_two_rater", soft)
    assert refused("gwet_ac1", "gwet_two_rater", whole) == ""
    assert "1 to 3" in refused("fleiss_kappa", "null_fleiss_nee_landis_1979", gaps[[0, 1, 2, 3]])
    linear = {"label_agreement": np.array(LINEAR)}
    assert "weights" in refused("fleiss_kappa", "null_fleiss_nee_landis_1979", whole, **linear)
    assert "weights" in refused("cohen_kappa", "null_fleiss_1981", whole, **linear)
    assert refused("cohen_kappa", "fleiss_cohen_everitt_1969", whole, **linear) == ""
    assert "whole label" in refused("krippendorff_alpha", "gwet_linearized", soft)
    assert refused("fleiss_kappa", "gwet_linearized", soft) == ""
    weighted = {"annotator_weight": np.array([1.0, 2.0])}
    assert "equal weights" in refused("krippendorff_alpha", "gwet_linearized", whole, **weighted)
    ordinal = CATALOG["krippendorff_alpha"].levels["ordinal"].over_labels
    problem = Problem(ordinal, PatternTable(np.ones(3)), whole)
    error, note = by_formula(CATALOG["krippendorff_alpha"].analytic["gwet_linearized"], problem)
    assert np.isnan(error)
    assert "another form" in note


def test_nothing_to_measure_is_nan() -> None:
    one_label, single = mass_of([[1, 1], [1, 1]]), mass_of([[1, 2]])
    with np.errstate(all="ignore"):
        for name, function in functions().items():
            none = float(function(one_label, np.ones(2)))
            # chance is fixed for these: agreement without any spread
            still = name.split("/")[-1] in ("percent_agreement", "brennan_prediger", "gwet_ac2")
            assert (none == 0) if still else np.isnan(none), name
            if name.startswith(("many", "alpha")):
                assert np.isnan(function(single, np.ones(1))), name
