"""Words that leaked go from every byte on this machine, and what is left is a wiki like any
other.
"""

import os
import re
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.adoption import undo
from companion.lookup.find import NothingFound
from companion.maintenance import take_in
from companion.maintenance.doctor import run as health
from companion.maintenance.erase import run as erase
from companion.maintenance.erase.run import LinkedWorktrees, NotConfirmed
from companion.operations.triage import capture
from companion.pages.statement_edits import retire_statement
from companion.privacy.words_to_erase import (
    OfTheRecord,
    Words,
    cleaner,
    pattern,
)
from companion.reading.entry.show import show_target
from companion.reading.log import list_runs
from companion.reading.status import describe_wiki
from companion.storage.git import layout
from companion.values.captures import Draft
from companion.workspace import Workspace
from tests.wiki import Wiki, check_captures, check_health, check_index

SECRET = "Zebra-77/horse+staple"
FOUND = re.compile(pattern(SECRET), re.IGNORECASE)


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    """A wiki with the words in everything that can hold them."""
    wiki = Wiki.new(tmp_path / "wiki", {"Old.md": "# Old\n\nnothing here\n"})
    wiki.ingest(
        f"# Bank\nthe code is {SECRET}, ok",
        "# Cup\nIt is blue",
        f"{SECRET} opens the shed",
    )
    wiki.consolidate()
    wiki.ingest(
        "# Bank\nIt closes at four",
        f"said in private: {SECRET}",
        scope="private",
    )
    wiki.ingest("# Cup\nIt is red", source=f"https://x.org/?k={SECRET}")
    wiki.consolidate()
    wiki.write("mine.md", f"# Mine\n\n[[Bank]] {SECRET.upper()}\n")
    wiki.commit(f"a message with {SECRET}")
    wiki.git("tag", "-a", "v1", "-m", f"tag {SECRET}")
    wiki.git("branch", "side")
    for text in ("first", "second"):
        wiki.write("Old.md", f"# Old\n\n{text} stash {SECRET}\n")
        wiki.git("stash", "push", "-q", "-m", f"{text} {SECRET}")
    wiki.git(
        "commit",
        "-q",
        "--amend",
        "--allow-empty",
        "-m",
        "amended: only the reflog has the old one",
    )
    wiki.write("loose.txt", SECRET)
    wiki.git("hash-object", "-w", "loose.txt")
    wiki.git("gc", "-q")
    wiki.git("hash-object", "-w", "--stdin", stdin=f"dangling {SECRET}")
    wiki.ingest(f"pending {SECRET}")
    return wiki


def gone(wiki: Wiki, found: re.Pattern[bytes] = FOUND) -> list[str]:
    """Return every place where a byte of the words is left: files, git's objects inflated, packs by
    git itself.
    """
    left = []
    for folder, _, names in os.walk(wiki.root):
        for name in names:
            path = Path(folder, name)
            data = path.read_bytes()
            if re.search(r"objects/[0-9a-f]{2}$", folder):
                data = zlib.decompress(data)
            if found.search(data) or found.search(os.fsencode(path)):
                left.append(str(path))
    command = [
        "git",
        "-C",
        str(wiki.root),
        "cat-file",
        "--batch-all-objects",
        "--batch",
    ]
    if found.search(
        subprocess.run(command, capture_output=True, check=True).stdout
    ):
        left.append("git's objects")
    return left


def erased(wiki: Wiki, *targets: str) -> dict[str, Any]:
    wiki.tick()
    word = erase.erase(wiki.ws, targets)["confirm"]
    return erase.erase(wiki.ws, targets, confirm=word)


def sound(wiki: Wiki) -> None:
    wiki.git("fsck", "--full", "--strict", "--no-dangling")
    check_index(wiki)
    check_health(wiki)
    check_captures(wiki, {})


