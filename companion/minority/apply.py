"""Carry out what phase 4 decides, as pages of branches and ledger lines."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace

from companion.comparison.consistency import Judged, describe_cost
from companion.comparison.evidence import Evidence
from companion.comparison.pending import (
    PendingCapture,
    WikiContext,
    format_chat_turn,
    is_chat,
    page_title,
)
from companion.language.headline import headline
from companion.language.names.naming_contradictions import name_contradiction
from companion.ledger.read_notes import Sighted
from companion.minority.beliefs import entry_of, split_belief
from companion.minority.challenge import Decision
from companion.minority.clusters import Tie
from companion.minority.gather import PhaseInput, collect_phase_input
from companion.minority.outcome import Outcome
from companion.minority.pages import MemberPage, member_page, member_path
from companion.minority.parties.challengers import (
    list_challengers,
    list_open_branches,
)
from companion.minority.parties.incumbents import (
    find_peer_voices,
    list_incumbents,
)
from companion.minority.plan import list_repeating_sources, plan_branches
from companion.minority.pressure import DEFAULT
from companion.minority.promote import Promotion, list_names_in_use, report_on
from companion.pages import ids
from companion.routing.watch_signals import SignalWatch
from companion.runs.run import Run
from companion.storage.git import capture_buffer, objects
from companion.storage.index.history import list_subject_events
from companion.storage.index.tables.captures import (
    find_page_of_capture,
    is_extended,
    list_known_sources,
)
from companion.storage.index.tables.pages.entries import find_title
from companion.values.events import LedgerLine
from companion.values.time import local_moment
from companion.values.wording import comparable_name

VERSION = "minority-7"
# of one capture that the ledger keeps: what its cohesion is computed from in later cycles
_TIES = 8


def decide_branches(
    run: Run,
    captures: Sequence[PendingCapture],
    wiki: WikiContext,
    evidence: Evidence,
    sighted_again: Sequence[Sighted],
    moment: str,
    *,
    watch: SignalWatch,
    edited: Collection[str] = (),
) -> Outcome:
    """Return what phase 4 does with *captures* tonight, given the *evidence* of phases 1 and 2.

    *edited* are the entries of whose edits the ledger does not know yet.
    """
    given = collect_phase_input(
        run, captures, wiki, evidence, sighted_again, moment, watch, edited
    )
    if not given.has_anything_to_decide():
        return Outcome()
    challengers = list_challengers(given)
    branches = list_open_branches(given)
    repeating = list_repeating_sources(challengers, branches, given.ties)
    known = list_known_sources(run.db, sorted(repeating))
    decisions = plan_branches(
        challengers,
        branches,
        given.ties,
        list_incumbents(given),
        cycle=given.cycle,
        now=moment,
        policy=replace(DEFAULT, promotes="promotion" not in run.config.without),
        known=map(comparable_name, known),
        peers=find_peer_voices(given),
    )
    return carry_out(given, decisions)


def carry_out(given: PhaseInput, decisions: Sequence[Decision]) -> Outcome:
    """Return the pages, ledger lines and report that *decisions* make."""
    outcome = Outcome(silent=set(given.members))
    weighed = {}
    for one in decisions:
        if one.pressure is not None and one.branch:
            weighed[one.branch] = one
    joining = _Joining(given, outcome, weighed)
    for decision in decisions:
        if decision.action == "open":
            joining.open_branch(decision)
        elif decision.action == "grow":
            joining.grow_branch(decision)
        elif decision.action == "extend":
            joining.extend_wait(decision)
        elif decision.action == "hold":
            joining.report(decision)

    changed = _list_changed(given, decisions, weighed)
    for name in sorted(changed & weighed.keys()):
        line = _weighed_line(weighed[name], _count_agreeing(given, name))
        outcome.lines.append(line)

    _promote_winners(joining, decisions)
    return outcome


def _promote_winners(
    joining: "_Joining", decisions: Sequence[Decision]
) -> None:
    """Promote each position that won, and let the branches it beat contradict the new entry."""
    winners = [
        one.branch
        for one in decisions
        if one.action == "promote" and not one.after
    ]
    successors = {}
    for winner in sorted(winners):
        position = [
            one
            for one in decisions
            if one.action == "promote" and winner in (one.branch, one.after)
        ]
        promotion = Promotion(
            joining.given, joining.outcome, joining.new_pages, position
        )
        successors[winner] = promotion.carry_out()
    for decision in decisions:
        successor = successors.get(decision.after)
        if decision.action == "follow" and successor is not None:
            joining.follow(decision, successor)


class _Joining:
    """Let captures join branches or wait, and note files, lines and report in *outcome*."""

    def __init__(
        self,
        given: PhaseInput,
        outcome: Outcome,
        weighed: dict[str, Decision],
    ) -> None:
        self.given = given
        self.outcome = outcome
        self.weighed = weighed
        self.new_pages: defaultdict[str, list[MemberPage]] = defaultdict(list)

    def report(self, decision: Decision, entry: str | None = None) -> None:
        """Report *decision*, with the weight of its branch after all that joined it."""
        weighed = self.weighed.get(decision.branch, decision)
        report_on(self.outcome, decision, weighed, entry)

    def open_branch(self, decision: Decision) -> None:
        """Open a branch with its first members."""
        self.outcome.lines.append(
            {
                "e": "branched",
                "branch": decision.branch,
                **_name_fields(decision.incumbent),
                "reason": decision.reason,
            }
        )
        self.grow_branch(decision)

    def grow_branch(self, decision: Decision) -> None:
        """Let the captures of *decision* join its branch."""
        for capture in decision.captures:
            self._join(capture, decision)
        self.report(decision)

    def extend_wait(self, decision: Decision) -> None:
        """Leave captures in the extended buffer; those in quarantine stay there."""
        for capture in decision.captures:
            if capture in self.given.pending:
                self.outcome.handled.add(capture)
                self.outcome.extended.append((capture, decision.reason))
                self._record_wait(capture, decision)
        self.report(decision)

    def follow(self, decision: Decision, winner: str) -> None:
        """Let a branch that lost contradict what the one that won became."""
        self.outcome.lines.append(
            {
                "e": "followed",
                "branch": decision.branch,
                **_name_fields(winner),
                "incumbent": entry_of(decision.incumbent),
                "reason": decision.reason,
            }
        )
        self.report(decision, entry_of(winner))

    def _record_wait(self, capture: str, decision: Decision) -> None:
        incumbent = entry_of(decision.incumbent)
        if is_extended(self.given.run.db, capture, incumbent):
            return
        self.outcome.lines.append(
            {
                "e": "waits",
                "capture": capture,
                "kind": "extended",
                "incumbent": incumbent,
                "reason": decision.reason,
            }
        )

    def _join(self, capture: str, decision: Decision) -> None:
        contradictions = [
            one.judged
            for one in self.given.contradictions.get(capture, ())
            if one.belief == decision.incumbent
        ]
        self.outcome.decided |= {judged.key for judged in contradictions}
        reason = "Supports this branch."
        if contradictions:
            reason = _describe_contradiction(contradictions[0])
        told = self.given.pending.get(capture)
        if capture in self.given.confirmed:
            entry = ids.confirmed_id(capture)
            path, content = self._copy_words(capture, entry, decision)
            reason = _describe_confirmed(self.given, decision)
        elif told is None:
            page = find_page_of_capture(self.given.run.db, capture)
            entry = page.entry
            path = page.path
            content = self.given.content_of(capture)
            reason += " Its page stays in quarantine."
        else:
            entry = ids.entry_id(capture)
            path, content = self._write_page(told, decision)
            self._record_consumed(told, entry, decision.branch)
        copied = self.given.find_copied(capture)
        joined: LedgerLine = {
            "e": "joined",
            "branch": decision.branch,
            "capture": capture,
            "entry": entry,
            "path": path,
            "blob": objects.hash_blob(content),
            "contradicts": int(bool(contradictions) or told is None),
            "ties": self._list_ties(capture),
        }
        if copied is not None:
            joined["repeats"] = copied.capture
            reason += f" It repeats {copied.capture[:8]}."
        self.outcome.lines.append({**joined, "reason": reason})

    def _write_page(
        self, told: PendingCapture, decision: Decision
    ) -> tuple[str, bytes]:
        """Note the page of a new member; return its path and its content."""
        capture = told.capture.id
        content = self.given.content_of(capture)
        whole = told._replace(capture=told.capture._replace(content=content))
        text = content.decode("utf-8")
        contested = find_title(self.given.run.db, decision.incumbent)
        title = page_title(whole, text, contested)
        words = format_chat_turn(whole) if is_chat(whole) else text
        entry = ids.entry_id(capture)
        return self._add_page(capture, entry, title, words, decision)

    def _copy_words(
        self, capture: str, entry: str, decision: Decision
    ) -> tuple[str, bytes]:
        """Note a page of the branch with the words of a note that stays on its own; return its
        path and its content.
        """
        words = self.given.content_of(capture).decode(
            "utf-8", "surrogateescape"
        )
        title = find_title(self.given.run.db, entry_of(decision.incumbent))
        named = headline(words)
        if title is not None:
            named = name_contradiction(words, title)
        return self._add_page(capture, entry, named, words, decision)

    def _add_page(
        self,
        capture: str,
        entry: str,
        title: str,
        words: str,
        decision: Decision,
    ) -> tuple[str, bytes]:
        """Note the page *entry* of a new member; return its path and its content."""
        branch = decision.branch
        names = list_names_in_use(self.given.run, self.outcome, branch)
        path = member_path(branch, title, names.__contains__)
        sightings = self.given.sightings_of(capture)
        sources = {one.source for one in sightings if one.source}
        first = min(sightings, key=lambda one: one.event_time)
        first_told = first.event_time
        minute = local_moment(first_told, first.utc_offset)
        page = member_page(
            entry,
            title,
            first_told,
            sorted(sources),
            words,
            entry_of(decision.incumbent),
        ).encode("utf-8", "surrogateescape")
        self.outcome.writes[path] = page
        text = page.decode("utf-8", "surrogateescape")
        self.new_pages[branch].append(
            MemberPage(
                path,
                text,
                first_told,
                capture,
                minute,
                stays=capture in self.given.confirmed,
            )
        )
        return path, page

    def _record_consumed(
        self, told: PendingCapture, entry: str, branch: str
    ) -> None:
        capture = told.capture.id
        self.outcome.handled.add(capture)
        self.outcome.joined[capture] = entry
        self.outcome.lines.append(
            {
                "e": "consumed",
                "capture": capture,
                "outcome": "consolidated",
                "entry": entry,
                "sightings": [
                    capture_buffer.encode_sighting(sighting)
                    for sighting in told.sightings
                ],
                "reason": f"Joined minority/{branch}.",
            }
        )

    def _list_ties(self, capture: str) -> list[list[str | float]]:
        """Return a capture's ties with those who joined before it, as the ledger keeps them."""
        ties: list[tuple[str, Tie]] = []
        tonight = self.outcome.list_events("joined")
        joined = {line["capture"] for line in tonight}
        for tie in self.given.ties:
            if capture in (tie.one, tie.other) and (tie.support or tie.rival):
                other = tie.other
                if other == capture:
                    other = tie.one
                if other in self.given.members or other in joined:
                    ties.append((other, tie))
        ties.sort(key=lambda item: (-item[1].support, item))
        return [
            [other, tie.support, int(tie.rival), tie.similarity]
            for other, tie in ties[:_TIES]
        ]


