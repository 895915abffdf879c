"""The light relater: two findings by rule, the same answer every time, and unsure where no rule
reaches.
"""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.language.detect import add_tallies, count_little_words, tally
from companion.language.lexicon import LANGUAGES, lexicon_of
from companion.language.relations.relate import CONTRADICTS, LONG, LightRelater
from companion.values.relations import Relation, Statement

RELATER = LightRelater()


def relate(earlier: str, later: str) -> Relation:
    return RELATER.relate([(Statement(earlier), Statement(later))])[0]


@pytest.mark.parametrize(
    ("earlier", "later", "finding"),
    [
        (
            "The ferry leaves on time",
            "The ferry doesn't leave on time",
            "denies",
        ),
        (
            "Somebody is rowing the boat",
            "Nobody is rowing the boat",
            "denies",
        ),
        (
            "There is a lamp in the attic",
            "There is no lamp in the attic",
            "denies",
        ),
        (
            "She bakes bread with salt",
            "She bakes bread without salt",
            "denies",
        ),
        ("The shutter is open", "The shutter is closed", "opposite words"),
        (
            "My aunt is comfortable with heights",
            "My aunt is uncomfortable with heights",
            "opposite words",
        ),
        (
            "He stretches before lunch",
            "He stretches after lunch",
            "opposite words",
        ),
        ("The market is on Tuesday", "The market is on Friday", "exclude"),
        ("The trail is 5 km long", "The trail is 7000 m long", "number"),
        (
            "The library opens on March 3rd",
            "The library opens on April 3rd",
            "number",
        ),
        ("The bakery opens at 7 am", "The bakery opens at 7 pm", "number"),
        (
            "The capital of Ruritania is Strelsau",
            "The capital of Ruritania is Zenda",
            "same sentence",
        ),
        ("Der Laden ist offen", "Der Laden ist nicht offen", "denies"),
        ("Der Laden ist offen", "Der Laden ist geschlossen", "opposite words"),
        ("Das Seil ist 3,5 m lang", "Das Seil ist 4 m lang", "number"),
        (
            "La boutique est ouverte le soir",
            "La boutique n'est pas ouverte le soir",
            "denies",
        ),
        (
            "La tienda está abierta hoy",
            "La tienda no está abierta hoy",
            "denies",
        ),
        (
            "De winkel is open vandaag",
            "De winkel is niet open vandaag",
            "denies",
        ),
        (
            "Il negozio è aperto oggi",
            "Il negozio non è aperto oggi",
            "denies",
        ),
    ],
)
def test_opposition_is_found_and_its_rule_named(
    earlier: str, later: str, finding: str
) -> None:
    relation = relate(earlier, later)

    assert (
        relation.label == "contradicts" and relation.opposition >= CONTRADICTS
    )
    assert finding in relation.reason


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("The trail is 5 km long", "The trail is 5000 m long"),
        ("I keep three hens", "I keep 3 hens"),
        ("The ticket costs 1,200 dollars", "The ticket costs $1200"),
        ("The library opens on March 3rd", "The library opens on 3 March"),
        ("Not only the roof leaks in the shed", "The roof leaks in the shed"),
        ("The shutter is not open", "The shutter is closed"),
        (
            "The attic shutter is not open on windy nights",
            "The attic shutter is closed on windy nights",
        ),
        ("My uncle likes plums", "My uncle likes figs"),
        (
            "The archive is at the IMF",
            "The archive is at the International Monetary Fund",
        ),
        ("Der Weg ist 5 km lang", "Der Weg ist 5000 m lang"),
        (
            "On March 3rd the tank held 80 litres",
            "On April 9th the tank held 60 litres",
        ),
        (
            "See [the dam](https://example.org/1802) for the plan",
            "See [the dam](https://example.org/2201) for the plan",
        ),
        ("A red kite is in the sky", "The tax form is not ready"),
    ],
)
def test_what_can_both_be_so_is_no_contradiction(
    earlier: str, later: str
) -> None:
    assert relate(earlier, later).label != "contradicts"


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (
            "The cargo bike is at Velo Haas, the pads come on Friday",
            "The cargo bike is at Velo Haas until Saturday",
        ),
        (
            "Velo Haas has the cargo bike, brake pads come on Friday",
            "The cargo bike is at Velo Haas until Saturday",
        ),
        (
            "Das Lastenrad steht bei Velo Haas, die Beläge kommen am Freitag",
            "Das Lastenrad steht bis Samstag bei Velo Haas",
        ),
    ],
)
def test_days_exclude_each_other_only_where_the_same_is_said_of_them(
    earlier: str, later: str
) -> None:
    found = relate(earlier, later)

    assert found.label != "contradicts"
    assert found.opposition < CONTRADICTS


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (
            "Die Sprechstunde ist am Dienstag",
            "Die Sprechstunde ist am Freitag",
        ),
        (
            "The choir rehearses on Tuesdays in the hall",
            "The choir rehearses on Wednesdays",
        ),
        (
            "Choir: rehearses on Tuesdays, bring water",
            "The choir rehearses on Wednesdays",
        ),
    ],
)
def test_days_of_the_same_exclude_each_other_whatever_else_is_said(
    earlier: str, later: str
) -> None:
    assert "exclude" in relate(earlier, later).reason


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (
            "My locker code is KX4471",
            "Actually my locker code is KX4417, not KX4471",
        ),
        (
            "My sister lives in Porto",
            "My sister moved from Porto to Lisbon last week",
        ),
        (
            "The mill is open to visitors",
            "The mill is no longer open to visitors",
        ),
        ("Die Mühle ist offen", "Die Mühle ist nicht mehr offen"),
        ("Our standup is at 9:15", "Our standup is now at 9:45"),
        ("Mein Büro ist in Köln", "Mein Büro ist jetzt in Bonn"),
    ],
)
def test_an_update_is_found_where_a_mere_likeness_is_not(
    earlier: str, later: str
) -> None:
    alike = relate(earlier, "Another matter entirely, the pears were ripe")

    assert relate(earlier, later).update >= 0.5 > alike.update


