"""`decay` protects what bears weight, says why, and nothing but the wiki's structure moves it."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.adoption.undo import NothingToUndo, undo
from companion.gravity.measure import (
    describe_gravity,
    weigh_entries,
    weigh_load_bearing_entries,
)
from companion.maintenance import init as care
from companion.operations.decay import measure
from companion.operations.decay import run as decay
from companion.reading.status import describe_wiki
from companion.reading.why import explain_target
from companion.runs.run import Run, make_inputs, open_run
from companion.storage import ledger_file
from companion.storage.index import schema as index
from companion.storage.index.tables.pages.entries import (
    LOW_ENTRIES,
    list_low_entries,
)
from tests.wiki import Wiki, check_health, check_index


def pages(count: int, target: str = "Base") -> dict[str, str]:
    return {
        f"Leaf {n}.md": f"# Leaf {n}\n\nThis needs [[{target}]].\n"
        for n in range(count)
    }


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    """Eight pages rest on Base; Loose links to all of them (a ninth, through them), and nothing to
    it.
    """
    every = "".join(f"- [[Leaf {n}]]\n" for n in range(8))
    return Wiki.new(
        tmp_path / "wiki",
        {"Base.md": "# Base\n", "Loose.md": f"# Loose\n\n{every}", **pages(8)},
    )


def weighed(wiki: Wiki, **options: Any) -> dict[str, Any]:
    wiki.tick()
    return decay.decay(wiki.ws, **options)


@contextmanager
def tonight(wiki: Wiki) -> Iterator[Run]:
    with open_run(wiki.ws, "test") as found:
        yield found


def shown(found: Run, **factors: float) -> dict[str, dict[str, Any]]:
    """Weigh tonight, and return what reads then say of each entry, by title."""
    ids = {
        title: id
        for id, title in found.db.execute("SELECT id, title FROM entries")
    }
    weigh_entries(
        found, {ids[title]: factor for title, factor in factors.items()}
    )
    said = {
        title: describe_gravity(found.db, id, found.ws.now())
        for title, id in ids.items()
    }
    return {
        title: weight for title, weight in said.items() if weight is not None
    }


def weights(wiki: Wiki, **factors: float) -> dict[str, dict[str, Any]]:
    with tonight(wiki) as found:
        return shown(found, **factors)


def test_only_decay_protects_and_it_says_why(wiki: Wiki) -> None:
    """OBJ-2."""
    wiki.consolidate()
    assert not wiki.show("Base")["gravity_protected"]

    done = weighed(wiki)

    assert [item["title"] for item in done["protected"]] == ["Base"]
    said = wiki.show("Base")
    assert (
        said["gravity_protected"]
        and said["gravity"] == said["weight"]["base"] > 0.6
    )
    assert (said["weight"]["unsupported"], said["weight"]["floor"]) == (9, 0.6)
    assert "9 unsupported" in said["weight"]["reason"]
    assert said["weight"]["reason"].endswith("above the floor 0.60: protected")
    (event,) = wiki.events("protected")
    assert (event["entry"], event["gravity"] > event["floor"]) == (
        said["id"],
        True,
    )
    assert (
        "9 unsupported" in event["reason"] and "floor 0.60" in event["reason"]
    )
    assert wiki.ledger()[-1][0]["frozen"]["entries"] == 10
    assert not wiki.show("Loose")["gravity_protected"]
    check_index(wiki)
    check_health(wiki)


def test_a_run_that_changes_nothing_commits_nothing(wiki: Wiki) -> None:
    """DEC-5."""
    weighed(wiki)
    before = wiki.head

    done = weighed(wiki)

    assert (done["run"], done["protected"], done["above"]) == (None, [], 1)
    assert wiki.head == before


def test_a_preview_changes_nothing(wiki: Wiki) -> None:
    before = wiki.head

    done = weighed(wiki, dry_run=True)

    assert [item["title"] for item in done["protected"]] == ["Base"]
    assert (
        done["commit"],
        wiki.head,
        wiki.show("Base")["gravity_protected"],
    ) == (
        None,
        before,
        False,
    )


def test_a_foundation_that_nothing_rests_on_any_more_loses_its_protection(
    wiki: Wiki,
) -> None:
    weighed(wiki)
    for n in range(2, 8):
        (wiki.root / f"Leaf {n}.md").write_text(
            f"# Leaf {n}\n\nOn its own now.\n"
        )
    wiki.adopt()

    done = weighed(wiki)

    assert [item["title"] for item in done["unprotected"]] == ["Base"]
    assert "too little depends on it" in done["unprotected"][0]["reason"]
    assert not wiki.show("Base")["gravity_protected"]
    check_index(wiki)


def test_a_page_its_owner_deleted_is_not_protected(wiki: Wiki) -> None:
    weighed(wiki)
    (wiki.root / "Base.md").unlink()
    wiki.adopt()
    # flags hold in every state until DECAY says otherwise
    assert wiki.show("Base")["gravity_protected"]

    done = weighed(wiki)

    assert (
        len(done["unprotected"]) == 1
        and not wiki.show("Base")["gravity_protected"]
    )
    check_index(wiki)


def test_time_takes_effect_and_never_protection(wiki: Wiki) -> None:
    """GRA-5 and DEC-2: a quiet foundation stays."""
    weighed(wiki)
    fresh = wiki.show("Base")["weight"]
    wiki.tick(days=3650)

    later = wiki.show("Base")["weight"]
    done = weighed(wiki)

    assert (
        later["base"] == fresh["base"]
        and later["effective"] < fresh["effective"] / 20
    )
    assert (done["run"], later["above"], later["flag"]) == (None, True, True)


def test_reading_moves_nothing(wiki: Wiki) -> None:
    """GRA-6: gravity is structure alone."""
    weighed(wiki)
    before = {title: weight["base"] for title, weight in weights(wiki).items()}
    for _ in range(20):
        wiki.search("Loose")
        wiki.show("Loose")

    assert {
        title: weight["base"] for title, weight in weights(wiki).items()
    } == before


def test_no_challenger_and_no_tool_file_feeds_a_page(tmp_path: Path) -> None:
    """GRA-9: excluded files, archived pages and quarantined ones."""
    plain = Wiki.new(tmp_path / "plain", {"Base.md": "# Base\n", **pages(3)})
    before = weights(plain)["Base"]
    plain.write("AGENTS.md", "[[Base]]\n")
    plain.write("Gone.md", "# Gone\n\n[[Base]]\n")
    plain.adopt()
    (plain.root / "Gone.md").unlink()
    plain.adopt()
    plain.ingest("# Door\n\nThe door to the cellar is open.")
    plain.consolidate()
    plain.ingest(
        "# Door\n\nThe door to the cellar is not open.\n\nSee [[Base]]."
    )
    assert plain.consolidate()["integrated"][0]["quarantined"]

    with tonight(plain) as found:
        weight = shown(found)["Base"]
        # the edge is there
        assert found.db.execute("SELECT count(*) FROM edges").fetchone()[0] == 4
    assert weight["unsupported"] == before["unsupported"] == 3
    check_index(plain)


def test_contradiction_edges_do_not_count(wiki: Wiki) -> None:
    """GRA-9: only kinds that are named carry dependence."""
    before = weights(wiki)["Base"]
    with tonight(wiki) as found:
        found.db.execute(
            "INSERT INTO edges SELECT a.id, b.id, 'contradicts', 1 FROM entries a, entries b "
            "WHERE a.title <> 'Base' AND b.title = 'Base'"
        )
        found.db.execute("DELETE FROM meta WHERE key = 'gravity'")
        after = shown(found)["Base"]

    assert after == before


def test_what_an_audit_left_survives_every_weighing(wiki: Wiki) -> None:
    """GRA-8."""
    full, left = weights(wiki)["Base"], weights(wiki, Base=0.5)["Base"]

    assert (left["base"], left["above"], left["centrality"]) == (
        full["base"] / 2,
        False,
        full["centrality"],
    )
    assert weights(wiki, Base=0.5)["Base"] == left


def test_consolidate_may_know_what_bears_weight_before_decay_ran(
    wiki: Wiki,
) -> None:
    with tonight(wiki) as found:
        (weight,) = weigh_load_bearing_entries(found).values()
    assert (weight.flag, weight.above) == (
        False,
        True,
    ) and weight.reason.endswith("DECAY will protect it")
    weighed(wiki)
    for n in range(2, 8):
        (wiki.root / f"Leaf {n}.md").write_text(f"# Leaf {n}\n")
    wiki.adopt()

    with tonight(wiki) as found:
        (weight,) = weigh_load_bearing_entries(found).values()

    assert (weight.flag, weight.above) == (
        True,
        False,
    ) and weight.reason.endswith("protected until DECAY runs")


def test_a_rebuild_weighs_the_same(wiki: Wiki) -> None:
    weighed(wiki)
    query = "SELECT * FROM gravity ORDER BY entry"
    held = "SELECT id, gravity, gravity_protected FROM entries ORDER BY id"

    def rows() -> list[Any]:
        db = index.open_for_reading(wiki.ws.place.index_db)
        assert db is not None
        return [db.execute(query).fetchall(), db.execute(held).fetchall()]

    before = rows()
    Path(wiki.ws.place.index_db).unlink()
    assert wiki.show("Base")["weight"] is None  # a reader does not weigh
    care.rebuild(wiki.ws)

    assert rows() == before and len(before[0]) == 10


def test_reads_say_as_of_which_run_they_weigh(wiki: Wiki) -> None:
    run = weighed(wiki)["run"]
    wiki.ingest("# New\n\nA new thought on [[Base]].")
    wiki.consolidate()

    assert (
        wiki.show("Base")["weight"]["as_of"]
        == run
        == describe_wiki(wiki.ws)["gravity"]["as_of"]
    )
    assert (
        explain_target(wiki.ws, "Base")["weight"] == wiki.show("Base")["weight"]
    )
    assert describe_wiki(wiki.ws)["gravity"]["protected"] == 1
    assert wiki.show("New")["weight"] is None


def test_a_page_committed_by_hand_is_protected_on_the_first_night(
    wiki: Wiki,
) -> None:
    for path, text in {
        "Other.md": "# Other\n",
        **{f"o/{k}": v for k, v in pages(9, "Other").items()},
    }.items():
        wiki.write(path, text.replace("Leaf", "Twig"))
    wiki.commit()

    done = weighed(wiki)

    assert {item["title"] for item in done["protected"]} == {"Base", "Other"}
    assert wiki.show("Other")["gravity_protected"]
    check_index(wiki)


def test_two_clones_protect_the_same(wiki: Wiki, tmp_path: Path) -> None:
    """CON-3: the same snapshot gives the same tree; and what one decided, the other knows."""
    other = wiki.clone(tmp_path / "clone")
    other.now = wiki.now
    weighed(wiki)
    weighed(other)
    assert wiki.tree == other.tree

    third = wiki.clone(tmp_path / "third")
    assert (
        third.show("Base")["gravity_protected"]
        and weighed(third)["run"] is None
    )


def test_a_reset_takes_the_flag_with_it(wiki: Wiki) -> None:
    weighed(wiki)
    wiki.git("reset", "-q", "--hard", "HEAD~1")
    assert not wiki.show("Base")["gravity_protected"]

    assert len(weighed(wiki)["protected"]) == 1
    check_index(wiki)


def test_there_is_nothing_to_undo_in_it(wiki: Wiki) -> None:
    run = weighed(wiki)["run"]

    with pytest.raises(NothingToUndo):
        undo(wiki.ws, run)


def test_an_empty_wiki_is_weighed(tmp_path: Path) -> None:
    empty = Wiki.new(tmp_path / "empty")

    assert (weighed(empty)["entries"], empty.commits()) == (0, 1)


def test_in_a_larger_wiki_a_tenth_at_most_is_protected(tmp_path: Path) -> None:
    files = {"Base.md": "# Base\n", "Second.md": "# Second\n", **pages(40)}
    files |= {
        f"s/Twig {n}.md": f"# Twig {n}\n\n[[Second]]\n" for n in range(20)
    }
    large = Wiki.new(tmp_path / "large", files)

    done = weighed(large)

    assert {item["title"] for item in done["protected"]} == {"Base", "Second"}
    assert done["floor"]["rule"] == "the 90th percentile of base gravity"


def test_what_the_ledger_says_that_audits_left_is_weighed_whatever_the_centrality(
    wiki: Wiki,
) -> None:
    weighed(wiki)
    before = wiki.show("Base")
    assert before["gravity_protected"]
    with open_run(wiki.ws, "audit") as found:
        line = {
            "e": "reduced",
            "entry": before["id"],
            "factor": 0.25,
            "reason": "row 6: poor outcomes in two audits",
        }
        run = ledger_file.make_run(
            "audit", found.moment(), make_inputs(found, {}, {}), [line]
        )
        found.publish(run, [], "audit", "")
        found.refold()
    weighed(wiki)
    after = wiki.show("Base")
    assert after["weight"]["factor"] == 0.25 and not after["gravity_protected"]
    assert after["weight"]["base"] < before["weight"]["base"]
    assert after["weight"]["centrality"] == before["weight"]["centrality"]
    assert "row 6" in next(
        e["reason"]
        for e in explain_target(wiki.ws, "Base")["events"]
        if e["event"] == "reduced"
    )
    check_index(wiki)


def test_decay_asks_the_index_on_vitality_what_is_low(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PER-1: the whole table is not read for what fades."""
    asked: list[list[str]] = []

    def ask(db: sqlite3.Connection, below: float) -> list[str]:
        found = list_low_entries(db, below)
        asked.append(found)
        return found

    monkeypatch.setattr(measure, "list_low_entries", ask)
    weighed(wiki)
    with tonight(wiki) as run:
        plan = run.db.execute(f"EXPLAIN QUERY PLAN {LOW_ENTRIES}", (0.1,))
        (row,) = plan.fetchall()

    assert len(asked) == 1
    assert "USING INDEX entries_vitality" in row[3]


@pytest.mark.parametrize("threshold", [-1.0, 0.5, 1.0, 1.2345, 9.0])
def test_the_index_finds_all_that_is_low_and_nothing_else(
    wiki: Wiki, threshold: float
) -> None:
    weighed(wiki)
    with tonight(wiki) as run:
        policy = run.config.vitality
        measured = measure.measure_all(run.db, policy, run.present(), None)
        measure.store_vitality(run.db, measured)
        found = measure.list_low_places(run.db, measured, threshold)

    low = [n for n, now in enumerate(measured.now) if now < threshold]
    assert found == low
