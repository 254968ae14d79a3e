"""Blocks go to all devices of the host in turn, and no digit depends on how many there are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from iaa_jax.engine.devices import PerDevice, in_flight, local_devices

SCRIPT = """
import hashlib, json
import jax
import iaa_jax as iaa
from iaa_jax import _thresholds as thresholds
from iaa_jax.engine import Prepared, bootstrap, compiled, compiled_curves
from iaa_jax.engine.drawing import Resampling

from tests.engine.real import made
from tests.engine.test_studentized import doubles, every_problem

thresholds.NUMPY_CELLS = -1
used = set()

def watched(function):
    def call(*arguments, **options):
        results = function(*arguments, **options)
        for leaf in jax.tree.leaves(results):
            used.update(device.id for device in leaf.devices())
        return results
    return call

for module, name in (
    (compiled, "factored_rows"),
    (compiled_curves, "curve_rows"),
):
    setattr(module, name, watched(getattr(module, name)))
digits = {}
several = {name: problem for name, problem in every_problem(made(30, 4))}
names = ["krippendorff_alpha", "conger_kappa", "mean_pairwise_cohen_kappa"]
for way, resampling in (("items", Resampling()), ("both", Resampling(annotators=True))):
    chosen = [several[name] for name in (names if way == "items" else names[1:])]
    rows = bootstrap(Prepared(chosen), replicates=600, seed=3, resampling=resampling)
    digits[way] = [hashlib.sha256(row.tobytes()).hexdigest() for row in rows]
curve = iaa.sweep(doubles(), "augmented_kappa", p=[0.5, 0.7, 1.0], replicates=700)
digits["sweep"] = hashlib.sha256(curve.ci_low.values.tobytes()).hexdigest()
print(json.dumps({"digits": digits, "used": sorted(used)}))
"""


def run(devices: int) -> dict[str, object]:
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count={devices}"
    environment = {**os.environ, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"}
    command = [sys.executable, "-c", SCRIPT]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return answer


@pytest.mark.slow
def test_eight_devices_give_the_digits_of_one() -> None:
    one, eight = run(1), run(8)
    assert one["used"] == [0]
    assert eight["used"] == list(range(8))
    assert eight["digits"] == one["digits"]


def test_constants_are_put_on_each_device_once() -> None:
    held = PerDevice((1.0, 2.0), local_devices())
    assert len(held) == len(local_devices())
    first = [held.next_copy() for _ in range(len(held))]
    assert all(held.next_copy() is each for each in first)


def test_the_device_that_was_chosen_is_the_only_one() -> None:
    import jax

    (*_, last) = jax.local_devices()
    with jax.default_device(last):
        assert local_devices() == [last]


def test_results_are_handed_over_when_the_next_have_begun() -> None:
    events: list[str] = []

    def begun() -> Iterator[int]:
        for number in range(4):
            events.append(f"begun {number}")
            yield number

    for number in in_flight(begun(), 2):
        events.append(f"done {number}")
    assert events[:4] == ["begun 0", "begun 1", "begun 2", "done 0"]
    assert [each for each in events if "done" in each] == [f"done {k}" for k in range(4)]
    assert list(in_flight(iter([]), 3)) == []
