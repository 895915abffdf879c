"""The questions that the index asks about Markdown, so that it need not know the answers."""

from collections.abc import Sequence
from typing import Protocol

from companion.values.captures import Page


class PageRules(Protocol):
    """How a page is read and how its links resolve; `pages.markdown` implements it."""

    @property
    def version(self) -> str:
        """Changes whenever the same bytes would read differently: the index is then built again."""

    def parse(self, text: str, path: str) -> Page:
        """Return the page that *text* is at *path*."""

    def link_key(self, target: str) -> str:
        """Return the key by which a link's target and a page's path meet."""

    def title_key(self, text: str) -> str:
        """Return the key by which titles and aliases are compared."""

    def choose(
        self, target: str, source_path: str, candidates: Sequence[str]
    ) -> str | None:
        """Return which of the *candidates* a link in the page *source_path* means."""

    def is_page_target(self, target: str) -> bool:
        """Tell whether a link's *target* names a page."""

    def provisional_id(self, path: str, blob: str, turn: int = 0) -> str:
        """Return the id of a page that no run has recorded yet."""
