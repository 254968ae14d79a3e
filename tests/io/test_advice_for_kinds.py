"""Kinds of public files: what a refusal proposes reads them, and the figure is the one by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import permutations
from pathlib import Path

import numpy as np
import openpyxl
import pytest

import iaa_jax as iaa
from iaa_jax import IaaError, read

Write = Callable[..., Path]
Refused = Callable[..., str]


def alpha(items: Sequence[Sequence[object]], distance: Callable[..., float] | None = None) -> float:
    """Krippendorff's alpha, by all ordered pairs of ratings."""
    far = distance or (lambda a, b: float(a != b))
    rated = [item for item in items if len(item) > 1]
    every = [rating for item in rated for rating in item]
    within = sum(far(a, b) / (len(item) - 1) for item in rated for a, b in permutations(item, 2))
    expected = sum(far(a, b) for a, b in permutations(every, 2)) / (len(every) - 1)
    return 1 - within / expected


def measured(ratings: object) -> float:
    result = iaa.agreement(ratings, "krippendorff_alpha", interval=None)
    return float(result["estimate"].item())


LISTS = [[1, 2, 1], [2, 2, 2], [-1, 1, -1], [0, -1, 0], [2, 1, 2]]


def test_a_first_line_of_cells_with_lists_is_a_row(write: Write) -> None:
    text = "".join(f":{n}\t{sum(cell) / 3:.2f}\t{cell}\n" for n, cell in enumerate(LISTS))
    path = write(text, "t.tsv")
    with pytest.raises(IaaError) as caught:
        read(path)
    said = "header_line=0, item='1', label='3' and anonymous=True"
    assert f"if the first line holds no names of columns, give {said}" in str(caught.value)
    assert "'[1, 2, 1]' holds lists" not in str(caught.value)
    ratings = read(path, header_line=0, item="1", label="3", anonymous=True)
    assert ratings.sizes["item"] == len(LISTS)
    assert measured(ratings) == pytest.approx(alpha(LISTS))


def test_numbers_between_commas_are_lists_and_deviations_no_annotators(write: Write) -> None:
    rows = (
        f'x{n},0.{n}5,0.{n + 1}5,"{str(cell)[1:-1]}"\n' for n, cell in enumerate(LISTS)
    )  # the last column as in "1, 2, 1"
    text = "uID,sd.all,SD,Responses\n" + "".join(rows)
    ratings = read(write(text), label="Responses", anonymous=True, separator=",")
    assert read(write(text)).equals(ratings)
    assert measured(ratings) == pytest.approx(alpha(LISTS))


def test_lists_of_items_are_of_the_column_that_tells_them_apart(write: Write) -> None:
    rows = [{"task": "ab"[n % 2], "id": f"x{n}", "labels": cell} for n, cell in enumerate(LISTS)]
    path = write("\n".join(map(json.dumps, rows)), "t.jsonl")
    ratings = read(path, label="labels", anonymous=True)
    assert ratings.sizes["item"] == len(LISTS)
    assert "lists_joined" not in ratings.attrs["reading"]
    joined = read(path, item="task", label="labels", anonymous=True)
    assert joined.sizes["item"] == 2
    assert (
        "2 items have several rows (5 rows), and their lists of ratings were joined"
        in (joined.attrs["notices"])
    )


def test_lists_of_ratings_beside_their_means_by_question(write: Write) -> None:
    """A mean and a majority of ratings are no annotators, and the lists are the ratings."""
    rows = [
        {"id": n, **{q: {"mean": 1.5, "scores": cell, "majority": 2} for q in ("clear", "true")}}
        for n, cell in enumerate(LISTS)
    ]
    path = write("\n".join(map(json.dumps, rows)), "t.jsonl")
    with pytest.raises(IaaError) as caught:
        read(path)
    message = str(caught.value)
    assert "'clear.scores' holds lists (so does another): if each has all ratings" in message
    assert "give item='id', label='clear.scores' and anonymous=True (5 items," in message
    assert "--questions clear.scores,true.scores" in message
    assert measured(read(path, label="clear.scores", anonymous=True)) == pytest.approx(alpha(LISTS))


