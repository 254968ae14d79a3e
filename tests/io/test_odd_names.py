"""Names and labels that stand out among the others are said beside the ratings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from iaa_jax import IaaError, read

Write = Callable[..., Path]


def long(*labels: str, items: str = "abcdef", who: str = "xyz") -> str:
    """Three ratings of each item; the labels named are the first."""
    cells = [*labels, *["good", "bad"] * 20]
    pairs = [(item, name) for item in items for name in who]
    rows = [f"{item},{name},{label}\n" for (item, name), label in zip(pairs, cells, strict=False)]
    return "item,annotator,label\n" + "".join(rows)


def notices(path: Path, **options: object) -> list[str]:
    return str(read(path, **options).attrs.get("notices", "")).splitlines()


def test_nothing_stands_out(write: Write) -> None:
    assert not notices(write(long()))
    assert not notices(write(long("1st", "2nd")))
    assert not notices(write(long(items="123456")))
    numbers = long().replace("good", "1").replace("bad", "2.5")
    assert not notices(write(numbers))
    lists = long().replace("good", '"[1, 2]"').replace("bad", "[]")
    assert not notices(write(lists))


NUMBERS = ["7", "-7", "1e400", "inf", "9" * 30, "1.000,5", "\u0663", "50 %"]


@pytest.mark.parametrize("label", NUMBERS)
def test_a_label_like_a_number_among_text(write: Write, label: str) -> None:
    text = long(f'"{label}"')
    assert notices(write(text)) == [
        f"{label!a} (1 rating) looks like a number among text labels and was read as text"
    ]
    assert not notices(write(text), labels=["good", "bad", label])


def test_a_label_that_is_no_number_as_the_others_are(write: Write) -> None:
    text = long("unsure", "1", "2", "3").replace("good", "1").replace("bad", "2")
    assert notices(write(text)) == [
        "'unsure' (1 rating) is not a number like the other labels, so all were read as text; if "
        "it means 'not rated', give missing='unsure'"
    ]
    assert not notices(write(text), missing="unsure")


@pytest.mark.parametrize("times", [1, 2, 4, 8])
@pytest.mark.parametrize("layout", ["long", "wide"])
def test_one_word_among_numbers_however_often(write: Write, times: int, layout: str) -> None:
    cells = [["n.b." if k < times else str(k % 3), str(k % 3)] for k in range(12)]
    rows = [f"t{k},{a},{b}" for k, (a, b) in enumerate(cells)]
    text = "\n".join(["item,ann,bob", *rows])
    if layout == "long":
        rows = [f"t{k},{'ab'[i]},{c}" for k, row in enumerate(cells) for i, c in enumerate(row)]
        text = "\n".join(["item,annotator,label", *rows])
    (told,) = notices(write(text))
    assert told.startswith("'n.b.' (")
    assert "not a number like the other labels, so all were read as text" in told
    assert not notices(write(text), missing="n.b.")


def test_a_word_beside_two_numbers_may_be_a_choice(write: Write) -> None:
    rows = [f"t{k},{('1', '2', 'tie')[k % 3]},{('1', '2', 'tie')[k % 3]}" for k in range(12)]
    assert not notices(write("\n".join(["item,ann,bob", *rows])))


def test_a_word_for_not_rated_among_numbers_is_noted_once(write: Write) -> None:
    text = long("?", "1", "2", "3").replace("good", "1").replace("bad", "2")
    (told,) = notices(write(text))
    assert told.startswith("'?' (1 rating) may mean 'not rated'")


@pytest.mark.parametrize("label", ['"[1, 2]"', "{}", '"[""good"""', "good]"])
def test_a_label_like_a_list(write: Write, label: str) -> None:
    (told,) = notices(write(long(label)))
    assert "looks like a list, or part of one, and was read as a label" in told


def test_lists_of_which_one_is_broken(write: Write) -> None:
    text = long('"[""good"""').replace(",good\n", ',"[""good""]"\n').replace(",bad\n", ",[]\n")
    (told,) = notices(write(text))
    assert told.endswith("lists are split only where all cells hold lists")


