"""The page of agreement: its lines, its widths, its sentences."""

from __future__ import annotations

import math

import pytest
import xarray as xr

import iaa_jax
from iaa_jax.analyses.agree.page_tables import LABELS_SHOWN
from iaa_jax.wording import Note
from tests.analyses.agree.stand_ins import (
    ALPHA,
    LONGEST,
    ROW,
    UNDEFINED,
    WITHOUT_INTERVAL,
    files,
    flat,
    labels,
    printed,
    result,
    row,
)


def test_the_whole_page() -> None:
    text = printed(result(ROW, ALPHA, files=files("a.csv")), labels(row("no"), row("yes")))
    assert text == (
        """\
Krippendorff's alpha is 0.612 (95 % interval 0.52 to 0.71).

File        a.csv
Items       1,200: 1,150 with two ratings or more, 40 with one rating, 10
            without a rating
Annotators  3: ann, bob, cleo
Labels      2: no, yes
Ratings     3,400 (5.6 % missing)
Read as     long table

Coefficient           Estimate  95 % interval     SE  Observed  Expected
────────────────────────────────────────────────────────────────────────
Krippendorff's alpha     0.612   0.52 to 0.71  0.046     0.811     0.513
Fleiss' kappa            0.612   0.52 to 0.71  0.046     0.811     0.513

Label  Specific agreement  95 % interval     SE
───────────────────────────────────────────────
no                  0.612   0.52 to 0.71  0.046
yes                 0.612   0.52 to 0.71  0.046

- SE: standard error (infinitesimal jackknife).
- Observed: the share of pairs of ratings that agree.
- Expected: the share expected by chance. A coefficient is (observed - expected)
  / (1 - expected).
- Specific agreement: not corrected for chance; 'iaa labels' also has agreement
  that is.
- Krippendorff's alpha: shown first because it handles any number of annotators
  and missing ratings.
- Items with one rating do not count in observed agreement; some coefficients
  use them for expected agreement.
- 95 % intervals: bootstrap over items (BCa), 2,000 resamples, seed 7
  (docs/intervals.md).
- Next: 'iaa findings' looks for what causes the disagreement; 'iaa report'
  writes a page with all of it, 'iaa report --brief' one sheet of paper.
    iaa findings a.csv
    iaa report a.csv
"""
    )


@pytest.mark.parametrize("error", [0.0456, 0.0004])
def test_the_longest_title_and_the_longest_numbers_fit_80_columns(error: float) -> None:
    figures = {"ci_low": 0.1111, "ci_high": 0.9999, "standard_error": error}
    lines = printed(result(LONGEST | figures)).splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("Davies and Fleiss' kappa ") for line in lines)


@pytest.mark.parametrize(
    ("error", "estimate"), [(0.0456, "0.612"), (0.00099, "0.6123"), (0.0, "0.612")]
)
def test_small_errors_bring_a_fourth_decimal(error: float, estimate: str) -> None:
    text = printed(result(ROW | {"standard_error": error}, ALPHA))
    lines = text.partition("\n\n")[2].splitlines()
    rows = [line.split("  ") for line in lines if line.startswith(("Fl", "Kripp"))]
    assert all(estimate in [cell.strip() for cell in each] for each in rows)


def test_what_is_undefined_has_its_reason_once() -> None:
    lost = UNDEFINED | {"reason": "0/0 it is"}
    text = flat(printed(result(ROW, ALPHA | lost, LONGEST | lost)))
    assert text.startswith("Krippendorff's alpha is undefined: 0/0 it is.")
    assert "Undefined: Krippendorff's alpha, Davies and Fleiss' kappa (see above)." in text


def test_a_replaced_figure_is_no_measured_one() -> None:
    replaced = ALPHA | UNDEFINED | {"estimate": 1.0, "reason": "0/0"}
    text = flat(printed(result(replaced)))
    assert "Undefined, shown as 1: Krippendorff's alpha (0/0)." in text


def test_perfect_agreement_says_what_its_interval_cannot() -> None:
    said = "so these items cannot show how uncertain that is"
    perfect = Note("perfect").on(["fleiss_kappa"])
    text = flat(printed(result(ROW, notes=[perfect])))
    assert f"Fleiss' kappa: agreement is perfect, {said}." in text
    on_label = labels(row("yes"), row("no"), notes=[Note("perfect").on(["yes"])])
    for text in (printed(result(ROW), on_label), printed(on_label)):
        assert f"specific agreement on yes: agreement is perfect, {said}." in flat(text)


def test_without_intervals_their_columns_go() -> None:
    text = printed(result(ROW | WITHOUT_INTERVAL | {"interval": ""}, interval=""))
    assert "interval" not in text
    assert "SE" not in text
    assert "Fleiss' kappa     0.612     0.811     0.513" in text


