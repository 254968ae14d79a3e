"""Recognise the usual names of columns, totals, means and dates in tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

# Usual names in order of preference; names are compared without case, blanks and punctuation.
ITEM = (
    "item", "itemid", "textid", "unit", "unitid", "subject", "subjectid", "exampleid",
    "instanceid", "instance", "sampleid", "sentenceid", "documentid", "docid", "tweetid",
    "commentid", "postid", "taskid", "task", "questionid", "rowid", "uid", "id", "idx", "key",
    "caseid", "case", "imageid", "patientid", "studyid", "recordid", "rownames",
)  # fmt: skip
ANNOTATOR = (
    "annotator", "annotatorid", "annotatorname", "rater", "raterid", "coder", "coderid", "worker",
    "workerid", "judge", "judgeid", "labeler", "labelerid", "labeller", "reviewer", "annotatedby",
    "evaluator", "user", "userid", "username", "reader", "readerid", "observer", "observerid",
    "participant", "participantid", "respondent", "respondentid", "assessor", "examiner",
    "annotateur", "codeur", "anotador", "codificador", "annotatore", "kodierer", "codierer",
)  # fmt: skip
LABEL = (
    "label", "rating", "code", "category", "class", "answer", "annotation", "judgment",
    "judgement", "score", "value", "response",
)  # fmt: skip

MONTH = (
    r"(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|"
    r"oct(ober)?|nov(ember)?|dec(ember)?)"
)
"""Pattern of the name of a month."""
WITH_MONTH = rf".*\b{MONTH}\b.*\d.*"
"""Pattern of dates with the name of a month, such as Feb 06, 2024."""

_DATE = re.compile(
    r"\d{4}-\d{1,2}(-\d{1,2})?([T ].*)?|\d{4}[./]\d{1,2}[./]\d{1,2}\b.*"
    rf"|\d{{1,2}}[./-]\d{{1,2}}[./-](\d{{4}}|\d{{2}})\b.*|{WITH_MONTH}",
    re.IGNORECASE,
)

_TOTALS = re.compile(
    r"all|((grand|row|col|column|sub)[\s_-]*)?totals?|sums?|summen?|gesamt|gesamtsumme|insgesamt|"
    r"somme|totale|totaux|suma|soma|totaal|totalt|итого|всего|合計|合计|总计|總計|합계|Σ",
    re.IGNORECASE,
)


_MEANS = re.compile(
    r"means?|averages?|avg|overall|median|mittel(wert)?|durchschnitt|moyennes?|media|promedio|"
    r"m\u00e9dia|gemiddelde|medelv\u00e4rde|\u0441\u0440\u0435\u0434\u043d\u0435\u0435|\u5e73\u5747",
    re.IGNORECASE,
)


def named_like_totals(name: object) -> bool:
    """Tell whether the name of a row or column suggests totals.

    Examples
    --------
    >>> named_like_totals("Grand total"), named_like_totals("Summe"), named_like_totals("totally")
    (True, True, False)
    """
    return isinstance(name, str) and _TOTALS.fullmatch(name.strip().rstrip(":")) is not None


def named_like_means(name: str) -> bool:
    """Tell whether the name of a row or column suggests means.

    Examples
    --------
    >>> named_like_means("Average"), named_like_means("Mittelwert"), named_like_means("meaning")
    (True, True, False)
    """
    return _MEANS.fullmatch(name.strip().rstrip(":")) is not None


_OF_RECORDS = re.compile(
    r"(.*[\W_])?(ids?|uuid|guid|hash|status|state|times?|dates?|timestamp|duration|seconds|url|ip|"
    r"complete\??)"
    r"|.*[a-z](ID|URL)|.*[A-Za-z](Id|Status|State|Time|Date|Url)"
)


def named_like_records(name: str) -> bool:
    """Tell whether a column is named like a platform's record of an answer, such as an id or time.

    Examples
    --------
    >>> [named_like_records(name) for name in ("assignment_status", "HITId", "valid", "label")]
    [True, True, False, False]
    """
    return _OF_RECORDS.fullmatch(name.strip()) is not None


@lru_cache(maxsize=1 << 12)
def bare_name(name: str) -> str:
    """Return the letters and digits of a name in lower case (cached, since it is called often).

    Examples
    --------
    >>> bare_name("Text_ID")
    'textid'
    """
    return re.sub(r"[\W_]", "", name).lower()


def usual_name(names: Sequence[str], known: Sequence[str]) -> str | None:
    """Return the one of ``names`` that comes first in ``known``; None if none of them is there.

    Examples
    --------
    >>> usual_name(["id", "Text ID", "label"], ITEM)
    'Text ID'
    """
    bare = {bare_name(name): name for name in reversed(names)}
    return next((bare[name] for name in known if name in bare), None)


def mostly_dates(texts: Sequence[str]) -> bool:
    """Tell whether more than half of the texts look like dates."""
    return 2 * sum(_DATE.fullmatch(text) is not None for text in texts) > len(texts)
