"""Five wikis on one machine exchange over gRPC and TLS: what crosses, and what it comes to."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy
import pytest

from companion.federation import exchange, kept, transport, wire
from companion.federation.keys import read_keys
from companion.federation.relay import Relay
from companion.federation.sums.sketch import SIZE
from companion.federation.unit import BadUnit
from companion.routing import peers
from companion.routing.peers import encode_peers
from tests.wiki import Wiki

SECRET = "Violetta Zanzibar of Harbour Lane 9"


def members(root: Path, count: int, relay: str | None = "m0") -> list[Wiki]:
    wikis = []
    cards = []
    for number in range(count):
        files = {
            "Staging Database.md": f"# Staging Database\n\nMember {number} says {SECRET}.\n",
            f"Own {number}.md": f"# {SECRET} {number}\n\n[[Staging Database]]\n",
        }
        wiki = Wiki.new(root / f"m{number}", files)
        card = exchange.make_card(
            wiki.ws, f"m{number}", f"127.0.0.1:{7400 + number}"
        )
        path = root / f"card{number}.json"
        path.write_text(json.dumps(card))
        cards.append(str(path))
        wikis.append(wiki)
    unit = exchange.assemble(wikis[0].ws, "team", cards, relay)
    (root / "unit.json").write_text(json.dumps(unit))
    for wiki in wikis:
        exchange.join(wiki.ws, str(root / "unit.json"))
    return wikis


@contextmanager
def relay_of(wikis: list[Wiki], week: int | None = None) -> Iterator[int]:
    """A real server on a free port; every unit's file is told of it."""
    ws = wikis[0].ws
    unit = kept.read_unit(ws.place.state)
    now = exchange.find_week(ws.now()) if week is None else week
    relay = Relay(unit)
    server, port = transport.serve(
        unit, read_keys(ws.place.state), relay, "127.0.0.1:0", lambda: now
    )
    for wiki in wikis:
        unit = kept.read_unit(wiki.ws.place.state)
        moved = [
            one._replace(address=f"127.0.0.1:{port}") for one in unit.members
        ]
        kept.write_unit(
            wiki.ws.place.state, unit._replace(members=tuple(moved))
        )
    try:
        yield port
    finally:
        server.stop(0).wait()


def test_five_members_learn_what_they_share_and_nothing_else(tmp_path):
    wikis = members(tmp_path, 5)
    with relay_of(wikis):
        for wiki in wikis:
            exchange.preview(wiki.ws)
            told = exchange.send(wiki.ws)
            assert told["answer"] == "taken"
        done = exchange.send(wikis[1].ws)

    assert done["answer"] == "already taken"
    assert (done["members"], done["heard"]) == (5, 1)
    (heard,), problems = peers.parse_peers(
        (wikis[1].root / peers.PATH).read_bytes()
    )
    assert not problems
    assert heard.owners == 4  # itself is no news
    run = json.loads(
        next(
            (wikis[1].root / ".companion/ledger").rglob("*federation*")
        ).read_text()
    )
    assert len(run["federation"]["members"]) == 5
    # no topic of one member alone came back
    assert exchange.status(wikis[1].ws)["influence"][0]["owners"] == 4


def test_no_byte_that_is_sent_depends_on_words(tmp_path):
    """The same keys and signals under other words give a message of the same size, all even noise."""
    wikis = members(tmp_path, 5)
    sizes = set()
    for wiki in wikis:
        exchange.preview(wiki.ws)
        (sent,) = kept.list_sent(wiki.ws.place.state)
        data = bytes.fromhex(sent.message)
        sizes.add(len(data))
        for word in ("Violetta", "Zanzibar", "Staging", "member"):
            assert word.encode() not in data
    assert sizes == {wire.size_of("Contribution")}


def test_nothing_is_sent_before_a_person_saw_it(tmp_path):
    wikis = members(tmp_path, 5)

    with pytest.raises(exchange.NotPreviewed):
        exchange.send(wikis[0].ws)
    assert kept.list_sent(wikis[0].ws.place.state) == []


def test_four_exchange_nothing_and_hear_why(tmp_path):
    wikis = members(tmp_path, 4)

    assert (
        "unit of 4 exchanges nothing"
        in exchange.preview(wikis[0].ws)["why_silent"]
    )
    told = exchange.send(wikis[0].ws)
    assert not told["sent"] and "unit of 4" in told["why"]
    assert exchange.status(wikis[0].ws)["to"] == []
    assert kept.list_sent(wikis[0].ws.place.state) == []


def test_off_by_default_and_status_says_so(tmp_path):
    status = exchange.status(Wiki.new(tmp_path / "alone").ws)

    assert status["joined"] is None
    assert status["leaves"] == status["to"] == []
    assert status["bytes_a_week"] == 0


def test_who_is_not_in_the_roster_is_not_heard(tmp_path):
    wikis = members(tmp_path, 5)
    stranger = Wiki.new(tmp_path / "stranger")
    exchange.make_card(stranger.ws, "s", "127.0.0.1:1")
    with relay_of(wikis):
        unit = kept.read_unit(wikis[0].ws.place.state)
        relay = unit.relay_card
        exchange.preview(wikis[1].ws)
        (sent,) = kept.list_sent(wikis[1].ws.place.state)
        with pytest.raises(transport.PeerUnreachable):
            transport.contribute(
                relay,
                read_keys(stranger.ws.place.state),
                bytes.fromhex(sent.message),
            )


