"""JSON that takes more memory as objects than as text: the same ratings, or refused before."""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

import iaa_jax as iaa
from iaa_jax import IaaError
from iaa_jax.io.export.xml import xml_memory
from iaa_jax.io.table import json_memory, json_records, json_stream
from iaa_jax.io.table.json_memory import json_memory_needed
from tests.fuzz.mutations import change_json
from tests.fuzz.said import said
from tests.room import in_memory
from tests.taken import one_of

Write = Callable[..., Path]

READS = """
import resource, sys
import iaa_jax
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    print(dict(iaa_jax.read(sys.argv[1], max_megabytes=200).sizes))
except iaa_jax.IaaError as error:
    print("refused:", str(error).split("/")[-1])
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1000)
"""


def records(size: int) -> list[str]:
    return [
        json.dumps({"item": f"t{k // 3}", "annotator": f"a{k % 3}", "label": "xyz"[k * k % 3]})
        for k in range(size)
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="kilobytes are counted on Linux")
@pytest.mark.parametrize("name", one_of(2, ["flat", "inside", "objects"]))
def test_no_json_takes_seven_times_its_text(name: str, tmp_path: Path) -> None:
    """2 GB for 300 MB; of each 20 MB are tried, and what a process has anyway comes on top."""
    text = {
        "flat": lambda: f"[{','.join(records(350_000))}]",
        "objects": lambda: f"[{'{},' * 7_000_000}{{}}]",
        "inside": lambda: f'{{"data": [{"{}," * 7_000_000}{{}}]}}',
    }[name]()
    path = tmp_path / f"{name}.json.gz"
    path.write_bytes(gzip.compress(text.encode(), 1))
    done = subprocess.run(
        [sys.executable, "-c", READS, path], capture_output=True, text=True, check=False
    )
    said_of_it, megabytes = done.stdout.splitlines()
    assert int(megabytes) < 250 + 6 * len(text) // 1_000_000, megabytes
    assert said_of_it.startswith("refused: ") == (name != "flat")


def test_long_files_are_read_as_short_ones(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records that are made part by part, from texts that were changed anyhow."""
    dice = random.Random(3)
    became = {True: 0, False: 0}
    for number in range(100):
        rows = [
            {"item": f"t\u00e9{k // 2}", "annotator": "ab"[k % 2], "label": dice.choice("xy"),
             "more": {"sure": [k % 2 == 0, {"a": [{"b": "]}, {"}]}]}}
            for k in range(24)
        ]  # fmt: skip
        if number % 2:
            text, ending = json.dumps(rows, ensure_ascii=number % 4 == 1), "json"
        else:
            text, ending = "\n".join(map(json.dumps, rows)), ("jsonl", "json")[number % 4 // 2]
        if number > 8:
            text = change_json(text, dice)[0] if number % 3 else _change(text, dice)
        path = write(text, f"t.{ending}")
        results = []
        for large, part, seen in ((1 << 24, 1 << 14, 1 << 20), (0, 5, 150)):
            monkeypatch.setattr(json_memory, "LARGE", large)
            monkeypatch.setattr(json_records, "PART", part)
            monkeypatch.setattr(json_stream, "LONGEST", seen)
            monkeypatch.setattr(json_stream, "BLOCK", seen)
            try:
                results.append(said(iaa.read(path)))
            except IaaError as error:
                results.append([(str(error).split(" ", 1)[0],)])
        assert results[0] == results[1], text
        became[len(results[0]) > 1] += 1
    assert min(became.values()) > 15, became


def _change(text: str, dice: random.Random) -> str:
    """A sign lost, doubled, or another one."""
    at = dice.randrange(len(text))
    return text[:at] + dice.choice(("", text[at] * 2, dice.choice(',]}{[":\n 1'))) + text[at + 1 :]


def test_what_objects_take_is_never_more_than_weighed() -> None:
    texts = [
        *("[" + part * 20_000 + part[:-1] + "]" for part in ("{},", "[],", "[[]],", '"",', "1.5,")),
        *(f"[{','.join([one] * 20_000)}]" for one in (
            '{"a":{}}', '{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}', '{"a":"b"}', '[1.5,{},"z"]',
            json.dumps({str(k): k for k in range(90)}), '"\U0001f600"',
        )),
        f"[{','.join(records(20_000))}]",
    ]  # fmt: skip
    for text in texts:
        objects = json.loads(text)
        assert _room(objects) <= json_memory_needed(text.encode()), text[:60]


def _room(value: object) -> int:
    inner = [*value.values()] if isinstance(value, dict) else value
    inside = sum(map(_room, inner)) if isinstance(inner, list) else 0
    return sys.getsizeof(value) + inside


def test_what_elements_of_xml_take_is_never_more_than_weighed(write: Write) -> None:
    texts = (
        "<a/>", "<a><b/></a>", "<a>xy</a>", "<a>xy</a>z\u00e9\u00e9", '<a b="12"/>',
        '<a b="12" c="23" d="" e="56" f="17" g="72"/>', f"<a>{'<b/>' * 6}</a>",
        '<a b="12"><b/></a>', "<a>\n  </a>\n ", "<a>&lt;&lt;</a>", "<a><a><a></a></a></a>",
        "<a>\U0001f600\u00e9</a>", f'<a b="{"word" * 9}">{"word" * 9}</a>', "<!-- x -->",
    )  # fmt: skip
    for text in texts:
        data = f"<r>{text * 5000}</r>".encode()
        with in_memory(xml_memory(data)):
            ElementTree.fromstring(data)
    many = f"<ANNOTATION_DOCUMENT>{'<a/>' * 5_000_000}</ANNOTATION_DOCUMENT>"
    with pytest.raises(IaaError, match=r"20 MB of XML .* may take 5\d\d MB of memory"):
        iaa.read_spans(write(many, "t.eaf"), max_megabytes=200)


def test_the_refusal_says_how_to_go_on(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "LONGEST", 1000)
    monkeypatch.setattr(json_memory, "LARGE", 1000)
    path = write('{"data": [' + "{}," * 100_000 + "{}]}", "t.json")
    with pytest.raises(IaaError, match=r"may take .* MB of memory; .*max_megabytes=1000"):
        iaa.read(path, max_megabytes=2)
