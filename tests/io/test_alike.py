"""Labels and ids that hardly differ: they are said to, and what the caller merges is one."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from iaa_jax import IaaError, read
from iaa_jax.data.notices.similar import alike, key_of
from iaa_jax.data.provenance import parts_of
from iaa_jax.wording import Note
from tests.noted import cautioned, cautions_of

Write = Callable[..., Path]
Refused = Callable[..., str]

LONG = "item,annotator,label\n1,a,POS\n1,b,pos\n2,a,NEG\n2,b,NEG\n3,a,pos\n3,b,pos\n"


def notices(path: Path, **options: object) -> list[str]:
    return str(read(path, **options).attrs.get("notices", "")).splitlines()


@pytest.mark.parametrize(
    ("labels", "difference", "merge"),
    [
        (("Yes", "YES"), "case", "case"),
        (("caf\u00e9", "cafe\u0301"), "Unicode form", "form"),
        (("so\u00a0so", "so so"), "blanks or invisible characters", "blanks"),
        (("so  so", "so so"), "blanks or invisible characters", "blanks"),
        (("good\u200b", "good"), "blanks or invisible characters", "blanks"),
        (("Caf\u00e9", "cafe\u0301 "), "Unicode form and case", "form,case"),
    ],
)
def test_labels_that_hardly_differ(
    write: Write, labels: tuple[str, str], difference: str, merge: str
) -> None:
    path = write("id,ann,bob\n" + "".join(f"{k},{labels[k % 2]},{labels[0]}\n" for k in range(3)))
    (told,) = cautions_of(read(path))
    assert (told.code, told.values["way"]) == ("labels_alike", Note("merge_labels", {"by": merge}))
    counted = {note.values["label"]: note.values["ratings"] for note in told.values["example"]}
    assert counted == dict(zip((label.strip() for label in labels), (5, 1), strict=True))
    assert not notices(path, labels=[label.strip() for label in labels])
    merged = read(path, merge_labels=merge)
    assert merged["label"].values.tolist() == [labels[0].strip()]
    assert merged.attrs["read_as"].endswith(f"labels merged that differ only in {difference}")
    assert "notices" not in merged.attrs


def test_many_labels_that_hardly_differ(write: Write) -> None:
    words = [f"{word}{end}" for word in "abcdefg" for end in ("x", "X")]
    path = write("id,ann,bob\n" + "".join(f"{k},{word},{word}\n" for k, word in enumerate(words)))
    (told,) = notices(path)
    assert told.startswith("labels that differ only in case were read as different: 'aX' (2 rat")
    assert told.endswith("and 2 more such groups; to merge them, give merge_labels='case'")


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("item,annotator,label\n1,ann,x \n1,bob,x\n2,ann, x\n2,bob,y\n3,ann,y\n3,bob,NA \n", {}),
        ("id,ann,bob\n1,x ,x\n2, x,y\n3,y,NA \n", {"annotators": "ann,bob"}),
        ("annotator,1,2,3\nann,x , x,y\nbob,x,y,\n", {"format": "transposed"}),
        (
            "id,who1,who2,label1,label2\n1,a,b,x ,x\n2,a,b, x,y\n3,a,b,y,\n",
            {"item": "id", "annotator": "who*", "label": "label*"},
        ),
    ],
)
def test_blanks_around_labels_are_told_where_they_made_two_spellings_one(
    write: Write, text: str, options: dict[str, Any]
) -> None:
    parts = parts_of(read(write(text), **options), "read_as")
    (told,) = (note.values for note in parts if note.code == "read_trimmed")
    assert told == {"ratings": 2, "labels": ["x"]}


@pytest.mark.parametrize(
    "text",
    [
        "item,annotator,label\n1,ann,x \n1,bob,x \n2,ann,y\n2,bob,y\n",  # a label is always so
        "id,ann,bob\n1, x,x\n2, y,x\n3, x,y\n",  # all cells of a column are
    ],
)
def test_blanks_around_labels_are_not_told_where_a_file_is_written_so(
    write: Write, text: str
) -> None:
    assert "blanks" not in read(write(text)).attrs["read_as"]


def test_the_spelling_that_stays(write: Write) -> None:
    path = write(LONG)
    assert read(path, merge_labels="case")["label"].values.tolist() == ["NEG", "pos"]
    declared = read(path, merge_labels=["case"], labels=["Pos", "Neg"])
    assert declared["label"].values.tolist() == ["Pos", "Neg"]
    assert declared["primary"].values.tolist() == [[0, 0], [1, 1], [0, 0]]
    with pytest.raises(IaaError, match="with a label that was not declared"):
        read(path, merge_labels="blanks", labels=["Pos", "Neg"])


def test_numbers_and_what_cannot_be_seen(write: Write) -> None:
    path = write("id,ann,bob\n1,1,1\u200b\n2,2,\u200b\n3,\u00ad2,2.0\n")
    ratings = read(path, annotators="ann,bob", merge_labels="blanks")
    assert ratings["label"].values.tolist() == [1, 2]
    assert ratings["primary"].values.tolist() == [[0, 0], [1, -1], [1, 1]]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("id,ann,bob\n1,x,X\n2,y,y\n3,x,x\n", {}),
        ("id,ann,bob\n1,x;y,X\n2,y,y;x\n3,x,x\n", {"annotators": "ann,bob", "separator": ";"}),
        ("item,annotator,label\n1,a,x;Y\n1,b,y;X\n2,a,x\n", {"separator": ";"}),
        (
            "item,label\n1,x;Y\n1,x\n2,x;y\n",
            {"separator": ";", "label": "label", "anonymous": True},
        ),
        ("annotator,i1,i2\nann,x,Y\nbob,x,y\n", {"format": "transposed"}),
        ("item,annotator,label,next\n1,a,x,Y\n1,b,X,y\n2,a,x,\n", {"secondary": "next"}),
        ("item,annotator,label\n1,a,x\n1,a,Y\n1,b,X\n2,a,y\n", {"duplicates": "combine"}),
    ],
)
def test_every_table_with_labels_in_cells(write: Write, text: str, options: dict[str, Any]) -> None:
    path = write(text)
    assert "labels_alike" in cautioned(read(path, **options))
    # all labels by small letters, but names as they are
    header, _, rows = text.partition("\n")
    merged = read(path, merge_labels="case", labels="x,y", **options)
    expected = read(write(f"{header}\n{rows.lower()}"), labels="x,y", **options)
    assert merged.equals(expected)
    assert len(read(write(text), merge_labels="case", **options)["label"]) == 2


def test_a_secondary_label_that_is_the_primary_one(refused: Refused) -> None:
    text = "item,annotator,label,next\n1,a,x,X\n1,b,x,y\n"
    message = refused(text, secondary="next", merge_labels="case")
    assert "1 rating with a secondary label equal to the primary one" in message


def test_ids_that_hardly_differ(write: Write) -> None:
    path = write(
        "item,annotator,label\nt1,ann,x\nt1,bob,x\nT2,ann,y\nt2,bob,x\n"
        "caf\u00e9,Ann,y\ncafe\u0301,bob\u00a0b,y\nt4,bob  b,x\n"
    )
    items, spelt, case, blanks = notices(path)
    assert items == (
        "1 group of item ids differs only in case ('T2' and 't2') and counts as different items; "
        "to merge them, give merge_ids='case'"
    )
    assert "Unicode form ('caf\u00e9' and 'cafe\\u0301')" in spelt
    assert "1 group of annotator names differs only in case" in case
    assert "'ann' and 'Ann'" in case
    assert "'bob\\xa0b' and 'bob  b'" in blanks
    assert blanks.endswith("to merge them, give merge_ids='blanks'")
    merged = read(path, merge_ids="case,form,blanks")
    assert merged["item"].values.tolist() == ["t1", "T2", "caf\u00e9", "t4"]
    assert len(merged["annotator"]) == 3
    assert "notices" not in merged.attrs
    said = "ids merged that differ only in blanks or invisible characters, Unicode form and case"
    assert said in merged.attrs["read_as"]


def test_long_ids_that_hardly_differ_are_told_once_and_cut(write: Write) -> None:
    ids = [f"{'x' * 50} {word} {k}{'z' * 50}" for k in range(3) for word in ("Yes", "yes")]
    path = write("id,ann,bob\n" + "".join(f"{item},a,b\n" for item in ids))
    (told,) = notices(path, item="id", annotators="ann,bob")
    assert told.startswith("3 groups of item ids differ only in case")
    assert "...xxxxxxxxxxxxxxxxxxx Yes 0zzz" in told
    assert "yes 1" not in told
    assert len(told) < 250


def test_merged_items_of_a_wide_table_are_repeated_rows(write: Write, refused: Refused) -> None:
    text = "id,ann,bob\nt1,x,y\nT1,y,y\nt2,x,x\n"
    assert cautioned(read(write(text))) == ["items_alike"]
    message = refused(text, annotators="ann,bob", merge_ids="case")
    assert "1 repeated row of the same item" in message
    kept = read(write(text), annotators="ann,bob", merge_ids="case", duplicates="first")
    assert kept["item"].values.tolist() == ["t1", "t2"]
    path = write("id,ann,bob\n1,x,y\n2\u200b,y,y\n")
    assert read(path)["item"].values.tolist() == ["1", "2\u200b"]


def test_merged_items_that_are_numbers(write: Write) -> None:
    text = "item,annotator,label\n7\u200b,a,x\n7,b,x\n7,c,x\n12,a,y\n12,b,x\n"
    assert read(write(text), merge_ids="blanks")["item"].values.tolist() == [7, 12]


def test_annotators_that_are_columns(write: Write) -> None:
    (told,) = cautions_of(read(write("id,ann,Ann\n1,x,y\n2,y,y\n")))
    assert (told.code, told.values["way"].code) == ("annotators_alike", "written_alike")


def test_labels_that_are_columns(write: Write, refused: Refused) -> None:
    text = "id,yes,Yes\n1,2,1\n2,0,3\n"
    (told,) = cautions_of(read(write(text), counts="yes,Yes"))
    assert (told.code, told.values["way"].code) == ("labels_alike", "written_alike")
    message = refused(text, counts="yes,Yes", merge_labels="case")
    assert "merge_labels merges cells; the labels of a counts table are columns" in message


@pytest.mark.parametrize("option", ["merge_labels", "merge_ids"])
@pytest.mark.parametrize("value", ["cases", "", []])
def test_other_differences_are_refused(write: Write, option: str, value: object) -> None:
    with pytest.raises(IaaError, match=f"{option} takes blanks, form, case, "):
        read(write(LONG), **{option: value})


def test_declared_labels_that_are_one(refused: Refused) -> None:
    message = refused(LONG, merge_labels="case", labels=["pos", "POS", "neg"])
    assert "merge_labels merges the declared labels 'pos', 'POS': declare only one" in message


def test_on_the_command_line(write: Write, iaa: Callable[..., Any]) -> None:
    path = str(write(LONG.replace("2,a", "2,A")))
    done = " ".join(iaa("agree", path, "--interval", "none").stdout.split())
    assert "to merge them, give --merge-labels case" in done
    assert "to merge them, give --merge-ids case" in done
    asked = ("--merge-labels", "case", "--merge-ids", "case,blanks", "--interval", "none")
    done = " ".join(iaa("agree", path, *asked).stdout.split())
    assert "labels merged that differ only in case" in done
    assert "Labels 2: NEG, pos" in done


@pytest.mark.parametrize("odd", ["Id 7", "id\u00a07", "id\u200b 7"])
def test_among_many_texts(odd: str) -> None:
    texts = [f"id {number}" for number in range(20_000)]
    assert alike(texts) == []
    begun = time.monotonic()
    assert alike([*texts, odd]) == [[7, 20_000]]
    assert time.monotonic() - begun < 5
    assert key_of(odd) == "id 7"


def test_a_refusal_of_repeated_ratings_names_labels_that_hardly_differ(write: Write) -> None:
    path = write("item,annotator,label\n1,a,yes\n1,a,no\n1,b,Yes\n2,a,no\n2,b,no\n")
    with pytest.raises(IaaError) as refused:
        read(path)
    assert {"duplicates", "merge_labels"} <= {*refused.value.options}
    with pytest.raises(IaaError) as merged:
        read(path, merge_labels="case")
    assert "merge_labels" not in merged.value.options
