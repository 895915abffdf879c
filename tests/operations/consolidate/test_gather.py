"""Gathering a wiki that was made before pages gathered subjects: one page for each plain note."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from companion.adoption.undo import undo
from companion.operations.consolidate import run as night
from companion.operations.consolidate.gather import run as gathering
from companion.operations.consolidate.gather.run import NotAccepted, gather
from companion.operations.consolidate.results import GatherResult
from companion.pages.series_table import read_rows
from companion.pages.statements import read_statements
from tests.wiki import START, Wiki, check_health, check_index

DAY = "journal/2026/2026-11-{:02}.md"
NOTES = (
    "The boiler was serviced in March.",
    "Bought stamps at the post office",
    "Called about the boiler pressure",
    "Rain all day, and no mail",
    "the boiler is loud again",
    "Finished the second book of the trilogy",
)


@contextmanager
def placement_off() -> Iterator[None]:
    """Run nights as they were before notes were placed: each plain note makes a page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(night, "find_aboutness", lambda *_: {})
        yield


def tell_old(wiki: Wiki, *notes: str) -> dict[str, str]:
    """Tell a note a day, two a night, as the old program took them in; words by path."""
    before = set(wiki.files())
    with placement_off():
        for day, note in enumerate(notes):
            wiki.now = START + timedelta(days=day)
            wiki.ingest(note)
            if day % 2:
                wiki.consolidate()
        wiki.consolidate()
    new = sorted(set(wiki.files()) - before)
    assert len(new) == len(notes)
    return {path: wiki.read(path) for path in new}


def accept(wiki: Wiki) -> GatherResult:
    """Look at the preview, and accept it."""
    wiki.tick()
    shown = gather(wiki.ws, dry_run=True)
    return gather(wiki.ws, confirm=shown["confirm"])


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki", {"Alpha.md": "# Alpha\n\nheron\n"})


@pytest.fixture
def small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathering, "SLICE", 2)


def words_of(wiki: Wiki) -> list[str]:
    """Return the words of all statements, sorted."""
    found = []
    for path, content in wiki.files().items():
        if path.endswith(".md"):
            found += [one.words for one in read_statements(content.decode())]
    return sorted(found)


def test_old_pages_go_to_their_subjects_and_days(wiki: Wiki) -> None:
    old = tell_old(wiki, *NOTES)
    done = accept(wiki)
    assert done["counts"]["pages"] == len(NOTES)
    files = wiki.files()
    assert not old.keys() & files.keys()
    boiler = wiki.read("entries/2026/11/Boiler.md")
    assert [one.words for one in read_statements(boiler)] == [
        note for note in NOTES if "boiler" in note
    ]
    assert words_of(wiki) == sorted(NOTES)
    assert read_statements(wiki.read(DAY.format(2)))[0].words == NOTES[1]
    assert wiki.status() == ""
    check_index(wiki)
    check_health(wiki)
    (event,) = wiki.events("gathering")
    assert (event["captures"], event["left"]) == (len(NOTES), 0)
    assert wiki.consolidate()["run"] is None, "a night has nothing to do"


def test_old_values_become_a_table(wiki: Wiki) -> None:
    values = ("weight 81.2 kg", "weight 80.9 kg", "weight 80.7 kg")
    old = tell_old(wiki, *values, "Rain all day, and no mail")
    shown = accept(wiki)
    assert shown["counts"]["pages"] == len(old)
    page = wiki.read("entries/2026/11/Weight.md")
    assert [row.words for row in read_rows(page)] == list(values)
    assert len({one["into"] for one in shown["gathered"]}) == 2
    assert wiki.consolidate()["run"] is None
    check_index(wiki)
    check_health(wiki)
    undo(wiki.ws, shown["runs"][0])
    files = wiki.files()
    assert {path: files[path].decode() for path in old} == old


@pytest.mark.usefixtures("small_slices")
def test_old_values_of_several_slices_become_one_table(wiki: Wiki) -> None:
    values = [f"weight {80 - n}.5 kg" for n in range(5)]
    tell_old(wiki, *values)
    accept(wiki)
    page = wiki.read("entries/2026/11/Weight.md")
    assert [row.words for row in read_rows(page)] == values


