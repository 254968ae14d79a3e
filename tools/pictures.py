"""Draw docs/images/NAME.svg, a picture of each kind, by the code that docs/gallery.md shows.

``python tools/pictures.py`` draws all of them, or the ones named on the command line. ``--check``
reports pictures whose words or numbers differ from the committed ones; lines may move with another
version of matplotlib. `tools/generate.py` writes the page.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"

DEMO = 'ratings = iaa.read("iaa_jax/demo/pandalm.csv")'
MODELS = '["gpt-3.5-turbo", "pandalm-7b"]'
PEOPLE = '["annotator1", "annotator2", "annotator3"]'
OF_PEOPLE = f'people = iaa.read("iaa_jax/demo/pandalm.csv", annotators={PEOPLE})'
TURNS = """files = ["docs/data/convabuse/round1.csv", "docs/data/convabuse/round2.csv"]
columns = {"item": "item", "annotator": "annotator", "label": "severity"}
turns = iaa.read(files, **columns, duplicates="first")"""


class Drawn(NamedTuple):
    """A picture of the gallery.

    Attributes
    ----------
    name : str
        Name of its file.
    shows : str
        What it shows, used as heading and as alternative text.
    page : str
        Name of the documentation page with more.
    reading : str
        How to read it, in a sentence or two.
    code : str
        Code that makes the ``result`` to draw.
    """

    name: str
    shows: str
    page: str
    reading: str
    code: str


GALLERY = (
    Drawn(
        "intervals",
        "Coefficients with their intervals",
        "intervals",
        "Coefficients that correct for chance in much the same way are close together. Percent "
        "agreement, which does not correct, is higher.",
        f"{OF_PEOPLE}\nresult = iaa.agree(people)",
    ),
    Drawn(
        "diagnosis",
        "Which labels are confused",
        "diagnosis",
        "A row is the label that one annotator gave, a column what another gave to the same item.",
        f'{TURNS}\nresult = iaa.labels(turns, level="ordinal")',
    ),
    Drawn(
        "annotators",
        "Who agrees with whom",
        "diagnosis",
        "The three people agree with one another far better than either model agrees with them.",
        f"{DEMO}\nresult = iaa.annotators(ratings)",
    ),
    Drawn(
        "findings",
        "What each cause of disagreement costs",
        "findings",
        "Each gain is what putting this cause right adds to those above it.",
        f"{DEMO}\nresult = iaa.findings(ratings)",
    ),
    Drawn(
        "compare",
        "Where two sets of ratings differ",
        "compare",
        "To the left of 0 the models agree less than the people do: most of all about ties.",
        f'{OF_PEOPLE}\nmodels = iaa.read("iaa_jax/demo/pandalm.csv", annotators={MODELS})\n'
        'result = iaa.compare(people, models, names=("people", "models"), per_label=True)',
    ),
    Drawn(
        "variance",
        "How many annotators the mean of an item takes",
        "variance",
        "Absolute decisions compare ratings of different annotators; relative ones only the order "
        "of items that the same annotators rated.",
        "rows = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8]]\n"
        "rows += [[7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]\n"
        "result = iaa.variance(iaa.from_values(rows))",
    ),
    Drawn(
        "items",
        "How many items are disputed",
        "diagnosis",
        "For each item: the share of its pairs of ratings that agree.",
        f"{DEMO}\nresult = iaa.items(ratings)",
    ),
    Drawn(
        "drift",
        "Agreement from the first item to the last",
        "drift",
        "The dashed line is the step that fits best. Judge the curve by the paler band, which "
        "holds for all points together.",
        f'{DEMO}\nresult = iaa.drift(ratings, "order", replicates=500)',
    ),
    Drawn(
        "watch",
        "An interval that holds at every look",
        "watch",
        "There is a look after every hundred items. The annotation may stop as soon as the "
        "interval lies above the bar, which is the dotted line.",
        f"{OF_PEOPLE}\n"
        'day = [k // 100 for k in range(people.sizes["item"])]\n'
        'result = iaa.watch(people.assign_coords(day=("item", day)), order="day", bar=0.8)',
    ),
    Drawn(
        "plan",
        "How many items an interval needs",
        "plan",
        "The dotted line is the half-width that is wanted. Where a curve crosses it, the number of "
        "items is large enough.",
        f"{OF_PEOPLE}\nresult = iaa.plan(people.isel(item=slice(0, 150)), half_width=0.04)",
    ),
    Drawn(
        "gold",
        "How many votes support the gold labels",
        "gold",
        "All annotators agree on half of the items. On a fifth of them the majority is three votes "
        "of five.",
        f"{DEMO}\nresult = iaa.gold(ratings)",
    ),
    Drawn(
        "sharpen",
        "How much each annotator counts",
        "gold",
        "Step by step, weights go from equal ones to those by which annotators agree best.",
        f"{DEMO}\nresult = iaa.sharpen(ratings, replicates=200)",
    ),
    Drawn(
        "judge",
        "May a model take the place of a person?",
        "judge",
        "A model wins against a person if it agrees with the others better, or at most epsilon "
        "worse. It passes where it wins against half of the people, which is the dotted line.",
        f'{DEMO}\nresult = iaa.judge(ratings, ["gpt-3.5-turbo", "pandalm-7b"])',
    ),
    Drawn(
        "panels",
        "The best panel of each size",
        "panels",
        "A line goes from the worst panel of a size to the best. Three annotators agree far better "
        "than all five.",
        f"{DEMO}\nresult = iaa.panels(ratings)",
    ),
    Drawn(
        "missing",
        "What missing ratings could change",
        "missing",
        "To the right, missing ratings disagree more than observed ones. The claim fails "
        "where the interval meets the dotted line.",
        f'{TURNS}\nresult = iaa.missing(turns, above=0.3, level="ordinal")',
    ),
    Drawn(
        "spans",
        "Spans: labels, boundaries, or both",
        "spans",
        "Strict F1 wants the same boundaries and the same label. Partial F1 is higher by what is "
        "lost only at boundaries.",
        """from random import Random