def test_a_mere_denial_is_no_update() -> None:
    relation = relate(
        "The mill is open to visitors", "The mill is not open to visitors"
    )

    assert relation.label == "contradicts" and relation.update == 0.0


def test_a_denial_with_other_words_beside_it_is_no_update_either() -> None:
    """Told with a time of its own, such a denial had cost nothing: it was taken for a later
    value.
    """
    denied = "The pump does not drain the cellar completely, ten centimetres were left on Friday."
    assert relate("The pump drains the cellar completely.", denied).update < 0.5
    assert (
        relate(
            "Anna lives in Bern.", "Anna does not live in Bern but in Rome."
        ).update
        >= 0.5
    )


def test_an_update_says_which_statement_is_the_later() -> None:
    first, second = "My locker is 31", "My locker is now 47"

    assert relate(first, second).update > relate(second, first).update


def test_likeness_alone_is_neither() -> None:
    relation = relate(
        "The old mill grinds wheat by the river",
        "The old mill grinds rye by the river",
    )

    assert relation.similarity > 0.7
    assert relation.opposition < CONTRADICTS and relation.update < 0.5


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Mam psa i kota", "Nie mam psa i kota"),
        ("我喜欢猫", "我不喜欢猫"),
        ("Я люблю чай", "Я не люблю чай"),
        ("Det är en stor hund", "Det är inte en stor hund"),
        ("The house is big", "Das Haus ist nicht groß"),
        ("...", "The house is big"),
        ("", ""),
        ("n't", "\u2019"),
    ],
)
def test_where_no_rule_reaches_it_is_unsure_and_says_why(
    earlier: str, later: str
) -> None:
    relation = relate(earlier, later)

    assert (
        relation.label == "unsure"
        and relation.opposition == relation.update == 0.0
    )
    assert relation.reason


def test_one_matter_among_many_sentences_is_found() -> None:
    filler = (
        "The garden was quiet in the morning and the birds sang over the pond. "
    )
    other = (
        "A committee discussed the budget of the museum for most of the year. "
    )

    relation = relate(
        filler * 8 + "The bridge is open to lorries.",
        other * 8 + "The bridge is not open to lorries.",
    )

    assert relation.label == "contradicts" and "aligned" in relation.reason


def test_dates_in_frontmatter_are_no_contradiction() -> None:
    pages = [
        f"---\ndate of the last change: 2021-0{n}-11\n---\n\n" + text * 20
        for n, text in ((1, "Pears are ripe. "), (2, "Eat figs. "))
    ]

    assert relate(*pages).label == "neutral"


