"""The sample of aboutness is what it promises, and its reader refuses what
does not hold together.
"""

import re

import pytest

from tests.bench import aboutness_sample as sample

SMALL = """
[[world]]
name = "small"
half = "dev"
side = "life"
domain = "family"
lang = "en"
pages = [
  { title = "Ada", kind = "person", text = "My aunt. Lives in Hull." },
  { title = "Shed", kind = "place", text = "Green. Door sticks." },
]
notes = [
  { about = "Ada", also = ["Shed"], kind = "named", text = "Ada has the key" },
  { about = "", kind = "unknown", text = "buy stamps", hard = true },
]
"""


@pytest.mark.parametrize(
    "world",
    [
        world
        for number in sample.SAMPLES
        if number not in sample.ONE_MATTER
        for world in sample.worlds(None, number)
    ],
    ids=lambda world: str(world.name),
)
def test_a_world_is_as_large_as_promised(world: sample.World) -> None:
    known = sum(1 for note in world.notes if note.about)

    assert 8 <= len(world.pages) <= 20
    assert 30 <= len(world.notes) <= 60
    assert 0.5 <= known / len(world.notes) <= 0.66
    assert any(page.theirs for page in world.pages)
    assert {note.about for note in world.notes} >= set(world.titles)
    for page in world.pages:
        ends = re.findall(r"\S{2,}[.!?](?=\s|$)", page.text)
        assert len(ends) in sample.SENTENCES, page.title


@pytest.mark.parametrize("number", (1, 2))
def test_there_are_enough_notes_and_a_third_is_about_nothing_known(
    number: int,
) -> None:
    counts = sample.count(sample.worlds(None, number))

    assert counts.notes >= 320
    assert counts.unknown >= 0.35 * counts.notes


@pytest.mark.parametrize("number", (1, 2))
def test_the_halves_are_alike(number: int) -> None:
    dev, score = (
        sample.count(sample.worlds(half, number)) for half in sample.HALVES
    )

    assert 0.9 <= dev.notes / score.notes <= 1.1
    for half in (dev, score):
        assert half.unknown >= 0.34 * half.notes
        assert half.hard <= 0.2 * half.notes
        assert set(half.lang) == set(sample.LANGUAGES)
        assert 0.4 <= half.lang["de"] / half.notes <= 0.6
        assert min(half.side[side] for side in sample.SIDES) >= 50
        assert set(half.kind) >= {*sample.UNKNOWN_KINDS}
        assert set(half.kind) >= {*sample.KNOWN_KINDS} - {"several", "pronoun"}


def test_a_small_sample_reads_as_it_was_written() -> None:
    (world,) = sample.read_sample(SMALL)

    first, second = world.notes
    assert first.about == "Ada" and first.also == ("Shed",)
    assert second.about == "" and second.hard and second.lang == "en"
    assert world.titles == ("Ada", "Shed")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('about = "Ada"', 'about = "Eve"'),
        ('also = ["Shed"]', 'also = ["Eve"]'),
        ('also = ["Shed"]', 'also = ["Ada"]'),
        ('kind = "named"', 'kind = "shopping"'),
        ('kind = "unknown"', 'kind = "named"'),
        ('half = "dev"', 'half = "test"'),
        ('lang = "en"', 'lang = "mixed"'),
        ("buy stamps", "Ada has the KEY!"),
        ("buy stamps", "see [[Eve]]"),
        ("buy stamps", " "),
        ('title = "Shed"', 'title = "ada"'),
        ("hard = true", "hrad = true"),
        ('kind = "place"', 'kind = "sort"'),
        ('domain = "family"', ""),
    ],
)
def test_what_does_not_hold_together_is_refused(
    before: str, after: str
) -> None:
    assert before in SMALL

    with pytest.raises(sample.SampleError):
        sample.read_sample(SMALL.replace(before, after))
