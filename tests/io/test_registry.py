"""Readers are found in one registry, those of other packages through entry points."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError
from iaa_jax.io import formats, read, registry
from iaa_jax.io.base import Options, add_notes
from iaa_jax.io.registry import READERS, TOOLS, readers, tools
from iaa_jax.io.table.opening import head
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note, keyword

Write = Callable[..., Path]


class Constant:
    """Reads any file with the ending .constant as two annotators who agree."""

    name = "constant"
    summary = "two annotators who agree"

    def can_open(self, sources: Sequence[Source], options: Options) -> bool:
        return all(source.suffix == ".constant" for source in sources)

    def read(self, sources: Sequence[Source], options: Options) -> xr.Dataset:
        return iaa.from_wide([["a", "a"]]).assign_attrs(read_as="constant", skipped="")


READER = Constant()


class Impostor(Constant):
    name = "long"


IMPOSTOR = Impostor()


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "iaa_jax_constant", sys.modules[__name__])
    points = [
        EntryPoint("constant", "iaa_jax_constant:READER", registry.GROUP),
        EntryPoint("long", "iaa_jax_constant:IMPOSTOR", registry.GROUP),
    ]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)


def test_formats_are_named_and_described() -> None:
    assert list(formats())[: len(TOOLS) + len(READERS)] == [*TOOLS, *READERS]
    assert all(summary and "\n" not in summary for summary in formats().values())


@pytest.mark.parametrize("name", TOOLS)
def test_tools_bear_the_name_of_their_entry(name: str, tmp_path: Path) -> None:
    tool = next(tool for tool in tools() if tool.name == name)
    assert tool.title in tool.summary
    empty = tmp_path / "empty.csv"
    empty.touch()
    assert list(tool.choose([Source(empty)])) == []


@pytest.mark.parametrize("name", READERS)
def test_readers_bear_the_name_of_their_entry(name: str, tmp_path: Path) -> None:
    reader = next(reader for reader in readers() if reader.name == name)
    (tmp_path / "empty.csv").touch()
    assert reader.can_open([Source(tmp_path / "empty.csv")], Options()) is False


class Marked(Constant):
    """Knows its files by a mark, and names two questions."""

    name = "tool"
    summary = "a tool with two questions"

    def can_open(self, sources: Sequence[Source], options: Options) -> bool:
        return all("made by a tool" in head(source).names for source in sources)

    def read(self, sources: Sequence[Source], options: Options) -> xr.Dataset:
        if options.question is None:
            message = f"there are two questions: give {keyword('question', 'first')}"
            raise IaaError(message)
        ratings = iaa.from_wide([["a", "b"], ["a", "a"]])
        return add_notes(ratings, [Note("read_records", {"field": options.question, "others": ""})])


TOOL = Marked


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A row plugs the reader of a tool in, before those of tables."""
    monkeypatch.setitem(sys.modules, "iaa_jax_tool", sys.modules[__name__])
    others = dict(READERS)
    READERS.clear()
    READERS.update({"tool": "iaa_jax_tool:TOOL", **others})
    yield
    del READERS["tool"]


@pytest.mark.usefixtures("tool")
def test_a_row_plugs_a_reader_in(write: Write) -> None:
    assert formats()["tool"] == "a tool with two questions"
    table = "made by a tool,ann,bob\n1,x,y\n2,y,y\n"
    with pytest.raises(IaaError, match="there are two questions: give question='first'") as caught:
        read(write(table))
    assert caught.value.options == ("question",)
    ratings = read(write(table), question="first")
    assert (ratings.attrs["layout"], ratings.attrs["read_as"]) == ("tool", "records from 'first'")
    # who names another format gets it, and files without the mark are tables as ever
    assert read(write(table), format="wide").attrs["layout"] == "wide"
    assert read(write(table.replace("made by a tool", "id"))).attrs["layout"] == "wide"


@pytest.mark.usefixtures("plugins")
def test_columns_that_a_reader_does_not_keep(write: Write) -> None:
    with pytest.raises(IaaError, match="the format 'constant' did not keep the columns 'batch'"):
        read(write("anything", "file.constant"), keep="batch")


def test_the_command_line_offers_every_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(READERS, "tool", "iaa_jax_tool:TOOL")
    offered = "from iaa_jax.cli import choices; print(*choices.FORMATS)"
    plugged = f"from iaa_jax.io.registry import READERS; READERS['tool'] = ''; {offered}"
    done = subprocess.run([sys.executable, "-c", plugged], capture_output=True, check=True)
    assert done.stdout.decode().split() == [*TOOLS, *READERS]


@pytest.mark.usefixtures("plugins")
def test_readers_of_other_packages(tmp_path: Path) -> None:
    path = tmp_path / "file.constant"
    path.write_text("anything")
    assert formats()["constant"] == "two annotators who agree"
    assert read(path).attrs["read_as"] == "constant"
    assert read(path, format="constant").attrs["read_as"] == "constant"


@pytest.mark.usefixtures("plugins")
def test_readers_of_other_packages_replace_none_of_ours() -> None:
    assert [reader.name for reader in readers()].count("long") == 1
    assert formats()["long"] != "two annotators who agree"
