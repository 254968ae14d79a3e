"""From a number to a mutant of an export: which sample, and what was done to its files."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

from iaa_jax import IaaError
from iaa_jax.io.base import Options as Asked
from iaa_jax.io.choosing import ToolFiles
from iaa_jax.io.registry import TOOLS
from iaa_jax.io.request import FileRequest
from tests.fuzz.mutants import Mutant
from tests.fuzz.mutations import VALUES, change_bytes, change_json, change_text, encode
from tests.fuzz.packing import archived, cut, some_packed
from tests.fuzz.tables import Options
from tests.io.samples import name_of, samples

Files = dict[str, bytes]
Dice = random.Random

EACH = 2000
"""Mutants of each reader's samples that `.ci/run fuzz` reads."""

OPTIONS: dict[str, tuple[object, ...]] = {
    "item": ("id", "text", "data.text", "_input_hash", "nothing", "a,b", "meta.0"),
    "annotator": ("annotator", "user", "completed_by", "nothing"),
    "keep": ("text", "meta", "data", "label", "nothing", "time"),
    "labels": ("a,b", ["positive", "negative", "PER", "accept"]),
    "missing": ("None,x", ["accept"]),
    "duplicates": ("first", "last", "combine", "apart", "votes"),
    "skipped": ("category", "drop"),
    "include": ("drafts,gold,predictions,curator,rejected", "gold", "drafts", "nothing"),
    "merge_labels": ("case", "blanks,form"),
    "merge_ids": ("case",),
    "file_pattern": ("{annotator}.*", "*", "*{annotator}", "{annotator}"),
    "encoding": ("utf-8", "latin-1", "utf-16", "cp037"),
}
XML = (
    '<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;">]>',
    '<!DOCTYPE a SYSTEM "file:///etc/passwd">', "&b;", "<a>", "</a>", "<![CDATA[", "<!--", "]]>",
    "&#0;", "&#x10FFFF;", "&#xD800;",
)  # fmt: skip
NAMES = ("../up.json", "/abs.json", "a\\b.json", "C:/x.txt", "\n.ann", ".ann", "x" * 200, "a/b/c/d")


@cache
def of_readers() -> dict[str, list[Path]]:
    """The samples beside the tests that each reader takes."""
    found: dict[str, list[Path]] = {name: [] for name in TOOLS}
    for path in samples(vendored=True):
        try:
            with FileRequest(path, Asked()).opened() as chosen:
                if isinstance(chosen, ToolFiles):
                    found[chosen.name].append(path)
        except IaaError:
            continue
    return found


@cache
def _files(path: Path) -> Files:
    inner = [path] if path.is_file() else sorted(each for each in path.rglob("*") if each.is_file())
    return {str(each.relative_to(path.parent)): each.read_bytes() for each in inner}


@cache
def _questions(path: Path) -> list[str]:
    with FileRequest(path, Asked()).opened() as chosen:
        assert isinstance(chosen, ToolFiles)
        try:
            return [*chosen.export(Asked()).questions]
        except IaaError:
            return []


def export_mutant(number: int) -> Mutant:
    """The mutant of this number: of each reader in turn, the same each time."""
    dice = Dice(number)
    readers = {name: paths for name, paths in of_readers().items() if paths}
    reader = [*readers][number % len(readers)]
    path = dice.choice(readers[reader])
    files, steps = dict(_files(path)), []
    if len(files) > 20:
        files = {name: files[name] for name in dice.sample([*files], 20)}
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        change = dice.choices((_content, _values, _bytes, _set_of_files), (6, 6, 2, 1))[0]
        steps.append(change(files, dice))
    options: Options = {}
    asked = _questions(path)
    if asked and (len(asked) > 1 or dice.random() < 0.1):
        options["question"] = dice.choice(asked)
    if dice.random() < 0.3:
        name = dice.choice([*OPTIONS])
        options[name] = dice.choice(OPTIONS[name])
        steps.append(f"with {name}={options[name]!r}")
    kind = "folder"
    if dice.random() < 0.2:
        files, kind = some_packed(files, dice), "folder of packed files"
    is_cut = False
    if len(files) > 1 and dice.random() < 0.3:
        kind, data = archived("t", files, dice)
        if is_cut := dice.random() < 0.3:
            data = cut(kind, data, dice)
            steps.append(f"cut at {len(data)}")
        files = {kind: data}
    return Mutant(number, name_of(path), kind, files, options, tuple(steps), cut=is_cut)


