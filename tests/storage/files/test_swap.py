"""Files take their place in the work tree, and no text of the person's is ever lost to it."""

import json
import os
import signal
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from companion.storage.files import durable, exchange, leftovers, swap
from companion.storage.files.durable import StorageError
from companion.storage.files.exchange import Mode, probe
from companion.storage.files.replaced import Late, accept_kept, check_kept
from companion.storage.files.swap import (
    Changed,
    Swap,
    open_parent,
    place,
    stage_put,
    undo_put,
)
from companion.storage.git.objects import hash_blob
from companion.storage.git.trees import UnsafePath

NOW = datetime(2026, 11, 21, 22, 31, tzinfo=UTC)
OLD, NEW, THEIRS = b"old words\n", b"new words\n", b"their words\n"
PAGE = "entries/2026/11/page.md"
MODES = [Mode(exchange=True, links=True), Mode(exchange=False, links=True)]


@pytest.fixture(params=MODES, ids=lambda mode: mode.name)
def mode(request: pytest.FixtureRequest) -> Mode:
    return request.param


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "wiki/entries/2026/11").mkdir(parents=True)
    (tmp_path / "kept").mkdir()
    return tmp_path / "wiki"


@pytest.fixture
def kept(root: Path) -> str:
    return str(root.parent / "kept")


@pytest.fixture(autouse=True)
def no_hooks_left():
    yield
    durable.hooks.clear()


def put(*args: Any, **options: Any) -> Swap | Changed:
    """Stage and place one file."""
    staged = stage_put(*args, sync=True, **options)
    if isinstance(staged, Changed):
        return staged
    return place(staged) or staged


def late(kept: str, hours: float = 1) -> list[Late]:
    return list(check_kept(kept, now=NOW + timedelta(hours=hours)))


def everything(root: Path, kept: str) -> set[bytes]:
    """Every text on disk, in the wiki or kept."""
    files = [*root.rglob("*"), *Path(kept).iterdir()]
    return {path.read_bytes() for path in files if path.is_file()}


# --- putting
# ------------------------------------------------------------------------------------------------


def test_this_file_system_is_probed(root, kept):
    found = probe(str(root), kept)
    assert found.links
    assert found.name == ("exchange" if found.exchange else "rename")
    assert os.listdir(root) == ["entries"] and os.listdir(kept) == []


def test_a_kept_folder_on_another_disk_is_refused(root):
    if (
        not os.path.isdir("/dev/shm")
        or os.stat("/dev/shm").st_dev == os.stat(root).st_dev
    ):
        pytest.skip("no second file system here")
    with pytest.raises(StorageError, match="file system"):
        probe(str(root), "/dev/shm")


def test_the_bare_syscall_does_the_same(tmp_path):
    if not sys.platform.startswith("linux"):
        pytest.skip("Linux only")
    (tmp_path / "a").write_bytes(OLD)
    (tmp_path / "b").write_bytes(NEW)
    call = exchange._Call()
    call._named = None
    assert call(-100, bytes(tmp_path / "a"), -100, bytes(tmp_path / "b")) == 0
    assert ((tmp_path / "a").read_bytes(), (tmp_path / "b").read_bytes()) == (
        NEW,
        OLD,
    )


def test_a_new_file(root, kept, mode):
    path = "entries/2027/01/page.md"

    done = put(str(root), path, NEW, None, kept, now=NOW, mode=mode)

    assert isinstance(done, Swap) and (root / path).read_bytes() == NEW
    assert os.listdir(kept) == []
    assert undo_put(done) is None
    assert not (root / path).exists()
    assert late(kept) == []


def test_a_replaced_file_keeps_its_permissions_and_its_old_inode(
    root, kept, mode
):
    (root / PAGE).write_bytes(OLD)
    (root / PAGE).chmod(0o640)
    inode = (root / PAGE).stat().st_ino

    done = put(str(root), PAGE, NEW, hash_blob(OLD), kept, now=NOW, mode=mode)

    assert isinstance(done, Swap) and (root / PAGE).read_bytes() == NEW
    assert (root / PAGE).stat().st_mode & 0o777 == 0o640
    (name,) = os.listdir(kept)
    assert os.stat(os.path.join(kept, name)).st_ino == inode
    assert name.startswith(f"{int(NOW.timestamp())}.") and name.endswith(
        ".entries%2F2026%2F11%2Fpage.md"
    )
    assert undo_put(done) is None and undo_put(done) is None
    assert (root / PAGE).read_bytes() == OLD and (
        root / PAGE
    ).stat().st_ino == inode


