"""What every test gets: fixed seeds, quick compilation, and the folder of larger data."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests import compilation
from tests.program import folder, iaa, program, ran

__all__ = ["folder", "iaa", "program", "ran"]

DATA_VARIABLE = "IAA_JAX_DATA"

collect_ignore = ["toy"]  # parts of another package, which tests/test_toys.py puts together

# Most of the time goes into compiling programs that run once, on data that are small: compile
# quickly, not well. `XLA_FLAGS= pytest ...` compiles as users do, and so do legs of .ci/run.
# XLA reads the variable when JAX compiles for the first time.
os.environ.setdefault("XLA_FLAGS", compilation.quickly())
# tests run side by side: threads that share a product of NumPy would wait for each other
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile(
    "fixed",
    max_examples=int(os.environ.get("IAA_JAX_EXAMPLES", "20")),
    derandomize=True,
    deadline=None,
    database=None,
)
settings.load_profile("fixed")


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small data take compiled code too, as large ones do."""
    monkeypatch.setattr("iaa_jax._thresholds.NUMPY_CELLS", -1)


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of larger data sets; without it, the tests that need it are skipped."""
    setting = os.environ.get(DATA_VARIABLE)
    if not setting:
        pytest.skip(f"{DATA_VARIABLE} does not point to a folder of larger data")
    folder = Path(setting)
    if not folder.is_dir():
        pytest.fail(f"{DATA_VARIABLE} is {setting!r}, which is not a folder")
    return folder


@pytest.fixture(scope="module", autouse=True)
def few_memory_maps() -> Iterator[None]:
    """Each CPU executable holds memory maps, and a process has only so many of them."""
    yield
    jax = sys.modules.get("jax")
    if jax is not None and _has_many_memory_maps():
        jax.clear_caches()
        gc.collect()


def _has_many_memory_maps() -> bool:
    """Whether half of those that Linux allows are taken; yes where the system does not say."""
    try:
        taken = Path("/proc/self/maps").read_bytes().count(b"\n")
        allowed = int(Path("/proc/sys/vm/max_map_count").read_text())
    except OSError:
        return True
    return taken > allowed // 2


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("gpu") is not None:
        import jax

        if jax.default_backend() != "gpu":
            pytest.skip("no GPU")
    if item.get_closest_marker("torch") is not None:
        pytest.importorskip("torch")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    report = yield
    if all(item.get_closest_marker(name) is None for name in ("gpu", "torch")):
        _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector):
    report = yield
    _refuse_skip(report)
    return report


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Where the larger data are there, everything is: a skip would hide a test."""
    if os.environ.get(DATA_VARIABLE) and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped although {DATA_VARIABLE} is set: {report.longrepr}"


def pytest_collection_finish() -> None:
    """What is there before the first test stays: collecting garbage among it takes time alone."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
