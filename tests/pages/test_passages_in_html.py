"""Passages in HTML: each annotator's spans are underlined in the text, and named."""

from __future__ import annotations

import random
from xml.etree.ElementTree import Element, fromstring

import iaa_jax as iaa
from iaa_jax.pages import Page, Passage, Passages, Underline
from iaa_jax.pages.content import render

TEXT = "Anna & Bob met <Eve> in New York"


def shown(passage: Passage) -> list[tuple[str, Element]]:
    """Who stands before each line, and the line."""
    page = render(Page("Spans", [], [Passages([passage], "Passages")]), "html")
    figure = page[page.index("<dl>") : page.index("</dl>") + 5]
    return [(str(row[0].text), row[1]) for row in fromstring(figure)]


def under(line: Element) -> list[tuple[str, str]]:
    """What stands on underlines with a label, and the label."""
    found = []
    for mark in line.iter("mark"):
        if (small := mark.find("small")) is not None:
            labels = {"".join(each.itertext()) for each in mark.iter("small")}
            said = "".join(mark.itertext())
            for label in labels:
                said = said.replace(label, "")
            found.append((said, str(small.text)))
    return found


def text_of(line: Element) -> str:
    """The text of a line without labels."""
    for mark in [*line.iter("mark")]:
        for small in mark.findall("small"):
            small.text = ""
            for each in [*small]:
                small.remove(each)
    return "".join(line.itertext())


def mark(words: str, label: str, *, disputed: bool = True) -> Underline:
    start = TEXT.index(words)
    return Underline([(start, start + len(words))], label, "", disputed)


def test_each_line_is_the_text_with_what_somebody_marked() -> None:
    one, two = mark("Anna", "PERSON", disputed=False), mark("New York", "PLACE")
    marks = [("ann", [one, two]), ("bob", [one]), ("cleo", []), ("dan", [one, two])]
    lines = shown(Passage("here", TEXT, marks))
    assert [names for names, _ in lines] == ["ann, dan", "bob", "cleo"]
    assert under(lines[0][1]) == [("Anna", "PERSON"), ("New York", "PLACE")]
    assert [each.get("class") for each in lines[0][1].iter("mark")] == ["agreed", "c1"]
    assert [text_of(line) for _, line in lines] == [TEXT, TEXT, "nothing"]


def test_what_is_agreed_on_is_said_in_words_too() -> None:
    agreed = shown(Passage("", TEXT, [("ann", [mark("Anna", "PERSON", disputed=False)])]))[0][1]
    assert "".join(agreed.itertext()).startswith("AnnaPERSON, as all did &")


def test_marks_that_nest_or_cross_keep_their_text() -> None:
    marks = [mark("Bob met <Eve>", "OUTER"), mark("met", "INNER"), mark("<Eve> in New", "CROSS")]
    ((_, line),) = shown(Passage("", TEXT, [("ann", marks)]))
    labelled = {label: words for words, label in under(line)}
    assert labelled["OUTER"] == "Bob met <Eve>"
    assert labelled["INNER"] == "met"
    assert labelled["CROSS"] == " in New"  # the end of it: the rest is in the other
    assert text_of(line) == TEXT


def test_no_marks_lose_a_letter() -> None:
    for seed in range(20):
        chance = random.Random(seed)
        marks = []
        for _ in range(chance.randint(1, 5)):
            a, b = sorted(chance.choices(range(len(TEXT) + 1), k=2))
            marks.append(Underline([(a, b)], chance.choice("XYZ"), "", chance.random() < 0.5))
        ((_, line),) = shown(Passage("", TEXT, [("ann", marks)]))
        labels = [small.text for small in line.iter("small")]
        assert sorted(labels) == sorted(each.label for each in marks)
        assert text_of(line) == TEXT


def test_parts_of_one_span_and_texts_that_are_cut_say_so() -> None:
    parts = Underline([(0, 4), (24, 32)], "X")
    ((_, line),) = shown(Passage("", TEXT, [("ann", [parts])], (True, True)))
    assert under(line) == [("Anna", "X \u2026"), ("New York", "X")]
    assert text_of(line) == f"\u2026 {TEXT} \u2026"


def test_without_a_text_marks_are_listed() -> None:
    ((_, line),) = shown(Passage("", "", [("ann", [Underline([], "X", "3-8")])]))
    assert text_of(line) == "X 3-8"


def test_three_labels_have_a_colour_and_all_have_their_name() -> None:
    marked = {"d": {"ann": [(k, k + 1, f"L{k}") for k in range(5)], "bob": []}}
    page = render(iaa.page(iaa.span_f1.passages(_with_text(marked), 9)), "html")
    for name in ("c1", "c2", "c3", "c0"):
        assert f'<mark class="{name}">' in page
    assert all(f"<small>L{k}</small>" in page for k in range(5))


def _with_text(marked: dict[str, dict[str, list[tuple[int, int, str]]]]):
    return iaa.from_spans(marked).assign_coords(text=("document", ["abcde"]))
