"""Control items: who knows them, what they teach, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax import IaaError
from iaa_jax.catalog.labelling import METHODS
from tests.analyses.made import random_rows, wide
from tests.noted import codes_on, notes_of
from tests.reference.aggregation import aggregation_cases
from tests.taken import one_of

MODELS = [name for name, row in METHODS.items() if row.modelled]


def ratings(seed: int = 0) -> Any:
    return wide(random_rows(seed, 30, 5))


def reference() -> Any:
    (case,) = aggregation_cases("gold_weighted_vote")
    return case


def test_the_vote_weighted_by_control_items() -> None:
    case = reference()
    result = iaa.gold(case.ratings(), "wawa", control=case.options["control_items"])
    skills = dict(zip(result.annotator.values.tolist(), result.skill.values.tolist(), strict=True))
    assert skills == pytest.approx(case.expected["skills"], abs=case.abs_tol)
    for item, wanted in case.expected["probabilities"].items():
        shares = result.probability.sel(item=item).values.tolist()
        found = dict(zip(result.label.values.tolist(), shares, strict=True))
        assert found == pytest.approx(wanted, abs=case.abs_tol)
    assert result.sel(item=["t1", "t2"]).gold.values.tolist() == ["yes", "yes"]
    assert result.sel(item=["t1", "t2"]).decided_by.values.tolist() == ["control", "control"]
    assert result.control_items.values.tolist() == [2, 2, 1, 2, 2]
    np.testing.assert_allclose(result.control_agreement, result.skill)


@pytest.mark.parametrize("method", one_of(4, METHODS))
def test_a_known_label_is_certain_whatever_the_votes(method: str) -> None:
    rows = [["b", "b", "b"], ["a", None, None], [None, None, None], ["a", "a", "b"]]
    data = wide([*rows, *[["b", "a", "b"], ["a", "a", "a"], ["a", "b", None]] * 4])
    result = iaa.gold(data, method, control={0: "a", 1: "b", 2: "b"}, replicates=200)
    known = result.isel(item=[0, 1, 2])
    assert known.gold.values.tolist() == ["a", "b", "b"]
    assert not known.tied.any()
    assert (result.decided_by == "control").sum() == 3
    if method in MODELS:
        assert (known.probability.max("label") == 1).all()
    for name in ("certainty", "certainty_ci_low", "certainty_ci_high", "stable"):
        assert (known[name] == 1).all(), name
    sets = [known.label.values[row].tolist() for row in known.credible.values]
    assert sets == [["a"], ["b"], ["b"]]
    assert not known.annotators_decisive.any()
    assert (known.decisive_annotator == "").all()
    if "decided_by_one_vote" in known:
        assert not known.decided_by_one_vote.any()
    assert result.gold_changed.sum() == result.annotators_decisive.sum()


def test_the_share_expected_right_is_that_of_labels_that_were_not_known() -> None:
    data = ratings()
    control = dict.fromkeys(data.item.values.tolist()[:20], "a")
    result = iaa.gold(data, "dawid_skene", control=control, replicates=200)
    assert float(result.expected_right) < float(result.mean_certainty) + 0.02
    everything = dict.fromkeys(data.item.values.tolist(), "a")
    all_known = iaa.gold(data, "dawid_skene", control=everything, replicates=200)
    assert np.isnan(all_known.expected_right)


@pytest.mark.parametrize(
    "method", one_of(3, ["wawa", "zero_based_skill", "dawid_skene", "mace", "glad"])
)
def test_who_answers_control_items_right_counts_more(method: str) -> None:
    data = ratings()
    first = data.primary.values[:, 0]
    items = [int(item) for item in np.flatnonzero(first >= 0)[:12]]
    control = {data.item.values.tolist()[i]: data.label.values.tolist()[first[i]] for i in items}
    plain = iaa.gold(data, method, interval=None)
    held = iaa.gold(data, method, control=control, interval=None)
    assert held.control_agreement.values[0] == 1
    assert held.skill.values[0] > plain.skill.values[0]


def test_an_annotator_without_control_items_has_the_usual_skill() -> None:
    rows = [["a", "a", "b"], ["b", "b", "b"], ["a", "b", None], ["b", "a", None]]
    result = iaa.gold(wide(rows), "wawa", control={2: "a", 3: "b"}, interval=None)
    assert result.control_items.values.tolist() == [2, 2, 0]
    assert np.isnan(result.control_agreement.values[2])
    assert result.skill.values.tolist() == [1, 0, 0.5]


@pytest.mark.parametrize("method", ["dawid_skene", "wawa"])
def test_items_alike_but_for_their_control_label_are_told_apart(method: str) -> None:
    rows = [["a", "b", "a"]] * 4 + [["b", "b", "a"]] * 4
    result = iaa.gold(wide(rows), method, control={0: "b", 1: "a", 5: "a"}, interval=None)
    assert result.gold.values[:2].tolist() == ["b", "a"]
    assert result.decided_by.values.tolist().count("control") == 3
    assert result.ratings.values.tolist() == [8, 8, 8]


def test_a_coordinate_says_which_labels_are_known() -> None:
    data = ratings()
    labels = [""] * 30
    labels[4], labels[9] = "b", "c"
    known = data.assign_coords(truth=("item", labels))
    by_name = iaa.gold(known, "dawid_skene", control="truth", interval=None)
    by_item = iaa.gold(data, "dawid_skene", control={4: "b", 9: "c"}, interval=None)
    np.testing.assert_array_equal(by_name.probability, by_item.probability)


def test_numbers_of_a_column_with_gaps_are_labels() -> None:
    data = iaa.from_wide([[1, 2], [2, 2], [1, 1]]).assign_coords(
        truth=("item", [2.0, np.nan, np.nan])
    )
    assert iaa.gold(data, control="truth", interval=None).gold.values.tolist() == [2, 2, 1]


def test_weights_are_repeated_items() -> None:
    table = iaa.from_contingency([[3, 2], [1, 4]], labels=["x", "y"])
    item = table.item.values.tolist()[1]
    weighted = iaa.gold(table, "wawa", control={item: "x"}, interval=None)
    assert weighted.control_items.values.tolist() == [2, 2]
    assert weighted.control_agreement.values.tolist() == [1, 0]


def test_the_mean_certainty_is_that_of_labels_that_were_not_known() -> None:
    data = wide([["a", "a", "b"], ["b", "b", "b"]])
    for known in ({"control": {1: "b"}}, {"adjudicated": {1: "b"}}):
        assert iaa.gold(data, **known, interval=None).mean_certainty == pytest.approx(2 / 3)
    all_known = iaa.gold(data, control={0: "a", 1: "b"}, interval=None)
    assert np.isnan(all_known.mean_certainty)
    for settled, source in (
        ({1: "b"}, ", 1 by majority and 1 by adjudication."),
        ({0: "a", 1: "b"}, " by adjudication."),
    ):
        page = str(iaa.page(iaa.gold(data, adjudicated=settled, interval=None)))
        assert page.startswith(f"2 items have a gold label{source}")


@pytest.mark.parametrize(
    ("control", "words"),
    [
        ({99: "a"}, ["99", "do not have"]),
        ({1: "z", 2: "w"}, ["'z', 'w'", "'a', 'b', 'c'"]),
        ("truth", ["truth", "no column along items"]),
        ({}, ["no item has a known label"]),
        (["a"], ["labels by item"]),
    ],
)
def test_what_is_unknown_is_refused_by_name(control: Any, words: list[str]) -> None:
    with pytest.raises(IaaError) as error:
        iaa.gold(ratings(), control=control)
    for word in words:
        assert word in str(error.value)


def test_sets_have_no_control_items() -> None:
    sets = iaa.from_sets([[["a"], ["a", "b"]], [["b"], ["b"]]])
    with pytest.raises(IaaError, match="one label per item"):
        iaa.gold(sets, control={0: "a"})


def test_entropies_of_items_and_skills_are_those_of_other_programs() -> None:
    (case,) = aggregation_cases("data_metrics")
    entropy = iaa.items(case.ratings())["entropy"]
    nats = entropy.values * np.log(2)  # ours is scaled: 1 is an even split among two labels
    found = dict(zip(entropy["item"].values.tolist(), nats.tolist(), strict=True))
    assert found == pytest.approx(case.expected["item_entropy_nats"], abs=case.abs_tol)
    mean = case.expected["mean_item_entropy_nats"]
    assert nats.mean() == pytest.approx(mean, abs=case.abs_tol)


def test_the_command_takes_a_column_of_known_labels(iaa: Any, ran: Any, folder: Any) -> None:
    lines = ["item,annotator,label,truth"]
    for item, labels in enumerate(("aab", "abb", "bbb", "aaa")):
        known = "b" if item == 0 else ""
        lines += [
            f"t{item},{who},{label},{known}" for who, label in zip("xyz", labels, strict=True)
        ]
    (folder / "r.csv").write_text("\n".join(lines) + "\n")
    ran("gold", "r.csv", "--method", "one_coin", "--control", "truth", "--restarts", "3")
    refused = iaa("gold", "r.csv", "--control", "nothing")
    assert refused.exit_code == 1
    assert "nothing" in refused.stderr


@pytest.mark.parametrize("method", ["majority", "dawid_skene"])
def test_labels_that_no_annotator_gave_are_counted(method: str) -> None:
    """A model may prefer a label that nobody gave the item; votes cannot."""
    rng = np.random.default_rng(3)
    rows = rng.choice(list("abcd"), (60, 3), p=[0.4, 0.3, 0.2, 0.1])
    result = iaa.gold(iaa.from_wide(rows), method, interval=None)
    ungiven = [
        label not in row for label, row in zip(result.gold.values, rows.tolist(), strict=True)
    ]
    assert result.attrs["ungiven_items"] == sum(ungiven)
    assert any(ungiven) == (method == "dawid_skene")
    code = "labels_given_by_nobody"
    noted = [note.values["items"] for note in notes_of(result, code)]
    assert noted == [sum(ungiven)] * any(ungiven)
    assert result.disputed.values[ungiven].all()  # so they stand on the sheet
    assert (code in [note.code for note in iaa.page(result).answer]) == any(ungiven)


def test_where_every_label_was_known_nothing_is_said_of_votes() -> None:
    given = ratings()
    known = dict.fromkeys(given["item"].values.tolist(), str(given["label"].values[0]))
    result = iaa.gold(given, control=known, interval=None)
    assert np.isnan(result.attrs["mean_certainty"])
    assert result.attrs["ungiven_items"] == 0
    codes = codes_on(iaa.page(result))
    assert "gold_known" in codes
    assert not {"sure_votes", "how_sure_votes", "gold_decided"} & {*codes}
