"""Claims out of texts: what is stated, of what, when, and how surely."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.language import detect
from companion.language.claims.extract import LightExtractor
from companion.language.protocols import Extractor
from companion.values.claims import Claim

AT = "2026-02-11T10:30:00.000000Z"
extractor: Extractor = LightExtractor()


def claims(text: str) -> list[Claim]:
    return extractor.extract(text, event_time=AT)


def one(text: str) -> Claim:
    found = claims(text)
    assert len(found) == 1, found
    return found[0]


def values(text: str) -> dict[tuple[str, str], str]:
    return {claim.key: claim.object for claim in claims(text)}


# -- keys ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        (
            "The director of Rosewood Opera is Ines Prado.",
            ("rosewood opera", "director"),
            "Ines Prado",
        ),
        (
            "Rosewood Opera's director is Ines Prado.",
            ("rosewood opera", "director"),
            "Ines Prado",
        ),
        (
            "The current director of the Rosewood Opera is Ines Prado.",
            ("rosewood opera", "director"),
            "Ines Prado",
        ),
        (
            "The name of the current head of state in Ruritania is Rudolf V.",
            ("ruritania", "head of state"),
            "Rudolf V",
        ),
        (
            "The Prime Minister of Ruritania is Ada Falk.",
            ("ruritania", "prime minister"),
            "Ada Falk",
        ),
        (
            "The band that Otto leads is Brass Nine.",
            ("otto", "band leads"),
            "Brass Nine",
        ),
        (
            "The school where Otto was taught is Hill College.",
            ("otto", "school was taught"),
            "Hill College",
        ),
        (
            "Otto was born in the city of Zenda.",
            ("otto", "bear in city"),
            "Zenda",
        ),
        (
            "Brass Nine was founded by Otto Kern.",
            ("brass nine", "found by"),
            "Otto Kern",
        ),
        (
            "The headquarters of Brass Nine is located in the city of Zenda.",
            ("brass nine", "headquarters locate in city"),
            "Zenda",
        ),
        ("My manager is Ada Falk.", ("me", "report to"), "Ada Falk"),
        ("my salary is $74,500", ("me", "salary"), "$74,500"),
        (
            "My phone number is 512-555-0199.",
            ("me", "phone number"),
            "512-555-0199",
        ),
        (
            "Brass Nine's budget changed from 5 to 6 dollars.",
            ("brass nine", "budget"),
            "6 dollars",
        ),
        (
            "The budget of Brass Nine was raised from $5,000 to $6,000.",
            ("brass nine", "budget"),
            "$6,000",
        ),
        (
            "Brass Nine is owned by Otto Kern.",
            ("brass nine", "owner"),
            "Otto Kern",
        ),
        ("My salary at Acme is $74,500.", ("me", "salary at acme"), "$74,500"),
        (
            "My emergency contact is my sister, Ada Falk.",
            ("me", "emergency contact"),
            "Ada Falk",
        ),
        ("Anna wohnt in Zenda.", ("anna", "wohnen in"), "Zenda"),
        (
            "Das Projekt Anker wird jetzt von Ada Falk geleitet.",
            ("projekt anker", "leiter"),
            "Ada Falk",
        ),
        (
            "Brass Neun gehört Otto Kern.",
            ("brass neun", "besitzer"),
            "Otto Kern",
        ),
        (
            "Das Budget von Brass Neun beträgt 500 Euro.",
            ("brass neun", "budget"),
            "500 Euro",
        ),
        (
            "Der Direktor der Rosenoper ist Ines Prado.",
            ("rosenoper", "direktor"),
            "Ines Prado",
        ),
        (
            "Die Hauptstadt Ruritaniens ist Strelsau.",
            ("ruritanien", "hauptstadt"),
            "Strelsau",
        ),
        (
            "Brass Neun wurde von Otto Kern gegründet.",
            ("brass neun", "gründen von"),
            "Otto Kern",
        ),
        ("Mein Chef heißt Bernd Falk.", ("me", "chef"), "Bernd Falk"),
        (
            "Seit 2019 arbeitet Anna bei der Rosenoper.",
            ("anna", "arbeiten bei"),
            "Rosenoper",
        ),
        (
            "La capitale de la Ruritanie est Strelsau.",
            ("ruritanie", "capitale"),
            "Strelsau",
        ),
        ("Mi jefe es Juan Prado.", ("me", "jefe"), "Juan Prado"),
        ("Ik woon in Utrecht sinds 2020.", ("me", "wonen in"), "Utrecht"),
        (
            "Il direttore della Scala è Mario Prado.",
            ("scala", "direttore"),
            "Mario Prado",
        ),
    ],
)
def test_a_single_valued_matter(
    text: str, key: tuple[str, str], value: str
) -> None:
    claim = one(text)

    assert (claim.key, claim.object, claim.functional) == (key, value, True)


@pytest.mark.parametrize(
    "pair",
    [
        ("Otto lives in Zenda.", "Otto lived in Strelsau until 2020."),
        ("I live in Zenda.", "I moved to Strelsau."),
        ("Ich wohne in Zenda.", "Ich bin im Mai nach Strelsau gezogen."),
        (
            "Ada Falk is the CEO of Brass Nine.",
            "The chief executive officer of Brass Nine is Otto Kern.",
        ),
        ("My favourite colour is red.", "my favourite colour is blue"),
        (
            "Otto was born in the city of Zenda.",
            "Otto was born in the city of Strelsau.",
        ),
    ],
)
def test_two_statements_on_one_matter_share_a_key(
    pair: tuple[str, str],
) -> None:
    first, second = ({claim.key for claim in claims(text)} for text in pair)

    assert first & second


@pytest.mark.parametrize(
    "pair",
    [
        (
            "Otto was born in the city of Zenda.",
            "Otto was born in the country of Ruritania.",
        ),
        (
            "The capital of Ruritania is Strelsau.",
            "The president of Ruritania is Ada Falk.",
        ),
        ("We live in Zenda.", "We moved to Postgres."),
        ("I work at Brass Nine.", "I joined a choir."),
        (
            "Mercury (planet) is known for craters.",
            "Mercury (element) is known for toxicity.",
        ),
        ("Otto works in Zenda.", "Otto works in the field of music."),
    ],
)
def test_two_matters_share_no_key(pair: tuple[str, str]) -> None:
    first, second = ({claim.key for claim in claims(text)} for text in pair)

    assert first and second and not first & second


def test_what_may_have_many_values_is_not_functional() -> None:
    assert [
        claim.functional
        for claim in claims(
            "I like tea. Anna visited Porto. My friends are Otto and Ada."
        )
    ] == [False] * 3


def test_a_role_said_backwards_is_the_same_claim() -> None:
    assert (
        values("Ada Falk is the CEO of Brass Nine.")["brass nine", "ceo"]
        == "Ada Falk"
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "?",
        "# Title",
        "```\nI live in Zenda.\n```",
        "<!-- I live in Zenda. -->",
    ],
)
def test_what_is_no_prose_states_nothing(text: str) -> None:
    assert claims(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Eu moro em Lisboa desde 2019 e trabalho na Acme.",
        "Jag bor i Stockholm och arbetar på Acme.",
        "Mieszkam w Warszawie i pracuję w banku.",
        "私は東京に住んでいます。",
        "Я живу в Москве.",
    ],
)
def test_a_language_that_nobody_reads_gives_no_claim(text: str) -> None:
    assert claims(text) == []


def test_questions_state_nothing() -> None:
    assert claims("Do I live in Zenda? Is Ada the CEO of Brass Nine?") == []


# -- denial, change, time --------------------------------------------------------------------------


def test_a_denial_is_negated() -> None:
    assert [
        claim.negated
        for claim in claims(
            "Otto doesn't eat meat. I have never visited Zenda."
        )
    ] == [True, True]


def test_no_longer_denies_from_now_on() -> None:
    claim = one("I no longer work at Brass Nine.")

    assert (
        claim.negated,
        claim.change,
        claim.period.start,
        claim.period.end,
    ) == (
        True,
        True,
        AT,
        None,
    )
    assert one("Ich arbeite nicht mehr bei Siemens.").period == claim.period


def test_used_to_ended_before_now() -> None:
    claim = one("Otto used to live in Zenda.")

    assert (
        claim.negated,
        claim.object,
        claim.period.start,
        claim.period.end,
    ) == (
        False,
        "Zenda",
        None,
        AT,
    )


@pytest.mark.parametrize(
    "text",
    [
        "I moved to Zenda.",
        "I now live in Zenda.",
        "As of 2026-03-01 my rent is 900 euros.",
        "My title changed from Clerk to Lead.",
        "We switched to Postgres.",
    ],
)
def test_a_change_is_stated_as_one(text: str) -> None:
    assert all(claim.change for claim in claims(text)) and claims(text)


def test_a_plain_statement_is_no_change_and_has_no_time() -> None:
    claim = one("I live in Zenda.")

    assert (
        not claim.change
        and not claim.period.stated
        and claim.period.start is None
    )


def test_what_begins_has_no_end_and_what_was_has_one() -> None:
    assert one("I moved to Zenda in March 2025.").period[:3] == (
        "2025-03-01T00:00:00.000000Z",
        None,
        "month",
    )
    assert (
        one("Otto lived in Zenda in 2020.").period[1]
        == "2021-01-01T00:00:00.000000Z"
    )


def test_the_future_begins_when_it_is_said_to() -> None:
    claim = one("I will move to Zenda on 1 May 2026.")

    assert (claim.mood, claim.period.start) == (
        "confirmed",
        "2026-05-01T00:00:00.000000Z",
    )


def test_a_change_from_one_value_to_another_states_the_new_one() -> None:
    assert values(
        "Our release day changed from Tuesday to Thursday as of 2026-03-01."
    ) == {("us", "release day"): "Thursday"}
    switched = values("We switched from MySQL to Postgres last week.")
    assert switched == {
        ("us", "switch from"): "MySQL",
        ("us", "switch to"): "Postgres",
    }


def test_a_date_that_is_the_value_is_the_object() -> None:
    assert values("The deadline of the grant is June 30th.") == {
        ("grant", "deadline"): "June 30th"
    }


# -- moods -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "I might move to Zenda.",
        "I'm considering moving to Zenda.",
        "Maybe Otto works at Brass Nine.",
        "I will probably move to Zenda next year.",
        "Ada told me that our office is moving to Zenda next month.",
        "I will move to Zenda.",  # no day comes on which this would be so
        "Vielleicht ziehe ich nach Wien.",
    ],
)
def test_tentative(text: str) -> None:
    assert {claim.mood for claim in claims(text)} == {"tentative"}


@pytest.mark.parametrize(
    "text",
    [
        "I moved to Zenda in May.",
        "Ada said that Otto lives in Zenda.",
        "My review is scheduled for July 15th.",
        "Next year I will move to Zenda on 1 May 2027.",
    ],
)
def test_confirmed(text: str) -> None:
    assert {claim.mood for claim in claims(text)} == {"confirmed"}


def test_scratch_that_takes_back_what_was_said_before() -> None:
    first, second, third = claims(
        "I live in Zenda. Scratch that, I live in Strelsau."
    )

    assert (second.key, second.object, second.mood) == (
        first.key,
        first.object,
        "retracted",
    )
    assert (third.object, third.mood) == ("Strelsau", "confirmed")


def test_scratch_that_alone_names_nothing() -> None:
    claim = one("Actually, never mind.")

    assert (claim.key, claim.mood) == (("", ""), "retracted")


def test_forget_names_the_matter() -> None:
    assert one("Please forget my old phone number.")[3:4] == (
        ("me", "phone number"),
    )
    assert one("Forget that I live in Zenda.").mood == "retracted"


def test_a_hedge_stays_in_its_clause() -> None:
    moods = {
        claim.object: claim.mood
        for claim in claims("I live in Zenda, but I might move to Strelsau.")
    }

    assert moods == {"Zenda": "confirmed", "Strelsau": "tentative"}


# -- names -----------------------------------------------------------------------------------------


def test_an_alias_is_the_thing_itself() -> None:
    found = claims(
        "Brass Nine Orchestra (BNO) was founded by Otto Kern. BNO is based in Zenda."
    )

    assert {claim.key[0] for claim in found} == {"brass nine orchestra"}
    assert ("brass nine orchestra", "also known as") in {
        claim.key for claim in found
    }


def test_a_pronoun_is_the_last_one_named() -> None:
    assert (
        values("My manager is Ada Falk. She leads the finance team.")[
            "ada falk", "lead"
        ]
        == "finance team"
    )


def test_a_pronoun_for_nobody_states_nothing() -> None:
    assert claims("He works at Brass Nine. They live in Zenda.") == []


def test_a_named_relative_is_a_relation_and_a_subject() -> None:
    found = values("My sister Karen works at Brass Nine.")

    assert found == {
        ("me", "sister"): "Karen",
        ("karen", "work for"): "Brass Nine",
    }


def test_what_is_said_beside_is_said_of_the_subject() -> None:
    found = values(
        "Ada Falk (born 3 May 1950 in Zenda), a writer, lives in Strelsau. Otto, who leads"
        " Brass Nine, sings."
    )

    assert found == {
        ("ada falk", "bear in"): "Zenda",
        ("ada falk", "is"): "writer",
        ("ada falk", "live in"): "Strelsau",
        ("brass nine", "leader"): "Otto",
    }


def test_a_time_belongs_to_the_words_it_stands_with() -> None:
    studied, works = claims(
        "Otto studied at Hill College in 1999 and has worked at Brass Nine since 2005."
    )
    assert (studied.period.start, works.period.start) == (
        "1999-01-01T00:00:00.000000Z",
        "2005-01-01T00:00:00.000000Z",
    )

    assert not one(
        "Founded in 1911, Rosewood Press is headquartered in Strelsau."
    ).period.stated
    assert all(
        claim.period.stated
        for claim in claims(
            "In 2019 Otto lived in Zenda and worked at Brass Nine."
        )
    )


# -- fields ----------------------------------------------------------------------------------------


def test_fields_of_a_page() -> None:
    front = (
        "---\ntitle: Ada Falk\ntags: [x]\nemployer: Brass Nine\nlanguages:\n  - French\n  -"
        " Dutch\n---\n"
    )
    text = (
        front
        + "\nboss:: [[Otto Kern|Otto]]\n- role:: **Lead** (since 2026-01)\n"
    )
    found = claims(text)

    assert [(claim.key, claim.object, claim.functional) for claim in found] == [
        (("ada falk", "employer"), "Brass Nine", True),
        (("ada falk", "languages"), "French", False),
        (("ada falk", "languages"), "Dutch", False),
        (("ada falk", "boss"), "Otto", True),
        (("ada falk", "role"), "Lead", True),
    ]
    assert found[-1].period[:3] == (
        "2026-01-01T00:00:00.000000Z",
        None,
        "month",
    )


def test_a_page_without_a_title_leaves_the_subject_to_the_caller() -> None:
    assert one("employer:: Brass Nine").key == ("", "employer")


def test_a_heading_is_the_title() -> None:
    assert one("# Ada Falk\n\nborn:: Zenda").key == ("ada falk", "born")


def test_spans_are_where_it_stands() -> None:
    text = (
        "Hello there.\n\n1. Otto lives in Zenda.\n2. The capital of Ruritania is"
        " Strelsau.\n\nkey:: value\n"
    )
    found = claims(text)

    assert [text[claim.span.start : claim.span.end] for claim in found] == [
        "Otto lives in Zenda.",
        "The capital of Ruritania is Strelsau.",
        "key:: value",
    ]


# -- laws ------------------------------------------------------------------------------------------


NAMES = st.sampled_from(
    [
        "Zenda",
        "Otto Kern",
        "Brass Nine",
        "the harbour",
        "my sister",
        "we",
        "I",
        "12 km",
        "March",
    ]
)
WORDS = st.sampled_from(
    [
        "is",
        "was",
        "lives",
        "in",
        "moved",
        "to",
        "of",
        "the",
        "a",
        "no",
        "longer",
        "not",
        "since",
        "until",
        "and",
        ",",
    ]
) | st.sampled_from(
    [
        ".",
        ";",
        "might",
        "forget",
        "that",
        "said",
        "'s",
        "new",
        "::",
        "(",
        ")",
        "which",
        "from",
        "2019",
        "yesterday",
    ]
)


@given(st.lists(NAMES | WORDS, max_size=25).map(" ".join))
def test_any_order_of_words_is_read_without_an_error(text: str) -> None:
    for claim in claims(text):
        assert text[claim.span.start : claim.span.end].strip()


@given(st.text(max_size=200))
def test_any_text_is_read_without_an_error_and_twice_alike(text: str) -> None:
    assert claims(text) == claims(text)


def test_what_was_read_before_changes_nothing() -> None:
    text = "the red frobbles grow in Zenda."
    before = claims(text)
    claims("Anna frobbles the tea.")  # here an unknown word is taken for a verb

    assert claims(text) == before


@pytest.mark.parametrize(
    "text",
    [
        "If Otto lives in Zenda, fine.",
        "In a world where Otto leads Brass Nine, tea is free.",
    ],
)
def test_a_condition_states_nothing_of_its_subject(text: str) -> None:
    assert "otto" not in {claim.key[0] for claim in claims(text)}


def test_an_opening_is_no_subject() -> None:
    assert values(
        "For example, Otto lives in Zenda. Thus, Ada leads Brass Nine."
    ) == {
        ("otto", "live in"): "Zenda",
        ("brass nine", "leader"): "Ada",
    }


@given(st.lists(NAMES | WORDS, max_size=25).map(" ".join))
def test_claims_come_in_the_order_of_their_spans(text: str) -> None:
    spans = [claim.span for claim in claims(text)]

    assert spans == sorted(spans)


@pytest.mark.parametrize(
    "text",
    [
        "a " * 50_000,
        "[[" * 20_000,
        "(" * 20_000,
        "x::" * 20_000,
        "of the " * 20_000,
        "- " * 20_000,
        "\n" * 50_000,
        "1999-" * 20_000,
    ],
)
def test_a_flood_is_read_in_linear_time(text: str) -> None:
    piece = f"{text[:20]!r} * {len(text) // 20}"
    code = (
        f"import companion.language.claims.extract as x\nx.LightExtractor().extract({piece},"
        f" event_time={AT!r})"
    )

    subprocess.run([sys.executable, "-c", code], check=True, timeout=20)


def test_an_event_time_that_is_none_is_an_error() -> None:
    with pytest.raises(ValueError, match="canonical instant"):
        extractor.extract("I live in Zenda.", event_time="yesterday")


def test_the_extractor_loads_no_model() -> None:
    heavy = "{'numpy', 'torch', 'sentence_transformers', 'yaml'}"
    code = (
        "import companion.language.claims.extract, companion.judges.summarise,"
        f" sys\nprint({heavy} & set(sys.modules))"
    )

    assert (
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        == "set()\n"
    )


def test_another_pattern_is_another_judge(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A verdict's key holds the identity, so that a log written under old patterns is never read
    for new ones.
    """
    before = LightExtractor().identity
    shutil.copytree(detect.FOLDER, tmp_path / "data")
    with open(
        tmp_path / "data" / "de" / "time.toml", "a", encoding="utf-8"
    ) as file:
        file.write("# one more\n")
    monkeypatch.setattr(detect, "FOLDER", str(tmp_path / "data"))
    detect.fingerprint.cache_clear()
    after = LightExtractor().identity
    detect.fingerprint.cache_clear()

    assert (
        before.name == after.name == "light"
        and before.parameters != after.parameters
    )


