"""MMAX2: levels of markables over words, by the projects of annotators."""

from __future__ import annotations

import re
import shutil
import zipfile
from pathlib import Path

import pytest

import iaa_jax as iaa
from iaa_jax import IaaError, read_long, read_spans, span_f1

TWO = Path(__file__).parents[1] / "samples" / "mmax2" / "synthetic_two_annotators"
OPINION = Path("ann", "markables", "menu_opinion_level.xml")

Unit = tuple[str, str, frozenset[int]]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A copy of the sample, to be changed."""
    return Path(shutil.copytree(TWO, tmp_path / "corpus"))


def change(path: Path, part: str, instead: str) -> None:
    text = path.read_text()
    assert part in text
    path.write_text(text.replace(part, instead))


def refused(path: Path, **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        read_spans(path, **options)
    return str(caught.value).replace(f"{path}/", "")


def counted(folder: Path, level: str, attribute: str = "") -> dict[str, list[Unit]]:
    """The markables of each annotator by plain search in the files: document, value, words."""
    found: dict[str, list[Unit]] = {"ann": [], "bob": []}
    for path in sorted(folder.glob(f"*/markables/*_{level}_level.xml")):
        document = path.name.removesuffix(f"_{level}_level.xml")
        for markable in re.findall(r"<markable .*/>", path.read_text()):
            values = dict(re.findall(r'(\S+)="(.*?)"', markable))
            words: set[int] = set()
            for part in values["span"].split(","):
                first, *last = [int(word.removeprefix("word_")) for word in part.split("..")]
                words |= {*range(first, (last or [first])[0] + 1)}
            label = values.get(attribute, "")
            found[path.parts[-3]].append((document, label, frozenset(words)))
    return found


@pytest.mark.parametrize(
    ("question", "level", "attribute", "shared"),
    [
        ("opinion", "opinion", "", 3),
        ("opinion.polarity", "opinion", "polarity", 2),
        ("target", "target", "", 1),
    ],
)
def test_the_figure_is_that_of_the_markables(
    question: str, level: str, attribute: str, shared: int
) -> None:
    units = counted(TWO, level, attribute)
    equal = sum(unit in units["bob"] for unit in units["ann"])
    assert equal == shared
    f1 = 2 * equal / (len(units["ann"]) + len(units["bob"]))
    found = span_f1(read_spans(TWO, question=question), interval=None).estimate
    assert float(found) == pytest.approx(f1)


def test_levels_and_their_attributes() -> None:
    assert (
        "read one of them by question='opinion' (spans, 4 judgements), "
        "question='opinion.polarity' (spans, 4 judgements), question='target' (spans, 4 judgements)"
    ) in refused(TWO)
    spans = read_spans(TWO, question="opinion.polarity")
    assert spans.document.values.tolist() == ["menu_2", "menu"]
    assert spans.annotator.values.tolist() == ["ann", "bob"]
    assert spans.length.values.tolist() == [15, 12]
    assert spans.label.values.tolist() == ["", "mixed", "negative", "positive"]
    assert spans.attrs["read_as"] == (
        "MMAX2 XML, positions in words, question 'opinion.polarity', items from file names, "
        "annotators from 'folder', 14 files"
    )
    assert "answers to 'target.opinion_ref' (relations or chains)" in spans.attrs["skipped"]
    assert read_spans(TWO, question="opinion").label.values.tolist() == ["opinion"]


def test_parts_of_a_markable_are_one_unit() -> None:
    table = read_long(TWO, question="opinion.polarity")
    parts = table[(table["document"] == "menu_2") & (table["label"] == "negative")]
    for _, rows in parts.groupby("annotator"):
        assert rows[["start", "end"]].to_numpy().tolist() == [[7, 9], [12, 14]]
        assert rows["unit"].nunique() == 1


def test_equal_markables_are_units_of_their_own(corpus: Path) -> None:
    change(corpus / OPINION, "word_9..word_12", "word_1..word_2,word_3..word_6")
    change(corpus / OPINION, "negative", "positive")
    table = read_long(corpus, question="opinion.polarity")
    rows = table[(table["document"] == "menu") & (table["annotator"] == "ann")]
    assert rows[["start", "end", "label"]].to_numpy().tolist() == [[0, 6, "positive"]] * 2


def test_files_without_markables_and_without_levels(corpus: Path) -> None:
    spans = read_spans(TWO, question="target")
    assert spans.seen.values.all()
    assert spans.attrs["notices"].startswith("1 file marks nothing")
    assert "notices" not in read_spans(TWO, question="opinion").attrs
    (corpus / "ann" / "markables" / "menu_2_target_level.xml").unlink()
    spans = read_spans(corpus, question="target")
    assert spans.document.values.tolist() == ["menu_2", "menu"]
    assert spans.seen.values.tolist() == [[False, True], [True, True]]


def test_names_of_documents_that_begin_others(corpus: Path) -> None:
    """The rest of a file name is the level's, also where a project is missing."""
    (corpus / "ann" / "menu_2.mmax").unlink()
    assert read_spans(corpus, question="opinion").equals(read_spans(TWO, question="opinion"))


