"""The fold, case by case; tests/journeys/test_history.py has the law itself."""

import json
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from companion.config_checks import BadConfig
from companion.storage.git.repo import MissingObject
from companion.storage.index import schema as index
from companion.storage.index.folding import fold
from companion.storage.ledger_file import BadLedger, NewerLedger
from tests.wiki import Wiki, check_index


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(
        tmp_path / "wiki", {"a.md": "[[b]] [[Gamma]]\n", "b.md": "b\n"}
    )
    wiki.ingest("# Gamma\n\n[[a]]")
    wiki.consolidate()
    return wiki


def refresh(wiki: Wiki, **options: bool) -> fold.Folded:
    db = index.open_for_writing(wiki.ws.place.index_db)
    try:
        return fold.refresh(db, wiki.repo(), **options)
    finally:
        db.close()


def ledger(wiki: Wiki) -> list[Path]:
    return sorted((wiki.root / ".companion" / "ledger").rglob("*.jsonl"))


def edges(wiki: Wiki) -> set[tuple[str, str]]:
    db = index.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    query = (
        "SELECT s.path, t.path FROM edges e JOIN entries s ON s.id = e.source JOIN entries t ON"
        " t.id = e.target"
    )
    return {(source, target) for source, target in db.execute(query)}


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("a.md", True),
        ("sub/A.MD", True),
        ("a.markdown", True),
        ("a.b.md", True),
        ("é ü.md", True),
        ("a.txt", False),
        (".hidden.md", False),
        (".companion/x.md", False),
        ("sub/.trash/x.md", False),
        ("a\nb.md", False),
        ("a\udcff.md", False),
        ("md", False),
        (".md", False),
    ],
)
def test_what_is_a_page(path: str, page: bool) -> None:
    assert fold.is_page(path) is page


def test_an_unchanged_tree_reads_nothing_and_a_change_only_itself(
    wiki: Wiki,
) -> None:
    refresh(wiki)
    assert refresh(wiki)[1:] == (False, 0, 0)
    wiki.write("a.md", "[[gamma]]\n")
    wiki.commit()
    assert refresh(wiki)[1:] == (False, 1, 0)
    assert ("a.md", "b.md") not in edges(wiki)
    check_index(wiki)


def _notes(*words: str) -> str:
    """Return a page of notes, each with an id of its first letters."""
    blocks = []
    for one in words:
        id = one.encode().hex()[:12]
        blocks.append(f"## 2026-10-01 08:00\n\n{one} ^{id}\n")
    return "\n".join(["# Boiler\n", *blocks])


def _list_passages(wiki: Wiki) -> dict[str, int]:
    refresh(wiki)
    with closing(sqlite3.connect(wiki.ws.place.index_db)) as db:
        rows = db.execute("SELECT statement, doc FROM passages").fetchall()
    return {statement: doc for statement, doc in rows if statement}


def test_a_note_more_leaves_the_other_notes_of_its_page_as_they_are(
    wiki: Wiki,
) -> None:
    """A page of years costs no more than a young one."""
    wiki.write("boiler.md", _notes("leaks again", "was bled", "is fine"))
    wiki.commit()
    before = _list_passages(wiki)
    wiki.write(
        "boiler.md", _notes("leaks again", "was bled", "is fine", "hums now")
    )
    wiki.commit()
    now = _list_passages(wiki)

    assert len(now) == len(before) + 1 == 4
    assert now.items() >= before.items()
    check_index(wiki)


def test_notes_that_change_within_a_page_are_indexed_anew(wiki: Wiki) -> None:
    wiki.write("boiler.md", _notes("leaks again", "was bled", "is fine"))
    wiki.write("other.md", _notes("one thing", "another thing"))
    wiki.commit()
    refresh(wiki)
    for boiler, other in (
        (_notes("leaks again", "got new valves", "is fine"), "# Other\n"),
        (_notes("is fine"), _notes("one thing", "a third thing")),
        (_notes("is fine", "one thing"), _notes("another thing")),
    ):
        wiki.write("boiler.md", boiler)
        wiki.write("other.md", other)
        wiki.write(f"new {len(boiler)}.md", "# New\n")
        wiki.commit()
        check_index(wiki)
    wiki.git("mv", "boiler.md", "heating.md")
    wiki.commit()
    check_index(wiki)
    assert [hit["path"] for hit in wiki.search("valves")] == []


def test_a_rebuild_reads_everything(wiki: Wiki) -> None:
    before = edges(wiki)
    assert refresh(wiki, rebuild=True)[1:] == (True, 3, 2)
    assert edges(wiki) == before


