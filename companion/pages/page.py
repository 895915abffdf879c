"""Markdown pages: what the index needs to know of one, and sections added to one.

`compose` (frontmatter) and `merge` (ownership) live in modules of their own and are offered here,
so that callers need only one. Nothing here raises on any text.
"""

import re
from collections.abc import Mapping

from companion.pages.frontmatter import Front, Meta, Value, compose, read_front
from companion.pages.ownership_merge import eol_of, lines_of, merge
from companion.values.captures import Link, Page

__all__ = ["Front", "append_section", "compose", "is_managed", "merge", "parse", "read_front"]

_ID, _BLOB = re.compile(r"[a-z2-7]{16}"), re.compile(r"[0-9a-f]{40}")
_YES = ("true", "yes", "on")

# One pass from left to right, as a Markdown parser reads: what opens first wins, so a link in code
# is none and code in a link's text does not break the link. Every alternative starts with a
# literal, which lets `re` skip to the next interesting character; possessive quantifiers keep
# hostile text linear.
_LEAD = r"\n[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*+"
_BLOCKS = (
    r"\n[ ]{0,3}+(?=\#[ \t]++(?P<h1>[^\n]*))"
    rf"|{_LEAD}(?P<tick>`{{3,}}+)[^`\n]*+(?:\n(?![ \t>]*+(?P=tick)`*+[ \t]*+(?![^\n]))[^\n]*+)*+(?:\n[^\n]*+)?"
    rf"|{_LEAD}(?P<tilde>~{{3,}}+)[^\n]*+(?:\n(?![ \t>]*+(?P=tilde)~*+[ \t]*+(?![^\n]))[^\n]*+)*+(?:\n[^\n]*+)?"
)
_INLINE = (
    r"`(?P<run>`*+)(?:[^`\n]++|\n(?![ \t]*\n)|(?!`(?P=run)(?!`))`++)*+`(?P=run)(?!`)"
    r"|``*+"
    r"|<!--[\s\S]*?-->"
    r"|%%[\s\S]*?%%"
    r"|\\[^\n]"
    r"|\[\[(?P<wiki>[^\[\]\n|]++)(?:\|(?:[^\[\]\n]++|\[[^\[\]\n]*+\])*+)?\]\]"
    r"|\[(?:[^\[\]\\\n]++|\\[^\n]|\n(?![ \t]*\n)|\[[^\[\]\n]*+\](?:\([^()\n]*+\))?)*+\]"
    r"\([ \t]*(?:<(?P<angle>[^<>\n]*+)>|(?P<dest>(?:[^\s()<>\\]|\\[^\s]|\((?:[^\s()\\]|\\[^\s])*+\))++))"
    r"""(?:\s++(?:"[^"\n]*+"|'[^'\n]*+'|\([^()\n]*+\)))?\s*+\)"""
    # Obsidian's own set of what ends a tag.
    r"""|\#(?<!\S\#)(?P<tag>[^\u2000-\u206F\u2E00-\u2E7F'!"#$%&()*+,.:;<=>?@^`{|}~\[\]\\\s]++)"""
)
_TOKEN, _INLINE_TOKEN = re.compile(f"{_BLOCKS}|{_INLINE}"), re.compile(_INLINE)
_WIKI = re.compile(r"(!?)\[\[([^\[\]\n|]++)(?:\|[^\[\]\n]*+)?\]\]")
_EXTERNAL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|\#|\Z")
_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_H1_CLOSE = re.compile(r"(?:^|[ \t])#+[ \t]*$")


def parse(text: str, path: str) -> Page:
    """Read a page; never raises, and loses nothing: what cannot be frontmatter stays in the body.

    The title is the frontmatter's `title`, else the first `# heading` outside code, else the file
    name's stem of *path* (forward slashes). Links are those Obsidian shows (outside code and
    comments, in frontmatter too), each (target, kind) once, in order. Tags are without `#`, each
    once in any case.
    """
    front = read_front(text)
    meta = {key.lower(): value for key, value in reversed(front.meta.items())} if front.meta else {}
    given = _scalar(meta.get("title"))
    heading, found, inline = _scan(front.body, titled=bool(given))
    if meta and "[[" in text[: len(text) - len(front.body)]:
        found = _meta_links(list(front.meta.values())) + found
    id_ = _first(meta.get("id", ""))
    return Page(
        id_ if _ID.fullmatch(id_) else None,
        " ".join((given or heading or _stem(path)).split()) or _stem(path),
        tuple(dict.fromkeys(_texts(meta.get("aliases")) + _texts(meta.get("alias"))))
        if meta
        else (),
        _tags(meta, inline),
        tuple(dict.fromkeys(found)),
        _first(meta.get("status", "")) or None,
        is_managed(meta),
        front.body,
        front.problem,
        _scalar(meta.get("pinned")).lower() in _YES,
        _original(meta),
    )


