"""How assertions stand that all hold at one valid time (LED-3, LED-5, LED-16).

The value that became so last stands. Of values that became so together, as far as their precision
tells, the one stated as a change stands; of one voice, its newest. What is left is a tie: for its
owner a private claim wins it, else the operator of the key decides. A tie that nobody decides is
*disputed*. Pure.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from companion.annotations import Literal
from companion.ledger.declared_order import list_outnumbered
from companion.ledger.operators import Policy, Side, choose_side
from companion.tuples import NamedTuple
from companion.values.claims import PLACES, Assertion, Precision, Strategy

Status = Literal[
    "active",
    "superseded",
    "retracted",
    "disputed",
    "tentative",
    "future",
    "ended",
]
CORROBORATED = 2  # independent voices


class Standing(NamedTuple):
    """How one assertion stands at a valid time and a transaction time, and why."""

    assertion: Assertion
    status: Status
    reason: str
    # the assertions it stands against: its successors, its retraction, its opponents
    by: tuple[str, ...] = ()


Resolution = list[Standing]
# of what is so, or is claimed to be so by one side of a dispute
LIVE: tuple[Status, ...] = ("active", "disputed")


class PageFall(NamedTuple):
    """How an assertion lost its page's place to a minority branch (CON-8, CON-10)."""

    by: Collection[str]  # the assertions of the page that took its place
    young: bool  # the change of places is recent: both sides are shown
    reason: str


class Rules(NamedTuple):
    """How conflicts on a key are settled."""

    strategy: Strategy = "latest"
    policy: Policy = Policy()
    # assertions that a load-bearing entry states
    protected: Collection[str] = ()
    # assertions of pages that lost their place
    fallen: Mapping[str, PageFall] = {}
    # assertion -> its page, where pages mean things of their own by one name
    pages: Mapping[str, str] = {}


# How conflicts are settled where nothing else is said.
LATEST = Rules()


def settle(assertions: Sequence[Assertion], rules: Rules) -> Resolution:
    """Return how *assertions* on one key stand; all of them hold at the time in question.

    Pages that mean things of their own by one name are settled one by one.
    """
    if not any(a.functional for a in assertions):
        return [_stands(a) for a in assertions]
    values = {a.value for a in assertions}
    if not rules.pages or len(values) == 1:
        return _settle_single_valued(assertions, rules)
    if any(a.functional and a.id not in rules.pages for a in assertions):
        count = len(set(rules.pages.values()))
        unclear = (
            f"{count} pages speak of a thing of this name, "
            "and it is not said which of them it changes"
        )
        return _let_operator_choose(assertions, assertions, rules, unclear)
    return _settle_each_page(assertions, rules)


def list_standing_values(
    assertions: Sequence[Assertion], rules: Rules
) -> tuple[str, ...]:
    """Return the values that stand by `settle`, in order, without saying why.

    None of *assertions* is a denial. Where time alone decides, no standing is made: the history of
    a key asks this once for every change of it.
    """
    if not any(a.functional for a in assertions):
        return tuple(sorted({a.value for a in assertions}))
    if not _needs_pages(assertions, rules):
        rivals = _find_rivals(assertions, rules.strategy)
        tied = sorted({a.value for a in rivals})
        tied, _ = break_private_tie(tied, assertions)
        if len(tied) == 1:
            return (tied[0],)
    values = {
        each.assertion.value
        for each in settle(assertions, rules)
        if each.status in LIVE
    }
    return tuple(sorted(values))


def may_follow_time(assertions: Sequence[Assertion], rules: Rules) -> bool:
    """Tell whether nothing but time and ties can decide between *assertions* at any moment."""
    if rules.strategy != "latest" or _needs_pages(assertions, rules):
        return False
    return all(
        a.functional
        and not a.negated
        and a.scope == "shared"
        and a.declared is None
        for a in assertions
    )


