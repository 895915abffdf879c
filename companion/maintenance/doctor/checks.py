"""What `doctor` looks for. Each function yields what it finds; none changes anything."""

import hashlib
import json
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing

from companion import config
from companion.errors import CompanionError
from companion.maintenance.results import Finding, Severity
from companion.pages.markdown import Markdown
from companion.privacy import erased_words
from companion.reading.status_notes import note_unrecorded_reads
from companion.routing import watch_signals
from companion.storage import ledger_file, publish
from companion.storage.erasure.remembered import read_erased_words
from companion.storage.erasure.steps import INTENT, UNFINISHED
from companion.storage.files import durable
from companion.storage.git import capture_buffer, git_locks, layout, objects
from companion.storage.git.command import GitFailed, run_git
from companion.storage.git.repo import Repo
from companion.storage.index import checkup, fold, private_index
from companion.storage.index import schema as indexes
from companion.storage.index.tables.captures import list_consumed
from companion.storage.index.tables.pages import list_paths_by_blob
from companion.storage.journal.journal import Journal
from companion.values.captures import Capture
from companion.workspace import Workspace, real_now

RESTORE_GIT = "Fetch from another copy, or restore .git from a backup; companion rewrites nothing."
RESTORE = "Restore it from a backup; `companion doctor` again says whether that was all."
JOURNAL_ASIDE = (
    "Move journal.db, and journal.db-wal if it is there, to another folder and keep them: no capture that is only in "
    "them is lost then. `companion doctor --repair` brings back what git holds."
)
_REPAIR = "`companion doctor --repair` mends this; what it replaces is kept."
_LISTED = 20  # of one kind
_OLD = 3600.0  # seconds: a temporary file of this age is nobody's
_TEMP = re.compile(re.escape(durable.TEMP) + r"\d+-\d+")
_OBJECT = re.compile(r"\b[0-9a-f]{40}\b|objects/([0-9a-f]{2})/([0-9a-f]{38})\b")


def finding(
    kind: str,
    severity: Severity,
    what: str,
    hint: str,
) -> Finding:
    return {"kind": kind, "severity": severity, "what": what, "hint": hint}


# -- git -------------------------------------------------------------------------------------------


