"""Nothing of a table in Python is lost, merged or counted as what it is not, without a word."""

from __future__ import annotations

import enum
import unicodedata
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError
from tests.data.kinds import BIG
from tests.noted import cautioned, cautions_of

dask_frame = pytest.importorskip("dask.dataframe")

CODES = [[BIG, BIG + 1], [BIG, BIG], [BIG + 1, BIG + 1], [BIG, BIG], [BIG + 1, BIG + 1]]
PLAIN = [["a" if cell == BIG else "b" for cell in row] for row in CODES]


def alpha(ratings: xr.Dataset) -> float:
    return float(iaa.krippendorff_alpha(ratings, interval=None)["estimate"])


def notices(ratings: xr.Dataset) -> list[str]:
    return str(ratings.attrs.get("notices", "")).splitlines()


def long(labels: Any, items: Any = None, annotators: Any = None) -> dict[str, Any]:
    """Two ratings of each item."""
    count = len(labels) // 2
    return {
        "item": [i for i in range(count) for _ in range(2)] if items is None else items,
        "annotator": ["ann", "bob"] * count if annotators is None else annotators,
        "label": labels,
    }


class TestLongNumbers:
    @pytest.mark.parametrize("dtype", ["Int64", "UInt64", "int64[pyarrow]", "int64", "object"])
    def test_robustness_A1_codes_stay_apart(self, dtype: str) -> None:
        frame = pd.DataFrame(CODES, columns=["x", "y"]).astype(dtype)
        assert alpha(iaa.from_wide(frame)) == alpha(iaa.from_wide(PLAIN)) != 1
        flat = [cell for row in CODES for cell in row]
        table = pd.DataFrame(long(flat)).astype({"label": dtype})
        assert alpha(iaa.from_long(table)) == alpha(iaa.from_wide(PLAIN))

    def test_robustness_A1_codes_beside_other_types(self) -> None:
        frame = pd.DataFrame(CODES, columns=["x", "y"])
        for other in (np.uint64(5), 0.5, "z"):
            beside = frame.assign(z=[other, None, None, None, None])
            ratings = iaa.from_wide(beside)
            assert {str(BIG), str(BIG + 1)} < {*ratings["label"].values.tolist()}
        ratings = iaa.from_wide(frame.astype({"y": np.uint64}))
        assert ratings["label"].values.tolist() == [str(BIG), str(BIG + 1)]

    @pytest.mark.parametrize("make", [np.array, pd.DataFrame, lambda table: table])
    def test_robustness_A1_what_floats_have_mixed_up_is_refused(
        self, make: Callable[..., Any]
    ) -> None:
        """A gap makes floats of whole numbers where pandas reads a file."""
        table = make([[float(BIG), 1.0], [float(BIG + 1), float(BIG)]])
        with pytest.raises(
            IaaError, match=r"3 ratings with a whole number that floats cannot hold"
        ):
            iaa.from_wide(table)
        with pytest.raises(IaaError, match=r"at item 0.*the type 'Int64'"):
            iaa.from_wide(table)
        assert iaa.from_values(table)["value"].values[0, 1] == 1.0

    def test_robustness_A1_ids_that_floats_have_mixed_up_are_refused(self) -> None:
        for name in ("items", "annotators"):
            ids = [float(BIG), float(BIG), float(BIG + 1000), float(BIG + 1000)]
            with pytest.raises(IaaError, match="2 ids that floats cannot hold exactly"):
                iaa.from_long(long([1, 2, 1, 1], **{name: ids}))
        frame = pd.DataFrame([[1, 2], [1, 1]], index=[1e20, 2e20])
        with pytest.raises(IaaError, match="2 ids that floats cannot hold exactly"):
            iaa.from_wide(frame)

    def test_labels_that_are_large_floats_but_no_codes(self) -> None:
        assert iaa.from_wide([[1e300, 0.5], [0.5, 0.5]])["label"].values.tolist() == [0.5, 1e300]

    @pytest.mark.parametrize(
        "frame",
        [
            long([BIG, BIG + 1, BIG, None]),
            [dict(zip(long([1, 1]), row, strict=True)) for row in
             zip(*long([BIG, BIG + 1, BIG, None]).values(), strict=True)],
        ],
    )  # fmt: skip
    def test_whole_numbers_beside_a_gap_in_lists(self, frame: Any) -> None:
        assert iaa.from_long(frame)["label"].values.tolist() == [str(BIG), str(BIG + 1)]


