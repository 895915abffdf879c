"""Objects written without git are git's own, byte for byte."""

import os
import signal
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.storage.files import durable
from companion.storage.git import objects, trees
from companion.storage.git.objects import (
    Pack,
    hash_blob,
    hash_object,
    write_loose,
)
from companion.storage.git.trees import (
    EMPTY_TREE,
    TREE,
    Change,
    Entry,
    TreeConflict,
    UnsafePath,
    check_path,
    edit_tree,
    encode_tree,
    parse_tree,
)

ENV = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "LC_ALL": "C",
}


def git(
    repo: Path, *args: str, stdin: bytes = b"", index: str = "index"
) -> bytes:
    env = {**ENV, "GIT_INDEX_FILE": str(repo / ".git" / index)}
    done = subprocess.run(
        ["git", "-C", str(repo), *args],
        input=stdin,
        env=env,
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(tmp_path)], env=ENV, check=True)
    return tmp_path


@pytest.fixture(scope="module")
def shared_repo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("repo")
    subprocess.run(["git", "init", "-q", str(path)], env=ENV, check=True)
    return path


# --- ids and loose objects
# ----------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", b"a", b"caf\xc3\xa9\r\n\0\xff" * 1000])
def test_a_blob_id_is_gits(repo, data):
    assert (
        hash_blob(data)
        == git(repo, "hash-object", "--stdin", "--no-filters", stdin=data)
        .decode()
        .strip()
    )


@pytest.mark.parametrize("sync", [False, True])
def test_a_loose_object_is_gits(repo, sync):
    oid = write_loose(str(repo / ".git/objects"), "blob", b"words\n", sync=sync)

    assert git(repo, "cat-file", "blob", oid) == b"words\n"
    git(repo, "fsck", "--strict")
    path = repo / ".git/objects" / oid[:2] / oid[2:]
    assert path.stat().st_mode & 0o777 == 0o444
    assert os.listdir(path.parent) == [path.name]


def test_an_existing_object_is_left_alone(repo):
    folder = str(repo / ".git/objects")
    oid = (
        git(repo, "hash-object", "-w", "--stdin", stdin=b"words\n")
        .decode()
        .strip()
    )
    path = repo / ".git/objects" / oid[:2] / oid[2:]
    before = path.stat()

    assert (
        write_loose(folder, "blob", b"words\n")
        == write_loose(folder, "blob", b"words\n", sync=True)
        == oid
    )

    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (
        before.st_ino,
        before.st_mtime_ns,
    )


@pytest.mark.parametrize(
    "damage", [b"", b"\0" * 30, zlib.compress(b"blob 5\0wrong")[:-3]]
)
def test_an_object_that_a_power_cut_damaged_is_mended_when_anchored(
    repo, damage
):
    folder = str(repo / ".git/objects")
    oid = write_loose(folder, "blob", b"words\n")
    path = repo / ".git/objects" / oid[:2] / oid[2:]
    path.unlink()
    path.write_bytes(damage)

    write_loose(folder, "blob", b"words\n", sync=True)

    assert git(repo, "cat-file", "blob", oid) == b"words\n"


def test_a_loose_object_has_its_bytes_before_its_name(repo, monkeypatch):
    """A power cut left empty objects, which git took for stored ones for ever."""
    done = []
    fsync, link = os.fsync, os.link
    monkeypatch.setattr(
        os, "fsync", lambda fd: (done.append("fsync"), fsync(fd))
    )
    monkeypatch.setattr(
        os, "link", lambda *a, **k: (done.append("link"), link(*a, **k))
    )

    write_loose(str(repo / ".git/objects"), "blob", b"words\n")

    assert done == ["fsync", "link"]


LOOSE = """
import sys
from companion.storage.files import arm_faults; from companion.storage.git import objects
arm_faults.arm(sys.argv[2])
objects.write_loose(sys.argv[1], "blob", b"words\\n" * 1000, sync=True)
"""