def test_a_removed_file(root, kept, mode):
    (root / PAGE).write_bytes(OLD)

    done = put(str(root), PAGE, None, hash_blob(OLD), kept, now=NOW, mode=mode)

    assert isinstance(done, Swap) and not (root / PAGE).exists()
    assert undo_put(done) is None
    assert (root / PAGE).read_bytes() == OLD


@pytest.mark.parametrize("new", [NEW, None])
def test_what_they_changed_is_left_alone(root, kept, mode, new):
    (root / PAGE).write_bytes(THEIRS)

    assert put(
        str(root), PAGE, new, hash_blob(OLD), kept, now=NOW, mode=mode
    ) == Changed(PAGE, hash_blob(THEIRS))

    assert (root / PAGE).read_bytes() == THEIRS
    assert os.listdir(kept) == []


@pytest.mark.parametrize("new", [NEW, None])
def test_what_they_removed_stays_removed(root, kept, mode, new):
    for path in (PAGE, "nowhere/page.md"):
        assert put(
            str(root), path, new, hash_blob(OLD), kept, now=NOW, mode=mode
        ) == Changed(path, None)
        assert not (root / path).exists()
    assert os.listdir(kept) == [] and not (root / "nowhere").exists()


def test_where_they_put_a_file_none_is_created(root, kept, mode):
    staged = stage_put(str(root), PAGE, NEW, None, kept, now=NOW, mode=mode)
    assert isinstance(staged, Swap)
    (root / PAGE).write_bytes(THEIRS)

    assert place(staged) == Changed(PAGE, hash_blob(THEIRS))

    assert (root / PAGE).read_bytes() == THEIRS and os.listdir(kept) == []
    assert isinstance(
        put(str(root), PAGE, NEW, None, kept, now=NOW, mode=mode), Changed
    )


def racing(monkeypatch: pytest.MonkeyPatch, act) -> None:
    """Let *act* happen right after the last look at the path and before the file moves."""
    look = swap.hash_at

    def hash_at(name: str, folder: int | None = None) -> str | None:
        found = look(name, folder)
        if folder is not None:
            monkeypatch.setattr(swap, "hash_at", look)
            act()
        return found

    monkeypatch.setattr(swap, "hash_at", hash_at)


@pytest.mark.parametrize("new", [NEW, None])
def test_an_editor_that_saves_in_the_last_instant_wins(
    root, kept, mode, monkeypatch, new
):
    """In place or, as most editors do, by a rename over the old file."""
    for save_over in (False, True):
        (root / PAGE).write_bytes(OLD)

        def save(save_over: bool = save_over) -> None:
            target = root / "saved" if save_over else root / PAGE
            target.write_bytes(THEIRS)
            if save_over:
                target.rename(root / PAGE)

        racing(monkeypatch, save)
        found = put(
            str(root), PAGE, new, hash_blob(OLD), kept, now=NOW, mode=mode
        )

        assert found == Changed(PAGE, hash_blob(THEIRS))
        assert (root / PAGE).read_bytes() == THEIRS
        assert only_ours(kept)


def only_ours(kept: str) -> bool:
    """What stood at the path for an instant stays kept for a day, like all that an editor may have
    opened.
    """
    left = [path.read_bytes() for path in Path(kept).iterdir()]
    return (
        set(left) <= {NEW}
        and late(kept) == []
        and late(kept, 25) == []
        and os.listdir(kept) == []
    )


