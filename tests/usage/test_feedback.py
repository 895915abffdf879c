"""What somebody says of an answer reaches what was shown then, whenever it is said; what it cannot
mean is refused.
"""

from pathlib import Path
from typing import Any

import pytest

from companion.adoption import undo
from companion.answers.ask import ask
from companion.errors import CompanionError
from companion.lookup.find import Ambiguous, NothingFound
from companion.reading.entry.show import show_target
from companion.storage.index import schema as index
from companion.storage.index.tables.use import (
    list_accesses,
    list_queries,
    list_use_records,
)
from companion.storage.journal import reads as taken
from companion.usage import feedback, record_read, utility
from companion.usage.feedback import NothingAsked, NotInTheWiki, NoVerdict
from companion.usage.show import utility_by_entry
from tests.usage.test_show import db, ledger, ports, search, show, week
from tests.wiki import Wiki, check_index


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return ports(tmp_path)


def mean(wiki: Wiki, entry: str) -> float:
    return utility_by_entry(db(wiki)).get(entry, utility.UNKNOWN).mean


def test_of_the_last_answer_without_a_word_more(wiki: Wiki) -> None:
    doc = ask(wiki.ws, "What is the port of Postgres?", as_of=None, budget=500)
    record_read.record_ask(wiki.ws, doc)
    show(wiki, "Lisbon")
    said = feedback.record_feedback(wiki.ws, "useful", None)
    assert said["outcome"] == "good" and said["query"]["verb"] == "ask"
    (entry,) = said["entries"]
    assert entry["title"] == "Postgres port"
    week(wiki)
    assert mean(wiki, entry["id"]) == pytest.approx(2 / 3)
    (query,) = list_queries(db(wiki))
    assert (query.outcome, query.shown) == ("good", (entry["id"],))


def test_days_later_it_finds_what_was_shown_then_and_not_what_is_shown_now(
    wiki: Wiki,
) -> None:
    first, second = search(wiki, "port")
    week(wiki)
    (query,) = list_queries(db(wiki))
    wiki.ingest("# Kafka port\nKafka listens on port 9092.")
    wiki.consolidate()
    now = search(wiki, "port number 9092")
    feedback.record_feedback(wiki.ws, "bad", query.id[:8])
    week(wiki)
    assert mean(wiki, first) < mean(wiki, second) < utility.UNKNOWN.mean
    assert all(
        mean(wiki, other) == utility.UNKNOWN.mean
        for other in set(now) - {first, second}
    )
    assert {q.id: q.outcome for q in list_queries(db(wiki))}[query.id] == "bad"
    check_index(wiki)


def test_a_query_that_only_the_ledger_still_has_can_be_judged(
    wiki: Wiki,
) -> None:
    (first, *_) = search(wiki, "port")
    week(wiki)
    (query,) = list_queries(db(wiki))
    wiki.journal().connection.execute("DELETE FROM uses")
    feedback.record_feedback(wiki.ws, "good", query.id)
    week(wiki)
    assert mean(wiki, first) > utility.UNKNOWN.mean
    assert list_queries(db(wiki))[0].outcome == "good"


@pytest.mark.parametrize("target", ["Lisbon", "entries/2026/11/Lisbon.md"])
def test_of_an_entry_by_whatever_names_it(wiki: Wiki, target: str) -> None:
    feedback.record_feedback(wiki.ws, "wrong", target)
    assert wiki.consolidate()["commit"] is None
    week(wiki)
    entry = wiki.show("Lisbon")
    assert entry["usage"]["utility"] == pytest.approx(1 / 3, abs=1e-4)
    assert (
        entry["usage"]["reason"]
        == "shown 0 times, opened 0, good 0, bad 1: utility .33 ± .24"
    )
    assert entry["usage"]["accesses"] == 0, "to judge is not to read"


def test_a_note_that_went_into_an_entry_stands_for_it(wiki: Wiki) -> None:
    (capture,) = wiki.show("Lisbon")["captures"]
    feedback.record_feedback(wiki.ws, "good", capture[:12])
    week(wiki)
    assert mean(wiki, wiki.show("Lisbon")["id"]) > utility.UNKNOWN.mean