@pytest.mark.parametrize(
    "text", ["Ada Falk is my doctor.", "Ada Falk became my doctor."]
)
def test_who_is_somebodys_something_is_read_from_both_ends(text: str) -> None:
    assert values(text)["me", "doctor"] == "Ada Falk"


def test_a_friend_of_yesterdays_story_is_one_today() -> None:
    relation = next(
        claim
        for claim in claims("My friend Ada Falk sold a painting last week.")
        if "friend" in claim.key
    )

    assert relation.period.end is None


@pytest.mark.parametrize(
    "text",
    [
        "It is not true that Otto lives in Zenda.",
        "Es stimmt nicht, dass Otto lebt in Zenda.",
    ],
)
def test_a_statement_said_not_to_be_true_is_denied(text: str) -> None:
    assert one(text).negated and one(text).object == "Zenda"


def test_a_person_who_moved_to_another_team_lives_where_they_did() -> None:
    assert one("I moved to a smaller team.").key == ("me", "move to")
    assert one("I moved to Zenda.").key == ("me", "live in")


def test_a_mere_pronoun_is_no_value() -> None:
    assert claims("I like it.") == []


def test_a_word_is_read_alike_whatever_the_seed_of_hashes() -> None:
    code = (
        "from companion.language.claims.grammar import grammar_of;"
        " print(grammar_of('de').lemma('gehört'))"
    )
    for seed in range(6):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == "gehören\n", seed


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("Harbour requires Pier Four.", ("harbour", "require"), "Pier Four"),
        ("Hafen benötigt Pier Vier.", ("hafen", "benötigen"), "Pier Vier"),
    ],
)
def test_a_sentence_of_two_names_and_a_verb_is_told_by_the_verb(
    text: str, key: tuple[str, str], value: str
) -> None:
    assert (one(text).key, one(text).object) == (key, value)


