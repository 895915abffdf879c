"""A branch against one statement of a page on which several stand (CON-17)."""

from pathlib import Path
from typing import Any

import pytest

from companion.adoption import undo
from companion.answers.claims import read_claims
from companion.lookup.search import search_wiki
from companion.minority.beliefs import (
    describe_belief,
    entry_of,
    name_belief,
    split_belief,
)
from companion.operations.decay import run as decay
from companion.reading.branches import branches, promotion_preview
from companion.reading.log import list_runs
from companion.reading.why import explain_target
from companion.runs.owned_lines import find_owned_lines
from companion.runs.run import open_run
from companion.storage.index import schema
from companion.storage.index.tables import promotions
from tests.minority.test_gather import (
    BELIEF,
    FIRST,
    PAGE,
    RELYING,
    SECOND,
    THIRD,
    night,
    won,
)
from tests.reading.branches.test_branches import ref, sql
from tests.wiki import Wiki, check_health, check_index, ingest_dependents

PLACE = "The message queue runs on three brokers in Oslo.\n"
MOVED = "The message queue does not run on three brokers in Oslo."
MOVED_TOO = (
    "We counted on site: the message queue does not run on three brokers in"
    " Oslo any longer."
)


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return gathering(Wiki.new(tmp_path / "wiki"))


def gathering(wiki: Wiki, belief: str = BELIEF) -> Wiki:
    """A wiki in which eight pages rest on one page of two statements."""
    for words in (PLACE, belief):
        wiki.ingest(words, title="Message queue")
        wiki.consolidate()
    ingest_dependents(wiki, "Message queue", RELYING)
    wiki.consolidate()
    wiki.tick()
    assert decay.decay(wiki.ws)["commit"] is not None
    assert wiki.read(PAGE).count(" ^") == 2
    return wiki


def capture_of(wiki: Wiki, words: str) -> str:
    """The capture whose statement on the page begins with *words*."""
    for line in wiki.read(PAGE).splitlines():
        if line.startswith(words.strip()):
            id = line.rpartition("^")[2]
            query = f"SELECT capture FROM consumed WHERE capture GLOB '{id}*'"
            return str(sql(wiki, query)[0][0])
    raise AssertionError(f"no statement begins with {words!r}")


def branch_rows(wiki: Wiki) -> list[tuple[Any, ...]]:
    return sql(
        wiki, "SELECT name, statement, state FROM branches ORDER BY name"
    )


def undo_last(wiki: Wiki) -> dict[str, Any]:
    wiki.tick()
    last = list_runs(wiki.ws)["runs"][0]["run"]
    return dict(undo.undo(wiki.ws, last))


# -- names -----------------------------------------------------------------------------------------


def test_a_belief_is_named_by_its_entry_and_its_statement():
    assert name_belief("entry") == "entry"
    named = name_belief("entry", "a" * 64)

    assert split_belief(named) == ("entry", "a" * 64)
    assert split_belief("entry") == ("entry", None)
    assert entry_of(named) == "entry"
    assert describe_belief(named) == "the note aaaaaaaaaaaa on entry"


# -- opening and growing ---------------------------------------------------------------------------


def test_a_branch_names_the_statement_that_it_contradicts(wiki: Wiki):
    lost = capture_of(wiki, BELIEF)
    done = night(wiki, (FIRST, "post mortem"))

    (opened,) = wiki.events("branched")
    assert opened["statement"] == done["branches"][0]["statement"] == lost
    assert opened["entry"] == wiki.show("Message queue")["id"]
    shown = branches.show_branch(wiki.ws, opened["branch"])
    assert shown["statement"]["words"] == BELIEF.strip().rstrip(".")
    assert shown["statement"]["told"][:10] == "2026-11-01"
    check_index(wiki)


def test_a_page_of_one_statement_is_contradicted_as_a_whole(tmp_path: Path):
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(BELIEF, title="Message queue")
    ingest_dependents(wiki, "Message queue", RELYING)
    wiki.consolidate()
    wiki.tick()
    decay.decay(wiki.ws)
    won(wiki)

    assert [row[1] for row in branch_rows(wiki)] == [None]
    assert "statement" not in wiki.events("branched")[0]
    assert wiki.events("statement") == []
    assert wiki.show("Message queue")["state"] == "decaying"


