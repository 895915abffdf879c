"""Find words to erase in every form in which a wiki may hold them, and put a mark in their place.

The mark is one plain word (``erased-2026-11-22-1a2b``), so that it can stand wherever the words
stood: in prose, in a title, in a link, in JSON, in a file's name. Pure.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple
from unicodedata import normalize
from urllib.parse import quote

from companion.errors import BadInput
from companion.language.headline import headline
from companion.language.names.naming_contradictions import list_details
from companion.pages.names import file_name, slug
from companion.privacy import erased_words, hidden_words
from companion.privacy.hidden_words import Hit

# letters and digits; shorter words would match in many unrelated places
LEAST = 6
# Titles and file names may cut a long token: its first `_LONG` bytes match, with as many of the
# next ones, up to `_HEAD`, as follow.
_LONG = 24
_HEAD = 90
_SIGN = 12  # bytes of a form that are looked for before its pattern is tried
# What every wiki's folders, commits and rows are made of; ledger files are looked at one by one.
_RECORD = (
    b".companion/ledger companion.yaml Companion-Operation Companion-Run Companion-Version"
    b" Companion-Device"
    b" private shared pending consolidated rejected expired"
)
# Keys of a ledger's line whose values are words of a closed list.
_CHOSEN = (
    "e",
    "operation",
    "outcome",
    "bucket",
    "kind",
    "choice",
    "task",
    "label",
    "scope",
)
# a headline shorter than this is no sign of the text it was made from
_TITLE = 20
_NORMS: tuple[Literal["NFC", "NFD"], ...] = ("NFC", "NFD")
_HEADING = re.compile(r"\A#[ \t][^\r\n]*[\r\n]+")
_STOP = re.compile(r"(?<=[.!?])\s")


class TooShort(BadInput):
    """These words are too short: erasing them would change unrelated text."""

    hint = f"Give at least {LEAST} letters or digits; add the words that stand beside them."


class OfTheRecord(BadInput):
    """Companion's own records use these words: without them no run could be read."""

    hint = "Give them together with the words that stand beside them."


class Words(NamedTuple):
    """Words to erase, and what is to stand in their place."""

    text: str
    mark: str


def require(text: str) -> str:
    """Return *text* without surrounding white space and characters that have no width.

    Raises TooShort or OfTheRecord.
    """
    text = hidden_words.bare(text).strip()
    if sum(map(len, erased_words.tokens(text))) < LEAST:
        raise TooShort
    if re.search(pattern(text), _RECORD, re.IGNORECASE):
        raise OfTheRecord
    return text


def require_readable(before: bytes, after: bytes) -> None:
    """Raise OfTheRecord where erasing changed companion's own words in a ledger file.

    *before* and *after* are the bytes of the file.
    """
    kept = [_own_words_of_line(line) for line in before.splitlines()]
    written = [_own_words_of_line(line) for line in after.splitlines()]
    if kept != written:
        raise OfTheRecord


def _own_words_of_line(line: bytes) -> object:
    """Return companion's own words in a ledger's line, None where it cannot be parsed."""
    try:
        return _own_words(json.loads(line))
    except (ValueError, RecursionError):
        return None  # a foreign or torn line has no words of companion


def _own_words(value: object) -> object:
    """Return companion's own words in a value: its keys, and its values from closed lists."""
    if isinstance(value, dict):
        own = {key: _own_words(part) for key, part in value.items()}
        own.update((key, value[key]) for key in _CHOSEN if key in value)
        return own
    if isinstance(value, list):
        return [_own_words(part) for part in value]
    return None


