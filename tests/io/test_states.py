"""Rows of plain tables that may not be meant to count are told, with the way to leave them out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from iaa_jax import read
from iaa_jax.wording import load_notes

Write = Callable[..., Path]


def states(path: Path, **options: object) -> list[tuple[int, str]]:
    reading = read(path, **options).attrs["reading"]
    found = [note for note in load_notes(reading) if note.code == "rows_of_state"]
    return [(n.values["rows"], n.values["rule"]) for n in found]


def table(name: str, *cells: str) -> str:
    rows = [f"t{k // 2},{'ab'[k % 2]},{'xy'[k % 3 == 0]},{c}" for k, c in enumerate(cells)]
    return "\n".join([f"item,annotator,label,{name}", *rows]) + "\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (table("status", *["ok", "ok", "rejected"] * 2), [(2, "status=rejected")]),
        (
            table("AssignmentStatus", "Approved", "Rejected", "Approved", "Timed-out"),
            [(1, "AssignmentStatus=Rejected"), (1, "AssignmentStatus=Timed-out")],
        ),
        (table("review_state", "", "draft", "", ""), [(1, "review_state=draft")]),
        (table("_golden", "true", "true", "false", "false"), [(2, "_golden=true")]),
        (table("is_control", "1", "1", "", ""), [(2, "is_control=1")]),
        (table("gold", "1", "1", "0", "0"), [(2, "gold=1")]),
        # the column says something else, or nothing against the rows
        (table("status", "ok", "approved", "ok", "submitted"), []),
        (table("state", "Ohio", "Utah", "Iowa", "Ohio"), []),
        (table("state", "draft", "draft", "draft", "draft"), []),
        (table("gold", "x", "x", "y", "y"), []),
        (table("is_gold", "1", "1", "2", "0"), []),
        (table("statement", "draft", "ok", "ok", "ok"), []),
    ],
)
def test_long_tables(write: Write, text: str, told: list) -> None:
    assert states(write(text)) == told
    for _, rule in told:
        assert rule not in dict(map(reversed, states(write(text), exclude=rule)))


def test_only_rows_with_a_rating_are_told(write: Write) -> None:
    text = table("status", "ok", "skipped", "ok", "ok", "skipped", "ok").replace("t0,b,x", "t0,b,")
    assert states(write(text)) == [(1, "status=skipped")]


def test_the_label_and_what_is_kept_are_no_states(write: Write) -> None:
    text = table("status", "rejected", "ok", "ok", "ok")
    assert states(write(text), label="status") == []
    assert states(write(text), keep="status") == []
    flags = "item,annotator,gold,label\n1,a,1,1\n1,b,1,0\n2,a,0,0\n2,b,0,0\n"
    assert states(write(flags)) == []  # a column of gold labels


def test_other_layouts(write: Write) -> None:
    turned = "annotator,t1,t2,status\nann,x,y,ok\nbob,y,y,draft\ncleo,y,x,ok\n"
    told = {"format": "transposed", "exclude": "status=draft"}
    assert read(write(turned), **told)["item"].values.tolist() == ["t1", "t2"]
    records = '[{"item": 1, "annotator": "a", "label": "x", "meta": {"status": "draft"}},'
    records += '{"item": 1, "annotator": "b", "label": "x", "meta": {"status": "done"}},'
    records += '{"item": 1, "annotator": "c", "label": "x", "meta": {"status": "done"}}]'
    assert states(write(records, "t.json")) == [(1, "meta.status=draft")]


def test_the_page_says_it_first_with_a_command_that_works(iaa, folder: Path) -> None:
    text = table("status", *["ok", "rejected", "ok", "ok"] * 5)
    (folder / "t.csv").write_text(text)
    for command in ("agree", "items", "labels"):
        page = iaa(command, "t.csv")
        first = " ".join(page.stdout.split("File ")[0].split())
        said = "5 rows with 'status' = 'rejected' count: to leave them out, give"
        assert f"{said} --exclude status=rejected." in first, page.stdout
    assert iaa("agree", "t.csv", "--exclude", "status=rejected").exit_code == 0
