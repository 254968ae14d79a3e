"""Removes from XMI the words and sentences, which are most of a file but not annotations.

Recognising an element takes a tenth of the time that the package cassis needs to parse it. Unusual
documents are left to cassis.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from xml.etree.ElementTree import Element, tostring

ID = "{http://www.omg.org/XMI}id"
_SOFA, _VIEW = "{http:///uima/cas.ecore}Sofa", "{http:///uima/cas.ecore}View"
_WORDS = ("Token", "Sentence")
_SEGMENTS = "{http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore}"
_NOT_REFERRED = frozenset({ID, "sofa", "begin", "end"})


def without_words(root: Element, asked: str | None) -> bytes | None:
    """Return a document without its words; None if it has to be read as a whole.

    It has to be read as a whole if the words are irregular, if anything may refer to a word by id,
    or if writing it again would change line breaks. Elements of the type ``asked`` stay.
    """
    tags = {f"{_SEGMENTS}{name}" for name in _WORDS if name != asked}
    words = [element for element in root if element.tag in tags]
    kept = [element for element in root if element.tag not in tags]
    sofas, views = ([element for element in kept if element.tag == tag] for tag in (_SOFA, _VIEW))
    if not words or len(sofas) != 1 or len(views) != 1:
        return None
    (sofa,), (view,) = sofas, views
    text, number = sofa.get("sofaString"), sofa.get(ID)
    if text is None or number is None or view.get("sofa") != number:
        return None
    places = {*map(str, _places(text))}
    ids = {element.get(ID, "") for element in words}
    members = view.get("members", "").split()
    if len(ids) < len(words) or not ids.issubset(members):
        return None
    if any(
        len(element)
        or element.get("sofa") != number
        or element.get("begin") not in places
        or element.get("end") not in places
        for element in words
    ):
        return None
    for element in kept:
        if any("\r" in (part.text or "") for part in element):
            return None
        if element is not view and element is not sofa:
            values = [value for name, value in element.items() if name not in _NOT_REFERRED]
            values += [part.text or "" for part in element]
            if not ids.isdisjoint(part for value in values for part in value.split()):
                return None
            if element.get(ID) in ids:
                return None
    view.set("members", " ".join(member for member in members if member not in ids))
    root[:] = kept
    return tostring(root, encoding="unicode").encode()


def _places(text: str) -> Iterable[int]:
    if text.isascii() or max(text) <= "\uffff":
        return range(len(text) + 1)
    return accumulate((1 + (mark > "\uffff") for mark in text), initial=0)
