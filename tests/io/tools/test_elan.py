"""ELAN: tiers as spans with times, by the annotators of tiers or of folders."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from iaa_jax import IaaError, read_long, read_spans, span_f1

TALKS = Path(__file__).parents[1] / "samples" / "elan" / "synthetic_two_annotators"
TALK = (TALKS / "talk1.eaf").read_text()


def refused(path: Path, **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        read_spans(path, **options)
    return str(caught.value).replace(f"{path.parent}/", "")


def test_tiers_by_their_annotators() -> None:
    spans = read_spans(TALKS, question="gesture")
    assert spans.document.values.tolist() == ["talk1", "talk2"]
    assert spans.annotator.values.tolist() == ["ann", "bob"]
    assert spans.seen.values.all()
    assert spans.start.values.tolist() == [1.25, 4.0, 1.25, 4.1, 7.0, 0.5]
    assert spans.end.values.tolist() == [2.5, 5.125, 2.5, 5.125, 7.5, 1.75]
    assert spans.label.values.tolist() == ["beat", "point"]
    assert spans.attrs["read_as"] == (
        "ELAN EAF, times in seconds, question 'gesture', items from file names, annotators from "
        "'ANNOTATOR', 2 files"
    )


def test_the_figure_is_that_of_the_marks() -> None:
    table = read_long(TALKS, question="gesture").dropna(subset="start")
    units = {
        who: set(rows[["document", "start", "end", "label"]].itertuples(index=False, name=None))
        for who, rows in table.groupby("annotator")
    }
    shared = len(units["ann"] & units["bob"])
    f1 = 2 * shared / np.sum([len(each) for each in units.values()])
    found = span_f1(read_spans(TALKS, question="gesture"), interval=None).estimate
    assert (shared, float(found)) == (1, pytest.approx(f1))


def test_annotations_on_others_have_their_times() -> None:
    table = read_long(TALKS, question="hand").dropna(subset="start")
    assert table["label"].tolist()[:3] == ["left", "both", "left"]
    assert table["start"].tolist()[:3] == [1.25, 4.0, 1.25]


def test_a_folder_for_each_annotator(tmp_path: Path) -> None:
    for who in ("ann", "bob"):
        (tmp_path / who).mkdir()
        start = TALK.index("<TIER "), TALK.index('<TIER ANNOTATOR="bob"')
        end = TALK.index("<LINGUISTIC_TYPE")
        tiers = TALK[start[0] : start[1]] if who == "ann" else TALK[start[1] : end]
        tiers = tiers.replace(f"_{who}", "")
        text = TALK[: start[0]] + tiers + TALK[end:]
        (tmp_path / who / "talk.eaf").write_text(text)
    spans = read_spans(tmp_path, question="gesture")
    assert spans.annotator.values.tolist() == ["ann", "bob"]
    assert spans.document.values.tolist() == ["talk"]
    assert spans.sizes["span"] == 5
    shutil.copy(tmp_path / "bob" / "talk.eaf", tmp_path / "alone.eaf")
    assert "without annotator" in refused(tmp_path / "alone.eaf", question="gesture")


def test_what_has_no_times_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "talk.eaf"
    text = TALK.replace('TIME_SLOT_ID="ts1" TIME_VALUE="1250"', 'TIME_SLOT_ID="ts1"')
    path.write_text(text.replace('REF="hand"', 'REF="word"'))
    spans = read_spans(path, question="gesture")
    assert spans.sizes["span"] == 4
    assert "6 annotations without times of their own" in spans.attrs["skipped"]


@pytest.mark.parametrize(
    ("part", "instead", "said"),
    [
        ("milliseconds", "PAL-frames", "its times are in 'PAL-frames'; save it by ELAN"),
        ('TIME_VALUE="1250"', 'TIME_VALUE="9000"', "a span from 9.0 to 2.5, which are not times"),
        ("</TIME_ORDER>", "", "this is no XML"),
        ("<ANNOTATION_DOC", '<!DOCTYPE a [<!ENTITY b "c">]><ANNOTATION_DOC', "never does"),
    ],
)
def test_refused(tmp_path: Path, part: str, instead: str, said: str) -> None:
    path = tmp_path / "talk.eaf"
    path.write_text(TALK.replace(part, instead))
    assert said in refused(path, question="gesture")
