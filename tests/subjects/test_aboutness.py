"""What a note is about: each rule, and the note beside it that the rule must leave alone."""

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


def test_a_near_page_needs_a_margin() -> None:
    alone = (Near("Boiler", 0.7), Near("Car", 0.5))
    pages = view("Boiler", "Car", near=alone)
    assert decide("The pressure fell.", pages).rule == "vector"
    tied = view("Boiler", "Car", near=(Near("Boiler", 0.7), Near("Car", 0.69)))
    assert decide("The pressure fell.", tied).entry is None