@pytest.mark.parametrize(
    ("method", "said"),
    [
        ("percentile", "bootstrap over items (percentile), 2,000 resamples, seed 7"),
        ("basic", "bootstrap over items (basic), 2,000 resamples, seed 7"),
        ("normal", "normal from the standard error; not cut at 1"),
    ],
)
def test_the_method_is_named(method: str, said: str) -> None:
    assert f"95 % intervals: {said}" in flat(printed(result(ROW, interval=method)))


@pytest.mark.parametrize(
    ("attrs", "said"),
    [
        ({"sampling_cluster": "doc"}, "bootstrap over clusters of items (doc) (BCa)"),
        (
            {"sampling_cluster": "doc", "clusters": 30, "sampling_population": 900},
            "bootstrap over 30 clusters of items (doc) (BCa), 2,000 resamples, seed 7; the items "
            "are from a population of 900",
        ),
        ({"sampling_annotators": "random"}, "bootstrap over items and annotators (BCa)"),
        ({"sampling_bayesian": 1}, "Bayesian bootstrap over items (BCa)"),
    ],
)
def test_what_is_random_is_named(attrs: dict, said: str) -> None:
    assert f"95 % intervals: {said}" in flat(printed(result(ROW, **attrs)))


def test_undefined_replicates_are_counted() -> None:
    on_yes = labels(row("yes", undefined_replicates=3))
    text = flat(printed(result(ROW | {"undefined_replicates": 1200}, ALPHA), on_yes))
    assert (
        "left out of the interval because the figure is undefined: Fleiss' kappa (1,200), "
        "specific agreement on yes (3)."
    ) in text


def test_an_interval_that_is_missing_is_explained() -> None:
    assert "No interval: " in flat(printed(result(ROW | WITHOUT_INTERVAL)))
    told = ROW | WITHOUT_INTERVAL | {"note": "why"}
    assert "No interval: " not in flat(printed(result(told)))


def test_weights_are_said_once_where_all_rows_share_them() -> None:
    linear = {"weights": "linear"}
    text = printed(result(ROW | linear, LONGEST | linear))
    assert "Weights: linear." in text
    assert text.partition("\n\n")[2].count("linear") == 1
    assert "near misses in part" in flat(text)
    level = ALPHA | {"weights": "level ordinal", "level": "ordinal"}
    assert "Level: ordinal." in printed(result(level))
    both = printed(result(ROW | {"weights": "ordinal"}, level))
    assert "Level or weights: ordinal." in both


def test_weights_are_said_by_row_where_they_differ() -> None:
    level = ALPHA | {"weights": "level ordinal", "level": "ordinal"}
    text = printed(result(ROW, LONGEST | {"weights": "linear"}, level))
    assert "Weights:" not in text
    told = {line.split("  ")[0]: line for line in text.splitlines()}
    assert " ordinal " in told["Krippendorff's alpha"]
    assert "linear" in told["Davies and Fleiss' kappa"]
    assert "identity" not in told["Fleiss' kappa"]


def test_usual_weights_are_not_said() -> None:
    text = printed(result(ROW, ALPHA | {"weights": "level nominal", "level": "nominal"}))
    assert "identity" not in text
    assert "nominal" not in text


def test_pairs_of_annotators_and_notes() -> None:
    light = row("mean_pairwise_cohen_kappa", pairs=9, undefined_pairs=1)
    remark = Note("said", {"text": "a remark"}).on(["krippendorff_alpha"])
    text = flat(printed(result(light, ALPHA, notes=[remark])))
    assert "kappa: over 9 pairs of annotators; 1 more with kappa 0/0 left out." in text
    assert "Krippendorff's alpha: a remark." in text


@pytest.mark.parametrize("count", [LABELS_SHOWN, LABELS_SHOWN + 1])
def test_many_labels_have_no_line_each(count: int) -> None:
    many = labels(*(row(f"l{k}") for k in range(count)))
    text = printed(result(ROW), many)
    shown = sum(line.startswith("l") for line in text.splitlines())
    assert shown == LABELS_SHOWN
    assert (f"Shown: {LABELS_SHOWN} of {count} labels" in text) is (count > LABELS_SHOWN)
    text = printed(result(ROW), many, top=99)
    assert sum(line.startswith("l") for line in text.splitlines()) == count


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("primary_secondary", "a primary and perhaps a secondary label"),
        ("multi_label", "a set of labels"),
        ("soft", "shares of labels"),
        ("value", "none: ratings are numbers"),
    ],
)
def test_the_kind_of_rating_is_said(task: str, said: str) -> None:
    assert said in printed(result(ROW, task=task))


