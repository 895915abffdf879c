"""Ways to break the protocol between machines; random worlds must show each of them.

Each is a patch of the program in the process of one world. Nothing tells the worlds where to look.
"""

from collections.abc import Callable, Mapping
from typing import Any

from companion.adoption.merges import mend_merges
from companion.ledger.facts import corrections
from companion.maintenance import take_in
from companion.maintenance.remotes import remote as remotes
from companion.operations.consolidate import run as night
from companion.runs import run as runs
from companion.storage import publish
from companion.storage.boundary import set_aside, sift, tellings
from companion.storage.boundary.sift import Sifted
from companion.storage.git import append_only_tree, capture_buffer
from companion.storage.git.capture_buffer import BUFFER
from companion.storage.journal import journal
from companion.storage.journal.journal import Journal
from companion.values import refusals


def _believes_bytes() -> None:
    """What comes is taken for what its name says."""
    sift.check_content = lambda content, id: None


def _believes_tellings() -> None:
    """Values of a telling are not looked at."""
    tellings.check_telling = lambda telling: None


def _believes_clocks() -> None:
    """What is told in the future is taken in."""
    real = sift.sift

    def believing(*args: Any, **options: Any) -> Sifted:
        return real(
            *args, **options | {"latest": "9999-12-31T23:59:59.999999Z"}
        )

    take_in.sift = believing


def _takes_private() -> None:
    """A private telling of somebody else is taken from the shared buffer."""
    sift._Sifting._belongs = lambda self, sighting: True  # type: ignore[method-assign]


def _one_bad_item_stops_all() -> None:
    """A sync ends where something is set aside."""
    real = set_aside.record

    def record(repo: Any, remote: str, doubts: Mapping[str, Any]) -> Any:
        done = real(repo, remote, doubts)
        if done.items:
            raise tellings.Doubtful("something is bad there")
        return done

    set_aside.record = record


def _publishes_rot() -> None:
    """Bytes of the journal go into git unread."""
    capture_buffer._is_whole = lambda capture: True


def _waits_on_rot() -> None:
    """Words that a disk changed stay behind, with all that was told of them, though git has them."""
    capture_buffer._list_whole = lambda repo, waiting: (
        item for item in waiting if capture_buffer._is_whole(item.capture)
    )


def _sleeps_on_rot() -> None:
    """A night works on bytes that it does not compare, and so does git's copy."""
    runs.check_content = lambda content, id: None
    capture_buffer._is_whole = lambda capture: True
    journal.Journal.contents = _contents_as_they_are  # type: ignore[method-assign]


def _contents_as_they_are(self: Any, from_git: Callable[[str], bytes]) -> Any:
    rows = self._db.execute("SELECT id, content, blob FROM captures").fetchall()
    found = {}
    for id, content, blob in rows:
        found[id] = content if content is not None else from_git(blob)
    return found


def _replaces_the_remote() -> None:
    """A push has ours only, whatever the remote has."""

    def ours(
        repo: Any,
        pack: Any,
        theirs: str,
        ours: str,
        doubted: Any,
        folder: str = "",
    ) -> str:
        return ours

    append_only_tree.lay_over = ours
    take_in.capture_buffer.take = lambda repo, ref, files: None


def _sends_nothing() -> None:
    """A push is taken for done."""
    remotes._pushed = lambda ws, remote, trees, there: True


def _takes_nothing() -> None:
    """What was fetched never reaches the journal."""
    real = journal.Journal.take_in

    def nothing(self: Journal, items: Any, later: Any, *more: Any) -> Any:
        return real(self, (), (), *more)

    journal.Journal.take_in = nothing  # type: ignore[method-assign]


def _forgets_later_tellings() -> None:
    """Only the first telling of a note travels."""
    real = journal.Journal.take_in

    def first_only(self: Journal, items: Any, later: Any, *more: Any) -> Any:
        return real(self, items, (), *more)

    journal.Journal.take_in = first_only  # type: ignore[method-assign]


def _anchors_nothing() -> None:
    """Notes never get into git's buffer."""
    capture_buffer.anchor = lambda journal, repo: None


def _marks_before_git() -> None:
    """The journal says that git has a note, and git has not."""
    append_only_tree.move_refs = lambda repo, current, new: None


def _no_intent() -> None:
    """A run that is killed leaves no note of what it began."""
    real = journal.Journal.put

    def put(self: Journal, key: str, value: str | None) -> None:
        if not (value and key == publish.INTENT):
            real(self, key, value)

    journal.Journal.put = put  # type: ignore[method-assign]


def _no_recovery() -> None:
    """Nobody finishes what a killed run began."""
    publish.recover = lambda repo, journal: None


def _mends_no_merge() -> None:
    """Pages that two machines began are left as git merged them."""
    night.mend_merges = lambda run: None


def _tells_merges() -> None:
    """What git merged of the texts of machines is taken for a person's word."""
    corrections.find_parallel_texts = lambda run, entry: None
    mend_merges.find_parallel_texts = lambda run, entry, path="": None


def _sends_private() -> None:
    """Private notes lie in the buffer that everybody gets."""
    real = capture_buffer._group_by_ref

    def all_shared(sightings: Any) -> Any:
        groups: dict[str, list[Any]] = {}
        for several in real(sightings).values():
            groups.setdefault(BUFFER, []).extend(several)
        return groups

    capture_buffer._group_by_ref = all_shared


def _loses_by_name() -> None:
    """Of two files of one name, the one that was here stays, and the other is gone."""
    append_only_tree._beside_others = lambda repo, base, files: {
        path: change
        for path, change in files.items()
        if repo.subtree(base, path) is None
    }


def _acknowledges_early() -> None:
    """A capture is acknowledged before it is written."""
    real = journal.Journal.commit
    count = 0

    def lazy(self: Journal, last_time: str | None = None) -> None:
        nonlocal count
        count += 1
        if count % 3 == 0 and not self.get(publish.INTENT):
            self.rollback()
            return
        real(self, last_time)

    journal.Journal.commit = lazy  # type: ignore[method-assign]


def _ids_of_titles() -> None:
    """The sizes of what comes are not looked at, and neither is its form."""
    sift._NAME = sift.re.compile(
        r"(?P<id>.{0,64})(?P<more>(\.[^.]+)*\.json)?(?P<rest>.*)"
    )
    refusals.MAX_BYTES = 0


MUTANTS: dict[str, Callable[[], None]] = {
    "bytes are believed": _believes_bytes,
    "tellings are believed": _believes_tellings,
    "clocks are believed": _believes_clocks,
    "private tellings of others are taken": _takes_private,
    "one bad item stops all": _one_bad_item_stops_all,
    "rot is published": _publishes_rot,
    "nights work on rot": _sleeps_on_rot,
    "what rots stays behind": _waits_on_rot,
    "a push replaces the remote": _replaces_the_remote,
    "a push is taken for done": _sends_nothing,
    "what came is not recorded": _takes_nothing,
    "later tellings stay behind": _forgets_later_tellings,
    "notes are not anchored": _anchors_nothing,
    "anchored before git has it": _marks_before_git,
    "no intent": _no_intent,
    "no recovery": _no_recovery,
    "merges are not mended": _mends_no_merge,
    "what git merged is a person's": _tells_merges,
    "private notes are sent": _sends_private,
    "one of two files is lost": _loses_by_name,
    "acknowledged before written": _acknowledges_early,
    "names are not looked at": _ids_of_titles,
}
