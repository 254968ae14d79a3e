"""Damaged copies of a sample: only `IaaError` may come of reading one."""

from __future__ import annotations

import copy
import json
import os
import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from iaa_jax import IaaError, read, read_spans

ALL = bool(os.environ.get("IAA_JAX_MUTANTS"))
"""Whether many are made, or few: `tests/fuzz` damages every sample, too."""

VALUES: Sequence[Any] = (None, [], ["x"], [[1]], {}, {"x": 1}, -1, 10**30, 0.5, True, "", "x")


def json_mutants(text: str) -> Iterator[str]:
    """Each value of a JSON document, or of lines of them, replaced by values of other kinds."""
    try:
        whole, is_lines = [json.loads(text)], False
    except json.JSONDecodeError:
        whole, is_lines = [json.loads(line) for line in text.splitlines()], True
    changes = [(path, value) for path in _paths(whole) for value in VALUES]
    for path, value in changes if ALL else changes[::9]:
        mutant = copy.deepcopy(whole)
        inner = mutant
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = value
        yield "\n".join(map(json.dumps, mutant)) if is_lines else json.dumps(mutant[0])


def byte_mutants(data: bytes, count: int, seed: int = 0) -> Iterator[bytes]:
    """Copies that are cut off, or whose bytes, words and lines are changed, lost or repeated."""
    chance = random.Random(seed)
    odd = (b"\0", b"\xff", b"\t", b"\n", b"<", b">", b"&", b'"', b"{" * 99, b"9" * 40, b" ", b"-")
    for number in range(count):
        start = chance.randrange(len(data) + 1)
        end = min(len(data), start + chance.choice((0, 1, 1, 5, 40)))
        middle = (chance.choice(odd), b"", data[start:end] * 2)[number % 3]
        if not ALL and number % 6 != number // 6 % 6:
            continue
        yield data[:start] if number % 10 == 9 else data[:start] + middle + data[end:]


def of(data: bytes) -> Iterator[bytes]:
    """Some of both; those of bytes alone where it is no JSON."""
    with suppress(ValueError, RecursionError):
        made = [mutant.encode() for mutant in json_mutants(data.decode())]
        yield from made[:: max(1, len(made) // (400 if ALL else 6))]
    yield from byte_mutants(data, 200 if ALL else 40)


def check(paths: Sequence[Path], options: Sequence[dict[str, Any]] = ({},)) -> set[str]:
    """Read files as ratings and as spans; the layouts as which they were read."""
    layouts = set()
    for reader in (read, read_spans):
        for given in options:
            with suppress(IaaError):
                layouts.add(str(reader(paths, **given).attrs["layout"]))
    return layouts


def check_table(path: Path, **options: Any) -> None:
    """Read damaged copies of a table for which each time a process begins: few, unless all."""
    data = path.read_bytes()
    damaged = path.with_name(f"damaged{path.suffix}")
    for mutant in byte_mutants(data, 300 if ALL else 24):
        damaged.write_bytes(mutant)
        with suppress(IaaError):
            read(damaged, **options)


def _paths(value: Any) -> Iterator[tuple[Any, ...]]:
    steps = value.items() if isinstance(value, dict) else enumerate(value)
    for step, inner in steps:
        yield (step,)
        if isinstance(inner, (dict, list)):
            yield from ((step, *rest) for rest in _paths(inner))
