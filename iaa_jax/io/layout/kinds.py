"""What the cells of columns suggest: counts of annotators, labels in columns, lists of ratings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from iaa_jax.io.layout.names import are_annotators, as_annotator
from iaa_jax.io.layout.sample import Sample, SampledColumn
from iaa_jax.io.table.lists import split_lists
from iaa_jax.io.table.proposal import PREFIX, Proposal


def hints(table: Sample, item: str | None) -> list[Proposal]:
    """Name the options that the cells suggest; nothing where several readings are possible.

    Examples
    --------
    >>> from iaa_jax.io.layout.sample import of_head
    >>> from iaa_jax.io.table.head import Head
    >>> from iaa_jax.wording.spelling import in_python, respelled
    >>> table = of_head(Head(["id", "n_yes", "n_no"], [["a", "3", "0"], ["b", "1", "2"]]))
    >>> [respelled(hint.text, in_python) for hint in hints(table, "id")]
    ["if the columns 'n_*' count annotators, give counts='n_*'"]
    """
    free = [cells for name, cells in table.columns.items() if name != item]
    whole = [cells for cells in free if cells.are_counts]
    seen = _of_prefix(whole) or _of_sum(whole)
    lists = [cells for cells in free if cells.are_lists]
    if lists and not lists_of_people(table):
        others = "does another" if len(lists) == 2 else f"do {len(lists) - 1:,} others"
        more = f" (so {others})" if len(lists) > 1 else ""
        name, first = lists[0].name, lists[0].known[0]
        mark = next((mark for mark in ";|," if mark in first), ";")
        separated = {} if first.startswith("[") else {"separator": mark}
        seen.append(
            Proposal(
                f"{name!r} holds lists{more}: if each has all ratings of an item",
                {"label": name, "anonymous": True, **separated},
            )
        )
    return seen


def _of_prefix(whole: Sequence[SampledColumn]) -> list[Proposal]:
    """The first columns of counts, or of 0 and 1, that begin alike.

    Where other groups end alike too, as in "ann_yes" and "bob_yes", it is no hint.
    """
    groups: dict[str, list[SampledColumn]] = {}
    for cells in whole:
        if match := PREFIX.fullmatch(cells.name):
            groups.setdefault(match[1] or match[2], []).append(cells)
    several = {
        prefix: group
        for prefix, group in groups.items()
        if len(group) > 1 and not are_annotators(cells.name for cells in group)
    }
    ends = [each.name.removeprefix(prefix) for prefix in several for each in several[prefix]]
    if not several or len(set(ends)) < len(ends):
        return []
    prefix, group = next(iter(several.items()))
    grid = np.array([cells.values() for cells in group])
    if grid.max() > 1 and (grid == 0).any():
        condition = f"if the columns '{prefix}*' count annotators"
        return [Proposal(condition, {"counts": f"{prefix}*"})]
    if grid.max() == 1:
        option = "one_hot" if (grid.sum(axis=0) == 1).all() else "multi_hot"
        condition = f"if a row is one rating and the columns '{prefix}*' are its labels"
        return [Proposal(condition, {option: f"{prefix}*"})]
    return []


def _of_sum(whole: Sequence[SampledColumn]) -> list[Proposal]:
    """Columns side by side whose sum stands in the next one, or before: counts and their total."""
    others = [cells for cells in whole if not are_annotators([cells.name])]
    return _of_total(others, 1) or _of_total(others[::-1], -1)


def _of_total(whole: Sequence[SampledColumn], step: int) -> list[Proposal]:
    above = np.zeros(len(whole[0].codes) if whole else 0)  # the sum of all columns before
    start_of: dict[bytes, int] = {}
    for end, total in enumerate(whole):
        values = total.values()
        # the sum stays the same with columns of zeros: the first start takes them in
        start_of.setdefault(above.tobytes(), end)
        start = start_of.get((above - values).tobytes(), end)
        if len(above) > 1 and values.any() and end - start > 1:
            counts = ",".join(cells.name for cells in whole[start:end][::step])
            condition = f"{total.name!r} is the sum of columns: if they count annotators"
            return [Proposal(condition, {"counts": counts})]
        above = above + values
    return []


def lists_of_people(table: Sample) -> list[str]:
    """Columns that list annotators, a column for each label; none where there are no two.

    Each names somebody once, and the same people stand in several columns.

    Examples
    --------
    >>> from iaa_jax.io.layout.sample import of_head
    >>> from iaa_jax.io.table.head import Head
    >>> rows = [["a", "[3]", "[5, 8]"], ["b", "[5, 3]", "[]"]]
    >>> lists_of_people(of_head(Head(["id", "raters_yes", "raters_no"], rows)))
    ['raters_yes', 'raters_no']
    """
    found: dict[str, set[str | None]] = {}
    for name, cells in table.columns.items():
        if as_annotator(name) > 0 and cells.are_lists:
            lists = split_lists(cells.known, None)
            if lists is not None and all(len({*members}) == len(members) for members in lists):
                found[name] = {one for members in lists for one in members}
    alike = [
        name
        for name, own in found.items()
        if any(own & other for another, other in found.items() if another != name)
    ]
    return sorted(alike, key=lambda name: name.count(".")) if len(alike) > 1 else []
