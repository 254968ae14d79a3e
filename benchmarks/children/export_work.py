"""Read an export: python export_work.py read|spans|load|lines|rows FILE QUESTION REPORT

Writes seconds of the reading alone, how many ratings and calls for progress it gave, and the peak
of memory before it, as JSON.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path
from typing import Any


def main() -> None:
    way, file, question, report = sys.argv[1:]
    call = {"read": read, "spans": spans, "load": load, "lines": lines, "rows": rows}[way]
    if way in ("read", "spans"):
        import iaa_jax as iaa

        iaa.formats()  # modules are loaded
        _ = iaa.read, iaa.read_spans
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    start = time.perf_counter()
    found, kept = call(Path(file), question or None)
    found |= {"seconds": time.perf_counter() - start, "before": before}
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


def spans(file: Path, question: str | None) -> tuple[dict[str, Any], object]:
    """Ours, of spans."""
    import iaa_jax as iaa

    shown: list[float] = []
    found = iaa.read_spans(
        file, question=question, progress=lambda done, total: shown.append(done / total)
    )
    assert shown == sorted(shown)
    return {"ratings": found.sizes["span"], "progress": len(shown)}, found


def load(file: Path, _: str | None) -> tuple[dict[str, Any], object]:
    """One JSON document."""
    with file.open(encoding="utf-8") as text:
        records = json.load(text)
    return {"records": len(records)}, records


def lines(file: Path, _: str | None) -> tuple[dict[str, Any], object]:
    """A record a line, one at a time."""
    with file.open(encoding="utf-8") as text:
        return {"records": sum(1 for line in text if json.loads(line))}, None


def rows(file: Path, _: str | None) -> tuple[dict[str, Any], object]:
    """What Prodigy's tasks hold of ratings, as Python objects: item, annotator and answer."""
    kept: list[object] = []
    with file.open(encoding="utf-8") as text:
        for line in text:
            task = json.loads(line)
            answer = task["answer"]
            if "spans" in task:
                answer = [(span["start"], span["end"], span["label"]) for span in task["spans"]]
            kept.append((task["_input_hash"], task["_annotator_id"], answer))
    return {"records": len(kept)}, kept


if __name__ == "__main__":
    main()
