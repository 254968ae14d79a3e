"""The public coefficients: their options, refusals, and what a result says of itself."""

from __future__ import annotations

import inspect
import json
from functools import partial

import jax.numpy as jnp
import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax._errors import FEW_ITEMS_COUNT, IaaError
from iaa_jax.catalog import DISTANCES, LEVELS, NAMES, WEIGHTS, resolve_name

TEXT = iaa.from_wide([["a", "b", "b"], ["b", "b", None], ["a", "a", "c"], ["c", "c", "c"]])
NUMBERS = iaa.from_wide([[1, 2, 2], [2, 2, None], [1, 1, 3], [3, 3, 3], [1, 2, 1]])
TWO = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
COUNTS = iaa.from_counts([[3, 0], [1, 2], [0, 3], [2, 1]], labels=["a", "b"])
SETS = iaa.from_sets([[["a"], ["a", "b"]], [["b"], ["b"]], [[], ["b"]], [["a"], []]])
VALUES = iaa.from_values([[1.5, 2.0], [3.25, 3.0], [0.0, 0.5]])


def names(ratings: xr.Dataset, **options: object) -> set[str]:
    return set(iaa.agreement(ratings, interval=None, **options).coefficient.values)


def test_all_that_apply() -> None:
    """Of coefficients that are equal on the ratings, one."""
    always = {"percent_agreement", "conger_kappa", "brennan_prediger", "krippendorff_alpha"}
    more = {"mean_pairwise_cohen_kappa", "fleiss_kappa", "davies_fleiss_kappa"}
    assert names(TEXT) == always | more | {"gwet_ac1"}
    assert names(TWO) == always | {"cohen_kappa", "scott_pi", "gwet_ac1"}
    assert names(NUMBERS, weights="linear") == always | more | {"gwet_ac2"}
    counted = {"percent_agreement", "brennan_prediger", "krippendorff_alpha", "fleiss_kappa"}
    assert names(COUNTS) == counted | {"gwet_ac1"}
    correlations = {"icc1", "icc1k", "icc2", "icc2k", "icc3", "icc3k"}
    assert names(VALUES) == {"krippendorff_alpha"} | correlations
    assert "cohen_kappa" in names(SETS, distance="masi")


def test_every_name_is_a_public_function_with_the_same_keywords() -> None:
    shared = inspect.signature(iaa.fleiss_kappa).parameters
    for name in NAMES:
        row = resolve_name(name)
        if row.within:  # another function gives it
            continue
        function = getattr(iaa, name)
        assert function.__name__ == name
        for part in ("Parameters", "Returns", "Raises", "References", row.link, "Examples"):
            assert part in function.__doc__, (name, part)
        own = inspect.signature(function).parameters
        if name in ("span_f1", "gamma"):  # each has an analysis of its own
            assert "interval" in own
            continue
        by_label = {"per_label"} if row.by_label else set()
        assert set(own) - {*row.variants, *row.options, *row.numbers} - by_label == set(shared)
        assert all(own[key].default == shared[key].default for key in shared)
    with pytest.raises(TypeError, match="unexpected keyword"):
        iaa.fleiss_kappa(TEXT, intervall=None)


def test_a_result_says_how_it_was_made() -> None:
    found = iaa.agreement(NUMBERS, weights="linear", level="ordinal", replicates=100, seed=5)
    used = dict(zip(found.coefficient.values, found.weights.values, strict=True))
    assert used["krippendorff_alpha"] == "level ordinal"
    assert used["fleiss_kappa"] == used["gwet_ac2"] == "linear"
    for key in ("seed", "replicates", "confidence", "jax_version", "numpy_version", "backend"):
        assert key in found.attrs
    assert found.attrs["items"] == 5
    assert found.attrs["ratings"] == 14
    assert set(found.interval.values) == {"empirical_bayes"}
    json.dumps(found.attrs)
    by_level = iaa.agreement(NUMBERS, level="interval", interval=None)
    used = dict(zip(by_level.coefficient.values, by_level.weights.values, strict=True))
    assert used.pop("krippendorff_alpha") == "level interval"
    assert set(used.values()) == {"quadratic"}
    same = iaa.fleiss_kappa(NUMBERS, weights="quadratic", interval=None)
    assert float(by_level.estimate.sel(coefficient="fleiss_kappa")) == float(same.estimate)
    assert iaa.fleiss_kappa(TEXT, interval=None).weights == "identity"
    declared = iaa.from_wide([["lo", "hi"], ["hi", "hi"], ["lo", "lo"]], labels=["lo", "hi"])
    assert iaa.fleiss_kappa(declared, weights="linear", interval=None).weights == "linear on ranks"


