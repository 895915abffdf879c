"""How near a page is to a note: what its words tell, and which of the page's notes have them."""

import numpy
import pytest

from companion.language.vectors.static_vectors import StaticEmbedder
from companion.subjects.near import Measure, PageText, _list_highest
from companion.subjects.shared_words import WikiWords
from companion.subjects.values import Near

EMPTY = WikiWords(16, {})


@pytest.fixture(scope="module")
def embedder() -> StaticEmbedder:
    return StaticEmbedder()


def measure(
    embedder: StaticEmbedder,
    note: str,
    page: PageText,
    wiki: WikiWords = EMPTY,
) -> Near:
    return Measure(embedder).measure(note, {"page": page}, wiki)[0]


def test_a_word_that_tells_more_counts_more(embedder: StaticEmbedder) -> None:
    good, boiler, since = embedder.measure_words(["good", "boiler", "since"])
    assert since < good < boiler
    page = PageText("Cellar", "A good boiler.", ())
    telling = measure(embedder, "the boiler broke down", page)
    common = measure(embedder, "the good sort broke down", page)
    assert telling.share > 2 * common.share


def test_what_one_note_of_a_page_has_counts_less_than_what_several_have(
    embedder: StaticEmbedder,
) -> None:
    once = PageText("Lea", "", ("Lea has the keys.", "Lea drinks tea."))
    twice = PageText("Lea", "", ("Lea has the keys.", "Lea lost the keys."))
    note = "brass keys"
    assert (
        measure(embedder, note, once).share
        < measure(embedder, note, twice).share
    )


def test_a_word_of_many_pages_counts_less(embedder: StaticEmbedder) -> None:
    page = PageText("Lea", "Lea has the keys.", ())
    rare = measure(embedder, "brass keys", page)
    common = WikiWords(400, {"keys": 200})
    assert measure(embedder, "brass keys", page, common).share < rare.share / 2


def test_what_days_have_as_well_is_hardly_a_page_s(
    embedder: StaticEmbedder,
) -> None:
    page = PageText("Bergen", "", ("Bergen hotel", "slept badly in Bergen"))
    note = "slept badly, four hours"
    here = measure(embedder, note, page)
    everywhere = WikiWords(16, {}, {"slept": 9, "badly": 9})
    assert measure(embedder, note, page, everywhere).share < here.share / 3
    # what stands beside its notes is the page's, whatever days say
    beside = PageText("Bergen", "slept badly in Bergen", ())
    assert measure(embedder, note, beside, everywhere) == measure(
        embedder, note, beside
    )


@pytest.mark.parametrize(
    ("note", "own"),
    [
        ("Frau Vogt called about the keys", True),
        ("Oskar is away until March", True),
        ("Jonas hat Fotos geschickt", True),
        ("Lea called about the keys", False),
        ("keys are with the neighbours", False),
    ],
)
def test_a_note_that_begins_with_another_name_is_told_from_others(
    embedder: StaticEmbedder, note: str, own: bool
) -> None:
    page = PageText("Lea", "", ("Lea called about the keys.", "Lea is ill."))
    assert measure(embedder, note, page).names_another is own


def test_a_note_without_words_is_near_nothing(embedder: StaticEmbedder) -> None:
    page = PageText("Lea", "Lea has the keys.", ())
    near = measure(embedder, "?!", page)
    assert (near.share, near.first) == (0.0, 0.0)


def test_a_person_named_by_one_note_of_a_page_is_another_s(
    embedder: StaticEmbedder,
) -> None:
    notes = ("Frau Vogt is in Bergen.", "Bergen is far.", "Back from Bergen.")
    page = PageText("Bergen", "", notes)
    assert measure(embedder, "Frau Vogt called", page).names_another
    beside = page._replace(beside="Frau Vogt has a house here.")
    assert not measure(embedder, "Frau Vogt called", beside).names_another


@pytest.mark.parametrize(
    ("note", "is_another"),
    [
        ("Nora moved to Graz", True),
        ("Nora has shingles", True),
        ("Nora speaks Polish", True),
        ("Nora zieht nach Graz", True),
        # others use these as no names
        ("Shed leaks again", False),
        ("Pump is loud", False),
        # these begin with what their teller did
        ("Watered beans", False),
        ("Sold beans", False),
        # most notes say it
        ("Allotment needs water", False),
    ],
)
def test_a_note_that_begins_with_whom_a_page_names_by_the_way_is_theirs(
    embedder: StaticEmbedder, note: str, is_another: bool
) -> None:
    told = (
        "Nora painted the shed",
        "the pump at the allotment drips",
        "Nora planted beans, watered and sold some at the allotment",
        "allotment rent is 64",
    )
    page = PageText("Allotment", "", told)
    assert measure(embedder, note, page).names_another == is_another


