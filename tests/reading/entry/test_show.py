"""`show` and `why`: the notes of a page, those that mention it, and where a note stands now."""

from datetime import timedelta
from pathlib import Path

import pytest

from companion.cli.commands import show as show_command
from companion.cli.commands import why as why_command
from companion.lookup.find import NothingFound
from companion.operations.decay.run import decay
from companion.pages.statement_edits import retire_statement
from companion.pages.statements import statement_id
from companion.reading.entry.show import show_target
from companion.reading.log import tell_story
from companion.reading.why import explain_target
from tests.operations.decay.test_statements import Scene
from tests.wiki import Wiki


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    """A wiki in which three notes on two days made a page of Anna Weber."""
    wiki = Wiki.new(tmp_path / "wiki")
    told = (
        ("Anna Weber lives in Oslo.", "Bought bread and milk."),
        (
            "Anna Weber works for a bakery.",
            "Anna Weber met Paul Kern at the station.",
        ),
    )
    for day in told:
        for words in day:
            wiki.ingest(words, source="Lena")
        wiki.consolidate()
        wiki.now += timedelta(days=1)
    return wiki


def capture_of(wiki: Wiki, words: str) -> str:
    """Return the id of the note that begins with *words*."""
    for page in ("Anna Weber", "2026-11-01"):
        for statement in show_target(wiki.ws, page)["statements"]:
            if (statement["words"] or "").startswith(words):
                return str(statement["capture"])
    raise AssertionError(f"no note says {words}")


def test_a_page_lists_its_notes_with_when_by_whom_and_whether_they_stand(
    wiki: Wiki,
) -> None:
    shown = show_target(wiki.ws, "Anna Weber")
    assert shown["subject"] == {"kind": "subject", "key": "anna weber"}
    assert [
        (note["when"], note["words"], note["sources"], note["state"])
        for note in shown["statements"]
    ] == [
        ("2026-11-01 08:01", "Anna Weber lives in Oslo", ["Lena"], "stands"),
        (
            "2026-11-02 08:04",
            "Anna Weber works for a bakery",
            ["Lena"],
            "stands",
        ),
        (
            "2026-11-02 08:05",
            "Anna Weber met Paul Kern at the station",
            ["Lena"],
            "stands",
        ),
    ]
    first = shown["statements"][0]
    assert first["link"] == f"[[Anna Weber#^{first['statement']}]]"


def test_the_day_that_a_note_left_lists_it_among_those_that_mention_it(
    wiki: Wiki,
) -> None:
    day = show_target(wiki.ws, "2026-11-01")
    assert day["subject"] == {"kind": "day", "key": "2026-11-01"}
    assert [note["words"] for note in day["statements"]] == [
        "Bought bread and milk"
    ]
    (mention,) = day["mentions"]
    assert mention["words"] == "Anna Weber lives in Oslo"
    assert mention["page"]["title"] == "Anna Weber"


def test_a_note_is_found_by_its_block_id_and_says_where_it_stands(
    wiki: Wiki,
) -> None:
    capture = capture_of(wiki, "Anna Weber lives")
    id = statement_id(capture)
    for name in (
        f"^{id}",
        f"Anna Weber#^{id}",
        f"[[Anna Weber#^{id}|words]]",
        id,
        capture,
    ):
        shown = show_target(wiki.ws, name)
        assert (shown["kind"], shown["id"]) == ("capture", capture), name
    place = shown["place"]
    assert place["page"]["title"] == "Anna Weber"
    assert (place["state"], place["when"]) == ("stands", "2026-11-01 08:01")
    assert place["link"] == f"[[Anna Weber#^{id}]]"
    lines = list(show_command.text(shown))
    stands = f"  Stands on “Anna Weber” · {place['page']['path']} · "
    assert lines[2] == f"{stands}[[Anna Weber#^{id}]]."


def test_an_id_that_no_note_has_is_not_found(wiki: Wiki) -> None:
    with pytest.raises(NothingFound):
        show_target(wiki.ws, "^000000000000")
    with pytest.raises(NothingFound):
        show_target(wiki.ws, "2^8")


def test_a_note_that_waits_stands_nowhere(wiki: Wiki) -> None:
    waiting = wiki.ingest("A heron by the lake.")[0]["id"]
    assert show_target(wiki.ws, waiting)["place"] is None


def test_a_note_that_lost_is_listed_as_lost(wiki: Wiki) -> None:
    capture = capture_of(wiki, "Anna Weber lives")
    page = show_target(wiki.ws, "Anna Weber")
    id = statement_id(capture)
    lost = retire_statement(
        page["text"], id, "2026-11-03", "[[Anna Weber]]", "it lost"
    )
    wiki.write(page["path"], lost)
    wiki.commit()
    states = {
        note["capture"]: note["state"]
        for note in show_target(wiki.ws, "Anna Weber")["statements"]
    }
    assert states.pop(capture) == "lost"
    assert set(states.values()) == {"stands"}


def test_why_says_by_which_rule_a_note_came_and_what_became_of_it(
    wiki: Wiki,
) -> None:
    capture = capture_of(wiki, "Anna Weber lives")
    told = explain_target(wiki.ws, f"^{statement_id(capture)}")
    assert told["place"]["page"]["title"] == "Anna Weber"
    events = {event["event"]: event for event in told["events"]}
    assert events["consumed"]["detail"]["rule"] == "unknown"
    assert "Moved to" in events["moved"]["reason"]
    lines = list(why_command.text(told))
    assert any(line.startswith("  Stands on “Anna Weber”") for line in lines)


def test_what_lost_and_what_is_in_cold_memory_say_what_took_their_place(
    tmp_path: Path,
) -> None:
    scene = Scene(tmp_path / "lost")
    ws = scene.wiki.ws
    states = {
        note["capture"]: (note["state"], note["by"])
        for note in show_target(ws, "Anna")["statements"]
    }
    assert states[scene.old] == ("lost", scene.new)
    assert states[scene.new] == ("stands", None)
    shown = show_target(ws, scene.old)
    assert (shown["place"]["state"], shown["place"]["by"]) == (
        "lost",
        scene.new,
    )
    assert any(
        "  Lost on 2026-11-" in line for line in show_command.text(shown)
    )
    events = tell_story(ws, "Anna")["events"]
    assert ("lost", "Anna lives in Oslo") in [
        (event["event"], event["words"]) for event in events
    ]

    scene.live(9)
    decay(scene.wiki.ws)
    ws = scene.wiki.ws
    (archived,) = (
        note
        for note in show_target(ws, "Anna")["statements"]
        if note["state"] == "archived"
    )
    assert (archived["capture"], archived["words"]) == (scene.old, None)
    shown = show_target(ws, f"^{statement_id(scene.old)}")
    assert shown["place"]["state"] == "archived"
    assert any(
        "`companion recall` shows it" in x for x in show_command.text(shown)
    )
