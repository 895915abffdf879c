"""`erase`: words that leaked go from everywhere on this machine, on their owner's explicit command
(INV-6).

Preview first: every place, and a word to confirm with that is bound to exactly these places. Then
all of history is rewritten beside the old, every ref moves at once, files, git's index and the
journal follow, the old objects are removed, and every byte is read again. No backup is kept: that
is the point. The ledger gets a run that says that, and when, but not what; a keyed hash in the
state folder keeps the words from coming in again.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion import workspace
from companion.comparison.nearest import vectors_path
from companion.errors import BadInput, CompanionError
from companion.lookup.find import NothingFound
from companion.maintenance.erase import other_places
from companion.pages import ids
from companion.privacy import erased_words, words_to_erase
from companion.privacy.words_to_erase import OfTheRecord as OfTheRecord
from companion.privacy.words_to_erase import Words
from companion.runs.publication import Message, encode_commit, write_tree
from companion.runs.refresh import open_index
from companion.runs.run import Run, make_inputs, open_run
from companion.storage import ledger_file
from companion.storage.erasure import remembered, scrub, steps
from companion.storage.erasure.rewrite_history import Rewriter, Sink
from companion.storage.git import capture_buffer, layout, objects
from companion.storage.git.command import run_git
from companion.storage.git.objects import Pack
from companion.storage.git.repo import TryLater
from companion.storage.git.trees import FILE
from companion.storage.index import private_index, schema
from companion.storage.index.tables.entries import is_known_page
from companion.usage.record_read import collect_reads
from companion.values.decisions import Write
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.maintenance.results import (
        EraseResult,
        ErasureEnd,
        WordsAt,
    )

_TRACKING = ("refs/remotes/", "refs/companion/remotes/")
BEYOND = (
    "clones, remotes, backups, exports and whatever synced this folder: nothing here can reach"
    " those"
)


class NotConfirmed(CompanionError):
    """That is not the word of this preview."""

    exit_code = 2
    hint = (
        "Something has changed since, or it is a slip of the hand. Run it without --confirm and"
        " read it again."
    )


class IsAPage(BadInput):
    """This names a page, and words are erased, wherever they stand."""

    hint = (
        "Give the words themselves, or the id of the capture that brought them (`companion why"
        " PAGE` lists those). "
        "A page that need only go is deleted as any file; git keeps what it held."
    )


class LinkedWorktrees(TryLater):
    """Other work trees of this repository hold files and indexes of their own."""

    hint = (
        "`git worktree remove` them (or `git worktree prune`), then run this again. Nothing was"
        " changed."
    )


@dataclass
class Survey:
    """Everything that an erasure would change, before anything is."""

    rewriter: Rewriter
    clean: Callable[[bytes], bytes]
    # [ref, old, new name or None, new]
    refs: list[list[Any]] = field(default_factory=list)
    # [path, hash on disk, new path, new blob]
    files: list[list[Any]] = field(default_factory=list)
    # [path, old, new blob or None, mode]
    index: list[list[Any]] = field(default_factory=list)
    rows: list[scrub.Row] = field(default_factory=list)
    places: "list[WordsAt]" = field(default_factory=list)
    unwanted: set[str] = field(default_factory=set)


def erase(
    ws: Workspace, targets: Sequence[str], *, confirm: str | None = None
) -> "EraseResult":
    """Preview the erasure of *targets* (words, or the id of a capture: all its words), or with
    *confirm* carry it out.

    Raises TooShort, NothingFound, NotConfirmed, Busy, TryLater, with nothing changed.
    """
    with open_run(ws, "erase") as tonight:
        _require_alone(tonight)
        capture_buffer.anchor(tonight.journal, tonight.repo)
        # what somebody searched for is among the rows then
        collect_reads(ws, tonight.journal)
        key, known = remembered.read(ws.place) or (workspace.create_key(), [])
        wanted = [_words(tonight, target, key) for target in targets]
        if not known:
            remembered.write(ws.place, key, known)
        found = _survey(tonight, wanted, objects.hash_object)
        if not found.places and tonight.journal.get(steps.UNFINISHED) is None:
            raise NothingFound(
                "these words are nowhere in this wiki",
                hint="Are they written exactly so?",
            )
        word = _word(wanted, found, key)
        report = _report(tonight, wanted, found, word)
        if confirm is None:
            return report
        if confirm.strip().lower() != word:
            raise NotConfirmed
        new = [
            erased_words.remember(item.text, item.mark, key)._asdict()
            for item in wanted
        ]
        news = not {item["hash"] for item in new} <= {
            item["hash"] for item in known
        }
        # Refused at the door from here on: nothing must come in behind the survey.
        remembered.write(
            ws.place,
            key,
            [
                *(
                    k
                    for k in known
                    if k["hash"] not in {n["hash"] for n in new}
                ),
                *new,
            ],
        )
        return {
            **report,
            **_carry_out(tonight, wanted, new, news=news),
            "erased": True,
        }


# -- what there is ---------------------------------------------------------------------------------


def _require_alone(tonight: Run) -> None:
    place = tonight.ws.place
    linked = os.path.join(place.common_dir, "worktrees")
    names = sorted(os.listdir(linked)) if os.path.isdir(linked) else []
    if names or place.git_dir != place.common_dir:
        raise LinkedWorktrees(
            f"there are linked work trees: {', '.join(names)}"
        )


def _require_no_page(tonight: Run, target: str) -> None:
    """Raise IsAPage rather than take a page's name out of everything and leave its text."""
    path = os.path.normpath(target.strip())
    if "\0" in path or not erased_words.tokens(path):
        return
    found = os.path.isfile(os.path.join(tonight.ws.place.root, path)) or (
        path.isprintable() and is_known_page(tonight.db, path, target.strip())
    )
    if found:
        raise IsAPage(
            f"{path} is a page or file, and no words: its name would go, and its text stay"
        )


