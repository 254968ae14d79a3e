"""Plain tables, about which no reader of a tool is asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

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
