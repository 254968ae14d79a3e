"""Ways to read a table of unknown layout, each tried on the file before it is advised."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile

from iaa_jax.data.labels import parse_number
from iaa_jax.data.usual import ANNOTATOR, ITEM, LABEL, named_like_records, usual_name
from iaa_jax.io.table.column_kinds import are_lists, hints, is_list
from iaa_jax.io.table.columns import (
    choose_annotators,
    groups_of_labels,
    is_cross_table,
    is_no_annotator,
    labels_of_columns,
    names_are_labels,
    numbers_rows,
    other_columns,
    usual_item,
)
from iaa_jax.io.table.crossed import of_questions
from iaa_jax.io.table.head import Head
from iaa_jax.io.table.json_cells import holders
from iaa_jax.io.table.proposal import PREFIX, Proposal, Told, each_by

TRANSPOSED: Told = {"format": "transposed"}
LONGEST = 60  # characters of a name that an option is advised for
WORDS = 4  # of a person's name
MOST = 4  # candidates for a role that are tried
SHOWN = 12  # columns that are named one by one
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
_SUMMARY = re.compile(  # of several annotators
    r"(^|[\W_])(mean|avg|average|median|majority|consensus|sd|std|stdev|var|variance)([\W_]|$)",
    re.IGNORECASE,
)


def who_of(head: Head) -> str | None:
    """The column that seems to name annotators."""
    columns = choose_annotators(head.names)
    usual = usual_name(head.names, ANNOTATOR)
    others = other_columns([name for name in head.names if _WHO.search(name)], columns)
    return usual or next((name for name in others if not holds_texts(head, name)), None)


def what_of(names: Sequence[str]) -> str | None:
    """The column that seems to name items."""
    return usual_name(names, ITEM) or next((name for name in names if _WHAT.search(name)), None)


def holds_texts(head: Head, name: str) -> bool:
    """Whether a cell of a column is too long, or of too many words, for a name."""
    return any(len(cell) > LONGEST or len(cell.split()) > WORDS for cell in head.column(name))


def together(annotators: Sequence[str], names: Sequence[str]) -> str:
    """The columns of annotators as an option takes them: by their beginning, if they are long."""
    listed, match = ",".join(annotators), PREFIX.fullmatch(annotators[0])
    if len(listed) <= LONGEST:
        return listed
    ends = zip(min(annotators), max(annotators), strict=False)  # what these share, all do
    shared = "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], ends))
    starts = [(match[1] or match[2]) if match else "", shared.rstrip("0123456789"), shared]
    for start in filter(None, starts):
        if [name for name in names if name.startswith(start)] == [*annotators]:
            return f"{start}*"
    return listed


def proposals(head: Head, item: str | None, works: Callable[[Told], bool]) -> list[Proposal]:
    """The ways to read a table that its cells suggest and that were tried, the likeliest first.

    ``item`` are the item columns that the caller named; ``works`` tries what would be said.
    """
    named = {} if item is None else {"item": item}
    sure = (_paired(head, named), _of_annotators(head), _named_kinds(head, item))
    if (first := _first(_special(head), works)) is not None:
        return [first]  # other ways would take names of columns for what they are not
    questions = [way for way in _questions(head, item) if works(way.told)]
    if questions:
        return questions
    found = [first for alike in sure if (first := _first(alike, works)) is not None]
    if not found:
        rows = _first(_long(head, item), works)
        # where a column says who rated, others that happen to share cells are no annotators
        by_name = usual_name(head.names, ANNOTATOR) is not None
        columns = _first(_wide(head, item, by_name=by_name), works)
        found = [way for way in (rows, columns) if way is not None]
    return found


def _first(alike: Iterable[Proposal], works: Callable[[Told], bool]) -> Proposal | None:
    """The first way that works, if possible without ratings that repeat."""
    alike = list(alike)
    strict: Told = {"duplicates": "error"}
    for repeats in (strict, {}):
        for proposal in alike:
            if works({**proposal.told, **repeats}):
                return proposal
    return None


def _of_annotators(head: Head) -> Iterator[Proposal]:
    """Rows of annotators, whom the first column names."""
    first = [row[0].strip() for row in head.rows if row]
    if who_of(head) == head.names[0] and len({*first}) == len(first):
        yield Proposal("if a row is one annotator", TRANSPOSED)


def _named_kinds(head: Head, item: str | None) -> Iterator[Proposal]:
    """What the cells of columns suggest, with the item column where it has to be named."""
    free = [name for name in head.names if item is None]
    who = who_of(head)
    for hint in hints(head, item):
        label = hint.told.get("label")
        what = item or what_of(free) or free[0]
        if label is not None and who and who not in (label, what) and _meet(head, what, who):
            kept = {name: said for name, said in hint.told.items() if name != "anonymous"}
            told = {"item": what, "annotator": who, **kept}
            yield Proposal(f"if a row is one rating and {label!r} a set of labels", told)
            continue
        named = {"item": item or usual_item(head, free) or what, **hint.told}
        for said in (hint.told, named):
            yield Proposal(hint.condition, said)
            yield Proposal(hint.condition, {**said, "anonymous": True})


def _special(head: Head) -> Iterator[Proposal]:
    """Tables that are told by all of their cells."""
    if is_cross_table(head):
        yield Proposal(
            "if rows and columns are the labels of two annotators, and cells count items",
            {"format": "contingency"},
        )
    others = head.names[1:]
    places = [str(place) for place in range(1, len(head.names) + 1)]
    below = Head(places, [head.names, *head.rows], nameless=True)
    condition, bare = "if the first line holds no names of columns", {"header_line": 0}
    if _names_are_cells(head):
        for hint in hints(below, places[0]):
            yield Proposal(condition, {**bare, "item": places[0], **hint.told})
        yield Proposal(condition, bare)
    if names_are_labels(head, labels_of_columns(head, others)):
        yield Proposal(condition, bare)
        groups = groups_of_labels(labels_of_columns(below, places[1:]))
        if groups and len(groups[0]) >= len(("a", "pair")):
            yield Proposal(condition, {**bare, "annotators": ",".join(groups[0])})
        few = len({*below.column(places[0])}) <= len(below.rows) / 2
        if few and len(places) == len(("item", "annotator", "label")):
            yield Proposal(condition, {**bare, "item": "2", "annotator": "1", "label": "3"})


def _names_are_cells(head: Head) -> bool:
    """Whether a name of a column is a list or a figure as cells of it are, and none is text."""
    if head.nameless:
        return False
    for name in head.names:
        cells = [cell for cell in head.column(name) if cell]
        number = parse_number(name)
        figure = number is not None and (isinstance(number, float) or number < 0)
        if not cells or not (name.startswith("[") or figure):
            continue
        if name.startswith("[") and is_list(name) and all(map(is_list, cells)):
            return True
        if figure and all(parse_number(cell) is not None for cell in cells):
            return True
    return False


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
                f"if {_several(people)} name annotators and {_several(labels)} hold their labels",
                {**named, **told},
            )


def _once(names: Sequence[str]) -> list[str]:
    """The names that only one column bears."""
    return [name for name, times in Counter(names).items() if times == 1]


def _several(names: Sequence[str]) -> str:
    """Columns by their names, of many the first and the last."""
    return ", ".join(names if len(names) <= SHOWN else (*names[:2], "...", names[-1]))


def _are_names(head: Head, columns: Sequence[str]) -> bool:
    """Whether cells of columns are words or ids rather than figures of a scale."""
    cells = {cell for name in columns for cell in head.column(name) if cell}
    return bool(cells) and not any(cell.isdecimal() and len(cell) < MOST for cell in cells)


def _long(head: Head, item: str | None) -> Iterator[Proposal]:
    """Columns of which two name item and annotator, so that items meet and pairs hardly repeat."""
    names = _once(head.names)
    fits = [name for name in names if not holds_texts(head, name) and not numbers_rows(head, name)]
    first = who_of(head)
    columns = choose_annotators(names)
    others = other_columns([*filter(_WHO.search, fits)], columns if columns[1:] else ())
    people = list(dict.fromkeys([*([first] if first else []), *others]))
    for who in people[:MOST]:
        others = [name for name in names if name != who and not numbers_rows(head, name)]
        usual = what_of(others)
        items = [item] if item is not None else [*([usual] if usual else []), *others]
        for what in list(dict.fromkeys(items)):
            if not _meet(head, what, who):
                continue
            free = [name for name in fits if name not in (what, who)]
            for label in _label_columns(head, free, (what, who)):
                told = {"item": what, "annotator": who, "label": label}
                yield Proposal("if a row is one rating", told, _of_parts(label, names))
            break


def _of_parts(label: str, names: Sequence[str]) -> str:
    """How all parts of the objects that a label is in are measured; nothing where there is one."""
    outer = next((name for name in names if label.startswith(f"{name}.")), None)
    several = outer is not None and sum(name.startswith(f"{outer}.") for name in names) > 1
    return f"; {each_by([f'{outer}.*'])}" if outer is not None and several else ""


_MANY = 10
"""Further rows of items, in which labels hardly agree by chance alone."""


def _label_columns(head: Head, names: Sequence[str], roles: Sequence[str]) -> list[str]:
    """Columns that may hold labels, the likeliest first: they repeat their cells.

    What is the same in all rows of an item, or of an annotator, describes these, and comes last,
    or is none where many rows show it; nor is the state of a record.
    """
    items = _cells_of(head, roles[0])
    many = len(items) - len({*items}) >= _MANY
    names = [
        name
        for name in names
        if not named_like_records(name) and not (many and _describes(head, name, roles[0]))
    ]
    usual = usual_name(names, LABEL)
    kinds = {name: len({*head.column(name)} - {""}) for name in names}
    again = [name for name in names if 1 < kinds[name] <= max(2, len(head.rows) / 2)]
    again.sort(
        key=lambda name: (
            any(_describes(head, name, role) for role in roles),
            any(map(_is_fraction, head.column(name))),
        )
    )
    return list(dict.fromkeys([*([usual] if usual else []), *again]))[:MOST]


def _describes(head: Head, name: str, role: str) -> bool:
    """Whether all rows of an item, or of an annotator, have one cell in a column."""
    keys = _cells_of(head, role)
    cells = head.column(name)
    return len({*keys}) < len(keys) and len({*zip(keys, cells, strict=True)}) == len({*keys})


def _cells_of(head: Head, role: str) -> list[tuple[str, ...]]:
    """The cells of a role in each row, which one column holds or several do."""
    return _rows(head, [role] if role in head.positions else role.split(","))


def _meet(head: Head, what: str, who: str) -> bool:
    """Whether items are rated by several, and pairs of item and annotator hardly repeat."""
    columns = what.split(",")
    if any(name not in head.positions for name in columns):
        return False
    items = _rows(head, columns)
    pairs = list(zip(items, head.column(who), strict=True))
    distinct = set(pairs)
    if len(distinct) < REPEATED * len(pairs):
        return False
    count: dict[object, int] = {}
    for each, _ in distinct:
        count[each] = count.get(each, 0) + 1
    return sum(number > 1 for number in count.values()) >= MEET * len(count)


def _wide(head: Head, item: str | None, *, by_name: bool) -> Iterator[Proposal]:
    """Columns that share labels, beside those that name the items.

    With ``by_name`` those alone that are called as annotators are.
    """
    taken = {*(item or "").split(",")}
    taken |= holders(head.names)  # objects, whose fields may be labels
    free = other_columns(_once(head.names), [*taken])
    named_as_item = what_of(free)
    columns = [name for name in choose_annotators(free) if name != named_as_item]
    likely = [name for name in free if not is_no_annotator(head, name)]
    groups = groups_of_labels(labels_of_columns(head, likely))
    for annotators in (columns, *groups[: not by_name]):
        if len(annotators) < len(("a", "pair")):
            continue
        others = other_columns(free, annotators)
        what = item or what_of(others) or (others[0] if others else None)
        listed = together(annotators, head.names)
        condition = "if a row is one item"
        if what is None:
            yield Proposal(condition, {"annotators": listed})
            continue
        yield Proposal(condition, {"item": what, "annotators": listed})
        if item is None:
            for key in _keys(head, what, others):
                yield Proposal(condition, {"item": ",".join(key), "annotators": listed})


def _questions(head: Head, item: str | None) -> Iterator[Proposal]:
    """Columns that are questions and annotators at once, beside those that name the items."""
    taken = {*(item or "").split(","), *holders(head.names)}
    free = other_columns(_once(head.names), [*taken])
    what = item or what_of(free) or (free[0] if free else None)
    names = [
        name
        for name in free
        if name != what and not _SUMMARY.search(name) and not are_lists(head.column(name))
    ]
    return of_questions(head, names, {} if what is None else {"item": what})


def _keys(head: Head, first: str, others: Sequence[str]) -> Iterator[list[str]]:
    """Columns that name items together with a first one: as few as tell rows apart, or all."""
    free = [
        name
        for name in others
        if name != first and "," not in name and not numbers_rows(head, name)
        and not all(map(_is_fraction, head.column(name)))
    ]  # fmt: skip
    key, left = {first: None}, dict.fromkeys(free)
    told: Sequence[object] = head.column(first)  # which of the rows differ so far

    def number_with(name: str) -> int:
        return len({*zip(told, head.column(name), strict=True)})

    while left and len({*told}) < len(told):
        best = max(left, key=number_with)
        if number_with(best) == len({*told}):
            break
        place_of: dict[object, int] = {}
        both = zip(told, head.column(best), strict=True)
        told = [place_of.setdefault(pair, len(place_of)) for pair in both]
        key[best] = None
        del left[best]
    yield [*key]
    short = {*key, *(name for name in free if not holds_texts(head, name))}
    yield [first, *(name for name in others if name in short and name != first)]


def _rows(head: Head, names: Sequence[str]) -> list[tuple[str, ...]]:
    return list(zip(*(head.column(name) for name in names), strict=True))


def _is_fraction(cell: str) -> bool:
    number = parse_number(cell)
    return isinstance(number, float) and number % 1 != 0
