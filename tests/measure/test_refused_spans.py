"""What is about labels of items says so of spans, and what there is for them."""

from __future__ import annotations

import pytest
import xarray as xr

import iaa_jax as iaa

SPANS = iaa.from_spans(
    {f"d{k}": {"ann": [(0, 2, "X")], "bob": [(0, 2 + k % 2, "X")]} for k in range(4)}
)


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("contingency", r"iaa_jax\.labels counts those of spans that overlap"),
        ("label_sets", r"iaa_jax\.labels says which labels of spans are confused"),
        ("per_label", r"iaa_jax\.labels has the figures of each label"),
        ("sweep", "a span has one label"),
        ("doubles.patterns", "a span has one label"),
        ("zero_agreement", "shuffles labels among items, and these are spans"),
        ("mass", r"see iaa\.span_f1"),
    ],
)
def test_labels_of_items(name: str, instead: str) -> None:
    module, _, function_name = name.rpartition(".")
    function = getattr(getattr(iaa, module) if module else iaa, function_name)
    with pytest.raises(iaa.IaaError, match=instead):
        function(SPANS)


@pytest.mark.parametrize("name", ["cohen_kappa", "krippendorff_alpha", "icc2", "am_agreement"])
def test_coefficients_of_labels(name: str) -> None:
    for function in (iaa.items, iaa.annotators, iaa.labels, iaa.influence):
        with pytest.raises(iaa.IaaError, match=f"{name} compares labels.*span_f1"):
            function(SPANS, name)


def test_functions_of_the_caller() -> None:
    def own(mass: object, *, item_weight: object) -> xr.Dataset:
        raise AssertionError

    with pytest.raises(iaa.IaaError, match="own compares labels"):
        iaa.agreement(SPANS, own)