def test_a_preview_names_every_place_and_changes_nothing(wiki: Wiki) -> None:
    def now() -> tuple[str, str]:
        return wiki.git(
            "for-each-ref", "refs/heads", "refs/tags", "refs/stash"
        ), wiki.status()

    before, state = gone(wiki), now()
    preview = erase.erase(wiki.ws, [SECRET])

    assert now() == state
    assert set(before) <= set(gone(wiki))
    assert FOUND.search(str(preview).encode()) is None
    assert {item["where"] for item in preview["places"]} == {
        "file",
        "git objects",
        "journal",
        "ledger",
        "page",
        "ref",
        "reflog",
    }
    moved = {
        item["what"] for item in preview["places"] if item["where"] == "ref"
    }
    private = "refs/companion/private/owner"
    assert moved >= {
        "refs/heads/main",
        "refs/heads/side",
        "refs/tags/v1",
        "refs/stash",
        "refs/companion/buffer",
        private,
    }
    assert any("no backup is kept" in note for note in preview["notes"])


def test_not_a_byte_is_left_and_the_wiki_is_sound(wiki: Wiki) -> None:
    assert len(gone(wiki)) > 5  # the check sees it where it is
    done = erased(wiki, SECRET)

    assert done["erased"] and done["remains"] == []
    assert gone(wiki) == []
    assert wiki.status() == "?? loose.txt\n"
    sound(wiki)
    # the pending one, without the words
    assert wiki.consolidate()["integrated"] != []
    # and nothing that was consolidated comes back
    assert wiki.consolidate()["run"] is None
    sound(wiki)


def pages_of(wiki: Wiki, clean: Callable[[bytes], bytes]) -> dict[str, bytes]:
    """Every page, but for the ids of pages and notes that began with the words: they are hashes
    of them, and change with them.
    """
    pages = {
        os.fsdecode(clean(os.fsencode(path))): clean(data)
        for path, data in wiki.files().items()
    }
    return {
        path: re.sub(rb"\nid: .*|\^[0-9a-f]{12}", b"", data)
        for path, data in pages.items()
    }


def test_everything_else_stays(wiki: Wiki) -> None:
    clean = cleaner(
        [Words(SECRET, erase.erase(wiki.ws, [SECRET])["words"][0]["mark"])]
    )

    def history() -> list[bytes]:
        wanted = "--format=%an %ae %ad %cn %cd%n%(trailers:key=Companion-Operation)%s"
        return clean(
            wiki.git("log", "--date=raw", wanted, "side").encode()
        ).splitlines()

    def stashes() -> list[bytes]:
        return [
            clean(wiki.git("show", f"stash@{{{n}}}:Old.md").encode())
            for n in (0, 1)
        ]

    before = (history(), stashes(), wiki.read("Old.md"))
    pages = pages_of(wiki, clean)
    trees = wiki.git("log", "--format=%s", "--reflog").count("amended")
    erased(wiki, SECRET)

    assert (history(), stashes(), wiki.read("Old.md")) == before
    assert pages_of(wiki, clean) == pages
    assert wiki.git("log", "--format=%s", "--reflog").count("amended") >= trees
    assert [hit["title"] for hit in wiki.search("closes at four")] == ["Bank"]


def test_the_record_follows_and_can_still_be_undone(wiki: Wiki) -> None:
    runs = [run["operation"] for run in list_runs(wiki.ws)["runs"]]
    entry = wiki.show("Bank")
    done = erased(wiki, SECRET)

    log = list_runs(wiki.ws)["runs"]
    assert [run["operation"] for run in log] == ["erase", *runs]
    assert all(run["commit"] for run in log)
    now = wiki.show("Bank")
    assert now["path"] == entry["path"] and "erased-" in now["text"]
    assert {wiki.show(id)["state"] for id in now["captures"]} == {
        "consolidated"
    }
    assert all("erased-" in wiki.show(id)["text"] for id in now["captures"])
    (line,) = wiki.events("erased")
    assert line["mark"] == done["words"][0]["mark"]
    first = log[-2] if log[-1]["operation"] == "init" else log[-1]
    assert undo.undo(wiki.ws, first["run"])["removed"]
    sound(wiki)


