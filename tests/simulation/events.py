"""What happens in a simulated world: one event at a time, drawn by the world's dice."""

import os
import sqlite3
import sys
import traceback
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta

from companion.errors import CompanionError
from companion.maintenance.remotes import remote as remotes
from companion.operations.consolidate import run as night
from companion.operations.triage import capture
from companion.pages.page import read_front
from companion.storage.files import durable
from companion.storage.git import capture_buffer
from companion.values.captures import Draft
from tests.maintenance.machines import write_tree
from tests.simulation import clocks
from tests.simulation.bad import make_bad
from tests.simulation.ground import (
    A_DAY,
    BELIEVED,
    MOST_GITS,
    Ground,
    Machine,
    Violation,
    count_gits,
    name_of,
)
from tests.wiki import Wiki, git

Event = Callable[[Ground, Machine], str]
KILLED = 137
#: about as many durable steps as each has
MOST_STEPS = {"night": 100, "capture": 12, "sync": 30}

_PEOPLE = ("Ada", "Ben", "Cem", "Dora", "Eve", "Finn")
_PLACES = ("Bern", "Oslo", "Rome", "Lyon", "Graz", "Turku")
_SHAPES = (
    "{who} lives in {where}.",
    "Met {who} at the station in {where}, number {n}.",
    "The key of the cellar in {where} hangs behind the door.",
    "# {where}\n\n{who} wants to go to {where}, see [[{who}]].",
    "- {n} eggs\n- flour for {who}\n",
    "{who} said: the train to {where} leaves at {n} past nine.",
)


def draw_note(ground: Ground) -> str:
    """Return the words of a note; one in four has been told before, here or elsewhere."""
    dice = ground.dice
    if ground.told and dice.random() < 0.25:
        return dice.choice(ground.told)
    note = _draw_new(ground)
    ground.told.append(note)
    return note


def _draw_new(ground: Ground) -> str:
    dice = ground.dice
    number = dice.choice((7, 8, ground.count()))
    return dice.choice(_SHAPES).format(
        who=dice.choice(_PEOPLE), where=dice.choice(_PLACES), n=number
    )


# -- companion


def tell(ground: Ground, machine: Machine) -> str:
    """Capture one to three notes; now and then a private one."""
    wiki = ground.at(machine)
    texts = [draw_note(ground) for _ in range(ground.dice.randrange(1, 4))]
    private = ground.dice.random() < 0.1
    options = {"source": f"{machine.name}.md"}
    if private:
        options = {"scope": "private", "agent": "bot"}
        texts = [f"between us: {ground.count()} {text}" for text in texts]
    drafts = [Draft(text, **options) for text in texts]
    done = ground.hands.tell(wiki, drafts)
    if done["refused"]:
        raise Violation(f"{machine.name} refused {done['refused']}")
    for each, text in zip(done["captures"], texts, strict=True):
        words = text.encode()
        if each["id"] != name_of(words):
            raise Violation(f"another id for {text!r}")
        acknowledge(machine, words)
        if private:
            ground.private.add(each["id"])
        elif each["id"] not in ground.there:
            machine.unsent.add(each["id"])
    return f"told {len(texts)}{' in private' * private}"


def acknowledge(machine: Machine, words: bytes) -> None:
    """The model: *words* that were told here are here, even if a disk had lost them before."""
    id = name_of(words)
    is_ahead = A_DAY < machine.skew < BELIEVED
    if is_ahead and id not in machine.known:
        machine.told_until = max(machine.wiki.now, machine.told_until)
    machine.known[id] = words
    machine.rotten.discard(id)
    machine.due[id] = min(machine.reach, machine.due.get(id, machine.reach))


def sleep(ground: Ground, machine: Machine) -> str:
    """Run a night."""
    wiki = ground.at(machine)
    done = ground.hands.sleep(wiki)
    return f"night {done['run']}"


def sync(ground: Ground, machine: Machine) -> str:
    """Bring the notes of a machine and the remote together."""
    wiki = ground.at(machine)
    done = ground.hands.sync(wiki)
    for id in machine.known.keys() - ground.private:
        if id not in machine.rotten:
            ground.there[id] = machine.known[id]
            due = machine.due[id]
            ground.due[id] = min(due, ground.due.get(id, due))
    machine.unsent.clear()
    doubted = {item["capture"] for item in done["set_aside"]}
    _learn(ground, machine, doubted)
    return f"sync {done['received']} aside {done['set_aside_count']}"


def _learn(ground: Ground, machine: Machine, doubted: set[str | None]) -> None:
    """The model: after a sync a machine knows what the remote has.

    A clock that is far behind, or so far ahead that it is not believed, takes notes of today for
    notes of the future: they wait until it is right, and at the end of the world nobody lacks them.
    So do notes that a clock ahead told, until their day.
    """
    for id, words in ground.there.items():
        due = ground.due[id]
        is_off = machine.skew <= -A_DAY or machine.skew >= BELIEVED
        may_wait = is_off or due + A_DAY > machine.wiki.now
        if not may_wait or id not in doubted:
            machine.known[id] = words
            machine.due[id] = min(due, machine.due.get(id, due))


