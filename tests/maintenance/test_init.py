"""Setting up a wiki in place, byte for byte, and adopting what a person did by hand."""

import os
import shutil
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import pytest

from companion.errors import CompanionError
from companion.maintenance import init as care
from companion.storage.git.command import GitMissing, run_git
from companion.storage.git.layout import NotAWiki, UnsuitableRepo, find_place
from companion.storage.git.repo import TryLater
from companion.storage.git.setup import CannotInit
from companion.storage.index import schema as index
from tests.wiki import Wiki, check_health, check_index, git, person

VAULT = {
    "Alpha.md": "# Alpha\r\n\r\n[[beta]]\r\n",
    "sub/beta.md": "\ufeffno newline",
    "Ünïcode — note.md": "x",
    "image.png": "not text",
    ".obsidian/app.json": "{}",
    "README.md": "# Read me",
}


def fill(root: Path, files: dict[str, str] = VAULT) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())


def repository(
    root: Path, files: dict[str, str] = VAULT, branch: str = "main"
) -> Wiki:
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q", "-b", branch)
    person(root)
    wiki = Wiki(root)
    fill(root, files)
    if files:
        wiki.commit("mine")
    return wiki


def snapshot(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
        and ".git" not in path.parts
        and ".companion" not in path.parts
    }


# -- init ------------------------------------------------------------------------------------------


def test_a_new_wiki(tmp_path: Path) -> None:
    wiki = Wiki(tmp_path / "deep" / "wiki")
    done = wiki.init()
    assert (done["created"], done["branch"], done["pages"], done["commit"]) == (
        True,
        "main",
        0,
        wiki.head,
    )
    assert "\nadopt: commit\n" in wiki.read(".companion/companion.yaml")
    assert (wiki.commits(), wiki.status(), wiki.files()) == (1, "", {})
    check_index(wiki)
    check_health(wiki)


def test_a_folder_of_notes_becomes_a_wiki_byte_for_byte(tmp_path: Path) -> None:
    fill(tmp_path)
    before = snapshot(tmp_path)
    wiki = Wiki(tmp_path)
    done = wiki.init()
    assert snapshot(tmp_path) == before
    assert (done["created"], done["pages"]) == (True, 4)
    assert wiki.files() == {
        path: text.encode()
        for path, text in VAULT.items()
        if path.endswith(".md")
    }
    assert sorted(e["path"] for e in wiki.events("registered")) == [
        "Alpha.md",
        "sub/beta.md",
        "Ünïcode — note.md",
    ]
    assert wiki.status().splitlines() == ["?? .obsidian/", "?? image.png"], (
        "what is no page is left to its owner"
    )
    check_index(wiki)
    check_health(wiki)


def test_a_repository_keeps_its_history_its_index_and_what_is_not_committed(
    tmp_path: Path,
) -> None:
    wiki = repository(tmp_path)
    wiki.write("Alpha.md", "changed\n")
    wiki.write("staged.md", "staged\n")
    wiki.git("add", "staged.md")
    wiki.write("staged.md", "and changed\n")
    wiki.write("new.md", "new\n")
    before = (
        snapshot(tmp_path),
        wiki.status(),
        wiki.files(),
        wiki.git("ls-files", "-s"),
    )
    done = wiki.init()
    assert (done["created"], done["branch"]) == (False, "main")
    assert (snapshot(tmp_path), wiki.status(), wiki.files()) == before[:3]
    ours = [
        line
        for line in wiki.git("ls-files", "-s").splitlines()
        if ".companion/" not in line
    ]
    assert ours == before[3].splitlines()
    assert "\nadopt: ask\n" in wiki.read(".companion/companion.yaml")
    assert wiki.commits() == 2
    check_index(wiki)


