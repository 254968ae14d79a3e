"""The JSON of every command against the documented schema, which `tests.json_records` holds."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from jsonschema import Draft202012Validator

from iaa_jax.analyses import ANALYSES
from iaa_jax.pages.records import SCHEMA
from tests.json_records import validator_of
from tests.program import ROOT
from tools import json_schema

QUICK = "--replicates 40"
CALLS = {
    "agree": f"one.csv {QUICK} --by batch",
    "demo": QUICK,
    "items": f"one.csv {QUICK} --by batch",
    "annotators": f"one.csv {QUICK}",
    "labels": f"one.csv {QUICK}",
    "findings": "one.csv",
    "label-sets": f"sets.csv --separator ; {QUICK}",
    "sweep": f"one.csv --secondary second {QUICK}",
    "compare": f"one.csv two.csv {QUICK} --permutations 19",
    "plan": "one.csv --replicates 0 --simulations 0",
    "variance": "one.csv",
    "drift": f"one.csv --by batch {QUICK} --permutations 19",
    "watch": "one.csv --order batch --bar 0.5",
    "gold": "one.csv",
    "sharpen": f"one.csv {QUICK}",
    "panels": f"one.csv {QUICK}",
    "missing": "one.csv --imputations 2 --points 1",
    "judge": f"one.csv --judges gpt {QUICK}",
    "spans": f"spans.json {QUICK}",
    "formats": "",
    "coefficients": "",
    "report": f"one.csv {QUICK} --sections labels,gold --output report.md",
}
ELSEWHERE = ("prodigy binary", "prodigy doc", "prodigy span")
"""Commands that tests of their own call, with files of that program."""


@pytest.fixture
def files(folder: Path) -> None:
    for file, labels in (("one", "xyz"), ("two", "xyy"), ("sets", ["x", "x;y", "z"])):
        rows = [
            (k, who, labels[(k + (who == "gpt" and k % 4 == 0)) % 3], "xyz"[k % 2], k // 10)
            for k in range(30)
            for who in ("ann", "bob", "gpt")
        ]
        table = pd.DataFrame(rows, columns=["item", "annotator", "label", "second", "batch"])
        table["second"] = table["second"].where(table["second"] != table["label"], "")
        table.to_csv(f"{file}.csv", index=False)
    spans = [(f"d{k}", who, 2, 5 + k % 2, "X") for k in range(8) for who in ("ann", "bob")]
    names = ["document", "annotator", "start", "end", "label"]
    pd.DataFrame(spans, columns=names).to_json("spans.json", orient="records")


@pytest.mark.parametrize("command", CALLS)
def test_what_a_command_writes_is_as_the_schema_says(command: str, ran, files: None) -> None:
    written = json.loads(ran(command, *CALLS[command].split(), "--json", "-").stdout)
    assert written["schema"] == SCHEMA
    schema = validator_of(command)
    assert schema.is_valid(written)
    assert not schema.is_valid(written | {"unheard_of": 1})
    for part, rows in written.items():
        if part in ("notes", "formats") or not isinstance(rows, list) or not rows:
            continue
        if not {"item", "annotator"} & {*rows[0]}:  # these may have further columns of the files
            rows[0]["unheard_of"] = 1
            assert not schema.is_valid(written), part
            del rows[0]["unheard_of"]


def test_the_schema_has_every_command() -> None:
    commands = {name for row in ANALYSES for name in row.commands if name != "convert"}
    assert {*CALLS, *ELSEWHERE} == commands | {"report"}
    Draft202012Validator.check_schema(json_schema.schema())
    committed = ROOT / "docs" / "schema" / json_schema.FILE
    assert json.loads(committed.read_text(encoding="utf-8")) == json_schema.schema()
