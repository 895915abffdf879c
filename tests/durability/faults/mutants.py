"""Mutants of the protocol: each breaks one rule of "How a run is published", and some fault must
show it.

A mutant is a patch of the program in the child alone. What catches it must be quiet about the
program as it is.
"""

import os
import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from companion.adoption import late_edits
from companion.storage import publish
from companion.storage.files import durable, replaced, swap
from companion.storage.files import lock as lockfile
from companion.storage.files.durable import fault as passes
from companion.storage.git import append_only_tree, git_locks, objects
from companion.storage.git.command import run_git
from companion.storage.journal import journal
from tests.durability.faults import kills, power
from tests.durability.faults.check import Violation
from tests.durability.faults.child import Before
from tests.durability.faults.kills import Fault
from tests.durability.faults.power import Cut
from tests.durability.faults.probes import PROBES
from tests.durability.scenes import Stage

CUTS = 150  # power cuts that a mutant must not survive
Trial = Callable[[Before | None], object]  # raises Violation


class Mutant(NamedTuple):
    """One broken rule, and where it must show."""

    patch: Before
    # (scene, fault); "call torn" means every call
    faults: tuple[tuple[str, str], ...] = ()
    cuts: str = ""  # the scene in which the power fails
    probe: str = ""


def hunt(stage: Stage, mutant: Mutant) -> bool:
    """Tell whether *mutant* is caught. Raises Violation where what catches it also accuses the
    program as it is.
    """
    for trial in _trials(stage, mutant):
        try:
            trial(mutant.patch)
        except Violation:
            trial(None)
            return True
    return False


def _trials(stage: Stage, mutant: Mutant) -> Iterator[Trial]:
    if mutant.probe:
        yield lambda patch: PROBES[mutant.probe](stage, patch)
    for scene, spec in mutant.faults:
        for each in _specs(stage, mutant, scene, spec):
            yield partial(_strike, stage, Fault(scene, each))
    if mutant.cuts:
        dice = random.Random(1)
        found = list(power.cuts(stage, mutant.cuts, dice, mutant.patch))
        for n, cut in enumerate(dice.sample(found, min(CUTS, len(found)))):
            yield partial(_cut, stage.folder / f"mutant-{n}", cut)


def _specs(stage: Stage, mutant: Mutant, scene: str, spec: str) -> list[str]:
    how = spec.removeprefix("call ")
    if how == spec:
        return [spec]
    made = kills.calls(stage, scene, mutant.patch)
    return [
        f"call {n} {how}"
        for n, what in enumerate(made, 1)
        if how in kills.hows(what)
    ]


def _strike(stage: Stage, fault: Fault, patch: Before | None) -> None:
    kills.strike(stage, fault, patch)


def _cut(folder: Path, cut: Cut, patch: Before | None) -> None:
    if (
        patch is not None
    ):  # the record is the mutant's; the program as it is has a sweep of its own
        power.survive(folder, cut)


# --- the patches
# ----------------------------------------------------------------------------------------------------


def _branch_before_files() -> None:
    def write(repo: Any, intent: publish.Intent) -> None:
        git_locks.take_index(repo, intent.entries)
        git_locks.take_branch(repo, intent.ref, intent.base, intent.commit)
        git_locks.put_branch(repo, intent.ref)
        passes("publish.ref", "after")
        git_locks.put_index(repo)
        for item in intent.swaps:
            swap.place(item)

    publish._write = write


def _no_intent() -> None:
    real = journal.Journal.put
    journal.Journal.put = lambda self, key, value: (
        None if value and key == publish.INTENT else real(self, key, value)
    )  # type: ignore[method-assign]


def _no_lock() -> None:
    lockfile._claim = lambda fd, record: None


def _kept_file_dropped() -> None:
    real = swap._exchange_in

    def exchange_in(
        item: swap.Swap, folder: int, name: str
    ) -> swap.Changed | None:
        changed = real(item, folder, name)
        os.unlink(swap._kept_path(item))
        return changed

    swap._exchange_in = exchange_in


def _rename_over() -> None:
    def exchange_in(item: swap.Swap, folder: int, name: str) -> None:
        os.rename(
            os.path.join(item.kept_dir, item.temp), name, dst_dir_fd=folder
        )
        passes("swap.place", "placed")

    swap._exchange_in = exchange_in


def _journal_not_synced() -> None:
    real = journal.Journal.open.__func__  # type: ignore[attr-defined]

    def open_(cls: Any, path: str) -> Any:
        opened = real(cls, path)
        opened.connection.execute("PRAGMA synchronous=OFF")
        return opened

    journal.Journal.open = classmethod(open_)  # type: ignore[assignment,method-assign]


