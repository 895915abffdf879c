"""AUDIT by statement: on a page that gathers several notes each is suspended alone (CON-17)."""

from pathlib import Path
from typing import Any

import pytest

from companion.adoption import undo
from companion.cli.commands import audit as audit_command
from companion.cli.commands import settle as settle_command
from companion.cli.entry_text import audited
from companion.cli.json_schema import SHAPES
from companion.minority.contested.read_contested_page import read_contested_page
from companion.operations.audit import run as audit
from companion.operations.audit import settle
from companion.operations.audit.questions import replay
from companion.operations.audit.statements import _take_out
from companion.operations.decay.recall import recall_faded
from companion.operations.decay.run import decay
from companion.pages.statements import read_statements
from companion.reading.entry.show import show_target
from companion.reading.why import explain_target
from companion.runs.catch_up import catch_up
from companion.runs.run import open_run
from companion.storage.index import suspension
from tests.asked import Asked, log
from tests.cli.shapes import mismatch
from tests.minority import test_statements as contested
from tests.minority.test_gather import BELIEF, FIRST, night
from tests.operations.audit.test_run import TOPICS, pages
from tests.wiki import Wiki, check_health, check_index

WRONG = TOPICS[:6]
RIGHT = TOPICS[6:12]


def rules(topics: tuple[str, ...], more: str = "") -> str:
    return " ".join(f"The {topic} rules are known." for topic in topics) + more


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    """A page of two notes, each with words of its own, and a page beside it."""
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("# Other\n\nWords of another page.")
    wiki.consolidate()
    wiki.ingest(rules(WRONG, " See [[Other]]."), title="Hub")
    wiki.consolidate()
    wiki.ingest(rules(RIGHT, " The hub is in Oslo."), title="Hub")
    wiki.consolidate()
    decay(wiki.ws)
    return wiki


def hub(wiki: Wiki) -> dict[str, Any]:
    return dict(show_target(wiki.ws, "Hub"))


def captures(wiki: Wiki) -> tuple[str, str]:
    """The captures of the wrong statement and of the right one."""
    page = hub(wiki)
    wrong = next(
        one.id for one in read_statements(page["text"]) if WRONG[0] in one.words
    )
    first, second = page["captures"]
    return (first, second) if first.startswith(wrong) else (second, first)


def ask(wiki: Wiki, topics: tuple[str, ...], outcome: str) -> None:
    log(
        wiki,
        [
            Asked(f"{topic} rules", ("Hub",), ("Hub",), outcome)
            for topic in topics
        ],
    )


def run(wiki: Wiki) -> dict[str, Any]:
    wiki.tick(days=31)
    doc = audit.audit(wiki.ws, entries=["Hub"])
    assert mismatch(SHAPES["audit"], doc) is None
    return dict(doc)


def settled(wiki: Wiki, **step: int) -> dict[str, Any]:
    wiki.tick(**(step or {"hours": 1}))
    doc = settle.settle(wiki.ws)
    assert mismatch(SHAPES["settle"], doc) is None
    return dict(doc)


def test_a_suspended_statement_is_gone_from_text_links_and_claims(wiki: Wiki):
    wrong, right = captures(wiki)
    entry = hub(wiki)["id"]
    other = show_target(wiki.ws, "Other")["id"]
    catch_up(wiki.ws)
    db = suspension.open_(wiki.ws.place.index_db)
    assert db is not None
    again = replay.Replay(wiki.ws, db, wiki.ws.now())
    with open_run(wiki.ws, "audit") as night:
        page = read_contested_page(night.db, night.repo, entry)
        assert page is not None
        without_wrong = _take_out(night, page, wrong)
        without_right = _take_out(night, page, right)
    before = again.search(f"{WRONG[0]} rules")
    edges = db.execute("SELECT source, target FROM edges").fetchall()
    gravity = db.execute("SELECT * FROM gravity").fetchall()
    assert before[0] == entry and (entry, other) in edges

    with again.without_statement(*without_wrong):
        assert entry not in again.search(WRONG[0])
        assert again.search(RIGHT[0]) == [entry]
        assert again.search("hub")[0] == entry, "the page was suspended, too"
        assert (
            db.execute(
                "SELECT 1 FROM edges WHERE target = ?", (other,)
            ).fetchall()
            == []
        ), "a link that only the statement makes is there"
        assert db.execute("SELECT count(*) FROM statements").fetchone() == (1,)
        assert (
            db.execute(
                "SELECT 1 FROM claims WHERE capture = ?", (wrong,)
            ).fetchall()
            == []
        )
        assert wiki.search(WRONG[0]), "somebody else noticed"
    with again.without_statement(*without_right):
        assert again.answering("Where is the hub?") == []
        assert (entry, other) in db.execute(
            "SELECT source, target FROM edges"
        ).fetchall()
        assert db.execute("SELECT * FROM gravity").fetchall() == gravity
    assert again.search(f"{WRONG[0]} rules") == before
    assert db.execute("SELECT * FROM gravity").fetchall() == gravity


