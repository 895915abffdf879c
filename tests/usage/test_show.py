"""Use, from the read to the ledger and back: what was shown, what came of it, and what nobody else
may know.
"""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from companion.answers.ask import ask
from companion.answers.claims import read_claims
from companion.lookup.search import search_wiki
from companion.maintenance.erase import run as erase
from companion.operations.decay import run as decay
from companion.reading.entry.show import show_target
from companion.storage.index import schema as index
from companion.storage.index.tables.use import list_accesses, list_queries
from companion.storage.journal import reads_file
from companion.usage import record_read, utility
from companion.usage.show import describe_use, utility_by_entry
from companion.workspace import Workspace
from tests.wiki import Wiki, check_index

PORTS = (
    "# Postgres port\nThe port of Postgres is 5433.",
    "# Redis port\nRedis runs on 6379. See [[Postgres port]].",
    "# Lisbon\nWe fly to Lisbon on Friday.",
)


def ports(folder: Path) -> Wiki:
    """A wiki of pages to be found."""
    wiki = Wiki.new(folder / "wiki")
    wiki.ingest(*PORTS)
    wiki.consolidate()
    return wiki


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return ports(tmp_path)


def search(wiki: Wiki, words: str, ws: Workspace | None = None) -> list[str]:
    """What the verb does: read, then record."""
    ws = ws or wiki.ws
    doc = search_wiki(ws, words)
    assert record_read.record_search(ws, doc) is None
    return [hit["id"] for hit in doc["results"]]


def show(wiki: Wiki, target: str, ws: Workspace | None = None) -> str:
    ws = ws or wiki.ws
    doc = show_target(ws, target)
    assert record_read.record_show(ws, doc) is None
    return str(doc["id"])


def week(wiki: Wiki) -> dict[str, Any]:
    wiki.tick(days=8)
    return wiki.consolidate()


def db(wiki: Wiki) -> Any:
    found = index.open_for_reading(wiki.ws.place.index_db)
    assert found is not None
    return found


def ledger(wiki: Wiki) -> str:
    return "".join(
        path.read_text()
        for path in sorted(
            (wiki.root / ".companion" / "ledger").rglob("*.jsonl")
        )
    )


def test_a_read_is_on_record_with_the_next_real_run_and_alone_never(
    wiki: Wiki,
) -> None:
    first = search(wiki, "port")
    assert wiki.consolidate()["commit"] is None, "usage alone never commits"
    wiki.ingest("Something else.")
    assert wiki.consolidate()["commit"] is not None
    assert {
        entry
        for entry, access in list_accesses(db(wiki)).items()
        if access.count == 1
    } == set(first)
    (query,) = list_queries(db(wiki))
    assert (query.words, query.verb, query.shown, query.agent, query.times) == (
        "port",
        "search",
        tuple(first),
        "owner",
        1,
    )


def test_a_use_that_has_waited_for_a_week_gets_a_run_of_its_own_and_only_one(
    wiki: Wiki,
) -> None:
    search(wiki, "port")
    wiki.tick(days=6)
    assert wiki.consolidate()["commit"] is None
    done = week(wiki)
    assert done["commit"] is not None and done["counts"]["used"] == 2
    assert week(wiki)["commit"] is None


def test_decay_carries_it_too(wiki: Wiki) -> None:
    search(wiki, "port")
    wiki.tick(days=8)
    assert decay.decay(wiki.ws)["commit"] is not None
    assert len(list_accesses(db(wiki))) == 2
    assert decay.decay(wiki.ws)["commit"] is None


def test_last_accessed_is_the_later_of_told_and_read_and_never_goes_back(
    wiki: Wiki,
) -> None:
    def last() -> str:
        return str(
            db(wiki)
            .execute("SELECT last_accessed FROM entries WHERE title = 'Lisbon'")
            .fetchone()[0]
        )

    told = last()
    read = wiki.tick(days=1)
    show(wiki, "Lisbon")
    week(wiki)
    assert told < last() == read.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    before, now = last(), wiki.now
    wiki.now = wiki.now.replace(year=2025)
    show(wiki, "Lisbon")
    wiki.now = now
    week(wiki)
    assert last() == before
    assert list_accesses(db(wiki))[show(wiki, "Lisbon")].count == 2