def _words(tonight: Run, target: str, key: bytes) -> Words:
    """Return the words that *target* names: those of a capture, or itself."""
    _require_no_page(tonight, target)
    text, id = target, target.strip().lower()
    if len(id) >= 8 and set(id) <= set("0123456789abcdef"):
        held = tonight.journal.capture(id)
        if len(held) == 1:
            text = (held[0].content or tonight.repo.blob(held[0].blob)).decode(
                "utf-8", "replace"
            )
    text = words_to_erase.require(text)
    tag = erased_words.keyed(" ".join(erased_words.tokens(text)), key)[:4]
    return Words(text, f"erased-{tonight.ws.now()[:10]}-{tag}")


def _survey(tonight: Run, wanted: Sequence[Words], sink: Sink) -> Survey:
    clean = words_to_erase.cleaner(wanted)
    rewriter = Rewriter(
        tonight.repo, clean, words_to_erase.require_readable, ids.entry_id, sink
    )
    found = Survey(rewriter, clean)
    rewriter.survey(tonight.journal.blobs_and_bytes())
    changed = rewriter.find_changes()
    found.unwanted = changed.keys() - set(changed.values())
    _refs(tonight, found)
    _files(tonight, found)
    _index(tonight, found)
    found.rows = list(
        scrub.find_changed_rows(
            tonight.journal.connection,
            rewriter.rewrite_names,
            lambda data: sink("blob", data),
        )
    )
    _count(found, "journal", Counter(row[0] for row in found.rows))
    _count(
        found,
        "git objects",
        Counter(f"{rewriter.kinds[oid]}s" for oid in rewriter.dirty),
    )
    found.places += other_places.places(tonight.ws.place, rewriter, clean)
    return found


def _refs(tonight: Run, found: Survey) -> None:
    for line in run_git(
        tonight.ws.place,
        "for-each-ref",
        "--format=%(objectname) %(refname) %(symref)",
    ).splitlines():
        old, ref, symref = line.decode("utf-8", "surrogateescape").split(" ", 2)
        new, name = found.rewriter.resolve(old), _text(found, ref)
        if symref or (new, name) == (old, ref):
            continue
        # What a remote is known to have is no longer so here, and must not seem to have changed
        # there.
        found.refs.append(
            [ref, old, None if ref.startswith(_TRACKING) else name, new]
        )
        found.places.append({"where": "ref", "what": name, "count": 1})