def test_a_query_that_showed_nothing_can_be_bad_and_harms_nobody(
    wiki: Wiki,
) -> None:
    assert search(wiki, "xylophone") == []
    assert feedback.record_feedback(wiki.ws, "bad", None)["entries"] == []
    week(wiki)
    assert (
        list_accesses(db(wiki)) == {}
        and list_queries(db(wiki))[0].outcome == "bad"
    )


def refused(
    wiki: Wiki,
    kind: type[CompanionError],
    said: str,
    target: str | None,
    who: str | None = None,
) -> str:
    ws = wiki.ws if who is None else wiki.as_(who)
    before = len(taken.list_rows(wiki.journal()))
    with pytest.raises(kind) as caught:
        feedback.record_feedback(ws, said, target)
    assert caught.value.hint and caught.value.exit_code in (1, 2, 65)
    rows = [
        row
        for row in taken.list_rows(wiki.journal())
        if row.use.verb == "feedback"
    ]
    assert rows == [] and len(taken.list_rows(wiki.journal())) >= before, (
        "nothing is recorded and nothing lost"
    )
    return str(caught.value)


def test_what_it_cannot_mean_is_refused_and_recorded_nowhere(
    wiki: Wiki,
) -> None:
    refused(wiki, NothingAsked, "good", None)
    search(wiki, "port")
    refused(wiki, NothingAsked, "good", None, who="bot")
    refused(wiki, NoVerdict, "nice", None)
    refused(wiki, NoVerdict, "", None)
    refused(wiki, NothingFound, "good", "no such thing")
    wiki.ingest("A note that waits.")
    (waiting,) = wiki.search("waits", state="pending")
    refused(wiki, NotInTheWiki, "good", waiting["id"])


def test_two_things_of_one_name_are_told_apart(wiki: Wiki) -> None:
    wiki.ingest("# Trip\n\nAbove the sea.")
    wiki.consolidate()
    wiki.write("notes/Trip.md", "# Trip\n\nBelow the sea.\n")
    wiki.commit()
    assert "names 2 pages" in refused(wiki, Ambiguous, "good", "Trip")


def test_an_id_that_a_query_and_an_entry_share_is_ambiguous(wiki: Wiki) -> None:
    search(wiki, "port")
    (query,) = feedback.list_queries(wiki.ws)["queries"]
    wiki.ingest(
        f"# {query['id'][:6]}\n\nAn entry whose title is the beginning of that id."
    )
    wiki.consolidate()
    text = refused(wiki, Ambiguous, "good", query["id"][:6])
    assert "more than one thing" in text


def test_another_readers_queries_are_not_there_to_be_judged(wiki: Wiki) -> None:
    search(wiki, "port", wiki.as_("bot"))
    (query,) = feedback.list_queries(wiki.as_("bot"))["queries"]
    assert feedback.list_queries(wiki.ws)["queries"] == []
    refused(wiki, NothingFound, "good", query["id"])
    week(wiki)
    refused(wiki, NothingFound, "good", query["id"])


def test_what_an_agent_told_in_private_is_no_entry_and_no_other_may_name_it(
    wiki: Wiki,
) -> None:
    (told,) = wiki.ingest(
        "The merger is called Zanzibar.", agent="bot", scope="private"
    )
    refused(wiki, NotInTheWiki, "good", told["id"], who="bot")
    refused(wiki, NothingFound, "good", told["id"])
    search(wiki, "zanzibar", wiki.as_("bot"))
    feedback.record_feedback(wiki.as_("bot"), "good", None)
    week(wiki)
    assert "anzibar" not in ledger(wiki) and told["id"] not in ledger(wiki)


def test_the_list_has_each_query_once_with_what_was_said_last(
    wiki: Wiki,
) -> None:
    for _ in range(3):
        search(wiki, "port")
    search(wiki, "Lisbon")
    feedback.record_feedback(wiki.ws, "good", None)
    feedback.record_feedback(wiki.ws, "bad", None)
    listed = feedback.list_queries(wiki.ws)["queries"]
    assert [(each["words"], each["outcome"]) for each in listed] == [
        ("Lisbon", "bad"),
        ("port", None),
    ]
    assert [entry["title"] for entry in listed[0]["entries"]] == ["Lisbon"]


