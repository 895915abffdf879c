"""What must hold in a simulated world, at every moment and at its end."""

import json
import sqlite3
from collections import Counter
from contextlib import closing
from typing import Any

from pygit2 import Tree

from companion.storage.git.capture_buffer import BUFFER
from tests.maintenance.machines import buffer_of, told
from tests.simulation import clocks, events
from tests.simulation.bad import MARK
from tests.simulation.ground import Ground, Machine, Violation, name_of
from tests.wiki import check_index, git

#: whoever commits the marks of a merge in every round, after a night that took them out, gives the
#: next machine marks within marks; three such machines needed seven rounds (seed 108)
ROUNDS = 12
#: events that name a person as author
BY_HAND = frozenset({"edited", "renamed", "registered", "deleted"})
#: bytes of ledger for one note in one night; two machines that both slept on it write twice
MOST_LEDGER = 3_000


def check_now(ground: Ground, machine: Machine) -> None:
    """Nothing acknowledged is lost, nothing unverified is in the journal of *machine*."""
    path = machine.wiki.ws.place.journal_db
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT id, content, blob FROM captures").fetchall()
    held = {id: content for id, content, _ in rows}
    for id in machine.known:
        if id not in held and id not in machine.rotten:
            raise Violation(f"{machine.name} lost {machine.known[id]!r}")
    for id, content in held.items():
        if content is not None and MARK.encode() in content:
            raise Violation(f"{machine.name} took {content!r} for a note")
        # what a killed capture or a sync brought may rot, though nobody was told that it is there
        is_new = id not in machine.known and id not in machine.flipped
        if is_new and content is not None and name_of(content) != id:
            raise Violation(f"{machine.name} holds {id[:8]} unverified")


def settle(ground: Ground) -> None:
    """Let clocks be right and machines exchange all until nothing changes."""
    for machine in ground.machines:
        machine.skew = type(machine.skew)()
    clocks.wait_for_days(ground)
    for _ in range(ROUNDS):
        for machine in ground.machines:
            ground.now += events.timedelta(hours=9)
            events.do(ground, machine, events.sync)
            events.do(ground, machine, events.sleep)
            events.do(ground, machine, events.share)
        if _are_alike(ground):
            return
    raise Violation(f"the machines do not agree: {_differences(ground)}")


def _are_alike(ground: Ground) -> bool:
    buffers = {machine.read(BUFFER) for machine in ground.machines}
    trees = set()
    for machine in ground.machines:
        git = machine.wiki.repo().git
        trees.add(git[machine.read("HEAD")].peel(Tree).id)
    return len(trees) == len(buffers) == 1


def _differences(ground: Ground) -> str:
    first, *others = ground.machines
    parts = []
    for other in others:
        trees = (first.wiki.tree, other.wiki.tree)
        git(other.wiki.root, "fetch", "-q", str(first.wiki.root), "HEAD")
        pages = git(other.wiki.root, "diff", "--name-only", *trees).split("\n")
        same = buffer_of(first.wiki.root) == buffer_of(other.wiki.root)
        parts.append(f"{other.name}: {pages[:6]}, buffers alike: {same}")
    return "; ".join(parts)


def check_end(ground: Ground) -> None:
    """All laws, when all is quiet."""
    everything: dict[str, bytes] = {}
    rotten: set[str] = set()
    for machine in ground.machines:
        everything |= machine.known
        rotten |= machine.rotten
    for machine in ground.machines:
        _check_words(ground, machine, everything, rotten)
        check_pages(ground, machine)
        check_index(machine.wiki)
    _check_tellings(ground)
    _check_private(ground)
    _check_buffer(ground.machines[0])


def _check_words(
    ground: Ground,
    machine: Machine,
    everything: dict[str, bytes],
    rotten: set[str],
) -> None:
    """Everybody has every note that anybody was told, unless a disk lost it."""
    wiki = machine.wiki
    journal, repo = wiki.journal(), wiki.repo()
    consumed = Counter(each["capture"] for each in wiki.events("consumed"))
    waiting = set(journal.open_ids())
    for id, words in everything.items():
        if id in rotten or (id in ground.private and id not in machine.known):
            continue
        found = journal.capture(id)
        if not found:
            raise Violation(f"{machine.name} has not {words!r}")
        if repo.blob(found[0].blob) != words:
            raise Violation(f"{machine.name} has other bytes of {words!r}")
        if (
            id not in consumed
            and id not in waiting
            and id not in ground.private
        ):
            raise Violation(f"{words!r} is neither waiting nor consumed")
    journal.close()
    twice = [id for id, times in consumed.items() if times > 1]
    if twice:
        ground.happened.append(f"{machine.name}: consumed twice {twice}")