def test_a_clock_ahead_puts_no_read_into_the_future(wiki: Wiki) -> None:
    now = wiki.now
    wiki.now = now.replace(year=now.year + 1)
    entry = show(wiki, "Lisbon")
    wiki.now = now
    wiki.ingest("Something else.")
    wiki.consolidate()
    last = list_accesses(db(wiki))[entry].last
    assert last is not None and last.startswith("2026-11-01")


def test_the_index_reproduces_it_and_two_machines_add_up(wiki: Wiki) -> None:
    search(wiki, "port")
    show(wiki, "Redis port")
    week(wiki)
    search(wiki, "port")
    week(wiki)
    check_index(wiki)
    found = list_accesses(db(wiki))
    assert sorted(access.count for access in found.values()) == [2, 3]


def test_what_was_opened_is_more_useful_than_what_stood_above_it(
    wiki: Wiki,
) -> None:
    above, below = search(wiki, "port")
    show(wiki, below)
    week(wiki)
    found = utility_by_entry(db(wiki))
    assert found[below].mean > utility.UNKNOWN.mean > found[above].mean
    assert found[below].deviation < utility.UNKNOWN.deviation
    assert describe_use(db(wiki), below)["reason"].startswith(
        "shown once, opened 1, good 0, bad 0: utility .57 ±"
    )


def test_evidence_ages_by_days_of_use_and_not_by_the_calendar(
    wiki: Wiki,
) -> None:
    _, below = search(wiki, "port")
    show(wiki, below)
    week(wiki)
    before = describe_use(db(wiki), below)["evidence"]
    wiki.now += timedelta(days=360)
    show(wiki, "Lisbon")
    week(wiki)
    after = describe_use(db(wiki), below)["evidence"]
    assert after == pytest.approx(before * 2 ** (-1 / 180), abs=1e-4)
    check_index(wiki)


def test_replays_leave_no_trace(wiki: Wiki) -> None:
    search_wiki(wiki.ws, "port")
    show_target(wiki.ws, "Lisbon")
    ask(wiki.ws, "What is the port of Postgres?", as_of=None, budget=500)
    assert not (Path(wiki.ws.place.state) / reads_file.NAME).exists()


def test_an_answer_counts_for_the_entry_that_its_note_went_into(
    wiki: Wiki,
) -> None:
    doc = ask(wiki.ws, "What is the port of Postgres?", as_of=None, budget=500)
    record_read.record_ask(wiki.ws, doc)
    told = read_claims(
        wiki.ws, "Postgres", None, as_of=None, known_at=None, history=False
    )
    record_read.record_claims(wiki.ws, told)
    week(wiki)
    (entry,) = list_accesses(db(wiki))
    assert show_target(wiki.ws, entry)["title"] == "Postgres port"
    assert {query.verb for query in list_queries(db(wiki), entry)} == {
        "ask",
        "claims",
    }


def test_ten_thousand_times_the_same_is_one_line(wiki: Wiki) -> None:
    doc = search_wiki(wiki.ws, "port")
    for _ in range(2000):
        record_read.record_search(wiki.ws, doc)
    before = len(ledger(wiki))
    week(wiki)
    assert len(ledger(wiki)) - before < 2000
    (query,) = list_queries(db(wiki))
    assert query.times == 2000


def test_a_flood_of_questions_is_bounded_and_no_count_is_lost(
    wiki: Wiki,
) -> None:
    entry = show_target(wiki.ws, "Lisbon")["id"]
    for n in range(500):
        record_read.record_read(wiki.ws, "search", f"question {n}", [entry])
    before = len(ledger(wiki))
    week(wiki)
    assert len(ledger(wiki)) - before < 30_000
    assert list_accesses(db(wiki))[entry].count == 500