def test_a_certificate_that_changed_is_not_believed(tmp_path):
    wikis = members(tmp_path, 5)
    other = exchange.make_card(Wiki.new(tmp_path / "x").ws, "x", "127.0.0.1:1")
    with relay_of(wikis):
        unit = kept.read_unit(wikis[1].ws.place.state)
        pinned = unit.relay_card._replace(certificate=other["certificate"])
        with pytest.raises(transport.PeerUnreachable):
            transport.contribute(
                pinned, read_keys(wikis[1].ws.place.state), b""
            )


@pytest.mark.parametrize(
    "smuggle",
    [
        lambda data: data + b"\x7a\x09Violetta!",  # an unknown field with text
        lambda data: data[:-1],
        lambda data: b"",
        lambda data: data + data,
        lambda data: b"\xff" * len(data),
        # a field of the same size that the schema does not know
        lambda data: data[:-9] + b"\xf9" + data[-8:],
    ],
)
def test_what_is_not_of_the_one_form_is_refused(tmp_path, smuggle):
    wikis = members(tmp_path, 5)
    with relay_of(wikis):
        keys = read_keys(wikis[1].ws.place.state)
        relay = kept.read_unit(wikis[1].ws.place.state).relay_card
        exchange.preview(wikis[1].ws)
        (sent,) = kept.list_sent(wikis[1].ws.place.state)
        with pytest.raises(
            transport.PeerUnreachable, match=r"invalid|exhausted"
        ):
            transport.contribute(
                relay, keys, smuggle(bytes.fromhex(sent.message))
            )


def test_a_second_sheet_for_one_week_is_refused(tmp_path):
    wikis = members(tmp_path, 5)
    unit = kept.read_unit(wikis[0].ws.place.state)
    relay = Relay(unit)
    round = wire.Round(2948, unit.roster, wire.MASKED)
    one = numpy.zeros(SIZE, dtype=numpy.uint64)

    assert relay.take(1, round, one, 2948) == wire.TAKEN
    assert relay.take(1, round, one, 2948) == wire.ALREADY
    assert relay.take(1, round, one + 1, 2948) == wire.REFUSED


@pytest.mark.parametrize("off", [-60, -2, 2, 5000])
def test_a_wrong_clock_moves_no_round(tmp_path, off):
    wikis = members(tmp_path, 5)
    unit = kept.read_unit(wikis[0].ws.place.state)
    week = 2948
    round = wire.Round(week + off, unit.roster, wire.MASKED)
    sheet = numpy.zeros(SIZE, dtype=numpy.uint64)

    assert Relay(unit).take(1, round, sheet, week) == wire.WRONG_ROUND


def test_a_week_in_which_one_is_missing_is_void_and_says_so(tmp_path):
    wikis = members(tmp_path, 5)
    with relay_of(wikis):
        for wiki in wikis[:4]:
            exchange.preview(wiki.ws)
            told = exchange.send(wiki.ws)
    assert told["heard"] == 0
    assert "not complete" in told["notes"][0]
    assert not (wikis[0].root / peers.PATH).exists()


def test_who_leaves_takes_a_share_along_and_the_rest_expires(tmp_path):
    wikis = members(tmp_path, 6)
    ws = wikis[0].ws
    unit = kept.read_unit(ws.place.state)
    heard = peers.Heard(
        unit.id,
        "e1",
        ws.now(),
        peers.after_weeks(ws.now(), 12),
        10,
        100,
        0,
        0,
        9,
        0,
        1,
        1.0,
        0.5,
        0.05,
        0.0,
    )
    wikis[0].write(peers.PATH, encode_peers([heard]).decode())
    from tests.wiki import git

    git(wikis[0].root, "add", "-A")
    git(wikis[0].root, "commit", "-qm", "heard")
    smaller = unit._replace(
        members=tuple(one for one in unit.members if one.name != "m5")
    )
    path = tmp_path / "smaller.json"
    path.write_bytes(exchange.kept.encode_unit(smaller))

    exchange.join(ws, str(path))

    (line,), _ = peers.parse_peers((wikis[0].root / peers.PATH).read_bytes())
    assert line.members == pytest.approx(5 / 6, abs=1e-5)
    assert line.left(peers.after_weeks(ws.now(), 12)) == 0.0
    assert exchange.leave(ws)["influence_until"] == heard.until


def test_keys_are_readable_by_their_owner_only(tmp_path):
    wiki = members(tmp_path, 5)[0]
    folder = Path(wiki.ws.place.state) / "federation"

    for path in folder.iterdir():
        assert os.stat(path).st_mode & 0o077 == 0, path.name


@pytest.mark.parametrize(
    "change",
    [
        {"profile": {"least": 3}},
        {"profile": {"trust": 5}},
        {"profile": {"unknown": 1}},
        {"kind": "church"},
        {"salt": "00"},
        {"relay": "0" * 16},
        {"relay": []},
        {"members": []},
    ],
)
def test_a_unit_that_would_weaken_the_rules_is_refused(tmp_path, change):
    wikis = members(tmp_path, 5)
    given = json.loads((tmp_path / "unit.json").read_text())
    path = tmp_path / "bad.json"
    path.write_text(json.dumps({**given, **change}))

    with pytest.raises(BadUnit):
        exchange.join(wikis[0].ws, str(path))


@pytest.mark.parametrize("card", [b"", b"\xff", b"[" * 50_000, b"1e999"])
def test_what_is_no_card_is_named(tmp_path, card):
    wiki = Wiki.new(tmp_path / "wiki")
    path = tmp_path / "card.json"
    path.write_bytes(card)

    with pytest.raises(BadUnit):
        exchange.assemble(wiki.ws, "team", [str(path)], None)
