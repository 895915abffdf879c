"""Pages of minority branches: a challenger's own, and the one entry that a branch becomes (MaM
§5.7, Appendix A).

A challenger's page names its incumbent by id in its frontmatter and never links to it: links are
what gravity is made of, and a challenger must not feed whom it challenges (GRA-9). When the branch
wins, the first page moves and the others join it as sections, whatever their owner has written into
them meanwhile. Pure.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.pages import page
from companion.pages.frontmatter import Value
from companion.pages.names import file_name

KEY = "challenges"  # the frontmatter key that names the incumbent

_FOLDER = ".companion/minority"


class MemberPage(NamedTuple):
    """A member's page as it is now."""

    path: str
    text: str
    told: str  # RFC 3339 UTC
    capture: str = ""  # that it is made of
    minute: str = ""  # of that telling, by the clock of who told it
    stays: bool = False  # its note is on another page, too


class Newcomer(NamedTuple):
    """A note of a branch that won, as it comes to a page of several statements."""

    capture: str
    told: str  # RFC 3339 UTC
    minute: str  # of that telling, by the clock of who told it
    words: str


def member_page(
    entry: str,
    title: str,
    told: str,
    sources: Sequence[str],
    text: str,
    incumbent: str,
) -> str:
    """Return a challenger's words as a page of its branch."""
    meta: dict[str, str | list[str]] = {
        "id": entry,
        "type": "note",
        "title": title,
        "created": told[:10],
    }
    if sources:
        meta["sources"] = sorted(sources)
    return _end_line(page.add_frontmatter({**meta, KEY: incumbent}, text))


def member_path(branch: str, title: str, taken: Callable[[str], bool]) -> str:
    """Return where a member's page lies. No other page may have its name: it may move among them
    one day.
    """
    return f"{_FOLDER}/{branch}/{_find_name(title, taken)}.md"


def entry_path(
    folder: str, told: str, title: str, taken: Callable[[str], bool]
) -> str:
    """Return where the entry lies that a branch becomes: by the day its first member was told, as
    any other page.
    """
    return f"{folder}/{told[:4]}/{told[5:7]}/{_find_name(title, taken)}.md"


def _find_name(title: str, taken: Callable[[str], bool]) -> str:
    return file_name.find_free(file_name.make_file_name(title), taken)


def promoted_text(pages: Sequence[MemberPage], title: str | None = None) -> str:
    """Return the text of the entry that *pages* become, oldest first; it keeps the first one's id.

    *title* replaces the title of the first page (CON-8), unless its owner wrote more into its
    frontmatter than plain keys.
    """
    sources: list[str] = []
    for each in pages:
        sources += _list_sources(each.text)
    text = _set_frontmatter(pages[0].text, sources, title)
    for each in pages[1:]:
        words = page.read_front(each.text).body.strip()
        text = page.append_section(text, f"## {each.told[:10]}\n\n{words}")
    return _end_line(text)


def _set_frontmatter(
    text: str, sources: Sequence[str], title: str | None
) -> str:
    """Return *text* with *title* and all *sources* in its frontmatter.

    Return it as it is if its owner wrote more than plain keys.
    """
    front = page.read_front(text)
    meta: dict[str, str | list[str]] = {}
    for key, value in front.meta.items():
        plain = _as_plain(value)
        if plain is None:
            return text
        meta[key] = plain
    if front.problem or not (title or sources):
        return text
    if title:
        meta["title"] = title
    if sources:
        meta["sources"] = sorted(set(sources))
    return page.compose(meta, front.body)


def _list_sources(text: str) -> list[str]:
    sources = _as_plain(page.read_front(text).meta.get("sources", []))
    if isinstance(sources, str):
        return [sources]
    return sources or []


def _as_plain(value: Value) -> str | list[str] | None:
    """Return a value that is text or a list of texts; None for anything deeper."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return None
    items = [item for item in value if isinstance(item, str)]
    if len(items) < len(value):
        return None
    return items


def _end_line(text: str) -> str:
    if text.endswith("\n"):
        return text
    return text + "\n"
