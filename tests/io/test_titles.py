"""Lines above the names of the columns are told from them, and said; what is not sure is asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from iaa_jax import IaaError, read
from iaa_jax.io.table.opening import head
from iaa_jax.io.table.source import Source

Write = Callable[..., Path]
Refused = Callable[..., str]

LONG = "item,annotator,label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n"
WIDE = "item;ann;bob\nt1;x;x\nt2;y;x\n"


@pytest.mark.parametrize(
    ("above", "table", "told"),
    [
        ("My study\n", LONG, "names of columns from line 2, below 'My study'"),
        ("My study,,\n", LONG, "names of columns from line 2, below 'My study'"),
        ("My study, round 2\n", WIDE, "names of columns from line 2, below 'My study, round 2'"),
        ('"Of two\nlines"\n\n', LONG, "names of columns from line 4, below 'Of two\\nlines'"),
        ("A\n;;\nB;;\n", WIDE, "names of columns from line 4, below 'A', 'B'"),
        (
            "# by me, 2024\n# all\n",
            LONG,
            "without 2 lines above that begin with '#' ('# by me, 2024', '# all')",
        ),
    ],
)
def test_titles(write: Write, above: str, table: str, told: str) -> None:
    plain, titled = read(write(table)), read(write(above + table))
    assert titled.equals(plain)
    assert titled.attrs["read_as"].endswith(told)
    code = "read_comments" if above.startswith("#") else "read_header_below"
    assert code in titled.attrs["reading"]


@pytest.mark.parametrize("ending", ["txt", "tsv", "csv"])
@pytest.mark.parametrize("mark", ["x", '"x"'])
def test_comments_above_tabs(write: Write, refused: Refused, ending: str, mark: str) -> None:
    table = LONG.replace(",", "\t").replace("x", mark)
    comments = "# ratings, of words, 2023\n\n# 1, 2 and 3\n"
    plain = read(write(LONG))
    assert read(write(comments + table, f"t.{ending}")).equals(plain)
    named = {"item": "1", "annotator": "2", "label": "3"}
    bare = comments + table.split("\n", 1)[1]
    told = refused(bare, **named)
    assert "line 4, the first below lines that begin with '#'" in told
    ratings = read(write(bare, f"t.{ending}"), header_line=0, **named)
    assert ratings["primary"].equals(plain["primary"])
    assert "without 2 lines above that begin with '#'" in ratings.attrs["read_as"]
    assert read(write(comments + table, f"t.{ending}"), header_line=4).equals(plain)
    where = refused(comments + table + "2\tb\ty\n")
    assert "t.csv line 9 (item 2, annotator 'b') repeats t.csv line 8" in where


def test_what_begins_so_and_is_cut_like_rows_is_no_comment(write: Write) -> None:
    assert head(Source(write("# all\n#id\tann\tbob\nt1\tx\ty\nt2\ty\tx\n"))).names[0] == "#id"
    bare = head(Source(write("#good\tx\ty\n#bad\ty\ty\n", "u.csv"), header_line=0))
    assert len(bare.rows) == 2


def test_the_lines_of_rows_below_a_title(write: Write, refused: Refused) -> None:
    message = refused("My study\n\n" + LONG + "3,a\n")
    assert message.startswith("t.csv line 8 has 2 cells, but the header names 3 columns")
    message = refused("My study\n\n" + LONG + "2,b,y\n")
    assert "t.csv line 8 (item 2, annotator 'b') repeats t.csv line 7" in message
    quoted = refused("My study\n\n" + LONG.replace("x", '"x"') + "2,b,y\n")
    assert quoted == message
    assert read(write("T\n" + LONG.replace("x", '"x"'))).equals(read(write(LONG)))


@pytest.mark.parametrize(
    "text",
    [
        "id,,\nt1,x,y\nt2,y,x\n",  # a header of which two names are missing
        "t1,,\nt2,x,y\nt3,y,x\n",  # no header
        "#id,ann,bob\nt1,x,y\nt2,y,x\n",
        "ann,bob\nt1,x,y\nt2,y,x\n",  # a header without a name for the first column
    ],
)
def test_no_titles(write: Write, text: str) -> None:
    assert head(Source(write(text))).header_lines == 1


def test_a_header_that_is_named(write: Write, refused: Refused) -> None:
    above = "Results, round 2\n"
    assert "below line 1, give header_line=2;" in refused(above + LONG)
    assert read(write(above + LONG), header_line=2).equals(read(write(LONG)))
    for table in (LONG, WIDE):
        titles = "My study,round 2\nby me,2024\n"
        assert "below line 1, give header_line=3;" in refused(titles + table)
        assert read(write(titles + table), header_line=3).equals(read(write(table)))
    assert "header_line" not in refused("id,a,b,c\ns1,x,y,z\ns2,x,y\ns3,y,y\ns4,x,x\n")
    assert read(write(LONG), header_line=1).identical(read(write(LONG)))
    levels = "who,who,who\n"
    assert read(write(levels + WIDE.replace(";", ",")), header_line=2).equals(read(write(WIDE)))
    assert "no row begins on line 9; the first rows begin on the lines 1, 2" in refused(
        LONG, header_line=9
    )
    with pytest.raises(IaaError, match=r"header_line must be a whole number of 0 or more"):
        read(write(LONG), header_line=-1)
    with pytest.raises(
        IaaError, match=r"header_line is for delimited text and spreadsheets, which"
    ):
        read(write('[{"item": 1}]', "t.json"), header_line=2)


def test_on_the_command_line(write: Write, iaa: Callable[..., Any]) -> None:
    path = str(write("Results, round 2\n" + LONG))
    assert "give --header-line 2" in iaa("agree", path).stderr
    done = iaa("agree", path, "--header-line", "2", "--interval", "none")
    assert "names of columns from line 2" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.jsonl", '{"item": 1, "a": "x", "b": "y"}\n{"item": 2, "a": "x", "b": "x"}\n'),
        ("t.json", '{"item": 1, "a": "x", "b": "y"}\n{"item": 2, "a": "x", "b": "x"}\n'),
    ],
)
def test_a_field_of_records_where_each_line_is_one(write: Write, name: str, text: str) -> None:
    path = write(text, name)
    assert read(path, annotators="a,b").sizes["item"] == 2
    with pytest.raises(IaaError, match=r"records is for"):
        read(path, annotators="a,b", records="data")


BARE = "v1,f2,6\nv1,f3,6\nv2,f2,5\nv2,f3,6\nv1,f4,5\nv2,f4,5\n"


def test_a_rating_is_not_taken_for_the_names_of_columns(write: Write, refused: Refused) -> None:
    said = refused(BARE, item="f2", annotator="v1", label="6")
    assert "'f2', 'v1', '6' are taken for names of columns, but also occur below" in said
    assert "give header_line=0 and columns by number" in said
    ratings = read(write(BARE), header_line=0, item="2", annotator="1", label="3")
    assert ratings["primary"].values.tolist() == [[1, 0], [1, 1], [0, 0]]
    named = read(write(BARE), header_line=1, item="f2", annotator="v1", label="6")
    assert named["primary"].values.tolist() == [[1, 1], [-1, 0], [0, 0]]


def test_names_of_columns_may_stand_among_cells(write: Write) -> None:
    again = write(LONG + LONG)  # joined below one another: a header twice
    assert "repeats the names" in read(again, duplicates="first").attrs["skipped"]
    label = write("item,annotator,joy\n1,a,joy\n1,b,joy\n2,a,no\n2,b,joy\n")
    assert read(label, label="joy").sizes == {"item": 2, "annotator": 2, "label": 2}
