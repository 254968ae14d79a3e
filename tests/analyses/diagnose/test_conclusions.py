"""What the tables come to: conclusions, the numbers of them, ranks and notes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import iaa_jax as iaa
from tests.analyses.made import random_rows, wide
from tests.noted import notes_of, notes_on

UNANIMOUS = [["a", "a", "a"], ["b", "b", "b"], ["a", "a", None]]
DISPUTED = [["a", "a", "b"], ["a", "b", None], ["b", "b", "b"], ["b", "a", None], ["a", None, None]]


class TestItems:
    def test_disputed_and_tied_items_are_counted(self) -> None:
        table = iaa.items(iaa.from_wide(DISPUTED))
        assert table.conclusion == "disputed"
        assert (table.disputed_items, table.tied_items) == (3, 2)

    def test_counts_are_those_of_all_items(self) -> None:
        table = iaa.items(iaa.from_wide(DISPUTED), top=1)
        assert table.disputed_items == 3
        (note,) = notes_of(table, "rows_left_out")
        assert note.values == {"rows": 1, "of": 5, "noun": "items"}

    def test_items_that_stand_for_several(self) -> None:
        table = iaa.items(iaa.from_contingency([[20, 5], [10, 15]]))
        assert (table.disputed_items, table.tied_items) == (15, 15)

    def test_nobody_disagrees(self) -> None:
        table = iaa.items(iaa.from_wide(UNANIMOUS))
        assert (table.conclusion, table.disputed_items) == ("unanimous", 0)

    def test_shares_that_are_alike_are_no_dispute(self) -> None:
        rows = [
            {"item": item, "annotator": who, "label": "a", "second": second}
            for item, second in ((1, "b"), (2, None))
            for who in ("x", "y")
        ]
        rows[-1]["label"] = "b"
        ratings = iaa.from_long(rows, secondary="second")
        table = iaa.items(ratings, p=0.6)
        assert float(table.agreement[0]) < 1
        assert table.disputed_items == 1

    def test_second_labels_that_do_not_count_are_no_dispute(self) -> None:
        rows = [
            (item, who, "ab"[item % 2], "ba"[item % 2] if who == "x" else "")
            for item in range(4)
            for who in "xy"
        ]
        rows[0] = (0, "x", "b", "")
        frame = pd.DataFrame(rows, columns=["item", "annotator", "label", "second"])
        table = iaa.items(iaa.from_long(frame, secondary="second"))
        assert table.disputed_items == int((table.agreement < 1).sum()) == 1

    def test_tied_items_are_among_the_disputed(self) -> None:
        halves, left, right = [[0.5, 0.5]] * 2, [[1.0, 0.0]] * 2, [[0.8, 0.2], [0.6, 0.4]]
        table = iaa.items(iaa.from_mass([halves, left, right], labels=["u", "v"]))
        assert table.tied.values.tolist() == [2, 1, 1]
        assert (table.disputed_items, table.tied_items) == (1, 0)

    def test_the_rank_is_that_of_the_lowest_influence(self) -> None:
        table = iaa.items(wide(random_rows(1)))
        assert table.item.values.tolist() == list(range(40))
        first = table.sortby("rank")
        np.testing.assert_array_equal(first["rank"], np.arange(1, 41))
        assert (np.diff(first.influence) >= 0).all()
        top = iaa.items(wide(random_rows(1)), top=7)
        np.testing.assert_array_equal(top.item, first.item[:7])
        assert (top.attrs["sort"], top.attrs["top"]) == ("rank", 7)

    def test_why_the_coefficient_is_undefined(self) -> None:
        table = iaa.items(iaa.from_wide([["a", "a"], ["a", "a"]]))
        assert np.isnan(table.estimate)
        assert "0/0" in table.reason

    def test_entropies_of_unlike_panels(self) -> None:
        ratings = iaa.from_wide(DISPUTED)
        (note,) = notes_of(iaa.items(ratings, sort="-entropy"), "panels_differ")
        assert note.level == "caution"
        assert note.values == {"figure": "entropy", "least": 1, "most": 3}
        assert not notes_of(iaa.items(ratings, sort="influence"), "panels_differ")
        assert not notes_of(iaa.items(iaa.from_wide([["a", "b"]] * 3), sort="gini"))

    @pytest.mark.parametrize(
        ("options", "near"),
        [
            ({}, 0.0),
            ({"level": "nominal"}, 0.0),
            ({"level": "interval"}, 0.75),
            ({"level": "interval", "weights": "linear"}, 0.5),
        ],
    )
    def test_a_level_counts_near_misses_in_part(self, options, near) -> None:
        ratings = iaa.from_wide([[1, 2], [2, 2], [3, 1], [1, 1]])
        agreement = iaa.items(ratings, **options).agreement
        assert agreement.values.tolist() == [near, 1, 0, 1]
        found = iaa.annotators(ratings, interval=None, **options)
        assert found.agreement.values == pytest.approx([(near + 2) / 4] * 2)

    def test_text_alone_where_an_item_has_no_label(self, tmp_path) -> None:
        table = iaa.items(iaa.from_wide([[1, 2], [None, None], [1, 1]]))
        assert table.most_frequent.values.tolist() == ["1", "", "1"]
        table.to_netcdf(tmp_path / "items.nc", engine="scipy")


class TestAnnotators:
    def test_whom_one_partner_alone_rated_with_is_not_the_only_one_in_doubt(self) -> None:
        rows = [["a", "b", None, None] if n % 3 else ["a", "a", None, None] for n in range(60)]
        rows += [[None, "ab"[n % 2], "ab"[n % 2], "ab"[n % 2]] for n in range(60)]
        rows += [["a", None, "a", "a"]] * 5
        table = iaa.annotators(iaa.from_wide(rows))
        assert (table.farthest, table.farthest_partner) == ("annotator 1", "annotator 2")
        assert "farthest_partner" not in iaa.annotators(iaa.from_wide(rows[60:])).attrs

    def test_harder_items_accuse_nobody(self) -> None:
        """Dan rated only hard items, on which all guess; ann guesses on some others too."""
        rng = np.random.default_rng(1)
        codes = np.tile(rng.integers(0, 3, (400, 1)), 5)
        codes[:150] = rng.integers(0, 3, (150, 5))
        codes[250:, 0] = rng.integers(0, 3, 150)
        names = ["ann", "bob", "cat", "dan", "eve"]
        rows = pd.DataFrame(np.array(["x", "y", "z"])[codes], columns=names)
        rows.loc[150:, "dan"] = None
        table = iaa.annotators(iaa.from_wide(rows), interval="normal")
        assert (table.farthest, table.rises_most) == ("dan", "ann")
        assert table.rises_most_without == float(table.without.sel(annotator="ann"))
        others = iaa.percent_agreement(iaa.from_wide(rows[:150].drop(columns="dan")), interval=None)
        assert table.farthest_others == pytest.approx(float(others.estimate))
        text = " ".join(str(iaa.page(table)).split())
        assert "and rises most without ann: to" in text[: text.index("dan agrees least")]
        assert "agrees less with probability" not in text
        alike = iaa.annotators(wide(random_rows(2, items=300)))
        assert "rises_most" not in alike.attrs

    def test_two_who_alone_have_enough_items_do_not_stand_out(self) -> None:
        rows = [["a", "a", None], ["a", "b", None], ["b", "b", None]] * 8
        rows += [["a", None, "b"]] * 3 + [[None, "a", "b"], ["b", None, "b"], [None, "b", "b"]]
        frame = pd.DataFrame(rows, columns=["ann", "bob", "cat"])
        table = iaa.annotators(iaa.from_wide(frame))
        assert table.conclusion == "level"
        assert table.items_left.values.tolist() == [2, 4, 24]
        text = " ".join(str(iaa.page(table)).split())
        assert text.startswith("Nobody stands out: which of ann and bob agrees less")
        assert "on the 4 items left" in text
        assert "talk to" not in text

    def test_those_left_out_of_the_table_disagree_all_the_same(self) -> None:
        alike = [["a", "a", None, None], ["b", "b", None, None]] * 10
        apart = [[None, None, "a", "b"], [None, None, "b", "a"]]
        table = iaa.annotators(iaa.from_wide(alike + apart), interval=None, min_items=5)
        assert table.agreement.values.tolist() == [1.0, 1.0]
        assert table.conclusion == "compared"
        text = " ".join(str(iaa.page(table)).split())
        assert "read some items of the annotator who agrees least before you talk to" in text

    def test_who_is_farthest_does_not_depend_on_the_rows_shown(self) -> None:
        ratings = wide(random_rows(2))
        whole = iaa.annotators(ratings, interval=None)
        part = iaa.annotators(ratings, interval=None, top=1, sort="-agreement")
        assert part.farthest == whole.farthest
        assert part.annotator.values.tolist() != [whole.farthest]

    def test_who_shares_few_items_is_not_named(self) -> None:
        """A fourth annotator, wrong on 19 items, is last in the table and in no sentence."""
        rows = [[*row, "c" if k < 19 else None] for k, row in enumerate(["aab", "bbb"] * 12)]
        table = iaa.annotators(iaa.from_wide(rows), interval=None)
        assert table.annotator.values[table["rank"].values == 1] == ["annotator 4"]
        assert (table.farthest, table.farthest_from) == ("annotator 3", 20)
        text = str(iaa.page(table))
        assert "annotator 3 agrees least with the others, of those who share 20 items" in text

    def test_two_annotators_nobody_and_no_disagreement(self) -> None:
        two = iaa.annotators(iaa.from_wide([["a", "b"], ["a", "a"]]), interval=None)
        assert two.conclusion == "two_annotators"
        assert iaa.annotators(iaa.from_wide(UNANIMOUS), interval=None).conclusion == "unanimous"
        none = iaa.annotators(iaa.from_wide(DISPUTED), interval=None, min_items=9)
        assert none.conclusion == "nobody"
        assert "farthest" not in none.attrs
        assert notes_of(none, "rows_left_out")[0].values["of"] == 3

    def test_leaning_where_the_interval_leaves_0_out(self) -> None:
        rows = [["x", "x", "y"]] * 30 + [["y", "y", "y"]] * 30 + [["x", "x", "x"]] * 5
        table = iaa.annotators(iaa.from_wide(rows), replicates=100)
        assert table.leans_to.values.tolist() == ["x", "x", "y"]
        np.testing.assert_allclose(table.leaning, [15 / 65, 15 / 65, 30 / 65])
        assert (table.bias_ci_low.sel(label="y").values[2] > 0).all()
        alone = iaa.annotators(iaa.from_wide(rows), interval=None)
        assert alone.leans_to.values.tolist() == ["", "", ""]
        assert np.isnan(alone.leaning).all()

    def test_annotators_that_many_replicates_miss(self) -> None:
        rows = [["a", "a", None], ["b", "b", None]] * 15 + [["a", "b", "a"], ["b", "b", "b"]]
        table = iaa.annotators(iaa.from_wide(rows), interval="bca", replicates=100)
        (note,) = notes_of(table, "often_without_items")
        assert (note.level, note.about) == ("caution", ("annotator 3",))
        kept = iaa.annotators(iaa.from_wide(rows), replicates=100, min_items=5)
        assert not notes_of(kept, "often_without_items")
        # a kappa of one label alone is undefined, whatever the number of items
        rows = [["a", "b", None], ["b", "b", None]] * 20 + [["a", "a", "a"]] * 40
        table = iaa.annotators(iaa.from_wide(rows), interval="bca", replicates=100)
        assert np.isnan(table.kappa.sel(annotator="annotator 3"))
        assert not notes_of(table, "often_without_items")

    def test_few_items_are_said(self) -> None:
        table = iaa.annotators(iaa.from_wide(DISPUTED), replicates=50)
        assert notes_of(table, "no_telling_item")
        assert not notes_of(iaa.annotators(iaa.from_wide(DISPUTED), interval=None))


class TestLabels:
    def test_the_lowest_label_and_the_confused_pairs(self) -> None:
        rows = [["a", "b"]] * 5 + [["a", "c"]] * 2 + [["b", "c"]] + [["c", "c"]] * 4
        table = iaa.labels(iaa.from_wide(rows), interval=None)
        assert table.conclusion == "disputed"
        assert (table.lowest_label, table.lowest_agreement, table.lowest_count) == ("a", 0, 7)
        assert table.lowest_from == 0  # only c has 10 ratings
        assert table.confused_pairs == 3
        # a and b alike at 0: the first
        assert table["rank"].values.tolist() == [1, 2, 3]

    def test_a_rare_label_is_not_the_lowest_where_others_are_frequent(self) -> None:
        rows = [["a", "a"]] * 8 + [["a", "b"]] * 2 + [["b", "b"]] * 5 + [["c", "a"]]
        table = iaa.labels(iaa.from_wide(rows), interval=None)
        assert float(table["specific_agreement"].sel(label="c")) == 0
        assert (table.lowest_label, table.lowest_from, table.lowest_count) == ("b", 10, 12)
        assert table.lowest_agreement == 10 / 12
        assert iaa.page(table).answer[0].code == "labels_disputed_often"
        said = "Too rare to be ranked: 'c'. 'c', used 1 time, looks worse than any that is ranked: "
        assert said + "0.000." in " ".join(str(iaa.page(table)).split())
        drawn = " ".join(str(iaa.page(iaa.labels(iaa.from_wide(rows)))).split())
        assert said + "0.000 (95 % interval 0.0" in drawn

    def test_where_only_a_rare_label_is_disputed_it_is_the_lowest(self) -> None:
        rows = [["a", "a"]] * 8 + [["b", "b"]] * 5 + [["c", "d"]]
        table = iaa.labels(iaa.from_wide(rows), interval=None)
        assert (table.conclusion, table.lowest_label, table.lowest_from) == ("disputed", "c", 0)

    def test_nobody_confuses_labels(self) -> None:
        table = iaa.labels(iaa.from_wide(UNANIMOUS), interval=None)
        assert (table.conclusion, table.confused_pairs) == ("unanimous", 0)
        assert notes_of(table, "no_label_confused")

    def test_what_is_noted_names_the_labels(self) -> None:
        rows = [["a", "a"]] * 20 + [["b", "b"]] * 20 + [["c", "a"]] * 3
        table = iaa.labels(iaa.from_wide(rows), replicates=60)
        (note,) = notes_of(table, "unanimous_by_prior")
        assert note.about == ("b",)

    def test_too_many_labels_for_their_pairs(self) -> None:
        codes = np.arange(310)
        ratings = iaa.from_wide(np.stack([codes, codes], axis=1))
        table = iaa.labels(ratings, "percent_agreement", interval=None)
        assert notes_of(table, "label_pairs_not_compared")[0].values == {"labels": 310}
        assert "pair" not in table.dims


class TestGroups:
    def test_where_it_is_lowest_and_highest(self) -> None:
        ratings = wide([["a", "a"], ["b", "b"], ["a", "b"], ["b", "a"], ["a", None]])
        ratings = ratings.assign_coords(batch=("item", ["x", "x", "y", "y", "z"]))
        groups = iaa.agreement_by(ratings, "batch", "percent_agreement", interval=None)
        assert groups.conclusion == "estimated"
        assert (groups.lowest_group, groups.lowest_estimate) == ("y", 0)
        assert (groups.highest_group, groups.highest_estimate) == ("x", 1)
        (note,) = notes_of(groups, "group_undefined")
        assert note.about == ("z",)
        assert note.values == {"reason": "no item has two ratings"}

    def test_several_coefficients_have_no_lowest_group(self) -> None:
        ratings = wide(random_rows(3)).assign_coords(batch=("item", np.arange(40) // 30))
        groups = iaa.agreement_by(
            ratings, "batch", ["percent_agreement", "fleiss_kappa"], replicates=50
        )
        assert groups.conclusion == "measured"
        assert "lowest_group" not in groups.attrs
        (note,) = notes_of(groups, "group_has_few_items")
        assert (note.level, note.about) == ("caution", ("1",))

    def test_groups_of_few_clusters_are_told(self) -> None:
        """As `iaa.agreement` of the group alone tells it, and on the page of `agree`, too."""
        by_doc = iaa.Sampling(cluster="doc")
        ratings = wide(random_rows(3)).assign_coords(
            batch=("item", ["x"] * 26 + ["y"] * 14),
            doc=("item", [*range(13), *range(13), *(20 + np.arange(14) // 2)]),
        )
        groups = iaa.agreement_by(ratings, "batch", "fleiss_kappa", sampling=by_doc)
        (note,) = notes_of(groups, "group_has_few_clusters")
        assert (note.level, note.about) == ("caution", ("y",))
        for group, codes in {"x": [], "y": ["few_clusters"]}.items():
            alone = iaa.agreement(
                ratings.isel(item=ratings.batch.values == group),
                "fleiss_kappa",
                sampling=by_doc,
            )
            assert [each.code for each in notes_of(alone, "few_clusters")] == codes
        found = iaa.agree(ratings, "fleiss_kappa", by="batch", sampling=by_doc)
        assert "batch y: fewer than 10 clusters" in " ".join(str(iaa.page(found)).split())

    def test_perfect_agreement_in_a_group(self) -> None:
        rows = [["a", "a"], ["b", "b"]] * 15 + [["a", "b"], ["b", "b"], ["a", "a"]] * 10
        ratings = wide(rows).assign_coords(batch=("item", np.arange(60) // 30))
        groups = iaa.agreement_by(ratings, "batch", "fleiss_kappa", replicates=50)
        (note,) = notes_of(groups, "unanimous_by_prior")
        assert note.about == ("0",)


def said_equal(page: iaa.Page) -> dict[str, object]:
    """How many equals a page tells of, by the code of the note."""
    notes = (note for note in notes_on(page) if note.code.startswith("equal_"))
    return {note.code: note.values["equal"] for note in notes}


@pytest.mark.parametrize(("rare", "above"), [(2, 1), (0, -1)])
def test_labels_that_are_confused_above_chance_stand_beside_frequent_ones(
    rare: int, above: int
) -> None:
    """Of 'a' and 'b' half of all ratings each are confused a bit; 'c' and 'd' are rare."""
    rows = [["a", "a"]] * 40 + [["b", "b"]] * 40 + [["a", "b"]] * 12
    rows += [["c", "d"]] * rare * 3 + [["c", "c"], ["d", "d"]] * 2
    table = iaa.labels(iaa.from_wide(rows), interval=None)
    assert table.confused_above_chance == above
    first, *_ = str(iaa.page(table)).split("\n\n")
    said = "'c' and 'd' most often of those above chance (33.3 %)"
    assert (said in " ".join(first.split())) is (rare > 0)
    assert float(table.confused_lift[0]) < 1


class TestEquals:
    """The first of several equals is named, and how many more there are."""

    def test_annotators_who_agree_as_little(self) -> None:
        table = iaa.annotators(
            iaa.from_wide([["a", "a", "b"], ["b", "a", "b"]] * 10), interval=None
        )
        assert table.agreement.values.tolist() == [0.5, 0.25, 0.25]
        assert (table.farthest, table.farthest_equal) == ("annotator 2", 1)
        assert said_equal(iaa.page(table)) == {"equal_annotators": 1}

    def test_labels_that_are_as_low_and_confused_as_often(self) -> None:
        table = iaa.labels(iaa.from_wide([["a", "b"], ["c", "d"], ["e", "e"]]), interval=None)
        assert (table.lowest_label, table.lowest_equal, table.confused_equal) == ("a", 3, 1)
        assert said_equal(iaa.page(table)) == {"equal_labels": 3, "equal_pairs": 1}

    def test_groups_that_are_as_low(self) -> None:
        ratings = iaa.from_wide([["a", "b"], ["b", "b"], ["a", "b"], ["b", "b"], ["a", "a"]])
        ratings = ratings.assign_coords(batch=("item", list("xxyyz")))
        groups = iaa.agreement_by(ratings, "batch", "percent_agreement", interval=None)
        assert (groups.lowest_equal, groups.highest_equal) == (1, 0)
        assert said_equal(iaa.page(groups)) == {"equal_groups": 1}
