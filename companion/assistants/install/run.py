"""Install companion in an assistant, or take it out: plan every file, then write.

What was installed before is first taken out in thought, so that installing again changes what has
changed and nothing else. The receipt is written before the files: after a crash, `uninstall` finds
what is there and leaves what is not.
"""

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.assistants.install.changes import (
    Change,
    Occupied,
    OwnFile,
    Unreadable,
)
from companion.assistants.install.plan import (
    NAMES,
    Setup,
    describe_addition,
    plan_changes,
)
from companion.assistants.install.receipt import (
    Receipt,
    Written,
    hash_of,
    read_receipt,
    remove_receipt,
    write_receipt,
)
from companion.errors import CompanionError
from companion.storage.files import durable
from companion.workspace import caller_environment, state_home

if TYPE_CHECKING:
    from companion.assistants.install.results import (
        AssistantList,
        FileResult,
        FileState,
        InstallResult,
    )

_VARIABLES = ("CLAUDE_CONFIG_DIR", "CODEX_HOME")
_LEFT = "{} was changed by hand and is left as it is."
_TRUST = "Codex runs hooks only with `codex_hooks = true` under [features] in config.toml."


class NotInstalled(CompanionError):
    """companion is not installed there."""

    exit_code = 1
    hint = "`companion agent` lists where it is; --project names a project."


class _Step(NamedTuple):
    """The planned change of one file."""

    path: str
    now: bytes | None
    then: bytes | None
    written: Written | None  # what the receipt will say of it
    added: Sequence[str]
    is_left: bool = False

    @property
    def state(self) -> "FileState":
        """The state of the file after this step, in one word."""
        if self.is_left:
            return "left"
        if self.now == self.then:
            return "unchanged"
        if self.now is None:
            return "created"
        return "removed" if self.then is None else "changed"


def make_setup(
    assistant: str,
    wiki: str,
    program: tuple[str, ...],
    *,
    project: str | None,
    with_hooks: bool,
    with_sessions: bool = False,
) -> Setup:
    """Return what is to be installed, for the person who calls."""
    caller = caller_environment()
    folders = {name: caller[name] for name in _VARIABLES if caller.get(name)}
    return Setup(
        assistant,
        assistant,
        wiki,
        program,
        os.path.expanduser("~"),
        folders,
        None if project is None else os.path.abspath(project),
        with_hooks,
        with_sessions,
    )


def _make_receipt(setup: Setup, steps: Iterable[_Step]) -> Receipt:
    written = [step.written for step in steps if step.written is not None]
    return Receipt(
        setup.assistant, setup.wiki, setup.with_hooks, tuple(written)
    )


def install(setup: Setup, *, dry_run: bool = False) -> "InstallResult":
    """Write what *setup* plans; of several files all or, where one is refused, none.

    Raises NoHooks, Unreadable or Occupied.
    """
    planned = plan_changes(setup)
    folder = _receipt_folder(setup.assistant, setup.project)
    earlier = read_receipt(folder)
    old = {one.path: one for one in earlier.files} if earlier else {}
    additions = []
    for one in planned:
        path = _real(one.path)
        additions.append(_plan_addition(path, one.change, old.pop(path, None)))
    steps = [*additions, *map(_plan_removal, old.values())]
    if not dry_run:
        receipt = _make_receipt(setup, additions)
        if receipt != earlier:
            write_receipt(folder, receipt)
        _write(steps, list(old.values()))
    notes = _notes(steps)
    wants_hooks = setup.with_hooks or setup.with_sessions
    if wants_hooks and setup.assistant == "codex":
        notes.append(_TRUST)
    return {
        "assistant": setup.assistant,
        "action": "install",
        "wiki": setup.wiki,
        "project": setup.project,
        "hooks": setup.with_hooks,
        "files": list(map(_describe, steps)),
        "notes": notes,
        "dry_run": dry_run,
    }


def uninstall(
    assistant: str, project: str | None, *, dry_run: bool = False
) -> "InstallResult":
    """Take out what was installed, and nothing else. Raises NotInstalled or Unreadable."""
    project = None if project is None else os.path.abspath(project)
    folder = _receipt_folder(assistant, project)
    receipt = read_receipt(folder)
    if receipt is None:
        raise NotInstalled(f"companion is not installed in {assistant}")
    return _take_out(folder, receipt, project, dry_run=dry_run)


def uninstall_all(wiki: str, *, dry_run: bool = False) -> "list[InstallResult]":
    """Take out what was installed for *wiki*, for all projects and for single ones.

    Raises Unreadable or DamagedReceipt.
    """
    home = os.path.join(state_home(), "companion", "assistants")
    names = sorted(os.listdir(home)) if os.path.isdir(home) else []
    done = []
    for name in names:
        folder = os.path.join(home, name)
        receipt = read_receipt(folder)
        if receipt is not None and receipt.wiki == wiki:
            done.append(_take_out(folder, receipt, None, dry_run=dry_run))
    return done


