"""Repositories as they come: wherever a wiki can live, all verbs run, nothing of the person's
changes, index = rebuild.

What cannot be a wiki is refused at init (exit 11, with a hint), and not at night.
"""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.adoption import undo
from companion.maintenance.doctor import run as health
from companion.storage.git.layout import UnsuitableRepo, find_place
from tests.wiki import (
    Wiki,
    check_captures,
    check_health,
    check_index,
    git,
    person,
)

VAULT = {
    "Alpha.md": "# Alpha\n\n[[beta]]\n",
    "sub/beta.md": "heron\n",
    "code.py": "print(1)\n",
    "pixel.png": "\0\1",
}


def repository(root: Path, branch: str = "main", **settings: str) -> Path:
    root.mkdir(parents=True)
    git(root, "init", "-q", "-b", branch)
    person(root)
    for path, text in VAULT.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "mine")
    for key, value in settings.items():
        git(root, "config", key.replace("_", "."), value)
    return root


def theirs(root: Path) -> dict[str, bytes]:
    """Every file of the work tree that existed before companion came."""
    return {
        path: (root / path).read_bytes()
        for path in VAULT
        if (root / path).is_file()
    }


def live(wiki: Wiki) -> None:
    """Run every verb there; nothing of the person's may change."""
    before, status = theirs(wiki.root), wiki.status()
    wiki.init()
    (first,) = wiki.ingest("# Oat milk\n\nin the [[Alpha]] fridge")
    (second,) = wiki.ingest("a lone thought")
    run = wiki.consolidate()
    assert run["counts"]["captures"] == 2
    assert wiki.status() == status
    wiki.write("mine.md", "# Mine\n\nby hand\n")
    assert [item["path"] for item in wiki.adopt()["new"]] == ["mine.md"]
    assert {hit["path"] for hit in wiki.search("fridge")} == {
        "entries/2026/11/Oat milk.md"
    }
    wiki.tick()
    undo.undo(wiki.ws, run["run"])
    assert wiki.consolidate()["run"] is None
    assert (theirs(wiki.root), wiki.status()) == (before, status)
    assert (wiki.root / "mine.md").read_bytes() == b"# Mine\n\nby hand\n"
    assert health.doctor(wiki.ws)["ok"]
    check_index(wiki)
    check_captures(
        wiki,
        {
            first["id"]: b"# Oat milk\n\nin the [[Alpha]] fridge",
            second["id"]: b"a lone thought",
        },
    )
    check_health(wiki)
    wiki.git("fsck", "--strict", "--no-dangling")
    assert find_place(
        str(wiki.root / "sub" if (wiki.root / "sub").is_dir() else wiki.root)
    ).root == str(wiki.root)


# -- where a wiki can live -------------------------------------------------------------------------


def master(tmp: Path) -> Path:
    return repository(tmp / "r", "master")


def slashes(tmp: Path) -> Path:
    return repository(tmp / "r", "notes/2026/ünï")


def linked(tmp: Path) -> Path:
    git(
        repository(tmp / "r"),
        "worktree",
        "add",
        "-q",
        "-b",
        "wiki",
        str(tmp / "linked"),
    )
    return tmp / "linked"


def linked_to_bare(tmp: Path) -> Path:
    """A bare repository whose branches are all checked out beside it."""
    git(
        tmp,
        "clone",
        "-q",
        "--bare",
        str(repository(tmp / "r")),
        str(tmp / "project.git"),
    )
    person(tmp / "project.git")
    git(tmp / "project.git", "worktree", "add", "-q", str(tmp / "main"), "main")
    return tmp / "main"


def submodule(tmp: Path) -> Path:
    """The wiki is a submodule: its .git is a file, and its git folder lies in the outer one's."""
    repository(tmp / "inner")
    outer = repository(tmp / "outer")
    git(
        outer,
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "-q",
        str(tmp / "inner"),
        "notes",
    )
    git(outer, "commit", "-q", "-m", "with notes")
    person(outer / "notes")
    return outer / "notes"


def separate(tmp: Path) -> Path:
    repository(tmp / "r")
    git(
        tmp / "r",
        "init",
        "-q",
        "--separate-git-dir",
        str(tmp / "elsewhere.git"),
    )
    return tmp / "r"


def subfolder(tmp: Path) -> Path:
    return repository(tmp / "r") / "sub"