def test_a_page_that_gathered_after_its_branch_opened_loses_its_first_note(
    tmp_path: Path,
):
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(BELIEF, title="Message queue")
    ingest_dependents(wiki, "Message queue", RELYING)
    wiki.consolidate()
    wiki.tick()
    decay.decay(wiki.ws)
    night(wiki, (FIRST, "post mortem"))
    wiki.ingest(PLACE, title="Message queue")
    wiki.consolidate()
    assert [row[1] for row in branch_rows(wiki)] == [None]
    night(wiki, (SECOND, "mary"))
    night(wiki, (THIRD, "vendor"))

    page = wiki.show("Message queue")
    assert page["state"] == "active"
    (lost,) = wiki.events("statement")
    standing, _, earlier = wiki.read(PAGE).partition("## Earlier")
    assert lost["capture"][:12] in earlier
    assert PLACE.strip() in standing and FIRST in standing


def test_branches_against_two_statements_of_one_page_are_two(wiki: Wiki):
    place, belief = capture_of(wiki, PLACE), capture_of(wiki, BELIEF)
    night(wiki, (FIRST, "post mortem"))
    night(wiki, (MOVED, "an inventory"))

    open_ones = branch_rows(wiki)
    assert {row[1] for row in open_ones} == {place, belief}
    night(wiki, (SECOND, "mary"), (MOVED_TOO, "a visitor"))
    sizes = sql(wiki, "SELECT cluster_size FROM branches")
    assert sizes == [(2,), (2,)]


# -- winning ---------------------------------------------------------------------------------------


def test_the_winner_takes_the_place_of_the_statement_on_its_page(wiki: Wiki):
    entry = wiki.show("Message queue")["id"]
    lost = capture_of(wiki, BELIEF)
    files = set(wiki.files())
    done = won(wiki)

    decision = done["branches"][-1]
    assert (decision["action"], decision["entry"]) == ("promote", entry)
    assert set(wiki.files()) == files  # no new page
    standing, _, earlier = wiki.read(PAGE).partition("\n## Earlier\n")
    assert PLACE.strip() in standing and BELIEF.strip() not in standing
    for words in (FIRST, SECOND, THIRD):
        assert f"\n{words} ^" in standing
    first = wiki.events("statement")[0]["by"]
    assert f"{BELIEF.strip()} ^{lost[:12]}\n\nUntil 2026-11-04: " in earlier
    assert f"[[{Path(PAGE).stem}#^{first[:12]}|" in earlier
    assert "took its place (3 independent sources)." in earlier
    check_index(wiki)
    check_health(wiki)


def test_the_entry_stays_active_and_the_ledger_names_the_statement(wiki: Wiki):
    entry = wiki.show("Message queue")["id"]
    lost = capture_of(wiki, BELIEF)
    won(wiki)

    (promoted,) = wiki.events("promoted")
    assert (promoted["entry"], promoted["incumbent"]) == (entry, entry)
    assert promoted["statement"] == lost
    (fallen,) = wiki.events("statement")
    assert (fallen["capture"], fallen["state"]) == (lost, "decaying")
    assert wiki.events("decaying") == []
    shown = wiki.show("Message queue")
    assert (shown["state"], shown["superseded_by"]) == ("active", None)
    name = promoted["branch"]
    assert branch_rows(wiki) == [(name, lost, "promoted")]
    assert ref(wiki, name) == wiki.head
    assert wiki.git("ls-files", ".companion/minority") == ""


def test_only_the_claims_of_the_statement_lose(wiki: Wiki):
    lost = capture_of(wiki, BELIEF)
    won(wiki)

    db = schema.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    assert promotions.list_shifts(db) == {}
    shifts = promotions.list_statement_shifts(db)
    assert set(shifts) == {lost}
    assert len(shifts[lost].captures) == 3


def test_what_the_lost_statement_says_is_not_served_as_current(tmp_path: Path):
    belief = f"{BELIEF}\nAnna lives in Bern.\n"
    wiki = gathering(Wiki.new(tmp_path / "other"), belief)

    def told() -> dict[str, Any]:
        (key,) = read_claims(
            wiki.ws, "Anna", None, as_of=None, known_at=None, history=False
        )["keys"]
        return dict(key)

    assert told()["values"] == ["Bern"]
    night(wiki, (FIRST, "post mortem"))
    night(wiki, (SECOND, "mary"))
    night(wiki, (f"{THIRD} Anna lives in Graz.", "vendor"))

    assert set(told()["values"]) == {"Bern", "Graz"}  # while the shift is young
    (old,) = [each for each in told()["claims"] if each["object"] == "Bern"]
    assert old["status"] == "disputed"
    assert "its statement lost its place" in old["reason"]
    for n in range(3):
        night(wiki, (f"Note {n} on tomatoes and their sun.", "mary"), days=11)
    assert told()["values"] == ["Graz"]


