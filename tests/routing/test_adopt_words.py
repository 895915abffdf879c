"""Row 1, some nights later: a word in use becomes a name of its page, once, and only there."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.adoption.undo import undo
from companion.pages import page
from companion.routing.adopt_words import LINKS, NIGHTS, _add_alias, is_due
from companion.routing.user_words import Usage
from tests.routing.test_watch_signals import QUEUE, signal
from tests.routing.test_watch_user_words import markers
from tests.wiki import Wiki, check_health, check_index

OWN = (
    "# Message queue\n\nIt carries every order, and it is written in Erlang.\n"
)
counts = st.integers(0, 20)


@given(counts, counts, counts)
def test_it_takes_nights_and_links_and_no_other_page(
    links: int, elsewhere: int, nights: int
) -> None:
    usage = Usage("bus", "bus", "e", links, elsewhere, outright=True)
    enough = links >= LINKS and nights >= NIGHTS
    assert is_due(usage, nights) == (enough and elsewhere == 0)


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(
        "Message queue of the shop: it carries every order.",
        title="Message queue",
    )
    wiki.consolidate()
    return wiki


def speak(wiki: Wiki, nights: int, times: int = 3) -> str | None:
    """Use the word *times* a night, and return the run of the last one."""
    run = None
    for _ in range(nights):
        now = wiki.tick(days=1)
        for n in range(times):
            wiki.ingest(
                f"Incident of {now:%d %B}, part {n}, came over [[Message queue|our artery]].",
                title=f"Incident {now:%Y-%m-%d} {n}",
            )
        run = wiki.consolidate()["run"]
    return run


def aliases(wiki: Wiki) -> tuple[str, ...]:
    shown = wiki.show("Message queue")
    return page.parse(shown["text"], shown["path"]).aliases


def test_a_word_in_use_becomes_an_alias_and_its_marker_ends(wiki: Wiki) -> None:
    speak(wiki, 4)
    assert aliases(wiki) == ()
    assert markers(wiki) == [("artery", 1)]
    speak(wiki, 1)
    assert aliases(wiki) == ("artery",)
    speak(wiki, 1)

    assert markers(wiki) == []
    assert [line["term"] for line in wiki.events("aliased")] == ["artery"]
    assert wiki.search("artery")[0]["title"] == "Message queue"
    check_index(wiki)
    check_health(wiki)


def test_what_was_taken_back_stays_so(wiki: Wiki) -> None:
    run = speak(wiki, 5)
    assert run is not None
    undo(wiki.ws, run)
    assert aliases(wiki) == ()
    speak(wiki, 3)

    assert aliases(wiki) == ()
    assert len(wiki.events("aliased")) == 1


def test_a_page_of_the_persons_own_keeps_its_names(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki", {"Message queue.md": OWN})
    speak(wiki, 6)

    assert wiki.read("Message queue.md") == OWN
    assert wiki.events("aliased") == []


def test_a_flagged_page_takes_no_word_over(wiki: Wiki) -> None:
    speak(wiki, 4)
    signal(wiki, QUEUE)
    speak(wiki, 2)

    assert aliases(wiki) == ()


def test_what_somebody_edits_is_left_alone(wiki: Wiki) -> None:
    path = wiki.show("Message queue")["path"]
    speak(wiki, 4)
    wiki.write(path, wiki.read(path) + "\nA line that is not staged.\n")
    wiki.git("add", path)
    wiki.write(path, wiki.read(path) + "\nAnd one more.\n")
    speak(wiki, 1)

    assert "artery" not in wiki.read(path)
    assert "A line that is not staged." in wiki.read(path)


def test_an_alias_is_added_to_those_that_stand_there() -> None:
    text = "---\nid: x\naliases: [bus]\n---\nIt carries orders.\n"
    changed = _add_alias(text, 'the "big" queue: ours')
    assert changed is not None
    assert changed.endswith(b"---\nIt carries orders.\n")
    assert page.parse(changed.decode(), "").aliases == (
        "bus",
        'the "big" queue: ours',
    )


def test_a_frontmatter_of_several_lines_is_left_alone() -> None:
    assert _add_alias("---\naliases:\n  - bus\n---\nText.\n", "artery") is None