def test_names_alone_state_nothing() -> None:
    assert (
        claims("Harbour Pier Four.") == claims("alpha beta gamma delta.") == []
    )


@pytest.mark.parametrize(
    ("text", "told", "start"),
    [
        ("From March the price is 12 euros.", "2026-01-20", "2026-03"),
        ("From March on the price is 12 euros.", "2026-01-20", "2026-03"),
        ("Starting in October the rent is 900 euros.", "2026-01-20", "2026-10"),
        ("From March the price is 12 euros.", "2026-11-20", "2027-03"),
        ("From March the price is 12 euros.", "2026-04-20", "2026-03"),
        ("As of March the rent is 900 euros.", "2026-01-20", "2026-03"),
        ("As of November the rent is 900 euros.", "2026-01-20", "2025-11"),
        ("As of next month the rent is 900 euros.", "2026-01-20", "2026-02"),
        ("From Monday the office is in Bern.", "2026-01-20", "2026-01-26"),
        ("Anna worked at Globex from March.", "2026-01-20", "2025-03"),
        ("Since March the price is 12 euros.", "2026-01-20", "2025-03"),
        ("Since Monday the office is in Bern.", "2026-01-20", "2026-01-19"),
        (
            "From December to February the office is in Bern.",
            "2026-01-20",
            "2025-12",
        ),
        ("From March to May the office is in Bern.", "2026-01-20", "2026-03"),
        ("Ab März kostet das Abo 12 Euro.", "2026-01-20", "2026-03"),
        ("Ab dem 1. März wohnt Anna in Rom.", "2026-01-20", "2026-03-01"),
        ("Vom 1. März an ist die Miete 900 Euro.", "2026-01-20", "2026-03-01"),
        ("Ab nächstem Monat ist die Miete 900 Euro.", "2026-01-20", "2026-02"),
        ("Ab Montag ist das Büro in Bern.", "2026-01-20", "2026-01-26"),
        ("Anna arbeitete ab März bei Globex.", "2026-01-20", "2025-03"),
        ("Seit März ist die Miete 900 Euro.", "2026-01-20", "2025-03"),
    ],
)
def test_from_a_month_is_the_coming_one_and_since_a_month_the_last(
    text: str, told: str, start: str
) -> None:
    """A price told in January for March had been read as so for ten months."""
    found = extractor.extract(text, event_time=f"{told}T10:00:00Z")
    assert len(found) == 1 and found[0].change, found
    assert (found[0].period.start or "").startswith(start)


