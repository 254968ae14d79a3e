"""CoNLL: tags of IOB in all forms become spans, other tags labels; tokens must be the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import xarray as xr

from iaa_jax import IaaError, read, read_spans

Files = Callable[..., Path]

SAMPLE = Path(__file__).parents[1] / "samples/conll/synthetic_conll_one_file_per_annotator"
TOKENS = [
    *("EU", "rejects", "German", "call", "|"),
    *("Peter", "Blackburn", "|"),
    *("Rome", "Paris", "in", "1996"),
]
IOB2 = ["B-ORG", "O", "B-MISC", "O", "|", "B-PER", "I-PER", "|", "B-LOC", "B-LOC", "O", "O"]
IOB1 = ["I-ORG", "O", "I-MISC", "O", "|", "I-PER", "I-PER", "|", "I-LOC", "B-LOC", "O", "O"]
BIOES = ["S-ORG", "O", "S-MISC", "O", "|", "B-PER", "E-PER", "|", "S-LOC", "S-LOC", "O", "O"]
BILOU = ["U-ORG", "O", "U-MISC", "O", "|", "B-PER", "L-PER", "|", "U-LOC", "U-LOC", "O", "O"]
POS = ["NNP", "VBZ", "JJ", "NN", "|", "NNP", "NNP", "|", "NNP", "NNP", "IN", "CD"]


def columns(tags: list[str], between: str = " ", more: str = "") -> str:
    """A file of columns; sentences end at bars."""
    lines = (
        "" if token == "|" else between.join([token, *more.split(), tag])
        for token, tag in zip(TOKENS, tags, strict=True)
    )
    return "\n".join(lines) + "\n"


@pytest.fixture
def files(tmp_path: Path) -> Files:
    def files(**texts: str) -> Path:
        folder = tmp_path / "files"
        folder.mkdir(exist_ok=True)
        for name, text in texts.items():
            (folder / f"{name}.conll").write_text(text)
        return folder

    return files


def marked(spans: xr.Dataset, annotator: str) -> list[tuple[str, int, int, str]]:
    at = spans.annotator_of == spans.annotator.values.tolist().index(annotator)
    names = (
        spans.document.values[spans.document_of[at]].tolist(),
        spans.start[at].values.tolist(),
        spans.end[at].values.tolist(),
        spans.label.values[spans.label_of[at]].tolist(),
    )
    return sorted((str(d), s, e, label) for d, s, e, label in zip(*names, strict=True))


def refused(path: Path | list[Path], **options: object) -> str:
    folder = path[0].parent if isinstance(path, list) else path
    with pytest.raises(IaaError) as caught:
        read_spans(path, **options)
    return str(caught.value).replace(f"{folder}/", "")


@pytest.mark.parametrize("tags", [IOB1, BIOES, BILOU])
def test_all_forms_of_iob_are_the_same_spans(files: Files, tags: list[str]) -> None:
    path = files(ann=columns(IOB2), bob=columns(tags, "\t", "NN X"))
    spans = read_spans(path)
    assert marked(spans, "ann") == marked(spans, "bob")
    assert marked(spans, "ann") == [
        ("1", 0, 1, "ORG"),
        ("1", 2, 3, "MISC"),
        ("2", 0, 2, "PER"),
        ("3", 0, 1, "LOC"),
        ("3", 1, 2, "LOC"),
    ]
    assert spans.length.values.tolist() == [4, 2, 4]
    assert spans.seen.values.all()
    assert "notices" not in spans.attrs
    assert spans.attrs["read_as"].startswith(
        "CoNLL tags of IOB, read as by conlleval, items from 'sentence', annotators from file names"
    )


def test_sample() -> None:
    spans = read_spans(SAMPLE)
    assert spans.length.values.tolist() == [8, 3]
    assert spans.seen.values.all()
    assert marked(spans, "ana") == [("1", 0, 2, "PER"), ("1", 3, 4, "PER"), ("1", 5, 7, "LOC")]
    assert marked(spans, "ben") == [("1", 0, 2, "PER"), ("1", 5, 7, "LOC")]
    assert marked(spans, "cem") == [
        ("1", 0, 2, "PER"),
        ("1", 3, 4, "ORG"),
        ("1", 5, 6, "LOC"),
        ("1", 6, 7, "LOC"),
    ]
    assert "1 span begins with a tag I-" in spans.attrs["notices"]


def test_documents_that_are_marked(files: Files) -> None:
    mark = "-DOCSTART- -X- O O\n\n"
    text = mark + columns(IOB2) + "\n" + mark + columns(IOB2)
    spans = read_spans(files(ann=text, bob=text.replace("B-PER", "I-PER")))
    assert spans.document.values.tolist() == [1, 2] or [*spans.document.values] == ["1", "2"]
    assert spans.length.values.tolist() == [10, 10]
    assert ("2", 4, 6, "PER") in marked(spans, "bob")
    assert "2 spans begin with a tag I-" in spans.attrs["notices"]


def test_a_sentence_ends_a_span(files: Files) -> None:
    mark = "-DOCSTART- O\n\n"
    text = f"{mark}a I-X\n\nb I-X\n\n{mark}c O\n"
    spans = read_spans(files(ann=text, bob=text))
    assert marked(spans, "ann") == [("1", 0, 1, "X"), ("1", 1, 2, "X")]


def test_other_tags_are_labels_of_tokens(files: Files) -> None:
    other = columns(POS).replace("JJ", "NN")
    ratings = read(files(ann=columns(POS), bob=other), keep="token")
    assert ratings.sizes == {"item": 10, "annotator": 2} | {"label": 6}
    assert ratings.item.values[:5].tolist() == ["1:1", "1:2", "1:3", "1:4", "2:1"]
    assert ratings.token.values[:2].tolist() == ["EU", "rejects"]
    assert ratings.record.values[3:5].tolist() == ["1", "2"]
    differ = (ratings.primary[:, 0] != ratings.primary[:, 1]).values
    assert ratings.item.values[differ].tolist() == ["1:3"]
    assert "was answered by labels" in refused(files())


def test_other_tags_in_text_files_by_the_format(tmp_path: Path) -> None:
    paths = [tmp_path / "ann.txt", tmp_path / "bob.txt"]
    for path in paths:
        path.write_text(columns(POS))
    with pytest.raises(IaaError):
        read(paths)
    assert read(paths, format="conll").sizes["item"] == 10
    paths[0].write_text("word\n")
    assert "'ann.txt' is no export of CoNLL" in refused(paths, format="conll")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("German", "german", "bob.conll line 3 has 'german', where ann.conll line 3 has 'German'"),
        (
            "call O\n\n",
            "call O\n",
            "bob.conll line 5 has 'Peter', where ann.conll line 5 ends",
        ),
        ("1996 O\n", "", "bob.conll ends, where ann.conll line 12 has '1996'"),
        ("1996 O\n", "1996 O\n. O\n", "bob.conll line 13 has '.', where ann.conll ends"),
        ("in O", "in", "bob.conll line 11: 'in' where a token and, in the last column, its tag"),
        ("B-PER", "B_PER", "bob.conll line 6: 'B_PER' is not an IOB tag, as the others are"),
    ],
)
def test_files_that_do_not_fit(files: Files, old: str, new: str, said: str) -> None:
    text = columns(IOB2)
    assert old in text
    assert said in refused(files(ann=text, bob=text.replace(old, new)))


def test_folders_and_patterns(tmp_path: Path) -> None:
    for who in ("ann", "bob"):
        (tmp_path / who).mkdir()
        for name in ("news", "blog"):
            (tmp_path / who / f"{name}.txt").write_text(columns(IOB2))
    spans = read_spans(tmp_path)
    assert spans.annotator.values.tolist() == ["ann", "bob"]
    assert spans.document.values[:4].tolist() == ["blog:1", "blog:2", "blog:3", "news:1"]
    turned = read_spans(tmp_path, file_pattern="{annotator}.txt")
    assert turned.annotator.values.tolist() == ["blog", "news"]
    assert turned.document.values[0] == "ann:1"


def test_numbered_tokens_remarks_and_blank_lines(files: Files) -> None:
    text = "# text = a b\n1\ta\tX\tB-X\n2\tb\tX\tO\n\n\n# sent_id = 2\n1\tc\tX\tO\n\n"
    spans = read_spans(files(ann=text, bob=text))
    assert spans.length.values.tolist() == [2, 1]
    assert marked(spans, "ann") == [("1", 0, 1, "X")]
    assert "has 'z'" in refused(files(bob=text.replace("\tb\t", "\tz\t")))


def test_tags_without_type(files: Files) -> None:
    text = "a B\nb I\nc O\n"
    spans = read_spans(files(ann=text, bob=text))
    assert marked(spans, "ann") == [("1", 0, 2, "")]
