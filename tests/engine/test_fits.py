"""Rows of weights give equal fits one by one and compiled together."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

from iaa_jax.engine import compiled_fits
from iaa_jax.engine.compiled import TRACES
from iaa_jax.engine.compiled_fits import slots_for
from iaa_jax.engine.computing import UNASKED, Computing
from iaa_jax.engine.fits import Fit, Tolerance, fit
from iaa_jax.engine.fitted_rows import fit_rows
from iaa_jax.engine.sparse import SparseVotes
from iaa_jax.kernels.labelling.dawid_skene import DAWID_SKENE, FAST_DAWID_SKENE, ONE_COIN
from iaa_jax.kernels.labelling.method import Method, Weights
from iaa_jax.kernels.labelling.votes import DenseVotes, ListedVotes
from iaa_jax.kernels.labelling.voting import MAJORITY, WAWA
from tests.taken import one_of

ITEMS, ANNOTATORS, LABELS = 40, 7, 3
END = Tolerance(1e-9, 400)

HOST, ELSEWHERE = Computing("cpu"), Computing("gpu")


def crowd(seed: int = 0) -> tuple[DenseVotes, ListedVotes]:
    """Return votes by a few annotators per item, dense and listed."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, LABELS, ITEMS)
    who = np.argsort(rng.random((ITEMS, ANNOTATORS)), axis=1)[:, :4]
    right = rng.random(who.shape) < 0.5 + who / 16
    label = np.where(right, truth[:, None], rng.integers(0, LABELS, who.shape))
    counts = np.zeros((ITEMS, ANNOTATORS, LABELS))
    counts[np.arange(ITEMS)[:, None], who, label] = 1.0
    return DenseVotes(counts), ListedVotes(who * LABELS + label, np.ones(who.shape))


def rows_of(number: int, seed: int = 3) -> Weights:
    rng = np.random.default_rng(seed)
    items = rng.multinomial(ITEMS, np.full(ITEMS, 1 / ITEMS), size=number).astype(float)
    annotators = np.ones((number, ANNOTATORS))
    annotators[::3, 1] = 0.0
    return Weights(items, annotators)


def shares(dense: DenseVotes) -> Any:
    votes = dense.counts.sum(axis=1)
    return votes / votes.sum(axis=1, keepdims=True)


METHODS = [DAWID_SKENE, ONE_COIN, FAST_DAWID_SKENE, MAJORITY, WAWA]


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_rows_on_scipy_and_compiled_rows_are_the_same(method: Method) -> None:
    dense, listed = crowd()
    ended = []
    for data, computing in ((listed, HOST), (listed, ELSEWHERE), (dense, HOST)):
        rows = [(rows_of(70), ())]
        ended.append(list(fit_rows(method, data, rows, shares(dense), END, computing=computing)))
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
    together = next(iter(fit_rows(DAWID_SKENE, listed, [(rows, ())], start, END, computing=HOST)))
    votes = SparseVotes.of(listed, ANNOTATORS * LABELS)
    for row in range(5):
        weights = Weights(rows.item[row], rows.annotator[row])
        alone = fit(DAWID_SKENE, votes, weights, start, END)
        np.testing.assert_array_equal(together.state.probability[row], alone.state.probability)
        np.testing.assert_array_equal(together.skill[row], alone.skill)
    monkeypatch.setattr("iaa_jax._thresholds.FIT_CELLS", 2 * ITEMS * LABELS)
    parts = list(fit_rows(DAWID_SKENE, listed, [(rows, ())], start, END, computing=HOST))
    assert [len(part.skill) for part in parts] == [2, 2, 1]
    np.testing.assert_array_equal(np.concatenate([part.skill for part in parts]), together.skill)


