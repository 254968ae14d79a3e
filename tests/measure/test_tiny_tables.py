"""Tables of two to five items: what is said of their intervals does not contradict itself."""

from __future__ import annotations

import numpy as np
import pytest

import iaa_jax as iaa
from tests.noted import notes_of

TABLES = {
    "two unanimous": [["a", "a"], ["b", "b"]],
    "three unanimous": [["a", "a"], ["b", "b"], ["a", "a"]],
    "five unanimous": [["a", "a"]] * 3 + [["b", "b"]] * 2,
    "thirty unanimous": [["a", "a"]] * 18 + [["b", "b"]] * 12,
    "one label": [["a", "a"]] * 5,
    "two mixed": [["a", "a"], ["a", "b"]],
    "three mixed": [["a", "a"], ["a", "b"], ["b", "b"]],
    "three but one": [["a", "a"], ["a", "a"], ["a", "b"]],
    "five mixed": [["a", "a"], ["a", "b"], ["b", "b"], ["b", "b"], ["a", "a"]],
    "nothing agrees": [["a", "b"], ["b", "a"]],
    "three annotators": [list("aaa"), list("aba"), list("bbb"), list("cbc"), list("aaa")],
}


@pytest.mark.parametrize("name", TABLES)
def test_what_is_said_does_not_contradict_itself(name: str) -> None:
    found = iaa.agreement(iaa.from_wide(TABLES[name]), replicates=200)
    about = {
        code: {each for note in notes_of(found, code) for each in note.about}
        for code in ("unanimous", "many_undefined", "no_width", "perfect")
    }
    assert not about["unanimous"] & (about["many_undefined"] | about["no_width"])
    assert not about["no_width"] & about["many_undefined"]
    for coefficient in found.coefficient.values.tolist():
        row = found.sel(coefficient=coefficient)
        if np.isnan(row.ci_low):
            continue
        assert row.ci_low - 1e-12 <= row.estimate <= row.ci_high + 1e-12, coefficient
        without_width = coefficient in about["no_width"] | about["perfect"]
        assert without_width == bool(row.ci_low == row.ci_high), coefficient
        assert row.ci_high <= 1 + 1e-12
        assert row.doubt.item() or found.attrs["pairable_items"] >= 20


def test_the_end_of_a_unanimous_kappa_is_not_called_exact() -> None:
    found = iaa.agreement(iaa.from_wide(TABLES["three unanimous"]), replicates=200)
    by_name = {name: found.sel(coefficient=name).note.item() for name in ("cohen_kappa",)}
    by_name["percent_agreement"] = iaa.percent_agreement(
        iaa.from_wide(TABLES["three unanimous"])
    ).note.item()
    assert all("by the binomial distribution for 3" in note for note in by_name.values())
    assert "takes the agreement by chance as it is seen" in by_name["cohen_kappa"]
    assert "chance" not in by_name["percent_agreement"]
    text = str(iaa.page(found))
    assert "exact" not in text
    assert "should not be used" not in text


def test_chance_that_happens_to_be_0_is_taken_as_it_is_seen() -> None:
    found = iaa.agreement(iaa.from_wide(TABLES["one label"], labels=["a", "b"]), replicates=200)
    notes = {name: found.sel(coefficient=name).note.item() for name in found.coefficient.values}
    assert "takes the agreement by chance as it is seen" in notes["gwet_ac1"]
    assert "chance" not in notes["percent_agreement"]


def test_the_first_line_claims_no_interval_without_width() -> None:
    page = str(iaa.page(iaa.agreement(iaa.from_wide(TABLES["nothing agrees"]), replicates=200)))
    assert page.startswith("Krippendorff's alpha is -0.500; it leads")
    assert "the interval has no width" in page


def test_what_is_noted_of_specific_agreement_stands_once() -> None:
    one = iaa.from_wide([["a", "b"]])
    page = " ".join(str(iaa.page(iaa.specific_agreement(one, replicates=200))).split())
    assert page.count("no standard error and no interval") == 1