# -- what nobody else may know ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", ["merger budget", "What about the Zanzibar merger?"]
)
def test_a_query_that_touches_what_is_private_leaves_no_word_and_no_id(
    wiki: Wiki, words: str
) -> None:
    (told,) = wiki.ingest(
        "The merger with Zanzibar is secret.", agent="bot", scope="private"
    )
    ws = wiki.as_("bot")
    search(wiki, words, ws)
    search(wiki, "Lisbon", ws)
    week(wiki)
    text = ledger(wiki)
    assert (
        "erger" not in text and "anzibar" not in text and told["id"] not in text
    )
    assert [query.words for query in list_queries(db(wiki))] == ["Lisbon"]


def test_a_private_note_far_down_the_list_still_makes_the_question_private(
    wiki: Wiki,
) -> None:
    wiki.ingest(*(f"Lisbon Lisbon Lisbon tram number {n}" for n in range(40)))
    wiki.ingest(
        "Lisbon on Friday: the port, and we fly." + " The is of" * 60,
        agent="bot",
        scope="private",
    )
    ws = wiki.as_("bot")
    doc = search_wiki(ws, "Lisbon", limit=60)
    private = next(
        n
        for n, hit in enumerate(doc["results"])
        if hit["snippet"].startswith("Lisbon on Friday")
    )
    doc["results"] = [
        *doc["results"][:private],
        *doc["results"][private + 1 :],
        doc["results"][private],
    ]
    record_read.record_search(ws, doc)
    week(wiki)
    assert len(doc["results"]) > 30 and list_queries(db(wiki)) == []


def test_words_that_only_a_private_telling_has_stay_here_though_they_found_nothing(
    wiki: Wiki,
) -> None:
    wiki.ingest(
        "The merger with Zanzibar is secret.", agent="bot", scope="private"
    )
    search(wiki, "zanzibar Lisbon")  # another reader, who does not see it
    week(wiki)
    assert "zanzibar" not in ledger(wiki)
    assert len(list_accesses(db(wiki))) == 1, "the access counts"


def test_a_secret_in_a_query_is_kept_nowhere_but_where_it_was_typed(
    wiki: Wiki,
) -> None:
    search(wiki, "Lisbon api_key=sk4f9aQ7xLm2Zr8Tt1")
    week(wiki)
    rows = [
        use[0]
        for use in wiki.journal().connection.execute("SELECT words FROM uses")
    ]
    assert "sk4f9aQ7xLm2Zr8Tt1" not in ledger(wiki) + json.dumps(rows)
    assert list_queries(db(wiki)) == []
    assert len(list_accesses(db(wiki))) == 1


def test_erased_words_go_from_the_query_log_too(wiki: Wiki) -> None:
    search(wiki, "Lisbon hideaway")
    week(wiki)
    search(wiki, "Lisbon hideaway again")
    preview = erase.erase(wiki.ws, ["hideaway"])
    assert {place["where"] for place in preview["places"]} >= {
        "journal",
        "ledger",
    }
    done = erase.erase(wiki.ws, ["hideaway"], confirm=preview["confirm"])
    assert done["remains"] == []
    search(wiki, "Lisbon hideaway")  # to see whether it is gone
    held = (Path(wiki.ws.place.state) / reads_file.NAME).read_text()
    week(wiki)
    rows = [
        row[0]
        for row in wiki.journal().connection.execute("SELECT words FROM uses")
    ]
    assert "hideaway" not in held + ledger(wiki) + json.dumps(rows)
    assert (
        "erased-" in ledger(wiki)
        and "erased-" in list_queries(db(wiki))[0].words
    )


@pytest.mark.parametrize("backwards", [False, True])
def test_what_was_opened_last_stands_last_whatever_run_took_it_on_record(
    wiki: Wiki, *, backwards: bool
) -> None:
    """Else nobody knows what answered: not the order of ids says that, nor that of places."""
    earlier, later = sorted(search(wiki, "port"), reverse=backwards)
    show(wiki, later)
    show(wiki, earlier)
    wiki.tick(minutes=9)
    wiki.ingest("A note of no matter.")
    wiki.consolidate()
    show(wiki, later)
    week(wiki)
    (query,) = list_queries(db(wiki))
    assert query.opened == (earlier, later)
    check_index(wiki)
