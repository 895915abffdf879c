"""What nobody needs fades in two steps, slowly, and never for good; what bears weight or is pinned
does not.
"""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from companion.adoption.undo import undo
from companion.cli.commands import show
from companion.cli.commands import why as why_command
from companion.lookup.index import current_index
from companion.maintenance import init as care
from companion.maintenance.doctor import run as health
from companion.maintenance.erase import run as erase
from companion.maintenance.exports.export import export
from companion.maintenance.importing import import_wiki
from companion.maintenance.remotes import remote as remotes
from companion.operations.decay import owners_marks, recall
from companion.operations.decay import run as decay
from companion.reading.why import explain_target
from companion.storage.cold import cold_memory
from companion.storage.git.repo import TryLater
from companion.storage.index.tables.decay import (
    find_original,
    list_cold_objects,
)
from companion.storage.index.tables.pages.entries import list_gone_named
from tests.wiki import Wiki, check_health, check_index, clock, git

NOTE = (
    "# Depot {n}\n\n"
    "The depot number {n} in the north was closed in spring because its roof leaked badly. "
    "All of its stock went to [[Harbour]] on two trucks. A guard stayed on until the autumn and"
    " wrote a log. "
    "Nobody has asked for that log so far. The fence around it was sold in the same year. "
    "Two of the three gates were kept for later use. The office had four rooms and one stove.\n\n"
    "keeper:: Rosa {n}\n"
)


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    """Two depots that link to a harbour nobody wrote of, and a page of the owner's."""
    wiki = Wiki.new(
        tmp_path / "wiki",
        {
            "Mine.md": "# Mine\n\nA page of my own. It has some words. Nobody reads it.\n"
        },
    )
    wiki.ingest(NOTE.format(n=1))
    wiki.ingest(NOTE.format(n=2))
    wiki.consolidate()
    return wiki


def live(wiki: Wiki, days: int, every: int = 1) -> None:
    """Let *days* pass in which the owner tells something else every so many of them."""
    for day in range(days):
        wiki.now += timedelta(days=1)
        if day % every == 0:
            wiki.ingest(
                f"On day {wiki.now:%Y-%m-%d} the weather was fine.",
                title="Diary",
            )
    wiki.consolidate()


def decayed(wiki: Wiki, **options: Any) -> dict[str, Any]:
    wiki.tick()
    return decay.decay(wiki.ws, **options)


def titles(items: list[dict[str, Any]]) -> list[str]:
    return sorted(item["title"] for item in items)


def path_of(wiki: Wiki, title: str) -> str:
    return str(wiki.show(title)["path"])


def faded(wiki: Wiki) -> dict[str, Any]:
    """Leave the depots alone until they fade."""
    live(wiki, 700, every=20)
    return decayed(wiki)


def test_what_nobody_needs_becomes_decaying_and_shorter(wiki: Wiki) -> None:
    """DEC-3, DEC-6, OBJ-2: the first step."""
    path = path_of(wiki, "Depot 1")
    before = wiki.read(path)
    live(wiki, 700, every=20)
    done = decayed(wiki)
    assert titles(done["decaying"]) == ["Depot 1", "Depot 2", "Mine"]
    after = wiki.read(path)
    assert (
        len(after) < len(before)
        and "keeper:: Rosa 1" in after
        and "[[Harbour]]" in after
    )
    shown = wiki.show("Depot 1")
    assert shown["state"] == "decaying" and not shown["tombstone"]
    origin = list_cold_objects(index_of(wiki), shown["id"])[0]
    assert cold_memory.get(wiki.repo(), origin.id)[1].decode() == before
    assert 0 < (origin.distortion or 0) < 1
    assert wiki.read("Mine.md").startswith("# Mine")
    check_index(wiki)
    check_health(wiki)


def index_of(wiki: Wiki) -> Any:
    return current_index(wiki.ws, wiki.journal())