def test_init_again_and_on_a_clone_commits_nothing(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki", {"a.md": "x"})
    head = wiki.head
    again = wiki.init()
    assert (again["commit"], again["run"], wiki.head) == (None, None, head)
    clone = wiki.clone(tmp_path / "clone")
    assert (clone.head, clone.status()) == (head, "")
    assert [hit["path"] for hit in clone.search("x")] == ["a.md"]
    check_index(clone)


def test_a_preview_touches_nothing(tmp_path: Path) -> None:
    fill(tmp_path / "vault")
    assert Wiki(tmp_path / "vault").init(dry_run=True)["pages"] == 4
    assert not (tmp_path / "vault" / ".git").exists()
    assert Wiki(tmp_path / "none").init(dry_run=True)["created"] is True
    assert not (tmp_path / "none").exists()


def test_the_branch_of_the_person_is_the_wikis(tmp_path: Path) -> None:
    wiki = repository(tmp_path, branch="master")
    assert wiki.init()["branch"] == "master"
    wiki.ingest("oat milk")
    wiki.consolidate()
    assert wiki.git("branch", "--format=%(refname:short)").split() == ["master"]


def test_a_branch_without_a_commit(tmp_path: Path) -> None:
    wiki = repository(tmp_path, {}, branch="trunk")
    fill(tmp_path)
    wiki.git("add", "Alpha.md")
    done = wiki.init()
    assert (done["branch"], wiki.commits()) == ("trunk", 1)
    assert [item["path"] for item in done["left_out"]] == ["Alpha.md"]
    assert "Alpha.md" not in wiki.files()
    assert wiki.git("diff", "--cached", "--name-only").split() == ["Alpha.md"]
    check_index(wiki)


def test_a_vault_inside_a_repository_minds_its_own_folder(
    tmp_path: Path,
) -> None:
    name = "mein [Wissen] ü"
    outer = repository(
        tmp_path,
        {
            "code.py": "x",
            f"{name}/Alpha.md": "# Alpha\n",
            "Other.md": "[[Alpha]]",
        },
    )
    wiki = Wiki(tmp_path / name, outer.now)
    wiki.init()
    assert wiki.ws.place.prefix == f"{name}/"
    outer.write("Other.md", "not of the vault\n")
    wiki.write("new.md", "of the vault\n")
    adopted = wiki.adopt()
    assert [item["path"] for item in adopted["new"]] == ["new.md"]
    wiki.ingest("# Oat milk")
    done = wiki.consolidate()
    assert (tmp_path / name / "entries/2026/11/Oat milk.md").is_file()
    assert git(tmp_path, "status", "--porcelain").split() == ["M", "Other.md"]
    from companion.reading.log import list_runs

    runs = list_runs(wiki.ws)["runs"]
    assert [run["commit"] for run in runs][:2] == [
        done["commit"],
        adopted["commit"],
    ]
    assert (
        git(tmp_path, "show", "--stat", "--format=", "HEAD", "--", "code.py")
        == ""
    )
    assert (
        git(tmp_path, "ls-tree", "-r", "-z", "--name-only", "HEAD").count(
            ".companion/companion.yaml"
        )
        == 1
    )
    assert find_place(str(tmp_path / name / "entries")).root == str(
        tmp_path / name
    )
    check_index(wiki)
    check_health(wiki)


@pytest.mark.parametrize(
    ("first", "second"), [("", "sub"), ("sub", ""), ("sub", "other")]
)
def test_a_second_wiki_in_one_repository_is_refused(
    tmp_path: Path, first: str, second: str
) -> None:
    """Both would share one state: the first one's captures would wait again in the second."""
    outer = repository(tmp_path)
    (tmp_path / "other").mkdir()
    wiki = Wiki(tmp_path / first, outer.now)
    wiki.init()
    wiki.ingest("oat")
    before = wiki.head, snapshot(tmp_path)

    with pytest.raises(UnsuitableRepo, match="lies in the repository of"):
        care.init(str(tmp_path / second))
    with pytest.raises(UnsuitableRepo, match="lies in the repository of"):
        care.init(str(tmp_path / second), dry_run=True)

    assert (wiki.head, snapshot(tmp_path)) == before
    assert find_place(str(wiki.root)).root == str(wiki.root)
    assert wiki.ws.journal().open_count("") == 1


def test_a_wiki_whose_folder_was_renamed_is_made_there_again(
    tmp_path: Path,
) -> None:
    outer = repository(tmp_path)
    wiki = Wiki(tmp_path / "sub", outer.now)
    wiki.init()
    outer.git("mv", "sub", "notes")
    outer.commit("renamed")
    if (tmp_path / "sub").exists():
        shutil.rmtree(tmp_path / "sub")
    care.init(str(tmp_path / "notes"))
    assert find_place(str(tmp_path / "notes")).root == str(tmp_path / "notes")


def test_a_machine_without_git_is_told_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki = Wiki.new(tmp_path / "wiki", {"Alpha.md": "# Alpha\n"})
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitMissing) as caught:
        care.init(str(tmp_path / "second"))
    assert caught.value.exit_code == 74
    with pytest.raises(GitMissing):
        run_git(wiki.ws.place, "status")