def test_an_old_note_that_goes_on_follows_the_one_before(wiki: Wiki) -> None:
    wiki.write("Boiler.md", "# Boiler\n\nIn the cellar, from 2011.\n")
    wiki.adopt()
    with placement_off():
        wiki.ingest("The boiler was serviced today")
        wiki.now += timedelta(minutes=5)
        wiki.ingest("It still drips, though")
        wiki.now += timedelta(hours=9)
        wiki.ingest("It rained the whole evening")
        wiki.consolidate()
    done = accept(wiki)
    rules = [event["rule"] for event in wiki.events("moved")]
    assert sorted(rules) == ["follows", "name", "unknown"]
    assert done["counts"]["pages"] == 3


def test_facts_follow_with_the_next_night(wiki: Wiki) -> None:
    """Old pages had facts of their own; the page of the subject gets them."""
    old = tell_old(
        wiki,
        "Anna lives in Oslo.",
        "Anna works at the harbour.",
        "Since November Anna lives in Bergen.",
        "Lunch with Anna",
    )
    facts = [text for text in old.values() if "## Facts" in text]
    assert facts
    done = accept(wiki)
    (into,) = {one["to"] for one in done["gathered"] if "Anna" in one["to"]}
    assert "## Facts" not in wiki.read(into)
    wiki.consolidate()
    text = wiki.read(into)
    assert "## Facts" in text
    assert "Bergen" in text.partition("## Facts")[2]
    wiki.tick()
    assert wiki.consolidate()["run"] is None
    check_index(wiki)
    check_health(wiki)


def test_the_preview_is_what_is_then_done(
    wiki: Wiki, small_slices: None
) -> None:
    tell_old(wiki, *NOTES)
    tree = wiki.tree
    wiki.tick()
    shown = gather(wiki.ws, dry_run=True)
    assert wiki.tree == tree
    assert wiki.status() == ""
    done = gather(wiki.ws, confirm=shown["confirm"])
    assert done["gathered"] == shown["gathered"]
    assert done["counts"] == shown["counts"]
    assert len(done["runs"]) == 3
    for page in shown["gathered"]:
        stands = read_statements(wiki.read(page["to"]))
        assert page["capture"][:12] in [one.id for one in stands]


def test_nothing_is_gathered_before_its_preview_was_accepted(
    wiki: Wiki,
) -> None:
    tell_old(wiki, *NOTES[:2])
    tree = wiki.tree
    for word in (None, "0", ""):
        with pytest.raises(NotAccepted):
            gather(wiki.ws, confirm=word)
    shown = gather(wiki.ws, dry_run=True)
    wiki.write("Beta.md", "# Beta\n")
    wiki.commit()
    with pytest.raises(NotAccepted):
        gather(wiki.ws, confirm=shown["confirm"])
    wiki.git("reset", "-q", "--hard", "HEAD~1")
    assert wiki.tree == tree


def test_links_to_old_pages_lead_to_where_their_words_stand(
    wiki: Wiki,
) -> None:
    old = tell_old(wiki, *NOTES)
    ids = {path: wiki.show(path)["id"] for path in old}
    done = accept(wiki)
    for page in done["gathered"]:
        assert ids[page["from"]] == page["entry"]
        merged = wiki.show(page["entry"])
        assert merged["superseded_by"] == page["into"]


def test_links_that_companion_wrote_follow(wiki: Wiki) -> None:
    """A derived line, a reason under "Earlier", and "See also"; words of notes keep their links."""
    tell_old(wiki, *NOTES[:2])
    path = "entries/2026/11/Anna.md"
    wiki.ingest("Anna is a friend.", title="Anna")
    wiki.consolidate()
    name = "Bought stamps at the post office"
    own = (
        f"See also [[{name}]].\n",
        f"Until 2026-11-02: [[{name}|stamps]] took its place (two sources).\n",
        f"\n## Mentions\n\n- 2026-11-02 08:01: [[{name}|{name}]]\n",
    )
    wiki.write(path, wiki.read(path) + "\n" + "\n".join(own))
    wiki.commit()
    wiki.adopt()
    done = accept(wiki)
    (page,) = [one for one in done["gathered"] if name in one["from"]]
    link = f"[[2026-11-02#^{page['capture'][:12]}|"
    text = wiki.read(path)
    assert text.count(link) == 3
    assert f"[[{name}" not in text
    check_index(wiki)
    check_health(wiki)


