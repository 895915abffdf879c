"""The machines of a simulation, the remote between them, and what the model knows of each."""

import hashlib
import random
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from companion.maintenance.remotes import remote as remotes
from companion.storage.git.layout import Place, read_ref
from tests.maintenance.machines import another
from tests.simulation.hands import WARM, Hands
from tests.wiki import START, Wiki, git

A_DAY = timedelta(days=1)
#: a clock that is further ahead is not believed: nothing is dated by it
BELIEVED = timedelta(days=15 * 365)
#: git processes of one operation of companion, however old the wiki is
MOST_GITS = 40


class Violation(Exception):
    """A law does not hold."""


@dataclass
class Machine:
    """An honest machine, and the model of it: names and words, nothing else."""

    name: str
    wiki: Wiki
    skew: timedelta = timedelta()
    #: what was acknowledged here and must be here for ever: id -> words
    known: dict[str, bytes] = field(default_factory=dict)
    #: of these, what no remote has taken yet
    unsent: set[str] = field(default_factory=set)
    #: words that may be gone: the disk changed them before anybody else had them
    rotten: set[str] = field(default_factory=set)
    #: of which a bit flipped here, also where the remote has the note whole
    flipped: set[str] = field(default_factory=set)
    #: the last moment by which anything here may be dated: a clock set back reorders nothing
    reach: datetime = START
    #: the last day that a clock ahead said when something was told here
    told_until: datetime = START
    #: by when all machines believe what is known here: id -> the earliest such moment
    due: dict[str, datetime] = field(default_factory=dict)

    def read(self, ref: str) -> str | None:
        """Return what a ref of this machine names."""
        return read_ref(self.wiki.ws.place, ref)


@dataclass
class Ground:
    """All that there is: machines, a remote, one true time, and a count of what happened."""

    folder: Path
    dice: random.Random
    machines: list[Machine]
    hands: Hands = WARM
    now: datetime = START
    #: what the remote must have: id -> words
    there: dict[str, bytes] = field(default_factory=dict)
    #: by when all machines believe it
    due: dict[str, datetime] = field(default_factory=dict)
    #: the last moment by which a page of the remote may be dated
    reach: datetime = START
    #: the last moment that any believed clock said
    last: datetime = START
    #: its clocks run ahead, too, by months and years
    runs_ahead: bool = False
    private: set[str] = field(default_factory=set)
    #: lines that a person saved and committed, by page
    lines: set[str] = field(default_factory=set)
    #: pages in which a person wrote: their paths and their ids
    touched: set[str] = field(default_factory=set)
    #: all words that were ever drawn for a note
    told: list[str] = field(default_factory=list)
    serial: int = 0
    most_gits: int = 0
    happened: list[str] = field(default_factory=list)

    @property
    def hub(self) -> Path:
        """The bare repository that all machines share."""
        return self.folder / "hub.git"

    def read_hub(self, ref: str) -> str | None:
        """Return what a ref of the remote names."""
        return read_ref(Place(*[str(self.hub)] * 5), ref)

    def pick(self) -> Machine:
        """Return some machine."""
        return self.dice.choice(self.machines)

    def at(self, machine: Machine) -> Wiki:
        """Return the wiki of *machine* at its own idea of now."""
        machine.wiki.now = self.now + machine.skew
        if machine.wiki.now - machine.reach < BELIEVED:
            machine.reach = max(machine.reach, machine.wiki.now)
            self.last = max(self.last, machine.reach)
        return machine.wiki

    def count(self) -> int:
        """Return the next number of this world."""
        self.serial += 1
        return self.serial


def begin(
    folder: Path,
    dice: random.Random,
    hands: Hands = WARM,
    *,
    runs_ahead: bool = False,
) -> Ground:
    """Make 3 to 12 machines that share a remote; most worlds have few."""
    git(folder, "init", "-q", "--bare", "--initial-branch=main", "hub.git")
    hub = folder / "hub.git"
    first = Wiki.new(folder / "m0")
    remotes.add(first.ws, "hub", str(hub))
    first.git("push", "-q", "hub", "main")
    machines = [Machine("m0", first)]
    for n in range(1, dice.choice((3, 3, 3, 3, 3, 3, 4, 4, 5, 12))):
        name = f"m{n}"
        machines.append(Machine(name, another(folder / name, hub, first)))
    return Ground(folder, dice, machines, hands, runs_ahead=runs_ahead)


def name_of(words: bytes) -> str:
    """Return the id of a capture."""
    return hashlib.sha256(words).hexdigest()


def count_gits(act: Callable[[], object]) -> int:
    """Do *act*; return how many processes it started."""
    real = subprocess.Popen.__init__
    started = 0

    def counted(self: object, *args: object, **options: object) -> None:
        nonlocal started
        started += 1
        real(self, *args, **options)  # type: ignore[arg-type]

    subprocess.Popen.__init__ = counted  # type: ignore[assignment,method-assign]
    try:
        act()
    finally:
        subprocess.Popen.__init__ = real  # type: ignore[method-assign]
    return started
