"""Unsupported formats: the refusal names them, and says what to read instead."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from iaa_jax import IaaError, read, read_spans
from iaa_jax.io.table.source import Source
from iaa_jax.io.unsupported import UNSUPPORTED, unsupported

Write = Callable[..., Path]

SAMPLES = Path(__file__).parent / "samples"
MANIFEST = {
    "source": "The room was spotless.",
    "tone": 1,
    "tone-metadata": {"class-name": "good", "type": "groundtruth/text-classification",
                      "job-name": "labeling-job/tone", "human-annotated": "yes"},
}  # fmt: skip
FILES = {
    "cvat.xml": b'<?xml version="1.0"?>\n<annotations>\n<version>1.1</version><image id="0"/>',
    "voc.xml": b"<annotation><folder>f</folder><filename>a.jpg</filename></annotation>",
    "coco.json": json.dumps({"images": [], "annotations": [], "categories": []}),
    "coco_results.json": json.dumps(
        [{"image_id": 4, "category_id": 18, "bbox": [258.15, 41.2, 348.2, 243.7], "score": 0.2}]
    ),
    "boxes.txt": "0 0.5 0.25 .125 0.1\n1 0.5 0.25 0.125 1.0\n",
    "via.json": json.dumps({"_via_settings": {}, "_via_img_metadata": {}}),
    "via.csv": "filename,file_size,region_shape_attributes,region_attributes\na.jpg,5,{},{}\n",
    "vott.json": json.dumps({"name": "x", "videoSettings": {}, "assets": {}}),
    "vott_asset.json": json.dumps({"asset": {}, "regions": [], "version": "2.1.0"}),
    "labelme.json": json.dumps({"version": "5", "shapes": [], "imagePath": "a.jpg"}),
    "labelbox.ndjson": json.dumps({"data_row": {}, "media_attributes": {}, "projects": {}}),
    "talk.exb": '<?xml version="1.0"?>\n<!-- (c) -->\n<basic-transcription>\n<head>',
    "talk.TextGrid": 'File type = "ooTextFile"\nObject class = "TextGrid"\n'.encode("utf-16"),
    "output.manifest": json.dumps(MANIFEST),
    "a123.csv": "_unit_id,_golden,_trusted_judgments,tone,tone:confidence\n1,false,3,good,0.66\n",
    "project.boris": json.dumps(
        {"time_format": "hh:mm:ss", "project_name": "p", "behaviors_conf": {}, "observations": {}}
    ),
    "ratings.sas7bdat": bytes(12) + b"\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\0\x09\xc7",
    "ratings.xpt": b"HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!0000" + bytes(80),
    "ratings.por": b"\xc1\xe2\xc3\xc9\xc9\x40",
    "data.RData": b"\x1f\x8b\x08\0",
    "old.xls": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    "anova.omv": b"PK\x03\x04",
    "dev.conllu": "# sent_id = s1\n1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n\n",
    "paper.xml": "<P><S>We use <term class='tech'>speech synthesis</term> here.</S></P>",
    "paper.txt": "We use <term>speech synthesis</term> and\n<term>words</term>, here.\n",
    "data.feather": b"ARROW1\0\0",
    "prodigy.db": b"SQLite format 3\0",
}


def save(folder: Path, name: str) -> Path:
    data = FILES[name]
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def refused(path: object, **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        read(path, **options)  # type: ignore[arg-type]
    return str(caught.value)


@pytest.mark.parametrize("name", FILES)
def test_refusals_name_what_it_is(tmp_path: Path, name: str) -> None:
    path = save(tmp_path, name)
    known = unsupported(Source(path))
    assert known is not None
    assert refused(path) == f"{path} is {known.title}, which is not read: {known.instead}"
    with pytest.raises(IaaError, match="which is not read"):
        read_spans(path)


def test_every_row_is_tested(tmp_path: Path) -> None:
    found = {known.title for name in FILES if (known := unsupported(Source(save(tmp_path, name))))}
    assert found == {row.title for row in UNSUPPORTED}


def test_the_manifest_names_what_to_read(tmp_path: Path) -> None:
    path = save(tmp_path, "output.manifest")
    assert "read the workers' answers, in the folder annotations/worker-response" in (refused(path))


def test_inside_folders_and_archives(tmp_path: Path) -> None:
    folder = tmp_path / "images"
    folder.mkdir()
    save(folder, "cvat.xml")
    assert "is CVAT (XML), which is not read" in refused(folder)
    shutil.make_archive(str(tmp_path / "images"), "zip", folder)
    assert "cvat.xml is CVAT (XML), which is not read" in refused(tmp_path / "images.zip")
    (folder / "tags.csv").write_text("item,annotator,label\n1,a,x\n1,b,x\n")
    ratings = read(folder)
    assert ratings.attrs["layout"] == "long"
    assert "1 file of images ('cvat.xml')" in ratings.attrs["skipped"]
    assert "is CVAT (XML)" in refused([folder / "tags.csv", folder / "cvat.xml"])


def test_texts_beside_it_are_no_tables(tmp_path: Path) -> None:
    """As what boxes are about stands beside them."""
    folder = tmp_path / "boxes"
    folder.mkdir()
    (folder / "README.txt").write_text("Boxes of 12 images\n")
    save(folder, "coco.json")
    assert "coco.json is COCO" in refused(folder)
    (folder / "README.txt").unlink()
    (folder / "tags.json").write_text("{")
    assert "tags.json" in refused(folder)  # damaged, and no prose
    (folder / "tags.json").unlink()
    (folder / "tags.csv").write_text("a,b\n1,2\n")
    assert "tags.csv: cannot tell how the table is laid out" in refused(folder)
    (folder / "tags.csv").write_text("item,annotator,label\n1,a,x\n1,b,x\n")
    assert "1 file of boxes ('coco.json')" in read(folder).attrs["skipped"]


def test_spreadsheets(tmp_path: Path) -> None:
    for name, members in (("a.ods", ("mimetype", "content.xml")),):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            for member in members:
                archive.writestr(member, "x")
        assert "is a spreadsheet or another office file" in refused(tmp_path / name)
        assert "save it as CSV" in refused(tmp_path / name)
    assert "is a file of a spreadsheet, office or statistics program, which is not read" in refused(
        tmp_path
    )


def test_what_is_asked_for_is_tried(tmp_path: Path) -> None:
    path = tmp_path / "coco.json"
    rows = [{"item": 1, "annotator": who, "label": "x"} for who in "ab"]
    path.write_text(json.dumps({"images": [], "annotations": rows, "categories": []}))
    assert "is COCO" in refused(path)
    assert read(path, records="annotations").sizes["annotator"] == 2


def test_nothing_else_is_recognised() -> None:
    known = {
        path.relative_to(SAMPLES).as_posix()
        for path in SAMPLES.rglob("*")
        if path.is_file() and unsupported(Source(path)) is not None
    }
    assert known == {"sagemaker/synthetic_job/manifests/output/output.manifest"}


@pytest.mark.parametrize(
    "text",
    [
        *("", "0 1 2 3 4\n", "1,0.5,0.5,0.5,0.5\n", "<x>", "{", "[1]", "\0"),
        *("id\tt\n1\ta <b>c</b> d\n", "<a><b>c</b></a>", "1\ta\tb\tc\td\te\tf\tg\th\ti\n"),
    ],
)
def test_any_other_file_is_none_of_them(write: Write, text: str) -> None:
    assert unsupported(Source(write(text, "a.txt"))) is None