class TestTables:
    @pytest.mark.parametrize("make", [iaa.from_wide, iaa.from_values])
    @pytest.mark.parametrize("library", [pa.table, pl.DataFrame])
    def test_robustness_A2_tables_are_taken_by_rows(
        self, make: Callable[..., Any], library: Callable[..., Any]
    ) -> None:
        columns = {"ann": [1, 2, 1, 1, 2], "bob": [1, 2, 2, 1, 1]}
        ratings = make(library(columns))
        assert dict(ratings.sizes)["item"] == 5
        assert ratings["annotator"].values.tolist() == ["ann", "bob"]
        assert alpha(ratings) == alpha(make(pd.DataFrame(columns)))

    def test_a_table_of_arrow_keeps_the_index_of_pandas(self) -> None:
        frame = pd.DataFrame({"ann": ["x", "y"], "bob": ["x", "x"]}, index=["t1", "t2"])
        assert iaa.from_wide(pa.Table.from_pandas(frame)).identical(iaa.from_wide(frame))

    def test_an_index_is_named_where_a_column_is_wanted(self) -> None:
        frame = pd.DataFrame(long(["x", "y"])).set_index(["item", "annotator"])
        with pytest.raises(IaaError, match=r"'item'.*it is in the index: give frame.reset_index"):
            iaa.from_long(frame)

    def test_ids_of_other_frames_are_named_by_way_of_pandas(self) -> None:
        frame = pl.DataFrame({"id": ["a", "b", "c"], "ann": [1, 2, 1], "bob": [1, 2, 2]})
        with pytest.raises(IaaError, match="'id', where every item has a different value"):
            iaa.from_wide(frame)

    @pytest.mark.parametrize("dims", [("rater", "unit"), ("annotator", "item"), ("x", "item")])
    def test_dimensions_that_say_which_is_which(self, dims: tuple[str, str]) -> None:
        turned = xr.DataArray([["x", "x", "y"], ["x", "y", "y"]], dims=dims)
        assert iaa.from_wide(turned).sizes["item"] == 3

    def test_ratings_are_no_table(self) -> None:
        with pytest.raises(IaaError, match="holds ratings already"):
            iaa.from_long(iaa.from_wide([["a", "b"], ["a", "a"]]))


