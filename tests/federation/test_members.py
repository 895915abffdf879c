"""Who joins and who leaves (MaM §10.2): what a newcomer brings, inherits and can see, and what goes with a
leaver; and what each kind of unit is by its profile.
"""

import json
from pathlib import Path

import pytest

from companion.federation import exchange, kept, wire
from companion.federation.arrive import Own, match_release
from companion.federation.sums.profiles import ANONYMITY, PROFILES, Kind
from companion.federation.sums.sketch import Signal, make_sheet
from companion.federation.unit import Unit, encode_unit, parse_unit
from companion.routing import peers
from companion.routing.peers import Heard, after_weeks, find_priors
from tests.federation.test_exchange import members, relay_of
from tests.wiki import Wiki

SALT = bytes(range(32))
NOW = "2026-07-06T08:00:00.000000Z"
KINDS = tuple(PROFILES)


def send_all(wikis: list[Wiki]) -> None:
    """Let all of one unit tell this week's signals, and take in what is released."""
    with relay_of(wikis):
        for _ in range(2):
            for wiki in wikis:
                exchange.preview(wiki.ws)
                exchange.send(wiki.ws)


def heard_by(wiki: Wiki) -> list[Heard]:
    path = wiki.root / peers.PATH
    if not path.exists():
        return []
    heard, problems = peers.parse_peers(path.read_bytes())
    assert problems == []
    return heard


def take_roster(wikis: list[Wiki], unit: Unit, path: Path) -> None:
    path.write_bytes(encode_unit(unit))
    for wiki in wikis:
        exchange.join(wiki.ws, str(path))


@pytest.fixture
def six(tmp_path: Path) -> list[Wiki]:
    """Six wikis: a unit of the first five, which told each other once; the sixth comes later."""
    wikis = members(tmp_path, 6)
    whole = kept.read_unit(wikis[0].ws.place.state)
    five = [one for one in whole.members if one.name != "m5"]
    take_roster(
        wikis[:5], whole._replace(members=tuple(five)), tmp_path / "5.json"
    )
    exchange.leave(wikis[5].ws)
    send_all(wikis[:5])
    (tmp_path / "6.json").write_bytes(encode_unit(whole))
    return wikis


def test_a_newcomer_inherits_nothing_and_takes_nothing_from_those_who_were_there(
    tmp_path: Path, six: list[Wiki]
) -> None:
    before = [heard_by(wiki) for wiki in six]
    assert [len(one) for one in before] == [1, 1, 1, 1, 1, 0]
    for wiki in six:
        exchange.join(wiki.ws, str(tmp_path / "6.json"))
    assert [heard_by(wiki) for wiki in six] == before
    assert heard_by(six[0])[0].members == 1.0


def test_a_newcomer_sees_a_preview_first_and_so_does_everybody_else(
    tmp_path: Path, six: list[Wiki]
) -> None:
    for wiki in six:
        exchange.join(wiki.ws, str(tmp_path / "6.json"))
        with pytest.raises(exchange.NotPreviewed):
            exchange.send(wiki.ws)


def test_who_keeps_the_old_roster_is_told_so_and_moves_nothing(
    tmp_path: Path, six: list[Wiki]
) -> None:
    for wiki in six[:4] + six[5:]:
        exchange.join(wiki.ws, str(tmp_path / "6.json"))
        wiki.tick(days=7)
    six[4].tick(days=7)
    with relay_of(six):
        exchange.preview(six[4].ws)
        told = exchange.send(six[4].ws)
    assert told["answer"] == wire.ANSWERS[wire.REFUSED]
    assert "another roster" in told["notes"][0]
    assert (told["heard"], told["run"]) == (0, None)


def test_once_joined_a_newcomer_counts_as_one_and_stands_on_record(
    tmp_path: Path, six: list[Wiki]
) -> None:
    for wiki in six:
        exchange.join(wiki.ws, str(tmp_path / "6.json"))
        wiki.tick(days=7)
    send_all(six)
    assert [heard_by(wiki)[0].owners for wiki in six] == [5] * 6
    names = sorted(six[5].root.glob(".companion/ledger/**/*federation*"))
    origin = json.loads(names[-1].read_text().splitlines()[0])["federation"]
    whole = kept.read_unit(six[5].ws.place.state)
    assert origin["members"] == [one.fingerprint for one in whole.members]


