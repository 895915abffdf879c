"""Damaged bytes, drawn by hypothesis from a corpus of good ones."""

import re

from hypothesis import strategies as st

TOKENS = (
    b"\0", b"\xff\xfe", b"\xed\xa0\x80", b"\r", b"\n", b"\n---\n", b"---", b"{", b"}",
    b"[", b"]", b"[" * 3_000, b"null", b"NaN", b"-1", b"1e999", b"9" * 5_000, b"true",
    b'""', b'"', b"\\u", b"\\ud800", b"&a", b"*a", b"!!python/object", b"<<: *a", b": ",
    b"[]", b"{}", b"- ", b"#", b"|", b"^c-", b"9999-12-31", b"0000-00-00", b"2026-02-31",
    b"T99:99:99Z", b"+99:99", b"\xe2\x80\x8b", b"\xc3\x9f", b"\xd9\xa3", b"\xef\xbb\xbf",
)  # fmt: skip

# a value as JSON and YAML write it, and what may stand in its place: of every other kind
VALUE = re.compile(rb'"[^"\n]*"|-?\b\d+(?:\.\d+)?\b|\b(?:null|true|false)\b')
OTHERS = (
    b"null", b"true", b"[]", b"{}", b"[[]]", b'""', b'"\\ud800"', b"0", b"-1", b"0.5",
    b"1e999", b"-1e999", b"NaN", b"9" * 400, b"[1]", b'{"a": 1}',
)  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn, corpus: tuple[bytes, ...]) -> bytes:
    """Return one of *corpus* after one to eight cuts, insertions, flips and repeats."""
    data = draw(st.sampled_from(corpus))
    for _ in range(draw(st.integers(1, 8))):
        data = _change(draw, data)
    return data


def _change(draw: st.DrawFn, data: bytes) -> bytes:
    at = draw(st.integers(0, len(data)))
    end = draw(st.integers(at, min(len(data), at + 40)))
    kind = draw(
        st.sampled_from(
            ["cut", "insert", "replace", "repeat", "flip", "swap", "value"]
        )
    )
    if kind == "value":
        return _change_value(draw, data)
    if kind == "cut":
        return data[:at] + data[end:]
    if kind == "insert":
        return data[:at] + draw(_pieces) + data[at:]
    if kind == "replace":
        return data[:at] + draw(_pieces) + data[end:]
    if kind == "repeat":
        return data[:end] + data[at:end] * draw(st.integers(1, 30)) + data[end:]
    if kind == "flip" and at < len(data):
        bit = 1 << draw(st.integers(0, 7))
        return data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :]
    return data[end:] + data[:at] + data[at:end]


def _change_value(draw: st.DrawFn, data: bytes) -> bytes:
    """Return *data* with one of its values of another kind."""
    places = [found.span() for found in VALUE.finditer(data[:5_000])]
    if not places:
        return data
    begin, end = draw(st.sampled_from(places))
    return data[:begin] + draw(st.sampled_from(OTHERS)) + data[end:]


_pieces = st.one_of(st.sampled_from(TOKENS), st.binary(max_size=12))
