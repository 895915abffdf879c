"""Phase 4 of a night, end to end: what contradicts a load-bearing entry gathers, presses, and wins
or waits.
"""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from companion.adoption import undo
from companion.lifecycle.transitions import can_leave_wiki
from companion.minority.contested import contests
from companion.operations.audit import run as audit
from companion.operations.decay import run as decay
from companion.pages.statement_edits import unmark_lost_page
from companion.reading import review
from companion.reading.branches import branches, promotion_preview
from companion.reading.log import list_runs
from companion.reading.status import describe_wiki
from companion.reading.why import explain_target
from companion.runs import run as snapshot
from companion.storage.files import durable
from companion.storage.index.tables import minority
from companion.storage.index.tables.decay import find_living_entry
from tests.reading.branches.test_branches import ref, sql
from tests.wiki import (
    Wiki,
    check_captures,
    check_health,
    check_index,
    ingest_dependents,
)

BELIEF = "The message queue delivers every event exactly once.\n"
FIRST = "The message queue does not deliver every event exactly once."
SECOND = (
    "After the failover forty events had come in twice: the message queue does not deliver"
    " every event once."
)
THIRD = (
    "Measured over a week: the message queue doesn't deliver every event exactly once when a"
    " consumer restarts."
)
PAGE = "entries/2026/11/Message queue.md"
#: pages that rest on the one of the message queue
RELYING = (
    "Billing",
    "Invoices",
    "Emails",
    "Reports",
    "Webhooks",
    "Refunds",
    "Payouts",
    "Alerts",
)


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return founded(Wiki.new(tmp_path / "wiki"))


def founded(wiki: Wiki, belief: str = BELIEF) -> Wiki:
    """A wiki in which eight pages rest on one."""
    wiki.ingest(belief, title="Message queue")
    ingest_dependents(wiki, "Message queue", RELYING)
    wiki.consolidate()
    wiki.tick()
    assert decay.decay(wiki.ws)["commit"] is not None
    return wiki


def night(
    wiki: Wiki,
    *told: tuple[str, str],
    days: int = 1,
    title: str | None = None,
    **options: Any,
) -> dict[str, Any]:
    """A day later, a note from each source; then a night."""
    wiki.tick(days=days)
    for text, source in told:
        wiki.ingest(text, source=source, title=title)
    return wiki.consolidate(**options)


def decided(done: dict[str, Any]) -> list[str]:
    return [each["action"] for each in done["branches"]]


def won(wiki: Wiki) -> dict[str, Any]:
    """Three voices on three days."""
    night(wiki, (FIRST, "post mortem"))
    night(wiki, (SECOND, "mary"))
    return night(wiki, (THIRD, "vendor"))


def name(wiki: Wiki) -> str:
    return str(sql(wiki, "SELECT name FROM branches")[0][0])


def state(wiki: Wiki) -> str:
    return str(sql(wiki, "SELECT state FROM branches")[0][0])


