"""Damaged files and names in an export: nobody is left out, or invented, without a word."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import iaa_jax as iaa
from iaa_jax import IaaError

TASK = {"text": "x", "_view_id": "classification", "answer": "accept"}


def tasks(who: object, hashes: tuple[object, ...] = (1, 2, 3)) -> str:
    rows = [{**TASK, "_input_hash": item, "_annotator_id": who} for item in hashes]
    return "\n".join(map(json.dumps, rows))


@pytest.mark.parametrize("name", [[5], {"a": 1}, True])
@pytest.mark.parametrize("field", ["item", "annotator"])
def test_names_of_odd_types_are_refused(
    write: Callable[..., Path], name: object, field: str
) -> None:
    rows = tasks("ann", (1, name)) if field == "item" else f"{tasks('ann')}\n{tasks(name)}"
    line = 2 if field == "item" else 4
    path = write(f"{rows}\n{tasks('bob')}", "t.jsonl")
    for read in (iaa.read, iaa.read_long):
        with pytest.raises(IaaError, match=rf"t\.jsonl line {line}: .* where the name of an item"):
            read(path)


def test_judgements_of_nothing_are_refused(write: Callable[..., Path]) -> None:
    path = write(tasks("ann", (1, float("nan"))) + "\n" + tasks("bob"), "t.jsonl")
    with pytest.raises(IaaError, match=r"1 judgement without item, as in .*t\.jsonl line 2"):
        iaa.read_long(path)


def test_a_label_with_nothing_to_be_seen_is_none_once_blanks_are_merged(
    write: Callable[..., Path],
) -> None:
    rows = [f"{who}\t{item}\tstat" for item in range(4) for who in "ab"]
    path = write("\n".join([*rows[:-1], "b\t3\t\u200b"]), "triples.txt")
    table = iaa.read_long(path, merge_labels="blanks")
    assert table["status"].tolist() == ["answered"] * 7 + ["missing"]
    ratings = iaa.read(path, merge_labels="blanks")
    assert int((ratings.primary >= 0).sum()) == 7
