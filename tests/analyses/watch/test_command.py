"""The command ``iaa watch``: three answers, its record, and its page."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.analyses.watch.test_watch import long_table, table
from tests.program import widest

RATINGS = ("--order", "when")


@pytest.fixture
def ratings(folder: Path) -> Path:
    """Two annotators who agree well, over five days."""
    long_table(100).to_csv(folder / "ratings.csv", index=False)
    return folder


@pytest.mark.parametrize(
    ("requirement", "code", "said"),
    [
        ("krippendorff_alpha>=0.1", 0, ": met, it is 0."),
        ("krippendorff_alpha>=0.95", 3, ", but it is 0."),
        ("krippendorff_alpha>=0.65", 4, ": undecided, it is 0.7"),
        ("krippendorff_alpha.estimate>=0.55", 0, ""),
    ],
)
def test_a_gate_has_three_answers(iaa, ratings: Path, requirement: str, code: int, said: str):
    done = iaa("watch", "ratings.csv", *RATINGS, "--require", requirement)
    assert done.exit_code == code, done.output
    assert said in done.stderr
    assert "95 % interval" in " ".join(done.stdout.split())


def test_what_is_required_is_watched(iaa, ratings: Path) -> None:
    done = iaa("watch", "ratings.csv", *RATINGS, "--require", "pabak>=0.1")
    assert done.exit_code == 0
    assert done.stdout.startswith("Brennan-Prediger (pabak) is above 0.1: 0.")
    words = ("--coefficient", "bennett_s", "--require", "randolph_kappa>=0.1")
    assert iaa("watch", "ratings.csv", *words).exit_code == 0
    other = iaa("watch", "ratings.csv", "--coefficient", "scott_pi", "--require", "pabak>=0.1")
    assert (other.exit_code, other.stdout) == (2, "")


def test_below_the_bar_the_causes_come_next(iaa, ratings: Path) -> None:
    done = iaa("watch", "ratings.csv", *RATINGS, "--bar", "0.95")
    said, _, below = " ".join(done.stdout.split()).partition(" looks for what causes")
    assert " is below 0.95: 0." in said
    assert said.endswith("more ratings of this kind will not help: 'iaa findings'")
    assert below
    assert "You can stop" not in done.stdout
    command = next(line for line in done.stdout.splitlines() if line.startswith("    iaa "))
    assert command.split()[:3] == ["iaa", "findings", "ratings.csv"]
    assert iaa(*command.split()[1:]).exit_code == 0


def test_a_fall_fails_the_gate(iaa, folder: Path) -> None:
    rows = np.concatenate([table(13, 400, 0.95), table(14, 400, 0.3)])
    frame = pd.DataFrame(rows, columns=["p", "q", "r"])
    frame.assign(day=np.arange(800) // 50).to_csv(folder / "wide.csv", index_label="item")
    words = ("--annotators", "p,q,r", "--order", "day", "--require", "krippendorff_alpha>=0.6")
    done = iaa("watch", "wide.csv", "--item", "item", *words)
    assert done.exit_code == 3, done.output
    assert "it has fallen below after " in done.stderr
    assert "has fallen below 0.6, after " in " ".join(done.stdout.split())


def test_a_record_is_gone_on_from_and_kept_to(iaa, ratings: Path) -> None:
    text = (ratings / "ratings.csv").read_text().splitlines(keepends=True)
    (ratings / "ratings.csv").write_text("".join(text[:101]))
    watched = ("watch", "ratings.csv", "--record", "watch.nc", "--json")
    assert iaa(*watched, "one.json").exit_code == 0
    (ratings / "ratings.csv").write_text("".join(text))
    assert iaa(*watched, "two.json").exit_code == 0
    one, two = (json.loads((ratings / name).read_text()) for name in ("one.json", "two.json"))
    assert [look["items"] for look in two["looks"]] == [50, 100]
    before, again = (pd.Series(of["looks"][0]) for of in (one, two))
    # the standard error is computed again with all items, in another order of summation
    pd.testing.assert_series_equal(before, again, rtol=1e-12, atol=0)
    kept = (ratings / "watch.nc").read_bytes()
    label = "yes" if text[1].split(",")[2] != "yes" else "no"
    text[1] = ",".join([*text[1].split(",")[:2], label, text[1].split(",")[3]])
    (ratings / "ratings.csv").write_text("".join(text))
    changed = iaa(*watched, "three.json")
    assert (changed.exit_code, changed.stdout) == (1, "")
    assert "items have different ratings than when they were watched (1: 'i0')" in changed.stderr
    assert (ratings / "watch.nc").read_bytes() == kept


def test_a_file_that_is_no_record_stays_as_it_is(iaa, ratings: Path) -> None:
    (ratings / "notes.nc").write_text("mine")
    done = iaa("watch", "ratings.csv", "--record", "notes.nc")
    assert done.exit_code == 1
    assert "notes.nc is not a record of iaa watch, and was not changed" in done.stderr
    assert (ratings / "notes.nc").read_text() == "mine"
    assert iaa("watch", "ratings.csv", "--record", "ratings.csv").exit_code == 2


def test_the_page_says_what_is_decided_and_what_it_costs(iaa, ratings: Path) -> None:
    pages = ("--bar", "0.1", "--output", "page.html", "--plot", "course.png")
    done = iaa("watch", "ratings.csv", *RATINGS, *pages)
    assert done.exit_code == 0, done.output
    said = " ".join(done.stdout.split())
    assert "Krippendorff's alpha is above 0.1: " in said
    assert "(decided on 2026-03-0" in said
    assert "times as wide" in said
    assert "items were complete only at a later arrival than the first rating" in said
    assert widest(done.stdout) <= 80
    assert (ratings / "course.png").stat().st_size > 10_000
    alone = " ".join(iaa("watch", "ratings.csv").stdout.split())
    assert "No order was given: all items count as arriving together. --order COLUMN" in alone


def test_another_round_is_read_as_this_one_is(iaa, ratings: Path) -> None:
    frame = long_table(100)
    frame["label"] = table(3, 200, 0.0, 1)[:, 0]
    frame.to_csv(ratings / "first.csv", index=False)
    done = iaa("watch", "ratings.csv", *RATINGS, "--against", "first.csv")
    assert "It differs from the figure for the other ratings: +0." in " ".join(done.stdout.split())
    missing = iaa("watch", "ratings.csv", "--against", "none.csv")
    assert (missing.exit_code, missing.stdout) == (1, "")
    assert "none.csv" in missing.stderr