def test_one_statement_leads_astray_and_the_other_is_needed(wiki: Wiki):
    wrong, right = captures(wiki)
    ask(wiki, WRONG, "bad")
    ask(wiki, RIGHT, "good")
    doc = run(wiki)

    (found,) = doc["audited"]
    results = {
        each["statement"]["capture"]: (each["result"], each["outcome"])
        for each in found["statements"]
    }
    assert results == {
        wrong: ("improved", "archived"),
        right: ("degraded", "restored"),
    }, [each["reason"] for each in found["statements"]]
    recorded = [line for line in wiki.events("audited") if "statement" in line]
    assert [line["statement"] for line in recorded] == sorted(results)
    assert hub(wiki)["audits"][-1]["statement"] is not None
    check_index(wiki)


def improved(wiki: Wiki) -> None:
    ask(wiki, WRONG, "bad")
    ask(wiki, RIGHT, "good")
    run(wiki)


def test_an_audit_only_records_and_settle_moves_the_statement_alone(
    wiki: Wiki,
):
    wrong, right = captures(wiki)
    before = hub(wiki)
    improved(wiki)
    assert hub(wiki)["text"] == before["text"], "an audit changed a page"
    assert wiki.events("statement") == []

    doc = settled(wiki)

    what = {
        each["statement"]["capture"]: each["what"]
        for each in doc["settled"]
        if each["statement"]
    }
    assert what == {wrong: "decaying", right: "restored"}
    after = hub(wiki)
    assert after["state"] == "active"
    assert after["weight"]["factor"] == before["weight"]["factor"]
    earlier = {one.id: one.earlier for one in read_statements(after["text"])}
    assert earlier == {wrong[:12]: True, right[:12]: False}
    assert "an audit found" in after["text"]
    (line,) = wiki.events("statement")
    assert (line["capture"], line["state"]) == (wrong, "decaying")
    assert "by" not in line
    check_index(wiki)
    check_health(wiki)


def test_what_an_audit_let_go_is_archived_a_week_later_by_settle_alone(
    wiki: Wiki,
):
    wrong, right = captures(wiki)
    improved(wiki)
    settled(wiki)
    for day in range(9):
        wiki.tick(days=1)
        wiki.ingest(f"# Day {day}\n\nWords of day {day}.")
        wiki.consolidate()
    assert decay(wiki.ws)["statements"] == [], "what AUDIT let go is AUDIT's"

    doc = settled(wiki, days=1)

    assert [each["what"] for each in doc["settled"]] == ["archived"]
    assert doc["settled"][0]["statement"]["capture"] == wrong
    assert [one.id for one in read_statements(hub(wiki)["text"])] == [
        right[:12]
    ]
    assert hub(wiki)["state"] == "active"
    check_index(wiki)
    assert WRONG[0] in recall_faded(wiki.ws, wrong[:12])["text"]
    assert settled(wiki)["run"] is None


def test_within_a_week_it_is_not_archived(wiki: Wiki):
    improved(wiki)
    settled(wiki)

    assert settled(wiki, days=6)["run"] is None