def test_other_layouts(corpus: Path, tmp_path: Path) -> None:
    wanted = read_spans(TWO, question="opinion.polarity")
    flat = tmp_path / "flat"
    for who in ("ann", "bob"):
        (flat / who).mkdir(parents=True)
        files = [*(corpus / who).rglob("*.xml"), *(corpus / "basedata").iterdir()]
        for path in (path for path in files if path.name != "common_paths.xml"):
            text = re.sub(r' xmlns=".*?"| mmax_level=".*?"', "", path.read_text())
            (flat / who / path.name).write_text(text)
    assert read_spans(flat, question="opinion.polarity").equals(wanted)
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as archive:
        for path in sorted(flat.rglob("*.xml")):
            archive.write(path, path.relative_to(flat))
    assert read_spans(tmp_path / "packed.zip", question="opinion.polarity").equals(wanted)
    one = tmp_path / "one"  # project for all, with a folder of markables for each annotator
    shutil.copytree(corpus / "basedata", one)
    for who in ("ann", "bob"):
        shutil.copytree(corpus / who / "markables", one / who)
        for path in (corpus / who).glob("*.mmax"):
            shutil.copy(path, one)
    assert read_spans(one, question="opinion.polarity").equals(wanted)


def test_annotators_in_names_of_files(corpus: Path, tmp_path: Path) -> None:
    named = tmp_path / "named"
    named.mkdir()
    for who in ("ann", "bob"):
        for path in (corpus / who).rglob("menu*"):
            shutil.copy(path, named / f"{who}-{path.name}")
            if path.suffix == ".mmax":
                change(named / f"{who}-{path.name}", "<words>", f"<words>{who}-")
        for path in (corpus / "basedata").iterdir():
            shutil.copy(path, named / f"{who}-{path.name}")
    spans = read_spans(named, question="opinion", file_pattern="{annotator}-*")
    wanted = read_spans(TWO, question="opinion")
    for name in ("document", "annotator", "start", "end"):
        assert spans[name].values.tolist() == wanted[name].values.tolist()


@pytest.mark.parametrize(
    ("file", "part", "instead", "said"),
    [
        (OPINION, "word_12", "word_13", "markable 'markable_2': there is no word 'word_13' in "),
        (OPINION, "word_1..word_6", "", "markable 'markable_1': there is no word '' in "),
        (OPINION, "word_9..word_12", "word_12..word_9", "'word_12..word_9' runs backwards"),
        (OPINION, 'id="markable_1" span', "spam", "markable None: there is no word '' in "),
        (OPINION, "</markables>", "", "menu_opinion_level.xml line 7: this is no XML"),
        ("basedata/menu_words.xml", "word_2", "word_1", "two words have the id 'word_1'"),
        ("ann/menu.mmax", "menu_words", "other", "its words, 'other.xml', are missing"),
        (
            "bob/menu.mmax",
            "menu_words",
            "menu_2_words",
            "are different texts: positions in them cannot be compared",
        ),
    ],
)
def test_refused(corpus: Path, file: str | Path, part: str, instead: str, said: str) -> None:
    change(corpus / file, part, instead)
    message = refused(corpus, question="opinion")
    assert said in message
    assert ".xml" in message


def test_what_is_missing_is_named(corpus: Path) -> None:
    assert "its name begins like no project" in refused(corpus / OPINION)
    assert "without a file of markables" in refused(corpus / "ann" / "menu.mmax")
    assert "without a file of markables" in refused(corpus / "basedata")
    assert "is not read" not in refused(corpus / "basedata" / "menu_words.xml")


def test_words_are_no_project_beside_a_table(corpus: Path) -> None:
    folder = corpus / "basedata"
    (folder / "tags.csv").write_text("item,annotator,label\n1,a,x\n1,b,x\n")
    assert iaa.read(folder).attrs["layout"] == "long"


HARM = (
    '<!DOCTYPE markables [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>',
    '<!DOCTYPE markables SYSTEM "markables.dtd" [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE markables SYSTEM "markables.dtd" [<!ATTLIST markable polarity CDATA "good">]>',
    '<!DOCTYPE markables PUBLIC "a" "http://localhost/markables.dtd">',
    '<!DOCTYPE markables SYSTEM "markables.dtd"><!DOCTYPE markables SYSTEM "markables.dtd">',
)
DECLARED = '<!DOCTYPE markables SYSTEM "markables.dtd">'


@pytest.mark.parametrize("harm", HARM)
def test_harmful_files(corpus: Path, harm: str) -> None:
    change(corpus / OPINION, DECLARED, harm)
    message = refused(corpus, question="opinion")
    assert "menu_opinion_level.xml" in message
    assert "it declares more of its document type than its name" in message or "no XML" in message


def test_nothing_is_taken_for_a_declaration(corpus: Path) -> None:
    """Neither entities that its file would declare, nor what stands in comments and texts."""
    change(corpus / OPINION, 'polarity="positive"', 'polarity="&b;"')
    assert "undefined entity" in refused(corpus, question="opinion")
    change(corpus / OPINION, "&b;", "positive")
    wanted = read_spans(TWO, question="opinion.polarity")
    change(corpus / OPINION, "markables.dtd", "file:///dev/zero")  # of which nothing is loaded
    assert read_spans(corpus, question="opinion.polarity").equals(wanted)
    change(corpus / OPINION, "file:///dev/zero", "markables.dtd")
    change(corpus / OPINION, DECLARED, f"<!-- by {DECLARED} -->\n\n{DECLARED}\n<!-- -->")
    words = corpus / "basedata" / "menu_words.xml"
    change(words, '"word_1">I<', f'"word_1"><![CDATA[{DECLARED}]]><')
    spans = read_spans(corpus, question="opinion.polarity", keep="text")
    assert spans.drop_vars("text").equals(wanted)
    assert DECLARED in str(spans["text"].sel(document="menu").values)
    change(corpus / OPINION, "<!-- -->", "<!-- -->" * 40 + "<!--")  # each may end at any
    assert "no XML" in refused(corpus, question="opinion")
