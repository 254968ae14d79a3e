"""The pages of diagnosis: what they say of given results."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.pages import Table
from tests.noted import codes_on

ROWS = [
    *[["x", "x", "y"], ["y", "y", "y"], ["x", "y", "y"], ["z", "z", "x"], ["z", "z", "z"]] * 3,
    *[["x", "y", None]] * 3,
]


@pytest.fixture(scope="module")
def ratings() -> xr.Dataset:
    return iaa.from_wide(ROWS).assign_coords(
        batch=("item", np.arange(18) // 9),
        text=("item", [f"text {k}" for k in range(18)]),
        team=("annotator", ["p", "q", "p"]),
    )


@pytest.fixture(scope="module")
def items(ratings) -> xr.Dataset:
    return iaa.items(ratings)


@pytest.fixture(scope="module")
def annotators(ratings) -> xr.Dataset:
    return iaa.annotators(ratings, interval="normal")


@pytest.fixture(scope="module")
def labels(ratings) -> xr.Dataset:
    return iaa.labels(ratings, interval="normal")


@pytest.fixture(scope="module")
def groups(ratings) -> xr.Dataset:
    return iaa.agreement_by(ratings, "batch", "krippendorff_alpha", interval="normal")


def flat(page) -> str:
    return " ".join(str(page).split())


def table(page, name: str) -> Table:
    return next(table for table in page.tables if table.id == name)


def column(table: Table, key: str) -> list:
    return list(next(column for column in table.columns if column.key == key).values)


def test_the_whole_page_of_items(ratings, groups) -> None:
    assert str(iaa.page(iaa.items(ratings, top=4), groups)) == (
        """\
Annotators disagree on 12 of 18 items; on 3 of them the most frequent labels
tie.
Krippendorff's alpha is 0.298 on all items.
By batch, Krippendorff's alpha is lowest in 1 (0.277) and highest in 0 (0.339).

Items       18, all with two ratings or more
Annotators  3

Item  Ratings  Agree  Entropy  Top label  Tied  Share  Without  batch  text
──────────────────────────────────────────────────────────────────────────────
15          2  0.000     0.63  (tie)      2      0.50   +0.032  1      text 15
16          2  0.000     0.63  (tie)      2      0.50   +0.032  1      text 16
17          2  0.000     0.63  (tie)      2      0.50   +0.032  1      text 17
2           3  0.333     0.58  y                 0.67   +0.022  0      text 2

Krippendorff's alpha on the items of each batch, with the labels of all items

batch  Items  Ratings  Estimate  95 % interval     SE
─────────────────────────────────────────────────────
0          9       27     0.339   0.03 to 0.65  0.157
1          9       24     0.277    -0.2 to 0.7  0.200

