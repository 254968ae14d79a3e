"""Standard errors, intervals, z and p-values of the reference cases, each by the form it names."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
import xarray as xr
from scipy.stats import t

import iaa_jax as iaa
from tests.measure.test_reference import SAME, options_of, ratings_of
from tests.reference import INTRACLASS, ReferenceCase, all_cases

FIELDS = ("se", "ci_low", "ci_high", "se_null", "z", "p_value")
CASES = tuple(case for case in all_cases() if set(FIELDS) & set(case.expected))

METHODS = {"student_t": "t", "normal": "normal"}


def with_interval(case: ReferenceCase, ratings: xr.Dataset, options: dict[str, Any]) -> xr.Dataset:
    """The public call: estimate, standard error and ends by the form that the case names."""
    if case.coefficient in INTRACLASS:
        interval, options = "f", options | {"sampling": iaa.Sampling(annotators="fixed")}
    else:
        method = METHODS[case.options["ci_method"]]
        interval = iaa.Interval(method, standard_error=case.options["se_method"])
    return getattr(iaa, SAME.get(case.coefficient, case.coefficient))(
        ratings, interval=interval, confidence=case.options["confidence"], **options
    )


def against_zero(case: ReferenceCase, ratings: xr.Dataset, options: dict[str, Any]) -> xr.Dataset:
    """The public test of zero agreement, by the analytic form."""
    name = SAME.get(case.coefficient, case.coefficient)
    tail = case.options.get("p_value_tail", "two-sided")
    found = iaa.zero_agreement(
        ratings,
        name,
        null="analytic",
        alternative="two-sided" if tail == "two-sided" else "greater",
        **options,
    )
    return found.sel(coefficient=name)


def uncertainty_of(case: ReferenceCase) -> dict[str, float]:
    ratings = ratings_of(case)
    options = options_of(case, ratings)
    ours: dict[str, float] = {}
    if "ci_low" in case.expected:
        found = with_interval(case, ratings, options)
        assert found.note == ""
        ours["ci_low"], ours["ci_high"] = float(found.ci_low), float(found.ci_high)
        if case.options.get("ci_upper_clipped_at_1"):  # ours are never cut
            ours["ci_high"] = min(ours["ci_high"], 1.0)
        ours["se"] = float(found.standard_error)
        if case.options.get("p_value_tail") == "one-sided":
            # irrCAC's test divides by the error that holds for any agreement
            ratio = float(found.estimate) / ours["se"]
            ours["p_value"] = float(t.sf(ratio, found.attrs["items"] - 1))
    null = case.options.get("p_value_se") == "null" or "ci_low" not in case.expected
    if null or case.coefficient in INTRACLASS:
        found = against_zero(case, ratings, options)
        ours["p_value"], ours["z"] = float(found.p_value), float(found.z)
        ours["se_null"] = float(found.null_standard_error)
    return ours


def test_number_of_cases() -> None:
    assert Counter(field for case in CASES for field in FIELDS if field in case.expected) == {
        **{"se": 71, "ci_low": 113, "ci_high": 113},
        **{"se_null": 2, "z": 8, "p_value": 18},
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_reference_uncertainty(case: ReferenceCase) -> None:
    ours = uncertainty_of(case)
    for field in FIELDS:
        if field in case.expected:
            wanted = case.expected[field]
            assert ours[field] == pytest.approx(wanted, abs=case.tolerance(field), rel=0), field
        if field in case.recomputed:
            assert ours[field] == pytest.approx(case.recomputed[field], abs=1e-9, rel=0), field


def test_intervals_are_not_cut() -> None:
    """The case's upper end is 1; ours lies above."""
    case = next(case for case in CASES if case.id == "krippendorff-12x4-missing/conger_kappa")
    assert case.expected["ci_high"] == 1
    found = with_interval(case, ratings_of(case), {})
    assert float(found.ci_high) == pytest.approx(2 * float(found.estimate) - float(found.ci_low))
    assert float(found.ci_high) > 1


def test_the_forms_differ_where_they_should() -> None:
    """Two annotators, 19 items: 2.7 % between n and n - 1, as CONVENTIONS has it."""
    rows = [["a", "a"]] * 8 + [["a", "b"]] * 3 + [["b", "b"]] * 6 + [["b", "a"]] * 2
    ratings = iaa.from_wide(rows)
    errors = {
        form: float(
            iaa.scott_pi(ratings, interval=iaa.Interval("t", standard_error=form)).standard_error
        )
        for form in ("gwet_two_rater", "gwet_linearized", "infinitesimal_jackknife")
    }
    assert errors["gwet_linearized"] == pytest.approx(errors["infinitesimal_jackknife"], rel=1e-6)
    assert errors["gwet_two_rater"] == pytest.approx(
        errors["gwet_linearized"] * np.sqrt(18 / 19), rel=1e-9
    )
