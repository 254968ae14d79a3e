"""Tables of two to five items: the notes on their intervals do not contradict each other."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.measure.requests.spread import Spread, error_of
from tests.noted import codes_on, notes_of

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


CHANCE_KNOWN = ("percent_agreement", "brennan_prediger")


def test_notes_do_not_contradict_each_other() -> None:
    for name in TABLES:
        _agrees_with_itself(name)


def _agrees_with_itself(name: str) -> None:
    found = iaa.agreement(iaa.from_wide(TABLES[name]), replicates=200)
    about = {
        code: {each for note in notes_of(found, code) for each in note.about}
        for code in ("unanimous", "unanimous_by_prior", "many_undefined", "no_width", "perfect")
    }
    about["unanimous"] |= about["unanimous_by_prior"]
    assert not about["unanimous"] & (about["many_undefined"] | about["no_width"])
    assert not about["no_width"] & about["many_undefined"]
    for coefficient in found.coefficient.values.tolist():
        row = found.sel(coefficient=coefficient)
        if np.isnan(row.ci_low):
            continue
        without_width = coefficient in about["no_width"] | about["perfect"]
        assert without_width == bool(row.ci_low == row.ci_high), coefficient
        assert row.ci_high <= 1 + 1e-12
        if name == "one label" and coefficient in CHANCE_KNOWN:  # an exact end, but a wide interval
            assert row.doubt.item() == "wide_interval"
        else:
            assert bool(row.doubt.item()) == (found.attrs["pairable_items"] < 8)


def each_a_document(rows: list[list[str]]) -> xr.Dataset:
    """Over documents of one item: the binomial end is that of the items."""
    ratings = iaa.from_wide(rows)
    return ratings.assign_coords(document=("item", np.arange(len(rows))))


BY_DOCUMENT = iaa.Sampling(cluster="document")


def test_the_end_of_a_unanimous_kappa_is_not_called_exact() -> None:
    three = each_a_document(TABLES["three unanimous"])
    found = iaa.agreement(three, replicates=200, sampling=BY_DOCUMENT)
    by_name = {name: found.sel(coefficient=name).note.item() for name in ("cohen_kappa",)}
    share = iaa.percent_agreement(three, sampling=BY_DOCUMENT)
    by_name["percent_agreement"] = share.note.item()
    assert "the agreement expected by chance here" in by_name["cohen_kappa"]
    assert "chance" not in by_name["percent_agreement"]
    text = str(iaa.page(found))
    assert "exact" not in text
    assert "should not be used" not in text


def test_the_end_of_a_share_alone_is_not_called_rough() -> None:
    """Brennan and Prediger's chance is that of the labels, whatever the ratings."""
    three = each_a_document(TABLES["three unanimous"])
    how = {"replicates": 200, "sampling": BY_DOCUMENT}
    found = iaa.agreement(three, ["brennan_prediger", "gwet_ac1"], **how)
    assert found.doubt.values.tolist() == ["wide_interval", "few_clusters"]
    (rough,) = notes_of(found, "few_clusters")
    assert rough.about == ("gwet_ac1",)
    assert "chance" not in found.note.values[0]
    share = iaa.percent_agreement(three, **how)
    assert float(found.ci_low[0]) == pytest.approx(2 * float(share.ci_low) - 1)


def test_a_note_says_that_unanimous_labels_depend_on_the_prior() -> None:
    found = iaa.agreement(iaa.from_wide(TABLES["thirty unanimous"]), replicates=200)
    assert (found.ci_low < 1).all()
    assert (found.ci_high == 1).all()
    assert all("on the prior" in note for note in found.note.values)


@pytest.mark.parametrize(
    "sampling",
    [iaa.Sampling(annotators="random"), iaa.Sampling(annotators="random", cluster="document")],
)
@pytest.mark.parametrize("interval", ["auto", "percentile", "normal"])
def test_annotators_who_do_not_differ_make_no_interval_over_annotators(
    sampling: iaa.Sampling, interval: str
) -> None:
    """From 1.000 to 1.000 would be certain of all other annotators."""
    rows = iaa.from_wide([[label] * 4 for label in "aabbabba"])
    rows = rows.assign_coords(document=("item", list("wwxxyyzz")))
    names = ["krippendorff_alpha", "brennan_prediger"]
    how = {"sampling": sampling, "replicates": 200}
    found = iaa.agreement(rows, names, interval=interval, **how)
    assert np.isnan(found.ci_low).all()
    assert np.isnan(found.ci_high).all()
    assert not any(found.doubt.values)
    (note,) = notes_of(found, "unvaried_annotators")
    assert list(note.about) == names
    drawn = iaa.bootstrap(rows, names, **how)
    again = iaa.bootstrap.intervals(drawn)
    assert np.isnan(again.ci_low).all()
    assert all("no interval over annotators" in text for text in again.withheld.values)
    above = iaa.bootstrap.probability_above(drawn, 0.8)
    assert np.isnan(above.probability).all()
    assert above.attrs["conclusion"] == "undefined"


def test_perfect_numbers_of_two_annotators_make_no_interval_over_annotators() -> None:
    found = iaa.icc2(iaa.from_values([[1, 1], [2, 2], [4, 4], [3, 3]]))
    assert float(found.estimate) == 1
    assert np.isnan(found.ci_low)
    assert np.isnan(found.ci_high)


def test_without_an_interval_none_is_called_rough() -> None:
    one_pair = iaa.from_wide([["a", "b"], ["a", None]])
    for found in (iaa.agreement(one_pair), iaa.krippendorff_alpha(one_pair)):
        assert np.isnan(found.ci_low).all()
        assert not np.any(found.doubt.values != "")
        assert "intervals are" not in str(iaa.page(found))


def test_observed_chance_of_0_is_taken_as_it_is() -> None:
    rows = iaa.from_wide(TABLES["one label"], labels=["a", "b"])
    rows = rows.assign_coords(document=("item", np.arange(5)))
    found = iaa.agreement(rows, replicates=200, sampling=BY_DOCUMENT)
    notes = {name: found.sel(coefficient=name).note.item() for name in found.coefficient.values}
    assert "the agreement expected by chance here" in notes["gwet_ac1"]
    assert "chance" not in notes["percent_agreement"]


def test_the_first_line_claims_no_interval_without_width() -> None:
    found = iaa.agreement(iaa.from_wide(TABLES["nothing agrees"]), interval="bca", replicates=200)
    page = str(iaa.page(found))
    assert page.startswith("Krippendorff's alpha is -0.500.\n\n")
    assert "no_width" in codes_on(iaa.page(found))


def test_notes_on_specific_agreement_appear_once() -> None:
    one = iaa.from_wide([["a", "b"]])
    page = " ".join(str(iaa.page(iaa.specific_agreement(one, replicates=200))).split())
    assert page.count("no standard error and no interval") == 1


def test_rounding_error_is_not_spread() -> None:
    """Where nothing varies, nothing is many times as wide as its standard error."""
    spread = Spread(np.array([5.6e-17, 0.01, np.nan]), 9.0, np.zeros(3))
    np.testing.assert_array_equal(spread.standard_error, [0.0, 0.01, np.nan])
    assert spread.unvaried.tolist() == [True, False, False]
    assert error_of(np.array([0.1 + 0.2, 0.3] * 50)) == 0
