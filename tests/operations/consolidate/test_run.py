"""The night: captures become pages and edits become record, one commit per run, and nobody's words
are touched.
"""

import json
import os
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from companion.lookup.search import search_wiki
from companion.operations.consolidate import run as night
from companion.pages.page import read_front
from companion.storage import publish
from companion.storage.files import lock
from companion.storage.git import capture_buffer
from companion.storage.git.repo import Repo, TryLater
from tests.wiki import START, Wiki, check_captures, check_health, check_index


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def body(text: str) -> str:
    """The page without its frontmatter."""
    return text.split("---\n", 2)[2]


# -- consolidate -----------------------------------------------------------------------------------


def test_a_capture_becomes_a_page_in_one_commit_and_the_next_night_is_empty(
    wiki: Wiki,
) -> None:
    before = wiki.commits()
    captured = wiki.ingest("# Oat milk\n\nBuy some, see [[Shopping]].\n")[0]
    assert wiki.commits() == before
    done = wiki.consolidate()
    assert wiki.commits() == before + 1
    assert (
        done["commit"],
        [item["capture"] for item in done["integrated"]],
    ) == (
        wiki.head,
        [captured["id"]],
    )
    text = wiki.read("entries/2026/11/Oat milk.md")
    assert text.endswith("---\n# Oat milk\n\nBuy some, see [[Shopping]].\n")
    assert wiki.status() == ""
    for again in (wiki.consolidate(), wiki.adopt()):
        assert (again["run"], again["commit"]) == (None, None)
    assert wiki.commits() == before + 1
    check_captures(
        wiki, {captured["id"]: b"# Oat milk\n\nBuy some, see [[Shopping]].\n"}
    )
    check_index(wiki)
    check_health(wiki)


def test_a_dry_run_changes_nothing(wiki: Wiki) -> None:
    wiki.ingest("oat milk")
    before = (wiki.head, wiki.files())
    done = wiki.consolidate(dry_run=True)
    assert (done["run"], len(done["integrated"])) == (None, 1)
    assert (wiki.head, wiki.files(), wiki.status()) == (*before, "")


def test_the_same_snapshot_gives_the_same_tree_on_any_machine(
    wiki: Wiki, tmp_path: Path
) -> None:
    """CON-3, over new pages, growth, retellings and edits by hand."""
    wiki.ingest("# A\n\none", "# A\n\ntwo", "no title [[A]]")
    wiki.consolidate()
    wiki.write("theirs.md", "mine\n")
    wiki.commit()
    wiki.ingest("# A\n\nthree", "no title [[A]]", "another", source="s")
    other = wiki.copy(tmp_path / "copy")
    runs = [each.consolidate()["run"] for each in (wiki, other)]
    assert runs[0] == runs[1] is not None
    assert wiki.tree == other.tree


def test_a_lost_journal_and_index_give_the_same_tree(
    wiki: Wiki, tmp_path: Path
) -> None:
    wiki.ingest("# A\n\none", "B", "A", "B")
    wiki.ingest("# A\n\none", source="again")
    capture_buffer.anchor(wiki.journal(), wiki.repo())
    other = wiki.copy(tmp_path / "copy")
    for path in (other.root / ".git" / "companion").glob("*.db*"):
        path.unlink()
    wiki.consolidate()
    other.consolidate()
    assert wiki.tree == other.tree


def test_captures_of_one_title_make_one_page_and_later_ones_join_it(
    wiki: Wiki,
) -> None:
    wiki.ingest("# Oat milk\n\nfirst", "# oat  MILK\n\nsecond", "third")
    first = wiki.consolidate()
    assert first["counts"]["created"] == 2
    wiki.tick(days=1)
    fourth = wiki.ingest("fourth", title="Oat milk")[0]["id"]
    second = wiki.consolidate()
    assert second["counts"] | {"sighted": 0} == {
        "captures": 1,
        "created": 0,
        "grown": 1,
        "sighted": 0,
        "waiting": 0,
        "facts": 0,
    }
    text = wiki.read("entries/2026/11/Oat milk.md")
    assert [
        text.index(word) for word in ("first", "second", "fourth")
    ] == sorted(text.index(word) for word in ("first", "second", "fourth"))
    assert text.endswith(f"## 2026-11-02 08:03\n\nfourth ^{fourth[:12]}\n")
    entries = {
        item["entry"] for item in (*first["integrated"], *second["integrated"])
    }
    assert len(entries) == 2


