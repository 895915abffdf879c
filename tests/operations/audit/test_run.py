"""AUDIT as a person has it: entries suspended for nobody but the audit, verdicts on record, and
what `settle` makes.
"""

from pathlib import Path
from typing import Any

import pytest

from companion.adoption import undo
from companion.answers.claims import answer_question
from companion.cli.commands import audit as audit_command
from companion.cli.json_schema import SHAPES
from companion.gravity.measure import GraphWithoutEntry
from companion.lookup.find import NothingFound, find_target
from companion.operations.audit import run as audit
from companion.operations.audit import settle
from companion.operations.audit.questions import replay
from companion.operations.audit.questions.replay import Replay
from companion.operations.decay import run as decay
from companion.reading.branches import branches
from companion.reading.entry.show import show_target
from companion.reading.status import describe_wiki
from companion.reading.why import explain_target
from companion.runs.catch_up import catch_up
from companion.runs.run import open_run
from companion.storage.files import lock
from companion.storage.index import schema as index
from companion.storage.index import suspension
from companion.storage.index.tables import audits, routing
from tests.asked import Asked, log
from tests.cli.shapes import mismatch
from tests.reading.branches.test_branches import (
    BELIEF,
    WORDS,
    joins,
    opened,
    ref,
)
from tests.reading.branches.test_branches import run as record
from tests.usage.test_show import db, search
from tests.wiki import Wiki, check_index

#: what much rests on, and what else there is to find
TOPICS = tuple(
    a + b
    for a in ("kor", "mel", "tur", "vas", "nib", "dop", "sel")
    for b in ("an", "ek", "il", "ov", "ush")
)


def pages(topics: int = len(TOPICS)) -> dict[str, str]:
    """A hub that every page rests on and whose words are in every question, and a page beside it
    for each topic.
    """
    found = {
        "Hub.md": "# Hub\n\n"
        + " ".join(f"{topic} rules." for topic in TOPICS)
        + "\n"
    }
    for topic in TOPICS[:topics]:
        found[f"{topic}.md"] = (
            f"# The {topic}\n\nOf the {topic} rules there is much to say, at length. See [[Hub]].\n"
        )
    return found


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki", pages())
    wiki.tick(days=1)
    decay.decay(wiki.ws)
    return wiki


def entry(wiki: Wiki, title: str) -> str:
    return str(show_target(wiki.ws, title)["id"])


def run(wiki: Wiki, title: str = "Hub", **options: Any) -> dict[str, Any]:
    """Audit one page, a month later."""
    wiki.tick(days=31)
    doc = audit.audit(wiki.ws, entries=[title], **options)
    assert mismatch(SHAPES["audit"], doc) is None
    return doc


def runs(wiki: Wiki, operation: str) -> list[str]:
    query = "SELECT run FROM runs WHERE operation = ?"
    return [id for (id,) in db(wiki).execute(query, (operation,))]


def settled(wiki: Wiki) -> dict[str, Any]:
    wiki.tick(hours=1)
    doc = settle.settle(wiki.ws)
    assert mismatch(SHAPES["settle"], doc) is None
    return doc


def needed(wiki: Wiki) -> None:
    """Every question was answered by the hub."""
    log(
        wiki,
        [
            Asked(f"{topic} rules", ("Hub", f"The {topic}"), ("Hub",), "good")
            for topic in TOPICS
        ],
    )


def astray(wiki: Wiki) -> None:
    """Every question led to the hub, and the user was not served by it."""
    log(
        wiki,
        [
            Asked(f"{topic} rules", ("Hub", f"The {topic}"), ("Hub",), "bad")
            for topic in TOPICS
        ],
    )


def passed_over(wiki: Wiki) -> None:
    """The hub led every list, and what was wanted stood below it."""
    log(
        wiki,
        [
            Asked(f"{topic} rules", ("Hub", f"The {topic}"), (f"The {topic}",))
            for topic in TOPICS
        ],
    )


