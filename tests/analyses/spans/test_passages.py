"""The most disputed passages against a loop over documents, pairs and spans."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax.data.marked.texts import text_from_characters, text_from_tokens, text_from_utf16
from iaa_jax.pages import Passage, Passages, Underline
from iaa_jax.pages.passages import LONGEST, lines_of

Marked = dict[str, dict[str, list[tuple[int, int, str]]]]


def passages(documents: Marked, number: int = 99, **texts: str):
    spans = iaa.from_spans(documents, labels=list("xyz"))
    if texts:
        known = [texts.get(str(name), "") for name in spans["document"].values]
        spans = spans.assign_coords(text=("document", np.array(known, dtype=object)))
    return iaa.span_f1.passages(spans, number)


def made(seed: int) -> Marked:
    rng = random.Random(seed)
    return {
        f"d{document}": {
            who: [
                (start, start + rng.randint(1, 6), rng.choice("xy"))
                for start in rng.sample(range(30), rng.randint(0, 4))
            ]
            for who in rng.sample("abcd", rng.randint(1, 4))
        }
        for document in range(8)
    } | {"last": {"a": [(0, 1, "x")], "b": [(0, 1, "x")]}}


def by_hand(documents: Marked) -> list[tuple[str, int, int, float]]:
    found = []
    for place, (name, marked) in enumerate(documents.items()):
        pairs = [*combinations(marked, 2)]
        alone: dict[tuple[str, tuple[int, int, str]], int] = {}
        for one, two in pairs:
            for who, other in ((one, two), (two, one)):
                for span in set(marked[who]) - set(marked[other]):
                    alone[who, span] = alone.get((who, span), 0) + 1
        stretches: list[list[float]] = []
        for (_, (start, end, _)), times in sorted(alone.items(), key=lambda each: each[0][1][:2]):
            if stretches and start <= stretches[-1][1] + 1:
                stretches[-1][1] = max(stretches[-1][1], end)
                stretches[-1][2] += times
            else:
                stretches.append([start, end, times])
        found += [(-total / len(pairs), place, start, end, name) for start, end, total in stretches]
    return [(name, start, end, -score) for score, _, start, end, name in sorted(found)]


@pytest.mark.parametrize("seed", range(12))
def test_passages_are_those_of_a_loop(seed: int) -> None:
    documents = made(seed)
    found = passages(documents)
    columns = (found[name].values.tolist() for name in ("document", "start", "end"))
    rows = [*zip(*columns, strict=True)]
    wanted = by_hand(documents)
    # equal scores are equal in floating point too: both are whole numbers over the same one
    assert rows == [row[:3] for row in wanted]
    np.testing.assert_allclose(found["disputed"], [row[3] for row in wanted], rtol=1e-15)
    assert found.attrs["disputed_passages"] == len(wanted)
    first = passages(documents, 3)
    assert first["document"].values.tolist() == found["document"].values.tolist()[:3]
    assert first.attrs["disputed_passages"] == len(wanted)


def test_who_saw_and_who_marked() -> None:
    found = passages({"d": {"a": [(0, 4, "x")], "b": []}, "e": {"a": [], "c": [(1, 2, "y")]}})
    assert found["seen"].values.tolist() == [[True, True, False], [True, False, True]]
    assert found["passage_of"].values.tolist() == [0, 1]
    assert found["mark_annotator"].values.tolist() == ["a", "c"]


def test_agreement_leaves_nothing_to_show() -> None:
    found = passages({"d": {"a": [(0, 4, "x")], "b": [(0, 4, "x")]}})
    assert (found.sizes["passage"], found.sizes["mark"]) == (0, 0)


def test_parts_of_one_span_stay_together() -> None:
    found = passages({"d": {"a": [(0, 2, "x", 1), (9, 11, "x", 1)], "b": [(0, 2, "x")]}})
    assert (found["start"].item(), found["end"].item()) == (0, 11)
    assert found["unit_of"].values.tolist().count(found["unit_of"].values[0]) == 2


@pytest.mark.parametrize(
    ("text", "places"),
    [
        (text_from_characters("Anna met Bob in Rome."), [(0, 4), (16, 20)]),
        (text_from_utf16("😀na met Bob in Rome."), [(0, 4), (16, 20)]),
        (text_from_tokens(["Anna", "met", "Bob", "in", "Rome", "."]), [(0, 1), (4, 5)]),
    ],
    ids=["characters", "utf16", "tokens"],
)
def test_marks_are_where_their_text_is(text: str, places: list[tuple[int, int]]) -> None:
    spans = [(start, end, "x") for start, end in places]
    found = passages({"d": {"a": spans, "b": []}}, d=text)
    shown = {
        str(found["text"].values[passage])[start:end].strip()
        for passage, start, end in zip(
            *(found[name].values for name in ("passage_of", "text_from", "text_to")), strict=True
        )
    }
    assert "Rome" in shown
    assert shown & {"Anna", "😀na"}


def test_a_long_text_is_cut_at_blanks() -> None:
    text = " ".join(f"word{number:03}" for number in range(100))
    found = passages({"d": {"a": [(400, 407, "x")], "b": []}}, d=text)
    assert found["text"].item().strip() == " ".join(f"word{n:03}" for n in range(43, 58))
    start = found["text_from"].item()
    assert found["text"].item()[start:].startswith("word050")


def test_of_a_long_passage_its_most_disputed_part_is_shown() -> None:
    """Both marked it all, and differ at its end: the marks of the rest are kept beside."""
    text = " ".join(f"word{number:03}" for number in range(400))
    ends = [(start, start + 7, "y") for start in range(2800, 3000, 8)]
    found = passages({"d": {"a": [(0, 3199, "x"), (8, 15, "y"), *ends], "b": []}}, d=text)
    assert (found["start"].item(), found["end"].item()) == (0, 3199)
    begins, stops = found["text_begins"].item(), found["text_ends"].item()
    assert 2600 < begins < 2800
    assert 3000 < stops < 3300
    assert len(found["text"].item()) < 600
    assert found["text"].item() == text[begins:stops]
    assert bool(found["text_goes_on"].item()) == (stops < len(text))
    assert found.sizes["mark"] == 2 + len(ends)
    (block,) = (each for each in iaa.page(found).blocks if isinstance(each, Passages))
    (passage,) = block.passages
    assert [len(marks) for _, marks in passage.marks] == [1 + len(ends), 0]
    assert passage.cut[0]
    assert "; here " in str(iaa.page(found))


def test_a_text_that_is_too_short_is_none() -> None:
    assert passages({"d": {"a": [(5, 9, "x")], "b": []}}, d="short")["text"].item() == ""


def test_a_passage_of_many_lines_is_cut_and_says_so() -> None:
    marks = [(name, [Underline([(0, 6000)], "A", "0-6000")]) for name in ("ann", "bob")]
    lines = lines_of(Passage("", "word " * 1200, marks), 80)
    assert len(lines) == LONGEST + 1
    assert lines[-1].endswith("more lines: all marks are in CSV and JSON files")
