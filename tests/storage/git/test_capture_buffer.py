"""The raw buffer in git: captures outlive the journal, and what was told in private stays apart."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.storage.boundary.tellings import decode_sighting
from companion.storage.git import append_only_tree, capture_buffer
from companion.storage.git.objects import Pack
from companion.storage.git.trees import edit_tree
from companion.storage.journal import queries
from companion.storage.journal.queries import Pending
from companion.values.captures import Sighting
from tests.wiki import Wiki, git, person


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def anchored(wiki: Wiki) -> list[Pending]:
    journal = wiki.journal()
    capture_buffer.anchor(journal, wiki.repo())
    journal.close()
    return list(capture_buffer.read(wiki.repo()))


def forget_journal(wiki: Wiki) -> None:
    for path in (wiki.root / ".git" / "companion").glob("journal.db*"):
        path.unlink()


def held(wiki: Wiki) -> list[Pending]:
    journal = wiki.journal()
    return [
        Pending(journal.capture(id)[0], journal.sightings(id))
        for id, _, _ in sorted(journal.ids())
    ]


def texts_under(wiki: Wiki, ref: str) -> str:
    """Everything that somebody who fetches *ref*, and nothing else, can read."""
    names = wiki.git("ls-tree", "-r", ref).splitlines()
    return "\n".join(
        wiki.git("cat-file", "blob", name.split()[2]) for name in names
    )


def test_a_lost_journal_comes_back_whole(wiki: Wiki) -> None:
    wiki.ingest(
        "A",
        title="Title",
        priority=0.9,
        agent="bot",
        source="a.md",
        event_time="2020-01-01T00:00:00.000000Z",
    )
    wiki.ingest("B [[link]]", scope="private", agent="bot")
    wiki.ingest("A")
    wiki.ingest("C\r\n\ufeff€")
    before = held(wiki)
    anchored(wiki)
    wiki.ingest("A", source="later.md")
    wiki.ingest("B [[link]]", scope="private", agent="Ada Lovelace")
    after = held(wiki)
    assert after != before
    assert sorted(anchored(wiki)) == after
    forget_journal(wiki)
    assert held(wiki) == after
    assert wiki.journal().loose() == ([], [])


def test_dedup_survives_the_loss_of_the_journal(wiki: Wiki) -> None:
    wiki.ingest("A")
    wiki.ingest("B")
    wiki.ingest("A")
    anchored(wiki)
    forget_journal(wiki)
    assert [done["status"] for done in wiki.ingest("A")] == ["seen"]
    assert wiki.journal().counts() == (2, 3)


def test_anchoring_twice_changes_nothing(wiki: Wiki) -> None:
    wiki.ingest("A")
    anchored(wiki)
    refs = wiki.git("for-each-ref", "refs/companion")
    anchored(wiki)
    assert wiki.git("for-each-ref", "refs/companion") == refs


def test_a_tree_only_grows_and_git_keeps_it(wiki: Wiki) -> None:
    wiki.ingest("A")
    anchored(wiki)
    before = set(wiki.git("ls-tree", "-r", capture_buffer.BUFFER).splitlines())
    wiki.ingest("B")
    wiki.ingest("A", source="again.md")
    anchored(wiki)
    assert before < set(
        wiki.git("ls-tree", "-r", capture_buffer.BUFFER).splitlines()
    )
    wiki.git("reflog", "expire", "--expire=now", "--all")
    wiki.git("gc", "-q", "--prune=now")
    assert len(list(capture_buffer.read(wiki.repo()))) == 2
    assert wiki.git("fsck", "--full", "--no-dangling") == ""


@pytest.mark.parametrize("at_once", [True, False])
def test_private_and_shared_tellings_of_the_same_words_lie_apart(
    wiki: Wiki, at_once: bool
) -> None:
    wiki.ingest(
        "the words",
        scope="private",
        title="My secret title",
        agent="diary",
        source="diary.md",
        priority=0.9,
    )
    if not at_once:
        anchored(wiki)
    wiki.ingest("the words", source="chat")
    anchored(wiki)
    shared = texts_under(wiki, capture_buffer.BUFFER)
    assert "the words" in shared
    assert "chat" in shared
    for private in ("secret title", "diary", "0.9", "private"):
        assert private not in shared, private
    assert "My secret title" in texts_under(
        wiki, capture_buffer.PRIVATE + "diary"
    )


@pytest.mark.parametrize("at_once", [True, False])
def test_the_shared_buffer_stands_alone_in_a_clone(
    wiki: Wiki, tmp_path: Path, at_once: bool
) -> None:
    """Told in private first, shared later: who fetches the shared buffer only has the words all the
    same.
    """
    wiki.ingest("the words", scope="private", title="My secret title")
    if not at_once:
        anchored(wiki)
    wiki.ingest("the words")
    anchored(wiki)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(wiki.root), str(clone))
    person(clone)
    git(
        clone,
        "fetch",
        "-q",
        "origin",
        f"{capture_buffer.BUFFER}:{capture_buffer.BUFFER}",
    )
    other = Wiki(clone, wiki.now)
    other.init()
    assert [
        (item.capture.content, item.capture.title) for item in held(other)
    ] == [(b"the words", None)]
    assert [
        s.scope for s in other.journal().sightings(held(other)[0].capture.id)
    ] == ["shared"]


def test_what_is_only_private_is_in_no_shared_ref(wiki: Wiki) -> None:
    wiki.ingest("hush", scope="private")
    anchored(wiki)
    assert capture_buffer.BUFFER not in capture_buffer.read_trees(wiki.repo())
    wiki.ingest("hush", scope="private", source="again")
    anchored(wiki)
    assert capture_buffer.BUFFER not in capture_buffer.read_trees(wiki.repo())


AGENTS = [
    "bot",
    "Bot",
    "a b",
    "a-b",
    "a/b",
    "../../heads/main",
    ".lock",
    "x.lock",
    "漢" * 200,
    "@{",
    "owner",
    "-rf",
]


def test_every_agent_has_a_ref_of_its_own_that_git_accepts(wiki: Wiki) -> None:
    for agent in AGENTS:
        wiki.ingest(f"of {agent}", scope="private", agent=agent)
    wiki.ingest("of nobody", scope="private")
    anchored(wiki)
    refs = [
        ref
        for ref in capture_buffer.read_trees(wiki.repo())
        if ref.startswith(capture_buffer.PRIVATE)
    ]
    assert len({ref.casefold() for ref in refs}) == len(refs) == len(AGENTS)
    assert all(wiki.git("check-ref-format", ref) == "" for ref in refs)


def test_many_captures_of_a_day_do_not_share_one_tree(wiki: Wiki) -> None:
    wiki.ingest(*(f"text {n}" for n in range(100)))
    assert len(anchored(wiki)) == 100
    day = wiki.git(
        "ls-tree", f"{capture_buffer.BUFFER}:{wiki.now.date()}"
    ).splitlines()
    assert len(day) > 50


def test_an_object_that_git_lost_does_not_keep_the_rest_from_coming_back(
    wiki: Wiki,
) -> None:
    kept = wiki.ingest("kept")[0]
    anchored(wiki)
    name = wiki.git(
        "ls-tree", "-r", "--name-only", capture_buffer.BUFFER
    ).split()[1]
    header = json.loads(
        wiki.git("cat-file", "blob", f"{capture_buffer.BUFFER}:{name}")
    )
    header.update(id="0" * 64, blob="0" * 39 + "1")
    line = (
        "100644 blob"
        f" {wiki.git('hash-object', '-w', '--stdin', stdin=json.dumps(header)).strip()}\t{'0' * 64}.json\n"
    )
    tree = wiki.git(
        "mktree", stdin=wiki.git("ls-tree", capture_buffer.BUFFER) + line
    ).strip()
    wiki.git("update-ref", capture_buffer.BUFFER, tree)
    forget_journal(wiki)
    assert {item.capture.id: item.capture.content for item in held(wiki)} == {
        kept["id"]: b"kept",
        "0" * 64: b"",
    }


def test_a_telling_reads_back_as_it_was() -> None:
    drafts: list[dict[str, Any]] = [
        {"explicit": True, "event_time": "2020-01-01T00:00:00.000000Z"},
        {"event_time": "2020-01-01T00:00:00.000000Z"},
        {"scope": "private", "agent": "bot", "source": "a.md"},
        {"utc_offset": 120},
        {"utc_offset": -840},
        {},
    ]
    seen = "2026-11-01T00:00:00.000000Z"
    plain = Sighting("c" * 64, seen, seen, False, None, "cli", None, "shared")
    for changes in drafts:
        sighting = plain._replace(**changes)
        assert (
            decode_sighting(
                "c" * 64,
                json.loads(
                    json.dumps(capture_buffer.encode_sighting(sighting))
                ),
            )
            == sighting
        )


def test_an_offset_that_is_unknown_is_not_written() -> None:
    seen = "2026-11-01T00:00:00.000000Z"
    plain = Sighting("c" * 64, seen, seen, False, None, "cli", None, "shared")
    assert capture_buffer.encode_sighting(plain) == {
        "seen_at": seen,
        "channel": "cli",
    }


@pytest.mark.parametrize("minutes", [0, 841, -900, 10**30])
def test_an_offset_that_is_not_plausible_counts_as_unknown(
    minutes: int,
) -> None:
    fields = {
        "seen_at": "2026-11-01T00:00:00.000000Z",
        "channel": "cli",
        "utc_offset": minutes,
    }
    sighting = decode_sighting("c" * 64, fields)
    assert sighting.utc_offset is None


# -- two machines ----------------------------------------------------------------------------------

NAMES = [
    f"2026-11-0{day}/{id[:2]}/{id}{more}"
    for day in (1, 2)
    for id in ("a" * 64, "b" * 64)
    for more in ("", ".json")
]
FILES = st.dictionaries(st.sampled_from(NAMES), st.integers(0, 3), min_size=1)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(FILES, min_size=3, max_size=3))
def test_uniting_loses_nothing_and_needs_no_order(
    wiki: Wiki, buffers: list[dict[str, int]]
) -> None:
    repo, folder = wiki.repo(), str(wiki.root / ".git")

    def union(ours: str, theirs: str) -> str:
        with Pack(folder) as pack:
            return append_only_tree.unite_trees(
                repo, pack, ours, theirs, capture_buffer.NotABuffer
            )

    def contents(tree: str) -> set[tuple[str, str]]:
        """Every file by its capture and what it holds: its exact name may have given way."""
        return {(path[:78], blob) for path, _, blob in repo.walk(tree)}

    with Pack(folder) as pack:
        blobs = [pack.add("blob", b"%d" % n) for n in range(4)]
        trees = [
            edit_tree(
                lambda _: [],
                None,
                {p: (0o100644, blobs[n]) for p, n in f.items()},
                pack.add,
            )
            for f in buffers
        ]
    a, b, c = map(str, trees)
    both = union(a, b)
    assert contents(both) == contents(a) | contents(b)
    assert both == union(b, a) == union(both, a) == union(a, both)
    assert union(both, c) == union(a, union(b, c))


def count_looks(wiki: Wiki, notes: int) -> int:
    """Return how often anchoring looks at tellings of *notes*, each told on three days."""
    looks = 0

    class Watched(Sighting):
        """A telling that counts who asks what it is of, and who compares it."""

        __hash__ = Sighting.__hash__

        @property
        def capture(self) -> str:  # type: ignore[override]
            nonlocal looks
            looks += 1
            return self[0]

        def __eq__(self, other: object) -> bool:
            nonlocal looks
            looks += 1
            return tuple.__eq__(self, other)

    for _ in range(3):
        wiki.ingest(*(f"note {n}" for n in range(notes)))
        wiki.tick(days=1)
    read = queries.read_sighting_row
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            queries, "read_sighting_row", lambda row: Watched(*read(row))
        )
        capture_buffer.anchor(wiki.journal(), wiki.repo())
    return looks


def test_notes_told_on_several_days_cost_no_look_at_all_others(
    tmp_path: Path,
) -> None:
    few = count_looks(Wiki.new(tmp_path / "few"), 20)
    many = count_looks(Wiki.new(tmp_path / "many"), 80)
    assert 0 < many < 5 * few