def share(ground: Ground, machine: Machine) -> str:
    """A person pulls the pages of the others, and pushes what there is."""
    wiki = ground.at(machine)
    finish_killed(wiki)
    if wiki.status():
        wiki.commit()
    machine.reach = ground.reach = max(machine.reach, ground.reach)
    side = ground.dice.choice(((), (), ("-X", "ours"), ("-X", "theirs")))
    if ground.read_hub("refs/heads/main") == machine.read("HEAD"):
        return "shared the pages"
    ground.hands.fetch(wiki, ground.hub)
    merge = ("merge", "-q", "-m", "together", *side, "hub/main")
    wiki.git(*merge, check=False)
    # a merge that ended left nothing behind
    if (wiki.root / ".git" / "MERGE_HEAD").exists() or wiki.status():
        wiki.commit("together")
    if ground.read_hub("refs/heads/main") != machine.read("HEAD"):
        ground.hands.push(wiki, ground.hub)
    return "shared the pages"


def finish_killed(wiki: Wiki) -> None:
    """Whoever finds git locked by a run that was killed lets companion finish it."""
    locks = ("index.lock", "refs/heads/main.lock")
    if any((wiki.root / ".git" / lock).exists() for lock in locks):
        wiki.adopt()


# -- the person


def edit(ground: Ground, machine: Machine) -> str:
    """A person writes a line into a page of theirs, or into one of companion's."""
    wiki = ground.at(machine)
    finish_killed(wiki)
    pages = [path for path in sorted(wiki.files()) if path.endswith(".md")]
    own = f"Own {machine.name}.md"
    path = ground.dice.choice([own, own, *pages])
    line = f"by hand {ground.count()}"
    before = ""
    if (wiki.root / path).exists():
        before = wiki.read(path)
    wiki.write(path, f"{before}\n{line}\n")
    ground.touched |= {path, str(read_front(before).meta.get("id", path))}
    if path == own:
        ground.lines.add(line)
    wiki.commit()
    return f"wrote into {path}"


# -- what goes wrong


def skew(ground: Ground, machine: Machine) -> str:
    """A clock is set: wrong by seconds, hours or decades, or right."""
    size = ground.dice.choice(
        (
            timedelta(),
            timedelta(seconds=90),
            timedelta(hours=5),
            timedelta(days=19 * 365),
        )
    )
    machine.skew = size * ground.dice.choice((1, -1))
    return f"clock off by {machine.skew}"


def rot_words(ground: Ground, machine: Machine) -> str:
    """A bit of a waiting note flips in the journal; every other time git's copy is gone too."""
    wiki = ground.at(machine)
    with closing(sqlite3.connect(wiki.ws.place.journal_db)) as db, db:
        rows = db.execute(
            "SELECT id, content, blob, anchored FROM captures"
            " WHERE content IS NOT NULL AND length(content) > 0 ORDER BY id"
        ).fetchall()
        if not rows:
            return "no words to rot"
        id, content, blob, anchored = ground.dice.choice(rows)
        place = ground.dice.randrange(len(content))
        flipped = bytes([content[place] ^ 1])
        db.execute("DROP TRIGGER IF EXISTS content_immutable")
        db.execute(
            "UPDATE captures SET content = ? WHERE id = ?",
            (content[:place] + flipped + content[place + 1 :], id),
        )
    machine.flipped.add(id)
    if place % 2 and not anchored:
        # a capture does not sync it, unlike a run: a power cut may take it
        loose = wiki.root / ".git" / "objects" / blob[:2] / blob[2:]
        loose.unlink(missing_ok=True)
    if id not in ground.there and not wiki.repo().has(blob):
        machine.rotten.add(id)
    return f"rot in {id[:8]}"


def rot_index(ground: Ground, machine: Machine) -> str:
    """The index is cut short, overwritten, or gone."""
    path = ground.at(machine).ws.place.index_db
    if not os.path.exists(path):
        return "no index to rot"
    with open(path, "r+b") as file:
        size = os.path.getsize(path)
        file.seek(ground.dice.randrange(size))
        file.truncate()
    return "the index is cut short"


def kill(ground: Ground, machine: Machine) -> str:
    """A night, a capture or a sync is killed at some durable step."""
    wiki = ground.at(machine)
    text = draw_note(ground)

    def tell_and_sleep() -> None:
        capture.ingest(wiki.ws, [Draft(text)])
        night.consolidate(wiki.ws)

    acts: dict[str, Callable[[], object]] = {
        "night": tell_and_sleep,
        "capture": lambda: capture.ingest(wiki.ws, [Draft(text)]),
        "sync": lambda: remotes.sync(wiki.ws),
    }
    name = ground.dice.choices(("night", "capture", "sync"), (4, 1, 2))[0]
    step = ground.dice.randrange(1, MOST_STEPS[name])
    code = in_child(acts[name], step)
    if code not in (0, KILLED):
        raise Violation(f"{name} on {machine.name} broke down in a child")
    if code == 0 and name != "sync":
        acknowledge(machine, text.encode())
        machine.unsent.add(name_of(text.encode()))
    return f"{name} killed at step {step}" if code else f"{name}, not killed"


