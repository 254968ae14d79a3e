"""The page of drift: what it says of a result, in a terminal, in files and in a picture."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import page
from iaa_jax.pages import Picture
from iaa_jax.wording import Note, dump_notes
from tests.analyses.drift.studies import ratings, study
from tests.noted import notes_of


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")


def text(result: xr.Dataset) -> str:
    return " ".join(str(iaa.page(result)).split())


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(path.read_text())))


def test_the_whole_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    result = study("part")
    notes = [note for note in notes_of(result) if note.code != "other_annotators"]
    printed = str(iaa.page(result.assign_attrs(notes=dump_notes(notes))))
    assert printed == (
        """\
Krippendorff's alpha in 'last' is 0.225, against 0.725 in the other batches (p =
0.010).

Coefficient  Krippendorff's alpha
By           part (in order of first appearance: pilot, second, main, last;
             order= sets another)
All items    0.600 (0.53 to 0.67)
Items        240, all with two ratings or more
Annotators   4

Batch   Items  Estimate  95 % interval  95 % jointly  0.05             1.00
───────────────────────────────────────────────────────────────────────────
pilot      60     0.817   0.71 to 0.92  0.67 to 0.92              : --o--
second     60     0.872   0.78 to 0.97  0.72 to 0.97              :  --o--
main       60     0.486   0.34 to 0.63  0.31 to 0.64        ---o---
last       60     0.225   0.09 to 0.36  0.07 to 0.38   ---o---    :

Agreement of each annotator with the others, and share of the items rated

Batch   ann           bob           cleo          dora
──────────────────────────────────────────────────────────────
pilot   88 % (100 %)  88 % (100 %)  88 % (100 %)  -
second  92 % (100 %)  93 % (100 %)  90 % (100 %)  -
main    67 % (100 %)  64 % (100 %)  90 % (40 %)   50 % (60 %)
last    52 % (100 %)  49 % (100 %)  -             43 % (100 %)

- 95 % jointly: the interval holds for all 4 batches together.
- Bars: o is the estimate, - its interval, : the figure of all items.
- Share of an annotator's comparisons with the others' ratings that agree; in
  brackets the share of the items that the annotator rated.
- Krippendorff's alpha is 0.844 before 'main' and 0.355 from that batch on (p =
  0.010), in the batches' order of first appearance: a step in time only if that
  is their order (order= sets another).
- Standard errors: 0.049 before the step and 0.049 after it.
- 95 % intervals: normal from the standard error; not cut at 1.
- Each p allows for all the positions that were tried (help(iaa.drift)).
- Items count as independent: where several come from one document or
  conversation, intervals are wider, and cluster= with that column's name draws
  such items together.
- The step is the largest of 3 tried, so its size is overestimated
  (help(iaa.drift)).
