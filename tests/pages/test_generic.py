"""Pages of results that need no words of their own."""

from __future__ import annotations

import numpy as np
import xarray as xr

import iaa_jax as iaa
from iaa_jax.pages.blocks import Facts
from iaa_jax.pages.generic import generic_page
from iaa_jax.wording import Note
from iaa_jax.wording.figures import ENDS, Figure


def test_figures_along_two_axes() -> None:
    ratings = iaa.from_wide([["a", "a"]] * 9 + [["a", "b"]] * 4 + [["b", "b"]] * 7)
    drawn = iaa.bootstrap(ratings, ["scott_pi", "gwet_ac1"], replicates=50)
    result = iaa.bootstrap.probability_above(drawn, [0.1, 0.3, 0.9])
    (table,) = (table for table in iaa.page(result).tables if table.id == "probability")
    assert table.columns[0].values.tolist() == [0.1, 0.3, 0.9]
    figures = np.column_stack([column.values for column in table.columns[1:]])
    np.testing.assert_array_equal(figures, result.probability.values)
    assert "gwet_ac1" in str(iaa.page(result))


def test_what_has_no_room_is_named() -> None:
    far = xr.Dataset({"far_figures": (("x", "y"), np.zeros((30, 30)))}, attrs={"made_by": "made"})
    assert "Only in the result: far figures." in str(generic_page(far, {}))


def declared_result(conclusion: str) -> xr.Dataset:
    share = ("label", np.array([0.25, 0.75]))
    return xr.Dataset(
        {
            "share_ci_low": share,
            "share_ci_high": share,
            "other": share,
            "share": share,
            "count": ("label", np.array([1, 3])),
            "count_of_all": 4,
            "further": 0.123456,
        },
        {"label": np.array(["x", "y"], dtype=object)},
        {"made_by": "made", "conclusion": conclusion, "confidence": 0.9},
    )


FIGURES = {
    "labels": (
        Figure("count", "ratings with the label", "count", "Ratings"),
        Figure("share", "of all", "share", "Share", beside=ENDS),
    ),
    "": (Figure("count_of_all", "all ratings", "count", "Of all"),),
    "others": (Figure("count", "of something else", "short", "Else"),),
}
"""By part of the record; "count" stands in two."""


def test_declared_figures_have_their_order_headings_and_kinds() -> None:
    page = generic_page(declared_result("found"), {}, FIGURES)
    (table,) = page.tables
    assert [(column.key, column.kind) for column in table.columns] == [
        ("label", "label"),
        ("count", "count"),
        ("share", "share"),
        ("share_ci", "share_interval"),
        ("other", "estimate"),
    ]
    interval_attrs = Note("interval_heading", {"confidence": 0.9})
    headings = [column.heading for column in table.columns]
    assert headings == ["label", "Ratings", "Share", interval_attrs, "other"]
    (facts,) = (block for block in page.blocks if isinstance(block, Facts))
    assert facts.rows == [("Of all", "4"), ("further", "0.1235")]


def test_the_conclusion_is_the_answer_where_there_are_words_for_it() -> None:
    words = {"found": "Of {count_of_all:count rating}.", "lost": "Nothing on {elsewhere:name}."}
    page = generic_page(declared_result("found"), words, FIGURES)
    assert [note.code for note in page.answer] == ["found"]
    assert "Of 4 ratings." in str(page)
    # without words, and where the result lacks what they are about
    assert generic_page(declared_result("other"), words).answer == []
    assert generic_page(declared_result("lost"), words).answer == []