def test_a_configuration_that_is_there_already_is_kept(tmp_path: Path) -> None:
    wiki = repository(tmp_path)
    wiki.write(".companion/companion.yaml", "adopt: commit\nentries: notes\n")
    wiki.init()
    assert (
        wiki.read(".companion/companion.yaml")
        == "adopt: commit\nentries: notes\n"
    )
    wiki.ingest("buy some", title="Oat milk")
    assert wiki.consolidate()["integrated"][0]["path"].startswith("notes/")


def test_a_linked_work_tree(tmp_path: Path) -> None:
    repository(tmp_path / "main", {"a.md": "x"})
    git(
        tmp_path / "main",
        "worktree",
        "add",
        "-q",
        "-b",
        "wiki",
        str(tmp_path / "linked"),
    )
    wiki = Wiki(tmp_path / "linked")
    assert wiki.init()["branch"] == "wiki"
    wiki.ingest("oat milk")
    assert wiki.consolidate()["commit"] == wiki.head
    assert wiki.status() == ""
    check_index(wiki)


def bare(root: Path) -> None:
    git(root.parent, "init", "-q", "--bare", str(root))


def sha256(root: Path) -> None:
    git(root.parent, "init", "-q", "--object-format=sha256", str(root))


def asked(key: str) -> Any:
    def make(root: Path) -> None:
        repository(root)
        git(root, "config", key, "true")

    return make


@pytest.mark.parametrize(
    "make",
    [bare, sha256, asked("core.sparseCheckout"), asked("core.splitIndex")],
)
def test_repositories_whose_rules_we_cannot_keep_are_refused(
    tmp_path: Path, make: Any
) -> None:
    root = tmp_path / "repo"
    make(root)
    before = sorted(str(path) for path in root.rglob("*"))
    with pytest.raises(UnsuitableRepo) as caught:
        Wiki(root).init()
    assert caught.value.exit_code == 11
    assert sorted(str(path) for path in root.rglob("*")) == before
    with pytest.raises(NotAWiki) as missing:
        find_place(str(root))
    assert missing.value.exit_code == 10


def detached(wiki: Wiki) -> None:
    wiki.git("checkout", "-q", "--detach")


def merging(wiki: Wiki) -> None:
    (wiki.root / ".git" / "MERGE_HEAD").write_text(wiki.head + "\n")


def rebasing(wiki: Wiki) -> None:
    (wiki.root / ".git" / "rebase-merge").mkdir()


@pytest.mark.parametrize("put", [detached, merging, rebasing])
def test_a_repository_in_the_middle_of_something_is_left_alone(
    tmp_path: Path, put: Any
) -> None:
    wiki = repository(tmp_path)
    put(wiki)
    config = (tmp_path / ".git" / "config").read_bytes()
    with pytest.raises(TryLater) as caught:
        wiki.init()
    assert caught.value.exit_code == 75
    assert (tmp_path / ".git" / "config").read_bytes() == config
    assert not (tmp_path / ".companion").exists()


def test_a_place_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(CannotInit) as caught:
        Wiki(tmp_path / "file" / "wiki").init()
    assert caught.value.exit_code == 74


# -- adopt -----------------------------------------------------------------------------------------


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(
        tmp_path / "wiki",
        {
            "Alpha.md": "# Alpha\n\nline\nline 2\n[[Beta]]\n",
            "Beta.md": "b\n",
            "c.md": "c\n",
        },
    )


def summary(done: dict[str, Any]) -> dict[str, list[str]]:
    return {
        kind: [item["path"] for item in done[kind]]
        for kind in ("new", "edited", "renamed", "deleted", "left_out")
    }


def nothing(**some: list[str]) -> dict[str, list[str]]:
    return {
        "new": [],
        "edited": [],
        "renamed": [],
        "deleted": [],
        "left_out": [],
        **some,
    }


def test_edits_are_committed_in_the_persons_name_byte_for_byte(
    wiki: Wiki,
) -> None:
    new = "tab\there \r\n\ufeff no end"
    wiki.write("Alpha.md", "edited\r\n")
    wiki.write("new/ö.md", new)
    (wiki.root / "Beta.md").unlink()
    before = snapshot(wiki.root)
    done = wiki.adopt()
    assert summary(done) == nothing(
        new=["new/ö.md"], edited=["Alpha.md"], deleted=["Beta.md"]
    )
    assert snapshot(wiki.root) == before
    assert wiki.files()["new/ö.md"] == new.encode()
    assert (
        wiki.git("log", "-1", "--format=%an <%ae>").strip()
        == "Ada <ada@example.org>"
    )
    assert wiki.status() == ""
    assert wiki.adopt()["commit"] is None
    check_index(wiki)
    check_health(wiki)


