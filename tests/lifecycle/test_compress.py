"""A compressed page keeps its facts, its links, its tags and whatever its owner wrote, and comes
back byte for byte.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.judges.summarise import LightSummariser
from companion.lifecycle import compress
from companion.pages import page
from companion.pages.frontmatter_keys import set_frontmatter_keys
from companion.pages.lines import lines_of
from companion.pages.statement_edits import add_statement, retire_statement
from companion.pages.statements import read_statements
from companion.values.claims import Span

BLOB, DAY = "a" * 40, "2026-11-22"
HEAD = "---\nid: abcdefghij234567\ntitle: Depot\ntags:\n  - stores\n---\n"
PROSE = (
    "The depot in the north was closed in spring because its roof leaked. All of its stock went to "
    "[[Harbour|the quay]]. "
    "A guard stayed on until the autumn and wrote a log. Nobody has asked for the log so far."
    " The fence was sold. "
    "Two of the gates were kept. #closed"
)
FACTS = "## Facts\n\n- keeper:: Rosa (since 2026-05-01)\n"
PAGE = f"{HEAD}# Depot\n\n{PROSE}\n\nowner:: Rosa\n\n## Later\n\nmine alone\n\n{FACTS}"


def small(text: str, theirs: set[str] | None = None) -> str | None:
    done = LightSummariser().summarise(text, depth=compress.summary_depth(text))
    return compress.compress(
        text, done.spans, theirs=theirs or set(), original=BLOB, day=DAY
    )


def made(text: str, theirs: set[str] | None = None) -> str:
    done = small(text, theirs)
    assert done is not None
    return done


def test_what_stays() -> None:
    """DEC-3, OBJ-3: facts, fields, links, tags, the owner's line, and the way to the original."""
    done = made(PAGE, {"mine alone"})
    front = page.read_front(done)
    assert (
        front.meta["original"],
        front.meta["compressed"],
        front.meta["id"],
    ) == (
        BLOB,
        DAY,
        "abcdefghij234567",
    )
    for line in (
        "owner:: Rosa",
        "mine alone",
        "- keeper:: Rosa (since 2026-05-01)",
        "# Depot",
        "## Later",
    ):
        assert line in done.splitlines()
    assert set(page.parse(done, "").links) == set(page.parse(PAGE, "").links)
    assert set(page.parse(done, "").tags) == {"stores", "closed"}
    assert len(done) < len(PAGE)


def test_the_blank_line_behind_the_frontmatter_stays() -> None:
    spaced = PAGE.replace(HEAD, f"{HEAD}\n")
    _, _, below = made(spaced).partition("\n---\n")
    assert below.startswith("\n# Depot\n")
    _, _, below = made(PAGE).partition("\n---\n")
    assert below.startswith("# Depot\n")


def test_every_sentence_that_stays_is_one_of_the_original() -> None:
    body = page.read_front(made(PAGE)).body
    flat = " ".join(page.read_front(PAGE).body.split())
    for line in body.splitlines():
        assert all(
            part.strip(" .") in flat
            for part in line.replace(" · ", ". ").split(". ")
        )


def test_the_full_text_comes_back_byte_for_byte() -> None:
    assert compress.expand(PAGE, made(PAGE), made(PAGE)) == PAGE


def test_what_was_added_meanwhile_stays_when_the_full_text_comes_back() -> None:
    done = made(PAGE)
    back = compress.expand(PAGE, done, done + "\nadded by hand\n")
    assert back is not None
    assert back.endswith("added by hand\n")
    assert set(lines_of(PAGE)) <= set(lines_of(back))
    assert "original:" not in back


def test_windows_lines_stay_windows_lines() -> None:
    text = PAGE.replace("\n", "\r\n")
    assert "\n" not in made(text).replace("\r\n", "")
    assert compress.expand(text, made(text), made(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Title\n",
        HEAD,
        "One sentence only.\n",
        f"{HEAD}One.\n",
        "- [[A]]\n- [[B]]\n- [[C]]\n",
        "\n\n\n",
        "---\nunclosed: [\n" + PROSE,
        "key:: value\n" * 40,
    ],
    ids=[
        "nothing",
        "a title",
        "frontmatter",
        "a sentence",
        "a word",
        "links",
        "blank",
        "broken",
        "fields",
    ],
)
def test_what_is_short_already_is_its_own_summary(text: str) -> None:
    assert small(text) is None


def test_lines_of_the_owner_are_never_fewer() -> None:
    theirs = {line.strip("\n") for line in PAGE.splitlines()}
    assert small(PAGE, theirs) is None


