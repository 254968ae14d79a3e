"""Calls that make no sense: refused with a sentence, whatever the function and the option."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import textwrap
from contextlib import suppress
from operator import attrgetter

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax._names import MEMBERS, MODULES
from iaa_jax.catalog import NAMES
from iaa_jax.engine import rows
from tests.taken import one_of

ROWS = [["a", "a", "b"], ["a", "b", "b"], ["b", "b", "b"], ["c", "c", "b"], ["a", "a", "a"]] * 4

ODD = [object(), float("nan"), -1, 10**12, 1.5, True, "nope", [None], {"a": 1}]
ODD += [np.array([]), np.array([1, 2]), [np.array([1, 2])]]
"""Values that hardly any option takes."""

NO_RATINGS = [None, 5, "ratings.csv", [1, 2], np.zeros((3, 3)), xr.DataArray([1, 2]), {}, object()]

NEEDED: dict[str, dict[str, object]] = {
    "judge.against_gold": {"gold": {1: "a"}},
    "bootstrap.of_result": {"result": iaa.agreement(iaa.from_wide(ROWS), interval=None)},
    "agreement_by": {"by": "group"},
    "data.at_least": {"bound": 1},
    "compare": {"by": "group"},
    "judge": {"judges": "annotator 3"},
    "judge.jury": {"judges": ["annotator 2", "annotator 3"]},
    "judged_scores": {"judges": "annotator 3"},
    "data.keep_annotators": {"names": ["annotator 1"]},
    "data.keep_labels": {"labels": ["a"]},
    "bootstrap.probability_above": {"cut_off": 0.5},
    "data.recode": {"labels": {"a": "b"}},
}
"""What functions need beside their first argument."""

FEW = {"replicates": 40, "permutations": 20, "simulations": 2, "interval": None}
"""Options that make calls short which are accepted."""

PUBLIC = [
    *MODULES,
    *(f"{name}.{member}" for name, members in MEMBERS.items() for member in members),
    *(f"data.{name}" for name in iaa.data.__all__ if name not in MODULES),
]
OF_RATINGS = {
    name
    for name in PUBLIC
    if callable(function := attrgetter(name)(iaa))
    and not inspect.isclass(function)
    and next(iter(inspect.signature(function).parameters), "") == "ratings"
}
FUNCTIONS = sorted(
    (OF_RATINGS - set(NAMES))
    | {"krippendorff_alpha", "icc2", "mean_pairwise_cohen_kappa", "compare", "in_words", "read"}
)

OTHERS: dict[str, dict[str, object]] = {
    "from_long": {"frame": {"item": [1, 1], "annotator": ["a", "b"], "label": ["x", "y"]}},
    "agree.questions": {"questions": {"tone": iaa.from_wide(ROWS)}, "interval": None},
    "coefficients": {},
    "coefficients.bibtex": {},
    "Sampling": {},
}
"""Functions of something else, with what they need."""


@pytest.fixture(scope="module")
def ratings() -> xr.Dataset:
    return iaa.from_wide(ROWS).assign_coords(
        group=("item", [k % 2 for k in range(len(ROWS))]), time=("item", range(len(ROWS)))
    )


@pytest.fixture(scope="module")
def spans() -> xr.Dataset:
    documents = {
        f"d{k}": {
            f"annotator {n}": [(0, 4 + (n == k % 3), "a"), (6, 9, "ab"[k % 2])] for n in range(1, 4)
        }
        for k in range(12)
    }
    return iaa.from_spans(documents, lengths=dict.fromkeys(documents, 12)).assign_coords(
        group=("document", [k % 2 for k in range(12)]), time=("document", range(12))
    )


@pytest.mark.parametrize(
    "name",
    [*sorted(OF_RATINGS | {"compare", "data.merge"})]
    + [f"doubles.{name}" for name in ("item_classes", "item_curves", "labels", "patterns")],
)
def test_spans_are_taken_or_refused_in_words(name: str, spans: xr.Dataset) -> None:
    function = attrgetter(name)(iaa)
    few = {key: FEW[key] for key in FEW if key in inspect.signature(function).parameters}
    with suppress(iaa.IaaError):
        function(spans, *[spans] * (name == "data.merge"), **few, **NEEDED.get(name, {}))


@pytest.mark.parametrize("name", one_of(5, FUNCTIONS))
def test_an_odd_value_of_any_option_is_refused_or_taken(name: str, ratings: xr.Dataset) -> None:
    function = attrgetter(name)(iaa)
    _, *others = inspect.signature(function).parameters
    for option in others:
        for value in ODD:
            if option == "distance" and callable(value):
                continue
            few = {key: each for key, each in FEW.items() if key in others}
            with_interval = option in ("interval", "confidence", "replicates", "sampling", "seed")
            if with_interval:
                few.pop("interval", None)
            given = {**few, **NEEDED.get(name, {}), option: value}
            try:
                function(ratings, **given)
            except iaa.IaaError:
                pass
            except Exception as error:
                pytest.fail(f"{name}({option}={value!r}) gives {type(error).__name__}: {error}")


def test_an_odd_value_of_any_argument_of_other_functions() -> None:
    for name, needed in OTHERS.items():
        function = attrgetter(name)(iaa)
        for option in inspect.signature(function).parameters:
            for value in ODD:
                try:
                    function(**needed | {option: value})
                except iaa.IaaError:
                    pass
                except Exception as error:
                    pytest.fail(f"{name}({option}={value!r}) gives {type(error).__name__}: {error}")


@pytest.mark.parametrize("name", [*sorted(OF_RATINGS), "data.merge"])
def test_what_are_no_ratings(name: str) -> None:
    function = attrgetter(name)(iaa)
    for wrong in NO_RATINGS:
        arguments = [wrong, *([wrong] if name == "data.merge" else [])]
        with pytest.raises(iaa.IaaError, match="must be an xarray Dataset, not"):
            function(*arguments, **NEEDED.get(name, {}))


@pytest.mark.parametrize(
    ("number", "wrong"),
    [(5, "1 at most"), (float("nan"), "1 at most"), ([1, 2], "not"), ("x", "not"), (None, "not")],
)
def test_what_has_no_word(number: object, wrong: str) -> None:
    with pytest.raises(iaa.IaaError, match=wrong):
        iaa.in_words(number)


def test_an_annotator_without_a_name(ratings: xr.Dataset) -> None:
    nameless = ratings.assign_coords(annotator=[1.0, 2.0, np.nan])
    with pytest.raises(iaa.IaaError, match="1 of 3 annotators have no name"):
        iaa.data.validate(nameless)


def test_more_items_than_can_be_counted(ratings: xr.Dataset) -> None:
    heavy = ratings.assign(item_weight=("item", np.full(len(ROWS), 1e308)))
    with pytest.raises(iaa.IaaError, match="weights sum to inf: they are numbers of items"):
        iaa.agreement(heavy)


def test_a_damaged_memory_of_the_order_of_labels(ratings: xr.Dataset) -> None:
    with pytest.raises(iaa.IaaError):
        iaa.agreement(ratings.assign_attrs(label_order="{"))


class TestEffort:
    def test_replicates_beyond_any_use_are_refused(self, ratings: xr.Dataset) -> None:
        with pytest.raises(
            iaa.IaaError, match=r"must be 10,000,000 or less, not 1,000,000,000,000"
        ):
            iaa.krippendorff_alpha(ratings, replicates=10**12)

    def test_replicates_that_do_not_fit_in_memory(
        self, ratings: xr.Dataset, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(rows, "memory", lambda: 1e4)
        with pytest.raises(iaa.IaaError, match=r"replicates .*would take 0 GB of memory"):
            iaa.krippendorff_alpha(ratings, replicates=2000)

    def test_replicates_that_take_days(self, monkeypatch: pytest.MonkeyPatch) -> None:
        clock = iter([0.0, 1.0, 7.0])
        monkeypatch.setattr(rows, "monotonic", lambda: next(clock))
        told = rows.Effort(10_000_000)
        told.check(64, 8.0)  # compiles
        told.check(128, 8.0)
        with pytest.raises(iaa.IaaError, match=r"10,000,000 replicates .* about 6 days"):
            told.check(192, 8.0)


FORKED = """
    import os
    import iaa_jax as iaa
    from iaa_jax import _thresholds as thresholds
    thresholds.NUMPY_CELLS = -1  # larger data, which JAX works on
    ratings = iaa.from_wide([["a", "a"], ["a", "b"], ["b", "b"]] * 9)
    iaa.cohen_kappa(ratings)
    reading, writing = os.pipe()
    if os.fork() == 0:
        try:
            iaa.cohen_kappa(ratings)
        except iaa.IaaError as error:
            os.write(writing, str(error).encode())
        os._exit(0)
    os.close(writing)
    print(os.read(reading, 1000).decode())
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_works_on_small_data() -> None:
    small = FORKED.replace("thresholds.NUMPY_CELLS = -1", "").replace(
        "        iaa.cohen_kappa(ratings)\n        except",
        "        iaa.cohen_kappa(ratings)\n            os.write(writing, b'done')\n        except",
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(small)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.strip() == "done"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_is_told_instead_of_hanging() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(FORKED)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "this process was forked" in done.stdout
    assert "'spawn'" in done.stdout
