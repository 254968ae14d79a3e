"""Reads UIMA documents: checks them, and leaves parsing to the package dkpro-cassis.

Cassis turns names of types and features into Python code, and its XML parser expands entities. So a
document that declares entities, or has invalid names, is refused. Types that no type system
describes are inferred from the file.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from io import BytesIO
from itertools import accumulate
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse

from iaa_jax._errors import IaaError, brief
from iaa_jax.data.marked.texts import text_from_utf16
from iaa_jax.data.notices.similar import JOINT
from iaa_jax.io.export.answers import span_of, text_of
from iaa_jax.io.export.json_records import document_of
from iaa_jax.io.export.xml import check_xml
from iaa_jax.io.table.source import Source
from iaa_jax.io.tools.inception.layers import LayerMark, Version, short
from iaa_jax.io.tools.inception.words import ID, without_words

if TYPE_CHECKING:
    from cassis import Cas, TypeSystem

_DECLARATION = re.compile(rb"^\s*<\?xml\b[^>]*?\?>")
_CONTROL = re.compile(rb"&#(?:x0*(?:[1-8bcef]|1[0-9a-f])|0*(?:[1-8]|1[124-9]|2[0-9]|3[01]));", re.I)
_PLACES = ("sofa", "begin", "end")
_DEEPEST = 8  # maximum depth of elements; XMI has three levels, and a type system has six

_OF_TEXT = (
    "uima.tcas.DocumentAnnotation",
    "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.",
    "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.",
    "de.tudarmstadt.ukp.clarin.webanno.api.type.",
    "org.dkpro.core.api.xml.type.",
    "org.dkpro.core.api.pdf.type.",
)
"""Beginnings of the names of types of the text itself, such as tokens."""

_BETWEEN = ({"Governor", "Dependent"}, {"referenceType", "referenceRelation"}, {"first"})
"""Features of relations, and of the links and heads of chains."""


@dataclass
class _Type:
    """A type as found in a file, with its features, and whether each is a list."""

    features: dict[str, bool] = field(default_factory=dict)
    is_span: bool = False


def version_of_xmi(
    source: Source,
    types: Source | None,
    asked: str | None,
    loaded: dict[bytes, TypeSystem],
    *,
    has_text: bool,
) -> Version:
    """Read XMI; `asked` is a layer that is read even if it belongs to the text.

    Type systems are kept in `loaded`.
    """
    data = check_xml(source, _plain_xml(source))
    types_of_file, root = _types_in(source, data)
    data = without_words(root, asked) or data
    with _CasErrors(source) as reading:
        from cassis import load_cas_from_xmi

        system = _system(types, types_of_file, loaded)
        # `trusted` only lifts limits on long texts, since entities were refused
        cas = load_cas_from_xmi(BytesIO(data), typesystem=system, trusted=True)
        reading.check_places()
        return _version(source, cas, asked, has_text=has_text)


def version_of_json(source: Source, asked: str | None, *, has_text: bool) -> Version:
    """Read UIMA JSON."""
    document: dict[str, Any] = document_of(source)
    types = document.setdefault("%TYPES", {})
    structures = document.setdefault("%FEATURE_STRUCTURES", [])
    document.setdefault("%VIEWS", {})
    if isinstance(structures, dict):
        structures = list(structures.values())
    if not isinstance(structures, list) or not isinstance(types, dict):
        raise IaaError(f"{source}: %TYPES must be an object and %FEATURE_STRUCTURES a list")
    for structure in structures:
        if not isinstance(structure, dict) or not isinstance(structure.get("%TYPE"), str):
            raise IaaError(f"{source}: a feature structure without type: {brief(structure)}")
        name = structure["%TYPE"].removesuffix("[]")
        features = [key.lstrip("@#^") for key in structure if not key.startswith("%")]
        if name not in types and not name.startswith("uima."):
            is_span = "begin" in features
            types[name] = {
                "%NAME": name,
                "%SUPER_TYPE": "uima.tcas.Annotation" if is_span else "uima.cas.TOP",
            }
        if not name.startswith("uima.") and isinstance(types.get(name), dict):
            for key in features:
                if key not in _PLACES and not _inherits(types, name, key):
                    types[name][key] = {"%NAME": key, "%RANGE": "uima.cas.String"}
    for name, described in types.items():
        _check_name(source, name.removesuffix("[]"))
        for key in described if isinstance(described, dict) else ():
            if not key.startswith("%"):
                _check_name(source, key)
    with _CasErrors(source) as reading:
        from cassis import load_cas_from_json

        cas = load_cas_from_json(json.dumps(document))
        reading.check_places()
        return _version(source, cas, asked, has_text=has_text)


class _CasErrors:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.caught = warnings.catch_warnings(record=True)

    def __enter__(self) -> _CasErrors:
        if find_spec("cassis") is None:
            raise IaaError(
                f"{self.source} is a UIMA file, and dkpro-cassis, which reads these, is not "
                "installed: install it with pip install 'iaa_jax[uima]', or export WebAnno TSV 3"
            )
        self.warned = self.caught.__enter__()
        warnings.simplefilter("always")
        return self

    def check_places(self) -> None:
        """Refuse positions that cassis could not find in the text."""
        if any("Not mapping" in str(warning.message) for warning in self.warned or ()):
            raise IaaError(
                f"{self.source}: a span begins or ends outside of the text, or in a character"
            )

    def __exit__(self, kind: object, error: BaseException | None, traceback: Any) -> None:
        self.caught.__exit__(None, None, None)
        if isinstance(error, Exception) and not isinstance(error, (IaaError, MemoryError)):
            reason = " ".join(str(error).split()) or type(error).__name__
            raise IaaError(f"{self.source} cannot be read as UIMA: {brief(reason)}") from None


def _plain_xml(source: Source) -> bytes:
    """Return XML as UTF-8 without a declaration.

    Control characters, which XML 1.1 allows, are replaced.
    """
    return _CONTROL.sub(b"&#xFFFD;", _DECLARATION.sub(b"", source.content(), count=1))


def _elements(source: Source, data: bytes) -> Iterator[tuple[int, Element]]:
    """Yield each element of XML with its depth; refuse XML that declares entities."""
    depth = 0
    try:
        for event, element in iterparse(BytesIO(data), ("start", "end"), forbid_dtd=True):
            depth += 1 if event == "start" else 0
            if depth > _DEEPEST:
                raise IaaError(f"{source} is nested too deeply to be a UIMA file")
            if event == "end":
                yield depth, element
                depth -= 1
    except DefusedXmlException:
        msg = (
            f"{source} declares a document type or entities; UIMA files do not, and a small file "
            "can fill memory or fetch other files by them: it is not read"
        )
    except ParseError as error:
        msg = f"{source} is damaged: line {error.position[0]}: {error}"
    else:
        return
    raise IaaError(msg)


def _types_in(source: Source, data: bytes) -> tuple[dict[str, _Type], Element]:
    types: dict[str, _Type] = {}
    shapes: set[tuple[str, ...]] = set()  # most elements repeat the features of earlier ones
    lists: list[str] = []
    element = Element("")  # the last element to end is the root
    for depth, element in _elements(source, data):
        if depth == 3:
            lists.append(element.tag)
        elif depth == 2:
            shape = (element.tag, *element.attrib, *lists)
            if shape in shapes:
                lists.clear()
                continue
            shapes.add(shape)
            name = _type_name(source, element.tag)
            known = types.setdefault(name, _Type())
            known.is_span = known.is_span or {*_PLACES} <= element.attrib.keys()
            for feature in element.attrib:
                if feature != ID:
                    known.features.setdefault(feature, False)
            known.features.update(dict.fromkeys(lists, True))
            lists.clear()
        elif depth > 3:
            raise IaaError(
                f"{source} is no XMI of UIMA: {brief(element.tag)} stands too deep in it"
            )
    for name, known in types.items():
        for part in (name, *known.features):
            _check_name(source, part)
    return types, element


def _type_name(source: Source, tag: str) -> str:
    space, _, name = tag.removeprefix("{http:///").partition(".ecore}")
    if not name or not tag.startswith("{http:///"):
        raise IaaError(f"{source} is not UIMA XMI: it has an element {brief(tag)}")
    return f"{space.replace('/', '.')}.{name}".removeprefix("uima.noNamespace.")


def _check_description(source: Source, data: bytes) -> None:
    for _, element in _elements(source, data):
        kind = element.tag.rpartition("}")[2]
        if kind in ("typeDescription", "featureDescription"):
            for part in element:
                named = part.tag.rpartition("}")[2] in (
                    "name", "supertypeName", "rangeTypeName", "elementType"
                )  # fmt: skip
                if named and (part.text or "").strip():
                    _check_name(source, str(part.text).strip().removesuffix("[]"))


def _check_name(source: Source, name: str) -> None:
    """Refuse an invalid name, because cassis turns names into code."""
    if not all(part.isidentifier() for part in name.split(".")):
        raise IaaError(f"{source}: {brief(name)} is not a valid name of a UIMA type or feature")


def _system(
    types: Source | None, found: dict[str, _Type], loaded: dict[bytes, TypeSystem]
) -> TypeSystem:
    from cassis import TypeSystem, load_typesystem

    if types is None:
        system = TypeSystem()
    else:
        described = _plain_xml(types)
        if described not in loaded:
            _check_description(types, described)
            loaded[described] = load_typesystem(BytesIO(described))
        system = loaded[described]
        if all(
            system.contains_type(name, match_exactly=True)
            and all(system.get_type(name).get_feature(_accessor(part)) for part in known.features)
            for name, known in found.items()
            if not name.startswith("uima.cas.")
        ):
            return system
        system = load_typesystem(BytesIO(described))  # additions are for this file alone
    _complete(system, found)
    return system


def _accessor(feature: str) -> str:
    return f"{feature}_" if feature in ("self", "type") else feature


def _complete(system: TypeSystem, found: dict[str, _Type]) -> None:
    for name, known in found.items():
        if name.startswith("uima.cas."):
            continue
        if not system.contains_type(name, match_exactly=True):
            in_text = "AnnotationBase" if "sofa" in known.features else "TOP"
            above = "uima.tcas.Annotation" if known.is_span else f"uima.cas.{in_text}"
            system.create_type(name, supertypeName=above)
        of_type = system.get_type(name, match_exactly=True)
        for feature, is_list in known.features.items():
            if of_type.get_feature(_accessor(feature)) is None:
                kind = "uima.cas.StringArray" if is_list else "uima.cas.String"
                system.create_feature(of_type, feature, kind)


def _inherits(types: dict[str, Any], name: str, feature: str) -> bool:
    passed = set()
    while isinstance(types.get(name), dict) and name not in passed:
        passed.add(name)
        if feature in types[name]:
            return True
        name = str(types[name].get("%SUPER_TYPE"))
    return False


def _version(source: Source, cas: Cas, asked: str | None, *, has_text: bool) -> Version:
    version = Version(source)
    views = [(view, cas.get_view(view.sofa.sofaID).select_all_annotations()) for view in cas.views]
    views = [(view, found) for view, found in views if found or view.sofa.sofaString is not None]
    if len(views) > 1:
        raise IaaError(
            f"{source} holds several texts, of which only one can be a document: "
            f"{brief([view.sofa.sofaID for view, _ in views])}"
        )
    for view, found in views:
        text = view.sofa.sofaString
        units = None if text is None else _utf16(text)
        if text is not None:
            version.text, version.length = hash(text), units[-1] if units else len(text)
            version.shown = text_from_utf16(text) if has_text else ""
        for annotation in found:
            _add(version, annotation, units, asked)
        for whole in cas.get_view(view.sofa.sofaID).select("uima.cas.AnnotationBase"):
            features = {feature.name for feature in whole.type.all_features}
            if not (
                features & {"begin", "first"} or whole.type.name.startswith(("uima.", *_OF_TEXT))
            ):
                version.of_documents.add(whole.type.name)
    return version


def _utf16(text: str) -> list[int] | None:
    """Return the UTF-16 positions of characters; None if they equal the indices."""
    if text.isascii() or max(text) <= "\uffff":
        return None
    return [0, *accumulate(1 + (character > "\uffff") for character in text)]


def _add(version: Version, found: Any, units: list[int] | None, asked: str | None) -> None:
    name = found.type.name
    features = {feature.name for feature in found.type.all_features}
    if name.endswith(".DocumentMetaData"):
        title, user = (getattr(found, key, None) for key in ("documentTitle", "documentId"))
        version.title = (str(title), str(user)) if title and user else None
    if any(between <= features for between in _BETWEEN):
        version.not_read.add(name)
        return
    if name.startswith(_OF_TEXT) and short(name) != asked:
        return
    start, end = found.begin, found.end
    if units is not None:
        start, end = (
            units[n] if type(n) is int and 0 <= n < len(units) else n for n in (start, end)
        )
    span = span_of(start, end, "", f"{version.source}, a span of {short(name)}")
    values = {}
    for feature in found.type.all_features:
        if feature.name not in _PLACES:
            value = _text(getattr(found, feature.name, None))
            if value:
                values[feature.name.removesuffix("_" * bool(feature._has_reserved_name))] = value
    version.marks[name].append(LayerMark(span.start, span.end, values))


def _text(value: Any) -> str:
    """Return a value as text; "" for references."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, int, float)):
        return text_of(value)
    several = getattr(value, "elements", None)
    if isinstance(several, Iterable) and all(isinstance(part, str) for part in several):
        return JOINT.join(sorted(several))
    return ""
