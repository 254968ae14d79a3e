"""Sequential looks: published boundaries, the error over all looks, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses.plan.looks import crossing_chances, drift_for

# Two-sided .05, five equally spaced looks: Lan and DeMets (1983), and the authors' program.
PUBLISHED = {
    "obrien_fleming": (4.877, 3.357, 2.680, 2.290, 2.031),
    "pocock": (2.438, 2.427, 2.410, 2.397, 2.386),
}


@pytest.mark.parametrize("spending", PUBLISHED)
def test_the_published_boundaries(spending: str) -> None:
    found = iaa.plan.looks(5, spending=spending)
    assert found.z.values == pytest.approx(PUBLISHED[spending], abs=5e-4)
    assert found.fraction.values == pytest.approx(np.arange(1, 6) / 5)


@pytest.mark.parametrize(
    ("looks", "error"), [(1, 0.050), (2, 0.083), (3, 0.107), (4, 0.126), (5, 0.142), (10, 0.193)]
)
def test_repeated_tests_at_the_same_level_err_as_published(looks: int, error: float) -> None:
    """Armitage, McPherson and Rowe (1969): looks at 1.96 each."""
    shares = np.arange(1, looks + 1) / looks
    assert 2 * crossing_chances(shares, np.full(looks, 1.959964)).sum() == pytest.approx(
        error, abs=5e-4
    )


@pytest.mark.parametrize("spending", ["obrien_fleming", "pocock", "power"])
@pytest.mark.parametrize("looks", [1, 4, 20, (0.1, 0.5, 0.502, 0.7, 1.0)])
def test_the_error_of_all_looks_is_what_was_asked_for(spending: str, looks: object) -> None:
    power = {"exponent": 3} if spending == "power" else {}
    found = iaa.plan.looks(looks, confidence=0.9, spending=spending, **power)  # type: ignore[arg-type]
    spent = 2 * np.cumsum(crossing_chances(found.fraction.values, found.z.values))
    assert spent == pytest.approx(found.spent.values, rel=1e-6, abs=1e-12)
    assert spent[-1] == pytest.approx(0.1, abs=1e-9)


def test_statistics_4_3_each_look_says_the_level_of_its_interval() -> None:
    found = iaa.plan.looks(5)
    # by the tables of the normal distribution: 1.05 x 2.680 leaves out .00489, 1.05 x 2.031 .03296
    assert found.reach.values[2:] == pytest.approx([2.814, 2.4045, 2.1326], abs=1e-3)
    assert found.confidence.values[2:] == pytest.approx([0.99511, 0.98380, 0.96704], abs=1e-4)
    assert np.isnan(found.replicates[0])
    tails = (1 - found.confidence.values[1:]) / 2
    assert (found.replicates.values[1:] * tails >= 20 - 1e-6).all()


def test_statistics_2_looks_at_a_rare_label_hold_by_the_interval_of_their_level() -> None:
    """A label of 3 % of 120 items, half-way and at the end."""
    looks = iaa.plan.looks(2, spending="pocock")
    rng = np.random.default_rng(3)
    # alpha of so many items is that of all, to .005
    whole = iaa.krippendorff_alpha(rare(rng, 200_000), interval=None).estimate.item()
    missed = {"posterior": 0, "z SE": 0}
    for _ in range(30):
        ratings = rare(rng, 120)
        out = dict.fromkeys(missed, False)
        for look in looks.look.values:
            at = looks.sel(look=look)
            seen = ratings.isel(item=slice(0, round(120 * float(at.fraction))))
            found = iaa.krippendorff_alpha(
                seen, confidence=float(at.confidence), replicates=int(at.replicates)
            )
            out["posterior"] |= not found.ci_low <= whole <= found.ci_high
            far = abs(found.estimate - whole) > at.z * found.standard_error
            out["z SE"] |= bool(far)
        for name, left_out in out.items():
            missed[name] += left_out
    assert missed["posterior"] <= 5  # 1.5 expected
    assert missed["z SE"] >= 6


def rare(rng: np.random.Generator, items: int) -> xr.Dataset:
    truth = rng.random(items) < 0.03
    right = rng.random((items, 3)) < 0.97
    labels = np.where(right, truth[:, None], ~truth[:, None]).astype(int)
    return iaa.from_wide(labels, labels=[0, 1])


def test_one_look_is_the_usual_interval() -> None:
    only = iaa.plan.looks(1).isel(look=0)
    assert float(only.z) == pytest.approx(1.959963985, abs=1e-8)
    assert float(only.confidence) == pytest.approx(0.95, abs=1e-9)


def test_the_error_by_simulation() -> None:
    found = iaa.plan.looks((0.3, 0.6, 0.8, 1.0), spending="pocock")
    share = found.fraction.values
    rng = np.random.default_rng(5)
    steps = rng.normal(size=(200_000, 4)) * np.sqrt(np.diff(share, prepend=0))
    crossed = np.abs(steps.cumsum(axis=1) / np.sqrt(share)) > found.z.values
    error = crossed.any(axis=1).mean()
    assert abs(error - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 200_000)
    first = crossed.argmax(axis=1)[crossed.any(axis=1)]
    exit_at = np.bincount(first, minlength=4) / 200_000
    assert exit_at == pytest.approx(np.diff(found.spent.values, prepend=0), abs=0.002)


def test_the_power_by_simulation() -> None:
    found = iaa.plan.looks(4)
    share, z = found.fraction.values, found.z.values
    drift = drift_for(share, z, 0.8)
    rng = np.random.default_rng(6)
    steps = rng.normal(size=(100_000, 4)) * np.sqrt(np.diff(share, prepend=0))
    paths = (steps.cumsum(axis=1) + drift * share) / np.sqrt(share)
    assert (paths > z).any(axis=1).mean() == pytest.approx(0.8, abs=0.005)
    assert drift > 1.959964 + 0.841621


def test_items_at_each_look() -> None:
    found = iaa.plan.looks(4, items=310)
    assert found["items"].values.tolist() == [78, 155, 233, 310]
    assert (np.diff(found.z.values) < 0).all()
    assert found.p_value.values[-1] == pytest.approx(0.0440, abs=2e-4)


def test_an_earlier_look_costs_little_and_pocock_much() -> None:
    last = [float(iaa.plan.looks(5, spending="power", exponent=k).z[-1]) for k in (1, 2, 3)]
    assert last == sorted(last, reverse=True)
    assert (
        float(iaa.plan.looks(5).z[-1])
        < last[-1]
        < float(iaa.plan.looks(5, spending="pocock").z[-1])
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"looks": 0}, "1 to 50"),
        ({"looks": 51}, "1 to 50"),
        ({"looks": (0.5, 0.4, 1)}, "ascending"),
        ({"looks": (0.5, 0.9)}, "1 as the last"),
        ({"looks": ()}, "ascending"),
        ({"looks": "often"}, "ascending"),
        ({"looks": True}, "ascending"),
        ({"looks": (0.5, 0.5001, 1)}, "apart"),
        ({"looks": 3, "spending": "haybittle"}, "spending must be one of obrien_fleming"),
        ({"looks": 3, "spending": "power", "exponent": 0}, "above 0"),
        ({"looks": 3, "confidence": 1}, "between 0 and 1"),
        ({"looks": 3, "items": 0}, "1 or more"),
    ],
)
def test_what_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(iaa.IaaError, match=message):
        iaa.plan.looks(**options)  # type: ignore[arg-type]