def test_undo_of_settle_gives_the_statement_its_place_back(wiki: Wiki):
    before = hub(wiki)["text"]
    improved(wiki)
    done = settled(wiki)
    wiki.tick(hours=1)

    undo.undo(wiki.ws, done["run"])

    assert hub(wiki)["text"] == before
    assert settled(wiki, days=8)["run"] is None
    check_index(wiki)


def test_an_audit_that_was_undone_moves_no_statement(wiki: Wiki):
    before = hub(wiki)["text"]
    ask(wiki, WRONG, "bad")
    doc = run(wiki)
    wiki.tick(hours=1)
    undo.undo(wiki.ws, doc["run"])

    assert settled(wiki)["run"] is None
    assert hub(wiki)["text"] == before


def test_a_statement_stands_again_once_its_audit_is_taken_back(wiki: Wiki):
    wrong, _ = captures(wiki)
    ask(wiki, WRONG, "bad")
    ask(wiki, RIGHT, "good")
    doc = run(wiki)
    settled(wiki)
    assert show_target(wiki.ws, wrong)["place"]["state"] == "lost"
    wiki.tick(hours=1)
    undo.undo(wiki.ws, doc["run"])

    done = settled(wiki)

    (step,) = done["settled"]
    assert step["statement"]["capture"] == wrong
    assert (step["what"], step["reason"]) == (
        "restored",
        "The audits that found against it were taken back.",
    )
    assert "stands" in "\n".join(settle_command.text(done))
    assert show_target(wiki.ws, wrong)["place"]["state"] == "stands"
    assert "## Earlier" not in hub(wiki)["text"]
    assert "an audit found" not in hub(wiki)["text"]
    assert settled(wiki, days=8)["run"] is None
    check_index(wiki)
    check_health(wiki)


def test_a_statement_in_which_somebody_wrote_stays_when_its_audit_is_taken_back(
    wiki: Wiki,
):
    ask(wiki, WRONG, "bad")
    ask(wiki, RIGHT, "good")
    doc = run(wiki)
    settled(wiki)
    path = hub(wiki)["path"]
    text = wiki.read(path)
    wiki.write(path, text.replace(f"The {WRONG[0]} rules are", "My rules are"))
    wiki.adopt()
    before = wiki.read(path)
    wiki.tick(hours=1)
    undo.undo(wiki.ws, doc["run"])

    done = settled(wiki)

    assert done["run"] is None
    assert "somebody wrote in it since" in " ".join(done["notes"])
    assert wiki.read(path) == before


def test_words_that_a_person_edited_stay_where_they_are(wiki: Wiki):
    path = hub(wiki)["path"]
    text = wiki.read(path)
    wiki.write(path, text.replace(f"The {WRONG[0]} rules are", "My rules are"))
    wiki.adopt()
    ask(wiki, WRONG, "bad")
    run(wiki)
    before = wiki.read(path)

    doc = settled(wiki)

    (step,) = [each for each in doc["settled"] if each["statement"]]
    assert step["what"] == "nothing" and "You edited" in step["reason"]
    assert wiki.read(path) == before


def test_a_page_stays_while_another_of_its_statements_stands(wiki: Wiki):
    ask(wiki, WRONG, "bad")
    (found,) = run(wiki)["audited"]
    assert found["result"] == "improved", found["reason"]

    doc = settled(wiki)

    what = {each["what"]: each["statement"] for each in doc["settled"]}
    assert set(what) == {"gravity-reduced", "decaying"}
    assert what["gravity-reduced"] is None
    assert hub(wiki)["state"] == "active"
    check_index(wiki)


def test_a_page_on_which_nothing_else_stands_decays_as_a_whole(wiki: Wiki):
    ask(wiki, WRONG + RIGHT, "bad")
    run(wiki)

    doc = settled(wiki)

    assert hub(wiki)["state"] == "decaying"
    reasons = {each["reason"] for each in doc["settled"] if each["statement"]}
    assert (
        "It is the last note on its page, which is audited itself." in reasons
    )
    assert len(wiki.events("statement")) == 1
    check_index(wiki)