@pytest.mark.parametrize(
    ("text", "was", "stands"),
    [
        ("Anna no longer lives in Bern but in Rome.", "Bern", "Rome"),
        ("Anna doesn't live in Bern any more but in Rome.", "Bern", "Rome"),
        ("Anna no longer works for Globex but Initech.", "Globex", "Initech"),
        (
            "The rehearsal is no longer on Tuesday, but on Thursday.",
            "Tuesday",
            "Thursday",
        ),
        ("Anna wohnt nicht mehr in Bern, sondern in Rom.", "Bern", "Rom"),
        (
            "Die Probe ist nicht mehr am Dienstag, sondern am Donnerstag.",
            "Dienstag",
            "Donnerstag",
        ),
    ],
)
def test_no_longer_this_but_that_states_both(
    text: str, was: str, stands: str
) -> None:
    """What ended was read, and what took its place was not."""
    old, new = claims(text)
    assert (old.object, old.negated, new.object, new.negated) == (
        was,
        True,
        stands,
        False,
    )
    assert (
        old.key == new.key
        and new.period.stated
        and new.period.start == "2026-02-11T10:30:00.000000Z"
    )


def test_behind_but_may_stand_another_clause() -> None:
    assert values("Tom doesn't like tea but he drinks coffee.") == {
        ("tom", "like"): "tea",
        ("tom", "drink"): "coffee",
    }


