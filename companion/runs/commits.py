"""Find the commit of each run."""

import os
from collections.abc import Iterator

from companion.runs.publication import COMPANION
from companion.storage.files import durable
from companion.storage.git.command import run_git
from companion.storage.git.layout import Place
from companion.storage.git.repo import Repo
from companion.tuples import NamedTuple

#: how git's log begins what it did with commits of others
_BROUGHT = ("pull", "merge", "clone", "fetch", "rebase", "reset", "checkout")
# author with address, author, committer, name of the device
_MAKER = (
    "%an <%ae>%x1f%an%x1f%cn%x1f%(trailers:key=Companion-Device,valueonly,"
    "separator=%x20)"
)


class Maker(NamedTuple):
    """Who a run was made by, as git's commit has it."""

    person: str
    device: str  # empty: it has no name

    @property
    def words(self) -> str:
        """The person, and the device where it has a name."""
        return f"{self.person} on {self.device}" if self.device else self.person


def find_commits(place: Place) -> dict[str, str]:
    """Return the commit that brought each run's ledger file, by run.

    They are looked up because a rebase changes them. Raises GitFailed.
    """
    commits: dict[str, str] = {}
    for commit, runs in _list_commits(place, "%H", "-m", "--first-parent"):
        # The newest comes first and the oldest counts: after a revert the file came back.
        commits.update(dict.fromkeys(runs, commit))
    return commits


def find_makers(place: Place) -> dict[str, Maker]:
    """Return who made each run, by run; nothing where all are of one person and no named device.

    Raises GitFailed.
    """
    makers: dict[str, Maker] = {}
    for who, runs in _list_commits(place, _MAKER):
        author, name, committer, device = who.split("\x1f")
        # what a night wrote is companion's; whose night it was, the committer says
        person = committer if author == COMPANION else name
        makers.update(dict.fromkeys(runs, Maker(person, device)))
    known = set(makers.values())
    return makers if len(known) > 1 or any(one.device for one in known) else {}


def _list_commits(
    place: Place, form: str, *options: str
) -> Iterator[tuple[str, list[str]]]:
    """Yield each commit that brought ledger files, the newest first: as git writes it in *form*,
    and the runs whose files they are. Raises GitFailed.
    """
    listing = run_git(
        place,
        "log",
        f"--format=%x00{form}",
        "--diff-filter=A",
        "--name-only",
        "--no-renames",
        *options,
        Repo(place).branch,
        "--",
        f":(top,literal){place.prefix}.companion/ledger",
    ).decode("utf-8", "replace")
    for part in listing.split("\0")[1:]:
        said, *paths = part.splitlines()
        yield said, [_find_run(path) for path in paths if path]


def _find_run(path: str) -> str:
    """Return the run of a ledger file. Git quotes a path with letters beyond ASCII."""
    return os.path.basename(path).removesuffix('"').removesuffix(".jsonl")


def list_commits_made_here(place: Place) -> set[str]:
    """Return the commits that git's own log of this work tree says were made in it.

    Those that a pull, a merge or a rebase brought are not among them, nor any where git keeps no
    log.
    """
    path = os.path.join(place.git_dir, "logs", "HEAD")
    made = set()
    for line in (durable.read_if_there(path) or b"").splitlines():
        ids, _, did = line.decode("utf-8", "replace").partition("\t")
        words = ids.split(" ")
        if len(words) > 1 and not did.startswith(_BROUGHT):
            made.add(words[1])
    return made
