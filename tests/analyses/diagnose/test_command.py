"""The commands items, annotators and labels."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import iaa_jax
from iaa_jax.cli.exits import UNUSABLE
from tests.program import widest

FAST = ("--replicates", "50")

LONG = """\
text_id,who,answer,text,batch,team
1,ann,x,"first, long",1,red
1,bob,x,"first, long",1,blue
1,cleo,y,"first, long",1,red
2,ann,y,second,1,red
2,bob,x,second,1,blue
3,ann,z,third,2,red
3,bob,z,third,2,blue
3,cleo,z,third,2,red
4,bob,y,,2,blue
4,cleo,y,,2,red
"""


@pytest.fixture
def long(folder: Path) -> str:
    (folder / "long.csv").write_text(LONG)
    return "long.csv"


LONG_OPTIONS = ("--annotator", "who", "--label", "answer", *FAST)


def test_items_prints_the_lowest_influence_first(ran, long) -> None:
    done = ran("items", long, *LONG_OPTIONS, "--top", "2", "--text", "text")
    rows = [line.split() for line in done.stdout.splitlines() if line[:2] in ("1 ", "2 ", "3 ")]
    assert [row[0] for row in rows] == ["2", "1"]
    assert "first, long" in done.stdout
    flat = " ".join(done.stdout.split())
    assert flat.startswith("Annotators disagree on 2 of 4 items")
    assert "Krippendorff's alpha is 0.455 on all items" in flat
    assert "Shown: 2 of 4 items; those that lower Krippendorff's alpha most come first." in flat
    assert widest(done.stdout) <= 80


@pytest.mark.parametrize("command", ["items", "annotators", "labels"])
def test_the_json_and_the_csv_hold_the_same(ran, command, folder) -> None:
    ran(command, "wide.csv", *FAST, "--json", "out.json", "--output", "out.csv")
    found = json.loads((folder / "out.json").read_text())
    assert found.keys() >= {"data", command, "conclusion", "notes", "provenance"}
    records = found[command]
    if command == "labels":
        records = list(records.values())
    rows = list(csv.DictReader(io.StringIO((folder / "out.csv").read_text())))
    for row, record in zip(rows, records, strict=True):
        flat = {name: value for name, value in record.items() if not isinstance(value, dict)}
        for label, bias in record.get("bias", {}).items():
            flat[f"bias {label}"] = bias
        assert row == {name: "" if value is None else str(value) for name, value in flat.items()}
    assert found["provenance"]["coefficient"] == "krippendorff_alpha"
    assert found["provenance"]["iaa_jax_version"] == iaa_jax.__version__
    assert found["provenance"]["options"]["replicates"] == 50


def test_the_figures_are_those_of_the_library(iaa, folder) -> None:
    done = iaa("annotators", "wide.csv", *FAST, "--coefficient", "gwet_ac1", "--json", "-")
    found = json.loads(done.stdout)
    expected = iaa_jax.annotators(
        iaa_jax.read(folder / "wide.csv"), "gwet_ac1", replicates=50, sort="agreement"
    )
    for row, name in zip(found["annotators"], expected.annotator.values, strict=True):
        one = expected.sel(annotator=name)
        assert row["annotator"] == name
        for figure in ("agreement", "kappa", "without", "agreement_ci_low"):
            assert row[figure] == pytest.approx(float(one[figure]))
    rows = {row["annotator"]: row for row in found["annotators"]}
    assert rows["ann"]["pair_kappa"]["bob"] == pytest.approx(
        float(expected.pair_kappa.sel(annotator="ann", annotator_2="bob"))
    )


def test_by_a_column_of_items_and_one_of_annotators(ran, long) -> None:
    for command in ("items", "labels"):
        done = ran(command, long, *LONG_OPTIONS, "--by", "batch", "--json", "-")
        groups = json.loads(done.stdout)["by"]
        assert [(row["group"], row["group_items"]) for row in groups] == [("1", 2), ("2", 2)]
    done = ran("annotators", long, *LONG_OPTIONS, "--by", "team", "--keep", "team")
    assert "among the annotators of each team" in " ".join(done.stdout.split())
    assert "team blue: undefined (no item has two ratings)." in " ".join(done.stdout.split())


def test_a_column_of_another_axis_or_of_ratings_is_refused(iaa, long) -> None:
    cases = {
        ("items", "team"): "describes annotators, not items",
        ("annotators", "text"): "describes items, not annotators",
        ("items", "answer"): "describes ratings",
        ("items", "topic"): "no column 'topic'",
    }
    for (command, column), message in cases.items():
        done = iaa(command, long, *LONG_OPTIONS, "--keep", column)
        assert done.exit_code == UNUSABLE
        assert message in done.stderr
        assert "Traceback" not in done.output


def test_columns_of_a_wide_table(iaa, ran, folder) -> None:
    (folder / "texts.csv").write_text("id,body,a1,a2\n7,one,x,x\n8,two,x,y\n9,three,y,y\n")
    options = ("--annotators", "a1,a2", "--keep", "body", "--output", "-.csv", *FAST)
    done = ran("items", "texts.csv", *options)
    rows = {row["item"]: row["body"] for row in csv.DictReader(io.StringIO(done.stdout))}
    assert rows == {"7": "one", "8": "two", "9": "three"}
    (folder / "rows.csv").write_text("body,a1,a2\none,x,x\ntwo,x,y\nthree,y,y\n")
    done = iaa("items", "rows.csv", *options)
    rows = {row["item"]: row["body"] for row in csv.DictReader(io.StringIO(done.stdout))}
    assert sorted(rows.values()) == ["one", "three", "two"]


def test_sort_and_wrong_usage(iaa, long) -> None:
    done = iaa("items", long, *LONG_OPTIONS, "--sort=-ratings", "--output", "-.csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["ratings"] for row in rows] == sorted(
        (row["ratings"] for row in rows), reverse=True
    )
    done = iaa("items", long, *LONG_OPTIONS, "--sort", "colour")
    assert done.exit_code == UNUSABLE
    assert "--sort must be one of" in done.stderr
    assert iaa("items", long, "--coefficient", "kapa").exit_code == 2
    assert iaa("annotators", long, *LONG_OPTIONS, "--ties", "random").exit_code == 2
    assert iaa("items", long, *LONG_OPTIONS, "--json", "-", "--output", "-.csv").exit_code == 2
    assert iaa("items", long, *LONG_OPTIONS, "--cluster", "batch").exit_code == 2


def test_numbers_sets_and_anonymous_ratings(iaa, ran, folder) -> None:
    (folder / "counts.csv").write_text("item,votes_a,votes_b\n1,3,0\n2,1,2\n3,2,1\n")
    done = ran("items", "counts.csv", "--counts", "votes_*", *FAST)
    assert iaa("labels", "counts.csv", "--counts", "votes_*", *FAST).exit_code == 0
    done = iaa("annotators", "counts.csv", "--counts", "votes_*", *FAST)
    assert done.exit_code == UNUSABLE
    assert "do not say who rated" in done.stderr
    (folder / "sets.csv").write_text("item,a,b\n1,x;y,x\n2,x,x\n3,y,\n4,y,y;z\n")
    for command in ("items", "annotators", "labels"):
        done = ran(command, "sets.csv", "--annotators", "a,b", "--separator", ";", *FAST)


def test_a_column_of_ratings_is_no_group(iaa, folder) -> None:
    header = (folder / "wide.csv").read_text().splitlines()[0].split(",")
    done = iaa("items", "wide.csv", *FAST, "--by", header[1])
    assert done.exit_code == 1
    assert "holds the ratings of an annotator" in done.output


def test_a_folder_gets_every_table(ran, long, folder) -> None:
    ran("annotators", long, *LONG_OPTIONS, "--by", "team", "--output", "out/")
    names = {path.stem for path in (folder / "out").iterdir()}
    assert names == {"annotators", "kappa_of_pairs", "items_of_pairs", "groups"}
    groups = list(csv.DictReader(io.StringIO((folder / "out" / "groups.csv").read_text())))
    assert [row["group"] for row in groups] == ["blue", "red"]
    assert groups[0]["reason"] == "no item has two ratings"


def test_what_is_drawn_for_the_groups(ran, long) -> None:
    done = ran("items", long, *LONG_OPTIONS, "--by", "team", "--cluster", "batch")
    flat = " ".join(done.stdout.split())
    assert "jackknife t over clusters of items (batch)" in flat