def test_the_words_do_not_come_in_again(wiki: Wiki) -> None:
    erased(wiki, SECRET)
    for draft in (
        Draft(f"again {SECRET}"),
        Draft("x y", title=SECRET.lower()),
        Draft(f"k={SECRET}x", source="me"),
    ):
        refused = capture.ingest(wiki.ws, [draft], store_anyway=True)["refused"]
        assert [item["kind"] for item in refused] == ["secret"]
        assert FOUND.search(str(refused).encode()) is None
    assert (
        capture.ingest(wiki.ws, [Draft("a zebra, 77 horses and a staple")])[
            "refused"
        ]
        == []
    )
    assert gone(wiki) == []


def test_a_merge_that_brings_them_back_is_noticed(
    wiki: Wiki, tmp_path: Path
) -> None:
    old = wiki.copy(tmp_path / "old")
    erased(wiki, SECRET)
    wiki.git("fetch", "-q", str(old.root), "main")
    wiki.git(
        "merge",
        "-q",
        "--no-edit",
        "--allow-unrelated-histories",
        "-X",
        "theirs",
        "FETCH_HEAD",
        check=False,
    )
    wiki.git("checkout", "-q", "--theirs", ".", check=False)
    wiki.commit()

    back = [
        finding
        for finding in health.doctor(wiki.ws)["findings"]
        if finding["kind"] == "erased-is-back"
    ]
    assert back and "--match -" in back[0]["hint"]


def test_the_remote_s_notes_are_not_taken_in_again(
    wiki: Wiki, tmp_path: Path
) -> None:
    from companion.maintenance.remotes import remote as remotes

    hub = tmp_path / "hub.git"
    wiki.git("init", "-q", "--bare", str(hub))
    remotes.add(wiki.ws, "hub", str(hub))
    remotes.sync(wiki.ws, "hub")
    wiki.git("push", "-q", "hub", "main")
    preview = erase.erase(wiki.ws, [SECRET])
    assert [
        said for said in preview["beyond"] if "refs/remotes/hub/main" in said
    ]
    erased(wiki, SECRET)
    assert gone(wiki) == []

    with pytest.raises(take_in.ErasedThere):
        remotes.sync(wiki.ws, "hub")
    assert gone(wiki) == [], "a refused sync brings nothing back"
    wiki.git("push", "-q", "--force", "hub", "main", "refs/companion/buffer")
    remotes.sync(wiki.ws, "hub")
    assert gone(wiki) == []
    sound(wiki)


def test_a_confirmation_is_bound_to_its_preview(wiki: Wiki) -> None:
    word = erase.erase(wiki.ws, [SECRET])["confirm"]
    assert erase.erase(wiki.ws, [SECRET])["confirm"] == word
    wiki.write("another.md", f"one more {SECRET}")
    before = wiki.head
    for wrong in (word, "yes", ""):
        with pytest.raises(NotConfirmed):
            erase.erase(wiki.ws, [SECRET], confirm=wrong)
    assert wiki.head == before


def test_words_that_are_nowhere_are_not_found(wiki: Wiki) -> None:
    with pytest.raises(NothingFound):
        erase.erase(wiki.ws, ["nobody ever said this"])


def test_a_capture_goes_by_its_id(wiki: Wiki) -> None:
    id = wiki.ingest("the recipe nobody may ever see again")[0]["id"]
    wiki.consolidate()
    erased(wiki, id)

    assert gone(wiki, re.compile(rb"recipe.nobody|" + id.encode())) == []
    sound(wiki)


def tell_of_anna(tmp_path: Path) -> tuple[Wiki, dict[str, str]]:
    """Make a page of Anna Weber, to which a note moved from the page of its day."""
    wiki = Wiki.new(tmp_path / "wiki")
    days = (
        ("Anna Weber lives in Oslo.", "Anna Weber wept.", "Bought bread."),
        (
            "Anna Weber works for a bakery.",
            "# Anna Weber\n\n"
            "Her number at the bank in the old town by the river is 5551234,\n"
            "and she told it to nobody at all.",
        ),
    )
    ids = {}
    for day in days:
        for words in day:
            ids[words.split()[-1]] = wiki.ingest(words)[0]["id"]
        wiki.consolidate()
        wiki.tick(days=1)
    return wiki, ids