def test_what_rests_on_another_statement_is_not_flagged(wiki: Wiki):
    belief = capture_of(wiki, BELIEF)
    place = capture_of(wiki, PLACE)
    for title, id in (("Ordering", belief), ("Hosting", place)):
        link = f"It follows from [[{Path(PAGE).stem}#^{id[:12]}]]."
        wiki.ingest(link, title=title)
    wiki.consolidate()
    won(wiki)

    flags = [one for one in wiki.events("flagged") if one["kind"] == "rests on"]
    resting = {rest["entry"] for flag in flags for rest in flag["rests"]}
    assert wiki.show("Ordering")["id"] in resting
    assert wiki.show("Hosting")["id"] not in resting


def test_lines_of_a_person_between_blocks_stay_as_they_are(wiki: Wiki):
    theirs = "I asked Paul about this twice.\n"
    text = wiki.read(PAGE)
    at = text.index("\n## 2026-11-01 08:03")
    wiki.write(PAGE, f"{text[:at]}\n{theirs}{text[at:]}")
    wiki.commit()
    won(wiki)

    standing, _, earlier = wiki.read(PAGE).partition("\n## Earlier\n")
    assert theirs in standing
    assert BELIEF.strip() in earlier


def test_a_block_that_a_person_edited_stays_where_it_is(wiki: Wiki):
    edited = BELIEF.replace("every event", "EVERY event").strip()
    text = wiki.read(PAGE).replace(BELIEF.strip(), edited)
    wiki.write(PAGE, text)
    wiki.commit()
    done = won(wiki)

    text = wiki.read(PAGE)
    assert "## Earlier" not in text
    assert f"\n{edited} ^" in text and f"\n{FIRST} ^" in text
    (fallen,) = wiki.events("statement")
    assert fallen["state"] == "decaying"
    assert any("stays where it is: you edited it" in n for n in done["notes"])
    check_index(wiki)


def test_when_no_other_statement_stands_the_page_decays(wiki: Wiki):
    night(wiki, (FIRST, "post mortem"))
    night(wiki, (SECOND, "mary"))
    text = wiki.read(PAGE)
    place = text.index("## 2026-11-01 08:01")
    belief = text.index("## 2026-11-01 08:03")
    wiki.write(PAGE, text[:place] + text[belief:])
    wiki.commit()
    night(wiki, (THIRD, "vendor"))

    assert wiki.events("statement") == []
    (promoted,) = wiki.events("promoted")
    assert "statement" not in promoted
    old = wiki.show(promoted["incumbent"])
    assert (old["state"], old["superseded_by"]) == (
        "decaying",
        promoted["entry"],
    )
    assert BELIEF.strip() in wiki.read(PAGE)


def test_undo_gives_the_page_and_the_rows_back(wiki: Wiki):
    night(wiki, (FIRST, "post mortem"))
    night(wiki, (SECOND, "mary"))
    files, lost = wiki.files(), capture_of(wiki, BELIEF)
    night(wiki, (THIRD, "vendor"))
    done = undo_last(wiki)

    assert PAGE in done["restored"] and done["left_out"] == []
    assert wiki.files() == files
    assert [row[1:] for row in branch_rows(wiki)] == [(lost, "open")]
    states = sql(wiki, "SELECT state, undone FROM statement_states")
    assert states == [("decaying", 1)]
    check_index(wiki)
    check_health(wiki)


def test_an_undo_of_the_undo_brings_the_promotion_back(wiki: Wiki):
    won(wiki)
    text = wiki.read(PAGE)
    undo_last(wiki)
    undo_last(wiki)

    assert wiki.read(PAGE) == text
    assert [row[2] for row in branch_rows(wiki)] == ["promoted"]
    assert sql(wiki, "SELECT undone FROM statement_states") == [(0,)]


def test_the_same_night_gives_the_same_tree(wiki: Wiki, tmp_path: Path):
    twin = wiki.copy(tmp_path / "twin")
    won(wiki)
    won(twin)

    assert wiki.read(PAGE) == twin.read(PAGE)
    assert wiki.tree == twin.tree


def test_promoted_lines_are_not_taken_for_a_person_s(wiki: Wiki):
    won(wiki)
    entry = wiki.show("Message queue")["id"]
    with open_run(wiki.ws, "test") as run:
        assert find_owned_lines(run, entry, wiki.read(PAGE)) == set()
    wiki.write(PAGE, wiki.read(PAGE) + "\nMine.\n")
    wiki.commit()
    wiki.adopt()
    with open_run(wiki.ws, "test") as run:
        owned = find_owned_lines(run, entry, wiki.read(PAGE))
    assert owned == {"Mine."}


# -- reads -----------------------------------------------------------------------------------------