class TestTotals:
    RATINGS = pd.DataFrame({"ann": list("xxxxyyyz"), "bob": list("xxxyyyyz")})

    @pytest.mark.parametrize("name", ["All", "Total", "Summe", "grand total", "Row Totals:", "Σ"])
    def test_robustness_A4_margins_of_a_crosstab(self, name: str) -> None:
        ann, bob = self.RATINGS["ann"], self.RATINGS["bob"]
        table = pd.crosstab(ann, bob, margins=True, margins_name=name)
        with pytest.raises(IaaError) as caught:
            iaa.from_contingency(table)
        assert f"row '{name}' and column '{name}' hold the totals of the others" in str(
            caught.value
        )
        assert "leave them out" in str(caught.value)
        without = iaa.from_contingency(table.drop(index=name, columns=name))
        assert without.identical(iaa.from_contingency(pd.crosstab(ann, bob)))
        for part in (table.drop(columns=name), table.drop(index=name)):
            with pytest.raises(IaaError, match=r"holds the totals of the others.* leave it out"):
                iaa.from_contingency(part)

    def test_robustness_A4_totals_of_counts(self) -> None:
        counts = pd.DataFrame({"no": [2, 0, 1], "yes": [1, 3, 2]}, index=["t1", "t2", "t3"])
        with_row = pd.concat([counts, counts.sum().to_frame("Summe").T])
        with pytest.raises(IaaError, match=r"^row 'Summe' holds the totals of the others"):
            iaa.from_counts(with_row)
        with pytest.raises(IaaError, match=r"^column 'total' holds the totals of the others"):
            iaa.from_counts(counts.assign(total=counts.sum(axis=1)))
        assert not notices(iaa.from_counts(counts))

    def test_robustness_A4_sums_without_such_a_name_are_noted(self) -> None:
        table = np.array([[20, 5, 25], [10, 15, 25], [30, 20, 50]])
        assert notices(iaa.from_contingency(table)) == [
            "the last row and column equal the sums of the others, and were read like the others; "
            "if they hold totals, leave them out"
        ]
        counts = [[2, 1, 0, 3], [0, 1, 2, 3], [1, 1, 1, 3], [1, 2, 0, 3]]
        assert "the last column equals the sums" in notices(iaa.from_counts(counts))[0]
        assert not notices(iaa.from_contingency([[5, 5], [5, 5]]))
        assert not notices(iaa.from_counts([[1, 1], [2, 2], [1, 1]]))
        assert not notices(iaa.from_contingency(table[:2, :2]))

    def test_robustness_A4_a_label_that_is_truly_called_so(self) -> None:
        table = pd.DataFrame([[5, 1], [2, 4]], index=["none", "all"], columns=["none", "all"])
        ratings = iaa.from_contingency(table)
        assert ratings["label"].values.tolist() == ["none", "all"]
        assert "'all' is named like totals" in "".join(notices(ratings))


class TestNames:
    @pytest.mark.parametrize("axis", ["items", "annotators"])
    @pytest.mark.parametrize("pair", [(1, "1"), (1.5, "1.5")])
    def test_robustness_A8_ids_of_one_name(self, axis: str, pair: tuple[Any, Any]) -> None:
        ids = [pair[0], pair[0], pair[1], pair[1]]
        others = (
            {"annotators": ["a", "b", "a", "b"]} if axis == "items" else {"items": [1, 2, 1, 2]}
        )
        noun = axis[:-1]
        with pytest.raises(IaaError, match=rf"1 {noun} name occurring more than once: '{pair[1]}'"):
            iaa.from_long(long(["x", "y", "x", "x"], **{axis: ids}, **others))

    def test_robustness_A8_one_rule_for_all(self) -> None:
        cells = [[1, 2], [2, 1]]
        words = "1 item name occurring more than once: '1'"
        with pytest.raises(IaaError, match=words):
            iaa.from_wide(pd.DataFrame(cells, index=[1, "1"]))
        with pytest.raises(IaaError, match=words):
            iaa.from_values(pd.DataFrame(cells, index=[1, "1"]))
        with pytest.raises(IaaError, match=words):
            iaa.from_counts(pd.DataFrame(cells, index=[1, "1"]))
        with pytest.raises(IaaError, match=words):
            iaa.from_mass([[[1, 0], [1, 0]]] * 2, items=[1, "1"])
        span = {"a": [(0, 1, "X")], "b": []}
        with pytest.raises(IaaError, match="1 document name occurring more than once: '1'"):
            iaa.from_spans({1: span, "1": span})
        with pytest.raises(IaaError, match="1 annotator name occurring more than once: '1'"):
            iaa.from_spans({"d": {1: [(0, 1, "X")], "1": []}})

    def test_robustness_A8_categories_of_one_name(self) -> None:
        ids = pd.Categorical([1, 1, "1", "1"])
        with pytest.raises(IaaError, match="1 item name occurring more than once: '1'"):
            iaa.from_long(pd.DataFrame(long(["x", "y", "x", "x"], items=ids)))

    def test_robustness_A8_true_is_another_name_than_1(self) -> None:
        ratings = iaa.from_long(long(["x", "x", "y", "x"], items=[True, True, 1, 1]))
        assert ratings["item"].values.tolist() == ["True", "1"]
        assert ratings["primary"].values.tolist() == [[0, 0], [1, 0]]

    def test_robustness_A8_ids_of_several_columns(self) -> None:
        table = {
            "text": ["a | b", "a | b", "a", "a"],
            "part": ["c", "c", "b | c", "b | c"],
            "annotator": ["x", "y", "x", "y"],
            "label": [1, 2, 1, 1],
        }
        with pytest.raises(IaaError, match=r"1 item name occurring more than once: 'a | b | c'"):
            iaa.from_long(table, item=["text", "part"])

    @pytest.mark.parametrize("nothing", [None, np.nan, pd.NA, pd.NaT])
    def test_rows_and_columns_without_a_name(self, nothing: Any) -> None:
        cells = [["x", "y"], ["x", "x"]]
        with pytest.raises(IaaError, match=r"1 item without a name \(None or NaN\), at position 2"):
            iaa.from_wide(pd.DataFrame(cells, index=pd.Index(["t", nothing], dtype=object)))
        with pytest.raises(IaaError, match="1 annotator without a name"):
            iaa.from_wide(pd.DataFrame(cells, columns=pd.Index(["a", nothing], dtype=object)))

    @pytest.mark.parametrize("zone", [None, "Europe/Berlin"])
    def test_times_as_names(self, zone: str | None) -> None:
        days = pd.to_datetime(["2020-01-02", "2020-01-03"]).tz_localize(zone)
        for index in (days, days.astype(object)):
            ratings = iaa.from_wide(pd.DataFrame([["x", "y"], ["x", "x"]], index=index))
            assert ratings["item"].values.tolist() == [str(day) for day in days]
        both = pd.MultiIndex.from_arrays([days, ["a", "b"]])
        ratings = iaa.from_wide(pd.DataFrame([["x", "y"], ["x", "x"]], index=both))
        assert ratings["item"].values.tolist() == [f"{days[0]} | a", f"{days[1]} | b"]

    def test_names_that_are_lists(self) -> None:
        with pytest.raises(IaaError, match="column 'item' of items holds lists"):
            iaa.from_long(long(["x", "y"], items=[["a"], ["a"]]))


