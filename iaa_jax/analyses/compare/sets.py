"""Which two sets ``iaa compare`` compares, and how they are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from iaa_jax._errors import IaaError
from iaa_jax.cli.drawing import Drawing
from iaa_jax.cli.reading import Reading

if TYPE_CHECKING:
    import xarray as xr

_LEFT_OUT = ("other annotator left out", "other annotators left out")

PAIRED: dict[str, Any] = {"auto": "auto", "yes": True, "no": False}


@dataclass(frozen=True)
class Comparing:
    """Which two sets, and what is compared."""

    by: str | None = None
    between: Sequence[str] | None = None
    names: Sequence[str] | None = None
    paired: str = "auto"
    coefficients: Sequence[str] | None = None
    level: str | None = None
    weights: str | None = None
    weights_on: str = "value"
    distance: str | None = None
    p: float = 1.0
    min_common: int = 2
    permutations: int = 2000
    margin: float | None = None
    labels_too: bool | None = None
    cluster: str | None = None

    @property
    def drawing(self) -> Drawing:
        """What is drawn: items, or clusters of them."""
        return Drawing(self.cluster)


@dataclass(frozen=True)
class Second:
    """Where B is read in another way than A."""

    item: Sequence[str] | None = None
    annotator: str | None = None
    label: str | None = None
    annotators: Sequence[str] | None = None
    keep_annotators: Sequence[str] | None = None

    @property
    def given(self) -> dict[str, Any]:
        """What is said of B."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def check_sets(reading: Reading, comparing: Comparing, second: Second) -> None:
    """Refuse what does not say which two sets."""
    files = len(reading.files)
    if comparing.between is not None and comparing.by is None:
        message = "names two values of the column of --by, which is not given"
        raise typer.BadParameter(message, param_hint="--between")
    if comparing.by is not None:
        if second.given:
            message = "options for B alone do not go with --by, which splits one set of ratings"
            raise typer.BadParameter(message, param_hint="--by")
        if files > 1:
            message = "splits one file: give one, or two files without --by"
            raise typer.BadParameter(message, param_hint="--by")
        return
    if files == 1 and not second.given:
        message = (
            "one file is one set: give two files, or --by COLUMN, or what is other in B "
            "(--label-b, --annotators-b, --keep-annotators-b)"
        )
        raise typer.BadParameter(message, param_hint="FILE")
    if files > 2:
        message = f"two files are compared, A and B, and these are {files}; or one with --by COLUMN"
        raise typer.BadParameter(message, param_hint="FILE")


Named = tuple[str, str]
"""What a set is called in sentences, and above a column."""


class Sets(NamedTuple):
    """Both sets and their names; of groups in one file also all ratings, and which axis is split.

    ``others`` says what of the file is in neither.
    """

    a: xr.Dataset
    b: xr.Dataset
    names: tuple[Named, Named]
    whole: xr.Dataset | None = None
    axis: str = ""
    others: str = ""


def two_sets(
    reading: Reading,
    second: Second,
    comparing: Comparing,
    progress: Callable[[int, int], None],
) -> Sets:
    """Both sets, and their names."""
    columns = comparing.drawing.columns
    if comparing.by is not None:
        from iaa_jax.analyses.compare.split import split_by
        from iaa_jax.cli.beside import with_columns

        reading, ratings = _rated_in_both(reading, comparing.by, progress)
        ratings = with_columns(ratings, reading, [comparing.by, *columns])
        halves = split_by(ratings, comparing.by, comparing.between)
        a, b = (_without_part(half, reading.item, comparing.by) for half in halves[1:3])
        plain = any(name.lstrip("-").replace(".", "").isdigit() for name in halves.names)
        names = [(f"{comparing.by} {name}" if plain else name, name) for name in halves.names]
        if comparing.names is not None:
            names = [(name, name) for name in comparing.names]
        others = _others(ratings, comparing.by, halves.names)
        return Sets(a, b, (names[0], names[1]), ratings, halves.axis, others)
    first = replace(reading, files=reading.files[:1])
    other = replace(reading, files=reading.files[-1:], **second.given)
    a, b = (_read(one, name, columns, progress) for one, name in ((first, "A"), (other, "B")))
    names = [(name, name) for name in _names(first, other)]
    if comparing.names is not None:
        names = [(name, name) for name in comparing.names]
    return Sets(a, b, (names[0], names[1]))


