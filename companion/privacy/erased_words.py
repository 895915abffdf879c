"""Refuse words that were erased: they are known by a keyed hash only.

Pure, and on a capture's hot path. A record has the length of each token of the words and the hash
of the tokens in lower case. Without the key, which never leaves this machine, it reveals nothing
else and cannot be tried against guesses.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from unicodedata import normalize
from zlib import crc32

from companion.privacy.hidden_words import ZERO_WIDTH, bare
from companion.values.captures import Draft
from companion.values.hashing import sha256
from companion.values.refusals import Refusal

_TOKEN = re.compile(r"[^\W_]+")
# a token as a reader sees it
_SEEN = re.compile(rf"[^\W_]+(?:[{ZERO_WIDTH}]+[^\W_]+)*")
_BLOCK = 64  # bytes, of SHA-256


# (start, end, what is read there): the places are those of the text, whatever is hidden in it
_Token = tuple[int, int, str]


class Erased(NamedTuple):
    """Words that were erased."""

    mark: str  # what stands in their place
    lengths: tuple[int, ...]  # of their tokens, in characters
    # 16 bits of a keyed checksum of the first token: what differs there need not be hashed
    check: int
    hash: str


def tokens(text: str) -> list[str]:
    """Return the runs of letters and digits of *text* in lower case."""
    return [_plain(found[0]) for found in _TOKEN.finditer(text)]


def remember(text: str, mark: str, key: bytes) -> Erased:
    """Return the record by which erased words are known again."""
    found = tokens(text)
    return Erased(
        mark=mark,
        lengths=tuple(map(len, found)),
        check=_check(found[0], _seed(key)),
        hash=keyed(" ".join(found), key),
    )


def keyed(text: str, key: bytes) -> str:
    """Return HMAC-SHA-256 of *text* in hex (RFC 2104), without loading OpenSSL on the hot path."""
    key = key.ljust(_BLOCK, b"\0")
    inner, outer = sha256(), sha256()
    inner.update(bytes(byte ^ 0x36 for byte in key))
    outer.update(bytes(byte ^ 0x5C for byte in key))
    inner.update(text.encode("utf-8", "surrogatepass"))
    outer.update(inner.digest())
    return str(outer.hexdigest())


def refuse(draft: Draft, known: Sequence[Erased], key: bytes) -> Refusal | None:
    """Refuse a draft that would bring erased words back; there is no way past this."""
    for where, value in (
        ("text", draft.text),
        ("title", draft.title),
        ("source", draft.source),
    ):
        for _, _, mark in find(value or "", known, key):
            problem = f"the {where} holds words that were erased here ({mark})"
            hint = "Take them out. What was erased stays out, also with --store-anyway."
            return Refusal(draft.origin, "secret", problem, hint)
    return None


def redact(text: str, known: Sequence[Erased], key: bytes) -> str:
    """Return *text* with the marks in place of what was erased."""
    for start, end, mark in sorted(find(text, known, key), reverse=True):
        text = text[:start] + mark + text[end:]
    return text


def find(
    text: str, known: Sequence[Erased], key: bytes
) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, mark) of every place where *text* holds words that were erased.

    They may be part of a token, too, and have characters without width between their letters.
    """
    yield from _find_in(list(_read_tokens(text, _TOKEN)), known, key)
    if bare(text) != text:
        yield from _find_in(list(_read_tokens(text, _SEEN)), known, key)


def _read_tokens(text: str, token: re.Pattern[str]) -> Iterator[_Token]:
    for match in token.finditer(text):
        yield match.start(), match.end(), _plain(bare(match[0]))


def _find_in(
    found: Sequence[_Token], known: Sequence[Erased], key: bytes
) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, mark) of the words in the tokens *found*."""
    sizes = [len(token) for _, _, token in found]
    for item in known:
        count = len(item.lengths)
        for at in range(len(found) - count + 1):
            if _fits(sizes[at : at + count], item.lengths):
                yield from _among(found[at : at + count], item, key)


def _fits(sizes: Sequence[int], lengths: Sequence[int]) -> bool:
    """Tell by lengths alone whether tokens may be the words: hashing is what costs.

    Only the outer tokens may go on beyond the words.
    """
    if sizes[0] < lengths[0] or sizes[-1] < lengths[-1]:
        return False
    return len(sizes) < 3 or tuple(sizes[1:-1]) == lengths[1:-1]


def _among(
    window: Sequence[_Token], item: Erased, key: bytes
) -> Iterator[tuple[int, int, str]]:
    """Yield the places of erased words in a *window* of as many tokens as they have."""
    if len(window) > 1:
        yield from _across(window, item, key)
        return
    start, end, first = window[0]
    seed = _seed(key)
    size = item.lengths[0]
    for at in range(len(first) - size + 1):
        piece = first[at : at + size]
        if _check(piece, seed) == item.check and keyed(piece, key) == item.hash:
            is_plain = end - start == len(first)
            if is_plain:
                yield start + at, start + at + size, item.mark
            else:
                # characters are hidden in the token: it goes whole
                yield start, end, item.mark
                return


def _across(
    window: Sequence[_Token], item: Erased, key: bytes
) -> Iterator[tuple[int, int, str]]:
    """Yield the place of erased words that go over several tokens."""
    start, first_end, first = window[0]
    last_start, end, last = window[-1]
    head = first[-item.lengths[0] :]
    tail = last[: item.lengths[-1]]
    if _check(head, _seed(key)) != item.check:
        return
    between = [token for _, _, token in window[1:-1]]
    if keyed(" ".join([head, *between, tail]), key) == item.hash:
        # where characters are hidden in a token, it goes whole
        if first_end - start == len(first):
            start += len(first) - len(head)
        if end - last_start == len(last):
            end -= len(last) - len(tail)
        yield start, end, item.mark


def _seed(key: bytes) -> int:
    return int.from_bytes(key[:4], "big")


def _check(piece: str, seed: int) -> int:
    return crc32(piece.encode("utf-8", "surrogatepass"), seed) & 0xFFFF


def _plain(token: str) -> str:
    lowered = token.lower()
    if lowered.isascii():
        return lowered
    return normalize("NFC", lowered)
