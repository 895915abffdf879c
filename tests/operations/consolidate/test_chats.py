"""A conversation is one page a day, named by who took part."""

from pathlib import Path

import pytest

from tests.wiki import Wiki, check_index


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def say(wiki: Wiki, who: str, words: str, source: str = "team") -> str:
    done = wiki.ingest(words, channel="chat", source=source, agent=who)
    return str(done[0]["id"])


def chats(wiki: Wiki) -> dict[str, str]:
    pages = sorted((wiki.root / "entries").rglob("*.md"))
    return {path.stem: path.read_text() for path in pages}


def test_a_conversation_is_named_by_who_took_part(wiki: Wiki) -> None:
    say(wiki, "Anna", "Shall we meet on Monday?")
    say(wiki, "Paul", "Tuesday is better.")
    wiki.consolidate()

    [(name, text)] = chats(wiki).items()

    assert name == "Conversation with Anna and Paul, 2026-11-01"
    assert "**Anna:** Shall we meet on Monday?\n\n**Paul:** Tuesday" in text
    assert "type: chat" in text


def test_later_turns_join_it_and_another_day_has_its_own(wiki: Wiki) -> None:
    say(wiki, "Anna", "Shall we meet on Monday?")
    wiki.consolidate()
    say(wiki, "Paul", "Tuesday is better.")
    wiki.consolidate()
    wiki.tick(days=1)
    say(wiki, "Paul", "Are you coming?")
    wiki.consolidate()

    found = chats(wiki)

    assert sorted(found) == [
        "Conversation with Anna, 2026-11-01",
        "Conversation with Paul, 2026-11-02",
    ]
    assert "**Paul:** Tuesday" in found["Conversation with Anna, 2026-11-01"]
    check_index(wiki)


def test_a_conversation_that_its_owner_deleted_is_not_made_again(
    wiki: Wiki,
) -> None:
    say(wiki, "Anna", "Shall we meet on Monday?")
    wiki.consolidate()
    page = next((wiki.root / "entries").rglob("*.md"))
    page.unlink()
    wiki.adopt()
    say(wiki, "Paul", "Tuesday is better.")
    wiki.consolidate()

    [text] = chats(wiki).values()

    assert "Monday" not in text
    assert "**Paul:** Tuesday" in text
    check_index(wiki)
