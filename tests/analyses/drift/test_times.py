"""How times are read off a coordinate: dates, numbers, batches, and times of single ratings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from iaa_jax.analyses.drift.words import WORDS
from iaa_jax.data.groups import natural
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.times import times_of
from iaa_jax.wording import say
from tests.analyses.made import by_slot, wide
from tests.noted import notes_of


def read(values: Any, continuous: bool = False, name: str = "time") -> Any:
    ratings = iaa.from_wide([["a", "b"]] * len(values)).assign_coords(
        {name: ("item", np.array(values, dtype=object))}
    )
    return times_of(Rated.of(ratings), name, continuous)


def said(times: Any) -> str:
    return say(times.read_as, WORDS)


def test_batches_in_natural_order() -> None:
    times = read(["batch 10", "batch 2", "Batch 1", "", None])
    assert times.names.tolist() == ["Batch 1", "batch 2", "batch 10"]
    assert times.position[:3].tolist() == [3, 2, 1]
    assert np.isnan(times.position[3:]).all()
    assert sorted(["v1.10", "v1.9", "²"], key=natural)[:2] == ["v1.9", "v1.10"]


@pytest.mark.parametrize(
    ("texts", "names", "in_order"),
    [
        (["April", "january", "March"], ["january", "March", "April"], True),
        (["Sep", "Jan", "may"], ["Jan", "may", "Sep"], True),
        (["Wed", "Monday", "Sun"], ["Monday", "Wed", "Sun"], True),
        (["pilot", "round 1", "round 2", "final"], ["pilot", "round 1", "round 2", "final"], False),
        (["reach", "appeal"], ["reach", "appeal"], False),
        (["llama-2", "gpt-4", "gpt-3"], ["llama-2", "gpt-4", "gpt-3"], False),
        (["v2", "v1.10", "v1.9"], ["v1.9", "v1.10", "v2"], True),
    ],
)
def test_the_order_of_texts(texts: list[str], names: list[str], in_order: bool) -> None:
    times = read(texts)
    assert times.names.tolist() == names
    assert times.in_order == in_order
    if not in_order:
        assert f"in order of first appearance: {', '.join(names)}; order=" in said(times)


@pytest.mark.parametrize(
    ("texts", "read_as"),
    [
        (["2024-03-01", "2024-03-31", ""], "dates, read from text"),
        (["2024-03-01T10:00:00Z", "2024-03-31T10:00:00Z"], "in UTC"),
        (["01.03.2024", "31.03.2024"], "day first"),
        (["03/01/2024", "03/31/2024"], "month first"),
        (["01/03/2024", "31/03/2024"], "day first"),
        (["1 March 2024", "31 March 2024"], "dates, read from text"),
        (["20240301", "20240331"], "year, month, day"),
        ([20240301, 20240331], "year, month, day"),
        ([1709287200, 1711879200], "seconds since 1970"),
        ([1709287200000, 1711879200000], "milliseconds since 1970"),
    ],
)
def test_dates(texts: list[Any], read_as: str) -> None:
    times = read(texts, continuous=True)
    assert read_as in said(times)
    assert str(times.origin)[:10] == "2024-03-01"
    assert times.position[:2].tolist() == [0, 30]
    assert str(times.coordinate_of(np.array([30.0, np.nan]))[0])[:10] == "2024-03-31"
    assert times.unit == "day"


def test_dots_have_the_day_first() -> None:
    times = read(["01.03.2024", "02.04.2024"], continuous=True)
    assert times.position.tolist() == [0, 32]


def test_offsets_are_taken_out() -> None:
    times = read(["2024-03-01T10:00:00+02:00", "2024-03-01T09:00:00Z"], continuous=True)
    assert times.position.tolist() == [0, 1 / 24]


def test_numbers() -> None:
    assert read([3, 1, 2]).batches.tolist() == [1, 2, 3]
    assert read([3, 1, 2], continuous=True).batches is None
    assert read(["3", "1.5", ""]).position[:2].tolist() == [3, 1.5]
    assert read(list(range(13))).batches is None
    # without a name that says time, large numbers stay numbers
    assert read([1709287200, 1711879200], name="id").origin is None


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (["2024-03-01", "2024-04-01", "soon"], r"holds dates, but also 'soon' \(item 2\)"),
        (["01/02/2024", "02/03/2024"], "day or the month first"),
        (["31/01/2024", "01/31/2024"], "day first and with the month first"),
        (["", None], "empty for every item"),
        ([f"x{i}y" for i in range(300)], "too many for batches"),
    ],
)
def test_what_cannot_be_read(values: list[Any], said: str) -> None:
    with pytest.raises(IaaError, match=said):
        read(values)


@pytest.mark.parametrize("form", [wide, by_slot])
def test_an_item_has_the_middle_time_of_its_ratings(form: Any) -> None:
    """Of two middle times the earlier one counts: nobody rated at a time between them."""
    ratings = form([["a", "b", "a"], ["b", "b", None], ["a", None, "b"]])
    days = np.array(
        [
            ["2024-03-09", "2024-03-01", "2024-03-05"],
            ["2024-03-07", "2024-03-06", ""],
            ["", "", ""],
        ],
        dtype=object,
    )
    for values in (days, np.where(days == "", "NaT", days).astype("datetime64[ns]")):
        times = times_of(
            Rated.of(ratings.assign_coords(day=(("item", "annotator"), values))), "day", True
        )
        assert times.position[:2].tolist() == [0, 1]
        assert np.isnan(times.position[2])
        assert str(times.origin)[:10] == "2024-03-05"
        assert times.middle


def test_a_study_of_times_of_ratings_says_so() -> None:
    rng = np.random.default_rng(3)
    ratings = wide([["ab"[k] for k in row] for row in rng.integers(0, 2, (60, 3)).tolist()])
    days = np.arange(60.0)[:, None] + [0.0, 0.1, 0.7]
    options: dict[str, Any] = {"interval": None, "permutations": 0}
    one = iaa.drift(ratings.assign_coords(time=(("item", "annotator"), days)), **options)
    other = iaa.drift(ratings.assign_coords(time=("item", days[:, 1])), **options)
    xr.testing.assert_allclose(one, other)
    assert notes_of(one, "middle_times")
    assert not notes_of(other, "middle_times")


def test_batches_of_ratings_have_no_middle() -> None:
    ratings = wide([["a", "b"], ["b", "b"], ["a", "a"]])
    rounds = np.array([["one", "one"], ["", "two"], ["three", "three"]], dtype=object)
    times = times_of(Rated.of(ratings.assign_coords(time=(("item", "annotator"), rounds))), "time")
    assert times.names is not None
    assert times.position.tolist() == [1, 2, 3]
    rounds[2, 0] = "two"
    with pytest.raises(IaaError, match="several batches for ratings of item 2 "):
        times_of(Rated.of(ratings.assign_coords(time=(("item", "annotator"), rounds))), "time")


def test_batches_whose_names_hardly_differ_are_told() -> None:
    ratings = wide([["a", "b"], ["b", "b"]] * 30)
    for names, told in (["Yelp", "yelp", "Jira"], ["Yelp", "yelp"]), (["Yelp", "Jira", "x"], None):
        batches = np.array(names * 20, dtype=object)
        found = iaa.drift(ratings.assign_coords(app=("item", batches)), "app", permutations=0)
        notes = notes_of(found, "batches_alike")
        assert [note.values["names"] for note in notes] == ([] if told is None else [told])