class TestTruths:
    @pytest.mark.parametrize(
        "table",
        [
            pd.DataFrame({"a": [True, False, True, True], "b": [1, 0, 0, 1]}),
            pd.DataFrame(
                {"a": pd.array([True, False, True, True], "boolean"), "b": [1.0, 0, 0, 1]}
            ),
            [[True, 1], [False, 0], [True, 0], [True, 1]],
            np.array([[True, 1], [False, 0], [True, 0], [True, 1]], dtype=object),
        ],
    )
    def test_robustness_A10_true_and_false_beside_1_and_0(self, table: Any) -> None:
        ratings = iaa.from_wide(table)
        assert ratings["label"].values.tolist() == [0, 1]
        assert ratings["primary"].values.tolist() == [[1, 1], [0, 0], [1, 0], [1, 1]]
        assert cautioned(ratings) == ["truths_as_numbers"]

    def test_robustness_A10_in_rows_of_ratings(self) -> None:
        ratings = iaa.from_long(long([True, 1, False, 0, 1, False]))
        assert ratings["primary"].values.tolist() == [[1, 1], [0, 0], [1, 0]]
        assert len(notices(ratings)) == 1
        declared = iaa.from_long(long([True, 1, False, 0, 1, False]), labels=[0, 1])
        assert declared["primary"].values.tolist() == [[1, 1], [0, 0], [1, 0]]
        assert not notices(declared)

    def test_truths_alone_are_text(self) -> None:
        ratings = iaa.from_wide([[True, False], [True, True]])
        assert ratings["label"].values.tolist() == ["False", "True"]
        assert not notices(ratings)