@pytest.mark.parametrize("stage", durable.POINTS["object.loose"])
def test_a_killed_loose_write_leaves_no_damaged_object(repo, stage):
    folder = str(repo / ".git/objects")
    done = subprocess.run(
        [sys.executable, "-c", LOOSE, folder, f"object.loose:{stage}:kill"]
    )
    assert done.returncode == -signal.SIGKILL

    git(repo, "fsck", "--strict")
    assert write_loose(folder, "blob", b"words\n" * 1000, sync=True)
    git(repo, "fsck", "--strict")


# --- packs
# --------------------------------------------------------------------------------------------------


def test_a_pack_is_gits(repo):
    contents = [
        b"",
        b"x" * 15,
        b"x" * 16,
        b"y" * 2047,
        b"z" * 2048,
        os.urandom(1 << 19),
        b"words\n",
    ]
    with Pack(str(repo / ".git")) as pack:
        ids = [pack.add("blob", data) for data in contents]
        again = pack.add("blob", b"words\n")
        tree = pack.add(
            "tree", encode_tree([Entry("words.md", 0o100644, again)])
        )
        commit = pack.add("commit", COMMIT % tree.encode())
        assert len(pack) == len(contents) + 2

    assert [git(repo, "cat-file", "blob", oid) for oid in ids] == contents
    git(repo, "update-ref", "refs/heads/main", commit)
    assert git(repo, "ls-tree", "-r", "--name-only", "main") == b"words.md\n"
    git(repo, "fsck", "--strict", "--full")
    (index,) = (repo / ".git/objects/pack").glob("*.idx")
    git(repo, "verify-pack", str(index))
    assert b"garbage: 0" in git(repo, "count-objects", "-v")
    git(repo, "gc", "-q", "--prune=now")
    assert git(repo, "show", "main:words.md") == b"words\n"


COMMIT = (
    b"tree %b\nauthor A <a@example.org> 1700000000 +0000\ncommitter A <a@example.org>"
    b" 1700000000 +0000\n\nRun\n"
)


def test_our_index_is_the_one_git_would_write(repo):
    with Pack(str(repo / ".git")) as pack:
        for number in range(1000):
            pack.add("blob", b"note %d\n" % number)
    (path,) = (repo / ".git/objects/pack").glob("*.pack")
    theirs = repo / "theirs.idx"

    git(repo, "index-pack", "--no-rev-index", "-o", str(theirs), str(path))

    assert path.with_suffix(".idx").read_bytes() == theirs.read_bytes()


def test_offsets_beyond_two_gigabytes_get_their_table(repo):
    pack = Pack(str(repo / ".git"))
    pack.add("blob", b"near")
    pack._end = (1 << 31) + 5
    oid = pack.add("blob", b"far")

    index = pack._index(sorted(pack._positions), bytes(20))

    (repo / "far.idx").write_bytes(index)
    shown = git(repo, "show-index", stdin=index).decode()
    assert f"{(1 << 31) + 5} {oid}" in shown
    pack.abort()


def test_an_empty_pack_is_nothing(repo):
    assert Pack(str(repo / ".git")).close() is None
    assert os.listdir(repo / ".git/objects/pack") == []


def test_a_failed_run_leaves_no_pack(repo):
    with pytest.raises(ZeroDivisionError), Pack(str(repo / ".git")) as pack:
        pack.add("blob", os.urandom(1 << 20))
        raise ZeroDivisionError
    assert os.listdir(repo / ".git/objects/pack") == []


def test_the_same_pack_twice_is_one(repo):
    for _ in range(2):
        with Pack(str(repo / ".git")) as pack:
            pack.add("blob", b"words\n")
    objects.release_packs(str(repo / ".git"))
    assert len(os.listdir(repo / ".git/objects/pack")) == 2
    git(repo, "fsck", "--strict")


