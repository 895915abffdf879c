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
    assert row(USED._replace(links=4)) == 1
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


@pytest.mark.parametrize(
    ("shown", "name"),
    [
        ("the Artery", "Artery"),
        ("The old the Artery", "old the Artery"),
        ("my the Artery", "Artery"),
        ("Artery", "Artery"),
        ("see here", ""),
        ("see Artery", "see Artery"),
        ("the", ""),
        ("…", ""),
    ],
)
def test_an_article_is_no_part_of_a_name(shown: str, name: str) -> None:
    assert user_words.strip_article(shown) == name


@pytest.mark.parametrize(
    ("term", "names", "found"),
    [
        ("queues", ["Message queue"], True),
        ("Massage", ["Message queue"], False),
        ("mess", ["Message queue"], True),
        ("Messages", ["Bus", "Message queue"], True),
        ("bus", ["Message queue"], False),
        ("bus", [], False),
    ],
)
def test_a_form_of_a_name_shares_the_beginning_of_a_word(
    term: str, names: list[str], found: bool
) -> None:
    assert user_words.is_form(term, names) is found


def test_a_verdict_names_what_it_is_about_and_on_what_it_rests() -> None:
    verdict = user_words.judge_word(USED, None, ())
    assert verdict is not None
    assert verdict[:4] == ("diverges", "artery", "Artery", "e1")
    assert "in 3 links, and for no other page" in verdict.reason
    said = user_words.judge_word(USED._replace(outright=True), None, ())
    assert said is not None and "said outright" in said.reason


def test_a_word_whose_links_are_gone_keeps_its_marker_by_the_row() -> None:
    gone = USED._replace(links=0)
    marker = Marker("artery", "Artery", "e1", 1)
    assert row(gone) is None and row(gone, marker) is None
    assert row(gone, marker, FALLING) == 2
    verdict = user_words.judge_word(gone, marker, FALLING)
    assert verdict is not None and "name for this page before" in verdict.reason


@pytest.mark.parametrize(
    ("utility", "how", "told"),
    [
        (FALLING, "less and less", "0.90, 0.70, 0.60"),
        ((0.9, *FALLING), "less and less", "0.90, 0.70, 0.60"),
        ((0.3, 0.3, 0.3), "badly", "0.30, 0.30, 0.30"),
        ((0.2, 0.3, 0.4), "badly", "0.20, 0.30, 0.40"),
    ],
)
def test_how_the_page_serves_is_said_of_the_last_three_cycles(
    utility: tuple[float, ...], how: str, told: str
) -> None:
    verdict = user_words.judge_word(USED, None, utility)
    assert verdict is not None and verdict.row == 2
    assert f"serves its readers {how}." in verdict.reason
    assert verdict.reason.endswith(f"utility {told})")


def test_a_marker_ends_with_the_reason() -> None:
    marker = Marker("artery", "Artery", "e1", 2)
    assert user_words.end_marker(marker, "The page bears it.") == (
        "converges",
        "artery",
        "Artery",
        "e1",
        2,
        "The page bears it. (row 2)",
    )
