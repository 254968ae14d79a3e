"""From a number to a file and another form of it, which must give the same figures.

A third are exports of tools. Half of the tables have a cell, a row or a column changed before: what
a table is read as, or refused for, must not depend on its form either.
"""

from __future__ import annotations

import csv
import random
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError
from tests.fuzz.exports import export_files
from tests.fuzz.law import Broken, outcomes
from tests.fuzz.mutants import Mutant
from tests.fuzz.mutations import OF_TABLES as DAMAGES, change_option
from tests.fuzz.neutral import (
    LAST,
    Change,
    changes_of,
    changes_of_export,
    packed_or_archived,
    repacked,
)
from tests.fuzz.packing import archived, some_packed
from tests.fuzz.said import Said, figures, said
from tests.fuzz.shapes import SHAPES, shape_of
from tests.fuzz.tables import ENDINGS, LAYOUTS, TEXTS, Table, parquet, rows_of, written
from tests.fuzz.workbooks import workbook

Files = dict[str, bytes]
Result = xr.Dataset | IaaError

HEADLESS = ("without header", "triples without header")
IN_ORDER = {
    "long first", "long last", "long votes", "list of ratings", "wide rows", "contingency",
    "transposed", "places of lists", "long anonymous", "wide anonymous",
}  # fmt: skip
"""Layouts in which the place of a row or of a column is a part of what is said."""
EXACT = 1e-12


@dataclass(frozen=True)
class Pair:
    """A file and its other form."""

    plain: Mutant
    other: Mutant
    of_tool: bool = False

    def __str__(self) -> str:
        return f"{self.plain}\nand in another form\n{self.other}"


def neutral_pair(number: int) -> Pair:
    """The pair of this number: the same each time."""
    dice = random.Random(number)
    kind = dice.choice(("export", "layout", "shape"))
    if kind == "export":
        return _of_export(number, dice)
    return (_of_layout if kind == "layout" else _of_shape)(number, dice)


def _of_layout(number: int, dice: random.Random) -> Pair:
    layout = dice.choice([*LAYOUTS])
    table, kind = LAYOUTS[layout].copy(), dice.choice(("csv", "csv", "tsv", "json", "jsonl"))
    steps = _damage(table, dice) if dice.random() < 0.5 else []
    try:
        data = TEXTS[kind](table).encode()
    except (ValueError, UnicodeError):  # it cannot hold them
        table, steps = LAYOUTS[layout].copy(), []
        data = TEXTS[kind](table).encode()
    name = f"t{ENDINGS[kind]}"
    plain = Mutant(number, layout, kind, {name: data}, table.options, tuple(steps))
    if not steps and dice.random() < 0.2:
        return Pair(plain, _in_other_format(plain, LAYOUTS[layout], dice))
    headed = not steps and layout not in IN_ORDER
    files, done = _changed({name: data}, dice, headed=headed, damaged=bool(steps), alone=True)
    return Pair(plain, replace(plain, files=files, steps=(*steps, *done)))


def _in_other_format(plain: Mutant, table: Table, dice: random.Random) -> Mutant:
    """The same cells as another kind of file."""
    kind = dice.choice(("xlsx", "parquet", "records", "semicolons", "bars", "tsv", "json", "jsonl"))
    options = {**plain.options, **({"records": "data.rows"} if kind == "records" else {})}
    if kind == "xlsx":
        data, name = workbook({"ratings": [table.header, *table.rows]}), "t.xlsx"
    elif kind == "parquet":
        data, name = parquet(table), "t.parquet"
    else:
        data, name = TEXTS[kind](table).encode(), f"t{ENDINGS[kind]}"
    return replace(plain, files={name: data}, options=options, steps=(f"as {kind}",))


def _damage(table: Table, dice: random.Random) -> list[str]:
    steps = []
    for change in dice.choices([each for each in DAMAGES if each is not change_option], k=2):
        try:
            steps.append(change(table, dice))
        except (IndexError, ValueError):  # what it would change is gone
            steps.append("nothing")
        if not table.rows or not table.header:
            break
    return steps


def _of_shape(number: int, dice: random.Random) -> Pair:
    name = dice.choice([*SHAPES])
    shape = shape_of(name)
    before, steps = dict(shape.files), []
    which = dice.choice([*before])
    if which.endswith((".csv", ".tsv")) and dice.random() < 0.5:
        (header, *rows), separator = rows_of(before[which])
        table = Table([*header], [[*row] for row in rows])
        steps = _damage(table, dice)
        try:
            before[which] = written([table.header, *table.rows], separator)
        except (ValueError, UnicodeError):
            steps = []
    plain = Mutant(
        number, name, "its files", before, shape.options, tuple(steps), shape.paths, shape.questions
    )
    headed = not steps and name not in HEADLESS
    alone = not (shape.paths or any("/" in each for each in before))
    files, done = _changed(before, dice, headed=headed, damaged=bool(steps), alone=alone)
    if all("/" in each for each in files) and dice.random() < 0.5:
        files, done = some_packed(files, dice), [*done, "some packed"]
    return Pair(plain, replace(plain, files=files, steps=(*steps, *done)))


