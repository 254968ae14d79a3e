"""Ratings in shapes that are more than one plain table: each with its files, options and figure.

All hold the same ratings but those of sets, so that what a shape becomes can be compared with a
plain count.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import tarfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from tests.archives import packed
from tests.fuzz.tables import Options
from tests.fuzz.workbooks import workbook

WHO = ("ann", "ben", "eve")
LABELS = ("anger", "fear", "joy")
RATINGS = {
    f"t{item}": {who: LABELS[(item * (k + 1) + item // 3) % 3] for k, who in enumerate(WHO)}
    for item in range(1, 9)
}
JOIN = "join"
"""The option that names a file beside the others."""


@dataclass(frozen=True)
class Shape:
    """Files by name, and the options to read them with; ``paths`` are what `iaa.read` is given,
    ``questions`` what is asked of them, one after the other."""

    files: Mapping[str, bytes]
    options: Options
    paths: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()


def lines(rows: list[list[object]], separator: str = ",") -> bytes:
    return "".join(separator.join(map(str, row)) + "\n" for row in rows).encode()


def _triples() -> list[list[object]]:
    return [
        [item, who, label] for item, of_item in RATINGS.items() for who, label in of_item.items()
    ]


LONG = [["item", "annotator", "label"], *_triples()]
WIDE = [["item", *WHO], *([item, *of_item.values()] for item, of_item in RATINGS.items())]


def _paired() -> Shape:
    rows: list[list[object]] = [
        ["case", "judge_1", "vote_1", "judge_2", "vote_2", "judge_3", "vote_3"]
    ]
    for number, (item, of_item) in enumerate(RATINGS.items()):
        turned = [*of_item.items()][number % 3 :] + [*of_item.items()][: number % 3]
        rows.append([item, *(cell for pair in turned for cell in pair)])
    return Shape({"t.csv": lines(rows)}, {"annotator": "judge_*", "label": "vote_*"})


def _without_header() -> Shape:
    return Shape({"t.csv": lines(WIDE[1:])}, {"header_line": 0, "item": "1", "annotators": "2,3,4"})


def _triples_without_header() -> Shape:
    options: Options = {"header_line": 0, "item": "1", "annotator": "2", "label": "3"}
    return Shape({"t.tsv": lines(LONG[1:], "\t")}, options)


def _repeated_rows() -> Shape:
    rows = [*WIDE, [*WIDE[1][:2], "", ""], [*WIDE[2]]]
    return Shape({"t.csv": lines(rows)}, {"annotators": ",".join(WHO), "duplicates": "combine"})


def _by_label() -> Shape:
    rows: list[list[object]] = [["item", "annotator", "emotion", "score"]]
    for item, who, label in _triples():
        rows += [[item, who, each, int(each == label) * 0.5] for each in LABELS]
    return Shape({"t.csv": lines(rows)}, {"label": "emotion", "strength": "score"})


def _joined() -> Shape:
    people = [
        ["who", "team", "age"],
        *([who, "red" if k else "blue", 30 + k] for k, who in enumerate(WHO)),
    ]
    return Shape(
        {"t.csv": lines(LONG), "people.csv": lines(people)}, {JOIN: "people.csv"}, ("t.csv",)
    )


def _by_rater() -> Shape:
    files = {
        f"in/{who}.csv": lines(
            [["item", "label"], *([item, RATINGS[item][who]] for item in RATINGS)]
        )
        for who in WHO
    }
    return Shape(files, {"label": "label"}, ("in",))


def tarred(members: Mapping[str, bytes]) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return data.getvalue()


def _in_tar() -> Shape:
    return Shape(
        {"t.tar.gz": gzip.compress(tarred(_by_rater().files), mtime=0)}, {"label": "label"}
    )


def _in_zip() -> Shape:
    return Shape({"t.zip": packed(_by_rater().files)}, {"label": "label"})


def _nested() -> Shape:
    tasks = [
        {
            "id": item,
            "votes": [{"annotator": who, "label": label} for who, label in of_item.items()],
        }
        for item, of_item in RATINGS.items()
    ]
    return Shape({"t.json": json.dumps(tasks).encode()}, {"records": "votes[]", "item": "id"})


def _nested_twice() -> Shape:
    items = [
        {
            "id": item,
            "votes": [{"annotator": who, "label": label} for who, label in of_item.items()],
        }
        for item, of_item in RATINGS.items()
    ]
    documents = [{"doc": k, "items": items[4 * k : 4 * k + 4]} for k in range(2)]
    text = "".join(json.dumps(document) + "\n" for document in documents)
    return Shape({"t.jsonl": text.encode()}, {"records": "items[].votes[]", "item": "items.id"})


def _nested_unnamed() -> Shape:
    """The only list that names annotators and labels is found unasked."""
    return Shape(_nested().files, {})


def _by_label_of_each() -> Shape:
    rows: list[list[object]] = [["item", "emotion", *WHO]]
    for item, of_item in RATINGS.items():
        rows += [
            [item, each, *(int(each == label) for label in of_item.values())] for each in LABELS
        ]
    return Shape({"t.csv": lines(rows)}, {"label": "emotion", "annotators": ",".join(WHO)})


def _repeated(duplicates: str) -> Shape:
    """Rows of an item below one another, of which each has the rating of one annotator."""
    rows: list[list[object]] = [["item", *WHO]]
    for item, of_item in RATINGS.items():
        rows += [[item, *(label if who == one else "" for who, label in of_item.items())]
                 for one in WHO]  # fmt: skip
    return Shape({"t.csv": lines(rows)}, {"annotators": ",".join(WHO), "duplicates": duplicates})


SECOND = {"anger": "yes", "fear": "no", "joy": "yes"}
"""What is answered to the second question where the first has these labels."""


def _findings_of_raters() -> Shape:
    """Files of raters with a column for each of two questions."""
    files = {
        f"in/{who}.csv": lines(
            [
                ["item", "emotion", "shown"],
                *([i, RATINGS[i][who], SECOND[RATINGS[i][who]]] for i in RATINGS),
            ]
        )
        for who in WHO
    }
    return Shape(files, {}, ("in",), ("emotion", "shown"))


def _questions_of_columns() -> Shape:
    header = ["item", *(f"emotion_{who}" for who in WHO), *(f"shown_{who}" for who in WHO)]
    rows = [
        [item, *of_item.values(), *(SECOND[label] for label in of_item.values())]
        for item, of_item in RATINGS.items()
    ]
    return Shape({"t.csv": lines([header, *rows])}, {}, (), ("emotion", "shown"))


def _questions_in_lists() -> Shape:
    tasks = [
        {
            "id": item,
            "votes": [
                {"annotator": who, "emotion": label, "shown": SECOND[label]}
                for who, label in of_item.items()
            ],
        }
        for item, of_item in RATINGS.items()
    ]
    return Shape({"t.json": json.dumps(tasks).encode()}, {}, (), ("emotion", "shown"))


def _workbook(*above: list[object], **form: bool) -> Shape:
    sheets = {"notes": [["nothing to see"]], "ratings": [*above, *LONG]}
    return Shape({"t.xlsx": workbook(sheets, **form)}, {})


def _workbook_of_two() -> Shape:
    sheets = {"pilot": [*LONG[:4]], "ratings & more": [*WIDE]}
    return Shape({"t.xlsx": workbook(sheets)}, {"records": "ratings & more"})


def _book_of_raters() -> Shape:
    files = {
        f"in/{who}.xlsx": workbook(
            {"s": [["item", "label"], *([item, RATINGS[item][who]] for item in RATINGS)]}
        )
        for who in WHO
    }
    return Shape(files, {"label": "label"}, ("in",))


SHAPES: dict[str, Callable[[], Shape]] = {
    "paired": _paired,
    "without header": _without_header,
    "triples without header": _triples_without_header,
    "repeated rows": _repeated_rows,
    "by label": _by_label,
    "joined": _joined,
    "files of raters": _by_rater,
    "raters in tar": _in_tar,
    "raters in zip": _in_zip,
    "nested": _nested,
    "nested twice": _nested_twice,
    "nested, unnamed": _nested_unnamed,
    "by label of each": _by_label_of_each,
    "repeated apart": lambda: _repeated("apart"),
    "repeated votes": lambda: _repeated("votes"),
    "findings of raters": _findings_of_raters,
    "questions of columns": _questions_of_columns,
    "questions in lists": _questions_in_lists,
    "workbook": _workbook,
    "workbook with a title": lambda: _workbook(["Study 7: emotions"], []),
    "workbook of formulas": lambda: _workbook(formulas=True),
    "workbook of merged cells": lambda: _workbook(merged=True),
    "workbook of two": _workbook_of_two,
    "workbooks of raters": _book_of_raters,
}
"""Each makes its files anew."""


@cache
def shape_of(name: str) -> Shape:
    """The shape of this name; nobody changes what it holds."""
    return SHAPES[name]()


OF_SETS = ("by label", "by label of each", "repeated rows")
"""Shapes whose ratings are sets of one label."""

OPTIONS: dict[str, tuple[object, ...]] = {
    "header_line": (0, 1, 2, 9), "item": ("1", "item", "case", "id", "7"),
    "annotator": ("judge_*", "annotator", "2", "judge_1"),
    "label": ("vote_*", "label", "3", "vote_1"),
    "strength": ("score", "label", "item"), "duplicates": ("first", "apart", "votes", "combine"),
    "records": ("votes[]", "items[]", "items[].votes[]", "a[].b[].c[]", "[]", "votes"),
    "join": ("people.csv", "t.csv", "none.csv"),
    "multi_hot": ("label", "vote_*"), "merge_ids": ("numbers", "case"), "anonymous": (True,),
    "blank": ("no", "x", "1"), "unordered": (True,),
}  # fmt: skip


def change_options(options: Options, dice: random.Random) -> tuple[Options, str]:
    """Options with one left out, or given otherwise."""
    if options and dice.random() < 0.5:
        name = dice.choice([*options])
        return {key: value for key, value in options.items() if key != name}, f"without {name}"
    name = dice.choice([*OPTIONS])
    value = dice.choice(OPTIONS[name])
    return {**options, name: value}, f"with {name}={value!r}"