class TestNotices:
    def test_robustness_A11_labels_and_ids_that_hardly_differ(self) -> None:
        composed = [unicodedata.normalize(form, "caf\u00e9") for form in ("NFC", "NFD")]
        ratings = iaa.from_long(
            long(["x", "y"] * 2, items=[composed[0], composed[0], composed[1], composed[1]])
        )
        assert notices(ratings)[0] == (
            "1 group of item ids differs only in Unicode form ('caf\u00e9' and 'cafe\\u0301') and "
            "counts as different items; to merge them, write them in the same way in the data"
        )
        (blanks,) = cautions_of(iaa.from_wide([["x", " x"], ["y", "x"], ["y", "y"]]))
        assert blanks.code == "labels_alike"
        assert [note.values for note in blanks.values["example"]] == [
            {"label": " x", "ratings": 1},
            {"label": "x", "ratings": 2},
        ]

    @pytest.mark.parametrize("make", ["wide", "long", "sets"])
    def test_robustness_A11_words_for_no_rating(self, make: str) -> None:
        table = [["NaN", "x"], ["x", "x"], ["y", "x"]]
        ratings = {
            "wide": lambda: iaa.from_wide(table),
            "long": lambda: iaa.from_long(long([cell for row in table for cell in row])),
            "sets": lambda: iaa.from_sets([[[cell] for cell in row] for row in table]),
        }[make]()
        assert cautioned(ratings) == ["gaps_as_labels"]
        assert not notices(iaa.from_wide(table, labels=["x", "y", "NaN"]))

    def test_robustness_A11_an_ordered_categorical_orders_its_labels(self) -> None:
        scale = pd.CategoricalDtype(["low", "mid", "high", "top"], ordered=True)
        cells = {"ann": ["low", "high", "mid"], "bob": ["low", "high", "high"]}
        frame = pd.DataFrame(cells, dtype=scale)
        declared = iaa.from_wide(pd.DataFrame(cells), labels=list(scale.categories))
        assert iaa.from_wide(frame).identical(declared)
        assert iaa.from_wide(frame)["label"].values.tolist() == ["low", "mid", "high", "top"]
        ordinal = iaa.krippendorff_alpha(iaa.from_wide(frame), level="ordinal", interval=None)
        wanted = iaa.krippendorff_alpha(declared, level="ordinal", interval=None)
        assert float(ordinal["estimate"]) == float(wanted["estimate"])
        enum = pl.Enum(["low", "mid", "high", "top"])
        assert iaa.from_wide(pl.DataFrame(cells, schema=dict.fromkeys(cells, enum))).identical(
            declared
        )
        flat = pd.DataFrame(long(["low", "low", "high", "high", "mid", "high"]))
        of_rows = iaa.from_long(flat.astype({"label": scale}))
        assert of_rows["label"].values.tolist() == ["low", "mid", "high", "top"]
        assert of_rows.attrs["labels_ordered"] == of_rows.attrs["labels_declared"] == 1

    def test_robustness_A11_ordered_categories_elsewhere(self) -> None:
        scale = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
        frame = pd.DataFrame({"ann": ["low", "high"], "bob": ["low", "mid"]}, dtype=scale)
        table = pd.crosstab(frame["ann"], frame["bob"], dropna=False)
        assert iaa.from_contingency(table)["label"].values.tolist() == ["low", "mid", "high"]
        assert iaa.from_contingency(table).attrs["labels_ordered"] == 1
        counts = pd.DataFrame(
            [[2, 0, 1]], columns=pd.CategoricalIndex(scale.categories, dtype=scale)
        )
        assert iaa.from_counts(counts).attrs["labels_ordered"] == 1
        spans = pd.DataFrame(
            {"document": 1, "annotator": ["a", "b"], "start": 0, "end": 1,
             "label": pd.array(["high", "low"], dtype=scale)}
        )  # fmt: skip
        assert iaa.from_spans(spans)["label"].values.tolist() == ["low", "mid", "high"]

    def test_orders_that_do_not_fit(self) -> None:
        up, down = (
            pd.CategoricalDtype(order, ordered=True) for order in (["low", "high"], ["high", "low"])
        )
        frame = pd.DataFrame(
            {"a": pd.array(["low", "high"], dtype=up), "b": pd.array(["low", "high"], dtype=down)}
        )
        with pytest.raises(
            IaaError, match=r"have different orders.* declare labels in their order"
        ):
            iaa.from_wide(frame)
        assert iaa.from_wide(frame, labels=["low", "high"]).sizes["label"] == 2

    def test_intervals_of_a_cut_are_in_their_order(self) -> None:
        numbers = pd.DataFrame({"a": [1, 7, 15], "b": [2, 12, 16]})
        cut = numbers.apply(lambda column: pd.cut(column, [0, 5, 10, 20]))
        assert iaa.from_wide(cut)["label"].values.tolist() == ["(0, 5]", "(5, 10]", "(10, 20]"]

    def test_categories_that_nobody_chose(self) -> None:
        kind = pd.CategoricalDtype(["x", "y", "z"])
        frame = pd.DataFrame({"a": ["x", "y"], "b": ["x", "x"]}, dtype=kind)
        ratings = iaa.from_wide(frame)
        assert ratings["label"].values.tolist() == ["x", "y"]
        (unused,) = cautions_of(ratings)
        assert (unused.code, unused.values["labels"]) == ("unused_categories", ["z"])
        assert not notices(iaa.from_wide(frame, labels=["x", "y", "z"]))

    def test_tables_that_may_stand_the_other_way_round(self) -> None:
        cells = [["x", "y", "x"], ["x", "x", "x"]]
        columns = ["item 1", "item 2", "item 3"]
        frame = pd.DataFrame(cells, index=["ann", "bob"], columns=columns)
        assert cautioned(iaa.from_wide(frame)) == ["columns_of_items"]
        named = pd.DataFrame(cells, index=pd.Index(["ann", "bob"], name="annotator"))
        assert cautioned(iaa.from_wide(named)) == ["rows_of_annotators"]

    def test_notes_are_in_the_results(self) -> None:
        ratings = iaa.from_wide([["NaN", "x"], ["x", "x"], ["y", "x"]])
        page = str(iaa.page(iaa.krippendorff_alpha(ratings, interval=None)))
        assert "may mean 'not rated'" in page