class TestSuspension:
    def test_text_links_gravity_and_names_are_gone_and_come_back(
        self, wiki: Wiki
    ) -> None:
        catch_up(wiki.ws)
        db = suspension.open_(wiki.ws.place.index_db)
        assert db is not None
        again, hub = (
            Replay(wiki.ws, db, "2027-01-01T00:00:00.000000Z"),
            entry(wiki, "Hub"),
        )
        before = again.search("hub")
        heavy = db.execute(
            "SELECT gravity FROM entries WHERE id = ?", (hub,)
        ).fetchone()
        assert before[0] == hub and heavy[0] > 0.5

        with again.without(hub):
            assert hub not in again.search("koran rules") + again.search("hub")
            assert db.execute("SELECT count(*) FROM edges").fetchone() == (
                0,
            ), "links lead to it still"
            assert db.execute(
                "SELECT count(*) FROM links WHERE to_path IS NOT NULL"
            ).fetchone() == (0,)
            assert not db.execute(
                "SELECT 1 FROM gravity WHERE entry = ?", (hub,)
            ).fetchall()
            assert db.execute(
                "SELECT count(DISTINCT gravity) FROM entries"
            ).fetchone() == (1,), "nothing rests on any"
            assert wiki.search("hub"), "somebody else noticed"
            with pytest.raises(NothingFound):
                find_target(wiki.ws, db, wiki.journal(), "Hub")
        assert again.search("hub") == before

    def test_the_answer_of_a_claim_that_only_it_carries_does_not_leak(
        self, tmp_path: Path
    ) -> None:
        wiki = Wiki.new(tmp_path / "wiki")
        wiki.ingest(
            "# Atlas\nThe owner of Atlas is Ines.",
            "# Ines\nInes lives in Porto.",
        )
        wiki.consolidate()
        db = suspension.open_(wiki.ws.place.index_db)
        assert db is not None
        again = Replay(wiki.ws, db, wiki.ws.now())
        atlas, ines = entry(wiki, "Atlas"), entry(wiki, "Ines")
        asked = "Where does the owner of Atlas live?"
        assert set(again.answering(asked)) == {atlas, ines}
        with again.without(atlas):
            assert again.answering(asked) == []
            assert again.answering("Who is the owner of Atlas?") == []
            assert again.answering("Where does Ines live?") == [ines]
            assert atlas not in again.search("owner of Atlas Ines")
            assert again.standing([("atlas", "owner")]) == {
                ("atlas", "owner"): {}
            }
        assert (
            answer_question(wiki.ws, asked, as_of=None, budget=500)["answers"][
                0
            ]["value"]
            == "Porto"
        )

    def test_nothing_is_written_and_a_second_connection_sees_everything(
        self, wiki: Wiki
    ) -> None:
        catch_up(wiki.ws)
        before = Path(wiki.ws.place.index_db).read_bytes()
        db = suspension.open_(wiki.ws.place.index_db)
        assert db is not None
        suspension.suspend(
            db, entry(wiki, "Hub"), GraphWithoutEntry(db).without
        )
        other = index.open_for_reading(wiki.ws.place.index_db)
        assert other is not None
        assert other.execute(
            "SELECT count(*) FROM entries WHERE title = 'Hub'"
        ).fetchone() == (1,)
        db.close()  # as a kill would
        assert Path(wiki.ws.place.index_db).read_bytes() == before