def test_whom_most_notes_of_a_page_name_is_of_the_page(
    embedder: StaticEmbedder,
) -> None:
    told = ("Nora swam", "Nora came late", "the pool is cold")
    page = PageText("Pool", "", told)
    assert not measure(embedder, "Nora moved", page).names_another
    owned = PageText("Pool", "Nora runs it.", ())
    assert not measure(embedder, "Nora moved", owned).names_another


def test_a_page_s_name_that_is_said_in_passing_counts_less(
    embedder: StaticEmbedder,
) -> None:
    page = PageText("Bergen", "A town on the fjord.", ())
    about = measure(embedder, "tickets and hotel, Bergen", page)
    passing = measure(embedder, "tickets and hotel from Bergen", page)
    assert passing.share < about.share / 2
    # what a note begins with is not said in passing
    begins = measure(embedder, "In Bergen tickets and hotel", page)
    assert begins.share == about.share


def test_words_for_one_role_are_near_each_other(
    embedder: StaticEmbedder,
) -> None:
    page = PageText("Herr Vukovic", "Installateur aus Meidling.", ())
    plumber = measure(embedder, "the plumber rang", page)
    roofer = measure(embedder, "the roofer rang", page)
    assert plumber.share > roofer.share + 0.5


def test_one_word_that_a_page_says_by_the_way_stands_alone(
    embedder: StaticEmbedder,
) -> None:
    page = PageText("Keyboard", "Roland piano. Desmond sleeps beside it.", ())
    assert measure(embedder, "hernia: call Desmond", page).alone
    assert not measure(embedder, "a piano stool", page).alone
    assert not measure(embedder, "keyboard lead", page).alone


def test_what_somebody_speaks_about_is_not_said_in_passing(
    embedder: StaticEmbedder,
) -> None:
    page = PageText("Compressor", "In the cellar. Loud.", ())
    about = measure(embedder, "she complained about the compressor", page)
    beside = measure(embedder, "she complained behind the compressor", page)
    assert about.share > beside.share


def test_the_highest_are_those_that_sorting_puts_first() -> None:
    chance = numpy.random.default_rng(7)
    for size in (1, 5, 48, 49, 300):
        # few values, so that many are equal
        row = chance.integers(0, 9, size).astype(numpy.float32)
        for most in (1, 8, 48):
            expected = numpy.argsort(-row, kind="stable")[:most]
            assert list(_list_highest(row, most)) == list(expected)


def test_whose_somebody_is_counts_little(embedder: StaticEmbedder) -> None:
    page = PageText("Lesson", "On Wednesdays with Freya.", ())
    owner = "Freya's flatmate sells a dryer"
    about = "Freya's wrist is not better yet"
    assert (
        measure(embedder, owner, page).share
        < measure(embedder, about, page).share / 2
    )
    known = PageText("Lesson", "With Freya and her flatmate.", ())
    assert (
        measure(embedder, owner, known).share
        > 2 * measure(embedder, owner, page).share
    )


def test_a_page_s_name_in_passing_leads_to_no_other_page(
    embedder: StaticEmbedder,
) -> None:
    mila = PageText("Mila", "Mila started at the Kita.", ())
    kita = PageText("Kita", "Closed on the 25th.", ())
    note = "lice again at the Kita"
    measured = Measure(embedder)
    both = measured.measure(note, {"mila": mila, "kita": kita}, EMPTY)
    alone = measured.measure(note, {"mila": mila}, EMPTY)
    assert both[0].share < alone[0].share / 2


def test_another_thing_that_a_note_begins_with_is_elsewhere(
    embedder: StaticEmbedder,
) -> None:
    page = PageText("Boiler", "", ("The boiler is leaking again.",))
    assert measure(
        embedder, "the dishwasher is leaking again", page
    ).begins_elsewhere
    assert measure(
        embedder, "My dishwasher is leaking again", page
    ).begins_elsewhere
    assert not measure(embedder, "the boiler is leaking", page).begins_elsewhere
    assert not measure(embedder, "leaking again", page).begins_elsewhere