def _files(tonight: Run, found: Survey) -> None:
    root = tonight.ws.place.worktree
    for path in _work_tree(root):
        with open(os.path.join(root, path), "rb") as file:
            data = file.read()
        new, to = found.rewriter.rewrite_file(data), _text(found, path)
        if (new, to) == (data, path):
            continue
        found.files.append(
            [
                path,
                objects.hash_blob(data),
                to,
                found.rewriter.sink("blob", new),
            ]
        )
        hits = (
            found.clean(data) != data
            or found.clean(path.encode("utf-8", "surrogateescape"))
            != path.encode()
        )
        if hits:
            where = (
                "ledger"
                if ledger_file.FOLDER in path
                else "page"
                if path.endswith(".md")
                else "file"
            )
            found.places.append({"where": where, "what": to, "count": 1})


def _work_tree(root: str) -> Iterator[str]:
    """Yield every regular file, of git's or not, but none of a repository inside."""
    for folder, folders, names in os.walk(root):
        inside = os.path.relpath(folder, root)
        folders[:] = sorted(
            f
            for f in folders
            if f != ".git"
            and not os.path.lexists(os.path.join(folder, f, ".git"))
        )
        for name in sorted(names):
            path = name if inside == "." else f"{inside}/{name}"
            full = os.path.join(root, path)
            if (
                name != ".git"
                and os.path.isfile(full)
                and not os.path.islink(full)
            ):
                yield path


def _index(tonight: Run, found: Survey) -> None:
    listing = run_git(
        tonight.ws.place, "ls-files", "-s", "-z", "--full-name"
    ).decode("utf-8", "surrogateescape")
    for line in filter(None, listing.split("\0")):
        about, path = line.split("\t", 1)
        mode, old, _ = about.split(" ")
        new, to = found.rewriter.map.get(old, old), _text(found, path)
        if to != path:
            found.index.append([path, old, None, 0])
        if (new, to) != (old, path):
            found.index.append([to, old, new, int(mode, 8)])


def _text(found: Survey, name: str) -> str:
    return found.rewriter.rewrite_names(
        name.encode("utf-8", "surrogateescape")
    ).decode("utf-8", "surrogateescape")


def _count(found: Survey, where: str, numbers: Counter[str]) -> None:
    found.places += [
        {"where": where, "what": what, "count": count}
        for what, count in sorted(numbers.items())
    ]


def _word(wanted: Sequence[Words], found: Survey, key: bytes) -> str:
    """Return the word that confirms exactly this preview: these words, at these places."""
    seen = sorted(
        (item["where"], item["what"])
        for item in found.places
        if not item["where"].startswith("git ")
    )
    tags = sorted(
        erased_words.keyed(" ".join(erased_words.tokens(item.text)), key)
        for item in wanted
    )
    return erased_words.keyed(json.dumps([tags, seen]), key)[:8]


def _report(
    tonight: Run, wanted: Sequence[Words], found: Survey, word: str
) -> "EraseResult":
    notes = [
        *tonight.notes,
        "no backup is kept: what is erased cannot be had back from here",
    ]
    if found.rewriter.signed:
        notes.append(
            f"{found.rewriter.signed} signed commits or tags lose their signature"
        )
    copies = other_places.copies(tonight.ws.place)
    if copies:
        folder = os.path.dirname(copies[0])
        notes.append(
            f"the {len(copies)} database files that doctor kept in {folder} go too"
        )
    return {
        "words": [
            {"mark": item.mark, "characters": len(item.text)} for item in wanted
        ],
        "places": sorted(
            found.places, key=lambda item: (item["where"], item["what"])
        ),
        "beyond": [BEYOND, *other_places.beyond(tonight.ws.place, found.refs)],
        "notes": notes,
        "confirm": word,
        "erased": False,
        "run": None,
        "commit": None,
        "remains": [],
    }


# -- doing it --------------------------------------------------------------------------------------


