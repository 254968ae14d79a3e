"""The command ``iaa spans``, and the page of its results."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import iaa_jax
from iaa_jax.cli.context import as_option
from iaa_jax.pages import render
from iaa_jax.pages.records import json_value
from iaa_jax.wording import Note, dump_notes
from tests.program import advised

FEW = ["--replicates", "60"]
SAMPLES = Path(__file__).parents[2] / "io" / "samples"

OF_TOOLS = {
    "brat/real_bratiaa_example": (),
    "brat/synthetic_two_annotators": ("--question", "spans"),
    "conll/synthetic_conll_one_file_per_annotator": (),
    "doccano/synthetic_two_annotators_sequence": (),
    "gate/synthetic_two_documents": ("--question", "annotations"),
    "inception/synthetic_agreement_export_diagnosis.csv": (),
    "inception/synthetic_project_export": (),
    "lighttag/synthetic_task_download.json": (),
    "mmax2/synthetic_two_annotators": ("--question", "opinion.polarity"),
    "prodigy/synthetic_ner_manual_sessions.jsonl": (),
    "redewiedergabe/synthetic_two_annotators": ("--question", "stwr.type"),
    "universal/real_pygamma_AlexPaulSuzan.csv": (),
}
"""An export of each format that holds spans, and what has to be said of it."""

ROWS = [
    ("d1", "ann", 0, 5, "PER"),
    ("d1", "bob", 0, 6, "PER"),
    ("d1", "ann", 9, 12, "ORG"),
    ("d1", "bob", 9, 12, "ORG"),
    ("d2", "ann", 3, 7, "ORG"),
    ("d2", "bob", 3, 7, "PER"),
    ("d3", "ann", 1, 2, "PER"),
    ("d3", "bob", 1, 2, "PER"),
    ("d4", "ann", 4, 8, "ORG"),
    ("d4", "bob", 4, 8, "ORG"),
]
FRAME = pd.DataFrame(ROWS, columns=["document", "annotator", "start", "end", "label"])


@pytest.fixture
def table(folder: Path) -> str:
    lines = ["document,annotator,start,end,label", *(",".join(map(str, row)) for row in ROWS)]
    (folder / "spans.csv").write_text("\n".join(lines) + "\n")
    return "spans.csv"


@pytest.mark.parametrize("name", OF_TOOLS)
def test_every_format_with_spans_is_measured(ran, name: str) -> None:
    done = ran("spans", str(SAMPLES / name), *OF_TOOLS[name], *FEW)
    assert "Strict F1" in done.stdout


def test_json_has_the_figures_of_the_function(iaa, table: str, folder: Path) -> None:
    written = json.loads(iaa("spans", table, "--match", "partial", *FEW, "--json", "-").stdout)
    result = iaa_jax.span_f1(iaa_jax.read_spans(folder / table), "partial", replicates=60)
    figures = written["span_f1"]
    for name, values in result.data_vars.items():
        if not values.dims:
            assert figures[name] == json_value(values.values), name
    for axis in ("label", "pair", "annotator", "document"):
        rows = figures[f"{axis}s"]
        rows = [*rows.values()] if isinstance(rows, dict) else rows
        for name, values in result.data_vars.items():
            if values.dims == (axis,):
                assert [row[name] for row in rows] == json_value(values.values), name
    assert written["conclusion"] == result.attrs["conclusion"]
    assert written["data"]["spans"] == len(ROWS)
    coefficient = written["coefficients"]["partial_span_f1"]
    assert coefficient["ci_low"] == figures["f1_ci_low"]


def test_the_page_shows_figures_of_the_result(iaa, table: str, folder: Path) -> None:
    done = iaa("spans", table, *FEW)
    result = iaa_jax.span_f1(iaa_jax.read_spans(folder / table), replicates=60)
    lines = [line.split() for line in done.stdout.splitlines() if line]
    found = {line[0]: line for line in lines if line[0] in ("ORG", "PER", "ann", "bob", "d2")}
    assert f"{float(result.label_f1.sel(label='PER')):.3f}" in done.stdout
    assert f"{float(result.annotator_f1.sel(annotator='bob')):.3f}" in found["ann"] + found["bob"]
    assert [line[0] for line in lines if line[0] in ("d1", "d2")] == ["d2", "d1"]
    assert any(line[0] == "Documents" and line[1].startswith("4") for line in lines)
    # of four documents nobody can say how certain that is
    assert " to " not in next(line for line in done.stdout.splitlines() if "Strict F1  " in line)


def test_require_decides_the_exit_code(iaa, table: str) -> None:
    met = iaa(
        "spans",
        table,
        *FEW,
        "--require",
        "span_f1.estimate>=0.5",
        "--require",
        "partial_gain.estimate<0.5",
    )
    assert met.exit_code == 0
    assert "span_f1.estimate >= 0.5: met, it is 0.6" in met.stderr
    failed = iaa("spans", table, *FEW, "--require", "span_f1.estimate>0.99")
    assert failed.exit_code == 3
    assert "required span_f1.estimate > 0.99, but it is 0.6" in failed.stderr
    assert iaa("spans", table, "--require", "span_f1=1").exit_code == 2


def test_tokens_need_the_lengths_of_documents(iaa, table: str) -> None:
    refused = iaa("spans", table, *FEW, "--tokens")
    assert refused.exit_code == 1
    assert "length" in refused.stderr
    sample = str(SAMPLES / "redewiedergabe" / "synthetic_two_annotators")
    done = iaa("spans", sample, "--question", "stwr.type", *FEW, "--tokens", "--json", "-")
    tokens = json.loads(done.stdout)["tokens"]
    spans = iaa_jax.read_spans(sample, question="stwr.type")
    alpha = iaa_jax.krippendorff_alpha(iaa_jax.data.token_ratings(spans), replicates=60)
    np.testing.assert_allclose(tokens["krippendorff_alpha"]["estimate"], float(alpha.estimate))


def test_wrong_use_is_refused(iaa, table: str) -> None:
    assert iaa("spans", table, "--match", "sloppy").exit_code == 2
    labels = iaa("spans", table, "--coefficients", "cohen_kappa")
    assert labels.exit_code == 1
    assert "span_f1" in labels.stderr


def test_annotators_and_labels_can_be_kept(iaa, table: str) -> None:
    done = iaa("spans", table, *FEW, "--keep-labels", "ORG", "--json", "-")
    assert [*json.loads(done.stdout)["span_f1"]["labels"]] == ["ORG"]


MARKED_TWICE = """document,annotator,start,end,label,unit
d1,ann,0,5,PER,1
d1,ann,0,5,PER,2
d1,bob,0,5,PER,1
d2,ann,2,4,ORG,1
d2,bob,2,4,ORG,1
d3,ann,2,4,ORG,1
d3,bob,2,4,PER,1
"""


def test_referee_what_is_marked_twice_may_count_twice(ran, folder: Path) -> None:
    (folder / "twice.csv").write_text(MARKED_TWICE)
    found = {}
    for given in ((), ("--duplicates", "set"), ("--duplicates", "multiset")):
        done = ran("spans", "twice.csv", *given, *FEW, "--json", "-")
        found[given[-1:]] = json.loads(done.stdout)
        of_json = found[given[-1:]]
        listed = of_json["coefficients"]
        named = listed["span_f1"] if isinstance(listed, dict) else listed[0]
        # one name, one figure: in the table of coefficients too
        assert named["estimate"] == pytest.approx(of_json["span_f1"]["f1"])
        spans = iaa_jax.read_spans("twice.csv")
        kind = given[-1] if given else "set"
        same = iaa_jax.span_f1(spans, duplicates=kind, replicates=60)
        assert of_json["span_f1"]["f1"] == float(same.f1)
    assert found[()]["span_f1"]["f1"] == found[("set",)]["span_f1"]["f1"] == pytest.approx(2 / 3)
    assert found[("multiset",)]["span_f1"]["f1"] == pytest.approx(4 / 7)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("multiset,set", "give one of multiset and set"),
        ("first,last", "give one of first and last"),
        ("twice", "'twice' is not one of: error, first"),
    ],
)
def test_what_counts_twice_is_said_once(iaa, table: str, given: str, said: str) -> None:
    done = iaa("spans", table, "--duplicates", given)
    assert done.exit_code == 2
    assert said in " ".join(done.stderr.split())


def test_repeated_judgements_and_marks_are_chosen_together(ran, folder: Path) -> None:
    (folder / "twice.csv").write_text(MARKED_TWICE)
    done = ran("spans", "twice.csv", "--duplicates", "first,multiset", *FEW, "--json", "-")
    assert json.loads(done.stdout)["span_f1"]["f1"] == pytest.approx(4 / 7)


@pytest.mark.parametrize("question", ["", "stwr.type", "a b"])
def test_the_next_step_reads_the_question_that_was_read(question: str) -> None:
    result = iaa_jax.span_f1(iaa_jax.from_spans(FRAME), interval=None)
    part = Note("read_question", {"question": question})
    reading = dump_notes([Note("read_as", {"parts": [part] if question else []})])
    page = iaa_jax.page(result.assign_attrs(reading=reading, files='["s.csv"]'))
    option = ["--question", question] if question else []
    assert advised(render(page, "terminal", as_option)) == [
        ["spans", "s.csv", "--show", "5", *option],
        ["labels", "s.csv", *option],
        ["annotators", "s.csv", *option],
    ]


def test_the_rows_of_the_confusion_have_the_numbers_of_its_columns() -> None:
    page = iaa_jax.page(iaa_jax.span_f1(iaa_jax.from_spans(FRAME), interval=None))
    (table,) = (table for table in page.tables if table.id == "confusion")
    number, labels, _, *shares = table.columns
    assert [column.heading for column in shares] == list(number.values)
    assert [column.key for column in shares] == [f"with_{label}" for label in labels.values]
    assert "kinds" in {table.id for table in page.tables if table.in_files}
