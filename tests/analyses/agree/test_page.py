"""The readable report: its lines, its widths, its sentences."""

from __future__ import annotations

import math
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from iaa_jax.analyses.agree.page import LABELS_SHOWN, print_agreement
from iaa_jax.report.records import Row
from tests.analyses.agree.stand_ins import FACTS, ROW, flat, printed, report, undefined

ALPHA = replace(ROW, name="krippendorff_alpha", title="Krippendorff's alpha")
LONGEST = replace(ROW, name="davies_fleiss_kappa", title="Davies and Fleiss' kappa")


def test_the_whole_page() -> None:
    labels = (replace(ROW, name="no", title="no"), replace(ROW, name="yes", title="yes"))
    page = printed(report(ROW, ALPHA, labels=labels, provenance={"files": ["a.csv"]}))
    assert page == (
        """\
File        a.csv
Items       1,200: 1,150 with two ratings or more, 40 with one, 10 with none
Annotators  3: ann, bob, cleo
Labels      2: no, yes
Ratings     3,400 (5.6 % missing)
Read as     long table
Skipped     nothing

Coefficient           Estimate   95 % interval     SE  Observed  Expected
─────────────────────────────────────────────────────────────────────────
Fleiss' kappa            0.612  0.521 to 0.702  0.046     0.811     0.513
Krippendorff's alpha     0.612  0.521 to 0.702  0.046     0.811     0.513

Agreement on label  Estimate   95 % interval     SE
───────────────────────────────────────────────────
no                     0.612  0.521 to 0.702  0.046
yes                    0.612  0.521 to 0.702  0.046

- Items with one rating have no part in observed agreement; some coefficients
  use them for expected agreement.
- Intervals: bootstrap over items (BCa), 2,000 replicates, seed 7. SE: standard
  error (infinitesimal jackknife).
- Observed: the share of pairs of ratings that agree. Expected: the same by
  chance. A coefficient is (observed - expected) / (1 - expected).
"""
    )


@pytest.mark.parametrize("error", [0.0456, 0.0004])
def test_the_longest_title_and_the_longest_numbers_fit_80_columns(error: float) -> None:
    row = replace(LONGEST, ci_low=0.1111, ci_high=0.9999, standard_error=error)
    page = printed(report(row))
    assert max(map(len, page.splitlines())) <= 80
    assert any(line.startswith("Davies and Fleiss' kappa ") for line in page.splitlines())


def test_negative_ends_fit_too() -> None:
    page = printed(report(replace(LONGEST, estimate=-0.5, ci_low=-0.9, ci_high=-0.1)))
    assert max(map(len, page.splitlines())) <= 80
    assert "-0.900 to -0.100" in page


@pytest.mark.parametrize(
    ("error", "estimate"), [(0.0456, "0.612"), (0.00099, "0.6123"), (0.0, "0.612")]
)
def test_small_errors_bring_a_fourth_decimal(error: float, estimate: str) -> None:
    page = printed(report(replace(ROW, standard_error=error), ALPHA))
    rows = [line.split("  ") for line in page.splitlines() if line.startswith(("Fl", "Kripp"))]
    assert all(estimate in [cell.strip() for cell in row] for row in rows)


def test_columns_are_aligned() -> None:
    page = printed(report(ROW, undefined(ALPHA, "0/0"), LONGEST)).splitlines()
    start = next(k for k, line in enumerate(page) if line.startswith("Coefficient"))
    table = page[start : start + 5]
    assert len({len(line) for line in table}) == 1


def test_what_is_undefined_has_its_reason_once() -> None:
    page = flat(
        printed(report(ROW, undefined(ALPHA, "0/0 it is"), undefined(LONGEST, "0/0 it is")))
    )
    assert "Undefined: Krippendorff's alpha, Davies and Fleiss' kappa (0/0 it is)." in page


def test_a_replaced_figure_is_told_from_a_measured_one() -> None:
    row = replace(undefined(ALPHA, "0/0"), estimate=1.0)
    assert "Undefined, shown as 1: Krippendorff's alpha (0/0)." in flat(printed(report(row)))


def test_labels_that_were_not_declared() -> None:
    page = flat(printed(report(ROW, facts=replace(FACTS, labels_declared=False))))
    assert "The number of labels (2) is taken from the data;" in page
    assert "The number of labels" not in flat(printed(report(ROW)))


