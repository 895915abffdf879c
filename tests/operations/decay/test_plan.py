"""What becomes of an entry whose vitality is low, and what protects it whatever its vitality."""

from typing import Any

import pytest

from companion.gravity.formula import Floor, Parts, Weight
from companion.operations.decay.plan import (
    Candidate,
    plan_decay,
    plan_flags,
    plan_statement,
)
from companion.values.decay.decay_policy import Policy, Terms

FLOOR = Floor(0.6, "0.6, for fewer than 30 entries", 3)
INSTANT, BEFORE, AFTER = (
    "2026-11-15T00:00:00.000000Z",
    "2026-11-01T08:00:00.000000Z",
    "2026-11-20T08:00:00.000000Z",
)
WEAK = Terms(0.001, 0.0, 0.0, 0.02, 0.0)
LIVELY = Terms(1.0, 0.0, 0.0, 0.2, 0.0)


def fate(instant: str | None = INSTANT, **about: Any) -> tuple[str, str]:
    plain = Candidate(
        "abcdefghij234567",
        "active",
        None,
        None,
        False,
        True,
        True,
        False,
        False,
        None,
        0.2,
        WEAK,
        0.021,
    )
    if about.get("state") == "decaying":
        plain = plain._replace(since=BEFORE, set_by="decay", whole=False)
    verdict = plan_decay(plain._replace(**about), FLOOR, Policy(), instant)
    return verdict.action, verdict.reason


def test_the_two_steps() -> None:
    """DEC-6: active → decaying → archived."""
    assert fate()[0] == "decaying"
    assert fate(state="decaying")[0] == "archived"
    assert fate(state="decaying", then=0.05)[0] == "kept", (
        "below the first threshold only"
    )
    assert fate(state="decaying", since=AFTER)[0] == "kept", (
        "not decaying for long enough"
    )


def test_what_is_alive_again_is_restored_where_decay_let_it_fade() -> None:
    assert fate(state="decaying", terms=LIVELY)[0] == "restored"
    for other in ("consolidate", "settle"):
        assert (
            fate(state="decaying", terms=LIVELY, set_by=other, reduced=True)[0]
            != "restored"
        )


@pytest.mark.parametrize(
    ("about", "why"),
    [
        ({"base": 0.61}, "other pages depend on it"),
        ({"pinned": True}, "pinned"),
        ({"replaced": "Nuts"}, "it took the place of “Nuts”, which is still"),
        ({"evidence": "Kept: it is in quarantine."}, "quarantine"),
        ({"then": 0.2}, "not been low for 7 days of use yet"),
        ({"instant": None}, "not been low for 7 days of use yet"),
    ],
)
@pytest.mark.parametrize("state", ["active", "decaying"])
def test_what_keeps_an_entry_whatever_its_vitality(
    state: str, about: dict[str, Any], why: str
) -> None:
    """DEC-2: the floor goes by base gravity; the terms, effective gravity among them, have no
    say.
    """
    action, reason = fate(state=state, **about)
    assert action == "kept" and why in reason


@pytest.mark.parametrize("state", ["active", "decaying"])
def test_effective_gravity_never_enters_the_floor(state: str) -> None:
    assert (
        fate(state=state, base=0.61, terms=Terms(0, 0, 0, 0.0001, 0))[0]
        == "kept"
    )
    assert (
        fate(state=state, base=0.59, terms=Terms(0, 0, 0, 0.09, 0))[0] != "kept"
    )


def test_who_lost_to_a_branch_waits_until_an_audit_reduced_it() -> None:
    """DEC-6: neither compressed nor archived before; both after."""
    lost = {"state": "decaying", "set_by": "consolidate", "whole": True}
    assert (
        "AUDIT has not reduced" in fate(**lost)[1] and fate(**lost)[0] == "kept"
    )
    assert fate(**lost, reduced=True, then=0.05)[0] == "compressed"
    assert fate(**lost, reduced=True)[0] == "archived"
    assert fate(**lost, reduced=True, base=0.61)[0] == "kept"


