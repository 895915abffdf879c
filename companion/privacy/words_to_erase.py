"""Erasing words: every form in which a wiki may hold them, and the mark that takes their place.
Pure.

The mark is one plain word (``erased-2026-11-22-1a2b``), so that it may stand wherever the words
stood: in prose, in a title, in a link, in JSON, in a file's name.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple
from unicodedata import normalize
from urllib.parse import quote

from companion.errors import BadInput
from companion.pages import slug
from companion.pages.title import headline
from companion.privacy import erased_words

LEAST = 6  # letters and digits: fewer would be found all over
# a token is cut in titles and file names: from so many characters on, its beginning counts
_LONG, _HEAD = 24, 90
_SIGN = 12  # bytes of a form that are looked for before its pattern is tried
# What every wiki's folders, commits and rows are made of; ledger files are looked at one by one.
_RECORD = b".companion/ledger companion.yaml Companion-Operation Companion-Run Companion-Version private shared pending"
_RECORD += b" consolidated rejected expired"
# of a line's values
_CHOSEN = ("e", "operation", "outcome", "bucket", "kind", "choice", "task", "label", "scope")
_TITLE = 20  # a headline shorter than this is no sign of the text it was made from


class TooShort(BadInput):
    """These words are too short to be told apart from others."""

    hint = f"Give at least {LEAST} letters or digits, with what stands beside them."


class OfTheRecord(BadInput):
    """The record of every wiki is made of these words: without them no run could be read."""

    hint = "Give them together with what stands beside them."


class Words(NamedTuple):
    """Words to erase, and what is to stand in their place."""

    text: str
    mark: str


def require(text: str) -> str:
    """Return *text* without surrounding white space, or raise TooShort."""
    text = text.strip()
    if sum(map(len, erased_words.tokens(text))) < LEAST:
        raise TooShort
    if re.search(pattern(text), _RECORD, re.IGNORECASE):
        raise OfTheRecord
    return text


def require_readable(before: bytes, after: bytes) -> None:
    """Raise OfTheRecord where a ledger file's words of ours became others: *before* and *after* are
    its lines.
    """
    if list(map(_skeleton, before.splitlines())) != list(map(_skeleton, after.splitlines())):
        raise OfTheRecord


def _skeleton(line: bytes) -> object:
    try:
        return _names(json.loads(line))
    except (ValueError, RecursionError):
        return None  # a foreign or torn line: nothing of ours to keep


def _names(value: object) -> object:
    """Return what is ours in a value of a ledger's line: its keys, and the values that are one of a
    few words.
    """
    if isinstance(value, dict):
        return {key: part if key in _CHOSEN else _names(part) for key, part in value.items()}
    return [_names(part) for part in value] if isinstance(value, list) else None


def cleaner(words: Sequence[Words]) -> Callable[[bytes], bytes]:
    """Return the function that puts the marks where any form of *words* stands, without regard to
    ASCII case.
    """
    patterns = [
        (re.compile(pattern(item.text), re.IGNORECASE), item.mark.encode()) for item in words
    ]
    signs = {_bytes(form).lower()[:_SIGN] for item in words for form in forms(item.text)}

    def clean(data: bytes) -> bytes:
        lowered = data.lower()
        # 30 times faster than the patterns, on what holds nothing
        if any(sign in lowered for sign in signs):
            for found, mark in patterns:
                data = found.sub(mark, data)
        return data

    return clean


def pattern(text: str) -> bytes:
    """Return a regular expression for the forms of *text*: as written, escaped, in a file name, cut
    in a title.
    """
    found = forms(text)
    whole = [re.escape(_bytes(form)) for form in found]
    return b"|".join(
        whole
        + [_beginning(form) for form in found if len(form) > _LONG and not re.search(r"\s", form)]
    )


def forms(text: str) -> list[str]:
    """Return how *text* may be written, the longest first."""
    return sorted(
        {form for form in _forms(text) if len(form) >= LEAST}, key=lambda form: (-len(form), form)
    )


def _forms(text: str) -> Iterator[str]:
    for plain in {text, normalize("NFC", text), normalize("NFD", text)}:
        yield plain
        yield plain.replace("\r\n", "\n")
        yield plain.replace("\n", "\r\n")
        yield " ".join(plain.split())
        yield plain.replace("'", "''")  # in single quotes of YAML
        for ascii_only in (False, True):
            once = json.dumps(plain, ensure_ascii=ascii_only)[1:-1]
            yield from (once, json.dumps(once)[1:-1])
        yield quote(plain, errors="surrogateescape")
        yield quote(plain, safe="", errors="surrogateescape")
        yield slug.slugify(plain)
    title = headline(text)
    if len(title) >= _TITLE:
        yield from (title, slug.slugify(title))


def _beginning(form: str) -> bytes:
    """Match from the first `_LONG` characters of a token as far as it goes on."""
    head = _bytes(form)
    more = b""
    for byte in reversed(head[_LONG:_HEAD]):
        more = b"(?:" + re.escape(bytes([byte])) + more + b")?"
    return re.escape(head[:_LONG]) + more


def _bytes(form: str) -> bytes:
    return form.encode("utf-8", "surrogateescape")


def substitute(data: bytes, table: Mapping[bytes, bytes]) -> bytes:
    """Replace each of *table*'s keys in *data*."""
    if not table:
        return data
    return re.sub(b"|".join(map(re.escape, table)), lambda found: table[found[0]], data)
