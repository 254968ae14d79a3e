"""Default intervals and leaving out, and the notes on what is left undone."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses import words_of
from iaa_jax.analyses.gold import certainty
from iaa_jax.catalog.labelling import METHODS
from iaa_jax.measure.shared.labelling import VoteTables
from iaa_jax.wording import load_notes, say
from tests.noted import codes_on, notes_on
from tests.taken import one_of

ROWS = [["a", "a", "b"], ["b", "b", "b"], ["a", "b", "b"], ["a", "a", "a"], ["b", "a", "b"]] * 4


def notes_of(result: xr.Dataset) -> dict[str, str]:
    return {note.code: say(note, words_of("gold")) for note in load_notes(result.attrs["notes"])}


def test_few_ratings_have_intervals_and_annotators_are_left_out() -> None:
    found = iaa.gold(iaa.from_wide(ROWS), "dawid_skene")
    assert found.attrs["replicates"] == 500
    assert {"certainty_ci_low", "annotators_decisive"} <= set(found)
    assert not {"no_intervals", "no_leave_out", "fewer_replicates"} & set(notes_of(found))


@pytest.mark.parametrize("method", ["dawid_skene", "majority"])
def test_of_many_ratings_both_are_done_only_if_asked_for(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in ("FIT_BUDGET", "LEAVE_OUT_BUDGET", "REDRAW_BUDGET"):
        monkeypatch.setattr(certainty, limit, 100)
    ratings = iaa.from_wide(ROWS)
    found = iaa.gold(ratings, method)
    assert not {"certainty_ci_low", "skill_ci_low", "annotators_decisive"} & set(found)
    assert "decided_by_one_vote" in found
    said = notes_of(found)
    assert said["no_intervals"].endswith("replicates=500.")
    assert said["no_leave_out"].endswith("leave_out=True.")
    asked = iaa.gold(ratings, method, replicates=60, leave_out=True)
    assert asked.attrs["replicates"] == 60
    assert {"certainty_ci_low", "annotators_decisive"} <= set(asked)
    refused = iaa.gold(ratings, method, interval=None, leave_out=False)
    assert not {"no_intervals", "no_leave_out"} & set(notes_of(refused))


def test_in_between_there_are_fewer_replicates(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = 2 * 3 * len(ROWS)
    monkeypatch.setattr(certainty, "REDRAW_BUDGET", 250 * cells)
    found = iaa.gold(iaa.from_wide(ROWS))
    assert found.attrs["replicates"] == 250
    assert "250 resamples" in notes_of(found)["fewer_replicates"]
    surer = iaa.gold(iaa.from_wide(ROWS), confidence=0.995)
    assert "no_intervals" in notes_of(surer)


def crowd(seed: int = 0) -> xr.Dataset:
    """120 items by 60 annotators of whom an item has three: nearly all of a grid is empty."""
    draw = np.random.default_rng(seed)
    item = np.repeat(np.arange(120), 3)
    annotator = np.concatenate([draw.choice(60, 3, replace=False) for _ in range(120)])
    right = draw.random(len(item)) < draw.uniform(0.5, 0.95, 60)[annotator]
    label = np.where(right, (item % 3), draw.integers(0, 3, len(item)))
    return iaa.from_long({"item": item, "annotator": annotator, "label": label})


@pytest.mark.slow
@pytest.mark.parametrize("method", one_of(2, ["dawid_skene", "one_coin", "glad", "mace"]))
def test_fits_take_about_the_steps_that_are_expected_of_them(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[int] = []
    fit_rows = VoteTables.fit_rows

    def counted(self, *args):
        for fits in fit_rows(self, *args):
            steps.extend(int(number) for number in fits.iterations)
            yield fits

    monkeypatch.setattr(VoteTables, "fit_rows", counted)
    ratings = iaa.data.in_slots(crowd())
    taken = {}
    for asked in ({"replicates": 40, "leave_out": False}, {"interval": None, "leave_out": True}):
        steps.clear()
        found = iaa.gold(ratings, method, **asked)
        taken[bool(asked["leave_out"])] = np.mean(steps)
    likely = 1.5 * int(found.iterations) + METHODS[method].further_steps
    assert likely / 8 < max(taken.values()) < 1.25 * likely
    assert len(steps) == 60


def test_of_a_crowd_it_is_said_who_was_left_out_in_turn() -> None:
    annotators = 201
    columns = {
        "item": np.arange(annotators) // 3,
        "annotator": np.arange(annotators),
        "label": ["a"] * annotators,
    }
    found = iaa.gold(iaa.from_long(columns, labels=["a", "b"]), interval=None)
    assert "200 of 201 annotators" in notes_of(found)["left_out_most"]


def test_sets_are_sent_to_sharpening_of_their_own() -> None:
    sets = iaa.from_sets([[["a"], ["a", "b"]], [["b"], ["b"]]])
    with pytest.raises(iaa.IaaError, match=r"use iaa\.sharpen\(ratings\)$"):
        iaa.gold(sets, "sharpen")


def test_control_items_are_named_on_the_page() -> None:
    ratings = iaa.from_wide(ROWS).assign_coords(known=("item", ["a"] + [""] * 19))
    page = iaa.page(iaa.gold(ratings, control="known", interval=None))
    assert {"controlled", "controlled_alike"} & {note.code for note in page.answer}


def test_the_answer_says_how_much_depends_on_one_vote() -> None:
    found = iaa.gold(iaa.from_wide(ROWS), interval=None)
    (fragile,) = (note for note in iaa.page(found).answer if note.code == "fragile")
    assert fragile.values["on_vote"] == 12  # two against one on three of five
    assert found.attrs["least_certainty"] == 2 / 3 == float(found.certainty.min())


@pytest.mark.parametrize(("labels", "ordered"), [((1, 2), 1), (("x", "y"), 0)])
def test_ties_of_a_scale_go_to_its_lower_end_and_the_page_says_so(labels, ordered) -> None:
    page = iaa.page(iaa.gold(iaa.from_wide([labels, labels[::-1], labels[:1] * 2])))
    assert page.results[""].attrs["labels_ordered"] == ordered
    assert page.results[""]["gold"].values.tolist() == [labels[0]] * 3
    assert ("taken_lower" in codes_on(page)) == bool(ordered)


def test_agreement_is_left_to_files_where_skill_is_the_same_share() -> None:
    ratings = iaa.from_wide(ROWS)
    for method, shown in (("majority", False), ("dawid_skene", True)):
        page = iaa.page(iaa.gold(ratings, method, interval=None))
        (annotators,) = (table for table in page.tables if table.id == "annotators")
        assert ("agreement" in {column.key for column in annotators.visible}) == shown
        assert "agreement" in {column.key for column in annotators.columns}


def test_with_control_items_the_weakest_is_whom_to_talk_to() -> None:
    known = ["a", "b", "b", "a", "a"] * 4
    ratings = iaa.from_wide(ROWS).assign_coords(known=("item", known))
    found = iaa.gold(ratings, control="known", interval=None)
    codes = codes_on(iaa.page(found))
    assert "next_control" in codes
    assert "next_known" not in codes
    (step,) = (note for note in notes_on(iaa.page(found)) if note.code == "next_control")
    right = found["control_agreement"]
    assert step.values["weakest"] == right["annotator"].values[right.values.argmin()]
