"""Sections of a report that are made when they are first used."""

from __future__ import annotations

from collections.abc import Mapping

from iaa_jax._errors import IaaError
from iaa_jax.measure.requests.studies import announce
from iaa_jax.measure.shared.sections import ReportRequest
from iaa_jax.overview.sections import SECTIONS
from iaa_jax.pages import Page


class LazySections:
    """The sections of a report, by name.

    ``refused`` has the errors of the sections that could not be made.
    """

    def __init__(self, request: ReportRequest) -> None:
        self.request = request
        self.refused: dict[str, IaaError] = {}
        self._pages: dict[str, Page | None] = {}

    def page(self, name: str) -> Page | None:
        """Return a section; None if it does not apply, or could not be made."""
        if name not in self._pages:
            announce(name.replace("_", " ").capitalize(), self.request.progress)
            self._pages[name] = None
            try:
                self._pages[name] = SECTIONS[name](self.request)
            except IaaError as error:
                self.refused[name] = error
        return self._pages[name]

    def attributes(self, name: str) -> Mapping[str, object]:
        """Return the attributes of all results of a section."""
        page = self.page(name)
        results = [] if page is None else page.results.values()
        return {str(key): value for result in results for key, value in result.attrs.items()}
