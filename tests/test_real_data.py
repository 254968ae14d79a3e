"""Real annotation sets from their native files, against published and independent figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import iaa_jax as iaa
from iaa_jax.cli.app import app

WIDE = {
    "swe": ("text_id,emotion", "Annotator-1,Annotator-2,Annotator-3"),
    "ukr": ("text_id,emotion", "Annotator-1,Annotator-2,Annotator-3"),
    "afr": ("text_content,emotion", "annotator_1,annotator_2,annotator_3"),
}


def figure(folder: Path, **wanted: object) -> float:
    """The one figure of FIGURES.json with these fields and options."""
    figures = json.loads((folder / "FIGURES.json").read_text(encoding="utf-8"))
    found = [
        entry["recomputed"]
        for entry in figures
        if all(
            (entry.get(key) or entry["options"].get(key)) == value for key, value in wanted.items()
        )
    ]
    assert len(found) == 1, wanted
    return float(found[0])


@pytest.mark.parametrize("language", WIDE)
def test_brighter_through_the_command_line(data_folder: Path, language: str) -> None:
    item, annotators = WIDE[language]
    file = f"brighter/{language}_individuals.csv.gz"
    done = CliRunner().invoke(
        app,
        [
            "agree",
            str(data_folder / file),
            *("--item", item, "--annotators", annotators, "--level", "ordinal"),
            *("--replicates", "200", "--json", "-"),
        ],
    )
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    alpha = found["coefficients"]["krippendorff_alpha"]
    wanted = figure(data_folder, file=file, level="ordinal", unit="text x emotion")
    assert alpha["estimate"] == pytest.approx(wanted, abs=5.1e-7)
    assert alpha["ci_low"] < alpha["estimate"] < alpha["ci_high"]
    assert alpha["weights"] == "level ordinal"


def test_brighter_by_emotion(data_folder: Path) -> None:
    """Nominal alpha of each emotion, any intensity above 0 counting as present."""
    import pandas as pd

    file = "brighter/swe_individuals.csv.gz"
    frame = pd.read_csv(data_folder / file)
    names = WIDE["swe"][1].split(",")
    for emotion, part in frame.groupby("emotion"):
        found = iaa.krippendorff_alpha(iaa.from_wide(part[names].to_numpy() > 0), interval=None)
        wanted = figure(data_folder, file=file, level="nominal", emotion=emotion)
        assert float(found.estimate) == pytest.approx(wanted, abs=5.1e-7)


def test_the_demo_data_has_its_published_figures(data_folder: Path) -> None:
    """PandaLM publishes Cohen's kappa of each pair of its people, to two decimals."""
    from tests.engine.real import demo

    ratings = demo()
    for first, second in ((1, 2), (1, 3), (2, 3)):
        pair = [f"annotator{first}", f"annotator{second}"]
        found = iaa.cohen_kappa(ratings.sel(annotator=pair), interval=None)
        wanted = figure(data_folder, dataset="pandalm", pair=pair)
        assert float(found.estimate) == pytest.approx(wanted, abs=5.1e-7)
    people = ratings.sel(annotator=["annotator1", "annotator2", "annotator3"])
    found = iaa.krippendorff_alpha(people, interval=None)
    wanted = figure(data_folder, dataset="pandalm", raters=3)
    assert float(found.estimate) == pytest.approx(wanted, abs=5.1e-7)


def test_votes_as_counts(data_folder: Path) -> None:
    """CREMA-D: counts of six emotions an item, annotators lost."""
    import pandas as pd

    table = pd.read_csv(data_folder / "crema_d_votes/tabulatedVotes.csv.gz", index_col=0)
    found = iaa.krippendorff_alpha(iaa.from_counts(table[list("ADFHNS")]), interval=None)
    wanted = figure(data_folder, dataset="crema_d_votes", rows="all three modalities")
    assert float(found.estimate) == pytest.approx(wanted, abs=5.1e-7)


@pytest.mark.parametrize("distance", ["masi", "jaccard"])
def test_label_sets(data_folder: Path, distance: str) -> None:
    """BRIGHTER in Swedish as sets of emotions, against NLTK."""
    import pandas as pd

    file = "brighter/swe_individuals.csv.gz"
    frame = pd.read_csv(data_folder / file)
    names = WIDE["swe"][1].split(",")
    rows = [
        [
            [emotion for emotion, x in zip(part.emotion, part[name], strict=True) if x > 0]
            if part[name].notna().any()
            else None
            for name in names
        ]
        for _, part in frame.groupby("text_id")
    ]
    found = iaa.krippendorff_alpha(iaa.from_sets(rows), distance=distance, interval=None)
    wanted = figure(data_folder, file=file, distance=distance)
    assert float(found.estimate) == pytest.approx(wanted, abs=5.1e-7)
