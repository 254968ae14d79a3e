"""What a comparison comes to: the conclusion of each row and of the whole, and their notes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses.compare.conclusions import conclude, conclusions
from iaa_jax.analyses.compare.words import WORDS
from iaa_jax.wording import say
from tests.analyses.compare.compared import FIRST, SECOND, quick
from tests.analyses.made import wide
from tests.noted import notes_of

FAST = {"replicates": 200, "permutations": 200}
BOTH = ["krippendorff_alpha", "percent_agreement"]


def agreeing(items: int, apart: int) -> xr.Dataset:
    """Two annotators who use two labels equally often, and differ on some items."""
    return plain([["xy"[k % 2], "xy"[(k + (k < apart)) % 2]] for k in range(items)])


def plain(rows: list[list[Any]], prefix: str = "q") -> xr.Dataset:
    """Ratings whose labels nobody declared, and whose ids do not count."""
    return iaa.from_wide(rows).assign_coords(item=[f"{prefix}{k}" for k in range(len(rows))])


def codes_of(result: xr.Dataset) -> list[str]:
    return [note.code for note in notes_of(result)]


def test_the_higher_one() -> None:
    poor, good = agreeing(60, 20), agreeing(60, 4)
    found = iaa.compare(poor, good, BOTH, **FAST)
    assert found.conclusion.values.tolist() == ["b_higher"] * 2
    assert found.attrs["conclusion"] == "b_higher"
    turned = iaa.compare(good, poor, BOTH, **FAST)
    assert turned.attrs["conclusion"] == "a_higher"
    # without intervals by the p-value
    assert quick(poor, good).attrs["conclusion"] == "b_higher"


def test_the_first_coefficient_leads_or_alpha() -> None:
    a, b = wide(FIRST), wide(SECOND)
    assert quick(a, b, ["gwet_ac1", "krippendorff_alpha"]).attrs["coefficient"] == "gwet_ac1"
    every = quick(a, b, None)
    assert every.coefficient.values[0] != "krippendorff_alpha"
    assert every.attrs["coefficient"] == "krippendorff_alpha"


def test_no_difference_says_what_it_would_take() -> None:
    found = iaa.compare(agreeing(60, 20), agreeing(60, 17), BOTH, paired=False, **FAST)
    assert found.attrs["conclusion"] == "not_shown"
    (least,) = notes_of(found, "would_show")
    assert least.values["least"] == float(found.detectable[0])
    (needed,) = notes_of(found, "takes_items")
    assert needed.values["difference"] == 0.05
    # two digits, rounded up
    assert float(found.items_needed_a[0]) <= needed.values["a"]
    assert needed.values["a"] % 10 ** (len(str(needed.values["a"])) - 2) == 0
    paired = quick(wide(FIRST), wide(SECOND), confidence=0.9999)
    assert "takes_paired_items" in codes_of(paired)


def test_equivalence_within_a_margin() -> None:
    a, b = agreeing(200, 20), agreeing(200, 22)
    wide_margin = quick(a, b, margin=0.2)
    assert wide_margin.attrs["conclusion"] == "alike"
    (note,) = notes_of(wide_margin, "within_margin")
    assert note.values["margin"] == 0.2
    assert note.values["tests"].values["p"] == float(wide_margin.equivalence_p_value[0])
    assert not notes_of(wide_margin, "would_show")
    narrow = quick(a, b, margin=0.001)
    assert narrow.attrs["conclusion"] == "not_shown"
    assert notes_of(narrow, "not_within_margin")
    # a difference may be there, and too small to matter
    there = quick(agreeing(200, 20), agreeing(200, 32), margin=0.5)
    assert there.attrs["conclusion"] == "a_higher"
    (note,) = notes_of(there, "within_margin")
    assert note.values["there"].code == "too_small_to_matter"


def test_undefined_and_unknown() -> None:
    one_label = iaa.from_wide([["x", "x"]] * 6, labels=["x", "y"])
    other = iaa.from_wide([["x", "y"], ["y", "y"]] * 3, labels=["x", "y"])
    found = quick(one_label, other, BOTH)
    assert found.conclusion.values.tolist()[0] == "undefined"
    assert found.attrs["conclusion"] == "undefined"
    single = plain([["x", None], ["y", None], ["x", "y"]], "a")
    found = quick(single, plain([["x", "y"], ["y", "y"]] * 3, "b"))
    assert found.attrs["conclusion"] == "unknown"
    (note,) = notes_of(found, "few_pairable_in_set")
    assert note.about == ("krippendorff_alpha",)
    assert note.values == {"set": "A", "items": 1}


def test_a_conclusion_keeps_to_its_replicates() -> None:
    """One rating off the rest: many replicates hold none, and are undefined."""
    a, b = (
        iaa.from_wide([["x", "y" if k < apart else "x"] for k in range(40)]) for apart in (1, 12)
    )
    found = iaa.compare(a, b, BOTH, interval="bca", **FAST)
    assert found.conclusion.values.tolist() == ["unreliable", "a_higher"]
    assert found.attrs["conclusion"] == "unreliable"
    assert notes_of(found, "observed_is_higher")[0].values["higher"] == "A"
    turned = iaa.compare(a, b, BOTH[::-1], interval="bca", **FAST)
    (note,) = notes_of(turned, "many_undefined")
    assert note.about == ("krippendorff_alpha",)


def test_a_set_without_disagreement_wins_nothing_alone() -> None:
    few = agreeing(4, 0).assign_coords(item=[f"few {k}" for k in range(4)])
    many = agreeing(90, 12)
    found = iaa.compare(many, few, BOTH, **FAST)
    assert found.attrs["conclusion"] == "not_shown"
    (note,) = notes_of(found, "cannot_show_more")
    (side,) = note.values["sides"]
    assert side.values == {"items": 4, "set": "B"}
    assert "few_items" in codes_of(found)


def test_percent_agreement_that_goes_the_other_way() -> None:
    """One label is nearly all there is: much agreement by chance, and little beyond it."""
    even = [["x", "x"]] * 45 + [["y", "y"]] * 40 + [["x", "y"]] * 15
    rare = [["x", "x"]] * 92 + [["y", "y"]] * 2 + [["x", "y"]] * 6
    found = quick(plain(even, "a"), plain(rare, "b"), BOTH)
    assert found.conclusion.values.tolist() == ["not_shown", "b_higher"]
    (note,) = notes_of(found, "observed_is_higher")
    assert note.values["higher"] == "B"
    assert note.values["why"].code == "by_chance"


@pytest.mark.parametrize(
    ("ends", "p_value", "conclusion", "code"),
    [
        ((-0.1, 0.3), 0.01, "b_higher", "interval_with_0"),
        ((0.02, 0.3), 0.2, "not_shown", "interval_without_0"),
        ((0.02, 0.3), 0.01, "b_higher", None),
        ((-0.1, 0.3), 0.2, "not_shown", None),
    ],
)
def test_the_conclusion_keeps_to_the_exchanges(
    ends: tuple[float, float], p_value: float, conclusion: str, code: str | None
) -> None:
    """With and without disagreement in both sets: nothing is denied beside a small p."""
    for perfect in (False, True):
        b = agreeing(60, 0 if perfect else 15)
        found = iaa.compare(agreeing(60, 20), b, **FAST)
        found["ci_low"][:], found["ci_high"][:] = ends
        found["p_value"][:] = found["permutation_p_value"][:] = p_value
        found["conclusion"] = ("coefficient", conclusions(found))
        reached, notes = conclude(found)
        assert reached == conclusion
        said = [note.code for note in notes if note.code.startswith("interval_with")]
        assert said == [code] * bool(code)
        texts = [say(note, WORDS) for note in notes if note.code in said]
        assert all("too few items" in text for text in texts)


def test_which_labels_differ() -> None:
    first = [["xyz"[k % 3], "xyz"[(k + (k % 3 == 0)) % 3]] for k in range(60)]
    second = [["xyz"[k % 3]] * 2 for k in range(60)]
    a, b = plain(first), plain(second)
    found = iaa.compare(a, b, per_label=True, **FAST)
    (picture,) = iaa.page(found).pictures
    shown = found.sel(label=[name.removeprefix("Label ") for name in picture.x])
    np.testing.assert_array_equal(picture.bands[0].low, shown.band_low)
    np.testing.assert_array_equal(picture.bands[0].high, shown.band_high)
    assert found.attrs["conclusion"] == "labels_differ"
    assert found.conclusion.sel(label="x") == "b_higher"
    (note,) = [note for note in notes_of(found) if note.code.endswith("labels_differ")]
    moved = [each.values["label"] for each in note.values["moved"]]
    by_size = found.label.values[np.argsort(-np.abs(found.difference.values), kind="stable")]
    assert moved == by_size[: len(moved)].tolist()
    same = quick(a, a, None, per_label=True)
    assert same.attrs["conclusion"] == "no_label_moved"
    assert same.conclusion.values.tolist() == ["not_shown"] * 3


def test_no_label_shown_and_labels_of_one_set() -> None:
    a, b = wide(FIRST), wide(SECOND)
    found = quick(a, b, None, per_label=True)
    assert found.attrs["conclusion"] == "no_label_differs"
    (note,) = notes_of(found, "no_label_differs")
    assert note.values["labels"] == 3
    ways = [
        plain([[("x", "y", label)[k % 3], ("x", "y", label)[k % 4 % 3]] for k in range(24)])
        for label in ("tie", "Tie")
    ]
    found = quick(*ways, None, per_label=True)
    assert found.conclusion.sel(label=["Tie", "tie"]).values.tolist() == ["undefined"] * 2
    (note,) = notes_of(found, "labels_of_one_set")
    assert note.values["question"].code == "written_in_two_ways"
    assert not notes_of(found, "labels_undefined")  # said by the note above
    (note,) = notes_of(found, "labels_of_both_sets")
    assert [note.values[name] for name in ("labels", "a", "b")] == [4, 3, 3]
