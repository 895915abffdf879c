"""Fields: `key:: value` lines, as Obsidian and Dataview read them, and frontmatter."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

# a page's frontmatter: between "---" in the first line and "---" or "..."
_FRONT = re.compile(
    r"\A---[ \t]*\n(?P<body>[\s\S]*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)"
)
# one key of frontmatter at the beginning of a line: "status: open"
_FRONT_LINE = re.compile(
    r"^(?P<key>[^\s:#'\"\[\]{}-][^:\n#]{0,60}?):(?:[ \t]+(?P<value>[^\n]*))?$",
    re.MULTILINE,
)
# one item of a list below its key: "  - Ada"
_FRONT_ITEM = re.compile(r"^[ \t]*-[ \t]+(?P<value>[^\n]+)$", re.MULTILINE)
# "key:: value" on a line of its own, or "[key:: value]" and "(key:: value)" within one
_INLINE = re.compile(
    r"^(?:[ \t]*(?:>[ \t]*)*(?:[-*+][ \t]+(?:\[.\][ \t]+)?|\d{1,6}[.)][ \t]+)?)"
    r"(?P<mark>\*\*|__|_|\*)?"
    r"(?P<key>[^\W_][^:\n\[\]()*`|]{0,60}?)(?(mark)(?P=mark))::"
    r"(?:\*\*|__)?[ \t]+(?P<value>[^\n]+?)[ \t]*$"
    r"|[\[(](?P<key2>[^\W_][^:\n\[\]()*`|]{0,60}?)::[ \t]*"
    r"(?P<value2>(?:\[\[[^\[\]\n]{1,200}\]\]|[^\n\[\]()]){1,300})[\])]",
    re.MULTILINE,
)
# "# Title"
_HEADING = re.compile(r"^ {0,3}# +(?P<title>[^\n]+?)[ \t#]*$", re.MULTILINE)
# keys of a page's bookkeeping, which state nothing
_BOOKKEEPING = frozenset(
    [
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
    ]
)
# values that say nothing
_EMPTY = frozenset(
    ("", "null", "~", "[]", "{}", "|", ">", "|-", ">-", "''", '""')
)
# the first character of a value that YAML reads as more than text
_NOT_PLAIN = ("[", "{", "&", "*", "!")
_LIST_ITEM = re.compile(r"[^,\[\]]+")
# "[[Page|words]]", "[[Page]]": the group is how the link reads
_LINK = re.compile(r"!?\[\[(?:[^\[\]\n|]{0,200}\|)?([^\[\]\n]{1,200})\]\]")
# a value within one pair of marks: "**bold**"
_EMPHASIS = re.compile(r"(\*\*|__|\*|_|`)(.+)\1")


class Field(NamedTuple):
    """One key with one value, where it stands, and whether the note gives that key once."""

    key: str
    value: str
    start: int
    end: int
    once: bool
    rule: str


def read_fields(text: str) -> list[Field]:
    """Return the fields of *text* in their order, without the page's own bookkeeping."""
    fields = [*_front_fields(text), *_inline_fields(text)]
    counts = Counter(field.key.casefold() for field in fields)
    return [
        field._replace(once=counts[field.key.casefold()] == 1)
        for field in fields
    ]


def title_of(text: str) -> str:
    """Return the page's frontmatter title or first heading; "" if it has neither."""
    front = _FRONT.match(text)
    for line in _front_lines(front):
        if line["key"].strip().lower() == "title" and line["value"]:
            return _unquoted(line["value"])
    heading = _HEADING.search(text, _end_of(front))
    if heading is None:
        return ""
    return heading["title"].strip()


def blank_fields(text: str) -> str:
    """Return *text* with frontmatter and fields blanked out, so that offsets stay."""
    front = _FRONT.match(text)
    if front:
        text = _blank(front) + text[front.end() :]
    return _INLINE.sub(_blank, text)


def plain(value: str) -> str:
    """Return *value* without emphasis, and a link as it reads."""
    value = _LINK.sub(r"\1", value.strip())
    emphasis = _EMPHASIS.fullmatch(value)
    if emphasis is None:
        return value
    return emphasis[2]


def _end_of(front: re.Match[str] | None) -> int:
    if front is None:
        return 0
    return front.end()


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())


def _front_lines(front: re.Match[str] | None) -> list[re.Match[str]]:
    if front is None:
        return []
    return list(_FRONT_LINE.finditer(front.string, *front.span("body")))


def _front_fields(text: str) -> Iterator[Field]:
    front = _FRONT.match(text)
    if front is None:
        return
    lines = _front_lines(front)
    ends = [*(line.start() for line in lines[1:]), front.end("body")]
    for line, end in zip(lines, ends, strict=False):
        key = line["key"].strip()
        if key.lower() in _BOOKKEEPING:
            continue
        value = _unquoted(line["value"] or "")
        if value in _EMPTY or value.startswith(_NOT_PLAIN):
            yield from _listed_fields(line, end)
        else:
            yield _front_field(key, value, line, once=True)


def _front_field(
    key: str, value: str, place: re.Match[str], *, once: bool
) -> Field:
    return Field(key, value, place.start(), place.end(), once, "frontmatter")


def _listed_fields(line: re.Match[str], end: int) -> Iterator[Field]:
    """Yield one field for each item of a list: "[a, b]", or one item a line up to *end*."""
    key = line["key"].strip()
    value = (line["value"] or "").strip()
    if value.startswith("[") and value.endswith("]"):
        for item in _LIST_ITEM.findall(value):
            name = _unquoted(item)
            if name not in _EMPTY:
                yield _front_field(key, name, line, once=False)
    elif not value:
        for place in _FRONT_ITEM.finditer(line.string, line.end(), end):
            name = _unquoted(place["value"])
            if name not in _EMPTY:
                yield _front_field(key, name, place, once=False)


def _inline_fields(text: str) -> Iterator[Field]:
    front = _FRONT.match(text)
    for match in _INLINE.finditer(text, _end_of(front)):
        key = "key"
        value = "value"
        if not match["key"]:
            key = "key2"
            value = "value2"
        text_of_value = plain(match[value])
        if text_of_value:
            name = match[key].strip()
            start = match.start(key)
            end = match.end(value)
            yield Field(name, text_of_value, start, end, True, "field")


def _unquoted(value: str) -> str:
    value = plain(value)
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        return value[1:-1]
    return re.sub(r"\s+#.*$", "", value)
