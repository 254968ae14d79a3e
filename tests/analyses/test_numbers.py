"""Figures of numbers hang on no unit and no origin, and lose no digits far from 0.

Numbers that float64 holds exactly where they are moved, or multiplied by a power of two, give the
same figures, and squared distances in the new unit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from operator import attrgetter
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.data.slots import in_slots
from iaa_jax.wording import load_notes
from tests.analyses.test_rows import FUNCTIONS, OF_OTHERS, OF_SEVERAL

Made = xr.Dataset | Mapping[str, xr.Dataset]
Study = Callable[..., Made]

ALPHA = "krippendorff_alpha"
QUICK: dict[str, Any] = {"replicates": 40}
SEVERAL = [ALPHA, "icc1", "icc1k", "lin_ccc"]
INTERVALS = ("percentile", "basic", "bca", "studentized", "abc", "normal", "t", "kurtosis_t")


def _agreement(f: Callable[..., xr.Dataset], r: xr.Dataset, level: str) -> Made:
    random: dict[str, dict[str, Any]] = {
        "annotators": {"sampling": iaa.Sampling(annotators="random")},
        "clusters": {"sampling": iaa.Sampling(cluster="document")},
        "posterior": {"sampling": iaa.Sampling(bayesian=True)},
    }
    options = {kind: {"interval": kind} for kind in INTERVALS} | random
    made = {k: f(r, SEVERAL, level=level, **QUICK, **options[k]) for k in options}
    of_all = r.isel(item=~np.isnan(_table(r)).any(axis=1)) if "annotator" in r.dims else None
    if of_all is None or "slot" in r.dims:
        return made
    two_way = ["icc2", "icc2k", "icc3", "icc3k"]
    return made | {
        "complete": f(of_all, two_way, **QUICK),
        "single": f(of_all, two_way, dtype="float32", **QUICK, **random["annotators"]),
    }


def _first(r: xr.Dataset, annotators: int) -> xr.Dataset:
    return iaa.data.keep_annotators(r, r.annotator.values[:annotators].tolist())


STUDIES: dict[str, Study] = {
    "agreement": _agreement,
    "agreement_by": lambda f, r, n: f(r, "batch", SEVERAL, level=n, **QUICK),
    "agree": lambda f, r, n: f(r, by="batch", above=[0.5], level=n, **QUICK),
    "in_words": lambda f, r, n: f(iaa.agreement(r, [ALPHA], level=n, **QUICK)),
    "bootstrap": lambda f, r, n: f(r, SEVERAL, level=n, **QUICK),
    "bootstrap.intervals": lambda f, r, n: f(iaa.bootstrap(r, SEVERAL, level=n, **QUICK)),
    "bootstrap.probability_above": lambda f, r, n: f(
        iaa.bootstrap(r, SEVERAL, level=n, **QUICK), [0.9]
    ),
    "covariance": lambda f, r, n: f(r, SEVERAL, level=n),
    "zero_agreement": lambda f, r, n: f(r, [ALPHA, "icc1"], level=n, permutations=39),
    "items": lambda f, r, n: f(r, level=n),
    "findings": lambda f, r, n: f(r, level=n),
    "annotators": lambda f, r, n: f(r, level=n),
    "influence": lambda f, r, n: f(r, level=n),
    "compare": lambda f, r, n: {
        "people": f(r, _first(r, 2), [ALPHA, "icc1"], permutations=39, level=n, **QUICK),
        "items": f(
            *(r.isel(item=slice(k, k + 12)) for k in (0, 12)),
            [ALPHA, "icc1"], permutations=39, level=n, **QUICK,
        ),
    },
    "plan": lambda f, r, n: {
        "alpha": f(r, half_width=0.1, simulations=64, level=n, **QUICK),
        "people": f(
            r, half_width=0.3, simulations=0, level=n, sampling=iaa.Sampling(annotators="random"),
            **QUICK,
        ),
        "icc": f(r, "icc1", half_width=0.1, simulations=0, **QUICK),
    },
    "variance": lambda f, r, n: f(r, level=n),
    "drift": lambda f, r, n: {
        by: f(r, by=by, permutations=39, level=n, **QUICK) for by in ("batch", "time")
    },
    "watch": lambda f, r, n: {
        "by influence": f(r.drop_vars("item_weight"), order="batch", bar=0.5, level=n).drop_vars(
            "digest"  # of the numbers as they stand
        ),
    },
    "panels": lambda f, r, n: f(r, level=n, **QUICK),
    "panels.what_if": lambda f, r, n: f(r, level=n),
    "missing": lambda f, r, n: f(r, points=2, imputations=3, level=n),
    "missing.inverse_probability": lambda f, r, n: f(r, by="batch"),
    "judge": lambda f, r, n: f(r, r.annotator.values[:1].tolist(), min_items=5, **QUICK),
    "judged_scores": lambda f, r, n: f(r, r.annotator.values[:1].tolist()),
}  # fmt: skip
"""How studies are called on numbers, at a level."""

ELSEWHERE = {"coefficients": "a list", "plan.looks": "shares of a plan"}
"""Functions that take no ratings at all."""

REFUSE = {
    "annotators.repeats": lambda f, r: f(r),
    "contingency": lambda f, r: f(r),
    "doubles.item_classes": lambda f, r: f(r),
    "doubles.item_curves": lambda f, r: f(r),
    "doubles.labels": lambda f, r: f(r),
    "doubles.patterns": lambda f, r: f(r),
    "gamma": lambda f, r: f(r),
    "gold": lambda f, r: f(r),
    "gold.methods": lambda f, r: f(r, ["majority"]),
    "gold.spans": lambda f, r: f(r),
    "judge.against_gold": lambda f, r: f(r, {r.item.values[0]: 2.0}),
    "judge.jury": lambda f, r: f(r, r.annotator.values[:2].tolist()),
    "label_sets": lambda f, r: f(r),
    "labels": lambda f, r: f(r),
    "labels.merges": lambda f, r: f(r),
    "per_label": lambda f, r: f(r),
    "prodigy": lambda f, r: f(r),
    "sharpen": lambda f, r: f(r),
    "sharpen.settings": lambda f, r: f(r),
    "span_f1": lambda f, r: f(r),
    "span_f1.passages": lambda f, r: f(r),
    "sweep": lambda f, r: f(r),
}
"""Those that are not of numbers, and say so."""

UNITS: dict[str, dict[str, int]] = {
    "items": {"mean": 1, "disagreement": 2, "bin_low": 2, "bin_high": 2},
    "annotators": {"bias": 1, "disagreement": 2, "pair_disagreement": 2,
                   "farthest_disagreement": 2, "case_given_a": 1, "case_given_b": 1},
    "findings": {"agreement": 2, "among_others": 2, "shift": 1},
    "judged_scores": {
        f"{name}{ending}": 1
        for name in ("people_alone", "corrected", "judge_alone", "off")
        for ending in ("", "_standard_error", "_ci_low", "_ci_high")
    },
    "variance": dict.fromkeys(
        ("variance", "standard_error", "error_from_items", "error_from_annotators",
         "relative_error", "absolute_error", "mean_error"), 2
    ),
}  # fmt: skip
"""The power of the unit of numbers that figures have; others have none."""


MOVES = re.compile(r"mean|case_given_[ab]|(people_alone|corrected|judge_alone)(_ci_low|_ci_high)?")
"""Figures that move with the origin."""

WITHOUT_SLOTS = ("missing", "panels.what_if")
"""What refuses a crowd."""

AT_RATIOS = ("agreement_by", "bootstrap", "compare", "covariance", "influence", "items", "variance")
"""Those at whose figures ratios are looked, too: others have theirs the same way."""


def _table(r: xr.Dataset) -> np.ndarray[Any, Any]:
    return np.asarray(r["value"].values)


def numbers(shift: float = 0.0, power: int = 0, *, slots: bool = False) -> xr.Dataset:
    """Steps of 2^-12, with gaps, weights and clusters."""
    rng = np.random.default_rng(3)
    value = 8 + rng.integers(0, 9, (24, 1)) + rng.integers(-(2**12), 2**12, (24, 4)) / 2**12
    value[rng.random(value.shape) < 0.2] = np.nan
    value[:4] = 1 + np.arange(16).reshape(4, 4) % 7
    ratings = iaa.from_values(np.ldexp(value + shift, power)).assign_coords(
        batch=("item", np.repeat(["b1", "b2"], 12)),
        document=("item", np.arange(24) // 3),
        time=("item", np.arange(24.0)),
        item_weight=("item", np.tile([1.0, 2.0, 1.0], 8)),
    )
    return in_slots(ratings) if slots else ratings


def results_of(made: Made) -> Iterator[tuple[str, xr.Dataset]]:
    if isinstance(made, xr.Dataset):
        yield "", made
        return
    yield from made.items()


def has_unit(result: xr.Dataset, level: str) -> np.ndarray[Any, Any] | bool:
    """Whether observed and expected disagreement of each coefficient are squared distances."""
    if level == "interval":
        return True
    names = result.get("coefficient", result.attrs.get("coefficient", ""))
    return np.asarray(names) != ALPHA


def differing(one: Made, other: Made, shift: float, power: int, level: str) -> Iterator[str]:
    """The figures of a study that are not those that the unit and the origin make of others."""
    for (name, known), (_, found) in zip(results_of(one), results_of(other), strict=True):
        units = UNITS.get(known.attrs["made_by"], {})
        if level == "ratio" and known.attrs["made_by"] == "variance":
            units = {}
        figures = {**known.data_vars, **known.attrs}
        others = {**found.data_vars, **found.attrs}
        if figures.keys() != others.keys():
            yield f"{name}: {figures.keys() ^ others.keys()}"
            continue
        for key, figure in figures.items():
            value, same = np.asarray(figure), np.asarray(others[key])
            if key == "notes":
                value, same = (
                    np.array([n.code for n in load_notes(str(x))]) for x in (value, same)
                )
            elif value.dtype.kind == "f":
                value = np.ldexp(value, power * units.get(str(key), 0))
                if MOVES.fullmatch(str(key)) and units:
                    value = value + np.ldexp(shift, power)
                if key in ("observed", "expected"):
                    unit = np.where(has_unit(known, level), 2 * power, 0)
                    value = 1 - np.ldexp(1 - value, unit)
                least = 0.0 if key in units else 1e-11
                if not np.allclose(same, value, rtol=1e-9, atol=least, equal_nan=True):
                    yield f"{name}.{key}: {value.ravel()[:3]} {same.ravel()[:3]}"
                continue
            if key == "constant":  # a rating of six digits, as text
                value = np.ldexp(float(str(value)) + shift, power)
                if not np.isclose(float(str(same)), value, rtol=1e-5):
                    yield f"{name}.{key}: {value} {same}"
                continue
            if value.shape != same.shape or not (value == same).all():
                yield f"{name}.{key}: {value.ravel()[:3]} {same.ravel()[:3]}"


def test_every_study_is_held_to_it_or_is_not_of_numbers() -> None:
    known = {*FUNCTIONS, *OF_SEVERAL}
    assert known == {*STUDIES, *REFUSE, *ELSEWHERE}
    assert not known & {*OF_OTHERS}
    ratings = numbers()
    for name, call in REFUSE.items():
        with pytest.raises(iaa.IaaError):
            call(attrgetter(name)(iaa), ratings)


@pytest.mark.parametrize(
    ("level", "slots"),
    [
        pytest.param("interval", False, marks=pytest.mark.slow),
        ("interval", True),
        ("ratio", False),
    ],
)
def test_neither_unit_nor_origin_changes_a_figure(level: str, slots: bool) -> None:
    changes = [(2.0**40, 0)] if level == "interval" else []
    changes += [(0.0, -30), (0.0, 300)] if not slots else []
    wrong = {}
    names = [name for name in STUDIES if not (slots and name in WITHOUT_SLOTS)]
    if level == "ratio":
        names = [*AT_RATIOS]
    for name in names:
        function = attrgetter(name)(iaa)
        study = STUDIES[name]
        one = study(function, numbers(slots=slots), level)
        for shift, power in changes:
            other = study(function, numbers(shift, power, slots=slots), level)
            if found := list(differing(one, other, shift, power, level)):
                wrong[name, shift, power] = found
    assert not wrong


OF_NUMBERS = [ALPHA, "icc1", "icc1k", "icc2", "icc2k", "icc3", "icc3k", "lin_ccc"]
"""All that count numbers from a middle."""

OWN = ("estimate", "standard_error", "ci_low", "ci_high", "code")
"""How the names of figures begin that know no item of another set."""


def exact_alpha(table: np.ndarray[Any, Any], level: str) -> float:
    """Krippendorff's alpha of numbers without gaps, pair by pair in exact arithmetic."""

    def distance(a: Fraction, b: Fraction) -> Fraction:
        return ((a - b) / (1 if level == "interval" else a + b)) ** 2

    items = [[Fraction(float(x)) for x in row] for row in table]
    of_all = [x for row in items for x in row]
    within = sum(distance(a, b) for row in items for a in row for b in row) / (len(items[0]) - 1)
    pairs = sum(distance(a, b) for a in of_all for b in of_all) / (len(of_all) - 1)
    return float(1 - within / pairs)


