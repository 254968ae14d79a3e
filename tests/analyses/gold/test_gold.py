"""Gold labels: what is decided on every kind of ratings, and by whom."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.catalog.labelling import METHODS
from iaa_jax.wording import load_notes
from tests.analyses.made import by_slot, random_rows, wide
from tests.reference.aggregation import AggregationCase, aggregation_cases

TIED = [["a", "b"], ["b", "b"], ["c", "a"], [None, None], [None, "c"]]


def test_a_tied_item_takes_the_first_label_or_none_and_all_winners_can_be_read() -> None:
    first = iaa.gold(iaa.from_wide(TIED, labels=["a", "b", "c"]))
    assert first.gold.values.tolist() == ["a", "b", "a", "", "c"]
    assert first.tied.values.tolist() == [True, False, True, False, False]
    assert first.decided_by.values.tolist() == ["tie", "method", "tie", "nobody", "method"]
    assert first.winner.values.tolist() == [
        [True, True, False],
        [False, True, False],
        [True, False, True],
        [False, False, False],
        [False, False, True],
    ]
    none = iaa.gold(iaa.from_wide(TIED, labels=["a", "b", "c"]), ties="none")
    assert none.gold.values.tolist() == ["", "b", "", "", "c"]
    assert none.gold_code.values.tolist() == [-1, 1, -1, -1, 2]
    np.testing.assert_array_equal(none.winner, first.winner)
    np.testing.assert_allclose(first.certainty, [0.5, 1, 0.5, np.nan, 1])
    np.testing.assert_allclose(first.margin, [0, 1, 0, np.nan, 1])


def test_ties_of_ordered_labels_go_to_the_middle_where_asked() -> None:
    rows = [["a", "c", "d"], ["a", "b", None], ["a", "d", "d"], ["b", "d", None]]
    found = iaa.gold(iaa.from_wide(rows, labels=[*"abcd"]), ties="median")
    assert found.gold.values.tolist() == ["c", "a", "d", "b"]
    np.testing.assert_allclose(found.certainty, [1 / 3, 1 / 2, 2 / 3, 1 / 2])
    said = " ".join(str(iaa.page(found)).split())
    assert "or between two for the lower one, which biases gold labels towards 'a'" in said
    with pytest.raises(iaa.IaaError, match="labels in an order"):
        iaa.gold(iaa.from_wide(rows), ties="median")


def test_the_conclusion_counts_what_deserves_a_look() -> None:
    attrs = iaa.gold(iaa.from_wide(TIED)).attrs
    assert attrs["conclusion"] == "tied"
    names = ("gold_items", "tied_items", "one_vote_items", "unsure_items", "mean_certainty")
    assert [attrs[name] for name in names] == [4, 2, 1, 2, pytest.approx(2 / 3)]
    assert (attrs["ties_became"], attrs["ties_became_items"]) == ("a", 2)
    text = " ".join(str(iaa.page(iaa.gold(iaa.from_wide(TIED)))).split())
    assert "2 of them became 'a'" in text
    assert "1 item has a single vote, so that nobody knows how certain it is" in text
    assert "On average 66.7 % of the votes support the gold label (items with two votes" in text
    assert iaa.gold(iaa.from_wide([["a", "a"], ["b", "b"]])).conclusion == "decided"


def test_rows_that_stand_for_several_items_count_as_often() -> None:
    table = iaa.from_contingency([[3, 2], [0, 4]], labels=["x", "y"])
    found = iaa.gold(table)
    assert (found.gold_items, found.tied_items) == (9, 2)
    assert found.mean_certainty == pytest.approx((7 + 2 / 2) / 9)
    assert found.gold_count.values.tolist() == [5, 4]
    assert found.ratings.values.tolist() == [9, 9]
    # of two annotators each vote wins alone or shares a tie
    np.testing.assert_allclose(found.skill, [(7 + 1) / 9] * 2)


def test_labels_that_are_numbers_stay_numbers() -> None:
    whole = iaa.gold(iaa.from_wide([[1, 1], [3, 3]])).gold
    assert whole.values.tolist() == [1, 3]
    assert whole.dtype == np.int64
    some = iaa.gold(iaa.from_wide([[1, 1], [None, None], [1, 3]]), ties="none").gold
    np.testing.assert_array_equal(some, [1, np.nan, np.nan])
    text = iaa.gold(iaa.from_wide([["1", "1"], [None, None]])).gold
    assert text.values.tolist() == ["1", ""]


@pytest.mark.parametrize("form", [wide, by_slot])
def test_majority_is_the_most_frequent_label_by_a_plain_count(form) -> None:
    rows = random_rows(3)
    found = iaa.gold(form(rows))
    for row, gold, certainty in zip(rows, found.gold.values, found.certainty.values, strict=True):
        counted = Counter(label for label in row if label is not None)
        most = max(counted.values())
        assert gold == min(label for label, count in counted.items() if count == most)
        assert certainty == pytest.approx(most / counted.total())


def doubles() -> xr.Dataset:
    columns = {
        "item": [1, 1, 1, 2, 2],
        "annotator": list("ABCAB"),
        "label": list("aabba"),
        "secondary": [None, "c", "c", "a", "c"],
    }
    return iaa.from_long(columns, secondary="secondary", labels=["a", "b", "c"])


def test_a_secondary_label_has_its_share_of_the_vote() -> None:
    found = iaa.gold(doubles(), p=0.6)
    np.testing.assert_allclose(found.probability.values[0], [1.6 / 3, 0.6 / 3, 0.8 / 3])
    np.testing.assert_allclose(found.probability.values[1], [0.5, 0.3, 0.2])
    assert found.votes.values.tolist() == [3, 2]
    assert iaa.gold(doubles()).tied.values.tolist() == [False, True]
    assert found.label_given.values.tolist() == [["a", "a / c", "b / c"], ["b / a", "a / c", ""]]


def test_shares_of_labels_are_votes() -> None:
    mass = [[[0.7, 0.3], [0.2, 0.8]], [[1, 0], [np.nan, np.nan]]]
    found = iaa.gold(iaa.from_mass(mass, labels=["x", "y"]))
    np.testing.assert_allclose(found.probability, [[0.45, 0.55], [1, 0]])
    assert found.gold.values.tolist() == ["y", "x"]
    assert found.label_given.values.tolist() == [["x 0.7, y 0.3", "x 0.2, y 0.8"], ["x", ""]]


def test_counts_have_a_majority_and_no_skills() -> None:
    found = iaa.gold(iaa.from_counts([[3, 1], [2, 2], [0, 0]], labels=["x", "y"]))
    assert found.gold.values.tolist() == ["x", "x", ""]
    assert found.votes_by_label.values.tolist() == ["x: 3; y: 1", "x: 2; y: 2", ""]
    for name in ("skill", "agreement", "kappa"):
        assert np.isnan(found[name]).all()
    assert "label_given" not in found


@pytest.mark.parametrize(
    ("ratings", "keywords", "words"),
    [
        (
            iaa.from_counts([[3, 1]]),
            {"method": "wawa"},
            "without annotators: use method='majority'",
        ),
        (iaa.from_values([[1.0, 2.0]]), {}, "iaa.items has the mean of each item"),
        (
            iaa.from_spans({"d": {"A": [(0, 2, "x")], "B": []}}),
            {},
            "iaa.gold.spans gives gold spans",
        ),
        (iaa.from_sets([[["a"], ["b"]]]), {"method": "dawid_skene"}, "sets of labels: use method="),
        (iaa.from_wide(TIED), {"p": 0.6}, "p=0.6 changes nothing for ratings without secondary"),
        (iaa.from_wide(TIED), {"coefficient": "am_agreement"}, "is about sets of labels"),
        (iaa.from_wide(TIED), {"method": "best"}, "method must be one of majority, "),
        (iaa.from_wide(TIED), {"ties": "skip"}, "ties must be one of first, none"),
        (iaa.from_sets([[["a"], []]]), {"method": "expert_coder_index"}, "there is one label"),
    ],
)
def test_what_does_not_go_together_is_refused(ratings, keywords, words) -> None:
    with pytest.raises(iaa.IaaError) as refused:
        iaa.gold(ratings, **keywords)
    assert words in str(refused.value)


CASES = aggregation_cases("expert_coder_index")


@pytest.mark.parametrize("case", [x for x in CASES if not x.repeated], ids=lambda case: case.id)
def test_the_expert_coder_index_is_that_of_the_reference(case: AggregationCase) -> None:
    found = iaa.gold(case.ratings(), "expert_coder_index")
    index = dict(zip(found.annotator.values, found.skill.values, strict=True))
    expected = {name: np.nan if x is None else x for name, x in case.expected["index"].items()}
    assert index == pytest.approx(expected, abs=case.abs_tol, nan_ok=True)
    for name in ("gold", "decided_by"):
        assert dict(zip(found.item.values, found[name].values, strict=True)) == case.expected[name]


def test_every_method_is_named_where_it_is_asked_for() -> None:
    assert all(f'"{name}"' in iaa.gold.__doc__ for name in METHODS)


@pytest.mark.parametrize("share", [0.06, 0.5])
def test_who_is_no_better_than_chance_is_named(share: float) -> None:
    """Clickers are; honest workers are not who met hardly any item of a rare label."""
    named: Counter[str] = Counter()
    for seed in range(4):
        rng = np.random.default_rng(seed)
        truth = rng.random(600) < share
        clicks, honest = rng.random((2, 600, 40)) < np.array([0.5, 0.95])[:, None, None]
        given = np.where(np.arange(40) < 2, clicks, truth[:, None] == honest)
        rated = rng.random((600, 40)).argsort(axis=1) < rng.integers(3, 6, 600)[:, None]
        rows = np.where(rated, given.astype(int), -1)
        found = iaa.gold(iaa.from_wide(np.where(rated, np.array(["n", "y"])[rows], None)))
        for note in load_notes(found.notes):
            if note.code == "hardly":
                named.update(note.values["names"])
                assert "with two standard errors more" in " ".join(str(iaa.page(found)).split())
    clickers = [str(found.annotator.values[k]) for k in (0, 1)]
    assert set(named) == set(clickers)
    assert named.total() >= 4
