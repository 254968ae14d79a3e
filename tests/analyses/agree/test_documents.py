"""Zero agreement where items belong together: every way to exchange documents, one by one."""

from __future__ import annotations

from functools import cache
from itertools import permutations, product
from math import sqrt

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from tests.oracles import krippendorff_alpha, single_labels

DRAWN = 1999
DOCUMENTS = ["t", "u", "t", "v", "u", "v", "w", "w", "x", "y", "z", "z"]
ROWS = ["ab", "ba", "ab", "aa", "bb", "ba", "bb", "bb", "ab", "ba", "a-", "bb"]


def alpha(rows: list[list[str | None]]) -> float:
    """Few of thousands of tables differ in more than the order of their rows."""
    return _alpha(tuple(sorted((*(each or "-" for each in row),) for row in rows)))


@cache
def _alpha(rows: tuple[tuple[str, ...], ...]) -> float:
    cells = [[None if each == "-" else each for each in row] for row in rows]
    return krippendorff_alpha(single_labels(cells), labels=["a", "b"]).estimate


def every_exchange(rows: list[list[str | None]]):
    """All ways to exchange the documents of each annotator."""
    items = {name: [i for i, of in enumerate(DOCUMENTS) if of == name] for name in "tuvwxyz"}
    ways = []
    for who in range(2):
        alike: dict[tuple[bool, ...], list[str]] = {}
        for name, of in items.items():
            alike.setdefault(tuple(rows[i][who] is None for i in of), []).append(name)
        orders = product(*(permutations(each) for each in alike.values()))
        ways.append([(alike, way) for way in orders])
    for both in product(*ways):
        found = [[*row] for row in rows]
        for who, (alike, way) in enumerate(both):
            for targets, sources in zip(alike.values(), way, strict=True):
                for target, source in zip(targets, sources, strict=True):
                    for to, of in zip(items[target], items[source], strict=True):
                        found[to][who] = rows[of][who]
        yield found


def test_documents_are_exchanged_within_annotators_among_like_ones() -> None:
    """Of the second annotator z has a gap and stays; x and y change among themselves."""
    rows = [[None if each == "-" else each for each in row] for row in ROWS]
    several = np.array([alpha(each) for each in every_exchange(rows)])
    observed = alpha(rows)
    share = np.mean(several >= observed - 1e-12)
    assert 0.02 < share < 0.9
    ratings = iaa.from_wide(rows, labels=["a", "b"]).assign_coords(
        document=("item", DOCUMENTS), annotator=["ann", "bob"]
    )
    given = {"permutations": DRAWN, "alternative": "greater"}
    by_document = {"sampling": iaa.Sampling(cluster="document")}
    found = iaa.zero_agreement(ratings, ["krippendorff_alpha"], **by_document, **given)
    p = float(found.p_value[0])
    assert abs(p - share) < 4 * sqrt(share * (1 - share) / DRAWN) + 1 / DRAWN
    assert float(found.null_mean[0]) == pytest.approx(
        several.mean(), abs=4 * several.std() / sqrt(DRAWN)
    )
    assert found.method.values.tolist() == ["permutation of clusters within annotators"]
    turned = ratings.isel(item=np.arange(12)[::-1], annotator=[1, 0])
    again = iaa.zero_agreement(turned, ["krippendorff_alpha"], **by_document, **given)
    assert float(again.p_value[0]) == p
    of_labels = iaa.zero_agreement(ratings, per_label=True, **by_document, **given)
    assert of_labels.p_value.shape == (2,)


def test_what_cannot_be_exchanged_is_refused() -> None:
    rows = [["a", "b"]] * 5
    unlike = iaa.from_wide(rows).assign_coords(document=("item", [*"ttuvv"]))
    with pytest.raises(IaaError, match="too few clusters by 'document' have the same number"):
        iaa.zero_agreement(unlike, sampling=iaa.Sampling(cluster="document"))
    with pytest.raises(IaaError, match="treats items as independent"):
        iaa.zero_agreement(unlike, null="analytic", sampling=iaa.Sampling(cluster="document"))
    counts = iaa.from_counts([[2, 0], [1, 1]] * 4, labels=["a", "b"])
    counts = counts.assign_coords(document=("item", [*"ttuuvvww"]))
    with pytest.raises(IaaError, match="counts without annotators"):
        iaa.zero_agreement(counts, sampling=iaa.Sampling(cluster="document"))
