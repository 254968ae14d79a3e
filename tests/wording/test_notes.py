"""Notes keep their values through JSON, and are said by one table of templates."""

from __future__ import annotations

import numpy as np
import pytest

from iaa_jax.wording import Note, dump_notes, load_notes, say

WORDS = {
    "one": "{n:count item}",
    "each": (
        "{a:estimate} {a:estimate 1} {a:signed} {a:short} {a:share} {a:level} {a:probability} {a:p}"
    ),
    "names": "{names:names 2} of {names:names 2 total}",
    "verb": "{n:count batch batches} {n:is|are} there",
    "decimals": "{a:estimate places} and {a:signed places}",
    "quoted": "{names:quoted 2}",
}


def test_notes_come_back_from_json() -> None:
    inner = Note("where", {"ends": [0.25, np.float64(0.5)]})
    note = Note("whole", {"what": "it", "where": inner, "n": np.int64(3)}, "caution")
    (back,) = load_notes(dump_notes([note]))
    assert back == Note(
        "whole", {"what": "it", "where": Note("where", {"ends": [0.25, 0.5]}), "n": 3}, "caution"
    )
    assert dump_notes([back]) == dump_notes([note])
    assert load_notes("") == []


def test_what_is_unknown_is_null() -> None:
    (back,) = load_notes(dump_notes([Note("x", {"low": float("nan"), "high": float("inf")})]))
    assert back.values == {"low": None, "high": "inf"}


def test_each_kind_of_figure_has_one_form() -> None:
    said = say(Note("each", {"a": 0.25}), WORDS)
    assert said == "0.250 0.2 +0.250 0.25 25.0 % 25 % 25 % p = 0.250"
    assert say(Note("each", {"a": 0.0001}), WORDS).endswith("p < 0.001")


def test_names_are_escaped_cut_and_counted() -> None:
    note = Note("names", {"names": ["a\x1b[31m", "b", "c"], "total": 30})
    assert say(note, WORDS) == "a\\x1b[31m, b and 1 more of a\\x1b[31m, b and 28 more"


def test_names_are_quoted() -> None:
    note = Note("names", {"names": ["it's", "caf\u00e9", 2, "a\x1b"], "total": 9})
    quoted = {"names": "{names:quoted 2 total}"}
    assert say(note, quoted) == "\"it's\", 'caf\u00e9' and 7 more"
    one = Note("name", {"name": "a\x1bcaf\u00e9"})
    assert say(one, {"name": "{name:quoted}"}) == "'a\\x1bcaf\u00e9'"
    assert say(one, {"name": "{name:escaped}"}) == "'a\\x1bcafé'"


@pytest.mark.parametrize(
    ("n", "said"), [(1, "1 batch is there"), (2, "2 batches are there"), (0, "0 batches are there")]
)
def test_words_agree_with_their_number(n: int, said: str) -> None:
    assert say(Note("verb", {"n": n}), WORDS) == said


def test_decimals_may_be_a_value_of_the_note() -> None:
    assert say(Note("decimals", {"a": 0.25, "places": 4}), WORDS) == "0.2500 and +0.2500"
    assert say(Note("decimals", {"a": 0.25, "places": 0}), WORDS) == "0 and +0"


def test_names_that_read_as_words_stand_in_quotes() -> None:
    assert say(Note("quoted", {"names": ["no", "the tie", "z"]}), WORDS) == (
        "'no', 'the tie' and 1 more"
    )


def test_braces_in_names_are_no_fields() -> None:
    assert say(Note("text", {"name": "{x:count}"}), {"text": "{name:name}"}) == "{x:count}"


def test_an_unknown_code_or_value_is_an_error() -> None:
    with pytest.raises(KeyError):
        say(Note("unheard"), WORDS)
    with pytest.raises(KeyError):
        say(Note("one"), WORDS)
