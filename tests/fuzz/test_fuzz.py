"""Whatever is done to a file, it is refused in a sentence, or read as its reading says."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import iaa_jax
from iaa_jax import IaaError
from iaa_jax.io.registry import TOOLS
from tests.fuzz.__main__ import EXPORTS as EXPORTS_OF_TOOLS, run
from tests.fuzz.export_law import export_outcome
from tests.fuzz.exports import export_mutant, of_readers
from tests.fuzz.law import Broken, check_reading, outcome
from tests.fuzz.mutants import Mutant, mutant
from tests.fuzz.tables import ENDINGS, LAYOUTS, PACKERS, TEXTS, Table, parquet
from tests.fuzz.workbooks import workbook
from tests.taken import one_of

MUTANTS = 250  # of which `.ci/run fuzz` reads 50,000
OF_BYTES: dict[str, Callable[[Table], bytes]] = {
    "parquet": parquet,
    "xlsx": lambda table: workbook({"sheet": [table.header, *table.rows]}),
}
ALL = bool(os.environ.get("IAA_JAX_MUTANTS"))  # kinds of files, packed by each packer
EXPORTS = 6  # of each reader, of which it reads 2,000


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is measured on Linux")
def test_the_law_holds_for_every_mutant() -> None:
    for good, said in run(0, MUTANTS):
        assert good, said


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is measured on Linux")
def test_the_law_holds_for_mutants_of_every_reader() -> None:
    for good, said in run(0, EXPORTS * len(TOOLS), which=EXPORTS_OF_TOOLS):
        assert good, said


def test_every_reader_has_a_sample_that_is_changed() -> None:
    without = [name for name, paths in of_readers().items() if not paths]
    assert without == []


def test_a_lost_answer_of_an_export_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = '{"_input_hash": 1, "_view_id": "choice", "answer": "accept", "accept": ["x"], '
    lines = "".join(f'{task}"_annotator_id": "{who}"}}\n' for who in ("ann", "bob", "eve"))
    one = Mutant(0, "prodigy", "file", {"t.jsonl": lines.encode()}, {}, ())
    assert not isinstance(export_outcome(one, tmp_path), IaaError)
    whole = iaa_jax.read_long
    monkeypatch.setattr(iaa_jax, "read_long", lambda paths: whole(paths).iloc[1:])
    with pytest.raises(Broken, match="2 answers in the table, and 3 ratings"):
        export_outcome(one, tmp_path)


@pytest.mark.parametrize("layout", one_of(3, LAYOUTS))
def test_the_tables_are_read_before_they_are_changed(layout: str, tmp_path: Path) -> None:
    table = LAYOUTS[layout]
    for kind, ending in ENDINGS.items():
        if kind == "keyed":  # their key is a column beside those of the table
            continue
        data = OF_BYTES[kind](table) if kind in OF_BYTES else TEXTS[kind](table).encode()
        packers = dict(PACKERS.values()) if kind == "csv" or ALL else {}
        for packing, pack in {"": bytes, **packers}.items():
            name = f"t{ending}{packing}"
            one = Mutant(0, layout, kind, {name: pack(data)}, table.options, ())
            options = {"records": "data.rows"} if kind == "records" else {}
            read = outcome(replace(one, options=table.options | options), tmp_path)
            assert not isinstance(read, IaaError), f"{one}\n{read}"


def test_a_lost_rating_is_noticed(tmp_path: Path) -> None:
    one = Mutant(0, "long", "csv", {"t.csv": TEXTS["csv"](LAYOUTS["long"]).encode()}, {}, ())
    ratings = outcome(one, tmp_path)
    assert not isinstance(ratings, IaaError)
    ratings["primary"][0, 0] = -1
    with pytest.raises(Broken, match="18 cells hold a rating, and 17 were read"):
        check_reading(ratings, one)


def test_a_mutant_is_the_same_each_time() -> None:
    for make in (mutant, export_mutant):
        assert [str(make(k)) for k in range(50)] == [str(make(k)) for k in range(50)]
