"""Read an export: python export_work.py read|load|lines FILE QUESTION REPORT

Writes seconds of the reading alone, and how many ratings and calls for progress it gave, as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any


def main() -> None:
    way, file, question, report = sys.argv[1:]
    call = {"read": read, "load": load, "lines": lines}[way]
    if way == "read":
        import iaa_jax as iaa

        iaa.formats()  # modules are loaded
    start = time.perf_counter()
    found, kept = call(Path(file), question or None)
    found["seconds"] = time.perf_counter() - start
    del kept
    Path(report).write_text(json.dumps(found), encoding="utf-8")


def read(file: Path, question: str | None) -> tuple[dict[str, Any], object]:
    """Ours."""
    import iaa_jax as iaa

    shown: list[float] = []
    ratings = iaa.read(
        file, question=question, progress=lambda done, total: shown.append(done / total)
    )
    assert shown == sorted(shown)
    return {"ratings": int((ratings["primary"] >= 0).sum()), "progress": len(shown)}, ratings


def load(file: Path, _: str | None) -> tuple[dict[str, Any], object]:
    """One JSON document."""
    with file.open(encoding="utf-8") as text:
        records = json.load(text)
    return {"records": len(records)}, records


def lines(file: Path, _: str | None) -> tuple[dict[str, Any], object]:
    """A record a line, one at a time."""
    with file.open(encoding="utf-8") as text:
        return {"records": sum(1 for line in text if json.loads(line))}, None


if __name__ == "__main__":
    main()
