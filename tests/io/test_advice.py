"""A refusal advises what helps for the very table that it refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from iaa_jax import read

Write = Callable[..., Path]
Refused = Callable[..., str]

ANSWERS = "anonymised_participant_id,extract_id,response,suggestion\n" + "".join(
    f"p{who},e{item},{answer},\n"
    for item, answers in enumerate(("yy", "yn", "nn"))
    for who, answer in enumerate(answers)
)
TIPS = "item='extract_id', annotator='anonymised_participant_id' and label='response'"


def test_a_table_of_ratings_with_unusual_names(refused: Refused, write: Write) -> None:
    options = {"item": "extract_id", "label": "response", "annotator": "anonymised_participant_id"}
    ratings = read(write(ANSWERS), **options)
    assert read(write(ANSWERS)).equals(ratings)
    assert read(write(ANSWERS), item="extract_id").equals(ratings)
    assert "cannot tell how" in refused(ANSWERS, item="anonymised_participant_id")


def test_known_columns_are_filled_in_where_no_label_is_found(refused: Refused) -> None:
    """A separator fits one question alone; the likelier label column has none."""
    rows = [
        (
            f"t{i}",
            f"w{w}",
            "fear" if (i + w) % 4 else "joy;fear",
            "yn"[(i % 3 == 0) != ((i + w) % 7 == 0)],
            "fm"[w % 2],
        )
        for i in range(12)
        for w in {(3 * i + k * k) % 5 for k in range(3)}
    ]
    text = "text_id,worker,emotions,hate,gender\n" + "".join(",".join(row) + "\n" for row in rows)
    message = refused(text, separator=";")
    assert message.endswith(
        "if a row is one rating, give item='text_id', annotator='worker' and label='NAME'"
    )


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


def test_columns_that_hold_objects_name_no_items(refused: Refused) -> None:
    text = '[{"id": 1, "instance": {"text": "x"}, "answers": ["y", "n"]}]'
    assert "give label='answers' and anonymous=True" in refused(text)


def test_many_columns_of_annotators_are_named_by_their_beginning(
    refused: Refused, write: Write
) -> None:
    names = [f"annotator_{number}" for number in range(1, 8)]
    rows = "a,joy,0,1,2,0,3,1,1\na,fear,1,1,0,0,2,0,1\nb,joy,0,1,2,0,3,1,1\n"
    text = f"text,emotion,{','.join(names)}\n{rows}"
    ratings = read(write(text), item="text,emotion", annotators="annotator_*")
    assert read(write(text)).equals(ratings)
    further = text.replace("\n", ",gold\n", 1).replace(",1\n", ",1,2\n")
    assert "give item='text,emotion' and annotators='annotator_*'" in refused(further)


def test_numbers_of_rows_are_no_labels(write: Write) -> None:
    rows = [f"{row},{row // 3},ann{row % 3},{'yn'[row % 2]}\n" for row in range(30)]
    text = "annotation,comment_id,worker,toxic\n" + "".join(rows)
    ratings = read(write(text), item="comment_id", annotator="worker", label="toxic")
    assert ratings.sizes["label"] == 2
    assert read(write(text)).equals(ratings)
    named = read(write(text), item="comment_id", annotator="worker", label="annotation")
    assert named.sizes["label"] == 30


@pytest.mark.parametrize("column", ["user_prompt", "by_line", "worker_comment"])
def test_a_column_of_texts_is_no_annotator(write: Write, column: str) -> None:
    texts = ("how do I bake a cake?", "what a rainy day it is", "tell me a joke or two please")
    rows = "".join(f"{row},{text},y;n\n" for row, text in enumerate(texts))
    path = write(f"id,{column},answers\n{rows}")
    assert read(path).equals(read(path, label="answers", anonymous=True, separator=";"))


def test_the_advice_for_lists_of_many_raters_reads_them(data_folder: Path) -> None:
    path = data_folder / "dices_990" / "dices_990.json.gz"
    label = "annotations.safety.individual_human_scores"
    ratings = read(path, label=label, item="id", anonymous=True)
    assert ratings.sizes["item"] == 990
    assert read(path).equals(ratings)
