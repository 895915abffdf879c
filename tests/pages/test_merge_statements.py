"""The words that a page began with stand once, whatever git put together."""

from companion.pages.merge_statements import stand_once

ID = "1af3bca70fa4"
WORDS = "Finn wants to go to Bern.\n\nSee [[Finn]]."
FRONT = "---\nid: 25kgxgw7sh6mxht3\ntitle: Bern\n---\n# Bern\n"
BLOCK = f"\n## 2027-01-26 13:30\n\n{WORDS} ^{ID}\n"
MENTIONS = f"\n## Mentions\n\n- 2027-02-03 22:42: [[2027-02-03#^{ID}|Eve]]\n"
AS_OPENING = f"{FRONT}\n{WORDS}\n{MENTIONS}"
AS_STATEMENT = f"{FRONT}{BLOCK}{MENTIONS}"


def test_words_that_open_the_page_beside_their_statement_go() -> None:
    both = f"{FRONT}\n{WORDS}\n{BLOCK}{MENTIONS}"

    assert stand_once(both, ID) == AS_STATEMENT


def test_words_that_do_not_open_the_page_stay() -> None:
    for text in (
        f"{FRONT}{BLOCK}\n{WORDS}\n{MENTIONS}",
        f"{FRONT}\nMy reasons:\n\n{WORDS}\n{BLOCK}{MENTIONS}",
    ):
        assert stand_once(text, ID) == text


def test_what_is_not_the_whole_note_stays() -> None:
    first = WORDS.partition("\n")[0]
    for beside in (first, WORDS.replace("Bern", "Rome"), f"> {WORDS}"):
        text = f"{FRONT}\n{beside}\n{BLOCK}{MENTIONS}"
        assert stand_once(text, ID) == text


def test_without_a_statement_nothing_goes() -> None:
    assert stand_once(AS_OPENING, ID) == AS_OPENING
    assert stand_once(AS_STATEMENT, "") == AS_STATEMENT


def test_a_text_with_marks_of_git_stays_as_it_is() -> None:
    marked = (
        f"{FRONT}\n{WORDS}\n{BLOCK}\n<<<<<<< ours\n=======\n>>>>>>> theirs\n"
    )

    assert stand_once(marked, ID) == marked
