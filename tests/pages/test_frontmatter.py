"""Frontmatter: the fast path equals libyaml, what is written reads back, and nothing hostile gets
through.
"""

from datetime import date

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from companion.pages import frontmatter
from companion.pages.frontmatter import MAX_FRONT, compose, read_front

ALPHABET = st.sampled_from(
    list("ab-: #'\"[]{},&*!|>%@`?~=.\\/\t\n0é\u00a0\u200d\u2028🌲<_+")
)
# fmt: off
WRITTEN = [
    "no", "Yes", "on", "null", "~", "012", "12:30:45", "2026-11-21", "9999-99-99", "1e5", "0x1F", ".5", "y", "n",
    "- a", "-", "-rf", ": ", "a: b", "a:", "a #b", "#a", "'", '"', "\\", "a\nb", "\n", "", " ", " a", "a ", "[[x]]",
    "[a", "{a: b}", "&a", "*a", "!!str a", "| a", "> a", "%a", "@a", "`a`", "---", "...", "?", "=", "<<", "\x00",
    "\x07", "\x7f", "\x85", "\u2028", "\ufeff", "\uffff", "é", "e\u0301", "👩\u200d💻", "\u202e", "3 apples", "v1.2",
    "a, b", "1_000", "+1", "1/2", "a\tb", "a\r\nb", "\n---\n", "²", "9" * 5000,
]
# fmt: on
NASTY = st.one_of(
    st.sampled_from(WRITTEN),
    st.text(max_size=12),
    st.text(ALPHABET, max_size=12),
)
KEYS = st.sampled_from(
    [
        "id",
        "type",
        "title",
        "created",
        "status",
        "companion",
        "own key",
        "no",
        "x: y",
    ]
)
LISTS = st.sampled_from(["aliases", "tags", "sources", "other"])


def block(text: str) -> str:
    return f"---\n{text}\n---\nbody\n"


@st.composite
def front_lines(draw: st.DrawFn) -> str:
    """Frontmatter as people nearly write it: mostly plain lines, each part now and then off."""
    key = st.sampled_from(
        ["a", "title", "my key", "tags", "é", "a-b", "1", "", "'q'"]
    )
    scalar = st.one_of(
        NASTY.map(lambda text: text.replace("\n", " ")),
        st.text(st.sampled_from("ab :#-"), max_size=6),
    )
    quoted = st.tuples(st.sampled_from("\"'"), scalar).map(
        lambda pair: pair[0] + pair[1] + pair[0]
    )
    flow = st.lists(st.one_of(scalar, quoted), max_size=3).map(
        lambda items: "[" + ", ".join(items) + "]"
    )
    value = st.one_of(scalar, quoted, flow, st.just(""))
    lines = []
    for _ in range(draw(st.integers(0, 5))):
        pad = draw(st.sampled_from(["", "", " ", "  ", "    "]))
        kind = draw(
            st.sampled_from(["key", "key", "item", "item", "blank", "raw"])
        )
        colon = draw(st.sampled_from([": ", ": ", ":", ":   ", " : "]))
        parts = {
            "key": draw(key) + colon + draw(value),
            "item": pad + "- " + draw(st.one_of(scalar, quoted)),
        }
        lines.append(parts.get(kind, pad if kind == "blank" else draw(scalar)))
    return "\n".join(lines)


@given(front_lines())
@example("a:\n  - x\n - y")
@example("a: b\n  - c")
@example("a: b\n  c")
@example("a:\n- x\n\n- y\nb: [c, 'd', \"e\"]")
@example("a: []\nb: ''")
def test_the_fast_path_reads_what_libyaml_reads(text: str) -> None:
    fast = frontmatter._plain(text)

    if fast is not None:
        assert frontmatter._exact(text) == (fast, None)


def test_the_fast_path_takes_what_people_write() -> None:
    text = (
        'id: abcdefghijklmnop\ntitle: A "b" it\'s\ntags: [a, b/c]\naliases:\n  - x y\n  -'
        ' "[[Z]]"\nempty:'
    )

    assert frontmatter._plain(text) == {
        "id": "abcdefghijklmnop",
        "title": 'A "b" it\'s',
        "tags": ["a", "b/c"],
        "aliases": ["x y", "[[Z]]"],
        "empty": "",
    }


@pytest.mark.parametrize(
    "written",
    [
        "no",
        "012",
        "12:30:45",
        "2026-11-21",
        "9999-99-99",
        "1e5",
        "9" * 5000,
        "0x1F",
    ],
)
@pytest.mark.parametrize("around", ["{}", "{} # a comment"])
def test_values_are_the_text_written(written: str, around: str) -> None:
    assert read_front(block("title: " + around.format(written))).meta == {
        "title": written
    }


