"""Texts as cells: what runs is made a text, what a terminal obeys is written out, none is lost."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, strategies as st

from iaa_jax._cells import looks_like_formula, without_controls, without_formulas

PIECES = (
    *("=", "+", "-", "@", "\uff1d", "\uff20", "'", '"', ";", ",", "\t", "\n", "\r", " ", "1", "a"),
    *("\\", "x1b", "x0d", "\x1b", "\x9b", "-1", "'=1+1", "''@x"),
    *("ud800", "uffff", "\ud800", "\udfff", "\ufffe", "\uffff", "\ufffd"),
)
texts = st.lists(st.sampled_from(PIECES), max_size=9).map("".join)


def undone(cell: str) -> str:
    """The text of a cell, read off the rule: one apostrophe less wherever there are some."""
    sign = "[=+\\-@\uff1d\uff0b\uff0d\uff20]"
    number = r"[+-](?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
    text, at = "", 0
    while at < len(cell):
        before = re.search(r"(?:^|([,;\t\r\n])\"*)\Z", cell[:at])
        marks = re.match("'+", cell[at:])
        if before and marks:
            rest = cell[at + marks.end() :]
            until = f"(?:\\Z|{re.escape(before[1])})" if before[1] else r"\Z"
            runs = re.match(sign, rest) and not re.match(f"(?:{number}|{sign}){until}", rest)
            if runs or (at == 0 and re.match(r"[\t\r\n](?s:.)", rest)):
                text += marks[0][:-1]
                at += marks.end()
                continue
        text += cell[at]
        at += 1
    return text


@given(texts)
def test_robustness_B14_a_guarded_text_can_be_undone(text: str) -> None:
    assert undone(without_formulas(text)) == text


@given(texts)
def test_robustness_B14_nothing_runs_in_a_guarded_text(text: str) -> None:
    cell = without_formulas(text)
    for separators in (",", ";", "\t", ",;\t"):
        # quotation marks belong to a cell that begins with them, and open one behind a separator
        first, *others = re.split(f"[{separators}\r\n]", cell)
        for value in (cell, first, *(part.lstrip('"') for part in others)):
            sign = re.match("[=+\\-@\uff1d\uff0b\uff0d\uff20]", value)
            number = re.fullmatch(r"[+-](\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\"?", value)
            assert sign is None or number or len(value) == 1


@given(texts, texts)
def test_robustness_B14_texts_that_differ_stay_different(one: str, other: str) -> None:
    for change in (without_formulas, without_controls):
        assert (change(one) == change(other)) == (one == other)


@given(texts)
def test_robustness_B14_control_characters_can_be_undone(text: str) -> None:
    def read(match: re.Match[str]) -> str:
        marks, code = match.groups()
        half = "\\" * (len(marks) // 2)
        return half + (chr(int(code[1:], 16)) if len(marks) % 2 else code)

    cell = without_controls(text)
    illegal = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]"  # in XML, but x7f on
    assert re.search(illegal, cell) is None
    pattern = r"(\\+)(x(?:0[0-8b-f]|1[0-9a-f]|7f|[89][0-9a-f])|ud[89a-f][0-9a-f]{2}|ufff[ef])"
    assert re.sub(pattern, read, cell) == text


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("x;=1+1", "x;'=1+1"),
        ('x;"=1+1', "x;\"'=1+1"),
        ("x\t@SUM(A1)", "x\t'@SUM(A1)"),
        ("x\n-cmd|0!A0", "x\n'-cmd|0!A0"),
        ("\uff1d1+1", "'\uff1d1+1"),
        ("\uff0b1", "'\uff0b1"),
        ("'=1+1", "''=1+1"),
        ("x;'=1", "x;''=1"),
        ("\tx", "'\tx"),
        ("\t=1", "'\t'=1"),
        ("\n=1", "'\n'=1"),
    ],
)
def test_robustness_B14_what_a_spreadsheet_may_run(text: str, cell: str) -> None:
    assert without_formulas(text) == cell
    assert looks_like_formula(text)


@pytest.mark.parametrize(
    "text", ["x;-1;+2", "-1", "a; -b", "yes, -no", "x;-", "'x", "''", '"=1"', "a'=b"]
)
def test_numbers_signs_and_plain_texts_stay(text: str) -> None:
    assert without_formulas(text) == text
    assert not looks_like_formula(text)
