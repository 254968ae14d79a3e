"""What the program writes as JSON, held against the schema that is documented."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from jsonschema import Draft202012Validator

from tools import json_schema

ANSWERED = (0, 3, 4)
"""Exit codes of calls that write their results."""


@cache
def validator_of(command: str) -> Draft202012Validator:
    schema = json_schema.schema()
    return Draft202012Validator({**schema["$defs"][command], "$defs": schema["$defs"]})


def command_of(arguments: Sequence[str]) -> str:
    commands = json_schema.schema()["$defs"]
    return next(name for n in (2, 1) if (name := " ".join(arguments[:n])) in commands)


def hold(arguments: Sequence[str], code: int, written: str) -> None:
    """Whatever a call wrote as JSON is as the schema of its command says."""
    if "--json" not in arguments or code not in ANSWERED:
        return
    target = arguments[arguments.index("--json") + 1]
    if target != "-" and not Path(target).is_file():
        return  # a device, or what a test has taken away
    text = written if target == "-" else Path(target).read_text(encoding="utf-8")
    if not text.startswith("{"):
        return  # a test that looks at what stands before it
    errors = [*validator_of(command_of(arguments)).iter_errors(json.loads(text))]
    assert not errors, [(list(each.absolute_path), each.message[:500]) for each in errors]