def test_growth_keeps_what_the_person_committed(wiki: Wiki) -> None:
    wiki.ingest("# Oat milk\n\nfirst")
    wiki.consolidate()
    path = "entries/2026/11/Oat milk.md"
    mine = (
        wiki.read(path).replace("first", "first, says me")
        + "\nMy own last line without an end"
    )
    wiki.write(path, mine)
    wiki.commit()
    second = wiki.ingest("# Oat milk\n\nsecond")[0]["id"]
    wiki.consolidate()
    assert wiki.read(path).startswith(mine)
    assert wiki.read(path).endswith(f"\n\nsecond ^{second[:12]}\n")
    check_index(wiki)


@pytest.mark.parametrize("how", ["unstaged", "staged", "deleted"])
def test_a_page_with_edits_of_their_own_waits_and_catches_up(
    wiki: Wiki, how: str
) -> None:
    wiki.ingest("# Oat milk\n\nfirst")
    wiki.consolidate()
    path = "entries/2026/11/Oat milk.md"
    mine = wiki.read(path) + "mine\n"
    if how == "deleted":
        (wiki.root / path).unlink()
    else:
        wiki.write(path, mine)
    if how == "staged":
        wiki.git("add", path)
    waiting = wiki.ingest("# Oat milk\n\nsecond")[0]
    index_before = wiki.git("ls-files", "-s")
    done = wiki.consolidate()
    assert [item["path"] for item in done["left_out"]] == [path]
    assert [item["capture"] for item in done["waiting"]] == [waiting["id"]]
    assert wiki.git("ls-files", "-s", path) == "".join(
        line + "\n" for line in index_before.splitlines() if path in line
    )
    if how != "deleted":
        assert wiki.read(path) == mine
    assert wiki.consolidate()["commit"] is None, (
        "a reason already recorded is no news"
    )
    assert wiki.search("second")[0]["state"] == "pending"

    if how == "staged":
        wiki.commit()
    else:
        assert wiki.adopt()["commit"] is not None
    done = wiki.consolidate()
    assert [item["capture"] for item in done["integrated"]] == [waiting["id"]]
    if how == "deleted":
        assert done["counts"]["created"] == 1, (
            "a new page; the deleted one is not recreated by what it held"
        )
        assert "first" not in wiki.read(path)
    else:
        assert wiki.read(path) == (
            f"{mine}\n## 2026-11-01 08:03\n\nsecond ^{waiting['id'][:12]}\n"
        )
    check_index(wiki)
    check_health(wiki)


def test_pages_of_their_own_are_never_touched(wiki: Wiki) -> None:
    theirs = {
        "Oat milk.md": "# Oat milk\r\n\r\nmine",
        "sub/Gamma.md": "---\ntitle: Oat milk\n---\nx",
    }
    for path, text in theirs.items():
        wiki.write(path, text)
    wiki.commit()
    wiki.ingest("# Oat milk\n\nnew")
    done = wiki.consolidate()
    assert {path: wiki.read(path) for path in theirs} == theirs
    path = done["integrated"][0]["path"]
    assert (
        path == "entries/2026/11/Oat milk (2).md"
        or path == "entries/2026/11/Oat milk.md"
    )
    assert "[[Oat milk]]" in wiki.read(path)
    assert "[[sub/Gamma|Gamma]]" in wiki.read(path)
    wiki.ingest("# Oat milk\n\nmore")
    assert wiki.consolidate()["integrated"][0]["path"] == path


def test_a_page_can_be_opted_in(wiki: Wiki) -> None:
    wiki.write(
        "Oat milk.md", "---\ncompanion: managed\n---\n# Oat milk\n\nmine\n"
    )
    wiki.commit()
    new = wiki.ingest("# Oat milk\n\nnew")[0]["id"]
    wiki.consolidate()
    assert wiki.read("Oat milk.md") == (
        "---\ncompanion: managed\n---\n# Oat milk\n\nmine\n"
        f"\n## 2026-11-01 08:02\n\nnew ^{new[:12]}\n"
    )