# -- plain statements of everyday life, and changes to them ----------------------------------------


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("The pump survives two floods.", ("pump", "survive"), "two floods"),
        ("The new caretaker is Mr Abel.", ("caretaker", "is"), "Mr Abel"),
        ("Ida took over as secretary from Karl.", ("secretary", "is"), "Ida"),
        (
            "The kiln now runs at 6 bar instead of 8.",
            ("kiln", "run at"),
            "6 bar",
        ),
        ("The toll went up from 9 to 11 euros.", ("toll", "is"), "11 euros"),
        (
            "Die Pacht ist von 60 auf 80 Euro gestiegen.",
            ("pacht", "is"),
            "80 Euro",
        ),
        (
            "Karl takes 10 mg of aspirin now, not 5.",
            ("karl", "take"),
            "10 mg of aspirin",
        ),
        (
            "The gate opens at 7:30. Nobody is there before.",
            ("gate", "open at"),
            "7:30",
        ),
        (
            "Der neue Hausmeister ist Herr Abel.",
            ("hausmeister", "is"),
            "Herr Abel",
        ),
        ("Annas Tierarzt heißt Dr. Berg.", ("anna", "tierarzt"), "Dr. Berg"),
        (
            "Der Verkauf ist samstags um neun.",
            ("verkauf", "is"),
            "samstags um neun",
        ),
        (
            "Der Markt findet in Halle 5 statt.",
            ("markt", "finden in"),
            "Halle 5",
        ),
        ("Seit Mai öffnet das Bad erst um zehn.", ("bad", "öffnen um"), "zehn"),
    ],
)
def test_everyday_statements_are_read(
    text: str, key: tuple[str, str], value: str
) -> None:
    assert values(text)[key] == value


