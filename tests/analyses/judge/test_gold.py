"""Annotators against gold labels."""

from __future__ import annotations

import json
import re
from math import sqrt

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy.stats import beta, norm, studentized_range, t as student

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from iaa_jax.analyses.judge import counts
from iaa_jax.analyses.judge.accuracy import critical_difference
from iaa_jax.pages import Remarks
from tests.noted import codes_on, notes_of
from tests.oracles.judging import against_gold, by_label


def made(items: int = 120, seed: int = 0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items)
    drawn = rng.integers(0, 3, (items, 3))
    codes = np.where(rng.random((items, 3)) < [0.9, 0.7, 0.4], truth[:, None], drawn)
    rows = np.array(list("abc"), dtype=object)[codes]
    rows[rng.random(rows.shape) < 0.1] = None
    rows[(rows == None).sum(axis=1) > 1] = ["a", "b", "c"]  # noqa: E711
    ratings = iaa.from_wide(
        pd.DataFrame(rows, columns=list("xyz"), index=range(1, items + 1)), list("abc")
    )
    gold = dict(
        zip(ratings["item"].values.tolist(), np.array(list("abc"))[truth].tolist(), strict=True)
    )
    return ratings, rows, gold


def test_figures_are_those_of_counts():
    ratings, rows, gold = made()
    result = iaa.judge.against_gold(ratings, gold, replicates=0)
    items = ratings["item"].values.tolist()
    for at, name in enumerate("xyz"):
        own = dict(zip(items, rows[:, at].tolist(), strict=True))
        accuracy, kappa, confusion = against_gold(own, gold, list("abc"))
        of = result.sel(annotator=name)
        assert float(of.accuracy) == pytest.approx(accuracy)
        assert float(of.kappa) == pytest.approx(kappa)
        for true, shares in confusion.items():
            for label, share in shares.items():
                found = float(of.confusion.sel(gold_label=true, label=label))
                assert found == pytest.approx(share)
        for label in "abc":
            for figure, value in by_label(own, gold, label).items():
                assert float(of[figure].sel(gold_label=label)) == pytest.approx(value)
    assert result.attrs["best"] == "x"
    assert result.attrs["weakest"] == "z"


