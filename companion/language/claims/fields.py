"""Claims that are written as fields: `key:: value` lines, as Obsidian and Dataview read them, and
frontmatter.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_FRONT = re.compile(r"\A---[ \t]*\n(?P<body>[\s\S]*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_FRONT_LINE = re.compile(
    r"^(?P<key>[^\s:#'\"\[\]{}-][^:\n#]{0,60}?):(?:[ \t]+(?P<value>[^\n]*))?$", re.MULTILINE
)
_FRONT_ITEM = re.compile(r"^[ \t]*-[ \t]+(?P<value>[^\n]+)$", re.MULTILINE)
_INLINE = re.compile(
    r"^(?:[ \t]*(?:>[ \t]*)*(?:[-*+][ \t]+(?:\[.\][ \t]+)?|\d{1,6}[.)][ \t]+)?)(?P<mark>\*\*|__|_|\*)?"
    r"(?P<key>[^\W_][^:\n\[\]()*`|]{0,60}?)(?(mark)(?P=mark))::(?:\*\*|__)?[ \t]+(?P<value>[^\n]+?)[ \t]*$"
    r"|[\[(](?P<key2>[^\W_][^:\n\[\]()*`|]{0,60}?)::[ \t]*"
    r"(?P<value2>(?:\[\[[^\[\]\n]{1,200}\]\]|[^\n\[\]()]){1,300})[\])]",
    re.MULTILINE,
)
_HEADING = re.compile(r"^ {0,3}# +(?P<title>[^\n]+?)[ \t#]*$", re.MULTILINE)
_OURS = {  # a page's bookkeeping
    "id",
    "title",
    "aliases",
    "alias",
    "tags",
    "tag",
    "created",
    "updated",
    "modified",
    "date",
    "sources",
    "source",
    "status",
    "type",
    "cssclass",
    "cssclasses",
    "publish",
    "permalink",
    "layout",
    "draft",
    "companion",
    "banner",
}
_EMPTY = frozenset(("", "null", "~", "[]", "{}", "|", ">", "|-", ">-", "''", '""'))


class Field(NamedTuple):
    """One key with one value, where it stands, and whether the note gives that key once."""

    key: str
    value: str
    start: int
    end: int
    once: bool
    rule: str


def fields(text: str) -> list[Field]:
    """Return the fields of *text* in the order in which they stand; the page's own bookkeeping is
    left out.
    """
    found = [*_front(text), *_inline(text)]
    counts: dict[str, int] = {}
    for field in found:
        counts[field.key.casefold()] = counts.get(field.key.casefold(), 0) + 1
    return [field._replace(once=counts[field.key.casefold()] == 1) for field in found]


def title_of(text: str) -> str:
    """Return what the page is about: its frontmatter title or first heading; "" if it says
    neither.
    """
    front = _FRONT.match(text)
    for match in _FRONT_LINE.finditer(text, *front.span("body")) if front else ():
        if match["key"].strip().lower() == "title" and match["value"]:
            return _unquoted(match["value"])
    heading = _HEADING.search(text, front.end() if front else 0)
    return heading["title"].strip() if heading else ""


def body(text: str) -> str:
    """Return *text* with frontmatter and fields blanked out, so that offsets stay."""
    front = _FRONT.match(text)
    if front:
        text = re.sub(r"[^\n]", " ", front.group()) + text[front.end() :]
    return _INLINE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def _front(text: str) -> Iterator[Field]:
    front = _FRONT.match(text)
    if front is None:
        return
    lines = list(_FRONT_LINE.finditer(text, *front.span("body")))
    for number, match in enumerate(lines):
        if match["key"].strip().lower() in _OURS:
            continue
        value = _unquoted(match["value"] or "")
        if value not in _EMPTY and not value.startswith(("[", "{", "&", "*", "!")):
            yield Field(
                match["key"].strip(), value, match.start(), match.end(), True, "frontmatter"
            )
            continue
        until = lines[number + 1].start() if number + 1 < len(lines) else front.end("body")
        yield from _items(text, match, until)


def _items(text: str, match: re.Match[str], until: int) -> Iterator[Field]:
    key, value = match["key"].strip(), (match["value"] or "").strip()
    if value.startswith("[") and value.endswith("]"):
        for item in re.finditer(r"[^,\[\]]+", value):
            if _unquoted(item.group()) not in _EMPTY:
                yield Field(
                    key, _unquoted(item.group()), match.start(), match.end(), False, "frontmatter"
                )
    elif not value:
        for item in _FRONT_ITEM.finditer(text, match.end(), until):
            if _unquoted(item["value"]) not in _EMPTY:
                yield Field(
                    key, _unquoted(item["value"]), item.start(), item.end(), False, "frontmatter"
                )


def _inline(text: str) -> Iterator[Field]:
    front = _FRONT.match(text)
    for match in _INLINE.finditer(text, front.end() if front else 0):
        which = "" if match["key"] else "2"
        value = plain(match[f"value{which}"])
        if value:
            start = match.start(f"key{which}")
            yield Field(
                match[f"key{which}"].strip(),
                value,
                start,
                match.end(f"value{which}"),
                True,
                "field",
            )


def plain(value: str) -> str:
    """Return *value* without emphasis, and a link as it reads."""
    value = re.sub(r"!?\[\[(?:[^\[\]\n|]{0,200}\|)?([^\[\]\n]{1,200})\]\]", r"\1", value.strip())
    marked = re.fullmatch(r"(\*\*|__|\*|_|`)(.+)\1", value)
    return marked[2] if marked else value


def _unquoted(value: str) -> str:
    value = plain(value)
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        return value[1:-1]
    return re.sub(r"\s+#.*$", "", value)
