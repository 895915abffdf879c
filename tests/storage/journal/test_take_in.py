"""What git brings of other machines costs what came, and not its square."""

from pathlib import Path

from companion.storage.journal.journal import Journal
from companion.storage.journal.queries import Pending
from companion.values.captures import Draft, make_capture, make_sighting


def test_the_tellings_of_a_capture_are_read_once(tmp_path: Path) -> None:
    times = [f"2026-11-01T08:{n:02}:00.000000Z" for n in range(50)]
    capture = make_capture(Draft("words"), times[0])
    told = [make_sighting(Draft("words"), capture.id, at) for at in times]
    journal = Journal.open(str(tmp_path / "state" / "journal.db"))
    reads: list[str] = []
    journal.connection.set_trace_callback(
        lambda query: (
            reads.append(query) if "WHERE capture = '" in query else None
        )
    )
    pending = Pending(capture, tuple(told))
    assert journal.take_in([pending], [], {}) == (1, 50)
    assert journal.take_in([pending], told, {}) == (0, 0)
    assert len(reads) == 2, "once for each call"
    assert journal.sightings(capture.id) == tuple(told)
