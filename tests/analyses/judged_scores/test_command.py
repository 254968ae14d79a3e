"""``iaa judge --corrected``: what it takes, what it refuses by name, and what its page says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

JUDGE = ("judge", "table.csv", "--judges", "gpt", "--corrected")


@pytest.fixture(autouse=True)
def table(folder: Path) -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, (300, 1))
    codes = np.where(rng.random((300, 4)) < [0.9, 0.85, 0.85, 0.85], truth, 1 - truth)
    codes[:, 0] |= rng.random(300) < 0.5  # the judge says yes too often
    lines = ["item,gpt,ann,bob,cy,page,chance"]
    for number, row in enumerate(np.array(["no", "yes"])[codes].tolist()):
        people = row[1:] if number < 60 else ["", "", ""]
        lines.append(",".join([f"t{number}", row[0], *people, f"p{number // 5}", "0.2"]))
    Path("table.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


WIDE = ("--annotators", "gpt,ann,bob,cy")


def test_the_page_says_what_the_judge_would_have_claimed(iaa) -> None:
    done = iaa(*JUDGE, *WIDE, "--fixed-annotators")
    assert done.exit_code == 0, done.output
    text = " ".join(done.output.split())
    assert "By gpt alone, the share of" in text
    assert re.search(r"gpt is off by -0\.\d+ \(-0\.\d+ to -0\.\d+\)", text)
    assert "Correction is worth it: for the share of" in text
    assert "3, everyone who is neither a judge nor scored: ann, bob, cy" in text
    assert "60 of 300 judged items" in text
    assert "these people and items like these" in text
    assert "half-width" not in text
    for width, said in ((0.5, "already"), (0.15, "rated items by 3 people"), (0.001, "Not even")):
        told = iaa(*JUDGE, *WIDE, "--fixed-annotators", "--half-width", str(width / 2)).output
        assert said in " ".join(told.split())
    rows = [line.split(",") for line in Path("table.csv").read_text().splitlines()]
    twice = [",".join([*row, "llama" if row[0] == "item" else row[1]]) for row in rows]
    Path("two.csv").write_text("\n".join(twice) + "\n", encoding="utf-8")
    judges = ("--judges", "gpt,llama", "--corrected", "--annotators", "gpt,ann,bob,cy,llama")
    shares = iaa("judge", "two.csv", *judges).output.partition("Labels")[2].split("\n")[2]
    assert "gpt alone" in shares  # the first judge is kept where there is room for one
    like = " ".join(iaa(*JUDGE, *WIDE, "--half-width", ".07").output.split())
    assert "No number of rated items gives the share of" in like
    assert "people like these and items like these" in like
    assert "3 people show only roughly how far people differ" in like


@pytest.mark.parametrize(
    ("given", "option"),
    [
        (("--epsilon", ".1"), "--epsilon"),
        (("--gold", "page"), "--gold"),
        (("--margin", ".2"), "--margin"),
        (("--coefficient", "fleiss_kappa"), "--coefficient"),
        (("--seed", "3"), "--seed"),
    ],
)
def test_options_of_the_test_are_refused_by_name(iaa, given: tuple[str, ...], option: str) -> None:
    done = iaa(*JUDGE, *WIDE, *given)
    assert done.exit_code == 2
    assert f"Invalid value for {option}" in " ".join(done.output.split())


@pytest.mark.parametrize(
    "given", [("--these-items",), ("--probability", "chance"), ("--half-width", ".1")]
)
def test_options_of_corrected_scores_need_them(iaa, given: tuple[str, ...]) -> None:
    done = iaa("judge", "table.csv", "--judges", "gpt", *WIDE, *given)
    assert done.exit_code == 2
    assert "it changes nothing without --corrected" in " ".join(done.output.split())


def test_gold_that_the_judge_voted_for_is_no_person(iaa) -> None:
    made = iaa("gold", "table.csv", *WIDE, "--output", "gold.csv")
    assert made.exit_code == 0, made.output
    names = ("--item", "item", "--annotators", "gold,by gpt")
    done = iaa("judge", "gold.csv", *names, "--judges", "by gpt", "--corrected")
    assert done.exit_code == 1
    assert "'by gpt' voted for 'gold'" in " ".join(done.output.split())


def test_equal_chances_change_nothing_in_json(iaa) -> None:
    told = [
        json.loads(iaa(*JUDGE, *WIDE, "--json", "-", "--these-items", *more).output)["figures"]
        for more in ((), ("--probability", "chance"))
    ]
    for one, other in zip(*told, strict=True):
        assert one["corrected"] == pytest.approx(other["corrected"], rel=1e-9)
        assert one["corrected_ci_low"] == pytest.approx(other["corrected_ci_low"], rel=1e-9)