@pytest.mark.parametrize("label", ["go\tod", "go\x07od", "fine\u202e"])
def test_a_label_with_characters_that_are_not_seen(write: Write, label: str) -> None:
    assert notices(write(long(label))) == [
        f"{label!a} (1 rating) has invisible characters and was read as a label of its own"
    ]


def test_the_line_of_the_names_once_more(write: Write) -> None:
    again = read(write(long() + "item,annotator,label\n"))
    assert again.equals(read(write(long())))
    assert again.attrs["skipped"] == "1 row that repeats the names of the columns"
    assert "notices" not in again.attrs


def test_a_label_named_like_its_column(write: Write) -> None:
    (told,) = notices(write(long("label")))[:1]
    assert told.startswith("'label' (1 rating) is also the name of a column")


def test_a_label_in_the_wrong_column(write: Write) -> None:
    (told,) = notices(write(long("y")))
    assert told.startswith("'y' (1 rating) is a label and also the name of an item or annotator")


@pytest.mark.parametrize("sign", ["\u200b", "\x1b", "\ufeff", "\u202e", "\x07"])
def test_names_with_characters_that_are_not_seen(write: Write, sign: str) -> None:
    told = notices(write(long(items=["a", f"b{sign}", "c"])))  # type: ignore[arg-type]
    assert told == [f"1 item name has invisible characters: {f'b{sign}'!a}"]
    told = notices(write(long(who=["x", f"y{sign}", "z"])))  # type: ignore[arg-type]
    assert told == [f"1 annotator's name has invisible characters: {f'y{sign}'!a}"]


@pytest.mark.parametrize("name", ["\U0001f469\u200d\U0001f469", "\u0645\u06cc\u200c\u062e", "a b"])
def test_names_of_many_scripts_are_seen(write: Write, name: str) -> None:
    assert not notices(write(long(items=["a", name, "c"])))  # type: ignore[arg-type]


def test_an_item_that_is_no_number_as_the_others_are(write: Write) -> None:
    text = long(items=[*"12345", "# 6"])  # type: ignore[arg-type]
    assert notices(write(text)) == [
        "all item ids are whole numbers except '# 6'; if this row is not an item, remove it from "
        "the file"
    ]


@pytest.mark.parametrize("name", [";t3", "t3.0", "[null]", "t\\\\3", "t?3", "-1", "50 %"])
def test_an_item_with_signs_that_no_other_has(write: Write, name: str) -> None:
    items = ["t1", "t2", name, "t4", "t5", "t66"]
    assert notices(write(long(items=items))) == [  # type: ignore[arg-type]
        f"all item ids are like 't1' except {name!a}, with characters that no other has: it may "
        "be misspelt"
    ]


@pytest.mark.parametrize(
    "names",
    [
        ["don't", "to", "be", "or", "not"],  # words
        ["a/1", "b/1", "c-1", "d/1", "e/1"],  # of more than one form
        ["t1", "t-2", "t3", "t-4", "t5"],  # not so few
        ["a-1", "a-2", "b/3", "b/4", "c:5"],  # each with a sign of few
        ["1.5", "2.5", "-3.5", "4.5", "5.5"],  # numbers
        ["t1", "u2", "t3", "t4", "t5"],  # no sign
        ["t1", "t?2", "t3", "t4"],  # too few to tell
    ],
)
def test_items_of_several_forms(write: Write, names: list[str]) -> None:
    assert not notices(write(long(items=names)))  # type: ignore[arg-type]


def test_one_of_many_items_with_a_sign(write: Write) -> None:
    text = "item,ann,ben\n" + "".join(f"doc_{k},yes,no\n" for k in range(5000))
    assert not notices(write(text), annotators="ann,ben")
    (told,) = notices(write(text.replace("doc_77,", "doc_77),")), annotators="ann,ben")
    assert told.startswith(
        "all item ids are like 'doc_0' except 'doc_77)', with characters that no"
    )


def test_an_annotator_of_one_rating_among_few(write: Write) -> None:
    assert notices(write(long().replace("c,y,", "c,u,"))) == [
        "'u' gave one rating, all others several; the name may be misspelt"
    ]
    many = [f"t{item},w{item + k},good\n" for item in range(40) for k in (0, 1)]
    assert not notices(write("item,annotator,label\n" + "".join(many)))