def test_titles_with_one_file_name_are_pages_of_their_own(wiki: Wiki) -> None:
    wiki.write("elsewhere/A B.md", "theirs")
    wiki.commit()
    wiki.ingest("one", title="A/B")
    wiki.ingest("two", title="A:B")
    wiki.ingest("three", title="a b?")
    done = wiki.consolidate()
    paths = [item["path"] for item in done["integrated"]]
    names = ["A B (2)", "A B (3)", "a b (4)"]
    assert paths == [f"entries/2026/11/{name}.md" for name in names]
    assert wiki.read("elsewhere/A B.md") == "theirs"


@pytest.mark.parametrize(
    "where", ["untracked", "ignored", "staged and removed", "a folder"]
)
def test_what_lies_at_the_path_already_is_safe(wiki: Wiki, where: str) -> None:
    path = "entries/2026/11/Oat milk.md"
    if where == "a folder":
        wiki.write(path + "/x.md", "mine")
    else:
        wiki.write(path, "mine")
    if where == "ignored":
        wiki.write(".git/info/exclude", "Oat*\n")
    if where == "staged and removed":
        wiki.git("add", path)
        (wiki.root / path).unlink()
    staged = wiki.git("ls-files", "-s", path)
    wiki.ingest("# Oat milk\n\nnew")
    done = wiki.consolidate()
    assert done["integrated"][0]["path"] == "entries/2026/11/Oat milk (2).md"
    if where == "staged and removed":
        assert not (wiki.root / path).exists()
    else:
        assert (
            wiki.read(path + "/x.md" if where == "a folder" else path) == "mine"
        )
    assert wiki.git("ls-files", "-s", path) == staged


FRONTS = [
    "---\nauthor: Ada\ntags: [a, b]\n---\n\nbody\n",
    "---\r\nauthor: Ada\r\n---\r\nbody\r\n",
    "---\nid: 42\ntitle: Mine\n---\nbody",
    "---\ncompanion: theirs\nid: 42\n---\nbody\n",
    "---\n---\nbody\n",
    "---\nbroken: [\n---\nbody\n",
    "---\nnever closed\nbody\n",
    "\ufeff---\nauthor: Ada\n---\nbody\n",
    "a\r\nb\rc\u2028d\n\n\n",
    "no newline at the end",
    "---\nid: abcdefghijklmnop\ntitle: Copied from a page\n---\nbody\n",
]


@pytest.mark.parametrize("text", FRONTS)
def test_the_words_of_a_capture_survive_byte_for_byte(
    wiki: Wiki, text: str
) -> None:
    captured = wiki.ingest(text, title="A page of one note")[0]
    done = wiki.consolidate()
    path = done["integrated"][0]["path"]
    page = (wiki.root / path).read_bytes().decode()
    for line in text.splitlines(keepends=True):
        assert line in page or line == "\ufeff---\n", line
    assert text.split("---", 2)[-1] in page
    assert (
        read_front(page).problem is None or read_front(text).problem is not None
    )
    shown = wiki.show(captured["id"])
    assert shown["text"] == text
    entry = wiki.show(done["integrated"][0]["entry"])
    assert (
        entry["path"],
        entry["managed"] or text.count("companion: theirs"),
    ) == (path, True)
    wiki.write(path, page + "mine\n")
    wiki.adopt()
    check_index(wiki)
    check_health(wiki)


def test_a_deleted_page_stays_deleted_until_something_new_is_told(
    wiki: Wiki,
) -> None:
    wiki.ingest("# Oat milk\n\nfirst")
    entry = wiki.consolidate()["integrated"][0]["entry"]
    (wiki.root / "entries/2026/11/Oat milk.md").unlink()
    assert [item["entry"] for item in wiki.adopt()["deleted"]] == [entry]
    wiki.ingest("# Oat milk\n\nfirst", source="told again")
    done = wiki.consolidate()
    assert (done["integrated"], done["counts"]["sighted"]) == ([], 1)
    assert wiki.show(entry)["state"] == "archived"
    wiki.ingest("# Oat milk\n\nsecond")
    done = wiki.consolidate()
    assert done["integrated"][0]["entry"] != entry
    assert "first" not in wiki.read(done["integrated"][0]["path"])
    check_index(wiki)