def test_a_pack_that_no_ref_names_survives_gc_until_it_is_let_go(repo):
    with Pack(str(repo / ".git")) as pack:
        oid = pack.add("blob", b"words\n")
    (repo / ".git/objects/pack/pack-theirs.keep").write_text("mine\n")
    git(repo, "gc", "--quiet", "--prune=now")
    git(repo, "cat-file", "-e", oid)

    objects.release_packs(str(repo / ".git"))

    assert [p.name for p in (repo / ".git/objects/pack").glob("*.keep")] == [
        "pack-theirs.keep"
    ]
    git(repo, "gc", "--quiet", "--prune=now")
    assert oid.encode() not in git(
        repo, "cat-file", "--batch-check", "--batch-all-objects"
    )


PACK = """
import sys
from companion.storage.files import arm_faults; from companion.storage.git import objects
arm_faults.arm(sys.argv[2])
with objects.Pack(sys.argv[1]) as pack:
    for number in range(100):
        pack.add("blob", b"words %d" % number)
"""


@pytest.mark.parametrize(
    ("point", "stage"),
    [
        (point, s)
        for point in ("pack.close", "pack.index")
        for s in durable.POINTS[point]
    ],
)
def test_a_killed_pack_shows_git_all_or_nothing(repo, point, stage):
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            PACK,
            str(repo / ".git"),
            f"{point}:{stage}:kill",
        ]
    )
    assert done.returncode == -signal.SIGKILL

    git(repo, "fsck", "--strict", "--full")
    seen = git(repo, "cat-file", "--batch-all-objects", "--batch-check").count(
        b"\n"
    )
    assert seen in (0, 100)
    with Pack(str(repo / ".git")) as pack:
        oid = [pack.add("blob", b"words %d" % number) for number in range(100)][
            -1
        ]
    assert git(repo, "cat-file", "blob", oid) == b"words 99"


def test_memory_does_not_grow_with_the_bytes(repo):
    """200 MB of objects pass through a process that may only grow by 60."""
    code = """
import os, resource, sys
from companion.storage.git.objects import Pack
block = os.urandom(1 << 20)
pack = Pack(sys.argv[1], level=0)
pack.add("blob", block)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for number in range(200):
    pack.add("blob", b"%d" % number + block)
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
pack.abort()
sys.exit(grown > 60_000)
"""
    assert (
        subprocess.run(
            [sys.executable, "-c", code, str(repo / ".git")]
        ).returncode
        == 0
    )


# --- trees
# --------------------------------------------------------------------------------------------------

NAMES = st.sampled_from(
    [
        "a",
        "a.md",
        "a-b",
        "a0",
        "b",
        "B",
        "é",
        "with space",
        "line\nend",
        "\udcff",
        "-rf",
        "z",
    ]
)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
BLOBS = st.integers(0, 5).map(lambda number: b"content %d\n" % number)
MODES = st.sampled_from([0o100644, 0o100755, 0o120000])


def without_clashes(paths: list[str]) -> list[str]:
    """Leave out every path that would need a file to be a folder."""
    chosen: set[str] = set()
    for path in paths:
        parts = path.split("/")
        parents = {"/".join(parts[:depth]) for depth in range(1, len(parts))}
        if not parents & chosen and not any(
            other.startswith(path + "/") for other in chosen
        ):
            chosen.add(path)
    return sorted(chosen)


@st.composite
def two_states(
    draw: st.DrawFn,
) -> tuple[dict[str, tuple[int, bytes]], dict[str, tuple[int, bytes]]]:
    """Draw what a tree holds before and after; some paths stay, some change, some go, files turn
    folders.
    """
    states = []
    for _ in range(2):
        paths = without_clashes(draw(st.lists(PATHS, max_size=8)))
        states.append({path: (draw(MODES), draw(BLOBS)) for path in paths})
    kept = [path for path in states[0] if draw(st.booleans())]
    after = {
        path: states[1].get(path) or states[0][path]
        for path in without_clashes([*states[1], *kept])
    }
    return states[0], after


