"""CONTEXTUALIZE as a run: what it reads, keeps, hands over, records, and leaves alone."""

from pathlib import Path
from typing import Any

import pytest

from companion.adoption.undo import undo
from companion.lookup.find import NothingFound
from companion.operations.contextualize import run as contextualizing
from companion.reading.log import list_runs
from companion.reading.morning.collect import collect_morning
from companion.reading.sources import list_all_sources
from companion.storage.cold import cold_memory, locked_originals, originals
from companion.storage.git.repo import Repo
from tests.operations.contextualize.sources import (
    PAPER,
    drop,
    events,
    find,
    page_of,
    read_sources,
)
from tests.operations.contextualize.test_conversations import export
from tests.wiki import Wiki, check_index

BROKEN = b"%PDF-1.7 and then nothing that a reader knows \x00\xff"


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def head(wiki: Wiki) -> str | None:
    return Repo(wiki.ws.place).tip()


def list_cold(wiki: Wiki) -> list[cold_memory.Cold]:
    return list(cold_memory.read(Repo(wiki.ws.place)))


def test_a_source_is_kept_cold_handed_over_and_gets_a_page(wiki):
    item = drop(wiki, "sleep.md")
    done = read_sources(wiki)

    (source,) = done["sources"]
    (cold,) = list_cold(wiki)
    assert cold.original == item.id
    assert cold_memory.get(Repo(wiki.ws.place), cold.id)[1] == PAPER.encode()
    (line,) = events(wiki, done["run"])
    assert (line["e"], line["cold"]) == ("contextualized", cold.id)
    assert line["depth"] == source["depth"] == "full text"
    assert line["evidence"]

    made = wiki.consolidate()
    assert made["counts"]["created"] == 1
    text = page_of(wiki, source["entry"])
    assert "type: source" in text
    assert "title: Sleep and memory" in text
    assert "The effect was 12 percent in 40 people." in text
    assert "Source: `sleep.md`" in text  # CTX-1
    assert wiki.search("hippocampus")[0]["id"] == source["entry"]


def test_a_run_that_changes_nothing_commits_nothing(wiki):
    drop(wiki, "sleep.md")
    read_sources(wiki)
    before = head(wiki)

    done = read_sources(wiki)
    assert (done["run"], done["commit"], done["sources"]) == (None, None, [])
    assert head(wiki) == before


def test_the_first_line_names_readers_and_rules(wiki):
    drop(wiki, "sleep.md")
    done = read_sources(wiki)
    path = next((wiki.root / ".companion/ledger").rglob(f"{done['run']}.jsonl"))
    first = path.read_text().splitlines()[0]
    assert '"readers":["text 1"]' in first
    for rule in ("depth", "fit", "hand-over"):
        assert f'"{rule}":"' in first


def test_the_original_is_cold_before_anything_is_made_of_it(wiki, monkeypatch):
    """CTX-3: a crash while a source is fitted finds its original cold."""

    def crash(*_: object) -> None:
        raise RuntimeError

    drop(wiki, "sleep.md")
    monkeypatch.setattr(contextualizing.Fitter, "fit", crash)
    with pytest.raises(RuntimeError):
        read_sources(wiki)

    assert len(list_cold(wiki)) == 1
    assert wiki.consolidate()["commit"] is None


