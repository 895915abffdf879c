"""`remote`: two machines and a bare repository between them; nothing ever leaves a buffer."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.maintenance.remotes import remote as remotes
from companion.reading.status import describe_wiki
from companion.storage.git import capture_buffer, layout
from companion.storage.git.remotes_known import list_destinations
from companion.storage.git.repo import Repo
from companion.storage.journal.journal import Journal
from companion.values.captures import Sighting
from companion.workspace import Workspace
from tests.maintenance.machines import another, buffer_of, files_in, sync, told
from tests.wiki import Wiki, check_health, check_index, git
from tests.zone import BERLIN, NEW_YORK, set_zone

AT_ONCE = "import sys; from companion.__main__ import main; sys.exit(main(sys.argv[1:]))"


# -- add -------------------------------------------------------------------------------------------


def test_a_plain_fetch_brings_the_notes_and_is_no_error_before_there_are_any(
    desk: Wiki, laptop: Wiki
) -> None:
    laptop.git("fetch", "hub")
    desk.ingest("from the desk")
    sync(desk)
    laptop.git("fetch", "hub")
    assert laptop.git(
        "rev-parse", "refs/companion/remotes/hub/buffer"
    ).strip() == buffer_of(desk.root)
    assert buffer_of(laptop.root) == "", "a fetch never touches our own"


def test_a_plain_push_never_replaces_the_notes_there(
    desk: Wiki, laptop: Wiki, hub: Path
) -> None:
    desk.ingest("from the desk")
    sync(desk)
    there = buffer_of(hub)
    laptop.ingest("from the laptop")
    laptop.consolidate()
    laptop.git("push", "-q", "hub")
    assert buffer_of(hub) == there
    assert "main" in git(hub, "branch")


def test_adding_again_adds_nothing_twice_and_can_widen(
    desk: Wiki, hub: Path
) -> None:
    assert remotes.add(desk.ws, "hub", str(hub))["private"] is False
    assert (
        remotes.add(desk.ws, "hub", str(hub), with_private=True)["private"]
        is True
    )
    assert remotes.add(desk.ws, "hub", str(hub))["private"] is True
    fetch = desk.git("config", "--get-all", "remote.hub.fetch").split()
    assert len(fetch) == len(set(fetch)) == 4


def test_an_existing_origin_learns_to_carry_notes(
    desk: Wiki, hub: Path, tmp_path: Path
) -> None:
    clone = Wiki(tmp_path / "clone", desk.now)
    git(tmp_path, "clone", "-q", str(hub), str(clone.root))
    clone.init()
    assert "notes" not in list_destinations(clone.ws.place)[0]
    remotes.add(clone.ws, "origin", str(hub))
    assert list_destinations(clone.ws.place) == [
        f"pages, notes → origin ({hub})"
    ]
    with pytest.raises(remotes.BadRemote, match="already"):
        remotes.add(clone.ws, "origin", str(tmp_path))


@pytest.mark.parametrize(
    "url",
    [
        "https://ada:hunter22@example.org/notes.git",
        "ssh://ada:x@example.org/notes.git",
        "https://ghp_0123456789abcdefghijABCDEFGHIJ456789@example.org/notes.git",
        "https://x-access-token:abc@example.org/notes.git",
    ],
)
def test_a_secret_in_a_url_is_refused_and_not_quoted(
    desk: Wiki, url: str
) -> None:
    with pytest.raises(remotes.SecretInUrl) as refused:
        remotes.add(desk.ws, "other", url)
    assert refused.value.exit_code == 65 and refused.value.hint
    for secret in ("hunter22", "ghp_", "abc"):
        assert secret not in str(refused.value) + desk.git("config", "--list")


@pytest.mark.parametrize(
    "url",
    [
        "https://ada@example.org:8080/n.git",
        "git@example.org:ada/n.git",
        "ssh://git@example.org/a@b:c",
    ],
)
def test_an_address_without_a_secret_is_taken_as_it_is(
    desk: Wiki, url: str
) -> None:
    assert remotes.add(desk.ws, "other", url)["url"] == url


def test_a_password_that_git_has_already_is_not_shown(desk: Wiki) -> None:
    desk.git(
        "remote", "add", "old", "https://ada:hunter22@example.org/notes.git"
    )
    assert (
        "pages → old (https://ada:***@example.org/notes.git)"
        in describe_wiki(desk.ws)["leaves_machine"]
    )


@pytest.mark.parametrize(
    "name", ["", "-x", "a b", "a/b", "a..b", "x.lock", "a.", "ü", "a\nb"]
)
def test_a_name_that_is_none_is_refused(
    desk: Wiki, hub: Path, name: str
) -> None:
    with pytest.raises(remotes.BadRemote):
        remotes.add(desk.ws, name, str(hub))


def test_a_path_is_taken_from_where_the_person_stands(
    desk: Wiki, hub: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert remotes.add(desk.ws, "near", "hub.git")["url"] == str(hub)
    with pytest.raises(remotes.BadRemote) as refused:
        remotes.add(desk.ws, "far", "nowhere.git")
    assert f"git init --bare {tmp_path}/nowhere.git" in refused.value.hint


# -- sync ------------------------------------------------------------------------------------------


def test_two_machines_know_all_of_each_other_and_the_remote_has_it_all(
    desk: Wiki, laptop: Wiki, hub: Path
) -> None:
    desk.ingest("from the desk", title="Desk", source="a.md")
    laptop.ingest("from the laptop", event_time="2020-01-01T00:00:00.000000Z")
    assert sync(desk)["sent"]["captures"] == 1
    done = sync(laptop)
    assert done["received"] == {"captures": 1, "tellings": 1}
    assert done["sent"] == {"captures": 1, "refs": [capture_buffer.BUFFER]}
    assert sync(desk)["received"] == {"captures": 1, "tellings": 1}
    assert buffer_of(desk.root) == buffer_of(laptop.root) == buffer_of(hub)
    assert told(desk) == told(laptop)
    assert {hit["state"] for hit in desk.search("laptop")} == {"pending"}
    assert desk.journal().get(
        f"taken hub {capture_buffer.BUFFER}"
    ) == buffer_of(hub), "the next sync reads only what is new"
    again = sync(desk)
    assert (again["received"], again["sent"]) == (
        {"captures": 0, "tellings": 0},
        {"captures": 0, "refs": []},
    )


def test_the_same_words_told_on_both_machines_on_one_day_lose_no_telling(
    desk: Wiki, laptop: Wiki, hub: Path
) -> None:
    laptop.now = desk.now
    desk.ingest(
        "the words", title="Desk's title", source="desk.md", channel="mail"
    )
    laptop.ingest("the words", source="laptop.md", priority=0.9)
    for wiki in (desk, laptop):
        capture_buffer.anchor(wiki.journal(), wiki.repo())
    before = files_in(desk.root) | files_in(laptop.root)
    for wiki in (desk, laptop, desk):
        sync(wiki)
    assert before <= files_in(hub)
    (sightings,) = told(desk).values()
    assert {s.source for s in sightings} == {"desk.md", "laptop.md"}
    assert told(desk) == told(laptop)
    assert len(list(capture_buffer.read(desk.repo()))) == 1


def test_a_later_telling_travels_too(desk: Wiki, laptop: Wiki) -> None:
    desk.ingest("the words", source="first.md")
    sync(desk)
    sync(laptop)
    desk.ingest("the words", source="later.md")
    laptop.ingest("the words", source="laptop.md")
    sync(desk)
    assert sync(laptop)["received"] == {"captures": 0, "tellings": 1}
    sync(desk)
    assert told(desk) == told(laptop)
    assert {s.source for s in set[Sighting]().union(*told(desk).values())} == {
        "first.md",
        "later.md",
        "laptop.md",
    }


def test_a_note_on_its_way_here_does_not_replace_what_came_from_there(
    desk: Wiki, laptop: Wiki
) -> None:
    """The same words wait in this journal, and come in with the buffer before git has them."""
    laptop.now = desk.now
    laptop.ingest("the words", source="laptop.md")
    sync(laptop)
    came = files_in(laptop.root)
    desk.ingest("the words", source="desk.md")
    desk.git("fetch", "-q", "hub")
    capture_buffer.unite(
        desk.repo(),
        {
            capture_buffer.BUFFER: desk.git(
                "rev-parse", "refs/companion/remotes/hub/buffer"
            ).strip()
        },
    )
    capture_buffer.anchor(desk.journal(), desk.repo())
    assert came < files_in(desk.root)


def test_three_machines_in_any_order_end_with_one_tree(
    desk: Wiki, laptop: Wiki, hub: Path, tmp_path: Path
) -> None:
    phone = another(tmp_path / "phone", hub, desk)
    for n, wiki in enumerate((desk, laptop, phone)):
        wiki.now = desk.now
        wiki.ingest("the words", source=f"{n}.md")
        wiki.ingest(f"only on {n}")
    for wiki in (phone, desk, laptop, phone, desk):
        sync(wiki)
    assert (
        len(
            {
                buffer_of(root)
                for root in (desk.root, laptop.root, phone.root, hub)
            }
        )
        == 1
    )
    assert told(desk) == told(laptop) == told(phone)
    assert len(told(desk)) == 4


def test_a_machine_that_is_faster_costs_another_round_and_no_note(
    desk: Wiki, laptop: Wiki, hub: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.ingest("from the desk")
    laptop.ingest("from the laptop")
    pushed, rounds = remotes._pushed, []

    def late(ws: Workspace, *args: Any) -> bool:
        rounds.append(ws)
        if len(rounds) == 1:
            sync(laptop)  # while the desk is on its way
        return pushed(ws, *args)

    monkeypatch.setattr(remotes, "_pushed", late)
    sync(desk)
    assert len(rounds) == 3, "the desk, the laptop in between, the desk again"
    assert {p.capture.content for p in capture_buffer.read(desk.repo())} == {
        b"from the desk",
        b"from the laptop",
    }
    assert buffer_of(hub) == buffer_of(desk.root)


def test_machines_that_sync_at_once_lose_nothing(
    desk: Wiki, laptop: Wiki, hub: Path
) -> None:
    for turn in range(3):
        for name, wiki in (("desk", desk), ("laptop", laptop)):
            wiki.ingest(f"{name} {turn}")
        children = [
            subprocess.Popen(
                [
                    sys.executable,
                    "-c",
                    AT_ONCE,
                    "-C",
                    str(w.root),
                    "--json",
                    "remote",
                    "sync",
                ],
                stdout=subprocess.PIPE,
            )
            for w in (desk, laptop)
        ]
        for child in children:
            said, _ = child.communicate(timeout=60)
            assert child.returncode == 0, said
    names = git(
        hub, "ls-tree", "-r", "--name-only", capture_buffer.BUFFER
    ).split()
    assert len([name for name in names if not name.endswith(".json")]) == 6


def test_private_notes_stay_unless_asked_for(
    desk: Wiki, laptop: Wiki, hub: Path
) -> None:
    desk.ingest("hush", scope="private", agent="bot")
    desk.ingest("for all")
    sync(desk)
    assert "refs/companion/private" not in git(hub, "for-each-ref")
    assert b"hush" not in b"".join(
        p.read_bytes() for p in hub.rglob("*") if p.is_file()
    )
    sync(laptop)
    assert len(told(laptop)) == 1
    for wiki in (desk, laptop):
        remotes.add(wiki.ws, "hub", str(hub), with_private=True)
        sync(wiki)
    assert told(laptop) == told(desk)
    assert capture_buffer.read_trees(
        laptop.repo()
    ) == capture_buffer.read_trees(desk.repo())
    assert describe_wiki(laptop.ws)["leaves_machine"] == [
        f"pages, notes, private notes → hub ({hub})"
    ]


def test_what_the_other_machine_has_consolidated_is_not_pending_after_a_pull(
    desk: Wiki, laptop: Wiki
) -> None:
    desk.ingest("from the desk", title="Desk")
    desk.consolidate()
    desk.git("push", "-q", "hub", "main")
    laptop.git("pull", "-q", "hub", "main")
    sync(desk)
    sync(laptop)
    assert laptop.journal().open_ids() == []
    assert laptop.consolidate()["run"] is None
    check_index(laptop)
    check_health(laptop)


def test_what_is_said_here_after_a_sync_is_later_than_what_was_heard(
    desk: Wiki, laptop: Wiki
) -> None:
    laptop.tick(hours=3)
    laptop.ingest("their clock is ahead")
    laptop.tick(hours=1)
    laptop.ingest("their clock is ahead", source="told again")
    heard = max(
        s.seen_at for s in set[Sighting]().union(*told(laptop).values())
    )
    sync(laptop)
    sync(desk)
    assert desk.ingest("and yet this comes after")[0]["ingested_at"] > heard


def test_a_kill_between_the_ref_and_the_journal_is_made_good_by_the_next_sync(
    desk: Wiki, laptop: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.ingest("from the desk")
    sync(desk)

    def killed(*_: Any) -> tuple[int, int]:
        raise KeyboardInterrupt

    with monkeypatch.context() as during:
        during.setattr(Journal, "take_in", killed)
        with pytest.raises(KeyboardInterrupt):
            sync(laptop)
    assert buffer_of(laptop.root) == buffer_of(desk.root) and told(laptop) == {}
    assert sync(laptop)["received"]["captures"] == 1
    assert told(laptop) == told(desk)


def test_a_remote_that_lost_everything_gets_it_back(
    desk: Wiki, laptop: Wiki, hub: Path
) -> None:
    desk.ingest("from the desk")
    sync(desk)
    git(hub, "update-ref", "-d", capture_buffer.BUFFER)
    laptop.ingest("from the laptop")
    sync(laptop)
    sync(desk)
    assert len(told(desk)) == 2 and buffer_of(hub) == buffer_of(desk.root)


def test_a_lost_journal_comes_back_with_the_notes_of_both(
    desk: Wiki, laptop: Wiki
) -> None:
    desk.ingest("the words", source="desk.md")
    laptop.ingest("the words", source="laptop.md")
    for wiki in (desk, laptop, desk):
        sync(wiki)
    before = told(desk)
    for path in (desk.root / ".git" / "companion").glob("journal.db*"):
        path.unlink()
    assert told(desk) == before


def test_a_remote_that_cannot_be_reached_changes_nothing(
    desk: Wiki, tmp_path: Path, hub: Path
) -> None:
    hub.rename(tmp_path / "gone.git")
    with pytest.raises(remotes.Unreachable):
        sync(desk)


def test_no_remote_and_too_many_are_said(desk: Wiki, hub: Path) -> None:
    with pytest.raises(remotes.NoSuchRemote):
        remotes.sync(desk.ws, "nowhere")
    remotes.add(desk.ws, "second", str(hub))
    with pytest.raises(remotes.NoSuchRemote, match="which"):
        remotes.sync(desk.ws)


# -- status ----------------------------------------------------------------------------------------


def test_status_counts_what_no_remote_has(desk: Wiki, laptop: Wiki) -> None:
    def only_here(wiki: Wiki) -> dict[str, Any]:
        found = dict(describe_wiki(wiki.ws)["only_here"])
        found.pop("commits_on_no_remote")
        return found

    desk.ingest("one", "two")
    nothing = {
        "captures_not_in_git": 0,
        "captures_on_no_remote": 0,
        "refs": [],
        "originals_on_no_remote": 0,
    }
    assert only_here(desk) == {
        **nothing,
        "captures_not_in_git": 2,
        "captures_on_no_remote": 2,
    }
    sync(desk)
    assert only_here(desk) == nothing
    desk.ingest("three")
    assert only_here(desk) == {
        **nothing,
        "captures_not_in_git": 1,
        "captures_on_no_remote": 1,
    }
    desk.consolidate()
    assert only_here(desk) == {
        **nothing,
        "captures_on_no_remote": 1,
        "refs": ["refs/companion/buffer"],
    }
    desk.ingest("hush", scope="private")
    desk.consolidate()
    sync(desk)
    assert only_here(desk) == {
        **nothing,
        "captures_on_no_remote": 1,
        "refs": ["refs/companion/private"],
    }
    desk.git("pack-refs", "--all")
    assert only_here(desk)["refs"] == ["refs/companion/private"]


def test_a_wiki_without_a_remote_has_everything_here_only(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "alone")
    wiki.ingest("one")
    wiki.consolidate()
    status = describe_wiki(wiki.ws)
    assert status["only_here"] == {
        "captures_not_in_git": 0,
        "captures_on_no_remote": 1,
        "commits_on_no_remote": None,
        "refs": ["refs/companion/buffer"],
        "originals_on_no_remote": 0,
    }
    assert status["leaves_machine"] == []


def test_status_counts_the_commits_that_were_never_pushed(desk: Wiki) -> None:
    def unpushed() -> int:
        return int(describe_wiki(desk.ws)["only_here"]["commits_on_no_remote"])

    desk.git("push", "--quiet", desk.git("remote").split()[0], "HEAD")
    assert unpushed() == 0
    desk.ingest("one")
    desk.consolidate()
    assert unpushed() == 1


def test_refs_are_read_as_git_lists_them(desk: Wiki) -> None:
    desk.ingest("one")
    sync(desk)
    for _ in range(2):
        listed = dict(
            line.split()[::2][::-1]
            for line in desk.git("for-each-ref", "refs/companion").splitlines()
        )
        assert (
            layout.read_refs(Repo(desk.ws.place).place, "refs/companion")
            == listed
        )
        desk.git("pack-refs", "--all")
        desk.git("update-ref", "refs/companion/lost/x", desk.head)


def test_a_note_keeps_its_offset_on_the_way_to_another_machine(
    desk: Wiki, laptop: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_zone(monkeypatch, BERLIN)
    capture = desk.ingest("from the desk")[0]["id"]
    sync(desk)
    set_zone(monkeypatch, NEW_YORK)
    sync(laptop)
    assert told(laptop) == told(desk)
    laptop.consolidate()
    ledger = laptop.git("grep", "-h", capture, "HEAD", "--", ".companion")
    (consumed,) = [
        line
        for line in map(json.loads, ledger.splitlines())
        if line["e"] == "consumed"
    ]
    assert consumed["sightings"][0]["utc_offset"] == 60


def test_a_copy_without_its_offset_is_the_same_telling(
    desk: Wiki, laptop: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An older companion takes in a telling and forgets its offset."""
    set_zone(monkeypatch, BERLIN)
    desk.ingest("from the desk")
    sync(desk)
    sync(laptop)
    journal = laptop.journal()
    journal.connection.execute("UPDATE sightings SET utc_offset = NULL")
    repo = Repo(laptop.ws.place)
    copies = list(capture_buffer.read(repo))
    assert journal.take_in(copies, [], {}) == (0, 0)
    assert told(laptop) == told(desk)
