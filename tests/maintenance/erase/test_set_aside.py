"""Words that came from a remote and were set aside can be erased like any others."""

from pathlib import Path

from tests.maintenance.erase.test_run import SECRET, erased, gone, sound
from tests.maintenance.machines import both, capture, name_of, plant, sync, told
from tests.wiki import Wiki


def test_what_was_set_aside_is_erased_and_the_rest_stays(
    desk: Wiki, hub: Path
) -> None:
    bad = f"the code is {SECRET}"
    plant(hub, both(capture(bad, priority=1e9), capture("a good note")))
    assert sync(desk)["set_aside_count"] == 1
    assert gone(desk), "what came is kept beside the buffer"

    erased(desk, SECRET)

    assert gone(desk) == []
    assert name_of("a good note") in told(desk)
    assert desk.consolidate()["run"] is not None
    sound(desk)
