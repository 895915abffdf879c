"""Supersession by rule over two clocks: what is so, what was so, and what was known when (LED-2 to
LED-4, LED-10).

Everything here is a function of the *set* of assertions on one key, of a valid time T and of a
transaction time K. So the order of arrival cannot matter, answers about the past never change, and
nothing is erased. No similarity and no model takes part. `settlement` decides between assertions
that hold at T together.
"""

from collections.abc import Iterable, Sequence
from itertools import chain, groupby

from companion.ledger.operators import set_key
from companion.ledger.settlement import (
    LATEST,
    LIVE,
    Resolution,
    Rules,
    Standing,
    list_latest_values,
    list_standing_values,
    may_follow_time,
    may_replace,
    settle,
    split_into_sides,
)
from companion.tuples import NamedTuple
from companion.values.claims import PLACES, Assertion, Precision

# with the operators, the matters and the scope that settle a key
VERSION = "ledger-4"


def resolve(
    assertions: Iterable[Assertion],
    *,
    at: str,
    known_at: str,
    rules: Rules = LATEST,
) -> Resolution:
    """Return how every assertion on one key stands for valid time *at*, as known at *known_at*, the
    oldest first.

    Assertions of other keys must not be among them. Those told after *known_at* are not in the
    answer.
    """
    upheld, standings = _separate_retracted(_list_known(assertions, known_at))
    firm: list[Assertion] = []
    for a, end in _list_ends(upheld, rules):
        if not _holds(a, at, end):
            by = _list_corrections(a, upheld, rules)
            standings.append(_absent(a, at, end, by))
        elif a.mood == "tentative":
            standings.append(Standing(a, "tentative", "said as a possibility"))
        else:
            firm.append(a)
    standings += settle(firm, rules)
    return sorted(standings, key=lambda each: _chronological(each.assertion))


def find_conflicts(
    assertions: Iterable[Assertion], rules: Rules, *, at: str, known_at: str
) -> list[tuple[Assertion, Assertion]]:
    """Return (challenger, protected incumbent) pairs: belief conflicts, which take the minority
    path (LED-3, ROW-4).
    """
    standings = resolve(
        assertions, at=at, known_at=known_at, rules=rules._replace(protected=())
    )
    challengers = [
        each.assertion
        for each in standings
        if each.status in LIVE and not may_replace(each.assertion)
    ]
    pairs: list[tuple[Assertion, Assertion]] = []
    for each in standings:
        old = each.assertion
        if old.id in rules.protected:
            pairs += [(new, old) for new in challengers if _attacks(new, old)]
    return pairs


def _attacks(new: Assertion, old: Assertion) -> bool:
    if new.negated:
        return _denies(new, old)
    return new.functional and new.value != old.value


def name_open_question(resolution: Resolution) -> str | None:
    """Return the name of the question that *resolution* leaves open (see `set_key`); None where it
    leaves none.

    A dispute with a protected belief alone is no question: it waits in a minority branch.
    """
    disputed = [each for each in resolution if each.status == "disputed"]
    ids = {each.assertion.id for each in disputed}
    rivals = [
        each.assertion for each in disputed if not ids.isdisjoint(each.by)
    ]
    if not rivals:
        return None
    return set_key(*split_into_sides(rivals))


class Spell(NamedTuple):
    """A stretch of valid time in which the same values stood."""

    start: str
    end: str | None  # exclusive; None: still so
    # several: a dispute, or a key that may have several; none: nothing was so
    values: tuple[str, ...]


def _list_ends_of_firm(
    known: Sequence[Assertion], rules: Rules
) -> list[tuple[Assertion, str | None]]:
    """Return what is upheld and not tentative among *known*, each with when it ends."""
    upheld, _ = _separate_retracted(known)
    ends = _list_ends(upheld, rules)
    return [(a, end) for a, end in ends if a.mood != "tentative"]


def list_spells(
    assertions: Iterable[Assertion], *, known_at: str, rules: Rules = LATEST
) -> list[Spell]:
    """Return what stood when, as known at *known_at*, in order and without gaps from the first
    change on.
    """
    known = _list_known(assertions, known_at)
    ends = _list_ends_of_firm(known, rules)
    decided = _decide_by_time(ends, rules)
    spells: list[Spell] = []
    for moment in _turning_points(known):
        if moment in decided:
            values = decided[moment]
        else:
            firm = [a for a, end in ends if _holds(a, moment, end)]
            values = list_standing_values(firm, rules)
        if spells and spells[-1].values == values:
            continue
        if spells:
            spells[-1] = spells[-1]._replace(end=moment)
        if spells or values:
            spells.append(Spell(moment, None, values))
    return spells


def _decide_by_time(
    ends: Sequence[tuple[Assertion, str | None]], rules: Rules
) -> dict[str, tuple[str, ...]]:
    """Return what stood from each instant on at which time alone decides.

    The history of a key is mostly that. Whatever begins at an instant is held against the newest
    of each precision, not against all told before: a series of years has hundreds of tellings.
    """
    told = [a for a, _ in ends]
    if any(end is not None for _, end in ends):
        return {}
    if not may_follow_time(told, rules):
        return {}
    decided: dict[str, tuple[str, ...]] = {}
    newest: dict[Precision, list[Assertion]] = {}
    for moment, begun in groupby(told, key=lambda a: a.valid_from):
        for a in begun:
            _keep_newest(newest, a)
        values = list_latest_values(list(chain(*newest.values())))
        if len(values) == 1:
            decided[moment] = values
    return decided