@pytest.mark.parametrize(
    "text",
    [
        "The spare wheel is in the cellar now.",
        "Since May yoga is on Thursdays.",
        "We now meet at the old mill.",
        "The bread is delivered on Mondays now.",
        "Das Boot liegt jetzt im Hafen.",
        "Ab Mai ist das Turnen donnerstags.",
    ],
)
def test_where_and_when_a_thing_is_has_one_value_once_it_changed(
    text: str,
) -> None:
    assert [claim.functional for claim in claims(text)] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "The spare wheel is in the cellar.",  # and may be in the house, too
        "Yoga is now also on Thursdays.",
        "Anna now sings in the church choir.",
        "Anna is in the church choir now.",
        "The shop now sells bread.",
        "Das Turnen ist jetzt auch donnerstags.",
    ],
)
def test_what_may_be_beside_something_else_has_several_values(
    text: str,
) -> None:
    assert [claim.functional for claim in claims(text)] == [False]


def test_a_name_in_place_of_a_name_ends_what_it_did() -> None:
    told = {
        claim.key: claim
        for claim in claims("Ida plays the organ instead of Karl.")
    }

    assert not told["ida", "play"].negated
    assert told["karl", "play"].negated
    assert told["karl", "play"].period.stated


def test_a_name_with_an_s_is_no_genitive() -> None:
    assert (
        values("Jonas Weber ist Frau Weber begegnet.").get(("jona", "weber"))
        is None
    )
    assert ("thoma", "mann") not in values("Thomas Mann ist Schriftsteller.")


