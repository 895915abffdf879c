"""Bytes reach the disk whole or not at all, whatever happens in between."""

import ast
import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import companion
from companion.errors import BadInput
from companion.storage.files import arm_faults, durable, leftovers, lock
from companion.storage.files.durable import StorageError
from companion.storage.files.lock import Busy
from companion.storage.git.objects import Pack, write_loose

OLD, NEW = b"old words\n" * 500, b"new words, and more of them\n" * 500


@pytest.fixture(autouse=True)
def no_hooks_left():
    yield
    durable.hooks.clear()


def child(code: str, *args: str) -> int:
    """Run *code* in a process of its own and return how it ended."""
    return subprocess.run(
        [sys.executable, "-c", code, *args], timeout=30
    ).returncode


WRITE_NEW = """
import sys
from companion.storage.files import arm_faults, durable
arm_faults.arm(sys.argv[2])
durable.write_new(sys.argv[1], b"new words, and more of them\\n" * 500)
"""
REPLACE = WRITE_NEW.replace("write_new", "replace")


@pytest.mark.parametrize("stage", durable.POINTS["write.new"])
def test_a_killed_write_leaves_nothing_or_all_of_it(tmp_path, stage):
    path = tmp_path / "page"

    assert (
        child(WRITE_NEW, str(path), f"write.new:{stage}:kill")
        == -signal.SIGKILL
    )

    assert path.exists() == (stage in ("placed", "after"))
    assert not path.exists() or path.read_bytes() == NEW


@pytest.mark.parametrize("stage", durable.POINTS["write.replace"])
def test_a_killed_replacement_leaves_old_or_new(tmp_path, stage):
    path = tmp_path / "page"
    path.write_bytes(OLD)

    assert (
        child(REPLACE, str(path), f"write.replace:{stage}:kill")
        == -signal.SIGKILL
    )

    assert path.read_bytes() == (NEW if stage in ("placed", "after") else OLD)


def test_the_kill_test_can_fail(tmp_path):
    """Switch the defence off: a plain write, killed half-way, is torn."""
    path = tmp_path / "page"
    plain = """
import sys
from companion.storage.files import arm_faults, durable
arm_faults.arm("write.new:torn")
with open(sys.argv[1], "wb", 0) as file:
    durable._pump(file.fileno(), b"new words, and more of them\\n" * 500, "write.new")
"""
    assert child(plain, str(path)) == -signal.SIGKILL
    assert 0 < path.stat().st_size < len(NEW)


def test_leftovers_of_a_killed_write_are_swept_and_nothing_else(tmp_path):
    path = tmp_path / "page"
    child(WRITE_NEW, str(path), "write.new:torn")
    (tmp_path / "theirs.md").write_text("theirs")
    (tmp_path / ".companion-folder").mkdir()
    (leftover,) = [
        p
        for p in tmp_path.iterdir()
        if p.is_file() and p.name.startswith(durable.TEMP)
    ]
    written = leftover.stat().st_mtime

    assert leftovers.sweep(str(tmp_path), now=written + 60) == []
    assert leftovers.sweep(str(tmp_path), now=written + 3601) == [leftover.name]
    assert sorted(os.listdir(tmp_path)) == [".companion-folder", "theirs.md"]


def test_write_new_never_clobbers(tmp_path):
    path = tmp_path / "page"
    path.write_bytes(OLD)

    with pytest.raises(FileExistsError):
        durable.write_new(str(path), NEW)

    assert path.read_bytes() == OLD
    assert os.listdir(tmp_path) == ["page"]


