"""Two sets of ratings of the same items, scanned together so that items can be compared.

Patterns have no names, and two scans do not show which items are the same. Here a pattern combines
the ratings of an item in both sets. Each set then gets its part of the patterns, in rows that
correspond.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError
from iaa_jax._types import Integers
from iaa_jax.data.compression import PATTERNS, marked
from iaa_jax.data.groups import group_values
from iaa_jax.data.notices.similar import JOINT
from iaa_jax.io.table.cells import missing_labels
from iaa_jax.scale.counting import Counting
from iaa_jax.scale.database import MEMORY, Progress, database
from iaa_jax.scale.occurrences import Occurrences
from iaa_jax.scale.scanning import Kept, ScanRequest, labels_of, noted, texts_of
from iaa_jax.scale.tally import Tally, laid_out, stacked
from iaa_jax.wording import named


def scan_two(
    first: ScanRequest,
    second: ScanRequest,
    *,
    memory: str = MEMORY,
    progress: Progress | None = None,
) -> tuple[xr.Dataset, xr.Dataset]:
    """Scan two long tables; an item in both has the same number in both."""
    both = first, second
    with database(memory, progress) as opened:
        tables, notes = zip(*(asked.table() for asked in both), strict=True)
        if len({len(table.items) for table in tables}) > 1:
            raise IaaError(
                f"{named('item')} has to name as many columns of one set as of the other"
            )
        opened.steps = sum(len(table.files) for table in tables) + 1
        found = Occurrences(opened, tables, missing_labels(first.labels, first.missing))
        counting = Counting(found)
        tally = counting.tally(whole=False)
    kept = Kept(counting)
    sets = []
    for number, asked in enumerate(both):
        rows, part = _part_of(tally, kept, number)
        part, known = _with_own_labels(part, list(found.labels.texts))
        known, understood = labels_of(known, tables[number], asked.labels)
        annotators = texts_of(found.annotators[number])
        ratings = laid_out(
            part, annotators, known, asked.labels, kept.item_coordinates(part), parse=True
        )
        here = range(*counting.starts[number : number + 2])
        ratings = ratings.assign_coords({"item": rows} | kept.annotator_coordinates(here))
        sets.append(noted(ratings, counting, number, [*notes[number], *understood], asked))
    together = {PATTERNS: "".join(marked(each).attrs[PATTERNS] for each in sets)}
    return sets[0].assign_attrs(together), sets[1].assign_attrs(together)


def scan_rounds(
    asked: ScanRequest,
    by: str,
    choose: Callable[[Sequence[str]], Sequence[str]],
    *,
    memory: str = MEMORY,
    progress: Progress | None = None,
) -> xr.Dataset:
    """Scan a long table in which items were rated again; ``choose`` takes two values of ``by``.

    An item in both rounds becomes two rows, whose names differ by that value alone.
    """
    with database(memory, progress) as opened:
        kept_too = [name for name in asked.by or () if name != by]
        table, notes = asked._replace(by=[by, *kept_too]).table()
        table = table._replace(items=[name for name in table.items if name != by])
        if not table.items:
            raise IaaError(f"{by!r} names the items: no item could be in two sets")
        opened.steps = len(table.files) + 1
        found = Occurrences(opened, [table], missing_labels(asked.labels, asked.missing))
        of_texts, distinct = Kept.columns_of(found)[0]
        values = distinct[of_texts]
        names, member = group_values(values, by)
        wanted = choose(names.tolist())
        codes = {name: np.flatnonzero(names[member] == name).tolist() for name in names}
        counting = Counting(found, (codes[wanted[0]], codes[wanted[1]]))
        tally = counting.tally(whole=False)
    kept = Kept(counting)
    parts = [(name, *_part_of(tally, kept, number)) for number, name in enumerate(wanted)]
    # an empty row for each other value, so that its omission is known
    nobody = Tally(np.full((1, 1), -1), np.zeros(1), tuple(np.full(1, -1) for _ in tally.apart))
    parts += [(name, np.full(1, -1), nobody) for name in names if name not in wanted]
    whole = stacked([part for _, _, part in parts])
    known, understood = labels_of(list(found.labels.texts), table, asked.labels)
    of_rounds = np.concatenate([[codes[name][0]] * len(rows) for name, rows, _ in parts])
    apart = {by: values[of_rounds], **kept.item_coordinates(whole)}
    ratings = laid_out(whole, texts_of(found.annotators[0]), known, asked.labels, apart, parse=True)
    items = [f"{row}{JOINT}{name}" for name, rows, _ in parts for row in rows]
    ratings = ratings.assign_coords(
        {"item": items} | kept.annotator_coordinates(range(*counting.starts[:2]))
    )
    return marked(noted(ratings, counting, 0, [*notes, *understood], asked))


def _part_of(tally: Tally, kept: Kept, number: int) -> tuple[Integers, Tally]:
    """Return the rows that annotators of one set rated, with their ratings."""
    counting = kept.counting
    start, stop = (counting.labels * each for each in counting.starts[number : number + 2])
    own = (tally.ratings >= start) & (tally.ratings < stop)
    rows = np.flatnonzero(own.any(axis=1))
    part = tally._replace(ratings=np.where(own, tally.ratings - start, -1)).rows(rows)
    order = kept.order(part, number)
    return rows[order], part.rows(order)


def _with_own_labels(tally: Tally, known: Sequence[str]) -> tuple[Tally, list[str]]:
    """Return a tally with only the labels that occur in it, and these labels."""
    rated = tally.ratings >= 0
    annotators, labels = np.divmod(tally.ratings[rated], max(len(known), 1))
    used, codes = np.unique(labels, return_inverse=True)
    ratings = tally.ratings.copy()
    ratings[rated] = annotators * len(used) + codes
    return tally._replace(ratings=ratings), [known[code] for code in used]
