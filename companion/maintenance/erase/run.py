"""Erase leaked words from everywhere on this machine, on their owner's explicit command (INV-6).

A preview comes first: it lists every place, and gives a word to confirm with that holds for exactly
these places. Then all of history is rewritten beside the old one, and every ref moves at once.
Files, git's index and the journal follow, the old objects are removed, and every byte is read
again. No backup is kept, or the words would still be there. The ledger gets a run that says that
words were erased, and when, but not which; a keyed hash in the state folder keeps the words from
coming in again.
"""

import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion import workspace
from companion.comparison.nearest import vectors_path
from companion.errors import BadInput, CompanionError
from companion.lookup.find import NothingFound
from companion.maintenance.erase import other_places
from companion.maintenance.erase.sources import GONE
from companion.maintenance.erase.survey import Survey, survey_words
from companion.privacy import erased_words, words_to_erase
from companion.privacy.words_to_erase import Words
from companion.runs.publication import Message, encode_commit, write_tree
from companion.runs.refresh import open_index
from companion.runs.run import Run, make_inputs, open_run
from companion.storage import ledger_file
from companion.storage.erasure import remembered, scrub, steps
from companion.storage.erasure.rewrite_history import Sink
from companion.storage.erasure.steps import FileMove, RefMove
from companion.storage.git import capture_buffer, layout, objects
from companion.storage.git.git_locks import IndexEntry
from companion.storage.git.layout import Place
from companion.storage.git.objects import Pack
from companion.storage.git.repo import TryLater
from companion.storage.git.trees import FILE
from companion.storage.index import private_index, schema
from companion.storage.index.tables.pages.entries import is_known_page
from companion.storage.ledger_file import RunRecord
from companion.usage.record_read import collect_reads
from companion.values.decisions import Write
from companion.values.events import JsonDocument
from companion.values.progress import Progress
from companion.values.wording import many
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.maintenance.results import EraseResult, ErasureEnd

BEYOND = (
    "clones, remotes, backups, exports and whatever synced this folder: nothing here can reach"
    " those"
)
_REASON = "erased on the owner's command, here and in all of history"


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


def erase(
    ws: Workspace,
    targets: Sequence[str],
    *,
    confirm: str | None = None,
    progress: Progress | None = None,
) -> "EraseResult":
    """Preview the erasure of *targets*, or with *confirm* carry it out.

    A target is words, or the id of a capture: then all its words.
    Raises TooShort, NothingFound, NotConfirmed, Busy or TryLater, with nothing changed.
    """
    with open_run(ws, "erase", progress=progress) as run:
        _require_alone(ws.place)
        capture_buffer.anchor(run.journal, run.repo)
        # The words of a search are in the journal, too, once the reads are collected.
        collect_reads(ws, run.journal)
        key, known = remembered.read(ws.place) or (workspace.create_key(), [])
        words = [_find_words(run, target, key) for target in targets]
        if not known:
            # The mark and the word to confirm depend on the key: the next call needs the same.
            remembered.write(ws.place, key, known)
        survey = _survey(run, words, objects.hash_object)
        unfinished = run.journal.get(steps.UNFINISHED) is not None
        if not survey.places and not unfinished:
            raise NothingFound(
                "these words are nowhere in this wiki",
                hint="Are they written exactly so?",
            )
        expected = _make_confirmation(words, survey, key)
        report = _report(run, words, survey, expected)
        if confirm is None:
            return report
        if confirm.strip().lower() != expected:
            raise NotConfirmed
        records = _remember(ws.place, words, key, known)
        is_new = _has_new(records, known)
        end = _carry_out(run, words, records, is_new=is_new)
        return {**report, **end, "erased": True}


# -- the words -------------------------------------------------------------------------------------


def _require_alone(place: Place) -> None:
    """Raise LinkedWorktrees if the repository has other work trees."""
    linked = os.path.join(place.common_dir, "worktrees")
    names = sorted(os.listdir(linked)) if os.path.isdir(linked) else []
    if names or place.git_dir != place.common_dir:
        raise LinkedWorktrees(
            f"there are linked work trees: {', '.join(names)}"
        )


def _remember(
    place: Place, words: Sequence[Words], key: bytes, known: list[JsonDocument]
) -> list[JsonDocument]:
    """Return the records of *words*, kept with those known: ingest refuses the words from now on.

    It comes before the survey that counts, so that no capture brings the words in behind it.
    """
    records: list[JsonDocument] = []
    for item in words:
        record = erased_words.remember(item.text, item.mark, key)
        records.append(record._asdict())
    hashes = {record["hash"] for record in records}
    older = [record for record in known if record["hash"] not in hashes]
    remembered.write(place, key, [*older, *records])
    return records


