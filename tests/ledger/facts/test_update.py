"""The facts section of pages: written by the night where a page's own words would mislead,
corrected by hand.
"""

from pathlib import Path
from typing import Any

import pytest

from companion.adoption import undo
from companion.answers.claims import read_claims
from companion.ledger import claims_of_key, settlement, supersession
from companion.storage.index import schema as index
from tests.wiki import Wiki, check_health, check_index, list_values
from tests.zone import KOLKATA, set_zone


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def tell(wiki: Wiki, *texts: str, **about: Any) -> dict[str, Any]:
    wiki.ingest_pages(*texts, **about)
    return wiki.consolidate()


def values(
    wiki: Wiki, subject: str, predicate: str | None = None, **more: Any
) -> list[str]:
    return list_values(wiki.ws, subject, predicate, **more)


def section(text: str) -> list[str]:
    """Return the lines of the facts section."""
    return text.replace("\r\n", "\n").partition("## Facts\n")[2].split("\n")


ANNA = "entries/2026/11/Anna lives in Bern.md"


def test_a_page_whose_words_are_all_there_is_to_say_is_not_said_twice(
    wiki: Wiki,
) -> None:
    tell(
        wiki,
        "Anna lives in Bern.",
        "# Casa Blanca\n\nprice:: 300\nowner:: Ada\n",
        "I might move to Lisbon.",
    )
    assert all(b"## Facts" not in text for text in wiki.files().values())


def test_the_page_of_what_was_replaced_says_so_and_the_page_of_what_replaced_it_does_not(
    wiki: Wiki,
) -> None:
    tell(wiki, "Anna lives in Bern.", source="mail")
    done = tell(wiki, "Anna lives in Rome.", source="chat")
    assert done["counts"]["created"] == 1
    assert section(wiki.read(ANNA)) == [
        "",
        "- Anna, lives in:: Rome (told 2026-11-01)",
        "",
        "### Earlier",
        "",
        "- Anna, lives in: Bern (told 2026-11-01, until 2026-11-01: then Rome)",
        "",
    ]
    assert "## Facts" not in wiki.read("entries/2026/11/Anna lives in Rome.md")
    assert wiki.consolidate()["run"] is None
    check_index(wiki)
    check_health(wiki)


def test_growth_keeps_the_section_last(wiki: Wiki) -> None:
    tell(wiki, "# Casa Blanca\n\nprice:: 300\n")
    tell(wiki, "# Casa Blanca\n\nprice:: 350\n")
    path = "entries/2026/11/Casa Blanca.md"
    assert "- price:: 350 (told 2026-11-01)" in section(wiki.read(path))
    tell(wiki, "# Casa Blanca\n\nIt has a garden.\n")
    text = wiki.read(path)
    assert (
        text.index("garden") < text.index("## Facts")
        and text.count("## Facts") == 1
    )


def test_a_line_corrected_in_an_editor_is_the_owners_telling(
    wiki: Wiki,
) -> None:
    tell(wiki, "Anna lives in Bern.", source="mail")
    tell(wiki, "Anna lives in Rome.", source="chat")
    before = wiki.now.isoformat()
    mine = "- Anna, lives in:: Lisbon (told 2026-11-01)"
    wiki.write(
        ANNA,
        wiki.read(ANNA).replace(
            "- Anna, lives in:: Rome (told 2026-11-01)", mine
        ),
    )
    run = wiki.adopt()["run"]
    assert values(wiki, "Anna") == ["Lisbon"]
    assert values(wiki, "Anna", known_at=before) == ["Rome"]
    doc = read_claims(
        wiki.ws, "Anna", None, as_of=None, known_at=None, history=True
    )
    said = {
        each["object"]: each
        for key in doc["keys"]
        for each in key["claims"]
        if each["mood"] == "confirmed"
    }
    assert (said["Rome"]["status"], said["Rome"]["reason"]) == (
        "retracted",
        "corrected by hand on 2026-11-01",
    )
    check_index(wiki)
    wiki.consolidate()
    assert section(wiki.read(ANNA)) == [
        "",
        mine,
        "",
        "### Earlier",
        "",
        "- Anna, lives in: Bern (told 2026-11-01, until 2026-11-01: then Lisbon)",
        "- Anna, lives in: Rome (told 2026-11-01, taken back 2026-11-01 by hand)",
        "",
    ]
    assert wiki.consolidate()["run"] is None
    undo.undo(wiki.ws, run)
    assert values(wiki, "Anna") == ["Rome"]
    check_index(wiki)
    wiki.consolidate()
    assert "- Anna, lives in:: Rome (told 2026-11-01)" in section(
        wiki.read(ANNA)
    )