- Agree: share of the item's pairs of ratings that agree.
- Entropy: 0 if all ratings are alike, 1 if all labels are equally frequent.
- Tied: number of labels that share the first place.
- Share: share of ratings with its top label.
- Without: change of Krippendorff's alpha without the item (to first order).
- Shown: 4 of 18 items; those that lower Krippendorff's alpha most come first.
- batch 0, 1: fewer than 20 items with two ratings, so that intervals are rough.
- 95 % intervals: normal from the standard error; not cut at 1.
- Next: discuss disputed items with the annotators;
  iaa.page(iaa.gold(ratings)).save('sheet.xlsx', table='sheet') writes a sheet
  for deciding on their labels."""
    )


def test_what_deserves_a_look_stands_first(items, annotators, labels) -> None:
    of_items = table(iaa.page(items), "items")
    assert column(of_items, "rank") == list(range(1, 19))
    of_annotators = table(iaa.page(annotators), "annotators")
    assert column(of_annotators, "agreement") == sorted(annotators["agreement"].values)
    of_labels = table(iaa.page(labels), "labels")
    assert column(of_labels, "count") == sorted(labels["count"].values, reverse=True)


def test_sorted_rows_stay_in_their_order(ratings) -> None:
    page = iaa.page(iaa.items(ratings, sort="-item"))
    assert column(table(page, "items"), "item") == list(range(17, -1, -1))


def test_only_the_first_items_are_shown_unless_somebody_says_how_many(items, ratings) -> None:
    many = iaa.page(items.isel(item=np.tile(np.arange(18), 2)))
    assert "Shown: 20 of 36 items" in flat(many)
    assert "top= shows more rows." in flat(many)
    assert "Shown" not in flat(iaa.page(iaa.items(ratings, top=18)))


def test_the_answer_names_who_is_farthest_and_what_he_does() -> None:
    annotators = iaa.annotators(iaa.from_wide(ROWS * 16), interval="normal")
    name = annotators.farthest
    row = annotators.sel(annotator=name)
    text = flat(iaa.page(annotators))
    assert text.startswith(
        f"{name} agrees least with the others, matching their ratings in "
        f"{100 * float(row.agreement):.1f} % of comparisons ({int(row.shared_items)} items)"
    )
    of_all = f"{annotators.estimate:.3f} for all annotators"
    assert f"{of_all}, {float(row.without):.3f} without {name}." in text


def test_how_likely_the_order_is_is_that_of_resamples() -> None:
    random = np.random.default_rng(4)
    codes = random.integers(0, 3, (150, 4))
    codes[:, :3] = np.where(random.random((150, 3)) < [0.75, 0.6, 0.7], codes[:, 3:], codes[:, :3])
    names = ["ann", "bob", "cat", "dan"]
    result = iaa.annotators(
        iaa.from_wide(pd.DataFrame(np.array(["x", "y", "z"])[codes], columns=names))
    )
    equal = codes[:, :, None] == codes[:, None, :]
    of_items = (equal.sum(axis=2) - 1) / 3  # (item, annotator)
    drawn = random.integers(0, 150, (4000, 150))
    figures = of_items[drawn].mean(axis=1)
    order = np.argsort(of_items.mean(axis=0))
    for lower, higher in itertools.pairwise(order):
        share = np.mean(figures[:, lower] < figures[:, higher])
        share += np.mean(figures[:, lower] == figures[:, higher]) / 2
        assert float(result.lower_than_next[lower]) == pytest.approx(share, abs=0.03)
    assert np.isnan(result.lower_than_next[order[-1]])
    assert result.next_higher == names[order[1]]
    assert f"Next is {names[order[1]]}" in " ".join(str(iaa.page(result)).split())


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([["a", "b"], ["a", "a"]], "With two annotators there are no others"),
        ([["a", "a", "a"], ["b", "b", "b"]], "All annotators agree on everything."),
        (
            [["a", "b", "a"], ["b", "b", "a"]] * 9,
            "Too few ratings to say who agrees least: no two annotators share 20 items",
        ),
    ],
)
def test_annotators_without_a_farthest_one(rows, said) -> None:
    assert said in flat(iaa.page(iaa.annotators(iaa.from_wide(rows), interval=None)))


def test_numbers_are_told_by_distance() -> None:
    ratings = iaa.from_values([[1.0, 2.0, 9.0], [3.0, 4.0, 8.0], [2.0, 2.0, 2.0]] * 7)
    text = flat(iaa.page(iaa.annotators(ratings)))
    assert "annotator 3 is farthest from the others: the mean squared difference is 25.667" in text
    assert "Bias: mean difference from the mean of the others." in text
    assert "intervals" not in text
    text = flat(iaa.page(iaa.items(ratings)))
    assert "Distance: mean squared difference of the item's pairs of ratings." in text
    assert "(interval) is " in text
    text = flat(iaa.page(iaa.items(ratings, coefficient="icc1")))
    assert "ICC(1) is " in text


def test_pairs_of_annotators_in_the_order_of_the_table(ratings, annotators) -> None:
    part = iaa.annotators(ratings, interval=None, top=2)
    kappas = table(iaa.page(part), "kappa_of_pairs")
    shown = part["annotator"].values.tolist()
    others = [name for name in annotators["annotator"].values.tolist() if name not in shown]
    assert [column.key for column in kappas.columns[2:]] == [*shown, *others]
    assert kappas.columns[3].values[0] == float(
        part["pair_kappa"].sel(annotator=shown[0], annotator_2=shown[1])
    )
    assert table(iaa.page(part), "items_of_pairs").rows == 2


def test_pairs_on_the_same_items_need_no_second_table() -> None:
    page = iaa.page(iaa.annotators(iaa.from_wide(ROWS[:15]), interval=None))
    assert "Kappa of each pair, each on 15 items" in flat(page)
    assert [table.id for table in page.tables] == ["annotators", "kappa_of_pairs"]


def test_labels_and_what_they_are_taken_for(labels, groups) -> None:
    text = flat(iaa.page(labels, groups))
    assert text.startswith(
        f"Annotators agree least on label 'x' (specific agreement {labels.lowest_agreement:.3f}, "
        "15 ratings). 'x' and 'y' are confused most often (75.0 % of all confusions"
    )
    assert "Alpha: Krippendorff's alpha of the label against all others together." in text
    assert column(table(iaa.page(labels), "confusions"), "confused_label_2") == ["y", "z"]
    assert "Ratings: also of items" not in text
    once = iaa.page(iaa.labels(iaa.from_wide([["a", "a"], ["a", "b"], ["b", None]] * 4)))
    assert "Ratings: also of items rated once, on which agreement is not measured." in flat(once)


def test_an_undefined_coefficient_says_why() -> None:
    text = flat(iaa.page(iaa.items(iaa.from_wide([["a", "a"], ["a", "a"]]))))
    assert "Krippendorff's alpha is undefined on all items (expected disagreement is 0" in text


def test_groups_of_several_coefficients(ratings) -> None:
    groups = iaa.agreement_by(ratings, "team", ["percent_agreement", "gwet_ac1"], interval=None)
    page = iaa.page(groups)
    text = flat(page)
    assert "Agreement among the annotators of each team, with the labels of all annotators" in text
    assert "team q: undefined (no item has two ratings)." in text
    assert "interval" not in text
    rows = table(page, "groups")
    assert column(rows, "group") == ["p", "p", "q", "q"]
    assert column(rows, "title") == ["Percent agreement", "Gwet's AC1"] * 2
    np.testing.assert_array_equal(column(rows, "estimate"), groups["estimate"].values.ravel())


def test_of_two_labels_the_only_pair_is_not_called_the_most_confused() -> None:
    two = iaa.from_wide([["a", "a"], ["b", "b"], ["a", "b"], ["b", "a"]])
    text = " ".join(str(iaa.page(iaa.labels(two, interval=None))).split())
    assert "most_confused" not in codes_on(iaa.page(iaa.labels(two, interval=None)))
    assert "all such pairs" not in text
    assert "Confused with Pairs" in text
    three = iaa.from_wide([["a", "a"], ["b", "b"], ["a", "b"], ["c", "c"]])
    assert "most_confused" in codes_on(iaa.page(iaa.labels(three, interval=None)))