def test_edges_follow_a_name_that_comes_goes_and_moves(wiki: Wiki) -> None:
    gamma = "entries/2026/11/Gamma.md"
    assert edges(wiki) == {("a.md", "b.md"), ("a.md", gamma), (gamma, "a.md")}
    wiki.git("mv", "b.md", "c.md")
    wiki.commit()
    check_index(wiki)
    assert ("a.md", "b.md") not in edges(wiki)
    wiki.write("sub/b.md", "---\naliases: [other]\n---\n")
    wiki.write("a.md", "[[b]] [[other]]\n")
    wiki.commit()
    check_index(wiki)
    assert ("a.md", "sub/b.md") in edges(wiki)


def test_a_unique_title_or_alias_resolves_where_no_name_does(
    wiki: Wiki,
) -> None:
    wiki.write("named.md", "---\ntitle: The  Plan\naliases: [PG]\n---\n")
    wiki.write("one.md", "---\naliases: [Twice]\n---\n")
    wiki.write("other.md", "---\naliases: [twice]\n---\n")
    wiki.write("a.md", "[[the plan]] [[Twice]]\n")
    wiki.write("b.md", "[[pg]]\n")
    wiki.commit()
    check_index(wiki)

    to_named = {("a.md", "named.md"), ("b.md", "named.md")}
    assert to_named <= edges(wiki)
    assert not {("a.md", "one.md"), ("a.md", "other.md")} & edges(wiki)


@pytest.mark.parametrize("how", ["changed", "removed", "in the past"])
def test_a_ledger_that_did_not_simply_grow_means_a_rebuild(
    wiki: Wiki, tmp_path: Path, how: str
) -> None:
    other = wiki.clone(tmp_path / "other")
    other.tick(hours=1)
    other.ingest("# Other")
    other.consolidate()
    last = next(
        path for path in ledger(wiki) if b"Integrated into" in path.read_bytes()
    )
    if how == "changed":
        last.write_bytes(
            last.read_bytes().replace(b"Integrated into", b"Put into")
        )
    elif how == "removed":
        last.unlink()
    else:
        wiki.tick(hours=2)
        wiki.ingest("# Later")
        wiki.consolidate()
        refresh(wiki)
        wiki.git(
            "pull", "-q", "--no-rebase", "--no-edit", str(other.root), "main"
        )
        assert refresh(wiki).rebuilt
        check_index(wiki)
        return
    wiki.commit()
    assert refresh(wiki).rebuilt
    check_index(wiki)


def test_files_that_are_no_runs_lie_in_the_ledger_folder_in_peace(
    wiki: Wiki,
) -> None:
    folder = ledger(wiki)[0].parent
    (folder / ".DS_Store").write_bytes(b"\0")
    (folder / "notes.txt").write_text("x")
    (folder / f"{ledger(wiki)[0].stem} (copy).jsonl").write_bytes(
        ledger(wiki)[0].read_bytes()
    )
    (folder.parent / ledger(wiki)[0].name).write_bytes(
        ledger(wiki)[0].read_bytes()
    )
    wiki.commit()
    check_index(wiki)
    wiki.search("gamma")


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ('{"v":1,"e":"prophesied"}', NewerLedger),
        ('{"v":2,"e":"waits"}', NewerLedger),
        ("<<<<<<< HEAD", BadLedger),
    ],
)
def test_a_ledger_that_cannot_be_read_leaves_the_index_as_it_was(
    wiki: Wiki, line: str, error: type[Exception]
) -> None:
    before = fingerprints(wiki)
    last = ledger(wiki)[-1]
    last.write_bytes(last.read_bytes() + line.encode() + b"\n")
    wiki.commit()
    with pytest.raises(error):
        refresh(wiki)
    assert fingerprints(wiki) == before
    wiki.git("revert", "--no-edit", "HEAD")
    check_index(wiki)


def test_a_configuration_that_cannot_be_used_leaves_the_index_as_it_was(
    wiki: Wiki,
) -> None:
    before = fingerprints(wiki)
    wiki.write(".companion/companion.yaml", "adopt: perhaps\n")
    wiki.commit()
    with pytest.raises(BadConfig, match="adopt"):
        refresh(wiki)
    assert fingerprints(wiki) == before


def fingerprints(wiki: Wiki) -> list[str]:
    db = index.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    return [index.hash_table(db, table) for table in index.DERIVED]