def _acknowledged_before_commit() -> None:
    begin, commit = journal.Journal.begin, journal.Journal.commit

    def late_begin(self: journal.Journal) -> str | None:
        if self.connection.in_transaction:
            commit(self)
        return begin(self)

    journal.Journal.begin = late_begin  # type: ignore[method-assign]
    journal.Journal.commit = lambda self, last_time=None: None  # type: ignore[method-assign]


def _no_recovery() -> None:
    publish.recover = lambda repo, journal: None


def _no_keep() -> None:
    objects._keep_from_gc = lambda path: None


def _blind_branch() -> None:
    def take_branch(repo: Any, ref: str, base: str | None, commit: str) -> None:
        path = git_locks.ref_path(repo, ref)
        durable.write_new(path + ".lock", commit.encode() + b"\n")

    git_locks.take_branch = take_branch


def _folders_not_synced() -> None:
    durable.sync_folder_fd = lambda fd: None


def _files_not_synced() -> None:
    durable.fsync = lambda fd: None


def _failed_fsync_ignored() -> None:
    def fsync(fd: int) -> None:
        try:
            os.fsync(fd)
        except OSError:
            return

    durable.fsync = fsync


def _buffer_folders_not_synced() -> None:
    def move(repo: Any, current: dict[str, str], new: dict[str, str]) -> None:
        commands = [
            f"update {ref} {tree} {current.get(ref, '0' * 40)}\n"
            for ref, tree in sorted(new.items())
        ]
        run_git(
            repo.place,
            "update-ref",
            "--stdin",
            stdin="".join(commands).encode(),
        )

    append_only_tree.move_refs = move


def _written_in_place() -> None:
    def write_new(
        path: str, data: bytes, *, mode: int = 0o644, **_: Any
    ) -> None:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            os.write(fd, data)
            os.fsync(fd)
        finally:
            os.close(fd)

    durable.write_new = write_new


def _index_written_in_place() -> None:
    def put_index(repo: Any) -> None:
        path = git_locks.index_path(repo)
        with open(path + ".lock", "rb") as lock:
            data = lock.read()
        fd = os.open(path, os.O_WRONLY)
        try:
            os.ftruncate(fd, 0)
            os.write(fd, data)
            os.fsync(fd)
        finally:
            os.close(fd)
        os.unlink(path + ".lock")

    git_locks.put_index = put_index


def _late_words_accepted_first() -> None:
    def capture(run: Any) -> None:
        folder = publish.make_kept_folder(run.repo)
        now = late_edits.real_now()
        for late in list(replaced.check_kept(folder, now=now)):
            replaced.accept_kept(folder, late)
            text = late_edits._find_new_lines(run, late)
            if text:
                late_edits._capture(run, late.path, text)

    late_edits.capture_late_edits = capture


_KILLED_WITH_FILES = (
    ("grow", "publish.files@1:after:kill"),
    ("grow", "swap.place@1:placed:kill"),
)

MUTANTS: dict[str, Mutant] = {
    "the branch moves before the files": Mutant(
        _branch_before_files, (("grow", "publish.ref@1:after:kill"),)
    ),
    "no intent is written": Mutant(_no_intent, _KILLED_WITH_FILES),
    "nothing recovers": Mutant(_no_recovery, _KILLED_WITH_FILES),
    "the lock is not held": Mutant(_no_lock, probe="two nights at once"),
    "the replaced file is dropped": Mutant(
        _kept_file_dropped,
        _KILLED_WITH_FILES,
        probe="an editor holds the page open",
    ),
    "files are renamed over": Mutant(
        _rename_over, probe="an editor holds the page open"
    ),
    "the journal is not synced": Mutant(_journal_not_synced, cuts="ingest one"),
    "a line is acknowledged before its commit": Mutant(
        _acknowledged_before_commit, (("stream", "call before"),)
    ),
    "packs are not kept from gc": Mutant(_no_keep, probe="a person runs gc"),
    "the branch is written blindly": Mutant(
        _blind_branch, probe="a person commits"
    ),
    "no folder is synced": Mutant(_folders_not_synced, cuts="create"),
    "no file is synced": Mutant(_files_not_synced, cuts="create"),
    "a failed fsync is ignored": Mutant(
        _failed_fsync_ignored, (("grow", "call unsynced"),)
    ),
    "the buffer's folders are not synced": Mutant(
        _buffer_folders_not_synced, cuts="create"
    ),
    "new files are written in place": Mutant(
        _written_in_place, (("ingest one", "call torn"),)
    ),
    "git's index is written in place": Mutant(
        _index_written_in_place, (("grow", "call torn"),)
    ),
    "late words are accepted before they are captured": Mutant(
        _late_words_accepted_first, (("late words", "call before"),)
    ),
}
