"""What the store must be told about Markdown, so that it need not know."""

from collections.abc import Sequence
from typing import Protocol

from companion.values.captures import Page


class PageRules(Protocol):
    """How a page is read and how its links resolve; `core` has the one implementation, `app` hands
    it down.
    """

    @property
    def version(self) -> str:
        """Changes whenever the same bytes would read differently: the index is then built again."""

    def parse(self, text: str, path: str) -> Page: ...
    def link_key(self, target: str) -> str: ...
    def title_key(self, text: str) -> str: ...
    def choose(
        self, target: str, source: str, candidates: Sequence[str]
    ) -> str | None: ...
    def is_page_target(self, target: str) -> bool: ...
    def provisional_id(self, path: str, blob: str, turn: int) -> str: ...
