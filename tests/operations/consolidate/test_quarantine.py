"""Quarantine is looked at anew every night: what leaves it does so for a reason, and nothing else
does (CON-12).
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.adoption import undo
from companion.cli.commands import search
from companion.judges import configured
from companion.judges.configured import Judges
from companion.lookup.search import search_wiki
from companion.values.relations import Relation, Statement
from tests.scripted_judges import Scripted
from tests.wiki import Wiki, check_health, check_index

OPEN = "# Door\n\nThe door to the cellar is open."
SHUT = "# Hatch\n\nThe door to the cellar is shut, see [[Door]] and [[Gate]]."
AGAIN = "# Cellar\n\nI too saw it: the door to the cellar is shut, see [[Door]] and [[Hatch]]."


def _judge(earlier: Statement, later: Statement) -> Relation:
    """Who says open contradicts who says shut; who says the same supports."""
    sides = {"open" in each.text for each in (earlier, later)}
    if len(sides) == 2 and all(
        "open" in each.text or "shut" in each.text for each in (earlier, later)
    ):
        return Relation("contradicts", 0.95, "opposed", opposition=0.95)
    return Relation("supports", 0.9, "says the same")


@pytest.fixture
def wiki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Wiki]:
    """A page, and one in quarantine that contradicts it."""
    judge = Scripted(_judge)
    monkeypatch.setattr(
        configured,
        "open_judges",
        lambda config, allowance=None: Judges(None, judge, None, None),
    )
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(OPEN)
    wiki.consolidate()
    wiki.tick(days=1)
    wiki.ingest(SHUT, source="mary")
    assert wiki.consolidate()["integrated"][0]["quarantined"]
    wiki.tick(days=1)
    yield wiki


def waits(wiki: Wiki) -> bool:
    return bool(wiki.show("Hatch")["quarantined"])


def reasons(wiki: Wiki) -> list[str]:
    return [event["reason"] for event in wiki.events("requalified")]


def edit(wiki: Wiki, title: str, old: str, new: str) -> None:
    path = str(wiki.show(title)["path"])
    assert old in wiki.read(path)
    wiki.write(path, wiki.read(path).replace(old, new))
    wiki.commit()


def test_while_nothing_changes_it_stays_and_nothing_is_committed(
    wiki: Wiki,
) -> None:
    commits = wiki.commits()
    assert (
        wiki.consolidate()["commit"] is None
        and wiki.commits() == commits
        and waits(wiki)
    )


def test_a_page_that_was_edited_to_agree_lets_it_go(wiki: Wiki) -> None:
    edit(wiki, "Door", "is open", "is shut")
    wiki.consolidate()
    assert not waits(wiki)
    (reason,) = reasons(wiki)
    assert "cohesion 1.00 (high)" in reason and "Door.md changed" in reason
    check_index(wiki)
    check_health(wiki)


def test_an_edit_beside_the_matter_does_not(wiki: Wiki) -> None:
    edit(wiki, "Door", "is open", "is open, mind the step")
    wiki.consolidate()
    assert waits(wiki) and reasons(wiki) == []
    assert wiki.consolidate()["commit"] is None


def test_a_page_that_is_gone_lets_it_go(wiki: Wiki) -> None:
    (wiki.root / str(wiki.show("Door")["path"])).unlink()
    wiki.commit()
    wiki.consolidate()
    assert not waits(wiki) and "is gone" in reasons(wiki)[0]


def test_what_another_page_still_contradicts_stays(wiki: Wiki) -> None:
    wiki.ingest(
        "# Gate\n\nMeasured at the gate: the door to the cellar is open.",
        source="vendor",
    )
    wiki.consolidate()
    edit(wiki, "Door", "is open", "is shut")
    wiki.consolidate()
    assert waits(wiki)
    edit(wiki, "Gate", "is open", "is shut")
    wiki.tick(days=1)
    edit(wiki, "Door", "is shut", "is shut for good")
    wiki.consolidate()
    assert not waits(wiki)


def test_its_own_page_edited_to_agree_is_let_go(wiki: Wiki) -> None:
    edit(wiki, "Hatch", "is shut", "is open")
    wiki.consolidate()
    assert not waits(wiki) and "Hatch.md was edited" in reasons(wiki)[0]


def test_support_of_another_voice_lifts_it_and_the_question_stays(
    wiki: Wiki,
) -> None:
    wiki.ingest(AGAIN, source="vendor")
    wiki.consolidate()
    assert not waits(wiki) and wiki.show("Hatch")["cohesion_bucket"] == "mid"
    assert "2 sources say it" in reasons(wiki)[0]
    check_index(wiki)


def test_the_same_voice_once_more_is_no_support(wiki: Wiki) -> None:
    wiki.ingest(AGAIN, source="mary")
    wiki.consolidate()
    assert waits(wiki) and reasons(wiki) == []


def test_who_supported_it_is_looked_at_the_night_after(wiki: Wiki) -> None:
    wiki.ingest(AGAIN, source="vendor")
    wiki.consolidate()
    assert wiki.show("Cellar")["quarantined"]
    wiki.tick(days=1)
    wiki.consolidate()
    assert not wiki.show("Cellar")["quarantined"] and len(reasons(wiki)) == 2
    wiki.tick(days=1)
    assert wiki.consolidate()["commit"] is None


def test_a_clone_lets_go_what_we_do(wiki: Wiki, tmp_path: Path) -> None:
    wiki.ingest(AGAIN, source="vendor")
    wiki.consolidate()
    other = wiki.clone(tmp_path / "clone")
    for each in (wiki, other):
        each.tick(days=1)
        each.consolidate()
        assert not each.show("Cellar")["quarantined"]


def test_a_refusal_by_its_owner_outweighs_support_and_edits(wiki: Wiki) -> None:
    from companion.reading import review

    (item,) = review.list_review(wiki.ws)["items"]
    review.answer_question(wiki.ws, item["id"], "reject")
    wiki.consolidate()
    edit(wiki, "Door", "is open", "is shut")
    wiki.ingest(AGAIN, source="vendor")
    wiki.consolidate()
    assert waits(wiki)


def test_undo_puts_it_back(wiki: Wiki) -> None:
    edit(wiki, "Door", "is open", "is shut")
    wiki.ingest("Tomatoes want sun.")
    run = wiki.consolidate()["run"]
    assert not waits(wiki)
    wiki.tick()
    undo.undo(wiki.ws, run)
    assert waits(wiki)
    check_index(wiki)


def test_a_search_marks_what_waits_apart(wiki: Wiki) -> None:
    """Who reads a passage of it without its mark takes it for what the wiki holds (CON-12)."""
    found = {
        hit["title"]: hit["quarantined"]
        for hit in wiki.search("door to the cellar")
    }
    assert found == {"Door": False, "Hatch": True}
    (words,) = [
        line
        for line in search.text(search_wiki(wiki.ws, "hatch"))
        if "Hatch" in str(line)
    ][:1]
    assert "(quarantined)" in str(words)