def test_the_ledger_takes_at_most_2_kb_for_a_capture(wiki: Wiki) -> None:
    wiki.ingest(
        *(
            f"# Title number {n} which is rather long for a title\n\n[[Link {n}]] text"
            for n in range(40)
        )
    )
    wiki.consolidate()
    size = sum(
        len(json.dumps(line))
        for run in wiki.ledger()
        for line in run
        if run[0]["operation"] == "consolidate"
    )
    assert size <= 2048 * 40


def test_no_reason_quotes_a_capture(wiki: Wiki) -> None:
    wiki.ingest(
        "# Plain\n\nhunter2 is what I use",
        "again\n\nhunter2",
        "# Plain\n\nhunter2 [[hunter2]]",
    )
    wiki.consolidate()
    assert "hunter2" not in json.dumps(
        [line.get("reason") for run in wiki.ledger() for line in run]
    )
    assert "hunter2 is" not in wiki.git("log", "--format=%B")


# -- sightings and privacy -------------------------------------------------------------------------


def test_a_b_a_is_heard_in_that_order(wiki: Wiki) -> None:
    a, b = (
        wiki.ingest("The server is up")[0],
        wiki.ingest("The server is down")[0],
    )
    wiki.consolidate()
    wiki.ingest("The server is up")
    done = wiki.consolidate()
    assert (done["counts"]["sighted"], done["integrated"]) == (1, [])
    heard = [
        (event["capture"], telling["seen_at"])
        for event in (*wiki.events("consumed"), *wiki.events("sighted"))
        for telling in event["sightings"]
    ]
    assert [
        capture for capture, _ in sorted(heard, key=lambda item: item[1])
    ] == [
        a["id"],
        b["id"],
        a["id"],
    ]
    assert wiki.consolidate()["run"] is None


def test_what_was_told_in_private_never_reaches_the_branch(wiki: Wiki) -> None:
    private = wiki.ingest(
        "# Diary\n\nI love [[Bob]]",
        scope="private",
        title="Diary",
        agent="diarist",
        source="d.md",
    )[0]
    wiki.ingest("# Diary\n\nunrelated [[Bob]]", "see [[Diary]]")
    for _ in range(2):
        done = wiki.consolidate()
    # nobody but the diarist may know that something waits
    assert done["waiting"] == []
    everything = wiki.git(
        "log", "-p", "--all", "--format=%B", "--", "."
    ) + json.dumps(wiki.ledger())
    for trace in (
        private["id"],
        private["id"][:12],
        private["blob"],
        "love",
        "diarist",
        "d.md",
        "shares its title",
    ):
        assert trace not in everything, trace
    assert (
        search_wiki(wiki.as_("diarist"), "love")["results"][0]["id"]
        == private["id"]
    )
    assert wiki.search("love") == []
    check_captures(wiki, {private["id"]: b"# Diary\n\nI love [[Bob]]"})


def test_a_private_capture_leaves_no_trace_in_what_is_shared(
    wiki: Wiki, tmp_path: Path
) -> None:
    """The branch is the same, to the byte, whether or not something was told in private."""
    twin = wiki.copy(tmp_path / "twin")
    wiki.ingest("# Plans\n\nsecret [[Bob]]", scope="private", title="Plans")
    twin.tick()
    for each in (wiki, twin):
        each.ingest("# Plans\n\npublic [[Bob]]", "[[Plans]]")
        each.consolidate()
    assert wiki.tree == twin.tree


@pytest.mark.parametrize("private_first", [True, False])
@pytest.mark.parametrize("night_between", [True, False])
def test_the_same_words_in_private_and_shared_neither_leak_nor_vanish(
    wiki: Wiki, private_first: bool, night_between: bool
) -> None:
    secret = {
        "scope": "private",
        "title": "Secret title",
        "agent": "diarist",
        "source": "diary.md",
    }
    about = (
        [secret, {"source": "chat"}]
        if private_first
        else [{"source": "chat"}, secret]
    )
    captured = wiki.ingest("the words", **about[0])[0]
    if night_between:
        wiki.consolidate()
    assert wiki.ingest("the words", **about[1])[0]["status"] == (
        "captured" if private_first else "seen"
    )
    wiki.consolidate()
    assert [event["capture"] for event in wiki.events("consumed")] == [
        captured["id"]
    ]
    shared = json.dumps(wiki.ledger()) + json.dumps(
        {k: v.decode() for k, v in wiki.files().items()}
    )
    assert "chat" in shared
    for trace in ("ecret", "diarist", "diary.md", "private"):
        assert trace not in shared, trace
    assert sorted(
        s.scope for s in wiki.journal().sightings(captured["id"])
    ) == [
        "private",
        "shared",
    ]
    assert wiki.consolidate()["run"] is None


