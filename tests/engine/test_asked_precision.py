"""Every function with a precision option computes its rows in it, and records it."""

from __future__ import annotations

import inspect
from functools import partial
from operator import attrgetter

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax.engine.route import Route
from tests.analyses.test_rows import EXAMPLES, FUNCTIONS, OF_SEVERAL, labels
from tests.engine.on_device.test_everywhere import BY_THEMSELVES, results_of

BY_OTHER_WAYS = ("influence", "sweep")
"""Functions whose precision is that of derivatives, or of polynomials in p."""

CASES = {
    name: EXAMPLES.get(name, OF_SEVERAL.get(name, lambda f: f(labels())))
    for name in (*FUNCTIONS, *OF_SEVERAL)
    if "dtype" in inspect.signature(attrgetter(name)(iaa)).parameters and name not in BY_OTHER_WAYS
}

USUAL = ("compare",)
"""The others are slow."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in USUAL else pytest.mark.slow) for name in CASES]
)
def test_rows_are_worked_out_in_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []
    begin = Route.__init__

    def watched(self: Route, *arguments: object, **keywords: object) -> None:
        begin(self, *arguments, **keywords)
        taken.append(self.dtype)

    monkeypatch.setattr(Route, "__init__", watched)
    function, call = attrgetter(name)(iaa), BY_THEMSELVES.get(name, CASES[name])
    results = results_of(call(partial(function, dtype="float32")))
    assert "float32" in taken
    whole = results_of(call(function))
    for key, result in results.items():
        assert result.attrs.get("dtype", "float32") == "float32", key
        for column in {"estimate", "ci_low", "ci_high"} & {*result.data_vars}:
            np.testing.assert_allclose(result[column], whole[key][column], atol=1e-4)
