"""Labels that are long texts, or have line breaks, do not break a screen."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import iaa_jax as iaa
from iaa_jax.pages import render
from iaa_jax.wording import formats

WIDTH = 80


@pytest.fixture(scope="module")
def ratings():
    story = "so it was, and everybody saw it, but nobody had a word for it " * 20
    labels = [f"{k} {story}" for k in range(15)] + ["a\nb", "c\r\nd", "e\tf"]
    rng = np.random.default_rng(0)
    codes = rng.integers(0, len(labels), (30, 3))
    return iaa.from_wide(np.array(labels, dtype=object)[codes])


@pytest.mark.parametrize("analysis", ["agree", "labels", "items", "annotators", "gold"])
def test_a_terminal_stays_whole(ratings, analysis):
    options = {} if analysis == "items" else {"interval": None}
    page = iaa.page(getattr(iaa, analysis)(ratings, **options))
    lines = render(page, "terminal").splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert "nobody had a word" not in " ".join(" ".join(lines).split())  # the middle of a text
    assert len(lines) < 120
    assert not any("\t" in line or "\r" in line for line in lines)


def test_paths_and_names_stay_whole():
    path = "/home/ann/" + "folder/" * 20 + "ratings.csv"
    assert formats.names([path, "a" * 80]) == f"{path}, {'a' * 80}"
    assert len(formats.names(["a b " * 100])) == 60
    assert formats.quoted("a b") == "'a b'"


def test_addresses_over_columns_are_cut_to_what_differs():
    names = [f"coder{k}@example.org" for k in (17, 18, 19)]
    table = pd.DataFrame([["a", "b", "a"], ["b", "b", "c"]] * 12, columns=names)
    html = render(iaa.page(iaa.items(iaa.from_wide(table), votes=True)), "html")
    assert all(f' title="{name}">{name[:7]}@…</th>' in html for name in names)