def test_one_who_comes_and_one_who_goes_in_one_roster(
    tmp_path: Path, six: list[Wiki]
) -> None:
    whole = parse_unit((tmp_path / "6.json").read_bytes())
    others = tuple(one for one in whole.members if one.name != "m4")
    changed = [*six[:4], six[5]]
    take_roster(
        changed, whole._replace(members=others), tmp_path / "changed.json"
    )
    # the share of four of the five who told it is left; the newcomer told nothing of it
    assert heard_by(six[0])[0].members == pytest.approx(4 / 5)
    assert heard_by(six[5]) == []


# -- what each kind of unit is ----------------------------------------------------------------------


def hear(kind: Kind) -> Heard:
    """What a unit of *kind* leaves of a topic that weighs all it can elsewhere, by office, too."""
    unit = Unit(kind, SALT, "r", (), PROFILES[kind])
    told = Signal(owners=1, gravity=15, authority=3, won=1)
    (line,) = match_release(
        make_sheet({"oven": told}, SALT, 2950),
        [Own("oven", "e1", None)],
        unit,
        week=2950,
        tolerated=1,
        now=NOW,
    )
    return line


def test_the_kinds_are_the_papers() -> None:
    assert KINDS == ("family", "team", "department", "community")


@pytest.mark.parametrize("kind", KINDS)
def test_no_kind_lets_fewer_than_five_be_seen(kind: Kind) -> None:
    assert PROFILES[kind].least >= ANONYMITY == 5


def test_families_have_the_longest_horizon_and_communities_the_shortest() -> (
    None
):
    """§10.2: generations, then roles that are handed over, then hiring, then whoever comes."""
    ends = [
        hear(kind).until
        for kind in ("community", "team", "department", "family")
    ]
    assert ends == sorted(set(ends))
    for kind in KINDS:
        line = hear(kind)
        assert line.until == after_weeks(NOW, PROFILES[kind].life)
        assert 0 < line.left(after_weeks(NOW, PROFILES[kind].life - 1)) < 1
        assert line.left(line.until) == 0.0


def test_an_office_counts_in_a_department_only_and_apart_from_gravity() -> None:
    """FED-2: formal authority is a signal of its own."""
    for kind in KINDS:
        prior = find_priors([hear(kind)], NOW)["e1"]
        profile = PROFILES[kind]
        assert prior.value == pytest.approx(profile.prior + profile.authority)
        assert (profile.authority > 0) == (kind == "department")
        office = f"formal authority {profile.authority:.3f}"
        assert office in prior.reason


def test_whoever_may_join_weighs_least() -> None:
    """No formal boundary around a community: its word is the lightest, its prior the smallest."""
    others = [PROFILES[kind] for kind in KINDS if kind != "community"]
    community = PROFILES["community"]
    assert community.trust < min(one.trust for one in others)
    assert community.prior < min(one.prior for one in others)
    assert community.epsilon < min(one.epsilon for one in others)


@pytest.mark.parametrize("kind", KINDS)
def test_no_word_of_others_weighs_as_much_as_a_note_here(kind: Kind) -> None:
    assert 0 < hear(kind).trust < 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_units_file_names_its_kind_and_all_of_its_profile(
    tmp_path: Path, kind: Kind
) -> None:
    wikis = members(tmp_path, 5)
    cards = [str(tmp_path / f"card{n}.json") for n in range(5)]
    given = exchange.assemble(wikis[0].ws, kind, cards, "m0")
    assert given["profile"] == PROFILES[kind]._asdict()
    path = tmp_path / f"{kind}.json"
    path.write_text(json.dumps(given))
    exchange.join(wikis[0].ws, str(path))
    joined = exchange.status(wikis[0].ws)["joined"]
    assert joined is not None and joined["kind"] == kind
