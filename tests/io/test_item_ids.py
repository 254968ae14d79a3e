"""Item ids that are whole numbers are whole numbers, from every kind of file and on every way."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, strategies as st
from pyarrow import parquet

import iaa_jax as iaa
from iaa_jax import IaaError, read
from iaa_jax.io.table import delimited
from iaa_jax.io.table.coded import whole_numbers
from iaa_jax.wording import load_notes

Write = Callable[..., Path]


def told(texts: Sequence[str]) -> list[int] | None:
    """Read ids by the rule of Python: what it writes for a number is the number."""
    found = []
    for text in texts:
        try:
            number = int(text)
        except ValueError:
            return None
        if str(number) != text or not -(2**63) <= number < 2**63:
            return None
        found.append(number)
    return found or None


BOUNDS = [sign * 10**power + step for power in range(21) for sign in (1, -1) for step in (-1, 0, 1)]
whole = st.one_of(st.integers(-(2**63), 2**63 - 1), st.sampled_from(BOUNDS)).map(str)
odd = st.sampled_from(
    ["", "-", "-0", "00", "01", "-01", "+1", "1.0", "1e3", "1_0", "--1", "1-", "0-", " 1", "1 ",
     "²", "\u0661", "1é", "ÿ", "1234567a", "12345678a", "1234567890123456:", "123456789/",
     str(2**63), str(-(2**63) - 1), str(2**64), "9" * 19, "9" * 20, "1" * 24, "1" * 25, "0" * 8,
     "0" * 9, "1" * 5000]
)  # fmt: skip


@given(st.lists(whole, min_size=1, max_size=20), st.lists(odd, max_size=1), st.integers(0, 20))
@example([str(2**63 - 1), str(-(2**63)), "0"], [], 0)
@example(["12345678", "123456789", "1234567890123456789"], [], 0)
def test_the_rule_is_that_of_python(texts: list[str], more: list[str], place: int) -> None:
    texts[place:place] = more
    found = whole_numbers(pa.array(texts))
    assert (None if found is None else found.to_pylist()) == told(texts)


@given(st.text(max_size=30))
def test_any_text(text: str) -> None:
    found = whole_numbers(pa.array(["1", text]))
    assert (None if found is None else found.to_pylist()) == told(["1", text])


IDS = {
    "figures": (["0", "-1", "12"], [0, -1, 12]),
    "two zeros": (["0", "00", "1"], None),
    "minus zero": (["-0", "1", "2"], None),
    "exponents": (["1e3", "1", "2"], None),
    "too large": (["9223372036854775808", "1"], None),
    "just fits": (["9223372036854775807", "-9223372036854775808"], [2**63 - 1, -(2**63)]),
    "eight": (["12345678", "00000000"], None),
    "eight and nine": (["12345678", "123456789"], [12345678, 123456789]),
    "nineteen": (["1234567890123456789", "7"], [1234567890123456789, 7]),
    "quoted": (['"1"', "2"], [1, 2]),
    "all quoted": (['"1"', '"2"'], [1, 2]),
    "alike but for quotes": (["1", '"1"', "2"], [1, 2]),
    "blanks around": ([" 1", "2 ", "\t3"], [1, 2, 3]),
    "alike but for blanks": (["1", " 1", "2"], [1, 2]),
    "text": (["1", "2", "b"], None),
    "points": (["1.0", "2"], None),
}


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("files", [1, 2])
def test_each_way_gives_the_same(
    write: Write, monkeypatch: pytest.MonkeyPatch, name: str, files: int
) -> None:
    ids, numbers = IDS[name]
    plain = list(dict.fromkeys(text.strip('" \t') for text in ids))
    monkeypatch.setattr(delimited, "BLOCK", 40)
    rows = [f"{text},{who},{k % 2}\n" for k, text in enumerate(ids) for who in "ab"]
    if len(plain) < len(ids):  # the same item again
        rows = [row for k, row in enumerate(rows) if k not in (2, 3)]
    parts = [rows] if files == 1 else [rows[:2], rows[2:]]
    paths = [
        write("item,annotator,label\n" + "".join(part), f"{k}.csv") for k, part in enumerate(parts)
    ]
    quickly = read(paths)
    items = quickly["item"].values
    if numbers is None:
        assert items.dtype == object
        assert items.tolist() == plain
    else:
        assert items.dtype == np.int64
        assert items.tolist() == numbers
    monkeypatch.setattr(delimited, "_split", lambda *_: None)
    slowly = read(paths)
    assert slowly.identical(quickly)
    assert slowly["item"].dtype == items.dtype


def test_one_text_id_in_the_second_file(write: Write) -> None:
    head = "item,annotator,label\n"
    first = write(head + "1,a,x\n1,b,x\n2,a,y\n", "a.csv")
    numbers = read([first, write(head + "2,b,y\n3,a,x\n", "b.csv")])
    assert numbers["item"].values.tolist() == [1, 2, 3]
    assert numbers["primary"].values.tolist() == [[0, 0], [1, 1], [0, -1]]
    texts = read([first, write(head + "2,b,y\nthree,a,x\n", "b.csv")])
    assert texts["item"].values.tolist() == ["1", "2", "three"]
    assert texts["primary"].values.tolist() == numbers["primary"].values.tolist()


def test_rows_without_item_do_not_make_text(write: Write) -> None:
    ratings = read(write("item,annotator,label\n1,a,x\n,,\n1,b,x\n2,a,x\n"))
    assert ratings["item"].dtype == np.int64
    assert ratings["item"].values.tolist() == [1, 2]


def test_many_ids_in_any_order(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [(k * 7919 % 3001 - 1000) * 10 ** (k % 4) for k in range(3001)]
    text = "item,annotator,label\n" + "".join(f"{i},{who},x\n" for who in "ab" for i in ids)
    path = write(text)
    for block in (500, 10_000, 1 << 20):
        monkeypatch.setattr(delimited, "BLOCK", block)
        known = list(dict.fromkeys(ids))
        again = len(known) < len(ids)
        ratings = read(path, duplicates="first" if again else "error")
        assert ratings["item"].values.tolist() == known


def test_like_the_constructor(write: Write) -> None:
    rows = [(12, "a", "x"), (12, "b", "y"), (-7, "a", "x")]
    columns = dict(zip(("item", "annotator", "label"), zip(*rows, strict=True), strict=True))
    text = "item,annotator,label\n" + "".join(f"{i},{a},{x}\n" for i, a, x in rows)
    made, found = iaa.from_long(columns), read(write(text))
    assert made["item"].dtype == found["item"].dtype
    assert made["item"].values.tolist() == found["item"].values.tolist()


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("id,ann,bob\n7,x,y\n8,x,x\n", {}),
        ("id,yes,no\n7,2,1\n8,0,2\n", {"counts": "yes,no"}),
        ("id,annotator,yes,no\n7,a,0,1\n7,b,1,0\n8,a,1,0\n", {"one_hot": "yes,no"}),
        ("id,annotator,yes,no\n7,a,1,1\n7,b,1,0\n8,a,0,0\n", {"multi_hot": "yes,no"}),
        ("annotator,7,8\nann,x,y\nbob,x,x\n", {"format": "transposed"}),
        ("id,scores\n7,[1;2]\n8,[1]\n", {"label": "scores", "anonymous": True, "separator": ";"}),
    ],
)
def test_each_layout(write: Write, text: str, options: dict[str, object]) -> None:
    ratings = read(write(text), **options)  # type: ignore[arg-type]
    assert ratings["item"].dtype == np.int64
    assert ratings["item"].values.tolist() == [7, 8]
    ratings = read(write(text.replace("8", "08")), **options)  # type: ignore[arg-type]
    assert ratings["item"].values.tolist() == ["7", "08"]


def test_json(write: Write) -> None:
    records = [{"item": k, "annotator": a, "label": "x"} for k in (7, 8) for a in (1, 2)]
    ratings = read(write(json.dumps(records), "t.json"))
    assert ratings["item"].dtype == np.int64
    assert ratings["annotator"].values.tolist() == ["1", "2"]
    records[0]["item"] = 7.5
    ratings = read(write(json.dumps(records), "t.json"))
    assert ratings["item"].values.tolist() == ["7.5", "7", "8"]


def test_parquet(tmp_path: Path) -> None:
    for ids, kind, wanted in (
        ([7, 7, 8], pa.int32(), [7, 8]),
        (["7", "7", "8"], pa.string(), [7, 8]),
        ([7.0, 7.0, 8.0], pa.float64(), ["7.0", "8.0"]),
        ([2**63, 2**63, 1], pa.uint64(), [str(2**63), "1"]),
    ):
        table = pa.table(
            {"item": pa.array(ids, kind), "annotator": [1, 2, 1], "label": ["x", "x", "y"]}
        )
        parquet.write_table(table, tmp_path / "t.parquet")
        ratings = read(tmp_path / "t.parquet")
        assert ratings["item"].values.tolist() == wanted
        assert ratings["annotator"].values.tolist() == ["1", "2"]


def test_annotators_and_joined_ids_stay_text(write: Write) -> None:
    text = "text,part,annotator,label\n1,2,11,x\n1,2,12,x\n1,3,11,y\n"
    ratings = read(write(text), item="text,part")
    assert ratings["item"].values.tolist() == ["1 | 2", "1 | 3"]
    assert ratings["annotator"].values.tolist() == ["11", "12"]


def test_messages_name_numbers(write: Write) -> None:
    path = write("item,annotator,label\n17,a,x\n17,b,y\n17,a,y\n")
    with pytest.raises(IaaError, match=r"line 4 \(item 17, annotator 'a'\) repeats .* line 2"):
        read(path)


def test_crowds_say_how_they_are_kept(write: Write) -> None:
    rows = [f"{k},worker {(3 * k + j) % 150},x\n" for k in range(100) for j in range(3)]
    ratings = read(write("item,annotator,label\n" + "".join(rows)))
    assert ratings["primary"].dims == ("item", "slot")
    assert ratings.attrs["read_as"].endswith(", stored by slot (at most 3 ratings per item)")
    header = "id," + ",".join(f"r{k}" for k in range(120))
    table = "\n".join([header, *(f"{k},x,y" + "," * 118 for k in range(5))]) + "\n"
    named = read(write(table), annotators="r*")
    assert named["primary"].dims == ("item", "slot")
    assert named.attrs["read_as"].endswith("stored by slot (at most 2 ratings per item)")
    anonymous = read(write(table), annotators="r*", anonymous=True)
    assert anonymous["primary"].dims == ("item", "annotator")
    assert anonymous.attrs["anonymous"] == 1
    assert anonymous["annotator"].values.tolist() == [f"rating {k}" for k in range(1, 121)]
    assert "slot" not in anonymous.attrs["read_as"]


def test_anonymous_sets_and_lists(write: Write) -> None:
    sets = read(write("id,r1,r2\n1,x;y,y\n2,x,x\n"), annotators="r1,r2", separator=";",
                anonymous=True)  # fmt: skip
    assert sets["annotator"].values.tolist() == ["rating 1", "rating 2"]
    assert (sets.attrs["task"], sets.attrs["anonymous"]) == ("multi_label", 1)
    lists = read(write('id,all\n1,"[1, 2]"\n2,"[2, 2]"\n'), annotators="all", anonymous=True)
    assert lists["annotator"].values.tolist() == ["rating 1", "rating 2"]
    assert lists["primary"].values.tolist() == [[0, 1], [1, 1]]
    assert lists.attrs["anonymous"] == 1


def test_numbers_written_otherwise_are_noted_in_ids_of_several_columns(write: Write) -> None:
    text = "case,day,annotator,label\n" + "".join(
        f"{'00' if who == 'a' else ''}{k},May {k % 2},{who},{'xy'[(k + (who == 'a')) % 2]}\n"
        for k in range(1, 5)
        for who in "abc"
    )
    path = write(text)
    ratings = read(path, item="case,day")
    assert ratings.sizes["item"] == 8
    (note,) = (note for note in load_notes(ratings.attrs["reading"]) if note.code == "items_alike")
    assert note.values["count"] == 4
    merged = read(path, item="case,day", merge_ids="numbers")
    assert merged.sizes["item"] == 4
    agreeing = iaa.percent_agreement(merged, interval=None).estimate.item()
    assert agreeing == pytest.approx(1 / 3)


PAIRS = {
    ("u1", "u2"): "ann4",
    ("u2", "u1"): "bob1",
    ("u3", "u4"): "ann4 bob4",
    ("u5", "u6"): "ann1",
    ("u6", "u5"): "bob1",
    ("u1", "u3"): "ann1 bob2",
}


def pair_rows(pairs: dict[tuple[str, str], str]) -> str:
    rows = [
        f"{first},{second},{rating[:3]},{rating[3]}"
        for (first, second), ratings in pairs.items()
        for rating in ratings.split()
    ]
    return "\n".join(["first,second,annotator,label", *rows]) + "\n"


def test_pairs_without_direction(write: Write) -> None:
    path = write(pair_rows(PAIRS))
    kept = read(path, item="first,second")
    assert kept.sizes["item"] == 6
    assert "2 items occur in two orders" in kept.attrs["notices"]
    assert "give unordered=True" in kept.attrs["notices"]
    merged = read(path, item="first,second", unordered=True)
    assert "notices" not in merged.attrs or "orders" not in merged.attrs["notices"]
    assert merged.sizes["item"] == 4
    in_order: dict[tuple[str, str], str] = {}
    for pair, ratings in PAIRS.items():
        first, second = sorted(pair)
        in_order[first, second] = f"{in_order.get((first, second), '')} {ratings}"
    whole = read(write(pair_rows(in_order), "sorted.csv"), item="first,second")
    assert merged["primary"].equals(whole["primary"])
    turned = {(second, first): ratings for (first, second), ratings in PAIRS.items()}
    other = read(write(pair_rows(turned), "t.csv"), item="first,second", unordered=True)
    assert other["primary"].values.tolist() == merged["primary"].values.tolist()
    with pytest.raises(IaaError, match="items that several columns name"):
        read(path, item="first", unordered=True, duplicates="first")


def test_pairs_of_which_annotators_rate_both_directions_have_one(write: Write) -> None:
    both = {pair: "ann1 bob1" for pair in (("u", "v"), ("v", "u"), ("v", "w"))}
    ratings = read(write(pair_rows(both)), item="first,second")
    assert "orders" not in ratings.attrs.get("notices", "")
