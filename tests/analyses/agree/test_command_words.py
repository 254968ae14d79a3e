"""``iaa agree --scale``: the word that each coefficient reaches."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import iaa_jax
from iaa_jax.catalog.scales import SCALES

FAST = ("--replicates", "64", "--seed", "5")

MANY = "item,ann,ben\n" + "".join(
    f"{item},{ann},{ben}\n"
    for item, (ann, ben) in enumerate([("x", "x")] * 20 + [("y", "y")] * 15 + [("x", "y")] * 8)
)


@pytest.fixture(autouse=True)
def _enough_items(folder: Path) -> None:
    (folder / "many.csv").write_text(MANY)


def test_a_column_and_a_note(iaa, ran) -> None:
    done = ran("agree", "many.csv", "--scale", "altman", *FAST)
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    (heading,) = (line for line in lines if line.startswith("Coefficient "))
    assert "At least" in heading
    assert "Expected" not in heading
    (alpha,) = (line for line in lines if line.startswith("Krippendorff's alpha  "))
    (percent,) = (line for line in lines if line.startswith("Percent agreement  "))
    ends = heading.index("At least") + len("At least")
    assert alpha[:ends].split()[-1] in " ".join(SCALES["altman"].words).split()
    assert percent[:ends].split()[-1] == "-"
    text = " ".join(done.stdout.split())
    assert "Altman 1991" in text
    plain = iaa("agree", "many.csv", *FAST).stdout
    assert "At least" not in plain
    assert "Altman" not in plain


def test_the_words_in_json(iaa) -> None:
    done = iaa("agree", "many.csv", "--scale", "landis_koch", "--json", "-", *FAST)
    found = json.loads(done.stdout)
    ratings = iaa_jax.read("many.csv")
    wanted = iaa_jax.in_words(iaa_jax.agreement(ratings, replicates=64, seed=5))
    for name, fields in found["coefficients"].items():
        if name == "percent_agreement":
            assert fields["word"] == fields["reached"] == ""
            assert fields["certain"] is None
            continue
        one = wanted.sel(coefficient=name)
        assert fields["word"] == one.word.item()
        assert fields["reached"] == one.reached.item()
        assert fields["certain"] == pytest.approx(one.certain.item())
    made = found["provenance"]
    assert (made["scale"], made["certainty"]) == ("landis_koch", 0.95)
    assert made["scale_source"].endswith("https://doi.org/10.2307/2529310")
    assert (
        "word"
        not in json.loads(iaa("agree", "many.csv", "--json", "-", *FAST).stdout)["coefficients"][
            "krippendorff_alpha"
        ]
    )


def test_three_items_make_no_word_certain(iaa) -> None:
    done = iaa("agree", "wide.csv", "--scale", "landis_koch", "--json", "-", *FAST)
    for name, fields in json.loads(done.stdout)["coefficients"].items():
        assert fields["reached"] == ""
        assert fields["withheld"] == (fields["doubt"] if fields["word"] else "")
        assert fields["certain"] is None, name


def test_without_an_interval_the_word_of_the_estimate(ran) -> None:
    done = ran("agree", "wide.csv", "--scale", "krippendorff", "--interval", "none")
    heading = next(line for line in done.stdout.splitlines() if line.startswith("Coefficient "))
    assert "  Word  " in heading
    assert "Word: for the estimate alone" in " ".join(done.stdout.split())


def test_an_unknown_scale(iaa) -> None:
    done = iaa("agree", "wide.csv", "--scale", "munoz")
    assert done.exit_code == 2
    assert "landis_koch" in done.stderr


def test_the_columns_that_make_room_leave_no_note_behind(iaa) -> None:
    text = " ".join(iaa("agree", "wide.csv", "--scale", "altman", *FAST).stdout.split())
    assert "Expected: the same by chance" not in text


def test_agreement_with_near_misses_is_no_percentage(ran, folder) -> None:
    (folder / "n.csv").write_text("item,a,b\n1,1,2\n2,2,2\n3,3,1\n4,3,3\n")
    done = ran(
        "agree", "n.csv", "--level", "ordinal", "--interval", "none", "--output", "n.out.csv"
    )
    (line,) = (each for each in done.stdout.splitlines() if each.startswith("Weighted agreement"))
    assert line.split()[-1] == "-"
    assert "Percent agreement" not in done.stdout
    header, *rows = (folder / "n.out.csv").read_text(encoding="utf-8").splitlines()
    (row,) = (each.split(",") for each in rows if each.startswith("percent_agreement,"))
    assert row[header.split(",").index("expected")] == "0.0"
    assert row[1] == "Weighted agreement"
