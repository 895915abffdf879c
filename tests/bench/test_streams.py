"""The streams of strangers: the worlds are what they promise, and a life of them goes through the
program.
"""

from pathlib import Path

import pytest

from tests.bench import streams


@pytest.mark.parametrize(
    "world", streams.worlds(), ids=lambda world: str(world["name"])
)
def test_a_world_has_what_its_streams_promise(world: streams.World) -> None:
    minority, voice = world["minority"], world["voice"]

    assert (
        len({note["by"] for note in minority}) >= 3
        and len({note["w"] for note in minority}) >= 3
    )
    assert len({note["by"] for note in voice}) == 1 and len(voice) >= 6
    assert len({note["say"] for note in (*minority, *voice)}) == len(
        minority
    ) + len(voice)
    assert all(f"[[{world['title']}]]" in text for text in world["dependents"])


def test_both_halves_have_as_many_and_one_in_german() -> None:
    assert len(streams.worlds("dev")) == len(streams.worlds("score")) == 4
    for half in streams.HALVES:
        assert any(
            "Die " in world["belief"] or "Der " in world["belief"]
            for world in streams.worlds(half)
        )


def test_a_minority_wins_and_talk_does_not(tmp_path: Path) -> None:
    world = next(
        world for world in streams.worlds("dev") if world["name"] == "parenting"
    )
    won, stands = (
        streams.live(world, stream, tmp_path / stream / "wiki")
        for stream in ("minority", "stand")
    )

    assert won.right and won.won is not None and won.won > 2, won
    assert stands.right and not stands.opened, stands