def _keep_newest(
    newest: dict[Precision, list[Assertion]], a: Assertion
) -> None:
    """Add *a* to those of its precision, which it may have followed as far as that tells."""
    places = PLACES[a.precision]
    together = newest.get(a.precision, [])
    if together and together[0].valid_from[:places] != a.valid_from[:places]:
        together = []
    newest[a.precision] = [*together, a]


def _list_known(
    assertions: Iterable[Assertion], known_at: str
) -> list[Assertion]:
    """Return the assertions that were told by *known_at*, the oldest first."""
    known = {a for a in assertions if a.told_at <= known_at}
    return sorted(known, key=_chronological)


def _turning_points(known: Iterable[Assertion]) -> list[str]:
    """Return the instants at which anything can change."""
    instants: set[str] = set()
    for a in known:
        instants.add(a.valid_from)
        if a.valid_to is not None:
            instants.add(a.valid_to)
    return sorted(instants)


# -- what was taken back ---------------------------------------------------------------------------


def _separate_retracted(
    known: Sequence[Assertion],
) -> tuple[list[Assertion], Resolution]:
    """Return what of *known* is still upheld, and the standings of retractions and of what they
    take back.
    """
    retractions = [a for a in known if a.mood == "retracted"]
    standings = [
        Standing(r, "retracted", "takes back what was told before")
        for r in retractions
    ]
    upheld: list[Assertion] = []
    for a in known:
        if a.mood == "retracted":
            continue
        back = [r for r in retractions if _takes_back(r, a)]
        if back:
            standings.append(_taken_back(a, back))
        else:
            upheld.append(a)
    return upheld, standings


def _takes_back(retraction: Assertion, a: Assertion) -> bool:
    """Tell whether *retraction* takes *a* back.

    A correction by hand names the assertions it means; a voice means its own earlier words.
    """
    if retraction.retracts:
        return a.id in retraction.retracts
    if retraction.voice != a.voice or retraction.value not in ("", a.value):
        return False
    # within one note, line by line
    return _told(a) < _told(retraction)


def _told(a: Assertion) -> tuple[str, int]:
    return a.told_at, a.serial or 0


def _taken_back(a: Assertion, back: Sequence[Assertion]) -> Standing:
    reason = "its own voice took it back"
    by_hand = [r.told_at for r in back if r.retracts]
    if by_hand:
        reason = f"corrected by hand on {min(by_hand)[:10]}"
    return Standing(a, "retracted", reason, tuple(r.id for r in back))


# -- what does not hold at the valid time ----------------------------------------------------------


def _holds(a: Assertion, at: str, end: str | None) -> bool:
    return not a.negated and a.valid_from <= at and (end is None or at < end)


def _list_ends(
    upheld: Sequence[Assertion], rules: Rules
) -> list[tuple[Assertion, str | None]]:
    """Return each assertion with when it stopped being so, None where it did not.

    It ends as it says itself, by the first later denial of its value, or by another value that was
    so before it was told.
    """
    denials = [d for d in upheld if d.negated]
    changes = [c for c in upheld if may_replace(c)]
    return [(a, _end(a, denials, changes, rules)) for a in upheld]


def _end(
    a: Assertion,
    denials: Iterable[Assertion],
    changes: Iterable[Assertion],
    rules: Rules,
) -> str | None:
    is_protected = a.id in rules.protected
    ends: list[str] = []
    if a.valid_to is not None:
        ends.append(a.valid_to)
    for denial in denials:
        counts = may_replace(denial) or not is_protected
        if counts and _denies(denial, a):
            ends.append(denial.valid_from)
    ends += [c.valid_from for c in _list_corrections(a, changes, rules)]
    return min(ends, default=None)


def _denies(denial: Assertion, a: Assertion) -> bool:
    return denial.value in ("", a.value) and denial.valid_from > a.valid_from


def _corrects(change: Assertion, a: Assertion) -> bool:
    """Tell whether *change*, told after *a*, was so before *a* was told without a time.

    Nobody said since when *a* was so; that it was still so when it was told is the default.
    """
    if not _says_since_when(change) or a.stated or a.given or a.change:
        return False
    if a.told_at >= change.told_at or change.valid_from > a.valid_from:
        return False  # told later, or time decides
    if change.negated:
        return change.value == a.value
    return change.functional and change.value != a.value


def _says_since_when(a: Assertion) -> bool:
    """Tell whether somebody says of today since when it is so: "since May it runs on Forgejo"."""
    return may_replace(a) and not a.given and a.mood == "confirmed"


def _list_corrections(
    a: Assertion, others: Iterable[Assertion], rules: Rules
) -> list[Assertion]:
    """Return those of *others*, on the page of *a*, that say what was so before *a* was told."""
    page = rules.pages.get(a.id)
    return [
        one
        for one in others
        if rules.pages.get(one.id) == page and _corrects(one, a)
    ]


def _absent(
    a: Assertion, at: str, end: str | None, by: Sequence[Assertion]
) -> Standing:
    if a.negated:
        return Standing(a, "active", "says what is not so")
    if by:
        reason = "another value was so before this was told"
        ids = tuple(sorted(one.id for one in by))
        return Standing(a, "superseded", reason, ids)
    if a.valid_from > at:
        return Standing(a, "future", f"becomes so at {a.valid_from}")
    return Standing(a, "ended", f"was so until {end}")


def _chronological(a: Assertion) -> tuple[str, int, str, str]:
    return a.valid_from, a.serial or 0, a.told_at, a.id
