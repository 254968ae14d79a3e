"""Rows of weights: fitted one by one, or compiled together, they end in the same place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from iaa_jax.engine import fits
from iaa_jax.engine.compiled import TRACES
from iaa_jax.engine.fits import SparseVotes, Tolerance, fit, fit_rows
from iaa_jax.kernels.labelling.dawid_skene import DAWID_SKENE, FAST_DAWID_SKENE, ONE_COIN
from iaa_jax.kernels.labelling.method import Method, Weights
from iaa_jax.kernels.labelling.votes import DenseVotes, ListedVotes
from iaa_jax.kernels.labelling.voting import MAJORITY, WAWA

ITEMS, ANNOTATORS, LABELS = 40, 7, 3
END = Tolerance(1e-9, 400)


def crowd(seed: int = 0) -> tuple[DenseVotes, ListedVotes]:
    """The same votes of some annotators on each item, side by side and listed."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, LABELS, ITEMS)
    who = np.argsort(rng.random((ITEMS, ANNOTATORS)), axis=1)[:, :4]
    right = rng.random(who.shape) < 0.5 + who / 16
    label = np.where(right, truth[:, None], rng.integers(0, LABELS, who.shape))
    counts = np.zeros((ITEMS, ANNOTATORS, LABELS))
    counts[np.arange(ITEMS)[:, None], who, label] = 1.0
    return DenseVotes(counts), ListedVotes(who * LABELS + label, np.ones(who.shape))


def rows_of(number: int) -> Weights:
    rng = np.random.default_rng(3)
    items = rng.multinomial(ITEMS, np.full(ITEMS, 1 / ITEMS), size=number).astype(float)
    annotators = np.ones((number, ANNOTATORS))
    annotators[::3, 1] = 0.0
    return Weights(items, annotators)


def shares(dense: DenseVotes) -> Any:
    votes = dense.counts.sum(axis=1)
    return votes / votes.sum(axis=1, keepdims=True)


METHODS = [DAWID_SKENE, ONE_COIN, FAST_DAWID_SKENE, MAJORITY, WAWA]


@pytest.mark.parametrize("method", METHODS)
def test_rows_on_scipy_and_compiled_rows_are_the_same(
    method: Method, monkeypatch: pytest.MonkeyPatch
) -> None:
    dense, listed = crowd()
    ended = []
    for data, on_processor in ((listed, True), (listed, False), (dense, True)):
        monkeypatch.setattr(fits, "_on_processor", lambda on=on_processor: on)
        ended.append(list(fit_rows(method, data, [(rows_of(70), ())], shares(dense), END)))
    one_by_one, *compiled = ended
    for others in compiled:
        for first, second in zip(one_by_one, others, strict=True):
            probability = second.state.probability
            np.testing.assert_allclose(first.state.probability, probability, atol=1e-10)
            np.testing.assert_allclose(first.skill, second.skill, atol=1e-10)
            assert first.iterations.tolist() == second.iterations.tolist()
            assert first.converged.tolist() == second.converged.tolist()


def test_rows_are_fits_of_each_row_and_blocks_change_no_digit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dense, listed = crowd()
    rows, start = rows_of(5), shares(dense)
    together = next(iter(fit_rows(DAWID_SKENE, listed, [(rows, ())], start, END)))
    votes = SparseVotes.of(listed, ANNOTATORS * LABELS)
    for row in range(5):
        weights = Weights(rows.item[row], rows.annotator[row])
        alone = fit(DAWID_SKENE, votes, weights, start, END)
        assert (together.state.probability[row] == alone.state.probability).all()
        assert (together.skill[row] == alone.skill).all()
    monkeypatch.setattr(fits, "_CELLS", 2 * ITEMS * LABELS)
    parts = list(fit_rows(DAWID_SKENE, listed, [(rows, ())], start, END))
    assert [len(part.skill) for part in parts] == [2, 2, 1]
    assert (np.concatenate([part.skill for part in parts]) == together.skill).all()


def test_blocks_of_fewer_rows_compile_nothing_anew() -> None:
    dense, _ = crowd()
    list(fit_rows(DAWID_SKENE, dense, [(rows_of(64), ())], shares(dense), END))
    before = TRACES["fit_rows"]
    list(fit_rows(DAWID_SKENE, dense, [(rows_of(9), ())], shares(dense), END))
    assert TRACES["fit_rows"] == before


def test_long_rows_are_not_filled_up_to_a_full_block() -> None:
    assert len(fits._filled(np.ones((5, 3)), 64, 100)) == 64
    assert len(fits._filled(np.ones((5, 3)), 64, 100_000)) == 8
