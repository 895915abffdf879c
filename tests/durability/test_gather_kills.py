"""A kill inside a slice of gathering: the next call goes on, and no word is lost."""

from pathlib import Path

import pytest

from companion.operations.consolidate.gather import run as gathering
from tests.living import KILLED, Living, sound
from tests.operations.consolidate.test_gather import (
    NOTES,
    accept_until,
    tell_old,
    words_of,
)
from tests.wiki import Wiki, check_health, check_index

EVERYDAY = ("publish.files", "publish.ref:after", "fold.commit")
RARER = (
    "pack.close:after",
    "publish.intent:after",
    "publish.files:after",
    "publish.ref",
    "publish.done:after",
    "fold.commit:after",
)


@pytest.fixture(scope="module")
def half_gathered(tmp_path_factory: pytest.TempPathFactory) -> Wiki:
    """A wiki of which one slice is gathered and the next is left."""
    wiki = Wiki.new(tmp_path_factory.mktemp("old") / "wiki")
    tell_old(wiki, *NOTES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gathering, "SLICE", 2)
        accept_until(wiki, 1)
    return wiki


@pytest.mark.parametrize(
    "point",
    [*EVERYDAY, *(pytest.param(one, marks=pytest.mark.slow) for one in RARER)],
)
def test_a_kill_inside_a_slice_loses_nothing(
    half_gathered: Wiki, tmp_path: Path, point: str
) -> None:
    wiki = half_gathered.copy(tmp_path / "wiki")
    wiki.git("update-index", "-q", "--refresh")
    wiki.tick()
    clock = wiki.now.isoformat()
    living = Living(wiki.root, COMPANION_NOW=clock)
    killed = living.run("consolidate", "--gather", fault=f"{point}:kill")
    assert killed.returncode == KILLED, killed.stderr
    done = living.run("consolidate", "--gather")
    # the slice may have been done to the end when the kill came
    assert done.returncode == 0 or b"accepted" in done.stderr, done.stderr
    assert words_of(wiki) == sorted(NOTES)
    assert sum(line["captures"] for line in wiki.events("gathering")) == 6
    sound(living)
    check_index(wiki)
    check_health(wiki)
