"""What an answer of `ask` is worth, and that the two notebooks are alike."""

import tomllib

from tests.bench.notebook.courses import COURSES
from tests.bench.notebook.run import FOLDER, HALVES, Asked, judge

ASKED = Asked("When is the lesson?", ("Wednesday", "Wed"), "Tuesday")


def test_an_answer_is_right_or_wrong_and_a_passage_shows_it_or_not() -> None:
    assert judge(ASKED, ["Wednesday"], []) == "right"
    assert judge(ASKED, ["Tuesday, Wednesday"], []) == "WRONG"
    assert judge(ASKED, ["Friday"], []) == "WRONG"
    assert judge(ASKED, [], ["It is on Wednesday"]) == "first"
    assert judge(ASKED, [], ["Bins", "It is on Wednesday"]) == "shown"
    assert judge(ASKED, [], ["Bins"]) == "missing"


def test_what_nobody_told_is_right_without_an_answer() -> None:
    nobody = Asked("How old is Opa?", (), "")
    assert judge(nobody, [], ["Opa hears nothing"]) == "right"
    assert judge(nobody, ["80"], []) == "WRONG"


def test_each_notebook_has_forty_notes_and_sixty_questions() -> None:
    for name in HALVES.values():
        book = tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))
        assert len(book["notes"]) == 40
        assert len(book["questions"]) == 60


def test_each_course_has_25_notes_on_its_days_and_15_questions() -> None:
    for name in (name for half in COURSES.values() for name in half):
        book = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))
        dates = [day["date"] for day in book["day"]]
        assert dates == sorted(set(dates))
        assert sum(len(day["notes"]) for day in book["day"]) >= 25
        assert len(book["question"]) >= 15