def test_intervals() -> None:
    ratings = iaa.from_wide(np.random.default_rng(0).integers(0, 2, (60, 3)))
    ends = {}
    for kind in ("auto", "empirical_bayes", "bca", "percentile", "basic", "normal", None):
        found = iaa.fleiss_kappa(ratings, interval=kind, replicates=500)
        ends[kind] = (float(found.ci_low), float(found.ci_high), float(found.standard_error))
    assert ends["auto"] == ends["empirical_bayes"]
    assert np.all(np.isnan(ends[None]))
    assert len({round(end[0], 9) for kind, end in ends.items() if kind}) == 5
    for kind in ("empirical_bayes", "bca", "percentile", "basic", "normal"):
        low, high, error = ends[kind]
        assert 2.5 * error < high - low < 5.5 * error
    narrow = iaa.fleiss_kappa(ratings, confidence=0.5)
    assert float(narrow.ci_low) > ends["bca"][0]


def test_undefined() -> None:
    same = iaa.from_wide([["a", "a"], ["a", "a"], ["a", None]], labels=["a", "b"])
    found = iaa.agreement(same, interval="bca")
    kappa = found.sel(coefficient="cohen_kappa")
    assert np.isnan(kappa.estimate)
    assert kappa.code == 2
    assert "expected disagreement is 0" in str(kappa.reason.values)
    assert kappa.undefined_replicates == 2000
    assert np.isnan(kappa.ci_low)
    assert float(found.sel(coefficient="gwet_ac1").estimate) == 1
    assert float(iaa.cohen_kappa(same, undefined="one", interval=None).estimate) == 1
    zero = iaa.cohen_kappa(same, undefined="zero", interval=None)
    assert float(zero.estimate) == 0
    assert int(zero.code) == 2
    with pytest.raises(IaaError, match="cohen_kappa is undefined: expected disagreement is 0"):
        iaa.cohen_kappa(same, undefined="raise")
    labels = iaa.specific_agreement(same, interval=None)
    assert labels.code.values.tolist() == [0, 5]


def test_undefined_replicates_are_counted_and_left_out() -> None:
    rare = iaa.from_wide([["a", "a"]] * 12 + [["a", "b"]])
    found = iaa.cohen_kappa(rare, interval="bca", replicates=1000)
    expected = 1000 * (12 / 13) ** 13
    assert abs(int(found.undefined_replicates) - expected) < 5 * np.sqrt(expected)
    assert np.isfinite(found.ci_low)


def test_one_rated_item_has_no_interval() -> None:
    found = iaa.agreement(iaa.from_wide([["a", "b", "b"]]))
    assert np.all(np.isfinite(found.estimate[found.code == 0]))
    assert np.all(np.isnan(found.standard_error))
    assert np.all(np.isnan(found.ci_low))


def test_pairs_of_a_mean_are_counted() -> None:
    ratings = iaa.from_wide(
        [["a", "a", "b"], ["a", "a", "a"], ["a", "a", None], ["a", "a", "b"], ["a", None, "a"]]
    )
    found = iaa.mean_pairwise_cohen_kappa(ratings, interval=None)
    assert (int(found.pairs), int(found.undefined_pairs)) == (2, 1)
    zero = iaa.mean_pairwise_cohen_kappa(ratings, interval=None, undefined_pairs="zero")
    assert float(zero.estimate) == pytest.approx(float(found.estimate) * 2 / 3)
    assert int(iaa.fleiss_kappa(ratings, interval=None).pairs) == -1