def cleaner(words: Sequence[Words]) -> Callable[[bytes], bytes]:
    """Return the function that replaces every form of *words* by its mark, in any ASCII case.

    It reads past characters without width, and finds the words in UTF-16, too.
    """
    patterns = _compile(words)
    signs = _list_signs(words)
    find_hidden = hidden_finder(words)

    def clean(data: bytes) -> bytes:
        """Return *data* with marks in place of the words."""
        lowered = data.lower()
        # For data without a match this is 30 times faster than the patterns.
        if any(sign in lowered for sign in signs):
            for compiled, mark in patterns:
                data = compiled.sub(mark, data)
        return hidden_words.replace(data, find_hidden(data))

    return clean


def hidden_finder(words: Sequence[Words]) -> Callable[[bytes], list[Hit]]:
    """Return the function that finds *words* where their bytes alone do not show them.

    Its hits are in order and do not overlap.
    """
    patterns = _compile(words)
    signs = _list_signs(words)
    beginnings: set[str] = set()
    for item in words:
        beginnings.update(form.lower()[:LEAST] for form in forms(item.text))

    def find(data: bytes) -> list[Hit]:
        lowered = data.lower()
        hits: list[Hit] = []
        if any(sign in lowered for sign in signs):
            for compiled, mark in patterns:
                for found in compiled.finditer(data):
                    hits.append(Hit(*found.span(), mark))
        return hits

    return lambda data: hidden_words.find_hidden(data, find, beginnings)


def _compile(words: Sequence[Words]) -> list[tuple[re.Pattern[bytes], bytes]]:
    return [
        (re.compile(pattern(item.text), re.IGNORECASE), item.mark.encode())
        for item in words
    ]


def _list_signs(words: Sequence[Words]) -> set[bytes]:
    signs: set[bytes] = set()
    for item in words:
        signs.update(_bytes(form).lower()[:_SIGN] for form in forms(item.text))
    return signs


def pattern(text: str) -> bytes:
    """Return a regular expression that matches *text* in every form.

    It matches the text as written, escaped, in a file name, and cut short in a title.
    """
    written = forms(text)
    whole = [re.escape(_bytes(form)) for form in written]
    tokens = [
        form
        for form in written
        if len(form) > _LONG and not re.search(r"\s", form)
    ]
    cut = [_match_beginning(token) for token in tokens]
    return b"|".join(whole + cut)


def forms(text: str) -> list[str]:
    """Return every way in which *text* may be written, the longest first."""
    long_enough = {form for form in _forms(text) if len(form) >= LEAST}
    return sorted(long_enough, key=lambda form: (-len(form), form))


def _forms(text: str) -> Iterator[str]:
    # a note that joins a page leaves its heading behind
    written = {text, _HEADING.sub("", text)}
    normalized = [normalize(form, one) for one in written for form in _NORMS]
    for plain in sorted({*written, *normalized}):
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
        yield _in_kept_name(plain)
        yield file_name.make_file_name(plain)
        yield slug.slugify(plain)  # of pages and branches named by it
    # a title once ended at any full stop: "Our vet is Dr"
    first = _STOP.split(text.strip(), maxsplit=1)[0]
    for title in (headline(text), headline(first), *list_details(text)):
        if len(title) >= _TITLE:
            yield title
            yield file_name.make_file_name(title)
            yield slug.slugify(title)


def _in_kept_name(text: str) -> str:
    """Return *text* as the name of a kept file has it."""
    return text.replace("%", "%25").replace("/", "%2F").replace("@", "%40")


def _match_beginning(form: str) -> bytes:
    """Return a pattern for the first `_LONG` bytes of a token and as many more as follow."""
    head = _bytes(form)
    more = b""
    for byte in reversed(head[_LONG:_HEAD]):
        more = b"(?:" + re.escape(bytes([byte])) + more + b")?"
    return re.escape(head[:_LONG]) + more


def _bytes(form: str) -> bytes:
    return form.encode("utf-8", "surrogateescape")


def substitute(data: bytes, table: Mapping[bytes, bytes]) -> bytes:
    """Return *data* with each key of *table* replaced by its value."""
    if not table:
        return data
    return re.sub(
        b"|".join(map(re.escape, table)), lambda found: table[found[0]], data
    )
