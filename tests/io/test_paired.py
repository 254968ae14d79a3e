"""Tables with the name of each annotator beside a label: which column belongs to which."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from iaa_jax import read
from tests.io.alike import alike

Write = Callable[..., Path]
Refused = Callable[..., str]

PANELS = "case,judge_1,vote_1,judge_2,vote_2\n1,Ann,x,Bob,y\n2,Bob,x,Cyd,x\n3,Cyd,y,Ann,y\n"


def in_order(order: tuple[int, ...]) -> str:
    rows = csv.reader(io.StringIO(PANELS))
    return "".join(",".join(row[k] for k in order) + "\n" for row in rows)


def test_stars_tell_pairs_wherever_columns_stand(write: Write) -> None:
    options = {"item": "case", "annotator": "judge_*", "label": "vote_*"}
    whole = read(write(PANELS), **options)
    assert whole["annotator"].values.tolist() == ["Ann", "Bob", "Cyd"]
    assert whole["primary"].values.tolist() == [[0, 1, -1], [-1, 0, 0], [1, -1, 1]]
    for order in itertools.permutations(range(5)):
        turned = read(write(in_order(order)), **options)
        found = turned.sel(annotator=whole["annotator"])["primary"]
        assert found.values.tolist() == whole["primary"].values.tolist(), order


def test_stars_that_say_something_else_go_by_order(write: Write) -> None:
    text = PANELS.replace("vote_1", "vote_a").replace("vote_2", "vote_b")
    options = {"item": "case", "annotator": "judge_*", "label": "vote_*"}
    path = write(PANELS)
    whole = read(path, **options)
    path.write_text(text)
    assert whole["primary"].equals(read(path, **options)["primary"])


def test_columns_that_are_listed_go_by_order(write: Write) -> None:
    path = write(PANELS)
    listed = read(path, item="case", annotator="judge_1,judge_2", label="vote_1,vote_2")
    assert listed["primary"].equals(
        read(path, item="case", annotator="judge_*", label="vote_*")["primary"]
    )
    crossed = read(path, item="case", annotator="judge_1,judge_2", label="vote_2,vote_1")
    assert not alike(listed, crossed)
    assert crossed["primary"].values.tolist() == [[1, 0, -1], [-1, 0, 0], [1, -1, 1]]


@pytest.mark.parametrize("label", ["vote_3", "vote_9"])
def test_a_column_without_its_partner_is_refused(refused: Refused, label: str) -> None:
    message = refused(
        PANELS.replace("vote_2", label), item="case", annotator="judge_*", label="vote_*"
    )
    assert "'judge_2'" in message
    assert f"'{label}'" in message
