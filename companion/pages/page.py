"""Markdown pages: what the index needs to know of one, and what companion adds to one.

`compose` (frontmatter) and `merge` (ownership) live in modules of their own and are offered here,
so that callers need only one. Nothing here raises on any text.
"""

import re
from collections.abc import Callable, Mapping

from companion.pages.frontmatter import Front, Meta, Value, compose, read_front
from companion.pages.lines import eol_of, lines_of
from companion.pages.ownership_merge import merge
from companion.pages.statements import (
    derived_text,
    may_have_derived,
    without_derived,
)
from companion.tuples import NamedTuple
from companion.values.captures import Link, Page

__all__ = [
    "RULES_VERSION",
    "Front",
    "add_frontmatter",
    "append_section",
    "compose",
    "is_managed",
    "merge",
    "parse",
    "read_front",
]

#: another version means that the same bytes may read differently: the index is then built again
RULES_VERSION = "markdown-3"

_ID = re.compile(r"[a-z2-7]{16}")  # as companion writes it
_BLOB = re.compile(r"[0-9a-f]{40}")
_YES = ("true", "yes", "on")

# One pass from left to right, as a Markdown parser reads: what opens first wins, so a link in code
# is none and code in a link's text does not break the link. Every alternative starts with a
# literal, which lets `re` skip to the next interesting character; possessive quantifiers keep
# hostile text linear.
_LEAD = r"\n[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*+"
_BLOCKS = (
    r"\n[ ]{0,3}+(?=\#[ \t]++(?P<h1>[^\n]*))"
    rf"|{_LEAD}(?P<tick>`{{3,}}+)[^`\n]*+"
    r"(?:\n(?![ \t>]*+(?P=tick)`*+[ \t]*+(?![^\n]))[^\n]*+)*+(?:\n[^\n]*+)?"
    rf"|{_LEAD}(?P<tilde>~{{3,}}+)[^\n]*+"
    r"(?:\n(?![ \t>]*+(?P=tilde)~*+[ \t]*+(?![^\n]))[^\n]*+)*+(?:\n[^\n]*+)?"
)
_INLINE = (
    r"`(?P<run>`*+)(?:[^`\n]++|\n(?![ \t]*\n)|(?!`(?P=run)(?!`))`++)*+`(?P=run)(?!`)"
    r"|``*+"
    r"|<!--[\s\S]*?-->"
    r"|%%[\s\S]*?%%"
    r"|\\[^\n]"
    r"|\[\[(?P<wiki>[^\[\]\n|]++)(?:\|(?:[^\[\]\n]++|\[[^\[\]\n]*+\])*+)?\]\]"
    r"|\[(?:[^\[\]\\\n]++|\\[^\n]|\n(?![ \t]*\n)|\[[^\[\]\n]*+\](?:\([^()\n]*+\))?)*+\]"
    r"\([ \t]*(?:<(?P<angle>[^<>\n]*+)>"
    r"|(?P<dest>(?:[^\s()<>\\]|\\[^\s]|\((?:[^\s()\\]|\\[^\s])*+\))++))"
    r"""(?:\s++(?:"[^"\n]*+"|'[^'\n]*+'|\([^()\n]*+\)))?\s*+\)"""
    # Obsidian's own set of what ends a tag.
    r"""|\#(?<!\S\#)(?P<tag>[^\u2000-\u206F\u2E00-\u2E7F'!"#$%&()*+,.:;<=>?@^`{|}~\[\]\\\s]++)"""
)
_TOKEN = re.compile(f"{_BLOCKS}|{_INLINE}")
_INLINE_TOKEN = re.compile(_INLINE)
# "[[Target|words]]", embedded with "!" before it
_WIKI = re.compile(r"(!?)\[\[([^\[\]\n|]++)(?:\|[^\[\]\n]*+)?\]\]")
# the beginning of a target outside the vault: "https:", "//host", "#heading", nothing
_EXTERNAL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|\#|\Z")
# "%C3%A4"
_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
# a mark behind a backslash
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
# the "#"s that close a heading
_H1_CLOSE = re.compile(r"(?:^|[ \t])#+[ \t]*$")


class _Scan(NamedTuple):
    """The heading, links and tags of a page's body, outside code and comments."""

    heading: str
    links: list[Link]
    tags: list[str]


