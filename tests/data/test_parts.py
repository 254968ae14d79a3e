"""Parts compressed one by one and merged are the whole; groups kept apart give its digits."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError
from iaa_jax.data import compress, in_grid, in_slots, merge
from tests.data.crowds import STORAGE, TASKS, crowd
from tests.taken import one_of

FIGURES = ("estimate", "standard_error", "ci_low", "ci_high")
DENSE = {"items": 45}
BY_SLOT = {"items": 60, "annotators": 120, "panel": 4}
SIZES = pytest.mark.parametrize("size", [DENSE, BY_SLOT], ids=["dense", "by slot"])


def some(task: str, size: dict[str, int], seed: int = 3) -> xr.Dataset:
    """Weighted items, every third rated alike twice, from documents in no order."""
    ratings = in_usual_form(crowd(seed, task, **size).drop_vars(["batch", "kind"]))
    items = ratings.sizes["item"]
    ratings = ratings.isel(item=[*range(items), *range(0, items, 3)])
    ratings = ratings.assign_coords(item=np.arange(ratings.sizes["item"]))
    documents = np.random.default_rng(seed).integers(0, 9, ratings.sizes["item"])
    return ratings.assign_coords(document=("item", documents))


def in_usual_form(ratings: xr.Dataset) -> xr.Dataset:
    return in_slots(ratings) if ratings.sizes["annotator"] >= 100 else ratings


def parts_of(ratings: xr.Dataset, number: int, **options: Any) -> list[xr.Dataset]:
    places = np.array_split(np.arange(ratings.sizes["item"]), number)
    return [compress(ratings.isel(item=k), **options) for k in places]


def assert_same_digits(
    one: xr.Dataset, other: xr.Dataset, rtol: float = 0.0, **options: Any
) -> None:
    """All coefficients that apply to the first, to the last digit or nearly so."""
    found, wanted = (iaa.agreement(each, replicates=60, **options) for each in (one, other))
    wanted = wanted.sel(coefficient=found["coefficient"])
    assert found.sizes["coefficient"] >= 3
    assert np.isfinite(wanted["ci_low"]).any()
    for name in FIGURES:
        np.testing.assert_allclose(found[name], wanted[name], rtol=rtol, atol=0)


def patterns(ratings: xr.Dataset, by: str | None = None) -> Counter[object]:
    """The weight of each row of ratings in each group, by a loop."""
    values = in_grid(ratings)[STORAGE[ratings.attrs["task"]]].values
    second = in_grid(ratings)["secondary"].values if "secondary" in ratings else values
    group = ratings[by].values.tolist() if by else [None] * len(values)
    weight = ratings["item_weight"].values.tolist()
    found: Counter[object] = Counter()
    for row, further, key, times in zip(values, second, group, weight, strict=True):
        found[str(row.tolist()), str(further.tolist()), key] += times
    return found


@SIZES
@pytest.mark.parametrize("exchangeable", [False, True])
@pytest.mark.parametrize("task", one_of(2, TASKS))
def test_merged_parts_are_the_whole(task: str, exchangeable: bool, size: dict[str, int]) -> None:
    ratings = some(task, size)
    whole = compress(ratings, anonymous=exchangeable)
    found = merge(*parts_of(ratings, 4, anonymous=exchangeable))
    assert found.identical(whole.assign_attrs(found.attrs))
    shared = {name: found.attrs.get(name) for name in whole.attrs}
    assert shared == whole.attrs
    assert found["item_weight"].sum() == ratings["item_weight"].sum()
    if not exchangeable:
        assert patterns(found) == patterns(ratings)
        assert found.sizes["item"] == len(patterns(ratings)) < ratings.sizes["item"]


def test_parts_of_an_item_each_and_parts_that_are_not_compressed() -> None:
    ratings = some("single", DENSE)
    items = ratings.sizes["item"]
    whole = compress(ratings)
    each = parts_of(ratings, items)
    mixed = [*each[:20], ratings.isel(item=slice(20, 30)), *each[30:]]
    for parts in (each, mixed, [ratings], [whole]):
        found = merge(*parts)
        assert found.identical(whole.assign_attrs(found.attrs))
    alone = ratings.isel(item=[k for k in range(items) if ratings["primary"][k].max() < 0][:1])
    assert alone.sizes["item"] == 1
    assert merge(*[compress(alone)] * 2).sizes["item"] == 1


def test_a_part_has_as_many_slots_as_its_largest_panel() -> None:
    ratings = some("single", BY_SLOT)
    panel = (ratings["annotator_of"].values >= 0).sum(axis=1)
    for by in (None, "document"):
        part = compress(ratings.isel(item=panel <= 2), by=by)
        assert (ratings.sizes["slot"], part.sizes["slot"]) == (4, 2)
        assert part.attrs["slots"] == 2


def test_anonymous_ratings_stand_in_the_order_of_all_labels() -> None:
    """What one part has in the usual order the other part declares the other way round."""
    one = compress(iaa.from_wide([["a", "b"], ["a", "a"]]), anonymous=True)
    other = compress(iaa.from_wide([["a", "b"]], labels=["b", "a"]), anonymous=True)
    for parts in ((one, other), (other, one)):
        found = merge(*parts)
        assert found["label"].values.tolist() == ["b", "a"]
        assert found["primary"].values.tolist() == [[0, 1], [1, 1]]
        assert found["item_weight"].values.tolist() == [2, 1]


def test_parts_with_other_labels_and_annotators() -> None:
    """Each part knows some labels and some annotators only; the whole knows them all."""
    rows = [
        ("1", "ann", "b"), ("1", "bob", "c"), ("2", "ann", "c"), ("2", "bob", "c"),
        ("3", "bob", "a"), ("3", "cem", "b"), ("4", "cem", "a"), ("4", "bob", "a"),
        ("5", "ann", "d"), ("5", "cem", "d"), ("6", "ann", "b"), ("6", "bob", "c"),
    ]  # fmt: skip

    def of(numbers: str) -> xr.Dataset:
        columns = zip(*(row for row in rows if row[0] in numbers), strict=True)
        return iaa.from_long(dict(zip(("item", "annotator", "label"), columns, strict=True)))

    whole = compress(of("123456"))
    found = merge(compress(of("12")), compress(of("34")), compress(of("56")))
    assert found["label"].values.tolist() == ["a", "b", "c", "d"]
    assert found["annotator"].values.tolist() == ["ann", "bob", "cem"]
    assert found.identical(whole.assign_attrs(found.attrs))
    assert sorted(found["item_weight"].values.tolist()) == [1, 1, 1, 1, 2]
    assert merge(of("12"), compress(of("34")), of("56")).identical(found)
    assert_same_digits(found, of("123456"))


@pytest.mark.parametrize("task", TASKS)
def test_parts_of_another_task_are_refused(task: str) -> None:
    one = compress(some(task, DENSE))
    for other in TASKS:
        if other != task:
            words = f"cannot merge ratings whose task differs: '{task}' and '{other}'"
            with pytest.raises(IaaError, match=words):
                merge(one, one, compress(some(other, DENSE)))


def test_parts_of_other_kinds_are_refused() -> None:
    ratings = some("single", DENSE)
    plain, apart = compress(ratings), compress(ratings, by="document")
    two = ratings.assign_coords(page=ratings["document"] % 2)
    for parts, words in (
        ((plain, compress(ratings, anonymous=True)), "whose anonymous differs: 0 and 1"),
        ((apart, plain), r"whose kept_apart differs: '\[\"document\"\]' and None"),
        ((plain, apart), r"whose kept_apart differs: None and '\[\"document\"\]'"),
        ((apart, compress(two, by="page")), "whose kept_apart differs"),
        ((apart, compress(two, by=["document", "page"])), "whose kept_apart differs"),
        ((), "takes one or more parts of the ratings"),
        ((plain, "parts.nc"), "must be an xarray Dataset, not str"),
    ):
        with pytest.raises(IaaError, match=words):
            merge(*parts)


def test_labels_in_another_order_are_refused_in_any_part() -> None:
    rows = [["low", "mid"], ["high", "high"], ["mid", "mid"]]
    one = compress(iaa.from_wide(rows, labels=["low", "mid", "high"]))
    other = compress(iaa.from_wide(rows, labels=["high", "mid", "low"]))
    words = r"different orders .*'low', 'mid', 'high' in the first, 'high', 'mid', 'low' in the sec"
    for parts in ((one, other), (one, one, other)):
        with pytest.raises(IaaError, match=words):
            merge(*parts)
    assert merge(one, one)["label"].values.tolist() == ["low", "mid", "high"]


@SIZES
@pytest.mark.parametrize("exchangeable", [False, True])
@pytest.mark.parametrize("task", one_of(2, TASKS))
def test_groups_stay_apart(task: str, exchangeable: bool, size: dict[str, int]) -> None:
    ratings = some(task, size)
    found = compress(ratings, by="document", anonymous=exchangeable)
    iaa.data.validate(found)
    for document in np.unique(ratings["document"]):
        inside = ratings["document"].values == document
        weight = found["item_weight"].values[found["document"].values == document].sum()
        assert weight == ratings["item_weight"].values[inside].sum()
        alone = compress(ratings.isel(item=inside), anonymous=exchangeable)
        assert alone.sizes["item"] == (found["document"].values == document).sum()
    # in the order in which they first occur, as random draws take them
    order = list(dict.fromkeys(ratings["document"].values.tolist()))
    assert list(dict.fromkeys(found["document"].values.tolist())) == order
    if not exchangeable:
        assert patterns(found, "document") == patterns(ratings, "document")
        assert found.sizes["item"] == len(patterns(ratings, "document"))
    merged = merge(*parts_of(ratings, 4, by="document", anonymous=exchangeable))
    assert merged.identical(found.assign_attrs(merged.attrs))


@SIZES
@pytest.mark.parametrize("task", TASKS)
def test_clusters_give_the_digits_of_plain_data(task: str, size: dict[str, int]) -> None:
    ratings = some(task, size)
    clusters = iaa.Sampling(cluster="document")
    found = compress(ratings, by="document")
    assert_same_digits(found, ratings, sampling=clusters)
    merged = merge(*parts_of(ratings, 4, by="document"))
    assert_same_digits(merged, ratings, sampling=clusters)
    # what is kept apart does not matter where items are drawn one by one
    assert_same_digits(found, ratings)


def test_anonymous_clusters_give_the_figures_of_plain_data() -> None:
    ratings = some("single", DENSE)
    found = compress(ratings, by="document", anonymous=True)
    assert_same_digits(found, ratings, rtol=1e-12, sampling=iaa.Sampling(cluster="document"))
    with pytest.raises(IaaError, match="is not a coordinate along items"):
        iaa.agreement(compress(ratings), sampling=iaa.Sampling(cluster="document"))


def test_several_coordinates_and_groups_without_a_name() -> None:
    rows = [["a", "b"]] * 6
    ratings = iaa.from_wide(rows).assign_coords(
        page=("item", [1, 1, 2, 2, 1, 1]),
        tool=("item", np.array(["x", "y", "x", None, "x", None], dtype=object)),
    )
    found = compress(ratings, by=["page", "tool"])
    tools = [tool if tool == tool else None for tool in found["tool"].values.tolist()]
    keys = list(zip(found["page"].values.tolist(), tools, strict=True))
    assert keys == [(1, "x"), (1, "y"), (2, "x"), (2, None), (1, None)]
    assert found["item_weight"].values.tolist() == [2, 1, 1, 1, 1]
    assert compress(ratings, by=["page"]).identical(compress(ratings, by="page"))
    assert merge(found, found)["item_weight"].values.tolist() == [4, 2, 2, 2, 2]


@pytest.mark.parametrize("name", ["item", "annotator", "label", "pag", "primary"])
def test_items_are_kept_apart_by_a_coordinate_of_theirs(name: str) -> None:
    ratings = iaa.from_wide([["a", "b"], ["b", "b"]]).assign_coords(page=("item", [1, 2]))
    refusal = rf"cannot separate items by '{name}'.* the coordinates are 'page'"
    with pytest.raises(IaaError, match=refusal):
        compress(ratings, by=name)


def test_what_is_no_longer_kept_apart_is_forgotten() -> None:
    ratings = some("single", DENSE)
    again = compress(compress(ratings, by="document"))
    assert again.identical(compress(ratings))
    assert merge(again, compress(ratings)).sizes == again.sizes


def test_a_part_that_lost_its_coordinate_is_refused_in_words() -> None:
    part = compress(some("single", DENSE), by="document")
    with pytest.raises(IaaError, match="document"):
        merge(part, part.drop_vars("document"))


def test_numbers_beside_text_have_the_names_that_they_have_in_the_whole() -> None:
    rows: list[list[object]] = [[1, 2.5], ["x", "x"]]
    found = merge(*(iaa.from_wide([row]) for row in rows))
    assert found["label"].values.tolist() == iaa.from_wide(rows)["label"].values.tolist()
