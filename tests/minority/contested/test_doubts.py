"""A doubt is believed by who says it, and beside whom."""

import pytest

from companion.comparison.consistency import Judged
from companion.language.relations.contest import CONTESTED
from companion.minority.contested.doubts import (
    Doubted,
    Voice,
    believe_doubts,
    read_voice,
)
from companion.values.relations import Relation

TITLE = ("chains",)
PAGE = (*TITLE, "grease", "grey")
OIL = "A chain wants thin oil, and wipe the dirt off it."
RUBBED = "Ten bikes with a little oil and the dirt rubbed off: none came back."
RAIN = "The train was late again, and it rained."


def doubt(
    capture: str,
    likelihood: float,
    *,
    opposition: float = 0.1,
    page: str = "chains",
    statement: str | None = None,
) -> Judged:
    relation = Relation(
        "contradicts", likelihood, "because", opposition=opposition
    )
    return Judged(
        capture,
        page,
        2,
        relation,
        f"{capture} {statement}",
        later=False,
        statement=statement,
    )


def believed(
    doubts: list[Judged],
    texts: dict[str, tuple[str, str | None]],
    *,
    voices: tuple[Voice, ...] = (),
    beliefs: tuple[str | None, ...] = (),
) -> list[tuple[str, str, str | None]]:
    doubters = {
        id: read_voice(id, text, source) for id, (text, source) in texts.items()
    }
    pages = {one.other: Doubted(TITLE, PAGE, voices, beliefs) for one in doubts}
    heard = believe_doubts(doubts, doubters, pages)
    assert all(one.relation.opposition >= CONTESTED for one in heard)
    return [(one.capture, one.other, one.statement) for one in heard]


def test_company_makes_no_doubt_of_what_hardly_contradicts() -> None:
    beside = (read_voice("maker", OIL, "Maker"),)

    found = believed([doubt("a", 0.14)], {"a": (OIL, "Jan")}, voices=beside)

    assert found == []


@pytest.mark.parametrize(
    ("source", "likelihood", "is_heard"),
    [("Jan", 0.6, True), ("Jan", 0.4, False), (None, 0.7, False)],
)
def test_the_person_who_writes_seldom_doubts_their_own_pages(
    source: str | None, likelihood: float, is_heard: bool
) -> None:
    found = believed([doubt("a", likelihood)], {"a": (OIL, source)})
    assert bool(found) == is_heard


def test_a_weak_doubt_counts_beside_others_that_speak_of_the_same() -> None:
    beside = (read_voice("maker", OIL, "Maker"),)
    weak = [doubt("a", 0.25)]
    texts = {"a": (RUBBED, "Murat")}

    assert not believed(weak, texts)
    assert believed(weak, texts, voices=beside)
    # who says it twice is no company for himself
    assert not believed(weak, {"a": (RUBBED, "maker")}, voices=beside)
    assert not believed(weak, {"a": (RAIN, "Murat")}, voices=beside)


def test_what_has_no_sign_counts_only_beside_others() -> None:
    tone = [doubt("a", 0.8, opposition=0.0)]
    texts = {"a": (RUBBED, "Murat")}
    beside = (read_voice("maker", OIL, "Maker"),)

    assert not believed(tone, texts)
    assert believed(tone, texts, voices=beside)


def test_doubts_of_one_night_are_company_for_each_other() -> None:
    doubts = [doubt("a", 0.25), doubt("b", 0.9)]
    texts = {"a": (RUBBED, "Murat"), "b": (OIL, "Maker")}
    assert [one[0] for one in believed(doubts, texts)] == ["b", "a"]


def test_a_note_doubts_one_page_and_none_beside_what_rules_see() -> None:
    ruled = doubt("a", 0.8, opposition=0.8)
    other = doubt("a", 0.95, page="tyres")
    texts = {"a": (OIL, "Maker")}

    assert believed([ruled, other], texts) == [("a", "chains", None)]
    weaker = doubt("a", 0.9)
    assert believed([weaker, other], texts) == [("a", "tyres", None)]


def test_what_others_contest_of_a_page_comes_first_then_what_it_was_made_of() -> (
    None
):
    doubts = [doubt("a", 0.7), doubt("a", 0.9, statement="day")]
    texts = {"a": (OIL, "Maker")}

    assert believed(doubts, texts) == [("a", "chains", None)]
    assert believed(doubts, texts, beliefs=("day",)) == [("a", "chains", "day")]
    unlike = [doubt("a", 0.3), doubt("a", 0.9, statement="day")]
    assert believed(unlike, texts) == [("a", "chains", "day")]


def test_what_a_rule_sees_is_led_to_what_others_contest_of_the_page() -> None:
    ruled = doubt("a", 0.7, opposition=0.7, statement="day")
    texts = {"a": (OIL, "Maker")}

    likely = [ruled, doubt("a", 0.9)]
    assert believed(likely, texts) == [("a", "chains", "day")]
    assert believed(likely, texts, beliefs=(None,)) == [("a", "chains", None)]
    unlikely = [ruled, doubt("a", 0.5)]
    assert believed(unlikely, texts, beliefs=(None,)) == [
        ("a", "chains", "day")
    ]
    # the rule's own statement is contested, too
    assert believed(likely, texts, beliefs=(None, "day")) == [
        ("a", "chains", "day")
    ]
