"""In a conversation the answer of somebody else stands near its question."""

from pathlib import Path

from companion.storage.index.ranking.tellings import name_sessions
from tests.wiki import Wiki

TALK = (
    ("Ann", "The harbour was full of boats this morning."),
    ("Ben", "What made you so happy about the choir rehearsal, Ann?"),
    ("Ann", "That everybody stayed until midnight."),
    ("Ben", "Sounds wonderful."),
    ("Ann", "My sister paints the kitchen."),
)
QUESTION = "what made Ann happy about the choir rehearsal"


def tell(path: Path, speakers: dict[str, str]) -> Wiki:
    wiki = Wiki.new(path, {})
    for minute, (speaker, text) in enumerate(TALK):
        wiki.ingest(
            text,
            source=speakers.get(speaker, speaker),
            event_time=f"2026-01-02T10:{minute:02}:00Z",
        )
    wiki.consolidate()
    return wiki


def parts_of(wiki: Wiki, words: str) -> dict[str, float]:
    for hit in wiki.search(QUESTION):
        if words in hit["snippet"]:
            return dict(hit["parts"])
    return {}


def test_who_answers_gets_a_share_of_the_question(tmp_path: Path) -> None:
    wiki = tell(tmp_path / "wiki", {})

    found = [hit["snippet"] for hit in wiki.search(QUESTION)]

    assert "midnight" in found[0] or "midnight" in found[1]
    answer = parts_of(wiki, "midnight")
    assert answer["answer"] > 0
    assert answer["beside"] > 0
    assert "answer" not in parts_of(wiki, "wonderful")


def test_one_person_s_notes_of_a_day_are_no_conversation(
    tmp_path: Path,
) -> None:
    wiki = tell(tmp_path / "wiki", {"Ben": "Ann"})

    found = [name for hit in wiki.search(QUESTION) for name in hit["parts"]]

    assert not {"answer", "beside", "further"} & set(found)


def test_a_session_ends_where_nothing_is_told_for_an_hour() -> None:
    times = [
        "2026-01-02T10:00:00Z",
        "2026-01-02T10:40:00Z",
        "2026-01-02T11:30:00Z",
        "2026-01-02T15:00:00Z",
        "2026-01-03T00:10:00Z",
    ]

    sessions = name_sessions(times)

    assert [sessions[time] for time in times] == [
        times[0],
        times[0],
        times[0],
        times[3],
        times[4],
    ]
