"""Plain tables, about which no reader of a tool is asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import iaa_jax as iaa
from iaa_jax.io.plain import is_plain
from iaa_jax.io.registry import tools
from iaa_jax.io.table.source import Source
from tests.io.samples import samples

Write = Callable[..., Path]

FILES = [
    file
    for sample in samples()
    for file in ([sample] if sample.is_file() else sorted(sample.rglob("*")))
    if file.is_file()
]


@pytest.mark.parametrize("ending", ["", ".csv"])
def test_what_a_tool_takes_is_not_plain(tmp_path: Path, ending: str) -> None:
    asked = list(tools())
    for number, file in enumerate(FILES):
        copy = tmp_path / f"{number}{ending or file.suffix}"
        copy.write_bytes(file.read_bytes())
        source = Source(copy)
        if any(tool.choose([source]) for tool in asked):
            assert not is_plain(source), file


@pytest.mark.parametrize(
    "text",
    [
        "item,annotator,label\n1,ann,x\n1,bob,x\n",
        "item,ann,bob,cleo\n1,x,y,x\n2,x,x,x\n",
        "text;rater;score\nt1;a;1\nt1;b;2\n",
        "votes_pos,votes_neg\n1,2\n3,0\n",
    ],
)
def test_tables_of_ratings_are_plain(write: Write, text: str) -> None:
    assert is_plain(Source(write(text)))


@pytest.mark.parametrize(
    "text",
    [
        "ann,1,x\nbob,1,x\nann,2,y\nbob,2,y\n",  # triples, as NLTK has them
        "ann,PER,0,4\nbob,PER,0,4\n",  # spans without names
        "document,annotator,start,end,label\nd,ann,0,4,PER\n",
        '{"text": "a", "label": ["x"]}\n',
        "#FORMAT=WebAnno TSV 3.3\n",
        "<GateDocument>\n",
        "",
    ],
)
def test_what_a_tool_may_have_written_is_not(write: Write, text: str) -> None:
    assert not is_plain(Source(write(text)))


@pytest.mark.parametrize(
    ("text", "ending", "options", "layout"),
    [
        ("instance_id,user_id,label\n1,a,x\n1,b,x\n", "csv", {}, "long"),  # not of Potato
        ("HITId,WorkerId,label\nh,a,x\nh,b,y\n", "csv", {"item": "HITId"}, "long"),  # of MTurk
        ("id,text,label,Comments,annotator\n1,a,x,,ann\n1,a,x,,bob\n", "csv", {}, "long"),
        (
            '{"id": "a", "text": "a", "label": ["x"], "annotator": "ann"}\n'
            '{"id": "a", "text": "a", "label": ["x"], "annotator": "bob"}\n',
            "jsonl",
            {},
            "long",
        ),  # of doccano
        ("item\tannotator\tlabel\n1\tann\tB-X\n1\tbob\tO\n", "tsv", {}, "long"),  # CoNLL
        ("item,ann,bob\n1,x,y\n2,x,x\n", "txt", {}, "wide"),
        ("coder\titem\tlabel\na\t1\tx\nb\t1\tx\n", "txt", {}, "long"),  # of NLTK
        ("item\ta\tb\n1\tx\tx\n2\ty\tx\n3\tx\tx\n", "txt", {}, "wide"),
        ("text_id,ann,bob\n1,yes,no\n2,yes,yes\n", "txt", {}, "wide"),
    ],
)
def test_tables_with_names_that_tools_use_are_no_exports(
    write: Write, text: str, ending: str, options: dict[str, str], layout: str
) -> None:
    assert iaa.read(write(text, f"t.{ending}"), **options).attrs["layout"] == layout