@pytest.mark.parametrize("name", ["Total", "sum", "Grand total", "Summe"])
def test_a_row_of_totals(write: Write, name: str) -> None:
    path = write(f"item,a,b\nt1,1,2\nt2,2,1\n{name},3,3\n")
    with pytest.raises(IaaError, match=f"row '{name}' holds the totals of the others"):
        notices(path, counts="a,b")


@pytest.mark.parametrize("name", ["Total", "sum", "Grand total", "MEAN"])
def test_a_row_that_is_called_as_totals_are(write: Write, name: str) -> None:
    path = write(f"item,a,b\nt1,1,2\nt2,2,1\n{name},3,4\n")
    assert notices(path, counts="a,b") == [
        f"the last item is named {name!r}; if the last row holds totals, leave it out with "
        f"exclude='item={name}'"
    ]


def test_words_that_were_taken_for_not_rated_are_said(write: Write) -> None:
    read_as = read(write(long("NA", "*", "", "NA"))).attrs["read_as"]
    assert read_as.endswith("labels from 'label', not rated: 'NA', '*'")
    assert "not rated" not in read(write(long(""))).attrs["read_as"]


def test_the_items_of_a_transposed_table_are_said(write: Write) -> None:
    ratings = read(write("who,t1,t2\na,x,y\nb,x,x\n"), format="transposed")
    assert ratings.attrs["read_as"].endswith("annotators from 'who', items: t1, t2")


@pytest.mark.parametrize(
    ("second", "why"),
    [('""', "names no item of its own; each item needs a column"), ('"t1 "', "not unique: 't1'")],
)
def test_a_transposed_table_whose_columns_name_no_items(
    write: Write, second: str, why: str
) -> None:
    rows = ",".join(f'{{"who": "{who}", "t1": "x", {second}: "y"}}' for who in "ab")
    with pytest.raises(IaaError, match=why):
        read(write(f"[{rows}]", "t.json"), format="transposed")


@pytest.mark.parametrize("name", ["t.csv", "t.txt", "t.dat", "t"])
def test_json_is_told_by_what_it_holds(write: Write, name: str) -> None:
    rows = [f'{{"item": 1, "annotator": "{who}", "label": "x"}}' for who in "ab"]
    assert read(write("\n".join(rows), name)).sizes["item"] == 1
    assert read(write(f"[{','.join(rows)}]", name)).sizes["item"] == 1


def test_a_transposed_table_of_which_all_columns_are_kept(write: Write) -> None:
    path = write("who,t1,t2\na,x,y\nb,x,x\n")
    with pytest.raises(IaaError, match="no column is left for items; keep fewer columns"):
        read(path, format="transposed", keep="*")


def test_a_comment_among_the_items(write: Write) -> None:
    items = ["t1", "t2", "# t3", "t4", "t5"]
    assert notices(write(long(items=items))) == [  # type: ignore[arg-type]
        "'# t3' begins with '#' as comments do; if this row is not an item, remove it from the file"
    ]
    for names in (["#1", "#2", "#3", "#4", "#5"], ["a b", "#so it is", "c d", "e f", "g h"]):
        assert not notices(write(long(items=names)))  # type: ignore[arg-type]


@pytest.mark.parametrize("ending", ["json", "jsonl"])
def test_true_beside_text(write: Write, ending: str) -> None:
    def told(*cells: str, **options: object) -> list[str]:
        rows = [f'{{"item": {k}, "ann": {cell}, "ben": "yes"}}' for k, cell in enumerate(cells)]
        text = "\n".join(rows) if ending == "jsonl" else f"[{','.join(rows)}]"
        return notices(write(text, f"t.{ending}"), annotators="ann,ben", **options)

    assert told('"yes"', "true", '"no"') == [
        "column 'ann' holds true or false beside text, which were read as 'True' and 'False'; "
        "write all cells of a column as text"
    ]
    assert not told('"yes"', "true", '"no"', labels=["yes", "no", "True"])
    assert not told("true", "false", '""', '"NA"', "null")


def test_numbers_of_thousands_of_figures_are_labels(write: Write) -> None:
    text = long().replace("good", "9" * 5000).replace("bad", "1" * 5000)
    assert read(write(text)).sizes["label"] == 2
