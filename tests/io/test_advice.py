"""A refusal advises what helps for the very table that it refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from iaa_jax import IaaError, read

Write = Callable[..., Path]
Refused = Callable[..., str]

ANSWERS = "anonymised_participant_id,extract_id,response,suggestion\n" + "".join(
    f"p{who},e{item},{answer},\n"
    for item, answers in enumerate(("yy", "yn", "nn"))
    for who, answer in enumerate(answers)
)
TIPS = "item='extract_id', annotator='anonymised_participant_id' and label='response'"


@pytest.mark.parametrize("item", [None, "extract_id", "anonymised_participant_id"])
def test_a_table_of_ratings_with_unusual_names(refused: Refused, write: Write, item: str) -> None:
    message = refused(ANSWERS, item=item)
    assert f"if a row is one rating, give {TIPS}" in message
    assert "transposed" not in message
    told = "the column 'anonymised_participant_id' seems to name annotators"
    assert (told in message) == (item == "anonymised_participant_id")
    options = {"item": "extract_id", "label": "response", "annotator": "anonymised_participant_id"}
    assert read(write(ANSWERS), **options).sizes["item"] == 3


@pytest.mark.parametrize("typed", ["textid", "Text_ID", "text_ide"])
def test_a_misspelt_item_column(refused: Refused, typed: str) -> None:
    message = refused("text_id,ann,bob\n1,yes,no\n2,yes,yes\n", item=typed)
    assert message == (
        f"t.csv has no column {typed!r} (named by item); its columns are 'text_id', 'ann', 'bob'; "
        "did you mean 'text_id'?"
    )


@pytest.mark.parametrize(
    "text",
    [
        "rater,q1,q2,q3,q4\nann,1,2,1,3\nbob,1,2,2,3\ncy,2,2,2,3\n",
        "who,first sentence,second,s3\nann,x,y,x\nbob,x,y,y\n",
    ],
)
def test_a_transposed_table(refused: Refused, write: Write, text: str) -> None:
    assert "if a row is one annotator, give format='transposed'" in refused(text)
    assert read(write(text), format="transposed").sizes["item"] == text.split("\n")[0].count(",")


def test_rows_that_end_early(refused: Refused) -> None:
    message = refused("item,annotator,label,comment\n1,a,x,why\n1,b,x\n2,a,y\n2,b,x\n")
    assert "separated by commas; if the last cells of a row are empty, end it with" in message
    for row in ("2,b,x,a, b\n", "2,b,x\n2,a,y,a, b\n"):
        message = refused("item,annotator,label,comment\n1,a,x,why\n" + row)
        assert "put cells that contain the separator in quotes" in message


def test_long_names_are_no_advice(refused: Refused) -> None:
    message = refused(f"{'x' * 5000},b,{'x' * 5000}y\n1,2,3\n")
    assert len(message) < 1500
    assert "item='NAME'" in message


def test_columns_that_hold_objects_name_no_items(refused: Refused, write: Write) -> None:
    text = '[{"id": 1, "instance": {"text": "x"}, "answers": ["y", "n"]}]'
    assert "give label='answers' and anonymous=True" in refused(text)


def test_many_columns_of_annotators_are_named_by_their_beginning(
    refused: Refused, write: Write
) -> None:
    names = [f"annotator_{number}" for number in range(1, 8)]
    text = f"text,emotion,{','.join(names)}\n" + "a,joy,0,1,2,0,3,1,1\na,fear,1,1,0,0,2,0,1\n"
    assert "give item='text,emotion' and annotators='annotator_*'" in refused(text)
    ratings = read(write(text), item="text,emotion", annotators="annotator_*")
    assert ratings.sizes["annotator"] == 7


def test_numbers_of_rows_are_no_labels(refused: Refused, write: Write) -> None:
    rows = [f"{row},{row // 3},ann{row % 3},{'yn'[row % 2]}\n" for row in range(30)]
    text = "annotation,comment_id,worker,toxic\n" + "".join(rows)
    message = refused(text)
    assert "give item='comment_id', annotator='worker' and label=" in message
    ratings = read(write(text), item="comment_id", annotator="worker", label="toxic")
    assert ratings.sizes["label"] == 2
    named = read(write(text), item="comment_id", annotator="worker", label="annotation")
    assert named.sizes["label"] == 30


@pytest.mark.parametrize("column", ["user_prompt", "by_line", "worker_comment"])
def test_a_column_of_texts_is_no_annotator(refused: Refused, column: str) -> None:
    texts = ("how do I bake a cake?", "what a rainy day it is", "tell me a joke or two please")
    rows = "".join(f"{row},{text},y;n\n" for row, text in enumerate(texts))
    message = refused(f"id,{column},answers\n{rows}")
    assert "annotator=" not in message
    assert "give label='answers', anonymous=True and separator=';'" in message


def test_the_advice_for_lists_of_many_raters_reads_them(data_folder: Path) -> None:
    path = data_folder / "dices_990" / "dices_990.json.gz"
    with pytest.raises(IaaError, match=r"cannot tell how the table is laid out") as caught:
        read(path)
    label = "annotations.safety.individual_human_scores"
    assert f"give label={label!r} and anonymous=True" in str(caught.value)
    assert read(path, label=label, anonymous=True).sizes["item"] == 990
