"""Somebody else in the place of an annotator."""

from __future__ import annotations

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from tests.analyses.made import LABELS, random_rows, wide
from tests.noted import notes_on
from tests.oracles import krippendorff_alpha, single_labels
from tests.oracles.panels import with_echo, with_expert


def alpha(rows) -> float:
    return krippendorff_alpha(single_labels(rows), labels=LABELS).estimate


def test_experts_and_echoes_are_what_loops_make_of_them() -> None:
    rows = random_rows(1)
    found = iaa.panels.what_if(wide(rows), draws=2)
    annotators = range(len(rows[0]))
    np.testing.assert_allclose(found.estimate, alpha(rows), atol=1e-12)
    experts = [alpha(with_expert(rows, a)) for a in annotators]
    np.testing.assert_allclose(found.with_expert, experts, atol=1e-12)
    echoes = [[alpha(with_echo(rows, a, b)) for b in annotators if b != a] for a in annotators]
    np.testing.assert_allclose(found.with_echo, np.mean(echoes, axis=1), atol=1e-12)
    np.testing.assert_allclose(found.echo_high, np.max(echoes, axis=1), atol=1e-12)


def test_a_spammer_agrees_by_chance_alone() -> None:
    """Among two annotators, alpha with one who guesses is 0 but for chance."""
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, 300)
    found = iaa.panels.what_if(
        iaa.from_wide(np.array(list("xyz"))[np.stack([truth, truth], axis=1)])
    )
    assert found.position.values.tolist() == [1, 1]
    np.testing.assert_allclose(found.with_spammer, 0, atol=4 * 0.058 / np.sqrt(200))
    assert (found.spammer_low < 0).all()
    assert (found.spammer_high > 0).all()


def test_the_ends_of_spammers_are_named_as_in_the_table() -> None:
    rng = np.random.default_rng(4)
    truth, drawn = rng.integers(0, 3, (100, 1)), rng.integers(0, 3, (100, 4))
    right = rng.random((100, 4)) < [0.9, 0.2, 0.7, 0.8]
    found = iaa.panels.what_if(iaa.from_wide(np.array(list("xyz"))[np.where(right, truth, drawn)]))
    (note,) = (note for note in notes_on(iaa.page(found)) if note.code == "spammer_costs")
    for end in ("low", "high"):
        of_name = found.with_spammer.sel(annotator=note.values[f"{end}_name"])
        assert note.values[end] == float(of_name)


def test_who_guesses_stands_by_the_spammer() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 400)
    rows = np.stack([truth, truth, truth, rng.integers(0, 3, 400)], axis=1)
    position = iaa.panels.what_if(iaa.from_wide(np.array(list("xyz"))[rows])).position.values
    assert abs(position[3]) < 0.1
    np.testing.assert_allclose(position[:3], 1)


def test_gold_labels_are_what_an_expert_gives() -> None:
    rows = random_rows(4)
    gold = [LABELS[k % len(LABELS)] for k in range(len(rows))]
    gold[0] = ""
    found = iaa.panels.what_if(wide(rows), gold=gold, draws=2)
    replaced = with_expert(rows, 1)
    for row, label in zip(replaced, gold, strict=True):
        if row[1] is not None and label:
            row[1] = label
    assert float(found.with_expert[1]) == pytest.approx(alpha(replaced), abs=1e-12)
    assert found.attrs["expert"] == "gold"


def test_other_kinds_of_ratings() -> None:
    rng = np.random.default_rng(5)
    numbers = iaa.from_values(rng.normal(size=(30, 1)) + 0.3 * rng.normal(size=(30, 3)))
    found = iaa.panels.what_if(numbers, draws=50)
    assert (found.with_spammer < found.estimate).all()
    assert (found.with_expert > found.estimate).all()
    sets = iaa.from_sets([[["x"], ["x", "y"], ["x"]], [["y"], ["y"], ["z"]], [[], [], ["x"]]] * 8)
    found = iaa.panels.what_if(sets, draws=50)
    assert (found.with_expert >= found.with_spammer).all()


def test_missing_ratings_stay_missing_and_weights_are_repetitions() -> None:
    rows = random_rows(6)
    weight = np.arange(len(rows)) % 3 + 1
    weighted = wide(rows).assign(item_weight=("item", weight))
    repeated = wide([row for row, times in zip(rows, weight, strict=True) for _ in range(times)])
    found, expected = (iaa.panels.what_if(ratings, draws=20) for ratings in (weighted, repeated))
    for name in ("with_expert", "with_echo", "with_spammer", "spammer_low", "spammer_high"):
        np.testing.assert_allclose(found[name], expected[name], atol=1e-12)


def test_some_annotators_and_seeds() -> None:
    ratings = wide(random_rows(7))
    every = iaa.panels.what_if(ratings, draws=20)
    names = ratings["annotator"].values.tolist()
    some = iaa.panels.what_if(ratings, annotators=[names[2]], draws=20)
    assert some["annotator"].values.tolist() == [names[2]]
    np.testing.assert_allclose(some.with_spammer, every.with_spammer[2:3])
    other = iaa.panels.what_if(ratings, draws=20, seed=1)
    assert not np.allclose(other.with_spammer, every.with_spammer)
    np.testing.assert_allclose(other.with_expert, every.with_expert)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"annotators": ["nobody"]}, "nobody"),
        ({"draws": 0}, "draws"),
        ({"gold": ["q"]}, "shape"),
    ],
)
def test_what_does_not_fit_is_refused(options, words) -> None:
    with pytest.raises(IaaError, match=words):
        iaa.panels.what_if(wide(random_rows(1)), **options)


def test_spans_and_crowds_are_refused() -> None:
    spans = iaa.from_spans({"d": {"ann": [(0, 2, "x")], "bob": [(0, 2, "x")]}})
    with pytest.raises(IaaError, match=r"iaa_jax\.annotators"):
        iaa.panels.what_if(spans)
    with pytest.raises(IaaError, match="do not say who rated"):
        iaa.panels.what_if(iaa.from_counts([[3, 0], [1, 2]], labels=["x", "y"]))