def test_undo_takes_slices_back_byte_for_byte(
    wiki: Wiki, small_slices: None
) -> None:
    tell_old(wiki, *NOTES)
    trees = [wiki.files()]
    shown = gather(wiki.ws, dry_run=True)
    runs = []
    with pytest.MonkeyPatch.context() as patch:
        _count_trees(wiki, patch, trees)
        runs = gather(wiki.ws, confirm=shown["confirm"])["runs"]
    for run, tree in zip(reversed(runs), reversed(trees[:-1]), strict=True):
        wiki.tick()
        undone = undo(wiki.ws, run)
        assert undone["left_out"] == []
        assert wiki.files() == tree
        check_index(wiki)
    with pytest.raises(NotAccepted):
        gather(wiki.ws)
    again = accept(wiki)
    assert again["counts"] == shown["counts"], "it may be gathered again"
    check_index(wiki)
    check_health(wiki)


def _count_trees(
    wiki: Wiki, patch: pytest.MonkeyPatch, trees: list[dict[str, bytes]]
) -> None:
    once = gathering._gather_slice

    def keep(*args: object) -> None:
        once(*args)  # type: ignore[arg-type]
        trees.append(wiki.files())

    patch.setattr(gathering, "_gather_slice", keep)


class Killed(Exception):
    """The process ended here."""


def accept_until(wiki: Wiki, slices: int) -> None:
    """Accept the preview, and be killed after so many slices."""
    wiki.tick()
    shown = gather(wiki.ws, dry_run=True)
    once = gathering._gather_slice
    count = 0

    def kill(*args: object) -> None:
        nonlocal count
        if count == slices:
            raise Killed
        count += 1
        once(*args)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gathering, "_gather_slice", kill)
        with pytest.raises(Killed):
            gather(wiki.ws, confirm=shown["confirm"])


@pytest.mark.parametrize("slices", [1, 2])
def test_what_a_kill_left_is_gathered_without_a_new_word(
    wiki: Wiki,
    small_slices: None,
    slices: int,
) -> None:
    tell_old(wiki, *NOTES)
    accept_until(wiki, slices)
    check_index(wiki)
    wiki.tick()
    rest = gather(wiki.ws)
    assert rest["counts"]["pages"] == len(NOTES) - 2 * slices
    assert words_of(wiki) == sorted(NOTES)
    check_index(wiki)
    check_health(wiki)
    with pytest.raises(NotAccepted):
        gather(wiki.ws)


def test_pages_of_persons_stay(wiki: Wiki) -> None:
    """Each kind of page that is never touched, and beside it one that is."""
    tell_old(wiki, *NOTES)
    wiki.ingest("# Heading\n\nof its own")
    wiki.ingest("Plain words", title="Named")
    wiki.ingest("---\naliases: [mine]\n---\n\nWith frontmatter")
    wiki.consolidate()
    edited = "entries/2026/11/Bought stamps at the post office.md"
    linked = "entries/2026/11/Rain all day, and no mail.md"
    pinned = "entries/2026/11/the boiler is loud again.md"
    wiki.write(edited, wiki.read(edited) + "and envelopes\n")
    wiki.write("Mine.md", "See [[Rain all day, and no mail]].\n")
    text = wiki.read(pinned)
    wiki.write(pinned, text.replace("type: note", "type: note\npinned: true"))
    wiki.commit()
    wiki.adopt()
    before = wiki.files()
    done = accept(wiki)
    after = wiki.files()
    gathered = {page["from"] for page in done["gathered"]}
    assert not gathered & {edited, linked, pinned}
    assert len(gathered) == 3
    assert before.keys() - after.keys() == gathered
    for path in before.keys() - gathered:
        assert after[path] == before[path], path
    check_index(wiki)
    check_health(wiki)


def test_a_page_with_changes_that_are_not_adopted_waits(wiki: Wiki) -> None:
    tell_old(wiki, *NOTES[:2])
    path = "entries/2026/11/Bought stamps at the post office.md"
    text = wiki.read(path) + "in the editor\n"
    wiki.write(path, text)
    done = accept(wiki)
    assert [page["path"] for page in done["left_out"]] == [path]
    assert wiki.read(path) == text


def test_words_stand_byte_for_byte_as_they_stood(wiki: Wiki) -> None:
    notes = (
        "- a list\n- of two\n\n```\ncode\n```",
        "## 2026-01-01 10:00\n\nlike a block of ours",
        "trailing  \nspaces\n\n\n> and a quote",
    )
    tell_old(wiki, *notes)
    done = accept(wiki)
    assert done["counts"]["pages"] == len(notes), done["left_out"]
    assert words_of(wiki) == sorted(notes)
    check_index(wiki)
