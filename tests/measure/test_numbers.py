"""Coefficients of numbers through the public functions: what they take, leave out, and refuse."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import iaa_jax as iaa
from iaa_jax._errors import NO_COMPLETE_ITEM, IaaError
from iaa_jax.data.slots import in_slots
from tests.noted import notes_of
from tests.oracles.icc import icc_of_mean_squares
from tests.oracles.lin import lin_ccc

FORMS = ["icc1", "icc1k", "icc2", "icc2k", "icc3", "icc3k"]
TABLE = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
)


def test_numbers_and_number_labels_are_the_same() -> None:
    values, labels = iaa.from_values(TABLE.astype(float)), iaa.from_wide(TABLE)
    wanted = icc_of_mean_squares(TABLE.tolist())
    for ratings in (values, labels, in_slots(labels)):
        found = iaa.agreement(ratings, [*FORMS, "lin_ccc"], interval=None)
        np.testing.assert_allclose(found.estimate[:-1], [wanted[name] for name in FORMS])
        np.testing.assert_allclose(found.estimate[-1], lin_ccc(TABLE.tolist()))
        assert set(found.weights.values) == {"numbers"}
        assert found.pairs.values.tolist() == [-1] * 6 + [6]


def test_beside_alpha_on_ranks() -> None:
    """Two readings of the same labels, numbers and ranks, do not mix."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 300, (60, 3)) ** 2
    ratings = iaa.from_wide(codes)
    found = iaa.agreement(ratings, ["krippendorff_alpha", "icc1"], level="ordinal", interval=None)
    alone = iaa.icc1(ratings, interval=None)
    np.testing.assert_allclose(found.estimate[1], alone.estimate, rtol=1e-12)
    np.testing.assert_allclose(alone.estimate, icc_of_mean_squares(codes.tolist())["icc1"])


def test_listed_for_numbers_only() -> None:
    assert not set(FORMS) & set(
        iaa.agreement(iaa.from_wide(TABLE), interval=None).coefficient.values
    )
    crowd = np.where(np.eye(4) > 0, np.nan, TABLE[:4]).astype(float)
    found = iaa.agreement(iaa.from_values(crowd), interval=None)
    assert found.coefficient.values.tolist() == ["krippendorff_alpha", "icc1", "icc1k"]
    (note,) = notes_of(found, "not_measured")
    assert note.values == {
        "coefficients": ["icc2", "icc2k", "icc3", "icc3k"],
        "reason": "no item was rated by every annotator",
    }
    asked = iaa.icc2(iaa.from_values(crowd), interval=None)
    assert np.isnan(asked.estimate)
    assert asked.code == NO_COMPLETE_ITEM


def test_a_note_counts_what_gaps_leave_out() -> None:
    gaps = TABLE.astype(float)
    gaps[0, 3] = gaps[4, 1] = np.nan
    found = iaa.agreement(iaa.from_values(gaps), [*FORMS, "lin_ccc"], interval=None)
    note = "2 of 6 items are left out, as not every annotator rated them"
    assert found.note.values.tolist() == ["", "", note, note, note, note, ""]
    wanted = icc_of_mean_squares(TABLE[[1, 2, 3, 5]].tolist())
    np.testing.assert_allclose(found.estimate.sel(coefficient="icc3k"), wanted["icc3k"])
    labels = iaa.from_wide([["a", "a", "a"], ["a", "b", None], ["b", "b", "b"]])
    hubert = iaa.hubert_kappa(labels, interval=None)
    assert notes_of(hubert, "incomplete_items")
    assert hubert.estimate == 1.0


def test_intervals_share_their_replicates() -> None:
    rng = np.random.default_rng(5)
    value = rng.normal(size=(80, 1)) + rng.normal(size=(80, 3))
    ratings = iaa.from_values(value)
    found = iaa.agreement(ratings, ["icc1", "icc3"], replicates=400, seed=1)
    assert ((found.ci_low < found.estimate) & (found.estimate < found.ci_high)).all()
    drawn = iaa.bootstrap(ratings, ["icc1", "icc3"], replicates=400, seed=1)
    spread = drawn.replicates.std("replicate")
    np.testing.assert_allclose(found.standard_error, spread, rtol=0.15)
    # the infinitesimal jackknife is near the jackknife
    left_out = [
        iaa.icc3(iaa.from_values(np.delete(value, i, axis=0)), interval=None) for i in range(80)
    ]
    figures = np.array([one.estimate.item() for one in left_out])
    jackknife = np.sqrt(79 / 80 * ((figures - figures.mean()) ** 2).sum())
    np.testing.assert_allclose(found.standard_error.sel(coefficient="icc3"), jackknife, rtol=0.05)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: iaa.icc2(iaa.from_wide([["a", "b"], ["a", "a"]])), "these are text"),
        (lambda: iaa.icc1(iaa.from_sets([[["a"], ["b"]]])), "these are label sets"),
        (lambda: iaa.lin_ccc(iaa.from_wide([["a", "b"], ["a", "a"]])), "krippendorff_alpha"),
        (lambda: iaa.icc1(iaa.from_wide(TABLE), weights="linear"), "takes no agreement"),
        (lambda: iaa.icc1(iaa.from_wide(TABLE), level="ratio"), "icc1 takes none"),
        (lambda: iaa.icc2(iaa.from_counts([[2, 1], [0, 3]], labels=[1, 2])), "who gave which"),
        (lambda: iaa.fleiss_kappa(iaa.from_values(TABLE.astype(float))), "icc1, icc1k, icc2"),
        (lambda: iaa.bangdiwala_b(iaa.from_wide(TABLE)), "two annotators"),
        (lambda: iaa.hubert_kappa(iaa.from_wide(TABLE), weights="linear"), "no agreement between"),
    ],
)
def test_refusals(call, message: str) -> None:
    with pytest.raises(IaaError, match=message):
        call()


def test_a_large_crowd_is_not_laid_out() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"item": np.repeat(np.arange(3000), 3), "annotator": rng.integers(0, 600, 9000)}
    ).drop_duplicates()
    frame["label"] = rng.integers(1, 6, len(frame))
    ratings = iaa.from_long(frame)
    assert "slot" in ratings.sizes
    assert np.isfinite(iaa.icc1(ratings, interval=None).estimate)
    undefined = iaa.icc3(ratings)
    assert np.isnan(undefined.estimate)
    assert "3,000 of 3,000 items" in str(undefined.note.values)


def test_anonymous_numbers_of_a_real_set(data_folder: Path) -> None:
    """EmoBank's readers: 10,548 texts, about five unnamed readers each (one-way mean squares)."""
    file = data_folder / "emobank" / "individual_reader_ratings.csv.gz"
    ratings = iaa.read(file, item="id", label="V", anonymous=True)
    frame = pd.read_csv(file)
    groups = frame.groupby("id")["V"]
    size = groups.size().to_numpy()
    total, items = size.sum(), len(size)
    k = (total - (size**2).sum() / total) / (items - 1)
    between = (size * (groups.mean() - frame["V"].mean()) ** 2).sum() / (items - 1)
    within = ((frame["V"] - groups.transform("mean")) ** 2).sum() / (total - items)
    found = iaa.agreement(ratings, ["icc1", "icc1k"], interval=None).estimate.values
    np.testing.assert_allclose(found[0], (between - within) / (between + (k - 1) * within))
    np.testing.assert_allclose(found[1], (between - within) / between)
    assert found.round(4).tolist() == [0.3435, 0.7247]