def test_the_best_is_apart_from_others_by_the_studentized_range() -> None:
    """Tables of it at 5 % (Harter 1960): 2.772, 3.314, 3.858, 4.286 for 2, 3, 5, 8 means."""
    for annotators, q in ((2, 2.772), (3, 3.314), (5, 3.858), (8, 4.286)):
        assert critical_difference(annotators, 0.95) == pytest.approx(q / sqrt(2), abs=5e-4)
    ratings, rows, gold = made(60)
    items = ratings["item"].values.tolist()
    pages = [item // 4 for item in items]
    vague = iaa.gold(ratings, "dawid_skene", interval=None, leave_out=False)
    blurred = vague.assign(probability=vague.probability * 0.5 + 1 / 6)
    for given, cluster in ((gold, None), (gold, pages), (blurred, None), (blurred, pages)):
        chance = [
            {label: float(gold[item] == label) for label in "abc"}
            if given is gold
            else blurred.probability.sel(item=item).to_series().to_dict()
            for item in items
        ]
        own, options = ratings, {}
        if cluster is not None:
            own = ratings.assign_coords(page=("item", cluster))
            options = {"sampling": iaa.Sampling(cluster="page")}
        result = iaa.judge.against_gold(own, given, replicates=0, **options)
        a = "xyz".index(result.attrs["best"])
        beyond = []
        for b in {0, 1, 2} - {a}:
            at = [[item for item in range(60) if rows[item, who]] for who in (a, b)]
            right = [
                sum(chance[item][rows[item, w]] for item in o)
                for o, w in zip(at, (a, b), strict=True)
            ]
            both = sum(right) / sum(map(len, at))
            parts: dict[int, float] = {}
            drawn = 0.0
            for item in range(60):
                off = {
                    label: sum(
                        sign * ((rows[item, who] == label) - both) / len(of)
                        for sign, who, of in ((1, a, at[0]), (-1, b, at[1]))
                        if item in of
                    )
                    for label in "abc"
                }
                mean = sum(chance[item][label] * off[label] for label in "abc")
                unit = item if cluster is None else cluster[item]
                parts[unit] = parts.get(unit, 0.0) + mean
                drawn += sum(chance[item][label] * (off[label] - mean) ** 2 for label in "abc")
            error = sqrt(sum(each**2 for each in parts.values()) + drawn)
            z = (right[0] / len(at[0]) - right[1] / len(at[1])) / error
            beyond.append(z > 3.314 / sqrt(2))
            # where this verdict turns
            tail = float(studentized_range.sf(z * sqrt(2), 3, np.inf))
            for confidence, found in ((1 - 1.01 * tail, True), (1 - 0.99 * tail, False)):
                if 0 < confidence < 1 and tail > 1e-9:
                    pair = own.isel(annotator=[a, b, 3 - a - b])
                    at_it = iaa.judge.against_gold(
                        pair, given, replicates=0, confidence=confidence, **options
                    )
                    if at_it.attrs["weakest"] == "xyz"[b]:
                        assert (at_it.attrs["conclusion"] == "apart") == found
        assert result.attrs["best_rivals"] == 2 - sum(beyond)
        assert ("best_unsure" in codes_on(iaa.page(result))) == (sum(beyond) < 2)


def test_a_column_is_the_same_as_labels_by_item():
    ratings, _, gold = made()
    column = ratings.assign_coords(truth=("item", [*gold.values()]))
    a, b = (
        iaa.judge.against_gold(*given, replicates=0)
        for given in ((ratings, gold), (column, "truth"))
    )
    assert a.accuracy.equals(b.accuracy)


def test_items_without_gold_take_no_part():
    ratings, _, gold = made()
    some = {item: label for item, label in gold.items() if item <= 60}
    result = iaa.judge.against_gold(ratings, some, replicates=0)
    part = iaa.judge.against_gold(ratings.isel(item=slice(60)), some, replicates=0)
    np.testing.assert_allclose(result.accuracy, part.accuracy)
    assert notes_of(result, "items_without_gold")
    assert float(result.attrs["known"]) == 60


def test_uncertain_gold_counts_by_its_probabilities():
    ratings, rows, _ = made()
    gold = (
        iaa.gold(ratings, "dawid_skene", replicates=0, leave_out=False)
        if False
        else iaa.gold(ratings, "dawid_skene", interval=None, leave_out=False)
    )
    result = iaa.judge.against_gold(ratings, gold, replicates=0)
    items = ratings["item"].values.tolist()
    for at, name in enumerate("xyz"):
        right = total = 0.0
        for item, label in zip(items, rows[:, at].tolist(), strict=True):
            if label is not None:
                right += float(gold.probability.sel(item=item, label=label))
                total += 1
        assert float(result.accuracy.sel(annotator=name)) == pytest.approx(right / total)
    assert notes_of(result, "gold_of_the_same")


def test_uncertain_gold_makes_intervals_wider():
    ratings, _, gold = made(60)
    certain = iaa.gold(ratings, interval=None, leave_out=False)
    sure = iaa.judge.against_gold(ratings, gold, replicates=400)
    blurred = certain.assign(probability=certain.probability * 0.4 + 0.2)
    vague = iaa.judge.against_gold(ratings, blurred, replicates=400)

    def width(result):
        return float((result.accuracy_ci_high - result.accuracy_ci_low).sel(annotator="x"))

    assert width(vague) > width(sure)


@pytest.mark.slow
def test_intervals_hold_the_accuracy():
    held = 0
    for seed in range(200):
        ratings, _, gold = made(100, seed)
        result = iaa.judge.against_gold(ratings, gold, replicates=300).sel(annotator="y")
        held += float(result.accuracy_ci_low) <= 0.8 <= float(result.accuracy_ci_high)
    assert 180 <= held <= 199


def test_a_known_seed_gives_the_same_intervals():
    ratings, _, gold = made()
    first, second = (
        iaa.judge.against_gold(ratings, gold, replicates=200, seed=4) for _ in range(2)
    )
    assert first.identical(second)


def test_wrong_gold_is_refused_by_name():
    ratings, _, gold = made()
    with pytest.raises(IaaError, match="gold has labels that the ratings do not know: 'q'"):
        iaa.judge.against_gold(ratings, {1: "q"})
    with pytest.raises(IaaError, match="gold has items that the ratings do not have: 9999"):
        iaa.judge.against_gold(ratings, gold | {9999: "a"})
    with pytest.raises(IaaError, match="names no column along items"):
        iaa.judge.against_gold(ratings, "nothing")
    numbers = iaa.from_values(np.random.default_rng(0).random((5, 3)))
    with pytest.raises(IaaError, match="numbers"):
        iaa.judge.against_gold(numbers, {1: 1.0})


def test_sets_count_whole_and_label_by_label(request, folder) -> None:
    """Accuracy and kappa are those of whole sets, scores by label those of its presence."""
    rng = np.random.default_rng(4)
    has = rng.random((60, 4, 3)) < 0.4
    has[:, 0] = has[:, -1] ^ (rng.random((60, 3)) < 0.1)
    names = ["ann", "bob", "gpt"]
    as_sets = [[frozenset(np.array(list("abc"))[row]) for row in rows] for rows in has]
    given = {name: {i: row[at] for i, row in enumerate(as_sets)} for at, name in enumerate(names)}
    given["bob"] = {item: given["bob"][item] for item in range(0, 60, 2)}
    gold = {item: row[3] for item, row in enumerate(as_sets) if item % 5}
    ratings = iaa.from_sets(
        pd.DataFrame({name: pd.Series(of) for name, of in given.items()}), labels=list("abc")
    )
    result = iaa.judge.against_gold(ratings, gold, replicates=100)
    for name, own in given.items():
        of = result.sel(annotator=name)
        # sets as names, since the oracle takes an empty set for a gap
        whole = {item: f"set {sorted(labels)}" for item, labels in own.items()}
        true = {item: f"set {sorted(labels)}" for item, labels in gold.items()}
        accuracy, kappa, _ = against_gold(whole, true, sorted({*whole.values(), *true.values()}))
        assert float(of.accuracy) == pytest.approx(accuracy)
        assert float(of.kappa) == pytest.approx(kappa)
        assert of.accuracy_ci_low < of.accuracy < of.accuracy_ci_high
        for label in "abc":
            presence = [
                {item: label if label in labels else "-" for item, labels in each.items()}
                for each in (own, gold)
            ]
            for figure, value in by_label(*presence, label).items():
                at = of.sel(gold_label=label)
                assert float(at[figure]) == pytest.approx(value)
                low, high = (float(at[f"{figure}_ci_{end}"]) for end in ("low", "high"))
                assert low <= value <= high
                assert low < high
    lines = [
        f"{item},{name},{';'.join(sorted(labels)) or ';'},"
        f"{(';'.join(sorted(gold[item])) or '(none)') if item in gold else ''}\n"
        for name, own in given.items()
        for item, labels in own.items()
    ]
    (folder / "sets.csv").write_text("id,who,label,truth\n" + "".join(lines))
    run = request.getfixturevalue("iaa")
    record = run("judge", "sets.csv", "--separator", ";", "--gold", "truth", "--json", "-")
    (row,) = (r for r in json.loads(record.stdout)["annotators"] if r["annotator"] == "gpt")
    assert row["accuracy"] == pytest.approx(float(result.accuracy.sel(annotator="gpt")))
    with pytest.raises(IaaError, match="gold has labels that the ratings do not know: 'q'"):
        iaa.judge.against_gold(ratings, {1: "a;b", 2: {"a", "q"}})


@pytest.mark.parametrize(
    ("written", "labels"),
    [
        ("b, a", "ab"),
        ('["a", "c"]', "ac"),
        ("(none)", ""),
        ("c", "c"),
        ("a\nb", "ab"),
        (["b"], "b"),
    ],
)
def test_a_set_is_a_collection_or_a_text(written: object, labels: str) -> None:
    ratings = iaa.from_sets([[set(labels), {"a"}], [{"b", "c"}, {"a"}]], labels=list("abc"))
    result = iaa.judge.against_gold(ratings, {0: written}, replicates=0)
    np.testing.assert_array_equal(result.accuracy, [1.0, float(labels == "a")])


def test_weights_are_said_to_change_nothing(request, folder) -> None:
    iaa = request.getfixturevalue("iaa")
    (folder / "grades.csv").write_text("id,ann,gpt,truth\n1,low,mid,low\n2,high,high,high\n")
    done = iaa("judge", "grades.csv", "--gold", "truth", "--weights", "linear")
    assert "whatever the level, weights or distance" in " ".join(done.stdout.split())


def test_no_error_seen_is_no_certainty():
    """30 of 30 right: Jeffreys' interval, with n a little less as by Student's t."""
    truth = np.arange(30) % 3
    ratings = iaa.from_wide(np.stack([truth, truth], axis=1), labels=[0, 1, 2])
    gold = dict(zip(ratings["item"].values.tolist(), truth.tolist(), strict=True))
    result = iaa.judge.against_gold(ratings, gold, replicates=400)
    counted = 30 * (norm.ppf(0.025) / student.ppf(0.025, 29)) ** 2
    np.testing.assert_allclose(result.accuracy_ci_low, beta.ppf(0.025, counted + 0.5, 0.5))
    assert (result.accuracy_ci_high == 1).all()
    assert (result.kappa_ci_low < 0.95).all()
    assert iaa.page(result).answer[0].values["ends"] != ""


def test_the_answer_is_about_the_judges_that_are_named():
    ratings, _, gold = made()
    page = iaa.page(
        iaa.judge(ratings, "y", replicates=0), iaa.judge.against_gold(ratings, gold, replicates=0)
    )
    (answer,) = (note for note in page.answer if note.code == "judge_against_gold")
    alone = iaa.judge.against_gold(ratings, gold, replicates=0).accuracy
    assert answer.values["accuracy"] == float(alone.sel(annotator="y"))
    people = answer.values["people"].values
    others = alone.sel(annotator=["x", "z"])
    assert (people["least"], people["most"]) == (float(others.min()), float(others.max()))
    seen = {table.id: table for table in page.tables if not table.unseen}
    by_label, confused = seen["by_gold_label"], seen["most_confused"]
    assert {by_label.columns[0].values[row] for row in by_label.rows_shown} == {"y"}
    assert {*confused.columns[0].values} == {"y"}
    items = confused.columns[3].values.tolist()
    assert items == sorted(items, reverse=True)
    assert not any(id.startswith("confusion_") for id in seen)
    remarks = [note for block in page.blocks if isinstance(block, Remarks) for note in block.notes]
    assert sum(note.code.startswith("next_") for note in remarks) == 1


def test_figures_do_not_depend_on_whether_tables_are_laid_out(monkeypatch) -> None:
    """Beyond the limits, intervals of more and more figures are missing, and nothing else."""
    ratings, _, gold = made()
    vague = iaa.gold(ratings, "dawid_skene", interval=None, leave_out=False)
    blurred = vague.assign(probability=vague.probability * 0.5 + 1 / 6)
    has = np.random.default_rng(6).random((60, 3, 3)) < 0.5
    of_sets = [[set(np.array(list("abc"))[row]) for row in rows] for rows in has]
    sets = iaa.from_sets(of_sets, labels=list("abc"))
    known = dict(enumerate(row[0] for row in of_sets))
    # 100 replicates of three annotators: of three labels, and of eight sets of these
    limits = ((900, "confusion"), (899, ".*"))
    limits_of_sets = ((2400, "nothing"), (900, "kappa"), (899, ".*"))
    for rated, given, each in (
        (ratings, gold, limits),
        (ratings, blurred, limits),
        (sets, known, limits_of_sets),
    ):
        whole = iaa.judge.against_gold(rated, given, replicates=100)
        for cells, missing in each:
            monkeypatch.setattr(counts, "CELLS", cells)
            result = iaa.judge.against_gold(rated, given, replicates=100)
            monkeypatch.undo()
            for name, values in result.items():
                if re.fullmatch(f"(?!accuracy)({missing})_ci_.*", str(name)):
                    assert values.isnull().all()
                else:
                    xr.testing.assert_allclose(values, whole[name], rtol=1e-12)
    monkeypatch.setattr(counts, "CELLS", 26)
    assert "confusion" not in iaa.judge.against_gold(ratings, gold, replicates=0)
    iaa.page(iaa.judge.against_gold(ratings, gold, replicates=0))
