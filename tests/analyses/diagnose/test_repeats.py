"""Annotators against themselves."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy.stats import binomtest

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from tests.oracles import repeats as oracle


@pytest.fixture
def twice() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    rows = [
        (item, who, str(rng.choice(list("xyz"))))
        for turn in range(2)
        for item in range(40)
        for who, share in (("ann", 1.0), ("bob", 0.5), ("cleo", 0.0))
        if turn == 0 or (turn == 1 and rng.random() < share)
    ]
    return pd.DataFrame(rows, columns=["item", "annotator", "label"])


def pairs_of(frame: pd.DataFrame, who: str) -> list[tuple[str, str]]:
    own = frame[frame.annotator == who].groupby("item", sort=False).label.apply(list)
    return [(labels[0], labels[1]) for labels in own if len(labels) > 1]


def test_figures_are_those_of_pairs_by_hand(twice):
    ratings = iaa.from_long(twice, duplicates="apart")
    result = iaa.annotators.repeats(ratings, "cohen_kappa", interval=None)
    every = []
    for who in ("ann", "bob"):
        pairs = pairs_of(twice, who)
        every += pairs
        of = result.sel(group=who)
        assert int(of.group_items) == len(pairs)
        same = np.mean([first == second for first, second in pairs])
        assert float(of.estimate.sel(coefficient="percent_agreement")) == pytest.approx(same)
        first, second = (np.array(side) for side in zip(*pairs, strict=True))
        chance = sum((first == x).mean() * (second == x).mean() for x in "xyz")
        kappa = (same - chance) / (1 - chance)
        assert float(of.estimate.sel(coefficient="cohen_kappa")) == pytest.approx(kappa)
    same = np.mean([first == second for first, second in every])
    assert float(result.estimate_of_all.sel(coefficient="percent_agreement")) == pytest.approx(same)
    assert result.attrs["repeated_items"] == len(every)


def test_files_and_frames_and_slots_are_alike(twice, tmp_path):
    twice.to_csv(tmp_path / "t.csv", index=False)
    read = iaa.annotators.repeats(iaa.read(tmp_path / "t.csv", duplicates="apart"), interval=None)
    made = iaa.from_long(twice, duplicates="apart")
    by_slot = iaa.annotators.repeats(iaa.data.in_slots(made), interval=None)
    for other in (read, by_slot):
        np.testing.assert_allclose(
            iaa.annotators.repeats(made, interval=None).estimate, other.estimate
        )


def test_whoever_is_called_so_is_somebody_else():
    """Whose ratings are is said by reading, not by names: even on items of "team" alone."""
    rows = [["a", "a", None], ["b", "b", "b"], ["a", "b", "b"], ["b", "b", "a"]]
    names = np.array(["bob", "team", "team (2)"], dtype=object)
    ratings = iaa.from_wide(rows).assign_coords(annotator=names)
    with pytest.raises(IaaError, match="nobody rated an item twice"):
        iaa.annotators.repeats(ratings)
    assert iaa.findings(ratings).attrs["annotators"] == 3


def test_votes_are_not_taken_for_nobody_twice(twice):
    with pytest.raises(IaaError, match="several votes of an annotator on an item"):
        iaa.annotators.repeats(iaa.from_long(twice, duplicates="votes"))


def test_rows_of_a_wide_table_are_apart(tmp_path):
    (tmp_path / "w.csv").write_text("item,ann,bob\n1,x,y\n1,x,x\n2,y,y\n")
    ratings = iaa.read(tmp_path / "w.csv", annotators=["ann", "bob"], duplicates="apart")
    assert ratings["annotator"].values.tolist() == ["ann", "bob", "ann (2)", "bob (2)"]
    assert ratings["primary"].values.tolist() == [[0, 1, 0, 0], [1, 1, -1, -1]]


def runs_of(kind: str, seed: int = 0) -> list[oracle.Row]:
    """Three annotators, of whom "gpt" answers 2 to 5 times, "ann" twice, and "bob" once."""
    rng = np.random.default_rng(seed)
    rows: list[oracle.Row] = []
    for item in range(60):
        true = rng.integers(4)
        for who, times, slip in (
            ("gpt", 2 + item % 4, 0.3),
            ("ann", 1 + item % 2, 0.1),
            ("bob", 1, 0.2),
        ):
            opinion = true if rng.random() < 0.8 else rng.integers(4)
            for _ in range(times):
                answer = opinion if rng.random() > slip else rng.integers(4)
                label = "abcd"[answer] if kind == "labels" else float(answer) + 0.5
                rows.append((item, who, label))
    order = rng.permutation(len(rows))
    return [rows[place] for place in order]


def from_rows(rows: list[oracle.Row]) -> xr.Dataset:
    frame = pd.DataFrame(rows, columns=["item", "annotator", "label"])
    ratings = iaa.from_long(frame, duplicates="apart")
    if isinstance(rows[0][2], str):
        return ratings
    numbers = np.append(ratings["label"].values, np.nan)[ratings["primary"].values]
    made = iaa.from_values(numbers)
    return made.assign_coords({name: ratings[name] for name in ("item", "annotator", "given_by")})


@pytest.mark.parametrize("kind", ["labels", "numbers"])
def test_many_answers_as_loops_have_them(kind):
    rows = runs_of(kind)
    result = iaa.annotators.repeats(from_rows(rows), interval=None)
    best = float(kind == "labels")
    sign = 1 if kind == "numbers" else -1
    for who in ("gpt", "ann"):
        occasion, one, together = oracle.occasions(rows, {who})
        of = result.sel(group=who)
        assert of.occasion.item() == pytest.approx(occasion)
        assert of.one_answer.item() == pytest.approx(best + sign * one)
        assert of.all_answers.item() == pytest.approx(best + sign * together)
        assert of.answers_gain.item() == pytest.approx(one - together, abs=1e-12)
    occasion, one, together = oracle.occasions(rows, {"gpt", "ann"})
    assert result.occasion_of_all.item() == pytest.approx(occasion)
    assert result.answers_gain_of_all.item() == pytest.approx(one - together)
    of_items = oracle.changed(rows)
    assert result.changed.to_series().to_dict() == pytest.approx(of_items)
    assert (np.diff(result.changed) <= 0).all()
    if kind == "labels":
        assert result.turned.to_series().to_dict() == pytest.approx(oracle.turned(rows))
        both = result.moved.values + result.moved.values.T
        np.testing.assert_allclose(1 - np.diag(both) / both.sum(axis=1), result.turned)


def test_measurements_are_numbers_and_have_a_deviation():
    """No label "turns" where all answers differ; the deviation is in units of the ratings."""
    rng = np.random.default_rng(2)
    rows = [
        (item, who, float(round(10 * item + rng.normal(0, spread), 1)))
        for item in range(30)
        for who, times, spread in (("ann", 2, 1.0), ("bob", 2 + item % 2, 2.0), ("cleo", 1, 1.0))
        for _ in range(times)
    ]
    result = iaa.annotators.repeats(from_rows(rows), interval=None)
    frame = pd.DataFrame(rows, columns=["item", "annotator", "label"])
    labels = iaa.from_long(frame, duplicates="apart")
    for how in ({"level": "interval"}, {"coefficient": "icc1"}):
        read = iaa.annotators.repeats(labels, interval=None, **how)
        np.testing.assert_allclose(read["within_deviation"], result["within_deviation"])
        np.testing.assert_allclose(read["occasion"], result["occasion"])
        assert "turned" not in read
        assert "percent_agreement" not in read["coefficient"]
    for who in ("ann", "bob"):
        expected = oracle.deviation(rows, {who})
        assert result["within_deviation"].sel(group=who).item() == pytest.approx(expected)
    expected = oracle.deviation(rows, {"ann", "bob"})
    assert result["within_deviation_of_all"].item() == pytest.approx(expected)
    said = " ".join(str(iaa.page(result)).split())
    assert "on 60 pairs of annotator and item (30 items) rated up to 3 times." in said
    assert f"answers to the same item is {expected:.3f}." in said
    assert "the repeatability coefficient (Bland and Altman 1999" in said
    steps = iaa.from_long(frame.assign(label=frame["label"] // 100), duplicates="apart")
    assert "turned" in iaa.annotators.repeats(steps, interval=None, level="interval")


@pytest.mark.parametrize("cluster", [None, "half"])
def test_intervals_hold_the_figures_and_narrow(cluster):
    """And clusters of two items widen nothing where items are independent."""
    ratings = from_rows(runs_of("labels"))
    ratings = ratings.assign_coords(half=("item", np.arange(60) // 2))
    sampling = None if cluster is None else iaa.Sampling(cluster=cluster)
    result = iaa.annotators.repeats(ratings, sampling=sampling, replicates=400)
    for name in ("occasion", "answers_gain"):
        low, high = (result[f"{name}_ci_{end}_of_all"].item() for end in ("low", "high"))
        assert low < result[f"{name}_of_all"].item() < high
        assert 0.02 < high - low < 0.5


def test_occasions_are_the_variance_that_was_made():
    """A judge with variances 1 (bias of items) and 3 (occasions), a person with 2 and none."""
    rng = np.random.default_rng(3)
    items, answers = 4000, 5
    judge = rng.normal(0, 1, (items, 1)) + rng.normal(0, 3**0.5, (items, answers))
    person = rng.normal(0, 2**0.5, (items, 1))
    names = np.array([*(f"gpt {k}" for k in range(answers)), "ann"], dtype=object)
    ratings = iaa.from_values(np.hstack([judge, person])).assign_coords(annotator=names)
    result = iaa.annotators.repeats(ratings, runs="gpt*", replicates=200)
    assert result.group.values.tolist() == ["gpt*"]
    assert result.run.values.tolist() == names[:-1].tolist()
    assert result.occasion.item() == pytest.approx(3 / 6, abs=0.02)
    assert result.occasion_ci_low.item() < 0.5 < result.occasion_ci_high.item()
    assert result.answers_gain.item() == pytest.approx(3 * (1 - 1 / answers), rel=0.05)
    assert result.run_agreement.values == pytest.approx(6, rel=0.1)


def test_who_never_changes_has_no_occasion_and_more_answers_are_worth_nothing():
    rows = [(item, who, "ab"[item % 2]) for item in range(9) for who in ("ann", "ann", "ann")]
    rows += [(item, "bob", "ab"[item % 3 % 2]) for item in range(9)]
    result = iaa.annotators.repeats(from_rows(rows), replicates=64)
    assert result.occasion.item() == result.answers_gain.item() == 0
    assert np.isnan(result.occasion_ci_low.item())
    alone = iaa.annotators.repeats(from_rows([row for row in rows if row[1] == "ann"]))
    assert np.isnan(alone.occasion.item())
    assert alone.estimate_of_all.values.tolist() == [1, 1]


def test_position_bias_is_the_answers_that_move_one_way():
    """Of 60 comparisons 15 go to whoever stands first; 5 change by chance."""
    first = np.array(["A"] * 30 + ["B"] * 30, dtype=object)
    second = first.copy()
    second[:15], second[15:18], second[30:32] = "B", "B", "A"
    table = np.column_stack([first, second, first])
    names = np.array(["gpt (A first)", "gpt (B first)", "ann"], dtype=object)
    ratings = iaa.from_wide(table).assign_coords(annotator=names)
    result = iaa.annotators.repeats(ratings, runs=["gpt*"], interval=None)
    assert result.moved.sel(label="A", later_label="B").item() == 18
    shift = {name: result.attrs[f"shift_{name}"] for name in ("from", "to", "there", "back")}
    assert shift == {"from": "A", "to": "B", "there": 18, "back": 2}
    assert result.attrs["shift_p_value"] == pytest.approx(binomtest(18, 20).pvalue)
    unmoved = ratings.isel(annotator=[0, 0, 2]).assign_coords(annotator=names)
    unmoved = iaa.annotators.repeats(unmoved, runs=["gpt*"], interval=None)
    assert not [name for name in unmoved.attrs if name.startswith("shift")]
    with pytest.raises(IaaError, match="matches nobody"):
        iaa.annotators.repeats(ratings, runs="claude*")


@pytest.mark.parametrize("numbers", [False, True])
def test_answers_that_turn_by_a_column_are_those_of_its_items(twice, numbers):
    length = twice["item"] * 3 if numbers else twice["item"].map(lambda item: f"kind {item % 3}")
    ratings = iaa.from_long(twice.assign(length=length), duplicates="apart", keep="length")
    result = iaa.annotators.repeats(ratings, by="length", interval=None)
    ends = np.quantile(range(40), (0.25, 0.5, 0.75), method="lower")
    quarter = [f"{3 * a} to {3 * b}" for a, b in ((0, 9), (10, 19), (20, 29), (30, 39))]
    assert [*ends] == [9, 19, 29]
    want: dict[str, list[bool]] = {}
    for (item, _), group in twice.groupby(["item", "annotator"]):
        if len(group) > 1:
            kind = quarter[item // 10] if numbers else f"kind {item % 3}"
            first, second = group.label
            want.setdefault(kind, []).append(first == second)
    own = dict(zip(result["kind"].values, result["kind_agreement"].values, strict=True))
    assert own == pytest.approx({kind: np.mean(same) for kind, same in want.items()})
    items = dict(zip(result["kind"].values, result["kind_items"].values, strict=True))
    assert items == {kind: len(same) for kind, same in want.items()}
    for name in ("annotator", "nothing"):
        with pytest.raises(IaaError, match="along items"):
            iaa.annotators.repeats(ratings, by=name)


def test_the_command(request, folder, twice):
    command = request.getfixturevalue("iaa")
    twice.to_csv("t.csv", index=False)
    done = command("annotators", "t.csv", "--repeats", "--replicates", "64")
    assert done.exit_code == 0, done.stderr
    text = " ".join(done.stdout.split())
    assert "Percent agreement of annotators with themselves" in text
    assert "Krippendorff's alpha with themselves is" in text
    assert "bob" in done.stdout
    low = command("annotators", "t.csv", "--repeats", "--require", "percent_agreement>0.9")
    assert low.exit_code == 3