def shallow(tmp: Path) -> Path:
    repository(tmp / "r")
    for n in range(3):
        (tmp / "r" / "Alpha.md").write_text(f"# Alpha\n\n[[beta]]\n{n}\n")
        git(tmp / "r", "commit", "-qam", str(n))
    git(
        tmp, "clone", "-q", "--depth=1", f"file://{tmp}/r", str(tmp / "shallow")
    )
    person(tmp / "shallow")
    return tmp / "shallow"


def packed(tmp: Path) -> Path:
    root = repository(tmp / "r")
    git(root, "gc", "-q")
    git(root, "pack-refs", "--all")
    return root


def autocrlf(tmp: Path) -> Path:
    root = repository(tmp / "r", core_autocrlf="true")
    for path in ("Alpha.md", "sub/beta.md", "code.py"):
        (root / path).unlink()
    git(root, "checkout", "-q", "--", ".")
    assert b"\r\n" in (root / "Alpha.md").read_bytes()
    return root


def attributes(tmp: Path) -> Path:
    root = repository(tmp / "r")
    (root / ".gitattributes").write_text("*.md text eol=crlf\n*.py ident\n")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "attributes")
    shutil.rmtree(root / "sub")
    git(root, "checkout", "-q", "--", "sub")
    return root


def large_files(tmp: Path) -> Path:
    root = repository(tmp / "r")
    (root / ".gitattributes").write_text(
        "*.png filter=lfs diff=lfs merge=lfs -text\n"
    )
    git(root, "add", ".gitattributes")
    git(root, "commit", "-q", "-m", "lfs")
    for what in ("clean", "smudge"):
        git(root, "config", f"filter.lfs.{what}", "cat")
    git(root, "config", "filter.lfs.required", "true")
    return root


def index_4(tmp: Path) -> Path:
    root = repository(
        tmp / "r",
        index_version="4",
        core_untrackedCache="true",
        core_preloadIndex="true",
    )
    git(root, "update-index", "--index-version", "4", "--force-untracked-cache")
    return root


def hidden_changes(tmp: Path) -> Path:
    """Pages whose changes git was told not to see."""
    root = repository(tmp / "r")
    git(root, "update-index", "--skip-worktree", "Alpha.md")
    git(root, "update-index", "--assume-unchanged", "sub/beta.md")
    (root / "Alpha.md").write_text("# Alpha\n\nnot for git\n")
    (root / "sub/beta.md").write_text("nor this\n")
    return root


def hooks(tmp: Path) -> Path:
    """Hooks that say no, where git keeps them and where a setting names them."""
    root = repository(tmp / "r")
    names = (
        "pre-commit",
        "commit-msg",
        "post-commit",
        "reference-transaction",
        "pre-auto-gc",
    )
    for folder in (root / ".git" / "hooks", tmp / "hooks"):
        folder.mkdir(exist_ok=True)
        for name in names:
            (folder / name).write_text(
                f"#!{sys.executable}\nopen({str(tmp / 'hooked')!r}, 'w')\nraise SystemExit(1)\n"
            )
            (folder / name).chmod(0o755)
    git(root, "config", "core.hooksPath", str(tmp / "hooks"))
    return root


def unborn(tmp: Path) -> Path:
    root = repository(tmp / "r")
    shutil.rmtree(root / ".git")
    git(root, "init", "-q", "-b", "trunk")
    person(root)
    return root


def not_ours_alone(tmp: Path) -> Path:
    root = repository(
        tmp / "r",
        core_sharedRepository="group",
        core_logAllRefUpdates="false",
        core_fileMode="false",
    )
    (root / "Alpha.md").chmod(0o755)
    return root


HOMES: list[Callable[[Path], Path]] = [
    master,
    slashes,
    linked,
    linked_to_bare,
    submodule,
    separate,
    subfolder,
    shallow,
    packed,
    autocrlf,
    attributes,
    large_files,
    index_4,
    hidden_changes,
    hooks,
    not_ours_alone,
]


@pytest.mark.parametrize("make", HOMES, ids=lambda make: make.__name__)
def test_a_wiki_can_live_there(
    tmp_path: Path, make: Callable[[Path], Path]
) -> None:
    live(Wiki(make(tmp_path)))
    assert not (tmp_path / "hooked").exists()


def test_a_repository_before_its_first_commit(tmp_path: Path) -> None:
    wiki = Wiki(unborn(tmp_path))
    before = theirs(wiki.root)
    assert wiki.init()["branch"] == "trunk"
    wiki.ingest("oat")
    wiki.consolidate()
    assert theirs(wiki.root) == before
    check_index(wiki)
    check_health(wiki)