@pytest.mark.parametrize("level", ["interval", pytest.param("ratio", marks=pytest.mark.slow)])
def test_sets_far_from_each_other_keep_their_digits(level: str) -> None:
    rng = np.random.default_rng(5)
    steps = rng.normal(0, 2**12, (48, 1)) + rng.normal(0, 2**11, (48, 3))
    of_set = np.repeat([0, 1], 24)
    names = OF_NUMBERS if level == "interval" else [ALPHA]

    def made(power: int) -> Iterator[tuple[str, xr.Dataset]]:
        """The second half moved, or in another unit, by a power of two: others stay as exact."""
        table = 8 + np.rint(steps) / 2 ** (12 if level == "interval" else 30)
        if level == "interval" and power:
            table[24:] += 2.0**power
        elif level == "ratio":
            table[24:] = np.ldexp(table[24:], power)
        ratings = iaa.from_values(table).assign_coords(
            batch=("item", of_set), time=("item", np.arange(48.0))
        )
        halves = [
            ratings.isel(item=of_set == k)
            .drop_vars(["batch", "time"])
            .assign_coords(item=np.arange(24))
            for k in (0, 1)
        ]
        at_level = {} if level == "interval" else {"level": level}
        options: dict[str, Any] = {**at_level, "permutations": 39, **QUICK}
        for paired in (False, True):
            for interval in ("auto", "bca"):
                name = f"compare, {paired=}, {interval}"
                yield (
                    name,
                    iaa.compare(*halves, names, paired=paired, interval=interval, **options),
                )
        for name in (ALPHA, "icc2", "lin_ccc")[: len(names)]:
            for by in ("batch", "time"):
                yield f"drift by {by}, {name}", iaa.drift(ratings, by, name, **options)
        teams = iaa.from_values(np.hstack([table[:24], table[24:]])).assign_coords(
            team=("annotator", np.repeat(["x", "y"], 3))
        )
        yield "by team", iaa.agreement_by(teams, "team", names, **at_level, **QUICK)
        yield "by batch", iaa.agreement_by(ratings, "batch", names, **at_level, **QUICK)
        if power in (0, 24):
            known = [exact_alpha(table[of_set == k], level) for k in (0, 1)]
            compared = iaa.compare(*halves, ALPHA, **options)
            found = compared[["estimate_a", "estimate_b"]].to_array().values[:, 0]
            np.testing.assert_allclose(found, known, rtol=1e-12)

    together, mixed = dict(made(0)), dict(made(14))
    wrong = []
    for power in (14, 24, 38):
        for name, far in mixed.items() if power == 14 else made(power):
            own = [key for key in far.data_vars if str(key).startswith(OWN)]
            for key in own if "time" not in name else []:
                near = together[name][key]
                if not np.allclose(far[key], near, rtol=1e-9, atol=1e-9, equal_nan=True):
                    wrong.append((name, power, key, far[key].values, near.values))
            # figures of sets that are mixed are all but 1, and differ beyond that as they do nearer
            for key in [key for key in far.data_vars if str(key).endswith("p_value")]:
                near = mixed[name][key]
                if not np.allclose(far[key], near, atol=0.02, equal_nan=True):
                    wrong.append((name, power, key, far[key].values, near.values))
            if far.attrs.get("conclusion") != mixed[name].attrs.get("conclusion"):
                wrong.append((name, power, far.attrs["conclusion"]))
    assert not wrong