def test_a_killed_hand_over_leaves_one_page_in_the_end(wiki, monkeypatch):
    drop(wiki, "sleep.md")
    with monkeypatch.context() as patch:
        patch.setattr(contextualizing.Run, "publish", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            read_sources(wiki)
    done = read_sources(wiki)

    assert len(done["sources"]) == 1
    assert wiki.consolidate()["counts"]["created"] == 1


def test_a_dry_run_changes_nothing(wiki):
    drop(wiki, "sleep.md")
    before = head(wiki)
    done = read_sources(wiki, dry_run=True)

    assert [one["title"] for one in done["sources"]] == ["Sleep and memory"]
    assert head(wiki) == before
    assert list_cold(wiki) == []
    assert wiki.consolidate()["commit"] is None


def test_one_bad_item_stops_no_other(wiki):
    bad = drop(wiki, "a.bin", BROKEN, media_type="application/x-unknown")
    drop(wiki, "sleep.md")
    done = read_sources(wiki)

    assert [one["title"] for one in done["sources"]] == ["Sleep and memory"]
    (unread,) = done["unread"]
    assert unread["original"] == bad.id
    assert unread["reason"] and unread["hint"]
    assert originals.read_bytes(Repo(wiki.ws.place), bad) == BROKEN


def test_what_cannot_be_read_is_recorded_once_and_tried_with_other_readers(
    wiki, monkeypatch
):
    drop(wiki, "a.bin", BROKEN, media_type="application/x-unknown")
    first = read_sources(wiki)
    assert [line["e"] for line in events(wiki, first["run"])] == ["unread"]
    before = head(wiki)

    assert read_sources(wiki)["unread"] == []
    assert head(wiki) == before

    monkeypatch.setattr(contextualizing, "describe_readers", lambda: "others")
    assert len(read_sources(wiki)["unread"]) == 1


def test_what_stands_beside_conversations_is_passed_over(wiki):
    account = (
        b'{"uuid": "a", "full_name": "A. P.", "email_address": "a@b.example"}'
    )
    drop(wiki, "users.json", account, media_type="application/json")
    drop(wiki, "message_feedback.json", b"[]", media_type="application/json")
    drop(wiki, "broken.pdf", BROKEN, media_type="application/pdf")
    done = read_sources(wiki)

    codes = [one["code"] for one in done["passed_over"]]
    assert codes == ["no-conversation"] * 2
    assert [one["origin"] for one in done["unread"]] == ["inbox/broken.pdf"]
    status = collect_morning(wiki.ws)["waiting"]["sources"]
    assert status == {"pending": 0, "unread": 1, "locked": 0}
    (run,) = [
        run
        for run in list_runs(wiki.ws)["runs"]
        if run["operation"] == "contextualize"
    ]
    assert run["counts"] == {"passed_over": 2, "unread": 1}
    listed = list_all_sources(wiki.ws)
    assert len(listed["passed_over"]) == 2
    assert len(listed["unread"]) == 1


def test_a_secret_that_only_a_reader_sees_locks_its_original(wiki):
    secret = "# Access\n\nThe key is AKIA2E0A8F3B244C9986 for now.\n"
    item = drop(wiki, "notes.txt", secret.encode("utf-16"))
    drop(wiki, "sleep.md")
    done = read_sources(wiki)

    (locked,) = done["locked"]
    assert locked["original"] == item.id
    assert locked["kinds"] == ["AWS access key id"]
    assert len(done["sources"]) == 1
    assert locked_originals.list_locked(Repo(wiki.ws.place)) == {item.id}
    assert [one.original for one in list_cold(wiki)] != [item.id]
    wiki.consolidate()
    assert wiki.search("AKIA2E0A8F3B244C9986") == []
    # nothing waits but the owner's word
    assert read_sources(wiki)["commit"] is None


def test_a_secret_that_its_owner_kept_at_the_door_locks_nothing(wiki):
    text = "# Access\n\nThe key is AKIA2E0A8F3B244C9986 for now.\n"
    drop(wiki, "notes.md", text)
    done = read_sources(wiki)
    assert done["locked"] == []
    assert len(done["sources"]) == 1


def test_a_private_original_stays_out_of_the_branch(wiki):
    drop(wiki, "sleep.md", scope="private")
    done = read_sources(wiki)
    assert (done["private"], done["commit"]) == (1, None)
    assert list_cold(wiki) == []


def test_a_long_pass_goes_in_slices_and_may_be_stopped(wiki, monkeypatch):
    monkeypatch.setattr(contextualizing, "SLICE", 2)
    for number in range(5):
        drop(
            wiki, f"{number}.md", f"# Paper {number}\n\nIt is number {number}."
        )

    calls: list[int] = []

    def is_over() -> bool:
        calls.append(1)
        return len(calls) > 2

    first = read_sources(wiki, is_over=is_over)
    assert 0 < len(first["sources"]) < 5
    assert first["left"] == 5 - len(first["sources"])

    rest = read_sources(wiki)
    assert len(first["sources"]) + len(rest["sources"]) == 5
    assert rest["left"] == 0


def test_every_slice_is_a_commit_of_its_own(wiki, monkeypatch):
    monkeypatch.setattr(contextualizing, "SLICE", 2)
    for number in range(5):
        drop(
            wiki, f"{number}.md", f"# Paper {number}\n\nIt is number {number}."
        )
    done = read_sources(wiki)

    assert len(done["runs"]) == 3
    assert len(done["sources"]) == 5
    log = wiki.git("log", "--format=%s", "-3").splitlines()
    assert log == [
        "contextualize: read 1 source",
        "contextualize: read 2 sources",
        "contextualize: read 2 sources",
    ]


def test_an_undone_pass_leaves_its_originals_pending(wiki):
    item = drop(wiki, "sleep.md")
    done = read_sources(wiki)
    wiki.tick()
    undo(wiki.ws, done["run"])

    # what was handed over is taken back
    assert wiki.consolidate()["counts"]["created"] == 0
    assert [one["path"] for one in wiki.search("hippocampus")] == [None]

    again = read_sources(wiki)
    assert [one["original"] for one in again["sources"]] == [item.id]
    assert wiki.consolidate()["counts"]["created"] == 1


def test_an_undo_of_an_undone_pass_gives_its_sources_back(wiki):
    drop(wiki, "sleep.md")
    done = read_sources(wiki)
    wiki.tick()
    taken_back = undo(wiki.ws, done["run"])
    wiki.tick()
    undo(wiki.ws, taken_back["run"])

    assert read_sources(wiki)["commit"] is None
    assert wiki.consolidate()["counts"]["created"] == 1


def test_a_source_is_read_again_by_name(wiki):
    drop(wiki, "sleep.md", PAPER * 30)
    first = read_sources(wiki, step="brief")
    wiki.consolidate()
    before = page_of(wiki, first["sources"][0]["entry"])

    again = read_sources(wiki, target="inbox/sleep.md", step="full text")
    (source,) = again["sources"]
    assert source["again"]
    assert find(wiki, source["entry"]).depth == "full text"
    old, new = sorted(list_cold(wiki), key=lambda one: one.stored_at)
    assert new.previous == old.id  # CTX-6: a new object, the old one stays
    wiki.consolidate()
    after = page_of(wiki, source["entry"])
    assert "Depth: brief" in before
    assert "Depth: full text" in after
    assert len(after) > len(before)


def test_a_source_has_many_names(wiki):
    item = drop(wiki, "sleep.md", url="https://example.org/sleep")
    (source,) = read_sources(wiki)["sources"]
    wiki.consolidate()
    for name in (
        "Sleep and memory",
        "https://example.org/sleep",
        source["entry"],
        item.id[:8],
    ):
        again = read_sources(wiki, target=name, dry_run=True)
        assert [one["entry"] for one in again["sources"]] == [source["entry"]]


def test_a_name_that_no_source_has_is_an_error(wiki):
    with pytest.raises(NothingFound):
        read_sources(wiki, target="nothing.pdf")


def test_a_changed_file_is_a_new_version_of_one_source(wiki):
    drop(wiki, "price.md", "# Price list\n\nThe price of tea is 10 euros.\n")
    (first,) = read_sources(wiki)["sources"]
    wiki.consolidate()
    wiki.tick(days=30)
    drop(wiki, "price.md", "# Price list\n\nThe price of tea is 12 euros.\n")
    (second,) = read_sources(wiki)["sources"]
    made = wiki.consolidate()

    assert second["entry"] == first["entry"]
    assert made["counts"]["created"] == 0
    text = page_of(wiki, second["entry"])
    assert "12 euros" in text
    assert "10 euros" not in text.split("## ")[0]
    assert "branch" not in str(made["branches"])
    (integrated,) = made["integrated"]
    assert not integrated["quarantined"], integrated


def test_another_member_in_the_same_place_is_another_source(wiki):
    """A mailbox or an export that grew may count its members anew."""
    for text in ("# Tea\n\nIt costs 10 euros.", "# Coffee\n\nIt is black."):
        drop(
            wiki,
            "notes.json/000001.md",
            text,
            source="inbox/notes.json/000001.md",
            container="c" * 64,
        )
        read_sources(wiki)
    made = wiki.consolidate()
    assert made["counts"]["created"] == 2


def test_lines_that_a_person_added_stay_when_a_source_is_read_again(wiki):
    drop(wiki, "price.md", "# Price list\n\nThe price of tea is 10 euros.\n")
    (first,) = read_sources(wiki)["sources"]
    wiki.consolidate()
    path = wiki.show(first["entry"])["path"]
    mine = "Mine: ask Anna about the discount."
    wiki.write(path, (wiki.root / path).read_text() + f"\n{mine}\n")
    wiki.adopt()

    wiki.tick(days=30)
    drop(wiki, "price.md", "# Price list\n\nThe price of tea is 12 euros.\n")
    read_sources(wiki)
    wiki.consolidate()
    text = page_of(wiki, first["entry"])
    assert mine in text
    assert "12 euros" in text


def test_the_page_that_its_owner_deleted_is_not_made_again(wiki):
    drop(wiki, "price.md", "# Price list\n\nThe price of tea is 10 euros.\n")
    (first,) = read_sources(wiki)["sources"]
    wiki.consolidate()
    path = wiki.show(first["entry"])["path"]
    (wiki.root / path).unlink()
    wiki.adopt()

    wiki.tick(days=30)
    drop(wiki, "price.md", "# Price list\n\nThe price of tea is 12 euros.\n")
    read_sources(wiki)
    made = wiki.consolidate()
    assert made["counts"]["created"] == 0
    (waiting,) = made["waiting"]
    assert "deleted" in waiting["reason"]


def test_the_same_snapshot_gives_the_same_lines(tmp_path):
    lines: list[Any] = []
    for name in ("one", "other"):
        wiki = Wiki.new(tmp_path / name)
        drop(wiki, "sleep.md")
        done = read_sources(wiki)
        lines.append(events(wiki, done["run"]))
    assert lines[0] == lines[1]


def test_the_index_holds_nothing_of_its_own(wiki):
    drop(wiki, "sleep.md")
    drop(wiki, "a.bin", BROKEN, media_type="application/x-unknown")
    done = read_sources(wiki)
    wiki.consolidate()
    wiki.tick()
    undo(wiki.ws, done["run"])
    read_sources(wiki)
    wiki.consolidate()
    check_index(wiki)


def test_a_document_that_contradicts_waits_in_quarantine_on_its_own_page(
    wiki,
):
    wiki.ingest("The ferry to Laboe takes bicycles.")
    wiki.consolidate()
    text = "# Ferry to Laboe\n\nThe ferry to Laboe does not take bicycles.\n"
    drop(wiki, "laboe.md", text)
    (source,) = read_sources(wiki)["sources"]
    wiki.consolidate()

    shown = wiki.show(source["entry"])
    assert shown["quarantined"]
    assert shown["subject"]["kind"] == "source"


def test_one_turn_that_contradicts_sets_no_conversation_aside(wiki):
    wiki.ingest("The ferry to Laboe takes bicycles.")
    wiki.consolidate()
    chat = export(
        ("user", "My aunt lives in Laboe."),
        ("assistant", "The ferry to Laboe does not take bicycles."),
    )
    drop(wiki, "chat.json", chat, media_type="application/json")
    (source,) = read_sources(wiki)["sources"]
    made = wiki.consolidate()

    assert not wiki.show(source["entry"])["quarantined"]
    low = [one for one in made["integrated"] if one["bucket"] == "low"]
    assert len(low) == 1
    # the claims of that turn wait for an answer
    told = [
        line["capture"]
        for line in events(wiki, made["run"])
        if line["e"] == "claims"
    ]
    assert low[0]["capture"] not in told


def test_settings_name_the_depth_of_sources(wiki):
    path = ".companion/companion.yaml"
    settings = (wiki.root / path).read_text()
    wiki.write(path, settings + '\ndepth: {"inbox/*": brief}\n')
    wiki.git("commit", "-qam", "settings")
    drop(wiki, "sleep.md", PAPER * 30)
    (source,) = read_sources(wiki)["sources"]
    assert source["depth"] == "brief"
    assert "settings" in source["evidence"][0]


def test_a_slice_reads_no_header_that_another_read(wiki, monkeypatch):
    """Else a long pass would cost the square of what waits."""
    monkeypatch.setattr(contextualizing, "SLICE", 1)
    for number in range(4):
        drop(
            wiki, f"{number}.md", f"# Paper {number}\n\nIt is number {number}."
        )
    asked: list[str] = []
    honest = originals.read_tellings

    def count(repo: Repo, id: str) -> list[originals.Original]:
        asked.append(id)
        return honest(repo, id)

    monkeypatch.setattr(originals, "read_tellings", count)
    assert len(read_sources(wiki)["runs"]) == 4
    assert len(asked) == 4