def list_relations(item: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return (kind, entry, path) of what a note of the night relates to."""
    return [
        (each["kind"], each["entry"], each["path"])
        for each in item["relations"]
    ]


def test_a_lone_contradiction_opens_a_branch_and_nothing_else(
    wiki: Wiki,
) -> None:
    before, commits = wiki.files(), wiki.commits()
    done = night(wiki, (FIRST, "post mortem"))
    assert decided(done) == ["open"] and done["integrated"] == []
    assert wiki.commits() == commits + 1 and wiki.files() == before
    assert ref(wiki, name(wiki)) == wiki.head == done["commit"]
    (page,) = (wiki.root / ".companion/minority" / name(wiki)).iterdir()
    text = page.read_text()
    assert (
        FIRST in text
        and f"challenges: {wiki.show('Message queue')['id']}\n" in text
        and "[[" not in text
    )
    check_index(wiki)
    check_health(wiki)


def test_what_contradicts_a_note_of_the_same_night_names_the_page_it_became_on_its_branch(
    wiki: Wiki,
) -> None:
    done = night(
        wiki, (FIRST, "post mortem"), (BELIEF + "\nIt always did.", "manual")
    )
    (item,) = done["integrated"]
    (page,) = (wiki.root / ".companion/minority" / name(wiki)).iterdir()
    entry = wiki.show(done["branches"][0]["captures"][0])["entry"]
    path = f".companion/minority/{name(wiki)}/{page.name}"
    assert ("contradicts", entry, path) in list_relations(item)


def test_what_contradicts_the_note_that_wins_tonight_names_the_entry_that_the_branch_became(
    wiki: Wiki,
) -> None:
    night(wiki, (THIRD, "vendor"))
    night(wiki, (SECOND, "mary"))
    done = night(
        wiki, (FIRST, "post mortem"), (BELIEF + "\nIt always did.", "manual")
    )
    assert decided(done)[-1] == "promote"
    (item,) = done["integrated"]
    entry = done["branches"][-1]["entry"]
    path = wiki.show(entry)["path"]
    assert ("contradicts", entry, path) in list_relations(item)


def test_three_voices_over_three_nights_win(wiki: Wiki) -> None:
    page, tip = wiki.read(PAGE), ""
    night(wiki, (FIRST, "post mortem"))
    night(wiki, (SECOND, "mary"))
    tip = wiki.head
    wiki.ingest("Tomatoes want sun.")
    wiki.consolidate()
    first = wiki.head
    done = night(wiki, (THIRD, "vendor"))
    assert decided(done)[-1] == "promote"
    assert unmark_lost_page(wiki.read(PAGE)) == page
    old, new = (
        wiki.show("Message queue"),
        wiki.show(done["branches"][-1]["entry"]),
    )
    assert (old["state"], old["superseded_by"]) == ("decaying", new["id"])
    assert new["path"].startswith("entries/2026/11/") and all(
        words in new["text"] for words in (FIRST, SECOND, THIRD)
    )
    assert sorted(
        new["text"].count(source)
        for source in ("post mortem", "mary", "vendor")
    ) == [
        1,
        1,
        1,
    ]
    assert wiki.git("log", "-1", "--format=%P").split() == [first, tip]
    assert wiki.git(
        "log", "-1", "--format=%(trailers:key=Companion-Promotes,valueonly)"
    ).strip() == name(wiki)
    assert ref(wiki, name(wiki)) == wiki.head and state(wiki) == "promoted"
    assert (
        wiki.git("ls-files", ".companion/minority") == ""
        and wiki.status() == ""
    )
    check_index(wiki)
    check_health(wiki)


def test_what_rested_on_the_incumbent_is_flagged(wiki: Wiki) -> None:
    won(wiki)
    flags = [
        event for event in wiki.events("flagged") if event["kind"] == "rests on"
    ]
    (fallen,) = [flag for flag in flags if "was replaced by" in flag["reason"]]
    assert "8 entries depend on it" in fallen["reason"], (
        "members of the branch were counted as dependents"
    )


def test_what_won_is_companions_down_to_the_voice_that_decided(
    wiki: Wiki,
) -> None:
    """Else it is taken for its owner's for ever, and can never be archived."""
    entry = won(wiki)["branches"][-1]["entry"]
    with snapshot.open_run(wiki.ws, "decay") as tonight:
        page = find_living_entry(tonight.db, entry)
        assert page is not None and can_leave_wiki(tonight, page)
    wiki.write(page.path, wiki.read(page.path) + "My own line.\n")
    wiki.adopt()
    with snapshot.open_run(wiki.ws, "decay") as tonight:
        page = find_living_entry(tonight.db, entry)
        assert page is not None and not can_leave_wiki(tonight, page)


def test_an_audit_of_what_fell_asks_in_the_words_of_every_voice(
    wiki: Wiki,
) -> None:
    """The voice that decided never had a page of its own, and was an empty question."""
    won(wiki)
    asked = audit.audit(wiki.ws, entries=["Message queue"], dry_run=True)[
        "audited"
    ][0]["questions"]
    assert asked and all(each["words"] for each in asked)
    assert len({each["words"] for each in asked}) >= 3


def test_what_won_is_called_by_what_it_says_and_named_in_the_commit(
    wiki: Wiki,
) -> None:
    """Its title was that of its first note, and the commit spoke of pages and captures only."""
    night(
        wiki,
        (
            "Mary rang about Friday. The message queue does not deliver every event exactly once.",
            "mary",
        ),
    )
    night(wiki, (SECOND, "post mortem"))
    done = night(wiki, (THIRD, "vendor"), ("Tomatoes want sun.", ""))
    new = wiki.show(done["branches"][-1]["entry"])
    assert new["title"] == (
        "Message queue (does not deliver every event exactly once)"
    )
    assert "Mary" in new["text"]
    subject = wiki.git("log", "-1", "--format=%s").strip()
    (day,) = [told["title"] for told in done["integrated"]]
    assert subject.startswith(
        f"consolidate: minority/{name(wiki)} won, 1 capture into {day}"
    ), subject


def test_reads_name_what_fell_and_what_took_its_place(wiki: Wiki) -> None:
    """`review`, `search` and `status` had shown ids, and nothing of what is open."""
    night(wiki, (FIRST, "post mortem"))
    coming = describe_wiki(wiki.ws)["branches"]
    assert (
        coming["open"] == 1 and coming["nearest"]["against"] == "Message queue"
    )
    (listed,) = branches.list_branches(wiki.ws)["branches"]
    assert "Needs about 2 independent sources; has 1." in listed["why"]
    night(wiki, (SECOND, "mary"))
    night(wiki, (THIRD, "vendor"))
    fallen = next(
        each
        for each in wiki.search("message queue")
        if each["state"] == "decaying"
    )
    assert (
        fallen["shift"]["title"] == wiki.show(fallen["shift"]["other"])["title"]
    )
    (asked,) = [
        each
        for each in review.list_review(wiki.ws)["items"]
        if each["kind"] == "rests on"
    ]
    assert (
        "“Message queue”" in asked["reason"]
        and fallen["id"] not in asked["reason"]
    )
    assert wiki.show("Message queue")["successor"] == fallen["shift"]["title"]
    assert describe_wiki(wiki.ws)["branches"]["open"] == 0


def test_one_voice_that_repeats_itself_never_wins(wiki: Wiki) -> None:
    for n in range(6):
        done = night(
            wiki, (f"{FIRST} I say it for the {n}th time.", "post mortem")
        )
        assert "promote" not in decided(done)
    assert (
        state(wiki) == "open"
        and wiki.show("Message queue")["state"] == "active"
    )


def test_the_same_words_from_a_source_of_its_own_are_a_second_voice(
    wiki: Wiki,
) -> None:
    """A repeat is a sighting: it joins no branch again. Whoever told something else counts (TRI-8)."""
    night(wiki, (FIRST, "post mortem"), ("The lift is out of order.", "mary"))
    night(wiki, (FIRST, "a name"))
    done = night(wiki, (FIRST, "mary"))
    assert [event["capture"] for event in wiki.events("sighted")]
    assert decided(done) == ["hold"]
    assert [one["voices"] for one in wiki.events("weighed")] == [1, 1, 2]


def test_a_copy_of_a_note_on_a_page_of_its_own_is_no_fresh_voice(
    tmp_path: Path,
) -> None:
    """The crank's first note became a page; a copy of it under another name is still his."""
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(SECOND, title="Failover log", source="crank")
    wiki.consolidate()
    founded(wiki)
    night(wiki, (FIRST, "crank"))
    night(wiki, (f"{SECOND} Mark my words.", "second name"))
    assert [one["voices"] for one in wiki.events("weighed")][-1] == 1
    assert wiki.events("joined")[-1]["repeats"]


def test_a_night_without_news_commits_nothing_however_many_branches_are_open(
    wiki: Wiki,
) -> None:
    night(wiki, (FIRST, "post mortem"))
    commits = wiki.commits()
    done = night(wiki)
    assert (done["commit"], decided(done), wiki.commits()) == (
        None,
        ["hold"],
        commits,
    )


def test_a_dry_run_shows_what_would_become_of_branches(wiki: Wiki) -> None:
    night(wiki, (FIRST, "post mortem"))
    night(wiki, (SECOND, "mary"))
    before = (wiki.head, wiki.status())
    done = night(wiki, (THIRD, "vendor"), dry_run=True)
    assert (
        decided(done)[-1] == "promote" and (wiki.head, wiki.status()) == before
    )


def test_the_same_snapshot_gives_the_same_tree_whatever_the_branches_do(
    wiki: Wiki, tmp_path: Path
) -> None:
    night(wiki, (FIRST, "post mortem"))
    night(wiki, (SECOND, "mary"))
    other = wiki.copy(tmp_path / "copy")
    for each in (wiki, other):
        assert decided(night(each, (THIRD, "vendor")))[-1] == "promote"
    assert wiki.tree == other.tree and wiki.head == other.head


def test_a_clone_that_never_had_the_notes_weighs_the_same(
    wiki: Wiki, tmp_path: Path
) -> None:
    """What members were told comes from the ledger: a clone has neither our journal nor our
    buffer.
    """
    night(wiki, (FIRST, "post mortem"))
    night(wiki, (SECOND, "mary"))
    other = wiki.clone(tmp_path / "clone")
    assert ref(other, name(wiki)) == ref(wiki, name(wiki))
    here, there = (
        night(each, (THIRD, "vendor"))["branches"] for each in (wiki, other)
    )
    assert [(d["action"], d["pressure"], d["threshold"]) for d in here] == [
        (d["action"], d["pressure"], d["threshold"]) for d in there
    ]
    assert wiki.files() == other.files()


def test_undo_of_a_promotion_restores_everything_and_the_next_night_respects_it(
    wiki: Wiki,
) -> None:
    night(wiki, (FIRST, "post mortem"))
    night(wiki, (SECOND, "mary"))
    files, members = (
        wiki.files(),
        sql(wiki, "SELECT cluster_size FROM branches"),
    )
    done = night(wiki, (THIRD, "vendor"))
    wiki.tick()
    undo.undo(wiki.ws, done["run"])
    assert wiki.files() == files and state(wiki) == "open"
    assert sql(wiki, "SELECT cluster_size FROM branches") == members
    assert wiki.show("Message queue")["state"] == "active"
    check_index(wiki)
    again = night(wiki, ("Something else.", "mary"))
    assert decided(again) == ["hold"] and state(wiki) == "open"


def test_a_promotion_that_was_taken_back_is_told_as_such_and_presses_no_more(
    wiki: Wiki,
) -> None:
    won(wiki)
    (before,) = branches.list_branches(wiki.ws)["branches"]
    assert before["pressure"] > before["threshold"] and not any(
        each["undone"] for each in before["history"]
    )
    wiki.tick()
    undo.undo(wiki.ws, _run_of(wiki, "promoted"))
    (after,) = branches.list_branches(wiki.ws)["branches"]
    assert after["pressure"] < after["threshold"]
    assert {each["event"] for each in after["history"] if each["undone"]} == {
        "joined",
        "weighed",
        "promoted",
    }


def test_a_promoted_branch_shows_all_its_voices_and_has_nothing_left_to_change(
    wiki: Wiki, tmp_path: Path
) -> None:
    won(wiki)
    shown = branches.show_branch(wiki.ws, "")
    assert [member["text"] for member in shown["members"]] == [
        FIRST,
        SECOND,
        THIRD,
    ]
    assert (
        promotion_preview.diff_branch(wiki.ws, "")["files"] == []
        and promotion_preview.open_branch(wiki.ws, "")["files"] == []
    )
    clone = wiki.clone(tmp_path / "clone")  # it has pages, and no notes
    first, *rest = (
        member["text"]
        for member in branches.show_branch(clone.ws, "")["members"]
    )
    assert first.startswith(FIRST) and rest == [SECOND, ""]


def test_the_log_says_that_a_branch_opened_and_that_it_won(wiki: Wiki) -> None:
    won(wiki)
    said = [run["summary"] for run in list_runs(wiki.ws)["runs"]]
    assert "branch won" in said[0] and "1 branch opened" in said[2]


def test_what_won_once_and_was_taken_back_wins_by_later_evidence_only(
    wiki: Wiki,
) -> None:
    won(wiki)
    night(wiki, ("Nothing to do with it.", "mary"))
    night(wiki)
    wiki.tick()
    undo.undo(wiki.ws, _run_of(wiki, "promoted"))
    fourth = "In the audit, too: the message queue does not deliver every event exactly once."
    fifth = (
        "The supplier's engineer confirms that the message queue doesn't deliver every event"
        " exactly once."
    )
    night(wiki, (fourth, "audit"))
    done = night(wiki, (fifth, "supplier"))
    assert "promote" in decided(done) or state(wiki) == "promoted"
    check_index(wiki)


def _run_of(wiki: Wiki, kind: str) -> str:
    return str(
        sql(wiki, f"SELECT run FROM events WHERE event = '{kind}'")[0][0]
    )


def test_their_own_page_stays_as_it_is_when_it_falls(tmp_path: Path) -> None:
    wiki = Wiki.new(
        tmp_path / "vault", {"Message queue.md": f"# Message queue\n\n{BELIEF}"}
    )
    for each in RELYING:
        wiki.write(
            f"{each}.md",
            f"{each} rely on the [[Message queue]] and on nothing else.\n",
        )
    wiki.commit()
    wiki.adopt()
    before = wiki.read("Message queue.md")
    done = won(wiki)
    assert decided(done)[-1] == "promote"
    assert (
        wiki.read("Message queue.md") == before
        and wiki.show("Message queue.md")["state"] == "decaying"
    )
    check_index(wiki)


def test_a_member_that_its_owner_edits_is_promoted_with_their_words(
    wiki: Wiki,
) -> None:
    night(wiki, (FIRST, "post mortem"))
    (page,) = (wiki.root / ".companion/minority" / name(wiki)).iterdir()
    page.write_text(page.read_text() + "\nI saw that myself.\n")
    night(wiki, (SECOND, "mary"))
    done = night(wiki, (THIRD, "vendor"))
    assert (
        decided(done)[-1] == "hold"
        and "not adopted yet" in done["branches"][-1]["reason"]
    )
    wiki.adopt()
    done = night(wiki)
    assert decided(done) == ["promote"]
    assert (
        "I saw that myself." in wiki.show(done["branches"][0]["entry"])["text"]
    )


def test_two_branches_in_one_run_and_one_commit(wiki: Wiki) -> None:
    wiki.ingest("Backups are kept for thirty days.", title="Backups")
    ingest_dependents(wiki, "Backups")
    wiki.consolidate()
    wiki.tick()
    decay.decay(wiki.ws)
    commits = wiki.commits()
    done = night(
        wiki,
        (FIRST, "post mortem"),
        ("Backups are not kept for thirty days.", "mary"),
    )
    assert decided(done) == ["open", "open"] and wiki.commits() == commits + 1
    assert [
        ref(wiki, branch)
        for (branch,) in sql(wiki, "SELECT name FROM branches")
    ] == [wiki.head] * 2
    check_index(wiki)


@pytest.mark.parametrize("hand", ["edited", "deleted", "renamed"])
def test_an_incumbent_that_its_owner_touches_meanwhile_breaks_nothing(
    wiki: Wiki, hand: str
) -> None:
    night(wiki, (FIRST, "post mortem"))
    night(wiki, (SECOND, "mary"))
    page = wiki.root / PAGE
    if hand == "edited":
        page.write_text(page.read_text() + "\nAsk me before you change this.\n")
    elif hand == "deleted":
        page.unlink()
    else:
        page.rename(page.with_name("queue.md"))
    wiki.commit()
    done = night(wiki, (THIRD, "vendor"))
    assert state(wiki) in ("open", "promoted") and done["commit"]
    if hand == "edited":
        assert "Ask me before" in wiki.read(PAGE)
    check_index(wiki)
    check_health(wiki)


def test_a_kill_after_the_commit_leaves_the_ref_to_the_next_holder(
    wiki: Wiki,
) -> None:
    wiki.tick(days=1)
    wiki.ingest(FIRST, source="post mortem")

    def die(point: str, stage: str) -> None:
        if (point, stage) == ("minority.refs", "before"):
            raise KeyboardInterrupt

    durable.hooks.append(die)
    try:
        with pytest.raises(KeyboardInterrupt):
            wiki.consolidate()
    finally:
        durable.hooks.remove(die)
    assert (
        sql(wiki, "SELECT count(*) FROM branches") == [(1,)]
        and ref(wiki, name(wiki)) == ""
    )
    opened = wiki.head
    night(wiki, ("Tomatoes want sun.", "mary"))
    assert ref(wiki, name(wiki)) == opened


def test_every_word_is_kept_and_accounted_for(wiki: Wiki) -> None:
    taken = {
        each["id"]: text.encode()
        for text in (FIRST, SECOND)
        for each in wiki.ingest(text, source=text[:9])
    }
    wiki.consolidate()
    check_captures(wiki, taken)
    assert {event["capture"] for event in wiki.events("joined")} == taken.keys()


def test_the_ledger_of_branches_is_small_and_quotes_nobody(wiki: Wiki) -> None:
    secret = "xyzzyplugh"
    night(wiki, (f"{FIRST} {secret}", "post mortem"))
    night(wiki, (f"{SECOND} {secret}", "mary"))
    night(wiki, (f"{THIRD} {secret}", "vendor"))
    for run in wiki.ledger()[-3:]:
        size = sum(len(str(line)) for line in run[1:] if line["e"] != "flagged")
        assert size <= 2048 * (
            1 + sum(line["e"] == "consumed" for line in run)
        ), run
        assert all(secret not in line.get("reason", "") for line in run)


def test_the_days_of_a_branch_count_from_its_opening(wiki: Wiki) -> None:
    night(wiki, (FIRST, "post mortem"))
    for n in range(3):
        night(wiki, (f"Note {n} on tomatoes and their sun.", "mary"))
    night(wiki)
    assert sql(wiki, "SELECT cycles_open FROM branches") == [(3,)]


def test_both_sides_are_told_while_the_shift_is_young(wiki: Wiki) -> None:
    """CON-10: who finds the old belief is shown the new one, and the other way round."""
    won(wiki)
    old = wiki.show("Message queue")
    new = wiki.show(old["superseded_by"])
    for query in ("failover forty events twice", "Message queue"):
        found = {hit["id"]: hit for hit in wiki.search(query, limit=1)}
        assert {new["id"], old["id"]} <= found.keys()
        assert (
            found[old["id"]]["shift"]["role"],
            found[new["id"]]["shift"]["other"],
        ) == (
            "old",
            old["id"],
        )
    assert old["shift"]["other"] == new["id"]
    wiki.tick(days=31)
    assert len(wiki.search("failover forty events twice", limit=1)) == 2
    for n in range(3):
        night(wiki, (f"Note {n} on tomatoes and their sun.", "mary"))
    assert len(wiki.search("failover forty events twice", limit=1)) == 1
    assert wiki.show("Message queue")["superseded_by"] == new["id"]


def test_why_names_a_branch_in_full(wiki: Wiki) -> None:
    from companion.cli.commands import why

    night(wiki, (FIRST, "post mortem"))
    told = "\n".join(
        map(
            str,
            why.text(
                explain_target(wiki.ws, str(wiki.show("Message queue")["id"]))
            ),
        )
    )
    assert f"  {name(wiki)}: " in told and f"{name(wiki)[:8]}:" not in told


def test_what_the_fallen_page_states_is_not_served_as_current(
    tmp_path: Path,
) -> None:
    """Both while the shift is young, with the reason; then what took its place (CON-10)."""
    belief = f"{BELIEF}\nAnna lives in Bern.\n"
    wiki = founded(Wiki.new(tmp_path / "other"), belief)
    from companion.answers.claims import read_claims

    def told() -> dict[str, Any]:
        (key,) = read_claims(
            wiki.ws, "Anna", None, as_of=None, known_at=None, history=False
        )["keys"]
        return dict(key)

    assert told()["values"] == ["Bern"]
    page = wiki.read(PAGE)
    for text, voice in (
        (FIRST, "post mortem"),
        (SECOND, "mary"),
        (f"{THIRD} Anna lives in Graz.", "vendor"),
    ):
        done = night(wiki, (text, voice))
    assert state(wiki) == "promoted", [
        each["reason"] for each in done["branches"]
    ]
    assert set(told()["values"]) == {"Bern", "Graz"}
    (old,) = [each for each in told()["claims"] if each["object"] == "Bern"]
    assert (
        old["status"] == "disputed"
        and f"minority/{name(wiki)}" in old["reason"]
    )
    for n in range(3):
        night(wiki, (f"Note {n} on tomatoes and their sun.", "mary"), days=11)
    assert told()["values"] == ["Graz"]
    assert unmark_lost_page(wiki.read(PAGE)) == page


def test_a_branch_says_that_the_page_it_contradicts_is_gone(wiki: Wiki) -> None:
    night(wiki, (FIRST, "post mortem"))
    (wiki.root / PAGE).unlink()
    wiki.commit()
    (held,) = night(wiki)["branches"]
    assert held["action"] == "hold"
    assert held["reason"].startswith("The page that it contradicts is gone. ")


def test_an_incumbent_that_came_to_agree_is_pressed_no_more_and_its_branch_stays_open(
    wiki: Wiki,
) -> None:
    night(wiki, (FIRST, "post mortem"))
    night(wiki, (SECOND, "mary"))
    page = wiki.read(PAGE)
    wiki.write(
        PAGE,
        page.replace(
            "delivers every event exactly once",
            "does not deliver every event exactly once",
        ),
    )
    wiki.commit()
    done = night(wiki)
    assert (
        decided(done) == ["hold"]
        and "members contradict it no more" in done["branches"][0]["reason"]
    )
    assert done["branches"][0]["reason"].startswith("Settled: its owner edited")
    assert done["branches"][0]["pressure"] == 0.0 and state(wiki) == "open"
    weighed = wiki.events("weighed")[-1]
    assert (weighed["agree"], weighed["pressure"]) == (
        sql(wiki, "SELECT contradictions FROM branches")[0][0],
        0.0,
    )
    assert night(wiki)["commit"] is None
    wiki.write(PAGE, page)
    wiki.commit()
    night(wiki)
    assert (
        "agree" not in wiki.events("weighed")[-1]
        and wiki.events("weighed")[-1]["pressure"] > 0
    )
    check_index(wiki)
    check_health(wiki)


def test_an_edit_beside_the_matter_takes_no_pressure_off(wiki: Wiki) -> None:
    night(wiki, (FIRST, "post mortem"))
    wiki.write(PAGE, wiki.read(PAGE) + "\nAsk me before you change this.\n")
    wiki.commit()
    assert night(wiki)["branches"][0]["pressure"] > 0


def test_a_night_reads_the_positions_and_ties_of_what_it_takes_in_only(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What many branches hold is not gone through anew because a note about something else came
    in.
    """
    night(wiki, (FIRST, "post mortem"))
    night(wiki, (SECOND, "mary"))
    read: list[str] = []
    monkeypatch.setattr(
        contests, "find_contest", lambda page, said: read.append(said.text)
    )
    night(wiki, ("Billing closes on Friday.", "bob"), title="Closing day")
    assert read == []

    monkeypatch.undo()
    with sqlite3.connect(wiki.ws.place.index_db) as db:
        known = db.execute("SELECT capture, other FROM ties").fetchall()
        member = db.execute(
            "SELECT capture FROM branch_members ORDER BY joined LIMIT 1"
        ).fetchone()[0]
        assert known and [
            row[:2] for row in minority.list_ties(db, [member])
        ] == sorted(row for row in known if member in row)
        assert minority.list_ties(db, []) == []