def test_a_page_of_a_megabyte_becomes_a_short_one() -> None:
    text = HEAD + "".join(
        f"Sentence {n} speaks of thing {n % 97} and of thing {n % 89} there. "
        for n in range(20_000)
    )
    done = made(text)
    assert len(done) < len(text) / 20


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("---\na: 1\n---\nx", "---\na: 1\npinned: true\n---\nx"),
        ("x\n", "---\npinned: true\n---\nx\n"),
        ("---\npinned: false\na: 1\n---\nx", "---\npinned: true\na: 1\n---\nx"),
        ("---\r\na: 1\r\n---\r\nx", "---\r\na: 1\r\npinned: true\r\n---\r\nx"),
    ],
)
def test_a_key_is_set_and_no_other_byte_changes(
    before: str, after: str
) -> None:
    assert set_frontmatter_keys(before, {"pinned": "true"}) == after
    assert set_frontmatter_keys(after, {"pinned": "true"}) == after


def test_a_key_is_taken_out_again() -> None:
    text = "---\na: 1\n---\nx"
    done = set_frontmatter_keys(text, {"pinned": "true"})
    assert done is not None
    assert set_frontmatter_keys(done, {"pinned": None}) == text


@pytest.mark.parametrize(
    "text", ["---\na: [\n---\nx", "---\npinned:\n  - 1\n---\nx"]
)
def test_frontmatter_that_cannot_be_changed_safely_is_left_alone(
    text: str,
) -> None:
    assert set_frontmatter_keys(text, {"pinned": "true"}) is None


sentences = st.lists(
    st.sampled_from([
        "The keeper left in May.", "See [[Quay]] for more.", "![[plan.png]] shows it all.", 
        "[road](Road%20North.md) is long.",
        "It was #cold there.", "state:: closed", "## Part", "- an item of a list", "Nobody knows why it was so.", "",
    ]),
    min_size=3, max_size=25,
)  # fmt: skip


@given(sentences, st.sets(st.integers(0, 24)), st.booleans())
def test_whatever_is_chosen_links_fields_tags_and_lines_of_theirs_stay(
    lines: list[str], mine: set[int], windows: bool
) -> None:
    text = HEAD + "\n\n".join(lines) + "\n"
    text = text.replace("\n", "\r\n") if windows else text
    theirs = {lines[n] for n in mine if n < len(lines)}
    chosen = [Span(at, at + 10) for at in range(len(HEAD), len(text), 40)][:1]
    done = compress.compress(
        text, chosen, theirs=theirs, original=BLOB, day=DAY
    )
    if done is None:
        return
    kept = {line.rstrip("\r\n") for line in lines_of(done)}
    assert {line for line in theirs if line} <= kept
    assert {line for line in lines if "::" in line} <= kept
    was, now = page.parse(text, ""), page.parse(done, "")
    assert set(was.links) <= set(now.links) and set(was.tags) <= set(now.tags)
    assert (was.id, was.title) == (now.id, now.title)
    assert compress.expand(text, done, done) == text
    assert (
        0
        < compress.measure_distortion(
            compress.list_words(text), compress.list_words(done)
        )
        <= 1
    )


LONG = (
    "The depot was closed in spring because its roof leaked. Its stock went to the quay. "
    "A guard stayed on until the autumn and wrote a log. Nobody has asked for the log so far. "
    "The fence was sold. Two of the gates were kept. The depot is empty."
)
ONE, TWO = "1" * 12, "2" * 12


def test_a_page_of_statements_keeps_a_sentence_of_each_and_their_ids() -> None:
    text = add_statement(HEAD, ONE, "2026-03-02 09:14", LONG)
    text = add_statement(text, TWO, "2026-03-03", LONG.replace("depot", "barn"))
    text = retire_statement(text, TWO, "2026-04-01", "[[Depot]]", "it lost.")

    done = made(text)

    found = read_statements(done)
    assert [(one.id, one.earlier) for one in found] == [
        (ONE, False),
        (TWO, True),
    ]
    assert all(one.words for one in found)
    assert "Until 2026-04-01: [[Depot]] it lost." in done
    assert len(done) < len(text)


def test_a_statement_in_which_its_owner_wrote_stays_whole() -> None:
    text = add_statement(HEAD, ONE, "2026-03-02", f"{LONG}\n\nmine alone")
    text = add_statement(text, TWO, "2026-03-03", LONG)

    done = made(text, {"mine alone"})

    first, second = read_statements(done)
    assert first.words == f"{LONG}\n\nmine alone"
    assert len(second.words) < len(LONG)