def test_a_preview_shows_every_entry_with_its_five_terms_and_changes_nothing(
    wiki: Wiki,
) -> None:
    live(wiki, 700, every=20)
    before = (wiki.head, wiki.git("for-each-ref"))
    shown = decayed(wiki, dry_run=True)
    assert (wiki.head, wiki.git("for-each-ref")) == before
    done = decayed(wiki)
    for step in ("decaying", "archived", "restored"):
        assert titles(shown[step]) == titles(done[step])
    for item in shown["decaying"]:
        terms = item["vitality"]
        assert terms.keys() == {
            "recency",
            "frequency",
            "utility",
            "gravity",
            "wear",
            "total",
        }
        parts = [
            terms[name]
            for name in ("recency", "frequency", "utility", "gravity")
        ]
        assert sum(parts) - terms["wear"] == pytest.approx(
            terms["total"], abs=1e-5
        )


def test_a_second_look_changes_nothing_and_commits_nothing(wiki: Wiki) -> None:
    """DEC-5."""
    faded(wiki)
    before = wiki.head
    assert decayed(wiki)["run"] is None and wiki.head == before


def test_the_second_step_leaves_a_tombstone_and_the_full_text(
    wiki: Wiki,
) -> None:
    """OBJ-2, INV-6."""
    path = path_of(wiki, "Depot 1")
    before = wiki.read(path)
    faded(wiki)
    live(wiki, 3000, every=100)
    done = decayed(wiki)
    assert titles(done["archived"]) == ["Depot 1", "Depot 2"]
    assert not (wiki.root / path).exists()
    shown = wiki.show("Depot 1")
    assert (
        shown["state"] == "archived"
        and shown["tombstone"]
        and shown["title"] == "Depot 1"
    )
    objects = list_cold_objects(index_of(wiki), shown["id"])
    assert [each.why for each in objects] == ["archived", "compressed"]
    assert all(
        cold_memory.get(wiki.repo(), each.id)[1].decode() == before
        for each in objects
    )
    assert wiki.search("stove") == []
    assert titles(wiki.search("Depot", state="archived")) == [
        "Depot 1",
        "Depot 2",
    ]
    assert wiki.show("Mine")["state"] == "decaying"
    check_index(wiki)
    check_health(wiki)


@pytest.mark.parametrize(
    "second", [False, True], ids=["compressed", "archived"]
)
def test_undo_gives_back_the_exact_bytes(wiki: Wiki, *, second: bool) -> None:
    path = path_of(wiki, "Depot 1")
    whole = wiki.read(path)
    done = faded(wiki)
    if second:
        whole = wiki.read(path)
        live(wiki, 3000, every=100)
        done = decayed(wiki)
    wiki.tick()
    undo(wiki.ws, done["run"])
    assert wiki.read(path) == whole
    assert wiki.show("Depot 1")["state"] == ("decaying" if second else "active")
    check_index(wiki)
    check_health(wiki)


def test_what_is_read_again_is_whole_again(wiki: Wiki) -> None:
    path = path_of(wiki, "Depot 1")
    whole = wiki.read(path)
    faded(wiki)
    wiki.ingest(
        "The depot number 1 is needed after all, says the mayor.",
        title="Depot 1",
    )
    wiki.consolidate()
    done = decayed(wiki)
    assert titles(done["restored"]) == ["Depot 1"]
    shown = wiki.show("Depot 1")
    assert shown["state"] == "active" and shown["path"] == path
    assert wiki.read(path).startswith(whole.rstrip("\n"))
    assert "says the mayor" in wiki.read(path) and "original:" not in wiki.read(
        path
    )
    check_index(wiki)


def test_a_second_compression_is_of_the_original_and_another_object(
    wiki: Wiki,
) -> None:
    """DEC-4, OBJ-3."""
    whole = wiki.read(path_of(wiki, "Depot 1"))
    faded(wiki)
    entry = wiki.show("Depot 1")["id"]
    wiki.ingest(
        "The mayor asked once more. It was not needed in the end after all. So it went.",
        title="Depot 1",
    )
    wiki.consolidate()
    decayed(wiki)
    faded(wiki)
    second, first = list_cold_objects(index_of(wiki), entry)
    content = cold_memory.get(wiki.repo(), second.id)[1].decode()
    assert (
        content.startswith(whole.rstrip("\n")) and "asked once more" in content
    )
    assert cold_memory.get(wiki.repo(), first.id)[1].decode() == whole
    assert second.distortion is not None and second.distortion > 0.3