class TestPartitions:
    """Frames of Dask, which go another way."""

    SCALE = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)

    def frame(self, table: Any) -> Any:
        return dask_frame.from_pandas(pd.DataFrame(table), npartitions=2, sort=False)

    def test_robustness_A11_notices(self) -> None:
        rows = long(["NaN", "x", "x", "x", "y", "x"])
        assert notices(iaa.from_dask(self.frame(rows))) == [
            "'NaN' (1 rating) may mean 'not rated' and was read as a label; if so, write None "
            "instead"
        ]

    def test_robustness_A11_an_ordered_categorical(self) -> None:
        rows = pd.DataFrame(long(["low", "low", "high", "low"]))
        frame = self.frame(rows.astype({"label": self.SCALE}))
        assert iaa.from_dask(frame)["label"].values.tolist() == ["low", "mid", "high"]
        assert iaa.from_dask(frame).attrs["labels_ordered"] == 1
        unknown = frame.assign(label=frame["label"].cat.as_unknown())
        with pytest.raises(IaaError, match=r"give frame\.categorize\(columns=\['label'\]\)"):
            iaa.from_dask(unknown)
        assert iaa.from_dask(unknown, labels=["low", "high"]).sizes["label"] == 2

    def test_robustness_A12_idle_annotators(self) -> None:
        rows = long(["x", "y", None, "x", "x"], [1, 1, 1, 2, 2], ["a", "b", "c", "a", "b"])
        found = iaa.agreement(iaa.from_dask(self.frame(rows)), interval=None)
        assert "cohen_kappa" in found["coefficient"].values