def test_an_undo_takes_no_use_back(wiki: Wiki) -> None:
    search(wiki, "port")
    feedback.record_feedback(wiki.ws, "good", None)
    wiki.ingest("# Kafka\nKafka listens on 9092.")
    run = wiki.consolidate()["run"]
    before = dict(utility_by_entry(db(wiki)))
    wiki.tick()
    undo.undo(wiki.ws, run)
    assert utility_by_entry(db(wiki)) == before and before
    assert len(list_queries(db(wiki))) == 1


def test_a_lost_night_is_not_counted_again(wiki: Wiki) -> None:
    """It comes back with the run, like the captures that it consumed."""
    search(wiki, "port")
    tip = wiki.head
    week(wiki)
    wiki.git("reset", "--hard", tip)
    week(wiki)
    assert list_accesses(db(wiki)) == {}


def test_two_machines_add_up(wiki: Wiki, tmp_path: Path) -> None:
    other = wiki.clone(tmp_path / "other")
    for each, times in ((wiki, 1), (other, 2)):
        for _ in range(times):
            search(each, "port")
        each.now = wiki.now
        show(each, "Lisbon")
    other.now = wiki.tick(days=8)
    wiki.consolidate(), other.tick(), other.consolidate()
    wiki.git("pull", "--no-rebase", "--no-edit", str(other.root), "main")
    wiki.search("anything")
    found = list_accesses(db(wiki))
    assert found[wiki.show("Lisbon")["id"]].count == 2
    assert sorted(access.count for access in found.values()) == [2, 3, 3]
    check_index(wiki)


def topology(wiki: Wiki) -> Any:
    found = index.open_for_reading(wiki.ws.place.index_db)
    assert found is not None
    edges = found.execute(
        "SELECT source, target, type, weight FROM edges ORDER BY 1, 2, 3"
    ).fetchall()
    return edges, found.execute(
        "SELECT id, gravity, gravity_protected FROM entries ORDER BY id"
    ).fetchall()


def test_utility_enters_neither_gravity_nor_the_weights_of_edges(
    wiki: Wiki,
) -> None:
    """GRA-6: what everybody likes is not by that what everything rests on."""
    from companion.operations.decay import run as decay

    decay.decay(wiki.ws)
    before = topology(wiki)
    for _ in range(10):
        for target in ("Redis port", "Postgres port"):
            show(wiki, target)
            feedback.record_feedback(wiki.ws, "good", target)
        wiki.tick(days=8)
        decay.decay(wiki.ws)
    assert mean(wiki, show_target(wiki.ws, "Redis port")["id"]) > 0.85
    assert topology(wiki) == before


def test_under_a_clock_that_stands_still_the_same_search_after_feedback_is_another(
    wiki: Wiki,
) -> None:
    search(wiki, "port")
    feedback.record_feedback(wiki.ws, "good", None)
    search(wiki, "port")
    week(wiki)
    assert db(wiki).execute("SELECT count FROM queries").fetchall() == [(2,)]


def test_who_thinks_better_of_an_answer_takes_the_earlier_word_back(
    wiki: Wiki,
) -> None:
    """Also where a run has the first word on record already; and saying it again adds nothing."""
    first, *_ = search(wiki, "port")
    feedback.record_feedback(wiki.ws, "good", None)
    week(wiki)
    liked = mean(wiki, first)
    feedback.record_feedback(wiki.ws, "useful", None)
    week(wiki)
    assert mean(wiki, first) == pytest.approx(liked, abs=0.01)
    feedback.record_feedback(wiki.ws, "wrong", None)
    week(wiki)
    assert liked > 0.55 and mean(wiki, first) < 0.45
    (record,) = list_use_records(db(wiki), first)
    assert (round(record.good, 2), round(record.bad, 2)) == (0, 0.67)
    check_index(wiki)