def test_time_away_is_no_neglect(wiki: Wiki) -> None:
    """Who comes back after a year finds what they left, and a week of use decides."""
    live(wiki, 20)
    wiki.now += timedelta(days=500)
    done = decayed(wiki)
    assert done["decaying"] == [] and {"Depot 1", "Depot 2", "Mine"} <= set(
        titles(done["kept"])
    )
    assert all(
        "not been low for 7 days of use yet" in item["reason"]
        for item in done["kept"]
    )
    live(wiki, 6)
    assert decayed(wiki)["decaying"] == []
    live(wiki, 2)
    assert titles(decayed(wiki)["decaying"]) == ["Depot 1", "Depot 2", "Mine"]


def test_a_line_of_the_owner_is_never_compressed_or_archived_away(
    wiki: Wiki,
) -> None:
    path = path_of(wiki, "Depot 1")
    text = wiki.read(path).replace(
        "keeper::",
        "This I want to keep as I wrote it, whatever comes.\n\nkeeper::",
    )
    wiki.write(path, text)
    wiki.adopt()
    faded(wiki)
    assert "This I want to keep as I wrote it, whatever comes." in wiki.read(
        path
    )
    live(wiki, 3000, every=100)
    done = decayed(wiki)
    assert titles(done["archived"]) == ["Depot 2"]
    assert "This I want to keep as I wrote it, whatever comes." in wiki.read(
        path
    )
    assert any(
        item["title"] == "Depot 1" and "owner's" in item["reason"]
        for item in done["kept"]
    )


def test_what_is_pinned_stays(wiki: Wiki) -> None:
    path = path_of(wiki, "Depot 1")
    wiki.write(path, wiki.read(path).replace("---\n", "---\npinned: true\n", 1))
    wiki.adopt()
    done = faded(wiki)
    assert titles(done["decaying"]) == ["Depot 2", "Mine"]
    assert [
        item["title"] for item in done["kept"] if "pinned" in item["reason"]
    ] == ["Depot 1"]


def test_a_page_that_is_being_edited_is_left_out_and_said(wiki: Wiki) -> None:
    path = path_of(wiki, "Depot 1")
    live(wiki, 700, every=20)
    wiki.write(path, wiki.read(path) + "\nhalf a sent")
    done = decayed(wiki)
    assert titles(done["decaying"]) == ["Depot 2", "Mine"]
    assert [item["path"] for item in done["left_out"]] == [path]
    assert wiki.read(path).endswith("half a sent")


def test_a_page_that_bears_weight_never_fades(tmp_path: Path) -> None:
    """DEC-2: nobody reads the foundation, and everything rests on it."""
    leaves = {
        f"Leaf {n}.md": f"# Leaf {n}\n\nThis needs [[Depot 1]].\n"
        for n in range(12)
    }
    wiki = Wiki.new(tmp_path / "wiki", leaves)
    wiki.ingest(NOTE.format(n=1))
    wiki.consolidate()
    live(wiki, 4000, every=100)
    whole = wiki.read(path_of(wiki, "Depot 1"))
    done = decayed(wiki)
    kept = [item for item in done["kept"] if item["title"] == "Depot 1"]
    assert kept and "other pages depend on it" in kept[0]["reason"]
    assert wiki.read(path_of(wiki, "Depot 1")) == whole


def test_an_empty_wiki_has_nothing_to_fade(tmp_path: Path) -> None:
    done = decayed(Wiki.new(tmp_path / "wiki"))
    assert done["decaying"] == done["kept"] == []


