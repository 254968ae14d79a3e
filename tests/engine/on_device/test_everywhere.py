"""Every function with a device option draws and computes only there, and records it."""

from __future__ import annotations

import inspect
from functools import partial
from operator import attrgetter
from typing import Any

import jax
import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.engine.computing import Computing
from iaa_jax.engine.on_device import DeviceDraws
from iaa_jax.engine.route import Route
from tests.analyses.marked import marked
from tests.analyses.test_rows import EXAMPLES, FUNCTIONS, OF_SEVERAL, labels, spans
from tests.engine.on_device.test_replicates import with_cpu_as_gpu

BY_THEMSELVES = {
    "agreement": lambda f: f(labels(), ["fleiss_kappa"]),
    "in_words": lambda f: f(labels(), coefficients=["fleiss_kappa"], replicates=60),
    "gamma": lambda f: f(marked(12, 1), interval="percentile", replicates=60),
    "span_f1": lambda f: f(spans(), interval="percentile", replicates=60),
}
"""How to call functions whose usual intervals are worked out without a draw."""

OF_THE_HOST = {
    "panels.what_if": "panels of annotators are drawn, not items",
    "zero_agreement": "ratings are shuffled",
}
"""What has no rows of weights."""

CASES = {
    name: EXAMPLES.get(name, OF_SEVERAL.get(name, lambda f: f(labels())))
    for name in (*FUNCTIONS, *OF_SEVERAL)
    if "device" in inspect.signature(attrgetter(name)(iaa)).parameters
}

USUAL = ("compare",)
"""The others are slow."""


def results_of(result: Any) -> dict[str, xr.Dataset]:
    return result if isinstance(result, dict) else {"": result}


def watched_computing(monkeypatch: pytest.MonkeyPatch) -> list[Computing]:
    """What draws, and what compiled code and rows of weights are worked out on, call by call."""
    used: list[Computing] = []
    scope, begin = Computing.scope, Route.__init__

    def entered(self: Computing, dtype: Any) -> Any:
        used.append(self)
        return scope(self, dtype)

    def begun(self: Route, *arguments: Any, **keywords: Any) -> None:
        begin(self, *arguments, **keywords)
        used.append(self._computing)

    monkeypatch.setattr(Computing, "scope", entered)
    monkeypatch.setattr(Route, "__init__", begun)
    for name in ("devices", "on_processor"):
        read = getattr(Computing, name).fget

        def noted(self: Computing, read: Any = read) -> Any:
            used.append(self)
            return read(self)

        monkeypatch.setattr(Computing, name, property(noted))
    return used


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in USUAL else pytest.mark.slow) for name in CASES]
)
def test_a_function_draws_on_the_device(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with_cpu_as_gpu(monkeypatch)
    used = watched_computing(monkeypatch)
    drawn: list[int] = []
    weights = DeviceDraws.weights

    def watched(self: DeviceDraws, numbers: np.ndarray) -> tuple[jax.Array, ...]:
        drawn.append(len(numbers))
        return weights(self, numbers)

    monkeypatch.setattr(DeviceDraws, "weights", watched)
    function, call = attrgetter(name)(iaa), BY_THEMSELVES.get(name, CASES[name])
    here = results_of(call(function))
    assert not drawn
    used.clear()
    there = results_of(call(partial(function, device="gpu")))
    assert bool(drawn) != (name in OF_THE_HOST)
    assert {each.device for each in used} == {"gpu"}
    for key, result in there.items():
        assert result.attrs["device"] == "gpu", key
        assert "device" not in here[key].attrs
        assert {*result.data_vars} == {*here[key].data_vars}
        if "interval" in result:
            assert result.interval.values.tolist() == here[key].interval.values.tolist()
        if "estimate" in result:
            np.testing.assert_allclose(result.estimate, here[key].estimate)
