"""``iaa demo`` and the data that it comes with."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest

import iaa_jax
from tests.program import widest

DATA = files("iaa_jax") / "demo"


def test_the_demo_prints_what_agree_prints(iaa, ran, folder: Path) -> None:
    demo = ran("demo", "--replicates", "64", "--seed", "3")
    (folder / "pandalm.csv").write_bytes((DATA / "pandalm.csv").read_bytes())
    people = ("--keep-annotators", "annotator1,annotator2,annotator3")
    agree = iaa("agree", "pandalm.csv", *people, "--replicates", "64", "--seed", "3")
    answer, after_its_name = agree.stdout.split("File        pandalm.csv\n")
    assert answer in demo.stdout
    assert after_its_name in demo.stdout
    assert "Apache License" in demo.stdout
    assert "https://github.com/WeOpenML/PandaLM" in demo.stdout
    assert "iaa agree FILE" in demo.stdout
    assert iaa("judge", "pandalm.csv", "--judges", "gpt-3.5-turbo,pandalm-7b").exit_code == 0
    assert widest(demo.stdout) <= 80


def test_the_demo_takes_what_its_refusal_advises(iaa, ran) -> None:
    refused = iaa("demo", "--replicates", "3")
    assert refused.exit_code == 2
    assert "such as --interval normal" in refused.stderr
    ran("demo", "--replicates", "3", "--interval", "normal")


def test_the_demo_as_json(ran) -> None:
    found = json.loads(ran("demo", "--json", "-", "--replicates", "64").stdout)
    assert found["data"]["items"] == 999
    assert found["data"]["files"] == ["pandalm.csv"]
    assert found["data"]["annotators"] == 3
    assert found["coefficients"]["krippendorff_alpha"]["estimate"] == pytest.approx(
        0.864221, abs=5e-7
    )


def test_the_table_can_be_had_as_a_file(iaa, ran, folder: Path) -> None:
    done = ran("demo", "--save", "mine.csv")
    assert "iaa agree mine.csv" in done.stdout
    assert (folder / "mine.csv").read_bytes() == (DATA / "pandalm.csv").read_bytes()
    again = iaa("demo", "--save", "mine.csv")
    assert again.exit_code == 2
    assert iaa("demo", "--save", "nowhere/mine.csv").exit_code == 1


@pytest.mark.parametrize(
    ("pair", "kappa"),
    [
        (("annotator1", "annotator2"), 0.852023),
        (("annotator1", "annotator3"), 0.878944),
        (("annotator2", "annotator3"), 0.861661),
    ],
)
def test_the_published_figures(iaa, pair: tuple[str, str], kappa: float) -> None:
    assert iaa("demo", "--save", "pandalm.csv").exit_code == 0
    done = iaa(
        *("agree", "pandalm.csv", "--keep-annotators", ",".join(pair), "--interval", "none"),
        *("--json", "-"),
    )
    found = json.loads(done.stdout)["coefficients"]["cohen_kappa"]["estimate"]
    assert found == pytest.approx(kappa, abs=5e-7)


def test_the_data_say_where_they_come_from() -> None:
    text = (DATA / "pandalm.md").read_text(encoding="utf-8")
    for part in ("Source:", "Citation:", "Licence: Apache License, Version 2.0"):
        assert part in text


def test_the_table_is_that_of_the_source(data_folder: Path) -> None:
    source = data_folder / "pandalm"

    def tests_of(name: str) -> dict[int, dict]:
        text = (source / f"{name}testset-v1.json").read_text(encoding="utf-8")
        return {record["idx"]: record for record in json.loads(text)}

    people, gpt, panda = tests_of(""), tests_of("gpt-3.5-turbo-"), tests_of("pandalm-7b-")
    written = {"0": "tie", "1": "1", "2": "2", "Tie": "tie", "garbage": ""}
    lines = ["item,annotator1,annotator2,annotator3,gpt-3.5-turbo,pandalm-7b"]
    for item, record in people.items():
        answers = [record[f"annotator{k}"] for k in (1, 2, 3)]
        answers += [gpt[item]["gpt_result"], panda[item]["pandalm_result"]]
        lines.append(",".join([str(item), *(written[str(answer)] for answer in answers)]))
    assert (DATA / "pandalm.csv").read_text(encoding="utf-8").splitlines() == lines


def test_the_demo_table_reads_through_the_package() -> None:
    with (DATA / "pandalm.csv").open("rb") as _:
        ratings = iaa_jax.read(str(DATA / "pandalm.csv"))
    assert ratings.sizes["annotator"] == 5
    assert ratings["label"].values.tolist() == ["1", "2", "tie"]