def test_long_texts_take_time_by_their_length_only() -> None:
    def seconds(size: int) -> float:
        texts = [
            f"{word} has {n} doors and no roof. "
            for n in range(size)
            for word in ("house", "tower")
        ]
        begun = time.process_time()
        relate("".join(texts), "".join(reversed(texts)))
        return time.process_time() - begun

    seconds(200)
    # quadratic work would take 400 times as long
    assert seconds(4000) < 40 * max(seconds(200), 0.02)


LITTLE = [
    "the",
    "a",
    "my",
    "is",
    "was",
    "from",
    "to",
    "and",
    "with",
    "no",
    "not",
    "never",
    "now",
]
OTHER = [
    "sleeps",
    "cat",
    "dog",
    "Porto",
    "Lisbon",
    "open",
    "closed",
    "3",
    "three",
    "5",
    "km",
    "red",
    "blue",
]
STATEMENTS = st.lists(
    st.sampled_from(LITTLE + OTHER), min_size=1, max_size=9
).map(" ".join)
MARKS = st.sampled_from(["", ".", "!", " ", "?!", "\n", "  "])


@given(STATEMENTS, STATEMENTS)
def test_opposition_does_not_depend_on_the_order(one: str, other: str) -> None:
    there, back = relate(one, other), relate(other, one)

    assert (there.opposition, there.similarity, there.label) == (
        back.opposition,
        back.similarity,
        back.label,
    )


SENTENCES = st.lists(
    st.sampled_from(LITTLE + OTHER), min_size=5, max_size=9
).map(" ".join)
PAGES = st.lists(SENTENCES, min_size=40, max_size=60).map(". ".join)


@settings(max_examples=20)
@given(PAGES, PAGES)
def test_opposition_of_long_texts_does_not_depend_on_the_order(
    one: str, other: str
) -> None:
    there, back = relate(one, other), relate(other, one)

    assert min(len(one), len(other)) > LONG
    # a product of vectors may differ in its last digits, which rounding to six places can show
    assert there.opposition == pytest.approx(back.opposition, abs=2e-6)
    assert there.similarity == pytest.approx(back.similarity, abs=2e-6)
    assert there.label == back.label


@given(STATEMENTS, MARKS, MARKS, st.booleans())
def test_the_same_words_are_the_same(
    words: str, before: str, after: str, shout: bool
) -> None:
    told = (
        before + (words.upper() if shout else words.replace(" ", "  ")) + after
    )

    assert relate(words, told)[:2] == ("same", 1.0)


@given(st.lists(st.tuples(STATEMENTS, STATEMENTS), max_size=4))
def test_an_answer_depends_on_its_pair_alone(
    pairs: list[tuple[str, str]],
) -> None:
    batch = RELATER.relate([(Statement(a), Statement(b)) for a, b in pairs])

    assert batch == [relate(a, b) for a, b in pairs]


@settings(max_examples=200)
@given(st.text(max_size=120), st.text(max_size=120))
def test_any_text_gets_an_answer_in_range_that_quotes_nothing(
    one: str, other: str
) -> None:
    relation = relate(one, other)

    assert (
        0 <= relation.score <= 1
        and 0 <= relation.opposition <= 1
        and 0 <= relation.update <= 1
    )
    assert -1 <= relation.similarity <= 1 and "\n" not in relation.reason
    assert all(
        round(value, 6) == value
        for value in relation[3:]
        if isinstance(value, float)
    )


def test_reasons_quote_nothing() -> None:
    relation = relate(
        "Zebulon's vault is at Quixotic Lane 8817",
        "Zebulon's vault is not at Quixotic Lane 9921",
    )

    assert not any(
        word in relation.reason.lower()
        for word in ("zebulon", "quixotic", "8817", "9921", "vault")
    )