def _has_new(
    records: Sequence[JsonDocument], known: Sequence[JsonDocument]
) -> bool:
    hashes = {record["hash"] for record in known}
    return any(record["hash"] not in hashes for record in records)


def _find_words(run: Run, target: str, key: bytes) -> Words:
    """Return the words that *target* names: those of a capture, or itself.

    Raises IsAPage, TooShort or OfTheRecord.
    """
    _require_no_page(run, target)
    captured = _read_capture(run, target)
    text = words_to_erase.require(target if captured is None else captured)
    tokens = " ".join(erased_words.tokens(text))
    tag = erased_words.keyed(tokens, key)[:4]
    return Words(text, f"erased-{run.ws.now()[:10]}-{tag}")


def _require_no_page(run: Run, target: str) -> None:
    """Raise IsAPage for the name of a page: only its name would be erased, and its text stay."""
    target = target.strip()
    path = os.path.normpath(target)
    if "\0" in path or not erased_words.tokens(path):
        return
    is_file = os.path.isfile(os.path.join(run.ws.place.root, path))
    if is_file or (path.isprintable() and is_known_page(run.db, path, target)):
        raise IsAPage(
            f"{path} is a page or file, and no words: its name would go, and its text stay"
        )


def _read_capture(run: Run, target: str) -> str | None:
    """Return the text of the capture whose id begins with *target*; None if it names no one."""
    id = target.strip().lower()
    if len(id) < 8 or not set(id) <= set("0123456789abcdef"):
        return None
    captures = run.journal.capture(id)
    if len(captures) != 1:
        return None
    content = captures[0].content or run.repo.blob(captures[0].blob)
    return content.decode("utf-8", "replace")


# -- the preview -----------------------------------------------------------------------------------


def _survey(run: Run, words: Sequence[Words], sink: Sink) -> Survey:
    return survey_words(run.repo, run.journal, words, sink, run.progress)


def _make_confirmation(
    words: Sequence[Words], survey: Survey, key: bytes
) -> str:
    """Return the word that confirms exactly this preview: these words, at these places."""
    seen: list[tuple[str, str]] = []
    for item in survey.places:
        if not item["where"].startswith("git "):
            seen.append((item["where"], item["what"]))
    tags: list[str] = []
    for word in words:
        tokens = " ".join(erased_words.tokens(word.text))
        tags.append(erased_words.keyed(tokens, key))
    document = json.dumps([sorted(tags), sorted(seen)])
    return erased_words.keyed(document, key)[:8]


def _report(
    run: Run, words: Sequence[Words], survey: Survey, confirmation: str
) -> "EraseResult":
    place = run.ws.place
    return {
        "words": [
            {"mark": item.mark, "characters": len(item.text)} for item in words
        ],
        "places": sorted(
            survey.places, key=lambda item: (item["where"], item["what"])
        ),
        "beyond": [BEYOND, *other_places.beyond(place, survey.refs)],
        "notes": [*run.notes, *_list_losses(place, survey)],
        "confirm": confirmation,
        "erased": False,
        "run": None,
        "commit": None,
        "remains": [],
    }


def _list_losses(place: Place, survey: Survey) -> list[str]:
    """Return a sentence for each thing that is lost with the words."""
    notes = ["no backup is kept: what is erased cannot be had back from here"]
    signed = survey.rewriter.signed
    if signed:
        notes.append(f"{signed} signed commits or tags lose their signature")
    gone = sum(data == GONE for data in survey.sources.contents.values())
    if gone:
        notes.append(
            f"{many(gone, 'original')} whose text cannot be changed in place"
            " will go whole"
        )
    if survey.unread:
        names = ", ".join(survey.unread[:5])
        notes.append(
            f"no reader could look into {many(len(survey.unread), 'original')}:"
            f" {names}"
        )
    copies = other_places.copies(place)
    if copies:
        folder = os.path.dirname(copies[0])
        notes.append(
            f"the {len(copies)} database files that doctor kept in {folder} go too"
        )
    return notes


# -- the erasure -----------------------------------------------------------------------------------


