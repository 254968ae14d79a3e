"""``iaa agree`` in this process: the table, the JSON, the options."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import iaa_jax
from iaa_jax import agreement, specific_agreement
from iaa_jax.catalog import CATALOG
from iaa_jax.wording.formats import interval

FAST = ("--replicates", "64")
FIELDS = {
    "estimate",
    "standard_error",
    "ci_low",
    "ci_high",
    "observed",
    "expected",
    "code",
    "reason",
    "interval",
    "weights",
    "undefined_replicates",
}


def record(done) -> dict:
    assert done.exit_code == 0, done.output

    def refuse(token: str) -> float:
        raise AssertionError(token)

    return json.loads(done.stdout, parse_constant=refuse)


def test_json_says_what_the_functions_say(iaa) -> None:
    found = record(iaa("agree", "wide.csv", "--json", "-", *FAST, "--seed", "5"))
    ratings = iaa_jax.read("wide.csv")
    expected = agreement(ratings, replicates=64, seed=5)
    assert list(found["coefficients"]) == expected.coefficient.values.tolist()
    for name, fields in found["coefficients"].items():
        assert fields.keys() >= FIELDS
        row = expected.sel(coefficient=name)
        for field in FIELDS - {"code", "reason", "interval", "weights"}:
            assert fields[field] == pytest.approx(float(row[field]), rel=1e-12, nan_ok=True)
        assert fields["interval"] == str(row["interval"].values)
        assert fields["weights"] == str(row["weights"].values)
    labels = specific_agreement(ratings, replicates=64, seed=5)
    assert list(found["specific_agreement"]) == ["x", "y", "z"]
    for name, fields in found["specific_agreement"].items():
        assert fields.keys() >= FIELDS
        assert fields["estimate"] == pytest.approx(float(labels.estimate.sel(label=name)))


def test_json_describes_the_data_and_how_it_was_made(iaa) -> None:
    found = record(iaa("agree", "wide.csv", "--json", "-", *FAST, "--seed", "5"))
    assert found.keys() == {
        "schema",
        "data",
        "coefficients",
        "specific_agreement",
        "contingency",
        "conclusion",
        "notes",
        "conclusions",
        "provenance",
    }
    assert found["conclusions"].keys() == {"specific_agreement", "contingency"}
    data = found["data"]
    assert (data["items"], data["annotators"], data["labels"], data["ratings"]) == (7, 3, 3, 18)
    assert data["missing_share"] == pytest.approx(3 / 21)
    assert data["pairable_items"] == 6
    assert data["single_rated_items"] == 1
    assert data["unrated_items"] == 0
    assert data["label_values"] == ["x", "y", "z"]
    assert data["annotator_names"] == ["ann", "bob", "cleo"]
    assert data["read_as"].startswith("wide table")
    assert data["files"] == ["wide.csv"]
    assert found["conclusion"] == "measured"
    made = found["provenance"]
    assert made["iaa_jax_version"] == iaa_jax.__version__
    assert {"jax_version", "numpy_version", "backend"} <= made.keys()
    assert (made["seed"], made["replicates"], made["confidence"]) == (5, 64, 0.95)
    assert made["options"]["seed"] == 5
    assert made["options"]["weights"] is None


def test_the_table_shows_the_numbers_of_the_json(ran, folder: Path) -> None:
    done = ran("agree", "wide.csv", "--json", "out.json", *FAST)
    found = json.loads((folder / "out.json").read_text(encoding="utf-8"))
    lines = done.stdout.splitlines()
    for name, fields in found["coefficients"].items():
        title = CATALOG[name].title
        (line,) = (line for line in lines if line.startswith(f"{title}  "))
        cells = shown(fields, chance=True)
        # a page says no expectation where nothing takes chance out
        cells[-1] = cells[-1] if CATALOG[name].beyond_chance else "-"
        assert line.removeprefix(title).split() == cells
    for name, fields in found["specific_agreement"].items():
        (line,) = (line for line in lines if line.startswith(f"{name}  "))
        assert line.removeprefix(name).split() == shown(fields, chance=False)


def shown(fields: dict, chance: bool) -> list[str]:
    names = ["estimate", "standard_error"] + ["observed", "expected"] * chance
    numbers = [f"{fields[name]:z.3f}" for name in names]
    return [numbers[0], *interval((fields["ci_low"], fields["ci_high"])).split(), *numbers[1:]]


def test_the_summary_tells_what_was_read(iaa) -> None:
    text = iaa("agree", "wide.csv", "--interval", "none").stdout
    lines = text.partition("\n\n")[2].splitlines()
    assert lines[:6] == [
        "File        wide.csv",
        "Items       7: 6 with two ratings or more, 1 with one rating",
        "Annotators  3: ann, bob, cleo",
        "Labels      3: x, y, z",
        "Ratings     18 (14.3 % missing)",
        "Read as     wide table, items from 'item', a column for each annotator",
    ]


def test_chosen_coefficients_keep_their_order_and_names(iaa) -> None:
    found = record(
        iaa(
            *("agree", "wide.csv", "--json", "-", "--interval", "none"),
            *("--coefficients", "krippendorff_alpha, pabak,krippendorff_alpha"),
        )
    )
    assert list(found["coefficients"]) == ["krippendorff_alpha", "pabak"]
    assert "specific_agreement" not in found


def test_agreement_on_labels_can_be_all_that_is_asked(iaa) -> None:
    asked = ("--coefficients", "specific_agreement", *FAST)
    found = record(iaa("agree", "wide.csv", "--json", "-", *asked))
    assert found["coefficients"] == {}
    assert set(found["specific_agreement"]) == {"x", "y", "z"}
    assert found["provenance"]["replicates"] == 64
    assert "Label  Specific agreement" in iaa("agree", "wide.csv", *asked).stdout


def test_data_of_one_label_say_once_why_nothing_is_defined(iaa, folder: Path) -> None:
    (folder / "one.csv").write_text("item,ann,bob\n1,x,x\n2,x,x\n3,x,x\n")
    said = " ".join(iaa("agree", "one.csv", "--replicates", "40").stdout.split())
    assert said.count("expected disagreement is 0") == 1
    assert "Gwet's AC1, Krippendorff's alpha (see above)." in said
    assert "Largest kappa" not in said
    assert "Undefined replicates" not in said
    alone = iaa("agree", "one.csv", *FAST, "--coefficients", "scott_pi").stdout
    assert "see above" not in alone
    assert "No two labels are confused" not in iaa("labels", "one.csv", *FAST).stdout


def test_undefined_figures_can_be_replaced(iaa, folder: Path) -> None:
    (folder / "one.csv").write_text("item,ann,bob\n1,x,x\n2,x,x\n3,x,x\n")
    asked = ("agree", "one.csv", *FAST, "--coefficients", "scott_pi", "--undefined")
    row = record(iaa(*asked, "one", "--json", "-"))["coefficients"]["scott_pi"]
    assert (row["estimate"], row["code"] == 0) == (1.0, False)
    refused = iaa(*asked, "raise")
    assert refused.exit_code == 1
    assert refused.stderr.startswith("iaa: scott_pi is undefined")


def test_declared_labels_count_and_the_remark_goes(iaa) -> None:
    asked = ("agree", "wide.csv", "--interval", "none")
    assert "declare all labels with --labels" in iaa(*asked).stdout
    declared = iaa(*asked, "--labels", "z,y,x,w")
    assert "Labels      4: z, y, x, w" in declared.stdout
    assert "declare all labels with --labels" not in declared.stdout


def test_kept_annotators_are_measured_as_if_alone(iaa, folder: Path) -> None:
    (folder / "two.csv").write_text(
        "\n".join(line.rpartition(",")[0] for line in (folder / "wide.csv").read_text().split())
    )
    asked = ("--interval", "none", "--json", "-")
    kept = record(iaa("agree", "wide.csv", "--keep-annotators", "bob,ann", *asked))
    alone = record(iaa("agree", "two.csv", *asked))
    assert kept["coefficients"] == alone["coefficients"]
    assert kept["specific_agreement"] == alone["specific_agreement"]
    assert kept["data"]["skipped"] == "5 ratings by 1 annotator"
    assert kept["data"]["annotator_names"] == ["ann", "bob"]


def test_a_json_file_is_replaced_whole(iaa, folder: Path) -> None:
    (folder / "out.json").write_text("old")
    assert iaa("agree", "wide.csv", "--interval", "none", "--json", "out.json").exit_code == 0
    assert "coefficients" in json.loads((folder / "out.json").read_text(encoding="utf-8"))
    assert sorted(path.name for path in folder.iterdir()) == ["out.json", "wide.csv"]


def test_nothing_is_written_when_the_table_cannot_be_used(iaa, folder: Path) -> None:
    (folder / "out.json").write_text("old")
    done = iaa("agree", "wide.csv", "--labels", "x,y", "--json", "out.json")
    assert done.exit_code == 1
    assert (folder / "out.json").read_text() == "old"
    assert sorted(path.name for path in folder.iterdir()) == ["out.json", "wide.csv"]


def test_many_labels_are_measured_when_asked(iaa, folder: Path) -> None:
    rows = "\n".join(f"{i},a{i},a{i if i % 3 else i + 1}" for i in range(120))
    (folder / "many.csv").write_text(f"item,ann,bob\n{rows}\n")
    asked = ("agree", "many.csv", "--interval", "none")
    done = iaa(*asked)
    assert "was not measured; --coefficients" in " ".join(done.stdout.split())
    assert "Label  Specific agreement" not in done.stdout
    assert "specific_agreement" not in record(iaa(*asked, "--json", "-"))
    done = iaa(*asked, "--coefficients", "specific_agreement")
    assert sum(line.startswith("a") for line in done.stdout.splitlines()) >= 120


def test_tables_of_other_layouts(ran, tmp_path: Path) -> None:
    """Options of layouts reach the reader: counts, anonymous annotators, archives and codes."""
    measured = ("--coefficients", "krippendorff_alpha", "--interval", "none", "--json", "-")
    votes = tmp_path / "votes.csv"
    votes.write_text("clip,n_x,n_y\n1,3,0\n2,1,2\n")
    done = ran("agree", str(votes), "--item", "clip", "--counts", "n_*", *measured)
    found = json.loads(done.stdout)
    assert found["data"]["anonymous"] is True
    assert found["provenance"]["options"]["counts"] == "n_*"
    rows = tmp_path / "rows.csv"
    rows.write_text("id;v\n1;2\n1;?\n1;2\n2;1\n2;1\n", encoding="utf-16")
    done = ran("agree", str(rows), "--item", "id", "--label", "v", "--anonymous",
               "--missing", "-9,?", *measured)  # fmt: skip
    assert json.loads(done.stdout)["data"]["ratings"] == 4
    assert "annotators unknown" in json.loads(done.stdout)["data"]["read_as"]


def test_the_option_for_one_coefficient_serves_too(iaa) -> None:
    one, several = (
        iaa("agree", "wide.csv", option, "scott_pi", "--interval", "none")
        for option in ("--coefficient", "--coefficients")
    )
    assert one.exit_code == several.exit_code == 0
    assert one.stdout == several.stdout


def test_kept_labels_leave_the_other_ratings_out(iaa) -> None:
    asked = ("agree", "wide.csv", "--keep-labels", "x,y", "--interval", "none")
    data = record(iaa(*asked, "--json", "-"))["data"]
    assert data["label_values"] == ["x", "y"]
    assert (data["ratings"], data["unrated_items"]) == (15, 1)
    assert data["skipped"].startswith("3 ratings of 1 label")


def test_secondary_labels_and_p(iaa, folder: Path) -> None:
    (folder / "two.csv").write_text(
        "item,annotator,label,second\n1,ann,x,y\n1,bob,x,\n2,ann,y,x\n2,bob,x,\n3,ann,y,\n3,bob,y,\n"
    )
    asked = ("agree", "two.csv", "--secondary", "second", "--interval", "none", "--json", "-")
    whole, shared = (
        record(iaa(*asked, "--p", p))["coefficients"]["percent_agreement"]["estimate"]
        for p in ("1", "0.5")
    )
    assert whole == pytest.approx(2 / 3)
    assert shared == pytest.approx((0.5 + 0.5 + 1) / 3)


@pytest.mark.parametrize(
    ("options", "row", "weights"),
    [
        (("--level", "ordinal"), "krippendorff_alpha", "level ordinal"),
        (("--level", "ordinal"), "conger_kappa", "ordinal"),
        (("--level", "interval"), "gwet_ac2", "quadratic"),
        (("--level", "ratio", "--weights", "identity"), "conger_kappa", "identity"),
        (("--weights", "linear"), "gwet_ac2", "linear"),
        (("--weights", "linear", "--weights-on", "rank"), "gwet_ac2", "linear on ranks"),
    ],
)
def test_how_labels_agree_is_passed_on(
    iaa, folder: Path, options: tuple[str, ...], row: str, weights: str
) -> None:
    (folder / "scale.csv").write_text("item,ann,bob\n1,1,2\n2,3,3\n3,5,4\n4,1,1\n")
    found = record(iaa("agree", "scale.csv", "--json", "-", "--interval", "none", *options))
    assert found["coefficients"][row]["weights"] == weights


def test_several_files_are_one_set(iaa, folder: Path) -> None:
    (folder / "more.csv").write_text("item,ann,bob,cleo\n8,x,x,z\n9,z,y,z\n")
    done = iaa("agree", "wide.csv", "more.csv", "--interval", "none", "--json", "-")
    assert record(done)["data"]["items"] == 9
    assert record(done)["data"]["files"] == ["wide.csv", "more.csv"]