class TestVerdicts:
    def test_what_answers_need_is_degraded_and_its_gravity_is_confirmed(
        self, wiki: Wiki
    ) -> None:
        needed(wiki)
        doc = run(wiki)
        (found,) = doc["audited"]
        assert (found["result"], found["outcome"], found["factor"]) == (
            "degraded",
            "restored",
            1.0,
        ), found["reason"]
        done = settled(wiki)
        assert [each["what"] for each in done["settled"]] == ["restored"]
        assert show_target(wiki.ws, "Hub")["state"] == "active"
        check_index(wiki)

    def test_what_leads_astray_is_improved_and_begins_to_decay(
        self, wiki: Wiki
    ) -> None:
        astray(wiki)
        doc = run(wiki)
        (found,) = doc["audited"]
        assert (found["result"], found["outcome"]) == (
            "improved",
            "archived",
        ), found["reason"]
        assert show_target(wiki.ws, "Hub")["state"] == "active", (
            "an audit moved an entry"
        )
        settled(wiki)
        shown = show_target(wiki.ws, "Hub")
        assert (shown["state"], shown["weight"]["factor"]) == ("decaying", 0.25)
        assert wiki.read("Hub.md").startswith("# Hub"), (
            "a page of theirs was touched"
        )
        check_index(wiki)

    def test_what_is_only_passed_over_is_dead_weight_and_no_interference(
        self, wiki: Wiki
    ) -> None:
        passed_over(wiki)
        (found,) = run(wiki)["audited"]
        assert (found["result"], found["outcome"], found["factor"]) == (
            "unchanged",
            "gravity-reduced",
            0.5,
        )
        base = show_target(wiki.ws, "Hub")["weight"]["base"]
        settled(wiki)
        assert show_target(wiki.ws, "Hub")["weight"]["base"] == pytest.approx(
            base / 2
        )

    def test_a_foundation_that_nobody_asks_for_is_inconclusive(
        self, wiki: Wiki
    ) -> None:
        doc = run(wiki)
        (found,) = doc["audited"]
        assert found["result"] is None and found["reason"].startswith(
            "Too few questions asked"
        )
        assert [line["e"] for line in wiki.ledger()[-1]] == [
            "run",
            "inconclusive",
        ]
        assert settled(wiki)["run"] is None
        db = index.open_for_reading(wiki.ws.place.index_db)
        assert db is not None and db.execute(
            "SELECT count(*) FROM audit_log"
        ).fetchone() == (0,)

    def test_a_log_full_of_one_query_is_one_query(self, wiki: Wiki) -> None:
        bad = Asked("koran rules", ("Hub", "The koran"), ("Hub",), "bad")
        log(
            wiki,
            [
                bad._replace(agent=f"bot{n}", words=f"koran rules {'!' * n}")
                for n in range(60)
            ],
        )
        (found,) = run(wiki)["audited"]
        assert found["result"] is None, "sixty times the same question decided"
        assert len(found["questions"]) <= 3

    def test_looking_it_up_by_its_name_is_one_question_too(
        self, wiki: Wiki
    ) -> None:
        log(
            wiki,
            [
                Asked(f"Hub {' ' * n}hub", ("Hub",), ("Hub",), "good")
                for n in range(30)
            ],
        )
        (found,) = run(wiki)["audited"]
        assert found["result"] is None

    def test_what_is_opened_by_name_is_in_use(self, wiki: Wiki) -> None:
        log(
            wiki,
            [
                Asked(
                    f"{topic} rules", ("Hub", f"The {topic}"), (f"The {topic}",)
                )
                for topic in TOPICS
            ],
            opened={"Hub": 4},
        )
        (found,) = run(wiki)["audited"]
        assert (
            found["result"] is None
            and "opened 4 times by name" in found["reason"]
        )