@pytest.mark.parametrize(
    ("words", "said"),
    [("wept.", rb"wept"), ("all.", rb"5551234|nobody at all")],
)
def test_a_note_among_others_goes_with_its_links_and_nothing_else(
    tmp_path: Path, words: str, said: bytes
) -> None:
    wiki, ids = tell_of_anna(tmp_path)
    capture = ids[words]
    path = show_target(wiki.ws, "Anna Weber")["path"]
    pages = (path, "journal/2026/2026-11-01.md")
    before = [(wiki.root / page).read_text().splitlines() for page in pages]
    done = erased(wiki, capture)

    mark = done["words"][0]["mark"]
    assert done["remains"] == []
    found = said + b"|" + capture[:12].encode()
    assert gone(wiki, re.compile(found)) == []
    for page, old in zip(pages, before, strict=True):
        new = (wiki.root / page).read_text().splitlines()
        kept = [line for line in new if mark not in line]
        without_id = [line for line in kept if not line.startswith("id: ")]
        assert set(without_id) <= set(old), page
        lost = [line for line in old if line not in new]
        assert all(
            capture[:12] in line or "5551234" in line or line.startswith("id: ")
            for line in lost
        ), lost
    shown = show_target(wiki.ws, "Anna Weber")
    assert mark in [note["words"] for note in shown["statements"]]
    assert len(shown["statements"]) == 4, "every note still stands on its page"
    sound(wiki)


def test_words_of_a_note_that_lost_go_from_the_page_and_from_cold_memory(
    tmp_path: Path,
) -> None:
    wiki, ids = tell_of_anna(tmp_path)
    page = show_target(wiki.ws, "Anna Weber")
    lost = retire_statement(
        page["text"],
        ids["wept."][:12],
        "2026-11-03",
        f"[[Anna Weber#^{ids['Oslo.'][:12]}|Anna Weber lives in Oslo]]",
        "it lost",
    )
    wiki.write(page["path"], lost)
    wiki.commit()
    erased(wiki, ids["wept."])
    assert gone(wiki, re.compile(rb"wept")) == []
    assert "[[Anna Weber#^" in (wiki.root / page["path"]).read_text()
    sound(wiki)


def test_a_vault_below_a_repository_and_two_secrets(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    root.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "trunk", str(root)], check=True)
    (root / "top.txt").write_text(f"above the wiki: {SECRET}")
    wiki = Wiki(root / "vault")
    (root / "vault").mkdir()
    wiki.write("a.md", "# A\n\nsesame-open-42\n")
    from tests.wiki import git, person

    person(root)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "mine")
    wiki.init()
    wiki.ingest(f"{SECRET} and sesame-open-42")
    wiki.consolidate()
    erased(wiki, SECRET, "sesame-open-42")

    whole = Wiki(root)
    assert (
        gone(whole) == gone(whole, re.compile(b"sesame", re.IGNORECASE)) == []
    )
    check_index(wiki)
    check_health(wiki)


def test_linked_work_trees_are_refused(wiki: Wiki, tmp_path: Path) -> None:
    wiki.git("worktree", "add", "-q", str(tmp_path / "linked"), "side")
    with pytest.raises(LinkedWorktrees):
        erase.erase(wiki.ws, [SECRET])