def test_readers_see_the_old_index_until_the_fold_is_done(wiki: Wiki) -> None:
    """GEN-1, CON-6: no lock on reads, and never half a fold."""
    writer, reader = (
        index.open_for_writing(wiki.ws.place.index_db),
        index.open_for_reading(wiki.ws.place.index_db),
    )
    assert reader is not None
    count = (
        "SELECT (SELECT count(*) FROM pages), (SELECT count(*) FROM entries), (SELECT count(*)"
        " FROM runs)"
    )
    before = reader.execute(count).fetchone()
    wiki.write("c.md", "c\n")
    wiki.commit()
    repo = wiki.repo()
    with fold.transaction(writer):
        fold.fold_to(writer, repo, repo.tip(), repo.wiki_tree(repo.tip()))
        assert reader.execute(count).fetchone() == before
    assert reader.execute(count).fetchone() == (
        before[0] + 1,
        before[1] + 1,
        before[2],
    )


def test_other_rules_mean_a_rebuild(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fold, "RULES_VERSION", "markdown-0")
    assert refresh(wiki).rebuilt
    assert not refresh(wiki).rebuilt


def test_an_applied_tree_that_git_collected_means_a_rebuild(wiki: Wiki) -> None:
    wiki.write("big.md", "x\n")
    wiki.commit()
    refresh(wiki)
    wiki.git("reset", "-q", "--hard", "HEAD~1")
    wiki.git("reflog", "expire", "--expire=now", "--all")
    wiki.git("gc", "-q", "--prune=now")
    assert refresh(wiki).rebuilt
    check_index(wiki)


def test_a_missing_page_is_named(wiki: Wiki) -> None:
    wiki.write("big.md", "x\n")
    wiki.commit()
    blob = wiki.git("rev-parse", "HEAD:big.md").strip()
    (wiki.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(MissingObject, match=blob):
        refresh(wiki)


def test_a_page_may_wear_the_id_of_another(wiki: Wiki) -> None:
    """Copies, and ids written by hand, never make two entries of one id, whatever the order."""
    ids = {path: wiki.show(path)["id"] for path in ("a.md", "b.md", "gamma")}
    wiki.write("thief.md", f"---\nid: {ids['a.md']}\n---\n")
    wiki.write("copy.md", wiki.read("entries/2026/11/Gamma.md"))
    wiki.commit()
    check_index(wiki)
    assert (
        wiki.show("entries/2026/11/Gamma.md")["id"]
        == ids["gamma"]
        != wiki.show("copy.md")["id"]
    )
    wiki.consolidate()
    (wiki.root / "entries/2026/11/Gamma.md").unlink()
    wiki.commit()
    check_index(wiki)
    wiki.consolidate()
    (wiki.root / "thief.md").unlink()
    wiki.commit()
    check_index(wiki)
    wiki.consolidate()
    check_index(wiki)


def test_an_unrecorded_page_gives_up_its_first_id_to_who_wears_it(
    wiki: Wiki,
) -> None:
    wiki.write("new.md", "new\n")
    wiki.commit()
    check_index(wiki)
    id = wiki.show("new.md")["id"]
    wiki.write("thief.md", f"---\nid: {id}\n---\n")
    wiki.commit()
    check_index(wiki)
    assert wiki.show("thief.md")["id"] == id != wiki.show("new.md")["id"]
    (wiki.root / "thief.md").unlink()
    wiki.commit()
    check_index(wiki)
    assert wiki.show("new.md")["id"] == id


def test_a_recorded_run_names_what_it_read(wiki: Wiki) -> None:
    """CON-2: base tree, buffer tree, now, configuration, excluded paths, rule versions."""
    first = wiki.ledger()[-1][0]
    assert first["base"] == wiki.git("rev-parse", "HEAD~1^{tree}").strip()
    assert (
        first["buffer"]
        == wiki.git("rev-parse", "refs/companion/buffer").strip()
    )
    assert {
        "now",
        "config",
        "excluded",
        "rules",
        "usage",
        "operation",
        "v",
    } <= first.keys()
    commits = wiki.git("log", "--all", "--format=%H").split()
    assert not [
        commit for commit in commits if commit in json.dumps(wiki.ledger())
    ], "a rebase would break them"


def test_a_shallow_history_is_enough(wiki: Wiki, tmp_path: Path) -> None:
    url = f"file://{wiki.root}"
    subprocess.run(
        ["git", "clone", "-q", "--depth=1", url, str(tmp_path / "shallow")],
        check=True,
    )
    other = Wiki(tmp_path / "shallow", wiki.now)
    other.init()
    assert [hit["path"] for hit in other.search("gamma")] == [
        hit["path"] for hit in wiki.search("gamma")
    ]
    check_index(other)