def test_a_clock_set_back_a_year_makes_nothing_fade(wiki: Wiki) -> None:
    live(wiki, 10)
    wiki.now -= timedelta(days=365)
    assert decayed(wiki)["decaying"] == []


# -- what a person does about it -------------------------------------------------------------------


def test_recall_shows_the_full_text_and_changes_nothing(wiki: Wiki) -> None:
    """OBJ-3: stored → recalled."""
    whole = wiki.read(path_of(wiki, "Depot 1"))
    faded(wiki)
    before = wiki.head
    shown = recall.recall_faded(wiki.ws, "Depot 1")
    assert (
        shown["text"] == whole
        and shown["state"] == "decaying"
        and shown["restored"] is None
    )
    assert wiki.head == before and wiki.search("stove") == []


def test_a_compressed_page_is_made_whole_and_active(wiki: Wiki) -> None:
    path = path_of(wiki, "Depot 1")
    whole = wiki.read(path)
    faded(wiki)
    wiki.tick()
    done = recall.recall_faded(wiki.ws, "Depot 1", restore=True)
    assert (
        wiki.read(path) == whole and wiki.show("Depot 1")["state"] == "active"
    )
    assert titles(decayed(wiki)["kept"]) != ["Depot 1"]
    wiki.tick()
    undo(wiki.ws, done["run"])
    assert (
        wiki.read(path) != whole and wiki.show("Depot 1")["state"] == "decaying"
    )
    check_index(wiki)


def archived(wiki: Wiki) -> str:
    """Archive the depots; return where the first was."""
    path = path_of(wiki, "Depot 1")
    faded(wiki)
    live(wiki, 3000, every=100)
    assert "Depot 1" in titles(decayed(wiki)["archived"])
    return path


def test_an_archived_entry_stays_archived_and_a_new_one_takes_its_place(
    wiki: Wiki,
) -> None:
    whole = wiki.read(path_of(wiki, "Depot 1"))
    path, old = archived(wiki), wiki.show("Depot 1")["id"]
    assert recall.recall_faded(wiki.ws, "Depot 1")["text"] == whole
    wiki.tick()
    done = recall.recall_faded(wiki.ws, "Depot 1", restore=True)
    shown = wiki.show("Depot 1")
    assert shown["id"] == done["restored"] != old
    assert shown["path"] == path and shown["state"] == "active"
    assert (
        wiki.read(path)
        .replace(shown["id"], old)
        .replace(f"restored_from: {old}\n", "")
        == whole
    )
    tomb = wiki.show(old)
    assert tomb["state"] == "archived" and tomb["superseded_by"] == shown["id"]
    with pytest.raises(recall.NotFaded):
        recall.recall_faded(wiki.ws, old, restore=True)
    check_index(wiki)
    check_health(wiki)


def test_a_link_to_what_is_archived_is_no_broken_one(wiki: Wiki) -> None:
    archived(wiki)
    wiki.write("Index.md", "# Index\n\n[[Depot 1]] and [[Nowhere]]\n")
    wiki.adopt()
    shown = wiki.show("Index")
    assert shown["unresolved"] == ["Nowhere"]
    assert [
        (each["target"], each["title"]) for each in shown["archived_links"]
    ] == [("Depot 1", "Depot 1")]


def test_a_link_means_an_archived_page_by_its_name_and_by_no_pattern(
    wiki: Wiki,
) -> None:
    archived(wiki)
    wiki.write(
        "Index.md",
        "# Index\n\n[[Depot_1]], [[%]], [[depot%]] and [[_______]]; [[depot-1]], [[depot 1]], [[DEPOT 1]]\n",
    )
    wiki.adopt()
    shown = wiki.show("Index")
    unresolved = ["%", "Depot_1", "_______", "depot%", "depot-1"]
    assert shown["unresolved"] == unresolved
    targets = [each["target"] for each in shown["archived_links"]]
    assert targets == ["DEPOT 1", "depot 1"]
    check_index(wiki)