def quoted(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def git_tree(repo: Path, changes: dict[str, Change]) -> str:
    """Apply *changes* to the index, removals first, as git itself does it, and write the tree."""
    removed = [
        b"0 %040d\t%b\0" % (0, quoted(path))
        for path, change in changes.items()
        if change is None
    ]
    lines = [
        b"%o %b\t%b\0" % (c[0], c[1].encode(), quoted(path))
        for path, c in changes.items()
        if c
    ]
    git(
        repo,
        "update-index",
        "-z",
        "--index-info",
        stdin=b"".join(removed + lines),
        index="tree-test",
    )
    return git(repo, "write-tree", index="tree-test").decode().strip()


class Store:
    """Trees in memory, and in the repository so that git can check them."""

    def __init__(self, repo: Path) -> None:
        self.repo, self.trees, self.added = repo, {}, []

    def add(self, kind: str, data: bytes) -> str:
        oid = hash_object(kind, data)
        self.trees[oid] = data
        self.added.append(oid)
        return write_loose(str(self.repo / ".git/objects"), kind, data)

    def read(self, oid: str) -> list[Entry]:
        return parse_tree(self.trees[oid])


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(states=two_states())
def test_edit_tree_is_what_git_does(shared_repo, states):
    before, after = states
    folder = str(shared_repo / ".git/objects")
    (shared_repo / ".git/tree-test").unlink(missing_ok=True)
    store = Store(shared_repo)
    first: dict[str, Change] = {
        path: (mode, write_loose(folder, "blob", b))
        for path, (mode, b) in before.items()
    }
    second: dict[str, Change] = {
        path: (mode, write_loose(folder, "blob", b))
        for path, (mode, b) in after.items()
    }
    changes = {path: None for path in first if path not in second} | {
        path: change
        for path, change in second.items()
        if first.get(path) != change
    }

    base = edit_tree(store.read, None, first, store.add)
    assert (base or EMPTY_TREE) == git_tree(shared_repo, first)
    store.added.clear()
    edited = edit_tree(store.read, base, changes, store.add)
    assert (edited or EMPTY_TREE) == git_tree(shared_repo, changes)

    # no trace of the way there
    assert edited == edit_tree(store.read, None, second, store.add)
    if not changes:
        assert edited == base


def test_trees_it_writes_pass_fsck(repo):
    store = Store(repo)
    blob = write_loose(str(repo / ".git/objects"), "blob", b"words\n")
    names = [
        "a",
        "a.md",
        "a-b/x",
        "a0/é",
        "B/with space",
        "line\nend",
        "\udcff/\udcfe",
        "-rf",
    ]

    root = edit_tree(
        store.read, None, dict.fromkeys(names, (0o100644, blob)), store.add
    )

    commit = write_loose(
        str(repo / ".git/objects"), "commit", COMMIT % root.encode()
    )
    git(repo, "update-ref", "refs/heads/main", commit)
    assert git(repo, "fsck", "--strict", "--full") == b""
    listed = git(repo, "ls-tree", "-r", "-z", "--name-only", "main").split(
        b"\0"
    )[:-1]
    assert sorted(listed) == sorted(map(quoted, names))


def test_only_changed_trees_are_read_and_written(repo):
    store = Store(repo)
    base = edit_tree(
        store.read,
        None,
        {f"{a}/{b}/page.md": BLOB for a in "xyz" for b in "pqr"},
        store.add,
    )
    store.added.clear()
    read: list[str] = []

    def reading(oid: str) -> list[Entry]:
        read.append(oid)
        return store.read(oid)

    edit_tree(reading, base, {"x/p/other.md": BLOB}, store.add)

    assert (len(read), len(store.added)) == (3, 3)


BLOB = (0o100644, hash_blob(b"words\n"))


def test_the_last_removal_removes_the_folder(repo):
    store = Store(repo)
    base = edit_tree(store.read, None, {"a/b/c": BLOB, "d": BLOB}, store.add)

    without = edit_tree(store.read, base, {"a/b/c": None}, store.add)

    assert [entry.name for entry in store.read(without)] == ["d"]
    assert (
        edit_tree(store.read, base, {"a/b/c": None, "d": None}, store.add)
        is None
    )


def test_removing_what_is_not_there_changes_nothing(repo):
    store = Store(repo)
    base = edit_tree(store.read, None, {"a/b": BLOB, "d": BLOB}, store.add)
    store.added.clear()

    assert (
        edit_tree(
            store.read,
            base,
            {"x/y": None, "a": None, "d/e": None, "zz": None},
            store.add,
        )
        == base
    )
    assert store.added == []
    assert edit_tree(store.read, None, {"x/y": None}, store.add) is None


@pytest.mark.parametrize(
    "changes", [{"a": BLOB}, {"f/x": BLOB}, {"n": BLOB, "n/x": BLOB}]
)
def test_a_file_never_silently_replaces_a_folder_or_the_other_way_round(
    repo, changes
):
    store = Store(repo)
    base = edit_tree(store.read, None, {"a/b": BLOB, "f": BLOB}, store.add)
    with pytest.raises(TreeConflict):
        edit_tree(store.read, base, changes, store.add)


def test_said_in_one_change_it_does(repo):
    store = Store(repo)
    base = edit_tree(store.read, None, {"a/b": BLOB, "f": BLOB}, store.add)

    edited = edit_tree(
        store.read,
        base,
        {"a/b": None, "a": BLOB, "f": None, "f/x": BLOB},
        store.add,
    )

    assert edited == edit_tree(
        store.read, None, {"a": BLOB, "f/x": BLOB}, store.add
    )


def test_foreign_entries_survive_as_they_are(repo):
    """Submodules, odd modes and names that we would never write are not ours to mend."""
    store = Store(repo)
    store.add("tree", b"")
    foreign = [
        Entry(".GIT", TREE, EMPTY_TREE),
        Entry("\udcff", 0o100664, BLOB[1]),
        Entry("sub", 0o160000, BLOB[1]),
    ]
    base = store.add("tree", encode_tree(foreign))

    edited = edit_tree(store.read, base, {"page.md": BLOB}, store.add)

    assert set(store.read(edited)) == {*foreign, Entry("page.md", *BLOB)}
    assert edit_tree(
        store.read,
        edited,
        {"sub": None, ".GIT/x": None, "\udcff": None},
        store.add,
    )


# --- paths
# --------------------------------------------------------------------------------------------------

UNSAFE = [
    "",
    "/abs",
    "../x",
    "a/../b",
    "a//b",
    "a/",
    "./a",
    "a\0b",
    ".git/config",
    "sub/.GIT/x",
    "git~1/x",
    "GIT~1",
    ".g\u200cit/hooks",
    ".git\ufeff",
    ".git . .",
    ".git::$INDEX_ALLOCATION/x",
    "a\\.git\\config",
    "\ud800",
    "x" * 256,
    "é" * 128,
    "/".join("a" * 256),
]


@pytest.mark.parametrize("path", UNSAFE)
def test_unsafe_paths_are_refused(path):
    with pytest.raises(UnsafePath) as caught:
        check_path(path)
    assert caught.value.exit_code == 65
    with pytest.raises(UnsafePath):
        edit_tree(lambda _: [], None, {path: BLOB}, lambda *_: trees.EMPTY_TREE)


@pytest.mark.parametrize(
    "path",
    [
        "a.md",
        "x" * 255,
        "-rf",
        ".gitignore",
        "git~2",
        "a b ",
        "\udcff.md",
        "con.md",
        "/".join("a" * 200),
        "e\u0301",
    ],
)
def test_odd_but_honest_paths_are_taken(path):
    assert "/".join(check_path(path)) == path
