"""What a note is about: each rule, and the note beside it that the rule must leave alone."""

import time

import pytest

from companion.subjects.aboutness import decide_aboutness
from companion.subjects.values import (
    About,
    Name,
    Near,
    Note,
    Subject,
    SubjectsView,
)


def view(
    *titles: str, near: tuple[Near, ...] = (), **aliases: str
) -> SubjectsView:
    """Return a wiki of pages whose entries are called like their titles."""
    names = [Name(title.lower(), title) for title in titles]
    names += [Name(alias.lower(), entry) for alias, entry in aliases.items()]
    return SubjectsView(
        {title: Subject(title, title, True) for title in titles},
        names,
        {title: (title,) for title in titles},
        {"note": near},
    )


def decide(text: str, wiki: SubjectsView, **about: object) -> About:
    note = Note("note", text)._replace(**about)  # type: ignore[arg-type]
    return decide_aboutness([note], wiki)["note"]


def test_a_person_s_word_comes_before_every_other_rule() -> None:
    about = decide("Anna called.", view("Anna", "Paul"), belongs="Paul")
    assert (about.entry, about.rule) == ("Paul", "person")
    assert about.mentions == ("Anna",)


def test_a_note_of_a_page_s_title_is_about_that_page() -> None:
    assert decide("Words.", view("Anna"), title="Anna").entry == "Anna"


def test_a_title_of_its_own_begins_a_page() -> None:
    about = decide("Anna's plan.", view("Anna"), title="Trip")
    assert (about.entry, about.rule) == (None, "own-title")
    assert about.mentions == ("Anna",)


def test_a_possessive_and_a_genitive_name_the_page() -> None:
    assert decide("Anna's cat is ill.", view("Anna")).entry == "Anna"
    assert decide("Annas Katze ist krank.", view("Anna")).entry == "Anna"
    # another name is no form of it
    assert decide("Annabel is ill.", view("Anna")).entry is None
    assert decide("Simone is ill.", view("Simon")).entry is None


def test_a_name_that_two_pages_bear_names_neither() -> None:
    wiki = SubjectsView(
        {"1": Subject("1", "Anna", True), "2": Subject("2", "Anna", True)},
        [Name("anna", "1"), Name("anna", "2")],
    )
    assert decide("Anna called.", wiki).entry is None


def test_a_page_that_has_the_note_s_words_is_near() -> None:
    boiler = Near("Boiler", 0.6, 0.7, beside=0.7)
    near = (boiler, Near("Car", 0.2, 0.1))
    about = decide("The pressure fell.", view("Boiler", "Car", near=near))
    assert (about.entry, about.rule) == ("Boiler", "vector")
    assert about.runner_up == "Car"
    far = (Near("Boiler", 0.4, 0.1),)
    about = decide("Taxes are due.", view("Boiler", near=far))
    assert (about.entry, about.rule, about.runner_up) == (
        None,
        "unknown",
        "Boiler",
    )


def test_a_note_of_another_name_is_not_near() -> None:
    page = Near("Lea", 0.9, 1.0)
    about = decide("Frau Vogt called.", view("Lea", near=(page,)))
    assert about.rule == "vector"
    other = page._replace(names_another=True)
    about = decide("Frau Vogt called.", view("Lea", near=(other,)))
    assert (about.entry, about.rule) == (None, "unknown")


@pytest.mark.parametrize(
    ("title", "subject", "is_of_page"),
    [
        ("Liripo Gateway", "Ruwa Gateway", False),
        ("Projekt Relifi", "Projekt Dakara", False),
        ("Anna Berger", "Anna Klein", False),
        ("Liripo Gateway", "Gateway", True),
        ("Liripo", "Liripo Gateway", True),
        ("Old Boiler", "Boiler", True),
        # no proper name: it may be said in many ways
        ("Boiler (Viessmann)", "the boiler pressure", True),
        ("Press", "Car", True),
    ],
)
def test_what_is_stated_of_another_of_a_kind_is_not_about_the_page(
    title: str, subject: str, is_of_page: bool
) -> None:
    near = Near(title, 0.9, 0.9, beside=0.9)
    wiki = view(title, near=(near,))
    about = decide("It is owned by Sanna.", wiki, subjects=(subject,))
    assert (about.entry == title) is is_of_page


def test_of_two_people_of_one_first_name_neither_is_meant() -> None:
    one, both = view("Anna Berg"), view("Anna Berg", "Anna Hall")
    assert decide("Anna Hall called.", both).entry == "Anna Hall"
    assert decide("Anna called.", both).entry is None
    # a first name alone is no whole name
    assert decide("Anna called.", one).entry is None


def test_a_note_that_lists_what_was_done_is_about_none_of_it() -> None:
    known = view("Anna")
    some = "Anna rang, fed the cat, paid the rent, mowed, early night"
    assert decide(some, known).entry is None
    assert (
        decide("Anna rang, she is ill, back on Monday", known).entry == "Anna"
    )


