"""Tables that may be meant in two ways are refused with the option that reads them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import iaa_jax
from iaa_jax import IaaError, krippendorff_alpha, percent_agreement, read
from iaa_jax.data.provenance import in_doubt
from iaa_jax.io.layout.evidence import groups_of_labels
from iaa_jax.wording import Note

Write = Callable[..., Path]
Refused = Callable[..., str]

CROSS = ",A,B,C\nA,10,2,0\nB,1,8,1\nC,0,3,5\n"
PANELS = "case,judge1,judge2,vote1,vote2\n1,Ann,Bob,1,1\n2,Bob,Cyd,0,1\n3,Ann,Cyd,1,1\n"
WIDE = "item,ann,bob\nt1,x,y\nt2,y,y\nt3,x,x\n"
NAMELESS = "x,,x,y\ny,y,,x\n,x,x,x\n"
LONG = "item,annotator,label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n"


def alpha(path: Path, **options: Any) -> float:
    return float(krippendorff_alpha(read(path, **options), interval=None).estimate)


def test_a_table_with_the_same_names_both_ways(write: Write, refused: Refused) -> None:
    refused(
        CROSS.replace("C\n", "C,Total\n", 1).replace("\nC,0,3,5", ",\nC,0,3,5"), item="column 1"
    )
    right = pytest.approx(1 - (7 / 30) / (1 - 1194 / 3540))
    assert alpha(write(CROSS), format="contingency") == alpha(write(CROSS)) == right


def test_columns_that_common_labels_do_not_join(write: Write) -> None:
    assert alpha(write(PANELS)) == pytest.approx(0.0)
    assert alpha(write(PANELS), annotator="judge*", label="vote*") == pytest.approx(0.0)
    named = read(write(PANELS), annotator="judge1,judge2", label="vote1,vote2")
    assert named.annotator.values.tolist() == ["Ann", "Bob", "Cyd"]
    assert named.primary.values.tolist() == [[1, 1, -1], [-1, 0, 1], [1, -1, 1]]
    kept = read(write(PANELS), annotator="judge2,judge1", label="vote2,vote1", item="case")
    assert named.equals(kept.sel(annotator=named.annotator))


def test_pairs_of_columns_that_do_not_match(refused: Refused) -> None:
    message = refused(PANELS, annotator="judge*", label="vote2")
    assert "names 2 columns" in message
    assert "1 column" in message
    message = refused(
        PANELS.replace("case", "x,y").replace("\n", "\n0,", 3), annotator="judge*", label="vote*"
    )
    assert "item" in message


def test_a_person_who_is_named_twice_on_an_item(refused: Refused) -> None:
    message = refused(PANELS.replace("Ann,Bob", "Ann,Ann"), annotator="judge*", label="vote*")
    assert "repeated rating" in message


@pytest.mark.parametrize(
    "column", ["Unnamed: 0", "index", "agree", "is_train", "confidence", "batch", "rank"]
)
def test_a_flag_or_a_number_of_rows_is_no_annotator(
    write: Write, refused: Refused, column: str
) -> None:
    text = f"item,ann,bob,{column}\na,1,0,0\nb,1,1,1\nc,0,0,2\n"
    assert "give item='item' and annotators='ann,bob'" in refused(text)
    assert read(write(text), annotators="ann,bob").sizes["annotator"] == 2


def test_a_column_that_counts_the_rows(refused: Refused) -> None:
    rows = "".join(f"i{row},{row % 2},{row},{row % 3}\n" for row in range(30))
    refused(f"item,ann,bob,cy\n{rows}")


def test_a_header_that_holds_labels_is_none(write: Write, refused: Refused) -> None:
    without = WIDE.split("\n", 1)[1]
    assert "header_line=0" in refused(without)
    ratings = read(write(without), header_line=0)
    assert ratings.equals(read(write(WIDE.replace("item,ann,bob", "1,2,3"))))
    assert ratings.item.values.tolist() == ["t1", "t2", "t3"]
    capitals = write(WIDE.replace("ann,bob", "X,Y"))
    assert read(capitals).annotator.values.tolist() == ["X", "Y"]
    question = "id,ann,bob,Correct\n" + "".join(
        f"i{k},{'yn'[k % 2]},{'yn'[k % 3 > 0]},{('correct', 'wrong')[k % 4 > 1]}\n"
        for k in range(12)
    )
    assert "header_line" not in refused(question)


def test_a_table_without_names_of_columns(write: Write, iaa: Callable[..., Any]) -> None:
    path = write(NAMELESS)
    assert alpha(path, header_line=0) == pytest.approx(0.111, abs=5e-4)
    ratings = read(path, header_line=0)
    assert ratings.item.values.tolist() == [1, 2, 3]
    assert ratings.annotator.values.tolist() == ["1", "2", "3", "4"]
    done = iaa("agree", str(path), "--no-header", "--interval", "none")
    assert "alpha is 0.111" in done.stdout
    both = iaa("agree", str(path), "--no-header", "--header-line", "2")
    assert both.exit_code == 2
    long = write("1,a,x\n1,b,x\n2,a,y\n2,b,x\n")
    named = {"item": "1", "annotator": "2", "label": "3"}
    assert read(long, header_line=0, **named).equals(read(write(LONG)))


VECTORS = 'item,ann,bob\n1,"1,0","1,0"\n2,"0,1","1,1"\n3,"1,1","1,1"\n'


def test_vectors_of_bits_are_no_decimal_numbers(write: Write, refused: Refused) -> None:
    assert "separator=','" in refused(VECTORS)
    sets = read(write(VECTORS), separator=",")
    assert sets.label.values.tolist() == [1, 2]
    assert sets.mass.values[0].tolist() == [[1, 0], [1, 0]]
    assert sets.mass.values[1].tolist() == [[0, 1], [1, 1]]
    lists = (
        VECTORS.replace('"1,0"', '"[1, 0]"')
        .replace('"0,1"', '"[0, 1]"')
        .replace('"1,1"', '"[1, 1]"')
    )
    assert read(write(lists)).mass.equals(sets.mass)
    long = "item,annotator,label\n" + "".join(
        f'{item},{who},"{cell}"\n'
        for item, cells in (("1", ("1,0", "1,0")), ("2", ("0,1", "1,1")), ("3", ("1,1", "1,1")))
        for who, cell in zip(("ann", "bob"), cells, strict=True)
    )
    assert "separator=','" in refused(long)
    assert read(write(long), separator=",").mass.equals(sets.mass)


def test_decimal_commas_are_read_as_before(write: Write) -> None:
    text = 'item,ann,bob\n1,"1,5","0,5"\n2,"0,1","1,1"\n'
    assert read(write(text)).label.values.tolist() == [0.1, 0.5, 1.1, 1.5]
    assert groups_of_labels({"a": {1.5, 2}, "b": {0.25}, "c": {1}}) == [["a", "b"], ["c"]]


CELLS = 'unit,worker,label\n1,a,"x{0}y"\n1,b,x\n2,a,y\n2,b,"x{0}y"\n'


def test_a_separator_that_no_cell_has_is_refused(write: Write, refused: Refused) -> None:
    text = CELLS.format(";")
    assert "separates nothing" in refused(text, separator="|")
    assert read(write(text), separator=";").label.values.tolist() == ["x", "y"]


@pytest.mark.parametrize(("typed", "meant"), [(r"\n", "\n"), (r"\t", "\t")])
def test_a_separator_as_it_is_typed(write: Write, typed: str, meant: str) -> None:
    sets = read(write(CELLS.format(meant)), separator=typed)
    assert sets.label.values.tolist() == ["x", "y"]
    assert read(write(CELLS.format(typed)), separator=typed).equals(sets)


def test_a_line_break_between_labels_is_noted(write: Write) -> None:
    (told,) = str(read(write(CELLS.format("\n"))).attrs["notices"]).splitlines()
    assert r"give separator='\\n';" in told or r"give separator='\n';" in told


def test_lines_of_names_among_the_rows_are_left_out(write: Write) -> None:
    header, *rows = LONG.splitlines(keepends=True)
    joined = "".join([header, *rows[:2], header, *rows[2:], header])
    again = read(write(joined), keep=None)
    assert again.equals(read(write(LONG)))
    assert again.attrs["skipped"] == "2 rows that repeat the names of columns"
    wide = WIDE.replace("t2", "item,ann,bob\nt2")
    assert read(write(wide)).equals(read(write(WIDE)))
    batches = (
        joined.replace("label\n", "label,batch\n").replace("x\n", "x,1\n").replace("y\n", "y,2\n")
    )
    kept = read(write(batches), keep="batch")
    assert kept.batch.values.tolist() == [[1, 1], [2, 1]]


IDS = "item,annotator,label\n1,a,x\n{0},b,x\n2,a,y\n2,b,x\n"


@pytest.mark.parametrize("spelt", ["1.0", "01", "001.00", "1."])
def test_ids_that_differ_in_how_numbers_are_written(write: Write, spelt: str) -> None:
    ratings = read(write(IDS.format(spelt)))
    assert ratings.sizes["item"] == 3
    assert "merge_ids='numbers'" in ratings.attrs["notices"]
    merged = read(write(IDS.format(spelt)), merge_ids="numbers")
    assert merged.primary.values.tolist() == [[0, 0], [1, 0]]


def test_the_answer_says_that_a_file_may_be_meant_otherwise(write: Write) -> None:
    ratings = read(write(IDS.format("01")))
    for result in (iaa_jax.agreement(ratings), iaa_jax.items(ratings), iaa_jax.gold(ratings)):
        assert iaa_jax.page(result).answer[-1].code == "reading_in_doubt"
    sure = iaa_jax.agreement(read(write(LONG)))
    assert "reading_in_doubt" not in [note.code for note in iaa_jax.page(sure).answer]
    alike = Note("items_alike", {"count": 3})
    assert [bool(in_doubt([alike], items)) for items in (299, 301)] == [True, False]


def test_items_that_never_meet_say_how_they_are_alike(refused: Refused) -> None:
    message = refused("item,annotator,label\n1,a,x\n1.0,b,x\n2,a,y\n2.0,b,x\n")
    assert "give merge_ids='numbers'" in message
    assert "give merge_ids='case'" in refused("item,annotator,label\nt,a,x\nT,b,x\n")


def test_objects_beside_annotators_or_around_them_are_none(refused: Refused) -> None:
    rows = [(k, "xy"[k % 2], "xy"[k % 3 % 2]) for k in range(12)]
    beside = "".join(f'{k},{ann},{bob},"{{""k"": ""{bob}""}}"\n' for k, ann, bob in rows)
    assert "annotators='ann,bob,meta.k'" in refused(f"id,ann,bob,meta\n{beside}")
    around = "".join(f'{k},"{{""ann"": ""{ann}"", ""bob"": ""{bob}""}}"\n' for k, ann, bob in rows)
    assert "annotators='votes.ann,votes.bob'" in refused(f"id,votes\n{around}")


@pytest.mark.parametrize(
    ("last", "cells"), [("Summe", "3,1"), ("Total", "3,1"), ("Mittelwert", "1,0.33")]
)
def test_a_row_of_totals_or_means_is_no_item(refused: Refused, last: str, cells: str) -> None:
    text = f"id,ann,bob\na,1,0\nb,1,1\nc,1,0\n{last},{cells}\n"
    assert f"t.csv line 5: the row {last!r}" in refused(text)


def test_an_item_named_like_totals_that_holds_none_is_noted(write: Write) -> None:
    ratings = read(write("id,ann,bob\na,1,0\nb,1,1\nc,1,0\nTotal,1,1\n"))
    assert ratings.sizes["item"] == 4
    assert "item_of_totals" in ratings.attrs["reading"]


@pytest.mark.parametrize("who", ["reader", "Observer", "participant_id", "Kodierer", "codeur"])
def test_raters_have_many_names(write: Write, who: str) -> None:
    text = LONG.replace("annotator", who).replace("item", "case")
    assert read(write(text)).equals(read(write(LONG)))


KINDS_OF_ITEMS = "item,category,rater,verdict\n" + "".join(
    f"i{k},{'xy'[k % 2]},{who},{'AB'[(k + shift) % 2 if k % 3 else 0]}\n"
    for k in range(12)
    for shift, who in enumerate(("ann", "ben"))
)
"""A column that says of what kind an item is, beside one that says what was answered."""


def test_a_column_about_items_is_no_label_unless_it_is_named(
    write: Write, refused: Refused
) -> None:
    assert "label='verdict'" in refused(KINDS_OF_ITEMS)
    path = write(KINDS_OF_ITEMS)
    assert alpha(path, label="category") == 1.0
    agreeing = np.mean([k % 3 == 0 for k in range(12)])
    ratings = read(path, label="verdict")
    found = percent_agreement(ratings, interval=None).estimate.item()
    assert found == pytest.approx(agreeing, abs=1e-12)


def test_labels_that_all_agree_on_are_read_where_no_other_column_may_hold_them(
    write: Write,
) -> None:
    text = "".join(line.rsplit(",", 1)[0] + "\n" for line in KINDS_OF_ITEMS.splitlines())
    assert alpha(write(text)) == 1.0
    about_items = "".join(
        f"{line},{'topic' if not k else 'ab'[(k - 1) // 2 % 2]}\n"
        for k, line in enumerate(text.splitlines())
    )
    assert alpha(write(about_items)) == 1.0


def test_objects_name_no_annotators(write: Write) -> None:
    lines = "".join(
        json.dumps({"item": k, "judge": {"name": who, "type": "llm"}, "label": "xy"[k % 2]}) + "\n"
        for k in range(3)
        for who in ("a", "b")
    )
    path = write(lines, "t.jsonl")
    with pytest.raises(IaaError, match=r"annotator='judge\.name'"):
        read(path)
    assert read(path, annotator="judge.name")["annotator"].values.tolist() == ["a", "b"]
    assert read(path, annotator="judge").sizes["annotator"] == 2
