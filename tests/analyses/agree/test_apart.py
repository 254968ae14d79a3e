"""Annotators who share no item with any other are named, with the number of their ratings."""

from __future__ import annotations

import pandas as pd

import iaa_jax as iaa
from iaa_jax.analyses.agree.words import WORDS
from iaa_jax.wording import Note, load_notes, say

PAIRS = [["a", "a", None, None], ["b", "a", None, None], ["b", "b", None, None]] * 4
CLEO = [[None, None, "a", None]] * 3
DORA = [[None, None, None, "b"]]


def noted(rows: object) -> list[Note]:
    names = ["ann", "bob", "cleo", "dora"]
    if isinstance(rows, list):
        rows = iaa.from_wide(pd.DataFrame(rows, columns=names))
    result = iaa.agree(rows, interval=None)["coefficients"]
    notes = load_notes(result.attrs["notes"])
    return [note for note in notes if note.code == "annotators_apart"]


def named(rows: object) -> dict[str, int]:
    """The ratings of those who are named, and of further ones how many they are."""
    (note,) = noted(rows)
    of_each = [each.values for each in note.values["annotators"]]
    return {
        each.get("name", "further"): each.get("ratings", each.get("annotators")) for each in of_each
    }


def test_who_shares_no_item_is_named() -> None:
    (note,) = noted([*PAIRS, *CLEO, *DORA])
    assert say(note, WORDS) == (
        "'cleo' (3 ratings) and 'dora' (1 rating) share no item with another annotator: their "
        "ratings do not count in observed agreement."
    )
    both = [None, "a", "a", None]
    assert named([*PAIRS, *CLEO, *DORA, both]) == {"dora": 1}


def test_nobody_is_named_who_shares_one_or_rated_nothing() -> None:
    assert noted(PAIRS) == []
    own = [["a", None, None, None]] * 9  # of ann, who shares others
    assert noted([*PAIRS, *own]) == []


def test_of_ratings_that_are_kept_and_compressed_and_of_votes() -> None:
    ratings = iaa.from_wide([*PAIRS, *CLEO, *DORA, [None, "a", "a", None]])
    names = ratings["annotator"].values.tolist()
    kept = iaa.data.keep_annotators(ratings, [names[0], names[1], names[3]])
    assert named(kept) == {"annotator 4": 1}
    assert [*named(iaa.data.compress(iaa.from_wide([*PAIRS, *CLEO]))).values()] == [3]


def test_crowds_name_the_first(tmp_path) -> None:
    rows = ["item,annotator,label"]
    rows += [f"i{k},w{(k + n) % 150},{'xy'[(k + n) % 2]}" for k in range(300) for n in (0, 1)]
    rows += [f"s{k},lone{k % 7},x" for k in range(21)]
    file = tmp_path / "crowd.csv"
    file.write_text("\n".join(rows) + "\n")
    ratings = iaa.read(file)
    assert "annotator_of" in ratings
    assert named(ratings) == {**{f"lone{k}": 3 for k in range(5)}, "further": 2}
