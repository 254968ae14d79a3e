"""What a file that cannot be used gets: one sentence that says where, how many and how to go on."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from iaa_jax import IaaError, read

LONG = "item,annotator,label\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t.csv is empty: it has no header and no rows"),
        ("\n \n\n", "t.csv is empty: it has no header and no rows"),
        (b"\xef\xbb\xbf", "t.csv is empty: it has no header and no rows"),
        (LONG, "t.csv has a header but no rows"),
        (LONG + "\n\n", "t.csv has a header but no rows"),
        ("item\n1\n", "t.csv has a single column, 'item'"),
        (
            LONG + "1,a,x\n1,b\n2,a,x\n2,b,\n3,a\n",
            "t.csv line 3 has 2 cells, but the header names 3 columns (1 more row",
        ),
        (LONG + "1,a,x\n1,b,y,z\n", "t.csv line 3 has 4 cells, but the header names 3 columns"),
        (
            LONG + "1,a,x,\n1,b,y,\n",
            "t.csv line 2 has 4 cells, but the header names 3 columns (1 more row",
        ),
        (
            LONG + '1,a,"x\nx"\n\n\n1,b\n',
            "t.csv line 6 has 2 cells, but the header names 3 columns; cells are taken to be",
        ),
        (LONG + "1,a\0b,x\n", "t.csv line 2: a NUL byte (byte 25 of the file)"),
        (
            (LONG + "1,a,x\r\n1,b,caf\xe9\r\n").encode("latin-1"),
            "t.csv line 3: byte 36 of the file (0xE9) is not UTF-8",
        ),
        (LONG.encode("utf-16"), "t.csv has a header but no rows"),
        (LONG.encode("utf-16")[:-1], "t.csv: byte 43 of the file is not utf-16"),
        (b"PK\x03\x04rest", "t.csv is not a readable zip archive"),
        (b"\x1f\x8brest", "t.csv is compressed and cannot be unpacked"),
        (
            LONG + '1,a,x\n1,b,"y\n2,a,y\n',
            "t.csv cannot be split into rows: a quoted cell is not closed, "
            "perhaps the one that begins on line 3",
        ),
    ],
)
def test_files_that_are_no_table(
    refused: Callable[..., str], text: str | bytes, message: str
) -> None:
    assert refused(text).startswith(message)
    assert refused(text, format="long").startswith(message)
    assert refused(text, format="wide", annotators="item,annotator").startswith(message)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "ratings.csv").touch()
    with pytest.raises(IaaError, match=r"there is no such file; did you mean .*ratings\.csv"):
        read(tmp_path / "rating.csv")
    with pytest.raises(IaaError, match=r"there is no such file$"):
        read(str(tmp_path / "nowhere" / "a.csv"))
    with pytest.raises(IaaError, match=r"nowhere: there is no such file$"):
        read(tmp_path / "nowhere")
    with pytest.raises(IaaError, match="no file to read"):
        read([])


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (
            "1,a,x\n1,b,x\n1,a,y\n2,a,x\n2,a,x\n",
            {},
            "2 repeated ratings of the same item by the same annotator: "
            "t.csv line 4 (item 1, annotator 'a') repeats t.csv line 2; "
            "t.csv line 6 (item 2, annotator 'a') repeats t.csv line 5; "
            "keep one of each with duplicates='first' or duplicates='last'",
        ),
        (
            '1,a,x\n1,b,"z\n"\n2,a,w\n2,b,z\n',
            {"labels": ["x", "y"]},
            "3 ratings with a label that was not declared: 'z', 'w', "
            "at t.csv line 3 (item 1, annotator 'b'); t.csv line 5 (item 2, annotator 'a'); "
            "t.csv line 6 (item 2, annotator 'b'); the declared labels are 'x', 'y'",
        ),
        (
            "1,a,1\n1,b,inf\n2,a,2.5\n2,b,-Infinity\n",
            {},
            "2 ratings with a label that is not a finite number: inf, -inf, "
            "at t.csv line 3 (item 1, annotator 'b'); t.csv line 5 (item 2, annotator 'b')",
        ),
        (
            "1,a,1\n1,b,1e999\n",
            {},
            "1 rating with a label that is not a finite number: inf, at t.csv line 3",
        ),
        ("1,a,x\n,b,x\n", {}, "1 rating without item: t.csv line 3 (item None, annotator 'b')"),
        ("1,a,x\n1,NA,x\n", {}, "1 rating without annotator: t.csv line 3 (item 1, annotator No"),
        ("1,a,x\n2,b,x\n", {}, "t.csv: no item has two ratings: 2 ratings"),
        ("1,a,x\n2,a,x\n", {}, "t.csv: only one annotator ('a') rated anything (2 ratings)"),
        ("1,a,\n2,a,NA\n", {}, "t.csv: there is no rating in the data"),
    ],
)
def test_long_tables(
    refused: Callable[..., str], rows: str, options: dict[str, object], message: str
) -> None:
    assert refused(LONG + rows, **options).startswith(message)


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (
            "1,x,x\n2,y,x\n1,y,y\n",
            {"annotators": "ann,bob"},
            "1 repeated row of the same item (from 'id'): "
            "t.csv line 4 (item 1) repeats t.csv line 2; keep one of each with duplicates=",
        ),
        (
            "1,x,x\n2,y,z\n",
            {"labels": "x,y"},
            "1 rating with a label that was not declared: 'z', "
            "at t.csv line 3 (item 2, annotator 'bob'); the declared labels are 'x', 'y'",
        ),
        (
            "1,1,1\n2,2,inf\n",
            {},
            "1 rating with a label that is not a finite number: inf, at t.csv line 3 (item 2",
        ),
        ("1,x,x\n,y,x\n", {}, "1 row with ratings but without item (from 'id'): t.csv line 3;"),
        ("1,x,\n2,,x\n", {"format": "wide"}, "t.csv: no item has two ratings"),
        ("1,x,\n2,x,\n", {"format": "wide"}, "t.csv: only one annotator ('ann')"),
        ("1,,\n2,,NA\n", {"format": "wide"}, "t.csv: there is no rating in the data"),
    ],
)
def test_wide_tables(
    refused: Callable[..., str], rows: str, options: dict[str, object], message: str
) -> None:
    assert refused("id,ann,bob\n" + rows, **options).startswith(message)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"label": "lable"},
            "t.csv has no column 'lable' (named by label); its columns are "
            "'item', 'annotator', 'label'; did you mean 'label'?",
        ),
        ({"item": "item,text"}, "t.csv has no column 'text' (named by item)"),
        ({"annotator": "who"}, "t.csv has no column 'who' (named by annotator)"),
        ({"secondary": "who"}, "t.csv has no column 'who' (named by secondary)"),
        ({"annotators": "ann,label"}, "t.csv has no column 'ann' (named by annotators)"),
        ({"annotators": "item,item"}, "t.csv: annotators names a column twice: 'item'"),
        (
            {"annotators": "item,annotator", "item": "item"},
            "t.csv: item= and annotators= both name the column 'item'",
        ),
        (
            {"annotators": "item,annotator", "secondary": "label"},
            "t.csv: secondary cannot be used with a wide table, which takes item, annotators",
        ),
        (
            {"annotators": "item,annotator", "format": "long"},
            "t.csv: annotators cannot be used with a long table, which takes item, annotator",
        ),
        (
            {"question": "q1"},
            "t.csv: question= is for formats with several questions; this is a plain",
        ),
        ({"format": "lng"}, "t.csv: there is no format 'lng'; the formats are 'label_studio', "),
    ],
)
def test_options_that_do_not_fit(
    refused: Callable[..., str], options: dict[str, object], message: str
) -> None:
    assert refused(LONG + "1,a,x\n1,b,x\n", **options).startswith(message)


@pytest.mark.parametrize("option", ["duplicates", "skipped"])
def test_unknown_choices(write: Callable[..., Path], option: str) -> None:
    path = write(LONG + "1,a,x\n1,b,x\n")
    with pytest.raises(IaaError, match=f"{option} must be one of .*, not 'all'"):
        read(path, **{option: "all"})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("id,label\n1,x\n1,y\n", ["'id', 'label'", "item='id'", "label='label'"]),
        ("ann1,ann2\nx,x\ny,x\n", ["annotators='ann1,ann2'"]),
        ("id,a,b,gold\n1,x,y,x\n2,x,y,y\n", ["'gold'", "annotators='a,b'"]),
        ("id,a,b,gold\n1,x,y,x\n2,y,y,y\n", ["'gold'", "item='id' and annotators='a,b'"]),
        ("id,a,age\n1,x,20\n2,x,30\n", ["'age'"]),
    ],
)
def test_layouts_that_cannot_be_told(
    refused: Callable[..., str], text: str, words: list[str]
) -> None:
    message = refused(text)
    assert message.startswith("t.csv: cannot tell how the table is laid out; its columns are ")
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("text", "options", "option"),
    [
        ("id,label\n1,x\n1,y\n", {"label": "label"}, "annotator"),
        ("id,who\n1,x\n1,y\n", {"annotator": "who"}, "label"),
        ("annotator,label\na,y\nb,y\n", {}, "item"),
    ],
)
def test_columns_of_a_long_table_that_cannot_be_told(
    refused: Callable[..., str], text: str, options: dict[str, str], option: str
) -> None:
    message = refused(text, **options)
    assert f"no {option} column was recognised" in message
    assert f"name it with {option}=" in message


def test_anonymous_columns_of_annotators_that_cannot_be_told(refused: Callable[..., str]) -> None:
    text = "id,text,Ann,Bob\n1,one,x,y\n2,two,y,y\n"
    for item in ({}, {"item": "id"}):
        message = refused(text, anonymous=True, **item)
        assert "or, if each annotator has a column, name them: item= and annotators=" in message


@pytest.mark.parametrize("duplicates", ["error", "first", "last"])
def test_repeated_items_where_nobody_said_that_columns_are_annotators(
    refused: Callable[..., str], write: Callable[..., Path], duplicates: str
) -> None:
    text = "id,V,A,D\n1,3,3,2\n1,2,3,3\n2,3,3,3\n"
    message = refused(text, duplicates=duplicates)
    assert "line 3 (item 1)" in message
    assert "give item='id', label='V' and anonymous=True (2 items" in message
    assert "annotators='V,A,D'" in message
    assert ("duplicates='first'" in message) == (duplicates == "error")
    assert read(write(text), label="V", anonymous=True).sizes["item"] == 2
    if duplicates != "error":
        kept = read(write(text), annotators="V,A,D", duplicates=duplicates)
        assert kept.sizes == {"item": 2, "annotator": 3, "label": 2}


@pytest.mark.parametrize(
    "options",
    [
        {"label": "a", "item": "b", "anonymous": True},
        {"label": "c", "item": "a", "anonymous": True},
        {"label": "c", "item": "b", "annotator": "a"},
        {"annotators": "a,c", "item": "b"},
        {"annotators": "a*", "item": "b"},
        {"counts": "a,c"},
        {"one_hot": "a,c", "item": "b", "anonymous": True},
        {"format": "contingency"},
        {"format": "transposed"},
        {"format": "wide"},
    ],
)
def test_columns_of_one_name_are_refused_where_they_are_needed(
    refused: Callable[..., str], options: dict[str, object]
) -> None:
    message = refused("b,a,a,c\n1,1,0,1\n2,1,0,0\n", **options)
    assert message.startswith("t.csv: 1 column name not unique: 'a'; rename")


def test_columns_of_one_name_do_no_harm_beside_others(write: Callable[..., Path]) -> None:
    path = write("id,no,ann,no,bob\n1,0,x,5,y\n2,0,y,6,y\n")
    ratings = read(path, annotators="ann,bob")
    assert ratings["primary"].values.tolist() == [[0, 1], [1, 1]]


@pytest.mark.parametrize(
    ("options", "both"),
    [
        ({"item": "a,b", "label": "b", "anonymous": True}, "item= and label= both"),
        ({"item": "a", "annotator": "c", "label": "c"}, "annotator= and label= both"),
        ({"item": "a", "annotator": "b", "label": "c", "secondary": "c"}, "label= and secondary="),
        ({"item": "a", "one_hot": "a,b", "anonymous": True}, "item= and one_hot= both"),
        ({"item": "a", "counts": "a,b"}, "item= and counts= both"),
    ],
)
def test_a_column_that_two_options_name(
    refused: Callable[..., str], options: dict[str, object], both: str
) -> None:
    message = refused("a,b,c\n1,0,1\n2,0,0\n", **options)
    assert both in message
    assert message.count("'") == 2


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("id,age,n_x,n_y\n1,2.5,3,0\n2,9.5,1,2\n", "counts='n_*'"),
        ("id,is.x,is.y,age\n1,1,0,20\n1,0,1,30\n", "one_hot='is.*' and anonymous=True"),
        ("id,is.x,is.y,age\n1,1,1,20\n1,0,0,30\n", "multi_hot='is.*' and anonymous=True"),
        ("id,yes,no,total,text\n1,3,0,3,a\n2,1,3,4,b\n", "counts='yes,no'"),
    ],
)
def test_hints_on_the_layout_lead_on(
    refused: Callable[..., str], write: Callable[..., Path], text: str, hint: str
) -> None:
    assert hint in refused(text)
    options = dict(re.findall(r"(\w+)='([^']*)'", hint))
    read(write(text), **options, **({} if "counts" in hint else {"anonymous": True}))


@pytest.mark.parametrize(
    "text",
    [
        "id,ann_yes,bob_yes,ann_no,bob_no,age\n1,1,0,0,1,20\n2,1,1,0,0,30\n",
        "id,text,score_1,score_2\n1,a,3,4\n2,b,5,1\n",
        "id,text,a,b\n1,x,2,4\n2,y,5,1\n",
    ],
)
def test_no_hint_where_it_is_not_sure(refused: Callable[..., str], text: str) -> None:
    message = refused(text)
    assert "counts" not in message
    assert "hot" not in message


def test_a_hint_on_file_names_where_there_are_several_files(write: Callable[..., Path]) -> None:
    text = "id,gold\n1,20\n2,30\n"
    with pytest.raises(IaaError, match=r"\('ann', 'bob'\).*label='gold'"):
        read([write(text, "ann.csv"), write(text, "bob.csv")])


def test_files_of_different_shape(write: Callable[..., Path]) -> None:
    first = write("id,a,b\n1,x,x\n2,y,x\n", "one.csv")
    second = write("id,a,c\n3,x,x\n", "two.csv")
    with pytest.raises(IaaError, match=r"two\.csv does not have the columns of .*one\.csv .*'c'"):
        read([first, second])
    with pytest.raises(IaaError, match=r"two\.csv has no column 'b'"):
        read([first, second], annotators=["a", "b"])
    with pytest.raises(IaaError, match=r"two\.csv line 2 .item 1.* repeats .*one\.csv line 2"):
        read([first, write("id,b,a\n1,x,x\n", "two.csv")], annotators=["a", "b"])


@pytest.mark.slow
def test_errors_in_large_files_are_fast(write: Callable[..., Path]) -> None:
    rows = [f"t{k // 5},a{k % 5},{k % 3}" for k in range(1_000_000)]
    for last, options, words in (
        ("t0,a0,1", {}, "line 1000002 .item 't0', annotator 'a0'. repeats .* line 2;"),
        ("t0,a5,7", {"labels": "0,1,2"}, "'?7'?, at .* line 1000002"),
        ("t0,a5", {}, "line 1000002 has 2 cells"),
        ('t0,a5,"', {}, "cannot be split into rows"),
    ):
        path = write("\n".join(["item,annotator,label", *rows, last]))
        start = time.perf_counter()
        with pytest.raises(IaaError, match=words):
            read(path, **options)  # type: ignore[arg-type]
        assert time.perf_counter() - start < 10
