"""Ways to read a table of unknown layout, each tried on the file before it is advised."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from iaa_jax.data.usual import ANNOTATOR, ITEM, LABEL, usual_name
from iaa_jax.io.table.column_kinds import hints
from iaa_jax.io.table.columns import (
    choose_annotators,
    groups_of_labels,
    is_cross_table,
    is_no_annotator,
    labels_of_columns,
    names_are_labels,
    numbers_rows,
)
from iaa_jax.io.table.head import Head
from iaa_jax.io.table.proposal import PREFIX, Proposal, Told

TRANSPOSED: Told = {"format": "transposed"}
LONGEST = 60  # characters of a name that an option is advised for
WORDS = 4  # of a person's name
MOST = 4  # candidates for a role that are tried
REPEATED = 0.9  # share of pairs of item and annotator that stand once, at least
MEET = 0.5  # share of items that two annotators rated, at least

# Parts of the names of columns: enough for advice, not for a guess.
_WHO = re.compile(
    r"annotat|rater|coder|worker|judge|label+er|reviewer|reader|evaluat|participant|respondent|"
    r"observer|assessor|examiner|expert|panel+ist|physician|doctor|speaker|student|"
    r"kodierer|codierer|beurteil|bewerter|codeur|juge|anotador|codificador|juez|evaluador|"
    r"annotatore|valutator|beoordel|"
    r"(^|[\W_])(user|who|by)([\W_]*(id|name|no|nr|num|number|key))?$",
    re.IGNORECASE,
)
_WHAT = re.compile(r"([\W_]|^)(id|no|nr|num|number|key|idx)$|[a-z]I[dD]$")
_NUMBER = re.compile(r"\d+")


def who_of(head: Head) -> str | None:
    """The column that seems to name annotators."""
    columns = choose_annotators(head.names)
    usual = usual_name(head.names, ANNOTATOR)
    others = (name for name in head.names if name not in columns and not holds_texts(head, name))
    return usual or next((name for name in others if _WHO.search(name)), None)


def what_of(names: Sequence[str]) -> str | None:
    """The column that seems to name items."""
    return usual_name(names, ITEM) or next((name for name in names if _WHAT.search(name)), None)


def holds_texts(head: Head, name: str) -> bool:
    """Whether a cell of a column is too long, or of too many words, for a name."""
    return any(len(cell) > LONGEST or len(cell.split()) > WORDS for cell in _column(head, name))


def together(annotators: Sequence[str], names: Sequence[str]) -> str:
    """The columns of annotators as an option takes them: by their beginning, if they are long."""
    listed, match = ",".join(annotators), PREFIX.fullmatch(annotators[0])
    start = (match[1] or match[2]) if match else ""
    alike = bool(start) and [name for name in names if name.startswith(start)] == [*annotators]
    return f"{start}*" if len(listed) > LONGEST and alike else listed


def proposals(head: Head, item: str | None, works: Callable[[Told], bool]) -> list[Proposal]:
    """The ways to read a table that its cells suggest and that were tried, the likeliest first.

    ``item`` are the item columns that the caller named; ``works`` tries what would be said.
    """
    named = {} if item is None else {"item": item}
    sure = (_special(head), _paired(head, named), _of_annotators(head), _named_kinds(head, item))
    found = [first for alike in sure if (first := _first(alike, works)) is not None]
    if not found:
        likely = (_long(head, item), _wide(head, item))
        found = [first for alike in likely if (first := _first(alike, works)) is not None]
    return found


def _first(alike: Iterable[Proposal], works: Callable[[Told], bool]) -> Proposal | None:
    return next((proposal for proposal in alike if works(proposal.told)), None)


def _of_annotators(head: Head) -> Iterator[Proposal]:
    """Rows of annotators, whom the first column names."""
    first = [row[0].strip() for row in head.rows if row]
    if who_of(head) == head.names[0] and len({*first}) == len(first):
        yield Proposal("if a row is one annotator", TRANSPOSED)


def _named_kinds(head: Head, item: str | None) -> Iterator[Proposal]:
    """What the cells of columns suggest, with the item column where it has to be named."""
    free = [name for name in head.names if item is None]
    for hint in hints(head, item):
        what = item or what_of(free) or free[0]
        for told in (hint.told, {"item": what, **hint.told}):
            yield Proposal(hint.condition, told)
            yield Proposal(hint.condition, {**told, "anonymous": True})


def _special(head: Head) -> Iterator[Proposal]:
    """Tables that are told by all of their cells."""
    if is_cross_table(head):
        yield Proposal(
            "if rows and columns are the labels of two annotators, and cells count items",
            {"format": "contingency"},
        )
    others = head.names[1:]
    if names_are_labels(head, labels_of_columns(head, others)):
        yield Proposal("if the first line holds no names of columns", {"header_line": 0})
        if len(head.names) == len(("item", "annotator", "label")):
            roles = {"item": "2", "annotator": "1", "label": "3"}
            told = {"header_line": 0, **roles}
            yield Proposal("if the first line holds no names of columns", told)


def _paired(head: Head, named: Told) -> Iterator[Proposal]:
    """Columns of names beside as many columns of labels: ``judge1, judge2, vote1, vote2``."""
    columns = [name for name in head.names[1:] if not numbers_rows(head, name)]
    groups = [group for group in groups_of_labels(labels_of_columns(head, columns)) if group[1:]]
    for people in groups:
        for labels in groups:
            numbers = [_NUMBER.findall(name) for name in people]
            same = numbers == [_NUMBER.findall(name) for name in labels]
            if labels is people or not (same and all(numbers)) or not _are_names(head, people):
                continue
            told = {"annotator": ",".join(people), "label": ",".join(labels)}
            yield Proposal(
                f"if {', '.join(people)} name annotators and {', '.join(labels)} hold their labels",
                {**named, **told},
            )


def _are_names(head: Head, columns: Sequence[str]) -> bool:
    """Whether cells of columns are words or ids rather than figures of a scale."""
    cells = {cell for name in columns for cell in _column(head, name) if cell}
    return bool(cells) and not any(cell.isdecimal() and len(cell) < MOST for cell in cells)


def _long(head: Head, item: str | None) -> Iterator[Proposal]:
    """Columns of which two name item and annotator, so that items meet and pairs hardly repeat."""
    names = [name for name in head.names if head.names.count(name) == 1]
    fits = [name for name in names if not holds_texts(head, name) and not numbers_rows(head, name)]
    first = who_of(head)
    people = list(dict.fromkeys([*([first] if first else []), *filter(_WHO.search, fits)]))
    for who in people[:MOST]:
        others = [name for name in names if name != who and not numbers_rows(head, name)]
        usual = what_of(others)
        items = [item] if item is not None else [*([usual] if usual else []), *others]
        for what in list(dict.fromkeys(items)):
            if not _meet(head, what, who):
                continue
            for label in _label_columns(head, [name for name in fits if name not in (what, who)]):
                told = {"item": what, "annotator": who, "label": label}
                yield Proposal("if a row is one rating", told)
            break


def _label_columns(head: Head, names: Sequence[str]) -> list[str]:
    """Columns that may hold labels, the likeliest first: they repeat their cells."""
    usual = usual_name(names, LABEL)
    kinds = {name: len({*_column(head, name)} - {""}) for name in names}
    again = [name for name in names if 1 < kinds[name] <= max(2, len(head.rows) / 2)]
    return list(dict.fromkeys([*([usual] if usual else []), *again]))[:MOST]


def _meet(head: Head, what: str, who: str) -> bool:
    """Whether items are rated by several, and pairs of item and annotator hardly repeat."""
    columns = what.split(",")
    if any(name not in head.positions for name in columns):
        return False
    items = list(zip(*(_column(head, name) for name in columns), strict=True))
    pairs = list(zip(items, _column(head, who), strict=True))
    distinct = set(pairs)
    if len(distinct) < REPEATED * len(pairs):
        return False
    count: dict[object, int] = {}
    for each, _ in distinct:
        count[each] = count.get(each, 0) + 1
    return sum(number > 1 for number in count.values()) >= MEET * len(count)


def _wide(head: Head, item: str | None) -> Iterator[Proposal]:
    """Columns that share labels, beside one that names the items."""
    taken = {*(item or "").split(",")}
    free = [name for name in head.names if name not in taken and head.names.count(name) == 1]
    columns = [name for name in choose_annotators(free) if name != what_of(free)]
    likely = [name for name in free if not is_no_annotator(head, name)]
    groups = groups_of_labels(labels_of_columns(head, likely))
    for annotators in (columns, *groups[:1]):
        if len(annotators) < len(("a", "pair")):
            continue
        others = [name for name in free if name not in annotators]
        what = item or what_of(others) or (others[0] if others else None)
        told = {} if what is None else {"item": what}
        told["annotators"] = together(annotators, head.names)
        yield Proposal("if a row is one item", told)


def _column(head: Head, name: str) -> list[str]:
    position, width = head.positions[name], len(head.names)
    return [row[position].strip() for row in head.rows if len(row) == width]
