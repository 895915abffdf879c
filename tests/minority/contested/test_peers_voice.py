"""Other people's wikis in row 5: one voice in a branch that stands here, and never more."""

import pytest

from companion.minority.challenge import (
    Incumbent,
    JoinedCapture,
    OpenBranch,
)
from companion.minority.clusters import Tie
from companion.minority.plan import plan_branches
from companion.minority.pressure import Telling

NOW = "2026-11-20T22:00:00.000000Z"
X = Incumbent("x", "the-spring", 0.7, 0.6, True)


def telling(source: str, day: int, trust: float = 1.0) -> Telling:
    when = f"2026-11-{day:02}T10:00:00.000000Z"
    return Telling(source, when, when, "", source, "cli", trust)


def member(name: str, day: int, cycle: int) -> JoinedCapture:
    words = " ".join(f"{name}{n}" for n in range(6))
    return JoinedCapture(name, cycle, (telling(name, day),), words)


def branch(*members: JoinedCapture, name: str = "b") -> OpenBranch:
    return OpenBranch(name, "x", 1, members, (2,))


def decide(branches, peers, incumbent=X):
    return plan_branches(
        [],
        branches,
        [Tie("one", "two", 0.9, False, 0.0, "same")],
        {"x": incumbent},
        cycle=5,
        now=NOW,
        peers=peers,
    )


PEERS = {
    "x": (telling("federation", 12, 0.5), "peers: 8 of 10 replaced theirs")
}


def test_one_voice_here_and_all_peers_do_not_replace_what_bears_weight():
    (alone,) = decide([branch(member("one", 3, 1))], {})
    (heard,) = decide([branch(member("one", 3, 1))], PEERS)

    assert alone.action == heard.action == "hold"
    assert heard.pressure.value > alone.pressure.value
    assert "peers: 8 of 10" in heard.reason
    assert "peers" not in alone.reason


def test_peers_can_tip_what_two_voices_here_almost_did():
    heavy = X._replace(effective=0.7)
    members = (member("one", 3, 1), member("two", 9, 2))

    (alone,) = decide([branch(*members)], {}, heavy)
    (heard,) = decide([branch(*members)], PEERS, heavy)

    assert alone.action == "hold"
    assert heard.action == "promote"


def test_peers_open_no_branch():
    assert decide([], PEERS) == ()


def test_a_branch_without_members_hears_no_peers():
    assert all(one.action != "promote" for one in decide([branch()], PEERS))


def test_nobody_knows_for_which_of_two_positions_peers_speak():
    rivals = [
        branch(member("one", 3, 1), name="a"),
        branch(member("three", 4, 1), name="c"),
    ]
    for one in decide(rivals, PEERS):
        assert "peers" not in one.reason


@pytest.mark.parametrize("prior", [0.05, 0.2])
def test_a_prior_raises_the_threshold_for_a_while_and_says_so(prior):
    carried = X._replace(prior=prior, prior_reason="peers' prior")
    members = branch(member("one", 3, 1), member("two", 9, 2))

    (plain,) = decide([members], {})
    (raised,) = decide([members], {}, carried)

    assert raised.threshold.value > plain.threshold.value
    assert "peers' prior" in raised.threshold.reason
