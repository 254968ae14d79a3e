"""Comparisons over clusters of items: by hand, and against whole enumerations."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
import xarray as xr
from scipy import stats

import iaa_jax as iaa
from tests.analyses.compare.compared import FIRST, NAMES, SECOND, named, quick
from tests.analyses.made import wide
from tests.noted import notes_of
from tests.oracles import comparing

DOCUMENTS = np.arange(40) // 5


def documents(rows: list[list[Any]], prefix: str = "") -> xr.Dataset:
    ratings = wide(rows) if not prefix else named(rows, prefix)
    return ratings.assign_coords(document=("item", [f"{prefix}d{one}" for one in DOCUMENTS]))


def over(method: str = "auto") -> dict[str, Any]:
    return {"interval": method, "sampling": iaa.Sampling(cluster="document")}


@pytest.mark.parametrize("paired", [True, False])
def test_clusters_by_hand(paired: bool) -> None:
    """Standard error, degrees and interval from sums of influences by cluster."""
    a, b = documents(FIRST), documents(SECOND)
    found = quick(a, b, NAMES[:2], paired=paired, **over(), replicates=1)
    for place, name in enumerate(NAMES[:2]):
        added = [
            comparing.clustered(iaa.influence(one, name).influence.values.tolist(), DOCUMENTS)
            for one in (a, b)
        ]
        errors = [comparing.clustered_error(one) for one in added]
        if paired:
            apart = [two - one for one, two in zip(*added, strict=True)]
            error, degrees = comparing.clustered_error(apart), 7
        else:
            error = np.hypot(*errors)
            degrees = stats.ttest_ind(*added, equal_var=False).df
        assert float(found.standard_error_a[place]) == pytest.approx(errors[0])
        assert float(found.standard_error[place]) == pytest.approx(error)
        d = float(found.difference[place])
        assert float(found.ci_high[place]) == pytest.approx(d + stats.t.ppf(0.975, degrees) * error)
        assert float(found.p_value[place]) == pytest.approx(2 * stats.t.sf(abs(d) / error, degrees))
    assert (found.interval == "t").all()
    assert (found.attrs["clusters_a"], found.attrs["clusters_b"]) == (8, 8)
    assert found.attrs["sampling_cluster"] == "document"
    assert "interval_transform" not in found.attrs


def test_exchanges_of_clusters_against_all_exchanges() -> None:
    rows = [["xx", "xy"], ["yy", "yx", "xx"], ["xy"], ["yy", "xy"], ["yx", "yx"], ["xy", "xx"]]
    other = [["xx", "yy"], ["yy", "yy", "xx"], ["xy"], ["yy", "xx"], ["yx", "xx"], ["xx", "xx"]]
    documents = [[[list(row) for row in document] for document in one] for one in (rows, other)]

    a, b = (
        iaa.from_wide([row for part in one for row in part], labels=["x", "y"]).assign_coords(
            document=("item", [k for k, part in enumerate(one) for _ in part])
        )
        for one in documents
    )
    least = comparing.least_error(*documents)
    for paired, oracle in ((True, comparing.swapping_p_value), (False, comparing.dealing_p_value)):
        wanted = oracle(partial(comparing.studentized, paired=paired, least=least), *documents)
        found = quick(a, b, paired=paired, **over(), replicates=1, permutations=6000)
        assert float(found.permutation_p_value[0]) == pytest.approx(wanted, abs=0.02)
    few = [one.isel(item=slice(0, 8)) for one in (a, b)]  # four documents
    found = quick(*few, paired=True, **over(), replicates=1, permutations=500)
    assert "their p cannot be below 0.12" in str(found.note[0].values)
    assert float(found.permutation_p_value[0]) > 0.1


def test_draws_of_clusters() -> None:
    """Copies within a document add nothing: as sure as one item of each."""
    rows = [[row for row in rows[:20] for _ in range(3)] for rows in (FIRST, SECOND)]
    place = ("item", np.arange(60) // 3)
    for paired in (True, False):
        copies = [wide(one).assign_coords(document=place) for one in rows]
        given = {"paired": paired, "replicates": 1500}
        found = quick(*copies, "percent_agreement", **over("percentile"), **given)
        plain = [wide(one[:20]) for one in (FIRST, SECOND)]
        wanted = quick(*plain, "percent_agreement", interval="percentile", **given)
        assert float(found.standard_error[0]) == pytest.approx(float(wanted.standard_error[0]))
        width = float((found.ci_high - found.ci_low)[0])
        assert width == pytest.approx(float((wanted.ci_high - wanted.ci_low)[0]), rel=0.1)
    apart = quick(documents(FIRST, "a"), documents(SECOND, "b"), **over("bca"))
    assert apart.attrs["shared_clusters"] == 0
    named_alike = quick(*copies, paired=False, **over())
    (caution,) = notes_of(named_alike, "clusters_in_both_sets")
    assert caution.values == {"cluster": "document", "shared": 20}


def test_clusters_of_weighted_items() -> None:
    times = np.arange(40) % 3 + 1
    weighed, repeated = [], []
    for rows in (FIRST, SECOND):
        weighed.append(documents(rows).assign(item_weight=("item", times / 1.0)))
        index = np.repeat(np.arange(40), times)
        names = [f"d{one}" for one in DOCUMENTS[index]]
        repeated.append(wide([rows[k] for k in index]).assign_coords(document=("item", names)))
    for paired in (True, False):
        given = {"paired": paired, "replicates": 70, "permutations": 70}
        one, other = (quick(*pair, **over("bca"), **given) for pair in (weighed, repeated))
        for name in ("standard_error", "ci_low", "permutation_p_value"):
            np.testing.assert_allclose(one[name], other[name], atol=1e-12)


def test_clusters_that_do_not_fit() -> None:
    a, b = documents(FIRST), documents(SECOND)
    with pytest.raises(iaa.IaaError, match=r"B: cluster='document' is not a coordinate"):
        quick(a, wide(SECOND), **over())
    moved = b.assign_coords(document=("item", np.roll(b.document.values, 1)))
    with pytest.raises(iaa.IaaError, match="8 items have another document in B than in A, such as"):
        quick(a, moved, **over())
    assert quick(a, moved, **over(), paired=False).attrs["clusters_b"] == 8
    single = [[*row[:1], None] if place < 35 else row[:2] for place, row in enumerate(FIRST)]
    found = quick(documents(single), b, **over())
    assert "items of A with two ratings are in one cluster" in str(found.note[0].values)
    assert np.isnan(found.standard_error[0])
    alone = a.assign_coords(document=("item", ["one"] * 40))
    with pytest.raises(iaa.IaaError, match="A: all items have the same document"):
        quick(alone, b, **over(), paired=False)
    with pytest.raises(iaa.IaaError, match="transform='range' is not available"):
        quick(
            a,
            b,
            interval=iaa.Interval("t", transform="range"),
            sampling=iaa.Sampling(cluster="document"),
        )
