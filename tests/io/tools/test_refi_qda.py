"""REFI-QDA: projects as archives, folders and bare files; codes, coders, and what is left out."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from iaa_jax import IaaError, read, read_long, read_spans, span_f1
from iaa_jax.data.marked.texts import places_of
from tests.archives import packed
from tests.io.tools.marks import marked

SAMPLE = Path(__file__).parents[1] / "samples" / "refi_qda" / "synthetic_two_coders"
QDE = (SAMPLE / "project.qde").read_text()
TEXTS = {f"Sources/{path.name}": path.read_bytes() for path in (SAMPLE / "Sources").iterdir()}
ANN, BOB = (f"AAAAAAAA-0000-4000-8000-00000000000{number}" for number in (1, 2))


def project(path: Path, qde: str = QDE, name: str = "project.qde") -> Path:
    """A project as an archive."""
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(packed({name: qde.encode(), **TEXTS}))
    return path


def project_of_one_coder(guid: str, user: str = "") -> str:
    """The project without the codings of the other; with the name of the user, if that is given."""
    other = rf' creatingUser="{BOB}"' if guid == ANN else rf'( creatingUser="{ANN}")?'
    codings = rf'\s*<Coding guid="[^"]*"{other}>.*?</Coding>'
    kept = re.sub(codings, "", QDE, flags=re.DOTALL | re.IGNORECASE)
    gone = BOB if guid == ANN else ANN
    alone = re.sub(rf'<User guid="{gone}" name="\w+"/>', "", kept)
    return re.sub(r'name="(ann|bob)"', f'name="{user}"', alone) if user else alone


def refused(path: Path | Sequence[Path], **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        read_spans(path, **options)
    return str(caught.value)


def test_codings_of_texts() -> None:
    spans = read_spans(SAMPLE, question="texts")
    assert marked(spans) == {
        ("interview 1", "ann"): [(2, 26, "rent"), (2, 26, "too high"), (32, 37, "noise > other")],
        ("interview 1", "bob"): [(2, 26, "too high"), (28, 37, "noise")],
        ("letter", "ann"): [(7, 18, "rent > other")],
        ("letter", "bob"): [(7, 18, "rent > other")],
        ("interview 2", "ann"): [(0, 5, "noise")],
    }
    assert spans.length.values.tolist() == [46, 34, 11]
    assert spans.attrs["read_as"] == (
        "REFI-QDA project, positions in characters, question 'texts', items from 'name', "
        "annotators from 'creatingUser', 3 files"
    )
    assert spans.attrs["skipped"] == (
        "1 coding of regions of pages; 1 coding of regions of pictures"
    )
    assert "a document without marks by an annotator counts as not seen" in spans.attrs["notices"]


def test_codings_of_recordings() -> None:
    spans = read_spans(SAMPLE, question="recordings")
    assert spans.document.values.tolist() == ["walk"]
    assert (spans.start.values.tolist(), spans.end.values.tolist()) == ([1.25] * 2, [4.0] * 2)
    assert "question='texts' (spans, 5 judgements)" in refused(SAMPLE)


def test_the_figure_is_that_of_the_marks() -> None:
    found = marked(read_spans(SAMPLE, question="texts"))
    shared = both = 0
    for document in ("interview 1", "letter"):
        ann, bob = ({*found[document, who]} for who in ("ann", "bob"))
        shared, both = shared + len(ann & bob), both + len(ann) + len(bob)
    f1 = span_f1(read_spans(SAMPLE, question="texts"), interval=None).estimate
    assert (shared, both) == (2, 7)
    assert float(f1) == pytest.approx(2 * shared / both)


def test_texts_are_those_of_the_places() -> None:
    spans = read_spans(SAMPLE, question="texts", keep="text")
    interview, letter = (places_of(text) for text in spans.text.values[:2])
    assert "".join(interview[2:26]) == "The rent is far too high"
    assert "".join(letter[7:18]) == "the heating"


IN_UNITS = QDE.replace("made for tests", "NVivo for Windows 12.6").replace(
    'startPosition="2" endPosition="26"', 'startPosition="3" endPosition="27"'
)


def test_units_of_nvivo_become_characters(tmp_path: Path) -> None:
    spans = read_spans(project(tmp_path / "n.qdpx", IN_UNITS), question="texts", keep="text")
    first = [(2, 26, "rent"), (2, 26, "too high")]
    assert marked(spans)["interview 1", "ann"][:2] == first
    assert spans.length.values[0] == 46
    assert "project, positions in characters, question" in spans.attrs["read_as"]
    assert "text or inside" not in spans.attrs["notices"]
    other = project(tmp_path / "m.qdpx", QDE.replace("ann", "eve"))
    both = read_spans([tmp_path / "n.qdpx", other], question="texts", duplicates="first")
    assert marked(both)["interview 1", "eve"][:2] == first
    assert "differs between annotators" not in both.attrs["notices"]


def test_units_of_nvivo_without_the_text(tmp_path: Path) -> None:
    bare = tmp_path / "p.qde"
    bare.write_text(re.sub("<PlainTextContent>Quiet.*?</PlainTextContent>", "", IN_UNITS))
    spans = read_spans(bare, question="texts")
    assert marked(spans)["interview 1", "ann"][0] == (3, 27, "rent")
    assert "project, positions in UTF-16 units, question" in spans.attrs["read_as"]
    bare.write_text(IN_UNITS)
    both = read_spans(bare, question="texts").attrs["read_as"]
    assert "project, positions in UTF-16 units and characters, question" in both


@pytest.mark.parametrize(
    ("part", "instead", "place"),
    [
        ('startPosition="3"', 'startPosition="1"', (0, 26)),
        ('startPosition="3" endPosition="27"', 'startPosition="1" endPosition="1"', (0, 1)),
        ('endPosition="27"', 'endPosition="47"', None),
        ('endPosition="27"', 'endPosition="48"', (2, 47)),
    ],
)
def test_units_that_are_no_places(
    tmp_path: Path, part: str, instead: str, place: tuple[int, int] | None
) -> None:
    path = project(tmp_path / "p.qdpx", IN_UNITS.replace(part, instead, 1))
    spans = read_spans(path, question="texts")
    said = "in 1 document a span ends beyond the text or inside a character"
    assert (said in spans.attrs["notices"]) == (place is not None)
    assert ("length" in spans) == (place is None)
    assert (*(place or (2, 46)), "rent") in marked(spans)["interview 1", "ann"]


def test_spans_beyond_the_text(tmp_path: Path) -> None:
    path = project(tmp_path / "p.qdpx", QDE.replace('endPosition="26"', 'endPosition="300"'))
    spans = read_spans(path, question="texts", keep="text")
    assert "in 1 document a span ends beyond the text" in spans.attrs["notices"]
    assert "length" not in spans
    assert (2, 300, "rent") in marked(spans)["interview 1", "ann"]


def test_a_project_is_an_annotators_where_that_is_said(tmp_path: Path) -> None:
    """Named by its file or archive, however it is given."""
    two = [project(tmp_path / "two" / f"{name}.qdpx", QDE) for name in ("first", "second")]
    bare = [tmp_path / "first.qde", tmp_path / "second.qde"]
    for path in bare:
        path.write_text(QDE)
    for name in ("first", "second"):
        (tmp_path / "folders" / name).mkdir(parents=True)
        (tmp_path / "folders" / name / "project.qde").write_text(QDE)
    archive = tmp_path / "both.zip"
    archive.write_bytes(packed({path.name: path.read_bytes() for path in two}))
    for paths in (two, tmp_path / "two", bare, tmp_path / "folders", archive):
        spans = read_spans(paths, question="texts", annotator="project")
        assert spans.annotator.values.tolist() == ["first", "second"]
        assert "annotators from 'project'" in spans.attrs["read_as"]
    alone = read_long(two[0], question="texts", annotator="project", keep="project")
    assert alone["annotator"].unique().tolist() == alone["project"].unique().tolist() == ["first"]


def test_the_pattern_of_names_is_that_of_archives(tmp_path: Path) -> None:
    for name in ("of ann", "of bob"):
        project(tmp_path / f"{name}.qdpx", QDE)
    for pattern in ("of {annotator}.qdpx", "of {annotator}.*"):
        spans = read_spans(tmp_path, question="texts", file_pattern=pattern)
        assert spans.annotator.values.tolist() == ["ann", "bob"]
    chosen = read_long(tmp_path, question="texts", file_pattern="*ann.qdpx", annotator="project")
    assert chosen["annotator"].unique().tolist() == ["of ann"]


def test_an_archive_of_projects(tmp_path: Path) -> None:
    members = {
        f"{name}.qdpx": packed(
            {"project.qde": project_of_one_coder(guid, "admin").encode(), **TEXTS}
        )
        for name, guid in (("ann", ANN), ("bob", BOB))
    }
    archive = tmp_path / "both.zip"
    archive.write_bytes(packed(members))
    spans = read_spans(archive, question="texts")
    assert marked(spans) == marked(read_spans(SAMPLE, question="texts"))
    assert "skipped_files" not in spans.attrs["skipped"]
    inner = packed({"project.qde": QDE, "other.qdpx": members["ann.qdpx"]})
    archive.write_bytes(packed({"p.qdpx": inner}))
    spans = read_spans(archive, question="texts")
    assert "'p/other.qdpx'" in spans.attrs["skipped"]
    archive.write_bytes(packed({"p.qdpx": b"PK\x03\x04 and no more"}))
    assert "both.zip/p.qdpx is not a readable zip archive" in refused(archive)
    archive.write_bytes(packed({"p.qdpx": b"no archive"}))
    assert "unpack 'p.qdpx'" in refused(archive)


def test_archives_with_folders_of_windows(tmp_path: Path) -> None:
    path = tmp_path / "p.qdpx"
    names = {name.replace("/", "\\"): data for name, data in TEXTS.items()}
    path.write_bytes(packed({"project.qde": QDE, "Sources\\": b"", **names}))
    spans = read_spans(path, question="texts")
    assert spans.length.values.tolist() == [46, 34, 11]
    assert "file" not in spans.attrs["skipped"]


def test_codings_without_a_user(tmp_path: Path) -> None:
    first = 'guid="FFFFFFFF-0000-4000-8000-000000000001"'
    lacking = QDE.replace(f'{first} creatingUser="{ANN}"', first)
    lacking = lacking.replace(f'endPosition="26" creatingUser="{ANN[:-1]}3"', 'endPosition="26"')
    one = project(tmp_path / "one.qdpx", lacking)
    said = refused(one, question="texts")
    assert "1 judgement without annotator, as in " in said
    assert (
        "one.qdpx/project.qde, source 'interview 1', selection "
        "'eeeeeeee-0000-4000-8000-000000000001'; its creatingUser is missing: " in said
    )
    assert "annotator=" not in said
    other = project(tmp_path / "other.qdpx")
    said = refused([one, other], question="texts")
    assert "give annotator='project' if each project is one annotator's" in said
    spans = read_spans([one, other], question="texts", annotator="project")
    assert spans.annotator.values.tolist() == ["one", "other"]


def test_users_of_several_projects_of_the_same_documents(tmp_path: Path) -> None:
    for name, user in (("ann", "admin"), ("bob", "admin"), ("cat", "cat")):
        project(tmp_path / f"{name}.qdpx", project_of_one_coder(ANN, user))
    said = refused(tmp_path, question="texts")
    assert "bob.qdpx/project.qde, source 'interview 1', selection 'eeeeeeee-0000" in said
    assert "give annotator='project' if each project is one annotator's; omit a" in said
    assert "duplicates='first'" in said
    spans = read_spans(tmp_path, question="texts", annotator="project")
    assert spans.annotator.values.tolist() == ["ann", "bob", "cat"]
    for name in ("1", "2"):
        project(tmp_path / "again" / f"ann-{name}.qdpx")
    said = refused(tmp_path / "again", question="texts", file_pattern="{annotator}-?.qdpx")
    assert "repeated ratings" in said
    assert "annotator='project'" not in said


def test_codes_that_are_called_alike(tmp_path: Path) -> None:
    path = project(tmp_path / "p.qdpx", QDE.replace('name="noise"', 'name="rent"'))
    first, second = (f"(cccccccc-0000-4000-8000-00000000000{number})" for number in (1, 4))
    labels = read_spans(path, question="texts").label.values.tolist()
    assert {f"rent {first}", f"rent {second}"} <= {*labels}
    path = project(tmp_path / "p.qdpx", QDE.replace('name="noise"', 'name=" "'))
    labels = read_spans(path, question="texts").label.values.tolist()
    assert second.strip("()") in labels


def test_archives_folders_and_bare_files(tmp_path: Path) -> None:
    expected = marked(read_spans(SAMPLE, question="texts"))
    bare = tmp_path / "bare.qde"
    bare.write_text(QDE.replace(' xmlns="urn:QDA-XML:project:1.0"', ""))
    paths = [
        project(tmp_path / "one.qdpx"),
        project(tmp_path / "two.zip", name="Project.qde"),
        project(tmp_path / "folder" / "one.qdpx").parent,
        bare,
    ]
    for path in paths:
        spans = read_spans(path, question="texts")
        assert marked(spans) == expected
        assert read(path, question="texts").attrs["task"] == "spans"
    assert "length" not in read_spans(bare, question="texts")


def test_a_project_of_each_coder(tmp_path: Path) -> None:
    expected = marked(read_spans(SAMPLE, question="texts"))
    named = [
        project(tmp_path / "first.qdpx", project_of_one_coder(ANN)),
        project(tmp_path / "second.qdpx", project_of_one_coder(BOB)),
    ]
    spans = read_spans(named, question="texts")
    assert marked(spans) == expected
    assert marked(read_spans(tmp_path, question="texts")) == expected
    project(tmp_path / "alike" / "ann.qdpx", project_of_one_coder(ANN, "admin"))
    project(tmp_path / "alike" / "bob.qdpx", project_of_one_coder(BOB, "admin"))
    alike = [tmp_path / "alike" / f"{who}.qdpx" for who in ("ann", "bob")]
    for paths in (alike, tmp_path / "alike"):
        spans = read_spans(paths, question="texts")
        assert marked(spans) == expected
        assert "annotators from file names" in spans.attrs["read_as"]
    bare = [tmp_path / f"{who}.qde" for who in ("ann", "bob")]
    for path, guid in zip(bare, (ANN, BOB), strict=True):
        path.write_text(project_of_one_coder(guid, "admin"))
    assert marked(read_spans(bare, question="texts")) == expected
    pattern = read_spans(bare, question="texts", file_pattern="{annotator}.qde")
    assert marked(pattern) == expected
    by_file = read_spans(named, question="texts", annotator="project")
    assert by_file.annotator.values.tolist() == ["first", "second"]


def test_projects_of_one_coder_on_different_documents(tmp_path: Path) -> None:
    for name, kept in (("a", "Text"), ("b", "PDF")):
        others = rf"<(?!{kept})(Text|PDF|Video)Source .*?</\1Source>"
        project(
            tmp_path / f"{name}.qdpx",
            re.sub(others, "", project_of_one_coder(ANN), flags=re.DOTALL),
        )
    table = read_long(tmp_path)
    assert table["document"].unique().tolist() == ["interview 1", "interview 2", "letter"]
    assert table["annotator"].unique().tolist() == ["ann"]


def test_texts_that_differ_are_named(tmp_path: Path) -> None:
    project(tmp_path / "a.qdpx", project_of_one_coder(ANN))
    others = {name: data + b"!" for name, data in TEXTS.items()}
    (tmp_path / "b.qdpx").write_bytes(
        packed({"p.qde": project_of_one_coder(BOB).encode(), **others})
    )
    spans = read_spans(tmp_path, question="texts")
    assert "the text of 2 documents differs between annotators" in spans.attrs["notices"]


def test_names_that_repeat_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "p.qde"
    path.write_text(QDE.replace('name="bob"', 'name="ann"').replace('"interview 2"', '"letter"'))
    spans = read_spans(path, question="texts")
    assert spans.annotator.values.tolist() == [f"ann ({each.lower()})" for each in (ANN, BOB)]
    assert spans.document.values[1:].tolist() == [
        f"letter (dddddddd-0000-4000-8000-00000000000{number})" for number in (2, 4)
    ]


def test_one_coder_is_enough_for_a_table(tmp_path: Path) -> None:
    table = read_long(project(tmp_path / "p.qdpx", project_of_one_coder(ANN)), question="texts")
    assert table["annotator"].unique().tolist() == ["ann"]
    assert len(table) == 5


@pytest.mark.parametrize(
    ("part", "instead", "said"),
    [
        ('startPosition="2"', 'startPosition="x"', "a span from 'x' to 26, which are not"),
        ('startPosition="2"', 'startPosition="30"', "selection 'eeeeeeee-0000-4000-8000-0"),
        ('begin="1250"', 'begin="9000"', "a span from 9.0 to 4.0, which are not times"),
        ('targetGUID="CCCCCCCC', 'targetGUID="', "its code '-0000-4000-8000-000000000002' is not"),
        ("</Sources>", "", "this is no XML"),
        ("<Project", '<!DOCTYPE a [<!ENTITY b "c">]><Project', "never does"),
        ("<Coding ", "<Remark ", "this is no XML"),
        ("<Codes>", f"<Codes>{'<Code>' * 101}{'</Code>' * 101}", "nested more than 100 deep"),
    ],
)  # fmt: skip
def test_refused(tmp_path: Path, part: str, instead: str, said: str) -> None:
    assert said in refused(project(tmp_path / "p.qdpx", QDE.replace(part, instead, 1)))


def test_projects_without_codings_of_texts(tmp_path: Path) -> None:
    book = re.sub(r"<Sources>.*</Sources>", "", QDE, flags=re.DOTALL)
    said = refused(project(tmp_path / "p.qdpx", book))
    assert "p.qdpx/project.qde: nothing is coded in a text or a recording (codings: none); " in said
    assert "export the whole project with its documents and codings, or make a table" in said
    pictures = re.sub(r"<(Text|PDF|Video)Source .*?</\1Source>", "", QDE, flags=re.DOTALL)
    assert "(codings: 1 of regions of pictures)" in refused(project(tmp_path / "q.qdpx", pictures))


def test_archives_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "p.qdpx").write_bytes(b"PK\x03\x04 and no more")
    assert "is not a readable zip archive" in refused(tmp_path / "p.qdpx")
    with zipfile.ZipFile(tmp_path / "q.qdpx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("project.qde", QDE + " " * 3_000_000)
    assert "holds more than 1 MB" in refused(tmp_path / "q.qdpx", max_megabytes=1)