class TestRuns:
    def test_every_result_is_durable_before_any_transition(
        self, wiki: Wiki
    ) -> None:
        astray(wiki)
        doc = run(wiki)
        kinds = [line["e"] for line in wiki.ledger()[-1]]
        assert kinds == ["run", "auditing", "audited"]
        done = settled(wiki)
        first = wiki.ledger()[-1][0]
        assert (
            first["audits"] == [doc["run"]] and first["operation"] == "settle"
        )
        assert [line["e"] for line in wiki.ledger()[-1]] == [
            "run",
            "settled",
            "reduced",
            "decaying",
            "flagged",  # pages that link to it rest on it
        ]
        assert done["commit"] and settled(wiki)["run"] is None, (
            "a record was executed twice"
        )

    def test_the_use_it_counts_stands_in_its_one_commit(
        self, wiki: Wiki
    ) -> None:
        needed(wiki)
        wiki.tick(hours=1)
        search(wiki, "Hub")
        before = wiki.head
        doc = run(wiki)
        assert wiki.git("rev-parse", "HEAD^").strip() == before
        added = wiki.git("show", "--format=", "--name-only", "HEAD").split()
        assert [Path(path).stem for path in added] == [doc["run"]]

    def test_an_entry_is_audited_once_a_month_unless_asked_for_or_queued(
        self, wiki: Wiki
    ) -> None:
        needed(wiki)
        assert len(audit.audit(wiki.ws, top=1)["audited"]) == 1
        wiki.tick(days=5)
        again = audit.audit(wiki.ws, top=1)
        assert again["run"] is None and [
            each["title"] for each in again["skipped"]
        ] == ["Hub"]
        assert len(audit.audit(wiki.ws, entries=["Hub"])["audited"]) == 1
        wiki.tick(days=-400)
        assert audit.audit(wiki.ws, top=1)["audited"] == [], (
            "a clock set back audits again"
        )
        wiki.tick(days=440)
        assert len(audit.audit(wiki.ws, top=1)["audited"]) == 1

    def test_a_dry_run_records_nothing(self, wiki: Wiki) -> None:
        needed(wiki)
        head = wiki.head
        doc = run(wiki, dry_run=True)
        assert (
            doc["run"] is None
            and doc["audited"][0]["result"] == "degraded"
            and wiki.head == head
        )
        audit.audit(wiki.ws, entries=["Hub"])
        wiki.tick(hours=1)
        head = wiki.head
        assert (
            settle.settle(wiki.ws, dry_run=True)["settled"]
            and wiki.head == head
        )

    def test_an_undone_audit_stays_on_record_and_is_never_settled(
        self, wiki: Wiki
    ) -> None:
        astray(wiki)
        doc = run(wiki)
        wiki.tick(hours=1)
        undo.undo(wiki.ws, doc["run"])
        assert settled(wiki)["run"] is None
        shown = show_target(wiki.ws, "Hub")
        assert shown["state"] == "active" and [
            each["undone"] for each in shown["audits"]
        ] == [True]
        db = index.open_for_reading(wiki.ws.place.index_db)
        assert db is not None and db.execute(
            "SELECT result, outcome FROM audit_log"
        ).fetchall() == [("improved", "archived")]
        check_index(wiki)

    def test_an_undone_settle_takes_the_state_back_and_leaves_the_factor(
        self, wiki: Wiki
    ) -> None:
        astray(wiki)
        run(wiki)
        done = settled(wiki)
        wiki.tick(hours=1)
        undo.undo(wiki.ws, done["run"])
        shown = show_target(wiki.ws, "Hub")
        assert (shown["state"], shown["weight"]["factor"]) == ("active", 0.25)
        check_index(wiki)

    def test_what_was_deleted_between_audit_and_settle_is_left_alone(
        self, wiki: Wiki
    ) -> None:
        astray(wiki)
        run(wiki)
        (wiki.root / "Hub.md").unlink()
        wiki.adopt()
        done = settled(wiki)
        assert [each["what"] for each in done["settled"]] == ["nothing"]
        assert [line["e"] for line in wiki.ledger()[-1]] == ["run", "settled"]
        check_index(wiki)

    def test_two_audits_at_once_are_one_after_the_other(
        self, wiki: Wiki
    ) -> None:
        with open_run(wiki.ws, "audit"), pytest.raises(lock.Busy) as raised:
            audit.audit(wiki.ws)
        assert raised.value.exit_code == 75

    def test_an_empty_wiki_has_nothing_to_audit(self, tmp_path: Path) -> None:
        wiki = Wiki.new(tmp_path / "wiki")
        doc = audit.audit(wiki.ws)
        assert (
            doc["audited"] == []
            and doc["run"] is None
            and settle.settle(wiki.ws)["run"] is None
        )

    def test_an_audit_that_is_killed_leaves_nothing(
        self, wiki: Wiki, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        astray(wiki)
        head, before = wiki.head, wiki.search("hub")

        def dies(self: Replay, entry: str) -> None:
            raise KeyboardInterrupt

        wiki.tick(days=31)
        monkeypatch.setattr(replay.Replay, "without", dies)
        with pytest.raises(KeyboardInterrupt):
            audit.audit(wiki.ws)
        assert wiki.head == head and wiki.search("hub") == before

    def test_replays_are_no_accesses(self, wiki: Wiki) -> None:
        needed(wiki)
        uses = Path(wiki.ws.place.state) / "uses.jsonl"
        before = uses.read_bytes() if uses.exists() else b""
        run(wiki)
        assert (uses.read_bytes() if uses.exists() else b"") == before

    def test_what_was_asked_since_the_last_night_is_asked_again(
        self, wiki: Wiki
    ) -> None:
        words = "what rules of koran and melek"
        search(wiki, words)
        commits = wiki.git("rev-list", "--count", "HEAD")
        preview = run(wiki, dry_run=True)
        (asked,) = preview["audited"][0]["questions"]
        assert asked["words"] == words
        assert wiki.git("rev-list", "--count", "HEAD") == commits

        doc = run(wiki)

        (asked,) = doc["audited"][0]["questions"]
        assert asked["words"] == words
        assert int(wiki.git("rev-list", "--count", "HEAD")) == int(commits) + 1
        kinds = [line["e"] for line in wiki.ledger()[-1]]
        assert kinds.count("asked") == 1
        check_index(wiki)
        audit.audit(wiki.ws, entries=["Hub"])
        kinds = [line["e"] for line in wiki.ledger()[-1]]
        assert "asked" not in kinds, "nothing new was asked"


class TestGravity:
    def test_a_later_degraded_audit_gives_back_what_was_taken(
        self, wiki: Wiki
    ) -> None:
        passed_over(wiki)
        run(wiki)
        settled(wiki)
        base = show_target(wiki.ws, "Hub")["weight"]["base"]
        wiki.tick(days=1)
        decay.decay(wiki.ws)
        assert show_target(wiki.ws, "Hub")["weight"]["base"] == base, (
            "weighing anew undid an audit (GRA-8)"
        )
        log(
            wiki,
            [
                Asked(
                    f"{topic} rules of {topic} and hub",
                    ("Hub",),
                    ("Hub",),
                    "good",
                )
                for topic in TOPICS
            ],
        )
        log(
            wiki,
            [
                Asked(f"what {topic}", ("Hub",), ("Hub",), "good")
                for topic in TOPICS
            ],
        )
        (found,) = run(wiki)["audited"]
        assert found["result"] == "degraded", found["reason"]
        settled(wiki)
        assert show_target(wiki.ws, "Hub")["weight"]["base"] == pytest.approx(
            2 * base
        )

    def test_repeated_poor_outcomes_reduce_gravity_whatever_rests_on_it(
        self, wiki: Wiki
    ) -> None:
        """Row 6: answers need it, and it keeps leading astray."""
        needed(wiki)
        outcomes = []
        for cycle in range(2):
            words = (
                ("alpha", "beta", "gamma") if cycle else ("one", "two", "three")
            )
            log(
                wiki,
                [
                    Asked(f"hub {word} {TOPICS[n]}", ("Hub",), ("Hub",), "bad")
                    for n, word in enumerate(words)
                ],
            )
            (found,) = run(wiki)["audited"]
            assert found["result"] == "degraded", found["reason"]
            outcomes.append((found["outcome"], found["factor"]))
            settled(wiki)
        assert outcomes == [("restored", 1.0), ("gravity-reduced", 0.25)]
        assert "row 6" in found["follows"]
        db = index.open_for_reading(wiki.ws.place.index_db)
        assert db is not None and routing.list_factors(db) == {
            entry(wiki, "Hub"): 0.25
        }


def test_the_report_says_what_was_asked_what_happened_and_what_follows(
    wiki: Wiki,
) -> None:
    astray(wiki)
    doc = run(wiki)
    said = "\n".join(map(str, audit_command.text(doc, explain=True)))
    assert "chosen     because asked for by name" in said
    assert "recorded" in said and "held out" in said
    assert "better 0." in said and "“koran rules”" in said
    assert "follows    archived" in said
    why = explain_target(wiki.ws, "Hub")
    assert [event["event"] for event in why["events"]][-2:] == [
        "auditing",
        "audited",
    ]
    assert describe_wiki(wiki.ws)["audits"]["to_settle"] == 1


def test_what_weighs_less_without_it_is_what_it_links_to_and_not_everything_else(
    wiki: Wiki,
) -> None:
    hub, leaf = (
        run(wiki, title, dry_run=True)["audited"][0]
        for title in ("Hub", f"The {TOPICS[0]}")
    )
    assert (hub["lighter"], leaf["lighter"]) == (0, 1)


def test_a_reason_never_quotes_a_question(wiki: Wiki) -> None:
    astray(wiki)
    run(wiki)
    settled(wiki)
    for line in (line for run in wiki.ledger()[-2:] for line in run):
        assert not any(topic in str(line.get("reason", "")) for topic in TOPICS)


def test_records_are_closed_once(wiki: Wiki) -> None:
    needed(wiki)
    doc = run(wiki)
    db = index.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    (record,) = audits.list_audits(db, entry(wiki, "Hub"))
    assert (record.state, record.result, record.run) == (
        "closed",
        "degraded",
        doc["run"],
    )


class TestLettingGo:
    def test_a_week_after_it_began_to_decay_it_is_archived_and_a_page_of_theirs_stays(
        self, wiki: Wiki
    ) -> None:
        astray(wiki)
        run(wiki)
        settled(wiki)
        wiki.tick(days=5)
        assert settled(wiki)["run"] is None, "archived before its week was over"
        wiki.tick(days=3)
        done = settled(wiki)
        assert [each["what"] for each in done["settled"]] == ["archived"]
        assert show_target(wiki.ws, "Hub")["state"] == "archived"
        assert wiki.read("Hub.md").startswith("# Hub"), (
            "a page of theirs was touched"
        )
        assert settled(wiki)["run"] is None
        check_index(wiki)

    def test_what_is_needed_after_all_comes_back(self, wiki: Wiki) -> None:
        astray(wiki)
        run(wiki)
        settled(wiki)
        for words in ("cost", "history", "owner"):
            log(
                wiki,
                [
                    Asked(f"{words} {topic} {n}", ("Hub",), ("Hub",), "good")
                    for n, topic in enumerate(TOPICS)
                ],
            )
        (found,) = run(wiki)["audited"]
        assert found["result"] == "degraded", found["reason"]
        settled(wiki)
        shown = show_target(wiki.ws, "Hub")
        assert (shown["state"], shown["weight"]["factor"]) == ("active", 1.0)
        check_index(wiki)

    def test_what_its_owner_pinned_stays(self, wiki: Wiki) -> None:
        astray(wiki)
        run(wiki)
        wiki.write("Hub.md", "---\npinned: true\n---\n" + wiki.read("Hub.md"))
        wiki.adopt()
        done = settled(wiki)
        assert [each["what"] for each in done["settled"]] == [
            "nothing"
        ] and "pinned" in done["settled"][0]["reason"]
        assert show_target(wiki.ws, "Hub")["state"] == "active"


class TestBranches:
    """INV-4: a branch closes by an audit of its incumbent, and by no timer."""

    @pytest.fixture
    def wiki(self, tmp_path: Path) -> Wiki:
        wiki = Wiki.new(tmp_path / "wiki")
        wiki.ingest(BELIEF)
        wiki.consolidate()
        return wiki

    def cycles(
        self, wiki: Wiki, count: int, *, with_input: bool = True
    ) -> None:
        for n in range(count):
            wiki.tick(days=1)
            if with_input:
                wiki.ingest(
                    f"# Walk {wiki.now.isoformat()}\nOn day {n} we walked along the shore."
                )
            wiki.consolidate()

    def confirm(self, wiki: Wiki) -> None:
        asked = [
            Asked(
                f"queue message {topic}",
                ("Once only delivery",),
                ("Once only delivery",),
            )
            for topic in TOPICS
        ]
        log(wiki, asked)
        (found,) = run(wiki, "Once only delivery")["audited"]
        assert found["result"] == "degraded", found["reason"]

    def test_it_closes_when_its_incumbent_is_load_bearing_and_it_did_not_grow(
        self, wiki: Wiki
    ) -> None:
        opened(wiki, WORDS[0])
        tip, pages = ref(wiki), wiki.files()
        self.cycles(wiki, 6)
        self.confirm(wiki)
        assert (
            branches.list_branches(wiki.ws)["branches"][0]["state"] == "open"
        ), "an audit closed it"
        done = settled(wiki)
        assert [each["what"] for each in done["settled"]] == [
            "restored",
            "closed",
        ]
        assert (
            branches.list_branches(wiki.ws)["branches"][0]["state"] == "closed"
        )
        why = branches.list_branches(wiki.ws)["branches"][0]["why"]
        assert why is not None and why.startswith("Answers depend on the page")
        assert ref(wiki) == tip and pages.items() <= wiki.files().items(), (
            "the branch's ref or a page went"
        )
        assert list((wiki.root / ".companion" / "minority").rglob("*.md"))
        check_index(wiki)

        wiki.tick(hours=1)
        undo.undo(wiki.ws, done["run"])
        assert branches.list_branches(wiki.ws)["branches"][0]["state"] == "open"

    def test_it_stays_open_over_cycles_without_input(self, wiki: Wiki) -> None:
        opened(wiki, WORDS[0])
        self.cycles(wiki, 9, with_input=False)
        self.confirm(wiki)
        settled(wiki)
        assert branches.list_branches(wiki.ws)["open"] == 1

    def test_it_stays_open_as_long_as_no_audit_confirms_its_incumbent(
        self, wiki: Wiki
    ) -> None:
        opened(wiki, WORDS[0])
        self.cycles(wiki, 9)
        audit.audit(wiki.ws, entries=["Once only delivery"])
        settled(wiki)
        assert branches.list_branches(wiki.ws)["open"] == 1

    def test_one_that_grew_since_the_audit_stays_open(self, wiki: Wiki) -> None:
        opened(wiki, WORDS[0])
        self.cycles(wiki, 6)
        self.confirm(wiki)
        lines, write = joins(wiki, WORDS[1])
        record(wiki, lines, [write])
        settled(wiki)
        assert branches.list_branches(wiki.ws)["open"] == 1
