"""Annotators against themselves."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import iaa_jax as iaa
from iaa_jax._errors import IaaError


@pytest.fixture
def twice() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    rows = [
        (item, who, str(rng.choice(list("xyz"))))
        for turn in range(3)
        for item in range(40)
        for who, share in (("ann", 1.0), ("bob", 0.5), ("cleo", 0.0))
        if turn == 0 or (turn == 1 and rng.random() < share) or (turn == 2 and item < 3)
    ]
    return pd.DataFrame(rows, columns=["item", "annotator", "label"])


def pairs_of(frame: pd.DataFrame, who: str) -> list[tuple[str, str]]:
    own = frame[frame.annotator == who].groupby("item", sort=False).label.apply(list)
    return [(labels[0], labels[1]) for labels in own if len(labels) > 1]


def test_figures_are_those_of_pairs_by_hand(twice):
    ratings = iaa.from_long(twice, duplicates="apart")
    result = iaa.annotators.repeats(ratings, "cohen_kappa", interval=None)
    every = []
    for who in ("ann", "bob", "cleo"):
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


def test_whoever_is_called_so_and_rated_other_items_is_somebody_else():
    rows = [["a", "a", None], ["b", None, "b"], ["a", "b", "b"], ["b", "b", "a"]]
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


def test_the_command(request, folder, twice):
    command = request.getfixturevalue("iaa")
    twice.to_csv("t.csv", index=False)
    done = command("annotators", "t.csv", "--repeats", "--replicates", "64")
    assert done.exit_code == 0, done.stderr
    text = " ".join(done.stdout.split())
    assert "Percent agreement of annotators with themselves" in text
    assert "bob" in done.stdout
    low = command("annotators", "t.csv", "--repeats", "--require", "percent_agreement>0.9")
    assert low.exit_code == 3