draw, documents = Random(3), {}
for document in range(40):
    ann = [(start, start + 3, draw.choice(["PER", "ORG"])) for start in range(0, 30, 6)]
    found = [span for span in ann if draw.random() < 0.9]
    ben = [
        (start, end + (draw.random() < 0.2), draw.choice([label] * 9 + ["ORG"]))
        for start, end, label in found
    ]
    documents[f"d{document}"] = {"ann": ann, "ben": ben}
spans = iaa.from_spans(documents, lengths=dict.fromkeys(documents, 34))
result = iaa.agree(spans)""",
    ),
    Drawn(
        "primary_secondary",
        "What second labels are worth",
        "primary_secondary",
        "On the left both labels of a rating count the same, on the right only the first. The "
        "dashed line is the maximum that these ratings could reach.",
        """said = "plan/ask ask/plan, ask ask/tell, tell tell, plan plan/tell, tell/ask plan"
pairs = [pair.split() for pair in said.split(", ")] * 12
rows = [
    (item, who, *(label.split("/") + [None])[:2])
    for item, pair in enumerate(pairs)
    for who, label in zip(["ann", "ben"], pair)
]
columns = dict(zip(["item", "annotator", "label", "second"], zip(*rows)))
ratings = iaa.from_long(columns, secondary="second")
result = iaa.sweep(ratings, p=21, replicates=500)""",
    ),
)


def page() -> str:
    """Return the gallery, for the documentation."""
    parts = [
        "# Gallery\n\nEach picture is that of `result` in the lines below it: "
        '`iaa.page(result).save("picture.svg")` writes it (or `.png`, `.pdf`), and '
        "`iaa.plot(result)` draws it on [your own axes](report.md). All are also in the pages that "
        "commands write: `iaa labels ratings.csv --output labels.html`. Lines start with "
        "`import iaa_jax as iaa`, in a copy of the repository."
    ]
    for drawn in GALLERY:
        more = f"[{drawn.page.replace('_', ' ')}]({drawn.page}.md)"
        parts.append(
            f"## {drawn.shows}\n\n![{drawn.shows}](images/{drawn.name}.svg)\n\n"
            f"{drawn.reading} Read on: {more}.\n\n```py\n{drawn.code}\n```"
        )
    return "\n\n".join(parts) + "\n"


def draw(drawn: Drawn) -> bytes:
    """Return a picture, drawn by its code."""
    import iaa_jax as iaa

    names: dict[str, Any] = {"iaa": iaa}
    exec(compile(drawn.code, drawn.name, "exec"), names)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{drawn.name}.svg"
        iaa.page(names["result"]).save(file)
        return file.read_bytes()


def words(svg: bytes) -> list[str]:
    """Return the texts in a picture."""
    texts = re.findall(r"<text\b[^>]*>([^<]*)</text>", svg.decode("utf-8"))
    return [unescape(each) for each in texts]


def main() -> int:
    """Draw the chosen pictures, or report those that are not up to date."""
    os.chdir(ROOT)  # the code reads files of the repository
    sys.path.insert(0, str(ROOT))
    check = "--check" in sys.argv[1:]
    chosen = {name for name in sys.argv[1:] if name != "--check"}
    if unknown := chosen - {drawn.name for drawn in GALLERY}:
        raise SystemExit(f"tools/pictures.py: there is no {', '.join(sorted(unknown))}")
    stale = 0
    for drawn in GALLERY:
        if chosen and drawn.name not in chosen:
            continue
        file, wanted = IMAGES / f"{drawn.name}.svg", draw(drawn)
        if check:
            if not file.exists() or words(file.read_bytes()) != words(wanted):
                stale += 1
                print(f"{file.relative_to(ROOT)} is not as tools/pictures.py draws it")
        elif not file.exists() or file.read_bytes() != wanted:
            file.write_bytes(wanted)
            print(f"{file.relative_to(ROOT)} is written")
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main())