def test_the_outer_repository_of_a_submodule_sees_a_moved_submodule_and_no_more(
    tmp_path: Path,
) -> None:
    wiki = Wiki(submodule(tmp_path))
    live(wiki)
    assert git(tmp_path / "outer", "status", "--porcelain").split() == [
        "M",
        "notes",
    ]


def test_a_vault_in_a_folder_leaves_the_rest_of_the_repository_alone(
    tmp_path: Path,
) -> None:
    root = subfolder(tmp_path).parent
    outside = {
        path: data
        for path, data in theirs(root).items()
        if not path.startswith("sub/")
    }
    (root / "code.py").write_text("print(2)\n")
    git(root, "add", "code.py")
    live(Wiki(root / "sub"))
    assert git(root, "diff", "--cached", "--name-only").split() == ["code.py"]
    assert {
        path: data for path, data in theirs(root).items() if path in outside
    } == outside | {"code.py": b"print(2)\n"}
    assert git(root, "diff", "--name-only", "HEAD", "--", ":!sub").split() == [
        "code.py"
    ]


# -- what cannot be a wiki -------------------------------------------------------------------------


def bare(tmp: Path) -> Path:
    git(
        tmp,
        "clone",
        "-q",
        "--bare",
        str(repository(tmp / "r")),
        str(tmp / "bare.git"),
    )
    return tmp / "bare.git"


def inside_git(tmp: Path) -> Path:
    return repository(tmp / "r") / ".git" / "hooks"


def split(tmp: Path) -> Path:
    return repository(tmp / "r", core_splitIndex="true")


def split_once(tmp: Path) -> Path:
    """No setting says so: the index simply is."""
    root = repository(tmp / "r")
    git(root, "update-index", "--split-index")
    return root


def sparse(tmp: Path) -> Path:
    root = repository(tmp / "r")
    git(root, "sparse-checkout", "set", "sub")
    return root


def partial(tmp: Path) -> Path:
    root = repository(tmp / "r", uploadpack_allowFilter="true")
    git(
        tmp,
        "clone",
        "-q",
        "--no-local",
        "--filter=blob:none",
        f"file://{root}",
        str(tmp / "partial"),
    )
    return tmp / "partial"


def sha256(tmp: Path) -> Path:
    git(tmp, "init", "-q", "--object-format=sha256", str(tmp / "r"))
    return tmp / "r"


REFUSED: list[Callable[[Path], Path]] = [
    bare,
    inside_git,
    split,
    split_once,
    sparse,
    partial,
    sha256,
]


@pytest.mark.parametrize("make", REFUSED, ids=lambda make: make.__name__)
def test_what_cannot_be_a_wiki_is_refused_at_init_with_a_way_out(
    tmp_path: Path, make: Callable[[Path], Path]
) -> None:
    root = make(tmp_path)
    before = {
        path: path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }
    with pytest.raises(UnsuitableRepo) as caught:
        Wiki(root).init()
    assert (caught.value.exit_code, bool(caught.value.hint)) == (11, True)
    assert {
        path: path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    } == before


@pytest.mark.parametrize(
    ("make", "way_out"),
    [
        (split_once, ["update-index", "--no-split-index"]),
        (split, ["config", "core.splitIndex", "false"]),
        (sparse, ["sparse-checkout", "disable"]),
    ],
    ids=["split_once", "split", "sparse"],
)
def test_the_way_out_that_the_hint_names_works(
    tmp_path: Path, make: Callable[[Path], Path], way_out: list[str]
) -> None:
    wiki = Wiki(make(tmp_path))
    with pytest.raises(UnsuitableRepo) as caught:
        wiki.init()
    assert " ".join(["git", *way_out]) in caught.value.hint
    wiki.git(*way_out)
    live(wiki)


def test_an_index_that_was_split_meanwhile_stops_the_night_and_not_the_reads(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki", {"a.md": "oat\n"})
    wiki.ingest("oat milk")
    wiki.git("update-index", "--split-index")
    with pytest.raises(UnsuitableRepo, match="split"):
        wiki.consolidate()
    assert len(wiki.search("oat")) == 2
    wiki.git("update-index", "--no-split-index")
    assert any(
        name.startswith("sharedindex.")
        for name in os.listdir(wiki.root / ".git")
    ), "git leaves it for a while"
    assert wiki.consolidate()["counts"]["captures"] == 1
    check_health(wiki)