def test_what_an_audit_let_go_is_the_audits() -> None:
    assert fate(state="decaying", set_by="settle")[0] == "kept"


def test_a_page_that_is_its_owners_stays_in_its_place() -> None:
    assert fate(managed=False)[0] == "decaying", "in the index"
    assert fate(state="decaying", managed=False)[0] == "kept"


def test_every_verdict_tells_the_five_terms() -> None:
    for state in ("active", "decaying"):
        assert (
            "recency 0.001 + use 0.000 + utility 0.000 + gravity 0.020 - wear 0.000"
            in fate(state=state)[1]
        )


def test_a_day_on_which_its_owner_wrote_is_kept() -> None:
    action, reason = fate(diary=True)

    assert action == "kept"
    assert "wrote lines of your own" in reason


ALIVE = {"terms": LIVELY, "then": LIVELY.total}


def test_what_misleads_again_and_again_takes_both_steps_whatever_its_vitality() -> (
    None
):
    """DEC-7: the reads that it misled are not what keeps it."""
    misled = {**ALIVE, "bad": 5.0, "utility": -0.41}
    action, reason = fate(**misled)
    assert action == "decaying" and "misled" in reason
    assert fate(state="decaying", **misled)[0] == "archived"
    assert fate(state="decaying", since=AFTER, **misled)[0] == "kept"
    assert fate(instant=None, **misled)[0] == "kept"
    assert fate(base=0.7, **misled)[0] == "kept", "above the floor AUDIT judges"


def test_five_bad_reads_and_a_utility_of_three_tenths_mislead_enough() -> None:
    assert fate(**ALIVE, bad=5.0, utility=-0.3)[0] == "decaying"


@pytest.mark.parametrize(
    "about", [{"bad": 4.9, "utility": -0.9}, {"bad": 50.0, "utility": -0.29}]
)
def test_what_misled_seldom_or_helps_too_stays(about: dict[str, float]) -> None:
    assert fate(**ALIVE, **about)[0] == "kept"
    assert fate(state="decaying", **ALIVE, **about)[0] == "restored"


@pytest.mark.parametrize(
    ("since", "base", "instant", "goes"),
    [
        (BEFORE, 0.2, INSTANT, True),
        (INSTANT, 0.2, INSTANT, True),
        (AFTER, 0.2, INSTANT, False),
        (BEFORE, 0.61, INSTANT, False),
        (BEFORE, 0.2, None, False),
        (AFTER, 0.61, None, False),
    ],
)
def test_a_statement_that_lost_goes_once_no_page_needs_its_page(
    since: str, base: float, instant: str | None, goes: bool
) -> None:
    reason = plan_statement(since, base, FLOOR, instant)
    assert (reason is not None) is goes
    if reason is not None:
        assert reason.startswith("Archived: it lost")
        assert f"(since {since[:10]}, " in reason


def weight(*, above: bool) -> Weight:
    return Weight(Parts(1.0, 0, 0, 0), 1.0, 0.5, 0.5, 0.0, 0.6, above, above)


def test_flags_follow_gravity_and_leave_with_the_entry() -> None:
    weights = {
        name: weight(above=name in ("b", "d")) for name in ("a", "b", "c", "d")
    }
    verdicts = plan_flags(weights, FLOOR, {"c", "d", "gone"})
    assert [(one.subject, one.action) for one in verdicts] == [
        ("b", "protected"),
        ("c", "unprotected"),
        ("gone", "unprotected"),
    ]
    assert "it is archived" in verdicts[2].reason