def test_what_lists_of_answers_come_to_is_no_annotator(write: Write) -> None:
    """Each question has what most say, without a name, beside a list with a place for each."""
    draw = np.random.default_rng(0)
    records: dict[str, dict[str, object]] = {}
    for key in range(30):
        records[str(key)] = {"title": f"title {key}"}
        for question in ("hi1", "hi2", "co1", "co2"):
            yes = int(draw.integers(4))
            said = "yes" if yes > 1 else "no" if yes < 1 else "NO AGREEMENT"
            places: list[object] = ["yes"] * yes + ["no"] * (3 - yes)
            records[str(key)][question] = [said, [*draw.permutation(places).tolist(), -1]]
    path = write(json.dumps(records), "t.json")
    with pytest.raises(IaaError) as caught:
        read(path)
    said = str(caught.value)
    assert "annotators='hi1.0" not in said
    assert "'hi1.1' holds lists (so do 3 others): if each has all ratings of an item, give" in said
    assert "--questions hi1.1,hi2.1,co1.1,co2.1" in said
    assert "if each position in 'hi1.1' is an annotator, give " in said
    assert "annotators='hi1.1' (30 items, 4 annotators, 120 ratings)" in said


CROWD = ("ab", "a"), ("b", "ab"), ("c", "c"), ("", "a")


def _crowd() -> str:
    rows = [
        f"{9000 + 10 * n + k},u{n},{'xy'[k]},w{n % 2}{k},{_cell(json.dumps([*cell]))}\n"
        for n, cells in enumerate(CROWD)
        for k, cell in enumerate(cells)
    ]
    return "number,unit_id,channel,worker_id,chosen\n" + "".join(rows)