def list_latest_values(assertions: Sequence[Assertion]) -> tuple[str, ...]:
    """Return the values that became so last, of *assertions* that `may_follow_time`."""
    rivals = _find_rivals(assertions, "latest")
    return tuple(sorted({a.value for a in rivals}))


def _needs_pages(assertions: Sequence[Assertion], rules: Rules) -> bool:
    """Tell whether more than time decides: pages of one name, fallen ones or protected ones."""
    if rules.pages:
        return True
    return any(
        a.id in rules.fallen or a.id in rules.protected for a in assertions
    )


def split_into_sides(
    rivals: Collection[Assertion],
) -> tuple[tuple[str, str], list[Side]]:
    """Return the key and the sides of a conflict; of several keys, the first in the alphabet."""
    tellings: dict[str, list[Assertion]] = {}
    for a in rivals:
        tellings.setdefault(a.value, []).append(a)
    sides = [Side(value, tuple(tellings[value])) for value in sorted(tellings)]
    return min(a.key for a in rivals), sides


def may_replace(a: Assertion) -> bool:
    """Tell whether *a* may replace a protected belief: a change stated with a time of its own."""
    return a.change and a.stated


def _settle_each_page(
    assertions: Sequence[Assertion], rules: Rules
) -> Resolution:
    """Settle each page by itself; what is on no page and may have several values stands."""
    by_page: dict[str, list[Assertion]] = {}
    standings: Resolution = []
    for a in assertions:
        if a.id in rules.pages:
            by_page.setdefault(rules.pages[a.id], []).append(a)
        else:
            standings.append(_stands(a))
    rules_of_page = rules._replace(pages={})
    for page in sorted(by_page):
        standings += settle(by_page[page], rules_of_page)
    return standings


def _settle_single_valued(
    assertions: Sequence[Assertion], rules: Rules
) -> Resolution:
    """Settle a key that has one value at a time."""
    fallen: Resolution = []
    rest: list[Assertion] = []
    for a in assertions:
        followers = _followers(a, assertions, rules)
        if followers:
            fallen.append(_fell(a, rules.fallen[a.id], followers))
        else:
            rest.append(a)
    if fallen:
        return _settle_single_valued(rest, rules) + fallen
    barred = _barred(assertions, rules)
    standings = [_contradicts_belief(a, assertions, rules) for a in barred]
    admitted = [a for a in assertions if a not in barred]
    return standings + _settle_latest(admitted, rules)


def _settle_latest(assertions: Sequence[Assertion], rules: Rules) -> Resolution:
    """Let the value that became so last stand; ties go to private claims, then to the operator."""
    if not assertions:
        # pages that took each other's place leave nothing to settle
        return []
    rivals = _find_rivals(assertions, rules.strategy)
    values = sorted({a.value for a in rivals})
    values, reason = break_private_tie(values, assertions)
    tellings = [a for a in assertions if a.value in values]
    if len(values) > 1:
        return _let_operator_choose(assertions, tellings, rules)
    standings = [_against(a, values[0], tellings, reason) for a in assertions]
    outnumbered = list_outnumbered(assertions)
    return [_say_outnumbered(each, outnumbered) for each in standings]


def _say_outnumbered(
    standing: Standing, outnumbered: Mapping[str, str]
) -> Standing:
    """Return *standing*, with the number that a later one has of their source if it lost by it."""
    reason = outnumbered.get(standing.assertion.id)
    if reason is None or standing.status != "superseded":
        return standing
    return standing._replace(reason=reason)


def _let_operator_choose(
    assertions: Sequence[Assertion],
    rivals: Sequence[Assertion],
    rules: Rules,
    unclear: str = "",
) -> Resolution:
    """Settle a tie of the *rivals* among *assertions*; where nobody decides it, it is *unclear*."""
    sides = split_into_sides(rivals)
    choice = choose_side(rules.strategy, *sides, rules.policy)
    if choice.value is None:
        reason = unclear or choice.reason
        return [_unsettled(a, rivals, reason) for a in assertions]
    return [
        _against(a, choice.value, rivals, choice.reason) for a in assertions
    ]


