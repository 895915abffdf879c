"""File names: any title gives one that links find and that is safe on every system."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.pages.links import choose, fold, is_page_target, key, title_key
from companion.pages.names.file_name import MAX_BYTES, find_free, make_file_name
from companion.storage.git.trees import check_path

# fmt: off
HOSTILE = [
    "con", "AUX", "nul.txt", "COM1", "lpt9", "com¹", "PRN.", "../x", "/abs", ".git/config", ".GIT", "git~1", "README",
    ".g\u200dit", "a\0b", "a\nb", "a:b", "a\\b", "x" * 300, "é" * 300, "x ", "x.", "-rf", "...", "", "\u202eabc",
    "e\u0301", "a" + "\u0301" * 300, "\u0301", "\ud800", "👩\u200d💻", "\u3164", "a\ufe0f", "..", "$MFT",
    "a" * 79 + "é", "e\u200d\u0301", "a.md", "a.pdf.md.md", "x " * 39 + "a.pdf", "con .x", "a%%b", "[[a|b]]",
    "a#b^c", "x" * 79 + " .md", "CONIN$", "claude", "a\u00a0b", "\u2028", "..md", "- .md",
]
# fmt: on
DEVICES = {
    "con",
    "prn",
    "aux",
    "nul",
    *(device + n for device in ("com", "lpt") for n in "0123456789¹²³"),
}
FORBIDDEN = set('/\\:*?"<>|#^[]')


@given(st.one_of(st.sampled_from(HOSTILE), st.text(), st.text(min_size=60)))
def test_every_name_is_safe(title: str) -> None:
    name = make_file_name(title)

    assert 1 <= len(name.encode("utf-8")) <= MAX_BYTES
    assert name == unicodedata.normalize("NFC", name)
    assert not FORBIDDEN & set(name) and "%%" not in name
    assert all(
        char == " " or unicodedata.category(char)[0] in "LNMPS" for char in name
    )
    assert name[0] not in "-. " and name[-1] not in ". " and "  " not in name
    assert unicodedata.category(name[0])[0] != "M"
    assert name.partition(".")[0].strip().lower() not in DEVICES
    assert make_file_name(name) == name
    check_path(f"entries/{name}.md")


@given(st.one_of(st.sampled_from(HOSTILE), st.text(), st.text(min_size=60)))
def test_every_name_is_found_by_its_own_link(title: str) -> None:
    name = make_file_name(title)
    path = f"entries/{name}.md"

    assert is_page_target(name)
    assert key(path) == key(name) == fold(name)
    assert choose(name, "a/b.md", [path]) == path


@given(
    st.text(
        st.characters(categories=["L", "N"]) | st.sampled_from(" '&,;!-_.()"),
        min_size=1,
        max_size=20,
    )
)
def test_a_link_by_title_finds_the_page(title: str) -> None:
    title = f"A{' '.join(title.split())}z"  # ends that need no change
    path = f"entries/{make_file_name(title)}.md"

    assert is_page_target(title) == (choose(title, "a.md", [path]) == path)
    assert key(path) == title_key(title)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Anna Weber", "Anna Weber"),
        ("Why we chose Postgres 16", "Why we chose Postgres 16"),
        ("Don't panic: it\u2019s fine!", "Don't panic it\u2019s fine!"),
        ("Straße İstanbul", "Straße İstanbul"),
        ("東京 の 天気", "東京 の 天気"),
        ("cafe\u0301", "café"),
        ("v1.2_final (copy)", "v1.2_final (copy)"),
        (".g\u200dit", "git"),
        ("git~1", "git~1"),
        ("../../etc/passwd", "etc passwd"),
        ("Con", "Con (note)"),
        ("aux.c", "aux c"),
        ("README", "README (note)"),
        ("🌲", "🌲"),
        ("\u3164", "note"),
        ("...", "note"),
        ("Acme Inc.", "Acme Inc"),
        ("report.pdf", "report pdf"),
        ("plan.md", "plan"),
        ("C# and #tags", "C and tags"),
        ("a\ufe0fb\U000e0101", "ab"),
        ("word " * 30, " ".join(["word"] * 16)),
        ("x" * 200, "x" * 80),
        ("é" * 200, "é" * 40),
        ("x" * 79 + "q\u0303", "x" * 79),
    ],
)
def test_titles_stay_as_they_are_linked(title: str, name: str) -> None:
    assert make_file_name(title) == name


@given(
    st.sampled_from(["note", "x" * 80, "é" * 40, "word " * 15 + "words"]),
    st.integers(0, 200),
)
def test_unique_counts_up_within_the_limit(name: str, used: int) -> None:
    taken: set[str] = set()
    for number in range(1, used + 1):
        found = find_free(name, taken.__contains__)
        assert key(found) not in taken
        assert len(found.encode("utf-8")) <= MAX_BYTES
        assert number == 1 or found.endswith(f" ({number})")
        taken.add(key(found))


@given(st.sets(st.integers(1, 40)))
def test_unique_is_free_even_where_the_numbers_have_gaps(
    used: set[int],
) -> None:
    taken = {"note" if number == 1 else f"note ({number})" for number in used}

    assert find_free("note", taken.__contains__) not in taken


def test_unique_asks_for_the_folded_name_and_not_ten_thousand_times() -> None:
    asked: list[str] = []

    def taken(name: str) -> bool:
        asked.append(name)
        return name == "strasse" or int(name.rpartition("(")[2][:-1]) <= 10_000

    assert find_free("straße", taken) == "straße (10001)"
    assert len(asked) < 40