def test_the_statement_that_claims_answer_from_is_the_one_that_is_used(
    wiki: Wiki,
):
    _, right = captures(wiki)
    log(
        wiki,
        [Asked("Where is the hub?", ("Hub",), (), "good", verb="ask")],
    )

    (found,) = run(wiki)["audited"]

    (used,) = found["statements"]
    assert used["statement"]["capture"] == right
    assert [each["change"] for each in used["questions"]] == [-1.0]


def test_a_statement_that_no_answer_needs_costs_its_page_no_gravity(
    tmp_path: Path,
):
    wiki = Wiki.new(tmp_path / "wiki", pages())
    wiki.ingest(rules(TOPICS), title="Gathered")
    wiki.consolidate()
    wiki.ingest("Some words more.", title="Gathered")
    wiki.consolidate()
    log(
        wiki,
        [
            Asked(f"{topic} rules", ("Gathered",), (f"The {topic}",))
            for topic in TOPICS
        ],
    )
    wiki.tick(days=31)
    doc = audit.audit(wiki.ws, entries=["Gathered"])
    (found,) = doc["audited"][0]["statements"]
    assert (found["result"], found["outcome"]) == ("unchanged", "restored")
    wiki.tick(hours=1)

    done = settle.settle(wiki.ws)

    of_note = [each for each in done["settled"] if each["statement"]]
    assert [each["what"] for each in of_note] == ["nothing"]
    assert wiki.events("statement") == []


def test_page_and_note_are_named_in_plain_words(wiki: Wiki):
    wrong, _ = captures(wiki)
    ask(wiki, WRONG, "bad")
    ask(wiki, RIGHT, "good")
    doc = run(wiki)

    lines = "\n".join(audit_command.text(doc))
    assert f"“The {WRONG[0]} rules are known" in lines
    assert "This note led answers astray 6 times." in lines
    explained = "\n".join(audit_command.text(doc, explain=True))
    assert f"“{WRONG[0]} rules”" in explained
    done = settled(wiki)
    said = "\n".join(settle_command.text(done))
    assert "moved under “Earlier”" in said
    events = explain_target(wiki.ws, "Hub")["events"]
    reasons = [event["reason"] or "" for event in events]
    assert any(
        reason.startswith(f"Note {wrong[:12]}: This note led answers astray")
        for reason in reasons
    )
    of_note = explain_target(wiki.ws, wrong)["events"]
    assert [event["event"] for event in of_note][-4:] == [
        "auditing",
        "audited",
        "settled",
        "statement",
    ]
    shown = hub(wiki)["audits"]
    assert {each["statement"] is None for each in shown} == {True, False}
    line = next(audited(each) for each in shown if each["statement"])
    assert f"“The {WRONG[0]} rules" in line or f"“The {RIGHT[0]} rules" in line


def test_a_branch_against_one_statement_closes_only_if_that_one_is_needed(
    tmp_path: Path,
):
    wiki = contested.gathering(Wiki.new(tmp_path / "wiki"))
    lost = contested.capture_of(wiki, BELIEF)
    kept = contested.capture_of(wiki, contested.PLACE)
    night(wiki, (FIRST, "post mortem"))
    for day in range(7):
        night(wiki, (f"# Day {day}\n\nWords of day {day}.", "diary"))

    def asked(*words: str) -> dict[str, Any]:
        log(
            wiki,
            [
                Asked(f"{word} {topic}", ("Message queue",), (), "good")
                for word in words
                for topic in TOPICS[:3]
            ],
        )
        wiki.tick(days=31)
        audit.audit(wiki.ws, entries=["Message queue"])
        return settled(wiki)

    done = asked("brokers", "oslo")
    of_notes = [each for each in done["settled"] if each["statement"]]
    assert [each["statement"]["capture"] for each in of_notes] == [kept]
    assert of_notes[0]["what"] == "restored"
    assert [row[1:] for row in contested.branch_rows(wiki)] == [(lost, "open")]

    done = asked("delivers", "event", "exactly")
    assert [row[1:] for row in contested.branch_rows(wiki)] == [
        (lost, "closed")
    ], done["settled"]
    (closed,) = wiki.events("closed")
    assert closed["statement"] == lost
    assert "the note that this branch contradicts" in closed["reason"]
    check_index(wiki)
