"""The page of a plan: what it says of a result, in a terminal and in files."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.wording import Note, dump_notes
from tests.analyses.plan.pilots import ratings
from tests.analyses.plan.test_conclusion import study


def text(result: xr.Dataset) -> str:
    return " ".join(str(iaa.page(result)).split())


def test_the_whole_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    result = study(half_width=0.06, per_item=(2, 3, 5), items=(100, 300, 2000), looks=2)
    assert str(iaa.page(result)) == (
        """\
For an interval of ±0.06, annotate 325 items with 3 annotators per item, 245
more than the pilot has. With that many, 80 % of samples have an interval this
narrow.
To look 2 times during annotation, plan for 361 items (36 more than with one
look). At each look, use the options in the last table: the interval is wider
early, so that it holds whenever you stop.
Items count as independent: where several come from one document or
conversation, intervals are wider, and cluster= with that column's name draws
such items together.

Coefficient  Krippendorff's alpha
Pilot        0.461 (95 % interval 0.33 to 0.57)
Goal         ±0.06
Items        80, all with two ratings or more
Annotators   3

Items needed for ±0.06 in 80 % of samples

Annotators  Items  Ratings
──────────────────────────
         2    592    1,184
         3    325      975
         5    202    1,010

Half-width in 80 % of samples, by items (down) and annotators per item (*
reaches 0.06 before rounding)

Items       2       3       5
─────────────────────────────
  100  0.147   0.109   0.085
  300  0.084   0.062   0.049*
2,000  0.033*  0.024*  0.019*

Looks on the way

Look  Items  --confidence  --replicates  Interval ±  ± if the only look
───────────────────────────────────────────────────────────────────────
   1    181        0.9981        21,433       0.128               0.080
   2    361        0.9613         2,000       0.060               0.057

- With 3 annotators per item, 28.3 % of the variance lies between items: only
  more items reduce it. More annotators reduce the rest. Past 9 annotators per
  item, each further annotator saves less than 5 % of the items.
- With the pilot's 80 items alone, not even 50 annotators per item are enough.
- Assumed: items, annotators and guidelines like the pilot's. The interval
  covers other items with these annotators; with other annotators estimates
  differ more.
- With three ratings per item the pilot shows the effect of two and three
  annotators; for four or more the plan rests partly on a model of items.
