"""Slugs: any title gives the name of a branch that is safe on every system."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.pages.links import key
from companion.pages.names.slug import MAX_BYTES, slugify

# fmt: off
HOSTILE = [
    "con", "AUX", "nul.txt", "COM1", "lpt9", "com¹", "PRN.", "../x", "/abs", ".git/config", ".GIT", "git~1", "README",
    ".g\u200dit", "a\0b", "a\nb", "a:b", "a\\b", "x" * 300, "é" * 300, "x ", "x.", "-rf", "...", "", "\u202eabc",
    "e\u0301", "a" + "\u0301" * 300, "\u0301", "\ud800", "👩\u200d💻", "\u3164", "a\ufe0f", "..", "$MFT",
    "a" * 79 + "é", "e\u200d\u0301",
]
# fmt: on
DEVICES = {
    "con",
    "prn",
    "aux",
    "nul",
    *(device + n for device in ("com", "lpt") for n in "0123456789¹²³"),
}


@given(st.one_of(st.sampled_from(HOSTILE), st.text(), st.text(min_size=60)))
def test_every_slug_is_safe(title: str) -> None:
    slug = slugify(title)

    assert 1 <= len(slug.encode("utf-8")) <= MAX_BYTES
    assert slug == slug.lower() == unicodedata.normalize("NFC", slug)
    assert slug[0] not in "-." and slug[-1] not in "-. " and "--" not in slug
    assert all(
        char == "-" or unicodedata.category(char)[0] in "LNM" for char in slug
    )
    assert unicodedata.category(slug[0])[0] != "M"
    assert slug not in DEVICES
    assert slugify(slug) == slug
    assert key(slug + ".md") == key(slug)


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Why we chose Postgres 16", "why-we-chose-postgres-16"),
        ("Don't panic: it\u2019s fine!", "dont-panic-its-fine"),
        ("Straße İstanbul", "straße-i̇stanbul"),
        ("東京 の 天気", "東京-の-天気"),
        ("हिन्दी भाषा", "हिन्दी-भाषा"),
        ("cafe\u0301", "café"),
        ("v1.2_final (copy)", "v1-2-final-copy"),
        (".g\u200dit", "git"),
        ("git~1", "git-1"),
        ("../../etc/passwd", "etc-passwd"),
        ("Con", "con-note"),
        ("README", "readme-note"),
        ("🌲", "note"),
        ("\u3164", "note"),
        ("a\ufe0fb\U000e0101", "ab"),
        ("word " * 30, "-".join(["word"] * 16)),
        ("x" * 200, "x" * 80),
        ("é" * 200, "é" * 40),
        ("x" * 79 + "q\u0303", "x" * 79),
    ],
)
def test_titles_stay_readable(title: str, slug: str) -> None:
    assert slugify(title) == slug
