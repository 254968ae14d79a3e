"""One coefficient leads a page, and it says which, how sure, and why."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses.agree.words import WORDS
from iaa_jax.pages import Table
from iaa_jax.wording.formats import interval

NAMES = iaa.from_wide([["a", "a"], ["b", "b"], ["a", "b"], ["c", "b"], ["a", "a"], ["c", "c"]])
SETS = iaa.from_sets([[["a"], ["a", "b"]], [["b"], ["b"]], [[], ["c"]], [["c"], ["c"]]])
VALUES = iaa.from_values([[1.0, 2.5], [3.0, 3.0], [5.0, 4.0], [2.0, 2.0]])
FAST: dict[str, Any] = {"replicates": 64}


SKEWED = [[1, 1]] * 40 + [[1, 2], [2, 1]] * 4 + [[1, 3], [2, 2], [5, 4], [7, 4]]


@pytest.mark.parametrize(
    ("options", "high", "code"),
    [
        (("--level", "interval"), ["brennan_prediger", "gwet_ac2"], "high_despite_margins"),
        (("--level", "nominal"), ["brennan_prediger", "gwet_ac1"], "high_despite_label"),
        (("--level", "interval", "--coefficients", "gwet_ac2"), [], ""),
        (("--level", "nominal", "--coefficients", "conger_kappa"), [], ""),
    ],
)
def test_what_is_high_where_labels_are_rare_says_so(iaa, folder, options, high, code) -> None:
    """Weighted coefficients too: AC2 far above alpha on skewed ratings on a scale."""
    rows = "".join(f"{k},{a},{b}\n" for k, (a, b) in enumerate(SKEWED))
    (folder / "skewed.csv").write_text(f"item,ann,bob\n{rows}")
    done = iaa("agree", "skewed.csv", *options, "--interval", "none", "--json", "-")
    notes = [each for each in json.loads(done.stdout)["notes"] if "high_" in each["code"]]
    assert [note["code"] for note in notes] == [code] * bool(code)
    assert [name for note in notes for name in note["about"]] == high
    text = " ".join(iaa("agree", "skewed.csv", *options, "--interval", "none").stdout.split())
    said = {
        "high_despite_margins": "Report the one that you chose",
        "high_despite_label": "no single coefficient",
    }
    assert [key for key, words in said.items() if words in text] == [code] * bool(code)


def test_indices_of_labels_say_that_they_count_exact_matches(iaa, folder) -> None:
    (folder / "stars.csv").write_text("item,ann,bob\n1,1,2\n2,3,3\n3,5,4\n4,1,1\n")
    how = ("--interval", "none", "--level")
    assert "Index of exact matches  Value" in iaa("agree", "stars.csv", *how, "ordinal").stdout
    assert "Index          Value" in iaa("agree", "stars.csv", *how, "nominal").stdout


def first_lines(result: xr.Dataset) -> str:
    return " ".join(str(iaa.page(result)).partition("\n\n")[0].split())


def first_row(result: xr.Dataset) -> str:
    tables = {block.id: block for block in iaa.page(result).blocks if isinstance(block, Table)}
    return str(tables["coefficients"].columns[0].values[0])


@pytest.mark.parametrize(
    ("ratings", "why"), [(NAMES, "labels"), (SETS, "sets"), (VALUES, "numbers")]
)
def test_alpha_leads_where_nothing_was_asked_for(ratings: xr.Dataset, why: str) -> None:
    result = iaa.agreement(ratings, **FAST)
    assert (result.attrs["coefficient"], result.attrs["leads"]) == ("krippendorff_alpha", "usual")
    alpha = result.sel(coefficient="krippendorff_alpha")
    text = first_lines(result)
    assert text.startswith("Krippendorff's alpha ")
    assert f" is {float(alpha.estimate):.3f} (95 % interval " in text
    assert WORDS[f"leads_{why}"] in " ".join(str(iaa.page(result)).split())
    assert first_row(result) == "krippendorff_alpha"


def test_what_was_asked_for_first_leads() -> None:
    result = iaa.agreement(NAMES, ["scott_pi", "krippendorff_alpha"], **FAST)
    assert (result.attrs["coefficient"], result.attrs["leads"]) == ("scott_pi", "asked")
    assert first_lines(result).startswith("Scott's pi is ")
    assert first_row(result) == "scott_pi"
    assert "shown first" not in str(iaa.page(result))
    alone = first_lines(iaa.scott_pi(NAMES, **FAST))
    assert alone == first_lines(iaa.agreement(NAMES, ["scott_pi"], **FAST))


def test_an_interval_in_doubt_is_said_to_be() -> None:
    few = iaa.from_wide([["x", "x", "y"], ["y", "y", "y"], ["x", "x", "x"]])
    result = iaa.agreement(few)
    alpha = result.sel(coefficient="krippendorff_alpha")
    ends = interval((float(alpha.ci_low), float(alpha.ci_high)))
    assert alpha.doubt == "few_items"
    assert f"(95 % interval {ends}, in doubt: few items)" in first_lines(result)
    assert "in doubt" not in first_lines(iaa.agreement(few, interval=None))
    enough = few.isel(item=np.tile(range(3), 4)).assign_coords(item=range(12))
    assert "in doubt" not in first_lines(iaa.agreement(enough))


def test_a_page_says_whose_intervals_are_made_otherwise() -> None:
    """Pairs of a crowd share few items: means over them have no prior."""
    stream = np.random.default_rng(0)
    crowd = np.full((300, 5), None, dtype=object)
    for row in crowd:
        row[stream.choice(5, 3, replace=False)] = stream.choice(["x", "x", "y"], 3)
    said = " ".join(str(iaa.page(iaa.agreement(iaa.from_wide(crowd.tolist()), **FAST))).split())
    assert "95 % intervals: empirical Bayes over items" in said
    named = "intervals of Mean pairwise kappa; Davies and Fleiss' kappa: bootstrap over items (BCa)"
    assert named in said
    more_labels_than_items = iaa.from_wide([["a", "b"], ["c", "d"], ["a", "a"]])
    said = " ".join(str(iaa.page(iaa.agreement(more_labels_than_items, **FAST))).split())
    assert "95 % intervals: empirical Bayes" in said
    assert "jackknife t" not in said