# -- pages that lost their place, and beliefs that are protected -----------------------------------


def _followers(
    a: Assertion, assertions: Sequence[Assertion], rules: Rules
) -> tuple[str, ...]:
    """Return what the page that took the place of *a*'s page says otherwise."""
    if a.id not in rules.fallen:
        return ()
    by = rules.fallen[a.id].by
    others = [b.id for b in assertions if b.id in by and b.value != a.value]
    return tuple(sorted(others))


def _barred(assertions: Sequence[Assertion], rules: Rules) -> list[Assertion]:
    """Return what contradicts a protected assertion and may not replace it."""
    protected = {a.value for a in assertions if a.id in rules.protected}
    if not protected:
        return []
    return [
        a for a in assertions if a.value not in protected and not may_replace(a)
    ]


# -- which became so last --------------------------------------------------------------------------


def _find_rivals(
    assertions: Sequence[Assertion], strategy: Strategy
) -> list[Assertion]:
    """Return the assertions that became so last, as far as time and the numbers that a source gave
    its own statements tell them apart.
    """
    outnumbered = list_outnumbered(assertions)
    current = [a for a in assertions if a.id not in outnumbered]
    if strategy == "latest":
        latest = _select_latest(current)
    else:
        latest = _select_latest_by_evidence(current)
    return _keep_newest_of_each_voice(_prefer_change(latest))


def _select_latest(assertions: Sequence[Assertion]) -> list[Assertion]:
    """Return those that nothing followed, as far as the coarser of two precisions tells."""
    newest = _newest_instants(assertions)
    # compared once for each precision: the history of a key asks this for every change of it
    last: dict[Precision, list[tuple[int, str]]] = {}
    for own in newest:
        for precision, at in newest.items():
            places = min(PLACES[precision], PLACES[own])
            last.setdefault(own, []).append((places, at[:places]))
    return [
        a
        for a in assertions
        if all(a.valid_from[:n] >= at for n, at in last[a.precision])
    ]


def _select_latest_by_evidence(
    assertions: Sequence[Assertion],
) -> list[Assertion]:
    """Return those that nothing is known to have followed (LED-3).

    Being told later is no evidence of a change. Two voices of which nobody said since when are for
    the operator; a voice still follows itself.
    """
    dated = [a for a in assertions if a.change or a.stated or a.given]
    newest = _newest_instants(dated)
    by_voice: dict[tuple[str, str], list[Assertion]] = {}
    for a in assertions:
        by_voice.setdefault(a.voice, []).append(a)
    own = {voice: _newest_instants(said) for voice, said in by_voice.items()}
    latest: list[Assertion] = []
    for a in assertions:
        if not _is_followed(a, newest) and not _is_followed(a, own[a.voice]):
            latest.append(a)
    return latest


def _newest_instants(assertions: Iterable[Assertion]) -> dict[Precision, str]:
    """Return the latest begin at each precision."""
    newest: dict[Precision, str] = {}
    for a in assertions:
        newest[a.precision] = max(a.valid_from, newest.get(a.precision, ""))
    return newest


def _is_followed(a: Assertion, newest: Mapping[Precision, str]) -> bool:
    return any(_is_later(at, precision, a) for precision, at in newest.items())


def _is_later(instant: str, precision: Precision, a: Assertion) -> bool:
    """Tell whether *instant* is after the begin of *a*, at the coarser of the two precisions."""
    places = min(PLACES[precision], PLACES[a.precision])
    return instant[:places] > a.valid_from[:places]


def _prefer_change(rivals: Sequence[Assertion]) -> list[Assertion]:
    """Drop what states no change where something does, unless it is later all the same."""
    changes = [a for a in rivals if a.change]
    return [a for a in rivals if a.change or _is_later_than_all(a, changes)]