def test_a_note_says_that_an_asymmetric_matrix_is_symmetrised() -> None:
    matrix = [[1, 0.5], [0.1, 1]]
    found = iaa.agreement(TWO, weights=matrix, interval=None)
    notes = dict(zip(found.coefficient.values, found.note.values, strict=True))
    assert "not symmetric" in notes["scott_pi"]
    assert notes["cohen_kappa"] == ""


def test_many_numbers_take_linear_memory() -> None:
    rng = np.random.default_rng(0)
    values = iaa.from_values(rng.lognormal(size=(20_000, 2)))
    for level in LEVELS:
        found = iaa.krippendorff_alpha(values, level=level, interval="normal")
        assert np.isfinite(found.estimate)
        assert np.isfinite(found.standard_error)
    labels = iaa.from_wide(np.round(rng.lognormal(size=(3000, 2)), 6))
    assert names(labels) == {"krippendorff_alpha"}
    with pytest.raises(IaaError, match="too many to lay out as a table"):
        iaa.fleiss_kappa(labels)


REFUSED = {
    "unknown coefficient": (
        lambda: iaa.agreement(TEXT, "flies_kappa"),
        "did you mean fleiss_kappa",
    ),
    "no coefficient": (lambda: iaa.agreement(TEXT, []), "no coefficient was requested"),
    "per label": (lambda: iaa.agreement(TEXT, "specific_agreement"), "one estimate per label"),
    "three annotators": (lambda: iaa.cohen_kappa(TEXT), "two annotators, and these ratings have 3"),
    "anonymous": (lambda: iaa.conger_kappa(COUNTS), "counts without annotators; .*fleiss_kappa"),
    "numbers": (lambda: iaa.fleiss_kappa(VALUES), "compares labels.*numbers: krippendorff_alpha"),
    "unknown weights": (lambda: iaa.fleiss_kappa(NUMBERS, weights="cubic"), "identity, linear"),
    "unknown level": (lambda: iaa.krippendorff_alpha(NUMBERS, level="ordnal"), "nominal, ordinal"),
    "unknown distance": (lambda: iaa.krippendorff_alpha(SETS, distance="m"), "binary, masi"),
    "unknown weights_on": (lambda: iaa.fleiss_kappa(NUMBERS, weights_on="x"), "value, rank"),
    "unknown interval": (lambda: iaa.fleiss_kappa(TEXT, interval="bac"), "auto, percentile"),
    "unknown undefined": (lambda: iaa.fleiss_kappa(TEXT, undefined="0"), "one of nan, one"),
    "unknown variant": (
        lambda: iaa.percent_agreement(TEXT, average="mean"),
        "item_mean, rating_weighted, all_agree",
    ),
    "confidence": (lambda: iaa.fleiss_kappa(TEXT, confidence=95), "between 0 and 1"),
    "confidence as text": (lambda: iaa.fleiss_kappa(TEXT, confidence="95"), "between 0 and 1"),
    "replicates": (lambda: iaa.fleiss_kappa(TEXT, replicates=0), "1 or more"),
    "seed": (lambda: iaa.fleiss_kappa(TEXT, seed=-1), "0 or more"),
    "dtype": (lambda: iaa.fleiss_kappa(TEXT, dtype="float16"), "one of float64, float32"),
    "p": (lambda: iaa.fleiss_kappa(TEXT, p=0.3), "between 0.5 and 1"),
    "a list for one": (
        lambda: iaa.items(TEXT, coefficient=["fleiss_kappa"]),
        "a name or a function",
    ),
    "text order": (lambda: iaa.fleiss_kappa(TEXT, weights="linear"), "order was not declared"),
    "text level": (lambda: iaa.krippendorff_alpha(TEXT, level="ordinal"), "was not declared"),
    "text numbers": (lambda: iaa.krippendorff_alpha(TEXT, level="interval"), "are numbers"),
    "level elsewhere": (lambda: iaa.fleiss_kappa(NUMBERS, level="ordinal"), "takes weights"),
    "level for none": (
        lambda: iaa.agreement(NUMBERS, ["gwet_ac1"], level="ordinal"),
        "changes nothing for gwet_ac1",
    ),
    "level that does not fit": (
        lambda: iaa.agreement(NUMBERS, ["icc2", "icc1"], level="ordinal"),
        "changes nothing for icc2, icc1",
    ),
    "level by its weights": (
        lambda: iaa.agreement(TEXT, ["fleiss_kappa"], level="interval"),
        "needs labels that are numbers",
    ),
    "level and weights": (
        lambda: iaa.krippendorff_alpha(NUMBERS, level="ordinal", weights="linear"),
        "give one of them",
    ),
    "distance and weights": (
        lambda: iaa.agreement(SETS, distance="masi", weights="linear"),
        "give one of them",
    ),
    "weights without": (lambda: iaa.gwet_ac1(NUMBERS, weights="linear"), "use gwet_ac2"),
    "weights for sets": (lambda: iaa.fleiss_kappa(SETS, weights="linear"), "use distance="),
    "level for sets": (lambda: iaa.krippendorff_alpha(SETS, level="ordinal"), "label sets"),
    "masi on labels": (
        lambda: iaa.fleiss_kappa(TEXT, distance="masi"),
        "or read them with separator= or multi_hot=",
    ),
    "matrix shape": (lambda: iaa.fleiss_kappa(TEXT, weights=[[1, 0], [0, 1]]), "3 x 3 table"),
    "matrix diagonal": (lambda: iaa.fleiss_kappa(TWO, weights=[[1, 0], [0, 0.5]]), "must be 1"),
    "distance diagonal": (lambda: iaa.fleiss_kappa(TWO, distance=[[1, 0], [0, 1]]), "must be 0"),
    "matrix numbers": (lambda: iaa.fleiss_kappa(TWO, weights=[[1, np.nan], [0, 1]]), "finite"),
    "negative ratio": (
        lambda: iaa.krippendorff_alpha(iaa.from_values([[-1, 2], [1, 1.0]]), level="ratio"),
        "from 0 up",
    ),
    "a JAX array": (lambda: iaa.fleiss_kappa(jnp.ones((3, 2, 2))), "iaa_jax.kernels"),
    "no Dataset": (lambda: iaa.fleiss_kappa([[1, 2]]), "from_wide"),
}