def _of_export(number: int, dice: random.Random) -> Pair:
    layout, before, options = export_files(dice)
    plain = Mutant(number, layout, "its files", before, options, ())
    files, done = _changed(before, dice, headed=None, damaged=True, alone=False)
    tops = {Path(name).parts[0] for name in before}
    if dice.random() < 0.4:
        files, done = some_packed(files, dice), [*done, "some packed"]
    if len(before) > 1 and len(tops) == 1 and dice.random() < 0.4:
        (top,) = tops
        inner = {name.partition("/")[2]: data for name, data in files.items()}
        archive, data = archived(top, inner, dice)
        files, done = {archive: data}, [*done, f"as {archive}"]
    return Pair(plain, replace(plain, files=files, steps=tuple(done)), of_tool=True)


def _changed(
    files: Files, dice: random.Random, *, headed: bool | None, damaged: bool, alone: bool
) -> tuple[Files, list[str]]:
    """The files in another form, and what was done; ``headed`` is None for exports of tools."""
    names = [*files]
    dice.shuffle(names)
    turned, steps = {name: files[name] for name in names}, ["files in another order"]
    for name in names:
        data = turned[name]
        known = changes_of_export(name) if headed is None else changes_of(name, headed=headed)
        if damaged:
            known.pop("another separator", None)
        for step in sorted(dice.sample([*known], min(len(known), dice.choice((0, 1, 1, 2, 3))))):
            if step in LAST:
                continue
            data = _as_it_can_be(known[step], data, dice)
            steps.append(f"{name}: {step}")
        last = [step for step in known if step in LAST]
        if last and dice.random() < 0.5:
            step = dice.choice(last)
            data = _as_it_can_be(known[step], data, dice)
            steps.append(f"{name}: {step}")
        if (again := repacked(name, data, dice)) is not None:
            data = again
            steps.append(f"{name}: members in another order")
        turned[name] = data
        if alone and known and dice.random() < 0.3:
            packed_name, turned[name] = packed_or_archived(name, data, dice)
            turned[packed_name] = turned.pop(name)
            steps.append(f"as {packed_name}")
    return turned, steps


def _as_it_can_be(change: Change, data: bytes, dice: random.Random) -> bytes:
    """The text in another form; as it was where a cell has a line break without quotes."""
    try:
        return change(data, dice)
    except csv.Error:
        return data


def neutral_outcome(pair: Pair, folder: Path) -> Result:
    """Read both; what the first became, or why it was refused."""
    results = [
        _read(one, folder / name, pair.of_tool)
        for name, one in (("plain", pair.plain), ("other", pair.other))
    ]
    for name, plain in results[0].items():
        other = results[1].get(name)
        if other is None or isinstance(plain, IaaError) != isinstance(other, IaaError):
            told = [_brief(each) for each in (plain, other)]
            msg = f"{name or 'it'} became {told[0]}, and in another form {told[1]}"
            raise Broken(msg)
        if not (isinstance(plain, IaaError) or isinstance(other, IaaError)):
            _check_same(plain, other)
    every = [*results[0].values()]
    taken = [one for one in every if not isinstance(one, IaaError)]
    return taken[0] if taken else every[0]


def _brief(result: Result | None) -> str:
    if result is None or isinstance(result, IaaError):
        return f"refused: {result}"
    return f"{dict(result.sizes)} ({result.attrs['read_as']}; {result.attrs['skipped']})"


def _check_same(plain: xr.Dataset, other: xr.Dataset) -> None:
    before, after = said(plain), said(other)
    if before != after:
        lost, new = _without(before, after)[:3], _without(after, before)[:3]
        msg = f"another form says {new} for {lost}; {_brief(plain)}; {_brief(other)}"
        raise Broken(msg)
    if "item" in plain.dims and "marked" not in plain:
        (alpha, *sizes), (alpha_after, *sizes_after) = figures(plain), figures(other)
        if sizes != sizes_after or not np.isclose(
            alpha, alpha_after, rtol=0, atol=EXACT, equal_nan=True
        ):
            msg = f"{alpha}, {sizes} became {alpha_after}, {sizes_after}"
            raise Broken(msg)


def _without(some: Said, others: Said) -> Said:
    known = {*map(repr, others)}
    return [each for each in some if repr(each) not in known]


def _read(one: Mutant, folder: Path, of_tool: bool) -> dict[str, Result]:
    folder.mkdir()
    if not of_tool:
        return outcomes(one, folder)
    paths = one.write(folder)
    found: dict[str, Result] = {}
    for name in ("read", "read_spans"):
        try:
            found[name] = getattr(iaa, name)(paths, **one.options)
        except IaaError as error:
            found[name] = error
    return found
