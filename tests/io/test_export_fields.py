"""Items, annotators and kept columns are fields of a tool's records, where the caller says so."""

from __future__ import annotations

import pytest

from iaa_jax import IaaError
from iaa_jax.io.export.answers import INCLUDE
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.ratings import ratings_of
from iaa_jax.io.words import in_words
from tests.io.exports import Row, export_of

FIELDS = {"data": {"id": 7, "text": "so"}, "who.name": "Ann", "tags": ["x", {"k": "v"}]}


def exported(*changes: dict[str, object], **options: object) -> Export:
    every = [
        Row("1", "a", ["x"], fields=FIELDS),
        Row("1", "b", ["y"], fields=FIELDS | {"who.name": "Bob"}),
    ]
    every += [Row("2", "a", ["x"], fields=FIELDS | change) for change in changes]
    return export_of(every, **options)


def test_fields_name_the_item() -> None:
    dotted = exported(item="data.id", annotator="who.name")
    ratings = ratings_of(dotted)
    assert ratings["item"].values.tolist() == [7]
    assert ratings["annotator"].values.tolist() == ["Ann", "Bob"]
    read_as = in_words(ratings.attrs["reading"])["read_as"]
    assert read_as.startswith("Tool JSON, items from 'data.id', annotators from 'who.name'")
    joined = ratings_of(exported(item="data.id,data.text", annotator="who.name"))
    assert joined["item"].values.tolist() == ["7 | so"]
    inner = ratings_of(exported(item="tags.1.k", annotator="who.name"))
    assert inner["item"].values.tolist() == ["v"]


@pytest.mark.parametrize("name", ["text", "data.nothing", "data.id.x", "tags.2", "tags.x"])
def test_a_field_that_is_missing_is_named(name: str) -> None:
    for option in ("item", "annotator"):
        with pytest.raises(IaaError, match=r"export\.json record 1 has no field") as caught:
            exported(**{option: name})
        assert "'data', 'who.name', 'tags'" in str(caught.value)
    with pytest.raises(IaaError, match="has no field"):
        ratings_of(exported(keep=name))


def test_null_names_nobody() -> None:
    with pytest.raises(IaaError, match=r"record 3"):
        ratings_of(exported({"data": {"id": None}}, item="data.id"))
    with pytest.raises(IaaError, match=r"1 judgement without annotator, as in export.json rec"):
        ratings_of(exported({"who.name": None}, annotator="who.name"))


def test_columns_are_kept_where_records_have_them() -> None:
    ratings = ratings_of(exported({"data": None}, keep="data.text,tags.0"))
    assert ratings["data.text"].values.tolist() == ["so", ""]
    assert ratings["tags.0"].dims == ("item",)
    with pytest.raises(IaaError, match="keep='label' names a variable that ratings have anyway"):
        exported(keep="label")


def test_the_record_is_kept_anyway() -> None:
    rows = [Row(k, who, ["x"], record="r") for k in "12" for who in "ab"]
    ratings = ratings_of(export_of(rows, keep="record"))
    assert ratings["record"].values.tolist() == ["r", "r"]


def test_what_is_no_judgement_is_counted_unless_it_is_wanted() -> None:
    export = exported()
    assert [export.remarks.wants(what, 2) for what in INCLUDE] == [False] * 5
    said = in_words(ratings_of(export).attrs["reading"])["skipped"]
    assert said == (
        "2 drafts; 2 gold judgements; 2 predictions; 2 judgements of curators; "
        "2 rejected judgements"
    )
    assert exported(include=["gold"]).remarks.wants("gold")


def test_times_of_judgements_are_kept_as_time() -> None:
    rows = [Row("1", "a", ["x"], 5.5, FIELDS), Row("1", "b", ["y"], 7.0, FIELDS)]
    rows += [Row("2", "a", ["x"], 9.0, FIELDS), Row("2", "b", ["x"], fields=FIELDS)]
    ratings = ratings_of(export_of(rows, keep="time"))
    assert ratings["time"].dims == ("item", "annotator")
    assert str(ratings["time"].values.tolist()) == "[[5.5, 7.0], [9.0, nan]]"
    named = [row._replace(fields=FIELDS | {"time": 3}) for row in rows]
    assert ratings_of(export_of(named, keep="time"))["time"].values.tolist() == [3, 3]
    untimed = [row._replace(time=float("nan")) for row in rows]
    with pytest.raises(IaaError, match="has no field 'time'"):
        ratings_of(export_of(untimed, keep="time"))