def _is_later_than_all(a: Assertion, changes: Iterable[Assertion]) -> bool:
    return all(_is_later(a.valid_from, a.precision, c) for c in changes)


def _keep_newest_of_each_voice(rivals: Iterable[Assertion]) -> list[Assertion]:
    newest: dict[tuple[str, str], Assertion] = {}
    for a in sorted(rivals, key=_telling_order):
        newest[a.voice] = a
    return list(newest.values())


def _telling_order(a: Assertion) -> tuple[int, str, str, str]:
    return a.serial or 0, a.valid_from, a.told_at, a.id


# -- private and shared claims (LED-16) ------------------------------------------------------------


def _list_private(
    values: Collection[str], assertions: Iterable[Assertion]
) -> list[Assertion]:
    told = [a for a in assertions if a.value in values]
    return [a for a in told if a.scope == "private"]


def break_private_tie(
    values: Sequence[str], assertions: Collection[Assertion]
) -> tuple[list[str], str]:
    """Return which of the tied *values* remain, and why; all, without a reason, if scope decides
    nothing.

    Private wins unless a shared value is newer and corroborated: told again after the private one,
    and by two voices or more that are not the voice of the private claim. Only its owner reads a
    private claim, so one view never has those of two owners.
    """
    private = _list_private(values, assertions)
    private_values = sorted({a.value for a in private})
    if not private_values or len(private_values) == len(values):
        return list(values), ""
    shared = [value for value in values if value not in private_values]
    stronger = [
        value
        for value in shared
        if _is_newer_and_corroborated(value, assertions, private)
    ]
    if stronger:
        return (
            stronger,
            f"newer than what was told in private, and {CORROBORATED} voices or more tell it",
        )
    return private_values, "told in private, which wins a tie"


def _is_newer_and_corroborated(
    value: str, assertions: Iterable[Assertion], private: Sequence[Assertion]
) -> bool:
    owners = {a.voice for a in private}
    shared = [
        a for a in assertions if a.value == value and a.voice not in owners
    ]
    last_shared = max((a.told_at for a in shared), default="")
    last_private = max(a.told_at for a in private)
    voices = {a.voice for a in shared}
    return last_shared > last_private and len(voices) >= CORROBORATED


# -- standings -------------------------------------------------------------------------------------


def _stands(a: Assertion, reason: str = "") -> Standing:
    return Standing(a, "active", reason or "nothing told later says otherwise")


def _against(
    a: Assertion, value: str, tellings: Sequence[Assertion], reason: str
) -> Standing:
    """Return how *a* stands where *value* won, which *tellings* tell."""
    if a.value == value:
        return _stands(a, reason)
    by = tuple(sorted(t.id for t in tellings if t.value == value))
    return Standing(
        a, "superseded", reason or "another value became so later", by
    )


def _unsettled(
    a: Assertion, rivals: Sequence[Assertion], reason: str
) -> Standing:
    """Return how *a* stands where nobody decided between the *rivals*."""
    by = tuple(sorted(b.id for b in rivals if b.value != a.value))
    if any(b.value == a.value for b in rivals):
        return Standing(a, "disputed", reason, by)
    return Standing(a, "superseded", "other values became so later", by)


def _fell(a: Assertion, fall: PageFall, by: tuple[str, ...]) -> Standing:
    status: Status = "disputed" if fall.young else "superseded"
    return Standing(a, status, fall.reason, by)


def _contradicts_belief(
    a: Assertion, assertions: Sequence[Assertion], rules: Rules
) -> Standing:
    beliefs = [
        b.id
        for b in assertions
        if b.id in rules.protected and b.value != a.value
    ]
    reason = "contradicts a protected belief and is stated as no change"
    return Standing(a, "disputed", reason, tuple(sorted(beliefs)))