def _carry_out(
    run: Run,
    words: Sequence[Words],
    records: Sequence[JsonDocument],
    *,
    is_new: bool,
) -> "ErasureEnd":
    place = run.ws.place
    with Pack(place.common_dir) as pack:
        survey = _survey(run, words, pack.add)
    run_id: str | None = None
    commit: str | None = None
    left_alone: list[str] = []
    # Without a change, an erasure that was killed only needs its last steps.
    if is_new or not survey.is_empty:
        run_id, commit = _record(run, survey, records)
        left_alone = _begin(run, survey)
    run.db.close()
    _remove_databases(run.ws)
    other_places.clear(place, survey.rewriter, survey.clean)
    _require_unmoved(place, survey, commit or str(run.commit))
    run.progress.begin("removing the old objects")
    scrub.drop_objects(place, survey.unwanted)
    scrub.compact(run.journal.connection)
    run.reopen(open_index(run.ws))
    run.journal.put(steps.UNFINISHED, None)
    remains = other_places.scan(place, survey.clean, run.progress)
    remains += [{"where": "file", "what": path} for path in left_alone]
    return {
        "run": run_id,
        "commit": commit,
        "remains": remains,
        "notes": list(run.notes),
    }


def _begin(run: Run, survey: Survey) -> list[str]:
    """Write the intent down and carry it out; return the files that changed meanwhile."""
    intent = {
        "refs": survey.refs,
        "files": survey.files,
        "index": survey.index,
        "rows": survey.rows,
    }
    now = workspace.real_now()
    return steps.begin_erasure(run.repo, run.journal, intent, now)


def _remove_databases(ws: Workspace) -> None:
    """Remove the databases that are made again from the wiki."""
    schema.remove_database(ws.place.index_db)
    schema.remove_database(private_index.find_path(ws.place))
    # A vector is kept by the hash of its page, and tells what the page was about.
    schema.remove_database(vectors_path(ws))


def _record(
    run: Run, survey: Survey, records: Sequence[JsonDocument]
) -> tuple[str, str]:
    """Put a run that records the erasure on top of the rewritten branch; return run and commit.

    The survey then moves the branch to it, together with all other refs.
    """
    repo = run.repo
    whole = survey.rewriter.resolve(str(repo.tree_of(run.commit)))
    entry = _make_ledger_run(run, survey, records, whole)
    ledger = Write(run.ws.place.prefix + entry.path, ledger_file.encode(entry))
    tip = str(run.commit)
    parent = survey.rewriter.resolve(tip)
    marks = ", ".join(item["mark"] for item in records)
    message = Message(f"erase: {marks}", _REASON)
    with Pack(run.ws.place.common_dir) as pack:
        blob = pack.add("blob", ledger.content or b"")
        tree = write_tree(repo, pack, whole, {ledger.path: (FILE, blob)})
        data = encode_commit(repo, tree, [parent], entry, message)
        commit = pack.add("commit", data)
    survey.files.append(FileMove(ledger.path, None, ledger.path, blob))
    survey.index.append(IndexEntry(ledger.path, None, blob, FILE))
    others = [move for move in survey.refs if move.ref != repo.branch]
    branch = RefMove(repo.branch, tip, repo.branch, commit)
    survey.refs[:] = [*others, branch]
    return entry.id, commit


def _make_ledger_run(
    run: Run, survey: Survey, records: Sequence[JsonDocument], whole: str
) -> RunRecord:
    """Return the ledger's run of this erasure; *whole* is the rewritten tree it is based on."""
    lines: list[JsonDocument] = []
    for item in records:
        mark = {"e": "erased", "mark": item["mark"], "hash": item["hash"]}
        lines.append({**mark, "reason": _REASON})
    inputs = make_inputs(run, {}, {"erase": "erase-1"})
    buffer = inputs["buffer"]
    inputs["base"] = run.repo.subtree(whole, run.ws.place.prefix)
    inputs["buffer"] = survey.rewriter.map.get(buffer, buffer)
    return ledger_file.make_run("erase", run.moment(), inputs, lines)


def _require_unmoved(place: Place, survey: Survey, commit: str) -> None:
    """Raise TryLater if a ref names an object that is to go, or one that nobody surveyed."""
    expected = {commit, *survey.rewriter.map.values()}
    refs = {
        **layout.read_refs(place, "refs"),
        "HEAD": layout.read_ref(place, "HEAD"),
    }
    for ref, id in refs.items():
        if id is None:
            continue
        if id in survey.unwanted or id not in expected:
            raise TryLater(
                f"{ref} moved while words were being erased",
                hint="Run the same command again to finish.",
            )
