"""Scan two sets of ratings of the same items together, so that the sets can be compared by item.

A scan returns patterns (items with the same ratings, as one row with a count). Patterns have no
names, so two separate scans would not show which items are the same. Here, a pattern combines the
ratings of an item in both sets. Each set then gets its part of each pattern, under the same number.
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
    """Return the patterns of two long tables; a number stands for the same items in both."""
    both = first, second
    with database(memory, progress) as opened:
        tables, notes = zip(*(request.table() for request in both), strict=True)
        if len({len(table.items) for table in tables}) > 1:
            raise IaaError(f"{named('item')} must name the same number of columns in both sets")
        opened.steps = sum(len(table.files) for table in tables) + 1
        occurrences = Occurrences(opened, tables, missing_labels(first.labels, first.missing))
        counting = Counting(occurrences)
        tally = counting.tally(whole=False)
    kept = Kept(counting)
    sets = []
    for number, request in enumerate(both):
        rows, part = _part_of(tally, kept, number)
        part, known = _with_own_labels(part, list(occurrences.labels.texts))
        known, understood = labels_of(known, tables[number], request.labels)
        annotators = texts_of(occurrences.annotators[number])
        ratings = laid_out(
            part, annotators, known, request.labels, kept.item_coordinates(part), parse=True
        )
        here = range(*counting.starts[number : number + 2])
        ratings = ratings.assign_coords({"item": rows} | kept.annotator_coordinates(here))
        sets.append(noted(ratings, counting, number, [*notes[number], *understood], request))
    together = {PATTERNS: "".join(marked(each).attrs[PATTERNS] for each in sets)}
    return sets[0].assign_attrs(together), sets[1].assign_attrs(together)


def scan_rounds(
    request: ScanRequest,
    by: str,
    choose: Callable[[Sequence[str]], Sequence[str]],
    *,
    memory: str = MEMORY,
    progress: Progress | None = None,
) -> xr.Dataset:
    """Return the ratings of a long table in which items were rated in several rounds.

    ``by`` is the column of rounds; ``choose`` selects the names of two rounds from all of them. A
    pattern of items in both rounds becomes two rows, whose names differ only in the round.
    """
    with database(memory, progress) as opened:
        further = [name for name in request.by or () if name != by]
        table, notes = request._replace(by=[by, *further]).table()
        table = table._replace(items=[name for name in table.items if name != by])
        if not table.items:
            raise IaaError(f"{by!r} names the items: no item could be in two sets")
        opened.steps = len(table.files) + 1
        occurrences = Occurrences(opened, [table], missing_labels(request.labels, request.missing))
        of_texts, distinct = Kept.columns_of(occurrences)[0]
        values = distinct[of_texts]
        names, member = group_values(values, by)
        chosen = choose(names.tolist())
        codes = {name: np.flatnonzero(names[member] == name).tolist() for name in names}
        counting = Counting(occurrences, (codes[chosen[0]], codes[chosen[1]]))
        tally = counting.tally(whole=False)
    kept = Kept(counting)
    parts = [(name, *_part_of(tally, kept, number)) for number, name in enumerate(chosen)]
    # other rounds get an empty row each, so that the ratings show which rounds were left out
    nobody = Tally(np.full((1, 1), -1), np.zeros(1), tuple(np.full(1, -1) for _ in tally.apart))
    parts += [(name, np.full(1, -1), nobody) for name in names if name not in chosen]
    whole = stacked([part for _, _, part in parts])
    known, understood = labels_of(list(occurrences.labels.texts), table, request.labels)
    of_rounds = np.concatenate([[codes[name][0]] * len(rows) for name, rows, _ in parts])
    group_values_of_rows = {by: values[of_rounds], **kept.item_coordinates(whole)}
    ratings = laid_out(
        whole,
        texts_of(occurrences.annotators[0]),
        known,
        request.labels,
        group_values_of_rows,
        parse=True,
    )
    items = [f"{row}{JOINT}{name}" for name, rows, _ in parts for row in rows]
    ratings = ratings.assign_coords(
        {"item": items} | kept.annotator_coordinates(range(*counting.starts[:2]))
    )
    return marked(noted(ratings, counting, 0, [*notes, *understood], request))


def _part_of(tally: Tally, kept: Kept, number: int) -> tuple[Integers, Tally]:
    counting = kept.counting
    start, stop = (counting.labels * each for each in counting.starts[number : number + 2])
    in_set = (tally.ratings >= start) & (tally.ratings < stop)
    rows = np.flatnonzero(in_set.any(axis=1))
    part = tally._replace(ratings=np.where(in_set, tally.ratings - start, -1)).rows(rows)
    order = kept.order(part, number)
    return rows[order], part.rows(order)


def _with_own_labels(tally: Tally, known: Sequence[str]) -> tuple[Tally, list[str]]:
    """Return a tally whose codes refer only to the labels that occur in it, and these labels."""
    rated = tally.ratings >= 0
    annotators, labels = np.divmod(tally.ratings[rated], max(len(known), 1))
    used, codes = np.unique(labels, return_inverse=True)
    ratings = tally.ratings.copy()
    ratings[rated] = annotators * len(used) + codes
    return tally._replace(ratings=ratings), [known[code] for code in used]
