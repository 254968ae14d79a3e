"""WebAnno TSV 3: files of one annotator, whole projects, and what is damaged in them."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path
from time import perf_counter

import pytest

from iaa_jax import IaaError, read, read_spans
from iaa_jax.io.base import Options
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.source import Source
from iaa_jax.io.tools.inception.webanno_tsv import TOOL
from tests.io.tools.marks import Answers, Write, folder, marked, spans_of

SAMPLES = Path(__file__).parents[1] / "samples" / "inception"
PROJECT = SAMPLES / "synthetic_project_export"
HEAD = "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Span|value\n\n\n"


def exported(path: Path, **options: object) -> Export:
    export = Export(TOOL.title, Options(**options))
    TOOL.read([Source(path)], export)
    return export


def tsv(*rows: str, head: str = HEAD) -> str:
    return head + "#Text=\n" + "".join(f"{row}\t\n" for row in rows)


ANA = tsv("1-1\t0-2\tab\tX", "1-2\t3-5\tcd\t_")
BEN = tsv("1-1\t0-2\tab\t_", "1-2\t3-5\tcd\tY")


@pytest.mark.parametrize(
    ("name", "spans", "length"),
    [
        ("MultiTokenSpanWithFeatureValue", [(0, 16, "PERSON")], 16),
        ("MultiTokenStackedSpanWithFeatureValue", [(0, 16, "LOCATION"), (0, 16, "PERSON")], 16),
        ("SentenceWithEmoji", [(10, 12, "")], 14),
        (
            "SubMultiTokenSpanWithFeatureValue",
            [
                (0, 6, "1"), (0, 10, "7"), (0, 13, "2"), (3, 10, "8"), (3, 13, "6"), (3, 17, "9"),
                (7, 7, "11"), (7, 11, "4"), (9, 11, "3"), (9, 13, "5"), (10, 10, "10"),
                (13, 13, "12"),
            ],
            20,
        ),
    ],
)  # fmt: skip
def test_files_of_one_annotator(name: str, spans: list[tuple[int, int, str]], length: int) -> None:
    export = exported(SAMPLES / "real_tsv3_suite" / f"test{name}.tsv")
    assert spans_of(export, "Span") == spans
    assert export.lengths == {f"test{name}": length}
    assert list(export.annotators) == []
    with pytest.raises(IaaError, match="1 judgement without annotator"):
        read_spans(SAMPLES / "real_tsv3_suite" / f"test{name}.tsv")


DOC1 = {
    ("doc1.txt", "ana"): [(0, 10, "PER"), (21, 30, "ORG"), (45, 50, "LOC")],
    ("doc1.txt", "ben"): [(0, 10, "PER"), (21, 25, "ORG"), (45, 50, "LOC")],
}
DOC2 = {("doc2.txt", "ana"): [(0, 14, "OBJ")]}


def test_a_project(tmp_path: Path) -> None:
    spans = read_spans(PROJECT)
    assert marked(spans) == DOC1 | DOC2
    assert spans.length.values.tolist() == [52, 25]
    assert spans.attrs["layout"] == "webanno_tsv"
    assert spans.attrs["read_as"].startswith(
        "INCEpTION WebAnno TSV 3, positions in UTF-16 units, items from file names, annotators from"
    )
    assert spans.attrs["skipped"] == "1 draft; 1 judgement of curators"
    archive = shutil.make_archive(str(tmp_path / "project"), "zip", PROJECT)
    assert marked(read_spans(archive)) == DOC1 | DOC2
    assert marked(read_spans(PROJECT, question="NamedEntity.value")) == DOC1 | DOC2


def test_drafts_and_curators() -> None:
    spans = read_spans(PROJECT, include="drafts")
    assert marked(spans) == DOC1 | DOC2 | {("doc2.txt", "ben"): []}
    spans = read_spans(PROJECT, include="drafts, curator")
    assert marked(spans)["doc1.txt", "CURATION_USER"] == DOC1["doc1.txt", "ana"]
    assert "skipped" not in spans.attrs or not spans.attrs["skipped"]


def test_without_states(tmp_path: Path) -> None:
    spans = read_spans(PROJECT / "annotation")
    assert marked(spans) == DOC1 | DOC2 | {("doc2.txt", "ben"): []}
    assert "1 file without any span counts as finished" in (spans.attrs["notices"])
    named = [PROJECT / "annotation" / "doc1.txt" / f"{user}.tsv" for user in ("ben", "ana")]
    assert marked(read_spans(named)) == DOC1


def test_imported_documents_of_a_project_are_no_annotations(tmp_path: Path) -> None:
    path = shutil.copytree(PROJECT, tmp_path / "p")
    (path / "source").mkdir()
    shutil.copy(path / "annotation/doc1.txt/ana.tsv", path / "source/doc1.tsv")
    initial = path / "annotation/doc1.txt/INITIAL_CAS.tsv"
    shutil.copy(path / "annotation/doc1.txt/ana.tsv", initial)
    spans = read_spans(path)
    assert marked(spans) == DOC1 | DOC2
    assert "1 prediction" in spans.attrs["skipped"]
    assert "source/doc1.tsv" in spans.attrs["skipped"]


def test_states_of_documents_not_begun(tmp_path: Path) -> None:
    path = shutil.copytree(PROJECT, tmp_path / "p")
    (states,) = path.glob("*.json")
    states.write_text(states.read_text().replace("IN_PROGRESS", "NEW"))
    spans = read_spans(path, include="drafts")
    assert marked(spans) == DOC1 | DOC2
    assert "1 document that its annotator had not begun" in spans.attrs["skipped"]
    states.write_text(states.read_text().replace('"user": "ben"', '"user": ["ben"]'))
    with pytest.raises(IaaError, match="without name, user or state"):
        read_spans(path)


def test_folders_of_annotators_and_of_documents(write: Write) -> None:
    of_annotators = {
        "p/ana/d1.tsv": ANA,
        "p/ben/d1.tsv": BEN,
        "p/ben/d2.tsv": tsv("1-1\t0-1\tz\t_"),
    }
    expected: Answers = {
        ("d1", "ana"): [(0, 2, "X")],
        ("d1", "ben"): [(3, 5, "Y")],
        ("d2", "ben"): [],
    }
    path = folder(write, of_annotators)
    assert marked(read_spans(path)) == expected
    assert marked(read_spans([path / "p/ben/d2.tsv", path / "p/ben/d1.tsv", path / "p/ana/d1.tsv"]))


def test_annotators_by_file_names(write: Write) -> None:
    path = folder(
        write, {"d1-ana.tsv": ANA, "d1-ben.tsv": BEN, "d2-ben.tsv": tsv("1-1\t0-1\tz\tY")}
    )
    assert marked(read_spans(path, file_pattern="*-{annotator}.tsv")) == {
        ("d1", "ana"): [(0, 2, "X")],
        ("d1", "ben"): [(3, 5, "Y")],
        ("d2", "ben"): [(0, 1, "Y")],
    }
    with pytest.raises(IaaError, match="without annotator"):
        read_spans(path)


def test_items_and_annotators_by_fields(write: Write) -> None:
    path = folder(write, {"ana/x/d1.tsv": ANA, "ben/x/d1.tsv": BEN})
    spans = read_spans(path, item="file", annotator="folders.1")
    assert set(marked(spans)) == {("d1.tsv", "ana"), ("d1.tsv", "ben")}


LAYERS = """#FORMAT=WebAnno TSV 3.2
#T_SP=webanno.custom.Frame|FE|ROLE_webanno.custom.Frame:Roles_webanno.custom.Link|webanno.custom.Lu
#T_SP=webanno.custom.Plain|
#T_SP=webanno.custom.Two|one|other
#T_CH=de.tudarmstadt.CoreferenceLink|referenceType|referenceRelation
#T_RL=webanno.custom.Dep|kind|BT_webanno.custom.Lu