def git(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """What git itself finds wrong, with the note or page that each damaged object is."""
    try:
        run_git(repo.place, "ls-files", "-s", "-z")
    except GitFailed as error:
        hint = "`mv .git/index .git/index.damaged && git reset` makes it anew from HEAD; what was only staged is lost."
        yield finding(
            "git-index-damaged", "damage", str(error).splitlines()[0], hint
        )
    yield from _fsck(ws, repo)
    yield from _branch(ws, repo)


def _fsck(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    try:
        run_git(repo.place, "fsck", "--full", "--no-dangling", "--no-progress")
    except GitFailed as error:
        lines = str(error).removeprefix("git fsck: ").splitlines()
        hashes = {
            "".join(found.groups("")) or found[0]: line
            for line in lines
            for found in _OBJECT.finditer(line)
        }
        names = _names(ws, repo, set(hashes))
        named = [
            f"{names[id]}: {line}" for id, line in hashes.items() if id in names
        ]
        for line in (named or lines)[:_LISTED]:
            yield finding("git-fsck", "damage", line, RESTORE_GIT)


def _names(ws: Workspace, repo: Repo, wanted: set[str]) -> dict[str, str]:
    """Say in a person's words what the damaged objects are, as far as what is left can tell."""
    names: dict[str, str] = {}
    try:
        names |= {
            id: f"a file of the wiki, {path}"
            for path, _, id in repo.walk(repo.tree_of(repo.tip()))
        }
    except CompanionError:
        # a tree on the way is what is damaged: the index knows the pages, too
        pass
    try:
        db = indexes.open_for_reading(ws.place.index_db)
        names |= (
            {}
            if db is None
            else {
                blob: f"page {path}"
                for blob, path in list_paths_by_blob(db).items()
            }
        )
        with_bytes = Journal.open(ws.place.journal_db)
        names |= {
            blob: _called(with_bytes.capture(id)[0])
            for id, blob, _ in with_bytes.ids()
            if blob in wanted
        }
    except (CompanionError, sqlite3.Error):
        pass  # named for itself, by the one who examines it
    return {id: name for id, name in names.items() if id in wanted}


def _called(capture: Capture) -> str:
    title = f"{capture.title!r}, " if capture.title else ""
    return f"capture {capture.id[:12]} ({title}{capture.ingested_at[:10]})"


def _branch(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    if repo.tip() is None and os.path.exists(ws.place.index_db):
        db = indexes.open_for_reading(ws.place.index_db)
        last = None if db is None else indexes.read_meta(db, "commit")
        if last is not None and repo.has(last):
            what = f"the wiki's branch {repo.branch} is gone"
            yield finding(
                "branch-missing",
                "damage",
                what,
                f"`git update-ref {repo.branch} {last}` brings it back.",
            )


# -- the work tree ---------------------------------------------------------------------------------


def folders(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """What is wrong with companion's own files in the work tree, and in the state folder."""
    if not os.path.isdir(os.path.join(ws.place.root, ".companion")):
        yield finding(
            "folder-missing",
            "warning",
            f"{ws.place.root}/.companion is gone",
            "`git checkout -- .companion`",
        )
    else:
        for path in changed_ledger(repo):
            hint = (
                _REPAIR
                if repo.has(str(repo.subtree(repo.wiki_tree(repo.tip()), path)))
                else RESTORE
            )
            yield finding(
                "ledger-changed",
                "damage",
                f"{path} is not what its run wrote",
                hint,
            )
    yield from _settings(ws, repo)
    yield from _prefix(ws)


def _settings(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """Look at companion.yaml where it is not the branch's: what is committed stops the fold, which
    says so itself.
    """
    data = _bytes(os.path.join(ws.place.root, config.PATH))
    if data is None or objects.hash_blob(data) == repo.subtree(
        repo.wiki_tree(repo.tip()), config.PATH
    ):
        return
    try:
        config.parse(data[: config.MAX_BYTES + 1])
    except CompanionError as error:
        hint = f"Mend {config.PATH}, or `git checkout -- {config.PATH}`"
        yield finding("config-unreadable", "damage", str(error), hint)


def warnings(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """Look at the owner's file of external signals (MaM §5.0, row 3), where a bad line warns of
    nothing; and at use.
    """
    for said in note_unrecorded_reads(ws):
        yield finding(
            "use-unrecorded",
            "warning",
            said,
            "Nothing else is wrong with it: reads answer as ever.",
        )
    for trouble in watch_signals.notes(ws):
        yield finding(
            "signals-unread",
            "warning",
            trouble,
            f"Mend {watch_signals.PATH} and commit it; the rest of it counts.",
        )


def changed_ledger(repo: Repo) -> list[str]:
    """Return the ledger files of the tip that the work tree has otherwise, or not at all."""
    tree, prefix = repo.wiki_tree(repo.tip()), repo.place.prefix
    held = repo.walk(
        repo.subtree(tree, ledger_file.FOLDER.rstrip("/")), ledger_file.FOLDER
    )
    return [
        path
        for path, _, blob in held
        if publish.hash_on_disk(repo, prefix + path) != blob
        and publish.hash_as_git_would(repo, prefix + path) != blob
    ]


def _prefix(ws: Workspace) -> Iterator[Finding]:
    path = os.path.join(ws.place.beside, "prefix")
    wanted = ws.place.prefix.encode()
    if _bytes(path) != (wanted or None):
        yield finding(
            "prefix-wrong",
            "damage",
            f"{path} does not say where in the repository the wiki lies",
            _REPAIR,
        )


def _bytes(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


# -- the journal -----------------------------------------------------------------------------------


def log(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """What is wrong with the journal as files, before SQLite looks at them."""
    path = ws.place.journal_db
    if ws.place.moved and not layout.read_owner(ws.place)[0]:
        hint = "Bring it back from a backup; without one, captures come back as far as git has them. Then `rebuild`."
        yield finding(
            "state-gone",
            "damage",
            f"the state that was kept in {ws.place.state} is gone",
            hint,
        )
    if not os.path.exists(path):
        if os.path.exists(ws.place.index_db):
            hint = "`companion doctor --repair` brings back what git holds; `git fsck --lost-found` may find other words."
            yield finding("journal-missing", "damage", f"{path} is gone", hint)
        return
    if os.path.getsize(path) == 0:
        hint = "Restore it from a backup, or remove it: what git holds comes back by itself."
        yield finding("journal-empty", "damage", f"{path} is empty", hint)
    broken = checkup.check_log(path)
    if broken is not None:
        hint = f"Copy {path} and {path}-wal aside now, before anything is written: they hold your last notes."
        yield finding("journal-log", "damage", f"{path}: {broken}", hint)


def journal(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """What is wrong inside the journal, and between it and git."""
    if (
        not os.path.getsize(ws.place.journal_db)
        if os.path.exists(ws.place.journal_db)
        else True
    ):
        return
    held = Journal.open(ws.place.journal_db)
    broken, reindex = checkup.check_integrity(held.connection)
    if broken is not None:
        what, kind = (
            f"journal.db: {broken}",
            "journal-indexes" if reindex else "journal-damaged",
        )
        yield finding(
            kind, "damage", what, _REPAIR if reindex else JOURNAL_ASIDE
        )
    for name in checkup.list_missing_structure(held.connection):
        yield finding(
            "journal-structure",
            "damage",
            f"journal.db: {name} is not as it should be",
            _REPAIR,
        )
    yield from _captures(held, repo)
    yield from _both(ws, held, repo)
    yield from _intent(held)


def _captures(held: Journal, repo: Repo) -> Iterator[Finding]:
    for id, blob, anchored in held.ids():
        capture = held.capture(id)[0]
        if capture.content and (
            hashlib.sha256(capture.content).hexdigest(),
            objects.hash_blob(capture.content),
        ) != (
            id,
            blob,
        ):
            what = f"{_called(capture)} is not what its id says"
            yield finding(
                "capture-changed",
                "damage",
                what,
                "Restore journal.db; git may have it: `git fsck --lost-found`",
            )
        elif (
            not capture.content
            and not repo.has(blob)
            and id != hashlib.sha256().hexdigest()
        ):
            where = "git lost them" if anchored else "they were never anchored"
            yield finding(
                "capture-missing",
                "damage",
                f"the bytes of {_called(capture)} are gone: {where}",
                RESTORE_GIT,
            )


def _both(ws: Workspace, held: Journal, repo: Repo) -> Iterator[Finding]:
    """Compare the journal with the buffers in git: each must know what the other relies on."""
    there = capture_buffer.list_captures_in_git(repo)
    lacking = [
        id for id, _, anchored in held.ids() if anchored and id not in there
    ]
    if lacking:
        what = f"git's buffers lack {len(lacking)} captures that they had, like {_called(held.capture(lacking[0])[0])}"
        yield finding("buffer-lacks", "damage", what, _REPAIR)
    unknown = there - {id for id, *_ in held.ids()}
    if unknown and not held.fresh:
        yield _unknown(ws, unknown)


def _unknown(ws: Workspace, unknown: set[str]) -> Finding:
    """Say what captures are that git has and the journal has not: no harm where a run of the branch
    consumed them.
    """
    db = indexes.open_for_reading(ws.place.index_db)
    known = set() if db is None else list_consumed(db)
    waiting = len(unknown - known)
    what = f"git holds {len(unknown)} captures that journal.db does not know"
    if waiting:
        what += f", {waiting} of them in no page yet"
    why = "the buffer was fetched by hand from another clone, or journal.db is an older copy"
    hint = "`companion doctor --repair` takes them in, and nothing is lost. `companion remote sync` does both."
    return finding(
        "journal-forgot",
        "damage" if waiting else "warning",
        f"{what}: {why}",
        hint,
    )


def _intent(held: Journal) -> Iterator[Finding]:
    text = held.get("intent")
    if text is None:
        return
    try:
        json.loads(text)
    except ValueError:
        hint = "Keep a copy of .git/companion and report it: the run that was interrupted cannot be rolled back by itself."
        yield finding(
            "intent-damaged",
            "damage",
            "journal.db: the record of an interrupted run is damaged",
            hint,
        )
        return
    yield finding(
        "run-interrupted",
        "warning",
        "a run was interrupted",
        "The next command that writes recovers.",
    )


# -- what was erased -------------------------------------------------------------------------------


def erasures(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """An erasure that was interrupted, and words that were erased here and came back, by an old
    clone for example.
    """
    if not os.path.exists(ws.place.journal_db):
        return
    held = Journal.open(ws.place.journal_db)
    if held.get(INTENT) is not None or held.get(UNFINISHED) is not None:
        hint = "Run `companion erase` with the same words: git's object store may still hold them."
        yield finding(
            "erase-interrupted", "warning", "an erasure was interrupted", hint
        )
    known = read_erased_words(ws.place)
    if known is None:
        return
    hint = "Run `companion erase --match -` again, and erase them where they came from."
    for path, mode, blob in repo.walk(repo.wiki_tree(repo.tip())):
        if mode & 0o170000 == 0o100000 and _holds(repo.blob(blob), path, known):
            yield finding(
                "erased-is-back",
                "damage",
                f"{path} holds words that were erased here",
                hint,
            )
    for id in held.open_ids():
        if _holds(held.contents(repo.blob)[id], "", known):
            yield finding(
                "erased-is-back",
                "damage",
                f"capture {id[:12]} holds words that were erased here",
                hint,
            )


def _holds(
    data: bytes, path: str, known: tuple[list[erased_words.Erased], bytes]
) -> bool:
    return any(
        erased_words.find(f"{path}\n{data.decode('utf-8', 'replace')}", *known)
    )


# -- locks and leftovers ---------------------------------------------------------------------------


def locks_of(repo: Repo) -> list[str]:
    """Return the locks by which git is kept from writing."""
    return [
        git_locks.index_path(repo) + ".lock",
        git_locks.ref_path(repo, repo.branch) + ".lock",
    ]


def locks_and_leftovers(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """What keeps git, or us, from writing; and what killed processes left."""
    for path in filter(os.path.exists, locks_of(repo)):
        yield finding(
            "lock-held",
            "warning",
            f"{path} exists",
            "If no git is running, remove it.",
        )
    left = leftovers(ws)
    if left:
        yield finding(
            "leftovers",
            "note",
            f"{len(left)} files that a killed process left, like {left[0]}",
            _REPAIR,
        )


def leftovers(ws: Workspace) -> list[str]:
    """Return the temporary files of ours, in the wiki and the state folder, that are too old to be
    anybody's.
    """
    found, now = [], real_now().timestamp()
    for top in (ws.place.state, ws.place.root):
        for folder, folders, names in os.walk(top):
            folders[:] = [
                name for name in folders if name not in (".git", "aside")
            ]
            paths = [
                os.path.join(folder, name)
                for name in names
                if _TEMP.fullmatch(name)
            ]
            found += [
                path for path in paths if now - os.lstat(path).st_mtime >= _OLD
            ]
    return sorted(found)


# -- the index -------------------------------------------------------------------------------------


def index(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """Compare the index with one built from the tree it says it is of."""
    try:
        db = indexes.open_for_reading(ws.place.index_db)
        if db is None:
            yield _at_tip(repo) or finding(
                "index-missing",
                "note",
                "there is no index",
                "The next read builds it.",
            )
            return
        broken = checkup.check_integrity(db)[0] or checkup.check_full_text(db)
        if broken is not None:
            raise indexes.IndexDamaged(broken)
        yield from _compare(repo, db)
    except (indexes.IndexDamaged, sqlite3.DatabaseError) as error:
        yield finding(
            "index-damaged", "damage", f"{ws.place.index_db}: {error}", _REPAIR
        )


def _compare(repo: Repo, db: sqlite3.Connection) -> Iterator[Finding]:
    commit, tree = (
        indexes.read_meta(db, "commit"),
        indexes.read_meta(db, "tree"),
    )
    if commit != repo.tip():
        yield _at_tip(repo) or finding(
            "index-behind",
            "note",
            "the branch has moved since the last fold",
            "The next read catches up.",
        )
    if (commit is not None and not repo.has(commit)) or tree != repo.wiki_tree(
        commit
    ):
        yield finding(
            "index-differs",
            "damage",
            "the index is of a tree that no commit here has",
            _REPAIR,
        )
        return
    fresh = indexes.open_in_memory()
    if (bad := _unfoldable(repo, fresh, commit, tree)) is not None:
        yield bad
        return
    differing = [
        name
        for name in indexes.DERIVED
        if indexes.hash_table(db, name) != indexes.hash_table(fresh, name)
    ]
    differing += [
        key
        for key in ("tokens", "docs", "rules", "branch")
        if indexes.read_meta(db, key) != indexes.read_meta(fresh, key)
    ]
    if differing or checkup.compare_full_text(db, fresh):
        what = f"the index is not what the tree says: {', '.join(differing) or 'the words'}"
        yield finding("index-differs", "damage", what, _REPAIR)


def _at_tip(repo: Repo) -> Finding | None:
    return _unfoldable(
        repo, indexes.open_in_memory(), repo.tip(), repo.wiki_tree(repo.tip())
    )


def _unfoldable(
    repo: Repo, fresh: sqlite3.Connection, commit: str | None, tree: str | None
) -> Finding | None:
    """Fold *tree* into *fresh*; return what keeps it from being folded: reads answer as of an
    earlier run then.
    """
    try:
        with fold.transaction(fresh):
            fold.fold_to(fresh, repo, Markdown(), commit, tree)
    except CompanionError as error:
        return finding(error.kind, "damage", str(error), error.hint)
    return None


def private(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """What is wrong with the file of claims that were told in private."""
    file = private_index.find_path(ws.place)
    if not os.path.exists(file):
        return
    try:
        with closing(
            sqlite3.connect(layout.read_only_uri(file), uri=True)
        ) as db:
            broken = checkup.check_integrity(db)[0]
    except sqlite3.DatabaseError as error:
        broken = str(error)
    if broken is not None:
        yield finding("private-damaged", "damage", f"{file}: {broken}", _REPAIR)
