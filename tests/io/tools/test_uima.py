"""XMI and UIMA JSON: single files, projects, types that are not told, and hostile files."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import pytest

from iaa_jax import IaaError, read, read_spans
from iaa_jax.io.base import Options
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.source import Source
from iaa_jax.io.tools.inception import cas, layers, uima, words
from iaa_jax.io.tools.inception.uima import TOOL
from tests import archives
from tests.io.tools import mutants
from tests.io.tools.marks import Answers, Write, folder, marked, spans_of

pytest.importorskip("cassis")

SAMPLES = Path(__file__).parents[1] / "samples" / "inception"
XMI = SAMPLES / "real_tsv3_suite" / "testMultiTokenSpanWithFeatureValue.xmi"
JSON = SAMPLES / "real_uima_json_casWithTextAndAnnotations.json"

TYPES = """<?xml version="1.0" encoding="UTF-8"?>
<typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier"><types>
<typeDescription><name>webanno.custom.Span</name><description/>
<supertypeName>uima.tcas.Annotation</supertypeName><features>
<featureDescription><name>value</name><description/><rangeTypeName>uima.cas.String</rangeTypeName>
</featureDescription>
<featureDescription><name>next</name><description/><rangeTypeName>webanno.custom.Span</rangeTypeName>
</featureDescription>
</features></typeDescription></types></typeSystemDescription>"""


def xmi(marks: str, text: str = "In Rome \N{GRINNING FACE} it is", head: str = "") -> str:
    ids = range(10, 10 + marks.count("<"))
    for number in ids:
        marks = marks.replace(" sofa", f' xmi:id="{number}" Sofa', 1)
    marks = marks.replace("Sofa", 'sofa="1"')
    return f"""<?xml version="1.0" encoding="UTF-8"?>{head}<xmi:XMI
xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore"
xmlns:custom="http:///webanno/custom.ecore" xmlns:tcas="http:///uima/tcas.ecore"
xmlns:type3="http:///de/tudarmstadt/ukp/dkpro/core/api/metadata/type.ecore"
xmlns:type5="http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore"
xmi:version="2.0"><cas:NULL xmi:id="0"/>{marks}
<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="{text}"/>
<cas:View sofa="1" members="{" ".join(map(str, ids))}"/></xmi:XMI>"""


ANA = xmi('<custom:Span sofa begin="3" end="7" value="LOC"/><custom:Span sofa begin="8" end="10"/>')
BEN = xmi('<custom:Span sofa begin="11" end="13" value="X"/><type5:Token sofa begin="0" end="2"/>')
MARKED: Answers = {
    ("d1.txt", "ana"): [(3, 7, "LOC"), (8, 10, "")],
    ("d1.txt", "ben"): [(11, 13, "X")],
}


def project(files: Mapping[str, str | bytes], name: str, tmp_path: Path) -> Path:
    path = tmp_path / name
    with zipfile.ZipFile(path, "w") as archive:
        for inner, text in files.items():
            archive.writestr(inner, text)
    return path


def packed(files: Mapping[str, str]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return data.getvalue()


@pytest.mark.parametrize(
    ("path", "name", "spans", "length"),
    [
        (XMI, "NamedEntity", [(0, 16, "PERSON")], 16),
        (JSON, "Annotation", [(0, 4, ""), (5, 7, ""), (8, 9, ""), (10, 14, "")], 14),
    ],
)
def test_files_of_one_annotator(
    path: Path, name: str, spans: list[tuple[int, int, str]], length: int
) -> None:
    export = Export(TOOL.title, Options())
    assert TOOL.choose([Source(path)])
    TOOL.read([Source(path)], export)
    assert list(export.questions) == [name]
    assert spans_of(export, name) == spans
    assert export.lengths == {path.stem: length}
    with pytest.raises(IaaError, match="1 judgement without annotator"):
        read_spans(path)


@pytest.mark.parametrize("types", [None, TYPES])
def test_a_project_of_archives(tmp_path: Path, types: str | None) -> None:
    described = {} if types is None else {"TypeSystem.xml": types}
    files: dict[str, str | bytes] = {
        f"annotation/d1.txt/webanno{k}export.zip": packed({f"{user}.xmi": text, **described})
        for k, (user, text) in enumerate([("ben", BEN), ("ana", ANA)])
    }
    spans = read_spans(project(files, "p.zip", tmp_path))
    assert marked(spans) == MARKED
    assert spans.length.values.tolist() == [16]
    assert spans.attrs["read_as"].startswith(
        "INCEpTION UIMA, positions in UTF-16 units, items from"
    )
    states = [
        {"name": "d1.txt", "user": user, "state": state}
        for user, state in (("ana", "FINISHED"), ("ben", "IN_PROGRESS"))
    ]
    files["exportedproject12.json"] = json.dumps({"annotation_documents": states})
    files["annotation_ser/d1.txt/ana.ser"] = b"\xac\xed\x00\x05"
    path = project(files, "q.zip", tmp_path)
    with pytest.raises(IaaError, match="only one annotator, 'ana'"):
        read_spans(path)
    spans = read_spans(path, include="drafts")
    assert marked(spans) == MARKED
    assert "annotation_ser/d1.txt/ana.ser" in spans.attrs["skipped"]


def test_folders_and_titles(write: Write) -> None:
    path = folder(write, {"annotation/d1.txt/ana.xmi": ANA, "annotation/d1.txt/ben.xmi": BEN})
    assert marked(read_spans(path)) == MARKED
    path = folder(write, {"x/ana/d1.txt.xmi": ANA, "x/ben/d1.txt.xmi": BEN})
    assert marked(read_spans(path / "x")) == MARKED
    title = '<type3:DocumentMetaData sofa begin="0" end="2" documentTitle="{}" documentId="{}"/>'
    span = '<custom:Span sofa begin="{}" end="{}" value="{}"/>'
    files = {
        "0.xmi": xmi(title.format("d1.txt", "ana") + span.format(3, 7, "LOC")),
        "1.xmi": xmi(title.format("d1.txt", "ben") + span.format(11, 13, "X")),
        "2.xmi": xmi(title.format("d2.txt", "ben") + span.format(0, 2, "X"), text="At Rome"),
    }
    spans = read_spans(folder(write, {f"t/{name}": text for name, text in files.items()}) / "t")
    assert marked(spans) == {
        ("d1.txt", "ana"): [(3, 7, "LOC")],
        ("d1.txt", "ben"): [(11, 13, "X")],
        ("d2.txt", "ben"): [(0, 2, "X")],
    }


def test_json(write: Write) -> None:
    def document(*spans: tuple[int, int, str | None], types: bool = True) -> str:
        described = {
            "webanno.custom.Span": {
                "%NAME": "webanno.custom.Span",
                "%SUPER_TYPE": "uima.tcas.Annotation",
                "value": {"%NAME": "value", "%RANGE": "uima.cas.String"},
            }
        }
        sofa = {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaNum": 1, "sofaID": "_InitialView"}
        sofa["sofaString"] = "In Rome \N{GRINNING FACE} it is"
        found = [
            {"%ID": k, "%TYPE": "webanno.custom.Span", "@sofa": 1, "begin": a, "end": b, "value": v}
            for k, (a, b, v) in enumerate(spans, 2)
        ]
        view = {"%SOFA": 1, "%MEMBERS": [span["%ID"] for span in found]}
        return json.dumps(
            {
                "%TYPES": described if types else {},
                "%FEATURE_STRUCTURES": [sofa, *found],
                "%VIEWS": {"_InitialView": view},
            }
        )

    for types in (True, False):
        files = {
            "annotation/d1.txt/ana.json": document((3, 7, "LOC"), (8, 10, None), types=types),
            "annotation/d1.txt/ben.json": document((11, 13, "X"), types=types),
        }
        assert marked(read_spans(folder(write, files))) == MARKED


def test_two_texts_and_none(write: Write) -> None:
    second = '<cas:Sofa xmi:id="2" sofaNum="2" sofaID="other" mimeType="text" sofaString="x"/>'
    path = folder(write, {"d1.txt/ana.xmi": ANA.replace("<cas:View", f"{second}<cas:View")})
    with pytest.raises(IaaError, match=r"several texts, .*'_InitialView', 'other'"):
        read_spans(path)
    texts = [text.replace("In Rome \N{GRINNING FACE} it is", "") for text in (ANA, BEN)]
    texts = [text.replace(' sofaString=""', "") for text in texts]
    path = folder(
        write, {"annotation/d1.txt/ana.xmi": texts[0], "annotation/d1.txt/ben.xmi": texts[1]}
    )
    spans = read_spans(path)
    assert marked(spans) == MARKED
    assert "length" not in spans


def test_layers_of_relations_and_types_of_the_text(write: Write) -> None:
    marks = (
        '<custom:Span sofa begin="3" end="7" value="LOC" more="1"/>'
        '<custom:Dep sofa begin="0" end="7" Governor="10" Dependent="10" kind="of"/>'
        '<type5:Token sofa begin="0" end="2"/>'
    )
    path = folder(write, {"d/ana.xmi": xmi(marks), "d/ben.xmi": xmi(marks)})
    spans = read_spans(path, question="Span.value")
    assert marked(spans)["d", "ana"] == [(3, 7, "LOC")]
    assert "answers to 'Dep' (relations or chains)" in spans.attrs["skipped"]
    with pytest.raises(IaaError, match=r"2 questions: .*'Span.value' .*'Span.more'"):
        read_spans(path)
    assert marked(read_spans(path, question="Token"))["d", "ben"] == [(0, 2, "")]


def test_layers_of_whole_documents_are_named(write: Write) -> None:
    marks = '<custom:Span sofa begin="3" end="7" value="LOC"/><custom:Topic sofa label="news"/>'
    path = folder(write, {"d/ana.xmi": xmi(marks), "d/ben.xmi": xmi(marks)})
    spans = read_spans(path)
    assert marked(spans)["d", "ana"] == [(3, 7, "LOC")]
    assert spans.attrs["skipped"] == "answers to 'Topic' (labels of whole documents)"
    with pytest.raises(IaaError, match=r"'Topic' is not read: it was answered by labels of whole"):
        read(path, question="Topic")
    alone = '<custom:Topic sofa label="news"/>'
    path = folder(write, {"e/ana.xmi": xmi(alone), "e/ben.xmi": xmi(alone)})
    with pytest.raises(IaaError, match=r"it asks 'Topic' \(labels of whole documents\)"):
        read(path / "e")


def test_xml_1_1_and_control_characters(write: Write) -> None:
    texts = [
        text.replace('version="1.0"', 'version="1.1"').replace("In Rome", "In&#1;Rome")
        for text in (ANA, BEN)
    ]
    path = folder(write, {"d1.txt/ana.xmi": texts[0], "d1.txt/ben.xmi": texts[1]})
    assert marked(read_spans(path)) == MARKED


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
FETCH = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
ELSEWHERE = '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">'


@pytest.mark.parametrize("head", [BOMB, FETCH, ELSEWHERE])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_are_refused(write: Write, head: str, encoding: str) -> None:
    text = xmi("", text="&a;" if "ENTITY" in head else "a", head=head)
    path = folder(write, {"d1.txt/ana.xmi": "", "d1.txt/ben.xmi": BEN})
    (path / "d1.txt/ana.xmi").write_bytes(text.replace("UTF-8", encoding).encode(encoding))
    with pytest.raises(IaaError) as caught:
        read_spans(path / "d1.txt", format="uima", file_pattern=None)
    if encoding == "utf-8":
        assert "ana.xmi declares a document type or entities" in str(caught.value)
    path = folder(write, {"e/ana.xmi": ANA, "e/ben.xmi": BEN})
    (path / "e/TypeSystem.xml").write_text(
        TYPES.replace("<types>", "<types>").replace("?>", f"?>{head}")
    )
    with pytest.raises(IaaError, match=r"TypeSystem\.xml declares a document type"):
        read_spans(path / "e")


def test_names_are_no_code(write: Write, tmp_path: Path) -> None:
    """Cassis makes classes of the names of features."""
    evil = f"a=open({str(tmp_path / 'evil')!r}, 'w'), b"
    files = {"e/ana.xmi": ANA, "e/ben.xmi": BEN}
    path = folder(write, {**files, "e/TypeSystem.xml": TYPES.replace(">next<", f">{evil}<")})
    with pytest.raises(IaaError, match="is not a valid name of a UIMA type or feature"):
        read_spans(path / "e")
    text = json.loads(JSON.read_text())
    text["%TYPES"] = {"x.Y": {"%NAME": "x.Y", "%SUPER_TYPE": "uima.tcas.Annotation", evil: {}}}
    path = folder(write, {"f/ana.json": json.dumps(text), "f/ben.json": JSON.read_text()})
    with pytest.raises(
        IaaError, match=r"ana\.json: .* is not a valid name of a UIMA type or feature"
    ):
        read_spans(path / "f")
    text["%TYPES"] = {}
    text["%FEATURE_STRUCTURES"][1] |= {"%TYPE": "x.Y", evil: 1}
    path = folder(write, {"f/ana.json": json.dumps(text)})
    with pytest.raises(IaaError, match="is not a valid name of a UIMA type or feature"):
        read_spans(path / "f")
    assert not (tmp_path / "evil").exists()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("</xmi:XMI>", "", "is damaged: line"),
        ('begin="3"', 'begin="three"', "cannot be read as UIMA"),
        ('begin="3"', 'begin="9"', "a span begins or ends outside of the text"),
        ('end="7"', 'end="700"', "a span begins or ends outside of the text"),
        ('end="7"', 'end="' + "9" * 5000 + '"', "cannot be read as UIMA"),
        ('begin="3"', 'begin="7" x="3"', "a span from 7 to"),
        ('sofa="1"', 'sofa="8"', "cannot be read as UIMA"),
        ("custom:Span", "other:Span", "is damaged"),
        ("http:///webanno/custom.ecore", "http://x", "it has an element '{http://x}Span'"),
        ("<custom", "<custom:X>" * 300 + "<custom", "nested too deeply"),
        ("<cas:NULL", "<cas:X><cas:Y><cas:Z/></cas:Y></cas:X><cas:NULL", "stands too deep in it"),
    ],
)
def test_damaged_xmi(write: Write, old: str, new: str, message: str) -> None:
    text = ANA.replace(old, new, 1).replace('begin="7" x="3" end="7"', 'begin="7" end="3"')
    path = folder(write, {"d1.txt/ana.xmi": text, "d1.txt/ben.xmi": BEN})
    with pytest.raises(IaaError, match=r"ana\.xmi") as caught:
        read_spans(path)
    assert message in str(caught.value)


def test_deeply_nested_json(write: Write) -> None:
    deep = '{"%TYPES": ' + '{"a": ' * 100_000
    path = folder(write, {"d1.txt/ana.json": deep, "d1.txt/ben.json": JSON.read_text()})
    with pytest.raises(IaaError, match=r"ana\.json: this is nested too deeply"):
        read_spans(path)


def test_java_is_refused(tmp_path: Path) -> None:
    files = {"annotation_ser/d1/ana.ser": b"\xac\xed\x00\x05xx", "source/d1.txt": b"In Rome"}
    with pytest.raises(IaaError, match=r"ana\.ser holds serialised Java objects"):
        read_spans(project(files, "p.zip", tmp_path))


def test_without_cassis(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cas, "find_spec", lambda name: None)
    path = folder(write, {"d1.txt/ana.xmi": ANA, "d1.txt/ben.xmi": BEN})
    with pytest.raises(IaaError, match=r"pip install 'iaa_jax\[uima\]'"):
        read_spans(path)


def test_archive_bombs_in_archives(tmp_path: Path) -> None:
    bomb = packed({"ana.xmi": ANA + " " * 3_000_000})
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ana.xmi", ANA + " " * 3_000_000)
    files = {"annotation/d/1.zip": data.getvalue(), "annotation/d/2.zip": bomb}
    path = project(files, "p.zip", tmp_path)
    assert path.stat().st_size > 3_000_000
    with pytest.raises(IaaError, match="holds more than 1 MB"):
        read_spans(project(dict([*files.items()][:1]), "q.zip", tmp_path), max_megabytes=1)


def test_archives_in_archives_are_opened_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = packed({"ana.xmi": ANA})
    for _ in range(4):  # a few kilobytes, and ten thousand archives in all
        data = archives.packed({f"{k}.zip": data for k in range(10)})
    (tmp_path / "p.zip").write_bytes(data)
    opened = []
    unpacked = uima._unpacked
    monkeypatch.setattr(uima, "_unpacked", lambda source: opened.append(source) or unpacked(source))
    with pytest.raises(IaaError, match=r"p\.zip holds no table to read"):
        read_spans(tmp_path / "p.zip")
    assert len(opened) <= 10


def test_mutants(tmp_path: Path) -> None:
    path = tmp_path / "d"
    path.mkdir()
    (path / "ben.xmi").write_text(BEN)
    for data in mutants.byte_mutants(ANA.encode(), 80):
        (path / "ana.xmi").write_bytes(data)
        mutants.check([path], [{"question": "Span"}])
    for file in path.iterdir():
        file.unlink()
    text = JSON.read_text()
    (path / "ben.json").write_text(text)
    for mutant in [*mutants.json_mutants(text)][::13]:
        (path / "ana.json").write_text(mutant)
        mutants.check([path])
    for data in mutants.byte_mutants(text.encode(), 40):
        (path / "ana.json").write_bytes(data)
        mutants.check([path])


WORDS = '<type5:Token sofa begin="0" end="2"/><type5:Token sofa begin="8" end="10"/>'


@pytest.mark.parametrize(
    ("marks", "is_less"),
    [
        (WORDS + '<custom:Span sofa begin="8" end="10" value="A&#10;B&amp;"/>', True),
        (WORDS + '<custom:Span sofa begin="8" end="10" next="10"/>', False),  # by its number
        (WORDS.replace('"10"', '"9"') + '<custom:Span sofa begin="3" end="7"/>', False),
        (WORDS.replace('"10"', '"99"') + '<custom:Span sofa begin="3" end="7"/>', False),
        ('<custom:Span sofa begin="3" end="7"/>', False),
    ],
)
def test_words_are_left_out_where_nothing_asks_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, marks: str, is_less: bool
) -> None:
    (tmp_path / "d.xmi").write_text(xmi(marks), "utf-8")
    left: list[bytes | None] = []

    def found() -> object:
        try:
            version = cas.version_of_xmi(Source(tmp_path / "d.xmi"), None, None, {}, has_text=True)
        except IaaError as error:
            return str(error)
        return version.marks, version.text, version.length, version.shown, version.of_documents

    def noted(root: Element, asked: str | None) -> bytes | None:
        left.append(words.without_words(root, asked))
        return left[-1]

    monkeypatch.setattr(cas, "without_words", noted)
    ours = found()
    monkeypatch.setattr(cas, "without_words", lambda root, asked: None)
    assert ours == found()
    assert (left[0] is not None) == is_less
    assert left[0] is None or b"Token" not in left[0]


def test_the_first_of_many_files_asks_which_layer_is_read(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = TYPES[TYPES.index("<typeDescription>") : TYPES.index("</types>")]
    both = TYPES.replace(part, part + part.replace("custom.Span", "custom.Part"))
    two = xmi(
        '<custom:Span sofa begin="3" end="7" value="LOC"/>'
        '<custom:Part sofa begin="8" end="10" value="A"/>'
    )
    files = {"TypeSystem.xml": both} | {
        f"annotation/d{number}.txt/{who}.xmi": two for number in range(4) for who in ("ana", "ben")
    }
    path = folder(write, files)
    monkeypatch.setattr(layers, "_MANY", 7)
    seen = []
    version_of = cas.version_of_xmi

    def seeing(source: Source, *given: Any, **more: Any) -> Any:
        seen.append(source.name)
        return version_of(source, *given, **more)

    monkeypatch.setattr(cas, "version_of_xmi", seeing)
    with pytest.raises(IaaError, match=r"ana\.xmi, the first of 8 .*, has 2 questions") as told:
        read_spans(path)
    assert seen == ["ana.xmi"]
    assert "question" in told.value.options
    assert sorted(read_spans(path, question="Part").label.values) == ["A"]