def in_child(act: Callable[[], object], step: int) -> int:
    """Do *act* in a child that dies at its durable step number *step*; return its exit code."""
    pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    left = step

    def die(name: str, stage: str) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os._exit(KILLED)

    durable.hooks.append(die)
    try:
        act()
        os._exit(0)
    except CompanionError:
        traceback.print_exc()
        os._exit(1)
    finally:
        # reached with whatever else ended it
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(2)


def force(ground: Ground, machine: Machine) -> str:
    """Somebody forces the remote back: its notes are gone, or older."""
    ref = capture_buffer.BUFFER
    if ground.read_hub(ref) is None:
        return "nothing to force"
    git(ground.hub, "update-ref", "-d", ref)
    ground.there.clear()
    ground.due.clear()
    return "the remote's notes are gone"


def turn_back_pages(ground: Ground, machine: Machine) -> str:
    """Somebody forces the branch of the remote back."""
    commits = git(ground.hub, "rev-list", "--first-parent", "main").split()
    old = commits[min(len(commits) - 1, ground.dice.randrange(1, 4))]
    git(ground.hub, "update-ref", "refs/heads/main", old)
    return "the remote's pages are older"


def poison(ground: Ground, machine: Machine) -> str:
    """A malicious peer writes bad things beside what the remote has."""
    there = ground.read_hub(capture_buffer.BUFFER)
    bad = make_bad(ground.hub, ground.dice, ground.count(), ground.now)
    tree = write_tree(ground.hub, bad)
    if there:
        tree = _united(ground, there, tree)
    git(ground.hub, "update-ref", capture_buffer.BUFFER, tree)
    return "poison on the remote"


def _united(
    ground: Ground,
    one: str,
    other: str,
    made: dict[tuple[str, str], str] | None = None,
) -> str:
    """Return the union of two trees; a file of *one* stays where both have one.

    *made* has the pairs of trees that were united: two bombs have more paths than any time.
    """
    made = {} if made is None else made
    if (one, other) not in made:
        made[one, other] = _unite(ground, one, other, made)
    return made[one, other]


def _unite(
    ground: Ground, one: str, other: str, made: dict[tuple[str, str], str]
) -> str:
    mine = _entries(ground, one)
    for name, entry in _entries(ground, other).items():
        held = mine.get(name)
        if held is None:
            mine[name] = entry
        elif held[0] == entry[0] == "tree":
            united = _united(ground, held[1], entry[1], made)
            mine[name] = ("tree", united, held[2])
    lines = [
        f"{mode} {kind} {id}\t{name}\n"
        for name, (kind, id, mode) in mine.items()
    ]
    return git(ground.hub, "mktree", stdin="".join(lines)).strip()


def _entries(ground: Ground, tree: str) -> dict[str, tuple[str, str, str]]:
    entries = {}
    for line in git(ground.hub, "ls-tree", tree).splitlines():
        about, _, name = line.partition("\t")
        mode, kind, id = about.split()
        entries[name] = (kind, id, mode)
    return entries


#: how often each happens
EVENTS: dict[Event, int] = {
    tell: 30,
    sync: 18,
    sleep: 14,
    share: 8,
    edit: 6,
    poison: 8,
    kill: 10,
    skew: 4,
    rot_words: 5,
    rot_index: 2,
    force: 2,
    turn_back_pages: 1,
}

#: and what happens besides where clocks run ahead
AHEAD: dict[Event, int] = {clocks.run_ahead: 20, clocks.put_right: 14}
COSTLY = (sleep, sync)


def happen(ground: Ground) -> None:
    """Let time pass, and one thing happen."""
    dice = ground.dice
    ground.now += timedelta(hours=dice.choice((0, 1, 9, 30, 200, 2_000, 9_000)))
    ground.now += timedelta(minutes=3)
    machine = ground.pick()
    several = EVENTS | AHEAD if ground.runs_ahead else EVENTS
    event = dice.choices(list(several), list(several.values()))[0]
    ground.happened.append(f"{ground.now:%Y-%m-%d} {machine.name}")
    do(ground, machine, event)


def do(ground: Ground, machine: Machine, event: Event) -> None:
    """Let *event* happen, note what came of it, and hold its cost against the bound."""
    said = ""

    def act() -> None:
        nonlocal said
        said = event(ground, machine)

    gits = count_gits(act)
    ground.happened.append(f"{machine.name}: {said}")
    if event in COSTLY:
        ground.most_gits = max(ground.most_gits, gits)
        if gits > MOST_GITS:
            raise Violation(f"{event.__name__} started git {gits} times")
