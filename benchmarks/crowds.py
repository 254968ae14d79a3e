"""Files of real ratings that large works are measured on."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from processes import GIGABYTE, ROOT
from tables import scores_frame, wide_frame

VARIABLE = "IAA_JAX_DATA"

WITHOUT = (
    f"Not run: the environment variable {VARIABLE} does not name a folder with the real data sets."
)


@dataclass(frozen=True)
class Crowd:
    """A command on a file, with what it may take."""

    name: str
    arguments: tuple[str, ...]
    bytes: int
    seconds: float | None
    imports: float | None = None
    """So many times the import of JAX and xarray it may take."""
    command: str = "agree"


def data_folder() -> Path | None:
    """The folder of real data sets, if there is one."""
    setting = os.environ.get(VARIABLE)
    return Path(setting) if setting and Path(setting).is_dir() else None


def small(folder: Path) -> Crowd:
    """A table that is made, for a quick look."""
    file = folder / "small.csv"
    wide_frame(2_000, 5, 4).to_csv(file, index=False)
    return Crowd("iaa agree, 10,000 ratings", (str(file),), GIGABYTE, None)


def cifar10n(data: Path, folder: Path) -> Crowd:
    """747 annotators, 150,000 ratings."""
    sys.path.insert(0, str(ROOT))
    from tests.cifar10n import long_table

    file = folder / "cifar10n.csv"
    long_table(data).to_csv(file, index=False)
    name = "iaa agree, CIFAR-10N (747 annotators, 150,000 ratings)"
    return Crowd(name, (str(file),), GIGABYTE, None, imports=5)


def brighter(data: Path, folder: Path) -> Crowd:
    """Seven languages drawn again to 1,387,769 ratings."""
    file = folder / "brighter.csv"
    script = data / "brighter" / "scale_up.py"
    command = [sys.executable, str(script), str(file), "--factor", "2", "--seed", "1"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    name = "iaa agree, BRIGHTER enlarged (41 annotators, 1,387,769 ratings)"
    return Crowd(name, (str(file),), GIGABYTE * 3 // 2, 10)


def toxic_spans(data: Path) -> Crowd:
    """One comment was rated by 357 workers, the others by three to seven."""
    file = data / "toxic_spans" / "annotations.csv.gz"
    columns = ("--item", "comment_id", "--annotator", "worker", "--label", "not toxic")
    name = "iaa agree, toxic_spans 'not toxic' (3,579 annotators)"
    arguments = (str(file), *columns, "--duplicates", "first")
    return Crowd(name, arguments, GIGABYTE * 3 // 2, None)


def reports(data: Path, folder: Path) -> tuple[Crowd, ...]:
    """Whole reports: many items, label sets that hardly repeat, and many numbers of an item."""
    page = ("--output", str(folder / "report.html"))
    files = [folder / "items.csv", folder / "scores.csv"]
    wide_frame(100_000, 5, 5).to_csv(files[0], index=False)
    scores_frame(40, 50).to_csv(files[1], index=False)
    leoka = data / "leoka" / "LEOKA_team_11.json.gz"
    named = {
        "100,000 items x 5 annotators": (str(files[0]),),
        "LEOKA (130 items, sets of labels, 4 annotators)": (str(leoka), "--duplicates", "last"),
        "40 items x 50 annotators, 0 to 100": (str(files[1]), "--level", "interval"),
    }
    return tuple(
        Crowd(f"iaa report, {name}", (*call, *page), GIGABYTE * 2, most, command="report")
        for (name, call), most in zip(named.items(), (5, 10, 60), strict=True)
    )