def export_files(dice: Dice) -> tuple[str, Files, Options]:
    """An export of a tool by its name, its files, and the options for a question of it."""
    readers = [paths for paths in of_readers().values() if paths]
    path = dice.choice(dice.choice(readers))
    asked = _questions(path)
    return name_of(path), dict(_files(path)), {"question": dice.choice(asked)} if asked else {}


def _content(files: Files, dice: Dice) -> str:
    """Damage a file as what it is."""
    name, text = _text(files, dice)
    if text.lstrip()[:1] in ("{", "["):
        text, step = _change_records(text, dice)
    elif text.lstrip()[:1] == "<" and dice.random() < 0.4:
        at = text.find(dice.choice("<>&\"'"), dice.randrange(len(text)))
        part = dice.choice(XML)
        text, step = text[:at] + part + text[at:], f"{part} at {at}"
    else:
        text, step = change_text(text, dice)
    files[name] = text.encode("utf-8", "surrogatepass")
    return f"{name}: {step}"


def _values(files: Files, dice: Dice) -> str:
    """Put an odd value where another stands."""
    name, text = _text(files, dice)
    if text.lstrip()[:1] in ("{", "["):
        return _content(files, dice)
    ends = [k for k, sign in enumerate(text) if sign in "\t\n,;\"' =<>"] or [0]
    start = dice.randrange(len(ends))
    first, last = ends[start], ends[min(start + 1, len(ends) - 1)]
    value = str(dice.choice(VALUES))
    files[name] = (text[: first + 1] + value + text[last:]).encode("utf-8", "surrogatepass")
    return f"{name}: {value[:40]!a} at {first}"


def _bytes(files: Files, dice: Dice) -> str:
    name = dice.choice([*files])
    if dice.random() < 0.3:
        files[name], step = encode(files[name].decode("utf-8", "replace"), dice)
    else:
        files[name], step = change_bytes(files[name], dice)
    return f"{name}: {step}"


def _set_of_files(files: Files, dice: Dice) -> str:
    """Lose files, or have some more."""
    name, other = dice.choice([*files]), dice.choice([*files])
    way = dice.choice(("drop", "empty", "swap", "copy", "rename", "stranger", "hidden"))
    if way == "drop" and len(files) > 1:
        del files[name]
    elif way == "empty":
        files[name] = b""
    elif way == "swap":
        files[name], files[other] = files[other], files[name]
    elif way == "copy":
        files[f"{Path(name).parent}/copy of {Path(name).name}"] = files[name]
    elif way == "rename":
        odd = f"{dice.choice((*VALUES, *NAMES))!s:.100}".replace("\0", "").replace("..", "_")
        files[f"{Path(name).parent}/{odd.strip('/').strip('.') or '_'}"] = files.pop(name)
    else:
        part = {"stranger": "readme.txt", "hidden": ".hidden"}.get(way, name)
        files[f"{Path(name).parent}/{part}"] = files[name]
    return f"{way} {name}"


def _text(files: Files, dice: Dice) -> tuple[str, str]:
    name = dice.choice([*files])
    return name, files[name].decode("utf-8", "replace")


def _change_records(text: str, dice: Dice) -> tuple[str, str]:
    """Change a document, or a record of many lines of them."""
    lines = text.splitlines()
    whole = _is_json(text) or not all(map(_is_json, filter(str.strip, lines)))
    if whole or dice.random() < 0.2:
        change: Callable[[str, Dice], tuple[str, str]] = change_json
        return change(text, dice)
    number = dice.randrange(len(lines))
    lines[number], step = change_json(lines[number], dice)
    return "\n".join(lines), f"line {number + 1}: {step}"


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
