"""docs/questions*.md and docs/leads.md: their commands run, and end as commands do."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.program import ROOT

SECTIONS = {
    part.partition("\n")[0]: re.findall(r"^    (iaa .*)$", part, re.MULTILINE)
    for page in ("questions.md", "questions-data.md", "questions-people.md", "leads.md")
    for part in (ROOT / "docs" / page).read_text(encoding="utf-8").split("\n## ")[1:]
}
PLANNING = (ROOT / "docs" / "plan.md").read_text(encoding="utf-8")
QUICK = {
    **{
        name: ["--replicates", "64"] for name in ("agree", "labels", "annotators", "items", "judge")
    },
    "compare": ["--replicates", "64", "--permutations", "19"],
    "plan": ["--replicates", "0", "--simulations", "0"],
    "missing": ["--imputations", "2", "--points", "1"],
}
FILES = ("ratings.csv", "pilot.csv", "before.csv", "after.csv", "control.csv", "grades.csv")


def table(labels: list[Any], seed: int = 0) -> pd.DataFrame:
    """Sixty items by three annotators, one of whom is a model, with what the commands name."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, len(labels), 60)
    rows = [
        {
            "item": f"i{item}",
            "annotator": who,
            "label": labels[truth[item] if rng.random() < 0.85 else rng.integers(len(labels))],
            "date": f"2026-03-{1 + item // 6:02d}",
            "source": "ab"[item % 2],
            "document": f"d{item // 4}",
            "truth": labels[truth[item]],
            "prelabel": labels[truth[item - 1]],
            "shown": "yes" if item % 2 else "no",
        }
        for item in range(60)
        for who in ("ann", "bob", "gpt")
        if not (who == "bob" and item > 50)
    ]
    return pd.DataFrame(rows)


def write(folder: Path, question: str) -> None:
    """Write the files that the commands of a question name."""
    labels: list[Any] = ["dog", "cat", "rose"]
    if "stars" in question or "Grades" in question:
        labels = [1, 2, 3, 4]
    if "several labels" in question:
        labels = ["joy", "joy;fear", "anger"]
    for seed, name in enumerate(FILES):
        table(labels, seed).to_csv(folder / name, index=False)
    if "camps" in question:
        table(list("ab")).assign(annotator=lambda rows: rows.annotator + "2").to_csv(
            folder / "ratings.csv", mode="a", header=False, index=False
        )
    table(["joy", "joy;fear", "anger"]).to_csv(folder / "sets.csv", index=False)
    ratings, steps = table(labels), [[1, 2, 3, 4], ["A", "tie", "B"]]
    for name, order in zip(("grades.csv", "pairs.csv"), steps, strict=True):
        table(order, 3).to_csv(folder / name, index=False)
    pd.concat([table(steps[0]), table(steps[0]).iloc[:40]]).to_csv(folder / "repeated.csv")
    models = ratings.rename(columns={"annotator": "model"})[["item", "model", "label"]]
    seeds = [models.assign(seed=seed) for seed in range(3)]
    pd.concat(seeds).to_csv(folder / "runs.csv", index=False)
    rounds = [table(labels, seed).assign(round=1 + seed) for seed in range(2)]
    pd.concat(rounds).to_csv(folder / "rounds.csv", index=False)
    of_annotators = dict(list(ratings.groupby("annotator")[["item", "label"]]))
    write_tabs(folder / "rounds.xlsx", {"Round 1": rounds[0], "Round 2": rounds[1]})
    write_tabs(folder / "tabs.xlsx", of_annotators)
    answers = ratings[["item", "truth"]].drop_duplicates()
    answers.iloc[:30].to_csv(folder / "answers.csv", index=False)
    asked = ratings.assign(c1=["yes", "no", "no"] * 57, c2=ratings.label.where(ratings.index > 40))
    asked.drop(columns="label").to_csv(folder / "rubric.csv", index=False)
    flags = ratings.assign(anger=ratings.label == labels[0], joy=ratings.label == labels[1])
    flags.drop(columns="label").astype({"anger": int, "joy": int}).to_csv(folder / "flags.csv")
    grades = table(steps[0], 3)
    wide = grades.pivot(index=["item", "truth"], columns="annotator", values="label")
    wide.to_csv(folder / "wide.csv")
    people = {"annotator": ["ann", "bob", "gpt", "ann2", "bob2", "gpt2"], "team": list("xxxyyy")}
    pd.DataFrame(people).to_csv(folder / "people.csv", index=False)
    (page,) = re.findall(r"^label,.*?(?=^```)", PLANNING, re.DOTALL | re.MULTILINE)
    (folder / "expected.csv").write_text(page)
    spans = [(f"d{k}", who, 2, 5 + k % 2, "X") for k in range(12) for who in ("ann", "bob")]
    frame = pd.DataFrame(spans, columns=["document", "annotator", "start", "end", "label"])
    frame.to_json(folder / "export.json", orient="records")
    frame.assign(end=frame.end + 0.37 * (frame.annotator == "bob")).to_csv(folder / "events.csv")
    (folder / "ratings").mkdir()
    ratings.to_parquet(folder / "ratings" / "one.parquet")


def write_tabs(path: Path, tabs: dict[str, pd.DataFrame]) -> None:
    with pd.ExcelWriter(path) as book:
        for name, tab in tabs.items():
            tab.to_excel(book, sheet_name=name, index=False)


@pytest.mark.parametrize("question", SECTIONS)
def test_the_commands_run(question: str, iaa: Callable[..., Any], folder: Path) -> None:
    write(folder, question)
    for line in SECTIONS[question]:
        words = shlex.split(line)[1:]
        done = iaa(*words, *QUICK.get(words[0], []))
        assert done.exit_code in (0, 3, 4), (line, done.output)
        assert done.exit_code == 0 or "--require" in words, done.output