def test_a_sentence_corrected_in_a_note_is_the_owners_telling(
    wiki: Wiki,
) -> None:
    tell(wiki, "Anna lives in Bern.", source="mail")
    tell(wiki, "Anna lives in Bern!", source="chat", title="Second")
    wiki.write(
        ANNA,
        wiki.read(ANNA).replace(
            "Anna lives in Bern.\n", "Anna lives in Porto.\n"
        ),
    )
    wiki.adopt()
    assert values(wiki, "Anna") == ["Porto"]
    wiki.consolidate()
    assert "## Facts" not in wiki.read(ANNA)
    assert "- Anna, lives in:: Porto" in wiki.read("entries/2026/11/Second.md")


def test_a_change_told_in_an_edited_note_is_an_update_and_takes_nothing_back(
    wiki: Wiki,
) -> None:
    tell(wiki, "Anna Berg lives in Bern.")
    path = "entries/2026/11/Anna Berg lives in Bern.md"
    before = wiki.now.isoformat()
    wiki.tick(days=2)
    wiki.write(
        path,
        wiki.read(path).replace(
            "Anna Berg lives in Bern.\n", "Anna Berg moved to Porto.\n"
        ),
    )
    wiki.adopt()
    assert values(wiki, "Anna Berg") == ["Porto"]
    assert values(wiki, "Anna Berg", as_of=before) == ["Bern"]


def test_a_deleted_page_takes_back_what_it_told_and_its_return_tells_it_again(
    wiki: Wiki,
) -> None:
    tell(wiki, "Anna lives in Bern.", "Paul lives in Rome.")
    text = wiki.read(ANNA)
    (wiki.root / ANNA).unlink()
    run = wiki.adopt()["run"]
    assert values(wiki, "Anna") == []
    assert values(wiki, "Paul") == ["Rome"]
    wiki.consolidate()
    assert not (wiki.root / ANNA).exists()
    undo.undo(wiki.ws, run)
    assert values(wiki, "Anna") == ["Bern"]
    (wiki.root / ANNA).unlink()
    wiki.adopt()
    assert values(wiki, "Anna") == []
    wiki.write(ANNA, text)
    wiki.adopt()
    assert values(wiki, "Anna") == ["Bern"]
    check_index(wiki)


def test_a_section_its_owner_deleted_stays_deleted_and_corrects_nothing(
    wiki: Wiki,
) -> None:
    tell(wiki, "Anna lives in Bern.", source="mail")
    tell(wiki, "Anna lives in Rome.", source="chat")
    wiki.write(ANNA, wiki.read(ANNA).partition("\n## Facts")[0])
    wiki.adopt()
    assert values(wiki, "Anna") == ["Rome"]
    tell(wiki, "Anna lives in Oslo.", source="chat")
    assert "## Facts" not in wiki.read(ANNA)


def two_values(wiki: Wiki) -> str:
    """Make a page with a facts section; return its text."""
    tell(wiki, "Anna lives in Bern.", source="mail")
    tell(wiki, "Anna lives in Rome.", source="chat")
    return wiki.read(ANNA)


ROME = "- Anna, lives in:: Rome (told 2026-11-01)"


