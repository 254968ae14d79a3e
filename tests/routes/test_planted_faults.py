"""Faults that have been made, or could be: the comparison of routes catches each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from iaa_jax.engine import PatternTable, Prepared, Problem
from iaa_jax.engine.devices import PerDevice
from iaa_jax.engine.on_device import bootstrap_on, computing_on
from iaa_jax.engine.parts import KindOfParts
from iaa_jax.engine.table_sums import SparseSums
from iaa_jax.scale import files
from tests.routes.conftest import lower
from tests.routes.routes import ROUTES
from tests.routes.test_routes import FIXED, REPLICATES, ends_at_once, made, plain, same


def check(kind: str, folder: Path, *, route: str = "at once", **options: Any) -> None:
    """Check as the tests of routes do."""
    wanted = plain(kind)
    found = ROUTES[route](made(kind), list(wanted), folder, **options)
    same(found, wanted)


def check_ends(kind: str, folder: Path, interval: str) -> None:
    wanted = ends_at_once(kind, interval)
    options = {"interval": interval, "replicates": REPLICATES}
    same(ROUTES["at once"](made(kind), list(plain(kind)), folder, **options), wanted)


def caught(
    monkeypatch: pytest.MonkeyPatch, plant: Callable[[], None], checked: Callable[[], None]
) -> None:
    """Assert that a check passes, and fails once the fault is planted."""
    checked()
    plant()
    with pytest.raises(AssertionError):
        checked()


@pytest.mark.parametrize(
    ("kind", "low", "interval"),
    [
        ("far_values", "SUMMED_TOGETHER", None),
        ("numbered_labels", "SUMMED_TOGETHER", None),
        ("values_above_zero", "SUMMED_TOGETHER", None),
    ],
)
def test_a_block_with_its_own_centre(
    kind: str, low: str, interval: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lower(monkeypatch, low)

    def centred_block(problem: Problem, data: Any, raters: Any) -> Any:
        statistics = problem.kernel.statistics_among(data, raters)
        return statistics(data, raters, problem.disagreement)

    caught(
        monkeypatch,
        lambda: monkeypatch.setattr(Problem, "statistics_of", centred_block),
        lambda: check(kind, tmp_path, interval=interval, sampling=FIXED),
    )


@pytest.mark.parametrize("kind", ["with_gaps", "parts"])
def test_a_part_without_its_weight(
    kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lower(monkeypatch, "MANY_PATTERNS")
    plain_occurrences = KindOfParts.occurrences

    def once(self: KindOfParts, count: Any) -> Any:
        return plain_occurrences(self, np.minimum(count, 1.0))

    caught(
        monkeypatch,
        lambda: monkeypatch.setattr(KindOfParts, "occurrences", once),
        lambda: check(kind, tmp_path, interval=None),
    )


def test_a_device_with_another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two devices in turn draw what one draws."""
    device = jax.local_devices()[0]
    several = made("two_annotators").resolver().request("cohen_kappa").problem
    table = PatternTable(several.table.count)
    prepared = Prepared([Problem(several.measure, table, several.data)])

    def drawn(devices: int) -> Any:
        options = {"replicates": 128, "seed": 2, "rows_at_once": 64}
        computing = computing_on("gpu", devices=[device] * devices)
        return bootstrap_on(computing, prepared, **options)[0]

    def checked() -> None:
        np.testing.assert_array_equal(drawn(1), drawn(2))

    in_turn = PerDevice.next_copy

    def with_another_key(self: PerDevice[Any]) -> Any:
        held = in_turn(self)
        turns = getattr(self, "turns", 0)
        self.turns = turns + 1
        if len(self) < 2 or turns % 2 == 0 or not isinstance(held[0], tuple):
            return held
        return tuple((jax.random.fold_in(key, 1), *rest) for key, *rest in held)

    caught(
        monkeypatch,
        lambda: monkeypatch.setattr(PerDevice, "next_copy", with_another_key),
        checked,
    )


@pytest.mark.parametrize("kind", ["few_labels", "crowd"])
def test_a_scan_that_loses_the_last_file(
    kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    meant = files._matching

    caught(
        monkeypatch,
        lambda: monkeypatch.setattr(files, "_matching", lambda path: meant(path)[:-1]),
        lambda: check(kind, tmp_path, route="scanned", interval=None),
    )


def test_float32_sums_of_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lower(monkeypatch, "MANY_PATTERNS")
    of = SparseSums.of

    def in_single(self: SparseSums, weights: Any) -> Any:
        return of(self, weights.astype(np.float32)).astype(np.float64)

    caught(
        monkeypatch,
        lambda: monkeypatch.setattr(SparseSums, "of", in_single),
        lambda: check_ends("parts", tmp_path, "bca"),
    )
