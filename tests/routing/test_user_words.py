"""The laws of rows 1 and 2."""

import pytest

from companion.routing import user_words
from companion.routing.user_words import Marker, Usage

USED = Usage("artery", "Artery", "e1", 3, 0, False)
FALLING = (0.9, 0.7, 0.6)


def row(
    usage: Usage = USED,
    marker: Marker | None = None,
    utility: tuple[float, ...] = (),
) -> int | None:
    verdict = user_words.judge_word(usage, marker, utility)
    return None if verdict is None else verdict.row


def test_a_consistent_word_is_mirrored_while_utility_does_not_degrade() -> None:
    assert row() == row(utility=(0.5, 0.6, 0.7)) == row(utility=(0.9, 0.2)) == 1
    assert (
        row(USED._replace(links=2)) is None
        and row(USED._replace(links=0, outright=True)) == 1
    )
    assert row(USED._replace(elsewhere=1)) is None


def test_degrading_utility_reclassifies_the_word_once_at_higher_friction() -> (
    None
):
    marker = Marker("artery", "Artery", "e1", 1)
    assert (
        row(marker=marker) is None and row(marker=marker, utility=FALLING) == 2
    )
    verdict = user_words.judge_word(USED, marker, FALLING)
    assert (
        verdict is not None
        and "friction 1.60" in verdict.reason
        and "0.90, 0.70, 0.60" in verdict.reason
    )
    assert row(marker=marker._replace(row=2), utility=FALLING) is None
    assert row(marker=marker._replace(row=2), utility=(0.6, 0.7, 0.9)) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "over [[Message queue|the Artery]] and [[Other|here]]",
            [("Message queue", "Artery")],
        ),
        (
            "![[Picture|artery]] [[Plain]] [[A#b|its valve]]",
            [("A", "its valve")],
        ),
        ("[[a|]] [[|b]] [[x|  ]] [[y|the]]", []),
    ],
)
def test_which_words_links_show(
    text: str, found: list[tuple[str, str]]
) -> None:
    assert list(user_words.list_uses(text)) == found
