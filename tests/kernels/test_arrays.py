"""Every public kernel on every array library: the same values, on the device of its input.

PyTorch tests are skipped without PyTorch; ``.ci/run torch`` runs them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import array_api_strict
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from iaa_jax import kernels
from iaa_jax.catalog import CATALOG
from iaa_jax.kernels import intervals, label_agreement
from iaa_jax.kernels.raters import Raters
from tests.kernels.cases import (
    KERNELS,
    MEASURES,
    Floats,
    agreement_matrix,
    codes_to_values,
    hard_mass,
    slots_of,
    soft_mass,
    takes_values,
    weights,
)
from tests.taken import one_of

NAMES = [*KERNELS, *(name for name in MEASURES if "/" in name)]
SHAPE = (13, 3, 4)
PAIR = (17, 2, 3)


class Library(NamedTuple):
    put: Callable[[Any], Any]
    """From NumPy."""
    take: Callable[[Any], Floats]
    """Back to NumPy; refuses what has left the library or its device."""


def jax_arrays() -> Library:
    def take(array: Any) -> Floats:
        assert isinstance(array, jax.Array)
        return np.asarray(array)

    return Library(jnp.asarray, take)


def strict_arrays(name: str) -> Library:
    device = array_api_strict.Device(name)

    def take(array: Any) -> Floats:
        assert array.device == device
        return np.asarray(array.to_device(array_api_strict.Device("CPU_DEVICE")))

    return Library(partial(array_api_strict.asarray, device=device), take)


def tensors() -> Library:
    """On the GPU where there is one."""
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"

    def take(tensor: Any) -> Floats:
        assert isinstance(tensor, torch.Tensor)
        assert tensor.device.type == device
        return tensor.detach().cpu().numpy()

    return Library(partial(torch.asarray, device=device, copy=True), take)


LIBRARIES = {
    "jax": jax_arrays,
    "strict": partial(strict_arrays, "CPU_DEVICE"),
    "strict, second device": partial(strict_arrays, "device1"),
    "torch": tensors,
}


@pytest.fixture(
    params=[
        pytest.param(name, marks=pytest.mark.torch if name == "torch" else ()) for name in LIBRARIES
    ]
)
def library(request: pytest.FixtureRequest) -> Iterator[Library]:
    with jax.enable_x64(True):
        yield LIBRARIES[request.param]()


def call(name: str, data: Any, **given: Any) -> Any:
    kernel = KERNELS.get(name) or MEASURES[name].kernel
    return kernel(data, **given)


def cases(name: str) -> list[tuple[Floats, dict[str, Floats]]]:
    """Data with gaps and shares; weights; an agreement between labels; ratings kept by slot."""
    shape = PAIR if name in ("cohen_kappa", "bangdiwala_b") else SHAPE
    data = soft_mass(0, shape)
    if takes_values(name):
        data = codes_to_values(hard_mass(0, SHAPE), np.array([0.5, 1.0, 2.5, 40.0]))
    weighted = weights(0, shape)
    slots, annotator_of = slots_of(data, seed=3)
    found = [(data, {}), (data, weighted), (slots, {**weighted, "annotator_of": annotator_of})]
    if not takes_values(name):
        matrix = agreement_matrix(0, shape[2], symmetric=True)
        found.append((data, {"label_agreement": matrix}))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", one_of(2, NAMES))
def test_values_are_those_of_numpy(name: str, library: Library) -> None:
    for data, given in cases(name):
        wanted = call(name, data, **given)
        found = call(name, library.put(data), **{k: library.put(v) for k, v in given.items()})
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(library.take(one), other, rtol=1e-12, atol=1e-12)
    data, given = cases(name)[2]
    small = call(
        name, library.put(np.float32(data)), annotator_of=library.put(given["annotator_of"])
    )
    assert library.take(small.estimate).dtype == np.float32


@pytest.mark.parametrize("name", label_agreement.NAMED)
def test_agreements_between_labels(name: str, library: Library) -> None:
    values = np.array([1.0, 2.0, 4.0, 7.0])
    named = label_agreement.NAMED[name]
    found = library.take(named(library.put(values)))
    np.testing.assert_allclose(found, named(values), rtol=1e-12, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sets", "shares"])
def test_label_sets_are_numbered(kind: str, library: Library) -> None:
    """Also part by part: in the first part of shares every mass is 0 or 1."""
    rng = np.random.default_rng(0)
    mass = (rng.random((12, 3, 60)) < 0.2).astype(float)
    mass[2:4], mass[5, 1] = mass[:2], np.nan
    if kind == "shares":
        mass[6:] *= 0.5
    put, kernel = library.put, kernels.am_agreement
    raters = Raters(put(np.ones(3)))
    statistics = kernel.statistics_among(put(mass), raters)
    index, part = (statistics(put(rows), raters, None).counts.index for rows in (mass, mass[:6]))
    np.testing.assert_array_equal(library.take(index)[:6], library.take(part))
    by_set = kernels.Kernel("by_set", statistics, kernel.formula, takes_sets=True)(put(mass))
    np.testing.assert_allclose(library.take(by_set.estimate), kernel(mass).estimate, rtol=1e-12)


STEPS: dict[str, tuple[str, ...]] = {
    "infinitesimal_jackknife": ("gradient", "count"),
    "acceleration": ("gradient", "count"),
    "jackknife": ("replicates", "count"),
    "normal": ("estimate", "error"),
    "basic": ("estimate", "replicates"),
    "bca": ("estimate", "replicates", "skewness"),
    "studentized": ("estimate", "error", "replicates", "errors"),
    "abc_multipliers": ("skewness", "skewness", "skewness", "error"),
    "to_line": ("estimate",),
    "from_line": ("estimate",),
}


@pytest.mark.parametrize("name", one_of(2, STEPS))
def test_steps_to_intervals(name: str, library: Library) -> None:
    rng = np.random.default_rng(0)
    arrays = {
        "replicates": rng.normal(size=(60, 4)),
        "errors": rng.uniform(0.5, 2, (60, 4)),
        "count": rng.integers(1, 5, 60).astype(float),
        "gradient": rng.normal(size=(4, 60)),
        "estimate": rng.uniform(-0.5, 0.5, 4),
        "error": rng.uniform(0.5, 2, 4),
        "skewness": rng.uniform(-0.1, 0.1, 4),
    }
    if name != "jackknife":
        arrays["replicates"][3, 1] = np.nan
    step, given = getattr(intervals, name), [arrays[key] for key in STEPS[name]]
    further = (-1.0, 1.0) if name.endswith("line") else (0.9,) if "count" not in STEPS[name] else ()
    wanted, found = step(*given, *further), step(*map(library.put, given), *further)
    if not isinstance(wanted, tuple):
        wanted, found = (wanted,), (found,)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(library.take(one), other, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("name", ["icc1", "icc1k", "icc2", "icc2k", "icc3", "icc3k"])
def test_f_intervals(name: str, library: Library) -> None:
    interval = CATALOG[name].f_interval
    assert interval is not None
    value, count = cases(name)[0][0], np.arange(13.0)
    found = interval(library.put(value), library.put(count), 0.95)
    np.testing.assert_allclose(found, interval(value, count, 0.95), rtol=1e-11)


FORMS = {
    f"{row.name} {name}": each.error
    for row in CATALOG.values()
    for kind in (row.analytic, row.null_error)
    for name, each in kind.items()
}


@pytest.mark.parametrize("name", one_of(6, FORMS))
def test_standard_errors_by_formula(name: str, library: Library) -> None:
    shape = PAIR if "cohen" in name or "two_rater" in name else SHAPE
    data, count = soft_mass(0, shape), np.arange(1.0, shape[0] + 1)
    for matrix in (None, agreement_matrix(0, shape[2], symmetric=True)):
        wanted = FORMS[name](data, count, matrix)
        found = FORMS[name](
            library.put(data), count, None if matrix is None else library.put(matrix)
        )
        np.testing.assert_allclose(library.take(found), wanted, rtol=1e-11)


@pytest.mark.parametrize(
    "name", one_of(3, ["fleiss_kappa", "mean_pairwise_cohen_kappa", "am_agreement"])
)
def test_numpy_yields_to_other_libraries(name: str, library: Library) -> None:
    for data, given in cases(name):
        wanted = call(name, data, **given)
        for key in given:
            found = call(name, data, **{**given, key: library.put(given[key])})
            np.testing.assert_allclose(library.take(found.estimate), wanted.estimate, rtol=1e-12)


def constant(name: str) -> Floats:
    """Ratings that are all the same: most coefficients are 0/0."""
    data = cases(name)[0][0]
    if takes_values(name):
        return np.where(np.isnan(data), np.nan, 2.5)
    one = np.zeros(data.shape[2])
    one[1] = 1.0
    return np.where(np.isnan(data), np.nan, one)


def slopes_on_jax(name: str, given: dict[str, Floats]) -> dict[str, Floats]:
    def estimate(arrays: dict[str, Any]) -> Any:
        return jnp.sum(call(name, **arrays).estimate)

    with jax.enable_x64(True):
        slopes = jax.jit(jax.grad(estimate))(given)
    return {key: np.asarray(slope) for key, slope in slopes.items()}


@pytest.mark.torch
@pytest.mark.parametrize("undefined", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_slopes_in_torch(name: str, undefined: bool) -> None:
    """Slopes equal those of JAX and finite differences, and are finite wherever JAX's are."""
    put, take = tensors()
    data, given = cases(name)[1]
    given["data"] = constant(name) if undefined else data
    tensor = {key: put(array).requires_grad_() for key, array in given.items()}
    call(name, **tensor).estimate.sum().backward()
    on_jax, rng = slopes_on_jax(name, given), np.random.default_rng(1)
    for key, array in given.items():
        grad = tensor[key].grad
        slope = np.zeros(array.shape) if grad is None else take(grad)
        assert np.all(np.isfinite(slope) | ~np.isfinite(on_jax[key]))
        if undefined:
            continue
        assert np.all(np.isfinite(slope))
        np.testing.assert_allclose(slope, on_jax[key], rtol=1e-9, atol=1e-10)
        if key == "data" and name.endswith("_values"):
            continue  # the figure jumps where two numbers become equal
        direction = rng.normal(size=array.shape)
        up, down = (
            np.sum(call(name, **{**given, key: array + sign * 1e-6 * direction}).estimate)
            for sign in (1, -1)
        )
        np.testing.assert_allclose(
            np.sum(slope * direction), (up - down) / 2e-6, rtol=1e-5, atol=1e-7
        )


@pytest.mark.torch
@pytest.mark.parametrize("name", NAMES)
def test_vmap_in_torch_is_a_loop(name: str) -> None:
    import torch

    put, take = tensors()
    slots, given = cases(name)[2]
    rows = put(np.random.default_rng(8).uniform(0.5, 2, (4, len(slots))))
    rest = {key: put(array) for key, array in given.items() if key != "item_weight"}

    def estimate(row: Any) -> Any:
        return call(name, put(slots), item_weight=row, **rest).estimate

    batched, looped = torch.func.vmap(estimate)(rows), [take(estimate(row)) for row in rows]
    np.testing.assert_allclose(take(batched), np.stack(looped), rtol=1e-12, atol=1e-12)
