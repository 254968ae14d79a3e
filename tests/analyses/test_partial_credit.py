"""Label sets: what counts sets that match in part stands beside what counts equal sets."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest
from typer.testing import CliRunner

import iaa_jax as iaa
from iaa_jax.cli.app import app

FAST = {"replicates": 60, "permutations": 39}


def sets(seed, items=40):
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(items):
        truth = rng.random(4) < 0.5
        rows.append(
            [
                [
                    x
                    for x, given in zip("wxyz", truth ^ (rng.random(4) < 0.15), strict=True)
                    if given
                ]
                for _ in range(3)
            ]
        )
    return iaa.from_sets(rows)


def test_percent_agreement_with_dice_is_the_mean_f1_of_pairs():
    rows = [[["x", "y"], ["x"], []], [[], [], None], [["z"], ["x", "y", "z"], ["z"]]]
    means = []
    for row in rows:
        scores = []
        for one, other in combinations([each for each in row if each is not None], 2):
            true = len({*one} & {*other})
            if not one and not other:
                scores.append(1.0)
            elif not true:
                scores.append(0.0)
            else:
                precision, recall = true / len(other), true / len(one)
                scores.append(2 * precision * recall / (precision + recall))
        means.append(sum(scores) / len(scores))
    ratings = iaa.from_sets(rows)
    found = iaa.percent_agreement(ratings, distance="dice", interval=None)
    assert float(found.estimate) == pytest.approx(sum(means) / 3, abs=1e-12)


@pytest.mark.parametrize("function", [iaa.items, iaa.annotators])
def test_tables_have_it_beside_alpha(function):
    ratings = sets(1)
    options = {} if function is iaa.items else {"interval": None}
    found = function(ratings, **options)
    both = iaa.agreement(ratings, ["krippendorff_alpha", "am_agreement"], interval=None).estimate
    assert found.attrs["estimate"] == both.values[0]
    assert found.attrs["partial_estimate"] == both.values[1]
    notes = [
        note for answer in iaa.page(found).answer for note in [answer, *answer.values.values()]
    ]
    assert "beside_partial" in [getattr(note, "code", "") for note in notes]
    assert "partial_estimate" not in function(ratings, "krippendorff_alpha", **options).attrs
    assert "partial_estimate" not in function(ratings, distance="masi", **options).attrs
    labels = iaa.from_wide([["a", "b", "a"], ["b", "b", "a"]])
    assert "partial_estimate" not in function(labels, **options).attrs


def test_a_comparison_has_it_beside_the_others():
    first, second = sets(1), sets(2)
    alone = iaa.compare(first, second, ["krippendorff_alpha", "percent_agreement"], **FAST)
    partial = iaa.compare(first, second, "am_agreement", **FAST)
    page = iaa.page(alone, partial)
    assert [note.code for note in page.answer].count("beside_partial") == 1
    table = next(table for table in page.tables if table.id == "coefficients")
    assert list(table.columns[0].values)[-1] == "am_agreement"
    shown = {column.key: list(column.values) for column in table.columns}
    assert shown["difference"] == [*alone.difference.values, *partial.difference.values]


@pytest.mark.parametrize(
    ("asked", "has_it"),
    [
        ((), True),
        (("--coefficients", "krippendorff_alpha"), False),
        (("--distance", "masi"), False),
    ],
)
def test_the_command_compares_it_where_nothing_else_is_asked_for(asked, has_it, tmp_path):
    files = []
    for seed in (1, 2):
        inside = sets(seed)["mass"].values > 0
        cells = [[";".join(np.array([*"wxyz"])[each]) for each in row] for row in inside]
        rows = ["item,a,b,c", *(",".join([f"i{k}", *row]) for k, row in enumerate(cells))]
        files.append(tmp_path / f"{seed}.csv")
        files[-1].write_text("\n".join(rows))
    few = ["--separator", ";", "--replicates", "40", "--permutations", "20", "--json", "-"]
    done = CliRunner().invoke(app, ["compare", *map(str, files), *few, *asked])
    assert done.exit_code == 0, done.output
    assert ("partial" in json.loads(done.stdout)) is has_it
