"""brat: documents in a folder for each annotator, spans in parts, attributes, texts."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

from iaa_jax import IaaError, read, read_spans

SAMPLES = Path(__file__).parents[1] / "samples" / "brat"
REAL = SAMPLES / "real_bratiaa_example"
TWO = SAMPLES / "synthetic_two_annotators"


def marked(spans: xr.Dataset, document: str, annotator: str) -> list[tuple[int, int, str]]:
    """Spans of an annotator in a document."""
    of_document = spans.document.values.tolist().index(document)
    of_annotator = spans.annotator.values.tolist().index(annotator)
    at = (spans.document_of == of_document) & (spans.annotator_of == of_annotator)
    labels = spans.label.values[spans.label_of[at].values].tolist()
    return [
        *zip(spans.start[at].values.tolist(), spans.end[at].values.tolist(), labels, strict=True)
    ]


def refused(path: Path, **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        read_spans(path, **options)
    return str(caught.value).replace(f"{path}/", "")


@pytest.fixture
def corpus(tmp_path: Path) -> Callable[[str, str], Path]:
    """A corpus of one document by two annotators."""

    def corpus(ann: str, bob: str = "") -> Path:
        for name, text in (("ann", ann), ("bob", bob)):
            (tmp_path / "corpus" / name).mkdir(parents=True, exist_ok=True)
            (tmp_path / "corpus" / name / "d.ann").write_text(text)
        return tmp_path / "corpus"

    return corpus


def test_pairwise_f1_of_a_published_report() -> None:
    spans = read_spans(REAL)
    assert spans.sizes["document"] == 2
    assert spans.annotator.values.tolist() == ["Lisa", "Maria", "Max", "Peter"]
    assert spans.attrs["read_as"].startswith(
        "brat standoff, items from file names, annotators from 'folder', 8 files"
    )
    for document, mean, deviation in (("29", 0.906, 0.072), ("423", 0.906, 0.037)):
        f1 = []
        for pair in combinations(spans.annotator.values.tolist(), 2):
            a, b = ({*marked(spans, f"esp.train-doc-{document}", who)} for who in pair)
            f1.append(2 * len(a & b) / (len(a) + len(b)))
        assert round(np.mean(f1), 3) == mean
        assert round(np.std(f1), 3) == deviation
    assert "length" not in spans


def test_two_annotators() -> None:
    plain = read_spans(TWO)
    assert plain.attrs["read_as"].startswith(
        "brat standoff, question 'spans', not its features 'spans:Confidence', items from"
    )
    spans = read_spans(TWO, question="spans")
    assert spans.drop_attrs().identical(plain.drop_attrs())
    assert "features" not in spans.attrs["read_as"]
    assert spans.document.values.tolist() == ["doc1", "doc2", "doc3"]
    assert spans.seen.values.tolist() == [[True, True], [True, True], [True, False]]
    assert spans.length.values.tolist() == [115, 17, 23]
    assert spans.attrs["notices"].startswith("2 files mark nothing: a document")
    assert len(marked(spans, "doc1", "ana")) == 7
    assert marked(spans, "doc2", "ben") == []
    # one in two parts; a city that was marked twice is one
    ben = marked(spans, "doc1", "ben")
    assert ben[:3] == [(4, 9, "Animal"), (16, 19, "Animal"), (16, 19, "Animal")]
    assert ben[3:] == [
        (45, 56, "City"), (80, 84, "Person"), (93, 104, "Person"), (108, 113, "Date"),
    ]  # fmt: skip
    assert len({*spans.unit_of.values.tolist()}) == spans.sizes["span"] - 1
    skipped = spans.attrs["skipped"]
    for said in ("2 relations", "1 event", "1 attribute without a value", "1 remark", "1 file"):
        assert said in skipped


def test_values_of_attributes() -> None:
    spans = read_spans(TWO, question="spans:Confidence")
    assert marked(spans, "doc1", "ana") == [(45, 56, "High")]
    assert marked(spans, "doc1", "ben") == [(45, 56, "Low")]
    assert spans.seen.values.sum() == 5


def test_folders_below_and_archives(tmp_path: Path) -> None:
    path = tmp_path / "corpus.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(TWO.rglob("*.*")):
            archive.write(file, f"project/{file.relative_to(TWO)}")
    expected = read_spans(TWO, question="spans")
    packed = read_spans(path, question="spans")
    xr.testing.assert_equal(packed, expected)
    named = read_spans([TWO / "ben", TWO / "ana"], question="spans")
    assert named.annotator.values.tolist() == ["ben", "ana"]
    assert marked(named, "doc1", "ben") == marked(expected, "doc1", "ben")
    shutil.copytree(TWO / "ana", tmp_path / "c" / "ana" / "news")
    shutil.copytree(TWO / "ben", tmp_path / "c" / "ben" / "news")
    assert "news/doc1" in read_spans(tmp_path / "c", question="spans").document.values


def test_annotators_by_file_names(tmp_path: Path) -> None:
    for name in ("ann", "bob"):
        (tmp_path / f"doc1-{name}.ann").write_text("T1\tX 0 3\tabc\n")
        (tmp_path / f"doc2-{name}.ann").write_text("")
    spans = read_spans(tmp_path, file_pattern="doc?-{annotator}.ann")
    assert spans.document.values.tolist() == ["doc1", "doc2"]
    assert spans.annotator.values.tolist() == ["ann", "bob"]


def test_one_annotator_is_named() -> None:
    message = refused(TWO / "ana", question="spans")
    assert "only one annotator, 'ana'" in message


def test_places_are_code_points_with_line_breaks(corpus: Callable[..., Path]) -> None:
    path = corpus("T1\tX 4 5\tb\n", "T1\tX 4 5\tb\n")
    for name in ("ann", "bob"):
        (path / name / "d.txt").write_bytes("\N{GRINNING FACE}a\r\nb".encode())
    assert read_spans(path).length.values.tolist() == [5]
    (path / "bob" / "d.txt").write_text("another text")
    assert "ann/d.txt and bob/d.txt are different texts" in refused(path)
    (path / "bob" / "d.txt").unlink()
    (path / "ann" / "d.txt").write_text("abc")
    assert "beyond the end of the document" in refused(path)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("T1\tX 0", r"not a line of brat's standoff, such as 'T1\tLabel 0 5\ttext': 'T1\tX 0'"),
        ("T1\tX 5 0\ttext", "a span from 5 to 0"),
        ("T1\tX 0 99999999999999999999\ttext", "not a line of brat's standoff"),
        ("T1\tX 0 1;2\ttext", "not a line of brat's standoff"),
        ("some words", "not a line of brat's standoff"),
        ("A1\tConfidence", "such as 'A1\\tName T1 value'"),
        ("T0\tX 0 1\ta", "the id 'T0' was given before"),
    ],
)
def test_what_is_no_line_of_standoff(corpus: Callable[..., Path], line: str, said: str) -> None:
    message = refused(corpus(f"T0\tX 0 1\ta\n\n{line}\n"))
    assert message.startswith("ann/d.ann line 3: ")
    assert said in message


def test_duplicates_and_labels_of_items(corpus: Callable[..., Path]) -> None:
    path = corpus("T1\tX 0 1;2 3\ta b\nT2\tX 2 3;0 1\ta b\n", "T1\tY 0 3\ta b\n")
    spans = read_spans(path)
    assert spans.unit_of.values.tolist() == [0, 0, 1]
    assert read(path).unit_of.identical(spans.unit_of)
    message = refused(path, item="name")
    assert "ann/d.ann has no field 'name' (named by item='name'); its fields are" in message
    assert read_spans(path, item="file").document.values.tolist() == ["d.ann"]
    seen: list[tuple[int, int]] = []
    turned = read_spans(path, annotator="folders.1", progress=lambda *at: seen.append(at))
    assert turned.annotator.values.tolist() == ["ann", "bob"]
    assert seen == [(1, 2), (2, 2)]
