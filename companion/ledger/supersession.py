"""What is so, what was so, and what was believed when: supersession by rule over two clocks (LED-2
to LED-4, LED-10).

Everything here is a function of the *set* of assertions on one key, of a valid time T and of a
transaction time K. So the order of arrival cannot matter, answers about the past never change,
nothing is erased, and no similarity and no model takes part. At T the assertion that became so last
stands; of two that became so together, as far as their precision tells, the one stated as a change;
of one voice, its newest; anything else is for the key's operator, and what that leaves open is
*disputed*.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from companion.ledger import private_ties
from companion.ledger.operators import Policy, Side, choose_side, set_key
from companion.values.claims import Assertion, Precision, Strategy

# with the operators, the matters and the scope that settle a key
VERSION = "ledger-2"

Status = Literal[
    "active",
    "superseded",
    "retracted",
    "disputed",
    "tentative",
    "future",
    "ended",
]
# Characters of an instant that count at each precision.
_ALIKE: dict[Precision, int] = {
    "year": 4,
    "month": 7,
    "day": 10,
    "hour": 13,
    "minute": 16,
    "second": 27,
}


class Standing(NamedTuple):
    """How one assertion stands at (T, K), and why."""

    assertion: Assertion
    status: Status
    reason: str
    # the assertions it stands against: its successors, its retraction, its opponents
    by: tuple[str, ...] = ()


class PageFall(NamedTuple):
    """What became of an assertion whose page lost its place to a minority branch (CON-8,
    CON-10).
    """

    by: Collection[str]  # the assertions of the page that took its place
    young: bool  # the shift is: both sides are shown
    reason: str


class Rules(NamedTuple):
    """How conflicts on a key are settled."""

    strategy: Strategy = "latest"
    policy: Policy = Policy()
    # assertions that a load-bearing entry states
    protected: Collection[str] = ()
    # assertions that only a page states which lost its place
    fallen: Mapping[str, PageFall] = {}
    # assertion -> its page, where pages mean things of their own by one name
    pages: Mapping[str, str] = {}


# How conflicts are settled where nothing else is said.
LATEST = Rules()


Resolution = list[Standing]


def resolve(
    told: Iterable[Assertion],
    *,
    at: str,
    known_at: str,
    rules: Rules = Rules(),  # noqa: B008
) -> Resolution:
    """Return how every assertion on one key stands for valid time *at*, as known at *known_at*, the
    oldest first.

    Assertions of other keys must not be among them. Those told after *known_at* are not in the
    answer.
    """
    known = sorted(
        {a for a in told if a.told_at <= known_at}, key=_chronological
    )
    said, standings = _withdrawn(known)
    ends = {a.id: _end(a, said, rules) for a in said}
    now = [a for a in said if _holds(a, at, ends[a.id])]
    standings += [_absent(a, at, ends[a.id]) for a in said if a not in now]
    firm = [a for a in now if a.mood != "tentative"]
    standings += [
        Standing(a, "tentative", "said as a possibility")
        for a in now
        if a.mood == "tentative"
    ]
    standings += _settled(firm, rules)
    return sorted(
        standings, key=lambda standing: _chronological(standing.assertion)
    )


def find_conflicts(
    told: Iterable[Assertion], rules: Rules, *, at: str, known_at: str
) -> list[tuple[Assertion, Assertion]]:
    """Return (challenger, protected incumbent) pairs: belief conflicts, which take the minority
    path (LED-3, ROW-4).
    """
    standing = resolve(
        told, at=at, known_at=known_at, rules=rules._replace(protected=())
    )
    guarded = [
        s.assertion for s in standing if s.assertion.id in rules.protected
    ]
    live = [s.assertion for s in standing if s.status in ("active", "disputed")]
    return [
        (new, old)
        for old in guarded
        for new in live
        if _attacks(new, old) and not _may_replace(new)
    ]


def _attacks(new: Assertion, old: Assertion) -> bool:
    if new.negated:
        return _denies(new, old)
    return new.functional and new.value != old.value


def name_open_question(resolution: Resolution) -> str | None:
    """Return the name of the question that *resolution* leaves open (see `set_key`); None where it
    leaves none.

    What may not replace a protected belief is no question: its way is another.
    """
    disputed = {s.assertion.id: s for s in resolution if s.status == "disputed"}
    rivals = [
        s.assertion
        for s in disputed.values()
        if not disputed.keys().isdisjoint(s.by)
    ]
    return set_key(*_conflict(rivals)) if rivals else None


def _conflict(
    rivals: Sequence[Assertion],
) -> tuple[tuple[str, str], list[Side]]:
    """Return the key and the sides of a conflict; of a thing with several names, the first in the
    alphabet.
    """
    values = sorted({a.value for a in rivals})
    return min(a.key for a in rivals), [
        Side(v, tuple(a for a in rivals if a.value == v)) for v in values
    ]


class Spell(NamedTuple):
    """A stretch of valid time in which the same values stood."""

    start: str
    end: str | None  # exclusive; None: still so
    # several: a dispute, or a key that may have several; none: nothing was so
    values: tuple[str, ...]


def list_spells(
    told: Iterable[Assertion], *, known_at: str, rules: Rules = LATEST
) -> list[Spell]:
    """Return what stood when, as known at *known_at*, in order and without gaps from the first
    change on.
    """
    everything = list(told)
    spells: list[Spell] = []
    for moment in _turns(everything, known_at):
        standing = resolve(
            everything, at=moment, known_at=known_at, rules=rules
        )
        live = {
            s.assertion.value
            for s in standing
            if s.status in ("active", "disputed") and not s.assertion.negated
        }
        values = tuple(sorted(live))
        if spells and spells[-1].values == values:
            continue
        if spells:
            spells[-1] = spells[-1]._replace(end=moment)
        if spells or values:
            spells.append(Spell(moment, None, values))
    return spells


def _turns(told: Sequence[Assertion], known_at: str) -> list[str]:
    """Return the instants at which anything can change."""
    known = [a for a in told if a.told_at <= known_at]
    return sorted(
        {a.valid_from for a in known}
        | {a.valid_to for a in known if a.valid_to is not None}
    )


# -- what was taken back, what does not hold at T --------------------------------------------------


def _withdrawn(
    known: Sequence[Assertion],
) -> tuple[list[Assertion], Resolution]:
    """Divide *known* into what still is said and what its own voice took back."""
    back = [a for a in known if a.mood == "retracted"]
    said, standings = (
        [],
        [
            Standing(a, "retracted", "takes back what was told before")
            for a in back
        ],
    )
    for a in known:
        if a.mood == "retracted":
            continue
        by = [r.id for r in back if _takes_back(r, a)]
        if by:
            hand = min(
                (r.told_at for r in back if a.id in r.retracts), default=None
            )
            why = (
                "its own voice took it back"
                if hand is None
                else f"corrected by hand on {hand[:10]}"
            )
            standings.append(Standing(a, "retracted", why, tuple(by)))
        else:
            said.append(a)
    return said, standings


def _takes_back(retraction: Assertion, a: Assertion) -> bool:
    """Tell whether *a* is taken back: the owner's hand names what it corrects, a voice means its
    own words.
    """
    if retraction.retracts:
        return a.id in retraction.retracts
    # in one note too, line by line
    before = (a.told_at, a.serial or 0) < (
        retraction.told_at,
        retraction.serial or 0,
    )
    return (
        retraction.voice == a.voice
        and before
        and retraction.value in ("", a.value)
    )


def _holds(a: Assertion, at: str, end: str | None) -> bool:
    return not a.negated and a.valid_from <= at and (end is None or at < end)


def _end(a: Assertion, said: Sequence[Assertion], rules: Rules) -> str | None:
    """Return when *a* stopped being so: as it says itself, or by the first denial of its value that
    came later.
    """
    held = a.id in rules.protected
    denials = [
        d.valid_from
        for d in said
        if d.negated and _denies(d, a) and (_may_replace(d) or not held)
    ]
    ends = [*denials, *([a.valid_to] if a.valid_to is not None else [])]
    return min(ends, default=None)


def _denies(d: Assertion, a: Assertion) -> bool:
    return d.value in ("", a.value) and d.valid_from > a.valid_from


def _absent(a: Assertion, at: str, end: str | None) -> Standing:
    if a.negated:
        return Standing(a, "active", "says what is not so")
    if a.valid_from > at:
        return Standing(a, "future", f"becomes so at {a.valid_from}")
    return Standing(a, "ended", f"was so until {end}")


# -- one value at a time ---------------------------------------------------------------------------


def _settled(firm: Sequence[Assertion], rules: Rules) -> Resolution:
    """Settle what holds at the time in question: each page's own apart, and not what may mean
    either.
    """
    if not any(a.functional for a in firm):
        return [_stands(a) for a in firm]
    values = sorted({a.value for a in firm})
    if not rules.pages or len(values) == 1:
        return _single(firm, rules)
    if any(a.functional and a.id not in rules.pages for a in firm):
        choice = choose_side(rules.strategy, *_conflict(firm), rules.policy)
        pages = len(set(rules.pages.values()))
        why = f"{pages} pages speak of a thing of this name, and it is not said which of them it changes"
        if choice.value is None:
            return [_open(a, values, firm, why) for a in firm]
        return [_against(a, choice.value, firm, choice.reason) for a in firm]
    own = [
        [a for a in firm if rules.pages.get(a.id) == page]
        for page in sorted({*rules.pages.values(), ""})
    ]
    rest = [a for a in firm if a.id not in rules.pages]
    apart = [
        standing
        for part in own
        if part
        for standing in _settled(part, rules._replace(pages={}))
    ]
    return apart + [_stands(a) for a in rest]


def _single(firm: Sequence[Assertion], rules: Rules) -> Resolution:
    """Settle a single-valued key among assertions that all hold at the time in question."""
    lost = [a for a in firm if _followers(a, firm, rules)]
    if lost:
        rest = [a for a in firm if a not in lost]
        return _single(rest, rules) + [
            _lost(a, rules.fallen[a.id], _followers(a, firm, rules))
            for a in lost
        ]
    barred = _barred(firm, rules)
    open_ = [a for a in firm if a not in barred]
    last = (
        _last(open_) if rules.strategy == "latest" else _last_by_evidence(open_)
    )
    rivals = _newest_of_each_voice(_prefer_change(last))
    values = sorted({a.value for a in rivals})
    values, scoped = private_ties.break_tie(values, open_)
    tellings = tuple(a for a in open_ if a.value in values)
    standings = [_belief(a, rules, firm) for a in barred]
    if len(values) == 1:
        return standings + [
            _against(a, values[0], tellings, scoped) for a in open_
        ]
    choice = choose_side(rules.strategy, *_conflict(tellings), rules.policy)
    if choice.value is None:
        return standings + [
            _open(a, values, tellings, choice.reason) for a in open_
        ]
    return standings + [
        _against(a, choice.value, tellings, choice.reason) for a in open_
    ]


def _followers(
    a: Assertion, firm: Sequence[Assertion], rules: Rules
) -> tuple[str, ...]:
    """Return what the page that took the place of *a*'s says otherwise."""
    by = rules.fallen[a.id].by if a.id in rules.fallen else ()
    return tuple(
        sorted(b.id for b in firm if b.id in by and b.value != a.value)
    )