def _cell(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def test_answers_of_workers_that_are_lists_are_sets(write: Write) -> None:
    text = _crowd()
    ratings = read(write(text), item="unit_id", annotator="worker_id", label="chosen")
    assert read(write(text)).equals(ratings)
    assert measured(ratings) == pytest.approx(alpha(CROWD))


def test_what_describes_workers_or_items_is_no_label(write: Write) -> None:
    rows = [
        f"u{n},ch{k % 2},w{k},t{n % 2},{'yn'[(n * k + n) % 2]}" for n in range(6) for k in range(3)
    ]
    path = write("\n".join(["unit_id,channel,worker_id,topic,chosen", *rows]))
    ratings = read(path, item="unit_id", annotator="worker_id", label="chosen")
    assert read(path).equals(ratings)


def test_columns_of_coders_and_the_columns_that_name_an_item(write: Write) -> None:
    rows = [("p1", "a1", 0, 0), ("p1", "a2", 1, 1), ("p2", "a1", 1, 0), ("p2", "a2", 1, 1)]
    text = "paperID,codeID,Coder1Text,Coder2Text\n"
    text += "".join(f"{p},{a},{x},{y}\n" for p, a, x, y in rows)
    ratings = read(write(text), item="paperID,codeID", annotators="Coder1Text,Coder2Text")
    assert read(write(text)).equals(ratings)
    assert measured(ratings) == pytest.approx(alpha([row[2:] for row in rows]))


def test_columns_that_list_annotators_are_no_labels(refused: Refused) -> None:
    text = 'id,Raters_toxic,Raters_fine\nx,"[3, 5]","[8]"\ny,"[]","[3, 8]"\nz,"[5]","[3, 8]"\n'
    message = refused(text)
    assert "label='Raters" not in message


def test_a_folder_of_workbooks(tmp_path: Path, write: Write) -> None:
    labels = [(1, 1), (0, 1), (1, 1), (0, 0)]
    for who in range(2):
        book = openpyxl.Workbook()
        for row in [("text", "label"), *((f"t {n}", each[who]) for n, each in enumerate(labels))]:
            book.active.append(row)
        book.save(tmp_path / f"ann{who}.xlsx")
    assert measured(read(tmp_path)) == pytest.approx(alpha(labels))
    write("item,annotator,label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n", "ratings.csv")
    assert read(tmp_path).annotator.values.tolist() == ["a", "b"]  # tables come first


JUDGED = [("q1", "d1", 2, 2), ("q1", "d2", 0, 1), ("q2", "d1", 3, 3), ("q2", "d3", 0, 0)]


@pytest.mark.parametrize("header", ["", "query\titer\tdoc\tgrade\n", "Q1\titer\tD1\tgiven\n"])
def test_a_file_of_each_judge_whose_items_have_two_columns(write: Write, header: str) -> None:
    paths = []
    for who in range(2):
        rows = "".join(f"{q}\t0\t{d}\t{grades[who]}\n" for q, d, *grades in JUDGED)
        paths.append(write(header + rows, f"judge{who}.tsv"))
    with pytest.raises(IaaError, match="which suggests files of one annotator each") as caught:
        read(paths)
    if header:
        query, _, doc, grade = header.split()
        told = {"item": f"{query},{doc}", "label": grade}
        assert f"give item='{query},{doc}' and the column of labels, as in label='{grade}'" in str(
            caught.value
        )
    else:
        told = {"header_line": 0, "item": "1,3", "label": "4"}
        assert "give header_line=0, item='1,3' and the column of labels, as in label='4'" in str(
            caught.value
        )
    assert measured(read(paths, **told)) == pytest.approx(alpha([row[2:] for row in JUDGED]))


TERMS = [
    ("a term of it", "tech", "tech"), ("model", "model", "tech"), ("two words", "lr", "lr"),
    ("speech", "tech", "lr"), ("a term of it", "tech", "tech"), ("corpus", "lr", "lr"),
    *((f"word {n}", "lr", "tech"[: 4 * (n % 2)] or "lr") for n in range(9)),
]  # fmt: skip


def test_texts_that_repeat_and_are_names_of_labels_too_are_items(write: Write) -> None:
    path = write("".join("\t".join(row) + "\n" for row in TERMS), "t.tsv")
    for options in ({}, {"header_line": 0}):
        with pytest.raises(IaaError) as caught:
            read(path, **options)
        assert "annotators='2,3'" in str(caught.value)
        assert "annotator='1'" not in str(caught.value)
    ratings = read(path, header_line=0, annotators="2,3")
    assert ratings.sizes["item"] == len(TERMS)
    assert measured(ratings) == pytest.approx(alpha([row[1:] for row in TERMS]))


def test_a_comment_beside_the_names_of_columns(write: Write) -> None:
    names = "item\tannotator\tlabel\t# see: a page"
    path = write(f"{names}\n1\ta\tx\n1\tb\tx\n2\ta\ty\n2\tb\tx\n", "t.tsv")
    ratings = read(path)
    assert measured(ratings) == pytest.approx(alpha(["xx", "yx"]))
    assert (
        "without the comment '# see: a page' next to the column names" in ratings.attrs["read_as"]
    )


def test_columns_about_people_are_no_annotators(refused: Refused) -> None:
    rows = "".join(f"{n},{n % 2},{n % 5 + 1},{5 - n % 5},{20 + n}\n" for n in range(1, 12))
    message = refused(f"rownames,cond,pmi,reaction,age\n{rows}")
    assert "cannot tell how the table" in message
    assert ",age" not in message


def test_cells_between_blanks(write: Write, refused: Refused) -> None:
    rows = [(n, who, n % 3 if who < 2 else 0) for n in range(9) for who in range(3)]
    path = write("9 3 27\n" + "".join(f"{n} {who} {label}\n" for n, who, label in rows), "t.txt")
    advised = "give item='9', annotator='3' and label='27' (9 items, 3 annotators"
    assert advised in refused(path.read_text())
    ratings = read(path, item="9", annotator="3", label="27")
    assert measured(ratings) == pytest.approx(alpha([f"{n % 3}{n % 3}0" for n in range(9)]))
    message = refused("a title\nof several words here\n")
    assert "has a single column, 'a title'" in message


@pytest.mark.parametrize("mark", [" ", "\t", ","])
def test_rows_that_R_names_but_not_their_column(write: Write, mark: str) -> None:
    rows = ["xxy", "yyy", "xxx", "yxy"]
    lines = [mark.join(f'"{cell}"' for cell in (k, *row)) for k, row in enumerate(rows, 1)]
    path = write("\n".join([mark.join(['"ann"', '"bob"', '"cyd"']), *lines]) + "\n", "t.txt")
    ratings = read(path)
    assert ratings.annotator.values.tolist() == ["ann", "bob", "cyd"]
    assert measured(ratings) == pytest.approx(alpha(rows))
    assert "as R writes them" in ratings.attrs["read_as"]


def test_lists_of_votes_in_objects_of_a_list_are_of_these_objects(write: Write) -> None:
    rows = [["xxy", "yyy"], ["xyx", "xxx"], ["yyx", "yxy"]]
    text = "\n".join(
        json.dumps(
            {
                "claim": k,
                "found": [{"source": f"s{j}", "votes": [*votes]} for j, votes in enumerate(each)],
            }
        )
        for k, each in enumerate(rows)
    )
    path = write(text, "claims.jsonl")
    with pytest.raises(IaaError, match=r"inside the records, give records='found\[\]'$"):
        read(path)
    ratings = read(path, records="found[]")
    assert dict(ratings.sizes)["item"] == 6
    estimate = float(iaa.krippendorff_alpha(ratings).estimate)
    assert estimate == pytest.approx(alpha([votes for each in rows for votes in each]))


def test_many_numbers_have_their_alpha_at_a_level() -> None:
    values = [[(7 * n) % 997 + 1 / (n + 2), (7 * n) % 997 + 1 / (n + 3)] for n in range(2100)]
    ratings = iaa.from_long(
        {
            "item": [n for n in range(2100) for _ in "ab"],
            "annotator": ["a", "b"] * 2100,
            "label": [value for pair in values for value in pair],
        }
    )
    assert ratings.sizes["label"] == 4200
    result = iaa.agree(ratings, coefficients="krippendorff_alpha", level="interval")
    every = [value for pair in values for value in pair]
    mean = sum(every) / len(every)
    within = sum((a - b) ** 2 for a, b in values) / len(values)
    expected = 2 * sum((value - mean) ** 2 for value in every) / (len(every) - 1)
    estimate = float(result["coefficients"]["estimate"].item())
    assert estimate == pytest.approx(1 - within / expected)


@pytest.mark.parametrize("known", ["assignment_status", "hit_id", "is_control", "submit_time"])
def test_what_a_platform_says_of_an_answer_is_no_label(write: Write, known: str) -> None:
    """States, ids and times stand before the answers, and a mark of items says the same of each."""
    table = [[(k * (who + 1) + k // 3) % 3 for who in range(3)] for k in range(12)]
    rows = [
        {
            "hit_id": f"H{k % 4}",
            "comment_id": f"c{k}",
            "worker_id": f"w{who}",
            "assignment_status": ("Approved", "Rejected")[(k + who) % 5 == 0],
            "submit_time": f"{who + 1}:00",
            "is_control": str(k % 6 == 0).lower(),
            "tone": ("mild", "none", "rude")[table[k][who]],
        }
        for k in range(12)
        for who in range(3)
    ]
    order = [known, *(name for name in rows[0] if name not in (known, "tone")), "tone"]
    text = "".join(
        ",".join(line) + "\n" for line in (order, *([row[name] for name in order] for row in rows))
    )
    ratings = read(write(text), item="comment_id", annotator="worker_id", label="tone")
    assert read(write(text)).equals(ratings)
    assert measured(ratings) == pytest.approx(alpha(table), abs=1e-12)