def test_a_file_made_while_the_path_is_missing_stays_and_the_old_one_is_handed_over(
    root, kept
):
    """The weaker mode's instant: an appending program creates the page anew."""
    (root / PAGE).write_bytes(OLD)

    def append(name: str, stage: str) -> None:
        if (name, stage) in (("swap.place", "placed"), ("swap.undo", "placed")):
            with open(root / PAGE, "ab") as file:
                file.write(THEIRS)

    durable.hooks.append(append)
    assert put(
        str(root), PAGE, NEW, hash_blob(OLD), kept, now=NOW, mode=MODES[1]
    ) == Changed(PAGE, hash_blob(THEIRS))
    assert (root / PAGE).read_bytes() == THEIRS
    (found,) = late(kept)
    assert (found.path, found.data) == (PAGE, OLD)

    durable.hooks.clear()
    done = put(
        str(root), PAGE, NEW, hash_blob(THEIRS), kept, now=NOW, mode=MODES[1]
    )
    assert isinstance(done, Swap)
    durable.hooks.append(append)
    assert undo_put(done) == Changed(PAGE, hash_blob(THEIRS))
    assert (root / PAGE).read_bytes() == THEIRS
    assert sorted(one.data for one in late(kept)) == sorted([OLD, THEIRS])


@pytest.mark.parametrize("kind", ["symlink", "folder", "gone", "fifo"])
def test_whatever_they_put_there_in_the_last_instant_stays(
    root, kept, mode, monkeypatch, kind
):
    (root / PAGE).write_bytes(OLD)

    def turn() -> None:
        (root / PAGE).unlink()
        if kind == "symlink":
            (root / PAGE).symlink_to("/etc/passwd")
        elif kind == "folder":
            (root / PAGE).mkdir()
            (root / PAGE / "inside").write_bytes(THEIRS)
        elif kind == "fifo":
            os.mkfifo(root / PAGE)

    racing(monkeypatch, turn)
    assert put(
        str(root), PAGE, NEW, hash_blob(OLD), kept, now=NOW, mode=mode
    ) == Changed(PAGE, None)

    assert os.path.islink(root / PAGE) == (kind == "symlink")
    assert os.path.lexists(root / PAGE) == (kind != "gone")
    assert kind != "folder" or (root / PAGE / "inside").read_bytes() == THEIRS
    assert only_ours(kept)


def test_undo_leaves_what_they_wrote_since(root, kept, mode):
    (root / PAGE).write_bytes(OLD)
    done = put(str(root), PAGE, NEW, hash_blob(OLD), kept, now=NOW, mode=mode)
    assert isinstance(done, Swap)
    (root / PAGE).write_bytes(NEW + THEIRS)

    assert undo_put(done) == Changed(PAGE, hash_blob(NEW + THEIRS))

    assert (root / PAGE).read_bytes() == NEW + THEIRS
    (root / PAGE).unlink()
    assert undo_put(done) == Changed(PAGE, None)
    assert not (root / PAGE).exists()


def test_no_word_of_a_busy_editor_is_lost(root, kept, mode):
    """One thread appends as an editor with the file open does; we replace the page under it many
    times.
    """
    (root / PAGE).write_bytes(b"")
    said: list[bytes] = []
    stop = threading.Event()

    def editor() -> None:
        while not stop.is_set() and len(said) < 3000:
            line = b"line %d\n" % len(said)
            try:
                with open(root / PAGE, "ab") as file:
                    file.write(line)
            except FileNotFoundError:
                # rename mode: the path is missing for an instant; nothing was said into it
                continue
            said.append(line)

    thread = threading.Thread(target=editor)
    thread.start()
    for number in range(300):
        seen = (root / PAGE).read_bytes()
        put(
            str(root),
            PAGE,
            seen + b"ours %d\n" % number,
            hash_blob(seen),
            kept,
            now=NOW,
            mode=mode,
        )
    stop.set()
    thread.join()

    found = set(b"".join(everything(root, kept)).splitlines(keepends=True))
    in_sight = {
        line
        for one in late(kept)
        for line in one.data.splitlines(keepends=True)
    }
    in_sight |= set((root / PAGE).read_bytes().splitlines(keepends=True))
    assert len(said) > 20
    assert set(said) <= found
    # in the page, or handed over by check_kept: none waits to be dropped unseen
    assert set(said) <= in_sight


