"""Doubts are heard where rules are silent, and only where a note is about the page."""

import pytest

from companion.comparison.candidate_pairs import split_passages
from companion.language.relations.contest import CONTESTED, LightContest
from companion.language.stance.contest import HEARD, VERSION, HeardContest
from companion.values.relations import Relation, Statement
from tests.bench.plain_worlds import NAMES, Note, read_world

TYRES = Statement(
    "Die Reifen fahren wir mit 4,2 bar, vorne wie hinten.", "Reifendruck"
)
PRESSURE = "Die Reifen müssen mit 3,0 bar gefahren werden, hinten wie vorne."


@pytest.fixture(scope="module")
def contest() -> HeardContest:
    return HeardContest()


def hear(contest: HeardContest, page: Statement, text: str) -> Relation:
    (found,) = contest.relate([(page, Statement(text))])
    return found


def test_what_no_rule_sees_is_heard_and_quoted(contest: HeardContest) -> None:
    (rule,) = LightContest().relate([(TYRES, Statement(PRESSURE))])
    heard = hear(contest, TYRES, PRESSURE)

    assert (rule.label, heard.label) == ("neutral", "contradicts")
    assert heard.opposition == CONTESTED and heard.score >= HEARD
    assert PRESSURE in heard.reason and TYRES.text in heard.reason
    assert f"{heard.score:.0%}" in heard.reason


@pytest.mark.parametrize(
    "text",
    [
        TYRES.text,
        f"{TYRES.text} Wie immer.",
        PRESSURE.replace(".", "?"),
        f"Seit Mai 2026 gilt: {PRESSURE}",
        "Vorher [[Reifendruck]] und die Vorräte ansehen.",
        "Gemessen wird kalt, morgens.",
        "Reifendruck",
        "タイヤは3.0バールで走らせる。",
        "for tyre in (4.2, 4.2, 4.2):\n    assert tyre.bar == 3.0",
        "",
    ],
)
def test_no_repetition_question_change_link_or_bare_name_is_heard(
    contest: HeardContest, text: str
) -> None:
    assert hear(contest, TYRES, text).label == "neutral"


@pytest.mark.parametrize("name", NAMES)
def test_plain_notes_of_plain_worlds_stay_unheard(
    contest: HeardContest, name: str
) -> None:
    notes = read_world(name)
    pages = [note for note in notes if note.tag in ("a0", "b0", "d0")]
    plain = [note for note in notes if not note.tag]
    pairs = [
        (page.statement, note.statement) for page in pages for note in plain
    ]
    heard = contest.relate(pairs)
    assert not [one for one in heard if one.opposition >= CONTESTED]


@pytest.mark.parametrize("name", NAMES)
def test_every_dissent_that_rules_see_is_heard_as_they_say(
    contest: HeardContest, name: str
) -> None:
    notes = read_world(name)
    pairs = [
        (_base(notes, note).statement, note.statement)
        for note in _dissents(notes)
    ]
    rules = LightContest().relate(pairs)
    heard = contest.relate(pairs)
    seen = [one for one in rules if one.label == "contradicts"]

    assert all(one in heard for one in seen if one.opposition >= 0.7)
    found = [one for one in heard if one.opposition >= CONTESTED]
    assert len(found) > len(seen)


def test_an_answer_does_not_depend_on_the_other_pairs(
    contest: HeardContest,
) -> None:
    pairs = [(TYRES, Statement(text)) for text in (PRESSURE, "Öl ist voll.")]
    together = contest.relate(pairs)

    assert together == [HeardContest().relate([pair])[0] for pair in pairs]


def test_its_identity_names_rules_words_and_head(contest: HeardContest) -> None:
    identity = contest.identity
    assert (identity.name, identity.version) == ("light", VERSION)
    assert all(
        word in identity.parameters
        for word in ('"head":"', '"rules":"contest-', '"lexicon":"')
    )


def test_a_note_of_200_000_words_is_read_by_its_first_sentences(
    contest: HeardContest,
) -> None:
    words = "Reifen eins zwei drei vier " * 40_000
    text = "\n".join(split_passages(f"{PRESSURE}\n{words}"))
    assert len(text) < 1_000
    assert hear(contest, TYRES, text).label == "contradicts"


def _dissents(notes: list[Note]) -> list[Note]:
    return [
        note
        for note in notes
        if note.tag[:1] in "abd" and note.tag[1:] not in ("", "0")
    ]


def _base(notes: list[Note], dissent: Note) -> Note:
    (page,) = [note for note in notes if note.tag == f"{dissent.tag[0]}0"]
    return page


ROPES = Statement(
    "Ropes in the hall are looked at by eye.\nThey stay in use for ten years.",
    "Hall ropes",
)


@pytest.mark.parametrize(
    "text",
    [
        # one word of the page, which the note takes apart
        "Chlor gehört nicht ins Wasser, die Tabletten bitte weglassen.",
        # "replaced" is a word of change, and "must not" says how it ought to be
        "Ropes in a hall must not stay in use for ten years; they are replaced after five.",
    ],
)
def test_how_it_ought_to_be_is_weighed(
    contest: HeardContest, text: str
) -> None:
    tank = Statement(
        "Der Tank wird im Frühjahr mit Chlortabletten gefüllt.", "Wassertank"
    )
    page = tank if "Chlor" in text else ROPES

    assert hear(contest, page, text).label == "contradicts"


def test_a_report_in_the_pages_own_words_is_no_doubt_by_itself(
    contest: HeardContest,
) -> None:
    text = "Walked along the hall ropes with Tess, all looked at by eye, ten years in use."

    assert hear(contest, ROPES, text).opposition == 0.0