@pytest.mark.parametrize(("items", "rough"), [(19, True), (20, False)])
def test_few_items_make_rough_intervals(items: int, rough: bool) -> None:
    page = flat(printed(report(ROW, facts=replace(FACTS, pairable_items=items))))
    assert ("intervals are rough" in page) is rough


def test_perfect_agreement_says_what_its_interval_cannot() -> None:
    perfect = replace(ROW, estimate=1.0, observed=1.0, ci_low=1.0, ci_high=1.0, standard_error=0.0)
    said = "an interval from these items cannot show its uncertainty"
    assert f"Agreement is perfect: {said}" in flat(printed(report(perfect)))
    one_label = report(ROW, labels=(replace(perfect, title="yes"), replace(ROW, title="no")))
    assert f"Agreement is perfect on yes: {said}" in flat(printed(one_label))
    assert said not in printed(report(ROW))
    assert said not in flat(printed(report(without_interval(perfect))))


def without_interval(row: Row) -> Row:
    nothing = dict.fromkeys(("standard_error", "ci_low", "ci_high"), math.nan)
    return replace(row, **nothing, interval="")


def test_without_intervals_their_columns_go() -> None:
    page = printed(report(without_interval(ROW)))
    assert "interval" not in page
    assert "SE" not in page
    assert "Fleiss' kappa     0.612     0.811     0.513" in page


@pytest.mark.parametrize(
    ("method", "said"),
    [
        ("percentile", "bootstrap over items (percentile), 2,000 replicates, seed 7."),
        ("basic", "bootstrap over items (basic), 2,000 replicates, seed 7."),
        ("normal", "normal, from the standard error; not cut at 1."),
        ("novel", "Intervals: novel."),
    ],
)
def test_the_method_is_named(method: str, said: str) -> None:
    assert said in flat(printed(report(replace(ROW, interval=method))))


def test_the_confidence_is_named() -> None:
    assert "99.5 % interval" in printed(report(ROW, provenance={"confidence": 0.995}))


def test_undefined_replicates_are_counted() -> None:
    labels = (replace(ROW, title="yes", undefined_replicates=3),)
    page = flat(printed(report(replace(ROW, undefined_replicates=1200), ALPHA, labels=labels)))
    assert "Undefined replicates, left out of the interval: Fleiss' kappa (1,200)." in page
    assert "left out of the interval: agreement on yes (3)." in page


def test_an_interval_that_is_missing_is_explained() -> None:
    row = replace(ROW, ci_low=math.nan, ci_high=math.nan, standard_error=math.nan)
    assert "Where no interval is given" in flat(printed(report(row)))


def test_weights_are_said_once_where_most_rows_share_them() -> None:
    linear = replace(ROW, weights="linear")
    level = replace(ALPHA, weights="level ordinal")
    chosen = {"options": {"weights": "linear", "level": "ordinal"}}
    page = printed(report(linear, replace(LONGEST, weights="linear"), level, provenance=chosen))
    assert "Agreement between labels: linear, unless a row says another." in page
    assert page.count("linear") == 1
    assert "Krippendorff's alpha" in page
    assert "\n  level ordinal" in page
    assert "near misses in part" in flat(page)


def test_usual_weights_are_not_said() -> None:
    page = printed(report(ROW, replace(ALPHA, weights="level nominal")))
    assert "identity" not in page
    assert "nominal" not in page


def test_pairs_of_annotators_and_notes() -> None:
    light = replace(ROW, title="Mean pairwise kappa", pairs=9, undefined_pairs=1)
    page = flat(printed(report(light, replace(ALPHA, note="a remark"))))
    assert (
        "Mean pairwise kappa: over 9 pairs of annotators; 1 more with kappa 0/0 left out." in page
    )
    assert "Krippendorff's alpha: a remark." in page


@pytest.mark.parametrize(("labels", "listed"), [(LABELS_SHOWN, True), (LABELS_SHOWN + 1, False)])
def test_many_labels_have_no_line_each(labels: int, listed: bool) -> None:
    rows = tuple(replace(ROW, name=f"l{k}", title=f"l{k}") for k in range(labels))
    page = flat(printed(report(ROW, labels=rows)))
    assert ("Agreement on label" in page) is listed
    assert ("is not printed here; --json writes it" in page) is not listed
    assert "Agreement on label" in printed(report(labels=rows, labels_asked=True))