def test_a_persons_own_lines_in_the_section_stay_through_every_night(
    wiki: Wiki,
) -> None:
    text = two_values(wiki)
    mine = "- [ ] ask Anna herself"
    wiki.write(
        ANNA,
        text.replace(ROME, f"{ROME}\n{mine}\n  - by phone")
        + "\nMy own words.\n",
    )
    wiki.adopt()
    tell(wiki, "Anna lives in Oslo.", source="chat")
    after = wiki.read(ANNA)
    assert f"{mine}\n  - by phone\n" in after and after.endswith(
        "\nMy own words.\n"
    )
    assert "- Anna, lives in:: Oslo (told 2026-11-01)" in section(
        after
    ) and ROME not in section(after)


def test_a_corrected_line_stays_as_written_and_what_became_so_since_stands_below(
    wiki: Wiki,
) -> None:
    text = two_values(wiki)
    mine = "* Anna, lives in::   [[Lisbon]]  "
    wiki.write(ANNA, text.replace(ROME, mine))
    wiki.adopt()
    assert values(wiki, "Anna") == ["Lisbon"]
    wiki.consolidate()
    assert [line for line in section(wiki.read(ANNA)) if "::" in line] == [mine]
    wiki.tick(days=3)
    tell(wiki, "Anna lives in Oslo.", source="chat")
    shown = [line for line in section(wiki.read(ANNA)) if "::" in line]
    assert shown == [mine, "- Anna, lives in:: Oslo (told 2026-11-04)"]


def test_crlf_pages_are_corrected_and_kept(wiki: Wiki) -> None:
    tell(wiki, "Anna lives in Bern.\r\n", source="mail")
    tell(wiki, "Anna lives in Rome.", source="chat")
    text = wiki.read(ANNA)
    wiki.write(
        ANNA,
        text.replace("\r\n", "\n")
        .replace("\n", "\r\n")
        .replace("Rome", "Lisbon"),
    )
    wiki.adopt()
    assert values(wiki, "Anna") == ["Lisbon"]
    wiki.consolidate()
    assert "\n" not in wiki.read(ANNA).replace("\r\n", "")
    assert wiki.consolidate()["run"] is None


def test_odd_values_come_back_as_they_were_corrected(wiki: Wiki) -> None:
    path = "entries/2026/11/Casa Blanca.md"
    tell(wiki, "# Casa Blanca\n\nprice:: 300\ncode:: a::b (old)\n")
    tell(wiki, "# Casa Blanca\n\nprice:: 350\ncode:: [c] :: d (new) (2026)\n")
    text = wiki.read(path)
    assert "- code:: [c] :: d (new) (2026) (told 2026-11-01)" in section(text)
    assert (
        "- code: a::b (old) (told 2026-11-01, until 2026-11-01: then [c] :: d (new) (2026))"
        in section(text)
    )
    wiki.write(
        path,
        text.replace(
            "- code:: [c] :: d (new) (2026)", "- code:: {x} :: `y` (z)"
        ),
    )
    wiki.adopt()
    assert values(wiki, "Casa Blanca", "code") == ["{x} :: `y` (z)"]
    assert values(wiki, "Casa Blanca", "price") == ["350"]
    wiki.consolidate()
    assert wiki.consolidate()["run"] is None
    check_index(wiki)


def test_a_fact_that_a_person_adds_and_dates_is_told_and_an_impossible_date_is_said(
    wiki: Wiki,
) -> None:
    text = two_values(wiki)
    lines = (
        "- Anna, works at:: Acme (since 2020-05)\n- salary:: 300 (since 2026-13-45)\n"
        "- Anna, speaks:: German (since 2020 until 2019)"
    )
    wiki.write(ANNA, text.replace(ROME, f"{ROME}\n{lines}"))
    done = wiki.adopt()
    assert values(wiki, "Anna", "works at") == ["Acme"]
    assert values(wiki, "Anna", "works at", as_of="2020-06-01") == ["Acme"]
    assert values(wiki, "Anna lives in Bern", "salary") == ["300"]
    assert sum("not read" in note for note in done["notes"]) == 2
    wiki.consolidate()
    assert lines in wiki.read(ANNA)


