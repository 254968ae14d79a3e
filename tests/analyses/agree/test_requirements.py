"""``--require``: reading conditions, and checking them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from iaa_jax.cli.requirements import Cell, parse


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("krippendorff_alpha>=0.67", "krippendorff_alpha >= 0.67"),
        (" krippendorff_alpha.ci_low >= .6 ", "krippendorff_alpha.ci_low >= 0.6"),
        ("gwet_ac1<1", "gwet_ac1 < 1"),
        ("pabak>-1e-3", "pabak > -0.001"),
        ("scott_pi.standard_error<=0.05", "scott_pi.standard_error <= 0.05"),
        ("scott_pi.estimate>0", "scott_pi.estimate > 0"),
    ],
)
def test_the_forms_of_a_requirement(text: str, read_as: str) -> None:
    assert str(parse(text)) == read_as


MET = ("percent_agreement.estimate>=0.5", "krippendorff_alpha.ci_low<=0.99")
UNMET = ("percent_agreement.estimate>0.99", "krippendorff_alpha.ci_low>=0.999")


def options(*requirements: str) -> list[str]:
    return [part for text in requirements for part in ("--require", text)]


def test_what_is_met_is_said_of_parts_of_figures_too(iaa) -> None:
    done = iaa("agree", "wide.csv", "--replicates", "64", *options(*MET))
    assert done.exit_code == 0
    lines = done.stderr.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("iaa: required percent_agreement.estimate >= 0.5: met, it is 0.")


def test_each_that_is_not_met_has_its_line(iaa, folder: Path) -> None:
    done = iaa(
        *("agree", "wide.csv", "--replicates", "64", "--json", "out.json"), *options(*MET, *UNMET)
    )
    assert done.exit_code == 3
    lines = done.stderr.splitlines()[len(MET) :]
    assert len(lines) == 2
    assert lines[0].startswith("iaa: required percent_agreement.estimate > 0.99, but it is 0.")
    assert json.loads((folder / "out.json").read_text())["coefficients"]


@pytest.mark.parametrize(
    ("interval", "requirement", "answer"),
    [
        ((0.6, 0.8), ">=0.5", "met"),
        ((0.6, 0.8), ">=0.6", "met"),
        ((0.6, 0.8), ">0.6", "undecided"),
        ((0.6, 0.8), ">=0.7", "undecided"),
        ((0.6, 0.8), ">=0.8", "undecided"),
        ((0.6, 0.8), ">0.8", "failed"),
        ((0.6, 0.8), "<0.9", "met"),
        ((0.6, 0.8), "<=0.5", "failed"),
        ((np.nan, np.nan), ">=0.5", "undecided"),
    ],
)
def test_an_interval_decides_a_figure_that_is_named_alone(interval, requirement, answer) -> None:
    cell = Cell(0.7, "", "", interval, 100)
    assert parse(f"scott_pi{requirement}").answer(cell) == answer
    of_estimate = parse(f"scott_pi.estimate{requirement}")
    by_itself = "met" if of_estimate.met_by(0.7) else "failed"
    assert of_estimate.answer(Cell(0.7, "", "")) == by_itself


def test_three_answers_and_the_items_that_would_decide(iaa, folder: Path) -> None:
    """The interval ends at the bound with as many items as are told."""
    result = iaa("agree", "wide.csv", "--interval", "t", "--json", "-").stdout
    figure = json.loads(result)["coefficients"]["krippendorff_alpha"]
    estimate, low = figure["estimate"], figure["ci_low"]
    bound = (estimate + low) / 2
    name = "krippendorff_alpha"
    done = iaa("agree", "wide.csv", "--interval", "t", *options(f"{name}>={bound}"))
    assert done.exit_code == 4
    told = int(re.search(r"about ([\d,]+) items", done.stderr)[1].replace(",", ""))
    now = int(re.search(r"\(([\d,]+) now\)", done.stderr)[1].replace(",", ""))
    assert told == pytest.approx(4 * now, abs=1)
    assert f"'iaa plan --null {bound:g}' allows for a figure too high by chance" in done.stderr
    both = options(f"{name}>={bound}", f"{name}>{figure['ci_high']}")
    assert iaa("agree", "wide.csv", "--interval", "t", *both).exit_code == 3
    met = iaa("agree", "wide.csv", "--interval", "t", *options(f"{name}>={low - 0.01}"))
    assert met.exit_code == 0
    assert ": met, it is " in met.stderr
    none = iaa("agree", "wide.csv", "--interval", "none", *options(f"{name}>={bound}"))
    assert none.exit_code == 4
    assert f"{name}.estimate" in none.stderr


def test_groups_are_rows(iaa, folder: Path) -> None:
    rows = [f"{k},{'ab'[k > 20]},{'yx'[k % 2]},{'xy'[k % (2 + (k > 20)) == 0]}" for k in range(40)]
    (folder / "by.csv").write_text("\n".join(["item,batch,ann,bob", *rows]))
    asked = ("agree", "by.csv", "--annotators", "ann,bob", "--by", "batch")
    for row, code, words in (("a", 0, "[a] > 0: met, it is 1"), ("b", 3, "[b] > 0.9, but it is")):
        bound = 0 if row == "a" else 0.9
        done = iaa(*asked, *options(f"krippendorff_alpha[{row}]>{bound}"))
        assert done.exit_code == code
        assert words in done.stderr
    lacking = ((asked, "there is no row 'c'; rows are a, b"), (asked[:4], "leave out [c]"))
    for command, words in lacking:
        done = iaa(*command, *options("krippendorff_alpha[c]>0"))
        assert done.exit_code == 2
        assert words in " ".join(done.stderr.replace("│", " ").split())


def test_an_alias_is_the_same_coefficient(iaa) -> None:
    for name in ("pabak", "brennan_prediger"):
        done = iaa("agree", "wide.csv", "--interval", "none", *options(f"{name}.estimate>0.99"))
        assert done.exit_code == 3
        assert name in done.stderr
        done = iaa(
            *("agree", "wide.csv", "--interval", "none", "--coefficients", "randolph_kappa"),
            *options(f"{name}.estimate>0.99"),
        )
        assert done.exit_code == 3


def test_what_is_undefined_meets_no_requirement(iaa, folder: Path) -> None:
    (folder / "one.csv").write_text("item,ann,bob\n1,x,x\n2,x,x\n3,x,x\n")
    for name, code in (("scott_pi", 4), ("scott_pi.estimate", 3)):
        done = iaa("agree", "one.csv", "--interval", "none", *options(f"{name}<2"))
        assert done.exit_code == code
        assert "it is undefined (" in done.stderr
    done = iaa("agree", "wide.csv", "--interval", "none", *options("gwet_ac1.ci_low>0"))
    assert done.exit_code == 3
    assert "there is no such figure" in done.stderr


def test_a_requirement_adds_its_coefficient(iaa, ran, folder: Path) -> None:
    # two annotators: Fleiss' kappa equals Scott's pi, and only that one is measured unasked
    (folder / "two.csv").write_text("item,ann,bob\n1,x,x\n2,y,x\n3,y,y\n")
    asked = ("agree", "two.csv", "--interval", "none", "--json", "-")
    assert "fleiss_kappa" not in json.loads(iaa(*asked).stdout)["coefficients"]
    done = ran(*asked, *options("fleiss_kappa.estimate>0"))
    assert "fleiss_kappa" in json.loads(done.stdout)["coefficients"]


def test_what_does_not_apply_is_said(iaa) -> None:
    done = iaa("agree", "wide.csv", "--interval", "none", *options("cohen_kappa>0"))
    assert done.exit_code == 1
    assert "two annotators" in done.stderr


MADE = "item,ann,bob,m\n" + "".join(
    f"{k},{'xy'[k % 2]},{'xy'[k % 3 == 0]},{'xy'[k % 2]}\n" for k in range(40)
)


@pytest.mark.parametrize(
    ("command", "met", "unmet"),
    [
        (
            ("labels", "--interval", "none"),
            "specific_agreement[x].estimate<=1",
            "specific_agreement[y].estimate>1",
        ),
        (("annotators", "--interval", "none"), "agreement.estimate>=0", "agreement.estimate>=1"),
        (("items", "--interval", "none"), "entropy<=2", "entropy<0"),
        (("gold", "--interval", "none"), "mean_certainty>0.5", "mean_certainty>=1"),
        (
            ("judge", "--judges", "m", "--replicates", "0", "--min-items", "5"),
            "winning_rate[m][0.1].estimate>=0",
            "least_epsilon[m].estimate<0",
        ),
        (
            ("sharpen", "--interval", "none"),
            "annotator_weight.estimate>=0",
            "annotator_weight[bob].estimate>9",
        ),
        (("panels", "--replicates", "0"), "estimate_of_all<=1", "estimate_of_all>1"),
    ],
)
def test_every_command_has_figures_to_require(iaa, folder: Path, command, met, unmet) -> None:
    (folder / "made.csv").write_text(MADE)
    name, *few = command
    assert iaa(name, "made.csv", *few, *options(met)).exit_code == 0
    done = iaa(name, "made.csv", *few, *options(unmet))
    assert done.exit_code == 3, done.output
    assert "required" in done.stderr


def test_rows_that_miss_it_are_named(iaa, folder: Path) -> None:
    rows = ["item,ann,bob,cy,dee,eve", *(f"{k}" + f",{'xy'[k % 2]}" * 5 for k in range(40))]
    (folder / "made.csv").write_text("\n".join(rows))
    done = iaa("annotators", "made.csv", "--interval", "none", *options("ratings>99"))
    assert done.stderr.count("it is 40 for ") == 5
    assert all(name in done.stderr for name in rows[0].split(",")[1:])


def test_a_figure_that_is_not_there_has_a_hint(iaa, folder: Path) -> None:
    (folder / "made.csv").write_text(MADE)
    done = iaa("gold", "made.csv", "--interval", "none", *options("mean_certanty>0.5"))
    assert done.exit_code == 2
    assert "did you mean" in done.stderr
    done = iaa("labels", "made.csv", "--interval", "none", *options("share[q]>0.5"))
    assert "there is no row 'q'; rows are" in done.stderr
    done = iaa("agree", "made.csv", "--interval", "none", *options("scot_pi>0.5"))
    assert "'scott_pi'?" in done.stderr


def test_a_comparison_can_be_required(iaa, folder: Path) -> None:
    (folder / "made.csv").write_text(MADE)
    pair = ("compare", "made.csv", "--keep-annotators", "ann,bob", "--keep-annotators-b", "ann,m")
    few = ("--interval", "t", "--permutations", "0")
    assert iaa(*pair, *few, *options("krippendorff_alpha.difference>=0")).exit_code == 0
    assert iaa(*pair, *few, *options("krippendorff_alpha.difference<0")).exit_code == 3