def test_the_word_behind_a_name_may_make_it_another_s() -> None:
    assert decide("Sam is on nights.", view("Sam")).entry == "Sam"
    assert decide("Sam Cooke is on the radio.", view("Sam")).entry is None
    assert decide("Sam from the office is ill.", view("Sam")).entry is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Rob", "Rob the plumber can come on Thursday"),
        ("Clara", "Clara (my niece) sleeps at ours"),
        ("Levin", "Levin-Clubkarten für den Abend verlost"),
        # German writes every noun with a capital: it may be a name or not
        ("Jonas", "Jonas Kaufmann singt im Mai in der Stadt"),
        ("Anna", "Anna Geburtstag feiern wir mit der ganzen Familie"),
        # whom somebody has is not that somebody
        ("Anna", "Annas Kollegin sucht eine Wohnung in Kiel"),
        ("Anna", "Anna's brother sells his caravan"),
        # it only says when something was
        ("Anna", "while Anna had lunch I rang the dentist"),
        ("Stammtisch", "Nach dem Stammtisch mit dem Rad gestürzt"),
        ("Rosa", "while Pepper was at Rosa's I took the coats to the cleaner"),
        ("Yildiz", "Frau Yildiz' Sohn hat die Mathearbeit verhauen"),
        ("Yildiz", "Frau Yildiz\u2019 Sohn hat die Mathearbeit verhauen"),
        # its first word has a capital anyway
        ("Crate", "Crate of apples from the neighbours, make chutney"),
        # "bed" is no past form
        ("Sofa", "sofa bed for the spare room, wait for the sale"),
    ],
)
def test_a_name_that_may_go_on_needs_a_near_page(name: str, text: str) -> None:
    assert decide(text, view(name)).entry is None
    some = Near(name, 0.5, 0.6, 0.8)
    assert decide(text, view(name, near=(some,))).entry is None
    near = Near(name, 0.7, 0.9, 0.9, beside=0.5)
    assert decide(text, view(name, near=(near,))).entry == name


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Stove", "stove in the holiday cottage was gas"),
        ("Stove", "The stove in our cottage was gas"),
        ("The wheel", "The wheels on the bus, sung all the way home"),
        ("Engine", "engine of the neighbour's Volvo sounds like a tractor"),
        ("Window", "Window cleaner wants cash from now on"),
        ("Weight", "weight limit on the new ladder is 150 kg"),
        ("Beamer", "der Beamer für den Kinoabend ist bestellt"),
        ("Bottles", "bottle of red for the people next door"),
        (
            "Fahrdienst",
            "Fahrdienst der Apotheke bringt die Tabletten mittwochs",
        ),
    ],
)
def test_a_thing_of_the_same_name_may_be_another(name: str, text: str) -> None:
    assert decide(text, view(name)).entry is None
    near = Near(name, 0.7, 0.9, 0.9, beside=0.5)
    assert decide(text, view(name, near=(near,))).entry == name


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Anna", "Met Anna at the station."),
        ("Anna", "Anna at the station, half past three"),
        ("Engine", "engine at 4,180 now, next service before Easter"),
        ("Boiler", "boiler leaks into the hall"),
        ("Laptop", "laptop fell off the train table"),
        ("Celadon", "celadon pinholed on the whole middle shelf"),
        ("Beamer", "Beamer mit dem Handy verbunden, es geht"),
    ],
)
def test_what_a_named_thing_does_and_where_decides(
    name: str, text: str
) -> None:
    assert decide(text, view(name)).entry == name


def test_words_beside_the_name_tell_more_than_the_name() -> None:
    name_alone = Near("Rent and lease", 0.2, 0.5, 1.9)
    other_words = Near("Rent and lease", 0.2, 0.5, 1.9, beside=0.4)
    text = "bike for the weekend, 15 a day"
    alone = decide(text, view("Rent and lease", near=(name_alone,)))
    beside = decide(text, view("Rent and lease", near=(other_words,)))
    assert (alone.entry, beside.entry) == (None, "Rent and lease")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Rob", "Rob can come on Thursday, the plumber can not"),
        ("Ruth", "Ruths Vertretung hört schon wieder auf"),
        ("Frau Vogt", "Frau Vogt Termin am Freitag um zehn verschoben"),
        ("Jonas", "Jonas am Kaufmannplatz getroffen, er ist müde"),
    ],
)
def test_what_follows_a_name_may_be_none_of_it(name: str, text: str) -> None:
    assert decide(text, view(name)).entry == name


def test_a_note_that_names_many_pages_is_about_none() -> None:
    wiki = view("Anna", "Boiler", "Car", "Dog", "Egon")
    about = decide("Anna, the boiler, the car, the dog and Egon.", wiki)
    assert (about.entry, about.rule) == (None, "unknown")
    assert about.mentions == ("Anna", "Boiler", "Car", "Dog", "Egon")


def test_a_name_is_the_second_word_of_a_note_about_it() -> None:
    wiki = view("Anna", "Biscuit", "Boiler")
    assert decide("Met Anna at the station.", wiki).entry == "Anna"
    assert decide("the boiler is cold", wiki).entry == "Boiler"
    assert decide("chocolate biscuits: 225 butter", wiki).entry is None


