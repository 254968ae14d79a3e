"""G9: functions of labels refuse spans and name alternatives, and the other way round."""

from __future__ import annotations

import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.catalog import CATALOG, NAMES
from iaa_jax.measure.functions import coefficient_function

SPANS = iaa.from_spans(
    {
        "d1": {"ann": [(0, 5, "PER"), (9, 12, "ORG")], "bob": [(0, 5, "PER"), (9, 14, "ORG")]},
        "d2": {"ann": [(3, 8, "ORG")], "bob": []},
    },
    lengths={"d1": 20, "d2": 10},
)
OF_LABELS = [name for name in NAMES if not CATALOG[NAMES[name]].measure.compares]
OF_SPANS = [name for name in NAMES if name not in OF_LABELS]


@pytest.mark.parametrize("name", OF_LABELS)
def test_G9_spans_are_refused_with_what_measures_them(name: str) -> None:
    """The number of unmarked stretches of a text is unknown."""
    with pytest.raises(iaa.IaaError) as caught:
        iaa.agreement(SPANS, name, interval=None)
    said = str(caught.value)
    for instead in ("span_f1", "unitizing_alpha", "gamma"):
        assert f" {instead}," in said
    assert "leave unmarked" in said
    assert "token_ratings" in said


@pytest.mark.parametrize("name", OF_SPANS)
def test_G9_labels_are_refused_with_how_to_read_spans(name: str) -> None:
    ratings = iaa.from_wide([["a", "b"], ["a", "a"], ["b", "b"]])
    with pytest.raises(iaa.IaaError, match="read spans with read_spans"):
        coefficient_function(name)(ratings, interval=None)


def test_G9_a_token_universe_makes_kappa_possible() -> None:
    """Where the lengths of documents are declared, places are items."""
    tokens = iaa.data.token_ratings(SPANS)
    assert float(iaa.cohen_kappa(tokens, interval=None).estimate) < 1
    unknown = iaa.from_spans({"d": {"ann": [(0, 5, "PER")], "bob": []}})
    with pytest.raises(iaa.IaaError, match="length"):
        iaa.data.token_ratings(unknown)


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("contingency", r"iaa_jax\.labels counts the labels of overlapping spans"),
        ("label_sets", r"iaa_jax\.labels shows which labels of spans are confused"),
        ("per_label", r"iaa_jax\.labels measures each label"),
        ("sweep", "a span has one label"),
        ("doubles.patterns", "a span has one label"),
        ("zero_agreement", "shuffles labels among items, and these are spans"),
        ("data.mass", r"see iaa\.span_f1"),
    ],
)
def test_analyses_of_labels_refuse_spans(name: str, instead: str) -> None:
    module, _, function_name = name.rpartition(".")
    function = getattr(getattr(iaa, module) if module else iaa, function_name)
    with pytest.raises(iaa.IaaError, match=instead):
        function(SPANS)


@pytest.mark.parametrize("name", ["cohen_kappa", "krippendorff_alpha", "icc2", "am_agreement"])
def test_analyses_refuse_coefficients_of_labels(name: str) -> None:
    for function in (iaa.items, iaa.annotators, iaa.labels, iaa.influence):
        with pytest.raises(iaa.IaaError, match=f"{name} compares labels.*span_f1"):
            function(SPANS, name)


def test_users_functions_are_of_labels() -> None:
    def own(mass: object, *, item_weight: object) -> xr.Dataset:
        raise AssertionError

    with pytest.raises(iaa.IaaError, match="own compares labels"):
        iaa.agreement(SPANS, own)