def test_the_last_long_rows_go_on_in_fewer_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    _, listed = crowd()
    start = shares(crowd()[0])
    blocks = [(rows_of(64), ()), (rows_of(30), ())]
    one_by_one = list(fit_rows(DAWID_SKENE, listed, blocks, start, END, computing=UNASKED))
    monkeypatch.setattr(compiled_fits, "_SHORT", 0)
    jax.clear_caches()
    TRACES.clear()
    together = list(fit_rows(DAWID_SKENE, listed, blocks, start, END, computing=ELSEWHERE))
    assert TRACES["fit_rows"] == 2
    for first, second in zip(one_by_one, together, strict=True):
        np.testing.assert_allclose(first.skill, second.skill, atol=1e-10)
        assert first.iterations.tolist() == second.iterations.tolist()


def test_slots_are_kept_while_rows_wait_for_a_slow_one(monkeypatch: pytest.MonkeyPatch) -> None:
    dense, _ = crowd(2)
    monkeypatch.setattr(compiled_fits, "_SHORT", 0)
    monkeypatch.setattr(compiled_fits, "_AHEAD", 1)
    handed, moved = [], []
    move = compiled_fits._SideBySide.move

    def moving(rows: Any, slots: int) -> None:
        moved.append(len(handed))
        move(rows, slots)

    monkeypatch.setattr(compiled_fits._SideBySide, "move", moving)

    def blocks() -> Any:
        for seed in range(6):
            handed.append(seed)
            yield rows_of(16, seed), ()

    assert (
        len(list(fit_rows(DAWID_SKENE, dense, blocks(), shares(dense), END, computing=ELSEWHERE)))
        == 6
    )
    assert moved == [6]


def test_blocks_of_fewer_rows_compile_nothing_anew() -> None:
    dense, _ = crowd()
    list(fit_rows(DAWID_SKENE, dense, [(rows_of(64), ())], shares(dense), END, computing=UNASKED))
    before = TRACES["fit_rows"]
    list(fit_rows(DAWID_SKENE, dense, [(rows_of(9), ())], shares(dense), END, computing=UNASKED))
    assert TRACES["fit_rows"] == before


def test_long_rows_have_no_more_slots_than_rows() -> None:
    assert slots_for(items=100, rows=5, most=64) == 64
    assert slots_for(items=100_000, rows=5, most=64) == 8


@pytest.mark.parametrize("work", one_of(2, [0, 1 << 40]))
def test_rows_that_end_make_room_and_every_fit_comes_in_its_turn(
    work: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the last rows are finished on NumPy, or compiled with all others."""
    monkeypatch.setattr("iaa_jax._thresholds.FIT_ONE_STEP", work)
    dense, listed = crowd(2)
    start = shares(dense)
    sizes = (3, 64, 20, 1, 70)
    blocks = [(rows_of(size, seed), ()) for seed, size in enumerate(sizes)]
    handed = []

    def rows() -> Any:
        for block in blocks:
            handed.append(len(block[0].item))
            yield block

    votes = SparseVotes.of(listed, ANNOTATORS * LABELS)
    found = [
        each
        for part in fit_rows(DAWID_SKENE, dense, rows(), start, END, computing=UNASKED)
        for each in _each(part)
    ]
    every = [Weights(*parts) for block, _ in blocks for parts in zip(*block, strict=True)]
    assert len(found) == len(every) == sum(handed)
    steps = [int(each.iterations) for each in found]
    assert max(steps) > 4 * np.median(steps)  # or nothing would make room
    for fitted, weights in zip(found, every, strict=True):
        alone = fit(DAWID_SKENE, votes, weights, start, END)
        assert fitted.iterations == alone.iterations
        np.testing.assert_allclose(fitted.state.probability, alone.state.probability, atol=1e-10)
        np.testing.assert_allclose(fitted.skill, alone.skill, atol=1e-10)


def test_rows_are_asked_for_as_slots_become_free() -> None:
    dense, _ = crowd()
    asked = []

    def rows() -> Any:
        for seed in range(40):
            asked.append(seed)
            yield rows_of(64, seed), ()

    fitted = fit_rows(
        DAWID_SKENE, dense, rows(), shares(dense), Tolerance(1e-9, 3), computing=UNASKED
    )
    next(fitted)
    assert len(asked) < 12
    assert 1 + len(list(fitted)) == len(asked) == 40


def _each(fits: Fit) -> list[Fit]:
    return [fits.row(number) for number in range(len(fits.skill))]