def test_refusals_say_why_and_what_to_do() -> None:
    for call, message in REFUSED.values():
        with pytest.raises(IaaError, match=message):
            call()


def test_numbers_declared_out_of_order_raise_the_question_of_order() -> None:
    """By whatever constructor: an order that is not that of the numbers counts if asked for."""
    codes = np.array([[0, 1], [2, 2], [3, 3], [1, 2], [0, 3], [2, 0], [1, 1], [2, 2], [0, 0]])
    declared = [10, 1, 5, 3]
    cells = np.array(declared)[codes]
    long = {"item": np.repeat(np.arange(9), 2), "annotator": np.tile([0, 1], 9)}
    text = iaa.from_wide(np.array(list("abcd"))[codes], labels=list("abcd"))
    ordered = pd.CategoricalDtype(declared, ordered=True)
    disordered = [
        iaa.from_wide(cells, labels=declared),
        iaa.from_long({**long, "label": cells.ravel()}, labels=declared),
        iaa.from_wide(pd.DataFrame(cells).astype(ordered)),
        iaa.data.recode(text, dict(zip("abcd", declared, strict=True))),
    ]
    alpha = partial(iaa.krippendorff_alpha, interval=None)
    rising, falling = (iaa.from_wide(cells, labels=sorted(declared)[::way]) for way in (1, -1))
    for ratings in disordered:
        for options in ({"level": "ordinal"}, {"weights": "ordinal"}):
            with pytest.raises(IaaError, match=r"\(10, 1, 5, 3\): declare them as 1, 3, 5, 10"):
                alpha(ratings, **options)
        # both orders can be had: the declared one, as of text, and that of the numbers
        as_declared = alpha(ratings, weights="ordinal", weights_on="rank").estimate
        numbered = iaa.data.recode(ratings, {10: 1, 1: 2, 5: 3, 3: 4})
        for same in (alpha(text, weights="ordinal"), alpha(numbered, weights="ordinal")):
            assert float(as_declared) == pytest.approx(float(same.estimate), abs=1e-12)
        # the others read the numbers, and the question of agree leaves ordinal out
        notes = json.loads(iaa.agree(ratings, interval=None)["coefficients"].attrs["notes"])
        (asked,) = (note["values"]["levels"] for note in notes if "levels" in note["values"])
        assert [each["level"] for each in asked] == ["nominal", "interval"]
    for name in ("ordinal", "linear", "ratio", "radical", "circular"):
        one, other = (alpha(each, weights=name).estimate for each in (rising, falling))
        assert float(one) == pytest.approx(float(other), abs=1e-12)
        if name != "ordinal":
            found = alpha(disordered[0], weights=name).estimate
            assert float(found) == pytest.approx(float(one), abs=1e-12)