- Next: look at the items and annotators in 'last'."""
    )


def test_sentences() -> None:
    said = text(study())
    for part in (
        "Krippendorff's alpha fell from 0.853 before 2024-04-05 to 0.",
        "95 % of resamples place the step between 2024-0",
        "Next: look at what changed on 2024-04-05: ",
        "the straight trend of -0.870 over the whole period (p = 0.010 by itself, p = ",
        "run again with keep_annotators=ann,bob, who rated in both.",
        "By day (dates)",
        "Shown: 12 of 50 windows",
        "Around: items within",
        "95 % jointly: the interval holds for all 50 windows together",
    ):
        assert part in said


@pytest.mark.parametrize(
    ("note", "sentence"),
    [
        (
            Note(
                "no_drift",
                {
                    "title": "alpha",
                    "p": 0.267,
                    "trend": "",
                    "tests": [Note("a_step"), Note("a_trend")],
                },
            ),
            "p allows for the search for a step and a trend (",
        ),
        (
            Note("not_tested", {"none": 0}),
            "No verdict: without a test (permutations=0)",
        ),
        (
            Note("too_narrow", {"reach": 0.5, "usual": 12.3456}),
            "bandwidth=0.5 is too narrow: no window holds enough items. Leave it out, or take "
            "about 12.35.",
        ),
        (
            Note(
                "no_step",
                {
                    "where": Note("each_cut", {"cuts": 2}),
                    "reasons": [Note("nothing_varies"), Note("undefined_on_a_side")],
                },
            ),
            "each of the 2 cuts nothing varies on either side or the coefficient is undefined on a "
            "side.",
        ),
    ],
)
def test_notes_in_words(note: Note, sentence: str) -> None:
    result = study()
    (times,) = notes_of(result, "times_read")
    assert sentence in text(result.assign_attrs(notes=dump_notes([note, times])))


def test_windows_shown_are_those_with_a_figure() -> None:
    result = study()
    estimate = result.estimate.values.copy()
    estimate[10:] = np.nan
    (points, *_) = page(result.assign(estimate=("point", estimate))).tables
    assert list(points.rows_shown) == list(range(10))
    assert len(page(result).tables[0].rows_shown) == 12
    assert len(page(study("batch")).tables[0].rows_shown) == 10


def test_figures_that_are_missing_are_named_by_reason() -> None:
    result = study("batch")
    reason = np.array(["", "why", "why", "why", "why", *[""] * 5])
    said = text(result.assign(reason=("point", reason)))
    assert "Not computed in 4 batches (b 2, b 3, b 4 and 1 more): why." in said


def test_months_are_written_to_the_month() -> None:
    """In the sentence, the table of batches and that of annotators, which had "…03-…"."""
    months = (np.datetime64("2024-02") + np.arange(240) // 60).astype("datetime64[ns]")
    dated = ratings().assign_coords(month=("item", months))
    page_text = str(page(iaa.drift(dated, "month", interval="normal", permutations=99)))
    starts = [line.split()[0] for line in page_text.splitlines() if line.startswith("20")]
    assert starts == 2 * ["2024-02", "2024-03", "2024-04", "2024-05"]
    assert " before 2024-04 to " in " ".join(page_text.split())


@pytest.mark.parametrize("by", ["day", "batch", "half"])
def test_the_picture(by: str, tmp_path: Path) -> None:
    result = study(by)
    shown = iaa.page(result)
    (picture,) = shown.pictures
    assert isinstance(picture, Picture)
    assert picture.kind == ("lines" if by == "day" else "points")
    np.testing.assert_array_equal(picture.curves[0].y, result.estimate)
    shown.save(str(tmp_path / "drift.svg"))
    drawn = (tmp_path / "drift.svg").read_text()
    for part in ("Krippendorff", "step: 0.", "all items", f">{by}<"):
        assert part in drawn


def test_batches_too_small_for_figures_are_said_to_be() -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, (60, 1))
    labels = np.where(rng.random((60, 3)) < 0.7, truth, rng.integers(0, 2, (60, 3)))
    ratings = iaa.from_wide(labels.astype(str)).assign_coords(
        batch=("item", [f"b{k // 5 + 1}" for k in range(60)])
    )
    shown = " ".join(str(iaa.page(iaa.drift(ratings, "batch", permutations=0))).split())
    assert "no batch has an estimate, which needs 10 items" in shown
    assert "nothing varies" not in shown


def test_of_many_batches_those_with_the_most_items_are_shown() -> None:
    """Batches are in their order, and a small one is in files only."""
    result = study("batch")
    (times,) = notes_of(result, "times_read")
    result = result.assign_attrs(notes=dump_notes([times]))
    many = xr.concat([result] * 6, "point", data_vars="minimal")
    sizes = np.arange(60.0)[::-1] + 10
    many = many.assign(effective_items=("point", sizes))
    many = many.assign_coords(point=np.array([f"b{at}" for at in range(60)], dtype=object))
    points = page(many).tables[0]
    assert list(points.rows_shown) == list(range(40))
    upward = page(many.assign(effective_items=("point", sizes[::-1]))).tables[0]
    assert list(upward.rows_shown) == list(range(20, 60))
    assert isinstance(upward.noun, Note)
    assert upward.noun.code == "most_items"


@pytest.mark.parametrize(
    ("conclusion", "code"),
    [
        ("no_drift", "rates_differ_alone"),
        ("two_alike", "rates_differ_alone"),
        ("step", "rates_differ"),
    ],
)
def test_label_rates_are_set_against_the_verdict(conclusion: str, code: str) -> None:
    result = study()
    (times,) = notes_of(result, "times_read")
    where = Note("in_batch", {"at": Note("at_batch", {"name": "x"})})
    values = {"label": "a", "lowest": 0.1, "highest": 0.5, "p": 0.001}
    values |= {"lowest_where": where, "highest_where": where}
    given = result.assign_attrs(
        notes=dump_notes([times, Note("labels_differ", values)]), conclusion=conclusion
    )
    assert [note.code for note in page(given).answer] == [code]


def test_windows_of_few_items_are_named() -> None:
    chance = np.random.default_rng(2)
    truth = chance.integers(0, 2, 60)
    given = np.where(chance.random((60, 3)) < 0.85, truth[:, None], 1 - truth[:, None])
    ratings = iaa.from_wide(given).assign_coords(week=("item", ["a"] * 40 + ["b"] * 20))

    def page(interval: str | None) -> str:
        found = iaa.drift(ratings, "week", interval=interval, replicates=200)
        return " ".join(str(iaa.page(found)).split())

    said = "Few items at 'b': with fewer than 30, intervals of this kind miss the coefficient"
    assert said in page("bca")
    # those of a posterior hold there
    assert "Few items at" not in page("auto")
    assert "Few items at" not in page(None)


DOC = iaa.Sampling(cluster="doc")


def test_windows_of_few_clusters_are_named() -> None:
    chance = np.random.default_rng(2)
    ratings = iaa.from_wide(chance.integers(0, 2, (120, 3)))
    ratings = ratings.assign_coords(week=("item", ["a"] * 80 + ["b"] * 40))

    def page(items: int, interval: str | None = "auto") -> str:
        doc = ("item", np.arange(120) // items)
        clustered = ratings.assign_coords(doc=doc)
        found = iaa.drift(clustered, "week", sampling=DOC, interval=interval, permutations=99)
        return " ".join(str(iaa.page(found)).split())

    said = "Few clusters at 'b': intervals over fewer than 12"
    assert said in page(4)
    assert said not in page(4, None)
    assert "clusters at" not in page(2)
    assert "There are only 6 clusters" in (few := page(20))
    assert "clusters at" not in few  # which goes without saying
