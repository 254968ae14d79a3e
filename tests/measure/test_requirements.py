"""Studies declare their requirements, which are checked before any computation."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError
from iaa_jax.analyses import ANALYSES
from iaa_jax.data.slots import to_slots
from iaa_jax.measure import public
from iaa_jax.measure.options.declared import OneOf, Share, Whole
from iaa_jax.measure.options.requirements import (
    Each,
    Excluded,
    requirements_of,
    requires,
)

LABELS = [["a", "b", "a"], ["b", "b", "b"], ["a", "a", None], ["b", "a", "a"]]
TWICE = {"item": [1, 1, 1, 2, 2], "annotator": list("xxyxy"), "label": list("ababb")}
OF_KIND: dict[str, xr.Dataset] = {
    "labels": iaa.from_wide(LABELS),
    "spans": iaa.from_spans({"d": {"x": [(0, 3, "p")], "y": [(1, 3, "p")]}}),
    "numbers": iaa.from_values([[1.5, 2.5], [3.0, 4.0]]),
    "sets of labels": iaa.from_sets([[["a"], ["a", "b"]], [["b"], []]]),
    "sets of one label": iaa.from_sets([[["a"], []], [["a"], ["a"]]]),
    "secondary labels": iaa.from_long(
        {"item": [1, 1], "annotator": ["x", "y"], "label": ["a", "b"], "other": ["b", None]},
        secondary="other",
    ),
    "counts without annotators": iaa.from_counts([[2, 1], [0, 3]]),
    "one annotator": iaa.from_wide(LABELS).isel(annotator=[0]),
    "one label": iaa.from_wide([["a", "a"], ["a", "a"]]),
    "several votes of an annotator on an item": iaa.from_long(TWICE, duplicates="votes"),
    "crowds": to_slots(iaa.from_wide(LABELS)),
}
ALSO = {"sets of one label": {"sets of labels"}, "crowds": set()}
"""Further kinds that such ratings also have."""

ONLY = {"single labels": "sets of labels", "ratings without secondary labels": "secondary labels"}
"""Kinds that are all but one, and that one."""

FUNCTIONS = [
    name
    for row in ANALYSES
    for name in (*row.functions, *(f"{row.folder}.{key}" for key in row.namespace))
]
DECLARED = [
    name for name in FUNCTIONS if requirements_of(reduce(getattr, name.split("."), iaa)).ratings
]


def function_named(name: str) -> Callable[..., xr.Dataset]:
    function: Callable[..., xr.Dataset] = reduce(getattr, name.split("."), iaa)
    return function


def kinds_of(name: str) -> set[str]:
    return {each.kind for each in requirements_of(function_named(name)).ratings}


def test_many_studies_declare_their_requirements() -> None:
    assert len(DECLARED) >= 15


@pytest.mark.parametrize("name", DECLARED)
def test_excluded_kinds_of_ratings_are_refused(name: str) -> None:
    required = requirements_of(function_named(name))
    needed = {
        "judge": ("x",),
        "judge.against_gold": ({},),
        "judge.jury": (["x", "y"],),
        "judged_scores": ("x",),
    }.get(name, ())
    for kind in kinds_of(name) & set(OF_KIND):
        reason = required.reason(OF_KIND[kind])
        assert reason, kind
        with pytest.raises(IaaError) as raised:
            function_named(name)(OF_KIND[kind], *needed)
        assert raised.value.message == reason


@pytest.mark.parametrize("name", DECLARED)
def test_other_ratings_are_not_refused(name: str) -> None:
    refused = kinds_of(name)
    for kind, fit in ONLY.items():
        if kind in refused:
            assert not requirements_of(function_named(name)).reason(OF_KIND[fit])
            return
    for kind, ratings in OF_KIND.items():
        if kind not in refused and not ALSO.get(kind, set()) & refused:
            assert not requirements_of(function_named(name)).reason(ratings), kind


def test_a_result_is_no_ratings() -> None:
    result = iaa.items(OF_KIND["labels"])
    assert not requirements_of(iaa.gold).reason(result)
    assert not requirements_of(iaa.gold).reason({"task": "spans"})


@public
@requires(
    Excluded("numbers", "labels are counted"),
    share=Share(),
    sizes=Each(Whole(2, 9)),
    kind=OneOf(("x", "y")),
)
def study(
    ratings: object, *, share: float | None = None, sizes: object = (2,), kind: str = "x"
) -> tuple[object, ...]:
    return share, sizes, kind


def test_options_must_have_declared_values() -> None:
    assert study(OF_KIND["labels"], sizes=[3, 9]) == (None, [3, 9], "x")
    for option, value in (("share", 1.0), ("sizes", [2, 1]), ("sizes", [10]), ("kind", "z")):
        with pytest.raises(IaaError, match=option):
            study(OF_KIND["labels"], **{option: value})


def test_ratings_come_before_options() -> None:
    with pytest.raises(IaaError, match="numbers"):
        study(OF_KIND["numbers"], share=2.0)