@pytest.mark.parametrize("state", ["active", "decaying"])
def test_what_is_as_low_as_a_threshold_is_not_below_it(state: str) -> None:
    policy = Policy()
    assert fate(state=state, then=policy.decaying)[0] == "kept"
    if state == "active":
        assert fate(then=policy.decaying - 1e-6)[0] == "decaying"
    else:
        assert fate(state=state, then=policy.archived)[0] == "kept"
        under = policy.archived - 1e-6
        assert fate(state=state, then=under)[0] == "archived"


def test_what_lost_to_a_branch_is_compressed_until_it_is_below_the_second() -> (
    None
):
    policy = Policy()
    lost = {"state": "decaying", "set_by": "consolidate", "reduced": True}
    whole = {**lost, "whole": True}
    assert fate(**whole, then=policy.archived)[0] == "compressed"
    assert fate(**whole, then=policy.archived - 1e-6)[0] == "archived"
    assert fate(**lost, then=policy.archived)[0] == "kept"
    assert fate(**whole, managed=False, then=policy.archived)[0] == "kept"
    # DECAY itself has compressed what it let fade
    decayed = {**whole, "set_by": "decay"}
    assert fate(**decayed, then=policy.archived)[0] == "kept"


def test_what_is_as_lively_as_the_threshold_is_restored() -> None:
    threshold = Policy().decaying
    border = Terms(threshold, 0.0, 0.0, 0.0, 0.0)
    under = Terms(threshold - 0.001, 0.0, 0.0, 0.0, 0.0)
    assert fate(state="decaying", terms=border)[0] == "restored"
    assert fate(state="decaying", terms=under)[0] == "archived"


def test_a_page_on_the_floor_is_below_it() -> None:
    assert fate(base=0.6)[0] == "decaying"
    assert fate(base=0.600001)[0] == "kept"


def test_what_was_never_said_to_decay_is_not_archived() -> None:
    assert fate(state="decaying", since=None)[0] == "kept"
    assert fate(state="decaying", since=INSTANT)[0] == "archived"


@pytest.mark.parametrize(
    ("about", "sentence"),
    [
        ({"myself": True}, "Kept: its owner says there who they are."),
        ({"set_by": "settle"}, "Kept: AUDIT made it decaying, and only"),
        ({"set_by": "consolidate"}, "Kept: it lost to a minority branch"),
        ({"managed": False}, "Kept in its place: the page is its owner's"),
        ({"since": AFTER}, "Kept: it has not been decaying for 7 days of use"),
    ],
)
def test_what_keeps_a_fading_entry_is_said(
    about: dict[str, Any], sentence: str
) -> None:
    action, reason = fate(state="decaying", **about)
    assert action == "kept" and reason.startswith(sentence)


def test_a_verdict_has_the_numbers_to_a_millionth() -> None:
    plain = Candidate(
        "entry", "active", None, None, False, True, True, False, False,
        None, 0.12345678, WEAK, 0.021,
    )  # fmt: skip
    verdict = plan_decay(plain, FLOOR, Policy(), INSTANT)
    assert verdict.subject == "entry"
    assert verdict.data == {"gravity": 0.123457, "floor": 0.6}


def test_a_flag_says_who_protects_and_how_much_depends_on_it() -> None:
    own = weight(above=True)._replace(myself=True)
    weights = {"a": own, "b": weight(above=True), "c": weight(above=False)}
    weights["b"] = weights["b"]._replace(base=0.12345678, myself=False)
    verdicts = plan_flags(weights, FLOOR, {"c", "gone"})
    reasons = [one.reason for one in verdicts]
    assert reasons[0].startswith("Protected: its owner says there who they are")
    assert reasons[1].startswith("Protected: other pages depend on it.")
    assert "is above the floor 0.60: 0.6, for fewer" in reasons[1]
    assert reasons[2].startswith("No longer protected: too little depends on")
    assert "is not above the floor" in reasons[2]
    assert verdicts[1].data == {"gravity": 0.123457, "floor": 0.6}
    assert verdicts[3].data == {"gravity": 0, "floor": 0.6}