def test_renames_exact_and_similar_keep_the_entry(wiki: Wiki) -> None:
    ids = {name: wiki.show(name)["id"] for name in ("Alpha", "Beta")}
    (wiki.root / "Alpha.md").rename(wiki.root / "Omega.md")
    wiki.write("Omega.md", wiki.read("Omega.md") + "one more\n")
    (wiki.root / "sub").mkdir()
    (wiki.root / "Beta.md").rename(wiki.root / "sub" / "Beta.md")
    assert summary(wiki.adopt()) == nothing(renamed=["sub/Beta.md", "Omega.md"])
    assert wiki.show("Omega.md")["id"] == ids["Alpha"]
    assert wiki.show("sub/Beta.md")["id"] == ids["Beta"]
    check_index(wiki)


def test_renames_by_the_persons_own_git_are_recorded_by_the_next_night(
    wiki: Wiki,
) -> None:
    id = wiki.show("Alpha")["id"]
    wiki.git("mv", "Alpha.md", "alpha.md")
    wiki.commit()
    assert wiki.consolidate()["commit"] is not None
    assert wiki.show("alpha.md")["id"] == id
    assert [event["from"] for event in wiki.events("renamed")] == ["Alpha.md"]


def test_a_new_note_with_the_old_name_and_words_is_another_entry(
    wiki: Wiki,
) -> None:
    """Untitled.md, empty, renamed; and the next day Untitled.md, empty, again."""
    wiki.write("Untitled.md", "")
    wiki.adopt()
    first = wiki.show("Untitled.md")["id"]
    (wiki.root / "Untitled.md").rename(wiki.root / "Named.md")
    wiki.adopt()
    second = wiki.show("Named.md")["id"]
    wiki.write("Untitled.md", "")
    check_index(wiki)
    wiki.adopt()
    assert second == first
    assert (
        len({wiki.show(name)["id"] for name in ("Untitled.md", "Named.md")})
        == 2
    )
    check_index(wiki)


def test_staged_ignored_and_foreign_files_are_never_touched(wiki: Wiki) -> None:
    wiki.write(".gitignore", "ignored.md\n")
    wiki.commit()
    wiki.write("staged.md", "staged\n")
    wiki.git("add", "staged.md")
    wiki.write("staged.md", "changed after\n")
    wiki.write("Alpha.md", "staged\n")
    wiki.git("add", "Alpha.md")
    wiki.git("rm", "-q", "--cached", "Beta.md")
    wiki.write("ignored.md", "x")
    wiki.write("other.txt", "x")
    wiki.write(".hidden/x.md", "x")
    wiki.write("c.md", "mine\n")
    before = (snapshot(wiki.root), wiki.git("diff", "--cached", "--raw"))
    done = wiki.adopt()
    assert summary(done) == nothing(
        edited=["c.md"], left_out=["Alpha.md", "Beta.md", "staged.md"]
    )
    assert (
        snapshot(wiki.root),
        wiki.git("diff", "--cached", "--raw"),
    ) == before
    assert "ignored.md" not in wiki.files()
    check_index(wiki)


def test_what_was_only_announced_to_git_is_adopted(wiki: Wiki) -> None:
    wiki.write("new.md", "x\n")
    wiki.git("add", "-N", "new.md")
    assert summary(wiki.adopt()) == nothing(new=["new.md"])
    assert wiki.status() == ""


def test_the_mode_of_a_page_is_the_persons(wiki: Wiki) -> None:
    (wiki.root / "c.md").chmod(0o755)
    wiki.adopt()
    assert wiki.git("ls-tree", "HEAD", "c.md").startswith("100755")
    assert wiki.status() == ""


def test_line_ends_are_converted_as_git_does_and_the_files_stay(
    wiki: Wiki,
) -> None:
    wiki.write(".gitattributes", "*.md text eol=crlf\n")
    wiki.commit()
    wiki.write("Alpha.md", "one\r\ntwo\r\n")
    wiki.write("new.md", "x\r\n")
    wiki.adopt()
    assert (wiki.files()["Alpha.md"], wiki.files()["new.md"]) == (
        b"one\ntwo\n",
        b"x\n",
    )
    assert wiki.read("Alpha.md") == "one\r\ntwo\r\n"
    assert wiki.status() == ""
    wiki.ingest("# Oat milk")
    wiki.consolidate()
    wiki.ingest("# Oat milk\n\nmore")
    assert wiki.consolidate()["counts"]["grown"] == 1
    assert wiki.status() == ""
    check_index(wiki)


