"""Alpha for units against the verified cases, and where it does not apply."""

from __future__ import annotations

import numpy as np
import pytest

import iaa_jax as iaa
from tests.reference.spans import SpanCase, span_cases

FORMS = {"alpha_u": "alpha_u", "u_alpha": "u", "u_alpha_binary": "ub", "cu_alpha": "cu"}
of_case = pytest.mark.parametrize


def name_of(case: SpanCase) -> str:
    return case.id


@of_case("case", span_cases(*FORMS), ids=name_of)
def test_alpha_is_that_of_the_verified_cases(case: SpanCase) -> None:
    found = iaa.unitizing_alpha(case.spans(), form=FORMS[case.measure], interval=None)
    accepted = case.record.get("accept", [case.expected["alpha"]])
    values = [np.nan if value is None else value for value in accepted]
    assert any(
        float(found.estimate) == pytest.approx(value, abs=case.abs_tol, nan_ok=True)
        for value in values
    )


@of_case("case", span_cases("alpha_u"), ids=name_of)
def test_both_disagreements_and_each_label_are_those_of_the_verified_cases(case: SpanCase) -> None:
    found = iaa.unitizing_alpha(case.spans(), interval=None)
    figures = iaa.unitizing_alpha(case.spans(), per_label=True, interval=None)
    each = [(found, case.expected)]
    each += [(figures.sel(label=name), of) for name, of in case.expected["per_category"].items()]
    for result, expected in each:
        assert float(result.estimate) == pytest.approx(expected["alpha"], abs=case.abs_tol)
        observed, chance = 1 - float(result.observed), 1 - float(result.expected)
        assert observed == pytest.approx(expected["observed"], abs=case.abs_tol)
        assert chance == pytest.approx(expected["expected_disagreement"], abs=case.abs_tol)


@of_case("case", span_cases("ku_alpha"), ids=name_of)
def test_each_label_and_its_coverage_are_those_of_the_verified_cases(case: SpanCase) -> None:
    found = iaa.unitizing_alpha(case.spans(), form="ku", interval=None)
    for label, expected in case.expected["per_category"].items():
        figure = found.sel(label=label)
        assert float(figure.coverage) == pytest.approx(expected["coverage"], abs=case.abs_tol)
        if expected["coverage"] == 0:  # 0/0: 1 and undefined are both accepted
            assert figure.reason.item().startswith("no units of two annotators")
            continue
        assert float(figure.estimate) == pytest.approx(expected["alpha"], abs=case.abs_tol)


ONE = {"ann": [(0, 5, "A"), (9, 12, "B")], "bob": [(0, 5, "A"), (9, 14, "B")]}


def spans(lengths: dict[str, int] | None = None, **documents: dict) -> object:
    made = {"d1": ONE, **documents}
    return iaa.from_spans(made, lengths=lengths or dict.fromkeys(made, 20))


@of_case("form", ["alpha_u", "u", "ub", "cu"])
def test_nothing_marked_is_undefined(form: str) -> None:
    nothing = iaa.from_spans({"d": {"a": [], "b": []}}, lengths={"d": 10}, labels=["A", "B"])
    found = iaa.unitizing_alpha(nothing, form=form, interval=None)
    assert np.isnan(found.estimate)
    assert found.reason.item()


def test_units_of_other_labels_may_overlap_in_the_form_of_1995_alone() -> None:
    data = spans(d2={"ann": [(2, 8, "A"), (5, 9, "B")], "bob": []})
    assert np.isfinite(iaa.unitizing_alpha(data, interval=None).estimate)
    for form in ("u", "ub", "cu", "ku"):
        with pytest.raises(iaa.IaaError, match=r"of one annotator overlap.*'alpha_u'.*'d2'.*'ann'"):
            iaa.unitizing_alpha(data, form=form)


def test_units_of_one_label_may_not_overlap() -> None:
    data = spans(d2={"ann": [], "bob": [(2, 8, "A"), (7, 9, "A")]})
    with pytest.raises(iaa.IaaError, match=r"of one label.*overlap.*span_f1.*'d2'.*'bob'"):
        iaa.unitizing_alpha(data)


@of_case("form", ["alpha_u", "u", "ub", "cu"])
def test_parts_are_units_and_counted(form: str) -> None:
    parts = {"ann": [(2, 4, "A", 1), (6, 8, "A", 1)], "bob": [(2, 5, "A")]}
    plain = {"ann": [(2, 4, "A"), (6, 8, "A")], "bob": [(2, 5, "A")]}
    found, wanted = (
        iaa.unitizing_alpha(spans(d2=marked), form=form, interval=None) for marked in (parts, plain)
    )
    assert float(found.estimate) == float(wanted.estimate)
    assert "1 unit with several parts" in str(found.note.item())
    assert not wanted.note.item()


def test_what_is_marked_twice_counts_once() -> None:
    twice = {**ONE, "ann": [*ONE["ann"], (0, 5, "A")]}
    again = iaa.from_spans({"d1": twice}, lengths={"d1": 20})
    for form in ("alpha_u", "u", "ub", "cu"):
        figures = [iaa.unitizing_alpha(data, form=form, interval=None) for data in (again, spans())]
        assert float(figures[0].estimate) == float(figures[1].estimate)


def test_documents_without_lengths_leave_it_out_and_say_so() -> None:
    data = iaa.from_spans({"d1": ONE})
    with pytest.raises(iaa.IaaError, match="lengths of the documents are not known"):
        iaa.unitizing_alpha(data)
    result = iaa.agreement(data, interval=None)
    assert "unitizing_alpha" not in result.coefficient
    assert "unitizing_alpha" in result.attrs["notes"]
    assert "lengths of the documents" in result.attrs["notes"]
    assert "unitizing_alpha" in iaa.agreement(spans(), interval=None).coefficient


def test_units_that_meet_take_all_annotators_at_once() -> None:
    random = iaa.Sampling(annotators="random")
    for form in ("cu", "ku"):
        with pytest.raises(iaa.IaaError, match="take annotators as fixed"):
            iaa.unitizing_alpha(spans(), form=form, sampling=random)


def test_unknown_forms_are_refused() -> None:
    with pytest.raises(iaa.IaaError, match="alpha_u, u, ub, cu, ku"):
        iaa.unitizing_alpha(spans(), form="v")
