"""What the first rows of a table of unknown layout look like, and how to say so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from iaa_jax._errors import brief, shown
from iaa_jax.io.base import Options
from iaa_jax.io.table import opening
from iaa_jax.io.table.column_kinds import lists_of_people
from iaa_jax.io.table.columns import (
    LABEL,
    choose_annotators,
    numbers_rows,
    recurring,
    split_names,
    usual_name,
)
from iaa_jax.io.table.head import Head
from iaa_jax.io.table.json_cells import holders
from iaa_jax.io.table.proposal import Proposal, Told
from iaa_jax.io.table.proposals import (
    LONGEST,
    TRANSPOSED,
    proposals,
    together,
    what_of,
    who_of,
)
from iaa_jax.io.table.source import Source
from iaa_jax.wording import keyword, with_ways


def explain_layout(
    sources: Sequence[Source], head: Head, options: Options, works: Callable[[Told], bool]
) -> str:
    """Say that the layout cannot be told, show the columns, and give options that were tried.

    Where none ``works``, there are some to fill in.
    """
    source, files, names = sources[0], len(sources), head.names
    columns = choose_annotators(names)
    who = who_of(head)
    objects = holders(names)  # a column with fields of its own names nothing
    others = [name for name in names if name != who and name not in objects]
    item = _named_item(options, names)
    seems = ""
    if item is None or item == who:
        if item is not None:
            seems = f"; the column {brief(item)} seems to name annotators"
        what = what_of(others)
        item = what or (names[0] if who is None and names[0] not in columns else None)
    label = usual_name([name for name in others if name != item], LABEL)
    if label is not None and numbers_rows(head, label):
        label = None
    annotators = [name for name in columns if name not in (who, item)]
    unit = _given("item", item)
    wide = _given("annotators", together(annotators, names) if annotators[1:] else None)
    named_item = _named_item(options, names)
    tried = proposals(head, None if named_item == who else named_item, works)
    advice = [proposal.text for proposal in tried]
    if people := lists_of_people(head):
        advice = [
            f"{shown(people)} list annotators, a column for each label, which is not read: make a "
            "table with a row for each rating (item, annotator, label) of them",
        ]
    elif not tried:
        advice = [
            f"if a row is one rating, give {unit}, {_given('annotator', who)} and "
            f"{_given('label', label)} (without annotators: {keyword('anonymous', True)})",
            f"if a row is one item, give {f'{unit} and ' if item else ''}{wide}",
            *(proposal.text for proposal in _of_few_rows(head, works)),
        ]
    if len(recurring(head, names)) > 1 and opening.kind_of(source) in ("delimited", "xlsx"):
        nameless = keyword("header_line", 0)
        advice.insert(0, f"if the first row holds no names of columns, give {nameless}")
    if source.is_sheet:
        advice.append(f"if each sheet is of one annotator, give {unit} and {_given('label', None)}")
    elif files > 1:
        ending = source.suffix or ".*"
        advice += [
            f"of {files} files, {keyword('file_pattern', f'NAME*{ending}')} takes those named so",
            "if each file is of one annotator, give "
            f"{keyword('file_pattern', f'{{annotator}}{ending}')}",
        ]
    return with_ways(
        f"{source}: cannot tell how the table is laid out; its columns are {shown(names, 12)}"
        f"{seems}",
        advice,
    )


def _of_few_rows(head: Head, works: Callable[[Told], bool]) -> Iterator[Proposal]:
    """Rows of annotators, where they are fewer than columns and can be read so."""
    first = [row[0] for row in head.rows if row]
    many_columns = len(first) < len(head.names) - 1
    if many_columns and len({*first}) == len(first) and works(TRANSPOSED):
        yield Proposal("if a row is one annotator", TRANSPOSED)


def explain_spans(source: Source) -> str:
    """Say that no spans are known in a file, show its columns, and how spans are named."""
    return with_ways(
        f"no spans were found in {source}; its columns are {shown(opening.head(source).names, 12)}",
        [
            "a table of spans has a row per span and the columns document, annotator, start, end "
            "and label",
            "'iaa formats' lists the other formats",
            "for labels, use 'iaa agree'",
        ],
    )


def _named_item(options: Options, names: Sequence[str]) -> str | None:
    """The item columns that the caller named, as an option takes them."""
    return None if options.item is None else ",".join(split_names(options.item, names))


def _given(option: str, name: str | None) -> str:
    """An option with a name, or with what stands for one."""
    nothing = "NAME,NAME" if option == "annotators" else "NAME"
    return keyword(option, name if name and len(name) <= LONGEST else nothing)
