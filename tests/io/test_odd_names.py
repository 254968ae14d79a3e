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
        "'unsure' (1 rating) may mean 'not rated' and was read as a label; if so, give "
        "missing='unsure'"
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
    assert told.endswith("if so, give missing='n.b.'")
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
    assert told.endswith("were read as labels, not as sets of labels")


def test_the_line_of_the_names_once_more(write: Write) -> None:
    again = read(write(long() + "item,annotator,label\n"))
    assert again.equals(read(write(long())))
    assert again.attrs["skipped"] == "1 row that repeats the names of columns"
    assert "notices" not in again.attrs


def test_an_item_that_is_no_number_as_the_others_are(write: Write) -> None:
    text = long(items=[*"12345", "# 6"])  # type: ignore[arg-type]
    assert notices(write(text)) == [
        "all item ids are whole numbers except '# 6'; if this row is not an item, leave it out"
    ]


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
    [('""', "each item needs a column with a different name"), ('"t1 "', "not unique: 't1'")],
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


@pytest.mark.parametrize("ending", ["json", "jsonl"])
def test_true_beside_text(write: Write, ending: str) -> None:
    def told(*cells: str, **options: object) -> list[str]:
        rows = [f'{{"item": {k}, "ann": {cell}, "ben": "yes"}}' for k, cell in enumerate(cells)]
        text = "\n".join(rows) if ending == "jsonl" else f"[{','.join(rows)}]"
        return notices(write(text, f"t.{ending}"), annotators="ann,ben", **options)

    assert told('"yes"', "true", '"no"') == [
        "column 'ann' holds true or false as well as text; these were read as 'True' and 'False'; "
        "write all cells of a column as text"
    ]
    assert not told('"yes"', "true", '"no"', labels=["yes", "no", "True"])
    assert not told("true", "false", '""', '"NA"', "null")


def test_numbers_of_thousands_of_figures_are_labels(write: Write) -> None:
    text = long().replace("good", "9" * 5000).replace("bad", "1" * 5000)
    assert read(write(text)).sizes["label"] == 2
