"""Causes that were put into ratings are named, and no others."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from typer.testing import CliRunner

import iaa_jax as iaa
from iaa_jax.cli.app import app
from iaa_jax.data.slots import to_slots
from tests.program import advised

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))
DRAWING, CAUSES, CLEAN = (
    import_module(f"findings_study.{name}") for name in ("drawing", "causes", "clean")
)
LETTERS = DRAWING.LETTERS


@pytest.mark.parametrize("name", CAUSES.CAUSES)
def test_a_cause_is_named(name: str) -> None:
    ratings, is_there = CAUSES.CAUSES[name](np.random.default_rng([1, 0]))
    result = iaa.findings(ratings, **DRAWING.options(ratings))
    assert is_there(result), result["kind"].values
    assert result.attrs["conclusion"] == "found"
    said = " ".join(str(iaa.page(result)).split())
    assert "{" not in said


@pytest.mark.parametrize("name", CLEAN.CLEAN)
def test_nothing_is_named_in_clean_ratings(name: str) -> None:
    ratings = CLEAN.CLEAN[name](np.random.default_rng([2, 0]))
    result = iaa.findings(ratings, **DRAWING.options(ratings))
    found = zip(result["kind"].values, result["annotator"].values, strict=True)
    said = {(name, kind, who) for kind, who in found}
    assert said == {each for each in CLEAN.TRUE if each[0] == name}
    assert result.attrs["conclusion"] == ("found" if said else "none")
    assert float(result.if_all_mended) == float(result.estimate)


def comments(data_folder: Path, **columns: object) -> xr.Dataset:
    names = {"item": "Comment ID", "annotator": "Annotator", "label": "Label"}
    usual = {"duplicates": "first", "merge_labels": "case", "keep": "Labelled at"}
    file = str(data_folder / "lead_comments" / "comments.csv")
    return iaa.read(file, **names, **(usual | columns))  # type: ignore[arg-type]


def test_the_causes_of_lead_comments_are_those_that_were_put_in(data_folder: Path) -> None:
    result = iaa.findings(comments(data_folder))
    kinds = ["exchanged_labels", "favours_label", "changed", "stopped"]
    assert result["kind"].values.tolist() == kinds
    assert result["annotator"].values.tolist() == ["Chloe", "Dieter", "Bogdan", "Dieter"]
    assert result["label"].values.tolist() == ["spam", "neutral", "insult", ""]
    assert result["other_label"].values.tolist() == ["threat", "", "toxic", ""]
    assert result["since"].values.tolist()[:2] == ["", ""]
    assert "2026-03-12" < result["since"].values[2] < "2026-03-18"
    assert "2026-03-17" < result["since"].values[3] < "2026-03-20"
    # the figures of the README of the data, by plain Python
    assert float(result.estimate) == pytest.approx(0.613684, abs=5e-7)
    np.testing.assert_allclose(result.if_mended[:2], [0.708717, 0.829960], atol=5e-7)
    assert (result.gain_ci_low[:3] > 0).all()
    merges = iaa.labels.merges(comments(data_folder))
    assert merges.attrs["conclusion"] == "one_annotator"
    assert merges.attrs["recode"] == ""
    assert merges.confused_by.values[0] == "Chloe"
    codes = [note.code for note in iaa.page(merges).answer]
    assert codes == ["merges_one_annotator", "merges_also_confused"]


def exchanged() -> xr.Dataset:
    ratings: xr.Dataset = CAUSES.exchanged(np.random.default_rng([1, 3]))[0]
    return ratings


def same(first: xr.Dataset, second: xr.Dataset) -> None:
    assert first["kind"].values.tolist() == second["kind"].values.tolist()
    assert first["annotator"].values.tolist() == second["annotator"].values.tolist()
    for name in ("p_value", "if_mended", "gain", "gain_ci_low", "agreement", "then"):
        np.testing.assert_allclose(first[name], second[name], rtol=1e-10, err_msg=name)


@pytest.mark.parametrize(
    "other",
    [
        lambda ratings: ratings.isel(item=slice(None, None, -1)),
        lambda ratings: iaa.data.keep_annotators(
            ratings.isel(annotator=[2, 0, 3, 1]), ["ann", "bob", "cat", "dan"]
        ),
        to_slots,
    ],
    ids=["items", "annotators", "slots"],
)
def test_findings_do_not_depend_on_order_or_form(
    other: Callable[[xr.Dataset], xr.Dataset],
) -> None:
    ratings = exchanged().drop_vars("day")
    same(iaa.findings(ratings), iaa.findings(other(ratings)))


def test_items_counted_twice_are_items_that_stand_there_twice() -> None:
    ratings = exchanged().drop_vars("day").isel(item=slice(0, 150))
    twice = xr.concat([ratings, ratings], "item", data_vars="minimal")
    twice = twice.assign_coords(item=np.arange(300))
    weighted = ratings.assign(item_weight=("item", np.full(150, 2.0)))
    same(iaa.findings(twice), iaa.findings(weighted))


def test_second_answers_are_compared_with_first_ones_as_loops_do() -> None:
    ratings, _ = CAUSES.asked_again(np.random.default_rng([1, 0]))
    codes = ratings["primary"].values[:30]
    oneself, others = [], []
    for row in codes:
        for who in range(4):
            oneself.append(row[who] == row[who + 4])
            others += [row[who] == row[other] for other in range(4) if other != who]
    alone = iaa.data.keep_annotators(ratings, ["ann", "bob", "cat", "dan"])
    for result in (iaa.findings(ratings), iaa.findings(alone, repeats=ratings)):
        (row,) = np.flatnonzero(result["kind"].values == "self_disagreement")
        assert float(result.with_oneself[row]) == pytest.approx(np.mean(oneself))
        assert float(result.agreement[row]) == pytest.approx(np.mean(others))
        noise = (1 - np.mean(oneself)) / (1 - np.mean(others))
        assert float(result.noise[row]) == pytest.approx(noise)
        assert np.isnan(float(result.gain[row]))


def test_steps_taken_as_names_are_asked_about_with_the_figure_of_steps() -> None:
    order = ["none", "low", "medium", "high", "very high"]
    codes = DRAWING.rated(np.random.default_rng(4), np.arange(300) % 5)
    near = np.random.default_rng(5).random(codes.shape) < 0.2
    rows = np.array(order, dtype=object)[np.where(near, np.minimum(codes + 1, 4), codes)]
    result = iaa.findings(iaa.from_wide(rows))
    assert result["kind"].values.tolist() == ["ordered_labels"]  # and no merge of two steps
    assert (result["label"].values[0], result["other_label"].values[0]) == (order[0], order[-1])
    ordered = iaa.from_wide(rows, labels=order)
    as_steps = iaa.krippendorff_alpha(ordered, level="ordinal", interval=None)
    assert float(result.if_mended[0]) == pytest.approx(float(as_steps.estimate), rel=1e-12)
    assert float(result.if_all_mended) == float(result.estimate)
    said = " ".join(str(iaa.page(result)).split())
    assert "As steps in their order Krippendorff's alpha is" in said
    assert "no single cause of disagreement stands out while this is open" in said
    assert iaa.findings(ordered, level="ordinal").sizes["finding"] == 0


def sets_of(random: np.random.Generator, annotators: int, items: int = 150) -> np.ndarray:
    """Sets (item, annotator, label) of four labels, mostly right."""
    holds = random.random((items, 4)) < 0.3
    return np.asarray(random.random((items, annotators, 4)) < np.where(holds[:, None], 0.85, 0.05))


def from_members(members: np.ndarray) -> xr.Dataset:
    rows = [[{*LETTERS[: len(one)][one]} for one in row] for row in members]
    ratings = iaa.from_sets(rows)
    return ratings.assign_coords(annotator=np.array(DRAWING.NAMES[: len(rows[0])], dtype=object))


def alpha_of(members: np.ndarray) -> float:
    return float(iaa.krippendorff_alpha(from_members(members), interval=None).estimate)


def test_of_three_the_one_who_differs_is_named_and_gains_what_the_label_gains() -> None:
    members = sets_of(np.random.default_rng(8), 3)
    members[:, 2, 0] &= np.random.default_rng(9).random(150) < 0.15
    result = iaa.findings(from_members(members))
    assert result["kind"].values.tolist() == ["leaves_label_out"]
    assert (result["annotator"].values[0], result["label"].values[0]) == ("cat", "a")
    right = members.copy()
    right[:, 2, 0] |= members[:, :2, 0].all(axis=1)
    assert float(result.if_mended[0]) == pytest.approx(alpha_of(right), rel=1e-12)


def test_labels_that_one_gives_more_freely_are_one_finding_with_what_they_gain() -> None:
    members = sets_of(np.random.default_rng(8), 4)
    members[:, 1, :3] |= np.random.default_rng(9).random((150, 3)) < 0.5
    result = iaa.findings(from_members(members))
    assert result["kind"].values.tolist() == ["adds_label"]
    given = {str(result[name].values[0]) for name in ("label", "other_label", "third_label")}
    assert (result["annotator"].values[0], given) == ("bob", {"a", "b", "c"})
    said = " ".join(str(iaa.page(result)).split())
    assert " if only identical label sets count as agreement; with" in said
    index = iaa.findings(from_members(members), coefficient="am_agreement")
    assert "identical" not in " ".join(str(iaa.page(index)).split())
    right = members.copy()
    right[:, 1, :3] &= members[:, [0, 2, 3], :3].mean(axis=1) >= 0.5
    assert float(result.if_mended[0]) == pytest.approx(alpha_of(right), rel=1e-12)
    assert float(result.share[0]) == pytest.approx(members[:, 1, :3].any(axis=1).mean())


def test_near_ends_gain_what_the_same_ends_gain() -> None:
    true = [(at, at + 5, "X") for at in range(0, 120, 12)]
    there, same = {}, {}
    for day in range(12):
        others = {"a": true, "b": true}
        away = [(at + 1, end + 2, label) for at, end, label in true[: day // 2 + 2]]
        there[f"d{day}"] = {**others, "c": away + true[8:]}
        same[f"d{day}"] = {**others, "c": true[: day // 2 + 2] + true[8:]}
    result = iaa.findings(iaa.from_spans(there))
    assert (result["kind"].values[0], result["annotator"].values[0]) == ("near_ends", "c")
    wanted = float(iaa.findings(iaa.from_spans(same)).estimate)
    assert float(result.if_mended[0]) == pytest.approx(wanted, rel=1e-12)


def test_a_majority_of_the_annotators_is_left() -> None:
    random = np.random.default_rng(4)
    true = random.integers(0, 5, 400)
    codes = DRAWING.rated(random, true, 5, np.array([[0.95, 0.95, 0.75, 0.6, 0.45]]))
    result = iaa.findings(DRAWING.dataset(codes, dates=False))
    out = result["annotator"].values[result["mended_by"].values == "left_out"].tolist()
    assert out == ["eve", "dan"]
    (kept,) = np.flatnonzero(result.kept.values == 1)
    assert result["annotator"].values[kept] == "cat"
    assert np.isnan(float(result.gain[kept]))
    shown = " ".join(str(iaa.page(result)).split())
    assert "This is a comparison with the annotators who are left." in shown


def test_numbers_as_names_are_asked_about_first() -> None:
    rows = [[1, 1, 3], [2, 2, 2], [3, 3, 1]] * 20
    result = iaa.findings(iaa.from_wide(rows))
    assert result.attrs["conclusion"] == "level_undecided"
    said = str(iaa.page(result))
    assert "exchanged" not in said
    decided = iaa.findings(iaa.from_wide(rows), level="nominal")
    assert decided["kind"].values.tolist() == ["exchanged_labels"]


def test_the_command_says_who_and_since_when(data_folder: Path) -> None:
    file = data_folder / "lead_comments" / "comments.csv"
    given = ["findings", str(file), "--duplicates", "first"]
    doubtful = " ".join(CliRunner().invoke(app, [*given, "--by", "order"]).stdout.split())
    assert "before about item 373" in doubtful
    assert doubtful.count("--merge-labels case") == 1
    assert doubtful.index("--merge-labels case") < doubtful.index("Chloe")
    done = CliRunner().invoke(app, [*given, "--merge-labels", "case", "--by", "Labelled at"])
    assert done.exit_code == 0, done.output
    said = " ".join(done.stdout.split())
    assert "Chloe seems to have exchanged 'spam' and 'threat'" in said
    assert "Dieter favours 'neutral'" in said
    assert "Since about 2026-03-13 Bogdan agrees with the others in 80.2 %" in said


def test_commands_that_are_advised_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(7)
    noted = CLEAN.CLEAN["conversations"](random)
    table = noted["primary"].to_pandas().rename_axis(None)
    thread = noted["conversation"].values.copy()
    thread[:15] = ""
    numbered = table.assign(thread=thread, text=[f"{name} says" for name in thread])
    of_two = table.assign(text=np.arange(400) // 4, part=np.tile(["p", "q", "r", "s"], 100))
    labelled = table.replace(dict(enumerate("abcde"))).assign(source=thread)
    sets = {
        "numbered": (numbered, ["--level", "nominal"]),
        "of two": (of_two, ["--item", "text,part", "--level", "ordinal"]),
        "labelled": (labelled, []),
    }
    told = 0
    for name, (rows, options) in sets.items():
        file = f"{name}.csv"
        rows.to_csv(file, index_label="id" if name != "of two" else "row")
        annotators = ["--annotators", "ann,bob,cat,dan"] if "of" in name else []
        for command in ("findings", "agree"):
            done = CliRunner().invoke(app, [command, file, *options, *annotators])
            assert done.exit_code == 0, done.output
            for words in advised(done.stdout):
                told += 1
                assert ("--level" in words) == ("--level" in options), words
                if words[0] == "report" and name != "of two":  # which takes seconds
                    continue
                again = CliRunner().invoke(app, words)
                assert again.exit_code == 0, (words, again.output)
    assert told >= 6


def test_items_that_belong_together_count_together_and_it_is_said() -> None:
    ratings = CLEAN.CLEAN["conversations"](np.random.default_rng(7))
    talk = ratings["conversation"].values.copy()
    talk[:120] = "_"  # stands for none
    result = iaa.findings(ratings.assign_coords(conversation=("item", talk)))
    assert result["kind"].values.tolist() == ["clusters"]
    assert result.attrs["errors_of"] == "conversation"
    assert "unless they have the same conversation" in " ".join(str(iaa.page(result)).split())


def test_that_nobody_is_named_proves_little_where_items_have_two_ratings() -> None:
    pairs = [["a", "a", None], [None, "b", "b"], ["b", None, "a"], ["b", None, "b"]] * 9
    every = [["a"] * 3, ["b"] * 3, ["a", "b", "b"], ["b", "b", "a"], ["b", "a", "b"]] * 7
    for rows, said in ((pairs, "36 of 36"), (pairs + every, "36 of 71"), (every + every, "")):
        result = iaa.findings(iaa.from_wide(rows))
        text = " ".join(str(iaa.page(result)).split())
        assert ("have two ratings, of which nothing tells" in text) == bool(said)
        assert f"{said} items have two ratings, of which" in text or not said
        assert ("iaa.annotators(ratings) says who agrees least" in text) == bool(said)
        assert result.attrs["two_rated"] == sum(None in row for row in rows)


def test_of_two_annotators_none_is_named_but_how_they_differ_can_be_seen() -> None:
    true = np.random.default_rng(6).normal(4, 1, 60)
    for shown, ratings in (
        ("icc2,icc3", iaa.from_values(np.stack([true, true - 0.7], axis=1))),
        ("iaa.annotators(ratings)", iaa.from_wide([["a", "b"], ["b", "b"]] * 9)),
    ):
        said = " ".join(str(iaa.page(iaa.findings(ratings))).split())
        assert "Of two annotators, neither can be named as the cause" in said
        assert shown in said
        assert "Few items, or none, have three ratings" not in said


def test_parts_of_what_names_the_items_may_be_questions(tmp_path: Path) -> None:
    random = np.random.default_rng(4)
    right = np.repeat(np.linspace(0.4, 1, 20), 30)[:, None]
    true = random.integers(0, 3, 600)
    codes = DRAWING.rated(random, true, 3, right, labels=3)
    table = pd.DataFrame(LETTERS[codes], columns=["ann", "bob", "cat"])
    table["question"], table["text"] = np.repeat(np.arange(20), 30), np.tile(np.arange(30), 20)
    table.to_csv(tmp_path / "rated.csv", index=False)
    asked = {"item": ["text", "question"], "annotators": ["ann", "bob", "cat"], "keep": "*"}
    result = iaa.findings(iaa.read(str(tmp_path / "rated.csv"), **asked))
    (row,) = np.flatnonzero(result["kind"].values == "clusters")
    assert (result["column"].values[row], result["questions"].values[row]) == ("question", 1)
    said = " ".join(str(iaa.page(result)).split())
    assert "iaa.agree(ratings, sampling=iaa.Sampling(cluster='question'))" in said
    assert "iaa.agree(ratings, by='question')" in said


def test_columns_made_from_the_answers_are_no_causes() -> None:
    ratings, is_there = CAUSES.hard(np.random.default_rng([1, 0]))
    codes = ratings["primary"].values
    votes = np.array([(codes == code).sum(axis=1) for code in range(5)])
    tied = np.where((votes == votes.max(axis=0)).sum(axis=0) > 1, "tied", "clear")
    made = {
        "majority": ("item", LETTERS[votes.argmax(axis=0)]),
        "first answer": ("item", LETTERS[codes[:, 0]]),
        "tied": ("item", tied.astype(object)),
        "answers": ("item", np.array([str([*row]) for row in codes.tolist()], dtype=object)),
    }
    result = iaa.findings(ratings.assign_coords(made))
    assert is_there(result)
    assert {*result["column"].values.tolist()} <= {"", "source"}


def test_kinds_of_items_are_hard_where_agreement_beyond_chance_is_lower() -> None:
    random = np.random.default_rng(3)
    source = np.where(np.arange(800) % 2, "rare", "even").astype(object)
    true = np.where(source == "rare", random.random(800) < 0.03, random.random(800) < 0.5)
    right = np.where(source == "rare", 0.97, 0.9)[:, None]
    codes = np.where(random.random((800, 4)) < right, true[:, None], ~true[:, None])
    ratings = iaa.from_wide(LETTERS[codes.astype(int)]).assign_coords(source=("item", source))
    alphas = [
        float(iaa.krippendorff_alpha(ratings.isel(item=source == each), interval=None).estimate)
        for each in ("even", "rare")
    ]
    assert alphas[0] > alphas[1]  # though ratings agree less there
    assert iaa.findings(ratings).sizes["finding"] == 0


def test_annotators_who_give_one_answer_alone_are_found_together() -> None:
    ratings, _ = CAUSES.one_answer(np.random.default_rng([1, 0]))
    result = iaa.findings(ratings)
    assert result["kind"].values.tolist() == ["one_answer"]
    named = json.loads(result.attrs["one_answer"])
    assert {*named} <= {f"w{number:03}" for number in range(15)}
    others = [name for name in ratings["annotator"].values.tolist() if name not in named]
    left = iaa.krippendorff_alpha(iaa.data.keep_annotators(ratings, others), interval=None)
    assert float(result.if_mended[0]) == pytest.approx(float(left.estimate), rel=1e-12)
    said = " ".join(str(iaa.page(result)).split())
    some, *_ = re.findall(r"(\d+) of 1\d\d annotators with 20 or more items always give 'a'", said)
    assert int(some) == len(named) >= 10
    assert f"and {len(named) - 3} more), although others" in said


def test_no_two_of_a_group_of_copies_differ() -> None:
    """One copies two annotators who differ: only pairs without a difference are one group."""
    random = np.random.default_rng(8)
    truth = random.integers(0, 4, 360)
    wrong = random.random((360, 6)) < 0.3
    ratings = np.where(wrong, random.integers(0, 4, (360, 6)), truth[:, None]).astype(float)
    ratings[:120, 1], ratings[120:240, 1] = ratings[:120, 0], ratings[120:240, 2]
    ratings[:120, 2] = ratings[120:240, 0] = ratings[240:, 1] = np.nan  # 0 and 2 share the last 120
    rows = [[None if np.isnan(code) else LETTERS[int(code)] for code in row] for row in ratings]
    result = iaa.findings(iaa.from_wide(rows))
    assert result.kind.values.tolist() == ["same_ratings"]
    assert result.annotator.values.tolist() + result.group.values.tolist() == [
        "annotator 1",
        "annotator 2",
    ]


def test_a_merge_is_offered_once_other_causes_are_put_right(data_folder: Path) -> None:
    """Among three who are left, one may confuse most: it was said that everybody does."""
    result = iaa.findings(comments(data_folder, keep=None))
    (merged,) = (result["kind"].values == "confused_pair").nonzero()[0].tolist()
    assert result["mended_by"].values[merged] == "merged"
    said = " ".join(str(iaa.page(result)).split())
    assert "'insult' and 'toxic' are confused. Separate them better in the guidelines, or " in said
    assert "or merge them once the causes above are mended, which loses 19.0 % of" in said
    assert "verybody" not in said


def test_a_pair_that_all_confuse_is_told_though_a_merge_loses_more() -> None:
    random = np.random.default_rng(3)
    true = random.choice(4, 500, p=[0.35, 0.35, 0.15, 0.15])
    codes = DRAWING.rated(random, true, 4, 0.9, labels=4)
    codes = np.where((codes == 1) & (random.random(codes.shape) < 0.25), 0, codes)
    result = iaa.findings(iaa.from_wide(LETTERS[codes]))
    assert result["kind"].values.tolist() == ["confused_pair"]
    assert (result["label"].values[0], result["other_label"].values[0]) == ("a", "b")
    assert (result["mended_by"].values[0], float(result.if_all_mended)) == ("", result.estimate)
    merged = iaa.from_wide(LETTERS[np.where(codes == 1, 0, codes)])
    gain = iaa.krippendorff_alpha(merged, interval=None).estimate - result.estimate
    gained = float(gain / (1 - result.estimate))
    assert float(result.share_gained[0]) == pytest.approx(gained, rel=1e-10)
    assert iaa.labels.merges(iaa.from_wide(LETTERS[codes])).attrs["recode"] == ""


def test_merges_are_those_that_labels_suggest() -> None:
    random = np.random.default_rng(1)
    codes = DRAWING.rated(random, DRAWING.truth(random), right=0.95)
    for first in (0, 2):
        either = (codes == first) | (codes == first + 1)
        turned = either & (random.random(codes.shape) < 0.3)
        codes = np.where(turned, 2 * first + 1 - codes, codes)
    ratings = iaa.from_wide(LETTERS[codes])
    steps = iaa.labels.merges(ratings)
    result = iaa.findings(ratings)
    pairs = zip(result["label"].values, result["other_label"].values, strict=True)
    assert [" / ".join(pair) for pair in pairs] == steps["merged"].values.tolist()
    assert steps.sizes["step"] == 2
    np.testing.assert_allclose(result.if_mended, steps.agreement_then, rtol=1e-10)