def test_the_preview_shows_the_page_as_it_would_be(wiki: Wiki):
    night(wiki, (FIRST, "post mortem"))
    night(wiki, (SECOND, "mary"))
    name = branch_rows(wiki)[0][0]
    files = promotion_preview.diff_branch(wiki.ws, name)["files"]

    assert [file["change"] for file in files] == [
        "removed",
        "removed",
        "changed",
    ]
    assert files[-1]["path"] == PAGE
    assert f"+{FIRST} ^" in files[-1]["diff"]
    assert "+## Earlier" in files[-1]["diff"]


def test_a_young_shift_names_the_statement_that_lost(wiki: Wiki):
    lost = capture_of(wiki, BELIEF)
    won(wiki)
    found = search_wiki(wiki.ws, "delivers exactly once")["results"]
    hit = next(one for one in found if one["path"] == PAGE)

    assert hit["shift"]["statement"]["capture"] == lost
    assert hit["shift"]["statement"]["words"] == BELIEF.strip().rstrip(".")
    wiki.tick(days=200)
    for n in range(4):
        night(wiki, (f"Tomatoes want {n} hours of sun.", "a gardener"))
    assert wiki.show("Message queue")["shift"] is None


def test_a_rival_follows_the_statement_that_won(tmp_path: Path):
    wiki = Wiki.new(tmp_path / "wiki")
    for words in (
        "The gateway stands in the cellar.\n",
        "The Harrow gateway listens on port 8080.\n",
    ):
        wiki.ingest(words, title="Gateway")
        wiki.consolidate()
    ingest_dependents(wiki, "Gateway", RELYING)
    wiki.consolidate()
    wiki.tick()
    decay.decay(wiki.ws)
    for words, source in (
        ("The Harrow gateway listens on port 7070.", "a rumour"),
        ("The Harrow gateway listens on port 9090.", "the runbook"),
        (
            "Netstat shows that the Harrow gateway listens on port 9090.",
            "netstat",
        ),
        ("Our probe found the Harrow gateway listens on port 9090.", "probe"),
    ):
        night(wiki, (words, source))

    (followed,) = wiki.events("followed")
    (fallen,) = wiki.events("statement")
    rows = branch_rows(wiki)
    assert followed["statement"] == fallen["by"]
    assert {row[1] for row in rows} == {fallen["capture"], fallen["by"]}
    undo_last(wiki)
    assert {row[1] for row in branch_rows(wiki)} == {fallen["capture"]}


def test_why_names_the_statement(wiki: Wiki):
    won(wiki)
    (name, lost, _) = branch_rows(wiki)[0]
    words = f"“{BELIEF.strip().rstrip('.')}”, told 2026-11-01"

    told = {
        event["event"]: event["reason"]
        for event in explain_target(wiki.ws, name)["events"]
    }
    assert told["branched"].startswith(
        f"Against {words}. One source contradicts one statement of a"
        " protected page."
    )
    assert told["promoted"].startswith(f"Against {words}. Wins with 3 ")
    entry = wiki.show("Message queue")["id"]
    told = {
        event["event"]: event["reason"]
        for event in explain_target(wiki.ws, entry)["events"]
    }
    assert told["statement"].startswith(f"{words}: minority/{name} won: ")
    assert lost is not None


def test_notes_that_won_together_are_one_belief_and_fall_together(
    tmp_path: Path,
):
    wiki = Wiki.new(tmp_path / "wiki")
    for words in (
        "The Harrow gateway stands in the cellar.\n",
        "The Harrow gateway listens on port 8080.\n",
    ):
        wiki.ingest(words, title="Gateway")
        wiki.consolidate()
    ingest_dependents(wiki, "Gateway", RELYING)
    wiki.consolidate()
    wiki.tick()
    decay.decay(wiki.ws)
    for port, sources in (
        (9090, ("the runbook", "netstat", "a probe")),
        (7070, ("the new runbook", "a dump", "a colleague")),
    ):
        first, second, third = sources
        for words, source in (
            (f"The Harrow gateway listens on port {port}.", first),
            (
                f"Netstat shows that the Harrow gateway listens on port {port}.",
                second,
            ),
            (
                f"Our probe found the Harrow gateway listens on port {port}.",
                third,
            ),
        ):
            night(wiki, (words, source))

    assert [row[2] for row in branch_rows(wiki)] == ["promoted", "promoted"]
    page = wiki.show("Gateway")
    standing, _, earlier = page["text"].partition("\n## Earlier\n")
    assert page["state"] == "active"
    assert standing.count("7070") == 3 and "9090" not in standing
    assert "cellar" in standing
    # three notes, and each link to what took their place once
    assert earlier.count("port 9090. ^") == 3
    assert len(wiki.events("statement")) == 4
    db = schema.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    assert len(promotions.list_statement_shifts(db)) == 4
    check_index(wiki)
    check_health(wiki)