def test_labels_that_were_left_out() -> None:
    page = flat(printed(report(ROW, facts=replace(FACTS, labels=500), labels_left_out=True)))
    assert "Agreement on each of 500 labels was not measured" in page


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
    assert said in printed(report(ROW, facts=replace(FACTS, task=task)))


def test_anonymous_annotators() -> None:
    facts = replace(FACTS, anonymous=True, annotators=0, annotator_names=(), largest_panel=4)
    assert "not told apart, at most 4 ratings an item" in printed(report(ROW, facts=facts))


def test_long_lists_are_cut() -> None:
    names = tuple(f"annotator-{k}" for k in range(30))
    facts = replace(FACTS, annotators=30, annotator_names=names)
    page = printed(report(ROW, facts=facts))
    assert "and 20 more" in flat(page)
    assert max(map(len, page.splitlines())) <= 80


def test_what_was_skipped_is_said() -> None:
    assert "Skipped     3 rows" in printed(report(ROW, facts=replace(FACTS, skipped="3 rows")))


def test_names_are_printed_as_they_stand() -> None:
    row = replace(ROW, title="[bold]a[/bold] :smile: \x1b[31m", name="a")
    page = printed(report(labels=(row,), labels_asked=True))
    assert r"[bold]a[/bold] :smile: \x1b[31m" in flat(page)
    assert "\x1b" not in page


@pytest.mark.parametrize("width", [40, 60, 120])
def test_other_widths(width: int) -> None:
    page = printed(report(ROW, ALPHA), width=width)
    assert max(map(len, page.splitlines())) <= width
    assert "0.612" in page


def test_a_terminal_gets_bold_headings_and_no_other_colour() -> None:
    stream = StringIO()
    console = Console(file=stream, force_terminal=True, width=80, markup=False, _environ={})
    print_agreement(console, report(ROW))
    assert "\x1b[1m" in stream.getvalue()
    assert "\x1b[3" not in stream.getvalue()


def test_near_misses_only_where_a_shown_figure_counts_them() -> None:
    level = replace(ALPHA, weights="level ordinal", observed=-2.5, expected=-9.0)
    page = flat(printed(report(ROW, level, provenance={"options": {"level": "ordinal"}})))
    assert "near misses in part" not in page
    assert "--level is for Krippendorff's alpha alone; --weights is for the others." in page
    weighted = report(replace(ROW, weights="linear"), level)
    assert "near misses in part" in flat(printed(weighted))
    assert "--level is for" not in flat(printed(report(ROW)))


def test_coefficients_of_numbers_need_no_words_on_labels() -> None:
    nothing = {"observed": math.nan, "expected": math.nan}
    icc = [
        replace(ROW, name=f"icc{k}", title=f"ICC({k})", weights="numbers", **nothing)
        for k in (1, 2)
    ]
    facts = replace(FACTS, labels_declared=False)
    page = flat(printed(report(*icc, replace(ALPHA, weights="level nominal"), facts=facts)))
    assert "Agreement between labels" not in page
    assert "level interval" not in page
    assert "The number of labels" in page
    alone = flat(printed(report(*icc, facts=facts)))
    assert "The number of labels" not in alone
    assert "Observed: the share" not in alone


@pytest.mark.parametrize(
    ("width", "missing"), [(44, "SE, Observed, Expected"), (60, "Observed, Expected"), (70, "")]
)
def test_notes_are_on_the_columns_that_are_shown(width: int, missing: str) -> None:
    page = flat(printed(report(ROW), width=width))
    assert ("Observed: the share of pairs" in page) is ("Observed" not in missing)
    assert ("SE: standard error" in page) is ("SE" not in missing)
    said = f"Not shown at this width: {missing}; --json has them."
    assert (said in page) is bool(missing)


@pytest.mark.parametrize("width", [56, 60, 80, 100])
def test_names_stay_whole_whatever_else_is_asked(width: int) -> None:
    row = replace(
        ROW,
        title="Davies and Fleiss' kappa",
        words={"word": "substantial", "reached": "moderate"},
        above={"0.667": 0.4, "0.8": 0.1},
        zero={"p_value": 0.01, "method": "m", "note": ""},
    )
    page = printed(report(row), width=width)
    assert any(line.startswith("Davies and Fleiss' kappa  ") for line in page.splitlines())
