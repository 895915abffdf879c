"""List what challenges an incumbent: captures outside any branch, and the open branches."""

from collections import defaultdict

from companion.comparison.pending import requested_title
from companion.minority.challenge import (
    Challenger,
    JoinedCapture,
    OpenBranch,
)
from companion.minority.gather import PhaseInput
from companion.pages import links
from companion.storage.index.history import list_subject_events
from companion.storage.index.tables.captures import is_extended
from companion.storage.index.tables.minority import Member


def list_challengers(given: PhaseInput) -> list[Challenger]:
    """Return the captures outside any branch that contradict an entry or speak for who does."""
    challengers = []
    for capture in given.pending:
        contradictions = given.contradictions.get(capture, ())
        if contradictions or _supports_challenger(given, capture):
            beliefs = tuple(one.belief for one in contradictions)
            challenger = _challenger(given, capture, beliefs)
            if is_extended(given.run.db, capture):
                challenger = challenger._replace(origin="extended")
            challengers.append(challenger)
    for capture, beliefs in given.quarantined.items():
        challenger = _challenger(given, capture, beliefs)
        challengers.append(challenger._replace(origin="quarantine"))
    for capture, belief in given.confirmed.items():
        challenger = _challenger(given, capture, (belief,))
        challengers.append(challenger._replace(origin="confirmed"))
    return challengers


def list_open_branches(given: PhaseInput) -> list[OpenBranch]:
    """Return the open branches with their members, as phase 4 weighs them."""
    members_of: defaultdict[str, list[Member]] = defaultdict(list)
    for member in given.members.values():
        members_of[member.branch].append(member)
    branches = []
    for branch in given.branches:
        members = members_of[branch.name]
        cycles: set[int] = set()
        for member in members:
            cycles.update(_list_cycles_told(given, member.capture))
        branches.append(
            OpenBranch(
                branch.name,
                given.incumbents[branch.name],
                given.cycles.get(branch.run, 0),
                tuple(_joined_capture(given, member) for member in members),
                tuple(sorted(cycles)),
            )
        )
    return branches


def _challenger(
    given: PhaseInput, capture: str, beliefs: tuple[str, ...]
) -> Challenger:
    text = given.text_of(capture)
    return Challenger(
        capture,
        beliefs,
        given.tellings_of(capture),
        text,
        harmful=given.is_harmful(capture, text),
        copied=given.find_copied(capture),
    )


def _supports_challenger(given: PhaseInput, capture: str) -> bool:
    """Tell whether a capture that contradicts nothing says what a challenger says.

    Then it may speak for that branch. If its title has a page already, it belongs there.
    """
    for tie in given.position_ties:
        if tie.support > 0 and capture in (tie.one, tie.other):
            return True
    title = requested_title(given.pending[capture])
    if title is not None and given.wiki.titles.get(links.title_key(title)):
        return False
    challengers = given.members.keys() | given.contradictions.keys()
    return any(
        judged.relation.label in ("same", "supports")
        and capture in (judged.capture, judged.other)
        and not challengers.isdisjoint((judged.capture, judged.other))
        for judged in given.evidence.among_captures
    )


def _joined_capture(given: PhaseInput, member: Member) -> JoinedCapture:
    text = given.text_of(member.capture)
    return JoinedCapture(
        member.capture,
        given.cycles.get(member.run, 0),
        given.tellings_of(member.capture),
        text,
        given.is_harmful(member.capture, text),
        agrees=given.agrees(member),
        supports=not member.contradicts,
        copied=given.find_copied(member.capture),
    )


def _list_cycles_told(given: PhaseInput, capture: str) -> list[int]:
    """Return the cycles in which a member was told again."""
    events = list_subject_events(given.run.db, capture, "sighted")
    cycles = [
        given.cycles[event.run] for event in events if event.run in given.cycles
    ]
    if capture in given.sighted_again:
        cycles.append(given.cycle)
    return cycles