def _carry_out(
    tonight: Run,
    wanted: Sequence[Words],
    records: Sequence[dict[str, Any]],
    *,
    news: bool,
) -> "ErasureEnd":
    with Pack(tonight.ws.place.common_dir) as pack:
        found = _survey(tonight, wanted, pack.add)
    run, commit, stuck = None, None, list[str]()
    # else an interrupted one is only to be finished
    if news or found.refs or found.files or found.index or found.rows:
        run, commit = _record(tonight, found, records)
        intent = {
            "refs": found.refs,
            "files": found.files,
            "index": found.index,
            "rows": found.rows,
        }
        stuck = steps.begin_erasure(
            tonight.repo, tonight.journal, intent, workspace.real_now()
        )
    tonight.db.close()
    schema.remove_database(tonight.ws.place.index_db)
    schema.remove_database(private_index.find_path(tonight.ws.place))
    # a vector is keyed by the page's hash, and tells what the page was about
    schema.remove_database(vectors_path(tonight.ws))
    other_places.clear(tonight.ws.place, found.rewriter, found.clean)
    _require_unmoved(tonight, found, commit or str(tonight.commit))
    scrub.drop_objects(tonight.ws.place, found.unwanted)
    scrub.compact(tonight.journal.connection)
    tonight.reopen(open_index(tonight.ws))
    tonight.journal.put(steps.UNFINISHED, None)
    remains = other_places.scan(tonight.ws.place, found.clean)
    remains += [{"where": "file", "what": path} for path in stuck]
    return {
        "run": run,
        "commit": commit,
        "remains": remains,
        "notes": list(tonight.notes),
    }


def _record(
    tonight: Run, found: Survey, records: Sequence[dict[str, Any]]
) -> tuple[str, str]:
    """Put the run that says what happened on top of the rewritten branch; the refs move to it with
    all others.
    """
    place, rewriter = tonight.ws.place, found.rewriter
    whole = rewriter.resolve(str(tonight.repo.tree_of(tonight.commit)))
    base = tonight.repo.subtree(whole, place.prefix)
    reason = "erased on the owner's command, here and in all of history"
    lines = [
        {
            "e": "erased",
            "mark": item["mark"],
            "hash": item["hash"],
            "reason": reason,
        }
        for item in records
    ]
    inputs = make_inputs(tonight, {}, {"erase": "erase-1"})
    inputs |= {
        "base": base,
        "buffer": rewriter.map.get(inputs["buffer"], inputs["buffer"]),
    }
    run = ledger_file.make_run("erase", tonight.moment(), inputs, lines)
    ledger = Write(place.prefix + run.path, ledger_file.encode(run))
    parent = rewriter.resolve(str(tonight.commit))
    with Pack(place.common_dir) as pack:
        blob = pack.add("blob", ledger.content or b"")
        tree = write_tree(
            tonight.repo, pack, whole, {ledger.path: (FILE, blob)}
        )
        subject = f"erase: {', '.join(item['mark'] for item in records)}"
        commit = pack.add(
            "commit",
            encode_commit(
                tonight.repo, tree, [parent], run, Message(subject, reason)
            ),
        )
    found.files.append([ledger.path, None, ledger.path, blob])
    found.index.append([ledger.path, None, blob, FILE])
    branch = [item for item in found.refs if item[0] == tonight.repo.branch]
    found.refs[:] = [item for item in found.refs if item not in branch]
    found.refs.append(
        [tonight.repo.branch, tonight.commit, tonight.repo.branch, commit]
    )
    return run.id, commit


def _require_unmoved(tonight: Run, found: Survey, commit: str) -> None:
    """Raise before objects go that somebody's git came to need meanwhile."""
    expected = {commit, *found.rewriter.map.values()}
    for ref, id in {
        **layout.read_refs(tonight.ws.place, "refs"),
        "HEAD": layout.read_ref(tonight.ws.place, "HEAD"),
    }.items():
        if id is not None and (id in found.unwanted or id not in expected):
            raise TryLater(
                f"{ref} moved while words were being erased",
                hint="Run the same command again to finish.",
            )