#Sentence.id=s1
#Text=#x, on two
#Text=lines
"""


def test_layers(write: Write) -> None:
    rows = (
        "1-1\t0-2\t#x\tgive[7]\tseller;goods[7]\t1-2;1-3\t*[3]\ta\\|b[1]|*[2]\t*[1]|c[2]\tp[1]\tr->1-1\tk\t1-2",
        "1-2\t3-4\t,\t_\t_\t_\t*[3]\t_\t_\t_\t_\t_\t_",
    )
    other = rows[0].replace("a\\|b", "\\_\\[q\\]\\->\\\\\\tz")
    path = folder(
        write,
        {"d/ana.tsv": tsv(*rows, head=LAYERS), "d/ben.tsv": tsv(other, rows[1], head=LAYERS)},
    )
    with pytest.raises(IaaError, match=r"4 questions: .*'Frame' .*'Plain' .*'Two.one'"):
        read_spans(path)
    assert marked(read_spans(path, question="Plain"))["d", "ana"] == [(0, 4, "")]
    assert marked(read_spans(path, question="Frame.FE"))["d", "ana"] == [(0, 2, "give")]
    spans = read_spans(path, question="Two.one")
    assert marked(spans)["d", "ana"] == [(0, 2, ""), (0, 2, "a|b")]
    assert marked(spans)["d", "ben"] == [(0, 2, ""), (0, 2, "_[q]->\\\tz")]
    assert spans.attrs["skipped"] == (
        "answers to 'CoreferenceLink' (relations or chains); answers to 'Dep' (relations or chains)"
    )
    with pytest.raises(IaaError, match=r"'Two' has 2 features: read one by question='Two.one'"):
        read_spans(path, question="Two")
    with pytest.raises(
        IaaError, match="'Dep' is not read: it was answered by relations or chains; read one"
    ):
        read_spans(path, question="Dep")


def test_equal_stacked_spans_are_kept(write: Write) -> None:
    row = "1-1\t0-2\tab\tX[1]|X[2]"
    spans = read_spans(folder(write, {"d/ana.tsv": tsv(row), "d/ben.tsv": tsv(row)}))
    assert marked(spans)["d", "ana"] == [(0, 2, "X"), (0, 2, "X")]


def test_the_order_of_files_and_rows_says_nothing(write: Write) -> None:
    path = folder(write, {"d/ben.tsv": ANA, "d/ana.tsv": BEN})
    other = folder(write, {"e/ana.tsv": BEN, "e/ben.tsv": ANA}).parent / "files" / "e"
    first = read_spans([path / "d/ana.tsv", path / "d/ben.tsv"])
    again = read_spans([other / "ben.tsv", other / "ana.tsv"])
    assert {who: spans for (_, who), spans in marked(first).items()} == {
        who: spans for (_, who), spans in marked(again).items()
    }


def test_texts_that_differ(write: Write) -> None:
    files = {"annotation/d/ana.tsv": ANA, "annotation/d/ben.tsv": BEN.replace("\tcd", "\tce")}
    notices = read_spans(folder(write, files)).attrs["notices"]
    assert "the text of 1 document differs between annotators" in notices


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("TSV 3.3", "TSV 2.0", "is WebAnno TSV 2.0, which is not read"),
        ("\tX\t", "\t", "line 6 has 3 columns, while the head of the file names 4"),
        ("1-1\t0-2", "1-1\t9-2", "line 6: a span from 9 to 2"),
        ("1-1\t0-2", "1-1\t0-" + "9" * 400, "line 6 is not a row"),
        ("1-1\t0-2", "1-1 0-2", "line 6 is not a row"),
        (
            "|value",
            "|value\n#T_SP=webanno.custom.Span|b",
            "line 3 declares no layer, or repeats one",
        ),
        ("#T_SP=webanno.custom.Span|value", "#T_SP=a|b|c", "line 6 has 4 columns"),
    ],
)
def test_damaged(write: Write, old: str, new: str, message: str) -> None:
    path = folder(write, {"d/ana.tsv": ANA.replace(old, new), "d/ben.tsv": BEN})
    with pytest.raises(IaaError, match=r"ana\.tsv") as caught:
        read_spans(path)
    assert message in str(caught.value)


def test_unequal_stacks(write: Write) -> None:
    head = HEAD.replace("|value", "|value|other")
    path = folder(
        write, {"d/ana.tsv": tsv("1-1\t0-2\tab\tX[1]|Y[2]\tZ", head=head), "d/b.tsv": ANA}
    )
    with pytest.raises(IaaError, match="have different numbers of annotations"):
        read_spans(path)


def test_wrong_encoding(write: Write) -> None:
    path = folder(write, {"d/ana.tsv": ANA, "d/ben.tsv": BEN})
    (path / "d/ben.tsv").write_bytes(BEN.replace("cd", "cé").encode("latin-1"))
    with pytest.raises(IaaError, match=r"ben.tsv line 7: byte \d+ of the file \(0xE9\)"):
        read_spans(path)


def test_documents_that_come_twice(tmp_path: Path) -> None:
    paths = [Path(shutil.copytree(PROJECT, tmp_path / name / "demo")) for name in "ab"]
    with pytest.raises(IaaError, match="duplicates"):
        read_spans(paths)
    assert marked(read_spans(paths, duplicates="last")) == DOC1 | DOC2
    (renamed,) = [path.rename(path.with_name("other")) for path in paths[1:]]
    names = read_spans([paths[0], renamed]).document.values.tolist()
    assert names == ["demo/doc1.txt", "demo/doc2.txt", "other/doc1.txt", "other/doc2.txt"]


def test_what_holds_spans_alone_needs_no_name() -> None:
    assert read(PROJECT).identical(read_spans(PROJECT))


def test_thousands_of_files_take_no_quadratic_time(tmp_path: Path) -> None:
    def seconds(documents: int) -> float:
        path = tmp_path / f"{documents}.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for k in range(documents):
                archive.writestr(f"annotation/d{k}/ana.tsv", ANA)
                archive.writestr(f"annotation/d{k}/ben.tsv", BEN)
        start = perf_counter()
        read_spans(path)
        return perf_counter() - start

    seconds(10)
    assert seconds(2000) < 12 * seconds(500) + 0.5