def test_a_deleted_line_is_taken_back_and_the_other_side_of_a_dispute_stands(
    wiki: Wiki,
) -> None:
    when = "2026-10-01T00:00:00.000000Z"
    tell(wiki, "Anna lives in Bern.", source="mail", event_time=when)
    tell(wiki, "Anna lives in Rome.", source="chat", event_time=when)
    path = "entries/2026/10/Anna lives in Bern.md"
    text = wiki.read(path)
    wrong = "- Anna, lives in:: Rome (disputed, told 2026-10-01)\n"
    wiki.write(path, text.replace(wrong, ""))
    wiki.adopt()
    assert values(wiki, "Anna") == ["Bern"]
    wiki.consolidate()
    assert wiki.read(path) == text.partition("\n## Facts")[0]
    history = section(wiki.read("entries/2026/10/Anna lives in Rome.md"))
    assert (
        "- Anna, lives in: Rome (told 2026-10-01, taken back 2026-11-01 by hand)"
        in history
    )


def test_a_page_with_unadopted_changes_waits_and_is_caught_up(
    wiki: Wiki,
) -> None:
    tell(wiki, "Anna lives in Bern.", source="mail")
    mine = wiki.read(ANNA) + "Mine.\n"
    wiki.write(ANNA, mine)
    tell(wiki, "Anna lives in Rome.", source="chat")
    assert wiki.read(ANNA) == mine
    wiki.adopt()
    wiki.consolidate()
    assert ROME in section(wiki.read(ANNA)) and wiki.read(ANNA).startswith(mine)


def test_what_is_to_come_takes_its_place_when_its_day_comes(wiki: Wiki) -> None:
    path = "entries/2026/11/Casa Blanca.md"
    tell(wiki, "# Casa Blanca\n\nowner:: Ada\n")
    tell(
        wiki,
        "# Casa Blanca\n\nowner:: Bob\n",
        event_time="2026-11-20T00:00:00.000000Z",
    )
    assert "- owner:: Bob (from 2026-11-20)" in section(wiki.read(path))
    assert wiki.consolidate()["run"] is None
    wiki.tick(days=30)
    assert wiki.consolidate()["counts"]["facts"] == 1
    assert section(wiki.read(path))[1] == "- owner:: Bob (told 2026-11-20)"
    assert wiki.consolidate()["run"] is None
    check_index(wiki)


def test_two_clones_write_the_same_facts(wiki: Wiki, tmp_path: Path) -> None:
    two_values(wiki)
    wiki.write(ANNA, wiki.read(ANNA).replace("Rome", "Lisbon"))
    wiki.adopt()
    other = wiki.copy(tmp_path / "other")
    for each in (wiki, other):
        tell(each, "Anna lives in Oslo.", source="chat")
    assert wiki.tree == other.tree


def test_a_note_with_a_facts_heading_of_its_own_is_never_taken_for_companions(
    wiki: Wiki,
) -> None:
    note = "# Casa Blanca\n\n## Facts\n\n- owner:: Ada (told 2026-11-01)\n- rooms:: 4\n"
    tell(wiki, note)
    tell(wiki, "# Casa Blanca\n\nowner:: Bob\n")
    text = wiki.read("entries/2026/11/Casa Blanca.md")
    assert note.partition("\n\n")[2] in text and text.count("## Facts") == 2


def test_two_hundred_facts_on_one_page_are_corrected_at_once(
    wiki: Wiki,
) -> None:
    path = "entries/2026/11/Many.md"
    for shift in (0, 1000):
        # a telling's claims take a thousand bytes at most: about ten fields
        for start in range(0, 200, 20):
            for part in (start, start + 10):
                wiki.ingest(
                    "# Many\n\n"
                    + "".join(
                        f"f{n}:: {n + shift}\n" for n in range(part, part + 10)
                    )
                )
        wiki.consolidate()
    lines = [line for line in section(wiki.read(path)) if "::" in line]
    assert len(lines) == 200
    wiki.write(path, wiki.read(path).replace(":: 1", ":: 7"))
    wiki.adopt()
    assert values(wiki, "Many", "f33") == ["7033"]
    assert (
        len(
            read_claims(
                wiki.ws, "Many", None, as_of=None, known_at=None, history=False
            )["keys"]
        )
        == 200
    )
    wiki.consolidate()
    assert (
        "- f33: 1033 (told 2026-11-01, taken back 2026-11-01 by hand)"
        in section(wiki.read(path))
    )
    assert wiki.consolidate()["run"] is None
    check_index(wiki)


