"""JSON: nothing that stands in a file goes unread without a word."""

from __future__ import annotations

import io
import itertools
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import iaa_jax as iaa
from iaa_jax import IaaError, read

Write = Callable[..., Path]

RECORD = '{"item": %d, "annotator": "%s", "label": "%s"}'
ROWS = [RECORD % (item, who, "x") for item in (1, 2) for who in ("ann", "bob")]
AGAIN = '{"item": 2, "annotator": "cy", "label": "x", "label": "y"}'


def said(path: Path, **options: object) -> str:
    """The message with which a file is refused, without the folder."""
    with pytest.raises(IaaError) as caught:
        read(path, **options)
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(f"{path.parent}/", "")


def test_records_of_what_is_no_json(write: Write) -> None:
    message = said(write("item,ann,bob\n1,x,y\n"), records="items")
    assert message == "t.csv: records is for JSON and spreadsheets, which this is not"


def test_records_with_null_for_a_label_are_counted(write: Write) -> None:
    null = '{"item": 2, "annotator": "cy", "label": null}'
    ratings = read(write("\n".join([*ROWS, null]), "t.jsonl"))
    assert ratings.attrs["skipped"] == "1 empty answer"


@pytest.mark.parametrize(
    ("text", "name", "start"),
    [
        (f"[{', '.join([*ROWS, AGAIN])}]", "t.json", "t.json record 5: the key 'label' occurs"),
        ("\n\n".join([*ROWS, AGAIN]), "t.jsonl", "t.jsonl line 9: the key 'label' occurs"),
        ("\n".join([*ROWS, AGAIN]), "t.json", "t.json line 5: the key 'label' occurs"),
        (
            f'{{"rows": [{", ".join([*ROWS, AGAIN])}]}}',
            "t.json",
            "t.json line 1: the key 'label' occurs",
        ),
        (
            '[{"item": 1, "answers": [{"by": "a"}, {"by": "a", "b\\u0079": "c"}]}]',
            "t.json",
            "t.json record 1: the key 'by' occurs",
        ),
        (
            '{"answers": [{"by": "a", "by": "c"}]}\n',
            "t.jsonl",
            "t.jsonl line 1: the key 'by' occurs",
        ),
        (
            '{"t1": {"ann": "x", "bob": "x"}, "t2": {"ann": "x", "bob": "y", "ann": "y"}}',
            "t.json",
            "t.json line 1: the key 'ann' occurs",
        ),
        (
            '{"t1": {"ann": "x", "bob": "x"}, "t2": {"ann": "x", "bob": "y"}, '
            '"t1": {"ann": "y", "bob": "y"}}',
            "t.json",
            "t.json line 1: the key 't1' occurs",
        ),
        ('{"t1": "x", "t2": "y", "t1": "y"}', "t.json", "t.json line 1: the key 't1' occurs"),
    ],
)
def test_repeated_keys(write: Write, text: str, name: str, start: str) -> None:
    message = said(write(text, name), item="key")
    assert message.startswith(f"{start} more than once in one object")
    assert message.endswith("of equal keys only the last would be read: keep one, or rename them")


def test_the_object_with_a_repeated_key_is_shown(write: Write) -> None:
    message = said(write(f'{{"rows": [{", ".join([*ROWS, AGAIN])}]}}', "t.json"))
    assert "in one object, {'annotator': 'cy', 'item': 2, 'label': 'y'}; " in message


def test_long_lists_are_read_whole(write: Write) -> None:
    labels = [["xyz"[(item * who + item) % 3] for who in range(25)] for item in range(10)]
    records = [
        {"id": item, "annotations": [{"who": f"ann{k}", "label": x} for k, x in enumerate(row)]}
        for item, row in enumerate(labels)
    ]
    ratings = read(write(json.dumps(records), "t.json"), annotators="annotations.*.label")
    assert ratings.sizes["annotator"] == 25
    assert ratings["label"].values[ratings["primary"].values].tolist() == labels
    assert (
        read(
            write(json.dumps(records), "t.json"),
            annotators="annotations.24.label,annotations.3.label",
        ).sizes["annotator"]
        == 2
    )


def test_a_list_may_grow_from_record_to_record(write: Write) -> None:
    records = [{"id": k, "marks": [{"is": "x"}] * k} for k in (2, 23, 40)]
    ratings = read(write("\n".join(map(json.dumps, records)), "t.jsonl"), annotators="marks.*.is")
    assert ratings["annotator"].values.tolist() == [f"marks.{k}.is" for k in range(40)]
    assert (ratings["primary"].values >= 0).sum(axis=1).tolist() == [2, 23, 40]