def check_pages(ground: Ground, machine: Machine) -> None:
    """All lines of the person are there, nothing bad is, and the ledger is small and true."""
    wiki = machine.wiki
    files = wiki.files()
    text = "\n".join(data.decode("utf-8", "replace") for data in files.values())
    if MARK in text:
        raise Violation(f"{machine.name} published {MARK}")
    for line in ground.lines:
        if line not in text:
            raise Violation(f"{machine.name} lost the line {line!r}")
    _check_ledger(wiki.ledger())
    _check_hands(machine)
    _check_authors(ground, machine)


def _check_hands(machine: Machine) -> None:
    """No claim is the person's: what they write by hand in a world states nothing."""
    for line in machine.wiki.events("claims"):
        if line["telling"]["channel"] == "hand":
            values = [claim["object"] for claim in line["claims"]]
            raise Violation(f"{machine.name} took for a person's: {values}")


def _check_authors(ground: Ground, machine: Machine) -> None:
    """What names the person as author is of a page in which they wrote."""
    for head, *lines in machine.wiki.ledger():
        for line in lines if head["operation"] != "undo" else ():
            if line["e"] not in BY_HAND or _is_of_program(line):
                continue
            about = {line["entry"], line["path"], line.get("from")}
            if about.isdisjoint(ground.touched):
                raise Violation(
                    f"{machine.name} took for a person's: {line['e']} {line['path']}"
                )


def _is_of_program(line: dict[str, Any]) -> bool:
    """Tell whether a page was renamed because another has its title, and by nobody's hand."""
    by_hand = str(line["reason"]).startswith("renamed by hand")
    return line["e"] == "renamed" and not by_hand


def _check_ledger(ledger: list[list[dict[str, Any]]]) -> None:
    size = sum(len(json.dumps(line)) for run in ledger for line in run)
    notes = sum(line["e"] == "consumed" for run in ledger for line in run)
    most = MOST_LEDGER * (notes + len(ledger))
    if size > most:
        raise Violation(f"{size} bytes of ledger for {notes} notes")


def _check_tellings(ground: Ground) -> None:
    first, *others = ground.machines
    rotten: set[str] = set()
    for machine in ground.machines:
        rotten |= machine.rotten
    ours = _shared_tellings(first, rotten)
    for other in others:
        theirs = _shared_tellings(other, rotten)
        if theirs != ours:
            different = {id for id in ours if ours[id] != theirs.get(id)}
            raise Violation(
                f"{other.name} and {first.name} know other tellings of {sorted(different)[:3]}"
            )


def _shared_tellings(
    machine: Machine, rotten: set[str]
) -> dict[str, set[object]]:
    """Return the tellings of notes whose words no disk has changed."""
    shared = {}
    for id, tellings in told(machine.wiki).items():
        some = {one for one in tellings if one.scope == "shared"}
        if some and id not in rotten:
            shared[id] = set(some)
    return shared


def _check_private(ground: Ground) -> None:
    """No private note is on the remote."""
    refs = git(ground.hub, "for-each-ref", "--format=%(refname)")
    if "private" in refs:
        raise Violation("the remote has private notes")
    names = git(ground.hub, "rev-list", "--objects", BUFFER, check=False)
    for id in ground.private:
        if id in names:
            raise Violation("a private note is on the remote")


def _check_buffer(machine: Machine) -> None:
    """Every file of a buffer is what its name says."""
    # where all notes were private or rotten nothing was ever shared
    if machine.read(BUFFER) is None:
        return
    wiki = machine.wiki
    # each object once: a tree bomb has more paths than any memory
    repo = wiki.repo()
    for line in wiki.git("rev-list", "--objects", BUFFER).splitlines():
        blob, _, path = line.partition(" ")
        name = path.rpartition("/")[2]
        if len(name) != 64:
            continue
        if name_of(repo.blob(blob)) != name:
            raise Violation(f"{path} is published and is not what it says")
