"""Sets with a cause each, and what tells whether it is named."""

from __future__ import annotations

import numpy as np

import iaa_jax as iaa
from findings_study.drawing import (
    ANNOTATORS,
    ITEMS,
    LABELS,
    NAMES,
    Drawn,
    dataset,
    large_crowd,
    names,
    numbers,
    of_numbers,
    of_sets,
    of_spans,
    of_steps,
    rated,
    repeated,
    steps,
    truth,
    two_of_eight,
)


def exchanged(random: np.random.Generator) -> Drawn:
    true = truth(random, shares=[0.075, 0.075, 0.3, 0.3, 0.25])
    codes = rated(random, true)
    turned = np.array([1, 0, 2, 3, 4])
    codes[:, 2] = turned[codes[:, 2]]
    return dataset(codes), names("exchanged_labels", annotator="cat", label="a", other_label="b")


def one_for_another(random: np.random.Generator) -> Drawn:
    true = truth(random, shares=[0.075, 0.075, 0.3, 0.3, 0.25])
    codes = rated(random, true)
    codes[codes[:, 2] == 1, 2] = 0
    wanted = {"annotator": "cat", "label": "a", "other_label": "b"}
    return dataset(codes), names("one_for_another", **wanted)


def guesses(random: np.random.Generator) -> Drawn:
    codes = rated(random, truth(random))
    any_label = random.integers(0, LABELS, ITEMS)
    codes[:, 1] = np.where(random.random(ITEMS) < 0.5, any_label, codes[:, 1])
    return dataset(codes), names("guesses", annotator="bob")


def favours(random: np.random.Generator) -> Drawn:
    codes = rated(random, truth(random))
    codes[:, 1] = np.where(random.random(ITEMS) < 0.3, 3, codes[:, 1])
    return dataset(codes), names("favours_label", annotator="bob", label="d")


def changed(random: np.random.Generator) -> Drawn:
    true = truth(random, 200)
    right = np.full((200, ANNOTATORS), 0.92)
    right[100:, 3] = 0.6
    return dataset(rated(random, true, right=right)), names("changed", annotator="dan")


def stopped(random: np.random.Generator) -> Drawn:
    codes = rated(random, truth(random))
    gaps = np.zeros(codes.shape, dtype=bool)
    gaps[ITEMS * 2 // 3 :, 3] = True
    return dataset(codes, gaps=gaps), names("stopped", annotator="dan")


def confused(random: np.random.Generator) -> Drawn:
    codes = rated(random, truth(random), right=0.95)
    either = codes < 2
    codes = np.where(either & (random.random(codes.shape) < 0.3), 1 - codes, codes)
    return dataset(codes), names("confused_pair", label="a", other_label="b")


def hard(random: np.random.Generator) -> Drawn:
    true = truth(random, 200)
    source = np.where(np.arange(200) % 2, "news", "chat").astype(object)
    right = np.where(source == "news", 0.92, 0.6)[:, None]
    ratings = dataset(rated(random, true, right=right))
    ratings = ratings.assign_coords(source=("item", source))
    return ratings, names("hard_group", column="source", group="chat")


def severe(random: np.random.Generator) -> Drawn:
    values = numbers(random)
    values[:, 0] -= 0.5 * values.std()
    return of_numbers(values), names("severe", annotator="ann")


def scale_use(random: np.random.Generator) -> Drawn:
    values = numbers(random)
    values[:, 0] = 50 + (values[:, 0] - 50) / 2
    return of_numbers(values), names("scale_use", annotator="ann")


def leaves_out(random: np.random.Generator) -> Drawn:
    holds = random.random((ITEMS, 4)) < 0.15
    holds[:60, 0], holds[60:, 0] = True, False
    given = np.where(holds[:, None, :], 0.85, 0.03)
    sets = random.random((ITEMS, ANNOTATORS, 4)) < given
    sets[:, 3, 0] &= random.random(ITEMS) < 0.5
    return of_sets(sets), names("leaves_label_out", annotator="dan", label="a")


def marks_less(random: np.random.Generator) -> Drawn:
    return of_spans(random, [0.85, 0.85, 0.425, 0.85]), names("marks_less", annotator="cat")


def near_ends(random: np.random.Generator) -> Drawn:
    """One takes the blank or comma behind a span into it, in 30 % of the spans."""
    documents: dict[str, dict[str, list[tuple[int, int, str]]]] = {}
    for number in range(60):
        starts = np.sort(random.choice(60, size=random.integers(5, 12), replace=False)) * 12
        true = [(int(at), int(at + random.integers(3, 8)), "X") for at in starts]
        seen = {who: [span for span in true if random.random() < 0.85] for who in NAMES[:4]}
        seen["bob"] = [(at, end + int(random.random() < 0.3), x) for at, end, x in seen["bob"]]
        documents[f"d{number:02}"] = seen
    return iaa.from_spans(documents), names("near_ends", annotator="bob")


def beside_partners(random: np.random.Generator) -> Drawn:
    codes = rated(random, truth(random, 800), 8)
    codes[:, 5] = np.where(random.random(800) < 0.3, 3, codes[:, 5])
    return two_of_eight(random, codes), names("favours_label", annotator="fay", label="d")


def severe_steps(random: np.random.Generator) -> Drawn:
    codes = steps(random)
    codes[:, 1] = np.maximum(codes[:, 1] - (random.random(ITEMS) < 0.6), 1)
    return of_steps(codes), names("severe", annotator="bob")


def farther_steps(random: np.random.Generator) -> Drawn:
    codes = steps(random)
    away = random.choice([-2, 2], ITEMS) * (random.random(ITEMS) < 0.5)
    codes[:, 1] = np.clip(codes[:, 1] + away, 1, 5)
    return of_steps(codes), names("guesses", annotator="bob")


def asked_again(random: np.random.Generator) -> Drawn:
    return repeated(random, 0.2, 0.9, 30), names("self_disagreement", annotator="")


def one_asked_again(random: np.random.Generator) -> Drawn:
    slips = np.array([0.03, 0.03, 0.3, 0.03])
    return repeated(random, slips, 0.9, 60), names("self_disagreement", annotator="cat")


def one_answer(random: np.random.Generator) -> Drawn:
    ratings = large_crowd(random, [0.6, 0.1, 0.1, 0.1, 0.1], alone=15)
    return ratings, names("one_answer", label="a")


def copied(random: np.random.Generator) -> Drawn:
    codes = rated(random, truth(random, 60))
    codes[:, 3] = codes[:, 1]
    return dataset(codes), names("same_ratings", annotator="bob", group="dan")


_OF_LABELS = (exchanged, one_for_another, guesses, favours, changed, stopped, confused, hard)
_OF_OTHERS = (severe, scale_use, leaves_out, marks_less, asked_again, one_asked_again, one_answer)
_OF_ALL = (
    *_OF_LABELS,
    copied,
    *_OF_OTHERS,
    near_ends,
    beside_partners,
    severe_steps,
    farther_steps,
)
CAUSES = {each.__name__: each for each in _OF_ALL}