# -- what companion's neighbours do ----------------------------------------------------------------


def test_a_night_keeps_away_from_git_that_is_busy(wiki: Wiki) -> None:
    wiki.ingest("oat milk")
    head = wiki.head
    (wiki.root / ".git" / "MERGE_HEAD").write_text(head + "\n")
    with pytest.raises(TryLater, match="merge") as caught:
        wiki.consolidate()
    assert caught.value.exit_code == 75
    (wiki.root / ".git" / "MERGE_HEAD").unlink()
    wiki.git("checkout", "-q", "--detach")
    with pytest.raises(TryLater, match="detached"):
        wiki.consolidate()
    wiki.git("checkout", "-q", "-b", "other")
    with pytest.raises(TryLater, match="other"):
        wiki.consolidate()
    assert wiki.search("oat")[0]["state"] == "pending", (
        "reads and captures go on"
    )
    wiki.ingest("bread")
    wiki.git("checkout", "-q", "main")
    assert wiki.consolidate()["counts"]["captures"] == 2


def test_git_need_not_hash_a_published_page_again_every_night(
    wiki: Wiki,
) -> None:
    wiki.ingest("oat milk")
    wiki.consolidate()
    (path,) = wiki.root.glob("journal/**/*.md")
    # what is as young as git's index is always hashed
    os.utime(path, (10**9, 10**9))
    wiki.consolidate()
    assert "mtime: 1000000000:" in wiki.git("ls-files", "--debug", "journal")


def test_a_second_night_says_try_later(wiki: Wiki) -> None:
    with (
        lock.lock_file(f"{wiki.ws.place.state}/sleep.lock", "test"),
        pytest.raises(lock.Busy),
    ):
        wiki.consolidate()


def test_missing_bytes_make_one_capture_wait_not_the_night(wiki: Wiki) -> None:
    lost, kept = wiki.ingest("lost words")[0], wiki.ingest("kept words")[0]
    wiki.consolidate()
    blob = lost["blob"]
    wiki.git("reset", "-q", "--hard", "HEAD~1")
    wiki.search("kept")
    journal = wiki.journal()
    journal.connection.execute(
        "UPDATE captures SET content = NULL WHERE id = ?", (lost["id"],)
    )
    drop_object(wiki, blob)
    done = wiki.consolidate(release=True)
    assert [item["capture"] for item in done["integrated"]] == [kept["id"]]
    assert [item["capture"] for item in done["waiting"]] == [lost["id"]]
    assert wiki.consolidate()["commit"] is None


def drop_object(wiki: Wiki, blob: str) -> None:
    """Lose one object, as a failing disk would."""
    objects = wiki.root / ".git" / "objects"
    packs = list((objects / "pack").glob("*.pack"))
    for pack in packs:
        moved = wiki.root / ".git" / pack.name
        pack.rename(moved)
        pack.with_suffix(".idx").unlink()
        subprocess.run(
            ["git", "-C", str(wiki.root), "unpack-objects", "-q"],
            stdin=moved.open("rb"),
            check=True,
        )
    (objects / blob[:2] / blob[2:]).unlink()
    assert not wiki.repo().has(blob)


def test_a_clock_set_back_does_not_reorder_runs(wiki: Wiki) -> None:
    wiki.ingest("one")
    wiki.consolidate()
    wiki.now -= timedelta(days=400)
    wiki.ingest("two")
    wiki.consolidate()
    times = [run[0]["now"] for run in wiki.ledger()]
    assert times == sorted(set(times))
    check_index(wiki)


