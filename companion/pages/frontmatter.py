"""Frontmatter: reading what people write, writing what everyone reads back alike.

It is read twice over: a plain fast path for what people and companion write almost always, and
libyaml for everything else. Both read every scalar as the text that was written (`no`, `012`,
`12:30:45` and dates stay text): implicit types are YAML's, not the writer's. Nothing here raises on
any text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from companion.tuples import NamedTuple

Value: TypeAlias = str | list["Value"] | dict[str, "Value"]
Meta: TypeAlias = dict[str, Value]

# characters; beyond it the frontmatter is not one, and libyaml is not asked
MAX_FRONT = 256 * 1024
# CSafeLoader composes recursively in C and dies at some ten thousand levels
MAX_DEPTH = 32
KEY_ORDER = (
    "id",
    "type",
    "title",
    "aliases",
    "tags",
    "created",
    "sources",
    "status",
    "companion",
)

_OPEN = re.compile(r"\ufeff?---[ \t]*(?:\r\n?|\n)")
_CLOSE = re.compile(r"(?:\r\n?|\n)---[ \t]*(?:\r\n?|\n|\Z)")
_LINE = re.compile(r"(\w(?:[\w -]{0,200}[\w-])?):(?: +(.*))?")
_SIMPLE = re.compile(r"""\w[\w ./+-]*|"[^"\\]*"|'[^']*'""")
_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@`")
_CORE_TAGS = frozenset(
    "tag:yaml.org,2002:" + name
    for name in (
        "str",
        "int",
        "float",
        "bool",
        "null",
        "timestamp",
        "seq",
        "map",
    )
)

_YAML_WORDS = frozenset(
    ("y", "n", "yes", "no", "true", "false", "on", "off", "null")
)
_NUMERIC = re.compile(r"[0-9][0-9a-fA-FxoTtZz_:.,+\- ]*")
_UNWRITABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


class Front(NamedTuple):
    """A page's text, split at its frontmatter."""

    # scalars are the text as written; of a key given twice, the first value
    meta: Meta
    # the text after the frontmatter; the whole text when there is none or it has a problem
    body: str
    problem: str | None


def read_front(text: str) -> Front:
    """Return the frontmatter and the body of *text*.

    Refused with a problem in words: unclosed, not a mapping, a key given twice, over `MAX_FRONT`
    characters, deeper than `MAX_DEPTH`, anchors and aliases, tags beyond YAML's plain types,
    whatever libyaml rejects. Then *body* is the whole text, and *meta* holds what reads line by
    line, so that a typo does not cost a page its id.
    """
    opened = _OPEN.match(text)
    if opened is None:
        return Front({}, text.removeprefix("\ufeff"), None)
    closed = _CLOSE.search(text, opened.end() - 1)
    if closed is None:
        unclosed = "the frontmatter opened by `---` on line 1 is never closed"
        return Front({}, text, unclosed)
    block = text[opened.end() : closed.start()]
    if len(block) > MAX_FRONT:
        too_long = f"the frontmatter is longer than {MAX_FRONT // 1024} kB"
        return Front({}, text, too_long)
    if "\r" in block:
        block = block.replace("\r\n", "\n").replace("\r", "\n")
    body = text[closed.end() :]
    plain = _plain(block)
    if plain is not None:
        return Front(plain, body, None)
    meta, problem = _exact(block)
    if problem is not None:
        return Front(meta, text, problem)
    return Front(meta, body, None)


def _plain(block: str) -> Meta | None:
    """Read the frontmatter that needs no YAML parser, or None where only one can tell."""
    # What `isprintable` rejects beyond YAML's rules (no-break spaces, joiners) merely takes the
    # exact path.
    if not block.replace("\n", "").isprintable():
        return None
    plain = _PlainFront()
    for line in block.split("\n"):
        if line and not line.isspace() and not plain.read_line(line):
            return None
    return plain.meta


class _PlainFront:
    """Frontmatter as its lines are read."""

    def __init__(self) -> None:
        self.meta: Meta = {}
        # those of the last key, where it may have a list below it
        self._items: list[Value] | None = None
        self._key = ""
        self._indent = -1  # of the items, once one was read

    def read_line(self, line: str) -> bool:
        """Read a line that is not empty; return whether it is plain."""
        matched = _LINE.fullmatch(line)
        if matched is None:
            return self._read_item(line)
        self._key = matched[1]
        raw = (matched[2] or "").strip(" ")
        value = _plain_value(raw)
        if value is None or self._key in self.meta:
            return False
        self.meta[self._key] = value
        self._items = None
        if not raw:
            self._items = []
        self._indent = -1
        return True

    def _read_item(self, line: str) -> bool:
        depth = len(line) - len(line.lstrip(" "))
        item = _plain_item(line[depth:])
        if item is None or self._items is None:
            return False
        if self._indent not in (-1, depth):
            return False
        self._items.append(item)
        self.meta[self._key] = self._items
        self._indent = depth
        return True


def _plain_item(line: str) -> str | None:
    """Return the scalar of "- item", None where it is not plain."""
    if not line.startswith("- "):
        return None
    return _plain_scalar(line[2:].strip(" "))


def _plain_value(raw: str) -> Value | None:
    if not raw.startswith("["):
        return _plain_scalar(raw)
    if not raw.endswith("]") or len(raw) < 2:
        return None
    inner = raw[1:-1].strip(" ")
    if not inner:
        return []
    items: list[Value] = []
    for part in inner.split(","):
        item = part.strip(" ")
        if not _SIMPLE.fullmatch(item):
            return None
        items.append(_without_quotes(item))
    return items


def _without_quotes(simple: str) -> str:
    if simple[0] in "\"'":
        return simple[1:-1]
    return simple


def _plain_scalar(raw: str) -> str | None:
    """Return the text of a scalar, None where only a YAML parser can tell."""
    if not raw:
        return ""
    if raw[0] in _INDICATORS:
        if raw[0] not in "\"'" or not _SIMPLE.fullmatch(raw):
            return None
        return raw[1:-1]
    if ": " in raw or " #" in raw or raw[-1] == ":":
        return None
    return raw


_TOO_DEEP = f"is nested more than {MAX_DEPTH} levels deep"


class _Refused(ValueError):
    """A YAML construct that frontmatter has no use for and an attacker has."""


def _exact(block: str) -> tuple[Meta, str | None]:
    """Read frontmatter with libyaml's event parser, which neither recurses nor resolves types."""
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        return _mapping(yaml.parse(block, Loader=loader)), None
    except _Refused as refused:
        problem = f"the frontmatter {refused}"
    except yaml.MarkedYAMLError as error:
        where = ""
        if error.problem_mark:
            where = f"line {error.problem_mark.line + 2}: "
        cause = error.problem or error.context
        problem = f"the frontmatter is not valid YAML: {where}{cause}"
        if "nesting depth" in str(cause):  # libyaml has a limit, too
            problem = f"the frontmatter {_TOO_DEEP}"
    except (yaml.YAMLError, UnicodeError):
        problem = "the frontmatter has characters that YAML does not allow"
    return _salvage(block), problem


def _salvage(block: str) -> Meta:
    """Return the `key: value` lines that read on their own; of a key given twice, the first."""
    meta: Meta = {}
    for line in block.split("\n"):
        if not line.isprintable():
            continue
        matched = _LINE.fullmatch(line)
        if matched is None:
            continue
        value = _plain_scalar((matched[2] or "").strip(" "))
        if value is not None:
            meta.setdefault(matched[1], value)
    return meta


def _mapping(events: Iterator[Any]) -> Meta:
    """Return the one mapping of a stream of YAML *events*; raises `_Refused` for anything else."""
    next(events)  # the stream's start
    if type(next(events)).__name__ == "StreamEndEvent":
        return {}
    root = _node(next(events), events, 0)
    if root and not isinstance(root, dict):
        raise _Refused("is not a list of `key: value` lines")
    next(events)  # the document's end
    if type(next(events)).__name__ != "StreamEndEvent":
        raise _Refused("holds more than one document")
    if not isinstance(root, dict):
        return {}
    return root


def _node(event: Any, events: Iterator[Any], depth: int) -> Value:
    _check(event, depth)
    kind = type(event).__name__
    if kind == "ScalarEvent":
        return str(event.value)
    if kind == "SequenceStartEvent":
        items = _until("SequenceEndEvent", events)
        return [_node(item, events, depth + 1) for item in items]
    mapping: dict[str, Value] = {}
    for item in _until("MappingEndEvent", events):
        key = _node(item, events, depth + 1)
        if not isinstance(key, str):
            raise _Refused("uses a list or mapping as a key")
        if key in mapping:
            raise _Refused(f"gives the key `{key[:80]}` twice")
        mapping[key] = _node(next(events), events, depth + 1)
    return mapping


def _until(end: str, events: Iterator[Any]) -> Iterator[Any]:
    for event in events:
        if type(event).__name__ == end:
            return
        yield event


def _check(event: Any, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise _Refused(_TOO_DEEP)
    if event.anchor:
        raise _Refused("uses an anchor or alias (`&`, `*`)")
    tag = event.tag
    if tag is not None and tag != "!" and tag not in _CORE_TAGS:
        raise _Refused(f"uses the YAML tag `{tag[:80]}`")


_DATES = frozenset({"created", "updated"})
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def compose(meta: Mapping[str, str | Sequence[str]], body: str) -> str:
    """Return a page: frontmatter in companion's key order (others after), then *body* as it is.

    Text is quoted only where PyYAML's `safe_load` or `parse` would otherwise read something else.
    Lone surrogates, which no UTF-8 file can hold, become U+FFFD.
    """
    keys = [key for key in KEY_ORDER if key in meta]
    keys += [key for key in meta if key not in KEY_ORDER]
    entries = "".join(_entry(key, meta[key]) for key in keys)
    return f"---\n{entries}---\n{body}"


def _entry(key: str, value: str | Sequence[str]) -> str:
    if key in _DATES and isinstance(value, str) and _is_day(value):
        # bare, as people write it and as Obsidian's date fields want it
        return f"{key}: {value}\n"
    if isinstance(value, str):
        return f"{_quoted(key)}: {_quoted(value)}\n"
    if not value:
        return f"{_quoted(key)}: []\n"
    items = "".join(f"  - {_quoted(item)}\n" for item in value)
    return f"{_quoted(key)}:\n{items}"


def _is_day(text: str) -> bool:
    """Tell whether *text* is a day of the calendar: PyYAML refuses a page with `9999-99-99`."""
    if not _DAY.fullmatch(text):
        return False
    from datetime import date

    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _quoted(text: str) -> str:
    if _reads_alike(text):
        return text
    import json

    if not text.isascii():  # a lone surrogate becomes U+FFFD
        text = text.encode("utf-16", "surrogatepass").decode(
            "utf-16", "replace"
        )
    escaped = json.dumps(text, ensure_ascii=False)
    return _UNWRITABLE.sub(lambda char: f"\\u{ord(char[0]):04x}", escaped)


def _reads_alike(text: str) -> bool:
    """Tell whether *text* unquoted is the same text to every YAML reader."""
    if not text[:1].isalnum() or not text.isprintable() or text.endswith(" "):
        return False
    if _plain_scalar(text) is None:
        return False
    return text.lower() not in _YAML_WORDS and not _NUMERIC.fullmatch(text)
