"""GATE: sets of annotations in XML, types and features; entities and other harm."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
import xarray as xr

from iaa_jax import IaaError, read, read_spans

Write = Callable[..., Path]

FORMATS = Path(os.environ.get("IAA_JAX_DATA", ".")).parent / "formats"
OPERA = FORMATS / "gate" / "real_beijing-opera.xml"  # its licence keeps it out of the package
HEAD = "<?xml version='1.0' encoding='utf-8'?>\n<GateDocument>\n"
TEXT = '<TextWithNodes><Node id="0"/>Rome<Node id="4"/> is old<Node id="11"/></TextWithNodes>\n'


def annotation(of: str, start: object, end: object, **features: str) -> str:
    inner = "".join(
        f"<Feature><Name>{name}</Name><Value>{value}</Value></Feature>"
        for name, value in features.items()
    )
    start_and_end = f'StartNode="{start}" EndNode="{end}"'
    return f'<Annotation Id="7" Type="{of}" {start_and_end}>{inner}</Annotation>\n'


def document(text: str = TEXT, **sets: str) -> str:
    """A document; the set "default" has no name."""
    parts = [
        f"<AnnotationSet{'' if name == 'default' else f' Name={name!r}'}>\n{inner}</AnnotationSet>"
        for name, inner in sets.items()
    ]
    return "\n".join([HEAD + text, *parts, "</GateDocument>"])


def labels(spans: xr.Dataset, annotator: str) -> Counter[str]:
    at = spans.annotator_of == spans.annotator.values.tolist().index(annotator)
    return Counter(spans.label.values[spans.label_of[at]].tolist())


def refused(path: Path, **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        read_spans(path, **options)
    return str(caught.value).replace(f"{path}", path.name)


@pytest.mark.skipif(not OPERA.exists(), reason="the sample is not here")
def test_a_real_document() -> None:
    message = refused(OPERA, question="nothing")
    assert "question='annotations' (spans, 3 judgements)" in message
    assert "question='sent.Op' (spans, 3 judgements)" in message
    spans = read_spans(OPERA)
    assert spans.annotator.values.tolist() == ["ann2", "ann3", "ann1"]
    assert spans.document.values.tolist() == ["real_beijing-opera"]
    assert spans.length.values.tolist() == [2068]
    counts = {name: dict(labels(spans, name)) for name in ("ann1", "ann2", "ann3")}
    assert counts == {
        "ann1": {"sent": 19, "Location": 14, "Os": 5},
        "ann2": {"sent": 19, "Os": 3},
        "ann3": {"sent": 19, "Os": 4},
    }
    values = read_spans(OPERA, question="sent.Op")
    assert {name: dict(labels(values, name)) for name in ("ann1", "ann2", "ann3")} == {
        "ann1": {"true": 5, "false": 3, "": 1},
        "ann2": {"true": 4, "false": 5},
        "ann3": {"true": 6, "false": 3},
    }


def test_sets_of_annotators_and_of_nobody(tmp_path: Path) -> None:
    rome, word = annotation("Place", 0, 4), annotation("Word", 5, 7)
    more = {"key": rome, "Original markups": rome}
    (tmp_path / "d2.xml").write_text(document(default=rome + word, ann=rome, bob="", **more))
    (tmp_path / "d10.xml").write_text(document(default=word, ann=word, bob=word))
    (tmp_path / "d1.xml").write_text(document(bob=rome))
    spans = read_spans(tmp_path)
    assert spans.document.values.tolist() == ["d1", "d2", "d10"]
    assert spans.annotator.values.tolist() == ["bob", "ann"]
    assert spans.seen.values.tolist() == [[True, False], [True, True], [True, True]]
    assert spans.sizes["span"] == 4
    assert spans.attrs["skipped"] == "1 judgement of curators; 3 annotations of a default set"
    keys = read_spans(tmp_path, include="curator")
    assert keys.annotator.values.tolist() == ["bob", "ann", "key"]


def test_features_are_layers(write: Write) -> None:
    ann = annotation("Place", 0, 4, kind="city", note="")
    bob = annotation("Place", 0, 4, kind="state") + annotation("Word", 5, 7)
    path = write(document(ann=ann, bob=bob), "d.xml")
    plain = read_spans(path)
    assert "not its features 'Place.kind'" in plain.attrs["read_as"]
    assert labels(plain, "bob") == {"Place": 1, "Word": 1}
    spans = read_spans(path, question="Place.kind")
    assert spans.label.values.tolist() == ["city", "state"]
    assert spans.attrs["read_as"].startswith(
        "GATE XML, positions in UTF-16 units, question 'Place.kind', items from file names, "
    )
    assert labels(read_spans(path, question="annotations"), "bob") == {"Place": 1, "Word": 1}
    assert read(path, question="annotations").attrs["task"] == "spans"


def test_one_file_for_each_annotator(tmp_path: Path) -> None:
    for name, kind in (("ann", "Place"), ("bob", "Town")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "d.xml").write_text(document(**{name: annotation(kind, 0, 4)}))
        (tmp_path / f"d-{name}.xml").write_text(document(default=annotation(kind, 0, 4)))
    spans = read_spans([tmp_path / "ann", tmp_path / "bob"])
    assert spans.document.values.tolist() == ["d"]
    other = TEXT.replace("old", "new")
    (tmp_path / "bob" / "d.xml").write_text(document(other, bob=annotation("Town", 0, 4)))
    message = refused(tmp_path, file_pattern="d.xml")
    assert "no document was seen by two annotators" in message
    named = read_spans(tmp_path, file_pattern="d-{annotator}.xml")
    assert named.annotator.values.tolist() == ["ann", "bob"]
    assert named.label.values.tolist() == ["Place", "Town"]


def test_places_are_those_of_java(write: Write) -> None:
    text = "<TextWithNodes>\N{GRINNING FACE}a&lt;</TextWithNodes>"
    path = write(document(text, ann=annotation("X", 0, 2), bob=annotation("X", 0, 4)), "d.xml")
    assert read_spans(path).length.values.tolist() == [4]


def test_repeated_sets(write: Write) -> None:
    twice = document(ann=annotation("X", 0, 2), bob="").replace("'bob'", "'ann'")
    message = refused(write(twice, "d.xml"))
    assert "'ann'" in message
    assert "d.xml" in message


@pytest.mark.parametrize(
    ("start", "end"), [("x", 4), (4, 0), ("", ""), (0, "9" * 30), (-1, 2), (0.5, 2)]
)
def test_places_that_are_none(write: Write, start: object, end: object) -> None:
    path = write(document(ann=annotation("X", start, end), bob=""), "d.xml")
    assert "d.xml, set 'ann', annotation '7': " in refused(path)


def test_harmful_files(write: Write) -> None:
    laughs = '<!DOCTYPE GateDocument [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>\n'
    for harm in (laughs, '<!DOCTYPE GateDocument SYSTEM "file:///etc/passwd">\n'):
        text = document(ann="", bob="")
        path = write(text.replace("<GateDocument>", f"<!-- x -->{harm}<GateDocument>"), "d.xml")
        assert "d.xml: it declares a document type or entities" in refused(path)
        path = write(text.replace("<TextWithNodes>", f"{harm}<TextWithNodes>"), "d.xml")
        assert "d.xml line" in refused(path)
    deep = document(
        ann=annotation("X", 0, 1, x="<a>" * 10**5 + "</a>" * 10**5), bob=annotation("X", 0, 1)
    )
    assert read_spans(write(deep, "deep.xml"), question="annotations").sizes["span"] == 2
    assert "d.xml line 4: this is no XML" in refused(write(HEAD + TEXT + "<Annot", "d.xml"))
    latin = document(ann=annotation("Stra\xdfe", 0, 1), bob=annotation("Y", 0, 1)).replace(
        "utf-8", "latin-1"
    )
    for data in (latin.encode("latin-1"), latin.replace("latin-1", "utf-16").encode("utf-16")):
        spans = read_spans(write(data, "l.xml"))
        assert spans.label.values.tolist() == ["Stra\xdfe", "Y"]