def test_an_erasure_that_was_killed_is_finished_by_the_same_words(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refs and files have moved, the old objects are still there: the next run says so, and
    finishes it.
    """
    from companion.storage.erasure import scrub

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    wiki.tick()
    word = erase.erase(wiki.ws, [SECRET])["confirm"]
    with monkeypatch.context() as patch:
        patch.setattr(scrub, "drop_objects", killed)
        with pytest.raises(KeyboardInterrupt):
            erase.erase(wiki.ws, [SECRET], confirm=word)
    assert any(
        "erasure was interrupted" in note
        for note in describe_wiki(wiki.ws)["notes"]
    )
    assert [f["kind"] for f in health.doctor(wiki.ws)["findings"]] == [
        "erase-interrupted"
    ]

    done = erased(wiki, SECRET)

    assert done["remains"] == [] == gone(wiki)
    assert not any(
        "interrupted" in note for note in describe_wiki(wiki.ws)["notes"]
    )
    assert len(wiki.events("erased")) == 1
    sound(wiki)


def test_the_place_is_found_by_the_state_folder(wiki: Wiki) -> None:
    """The key is this machine's alone: its file is its owner's, and no copy of the wiki carries
    it.
    """
    erased(wiki, SECRET)
    found = layout.make_place(str(wiki.root))
    assert found is not None
    path = Path(Workspace(found).place.state) / "erased.json"
    assert path.stat().st_mode & 0o077 == 0
    assert FOUND.search(path.read_bytes()) is None
    assert "erased.json" not in wiki.git("ls-files")


@pytest.mark.parametrize(
    "word",
    [
        "consumed",
        "Companion",
        "private",
        "operation",
        "Consolidate",
        ".companion/ledger",
    ],
)
def test_words_that_the_record_itself_is_made_of_are_refused(
    wiki: Wiki, word: str
) -> None:
    """Without them no run could be read: the wiki would be gone, and the leaked words with it."""
    before = wiki.head
    with pytest.raises(OfTheRecord):
        erase.erase(wiki.ws, [word])
    assert wiki.head == before
    sound(wiki)


def test_a_page_is_no_words(wiki: Wiki) -> None:
    """Its name alone would go, and its text stay."""
    page = wiki.show("Cup")
    for target in (page["path"], f"./{page['path']}", page["id"], "Old.md"):
        with pytest.raises(erase.IsAPage) as refused:
            erase.erase(wiki.ws, [target])
        assert "words" in str(refused.value.hint)


def test_bytes_that_are_no_text_are_nowhere(wiki: Wiki) -> None:
    with pytest.raises(NothingFound):
        erase.erase(wiki.ws, ["garden\udcff\udcfewall"])


def test_what_was_read_from_erased_words_goes_with_them(tmp_path: Path) -> None:
    """A claim holds the parts of a sentence: the sentence itself is nowhere in it."""
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("Ada lives in 12 Elm Street.", "Bob works at Initech.")
    wiki.consolidate()

    def read() -> list[str]:
        return [
            claim["object"]
            for event in wiki.events("claims")
            for claim in event["claims"]
        ]

    assert sorted(read()) == ["12 Elm Street", "Initech"]

    erased(wiki, "Ada lives in 12 Elm Street")

    assert gone(wiki, re.compile(rb"Elm")) == []
    assert read() == ["Initech"]
    sound(wiki)


def test_facts_and_corrections_of_erased_words_go_and_other_corrections_stay(
    tmp_path: Path,
) -> None:
    """A page says a sentence's parts in another order, and a hand's correction names what it took
    back.
    """
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(
        "Ada lives in 12 Elm Street.\n\nBob works at Initech.",
        title="People",
        source="mail",
    )
    wiki.consolidate()
    wiki.ingest(
        "Ada lives in Porto.\n\nBob works at Initrode.",
        title="News",
        source="chat",
    )
    wiki.consolidate()
    path = "entries/2026/11/People.md"
    assert "- Ada, lives in: 12 Elm Street" in wiki.read(path)
    wiki.write(
        path, wiki.read(path).replace("works at:: Initrode", "works at:: Acme")
    )
    wiki.adopt()
    wiki.write(
        path,
        wiki.read(path).replace(
            "Ada lives in 12 Elm Street.", "Ada lives in 14 Elm Street."
        ),
    )
    wiki.adopt()

    erased(wiki, "Ada lives in 12 Elm Street")

    assert gone(wiki, re.compile(rb"12 Elm")) == []
    told = {
        (claim["object"], claim.get("mood"))
        for event in wiki.events("claims")
        for claim in event["claims"]
    }
    assert {
        ("Acme", None),
        ("Initrode", "retracted"),
        ("14 Elm Street", None),
        ("Porto", None),
    } <= told
    assert "- Bob, works at:: Acme" in wiki.read(path)
    sound(wiki)