def _lost(a: Assertion, fall: PageFall, by: tuple[str, ...]) -> Standing:
    return Standing(
        a, "disputed" if fall.young else "superseded", fall.reason, by
    )


def _barred(firm: Sequence[Assertion], rules: Rules) -> list[Assertion]:
    """Return what may not replace a protected assertion tonight: it is no stated change with a time
    of its own.
    """
    guarded = {a.value for a in firm if a.id in rules.protected}
    return [
        a
        for a in firm
        if guarded and a.value not in guarded and not _may_replace(a)
    ]


def _may_replace(a: Assertion) -> bool:
    return a.change and a.stated


def _last(holding: Sequence[Assertion]) -> list[Assertion]:
    """Return what became so last: those that nothing followed, as far as the coarser of two
    precisions tells.
    """
    newest = _newest(holding)
    return [a for a in holding if not _followed(a, newest)]


def _last_by_evidence(holding: Sequence[Assertion]) -> list[Assertion]:
    """Return those that nothing is known to have followed: being told later is no evidence of a
    change (LED-3).

    So it is where somebody was named to decide: two voices of which nobody said since when are for
    the operator.
    """
    dated = _newest([a for a in holding if a.change or a.stated or a.given])
    voices: dict[tuple[str, str], list[Assertion]] = {}
    for a in holding:
        voices.setdefault(a.voice, []).append(a)
    own = {voice: _newest(said) for voice, said in voices.items()}
    return [
        a
        for a in holding
        if not _followed(a, dated) and not _followed(a, own[a.voice])
    ]