def test_more_fields_than_a_table_can_have(write: Write) -> None:
    record = {"id": 1, "few": [{"a": 1}], "tokens": [{"at": k, "text": "a"} for k in range(60_000)]}
    message = said(write(json.dumps([{"id": 0}, record]), "t.json"), annotators="few.*.a")
    assert message.startswith(
        "t.json record 2: more than 100,000 fields with names of their own, most of them in "
        "'tokens'"
    )


def test_several_lists_of_records(write: Write) -> None:
    train, test = ([json.loads(row) for row in rows] for rows in (ROWS, ROWS[:3]))
    path = write(json.dumps({"by": ["x"], "test": test, "train": train, "none": []}), "t.json")
    assert said(path) == (
        "t.json holds 2 lists of records with the same fields: 'test' (3 records), 'train' "
        "(4 records); name the one to read with records, as in records='test', or put their "
        "records in one list"
    )
    assert read(path, records="train").sizes["item"] == 2
    deep = write(json.dumps({"all": {"train": train, "test": test}, "by": "x"}), "t.json")
    assert "as in records='all.train', or" in said(deep, records="all")
    late = write(json.dumps({"train": train, "test": [None, *test]}), "t.json")
    assert "lists of records with the same fields: 'train' (4 records), 'test' (4" in said(late)


def test_what_stands_beside_the_records_is_named(write: Write) -> None:
    rows = [json.loads(row) for row in ROWS]
    document = {"by": {"us": 1}, "people": {"ann": {"age": 1}}, "tasks": [{"of": 1}], "rows": rows}
    ratings = read(write(json.dumps(document), "t.json"))
    assert ratings.attrs["read_as"].endswith(", records from 'rows' (not from 'people', 'tasks')")


def test_half_a_pair_of_surrogates(write: Write) -> None:
    text = f"[{', '.join(ROWS)}]".replace('"x"', '"\\ud800"')
    assert said(write(text, "t.json")).startswith(
        r"t.json: '\ud800' is no text: surrogates not all"
    )


@pytest.mark.parametrize("options", [{}, {"annotators": "ann,ben"}, {"item": "item"}])
@pytest.mark.parametrize("together", [True, False])
def test_fields_that_only_blanks_tell_apart(
    write: Write, options: dict[str, str], together: bool
) -> None:
    records = [{"item": k, "ann": "xy"[k % 2], "ben": "x"} for k in range(5)]
    records[2] |= {"ann ": "y"}
    if not together:
        del records[2]["ann"]
    path = write(json.dumps(records), "t.json")
    with pytest.raises(IaaError, match="not unique: 'ann'"):
        read(path, **options)


def test_a_dotted_field_beside_a_nested_one(refused: Callable[..., str]) -> None:
    text = (
        '[{"id": 1, "a.b": "x", "a": {"b": "y"}, "c": "x"}, {"id": 2, "a": {"b": "x"}, "c": "x"}]'
    )
    told = refused(text, item="id", annotators="a.b,c")
    assert "'a.b' names two fields of the records: one by itself, and one inside 'a'" in told


def test_records_without_fields(refused: Callable[..., str]) -> None:
    assert refused("[{}]") == "t.csv: its records have no fields"


@pytest.mark.parametrize("labels", [("yes", "no"), ("1", "2")])
def test_the_keys_of_a_contingency_table_have_no_order(
    write: Write, labels: tuple[str, str]
) -> None:
    counts = {labels[0]: (5, 1), labels[1]: (2, 4)}
    for order in itertools.permutations(("row", *labels)):
        records = [
            {key: name if key == "row" else row[labels.index(key)] for key in order}
            for name, row in counts.items()
        ]
        ratings = iaa.read(write(json.dumps(records), "t.json"), format="contingency")
        estimate = iaa.percent_agreement(ratings, interval=None).estimate.item()
        assert estimate == pytest.approx(9 / 12), order
        rows = [
            [str(ratings["label"].values[code]) for code in row] for row in ratings.primary.values
        ]
        found = {
            tuple(row): weight for row, weight in zip(rows, ratings.item_weight.values, strict=True)
        }
        assert found == {
            (name, other): counts[name][k] for name in labels for k, other in enumerate(labels)
        }


def test_lists_without_names_are_refused_with_the_constructor_that_takes_them(write: Write) -> None:
    rows = [["x", "y"], ["x", None]]
    with pytest.raises(IaaError, match=r"iaa\.from_sets; .*iaa\.from_ranked") as caught:
        read(write(json.dumps(rows), "t.json"))
    code = re.search(r"iaa\.from_wide\(json\.load\(open\('[^']*'\)\)\)", str(caught.value))
    assert code is not None
    known = {"json": json, "iaa": iaa, "open": lambda name: io.StringIO(Path(name).read_text())}
    assert eval(code[0], known).sizes["item"] == len(rows)