def test_attributes_of_the_persons_own_count_too(
    wiki: Wiki, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config" / "git").mkdir(parents=True)
    (tmp_path / "config" / "git" / "attributes").write_text(
        "*.md text eol=crlf\n"
    )
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    wiki.write("new.md", "x\r\n")
    wiki.adopt()
    assert (wiki.files()["new.md"], wiki.read("new.md"), wiki.status()) == (
        b"x\n",
        "x\r\n",
        "",
    )


def test_a_filter_program_is_never_run(wiki: Wiki, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    wiki.write(".gitattributes", "big*.md filter=lfs\n")
    wiki.write("big.md", "pointer\n")
    blob = wiki.git("hash-object", "-w", "--no-filters", "big.md").strip()
    wiki.git("add", ".gitattributes")
    wiki.git("update-index", "--add", "--cacheinfo", f"100644,{blob},big.md")
    wiki.git("commit", "-q", "-m", "lfs")
    for what in ("clean", "smudge", "process"):
        wiki.git("config", f"filter.lfs.{what}", f"touch {ran}; cat")
    wiki.git("config", "filter.lfs.required", "true")
    wiki.git("config", "core.fsmonitor", f"touch {ran}")
    wiki.write("big.md", "the large thing\n")
    wiki.write("bigger.md", "another\n")
    wiki.write("c.md", "mine\n")
    wiki.ingest("oat milk")
    done = wiki.adopt()
    wiki.consolidate()
    wiki.search("oat")
    assert not ran.exists()
    assert summary(done) == nothing(
        new=["big.md"], edited=["c.md"], left_out=["big.md", "bigger.md"]
    )
    assert wiki.read("big.md") == "the large thing\n"


def test_symlinks_are_left_alone_and_not_followed(
    wiki: Wiki, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("theirs")
    (wiki.root / "link.md").symlink_to(outside / "secret.md")
    (wiki.root / "folder").symlink_to(outside)
    (wiki.root / "c.md").unlink()
    (wiki.root / "c.md").symlink_to("Alpha.md")
    done = wiki.adopt()
    assert summary(done)["new"] == summary(done)["edited"] == []
    assert "theirs" not in str(wiki.files())
    assert (wiki.root / "c.md").is_symlink()


def test_a_committed_symlink_is_no_page(wiki: Wiki) -> None:
    (wiki.root / "link.md").symlink_to("Alpha.md")
    wiki.commit()
    wiki.consolidate()
    assert "link.md" not in [
        event["path"] for event in wiki.events("registered")
    ]
    check_index(wiki)


def test_submodules_and_nested_repositories_are_not_entered(
    wiki: Wiki, tmp_path: Path
) -> None:
    inner = repository(tmp_path / "inner", {"in.md": "x"})
    wiki.git(
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "-q",
        str(inner.root),
        "sub",
    )
    wiki.commit()
    (wiki.root / "sub" / "in.md").write_text("changed")
    repository(wiki.root / "nested", {"deep.md": "x"})
    wiki.write("c.md", "mine\n")
    assert summary(wiki.adopt()) == nothing(edited=["c.md"])
    assert wiki.git("ls-tree", "HEAD", "sub").startswith("160000 commit")
    wiki.ingest("oat milk")
    wiki.consolidate()
    assert wiki.git("ls-tree", "HEAD", "sub").startswith("160000 commit")
    check_index(wiki)


def test_hooks_do_not_run(wiki: Wiki, tmp_path: Path) -> None:
    hooks = wiki.root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in (
        "pre-commit",
        "post-commit",
        "reference-transaction",
        "post-index-change",
        "post-checkout",
    ):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/hooked\n")
        (hooks / name).chmod(0o755)
    wiki.write("c.md", "mine\n")
    wiki.adopt()
    wiki.ingest("oat milk")
    wiki.consolidate()
    assert not (tmp_path / "hooked").exists()


def test_odd_names_are_adopted_or_left_but_never_break_the_night(
    wiki: Wiki,
) -> None:
    for name in (
        'q"uote.md',
        "back\\slash.md",
        "new\nline.md",
        " space .md",
        "-rf.md",
        "tab\t.md",
        "con.md",
        "a:b.md",
    ):
        wiki.write(name, "x")
    with open(os.fsencode(wiki.root) + b"/not-utf8-\xff.md", "wb") as file:
        file.write(b"x")
    done = wiki.adopt()
    assert {
        'q"uote.md',
        "back\\slash.md",
        " space .md",
        "-rf.md",
        "con.md",
        "a:b.md",
    } == set(summary(done)["new"])
    wiki.ingest("oat milk")
    wiki.consolidate()
    check_index(wiki)


def test_a_dry_run_of_adopt_changes_nothing(wiki: Wiki) -> None:
    wiki.write("c.md", "mine\n")
    before = (wiki.head, wiki.status())
    done = wiki.adopt(dry_run=True)
    assert (summary(done)["edited"], done["run"]) == (["c.md"], None)
    assert (wiki.head, wiki.status()) == before
    check_index(wiki)


def test_an_excluded_page_is_found_but_is_no_entry_and_was_not_deleted(
    wiki: Wiki,
) -> None:
    wiki.write(".companion/companion.yaml", 'exclude: ["Alpha.md"]\n')
    wiki.commit()
    wiki.consolidate()
    assert wiki.events("deleted") == []
    assert [hit["path"] for hit in wiki.search("Alpha")] == ["Alpha.md"]
    wiki.write(".companion/companion.yaml", "exclude: []\n")
    wiki.commit()
    assert wiki.consolidate()["commit"] is None
    assert wiki.show("Alpha.md")["state"] == "active"
    check_index(wiki)


def test_rebuild_gives_what_was_there(wiki: Wiki) -> None:
    wiki.ingest("# Oat milk\n\n[[Alpha]]")
    wiki.consolidate()
    before = (wiki.search("oat"), wiki.show("Oat milk"))
    counts = care.rebuild(wiki.ws)
    assert counts == {"entries": 4, "edges": 2, "runs": 2}
    after = wiki.show("Oat milk")
    free = (
        "commit_hash",
        "gravity",
        "weight",
        "vitality",
        "terms",
    )  # a rebuild weighs, and this night had no reason to
    assert (
        wiki.search("oat"),
        {**after, **{name: before[1][name] for name in free}},
    ) == before


def test_every_refusal_has_a_hint() -> None:
    for error in (UnsuitableRepo, CannotInit, NotAWiki, TryLater):
        assert issubclass(error, CompanionError)
    assert NotAWiki("x").hint
    assert TryLater("x").hint


def test_git_itself_finds_nothing_to_complain_about(wiki: Wiki) -> None:
    wiki.write("c.md", "mine\n")
    wiki.adopt()
    wiki.ingest("oat milk")
    wiki.consolidate()
    wiki.git("gc", "-q", "--prune=now")
    done = subprocess.run(
        ["git", "-C", str(wiki.root), "fsck", "--full", "--strict"],
        capture_output=True,
        check=True,
    )
    assert b"error" not in done.stderr + done.stdout
    check_health(wiki)


def test_a_wiki_whose_every_page_is_gone_is_counted_alike_from_scratch(
    tmp_path: Path,
) -> None:
    """After a power cut `doctor` called it damage: what was folded anew had counted nothing, and
    not zero.
    """
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("The harbour opens at six.", title="Harbour")
    wiki.consolidate()
    wiki.git("revert", "--no-edit", "HEAD")
    wiki.adopt()
    grown = [index.read_meta(sql(wiki), key) for key in ("tokens", "docs")]
    care.rebuild(wiki.ws)
    assert (
        [index.read_meta(sql(wiki), key) for key in ("tokens", "docs")]
        == grown
        == ["0", "0"]
    )
    check_health(wiki)


def sql(wiki: Wiki) -> sqlite3.Connection:
    db = index.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    return db


@pytest.mark.parametrize("dry_run", [True, False])
def test_a_home_is_no_wiki(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dry_run: bool
) -> None:
    home = tmp_path / "ada"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for folder in (home, tmp_path):
        with pytest.raises(care.UnsuitablePlace, match="all Markdown below"):
            care.init(str(folder), dry_run=dry_run)

    assert list(home.iterdir()) == []
    assert [path.name for path in tmp_path.iterdir()] == ["ada"]


def test_a_home_that_was_made_a_wiki_before_stays_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    monkeypatch.setenv("HOME", str(wiki.root))

    assert care.init(str(wiki.root))["notes"] == ["this is a wiki already"]