@pytest.mark.parametrize("year", [1, 1969, 9998])
def test_any_year_makes_a_commit_that_git_can_read(
    tmp_path: Path, year: int
) -> None:
    wiki = Wiki(tmp_path / "wiki", START.replace(year=year))
    wiki.init()
    wiki.ingest("oat milk", event_time="0001-01-01T00:00:00.000000Z")
    wiki.consolidate()
    assert wiki.git("fsck", "--full", "--strict", "--no-dangling") == ""
    check_index(wiki)


def test_an_edit_made_while_planning_starts_the_run_over(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki.ingest("# Oat milk\n\nfirst")
    plan = night.plan_consolidation
    calls = []

    def meddle(*args: object, **kwargs: object) -> object:
        if not calls:
            wiki.write("entries/2026/11/Oat milk.md", "mine, just now\n")
        calls.append(1)
        return plan(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(night, "plan_consolidation", meddle)
    done = wiki.consolidate()
    assert done["integrated"][0]["path"] == "entries/2026/11/Oat milk (2).md"
    assert wiki.read("entries/2026/11/Oat milk.md") == "mine, just now\n"


def test_the_same_capture_in_two_clones_is_one_entry_after_a_merge(
    wiki: Wiki, tmp_path: Path
) -> None:
    other = wiki.clone(tmp_path / "other")
    captured = wiki.ingest("# Oat milk\n\nfirst")[0]
    other.now = wiki.now
    other.ingest("# Oat milk\n\nfirst")
    loose = other.ingest("# Bread\n\nours too")[0]
    wiki.ingest("# Bread\n\nours too")
    wiki.consolidate()
    other.git("fetch", "-q", str(wiki.root), "main")
    other.git("merge", "-q", "FETCH_HEAD")
    other.now = wiki.now
    done = other.consolidate()
    assert (done["run"], done["waiting"]) == (None, [])
    check_captures(
        other,
        {
            captured["id"]: b"# Oat milk\n\nfirst",
            loose["id"]: b"# Bread\n\nours too",
        },
    )
    check_index(other)
    check_health(other)


def test_a_page_that_its_editor_moves_aside_while_git_converts_it(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Saving by rename leaves an instant without the file: the night looks again and does not
    fail.
    """
    wiki.write(".gitattributes", "*.md text eol=lf\n")
    wiki.write("a.md", "one\n")
    wiki.write("b.md", "two\n")
    quoted, filters = publish.quote_path, publish.find_external_filters

    def moved_aside(path: str) -> bytes:
        (wiki.root / "a.md").unlink(missing_ok=True)
        return quoted(path)

    monkeypatch.setattr(publish, "quote_path", moved_aside)
    assert [item["path"] for item in wiki.adopt()["new"]] == ["b.md"]

    def vanished(repo: Repo, paths: list[str]) -> set[str]:
        (wiki.root / "b.md").unlink()
        return filters(repo, paths)

    monkeypatch.setattr(publish, "find_external_filters", vanished)
    assert (
        publish.hash_as_git_would(wiki.repo(), "b.md")
        == wiki.git("rev-parse", "HEAD:b.md").strip()
    )


def test_a_page_that_may_be_run_stays_so_when_it_grows(wiki: Wiki) -> None:
    wiki.ingest("# Backup\n\n    rsync here there")
    path = wiki.consolidate()["integrated"][0]["path"]
    (wiki.root / path).chmod(0o755)
    wiki.adopt()
    wiki.ingest("# Backup\n\nand look at the log")
    wiki.consolidate()

    assert wiki.git("ls-tree", "HEAD", path).startswith("100755 ")
    assert wiki.status() == ""


def test_a_commit_names_the_pages_that_take_notes_in(wiki: Wiki) -> None:
    wiki.ingest("Tea is in the cup.", title="Anna")
    wiki.ingest("She sails.", title="Paul")
    wiki.consolidate()
    wiki.ingest("Anna met Paul.", "The cellar is cold.", "It rains.")
    wiki.consolidate()
    (day,) = wiki.root.glob("journal/**/*.md")
    subject, _, body = wiki.git("log", "-1", "--format=%B").partition("\n")
    assert "[[Anna#^" in next(wiki.root.rglob("Paul.md")).read_text()
    assert subject == f"consolidate: 3 captures into Anna, {day.stem}"
    assert "share its title" not in body
