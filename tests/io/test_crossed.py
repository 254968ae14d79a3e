"""Columns of questions and annotators at once: questions are never mixed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from iaa_jax import IaaError, read
from iaa_jax.cli.app import app
from iaa_jax.io.layout.crossed import crossed
from tests.taken import one_of

Write = Callable[..., Path]

FORMS = ["{q} {a}", "{a} {q}", "{q}_{a}", "{a}.{q}", "{q} - {a}", "{q}/{a}"]


def table(names: Sequence[str], scales: dict[str, Sequence[str]], rows: int = 20) -> str:
    """A table whose columns have the labels of the scale that their names hold."""
    draw = np.random.default_rng(7)
    scale = [next(labels for part, labels in scales.items() if part in name) for name in names]
    cells = [[draw.choice(labels) for labels in scale] for _ in range(rows)]
    lines = [f"p{number}," + ",".join(row) for number, row in enumerate(cells)]
    return "\n".join([",".join(["Bild", *names]), *lines])


def iaa(*arguments: str) -> str:
    done = CliRunner().invoke(app, list(arguments))
    assert done.exit_code == 0, done.output
    return " ".join(done.output.split())


def refusal(file: Path, **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        read(file, **options)
    return str(caught.value)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("befund", [("ja", "nein"), ("normal", "krank"), ("ja", "nein", "?!")])
@pytest.mark.parametrize("inner", one_of(2, ["annotator", "question"]))
def test_a_question_at_a_time(write: Write, form: str, befund: Sequence[str], inner: str) -> None:
    pairs = [(q, a) for q in ("Erguss", "Befund") for a in ("Keller", "Braun")]
    pairs.sort(key=lambda pair: pair[1] if inner == "question" else "")
    names = [form.format(q=q, a=a) for q, a in pairs]
    file = write(table(names, {"Erguss": ("ja", "nein"), "Befund": befund}))
    said = refusal(file)
    ways = re.findall(r"annotators='([^']*)'", said)
    assert form.format(q="Erguss", a="*") in ways
    mixed = [way for way in ways if way.count("*") != 1]
    assert not mixed
    for way in ways:
        kept = read(file, item="Bild", annotators=way)["annotator"].values.tolist()
        assert len(kept) == len(pairs) / 2
    assert len(ways) == (1 if "normal" in befund else 2)
    if "normal" in befund:
        assert ways[0] == form.format(q="Erguss", a="*")
    lists = re.findall(r"--questions '([^']*)'", said)
    (questions,) = (each for each in lists if "Erguss" in each)
    page = iaa("agree", str(file), "--item", "Bild", "--questions", questions)
    assert "lowest on" in page
    assert "Befund" in page


def test_names_of_raters_tell_the_questions(write: Write) -> None:
    names = [f"rater{k}_{q}" for k in (1, 2) for q in ("tone", "topic")]
    said = refusal(write(table(names, {"": ("1", "2")})))
    assert "annotators='*_tone'" in said
    assert "annotators='rater1_*'" not in said


def test_columns_about_items_beside_two_questions(write: Write) -> None:
    """Ratings of a grade and a size mix in no column, whatever else the table has."""
    draw = np.random.default_rng(4)
    names = [f"{q}_{a}" for q in ("grade", "size") for a in ("Adler", "Brandt", "Costa")]
    lines = [",".join(["scan", "patient", "density", *names])]
    for scan in range(60):
        true = draw.normal(size=2)
        grades = np.clip(np.round(2.5 + true[0] + draw.normal(0, 0.3, 3)), 1, 5).astype(int)
        sizes = (12 + 4 * true[1] + draw.normal(0, 0.5, 3)).round(1)
        cells = [f"S{scan}", f"P{scan // 2}", draw.choice([*"abcd"]), *grades, *sizes]
        lines.append(",".join(map(str, cells)))
    said = refusal(write("\n".join(lines)))
    assert "if 'grade', 'size' are questions and 'Adler', 'Brandt', 'Costa' annotators" in said
    assert "annotators='grade_*' (60 items, 3 annotators, 180 ratings)" in said
    assert "--questions 'grade_*,size_*'" in said
    assert "*_Adler" not in said
    assert "6 annotators" not in said


def test_a_pattern_that_takes_more_is_not_proposed(write: Write) -> None:
    names = ["tone_ann", "tone_bob", "tone_2_ann", "tone_2_bob"]
    said = refusal(write(table(names, {"": ("x", "y")})))
    assert "annotators='tone_ann,tone_bob'" in said
    assert "annotators='tone_*'" not in said


def test_what_is_named_is_read(write: Write) -> None:
    names = ["Erguss Keller", "Erguss Braun", "Befund Keller", "Befund Braun"]
    file = write(table(names, {"": ("ja", "nein")}))
    assert read(file, annotators=names).sizes["annotator"] == len(names)


@pytest.mark.parametrize(
    "names",
    [
        ["rater_1", "rater_2", "rater_3", "rater_4"],
        ["Max Weber", "Eva Keller", "Ida Braun", "Tom Weber"],
        ["ann", "bob", "cy", "dee"],
        ["a_1", "a_2", "b_1"],
    ],
)
def test_names_that_cross_nothing(write: Write, names: Sequence[str]) -> None:
    assert crossed(names) is None
    assert read(write(table(names, {"": ("x", "y")}))).sizes["annotator"] == len(names)


def test_one_pair_may_lack() -> None:
    names = [f"{q}_{a}" for q in ("x", "y") for a in ("ann", "bob", "cy")]
    found = crossed(names[:-1])
    assert found is not None
    assert found.first == {"x": names[:3], "y": names[3:-1]}