def parse(text: str, path: str) -> Page:
    """Read a page; never raises, and loses nothing: what cannot be frontmatter stays in the body.

    The title is the frontmatter's `title`, else the first `# heading` outside code, else the file
    name's stem of *path* (forward slashes). Links are those Obsidian shows (outside code and
    comments, in frontmatter too), each (target, kind) once, in order. Tags are without `#`, each
    once in any case.
    """
    front = read_front(text)
    # of a key in several cases, the first counts
    meta = {key.lower(): value for key, value in reversed(front.meta.items())}
    title = _scalar(meta.get("title"))
    own, derived = _split_derived(front.body)
    scan = _scan(own, titled=bool(title))
    links = scan.links
    if meta and "[[" in text[: len(text) - len(front.body)]:
        links = _meta_links(list(front.meta.values())) + links
    stem = _stem(path)
    return Page(
        id=_id(meta),
        title=" ".join((title or scan.heading or stem).split()) or stem,
        aliases=_aliases(meta),
        tags=_tags(meta, scan.tags),
        links=tuple(dict.fromkeys(links + _mention_links(derived))),
        status=_first(meta.get("status")) or None,
        managed=is_managed(meta),
        body=front.body,
        problem=front.problem,
        pinned=_scalar(meta.get("pinned")).lower() in _YES,
        original=_original(meta),
        myself=_scalar(meta.get("myself")).lower() in _YES,
    )


def is_managed(meta: Mapping[str, Value]) -> bool:
    """Tell whether companion owns the page with this frontmatter; every other is a person's.

    A page is managed when its owner said so (`companion: managed`), or when it carries an id as
    companion writes it (16 base32 characters) and its owner did not take it back (`companion:
    theirs`).
    """
    choice = _scalar(meta.get("companion"))
    if choice in ("managed", "theirs"):
        return choice == "managed"
    return bool(_ID.fullmatch(_scalar(meta.get("id"))))


def add_frontmatter(meta: Mapping[str, str | list[str]], text: str) -> str:
    """Return *text* as a page with *meta* in its frontmatter; the person's keys and bytes stay.

    A key they use already keeps their value. Where `id` is one of them, the page says ``companion:
    managed`` instead (unless they said something of that themselves) and the ledger knows it by its
    path.
    """
    front = read_front(text)
    block = text[: len(text) - len(front.body)]
    if not front.meta or front.problem or not block.startswith("---"):
        return compose(meta, text)
    theirs = {key.lower() for key in front.meta}
    ours = {key: value for key, value in meta.items() if key not in theirs}
    if "id" in theirs and "companion" not in theirs:
        ours["companion"] = "managed"
    first, _, rest = block.partition("\n")
    added = compose(ours, "").removeprefix("---\n").removesuffix("---\n")
    if first.endswith("\r"):
        added = added.replace("\n", "\r\n")
    return f"{first}\n{added}{rest}{front.body}"


def append_section(text: str, section: str) -> str:
    """Return *text* with *section* after a blank line, in the page's line ending, ending in one."""
    eol = eol_of(text)
    lines = [line.rstrip("\r\n") for line in lines_of(section.strip("\r\n"))]
    added = eol.join(lines) + eol
    if not text or text.endswith((eol * 2, "\n\n")):
        return text + added
    if text.endswith(("\n", "\r")):
        return text + eol + added
    return text + eol * 2 + added


def _split_derived(body: str) -> tuple[str, str]:
    """Return a body without its derived lines, and those lines."""
    if not may_have_derived(body):
        return body, ""
    return without_derived(body), derived_text(body)


def _mention_links(derived: str) -> list[Link]:
    """Return the links of derived lines: they are no edges (GRA-9)."""
    return [Link(link.target, "mention") for link in _text_links(derived)]


def _may_have_links_or_tags(body: str) -> bool:
    """Tell, by a quick look, whether a scan of *body* can find anything."""
    return "[[" in body or "](" in body or "#" in body


def _scan(body: str, *, titled: bool) -> _Scan:
    """Return the first H1's text (unless *titled*), links and inline tags."""
    heading = ""
    links: list[Link] = []
    tags: list[str] = []
    if not _may_have_links_or_tags(body):
        return _Scan(heading, links, tags)
    source = _scanned_text(body)
    for token in _pattern_for(source, titled).finditer(source):
        kind = token.lastgroup or ""
        if kind == "tag":
            tags.append(token[kind].rstrip("/"))
        elif kind == "h1":
            heading = heading or _H1_CLOSE.sub("", token[kind]).strip()
        elif kind in _TARGETS:
            target = _TARGETS[kind](token[kind])
            if target:
                links.append(_link(target, source[token.start() - 1]))
    return _Scan(heading, links, tags)


