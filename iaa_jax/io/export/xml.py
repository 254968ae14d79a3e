"""Parses XML of tools, and refuses XML that declares entities."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from iaa_jax._errors import IaaError
from iaa_jax.io.table.json_memory import LARGE, check_memory, width
from iaa_jax.io.table.source import Source

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_START = 1 << 12  # number of bytes searched for the root
_DOCTYPE = re.compile(
    rb"""\A((?:\xef\xbb\xbf)?(?>\s+|<\?.*?\?>|<!--.*?-->)*+)"""
    rb"""<!DOCTYPE\s+[\w.:-]+(?:\s+SYSTEM\s*(?:"[^"<>]*"|'[^'<>]*'))?\s*>""",
    re.DOTALL,
)


def root_name(source: Source) -> str:
    """Return the name of the root of XML; "" for other files. Never raises."""
    return source.once("root of xml", lambda: _root_name(source))


def _root_name(source: Source) -> str:
    data = source.start(_START).lstrip(b"\xef\xbb\xbf\xff\xfe").replace(b"\0", b"").lstrip()
    match = re.search(rb"<([A-Za-z][^\s/>]*)", data) if data[:1] == b"<" else None
    return match[1].decode("utf-8", "replace") if match else ""


def xml_memory(data: bytes) -> int:
    """Return the maximum memory in bytes that parsed XML needs, from counts of characters.

    Examples
    --------
    >>> xml_memory(b"<a/>" * 1000) > 88_000, xml_memory(b"<a>a long text</a>") < 400
    (True, True)
    """
    ends, attributes = data.count(b"</"), data.count(b"=")
    elements, texts = data.count(b"<") - ends, data.count(b">") - data.count(b"><")
    # bytes of an element, of references to its children, of its attributes, and of its texts
    return (
        104 * elements
        + 64 * min(elements, ends)
        + 264 * min(elements, attributes)
        + 96 * attributes
        + 60 * texts
        + width(data) * len(data)
    )


def check_xml(source: Source, data: bytes) -> bytes:
    """Refuse XML that, once parsed, may take more than twice the memory allowed for text."""
    if len(data) > LARGE:
        check_memory(source, len(data), xml_memory(data), "XML")
    return data


def root_of(source: Source, tool: str, *, has_doctype: bool = False) -> Element:
    """Return the root element of a tool's XML.

    If ``has_doctype``, the XML may name a document type.

    The document type is removed before parsing. Otherwise a parser could skip entities because it
    expects their declarations in another file.
    """
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    data = check_xml(source, source.raw())
    declared = "a document type or entities"
    if has_doctype:
        data, declared = (
            _DOCTYPE.sub(rb"\1", data, count=1),
            "more of its document type than its name",
        )
    try:
        text = data if source.encoding is None else data.decode(source.encoding)
        return cast("Element", fromstring(text, forbid_dtd=True))
    except ParseError as error:
        msg = f"{source} line {error.position[0]}: this is no XML: {error.msg}"
    except DefusedXmlException as error:
        msg = f"{source}: it declares {declared}, which {tool} never does: {error}"
    except (ValueError, LookupError) as error:
        msg = f"{source} cannot be read: {error}"
    raise IaaError(msg)
