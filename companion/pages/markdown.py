"""The core's knowledge of Markdown, as the store asks for it (model/rules.py)."""

from collections.abc import Sequence

from companion.pages import ids, links, page
from companion.values.captures import Page


class Markdown:
    """The one implementation of `PageRules`."""

    version = "markdown-2"

    def parse(self, text: str, path: str) -> Page:
        return page.parse(text, path)

    def link_key(self, target: str) -> str:
        return links.key(target)

    def title_key(self, text: str) -> str:
        return links.title_key(text)

    def choose(
        self, target: str, source: str, candidates: Sequence[str]
    ) -> str | None:
        return links.choose(target, source, candidates)

    def is_page_target(self, target: str) -> bool:
        return links.is_page_target(target)

    def provisional_id(self, path: str, blob: str, turn: int) -> str:
        return ids.provisional_id(path, blob, turn)
