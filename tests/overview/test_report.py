"""The report: the sections that apply, with the figures of their functions and no others."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax.cli.context import as_option
from iaa_jax.data.patterns import identified_patterns
from iaa_jax.measure.ratings import by_pattern
from iaa_jax.overview.page import head_of
from iaa_jax.overview.sections import SECTIONS
from iaa_jax.overview.texts import without_texts
from iaa_jax.pages import Facts, Page, Remarks, render
from iaa_jax.pages.commands import Advice
from iaa_jax.pages.records import record, record_of
from iaa_jax.wording import Note, dump_notes, say
from tests.noted import codes_on
from tests.overview.ratings import KINDS, QUICK, report_of, single
from tests.pages.made import HOSTILE
from tests.pages.test_html import Outline
from tests.taken import one_of


@pytest.fixture(scope="module")
def reports() -> dict[str, Page]:
    return {kind: report_of(kind) for kind in KINDS}


@pytest.mark.parametrize(
    ("kind", "sections"),
    [
        ("single", ["labels", "annotators", "items", "gold", "plan"]),
        ("numbers", ["annotators", "items", "plan"]),
        ("sets", ["annotators", "items", "label_sets", "gold", "plan"]),
        ("second", ["findings", "labels", "annotators", "items", "gold", "sweep", "plan"]),
        ("spans", ["findings", "labels", "items", "gold", "spans"]),
    ],
)
def test_what_does_not_apply_is_left_out(
    reports: dict[str, Page], kind: str, sections: list[str]
) -> None:
    assert [*reports[kind].sections] == [*sections, "limits", "making"]


def test_times_and_judges_get_sections() -> None:
    page = iaa.report(single(), judges="eve", by="batch", sections=["judge", "drift"], **QUICK)
    assert [*page.sections] == ["judge", "drift", "limits", "making"]
    told = iaa.page(iaa.judge(single(), "eve", replicates=2000)).answer[0]
    assert page.sections["judge"].answer[0] == told
    assert told in page.answer


def test_a_plan_that_takes_long_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "iaa_jax.measure.shared.sections.LONG", 3 * 3 * 3
    )  # patterns, ratings, labels
    assert "plan" in iaa.report(single(), **QUICK).sections
    monkeypatch.setattr("iaa_jax.measure.shared.sections.LONG", 3 * 3 * 3 - 1)
    page = iaa.report(single(), **QUICK)
    assert "plan" not in page.sections
    told = " ".join(str(page.sections["limits"]).split())
    assert (
        "There is no section on plans, which may take more than 20 s here: iaa.plan(ratings) "
        in told
    )
    assert "plan" in iaa.report(single(), sections=["plan"], **QUICK).sections


@pytest.mark.parametrize("name", ["labels", "annotators", "items"])
def test_figures_are_those_of_the_functions(reports: dict[str, Page], name: str) -> None:
    options = {"votes": True} if name == "items" else QUICK
    alone = getattr(iaa, name)(single(), **options)
    below = record(reports["single"].sections[name].results)
    expected = record({"": alone})
    assert below["conclusion"] == expected["conclusion"]
    assert below[name] == expected[name]


def test_the_answer_stands_first_with_a_step_and_no_bars(reports: dict[str, Page]) -> None:
    page = reports["single"]
    codes = [note.code for note in page.answer]
    assert codes[0] == "lead"
    assert codes[1].startswith("step_")
    assert "0.667" not in render(page, "markdown")
    lines = str(page.brief).splitlines()
    assert lines[0].startswith("Krippendorff's alpha is ")
    assert any(line.startswith("Next: ") for line in lines)


def _sentences(page: Page, answer: Sequence[Note]) -> set[str]:
    remarks = [note for block in page.blocks if isinstance(block, Remarks) for note in block.notes]
    return {say(note, page.words) for note in (*answer, *remarks)}


def test_sections_say_and_advise_what_the_head_does_not(reports: dict[str, Page]) -> None:
    findings = reports["second"].sections["findings"]
    assert [note.code for note in findings.answer[:2]] == ["found", "said_above"]
    for kind, page in reports.items():
        said = _sentences(page, page.answer)
        for name in {*page.sections} - {"limits", "making"}:
            section = page.sections[name]
            assert not said & _sentences(section, section.answer[1:]), kind
        text = render(page, "markdown")
        for name in page.sections:
            assert f"'iaa {name.replace('_', '-')} FILE'" not in text, kind
        assert 1 <= len(re.findall("Next: ", text)) <= 3


def test_the_step_is_the_same_whatever_is_shown(reports: dict[str, Page]) -> None:
    of_all = next(note for note in reports["single"].answer if note.code.startswith("step_"))
    for sections in (["gold"], ["items"], ["labels", "plan"]):
        page = iaa.report(single(), sections=sections, **QUICK)
        assert [*page.sections] == [*sections, "limits", "making"]
        assert of_all in page.answer
    assert of_all in iaa.report(single(), brief=True, **QUICK).answer
    by_batch = iaa.report(single(), brief=True, by="batch", **QUICK)
    assert "iaa.drift(ratings, by='batch')" in render(by_batch, "terminal")


@pytest.mark.parametrize(
    ("kind", "needed", "picture"),
    [
        ("single", ["findings", "labels"], "labels_confused"),
        ("numbers", ["findings", "labels", "items", "label_sets", "drift"], "coefficients_drawn"),
        ("second", ["findings", "annotators"], "pairs_of_annotators"),  # a finding blames eve
        ("spans", ["findings", "labels", "spans"], "coefficients_drawn"),  # ends differ
    ],
)
def test_a_brief_report_has_one_picture_and_makes_what_it_shows(
    monkeypatch: pytest.MonkeyPatch, kind: str, needed: list[str], picture: str
) -> None:
    made: list[str] = []
    for name, section in SECTIONS.items():

        def making(asked: Any, name: str = name, section: Any = section) -> Page | None:
            made.append(name)
            assert not asked.texts
            return section(asked)  # type: ignore[no-any-return]

        monkeypatch.setitem(SECTIONS, name, making)
    page = iaa.report(KINDS[kind](), brief=True, **QUICK)
    assert sorted(made) == sorted(needed)
    assert page.sections == {}
    assert [each.id for each in page.pictures] == [picture]
    (figures,) = page.tables
    assert len(figures.rows_shown) <= 3
    assert figures.in_files is (picture == "coefficients_drawn")  # which the picture has
    assert [note for note in page.answer if note.code == "lead"]
    for form in ("html", "markdown", "latex", "terminal"):
        text = render(page, form)
        assert "Agreement is not accuracy" in " ".join(text.split())
        assert text.count("Methods: ") == text.count("JAX ") == 1
        assert "the section" not in text


def test_a_section_that_cannot_be_made_is_said_to_be_missing() -> None:
    page = iaa.report(single().isel(item=slice(0, 3)), by="batch", **QUICK)
    assert "drift" not in page.sections
    assert "section_left_out" in codes_on(page.sections["limits"])


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"judges": "evee"}, "no annotator is called 'evee'.*did you mean 'eve'"),
        ({"judges": ["ben", "eve"]}, "there is only 'ann'"),
        ({"by": "week"}, "by='week' names no coordinate along items"),
        ({"sections": ["lables"]}, "must be among findings, labels"),
        ({"sections": ["sweep"]}, "nothing to say about sweep"),
        ({"sections": ["labels"], "brief": True}, "brief is a page without sections"),
    ],
)
def test_names_that_are_not_there_are_refused(options: dict[str, object], told: str) -> None:
    with pytest.raises(iaa.IaaError, match=told):
        iaa.report(single(), **options, **QUICK)  # type: ignore[arg-type]


def test_with_judges_the_report_is_about_people() -> None:
    """What another section is about stands in it, and commands leave judges out."""
    page = iaa.report(single(), judges="eve", sections=["labels", "items", "judge"], **QUICK)
    people = iaa.data.keep_annotators(single(), ["ann", "ben"])
    (told,) = (iaa.labels(people, **QUICK),)
    assert record(page.sections["labels"].results)["labels"] == record({"": told})["labels"]
    alpha = page.results["coefficients"].sel(coefficient="krippendorff_alpha").estimate
    assert float(alpha) == pytest.approx(float(iaa.krippendorff_alpha(people).estimate))
    blocks = {name: page.sections[name].blocks for name in ("labels", "judge")}
    about = {
        name: [block for block in told if isinstance(block, Facts)] for name, told in blocks.items()
    }
    assert not about["labels"]
    assert about["judge"]
    below = render(page.sections["items"], "markdown", as_option).replace("\\", "")
    assert "'iaa gold --sheet sheet.xlsx'" in below  # of what file is not known
    below = render(page.sections["items"], "markdown").replace("\\", "")
    assert "iaa.gold(iaa.data.keep_annotators(ratings, ['ann', 'ben']))" in below
    assert "keep_annotators" not in render(page.sections["judge"], "markdown").replace("\\", "")


def test_without_disputes_there_is_no_table_of_them_to_read() -> None:
    page = iaa.report(iaa.from_wide([["a", "a"], ["b", "b"]] * 12), sections=["items"], **QUICK)
    html = render(page, "html")
    assert "0 of" not in html
    assert "sheet.xlsx" not in html
    assert [table.id for table in page.tables][-1] == "items"


def test_ratings_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []

    def counting(*of: Any) -> Any:
        counted.append(1)
        return identified_patterns(*of)

    monkeypatch.setattr(by_pattern, "identified_patterns", counting)
    monkeypatch.setitem(SECTIONS, "findings", lambda asked: None)  # which counts mended ones anew
    shown = {"by": "batch", "sections": ["labels", "items", "drift", "plan"]}
    iaa.report(single(), **shown, **QUICK)  # type: ignore[arg-type]
    assert len(counted) == 1
    iaa.report(single(), keep="batch", **shown, **QUICK)  # type: ignore[arg-type]
    assert len(counted) == 2


@cache
def without_texts_of_items() -> Page:
    return iaa.report(single(), texts=False, **QUICK)


@pytest.mark.parametrize("form", ["html", "markdown", "latex", "terminal"])
def test_texts_stay_out_if_asked(form: str) -> None:
    if form != "terminal":  # which has no room for it
        assert "private text 9" in render(report_of("single"), form)
    page = without_texts_of_items()
    assert "private" not in render(page, form)
    assert "private" not in json.dumps(record_of(page))


def test_ids_that_are_texts_are_numbered_without_texts() -> None:
    ratings = single()
    named = ratings.assign_coords(item=[f"a long private text, number {k:>30}" for k in range(21)])
    assert without_texts(named)["item"].values.tolist() == list(range(1, 22))
    odd = Note("invisible_in_items", {"shown": ["a long private text, nu"], "items": 1})
    told = Note("read_as", {"parts": [Note("read_wide")]})
    noted = named.assign_attrs(reading=dump_notes([told, odd]))
    assert without_texts(noted).attrs["reading"] == dump_notes([told])
    assert noted.attrs["reading"] == dump_notes([told, odd])
    assert "batch" in without_texts(ratings, "batch").coords
    short = ratings.assign_coords(item=[f"I agree {k}" for k in range(21)])
    assert without_texts(short)["item"].values.tolist() == list(range(1, 22))
    assert {"text", "batch"}.isdisjoint(without_texts(ratings).coords)
    assert without_texts(ratings)["item"].values.tolist() == ratings["item"].values.tolist()


def test_columns_that_are_needed_bring_no_texts() -> None:
    ratings = single()
    drawn = {
        "sampling": iaa.Sampling(cluster="text"),
        "interval": "percentile",
        "replicates": 60,
    }
    page = iaa.report(ratings, texts=False, **drawn)
    assert "private" not in json.dumps(record_of(page))
    assert "private" not in render(page, "html")
    whole = iaa.agreement(ratings, **drawn)
    shown = page.results["coefficients"]
    np.testing.assert_array_equal(
        shown["ci_low"], whole["ci_low"].sel(coefficient=shown.coefficient)
    )
    long = ratings.assign_coords(text=("item", [f"{text:>50}" for text in ratings["text"].values]))
    assert "time" not in without_texts(long.rename(text="time")).coords
    with pytest.raises(iaa.IaaError, match="by='text' holds texts"):
        iaa.report(long, texts=False, by="text", **QUICK)


@pytest.mark.parametrize("kind", one_of(2, KINDS))
def test_a_report_is_one_file(reports: dict[str, Page], kind: str, tmp_path: Path) -> None:
    for copy in "ab":
        reports[kind].save(tmp_path / f"{copy}.html")
    first, second = ((tmp_path / f"{copy}.html").read_bytes() for copy in "ab")
    assert first == second
    assert len(first) < 500_000
    page = Outline(first.decode())
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"script", "iframe", "link", "img", "object", "embed", "form", "base"}
    named = [given["id"] for _, given in page.elements if "id" in given]
    assert len({*named}) == len(named)
    hrefs = [given["href"] for _, given in page.elements if given.get("href")]
    assert hrefs
    assert all(str(href).removeprefix("#") in named for href in hrefs)
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@cache
def hostile() -> Page:
    ratings = single(tuple(HOSTILE)).rename({"batch": HOSTILE[0]})
    ratings.attrs["files"] = json.dumps([HOSTILE[1], HOSTILE[4]])
    return iaa.report(ratings, title=HOSTILE[0], **QUICK)


@pytest.mark.parametrize("ending", ["html", "md", "tex", "json", "xlsx"])
def test_hostile_names_are_text_in_every_form(tmp_path: Path, ending: str) -> None:
    page = hostile()
    page.save(tmp_path / f"r.{ending}")
    if ending == "xlsx":
        return
    text = (tmp_path / f"r.{ending}").read_text("utf-8")
    if ending == "html":
        outline = Outline(text)
        assert not {tag for tag, _ in outline.elements} & {"script", "img", "iframe"}
        assert not [key for _, given in outline.elements for key in given if key.startswith("on")]
        assert "<script>alert(1)</script>" in "".join(outline.text)
    if ending == "tex":
        assert not re.search(r"\\input\{x\}", text)
    if ending == "md":
        assert "<script>" not in text
        assert "<img" not in text
    assert "\u202e" not in text or ending == "json"
    assert "\x00" not in text


def test_tables_of_sections_have_names_of_their_own(
    reports: dict[str, Page], tmp_path: Path
) -> None:
    names = [table.id for table in reports["single"].tables]
    assert len({*names}) == len(names)
    assert {"coefficients", "labels", "gold_items"} <= {*names}
    reports["single"].save(f"{tmp_path}/tables/")
    assert {path.stem for path in (tmp_path / "tables").iterdir()} == {*names}


def test_json_has_every_section(reports: dict[str, Page], tmp_path: Path) -> None:
    reports["single"].save(tmp_path / "r.json")
    told = json.loads((tmp_path / "r.json").read_text())
    assert {*told["sections"]} == {"labels", "annotators", "items", "gold", "plan"}
    assert told["coefficients"]["krippendorff_alpha"]["estimate"] == pytest.approx(
        float(iaa.krippendorff_alpha(single(), interval=None).estimate)
    )


def test_progress_tells_each_section() -> None:
    steps: list[str] = []

    class Progress:
        def step(self, name: str) -> None:
            steps.append(name)

        def __call__(self, done: int, total: int) -> None: ...

    iaa.report(single(), sections=["labels", "items"], progress=Progress(), **QUICK)
    assert [name for name in ("Agreement", "Labels", "Items") if name in steps] == [
        "Agreement",
        "Labels",
        "Items",
    ]


@pytest.fixture
def file(folder: Path) -> str:
    lines = ["item,annotator,label,text"]
    lines += [
        f"t{item},{who},{'ab'[(item * k) % 3 == 0]},private {item}"
        for item in range(12)
        for k, who in enumerate(("ann", "ben", "eve"), 1)
    ]
    (folder / "ratings.csv").write_text("\n".join(lines) + "\n")
    return "ratings.csv"


OF_FILE = ("--interval", "none", "--sections", "labels,items")


@pytest.mark.parametrize("options", [OF_FILE, ("--interval", "none", "--brief")])
def test_the_command_writes_over_its_own_file_alone_and_tells_the_answer(
    iaa: Callable[..., object], file: str, folder: Path, options: Sequence[str]
) -> None:
    usual = folder / ("brief.html" if "--brief" in options else "report.html")
    usual.write_text("<p>mine</p>")
    done = iaa("report", file, *options)
    assert done.exit_code == 2  # type: ignore[attr-defined]
    assert "--output" in done.stderr  # type: ignore[attr-defined]
    assert usual.read_text() == "<p>mine</p>"
    usual.unlink()
    done = iaa("report", file, *options)
    assert done.stdout.startswith("Krippendorff's alpha is ")  # type: ignore[attr-defined]
    assert done.stdout.rstrip().endswith(f"The report is {usual.name}.")  # type: ignore[attr-defined]
    text = usual.read_text()
    made = f"<code>iaa report ratings.csv {' '.join(options)}</code>"
    assert made in re.sub("</?span>", "", text)
    iaa("report", file, *options, "--require", "krippendorff_alpha>=-1")
    words = (
        r"\bRequired krippendorff_alpha &gt;= -1: undecided, it is -?\d\.\d+ without an interval"
    )
    assert re.search(words, usual.read_text())
    iaa("report", file, *options)
    assert usual.read_text() == text


def test_the_command_in_the_report_names_no_output(
    iaa: Callable[..., object], ran: Callable[..., object], file: str, folder: Path
) -> None:
    done = ran("report", file, *OF_FILE, "-o", "a.html", "--no-texts", "--title", "Our study")
    text = (folder / "a.html").read_text()
    assert "<h1>Our study</h1>" in text
    assert "a.html" not in text
    assert "--no-texts" in text
    done = iaa("report", file, *OF_FILE, "--no-texts", "--text", "text")
    assert done.exit_code == 2  # type: ignore[attr-defined]


def test_the_methods_say_what_was_done() -> None:
    ratings = iaa.from_wide([["1", "1", "2"]] * 9 + [["3", "2", "3"]] * 12, labels=["1", "2", "3"])
    page = iaa.report(ratings, sections=["labels"], level="ordinal", interval="bca", replicates=80)
    (_, remarks, sources) = page.sections["making"].blocks
    said = " ".join(str(page.sections["making"]).split())
    assert [note.code for note in remarks.notes] == ["methods", "paper"]  # type: ignore[union-attr]
    assert "3 annotators gave 63 ratings on 21 items, every item by all of them." in said
    assert "Krippendorff's alpha (ordinal level; Krippendorff 2004" in said
    assert "a 95 % interval (BCa bootstrap over items, Efron 1987, 80 draws, seed 0)" in said
    printed: str = sources.text  # type: ignore[union-attr]
    keys = re.findall(r"@\w+\{(\w+),", printed)
    assert keys == ["krippendorff2004", "hayes2007", "efron1987", "iaa_jax"]


def test_the_scale_of_a_report_is_among_its_sources() -> None:
    ratings = iaa.from_wide([["a", "a", "b"]] * 9 + [["c", "b", "c"]] * 12)
    page = iaa.report(ratings, sections=[], interval=None, scale="landis_koch")
    (*_, sources) = page.sections["making"].blocks
    assert "@article{landis1977," in sources.text  # type: ignore[union-attr]


@pytest.mark.parametrize(("causes", "told"), [(3, []), (4, ["cause_4"]), (6, ["next_more_causes"])])
def test_causes_beyond_the_first_three_are_told_or_counted(causes: int, told: list[str]) -> None:
    found = [Note("all_mended"), *(Note(f"cause_{k + 1}") for k in range(causes))]
    head = head_of(
        Page("Agreement", [Note("estimate")], []),
        [],
        [Note("step_read")],
        None,
        Advice(),
        Page("Findings", found, []),
        None,
        None,
    )
    first = [f"cause_{k + 1}" for k in range(3)]
    assert [note.code for note in head.answer] == ["estimate", *first, *told, "step_read"]
    assert [note.values["causes"] for note in head.answer if note.values] == [3] * (causes == 6)