def test_without_hard_links_it_still_never_clobbers(tmp_path, monkeypatch):
    def no_links(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", no_links)
    path = tmp_path / "page"
    durable.write_new(str(path), NEW, mode=0o600)

    with pytest.raises(FileExistsError):
        durable.write_new(str(path), OLD)

    assert path.read_bytes() == NEW
    assert path.stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == ["page"]


@pytest.mark.parametrize(
    ("spec", "number"), [("eio", errno.EIO), ("enospc", errno.ENOSPC)]
)
@pytest.mark.parametrize("stage", ["before", "torn", "staged"])
def test_a_refusing_disk_is_named_and_leaves_nothing_behind(
    tmp_path, spec, number, stage
):
    arm_faults.arm(f"write.new:{stage}:{spec}")

    with pytest.raises(StorageError) as caught:
        durable.write_new(str(tmp_path / "page"), NEW)

    assert caught.value.exit_code == 74
    assert (
        isinstance(caught.value.__cause__, OSError)
        and caught.value.__cause__.errno == number
    )
    assert ("full" in caught.value.hint) == (number == errno.ENOSPC)
    assert os.listdir(tmp_path) == []


def test_a_missing_folder_is_a_storage_error(tmp_path):
    with pytest.raises(StorageError, match="No such file"):
        durable.replace(str(tmp_path / "nowhere" / "page"), NEW)


@pytest.mark.parametrize("many", [3, 200])
def test_many_files_are_synced_file_by_file_or_all_at_once(
    tmp_path, monkeypatch, many
):
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    paths = [str(tmp_path / f"{n}") for n in range(many)]
    for path in paths:
        durable.write_new(path, b"x", sync=False)
    assert synced == []

    durable.sync_tree(paths)

    if many <= durable.MANY or not sys.platform.startswith("linux"):
        assert len(synced) == many + 1
    else:
        assert synced == []


def test_make_dirs_syncs_every_parent_it_changes(tmp_path, monkeypatch):
    synced: list[str] = []
    monkeypatch.setattr(
        os,
        "fsync",
        lambda fd: synced.append(os.readlink(f"/proc/self/fd/{fd}")),
    )

    durable.make_dirs(str(tmp_path / "a" / "b" / "c"))
    durable.make_dirs(str(tmp_path / "a" / "b" / "c"))

    assert (tmp_path / "a" / "b" / "c").is_dir()
    assert synced == [
        str(tmp_path),
        str(tmp_path / "a"),
        str(tmp_path / "a" / "b"),
    ]


def test_make_dirs_over_a_file_is_refused(tmp_path):
    (tmp_path / "a").write_text("a file")
    with pytest.raises(StorageError):
        durable.make_dirs(str(tmp_path / "a" / "b"))


# --- the lock
# -----------------------------------------------------------------------------------------------


HOLD = """
import sys
from companion.storage.files import lock as lockfile
with lockfile.lock_file(sys.argv[1], "consolidate"):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_the_lock_is_exclusive_names_its_holder_and_dies_with_it(tmp_path):
    path = str(tmp_path / "sleep.lock")
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout and holder.stdout.readline() == "held\n"

    with (
        pytest.raises(
            Busy, match=rf"consolidate \(process {holder.pid}\)"
        ) as caught,
        lock.lock_file(path),
    ):
        pass
    assert caught.value.exit_code == 75

    holder.kill()
    holder.communicate()
    with lock.lock_file(path, "adopt"):
        assert (tmp_path / "sleep.lock").read_text() == f"{os.getpid()} adopt\n"
    # never removed: that is how two holders come about
    assert os.path.exists(path)


# --- fault points
# -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "nowhere:before:kill",
        "write.new:sideways:kill",
        "write.new:torn:wink",
        "write.new@x:eio",
        "write.new",
    ],
)
def test_a_misspelt_fault_is_refused(spec):
    with pytest.raises(BadInput):
        arm_faults.arm(spec)


def test_a_fault_can_wait_for_the_nth_passage_and_be_disarmed(tmp_path):
    disarm = arm_faults.arm("write.new@2:eio")
    durable.write_new(str(tmp_path / "one"), b"")
    with pytest.raises(StorageError):
        durable.write_new(str(tmp_path / "two"), b"")
    disarm()
    assert durable.hooks == []


def test_every_fault_can_be_armed():
    specs = list(arm_faults.every_fault())
    assert len(specs) == 4 * sum(map(len, durable.POINTS.values()))
    for spec in specs:
        arm_faults.arm(spec)()


def test_every_point_in_the_source_is_registered():
    """An unregistered name would be a durable step that no crash test ever visits."""
    used = set()
    for path in Path(companion.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                used |= _points_of(node)

    assert used - set(durable.POINTS) == set()
    assert (
        set(durable.POINTS) - used - {"write.new", "write.replace", "sync.tree"}
        == set()
    )


def _points_of(call: ast.Call) -> set[str]:
    func = call.func
    name = (
        func.attr
        if isinstance(func, ast.Attribute)
        else getattr(func, "id", "")
    )
    values = [word.value for word in call.keywords if word.arg == "point"]
    values += call.args[:1] if name == "fault" else []
    return {
        value.value
        for value in values
        if isinstance(value, ast.Constant) and isinstance(value.value, str)
    }


def test_the_registered_stages_are_the_ones_that_happen(tmp_path):
    """What the harness enumerates is what a write passes through: no more, no less (swap:
    test_swap.py).
    """
    seen: dict[str, set[str]] = {}
    durable.hooks.append(
        lambda name, stage: seen.setdefault(name, set()).add(stage)
    )
    (tmp_path / "objects" / "pack").mkdir(parents=True)

    durable.write_new(str(tmp_path / "page"), NEW)
    durable.replace(str(tmp_path / "page"), OLD)
    durable.sync_tree([str(tmp_path / "page")])
    write_loose(str(tmp_path / "objects"), "blob", NEW)
    with Pack(str(tmp_path)) as pack:
        pack.add("blob", NEW)

    for name in (
        "write.new",
        "write.replace",
        "sync.tree",
        "object.loose",
        "pack.close",
        "pack.index",
    ):
        assert seen[name] == set(durable.POINTS[name]), name
