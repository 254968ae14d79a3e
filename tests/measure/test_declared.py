"""Options that are declared once: what functions take from groups, and what they document."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence

import pytest

from iaa_jax import IaaError
from iaa_jax.measure import COMPUTED, IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.options.declared import options_of


@public
def draw(
    ratings: object,
    *,
    label_options: LabelOptions = select(LabelOptions, "p"),
    top: int = 3,
    options: IntervalOptions = select(IntervalOptions, without=("sampling", *COMPUTED)),
) -> tuple[LabelOptions, IntervalOptions]:
    """Draw.

    Parameters
    ----------
    ratings : object
        Anything.
    label_options : LabelOptions
    top : int
        How many.
    seed : int
        Said here.
    options : IntervalOptions

    Returns
    -------
    tuple
        Both groups.
    """
    return label_options, options


def test_the_options_of_a_group_become_keywords() -> None:
    selected = ["interval", "confidence", "replicates", "seed", "undefined"]
    assert list(inspect.signature(draw).parameters) == ["ratings", "p", "top", *selected]
    assert draw(1, p=0.7, seed=4) == (LabelOptions(p=0.7), IntervalOptions(seed=4))
    assert draw(1) == (LabelOptions(), IntervalOptions())


def test_a_whole_group_is_reduced_to_the_declared_options() -> None:
    whole = LabelOptions(p=0.6, level="ordinal"), IntervalOptions(seed=2, dtype="float32")
    assert draw(1, label_options=whole[0], options=whole[1]) == (
        LabelOptions(p=0.6),
        IntervalOptions(seed=2),
    )


def test_the_group_documents_what_the_function_does_not() -> None:
    text = inspect.getdoc(draw)
    assert text is not None
    assert "p : float\n    Share of the primary label" in text
    assert "seed : int\n    Said here.\ninterval : str" in text
    assert text.count("\nseed : ") == 1
    assert "label_options" not in text
    assert text.endswith("Both groups.")


@pytest.mark.parametrize("group", [LabelOptions, IntervalOptions])
def test_a_group_documents_its_options_and_refuses_what_they_do_not_take(group: type) -> None:
    assert group() == group(**{one.name: one.default for one in options_of(group)})
    for one in options_of(group):
        assert f"\n{one.name} : " in str(inspect.getdoc(group))
        if one.name not in ("weights", "distance"):  # tables and functions too
            with pytest.raises(IaaError, match=one.name):
                group(**{one.name: object()})


def test_a_group_has_no_other_options() -> None:
    with pytest.raises(ValueError, match="LabelOptions has no option seed"):
        select(LabelOptions, "seed")


Limits = list[float] | None  # no plain type, and not checked
Name = str | None


@pytest.mark.parametrize(
    ("given", "refused"),
    [
        ({"name": 5}, "name must be text or None, not 5"),
        ({"count": "2"}, "count must be a whole number, not '2'"),
        ({"sizes": 3}, "sizes must be a list, not 3"),
        ({"name": None, "sizes": (1, 2), "limits": "any"}, ""),
    ],
)
def test_plain_types_are_checked_whatever_they_are_called(
    given: dict[str, object], refused: str
) -> None:
    @public
    def made(name: Name = None, count: int = 1, sizes: Sequence[int] = (), limits: Limits = None):
        return "made"

    if refused:
        with pytest.raises(IaaError, match=re.escape(refused)):
            made(**given)
    else:
        assert made(**given) == "made"
