"""Readers are found in one registry, those of other packages through entry points."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.io import formats, read, registry
from iaa_jax.io.base import Options
from iaa_jax.io.registry import READERS, readers
from iaa_jax.io.table.source import Source


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
    module = __import__("sys").modules[__name__]
    monkeypatch.setitem(__import__("sys").modules, "iaa_jax_constant", module)
    points = [
        EntryPoint("constant", "iaa_jax_constant:READER", registry.GROUP),
        EntryPoint("long", "iaa_jax_constant:IMPOSTOR", registry.GROUP),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: points)


def test_formats_are_named_and_described() -> None:
    assert list(formats())[: len(READERS)] == list(READERS)
    assert all(summary and "\n" not in summary for summary in formats().values())


@pytest.mark.parametrize("name", READERS)
def test_readers_bear_the_name_of_their_entry(name: str, tmp_path: Path) -> None:
    reader = next(reader for reader in readers() if reader.name == name)
    (tmp_path / "empty.csv").touch()
    assert reader.can_open([Source(tmp_path / "empty.csv")], Options()) is False


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