def test_a_name_in_passing_does_not_decide() -> None:
    about = decide("A good book that Anna mentioned.", view("Anna"))
    assert (about.entry, about.mentions) == (None, ("Anna",))


def test_a_note_that_only_links_elsewhere_is_about_nothing_there() -> None:
    text = "A museum full of stoves like the [[Boiler]]"
    far = view("Boiler", near=(Near("Boiler", -0.1),))
    about = decide(text, far, links=("Boiler",))
    assert (about.entry, about.mentions) == (None, ("Boiler",))
    near = view("Boiler", near=(Near("Boiler", 0.4, 0.5),))
    assert decide(text, near, links=("Boiler",)).rule == "link"
    short = "Cleaned it: [[Boiler]]"
    assert decide(short, far, links=("Boiler",)).rule == "link"


def test_a_title_that_is_a_verb_begins_only_its_own_notes() -> None:
    wiki = view("Run", "Plan")
    assert decide("Run of 5 km in the rain.", wiki).entry == "Run"
    assert decide("I have to run now.", wiki).entry is None


def test_a_title_that_is_an_emoji_or_a_date_is_a_name_like_others() -> None:
    wiki = view("🙂", "2026-11-22", "!!!")
    assert decide("🙂 all day long", wiki).entry is None
    assert decide("2026-11-22 was a good day.", wiki).entry == "2026-11-22"
    assert decide("Went home on 22 November.", wiki).entry is None


def test_a_claim_that_only_says_when_something_was_decides_nothing() -> None:
    text = "while Pepper was at the vet I took the coats to the cleaner"
    about = decide(text, view("Pepper"), subjects=("Pepper",))
    assert (about.entry, about.mentions) == (None, ("Pepper",))


def test_the_subject_of_a_claim_is_what_the_note_is_about() -> None:
    wiki = view("Anna", "Boiler")
    about = decide("Today she called.", wiki, subjects=("Anna",))
    assert (about.entry, about.rule) == ("Anna", "claim")
    assert decide("Today she called.", wiki, subjects=("I",)).entry is None


def test_a_huge_note_is_read_at_its_beginning_only() -> None:
    wiki = view("Anna", "Boiler")
    text = "word " * 200_000 + "Anna"
    began = time.process_time()
    about = decide(text, wiki)
    assert time.process_time() - began < 1.0
    assert about.mentions == ()


def test_the_figures_of_nearness_stand_beside_the_reason() -> None:
    boiler = Near("Boiler", 0.6, 0.7, beside=0.7)
    near = (boiler, Near("Car", 0.2, 0.1))
    found = decide("The pressure fell.", view("Boiler", "Car", near=near))
    far = decide("Rain.", view("Car", near=(Near("Car", 0.1, 0.1),)))
    assert found.entry == "Boiler" and far.entry is None
    for about in (found, far):
        assert not any(char.isdigit() for char in about.reason)
        assert f"{about.score:.2f} of " in about.figures


def test_what_somebody_recommends_is_not_about_somebody() -> None:
    wiki = view("Jolanta")
    text = "Jolanta recommends the bakery in Haslach."
    about = decide(text, wiki)
    assert (about.entry, about.mentions) == (None, ("Jolanta",))
    later = "Jolanta is off on Friday. She has recommended a cover."
    assert decide(later, wiki).entry == "Jolanta"


def test_a_claim_of_a_later_sentence_does_not_decide() -> None:
    wiki = view("Rob", "Ventoux")
    text = "The hotel wants a deposit. Rob has no flight yet."
    assert decide(text, wiki, subjects=("Rob",)).entry is None
    text = "In May Rob has no flight. The hotel wants a deposit."
    assert decide(text, wiki, subjects=("Rob",)).rule == "claim"


def test_who_knows_somebody_is_not_what_the_note_is_about() -> None:
    told = "Told Rosa about the leak and she knows a good roofer"
    assert decide(told, view("Rosa")).entry is None
    assert decide("Kemal kennt einen Dachdecker.", view("Kemal")).entry is None
    # what somebody knows is said of them
    assert decide("Rosa knows the road.", view("Rosa")).entry == "Rosa"
    assert decide("Rosa knows a song.", view("Rosa")).entry == "Rosa"


def test_a_quotation_that_names_no_page_is_about_none() -> None:
    near = (Near("Juno", 0.9, share=1.0, first=1.0),)
    told = '"A horse is dangerous at both ends, they say"'
    about = decide(told, view("Juno", near=near))
    assert (about.entry, about.rule) == (None, "unknown")
    assert decide(told[1:-1], view("Juno", near=near)).entry == "Juno"
    named = '"Juno is a lovely horse to ride out"'
    assert decide(named, view("Juno")).entry == "Juno"


def test_a_note_begins_with_a_place_in_two_words_or_one() -> None:
    wiki = view("Kita", "Mila")
    assert decide("At the Kita they found lice.", wiki).entry == "Kita"
    assert decide("In der Kita gibt es Läuse.", wiki).entry == "Kita"
    assert decide("Mila likes the Kita.", wiki).entry == "Mila"
    assert decide("Lice at the Kita again.", wiki).entry is None