class TestExceptions:
    @pytest.mark.parametrize(
        "make",
        [
            lambda text: iaa.from_wide([[text, "x"], ["x", "x"]]),
            lambda text: iaa.from_long(long([text, "x"])),
            lambda text: iaa.from_long(long(["x", "y"], items=[text, text])),
            lambda text: iaa.from_long(long(["x", "y"], annotators=[text, "b"])),
            lambda text: iaa.from_sets([[[text], ["x"]]]),
            lambda text: iaa.from_counts([[1, 2]], labels=[text, "x"]),
            lambda text: iaa.from_contingency([[1, 2], [2, 1]], labels=[text, "x"]),
            lambda text: iaa.from_mass([[[1, 0], [0, 1]]], labels=[text, "x"]),
            lambda text: iaa.from_mass([[[1, 0], [0, 1]]], annotators=[text, "x"]),
            lambda text: iaa.from_ranked([[[text], ["x"]]], p=0.6),
            lambda text: iaa.from_spans({"d": {"a": [(0, 1, text)], "b": []}}),
            lambda text: iaa.from_spans({text: {"a": [(0, 1, "X")], "b": []}}),
            lambda text: iaa.from_wide([["x", "y"], ["x", "x"]], labels=["x", "y", text]),
        ],
    )
    @pytest.mark.parametrize("text", ["\ud800", "a\udc00b"])
    def test_robustness_C17_half_a_pair_of_surrogates(
        self, make: Callable[[str], Any], text: str
    ) -> None:
        with pytest.raises(IaaError, match=r"is no valid text, because it holds a lone"):
            make(text)

    @pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
    def test_robustness_C18_a_matrix(self) -> None:
        cells = [[1, 2], [1, 1], [2, 2]]
        assert iaa.from_wide(np.matrix(cells)).identical(iaa.from_wide(cells))
        assert iaa.from_values(np.matrix(cells)).identical(iaa.from_values(cells))
        assert iaa.from_counts(np.matrix(cells)).identical(iaa.from_counts(cells))

    @pytest.mark.parametrize("labels", [5, {"x", "y"}, frozenset("xy"), b"xy", object()])
    def test_labels_that_are_no_list(self, labels: Any) -> None:
        for make in (
            lambda: iaa.from_wide([["x", "y"], ["x", "x"]], labels=labels),
            lambda: iaa.from_counts([[1, 2]], labels=labels),
            lambda: iaa.from_mass([[[1, 0], [0, 1]]], labels=labels),
        ):
            with pytest.raises(IaaError, match=r"labels=? must be a list of labels"):
                make()

    @pytest.mark.parametrize(
        "labels", [np.array([2, 1]), pd.Series([2, 1]), pl.Series([2, 1]), pa.array([2, 1]), (2, 1),
                   {2: "", 1: ""}.keys(), pd.Index([2, 1])],
    )  # fmt: skip
    def test_lists_of_labels_of_every_kind(self, labels: Any) -> None:
        assert iaa.from_wide([[1, 2], [1, 1]], labels=labels)["label"].values.tolist() == [2, 1]
        assert iaa.from_counts([[1, 2]], labels=labels)["label"].values.tolist() == [2, 1]


class Colour(str, enum.Enum):  # noqa: UP042 (its text is no value)
    RED = "red"