def test_times_have_neither_unit_nor_origin() -> None:
    rng = np.random.default_rng(2)
    level, time = rng.integers(0, 9, (240, 1)), np.sort(rng.integers(0, 2**20, 240)).astype(float)
    ratings = iaa.from_values(level + rng.normal(0, 1 + time[:, None] / 2**20, (240, 3)))

    def at(shift: float, power: int) -> xr.Dataset:
        timed = ratings.assign_coords(time=("item", np.ldexp(time, power) - shift))
        return iaa.drift(timed, "time", level="interval", permutations=39, **QUICK)

    one = at(0.0, 0)
    assert float(one.slope_standard_error) < 1e-6  # in such a unit next to nothing
    # numbers from 1e9 up are read as dates: so none of these is
    for shift, power in ((2.0**40, 0), (2.0**50, 20), (0.0, 30), (0.0, -30)):
        other = at(shift, power)
        for name in ("slope", "slope_standard_error", "slope_ci_low"):
            wanted = np.ldexp(float(one[name]), -power)
            assert float(other[name]) == pytest.approx(wanted, rel=1e-8), (name, shift, power)
        for name in (
            "slope_p_value", "change_p_value", "p_value", "change_z", "change_difference",
            "period_change", "finding_z", "left_over_p_value", "estimate",
        ):  # fmt: skip
            np.testing.assert_allclose(other[name], one[name], rtol=1e-6, err_msg=name)
