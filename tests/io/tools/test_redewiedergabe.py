"""REDEWIEDERGABE: tables of tokens, against its figures and against its XMI."""

from __future__ import annotations

import json
import tarfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError, read, read_spans
from tests.io.tools.marks import Write, folder, marked

HEAD = "tok\tlemma\tstwr\tframe\tspeaker\tintexpr\n"
ANN = HEAD + (
    "Er\ter\t-\tframe.1\tspeaker.1\t-\n"
    "sagte\tsagen\tdirect.speech.1|reported.thought.2.nonfact\tframe.1\t-\tintexpr.1\n"
    '"\t"\t-\t-\t-\tintexpr.1\n'
    "ja\tja\tdirect.speech.1\tframe.2\t-\t-\n"
)
BOB = HEAD + (
    "Er\ter\tdirect.speech.9\t-\t-\t-\n"
    "sagte\tsagen\t-\t-\t-\t-\n"
    '"\t"\tindirect.speech writing.\t-\t-\t-\n'
    "ja\tja\tindirect.speech writing.\t-\t-\t-\n"
)


@pytest.fixture
def two(write: Write) -> Path:
    return folder(write, {"ann/tsv/d.tsv": ANN, "bob/tsv/d.tsv": BOB})


def test_spans(two: Path) -> None:
    spans = read_spans(two, question="stwr.type")
    assert marked(spans) == {
        ("tsv/d", "ann"): [(1, 2, "direct"), (1, 2, "reported"), (3, 4, "direct")],
        ("tsv/d", "bob"): [(0, 1, "direct"), (2, 4, "indirect")],
    }
    assert len(set(spans.unit_of.values.tolist())) == 4
    assert spans.length.values.tolist() == [4]
    assert "positions in tokens" in spans.attrs["read_as"]
    both = read_spans(two, question="stwr.type+medium").label.values
    assert both.tolist() == ["direct.speech", "indirect.speech writing", "reported.thought"]
    assert marked(read_spans(two, question="frame")) == {
        ("tsv/d", "ann"): [(0, 2, "frame"), (3, 4, "frame")],
        ("tsv/d", "bob"): [],
    }
    with pytest.raises(IaaError, match=r"6 questions: .*'stwr.medium' .*'speaker'"):
        read_spans(two)


def test_tokens(two: Path) -> None:
    ratings = read(two, question="token.type")
    assert ratings.item.values.tolist() == [f"tsv/d:{k}" for k in range(4)]
    assert ratings.label.values.tolist() == ["direct", "indirect", "reported"]
    assert ratings.record.values.tolist() == ["tsv/d"] * 4
    assert ratings.mass.values[:, 0].tolist() == [[0, 0, 0], [1, 0, 1], [0, 0, 0], [1, 0, 0]]
    assert read(two, question="token.type+medium").sizes["label"] == 3
    with pytest.raises(IaaError, match=r"2 questions: .*'token.type'"):
        read(two)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("direct.speech.1|", "direct.1|", "line 3: 'direct.1' in stwr is no type.medium.number"),
        ("intexpr.1\n", "intexpr\n", "line 3: 'intexpr' in intexpr is no intexpr.number"),
        ("\tspeaker.1", "", "line 2 has 5 columns, while its head has 6"),
    ],
)
def test_damaged(two: Path, old: str, new: str, message: str) -> None:
    (two / "ann/tsv/d.tsv").write_text(ANN.replace(old, new, 1))
    with pytest.raises(IaaError, match=r"d\.tsv") as caught:
        read_spans(two, question="frame")
    assert message in str(caught.value)


def test_texts_that_differ(two: Path) -> None:
    (two / "ann/tsv/d.tsv").write_text(ANN.replace("ja\t", "nein\t", 1))
    assert "the text of 1 document differs" in read_spans(two, question="frame").attrs["notices"]


@pytest.fixture(scope="module")
def corpus(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("redewiedergabe")
    for name in ("primary_tsv_subset_a", "primary_xmi_xml_4docs"):
        with tarfile.open(data_folder / "redewiedergabe" / f"{name}.tar.gz") as archive:
            archive.extractall(path, filter="data")
    return path / "data/additional/primary"


def pieces(spans: xr.Dataset) -> Counter[tuple[str, str, str]]:
    """How many spans, or pieces of them, an annotator marked in a document with a label."""
    found = (
        np.array([Path(name).name for name in spans.document.values])[spans.document_of],
        spans.annotator.values[spans.annotator_of],
        spans.label.values[spans.label_of],
    )
    return Counter(zip(*(column.tolist() for column in found), strict=True))


@pytest.mark.slow
def test_tokens_of_the_corpus(corpus: Path, data_folder: Path) -> None:
    ratings = read(corpus, question="token.type", format="redewiedergabe")
    assert dict(ratings.sizes) == {"item": 99_111, "annotator": 9, "label": 6}
    seen = ~np.isnan(ratings.mass.values[:, :, 0])
    first_two = seen & (seen.cumsum(axis=1) <= 2)  # as the figures were computed
    assert (first_two.sum(axis=1) == 2).all()
    figures = json.loads((data_folder / "FIGURES.json").read_text(encoding="utf-8"))
    marked = ratings.mass.values > 0
    codes = marked @ (1 << np.arange(ratings.sizes["label"]))  # a set of types, as one label
    labels = {f"{label} type": marked[:, :, k] for k, label in enumerate(ratings.label.values)}
    labels["all type"] = codes
    for variant in ("all type", "direct type", "indirect type", "reported type"):
        (wanted,) = (
            figure["recomputed"]
            for figure in figures
            if figure["dataset"] == "redewiedergabe" and figure["options"]["variant"] == variant
        )
        pairs = iaa.from_wide(labels[variant][first_two].reshape(-1, 2).astype(int))
        kappa = float(iaa.fleiss_kappa(pairs, interval=None).estimate)
        assert kappa == pytest.approx(wanted, abs=1e-6)


@pytest.mark.slow
def test_spans_of_the_corpus(corpus: Path) -> None:
    pytest.importorskip("cassis")
    spans = read_spans(corpus, question="stwr.type", format="redewiedergabe")
    assert (spans.sizes["document"], spans.sizes["annotator"]) == (170, 9)
    assert (spans.sizes["span"], len(np.unique(spans.unit_of))) == (5482, 5144)
    of_xmi = read_spans(corpus, question="Stwr.RType")
    assert of_xmi.attrs["layout"] == "uima"
    assert of_xmi.attrs["read_as"].endswith("13 files")  # two type systems, none beside documents
    assert (of_xmi.sizes["document"], of_xmi.sizes["annotator"]) == (4, 7)
    counted = pieces(of_xmi)
    assert counted.total() == 229
    # XMI splits a span where others speak, and the tables too where a token of it is not marked
    whole = spans.isel(span=np.unique(spans.unit_of, return_index=True)[1])
    by_unit, by_piece = pieces(whole), pieces(spans)
    for who, count in counted.items():
        assert by_unit[who] <= count <= by_piece[who]
        assert by_unit[who] == by_piece[who] or who[2] == "direct"