# --- crashes
# ------------------------------------------------------------------------------------------------

PUT = """
import json, sys
from datetime import datetime, UTC
from companion.storage.files import arm_faults, exchange as atomic, swap
root, kept, exchange, spec, old, new, intent = json.loads(sys.argv[1])
now = datetime(2026, 11, 21, 22, 31, tzinfo=UTC)
mode = atomic.Mode(exchange, True)
if spec.startswith("swap.stage"):
    arm_faults.arm(spec)
new = None if new is None else new.encode()
staged = swap.stage_put(root, "entries/2026/11/page.md", new, old, kept, now=now, mode=mode, sync=True)
open(intent, "w").write(json.dumps(staged))
if spec.startswith("swap.place"):
    arm_faults.arm(spec)
swap.place(staged)
arm_faults.arm(spec)
swap.undo_put(staged)
"""


@pytest.mark.parametrize("old", [OLD, None])
@pytest.mark.parametrize("new", [NEW, None])
@pytest.mark.parametrize(
    ("point", "stage"),
    [
        (p, s)
        for p in ("swap.stage", "swap.place", "swap.undo")
        for s in durable.POINTS[p]
    ],
)
def test_after_a_kill_the_page_is_old_or_new_and_undo_brings_back_the_old(
    root, kept, mode, point, stage, old, new
):
    if (old is None and new is None) or (new is None and point == "swap.stage"):
        return  # nothing to do, or nothing to stage
    if old is not None:
        (root / PAGE).write_bytes(old)
    intent = root.parent / "intent"

    arguments = [str(root), kept, mode.exchange, f"{point}:{stage}:kill"]
    arguments += [old and hash_blob(old), new and new.decode(), str(intent)]
    done = subprocess.run([sys.executable, "-c", PUT, json.dumps(arguments)])
    assert done.returncode == -signal.SIGKILL

    now_there = (root / PAGE).read_bytes() if (root / PAGE).exists() else None
    # the weaker mode's instant
    missing = {None} if not mode.exchange else set()
    assert now_there in {old, new} | missing
    assert late(kept) == []  # nothing of ours is ever mistaken for theirs
    assert old is None or old in everything(root, kept)
    if intent.exists():
        assert undo_put(Swap(*json.loads(intent.read_text()))) is None
        now_there = (
            (root / PAGE).read_bytes() if (root / PAGE).exists() else None
        )
    assert now_there == old
    leftovers.sweep(kept, now=NOW.timestamp() + 10**9)
    assert list(check_kept(kept, now=NOW + timedelta(hours=25))) == []
    assert os.listdir(kept) == []


def test_the_registered_stages_are_the_ones_that_happen(root, kept, mode):
    seen: dict[str, set[str]] = {}
    durable.hooks.append(
        lambda name, stage: seen.setdefault(name, set()).add(stage)
    )
    (root / PAGE).write_bytes(OLD)

    done = put(str(root), PAGE, NEW, hash_blob(OLD), kept, now=NOW, mode=mode)
    assert isinstance(done, Swap)
    undo_put(done)

    assert seen == {
        name: set(durable.POINTS[name])
        for name in ("swap.stage", "swap.place", "swap.undo")
    }


# --- what is kept
# -------------------------------------------------------------------------------------------


def test_words_written_into_a_replaced_file_are_found_and_accepted(
    root, kept, mode
):
    (root / PAGE).write_bytes(OLD)
    with open(root / PAGE, "ab", buffering=0) as editor:
        put(str(root), PAGE, NEW, hash_blob(OLD), kept, now=NOW, mode=mode)
        assert late(kept) == []
        editor.write(THEIRS)
        (found,) = late(kept)
        assert (found.path, found.data, found.blob) == (
            PAGE,
            OLD + THEIRS,
            hash_blob(OLD + THEIRS),
        )
        assert late(kept, 48) == [found]  # however late: never dropped unseen

        accept_kept(kept, found)
        assert late(kept) == []
        editor.write(b"more\n")
        (more,) = late(kept)
        assert more.data == OLD + THEIRS + b"more\n"
    accept_kept(kept, more)
    assert late(kept, 23.9) == [] and len(os.listdir(kept)) == 1
    assert late(kept, 24.1) == [] and os.listdir(kept) == []