def test_primary_and_secondary_labels_move_every_coefficient() -> None:
    rng = np.random.default_rng(0)
    ratings = iaa.from_wide(rng.integers(0, 3, (40, 3)), labels=[0, 1, 2])
    second = (ratings.primary.values + rng.integers(1, 3, (40, 3))) % 3
    ratings["secondary"] = ratings.primary.copy(data=second.astype(ratings.primary.dtype))
    ratings.attrs["task"] = "primary_secondary"
    one, half = (iaa.agreement(ratings, p=p, interval=None) for p in (1.0, 0.5))
    plain = iaa.agreement(iaa.from_wide(ratings.primary.values, labels=[0, 1, 2]), interval=None)
    shared = one.sel(coefficient=plain.coefficient)  # augmented kappa is listed for doubles alone
    np.testing.assert_allclose(shared.estimate, plain.estimate, atol=1e-13)
    assert np.all(np.abs(one.estimate - half.estimate) > 1e-6)
    exact = iaa.kernels.fleiss_kappa(iaa.data.mass(ratings, 0.7).values).estimate
    assert float(iaa.fleiss_kappa(ratings, p=0.7, interval=None).estimate) == pytest.approx(exact)


def test_choices_come_from_the_catalogue() -> None:
    for weights in WEIGHTS:
        assert np.isfinite(iaa.fleiss_kappa(NUMBERS, weights=weights, interval=None).estimate)
    for level in LEVELS:
        assert np.isfinite(iaa.krippendorff_alpha(NUMBERS, level=level, interval=None).estimate)
    for distance in DISTANCES:
        assert np.isfinite(iaa.fleiss_kappa(SETS, distance=distance, interval=None).estimate)


def test_weights_that_are_shares_are_refused_with_advice() -> None:
    """Weights count items: alpha of weights that sum to 0.3 would be above 1."""
    values = TEXT.assign(item_weight=("item", np.full(4, 0.49)))
    for measure in (iaa.krippendorff_alpha, iaa.fleiss_kappa, iaa.gold, iaa.items, iaa.agree):
        with pytest.raises(IaaError, match=r"sum to 1.96, less than two .* these 4 by 2.04"):
            measure(values)
    # at two items every coefficient is defined; a whole number of items may be fewer
    two = iaa.agreement(TEXT.assign(item_weight=("item", np.full(4, 0.5))), interval=None)
    assert (two.code == 0).all()
    one = TEXT.assign(item_weight=("item", np.array([0.0, 0.0, 1.0, 0.0])))
    alone = iaa.percent_agreement(TEXT.isel(item=[2]), interval=None).estimate
    assert float(iaa.percent_agreement(one, interval=None).estimate) == float(alone)
    # a part may count for less: alpha of weights that sum to 0.3 would be 1.889, or 2.212
    parts = {"kind": ("item", list("uuuuuuvv"))}
    weight = {"item_weight": ("item", [1, 1, 1, 1, 1, 1, 0.15, 0.15])}
    rows = [["x", "x"], ["y", "y"], ["x", "x"], ["y", "x"], ["x", "x"], ["y", "y"], ["x", "y"]]
    of_labels = iaa.from_wide([*rows, ["x", "x"]])
    numbers = iaa.from_values([[1, 1], [2, 2], [3, 4], [4, 4], [5, 5], [6, 7], [7, 8], [9, 7]])
    for ratings in (of_labels, numbers):
        found = iaa.agreement_by(ratings.assign(weight).assign_coords(parts), "kind", interval=None)
        alphas = found.sel(coefficient="krippendorff_alpha")
        assert alphas.code.values.tolist() == [0, FEW_ITEMS_COUNT]
        assert np.isnan(alphas.estimate.values[1])
        # by whole weights the same part is defined, whatever single ratings weigh elsewhere
        whole = iaa.agreement_by(ratings.assign_coords(parts), "kind", interval=None)
        assert (whole.sel(coefficient="krippendorff_alpha").code == 0).all()
    gaps = iaa.from_wide([["x", "x"], ["y", "x"], [None, "x"], ["x", None]])
    for weights, code in (([0.1, 0.1, 5, 3], FEW_ITEMS_COUNT), ([0, 1, 0.5, 3], 0)):
        alpha = iaa.krippendorff_alpha(gaps.assign(item_weight=("item", weights)))
        assert int(alpha.code) == code