@pytest.mark.parametrize(("fewest", "said"), [(2, "2 to 4 ratings"), (4, "4 ratings")])
def test_how_many_ratings_an_item_has(fewest: int, said: str) -> None:
    panels = {"smallest_panel": fewest, "largest_panel": 4}
    attrs = {"anonymous": 1, "annotators": 0, "annotator_names": "[]", **panels}
    assert f"unknown, {said} per item" in printed(result(ROW, **attrs))
    of_crowd = printed(result(ROW, missing_share=0.9, **panels))
    assert f"Ratings     3,400 ({said} per item)" in of_crowd
    mean = " (mean 2.9)" if fewest < 4 else ""
    assert f", {said} an item{mean}. " in iaa_jax.methods(
        result(ROW, iaa_jax_version="1", **panels)
    )


def test_near_misses_only_where_a_shown_figure_counts_them() -> None:
    level = ALPHA | {
        "weights": "level ordinal",
        "level": "ordinal",
        "observed": -2.5,
        "expected": -9.0,
    }
    text = flat(printed(result(ROW, level)))
    assert "near misses in part" not in text
    assert "Krippendorff's alpha at the ordinal level is 1 - (observed / " in text
    weighted = flat(printed(result(ROW | {"weights": "linear"}, level), width=100))
    assert "near misses in part" in weighted


def test_coefficients_of_numbers_need_no_words_on_labels() -> None:
    nothing = {"observed": math.nan, "expected": math.nan, "weights": "numbers"}
    icc = [row(f"icc{k}", **nothing) for k in (1, 2)]
    level = ALPHA | {"weights": "level nominal", "level": "nominal"}
    text = flat(printed(result(*icc, level, labels_declared=0)))
    assert "Weights:" not in text
    assert "level interval" not in text
    alone = flat(printed(result(*icc, labels_declared=0, task="value")))
    assert "The number of labels" not in alone
    assert "Observed: the share" not in alone


@pytest.mark.parametrize(
    ("width", "missing"), [(44, "SE, Observed, Expected"), (50, "Observed, Expected"), (75, "")]
)
def test_notes_are_on_the_columns_that_are_shown(width: int, missing: str) -> None:
    text = flat(printed(result(ROW), width=width))
    assert ("Observed: the share of pairs" in text) is ("Observed" not in missing)
    assert ("SE: standard error" in text) is ("SE" not in missing)
    assert (f"Not shown at this width: {missing}" in text) is bool(missing)


@pytest.mark.parametrize("width", [56, 60, 80, 100])
def test_names_stay_whole_whatever_else_is_asked(width: int) -> None:
    text = printed(with_all_that_can_be_asked(), width=width)
    assert any(line.startswith("Davies and Fleiss' kappa  ") for line in text.splitlines())


def with_all_that_can_be_asked() -> xr.Dataset:
    scale = {"scale_title": "Landis and Koch 1977", "made_for": "kappa", "certainty": 0.95}
    made = result(LONGEST, **scale).assign(
        word=("coefficient", ["substantial"]),
        reached=("coefficient", ["moderate"]),
        zero_p_value=("coefficient", [0.01]),
        zero_method=("coefficient", ["permutation"]),
        zero_note=("coefficient", [""]),
        above=(("coefficient", "cut_off"), [[0.4, 0.1]]),
    )
    return made.assign_coords(cut_off=[0.667, 0.8])


def test_what_was_asked_is_explained() -> None:
    text = printed(with_all_that_can_be_asked(), width=140)
    for heading in ("At least", "p by chance", "P > 0.667", "P > 0.8"):
        assert heading in text
    text = flat(text)
    assert "At least: the word for the lower end of the 95 % interval" in text
    assert "by Landis and Koch 1977, a convention made for kappa" in text
    assert "p by chance: how often chance alone gives a figure this extreme" in text


def test_the_least_that_permutations_can_give_is_said() -> None:
    made = with_all_that_can_be_asked().assign_attrs(zero_permutations=99)
    assert "0.01 is the smallest p that 99 permutations can give." in flat(printed(made, width=140))
    made = made.assign_attrs(zero_permutations=999)
    assert "is the least" not in flat(printed(made, width=140))


def test_one_coefficient_has_the_same_page() -> None:
    ratings = iaa_jax.from_wide([["a", "a"]] * 12 + [["a", "b"]] * 4 + [["b", "b"]] * 9)
    alone = str(iaa_jax.page(iaa_jax.fleiss_kappa(ratings, replicates=64)))
    among = str(iaa_jax.page(iaa_jax.agreement(ratings, ["fleiss_kappa"], replicates=64)))
    assert alone == among
