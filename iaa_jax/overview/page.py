"""The parts of a report: its head, its sections without repetitions, and how it was made."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

import xarray as xr

from iaa_jax import __version__
from iaa_jax._errors import IaaError
from iaa_jax.catalog import CATALOG, NAMES, title_of
from iaa_jax.catalog.scales import SCALES
from iaa_jax.catalog.works import bibtex_of
from iaa_jax.measure.options.interval import SOURCES
from iaa_jax.overview.words import WORDS
from iaa_jax.pages import Block, Facts, Page, Paragraph, Remarks, Table, Text, Verbatim
from iaa_jax.pages.commands import Advice
from iaa_jax.pages.open_questions import ADVICE, question_first, without_question
from iaa_jax.wording import Note, Words, joined, say
from iaa_jax.wording.times import TIMES

_PAPERS = ("paper", "paper_of_spans")
"""Codes of remarks with a sentence for a paper."""

_METHODS = ("methods", "methods_of_spans")

_MORE_ROWS = "more_rows"
"""Code of the note on an option that 'iaa report' does not have."""

_MOSTLY = "mostly_"
"""Prefix of the codes of notes on the main kind of disagreement about spans."""

MADE_WITH = "Made with"
"""Heading of the line with the versions of software."""

MOST_CAUSES = 3
"""Maximum number of causes of disagreement, and of judges, that the head of a report names; a
single further cause is named too."""

DRAWN = ("empirical_bayes", "bca", "percentile", "basic", "studentized")
"""Methods of intervals with random draws, which need a seed and a number of draws."""


def leading(head: Page) -> xr.Dataset | None:
    """Return the result for the leading coefficient; None if the page has no coefficients."""
    result = head.results.get("coefficients")
    if result is None or not result.sizes.get("coefficient"):
        return None
    names = result["coefficient"].values.tolist()
    first = result.attrs.get("coefficient")
    return result.isel(coefficient=names.index(first) if first in names else 0)


def within(sections: Mapping[str, Page], people: Sequence[str] = ()) -> Advice:
    """Return how pages in a report give advice: by naming sections, or else commands."""
    return Advice(sections={name: _heading(page) for name, page in sections.items()}, people=people)


def _heading(page: Page) -> str:
    return page.title if isinstance(page.title, str) else say(page.title, page.words)


def head_of(
    head: Page,
    scope: Sequence[Note],
    steps: Sequence[Note],
    title: str | None,
    commands: Advice,
    causes: Page | None,
    spans: Page | None,
    judge: Page | None,
) -> Page:
    """Return the head: the answer, causes of disagreement, verdicts on judges, and next steps.

    ``scope`` states which ratings the figures are about.
    """
    all_causes = [] if causes is None else causes.answer[1:]
    named = [*all_causes[:MOST_CAUSES]]
    # naming a single further cause takes no more room than counting it
    if more := len(all_causes) - len(named):
        named.append(all_causes[-1] if more == 1 else Note("next_more_causes", {"causes": more}))
    if spans is not None:
        named = [*(note for note in spans.answer if note.code.startswith(_MOSTLY)), *named]
    # a doubt that a cause states is not repeated
    stated = [value for note in named for value in note.values.values()]
    doubted = any(note.code == "doubtful_reading" for note in named)
    further = [
        note
        for note in head.answer[1:]
        if note.code not in _PAPERS
        and note not in stated
        and not (doubted and note.code == "reading_in_doubt")
    ]
    verdicts = [] if judge is None else judge.answer[: judge.results[""].sizes["judge"]]
    answer = [*head.answer[:1], *named, *scope, *verdicts[:MOST_CAUSES], *further, *steps]
    blocks = [_without(block, _dropped) for block in head.blocks]
    files = _files(head)
    usual = Note("report_title", {"files": files}) if files else Note("report_without_files")
    blocks = [_named(block, files) if isinstance(block, Facts) else block for block in blocks]
    pages = (spans, causes, judge)
    further_words = {name: text for page in pages if page for name, text in page.words.items()}
    words = {**further_words, **joined(head.words, WORDS, TIMES)}
    commands = replace(commands, files=files)
    return replace(
        head, title=title or usual, answer=answer, blocks=blocks, words=words, commands=commands
    )


def _named(facts: Facts, files: Sequence[str]) -> Facts:
    if not files:
        return facts
    rows = [
        (heading, Note("made_files", {"files": files}) if heading in ("File", "Files") else text)
        for heading, text in facts.rows
    ]
    return Facts(rows)


def _files(head: Page) -> list[str]:
    """Return file names without folders, since a report may go to other people."""
    results = head.results.values()
    listed = (json.loads(result.attrs.get("files", "[]")) for result in results)
    named: list[str] = next(listed, [])
    return [PurePath(name).name for name in named]


def _remarks(page: Page) -> Iterator[Note]:
    for block in page.blocks:
        if isinstance(block, Remarks):
            yield from block.notes
    yield from (note for note in page.answer if note.code in _PAPERS)


def _dropped(note: Note) -> bool:
    return note.code.startswith(ADVICE) or note.code in (*_METHODS, *_PAPERS, _MORE_ROWS)


def _without(block: Block, dropped: Callable[[Note], bool]) -> Block:
    if not isinstance(block, (Remarks, Table)):
        return block
    return replace(block, notes=[note for note in block.notes if not dropped(note)])


def section_below(head: Page, page: Page, commands: Advice) -> Page:
    """Return a section without commands, and without what the report states elsewhere."""
    page = without_question(question_first(page))
    words = joined(page.words, WORDS)
    facts_of_head = dict(fact for block in head.blocks for fact in _facts(block, head.words))
    answered = {say(note, head.words).rstrip(".") for note in head.answer}
    remarked = {say(note, head.words) for note in (*_remarks(head), *_limits(head))}

    def dropped(note: Note) -> bool:
        return _dropped(note) or say(note, words) in remarked

    first, further = page.answer[:1], [note for note in page.answer[1:] if not dropped(note)]
    new = [note for note in further if say(note, words).rstrip(".") not in answered]
    reference = [Note("said_above")] * (len(new) < len(further))
    files = _files(page)
    blocks: list[Block] = []
    for block in page.blocks:
        if isinstance(block, Facts):
            facts = _named(block, files)
            rows = [
                row
                for row, (heading, text) in zip(facts.rows, _facts(facts, words), strict=True)
                if not _contains(facts_of_head.get(heading), text)
                and text.rstrip(".") not in answered
            ]
            blocks += [Facts(rows)] if rows else []
        else:
            blocks.append(_without(block, dropped))
    commands = replace(commands, files=head.commands.files)
    answer = [*first, *reference, *new]
    return replace(page, answer=answer, blocks=blocks, words=words, commands=commands)


def _contains(longer: str | None, text: str) -> bool:
    return longer is not None and f"{longer}:".startswith(f"{text}:")


def _facts(block: Block, words: Words) -> Iterator[tuple[str, str]]:
    for row in block.rows if isinstance(block, Facts) else ():
        heading, text = (part if isinstance(part, str) else say(part, words) for part in row)
        yield heading, text


def doubts_of(head: Page) -> list[Note]:
    """Return the cautions of a report, followed by the limits of coefficients of agreement."""
    return [*(note for note in _remarks(head) if note.level == "caution"), *_limits(head)]


def _limits(head: Page) -> Iterator[Note]:
    """Yield notes on what coefficients of agreement do not show."""
    yield Note("same_population")
    if not any("sampling_cluster" in result.attrs for result in head.results.values()):
        yield Note("items_independent")
    yield Note("coefficients_differ")
    yield Note("agreement_is_not_accuracy")


def limits_of(
    head: Page, refused: Mapping[str, IaaError], left_out: Sequence[Note], *, numbered: bool
) -> Page:
    """Return the section on limits, and on what the report leaves out.

    ``numbered`` tells whether numbers replace the ids of items.
    """
    notes = [*_limits(head)]
    notes += [
        Note("section_left_out", {"section": name, "reason": error.message.removesuffix(".")})
        for name, error in refused.items()
    ]
    notes += left_out
    notes += [Note("items_numbered")] * numbered
    return Page("Doubts and limits", [], [Remarks(notes)], head.words, commands=head.commands)


def _cited(row: xr.Dataset | None, words: Words) -> Iterator[tuple[str, str]]:
    if row is None:
        return
    name = str(row["coefficient"].item())
    if name in NAMES:
        yield title_of(name), CATALOG[NAMES[name]].sources
    method = str(row["interval"].item()) if "interval" in row else ""
    if method in SOURCES:
        yield words[f"method_{method}"], SOURCES[method]
    if scale := row.attrs.get("scale"):
        yield WORDS["making_scale"], SCALES[scale].sources


def with_verdicts(report: Page, required: Sequence[str]) -> Page:
    """Return the report with sentences on required values, after the first of the answer."""
    notes = [Note("required", {"verdict": text[:1].upper() + text[1:]}) for text in required]
    return replace(report, answer=[*report.answer[:1], *notes, *report.answer[1:]])


def with_command(report: Page, command: str, *, withheld: bool = False) -> Page:
    """Return the report with the command that made it, in which names may be ``withheld``."""
    hint = Note("made_withheld") if withheld else ""
    line = Paragraph([Note("made_command", {"command": [command], "withheld": hint})])

    def with_line(blocks: Sequence[Block]) -> Iterator[Block]:
        for block in blocks:
            if isinstance(block, Facts) and MADE_WITH in dict(block.rows):
                yield line
            yield block

    parts = {
        name: replace(section, blocks=[*with_line(section.blocks)])
        for name, section in report.sections.items()
    }
    return replace(report, blocks=[*with_line(report.blocks)], sections=parts)


def making_of(head: Page, first: Page, *, with_paper: bool) -> Page:
    """Return the section on how the report was made: methods, files, versions, draws and sources.

    ``with_paper`` adds the sentence for a paper.
    """
    row = leading(head)
    rows: list[tuple[Text, Text]] = []
    wanted = (*_METHODS, *_PAPERS) if with_paper else _METHODS
    remarks = [note for note in _remarks(first) if note.code in wanted]
    if files := _files(head):
        rows.append(("Files", Note("made_files", {"files": files})))
    results = reversed([*head.results.values()])
    attrs = {str(name): value for result in results for name, value in result.attrs.items()}
    rows.append((MADE_WITH, Note("made_with", attrs)))
    if "seed" in attrs:
        rows.append(("Draws", Note("made_of_draws", attrs)))
    sources = Verbatim(bibtex_of(_cited(row, head.words), __version__), Note("making_sources"))
    return Page(
        "How this report was made", [], [Facts(rows), Remarks(remarks), sources], head.words
    )