def is_managed(meta: Mapping[str, Value]) -> bool:
    """Say whether companion owns the page with this frontmatter; everything else is the person's.

    A page is managed when its owner said so (`companion: managed`), or when it carries an id as
    companion writes it (16 base32 characters) and its owner did not take it back (`companion:
    theirs`).
    """
    said = _scalar(meta.get("companion"))
    return said == "managed" or (said != "theirs" and bool(_ID.fullmatch(_scalar(meta.get("id")))))


def _scan(body: str, *, titled: bool) -> tuple[str, list[Link], list[str]]:
    """Return the first H1's text (unless *titled*), links and inline tags, outside code and
    comments.
    """
    heading = ""
    links: list[Link] = []
    tags: list[str] = []
    if "[[" not in body and "](" not in body and "#" not in body:
        return heading, links, tags
    source = "\n" + (body.replace("\r\n", "\n").replace("\r", "\n") if "\r" in body else body)
    if "<!--" in source:
        # An unclosed comment is none; hidden from the scanner, which would look for its end each
        # time.
        last = source.rfind("-->") + 1
        source = source[:last] + source[last:].replace("<!--", "<!..")
    headed = not titled and ("# " in source or "#\t" in source)
    blocks = headed or "```" in source or "~~~" in source
    for token in (_TOKEN if blocks else _INLINE_TOKEN).finditer(source):
        kind = token.lastgroup
        if kind == "tag":
            tags.append(token[kind].rstrip("/"))
        elif kind == "h1":
            heading = heading or _H1_CLOSE.sub("", token[kind]).strip()
        elif kind in ("wiki", "dest", "angle"):
            target = _wiki_target(token[kind]) if kind == "wiki" else _path_target(token[kind])
            if target:
                links.append(Link(target, "embed" if source[token.start() - 1] == "!" else "link"))
    return heading, links, tags


def _wiki_target(inner: str) -> str:
    # In a table the bar before the display text is written `\|`.
    return inner.partition("#")[0].removesuffix("\\").strip()


def _path_target(written: str) -> str:
    if _EXTERNAL.match(written):
        return ""
    target = written.partition("#")[0]
    if "\\" in target:
        target = _ESCAPED.sub(r"\1", target)
    return (_PERCENT.sub(_unpercent, target) if "%" in target else target).strip()


def _unpercent(run: re.Match[str]) -> str:
    raw = bytes.fromhex(run[0].replace("%", ""))
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return run[0]  # not text in UTF-8: then the percent signs are meant


def _meta_links(values: list[Value]) -> list[Link]:
    """Return the wikilinks inside frontmatter values, as Obsidian's properties show them."""
    found: list[Link] = []
    for value in values:
        if isinstance(value, str):
            hits = _WIKI.findall(value) if "[[" in value else ()
            links = (Link(_wiki_target(inner), "embed" if bang else "link") for bang, inner in hits)
            found += [link for link in links if link.target]
        else:
            found += _meta_links(value if isinstance(value, list) else list(value.values()))
    return found


def _original(meta: Mapping[str, Value]) -> str | None:
    blob = _scalar(meta.get("original"))
    return blob if _BLOB.fullmatch(blob) else None


def _scalar(value: Value | None) -> str:
    return value.strip() if isinstance(value, str) else ""


def _texts(value: Value | None) -> list[str]:
    """Return the texts of a property that may be one text or a list; YAML's nulls are none."""
    if not value:
        return []
    values = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return [text for item in values if (text := _scalar(item)) and text not in ("~", "null")]


def _first(value: Value) -> str:
    return next(iter(_texts(value)), "")


def _tags(meta: Meta, inline: list[str]) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for key in ("tags", "tag") if meta else ():
        value = meta.get(key)
        for tag in value.replace(",", " ").split() if isinstance(value, str) else _texts(value):
            found.setdefault(tag.lstrip("#").casefold(), tag.lstrip("#"))
    for tag in inline:
        if not tag.replace("/", "").isdigit():
            found.setdefault(tag.casefold(), tag)
    return tuple(tag for tag in found.values() if tag)


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[:-3] if name.lower().endswith(".md") and len(name) > 3 else name


def append_section(text: str, section: str) -> str:
    """Return *text* with *section* after a blank line, in the page's line ending, ending in one."""
    eol = eol_of(text)
    added = eol.join(line.rstrip("\r\n") for line in lines_of(section.strip("\r\n"))) + eol
    if not text:
        return added
    blank = text.endswith((eol * 2, "\n\n"))
    return text + ("" if blank else eol if text.endswith(("\n", "\r")) else eol * 2) + added
