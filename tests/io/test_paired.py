"""Tables with the name of each annotator beside a label: which column belongs to which."""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from iaa_jax import IaaError, krippendorff_alpha, read
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
    assert "have no label with the same text for the star" in message


LISTED = [
    ("t1", [["age"], ["age"], ["race"]], ["a1", "a2", "a3"]),
    ("t2", [["race"], ["race", "age"], ["race"]], ["a1", "a4", "a5"]),
    ("t3", [["gender"], ["gender"], []], ["a2", "a3", "a4"]),
]


@pytest.mark.parametrize("kind", ["python", "json", "records"])
@pytest.mark.parametrize("nested", [True, False])
def test_lists_of_names_beside_lists_of_labels(tmp_path: Path, kind: str, nested: bool) -> None:
    rows = [
        {
            "id": item,
            "round": k,
            "codes": labels if nested else [label[0] if label else None for label in labels],
            "who": people,
        }
        for k, (item, labels, people) in enumerate(LISTED)
    ]
    if kind == "records":
        path = tmp_path / "t.jsonl"
        path.write_text("\n".join(map(json.dumps, rows)))
    else:
        path = tmp_path / "t.csv"
        write = repr if kind == "python" else json.dumps
        table = [
            {name: write(cell) if isinstance(cell, list) else cell for name, cell in row.items()}
            for row in rows
        ]
        pd.DataFrame(table).to_csv(path, index=False)
    told = {"item": "id", "annotator": "who", "label": "codes"}
    ratings = read(path, keep="round", **told)
    assert ratings["annotator"].values.tolist() == ["a1", "a2", "a3", "a4", "a5"]
    assert ratings["round"].values.tolist() == [0, 1, 2]
    lines = [
        (item, who, json.dumps(label) if nested else label[0])
        for item, labels, people in LISTED
        for label, who in zip(labels, people, strict=True)
        if nested or label
    ]
    long = tmp_path / "long.csv"
    pd.DataFrame(lines, columns=["item", "annotator", "label"]).to_csv(long, index=False)
    plain = read(long)
    assert set(ratings["label"].values) == set(plain["label"].values)
    alpha, expected = (krippendorff_alpha(r, interval=None).estimate for r in (ratings, plain))
    assert float(alpha) == pytest.approx(float(expected))
    assert ratings.sizes["item"] == 3


def test_lists_of_names_and_labels_of_other_lengths_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,codes,who\n1,\"['x', 'y']\",\"['a', 'b']\"\n2,\"['x', 'y']\",['a']\n")
    with pytest.raises(IaaError, match=r"line 3: 1 name \('a'\) next to 2 labels"):
        read(path, item="id", annotator="who", label="codes")
    path.write_text("id,codes,who\n1,\"['x', 'y']\",\"['a', 'b']\"\n2,['x'],\n")
    with pytest.raises(IaaError, match=r"line 3: 0 names \(none\) next to 1 label"):
        read(path, item="id", annotator="who", label="codes")


def test_several_columns_name_an_annotator_together(write: Write, refused: Refused) -> None:
    text = "party,country,expert,score\n"
    scores = {("p", "AT", 1): 3, ("p", "DE", 1): 4, ("p", "DE", 2): 3, ("q", "AT", 1): 1}
    text += "".join(f"{p},{c},{e},{score}\n" for (p, c, e), score in scores.items())
    told = {"item": "party", "label": "score"}
    ratings = read(write(text + "q,DE,2,1\n"), annotator="country,expert", **told)
    people = sorted({(c, e) for _, c, e in scores})
    assert ratings.sizes["annotator"] == len(people) == 3
    single = text.replace("country,expert", "who").replace("AT,", "AT").replace("DE,", "DE")
    alone = read(write(single + "q,DE2,1\n", "s.csv"), annotator="who", **told)
    assert ratings["primary"].values.tolist() == alone["primary"].values.tolist()
    assert "annotators from 'country', 'expert' together" in ratings.attrs["read_as"]
    assert "1 rating without annotator" in refused(
        text + "q,,2,1\n", annotator="country,expert", **told
    )
    assert "each annotator needs a label" in refused(
        PANELS, item="case", annotator="judge_*", label="vote_1"
    )