def test_float32_ties_are_ties() -> None:
    ratings = iaa.from_wide([["a", "a"]] * 9 + [["a", "b"]] + [["b", "b"]] * 2)
    exact, small = (iaa.percent_agreement(ratings, dtype=d) for d in ("float64", "float32"))
    assert float(small.ci_low) == pytest.approx(float(exact.ci_low), abs=1e-6)


def test_users_coefficients() -> None:
    from iaa_jax import kernels

    def complete_data_only(mass, *, item_weight=None):
        same = (mass[:, 0] * mass[:, 1]).sum(axis=-1)
        return kernels.Agreement(
            (same * item_weight).sum() / item_weight.sum(), same[0], same[0], same[0] * 0
        )

    names = [complete_data_only, "percent_agreement"]
    found = iaa.agreement(TWO, names, interval="bca", replicates=200)
    one, other = (found.isel(coefficient=k) for k in (0, 1))
    for variable in ("estimate", "standard_error", "ci_low", "ci_high"):
        assert float(one[variable]) == pytest.approx(float(other[variable]), abs=1e-12)
    level = iaa.agreement(VALUES, [kernels.krippendorff_alpha_interval], interval=None)
    assert float(level.estimate[0]) == pytest.approx(
        float(iaa.krippendorff_alpha(VALUES, interval=None).estimate)
    )
    with pytest.raises(IaaError, match=r"must return an iaa_jax.kernels.Agreement"):
        iaa.agreement(TWO, [kernels.specific_agreement])
    with pytest.raises(IaaError, match="not have the kernels' signature"):
        iaa.agreement(TWO, [iaa.fleiss_kappa])
    with pytest.raises(IaaError, match="names or functions"):
        iaa.agreement(TWO, 5)


def test_under_the_users_jit_and_checks() -> None:
    import jax

    plain = float(iaa.cohen_kappa(TWO, replicates=100).ci_low)
    inside = jax.jit(lambda x: x + float(iaa.cohen_kappa(TWO, replicates=100).ci_low))
    assert float(inside(0.0)) == pytest.approx(plain, abs=1e-6)
    rare = iaa.from_wide([["a", "a"]] * 12 + [["a", "b"]])
    with jax.debug_nans(True):
        found = iaa.cohen_kappa(rare, interval="bca", replicates=100)
        assert int(found.undefined_replicates) > 0


def test_many_ordered_labels_take_linear_memory() -> None:
    rng = np.random.default_rng(0)
    names = [f"grade {k:03}" for k in range(200)]
    codes = rng.integers(0, 200, (500, 1)) + rng.integers(-3, 4, (500, 3))
    rows = np.array(names, dtype=object)[np.clip(codes, 0, 199)]
    found = iaa.krippendorff_alpha(iaa.from_wide(rows, labels=names), level="ordinal")
    numbers = iaa.from_values(np.clip(codes, 0, 199).astype(float))
    same = iaa.krippendorff_alpha(numbers, level="ordinal", interval=None)
    assert float(found.estimate) == pytest.approx(float(same.estimate), abs=1e-12)
