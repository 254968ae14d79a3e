"""The commands items, annotators and labels."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import iaa_jax
from iaa_jax.cli.exits import UNUSABLE

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


def test_items_prints_the_lowest_influence_first(iaa, long) -> None:
    done = iaa("items", long, *LONG_OPTIONS, "--top", "2", "--text", "text")
    assert done.exit_code == 0, done.output
    rows = [line.split() for line in done.stdout.splitlines() if line[:2] in ("1 ", "2 ", "3 ")]
    assert [row[0] for row in rows] == ["2", "1"]
    assert "first, long" in done.stdout
    assert "Shown: 2 of 4 items." in " ".join(done.stdout.split())
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize("command", ["items", "annotators", "labels"])
def test_the_table_the_json_and_the_csv_hold_the_same(iaa, command, folder) -> None:
    done = iaa(command, "wide.csv", *FAST, "--json", "out.json", "--csv", "out.csv")
    assert done.exit_code == 0, done.output
    found = json.loads((folder / "out.json").read_text())
    rows = list(csv.DictReader(io.StringIO((folder / "out.csv").read_text())))
    assert found.keys() >= {"data", command, "provenance", "note"}
    assert len(rows) == len(found[command])
    for one, other in zip(rows, found[command], strict=True):
        biases = {name: one.pop(name) for name in list(one) if name.startswith("bias ")}
        assert one == {name: "" if x is None else str(x) for name, x in other.items()}
        if command == "annotators":
            bias = found["bias"][other["annotator"]]
            assert biases == {f"bias {label}": str(x) for label, x in bias.items()}
    assert found["provenance"]["coefficient"] == "krippendorff_alpha"
    assert found["provenance"]["versions"]["iaa_jax"] == iaa_jax.__version__


@pytest.mark.parametrize("command", ["items", "annotators", "labels"])
@pytest.mark.parametrize("option", ["--json", "--csv"])
def test_standard_output_holds_nothing_else(iaa, command, option) -> None:
    done = iaa(command, "wide.csv", *FAST, option, "-")
    assert done.exit_code == 0, done.output
    if option == "--json":
        assert json.loads(done.stdout)[command]
    else:
        assert len(list(csv.DictReader(io.StringIO(done.stdout)))) == {"items": 7}.get(command, 3)


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
    assert found["pair_kappa"]["ann"]["bob"] == pytest.approx(
        float(expected.pair_kappa.sel(annotator="ann", annotator_2="bob"))
    )


def test_by_a_column_of_items_and_one_of_annotators(iaa, long) -> None:
    for command in ("items", "labels"):
        done = iaa(command, long, *LONG_OPTIONS, "--by", "batch", "--json", "-")
        assert done.exit_code == 0, done.output
        groups = json.loads(done.stdout)["by"]
        assert [(row["group"], row["group_items"]) for row in groups] == [("1", 2), ("2", 2)]
    done = iaa("annotators", long, *LONG_OPTIONS, "--by", "team", "--keep", "team")
    assert done.exit_code == 0, done.output
    assert "among the annotators of each team" in " ".join(done.stdout.split())
    assert "Undefined in 1 group: no item has two ratings." in " ".join(done.stdout.split())


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


def test_columns_of_a_wide_table(iaa, folder) -> None:
    (folder / "texts.csv").write_text("id,body,a1,a2\n7,one,x,x\n8,two,x,y\n9,three,y,y\n")
    options = ("--annotators", "a1,a2", "--keep", "body", "--csv", "-", *FAST)
    done = iaa("items", "texts.csv", *options)
    assert done.exit_code == 0, done.output
    rows = {row["item"]: row["body"] for row in csv.DictReader(io.StringIO(done.stdout))}
    assert rows == {"7": "one", "8": "two", "9": "three"}
    (folder / "rows.csv").write_text("body,a1,a2\none,x,x\ntwo,x,y\nthree,y,y\n")
    done = iaa("items", "rows.csv", *options)
    rows = {row["item"]: row["body"] for row in csv.DictReader(io.StringIO(done.stdout))}
    assert sorted(rows.values()) == ["one", "three", "two"]


def test_sort_and_wrong_usage(iaa, long) -> None:
    done = iaa("items", long, *LONG_OPTIONS, "--sort=-ratings", "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["ratings"] for row in rows] == sorted(
        (row["ratings"] for row in rows), reverse=True
    )
    done = iaa("items", long, *LONG_OPTIONS, "--sort", "colour")
    assert done.exit_code == UNUSABLE
    assert "sort is one of" in done.stderr or "--sort" in done.stderr
    assert iaa("items", long, "--coefficient", "kapa").exit_code == 2
    assert iaa("annotators", long, *LONG_OPTIONS, "--ties", "random").exit_code == 2
    assert iaa("items", long, *LONG_OPTIONS, "--json", "-", "--csv", "-").exit_code == 2


def test_numbers_sets_and_anonymous_ratings(iaa, folder) -> None:
    (folder / "counts.csv").write_text("item,votes_a,votes_b\n1,3,0\n2,1,2\n3,2,1\n")
    done = iaa("items", "counts.csv", "--counts", "votes_*", *FAST)
    assert done.exit_code == 0, done.output
    assert iaa("labels", "counts.csv", "--counts", "votes_*", *FAST).exit_code == 0
    done = iaa("annotators", "counts.csv", "--counts", "votes_*", *FAST)
    assert done.exit_code == UNUSABLE
    assert "counts without annotators" in done.stderr
    (folder / "sets.csv").write_text("item,a,b\n1,x;y,x\n2,x,x\n3,y,\n4,y,y;z\n")
    for command in ("items", "annotators", "labels"):
        done = iaa(command, "sets.csv", "--annotators", "a,b", "--separator", ";", *FAST)
        assert done.exit_code == 0, done.output


def test_g8_the_bundle_stands_in_the_default_report(iaa, folder) -> None:
    cells = {("p", "p"): 20, ("p", "n"): 5, ("n", "p"): 10, ("n", "n"): 15}
    rows = [pair for pair, times in cells.items() for _ in range(times)]
    text = "".join(f"{place},{a},{b}\n" for place, (a, b) in enumerate(rows))
    (folder / "two.csv").write_text(f"item,a,b\n{text}")
    done = iaa("agree", "two.csv", "--labels", "p,n", *FAST)
    flat = " ".join(done.stdout.split())
    for said in (
        "Prevalence index 0.100",
        "Bias index -0.100",
        "McNemar, p = .302",
        "Largest kappa 0.800",
        "PABAK 0.400",
        "Scott's pi 0.394",
    ):
        assert said in flat
    found = json.loads(iaa("agree", "two.csv", "--labels", "p,n", *FAST, "--json", "-").stdout)
    bundle = found["contingency"]
    assert bundle["prevalence_index"] == pytest.approx(0.1)
    assert bundle["kappa_max"] == pytest.approx(0.8)
    alone = json.loads(iaa("agree", "two.csv", "--coefficients", "gwet_ac1", "--json", "-").stdout)
    assert "contingency" not in alone


def test_p7_a_high_ac1_beside_no_agreement_on_a_label_is_said(iaa, folder) -> None:
    text = "".join(f"{n},{'yes' if n < 10 else 'no'},no\n" for n in range(1000))
    (folder / "rare.csv").write_text(f"item,a,b\n{text}")
    flat = " ".join(iaa("agree", "rare.csv", *FAST).stdout.split())
    assert "Gwet's AC1 is 0.990 although agreement on 'yes' is 0.000" in flat


def test_margins_that_differ_are_counted(iaa, folder) -> None:
    rows = [("x", "x", "y")] * 30 + [("y", "y", "y")] * 30 + [("x", "y", "y")] * 2
    text = "".join(f"{n},{','.join(row)}\n" for n, row in enumerate(rows))
    (folder / "margins.csv").write_text(f"item,a,b,c\n{text}")
    flat = " ".join(iaa("agree", "margins.csv", *FAST).stdout.split())
    assert "Label margins differ for 2 of 3 pairs of annotators" in flat


def test_a_column_of_ratings_is_no_group(iaa, folder) -> None:
    header = (folder / "wide.csv").read_text().splitlines()[0].split(",")
    done = iaa("items", "wide.csv", *FAST, "--by", header[1])
    assert done.exit_code == 1
    assert "holds the ratings of an annotator" in done.output