@given(
    st.dictionaries(KEYS, NASTY),
    st.dictionaries(LISTS, st.lists(NASTY, max_size=3)),
    st.text(max_size=30),
)
def test_what_is_composed_reads_back_everywhere(
    texts: dict[str, str], lists: dict[str, list[str]], body: str
) -> None:
    meta = {**texts, **lists}
    page = compose(meta, body)

    assert read_front(page) == (meta, body, None)
    found = yaml.safe_load(page[4 : len(page) - len(body) - 4])
    for key in found or {}:
        if key in ("created", "updated") and isinstance(found[key], date):
            # these two are written bare, and are dates to YAML
            found[key] = found[key].isoformat()
    assert found == (meta or None)


def test_a_date_that_no_calendar_has_is_quoted() -> None:
    """Bare, it made PyYAML refuse the whole page."""
    page = compose({"created": "9999-99-99"}, "")
    assert yaml.safe_load(page[4:-4]) == {"created": "9999-99-99"}


def test_compose_orders_its_keys_and_quotes_only_at_need() -> None:
    page = compose(
        {
            "own": "1 step: back",
            "tags": ["a", "no"],
            "title": "Node.js at 3 p.m.",
            "id": "abc",
            "aliases": [],
        },
        "Body\n",
    )

    assert page == (
        '---\nid: abc\ntitle: Node.js at 3 p.m.\naliases: []\ntags:\n  - a\n  - "no"\nown: "1'
        ' step: back"\n---\nBody\n'
    )


def test_a_lone_surrogate_cannot_be_stored_and_becomes_the_replacement_character() -> (
    None
):
    assert read_front(compose({"title": "a\ud800b"}, "")).meta == {
        "title": "a\ufffdb"
    }


BOMB = "a: &a [x]\n" + "\n".join(
    f"{chr(98 + i)}: &{chr(98 + i)} [*{chr(97 + i)}, *{chr(97 + i)}]"
    for i in range(20)
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("---\ntitle: x\nno end", "never closed"),
        (block("- a\n- b"), "not a list of"),
        (block("just prose"), "not a list of"),
        (block(BOMB), "anchor or alias"),
        (block("a: &x [*x]"), "anchor or alias"),
        (block("a: !!python/object:os.system x"), "YAML tag"),
        (block("a: !foo x"), "YAML tag"),
        (block("a: " + "[" * 100_000), "deep"),
        (block("a:\n " + "- " * 100_000), "deep"),
        (block("{" * 100_000), "deep"),
        (block('a: ["]", ' * 20_000), "deep"),
        (block("a: 1\na: 2"), "`a` twice"),
        (block("a: b: c"), "line 2"),
        (block("a: 1\nb: [x"), "not valid YAML"),
        (block("a: x\x00y"), "characters"),
        (block("a: x\ud800y"), "characters"),
        (block("{a: b}: c"), "as a key"),
        (block("a: 1\n... \nb: 2"), ""),
        (block("a: " + "x" * MAX_FRONT), "256 kB"),
    ],
)
def test_what_cannot_be_frontmatter_stays_whole_with_the_reason(
    text: str, said: str
) -> None:
    front = read_front(text)

    assert front.body == text
    assert front.problem is not None
    assert said in front.problem


def test_a_typo_does_not_cost_a_page_its_id() -> None:
    front = read_front(
        block("id: abcdefghijklmnop\nid: other\ntitle: oh: no\ntags: [a")
    )

    assert front.problem
    assert front.meta == {"id": "abcdefghijklmnop"}


@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_line_endings_and_a_byte_order_mark_change_nothing(
    eol: str, bom: str
) -> None:
    text = bom + eol.join(
        ["---", "a: b", "c:", "  - d", "--- ", "one", "two", ""]
    )

    assert read_front(text) == (
        {"a": "b", "c": ["d"]},
        f"one{eol}two{eol}",
        None,
    )


@pytest.mark.parametrize(
    "text",
    ["---\n---\nbody", "---\n\n---\nbody", "---\n# only a comment\n---\nbody"],
)
def test_empty_frontmatter_is_no_problem(text: str) -> None:
    assert read_front(text) == ({}, "body", None)


@given(st.one_of(st.text(), st.text(ALPHABET).map(block)))
def test_no_text_raises_or_loses_anything(text: str) -> None:
    front = read_front(text)

    assert text.endswith(front.body)
    assert front.problem is None or front.body == text


def test_without_libyaml_the_pure_parser_reads_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "a: {b: no}\nc: |\n  two\n  lines\nd: !!int 012"
    exact = frontmatter._exact(text)
    monkeypatch.delattr(yaml, "CBaseLoader")

    assert (
        frontmatter._exact(text)
        == exact
        == ({"a": {"b": "no"}, "c": "two\nlines\n", "d": "012"}, None)
    )
    assert "deep" in (frontmatter._exact("a: " + "[" * 100_000)[1] or "")
