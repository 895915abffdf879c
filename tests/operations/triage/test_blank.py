"""Secrets in originals: blanked in place, and JSON stays JSON."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.operations.triage.blank import ERASED, Door, blank
from companion.privacy.erased_words import remember

KEY = "ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA75J1\nabcd"
SECRETS = (KEY, PEM, "password: hunter2x", 'api_key="Zx81k2Lm93Qp"')

strings = st.lists(
    st.sampled_from(
        [
            *(f" {secret} " for secret in SECRETS),
            "é",
            '"',
            "\\",
            "\n",
            " ",
            "a",
            "\\n",
            "🙂",
        ]
    ),
    max_size=6,
).map("".join)


@given(
    st.dictionaries(strings, strings | st.lists(strings, max_size=3)),
    st.booleans(),
)
def test_json_stays_json_of_the_same_shape(
    tree: dict[str, Any], is_ascii: bool
) -> None:
    content = json.dumps(tree, ensure_ascii=is_ascii).encode()
    blanked, spans = blank(content, "application/json", Door())

    assert len(blanked) == len(content)
    back = json.loads(blanked)
    assert [type(value) for value in back.values()] == [
        type(value) for value in tree.values()
    ][: len(back)]
    assert KEY.encode() not in blanked
    assert b"MIIEow" not in blanked
    kept = bytearray(blanked)
    for start, length, _ in spans:
        kept[start : start + length] = content[start : start + length]
    assert bytes(kept) == content, "nothing else is touched"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "latin-1", "utf-16", "utf-8-sig"]
)
def test_a_secret_is_found_in_any_encoding(encoding: str) -> None:
    text = f"<p>Grüße: {KEY} - Ende</p>"
    content = text.encode(encoding)
    blanked, (span,) = blank(content, "text/html", Door())

    width = 2 if encoding == "utf-16" else 1
    assert span.length == width * len(KEY) and span.kind == "GitHub token"
    assert blanked[span.start :].startswith(b"*" * span.length)
    assert len(blanked) == len(content)


def test_what_nobody_can_read_yet_is_left_to_the_night() -> None:
    assert blank(KEY.encode(), "application/pdf", Door()) == (KEY.encode(), ())


def test_erased_words_stay_out_whatever_is_said() -> None:
    key = b"k" * 32
    door = Door(True, [remember("Project Nightjar", "[erased]", key)], key)
    content = f"about project nightjar, {KEY}".encode()
    blanked, (span,) = blank(content, "text/plain", door)

    assert blanked == f"about {'*' * 16}, {KEY}".encode()
    assert span.kind == ERASED
