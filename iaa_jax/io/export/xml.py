"""XML of tools, without what a file should not do: entities, and what they would expand to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from iaa_jax._errors import IaaError
from iaa_jax.io.table.source import Source

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_START = 1 << 12  # bytes that the root stands in


def begins_with(source: Source, root: str) -> bool:
    """Whether a file is XML whose root has this name. Never raises."""
    data = source.start(_START).lstrip(b"\xef\xbb\xbf\xff\xfe").replace(b"\0", b"").lstrip()
    found = re.search(rb"<([A-Za-z][^\s/>]*)", data) if data[:1] == b"<" else None
    return found is not None and found[1] == root.encode()


def root_of(source: Source, tool: str) -> Element:
    """The XML of a file of a tool."""
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    data = source.raw()
    try:
        text = data if source.encoding is None else data.decode(source.encoding)
        return cast("Element", fromstring(text, forbid_dtd=True))
    except ParseError as error:
        msg = f"{source} line {error.position[0]}: this is no XML: {error.msg}"
    except DefusedXmlException as error:
        msg = f"{source}: it declares a document type or entities, which {tool} never does: {error}"
    except (ValueError, LookupError) as error:
        msg = f"{source} cannot be read: {error}"
    raise IaaError(msg)
