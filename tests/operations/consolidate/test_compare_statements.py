"""A note is compared with single statements of a page that gathers many, and not with the page."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.judges import configured
from companion.judges.configured import Judges
from companion.reading import review
from companion.storage.git.repo import Repo
from companion.values.relations import Relation, Statement
from tests.gathered import Note, gather, publish
from tests.scripted_judges import Rule, Scripted, neutral
from tests.wiki import Wiki, check_index

HOME = Note("Anna lives in a flat in Bergen.", "2026-03-02")
WORK = Note("Anna works at the harbour office.", "2026-03-05")
DOG = Note("Anna has a dog called Balto.", "2026-04-11")
FOOD = Note("Anna eats no fish at all.", "2026-05-20")
BIKE = Note("Anna sold the red bike.", "2026-06-30")
ANNA = (HOME, WORK, DOG, FOOD, BIKE)

Use = Callable[[Rule], Scripted]


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Iterator[Use]:
    """Let a scripted judge sit in place of the configured one."""

    def sit(rule: Rule) -> Scripted:
        judge = Scripted(rule)
        monkeypatch.setattr(
            configured,
            "open_judges",
            lambda config, allowance=None: Judges(None, judge, None, None),
        )
        return judge

    yield sit


def lives_elsewhere(earlier: Statement, later: Statement) -> Relation:
    """Contradict what says where she lives, and nothing else."""
    if "lives in" in earlier.text and "lives in" in later.text:
        return Relation("contradicts", 0.95, "another city", opposition=0.95)
    return neutral(earlier, later)


def test_a_note_is_judged_against_the_one_statement_that_it_contradicts(
    wiki: Wiki, use: Use
) -> None:
    page = gather(wiki, "Anna", ANNA)
    judge = use(lives_elsewhere)
    wiki.ingest("Anna lives in a flat in Oslo.", title="Anna")
    done = wiki.consolidate()

    [flagged] = wiki.events("flagged")
    assert (flagged["other"], flagged["statement"]) == (
        page.entry,
        HOME.capture,
    )
    assert flagged["reason"].startswith(
        "May disagree with Anna (2026-03-02): another city."
    )
    [verdict] = wiki.events("verdict")
    assert verdict["statement"] == HOME.capture
    assert done["integrated"][0]["quarantined"]
    asked = {earlier.text: earlier.when for earlier, _ in judge.asked}
    assert asked[HOME.words] == HOME.told_at
    check_index(wiki)


def test_the_old_side_of_a_question_is_the_statement_and_not_the_page(
    wiki: Wiki, use: Use
) -> None:
    gather(wiki, "Anna", ANNA)
    use(lives_elsewhere)
    wiki.ingest("Anna lives in a flat in Oslo.", title="Anna")
    wiki.consolidate()

    flag = wiki.events("flagged")[0]["flag"]
    _, old = review.show_question(wiki.ws, flag)["sides"]
    assert old["text"].strip() == HOME.words


def test_a_note_told_after_one_statement_is_later_than_that_one(
    wiki: Wiki, use: Use
) -> None:
    """The newest note of the page says nothing of when another was told."""

    def updates(earlier: Statement, later: Statement) -> Relation:
        found = lives_elsewhere(earlier, later)
        return found._replace(update=0.9 if found.opposition else 0.0)

    gather(wiki, "Anna", ANNA)
    use(updates)
    wiki.ingest(
        "Anna lives in a flat in Oslo.",
        title="Anna",
        event_time="2026-04-01T00:00:00.000000Z",
    )
    [item] = wiki.consolidate()["integrated"]

    assert [one["kind"] for one in item["relations"]] == ["updates"]


def test_a_page_that_grows_is_not_judged_again(wiki: Wiki, use: Use) -> None:
    page = gather(wiki, "Anna", ANNA)
    judge = use(lives_elsewhere)
    wiki.ingest("Anna lives in a flat in Oslo. Anna swims a lot.", title="Anna")
    wiki.consolidate()
    gather(wiki, "Anna", [Note("Anna swims a lot on Mondays.", "2026-07-01")])
    judge.asked.clear()
    done = wiki.consolidate()

    assert judge.asked == [] and done["run"] is None
    assert "Mondays" in wiki.read(page.path)


def test_a_lost_statement_contradicts_nobody(wiki: Wiki, use: Use) -> None:
    gather(wiki, "Anna", ANNA, lost=[HOME])
    judge = use(lives_elsewhere)
    wiki.ingest("Anna lives in a flat in Oslo.", title="Anna")
    [item] = wiki.consolidate()["integrated"]

    assert not item["quarantined"] and wiki.events("flagged") == []
    assert HOME.words not in {earlier.text for earlier, _ in judge.asked}


def test_a_statement_that_the_ledger_let_fall_contradicts_nobody(
    wiki: Wiki, use: Use
) -> None:
    page = gather(wiki, "Anna", ANNA)
    wiki.tick()
    line = {"e": "statement", "entry": page.entry, "capture": HOME.capture}
    publish(wiki, [{**line, "state": "decaying", "reason": "It lost."}])
    judge = use(lives_elsewhere)
    wiki.ingest("Anna lives in a flat in Oslo.", title="Anna")
    wiki.consolidate()

    assert wiki.events("flagged") == []
    assert HOME.words not in {earlier.text for earlier, _ in judge.asked}


def test_a_page_in_quarantine_is_let_out_when_the_statement_falls(
    wiki: Wiki, use: Use
) -> None:
    page = gather(wiki, "Anna", ANNA)
    use(lives_elsewhere)
    wiki.ingest("Anna lives in a flat in Oslo.", title="Anna")
    wiki.consolidate()
    line = {"e": "statement", "entry": page.entry, "capture": HOME.capture}
    wiki.tick()
    publish(wiki, [{**line, "state": "decaying", "reason": "It lost."}])
    wiki.consolidate()

    [freed] = wiki.events("requalified")
    assert "Anna (2026-03-02) stands no more" in freed["reason"]


def test_the_words_beside_statements_are_a_side_of_their_own(
    wiki: Wiki, use: Use
) -> None:
    page = gather(
        wiki, "Anna", ANNA[1:], opening="\nAnna lives in a flat in Rome.\n"
    )
    use(lives_elsewhere)
    wiki.ingest("Anna lives in a flat in Oslo.", title="Anna")
    wiki.consolidate()

    [flagged] = wiki.events("flagged")
    assert flagged["other"] == page.entry and "statement" not in flagged
    assert f"May disagree with {page.path}" in flagged["reason"]


def test_a_night_costs_what_its_notes_cost_however_long_a_page_is(
    wiki: Wiki, use: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        Note(f"Anna paid bill {n} of the house number {n}.", "2026-01-05")
        for n in range(600)
    ]
    gather(wiki, "Anna", [HOME, *rows])
    page = wiki.repo().subtree(wiki.tree, "entries/anna.md")
    judge = use(neutral)
    reads: list[str] = []
    real = Repo.text

    def count(self: Repo, oid: str, **options: bool) -> str:
        reads.append(oid)
        return real(self, oid, **options)

    monkeypatch.setattr(Repo, "text", count)
    for n in range(6):
        wiki.ingest(f"Anna lives in a flat at number {n}.", title="Anna")
    wiki.consolidate(dry_run=True)

    paired = [earlier for earlier, _ in judge.asked if "bill" in earlier.text]
    assert len(paired) <= 6 * 2
    assert HOME.words in {earlier.text for earlier, _ in judge.asked}
    # once to compare with it, and once to write it
    assert reads.count(str(page)) <= 2