def _pattern_for(source: str, titled: bool) -> re.Pattern[str]:
    """Return the pattern for a text; a faster one without code blocks and a heading to find."""
    if "```" in source or "~~~" in source:
        return _TOKEN
    if not titled and ("# " in source or "#\t" in source):
        return _TOKEN
    return _INLINE_TOKEN


def _link(target: str, mark: str) -> Link:
    if mark == "!":
        return Link(target, "embed")
    return Link(target, "link")


def _scanned_text(body: str) -> str:
    """Return *body* as it is scanned: behind a line feed, with line feeds alone.

    An unclosed comment is none; it is hidden from the scanner, which would look for its end each
    time.
    """
    source = "\n" + body
    if "\r" in body:
        source = source.replace("\r\n", "\n").replace("\r", "\n")
    if "<!--" not in source:
        return source
    last = source.rfind("-->") + 1
    return source[:last] + source[last:].replace("<!--", "<!..")


def _wiki_target(inner: str) -> str:
    # In a table the bar before the display text is written `\|`.
    return inner.partition("#")[0].removesuffix("\\").strip()


def _path_target(address: str) -> str:
    """Return the page that a Markdown link's *address* names; "" where it leads elsewhere."""
    if _EXTERNAL.match(address):
        return ""
    target = address.partition("#")[0]
    if "\\" in target:
        target = _ESCAPED.sub(r"\1", target)
    if "%" in target:
        target = _PERCENT.sub(_unpercent, target)
    return target.strip()


def _unpercent(run: re.Match[str]) -> str:
    raw = bytes.fromhex(run[0].replace("%", ""))
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return run[0]  # not text in UTF-8: then the percent signs are meant


# how the target of each kind of link is read
_TARGETS: dict[str, Callable[[str], str]] = {
    "wiki": _wiki_target,
    "dest": _path_target,
    "angle": _path_target,
}


def _meta_links(values: list[Value]) -> list[Link]:
    """Return the wikilinks inside frontmatter values, as Obsidian's properties show them."""
    links: list[Link] = []
    for value in values:
        if isinstance(value, list):
            links += _meta_links(value)
        elif isinstance(value, dict):
            links += _meta_links(list(value.values()))
        elif "[[" in value:
            links += _text_links(value)
    return links


def _text_links(text: str) -> list[Link]:
    links: list[Link] = []
    for mark, inner in _WIKI.findall(text):
        target = _wiki_target(inner)
        if target:
            links.append(_link(target, mark))
    return links


def _id(meta: Meta) -> str | None:
    """Return the page's id, None where it is none as companion writes it."""
    ident = _first(meta.get("id"))
    if not _ID.fullmatch(ident):
        return None
    return ident


def _original(meta: Mapping[str, Value]) -> str | None:
    blob = _scalar(meta.get("original"))
    if not _BLOB.fullmatch(blob):
        return None
    return blob


def _scalar(value: Value | None) -> str:
    if not isinstance(value, str):
        return ""
    return value.strip()


def _texts(value: Value | None) -> list[str]:
    """Return the texts of a property that may be one text or a list; YAML's nulls are none."""
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list):
        return []
    texts = map(_scalar, value)
    return [text for text in texts if text not in ("", "~", "null")]


def _first(value: Value | None) -> str:
    return "".join(_texts(value)[:1])


def _aliases(meta: Meta) -> tuple[str, ...]:
    aliases = _texts(meta.get("aliases")) + _texts(meta.get("alias"))
    return tuple(dict.fromkeys(aliases))


def _tags(meta: Meta, inline: list[str]) -> tuple[str, ...]:
    """Return the tags of the frontmatter and the text, each once in any case."""
    written = _meta_tags(meta)
    written += [tag for tag in inline if not tag.replace("/", "").isdigit()]
    by_fold: dict[str, str] = {}
    for tag in written:
        by_fold.setdefault(tag.casefold(), tag)
    return tuple(filter(None, by_fold.values()))


def _meta_tags(meta: Meta) -> list[str]:
    """Return the frontmatter's tags; a text may hold several, apart by commas or spaces."""
    tags: list[str] = []
    for key in ("tags", "tag"):
        value = meta.get(key)
        if isinstance(value, str):
            tags += value.replace(",", " ").split()
        else:
            tags += _texts(value)
    return [tag.lstrip("#") for tag in tags]


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    if name.lower().endswith(".md") and len(name) > 3:
        return name[:-3]
    return name
