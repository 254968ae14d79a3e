"""How often `iaa_jax.findings` names a cause that is there, and one that is not.

    python benchmarks/findings.py [--sets 300] [--clean 84] [--only NAME] [--write]

Sets are drawn as docs/findings.md says. Of each cause the share is printed of sets in which it is
named (its kind, and whom and what it is about), and of other causes named beside it; of each kind
of clean sets the share in which any is.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import xarray as xr

sys.path[:0] = [str(Path(__file__).parents[1])]

import iaa_jax as iaa  # noqa: E402

ITEMS, ANNOTATORS, LABELS = 400, 4, 5
RIGHT = 0.85
NAMES = ["ann", "bob", "cat", "dan", "eve", "fay", "guy", "hal"]
LETTERS = np.array(["a", "b", "c", "d", "e", "f", "g", "h"], dtype=object)
DAYS = np.datetime64("2026-01-05")

Drawn = tuple[xr.Dataset, Callable[[xr.Dataset], bool]]


def truth(random: np.random.Generator, items: int = ITEMS, shares: object = None) -> np.ndarray:
    """The label of each item."""
    p = np.full(LABELS, 1 / LABELS) if shares is None else np.asarray(shares)
    return random.choice(len(p), size=items, p=p)


def rated(
    random: np.random.Generator,
    true: np.ndarray,
    annotators: int = ANNOTATORS,
    right: object = RIGHT,
    labels: int = LABELS,
) -> np.ndarray:
    """Codes (item, annotator): right with a probability, else any other label."""
    shape = (len(true), annotators)
    wrong = (true[:, None] + random.integers(1, labels, shape)) % labels
    return np.where(random.random(shape) < right, true[:, None], wrong)


def dataset(codes: np.ndarray, *, gaps: np.ndarray | None = None, dates: bool = True) -> xr.Dataset:
    """Codes as ratings, with dates in the order of the items; ``gaps`` are not rated."""
    table = LETTERS[codes]
    if gaps is not None:
        table[gaps] = None
    ratings = iaa.from_wide(table)
    ratings = ratings.assign_coords(annotator=np.array(NAMES[: codes.shape[1]], dtype=object))
    if dates:
        stamps = DAYS + (np.arange(len(ratings["item"])) // 20).astype("timedelta64[D]")
        ratings = ratings.assign_coords(day=("item", stamps.astype("datetime64[ns]")))
    return ratings


def names(kind: str, **wanted: str) -> Callable[[xr.Dataset], bool]:
    """Whether a finding is of a kind, and is about what it should be."""

    def is_there(result: xr.Dataset) -> bool:
        told = (result[name].values.tolist() for name in ("kind", *wanted))
        return (kind, *wanted.values()) in zip(*told, strict=True)

    return is_there


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


def _numbers(random: np.random.Generator) -> np.ndarray:
    level = random.normal(50, 10, (ITEMS, 1))
    return level + random.normal(0, 5, (ITEMS, ANNOTATORS))


def _of_numbers(values: np.ndarray) -> xr.Dataset:
    ratings = iaa.from_values(values)
    return ratings.assign_coords(annotator=np.array(NAMES[: values.shape[1]], dtype=object))


def severe(random: np.random.Generator) -> Drawn:
    values = _numbers(random)
    values[:, 0] -= 0.5 * values.std()
    return _of_numbers(values), names("severe", annotator="ann")


def scale_use(random: np.random.Generator) -> Drawn:
    values = _numbers(random)
    values[:, 0] = 50 + (values[:, 0] - 50) / 2
    return _of_numbers(values), names("scale_use", annotator="ann")


def leaves_out(random: np.random.Generator) -> Drawn:
    holds = random.random((ITEMS, 4)) < 0.15
    holds[:60, 0], holds[60:, 0] = True, False
    given = np.where(holds[:, None, :], 0.85, 0.03)
    sets = random.random((ITEMS, ANNOTATORS, 4)) < given
    sets[:, 3, 0] &= random.random(ITEMS) < 0.5
    return _of_sets(sets), names("leaves_label_out", annotator="dan", label="a")


def _of_sets(sets: np.ndarray) -> xr.Dataset:
    rows = [[{*LETTERS[: sets.shape[2]][holds]} for holds in row] for row in sets]
    ratings = iaa.from_sets(rows)
    return ratings.assign_coords(annotator=np.array(NAMES[: sets.shape[1]], dtype=object))


def _of_spans(random: np.random.Generator, kept: object = 0.85) -> xr.Dataset:
    """60 documents of about eight spans of three labels, each seen by each with a probability."""
    seen = np.broadcast_to(np.asarray(kept), (ANNOTATORS,))
    documents = {}
    for number in range(60):
        starts = np.sort(random.choice(60, size=random.integers(5, 12), replace=False)) * 10
        true = [
            (int(at), int(at + random.integers(2, 8)), "XYZ"[random.integers(3)]) for at in starts
        ]
        documents[f"d{number:02}"] = {
            NAMES[who]: [span for span in true if random.random() < seen[who]]
            for who in range(ANNOTATORS)
        }
    return iaa.from_spans(documents)


def marks_less(random: np.random.Generator) -> Drawn:
    return _of_spans(random, [0.85, 0.85, 0.425, 0.85]), names("marks_less", annotator="cat")


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


def _two_of_eight(random: np.random.Generator, codes: np.ndarray) -> xr.Dataset:
    """Two of eight annotators an item, each with all others in turn."""
    order = np.argsort(random.random(codes.shape), axis=1)
    return dataset(codes, gaps=order >= 2)


def beside_partners(random: np.random.Generator) -> Drawn:
    codes = rated(random, truth(random, 800), 8)
    codes[:, 5] = np.where(random.random(800) < 0.3, 3, codes[:, 5])
    return _two_of_eight(random, codes), names("favours_label", annotator="fay", label="d")


def _steps(random: np.random.Generator) -> np.ndarray:
    """Steps of a scale from 1 to 5, mostly next to the true one if not on it."""
    true = random.integers(1, 6, (ITEMS, 1))
    return np.clip(true + random.choice([-1, 0, 0, 0, 1], (ITEMS, ANNOTATORS)), 1, 5)


def _of_steps(codes: np.ndarray) -> xr.Dataset:
    ratings = iaa.from_wide(codes.tolist(), labels=[1, 2, 3, 4, 5])
    return ratings.assign_coords(annotator=np.array(NAMES[: codes.shape[1]], dtype=object))


def severe_steps(random: np.random.Generator) -> Drawn:
    codes = _steps(random)
    codes[:, 1] = np.maximum(codes[:, 1] - (random.random(ITEMS) < 0.6), 1)
    return _of_steps(codes), names("severe", annotator="bob")


def farther_steps(random: np.random.Generator) -> Drawn:
    codes = _steps(random)
    away = random.choice([-2, 2], ITEMS) * (random.random(ITEMS) < 0.5)
    codes[:, 1] = np.clip(codes[:, 1] + away, 1, 5)
    return _of_steps(codes), names("guesses", annotator="bob")


def _repeated(random: np.random.Generator, slips: object, right: float, again: int) -> xr.Dataset:
    """What each thinks of an item is right with a probability; then each answer may be a slip.

    The first items are rated again by all.
    """
    opinions = rated(random, truth(random), right=right)
    twice = np.column_stack([opinions, opinions])
    wrong = (twice + random.integers(1, LABELS, twice.shape)) % LABELS
    slipped = random.random(twice.shape) < np.tile(np.broadcast_to(slips, ANNOTATORS), 2)
    table = LETTERS[np.where(slipped, wrong, twice)]
    table[again:, ANNOTATORS:] = None
    names = [*NAMES[:ANNOTATORS], *(f"{name} (2)" for name in NAMES[:ANNOTATORS])]
    return iaa.from_wide(table).assign_coords(annotator=np.array(names, dtype=object))


def asked_again(random: np.random.Generator) -> Drawn:
    return _repeated(random, 0.2, 0.9, 30), names("self_disagreement", annotator="")


def one_asked_again(random: np.random.Generator) -> Drawn:
    slips = np.array([0.03, 0.03, 0.3, 0.03])
    return _repeated(random, slips, 0.9, 60), names("self_disagreement", annotator="cat")


def one_answer(random: np.random.Generator) -> Drawn:
    ratings = _large_crowd(random, [0.6, 0.1, 0.1, 0.1, 0.1], alone=15)
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


def _clean(
    annotators: int = ANNOTATORS,
    items: int = ITEMS,
    right: float = RIGHT,
    shares: object = None,
    missing: float = 0.0,
    hardness: float = 0.0,
) -> Callable[[np.random.Generator], xr.Dataset]:
    def draw(random: np.random.Generator) -> xr.Dataset:
        true = truth(random, items, shares)
        of_items = np.full((items, 1), right)
        if hardness:
            of_items = random.beta(right / hardness, (1 - right) / hardness, (items, 1))
        codes = rated(random, true, annotators, of_items)
        gaps = random.random(codes.shape) < missing
        ratings = dataset(codes, gaps=gaps)
        kinds = random.choice(np.array(["news", "chat", "blog"], dtype=object), items)
        documents = np.array([f"d{number:03}" for number in random.integers(0, items // 5, items)])
        columns = {"source": ("item", kinds), "document": ("item", documents.astype(object))}
        return ratings.assign_coords(
            {
                name: (axis, values[: ratings.sizes["item"]])
                for name, (axis, values) in columns.items()
            }
        )

    return draw


def _crowd(random: np.random.Generator) -> xr.Dataset:
    codes = rated(random, truth(random), 8)
    order = np.argsort(random.random(codes.shape), axis=1)
    return dataset(codes, gaps=order >= 3)


def _sets_of_two(random: np.random.Generator) -> xr.Dataset:
    holds = random.random((ITEMS, 4)) < 0.2
    sets = random.random((ITEMS, 8, 4)) < np.where(holds[:, None], 0.85, 0.03)
    left = np.argsort(random.random((ITEMS, 8)), axis=1) < 2
    rows = [
        [{*LETTERS[:4][one]} if there else None for one, there in zip(row, some, strict=True)]
        for row, some in zip(sets, left, strict=True)
    ]
    return iaa.from_sets(rows)


def _sets_alike(random: np.random.Generator) -> xr.Dataset:
    holds = random.random((ITEMS, 4)) < 0.2
    return _of_sets(random.random((ITEMS, ANNOTATORS, 4)) < np.where(holds[:, None], 0.85, 0.03))


def _batches(random: np.random.Generator) -> xr.Dataset:
    """Three of eight annotators a batch, in turn."""
    codes = rated(random, truth(random), 8)
    gaps = np.ones(codes.shape, dtype=bool)
    for batch in range(10):
        at = slice(batch * ITEMS // 10, (batch + 1) * ITEMS // 10)
        gaps[at, random.choice(8, 3, replace=False)] = False
    return dataset(codes, gaps=gaps)


def _large_crowd(
    random: np.random.Generator, shares: object = None, right: float = 0.93, alone: int = 0
) -> xr.Dataset:
    """1,500 items, three of 150 annotators each; the first ``alone`` of these give one label."""
    true = truth(random, 1500, shares)
    who = np.argsort(random.random((1500, 150)), axis=1)[:, :3]
    codes = np.where(who < alone, 0, rated(random, true, 3, right))
    rows = {
        "item": np.repeat(np.arange(1500), 3),
        "annotator": [f"w{number:03}" for number in who.ravel()],
        "label": LETTERS[codes.ravel()],
    }
    return iaa.from_long(rows)


def _many_sources(random: np.random.Generator) -> xr.Dataset:
    """Two annotators who hardly agree, on items of twelve sources."""
    ratings = dataset(rated(random, truth(random, 240), 2, 0.45), dates=False)
    sources = np.array([f"s{number:02}" for number in np.arange(240) % 12], dtype=object)
    return ratings.assign_coords(source=("item", sources))


def _hard_end(random: np.random.Generator) -> xr.Dataset:
    """Items that everybody finds hard come last."""
    true = truth(random)
    right = np.where(np.arange(ITEMS) < 340, 0.995, 0.6)[:, None]
    return dataset(rated(random, true, right=right))


def _conversations(random: np.random.Generator) -> xr.Dataset:
    """Everybody misreads a conversation of ten items as a whole now and then."""
    true = truth(random)
    conversation = np.arange(ITEMS) // 10
    shift = np.where(random.random((40, ANNOTATORS)) < 0.15, random.integers(1, LABELS, (40, 1)), 0)
    codes = (rated(random, true, right=0.9) + shift[conversation]) % LABELS
    names = np.array([f"c{number:02}" for number in conversation], dtype=object)
    return dataset(codes).assign_coords(conversation=("item", names))


def _rated_twice(random: np.random.Generator) -> xr.Dataset:
    """One of three rates all twice, and mostly repeats himself."""
    codes = rated(random, truth(random, 300), 3, 0.8)
    again = np.where(random.random(300) < 0.9, codes[:, 0], rated(random, codes[:, 0], 1)[:, 0])
    ratings = iaa.from_wide(LETTERS[np.column_stack([codes, again])])
    return ratings.assign_coords(annotator=np.array(["a", "b", "c", "a (2)"], dtype=object))


CLEAN = {
    "usual": _clean(),
    "three annotators": _clean(3),
    "two annotators": _clean(2),
    "eight annotators": _clean(8),
    "small": _clean(items=60),
    "skewed": _clean(shares=[0.9, 0.04, 0.03, 0.02, 0.01]),
    "hardly agreed": _clean(right=0.4),
    "nearly perfect": _clean(right=0.99),
    "gaps": _clean(missing=0.3),
    "hard and easy items": _clean(hardness=0.8),
    "crowd of three an item": _crowd,
    "batches": _batches,
    "numbers": lambda random: _of_numbers(_numbers(random)),
    "sets": _sets_alike,
    "spans": _of_spans,
    "large crowd": _large_crowd,
    "skewed crowd": lambda random: _large_crowd(random, [0.91, 0.09, 0, 0, 0], 0.98),
    "twelve sources": _many_sources,
    "hard items last": _hard_end,
    "conversations": _conversations,
    "rated twice": _rated_twice,
    "two of eight": lambda random: _two_of_eight(random, rated(random, truth(random), 8)),
    "sets by two of eight": _sets_of_two,
    "steps": lambda random: _of_steps(_steps(random)),
    "hardly any slips": lambda random: _repeated(random, 0.03, 0.87, 60),
    "all errors are slips": lambda random: _repeated(random, 0.15, 1.0, 60),
}


TRUE = {
    ("conversations", "clusters", ""),
    ("all errors are slips", "self_disagreement", ""),
}
"""What is so of clean sets of a kind, and may be said: of nobody by name."""


def options(ratings: xr.Dataset) -> dict[str, str]:
    """Steps are measured as such."""
    return {"level": "ordinal"} if ratings.attrs["labels_declared"] else {}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sets", type=int, default=300)
    parser.add_argument("--clean", type=int, default=84)
    parser.add_argument("--only", default="")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    lines = ["| cause | named | another named beside it |", "| --- | --- | --- |"]
    for name, draw in CAUSES.items():
        if given.only and given.only != name:
            continue
        named = others = 0
        for seed in range(given.sets):
            ratings, is_there = draw(np.random.default_rng([1, seed]))
            result = iaa.findings(ratings, **options(ratings))
            there = is_there(result)
            named += there
            others += result.sizes["finding"] > there
        lines.append(f"| {name} | {named / given.sets:.1%} | {others / given.sets:.1%} |")
        print(lines[-1], flush=True)
    lines += ["", "| clean sets | any cause named |", "| --- | --- |"]
    total = 0
    kinds = {name: draw for name, draw in CLEAN.items() if given.only in ("", "clean", name)}
    for name, draw in kinds.items():
        named, which = 0, {}
        for seed in range(given.clean):
            ratings = draw(np.random.default_rng([2, seed]))
            result = iaa.findings(ratings, **options(ratings))
            found = zip(result["kind"].values, result["annotator"].values, strict=True)
            kinds_named = [kind for kind, who in found if (name, kind, who) not in TRUE]
            named += len(kinds_named) > 0
            for kind in kinds_named:
                which[kind] = which.get(kind, 0) + 1
        total += named
        lines.append(f"| {name} | {named / given.clean:.1%} |")
        print(lines[-1], which, flush=True)
    if kinds:
        lines.append(f"| all | {total / given.clean / len(kinds):.1%} |")
        print(lines[-1])
    if given.write:
        head = "# What findings name\n\nWritten by `python benchmarks/findings.py --write`.\n\n"
        Path(__file__).with_suffix(".md").write_text(head + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