def test_a_link_to_what_is_archived_is_found_without_reading_every_tombstone(
    wiki: Wiki,
) -> None:
    db = index_of(wiki)
    queries: list[str] = []
    db.set_trace_callback(queries.append)
    list_gone_named(db, "a", "b")
    db.set_trace_callback(None)
    steps = [
        row[3]
        for query in queries
        for row in db.execute(f"EXPLAIN QUERY PLAN {query}")
    ]
    assert steps
    assert not any(step.startswith("SCAN") for step in steps), steps


def test_what_has_not_faded_cannot_be_recalled(wiki: Wiki) -> None:
    with pytest.raises(recall.NotFaded):
        recall.recall_faded(wiki.ws, "Depot 1")


def test_a_pin_is_one_line_that_its_owner_could_have_written(
    wiki: Wiki,
) -> None:
    path = path_of(wiki, "Depot 1")
    whole = wiki.read(path)
    done = owners_marks.pin(wiki.ws, "Depot 1")
    assert (
        wiki.read(path).replace("pinned: true\n", "") == whole and done["run"]
    )
    assert wiki.show("Depot 1")["pinned"]
    assert owners_marks.pins(wiki.ws) == {
        "pins": [{name: done[name] for name in ("entry", "title", "path")}]
    }
    assert wiki.git("log", "-1", "--format=%an").strip() == "Ada"
    assert owners_marks.pin(wiki.ws, "Depot 1")["run"] is None
    wiki.tick()
    owners_marks.pin(wiki.ws, "Depot 1", pinned=False)
    assert wiki.read(path) == whole and not wiki.show("Depot 1")["pinned"]
    check_index(wiki)
    check_health(wiki)


def test_a_page_of_theirs_can_be_pinned_because_they_say_so(wiki: Wiki) -> None:
    owners_marks.pin(wiki.ws, "Mine")
    assert wiki.read("Mine.md").startswith("---\npinned: true\n---\n# Mine")
    wiki.commit()
    assert titles(faded(wiki)["decaying"]) == ["Depot 1", "Depot 2"]


def test_a_page_with_unsaved_changes_is_not_pinned_over_them(
    wiki: Wiki,
) -> None:
    wiki.write("Mine.md", "# Mine\n\nhalf a sent")
    with pytest.raises(TryLater):
        owners_marks.pin(wiki.ws, "Mine")
    assert wiki.read("Mine.md") == "# Mine\n\nhalf a sent"


def kinds(wiki: Wiki) -> set[str]:
    return {finding.kind for finding in health.examine(wiki.ws)}


def test_a_clone_without_cold_memory_has_the_full_text_in_its_history(
    wiki: Wiki, tmp_path: Path
) -> None:
    whole = wiki.read(path_of(wiki, "Depot 1"))
    faded(wiki)
    other = wiki.clone(tmp_path / "other")
    assert recall.recall_faded(other.ws, "Depot 1")["text"] == whole
    assert kinds(other) == {"cold-elsewhere"}


def test_doctor_names_what_cold_memory_lacks_and_puts_it_back(
    wiki: Wiki,
) -> None:
    """INV-2."""
    faded(wiki)
    before = wiki.git("rev-parse", cold_memory.REF)
    tree = wiki.git("ls-tree", cold_memory.REF).splitlines()
    wiki.git(
        "update-ref", cold_memory.REF, wiki.git("mktree", stdin="").strip()
    )
    assert tree and kinds(wiki) == {"cold-lacks"}
    health.doctor(wiki.ws, repair=True)
    assert kinds(wiki) == set()
    assert wiki.git("rev-parse", cold_memory.REF) == before


def test_an_export_brings_cold_memory_along(wiki: Wiki, tmp_path: Path) -> None:
    faded(wiki)
    export(wiki.ws, str(tmp_path / "out"))
    with clock(wiki.now):
        import_wiki(str(tmp_path / "out"), str(tmp_path / "in"))
    other = Wiki(tmp_path / "in", wiki.now)
    assert other.git("rev-parse", cold_memory.REF) == wiki.git(
        "rev-parse", cold_memory.REF
    )
    check_health(other)


