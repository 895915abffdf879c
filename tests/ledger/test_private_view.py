"""What was told in private: its owner has all of it, nobody else a trace of it (LED-11, pitfall
20).
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from companion.answers.claims import answer_question, read_claims
from companion.answers.known import NotKnown
from companion.errors import CompanionError
from companion.lookup.find import NothingFound
from companion.lookup.search import search_wiki
from companion.maintenance import init as care
from companion.maintenance.doctor import run as health
from companion.maintenance.erase import run as erase
from companion.maintenance.exports.export import export
from companion.maintenance.importing import import_wiki
from companion.reading.entry.show import show_target
from companion.reading.log import list_runs
from companion.reading.status import describe_wiki
from companion.reading.why import explain_target
from companion.storage.git import layout
from companion.storage.index import private_index
from companion.values import refusals
from companion.workspace import Workspace
from tests.wiki import Wiki, check_health, check_index, list_values

SECRET = "Anna lives in Samarkand."


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("Anna lives in Bern.", source="mail")
    wiki.consolidate()
    return wiki


def answers(ws: Workspace, question: str) -> list[str]:
    return [
        each["value"]
        for each in answer_question(ws, question, as_of=None, budget=500)[
            "answers"
        ]
    ]


def everything_read(ws: Workspace, id: str) -> str:
    """What every read says, errors included, without the place where the wiki lies."""
    said: list[Any] = []
    for read in (
        lambda: search_wiki(ws, "Anna Samarkand lives"),
        lambda: search_wiki(ws, "hush hush", state="pending"),
        lambda: show_target(ws, id),
        lambda: show_target(ws, id[:6]),
        lambda: explain_target(ws, id),
        lambda: list_runs(ws),
        lambda: describe_wiki(ws),
        lambda: read_claims(
            ws, "Anna", None, as_of=None, known_at=None, history=True
        ),
        lambda: read_claims(
            ws, "Paul", None, as_of=None, known_at=None, history=True
        ),
        lambda: answer_question(
            ws, "Where does Anna live?", as_of=None, budget=500
        ),
        lambda: answer_question(
            ws, "Where does Paul live?", as_of=None, budget=500
        ),
    ):
        try:
            said.append(read())
        except CompanionError as error:
            said.append([error.kind, str(error), error.hint])
    return json.dumps(said).replace(ws.place.root, "ROOT")


# -- to its owner ----------------------------------------------------------------------------------


def test_its_owner_is_answered_from_it_at_once_and_nobody_else_ever(
    wiki: Wiki,
) -> None:
    wiki.ingest(SECRET, scope="private", agent="bot")
    for night in (False, True):
        if night:
            wiki.consolidate()
        assert list_values(wiki.as_("bot"), "Anna") == ["Samarkand"]
        assert answers(wiki.as_("bot"), "Where does Anna live?") == [
            "Samarkand"
        ]
        for other in (
            wiki.ws,
            wiki.as_("Bot"),
            wiki.as_("bo"),
            wiki.as_("mail"),
        ):
            assert list_values(other, "Anna") == ["Bern"]
            assert answers(other, "Where does Anna live?") == ["Bern"]


def test_what_the_person_told_in_private_is_the_persons(wiki: Wiki) -> None:
    wiki.ingest(SECRET, scope="private")
    assert (
        list_values(wiki.ws, "Anna")
        == list_values(wiki.as_("owner"), "Anna")
        == ["Samarkand"]
    )
    assert list_values(wiki.as_("bot"), "Anna") == ["Bern"]


def test_an_owner_reads_its_own_and_what_is_shared_as_one(wiki: Wiki) -> None:
    wiki.ingest("My sister is Anna.", scope="private", agent="bot")
    assert answers(wiki.as_("bot"), "Where does my sister live?") == ["Bern"]
    assert answers(wiki.ws, "Where does my sister live?") == []
    (key,) = read_claims(
        wiki.as_("bot"), "me", None, as_of=None, known_at=None, history=False
    )["keys"]
    assert [(claim["scope"], claim["entry"]) for claim in key["claims"]] == [
        ("private", None)
    ]


def test_what_is_taken_back_in_private_is_taken_back_for_its_owner(
    wiki: Wiki,
) -> None:
    before = wiki.ws.now()
    wiki.ingest("Paul lives in Rome.", scope="private", agent="bot")
    wiki.ingest("Forget that.", scope="private", agent="bot")
    assert answers(wiki.as_("bot"), "Where does Paul live?") == []
    assert list_values(wiki.as_("bot"), "Anna", as_of=before) == ["Bern"]


def test_a_read_costs_what_was_told_since_the_last_one(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.ledger.read_telling import Reader

    read: list[str] = []
    original = Reader.read

    def counted(self: Any, capture: str, *rest: Any) -> Any:
        read.append(capture)
        return original(self, capture, *rest)

    monkeypatch.setattr(Reader, "read", counted)
    for n in range(5):
        wiki.ingest(f"P{n} lives in Rome.", scope="private", agent="bot")
        wiki.ingest(f"Q{n} lives in Rome.", scope="private", agent="other")
        assert list_values(wiki.as_("bot"), f"P{n}") == ["Rome"]
        assert list_values(wiki.as_("bot"), "P0") == ["Rome"]
    assert len(read) == 5


# -- to nobody else --------------------------------------------------------------------------------


@pytest.mark.parametrize("night", [True, False])
@pytest.mark.parametrize("reader", ["owner", "other"])
def test_no_read_of_anybody_elses_differs_by_a_byte(
    wiki: Wiki, tmp_path: Path, night: bool, reader: str
) -> None:
    twin = wiki.copy(tmp_path / "twin")
    about = {
        "scope": "private",
        "agent": "bot",
        "source": "dossier",
        "title": "Hush hush",
    }
    id = wiki.ingest(SECRET, "Paul lives in Tashkent.", **about)[0]["id"]
    twin.tick()
    # what the owner has read is nobody's either
    list_values(wiki.as_("bot"), "Anna")
    if night:
        done, twins = wiki.consolidate(), twin.consolidate()
        assert {**done, "commit": None} == {**twins, "commit": None}
    assert everything_read(wiki.as_(reader), id) == everything_read(
        twin.as_(reader), id
    )
    assert "Samarkand" in everything_read(wiki.as_("bot"), id)
    assert wiki.tree == twin.tree
    check_index(wiki)


def test_telling_the_same_words_openly_says_nothing_of_who_told_them_before(
    wiki: Wiki, tmp_path: Path
) -> None:
    twin = wiki.copy(tmp_path / "twin")
    wiki.ingest(
        SECRET,
        scope="private",
        agent="bot",
        source="dossier",
        title="Hush hush",
        priority=0.9,
        channel="vault",
    )
    twin.tick()
    told, twins = (
        each.ingest(SECRET, source="chat")[0] for each in (wiki, twin)
    )
    assert told == twins and told["status"] == "captured"
    assert everything_read(wiki.ws, told["id"]) == everything_read(
        twin.ws, told["id"]
    )
    assert everything_read(wiki.as_("other"), told["id"]) == everything_read(
        twin.as_("other"), told["id"]
    )
    assert [wiki.search("hush"), wiki.search("vault")] == [[], []]
    wiki.consolidate()
    twin.consolidate()
    assert everything_read(wiki.ws, told["id"]) == everything_read(
        twin.ws, told["id"]
    )
    assert [
        s["agent"]
        for s in show_target(wiki.as_("bot"), told["id"])["sightings"]
    ] == [
        "bot",
        None,
    ]


def test_the_same_words_told_both_ways_vanish_for_nobody(wiki: Wiki) -> None:
    wiki.ingest(SECRET, source="chat")
    run = wiki.consolidate()["run"]
    wiki.ingest(SECRET, scope="private", agent="bot")
    key = read_claims(
        wiki.as_("bot"), "Anna", None, as_of=None, known_at=None, history=True
    )["keys"][0]
    assert sorted(
        c["scope"] for c in key["claims"] if c["object"] == "Samarkand"
    ) == [
        "private",
        "shared",
    ]
    from companion.adoption import undo

    wiki.tick()
    undo.undo(wiki.ws, run)
    assert list_values(wiki.ws, "Anna") == ["Bern"]
    assert list_values(wiki.as_("bot"), "Anna") == ["Samarkand"]


def test_an_id_that_two_begin_with_gives_the_hidden_one_away_to_nobody(
    wiki: Wiki,
) -> None:
    ids = [
        wiki.ingest(f"note {n}", scope="private", agent="bot")[0]["id"]
        for n in range(40)
    ]
    open_ = wiki.ingest("open note")[0]["id"]
    assert show_target(wiki.ws, open_[:4])["id"] == open_
    for id in ids:
        with pytest.raises(NothingFound):
            show_target(wiki.ws, id[:4])
        assert show_target(wiki.as_("bot"), id)["text"].startswith("note")


def test_hidden_notes_push_no_open_one_out_of_a_search(wiki: Wiki) -> None:
    mine = wiki.ingest("kumquat jam")[0]["id"]
    wiki.ingest(
        *(f"kumquat {n}" for n in range(600)), scope="private", agent="bot"
    )
    assert [hit["id"] for hit in wiki.search("kumquat")] == [mine]
    assert (
        len(search_wiki(wiki.as_("bot"), "kumquat", limit=50)["results"]) == 50
    )


# -- derived ---------------------------------------------------------------------------------------


def test_it_may_be_deleted_damaged_or_of_another_version_at_any_time(
    wiki: Wiki,
) -> None:
    wiki.ingest(SECRET, scope="private", agent="bot")
    file = Path(private_index.find_path(wiki.ws.place))
    for harm in (
        file.unlink,
        lambda: file.write_bytes(b"not a database at all" * 99),
        lambda: care.rebuild(wiki.ws),
    ):
        assert list_values(wiki.as_("bot"), "Anna") == ["Samarkand"]
        assert file.exists()
        harm()
    private_index.open_(str(file), "an older reader").close()
    assert list_values(wiki.as_("bot"), "Anna") == ["Samarkand"]


def test_doctor_names_damage_of_it_and_mends_it(wiki: Wiki) -> None:
    wiki.ingest(SECRET, scope="private", agent="bot")
    wiki.consolidate()
    list_values(wiki.as_("bot"), "Anna")
    check_health(wiki)
    file = Path(private_index.find_path(wiki.ws.place))
    file.write_bytes(b"SQLite format 3\0" + b"x" * 8192)
    Path(f"{file}-wal").unlink(missing_ok=True)
    assert [f.kind for f in health.examine(wiki.ws)] == ["private-damaged"]
    assert health.doctor(wiki.ws, repair=True)["ok"]
    assert list_values(wiki.as_("bot"), "Anna") == ["Samarkand"]


def test_a_lost_journal_comes_back_from_git_and_the_claims_with_it(
    wiki: Wiki,
) -> None:
    wiki.ingest(SECRET, scope="private", agent="bot")
    wiki.ingest("never anchored, so the rows shift", source="x")
    wiki.consolidate()
    wiki.ingest("Paul lives in Rome.", scope="private", agent="bot")
    assert list_values(wiki.as_("bot"), "Paul") == ["Rome"]
    for path in Path(wiki.ws.place.state).glob("journal.db*"):
        path.unlink()
    assert list_values(wiki.as_("bot"), "Anna") == ["Samarkand"]
    with pytest.raises(NotKnown):  # no night had anchored it
        list_values(wiki.as_("bot"), "Paul")


def test_it_travels_by_export_and_by_a_remote_that_was_asked_for(
    wiki: Wiki, tmp_path: Path
) -> None:
    wiki.ingest(SECRET, scope="private", agent="A Bot")
    wiki.consolidate()
    for name, with_private in (("open", False), ("whole", True)):
        export(wiki.ws, str(tmp_path / name), with_private=with_private)
        import_wiki(str(tmp_path / name), str(tmp_path / f"{name}-wiki"))
        there = layout.make_place(str(tmp_path / f"{name}-wiki"))
        assert there is not None
        got = list_values(Workspace(there, wiki.ws.now(), who="A Bot"), "Anna")
        assert got == (["Samarkand"] if with_private else ["Bern"])
        held = b"".join(
            path.read_bytes()
            for path in (tmp_path / name).rglob("*")
            if path.is_file()
        )
        assert (b"Samarkand" in held) == with_private


def test_another_machines_earlier_telling_is_read_in_its_place(
    wiki: Wiki, tmp_path: Path
) -> None:
    other = wiki.copy(tmp_path / "other")
    other.ingest("Paul lives in Rome.", scope="private", agent="bot")
    other.consolidate()
    wiki.tick(hours=1)
    wiki.ingest("Forget that.", scope="private", agent="bot")
    with pytest.raises(NotKnown):
        list_values(wiki.as_("bot"), "Paul")
    from companion.maintenance.remotes import remote as remotes

    hub = tmp_path / "hub.git"
    wiki.git("init", "-q", "--bare", str(hub))
    for each in (wiki, other, wiki):
        each.tick()
        remotes.add(each.ws, "hub", str(hub), with_private=True)
        remotes.sync(each.ws, "hub")
    assert answers(wiki.as_("bot"), "Where does Paul live?") == []
    statuses = read_claims(
        wiki.as_("bot"), "Paul", None, as_of=None, known_at=None, history=True
    )["keys"][0]["claims"]
    assert {claim["status"] for claim in statuses} == {"retracted"}


def test_words_told_in_private_and_erased_are_in_no_file_of_it(
    wiki: Wiki,
) -> None:
    wiki.ingest(SECRET, "Paul lives in Rome.", scope="private", agent="bot")
    assert list_values(wiki.as_("bot"), "Anna") == ["Samarkand"]
    wiki.tick()
    word = erase.erase(wiki.ws, ["Samarkand"])["confirm"]
    assert erase.erase(wiki.ws, ["Samarkand"], confirm=word)["remains"] == []
    held = b"".join(
        path.read_bytes()
        for path in Path(wiki.ws.place.state).rglob("*")
        if path.is_file()
    )
    assert b"samarkand" not in held.lower()
    assert list_values(wiki.as_("bot"), "Paul") == ["Rome"]
    assert "Samarkand" not in list_values(wiki.as_("bot"), "Anna")


def test_a_wiki_that_cannot_be_written_is_read_all_the_same(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki.ingest(SECRET, scope="private", agent="bot")
    state = wiki.ws.place.state
    monkeypatch.setattr(os, "access", lambda path, mode: path != state)
    assert list_values(wiki.as_("bot"), "Anna") == ["Samarkand"]
    assert not os.path.exists(private_index.find_path(wiki.ws.place))


# -- names -----------------------------------------------------------------------------------------

ODD = [
    "../x",
    "a/b",
    "-rf",
    "Bot",
    "bot",
    "BOT",
    "bot.lock",
    "@{1}",
    "a b",
    "名前",
    "Ärger",
    "x" * 200,
    "mail",
    "'; drop",
    "CON",
]


def test_agents_of_odd_names_never_share_a_note(wiki: Wiki) -> None:
    """Names that differ by case only, that git or a file system will not have, and one that is also
    a source.
    """
    for number, name in enumerate(ODD):
        wiki.ingest(
            f"Paul lives in City{chr(97 + number)}.",
            scope="private",
            agent=name,
        )
    wiki.consolidate()
    refs = (
        wiki.git(
            "for-each-ref", "--format=%(refname)", "refs/companion/private"
        )
        .lower()
        .split()
    )
    assert len(set(refs)) == len(ODD)
    for path in Path(wiki.ws.place.state).glob("journal.db*"):
        path.unlink()  # what git has says whose each is as well
    for number, name in enumerate(ODD):
        assert list_values(wiki.as_(name), "Paul") == [
            f"City{chr(97 + number)}"
        ], name


@pytest.mark.parametrize(
    "name", ["", "  ", "x" * 10_000, "a\nb", "a\0b", "\ud800"]
)
def test_a_name_that_is_none_reads_as_nobody(name: str) -> None:
    with pytest.raises(refusals.BadName) as caught:
        refusals.agent(name)
    assert caught.value.exit_code == 2 and caught.value.hint
    assert len(str(caught.value)) < 100


def test_a_name_is_the_same_however_it_was_typed(wiki: Wiki) -> None:
    wiki.ingest(SECRET, scope="private", agent=" Jose\u0301 ")
    assert list_values(wiki.as_(refusals.agent("Jos\u00e9")), "Anna") == [
        "Samarkand"
    ]
