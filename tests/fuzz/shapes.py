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

from openpyxl import Workbook

from tests.archives import packed
from tests.fuzz.tables import Options

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
    """Files by name, and the options to read them with; ``paths`` are what `iaa.read` is given."""

    files: Mapping[str, bytes]
    options: Options
    paths: tuple[str, ...] = ()


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


def _workbook(*, titles: bool, formula: bool, merged: bool) -> Shape:
    made = Workbook()
    sheet = made.active
    sheet.title = "ratings"
    if titles:
        sheet.append(["Study 7: emotions"])
        sheet.append([])
    for row in WIDE:
        sheet.append(row)
    if formula:
        sheet.cell(sheet.max_row + 2, 6, "=COUNTA(B2:B9)")
    if merged:
        sheet.merge_cells("G1:H2")
    made.create_sheet("notes").append(["nothing to see"])
    data = io.BytesIO()
    made.save(data)
    return Shape({"t.xlsx": data.getvalue()}, {"item": "item", "annotators": ",".join(WHO)})


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
    "workbook": lambda: _workbook(titles=False, formula=False, merged=False),
    "workbook with a title": lambda: _workbook(titles=True, formula=False, merged=False),
    "workbook with a formula": lambda: _workbook(titles=False, formula=True, merged=True),
}
"""Each makes its files anew."""

OF_SETS = ("by label",)
"""Shapes whose ratings are sets of one label."""

OPTIONS: dict[str, tuple[object, ...]] = {
    "header_line": (0, 1, 2, 9), "item": ("1", "item", "case", "id", "7"),
    "annotator": ("judge_*", "annotator", "2", "judge_1"),
    "label": ("vote_*", "label", "3", "vote_1"),
    "strength": ("score", "label", "item"), "duplicates": ("first", "apart", "votes", "combine"),
    "records": ("votes[]", "items[]", "items[].votes[]", "a[].b[].c[]", "[]", "votes"),
    "join": ("people.csv", "t.csv", "none.csv"),
    "multi_hot": ("label", "vote_*"), "merge_ids": ("numbers", "case"), "anonymous": (True,),
}  # fmt: skip


def change_options(options: Options, dice: random.Random) -> tuple[Options, str]:
    """Options with one left out, or given otherwise."""
    if options and dice.random() < 0.5:
        name = dice.choice([*options])
        return {key: value for key, value in options.items() if key != name}, f"without {name}"
    name = dice.choice([*OPTIONS])
    value = dice.choice(OPTIONS[name])
    return {**options, name: value}, f"with {name}={value!r}"