def test_a_correction_by_hand_outweighs_a_protected_page_and_the_record_keeps_what_it_said(
    wiki: Wiki,
) -> None:
    wiki.write(
        ANNA, two_values(wiki).replace("lives in:: Rome", "lives in:: Lisbon")
    )
    wiki.adopt()
    doc = read_claims(
        wiki.ws, "Anna", None, as_of=None, known_at=None, history=True
    )
    db = index.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    told = [
        each.assertion
        for each in claims_of_key.list_claims_on_matter(db, ("anna", "live in"))
    ]
    everything = frozenset(a.id for a in told)
    standings = supersession.resolve(
        told,
        at="2027",
        known_at="9999",
        rules=settlement.Rules(protected=everything),
    )
    assert {
        s.assertion.value
        for s in standings
        if s.status in ("active", "disputed")
    } == {"lisbon"}
    assert {c["object"] for key in doc["keys"] for c in key["claims"]} == {
        "Bern",
        "Rome",
        "Lisbon",
    }


def test_a_page_that_a_person_removed_with_git_takes_back_what_it_told(
    wiki: Wiki,
) -> None:
    tell(wiki, "Anna lives in Bern.", source="mail")
    wiki.git("rm", "-q", ANNA)
    wiki.commit("away")
    wiki.consolidate()
    assert values(wiki, "Anna") == []
    wiki.git("checkout", "-q", "HEAD~2", "--", ANNA)
    wiki.commit("back")
    wiki.consolidate()
    assert values(wiki, "Anna") == ["Bern"]
    check_index(wiki)


def test_an_undone_night_takes_its_facts_along_and_they_may_come_again(
    wiki: Wiki,
) -> None:
    tell(wiki, "Anna lives in Bern.", source="mail")
    run = tell(wiki, "Anna lives in Rome.", source="chat")["run"]
    wiki.tick()
    taken = undo.undo(wiki.ws, run)["run"]
    assert "## Facts" not in wiki.read(ANNA)
    wiki.consolidate()
    wiki.tick()
    undo.undo(wiki.ws, taken)
    assert wiki.read(ANNA).count("## Facts") == 1
    wiki.consolidate()
    tell(wiki, "Anna lives in Oslo.", source="chat")
    assert wiki.read(ANNA).count("## Facts") == 1 and "Oslo (told" in wiki.read(
        ANNA
    )
    check_index(wiki)


def test_after_an_undo_a_later_value_brings_the_section(wiki: Wiki) -> None:
    tell(wiki, "Anna lives in Bern.", source="mail")
    run = tell(wiki, "Anna lives in Rome.", source="chat")["run"]
    wiki.tick()
    undo.undo(wiki.ws, run)
    tell(wiki, "Anna lives in Oslo.", source="chat")
    assert "- Anna, lives in:: Oslo (told 2026-11-01)" in section(
        wiki.read(ANNA)
    )


def test_a_line_has_the_day_of_the_telling_by_the_clock_of_its_teller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_zone(monkeypatch, KOLKATA)
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.now = wiki.now.replace(day=1, hour=20, minute=45)
    for city in ("Bern", "Rome", "Oslo"):
        wiki.ingest(f"# Anna\n\nAnna lives in {city}.", source="chat")
        wiki.consolidate()
        wiki.tick(days=1)
    (page,) = wiki.root.glob("entries/**/Anna.md")
    lines = [line for line in section(page.read_text()) if line]

    # in UTC it was the evening of the day before
    assert lines == [
        "- lives in:: Oslo (told 2026-11-04)",
        "### Earlier",
        "- lives in: Bern (told 2026-11-02, until 2026-11-03: then Rome)",
        "- lives in: Rome (told 2026-11-03, until 2026-11-04: then Oslo)",
    ]
