"""Agreement on labels where items differ in their number of ratings: by pairs, or by ratings."""

from __future__ import annotations

import numpy as np
import pytest

import iaa_jax as iaa
from tests.noted import notes_of


def crowd(heavy: int, of_heavy: int) -> dict[str, list[object]]:
    """300 items of three ratings, and a few of very many, on which all but one agree."""
    rows = [(f"h{i}", f"w{a}", "yes" if a else "no") for i in range(heavy) for a in range(of_heavy)]
    rows += [
        (f"i{i}", f"w{a}", "yes" if (i + a) % 3 else "no") for i in range(300) for a in (1, 2, 3)
    ]
    return dict(
        zip(("item", "annotator", "label"), map(list, zip(*rows, strict=True)), strict=True)
    )


class TestHeavyItems:
    def test_a_few_heavy_items_do_not_decide(self) -> None:
        ratings = iaa.from_long(crowd(2, 200))
        found, by_pairs, of_ratings = (
            iaa.specific_agreement(ratings, average=weighting, interval=None)
            for weighting in ("auto", "pairs", "ratings")
        )
        assert found.estimate.values.tolist() == of_ratings.estimate.values.tolist()
        assert by_pairs.estimate.values[1] > found.estimate.values[1] + 0.2
        (note,) = notes_of(found, "counted_by_ratings")
        assert (note.values["heavy"], note.values["items"]) == (2, 302)
        assert by_pairs.note.values[1] == ""

    def test_pairs_count_where_they_are_spread_like_ratings(self) -> None:
        ratings = iaa.from_long(crowd(30, 5))
        found, by_pairs = (
            iaa.specific_agreement(ratings, average=weighting, interval=None)
            for weighting in ("auto", "pairs")
        )
        assert found.estimate.values.tolist() == by_pairs.estimate.values.tolist()
        assert found.note.values[1] == ""

    def test_all_tables_of_labels_agree(self) -> None:
        ratings = iaa.from_long(crowd(2, 200))
        found = iaa.specific_agreement(ratings, interval=None).estimate.values
        table = iaa.labels(ratings, interval=None)
        np.testing.assert_allclose(table.specific_agreement.values, found, rtol=1e-12)
        alone = iaa.per_label(ratings, "specific_agreement", interval=None)
        np.testing.assert_allclose(np.ravel(alone.estimate.values), found, rtol=1e-12)
        assert "- Specific agreement: 2 of 302 items hold half" in str(iaa.page(table))

    def test_very_many_labels_on_an_item_of_a_crowd(self) -> None:
        """Numbers of rows as labels: nothing is laid out for all pairs of ratings."""
        rows = 6000 + 2 * 3000
        items = [0] * 400 + [1 + k // 2 for k in range(rows - 400)]
        cells = {"item": items, "annotator": [f"w{k % 400}" for k in range(rows)]}
        ratings = iaa.from_long({**cells, "label": [f"row {k}" for k in range(rows)]})
        with pytest.raises(iaa.IaaError, match=r"12,000 labels on .* up to 400 ratings"):
            iaa.krippendorff_alpha(ratings, interval=None)