def _newest(holding: Sequence[Assertion]) -> dict[Precision, str]:
    newest: dict[Precision, str] = {}
    for a in holding:
        newest[a.precision] = max(a.valid_from, newest.get(a.precision, ""))
    return newest


def _followed(a: Assertion, newest: Mapping[Precision, str]) -> bool:
    return any(_later(at, precision, a) for precision, at in newest.items())


def _later(instant: str, precision: Precision, a: Assertion) -> bool:
    places = min(_ALIKE[precision], _ALIKE[a.precision])
    return instant[:places] > a.valid_from[:places]


def _prefer_change(rivals: Sequence[Assertion]) -> list[Assertion]:
    """Drop what says no change where something does, unless it is later all the same."""
    changes = [a for a in rivals if a.change]
    return [
        a
        for a in rivals
        if a.change
        or all(_later(a.valid_from, a.precision, c) for c in changes)
    ]


def _newest_of_each_voice(rivals: Sequence[Assertion]) -> list[Assertion]:
    newest: dict[tuple[str, str], Assertion] = {}
    for a in sorted(
        rivals, key=lambda a: (a.serial or 0, a.valid_from, a.told_at, a.id)
    ):
        newest[a.voice] = a
    return list(newest.values())


def _against(
    a: Assertion, value: str, tellings: Sequence[Assertion], settled: str = ""
) -> Standing:
    if a.value == value:
        return _stands(a, settled)
    by = tuple(sorted(t.id for t in tellings if t.value == value))
    return Standing(
        a, "superseded", settled or "another value became so later", by
    )


def _open(
    a: Assertion,
    values: Sequence[str],
    tellings: Sequence[Assertion],
    reason: str,
) -> Standing:
    if a.value in values:
        by = tuple(sorted(t.id for t in tellings if t.value != a.value))
        return Standing(a, "disputed", reason, by)
    return Standing(
        a,
        "superseded",
        "other values became so later",
        tuple(sorted(t.id for t in tellings)),
    )


def _belief(a: Assertion, rules: Rules, firm: Sequence[Assertion]) -> Standing:
    by = tuple(
        sorted(
            b.id for b in firm if b.id in rules.protected and b.value != a.value
        )
    )
    return Standing(
        a,
        "disputed",
        "contradicts a protected belief and is stated as no change",
        by,
    )


def _stands(a: Assertion, settled: str = "") -> Standing:
    return Standing(a, "active", settled or "nothing told later says otherwise")


def _chronological(a: Assertion) -> tuple[str, int, str, str]:
    return a.valid_from, a.serial or 0, a.told_at, a.id