def test_a_line_that_comes_while_its_file_is_dropped_is_found(
    root, kept, monkeypatch
):
    (root / PAGE).write_bytes(OLD)
    with open(root / PAGE, "ab", buffering=0) as editor:
        put(str(root), PAGE, NEW, hash_blob(OLD), kept, now=NOW, mode=MODES[0])
        unlink = os.unlink

        def write_then_unlink(path: str) -> None:
            editor.write(THEIRS)
            unlink(path)

        monkeypatch.setattr(os, "unlink", write_then_unlink)
        (found,) = late(kept, 25)
        monkeypatch.undo()

    assert found.data == OLD + THEIRS
    assert late(kept, 25) == [found]


@pytest.mark.parametrize(
    "path",
    [
        "@a%2F b/%40.md",
        "x" * 200 + "/" + "y" * 200 + ".md",
        "é\udcff\n.md",
        "a.b.c.d.e.f",
    ],
)
def test_any_path_survives_its_kept_name(root, kept, mode, path):
    (root / path).parent.mkdir(exist_ok=True)
    (root / path).write_bytes(OLD)
    with open(root / path, "ab") as editor:
        put(str(root), path, NEW, hash_blob(OLD), kept, now=NOW, mode=mode)
        editor.write(THEIRS)
    (found,) = late(kept)
    assert (found.path, found.data) == (path, OLD + THEIRS)


def test_strangers_in_the_kept_folder_are_left_alone(kept):
    for name in ("readme", ".companion-1-1", "a.b.c.d.e"):
        Path(kept, name).write_bytes(THEIRS)
    assert late(kept, 1000) == []
    assert len(os.listdir(kept)) == 3


# --- paths
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "../out.md",
        "/etc/x",
        ".git/config",
        "a/.GIT/x",
        "git~1/x",
        ".g\u200bit\0",
        "",
    ],
)
def test_unsafe_paths_are_never_written(root, kept, path):
    for attempt in (
        lambda: open_parent(str(root), path),
        lambda: put(str(root), path, NEW, None, kept, now=NOW, mode=MODES[0]),
    ):
        with pytest.raises(UnsafePath):
            attempt()


def test_nothing_is_written_through_a_link(root, kept, mode):
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "page.md").write_bytes(OLD)
    (root / "link").symlink_to(outside)
    (root / "page.md").symlink_to(outside / "page.md")
    (root / "file").write_bytes(OLD)

    for path in ("link/page.md", "link/new.md", "file/new.md"):
        with pytest.raises(UnsafePath):
            open_parent(str(root), path)
        for new, expected in (
            (NEW, None),
            (NEW, hash_blob(OLD)),
            (None, hash_blob(OLD)),
        ):
            with pytest.raises(UnsafePath):
                put(str(root), path, new, expected, kept, now=NOW, mode=mode)
    with pytest.raises(UnsafePath):
        open_parent(str(root), "page.md")
    for expected in (None, hash_blob(OLD)):
        assert put(
            str(root), "page.md", NEW, expected, kept, now=NOW, mode=mode
        ) == Changed("page.md", None)

    assert (
        os.listdir(outside) == ["page.md"]
        and (outside / "page.md").read_bytes() == OLD
    )
    assert (root / "page.md").is_symlink() and os.listdir(kept) == []


def test_a_folder_that_turns_into_a_link_after_staging_is_not_followed(
    root, kept, mode
):
    outside = root.parent / "outside"
    (outside / "2026/11").mkdir(parents=True)
    staged = stage_put(str(root), PAGE, NEW, None, kept, now=NOW, mode=mode)
    assert isinstance(staged, Swap)
    (root / "entries").rename(root / "aside")
    (root / "entries").symlink_to(outside)

    with pytest.raises(UnsafePath):
        place(staged)

    assert not (outside / "2026/11/page.md").exists()


def test_safe_parent_names_the_folder_even_before_it_exists(root):
    assert open_parent(str(root), "new/folder/page.md") == str(
        root / "new" / "folder"
    )
