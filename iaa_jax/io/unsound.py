"""Files of a folder, and sheets of a pattern, that cannot be read as most of them can."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

from iaa_jax._errors import IaaError, shown
from iaa_jax.io.base import OF_COLUMNS, Options
from iaa_jax.io.table import opening
from iaa_jax.io.table.columns import check_columns, split_names
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note, first_clause, named

SHOWN = 3

Done = TypeVar("Done")


def of_sound(
    files: Sequence[Source], options: Options, work: Callable[[Sequence[Source]], Done]
) -> tuple[Done, Sequence[Source], list[Note]]:
    """What is made of all files, or of those that can be read; which, and what of the others."""
    try:
        return work(files), files, []
    except IaaError:
        sound, left_out = without_unsound(files, options)
        if not left_out:
            raise
        return work(sound), sound, left_out


def without_unsound(
    files: Sequence[Source], options: Options
) -> tuple[Sequence[Source], list[Note]]:
    """The files that can be read, and what to say of the others, which are fewer.

    All of them where a file that was named itself is among the others: these refuse to be read.
    """
    faults = [_fault(file, options) for file in files]
    if all(getattr(options, name) is None for name in OF_COLUMNS):
        faults = _of_other_columns(files, faults)
    bad = [(file, fault) for file, fault in zip(files, faults, strict=True) if fault is not None]
    if not 0 < 2 * len(bad) < len(files) or not all(file.was_offered for file, _ in bad):
        return files, []
    reasons = [Note("skipped_for", {"reason": first_clause(fault)}) for _, fault in bad[:SHOWN]]
    more = len(bad) - len(reasons)
    values = {
        "count": len(bad),
        "files": len(files),
        "reasons": reasons,
        "more": Note("skipped_for_more", {"count": more}) if more else None,
    }
    sound = [file for file, fault in zip(files, faults, strict=True) if fault is None]
    return sound, [Note("skipped_unsound", values)]


def _fault(file: Source, options: Options) -> str | None:
    """Why a file cannot be read, or lacks the columns that the caller names."""
    try:
        names = opening.head(file).names
        for option in OF_COLUMNS:
            if (columns := getattr(options, option)) is not None:
                check_columns(file, names, split_names(columns, names), named(option))
        opening.table(file, names[:1])
    except IaaError as error:
        return error.message
    return None


def _of_other_columns(files: Sequence[Source], faults: Sequence[str | None]) -> list[str | None]:
    """The same, with files that lack half of the columns that most others have."""
    columns = [
        None if fault else frozenset(opening.head(file).names)
        for file, fault in zip(files, faults, strict=True)
    ]
    ((usual, times),) = Counter(filter(None, columns)).most_common(1) or [(frozenset(), 0)]
    told = list(faults)
    for place, own in enumerate(columns):
        if own is not None and 2 * times > len(files) and 2 * len(own & usual) < len(usual):
            told[place] = f"{files[place]} has other columns ({shown(sorted(own))})"
    return told