def test_two_machines_share_cold_memory(wiki: Wiki, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "hub")
    faded(wiki)
    remotes.add(wiki.ws, "hub", str(tmp_path / "hub"))
    done = remotes.sync(wiki.ws)
    assert cold_memory.REF in done["sent"]["refs"]
    other = wiki.clone(tmp_path / "other")
    remotes.add(other.ws, "hub", str(tmp_path / "hub"))
    remotes.sync(other.ws)
    assert cold_memory.find_tree(other.repo()) == cold_memory.find_tree(
        wiki.repo()
    )
    assert remotes.sync(other.ws)["sent"]["refs"] == []
    check_health(other)


def test_an_erasure_reaches_cold_memory_and_keeps_the_way_back(
    wiki: Wiki,
) -> None:
    faded(wiki)
    word = erase.erase(wiki.ws, ["four rooms and one stove"])["confirm"]
    wiki.tick()
    erase.erase(wiki.ws, ["four rooms and one stove"], confirm=word)
    text = recall.recall_faded(wiki.ws, "Depot 1")["text"]
    assert "four rooms" not in text and "erased-" in text
    origin = find_original(index_of(wiki), wiki.show("Depot 1")["id"])
    assert (
        origin is not None
        and cold_memory.get(wiki.repo(), origin.id)[0].blob == origin.blob
    )
    check_index(wiki)
    check_health(wiki)


# -- reads -----------------------------------------------------------------------------------------


def test_what_fades_ranks_lower_and_is_marked(wiki: Wiki) -> None:
    faded(wiki)
    wiki.ingest(
        "# Depot 9\n\nThe depot number 9 in the north was closed in spring because its roof leaked."
    )
    wiki.consolidate()
    found = wiki.search("depot north closed spring roof")
    assert [hit["state"] for hit in found[:3]] == [
        "active",
        "decaying",
        "decaying",
    ]
    assert wiki.search("Depot 1")[0]["title"] == "Depot 1", (
        "a title that is asked for comes first all the same"
    )


def test_vitality_is_told_in_five_terms(wiki: Wiki) -> None:
    shown, why = wiki.show("Depot 1"), explain_target(wiki.ws, "Depot 1")
    assert (
        shown["terms"] == why["terms"]
        and shown["vitality"] == shown["terms"]["total"]
    )
    assert "utility 0.000" in "\n".join(show.text(shown, explain=True))
    assert "wear" in "\n".join(why_command.text(why, explain=True))
    assert "utility" not in "\n".join(
        [*show.text(shown), *why_command.text(why)]
    )
    wiki.now += timedelta(days=100)
    assert wiki.show("Depot 1")["vitality"] < shown["vitality"], (
        "it is of now, and not of the last run"
    )


def test_what_decay_stores_is_what_reads_compute(wiki: Wiki) -> None:
    live(wiki, 60, every=5)
    decayed(wiki)
    stored = dict(index_of(wiki).execute("SELECT title, vitality FROM entries"))
    for title in ("Depot 1", "Depot 2", "Mine"):
        assert stored[title] == pytest.approx(
            wiki.show(title)["vitality"], abs=0.002
        )


def test_after_a_rebuild_no_read_shows_a_vitality_that_nobody_has_computed(
    wiki: Wiki,
) -> None:
    """The column of the index waits for the next DECAY; who reads computes."""
    faded(wiki)
    wiki.now += timedelta(days=3)
    before = {
        title: wiki.show(title)["vitality"] for title in ("Depot 1", "Mine")
    }
    places = [hit["id"] for hit in wiki.search("depot words")]
    care.rebuild(wiki.ws)
    assert index_of(wiki).execute(
        "SELECT DISTINCT vitality FROM entries"
    ).fetchall() == [(0.0,)]
    assert (
        {title: wiki.show(title)["vitality"] for title in ("Depot 1", "Mine")}
        == before
        != {}
    )
    assert [hit["id"] for hit in wiki.search("depot words")] == places