def _take_out(
    folder: str, receipt: Receipt, project: str | None, *, dry_run: bool
) -> "InstallResult":
    steps = [_plan_removal(one) for one in receipt.files]
    if not dry_run:
        _write(steps, receipt.files)
        remove_receipt(folder)
    return {
        "assistant": receipt.assistant,
        "action": "uninstall",
        "wiki": receipt.wiki,
        "project": project,
        "hooks": receipt.with_hooks,
        "files": [_describe(step) for step in steps],
        "notes": _notes(steps),
        "dry_run": dry_run,
    }


def list_assistants() -> "AssistantList":
    """Return each assistant, with the wiki that it uses from all projects."""
    listed: AssistantList = {"assistants": []}
    for name in NAMES:
        receipt = read_receipt(_receipt_folder(name, None))
        files = [] if receipt is None else [one.path for one in receipt.files]
        listed["assistants"].append(
            {
                "assistant": name,
                "wiki": None if receipt is None else receipt.wiki,
                "hooks": receipt is not None and receipt.with_hooks,
                "files": files,
            }
        )
    return listed


def _receipt_folder(assistant: str, project: str | None) -> str:
    name = assistant
    if project is not None:
        name += "-" + hash_of(os.fsencode(project))[:12]
    return os.path.join(state_home(), "companion", "assistants", name)


def _real(path: str) -> str:
    """Return the file behind links: settings are often kept elsewhere and linked to."""
    return os.path.realpath(path)


# -- planning --------------------------------------------------------------------------------------


def _plan_addition(path: str, change: Change, old: Written | None) -> _Step:
    """Plan one file of an installation. Raises Unreadable or Occupied, which name it."""
    now = durable.read_if_there(path)
    if old is not None and _is_edited(now, old):
        return _Step(path, now, now, old, (), is_left=True)
    try:
        clean = now if old is None else _without(now, old)
        text = None if clean is None else _decode(clean)
        then = change.add(text).encode()
    except (Unreadable, Occupied) as error:
        hint = (
            "Nothing was written. Take that out or mend it, then install again."
        )
        raise type(error)(f"{path}: {error}", hint=hint) from error
    folders = _missing_folders(path) if old is None else old.folders
    written = Written(path, change, clean, hash_of(then), folders)
    return _Step(path, now, then, written, describe_addition(change))


def _plan_removal(old: Written) -> _Step:
    """Plan one file of a removal; a file of ours that the person changed is left.

    Raises Unreadable.
    """
    now = durable.read_if_there(old.path)
    if _is_edited(now, old):
        return _Step(old.path, now, now, None, (), is_left=True)
    try:
        then = _without(now, old)
    except Unreadable as error:
        raise Unreadable(
            f"{old.path}: {error}", hint="Then uninstall again."
        ) from error
    return _Step(old.path, now, then, None, ())


def _is_edited(now: bytes | None, old: Written) -> bool:
    """Tell whether the person changed a file that was all ours."""
    if now is None or not isinstance(old.change, OwnFile):
        return False
    return hash_of(now) != old.after


def _without(now: bytes | None, old: Written) -> bytes | None:
    """Return a file without what was written there: to the byte as before, if nobody else wrote."""
    if now is None:
        return None
    if hash_of(now) == old.after:
        return old.before
    before = None if old.before is None else _decode(old.before)
    left = old.change.take(_decode(now), before)
    return None if left is None else left.encode()


def _decode(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise Unreadable("it is no UTF-8 text") from error


def _missing_folders(path: str) -> tuple[str, ...]:
    """Return the folders that have to be made for *path*, the outermost first."""
    missing: list[str] = []
    folder = os.path.dirname(path)
    while not os.path.isdir(folder):
        missing.insert(0, folder)
        folder = os.path.dirname(folder)
    return tuple(missing)


# -- writing ---------------------------------------------------------------------------------------


def _write(steps: Sequence[_Step], old: Sequence[Written]) -> None:
    for step in steps:
        if step.now == step.then:
            continue
        if step.then is None:
            os.unlink(step.path)
            continue
        durable.make_dirs(os.path.dirname(step.path))
        mode = 0o644
        if step.now is not None:
            mode = os.stat(step.path).st_mode & 0o777
        durable.replace(step.path, step.then, mode=mode)
    for written in old:
        _remove_empty(written.folders)


def _remove_empty(folders: Sequence[str]) -> None:
    """Remove folders that were made for a file, the innermost first, unless others use them."""
    for folder in reversed(folders):
        if not os.path.isdir(folder) or os.listdir(folder):
            return
        os.rmdir(folder)


def _describe(step: _Step) -> "FileResult":
    return {
        "path": step.path,
        "state": step.state,
        "added": list(step.added),
    }


def _notes(steps: Sequence[_Step]) -> list[str]:
    return [_LEFT.format(step.path) for step in steps if step.is_left]
