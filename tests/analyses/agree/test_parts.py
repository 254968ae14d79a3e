"""``agree --by`` and ``--questions``: one table of all parts."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import iaa_jax as measured
from iaa_jax.wording.formats import interval

FAST = ("--interval", "none")


@pytest.fixture
def table(folder) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    rows = []
    for item in range(40):
        tone, topic = rng.choice(list("abc")), rng.choice(list("xy"))
        for who in ("ann", "bob", "cleo"):
            own = tone if rng.random() < 0.7 else rng.choice(list("abc"))
            other = topic if rng.random() < 0.9 else rng.choice(list("xy"))
            rows.append((item, who, own, other, "pq"[item % 2]))
    frame = pd.DataFrame(rows, columns=["id", "who", "tone", "topic", "batch"])
    frame.to_csv("q.csv", index=False)
    return frame


COLUMNS = ("q.csv", "--item", "id", "--annotator", "who")


def of(frame: pd.DataFrame, label: str) -> float:
    ratings = measured.from_long(frame, item="id", annotator="who", label=label)
    return float(measured.fleiss_kappa(ratings, interval=None).estimate)


def test_each_question_is_measured_as_by_itself(ran, folder, table) -> None:
    asked = ("--questions", "tone,topic", "--coefficients", "fleiss_kappa,gwet_ac1")
    done = ran("agree", *COLUMNS, *asked, *FAST, "--json", "out.json", "--output", "t.csv")
    assert "Fleiss' kappa is lowest on tone" in done.stdout
    rows = pd.read_csv("t.csv").set_index(["question", "coefficient"]).estimate
    for question in ("tone", "topic"):
        assert rows[question, "fleiss_kappa"] == pytest.approx(of(table, question))
    assert json.loads((folder / "out.json").read_text())["provenance"]["options"]["questions"]


def test_each_question_can_be_required(iaa, folder, table) -> None:
    base = (*COLUMNS, "--questions", "tone,topic", "--coefficients", "fleiss_kappa", *FAST)
    assert iaa("agree", *base, "--require", "fleiss_kappa.estimate>0.6").exit_code == 3
    assert iaa("agree", *base, "--require", "fleiss_kappa[topic].estimate>0.6").exit_code == 0
    said = iaa("agree", *base, "--require", "fleiss_kappa.estimate>0.6").stderr.splitlines()
    assert [line.split()[5:7] for line in said] == [["but", "it"], ["met,", "it"]]
    assert [line.split()[-1] for line in said] == ["tone", "topic"]


def test_each_question_has_its_own_level(ran, iaa, folder, table) -> None:
    table = table.assign(grade=table["tone"].map({"a": 1, "b": 2, "c": 5}))
    table.to_csv("q.csv", index=False)
    base = (*COLUMNS, "--questions", "tone,grade", "--coefficients", "krippendorff_alpha", *FAST)
    asked = " ".join(ran("agree", *base).stdout.split())
    assert "different levels: --level takes one for each, by name: A=ordinal,B=nominal." in asked
    names = ran("agree", *base, "--level", "nominal").stdout
    assert "Level" not in names
    done = ran("agree", *base, "--level", "grade=interval", "--json", "out.json")
    lines = [line.split()[:3] for line in done.stdout.splitlines()]
    assert ["tone", "nominal", "40"] in lines
    assert ["grade", "interval", "40"] in lines
    assert done.stdout.startswith("Questions are measured at different levels, so Krippendorff's")
    assert "different levels" not in names
    assert "lowest on" not in names  # figures of renamed labels are equal
    assert "level =" not in done.stdout  # iaa.toml is for all commands, which take one level
    ratings = measured.from_long(table, item="id", annotator="who", label="grade")
    alpha = measured.krippendorff_alpha(ratings, level="interval", interval=None).estimate
    record = json.loads((folder / "out.json").read_text())
    assert record["coefficients"][1]["estimate"]["krippendorff_alpha"] == pytest.approx(alpha)
    assert record["provenance"]["options"]["level"] == "grade=interval"
    required = ("--require", "krippendorff_alpha[grade].estimate>0.99")
    assert iaa("agree", *base, "--level", "grade=interval", *required).exit_code == 3
    for wrong, named in {"grad=ratio": "'grad'", "grade=rank": "'rank'", "grade=": "''"}.items():
        assert named in iaa("agree", *base, "--level", wrong).stderr
    texts = iaa("agree", *base, "--level", "tone=ordinal").stderr
    assert texts.startswith("iaa: 'tone': --level ordinal needs labels in order")
    alone = iaa("agree", *COLUMNS, "--label", "grade", "--level", "grade=ratio")
    assert alone.exit_code == 2
    assert "--questions" in alone.stderr


def test_what_several_questions_cannot_have_is_refused(iaa, folder, table) -> None:
    done = iaa("agree", *COLUMNS, "--questions", "tone,topic", "--by", "batch")
    assert done.exit_code == 2
    assert "--by" in done.stderr
    assert iaa("agree", *COLUMNS, "--questions", "tone,none", *FAST).exit_code == 1


def test_groups_stand_in_a_table_beside_all(ran, folder, table) -> None:
    done = ran(
        *("agree", *COLUMNS, "--label", "tone", "--by", "batch", *FAST),
        *("--coefficients", "fleiss_kappa", "--json", "out.json"),
    )
    record = json.loads((folder / "out.json").read_text())
    assert set(record) >= {"coefficients", "by"}
    lines = [line.split() for line in done.stdout.splitlines()]
    ratings = measured.from_long(table, item="id", annotator="who", label="tone")
    half = ratings.isel(item=ratings["item"].values % 2 == 0)
    expected = float(measured.fleiss_kappa(half, interval=None).estimate)
    assert next(line for line in lines if line[:1] == ["p"])[-1].startswith(f"{expected:.3f}")


def test_a_sentence_for_a_paper(iaa, folder, table) -> None:
    base = (*COLUMNS, "--label", "tone", "--coefficients", "fleiss_kappa", "--replicates", "200")
    text = " ".join(iaa("agree", *base, "--sentence").stdout.split())
    ratings = measured.from_long(table, item="id", annotator="who", label="tone")
    figure = measured.fleiss_kappa(ratings, replicates=200)
    ends = interval((float(figure.ci_low), float(figure.ci_high)))
    expected = (
        "For a paper: Fleiss' kappa (Fleiss 1971; Siegel and Castellan 1988) was "
        f"{float(figure.estimate):.3f}, 95 % interval {ends} (empirical Bayes over items: "
        "Bayesian bootstrap, each end the wider of those with and without a weak prior), "
        "over 40 items, 3 annotators and 120 ratings (iaa_jax "
    )
    assert expected in text
    assert text.index("For a paper: ") < text.index("Items ")
    assert "For a paper" not in iaa("agree", *base).stdout
    gaps = measured.from_wide([["a", "a"], ["b", None], ["b", "a"]] * 5)
    said = " ".join(str(measured.page(measured.agreement(gaps), sentence=True)).split())
    assert "over 15 items (10 with two ratings or more), 2 annotators and 25 ratings" in said
    assert "120 ratings on 40 items, every item by all of them. Agreement was measured with" in text
    of_alpha = (*base[:-3], "krippendorff_alpha", *base[-2:])
    said = " ".join(iaa("agree", *of_alpha, "--sentence").stdout.split())
    assert said.count("Krippendorff's alpha (nominal level; Krippendorff 2004") == 2


@pytest.mark.parametrize(
    ("options", "method"),
    [
        (("--coefficients", "icc2"), "modified large-sample or jackknife, over items and annot"),
        (("--coefficients", "icc1"), "jackknife t"),
        (("--coefficients", "krippendorff_alpha", "--level", "interval"), "jackknife t"),
        (
            ("--coefficients", "icc1", "--cluster", "doc"),
            "jackknife t over 6 clusters of items (doc)",
        ),
        (
            ("--coefficients", "icc1", "--cluster", "doc", "--interval", "percentile"),
            "percentile bootstrap over 6 clusters of items (doc)",
        ),
        (("--coefficients", "icc1", "--interval", "t"), "Student's t from the standard error"),
        (("--coefficients", "icc1", "--interval", "bca"), "BCa bootstrap over items"),
    ],
)
def test_the_sentence_names_the_interval_of_its_figure(iaa, folder, options, method) -> None:
    """It named the posterior, whatever the figure had."""
    rng = np.random.default_rng(0)
    rows = 5 + rng.normal(size=(30, 1)) + 0.5 * rng.normal(size=(30, 3))
    lines = [f"i{k}," + ",".join(f"{x:.2f}" for x in row) for k, row in enumerate(rows)]
    lines = [f"{line},d{k // 5}" for k, line in enumerate(lines)]
    (folder / "scores.csv").write_text("\n".join(["item,p,q,r,doc", *lines]) + "\n")
    done = iaa("agree", "scores.csv", "--annotators", "p,q,r", *options, "--sentence")
    text = " ".join(done.stdout.split())
    assert "For a paper: " in text, done.stdout + done.stderr
    assert text.count(f" ({method}") == 2  # in the sentence and in the paragraph on methods


def test_sources_as_bibtex(iaa, folder) -> None:
    done = iaa("coefficients", "scott_pi", "--bibtex")
    assert done.stdout.startswith("@article{scott1955,\n  author = {Scott, William A.},\n")
    assert "  annote = {Scott's pi},\n}" in done.stdout
    assert "@software{iaa_jax," in done.stdout
    assert iaa("coefficients", "glad", "--bibtex").stdout.startswith("@inproceedings{whitehill2009")
    assert iaa("coefficients", "glad").exit_code == 2
    printed = iaa("coefficients", "--bibtex").stdout
    assert printed.count("@book{krippendorff2004,") == 1
    assert (
        "  annote = {Krippendorff's alpha; Unitizing alpha; Unitizing alpha by label},\n" in printed
    )


def _estimates(folder: Path) -> dict[str, float]:
    rows = pd.read_csv(folder / "out.csv")
    return dict(zip(rows["question"], rows["estimate"], strict=True))


ONE = ("--coefficients", "percent_agreement", "--interval", "none", "--output", "out.csv")


@pytest.mark.parametrize("asked", ["tone,topic", "tone_*,*.topic"])
def test_questions_are_groups_of_columns(iaa, folder, asked: str) -> None:
    """Annotators to keep are named by what the columns of the questions have apart."""
    (folder / "wide.csv").write_text(
        "id,tone_ann,tone_ben,tone_cat,ann.topic,ben.topic,cat.topic\n"
        "1,a,a,b,x,y,z\n2,b,a,b,x,x,z\n3,b,b,b,y,y,z\n4,a,a,b,y,x,z\n"
    )
    words = ("agree", "wide.csv", "--questions", asked, *ONE, "--keep-annotators")
    assert iaa(*words, "ann,b*").exit_code == 0
    assert _estimates(folder) == {"tone": 0.75, "topic": 0.5}
    assert "there is no annotator 'tone_dan'" in iaa(*words, "ann,dan").stderr


def test_questions_are_fields_inside_lists_of_json(iaa, folder) -> None:
    answers = {"easy": [(1, 1), (1, 2), (2, 2)], "true": [(0, 1), (1, 0), (1, 1)]}
    records = [
        {
            "doc": k,
            "parts": [
                {"votes": [{"worker": w, **{q: answers[q][k][w] for q in answers}} for w in (0, 1)]}
            ],
        }
        for k in range(3)
    ]
    (folder / "t.jsonl").write_text("\n".join(map(json.dumps, records)))
    assert iaa("agree", "t.jsonl", "--questions", "easy,true", *ONE).exit_code == 0
    shares = {q: sum(a == b for a, b in pairs) / 3 for q, pairs in answers.items()}
    assert _estimates(folder) == pytest.approx(shares)


def test_questions_are_those_of_an_export(iaa, folder) -> None:
    samples = Path(__file__).parents[2] / "io" / "samples" / "label_studio"
    export = str(samples / "synthetic_three_annotators_json_export.json")
    first = ("--duplicates", "first")
    asked = ("agree", export, *first, "--questions", "sentiment,topic", *ONE)
    assert iaa(*asked).exit_code == 0
    for question, estimate in _estimates(folder).items():
        ratings = measured.read(export, question=question, duplicates="first")
        single = measured.percent_agreement(ratings, interval=None).estimate.item()
        assert estimate == pytest.approx(single)


def test_questions_of_a_folder_with_a_file_a_rater(iaa, folder) -> None:
    (folder / "in").mkdir()
    (folder / "in" / "r1.csv").write_text("study,edema,fracture\ns1,1,0\ns2,0,0\n")
    (folder / "in" / "r2.csv").write_text("study,edema,fracture\ns1,1,1\ns2,0,0\n")
    # a star takes no column that is named for something else
    for asked in (["edema,fracture"], ["*", "--item", "study"], ["*"]):
        assert iaa("agree", "in", "--questions", *asked, *ONE).exit_code == 0
        assert _estimates(folder) == {"edema": 1.0, "fracture": 0.5}
        (folder / "out.csv").unlink()
    rows = [f"s{k},{who},{k % 2},0,{k}\n" for k in range(4) for who in ("ann", "ben")]
    (folder / "long.csv").write_text("".join(["study,who,edema,fracture,ward\n", *rows]))
    named = ("--item", "study", "--annotator", "who", "--cluster", "ward", "--questions", "*")
    assert iaa("agree", "long.csv", *named, *ONE).exit_code == 0
    assert _estimates(folder) == {"edema": 1.0, "fracture": 1.0}


def test_groups_by_a_second_file(iaa, folder) -> None:
    (folder / "t.csv").write_text("id,ann,ben\n1,x,x\n2,x,y\n3,y,y\n4,y,y\n")
    (folder / "b.csv").write_text("nr,batch\n1,A\n2,A\n3,B\n4,B\n")
    asked = ("agree", "t.csv", "--join", "b.csv", "--by", "batch", *ONE[:4], "--json", "out.json")
    assert iaa(*asked).exit_code == 0
    groups = json.loads((folder / "out.json").read_text())["by"]
    assert [group["estimate"]["percent_agreement"] for group in groups] == [0.5, 1.0]


def test_across_two_groups_of_annotators_judge_is_named(iaa, folder) -> None:
    names = ["ann", "ben", "cy"]
    given = pd.DataFrame(np.random.default_rng(0).integers(0, 2, (30, 3)), columns=names)
    given.to_csv("t.csv", index_label="id")
    who = pd.DataFrame({"name": names, "team": ["crowd", "crowd", "expert"]})
    who.to_csv("w.csv", index=False)
    said = iaa("agree", "t.csv", "--join", "w.csv", "--by", "team", *ONE[:4]).stdout
    assert "each annotator of 'expert' agrees with those of 'crowd'" in " ".join(said.split())
    (command,) = [line for line in said.splitlines() if line.startswith("    iaa judge")]
    assert command.endswith("--judges cy")
    assert iaa(*command.split()[1:]).exit_code == 0