def _name_fields(belief: str) -> dict[str, str]:
    """Return the fields of a ledger line that say what a branch contradicts."""
    entry, statement = split_belief(belief)
    if statement is None:
        return {"entry": entry}
    return {"entry": entry, "statement": statement}


def _list_changed(
    given: PhaseInput,
    decisions: Sequence[Decision],
    weighed: Collection[str],
) -> set[str]:
    """Return the branches whose weight the ledger should have anew."""
    changed = {
        one.branch
        for one in decisions
        if one.action in ("open", "grow", "promote")
    }
    for capture, member in given.members.items():
        if capture in given.sighted_again:
            changed.add(member.branch)
    for name in weighed:
        if _count_agreeing(given, name) != _count_agreeing_before(given, name):
            changed.add(name)
    return changed


def _count_agreeing(given: PhaseInput, branch: str) -> int:
    """Return how many members of *branch* contradict its incumbent no more."""
    return sum(
        given.agrees(member)
        for member in given.members.values()
        if member.branch == branch
    )


def _count_agreeing_before(given: PhaseInput, branch: str) -> int:
    """Return that count as the branch was weighed last."""
    weighings = list_subject_events(given.run.db, branch, "weighed")
    if not weighings:
        return 0
    return int(weighings[-1].data.get("agree", 0))


def _weighed_line(decision: Decision, agreeing: int) -> LedgerLine:
    assert decision.pressure is not None and decision.threshold is not None
    line: LedgerLine = {
        "e": "weighed",
        "branch": decision.branch,
        "pressure": decision.pressure.value,
        "threshold": decision.threshold.value,
        "voices": decision.pressure.voices,
    }
    if agreeing:
        line["agree"] = agreeing
    return {**line, "reason": decision.reason}


def _describe_confirmed(given: PhaseInput, decision: Decision) -> str:
    incumbent = entry_of(decision.incumbent)
    name = find_title(given.run.db, incumbent) or incumbent
    return (
        f"A person answered in `review` that it contradicts {name}. "
        "Its note stays where it is."
    )


def _describe_contradiction(judged: Judged) -> str:
    why = judged.relation.reason
    if judged.answer:
        why = f"a person answered {judged.answer}"
    return (
        f"Contradicts {judged.other_name or judged.other}. "
        f"({describe_cost(judged)}: {why})"
    )