- Next: annotate 281 more items, then run iaa.agree(ratings)."""
    )


def test_power_has_a_table_and_says_how_surely() -> None:
    result = study(null=0.36)
    said = text(result)
    for part in (
        f"To rule out 0.36 with 80 % power, annotate {int(result.planned_items):,} items with 3",
        "enough is 65 %, as the pilot's 0.461 may be too high.",
        "0.36 with 80 % power (enough with a chance of 65 %) Annotators Items Ratings",
        "with a chance of 65 %, by items (down) and annotators per item (* reaches 0.8 before "
        "rounding)",
    ):
        assert part in said


def test_what_was_typed_is_no_default() -> None:
    assert "±0.05, the default (half_width= sets another)" in text(study())
    assert "Goal ±0.05 Items" in text(study(half_width=0.05))


def test_costs_that_change_nothing_are_said_to() -> None:
    said = "The costs (2 an item, 1 a rating) change nothing here"
    for unused in ({"half_width": 0.3}, {"null": 0.3}, {"null": 0.9}):
        assert said in text(study(**unused, cost_item=2.0))
        assert "change nothing" not in text(study(**unused))
    used = text(study(half_width=0.06, cost_item=2.0))
    assert "change nothing" not in used
    assert "Cost" in used


@pytest.mark.parametrize("goal", [{"null": 0.3}, {"half_width": 0.3}], ids=str)
def test_use_1_2_a_pilot_that_suffices_has_no_other_numbers_beside(goal: dict[str, float]) -> None:
    said = text(study(**goal))
    assert said.startswith("The pilot suffices ")
    assert "its own 95 % interval, 0.33 to 0.57, " in said
    assert "Half-width" not in said
    assert "annotators per item" not in said
    if "half_width" in goal:
        assert f"- With {int(study(**goal).planned_items)} items like these, " in said


def test_a_share_that_may_be_anything_is_not_said() -> None:
    result = study(half_width=0.06)
    ends = Note("share_ends", {"low": 0.0, "high": 0.8})
    values = {
        "per_item": 3,
        "share": 0.7,
        "ends": ends,
        "enough": Note("enough", {"annotators": 9}),
    }
    said = text(result.assign_attrs(notes=dump_notes([Note("between_items", values)])))
    assert "lies between items" not in said
    assert "Past 9 annotators per item" in said


def test_what_is_out_of_reach_has_no_tables_of_needs() -> None:
    said = text(study(null=0.99))
    assert "out of reach. The pilot's 0.461 is not above 0.99" in said
    for heading in ("Items needed for", "Items needed to", "Half-width", "Power to"):
        assert heading not in said
    both = text(study(null=0.99, half_width=0.06))
    assert "Items needed for ±0.06" in both
    assert "Items to rule out" not in both


@pytest.mark.parametrize(
    ("note", "sentence"),
    [
        (
            Note("few_complete", {"items": 1, "annotators": 5}),
            "stay as in the pilot: only 1 item was rated by all 5 annotators.",
        ),
        (
            Note("figure_moves", {"fewest": 2, "at_fewest": 0.51, "most": 4, "at_most": 0.6789}),
            "the estimate itself depends on the number of ratings per item (0.510 with 2, 0.679 "
            "with 4).",
        ),
        (Note("two_ratings_alone"), "(per_item= uses a model)."),
    ],
)
def test_why_annotators_stay(note: Note, sentence: str) -> None:
    fixed = [Note("fixed", {"why": note})]
    assert sentence in text(study(half_width=0.06).assign_attrs(notes=dump_notes(fixed)))


@pytest.mark.parametrize(
    ("note", "sentence"),
    [
        (
            Note("single_ratings", {"items": 83}),
            "83 of the pilot's items have one rating and are not counted here.",
        ),
        (
            Note("model_does_not_fit", {"estimate": 0.4321, "observed": 0.5, "errors": 2.34}),
            "would be 0.432, not 0.500).",
        ),
        (
            Note(
                "uneven_panels",
                {
                    "fewest": 2,
                    "most": 3,
                    "mean": 2.6375,
                    "per_item": 3,
                },
            ),
            "have 2 to 3 annotators, 2.638 on average; these numbers are for 3 on every item.",
        ),
        (
            Note(
                "simulations_differ",
                {
                    "designs": [
                        Note(
                            "design",
                            {
                                "items": 277,
                                "sizes": [Note("size", {"annotators": m}) for m in (3, 4, 5)],
                            },
                        )
                    ]
                },
            ),
            "For 277 items with 3, 4 and 5 annotators, formula and simulation differ",
        ),
    ],
    ids=lambda value: value.code if isinstance(value, Note) else "",
)
def test_notes_in_words(note: Note, sentence: str) -> None:
    assert sentence in text(study(half_width=0.06).assign_attrs(notes=dump_notes([note])))


def test_simulations_stand_beside_the_formula() -> None:
    how: dict[str, Any] = {"simulations": 64, "replicates": 0, "level": "nominal"}
    result = iaa.plan(ratings(80, 3, 19), null=0.36, **how)
    said = text(result)
    assert "Simulated ratings compared with the formula" in said
    assert "Items Annotators SE formula SE simulated Power formula Power simulated" in said
    assert "64 sets of ratings per design" in said


def test_files_have_every_design_in_full(tmp_path: Path) -> None:
    result = study(half_width=0.06, looks=2)
    iaa.page(result).save(f"{tmp_path}/tables/")

    def rows(name: str) -> list[dict[str, Any]]:
        return list(csv.DictReader(StringIO((tmp_path / "tables" / f"{name}.csv").read_text())))

    designs = rows("designs")
    assert len(designs) == result.half_width.size
    for row in designs[:5]:
        at = {"items": int(row["items"]), "annotators": int(row["annotators"])}
        assert float(row["half_width"]) == result.half_width.sel(at)
        assert row["reaches_half_width"] == str(bool(result.reaches_half_width.sel(at)))
    needs = rows("annotators")
    assert [float(row["items_needed"]) for row in needs] == result.items_needed.values.tolist()
    assert [float(row["z"]) for row in rows("looks")] == result.look_z.values.tolist()
    assert rows("half_widths")[0].keys() >= {"items", "half_width_2", "half_width_3"}
