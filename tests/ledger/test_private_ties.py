"""Private wins ties unless the shared claim is newer and corroborated (LED-16)."""

from hypothesis import given
from hypothesis import strategies as st

from companion.ledger.settlement import break_private_tie
from companion.ledger.supersession import resolve
from companion.values.claims import Assertion

DAY = "2026-10-01T00:00:00.000000Z"
LATE = "9999-12-31T23:59:59.999999Z"


def tell(
    n: int,
    value: str,
    *,
    voice: str,
    told: int,
    private: bool = False,
    since: str = DAY,
) -> Assertion:
    return Assertion(
        f"id{n}",
        ("anna", "lives in"),
        value,
        f"2026-10-{told:02}T00:00:00.000000Z",
        since,
        precision="day",
        agent=voice,
        scope="private" if private else "shared",
    )


def stands(*told: Assertion) -> list[str]:
    standing = resolve(told, at=LATE, known_at=LATE)
    return sorted(
        {
            s.assertion.value
            for s in standing
            if s.status in ("active", "disputed")
        }
    )


def test_private_wins_a_tie() -> None:
    mine, theirs = (
        tell(1, "bern", voice="bot", told=2, private=True),
        tell(2, "rome", voice="x", told=3),
    )
    assert stands(mine, theirs) == ["bern"]
    # between peers it is disputed
    assert stands(mine._replace(scope="shared"), theirs) == ["bern", "rome"]


def test_one_voice_or_two_older_ones_do_not_take_it_away() -> None:
    mine = tell(1, "bern", voice="bot", told=5, private=True)
    again = [tell(n, "rome", voice="x", told=5 + n) for n in range(2, 5)]
    assert stands(mine, *again) == ["bern"]
    assert stands(
        mine,
        tell(2, "rome", voice="x", told=3),
        tell(3, "rome", voice="y", told=4),
    ) == ["bern"]


def test_newer_and_corroborated_wins_it_back() -> None:
    mine = tell(1, "bern", voice="bot", told=5, private=True)
    assert stands(
        mine,
        tell(2, "rome", voice="x", told=3),
        tell(3, "rome", voice="y", told=6),
    ) == ["rome"]


def test_the_owner_does_not_corroborate_what_stands_against_it() -> None:
    mine = tell(1, "bern", voice="bot", told=5, private=True)
    own = tell(2, "rome", voice="bot", told=5)._replace(serial=0)
    assert break_private_tie(
        ["bern", "rome"], [mine, own, tell(3, "rome", voice="x", told=6)]
    )[0] == ["bern"]


def test_it_concerns_ties_only() -> None:
    mine = tell(1, "bern", voice="bot", told=5, private=True)
    assert stands(
        mine,
        tell(2, "rome", voice="x", told=3, since="2026-10-02T00:00:00.000000Z"),
    ) == ["rome"]


claims = st.lists(
    st.builds(
        tell, st.integers(0, 99), st.sampled_from(["bern", "rome", "oslo"]), voice=st.sampled_from("abcd"),
        told=st.integers(1, 28), private=st.booleans(),
    ),
    min_size=1, max_size=8, unique_by=lambda a: a.id,
)  # fmt: skip


@given(claims, st.randoms())
def test_the_order_of_arrival_does_not_matter(
    told: list[Assertion], chance: object
) -> None:
    values = sorted({a.value for a in told})
    mixed = list(told)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    assert break_private_tie(values, told) == break_private_tie(values, mixed)
    assert stands(*told) == stands(*mixed)


@given(claims)
def test_it_only_chooses_among_what_is_tied_and_says_nothing_where_nothing_is_private(
    told: list[Assertion],
) -> None:
    values = sorted({a.value for a in told})
    kept, reason = break_private_tie(values, told)
    assert kept and set(kept) <= set(values)
    assert bool(reason) == (kept != values)
    private = {a.value for a in told if a.scope == "private"}
    assert set(kept) <= private or not set(kept) & private or kept == values
    assert break_private_tie(
        values, [a._replace(scope="shared") for a in told]
    ) == (
        values,
        "",
    )