def test_the_identity_names_rules_weights_and_words() -> None:
    identity = RELATER.identity

    assert (
        identity.name == "light"
        and len(identity.weights) == 64
        and "lexicon" in identity.parameters
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_its_words(language: str) -> None:
    words = lexicon_of(language)

    assert (
        len(words.months) >= 12
        and len(words.opposites) >= 100
        and words.negators
        and words.function
    )
    assert not words.negators & words.function, (
        "a negator that counted as a little word would deny nothing"
    )


_SAID = st.lists(
    st.sampled_from(["Die", "die", "the", "El", "is", "y", "Ada", "Il", "x2"]),
    max_size=5,
).map(" ".join)


@given(_SAID, _SAID)
def test_two_tallies_add_up_to_that_of_both_texts(one: str, other: str) -> None:
    assert add_tallies(tally(one), tally(other)) == count_little_words(
        f"{one}\n{other}"
    )


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (
            "The cache is enabled in production.",
            "The cache is disabled in staging.",
        ),
        (
            "Backups are encrypted in production.",
            "Backups are not encrypted in staging.",
        ),
        (
            "No deduplication in the [[Booking worker]].",
            "Wrote the [[Booking worker]].",
        ),
    ],
)
def test_statements_that_differ_in_more_than_what_opposes_may_both_be_so(
    earlier: str, later: str
) -> None:
    assert relate(earlier, later).label != "contradicts"


def test_the_same_place_keeps_a_contradiction() -> None:
    assert (
        relate(
            "The cache is enabled in production.",
            "The cache is disabled in production.",
        ).label
        == "contradicts"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "Big crates are packed on Monday",
            "Small crates are packed on Friday",
        ),
        ("The big gate is open", "The small gate is open"),
        ("Große Kisten sind aus Holz", "Kleine Kisten sind aus Holz"),
    ],
)
def test_opposites_before_one_thing_tell_two_things_apart(
    before: str, after: str
) -> None:
    """How small dogs are fed had opened a branch against how big ones are."""
    found = relate(before, after)
    assert found.label != "contradicts" and found.opposition < 0.3


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Open the window at night.", "Close the window at night."),
        ("Enable caching on servers.", "Disable caching on servers."),
        ("Start the pump at 7.", "Stop the pump at 7."),
        ("Allow dogs in the garden.", "Forbid dogs in the garden."),
        ("Buy shares now.", "Sell shares now."),
        ("Good weather today.", "Bad weather today."),
        ("Free parking here.", "Paid parking here."),
        ("Big crowd today.", "Small crowd today."),
        ("Higher prices are expected.", "Lower prices are expected."),
        ("Opening the hatch is wrong.", "Closing the hatch is wrong."),
    ],
)
def test_opposites_that_tell_what_to_do_or_how_it_is_stay_opposites(
    before: str, after: str
) -> None:
    """Whatever began with opposites before one word had been taken for two things."""
    assert relate(before, after).opposition >= CONTRADICTS


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Switched off.", "Switched on again."),
        ("The door is open.", "The door is closed again."),
    ],
)
def test_a_stated_turn_to_the_opposite_is_an_update(
    earlier: str, later: str
) -> None:
    found = relate(earlier, later)
    assert found.update >= 0.5 and "change to the opposite" in found.reason


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("81.2 kg this morning", "80.9 kg this morning"),
        ("My weight is 81.2 kg", "My weight is 80.4 kg"),
        ("ran 8 km in 44:10", "ran 10 km in 55:20"),
        ("Schlaf 6:40 h", "Schlaf 7:10 h"),
    ],
)
def test_two_measurements_of_one_quantity_contradict_nobody(
    earlier: str, later: str
) -> None:
    relation = relate(earlier, later)

    assert relation.label == "neutral"
    assert relation.opposition == relation.update == 0.0
    assert "one quantity" in relation.reason


def test_numbers_that_measure_nothing_still_contradict() -> None:
    assert relate("The rope is 30 m", "The rope is 40 m").label == "contradicts"


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("The parcel hasn't arrived yet.", "The parcel arrived."),
        (
            "Invoice 12 to Voltmer is not paid yet, they say.",
            "Voltmer paid invoice 12.",
        ),
        ("Das Paket ist noch nicht da.", "Das Paket ist da."),
        ("Le colis n'est pas encore arrivé.", "Le colis est arrivé."),
        ("El paquete todavía no ha llegado.", "El paquete ha llegado."),
    ],
)
def test_what_was_not_yet_so_has_come_about(earlier: str, later: str) -> None:
    relation = relate(earlier, later)
    assert relation.label != "contradicts"
    assert relation.opposition == 0.0
    assert "what was not yet so has come about" in relation.reason
    # what was so and is denied later is a contradiction, "yet" or not
    assert relate(later, earlier).opposition > 0.0


def test_a_word_that_waits_for_nothing_takes_no_denial_back() -> None:
    earlier = "Keine Milch im Haus, aber noch Brot."
    assert relate(earlier, "Milch im Haus.").label == "contradicts"