def test_hours_between_which_something_is_so_are_no_values() -> None:
    assert values("Anna stays in Bern from 10:00 until 12:00.") == {
        ("anna", "stay in"): "Bern"
    }


@pytest.mark.parametrize(
    ("said", "key", "value"),
    [
        ("Our son is allergic to penicillin.", "son allergic to", "penicillin"),
        ("Anna's brother is good at chess.", "brother good at", "chess"),
        ("My daughter is afraid of dogs.", "daughter afraid of", "dogs"),
        (
            "Unser Sohn ist allergisch gegen Nüsse.",
            "sohn allergisch gegen",
            "Nüsse",
        ),
        ("Our neighbour is a nurse.", "neighbour", "nurse"),
        (
            "My favourite food is soup with bread.",
            "favourite food",
            "soup with bread",
        ),
    ],
)
def test_how_somebody_is_is_not_who_they_are(
    said: str, key: str, value: str
) -> None:
    (claim,) = LightExtractor().extract(said, event_time="2026-10-01T00:00:00Z")
    assert (claim.key[1], claim.object) == (key, value)
    assert claim.functional == (key in ("neighbour", "favourite food"))


@pytest.mark.parametrize(
    "said", ["Our son is ill.", "Meine Mutter ist müde.", "My wife is 34."]
)
def test_how_somebody_is_for_now_is_no_claim(said: str) -> None:
    assert not LightExtractor().extract(said, event_time="2026-10-01T00:00:00Z")


@pytest.mark.parametrize(
    ("said", "predicate", "value"),
    [
        ("Nadia eats no meat.", "eat", "meat"),
        ("Lara isst kein Fleisch.", "essen", "Fleisch"),
        ("The flat has no lift.", "have", "lift"),
    ],
)
def test_no_thing_is_a_denial_of_the_thing(
    said: str, predicate: str, value: str
) -> None:
    (claim,) = extractor.extract(said, event_time="2026-10-01T00:00:00Z")
    assert claim.negated
    assert (claim.key[1], claim.object) == (predicate, value)


@pytest.mark.parametrize(
    "text",
    (
        "Das Training fällt aus.",
        "Standup dienstags fällt aus.",
        "Mittwochs macht Anna Yoga.",
    ),
)
def test_neither_a_particle_nor_a_day_of_the_week_is_told_of(
    text: str,
) -> None:
    assert values(text) == {}


def test_who_comes_each_week_is_told_of_behind_the_day() -> None:
    assert values("Montags kommt Frau Kern.") == {
        ("frau kern", "kommen"): "Montags"
    }