class TestSingleValues:
    @pytest.mark.parametrize(
        ("cells", "labels"),
        [
            ([Decimal(BIG), Decimal(BIG + 1)], [str(BIG), str(BIG + 1)]),
            ([Fraction(BIG), Fraction(BIG + 1)], [str(BIG), str(BIG + 1)]),
            ([Decimal("0.1"), 0.1], [0.1]),
            ([Decimal("1.0"), 1], [1]),
            (
                [Decimal("0.1"), Decimal("0.10000000000000000001")],
                ["0.1", "0.10000000000000000001"],
            ),
            ([np.str_("a"), "a"], ["a"]),
            ([Colour.RED, "red"], ["red"]),
            (["red", Colour.RED], ["red"]),
            ([-0.0, 0], [0]),
            ([1.0, 1], [1]),
            ([1, "1"], ["1"]),
            (
                [np.datetime64("2020-01-02", "ns"), pd.Timestamp("2020-01-02")],
                ["2020-01-02 00:00:00"],
            ),
            ([np.timedelta64(1, "ns"), pd.Timedelta(1)], ["0 days 00:00:00.000000001"]),
            ([np.longdouble(1.5), 1.5], [1.5]),
        ],
    )  # fmt: skip
    def test_what_a_value_is_called(self, cells: list[Any], labels: list[Any]) -> None:
        table = np.empty((1, 2), dtype=object)
        table[0] = cells
        assert iaa.from_wide(table)["label"].values.tolist() == labels
        assert iaa.from_long(long(cells))["label"].values.tolist() == labels

    def test_short_floats_beside_long_ones(self) -> None:
        frame = pd.DataFrame({"a": np.array([0.1, 0.7], np.float32), "b": [0.1, 0.7]})
        assert iaa.from_wide(frame)["label"].values.tolist() == [0.1, 0.7]
        objects = [[np.float32(0.1), 0.1], [np.float16(0.7), Decimal("0.7")]]
        assert iaa.from_wide(objects)["label"].values.tolist() == [0.1, 0.7]
        short = frame.astype(np.float32)
        assert iaa.from_wide(short)["label"].values.tolist() == [0.1, 0.7]

    @pytest.mark.parametrize(
        "numbers",
        [
            np.array([[2**60, 2**60 + 1], [2**60 + 5, 2**60]]),
            [[2**53 + 1, 1], [2, 3]],
            [[10**400, 1], [2, 3]],
        ],
    )
    def test_whole_numbers_that_floats_do_not_hold_are_no_values(self, numbers: Any) -> None:
        with pytest.raises(IaaError, match=r"floats cannot hold exactly: .* subtract the same"):
            iaa.from_values(numbers)
        held = iaa.from_values([[2**60, 2**53], [2**54, 10]])["value"].values
        assert held.tolist() == [[2.0**60, 2.0**53], [2.0**54, 10.0]]

    @pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT, np.datetime64("NaT")])
    def test_what_is_missing_has_no_label(self, missing: Any) -> None:
        ratings = iaa.from_wide([["x", missing, "y"], ["x", "x", None]])
        assert ratings["label"].values.tolist() == ["x", "y"]
        assert ratings["primary"].values.tolist() == [[0, -1, 1], [0, 0, -1]]

    @pytest.mark.parametrize("cells", [[b"yes", "yes"], [b"yes", b"no"], [b"a", 1]])
    def test_bytes_are_no_text(self, cells: list[Any]) -> None:
        for make in (
            lambda: iaa.from_wide([cells]),
            lambda: iaa.from_long(long(cells)),
            lambda: iaa.from_long(long(["x", "y"], annotators=cells)),
        ):
            with pytest.raises(IaaError, match="is bytes and no text: decode"):
                make()
        with pytest.raises(IaaError, match="is bytes and no text: decode"):
            iaa.from_wide(np.array([[b"yes", b"no"], [b"no", b"no"]]))

    @pytest.mark.parametrize("make", [list, np.array, set])
    def test_several_values_are_no_label(self, make: Callable[..., Any]) -> None:
        for call in (
            lambda: iaa.from_wide([["x", "y"], ["x", "x"]], labels=[make(["x"]), "y"]),
            lambda: iaa.from_wide([[make(["x"]), "y"], ["x", "x"]]),
            lambda: iaa.from_wide(pd.DataFrame({"a": [make(["x"])] * 3, "b": ["x", "y", "z"]})),
        ):
            said = "a label must be a single value|is a list itself"
            with pytest.raises(IaaError, match=said):
                call()

    def test_numbers_that_nobody_can_write(self) -> None:
        with pytest.raises(IaaError, match="more digits than Python converts"):
            iaa.from_wide([[10**5000, 1], [1, 1]])
        with pytest.raises(IaaError, match="items must name each of 1 item, and this is 5"):
            iaa.from_mass([[[1, 0], [0, 1]]], items=5)  # type: ignore[arg-type]

    def test_scalars_of_arrow_are_no_values(self) -> None:
        with pytest.raises(IaaError, match="is a scalar of Arrow"):
            iaa.from_wide([[pa.scalar(1), pa.scalar(2)]])

    def test_rows_of_no_status_are_seen(self) -> None:
        columns = {
            "document": ["d"] * 3, "annotator": ["a", "b", "c"], "start": [0, 0, 0],
            "end": [1, 1, 1], "label": ["X"] * 3, "status": ["done", None, "skipped"],
        }  # fmt: skip
        for frame in (pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns)):
            assert iaa.from_spans(frame)["annotator"].values.tolist() == ["a", "b"]