def _others(ratings: xr.Dataset, by: str, compared: Sequence[str]) -> str:
    """Which values of the column are not compared."""
    from iaa_jax._errors import shown
    from iaa_jax.data.groups import groups_of

    _, groups, _ = groups_of(ratings, by)
    others = [name for name in groups.tolist() if name not in compared]
    return f"not compared: {shown(others)} of {by}" if others else ""


def skipped_of(one: str, other: str, *, grouped: bool) -> tuple[str, str, str]:
    """What one file skipped for both sets, and what for each alone.

    The other group of annotators is left out of each half, which is no news.
    """
    sides = [text.split("; ") if text else [] for text in (one, other)]
    if grouped:
        sides = [[part for part in parts if not part.endswith(_LEFT_OUT)] for parts in sides]
    both = [part for part in sides[0] if part in sides[1]]
    alone = ["; ".join(part for part in parts if part not in both) for parts in sides]
    return "; ".join(both), alone[0], alone[1]


def _rated_in_both(
    reading: Reading, by: str, progress: Callable[[int, int], None]
) -> tuple[Reading, xr.Dataset]:
    """The ratings, with the column of --by as a part of the item where it has to be.

    An item that was rated in both rounds, by the same annotators, has its ratings twice.
    """
    try:
        return reading, reading.ratings(progress)
    except IaaError:
        if reading.item is None or by in reading.item:
            raise
        wider = replace(reading, item=[*reading.item, by])
        try:
            return wider, wider.ratings(progress)
        except IaaError:
            pass
        raise


def _without_part(half: xr.Dataset, item: Sequence[str] | None, by: str) -> xr.Dataset:
    """Items without what --by says of them: the same item has the same id in both halves."""
    from iaa_jax.data.assemble import JOINT

    if item is None or by not in item or len(item) < 2:
        return half
    place = list(item).index(by)
    parts = [str(name).split(JOINT) for name in half["item"].values.tolist()]
    ids = [JOINT.join([*part[:place], *part[place + 1 :]]) for part in parts]
    if any(len(part) != len(item) for part in parts) or len(set(ids)) < len(ids):
        return half
    return half.drop_vars("item").assign_coords(item=("item", ids))


def _read(
    reading: Reading, name: str, columns: Sequence[str], progress: Callable[[int, int], None]
) -> xr.Dataset:
    from iaa_jax.cli.beside import with_columns

    try:
        return with_columns(reading.ratings(progress), reading, columns)
    except IaaError as error:
        message = str(error)
        (file,) = reading.shown_files()
        if Path(file).name in message:
            raise
        message = f"{name} ({file}): {message}"
        raise IaaError(message) from None


def _names(first: Reading, other: Reading) -> tuple[str, str]:
    """The sets by what tells them apart, where that is short."""
    files = tuple(Path(one.shown_files()[0]).name for one in (first, other))
    stems = tuple(name.split(".")[0] for name in files)
    for one, two in (
        stems,
        files,
        (first.shown_files()[0], other.shown_files()[0]),
        (first.label, other.label),
        _joined(first.keep_annotators, other.keep_annotators),
        _joined(first.annotators, other.annotators),
    ):
        if one and two and one != two:
            return one, two
    return "A", "B"


def _joined(
    one: Sequence[str] | None, other: Sequence[str] | None
) -> tuple[str | None, str | None]:
    if not one or not other:
        return None, None
    texts = "+".join(one), "+".join(other)
    return texts if max(map(len, texts)) <= 30 else (None, None)


def pairing(comparing: Comparing, a: xr.Dataset, b: xr.Dataset, *, one_file: bool) -> Any:
    """Whether to pair; within one file the same id is the same item."""
    from iaa_jax.analyses.compare.matching import pairable_alike, rated_rows, shared_rows

    if comparing.paired != "auto" or not one_file:
        return PAIRED[comparing.paired]
    shared = len(shared_rows(a, b)[0])
    smaller = min(len(rated_rows(one)) for one in (a, b))
    same = shared >= max(2, smaller / 2) and pairable_alike(a, b)
    return True if same else "auto"
