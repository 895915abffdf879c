"""What phase 4 of a night decided, made real: pages of branches, the ledger's lines, and what a
promotion moves.
"""

import os
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from companion.adoption import work_tree
from companion.comparison import consistency
from companion.comparison.consistency import Judged, Page
from companion.comparison.pending import (
    PendingCapture,
    WikiContext,
    format_chat_turn,
    is_chat,
    page_title,
)
from companion.ledger.read_notes import Reader
from companion.minority.members import (
    in_order_of_telling,
    movable_pages,
    promoted_title,
    promotion_files,
    recorded_sightings,
)
from companion.minority.pages import (
    MemberPage,
    entry_path,
    member_page,
    member_path,
)
from companion.minority.plan import Decision
from companion.pages import ids, links
from companion.storage.git import capture_buffer, minority_refs, objects
from companion.storage.index.history import list_subject_events
from companion.storage.index.tables import minority
from companion.storage.index.tables.captures import (
    find_page_of_capture,
    is_extended,
)
from companion.storage.index.tables.entries import (
    find_entry,
    find_page,
    find_path,
)
from companion.storage.index.tables.minority import find_undo_of_promotion
from companion.storage.index.tables.pages import list_branch_paths
from companion.values.captures import Sighting
from companion.values.decisions import Write

if TYPE_CHECKING:
    from companion.minority.gather import Gathered

VERSION = "minority-1"
# of one capture that the ledger keeps: what its cohesion is computed from in later cycles
_TIES = 8


@dataclass
class Outcome:
    """What phase 4 makes of a night."""

    # captures that it dealt with: the other phases pass them over
    taken: set[str] = field(default_factory=set)
    lines: list[dict[str, Any]] = field(default_factory=list)
    # by path; None removes
    writes: dict[str, bytes | None] = field(default_factory=dict)
    joined: dict[str, str] = field(default_factory=dict)  # capture -> entry
    # verdicts that sent captures here
    decided: set[str] = field(default_factory=set)
    # (capture, why it waits)
    extended: list[tuple[str, str]] = field(default_factory=list)
    # members: what they state is no part of the wiki yet
    silent: set[str] = field(default_factory=set)
    report: list[dict[str, Any]] = field(default_factory=list)
    promoted: list[str] = field(default_factory=list)
    # tips of promoted branches
    parents: list[str] = field(default_factory=list)

    def named(self, wiki: WikiContext) -> WikiContext:
        """Return *wiki* with the names that phase 4 uses tonight taken."""
        mine = {
            links.key(path)
            for path, content in self.writes.items()
            if content is not None
        }
        taken = wiki.taken
        return (
            replace(wiki, taken=lambda key: key in mine or taken(key))
            if mine
            else wiki
        )

    def files(self) -> list[Write]:
        return [
            Write(path, content)
            for path, content in sorted(self.writes.items())
        ]

    def counted(self) -> Counter[str]:
        """Return the events that the subject of a commit without pages counts."""
        told = {"branched", "joined", "promoted", "followed", "waits"}
        return Counter(line["e"] for line in self.lines if line["e"] in told)

    def pages(self) -> dict[str, Page]:
        """Return, by capture, the page of each that joined a branch: the new entry's if it won."""
        won = {
            line["branch"]: line
            for line in self.lines
            if line["e"] == "promoted"
        }
        joined = {
            line["capture"]: line
            for line in self.lines
            if line["e"] == "joined"
        }
        held = {
            capture: won.get(line["branch"], line)
            for capture, line in joined.items()
        }
        return {
            capture: Page(line["entry"], line["path"])
            for capture, line in held.items()
        }

    def fallen(self, db: sqlite3.Connection) -> list[str]:
        """Return the pages of the incumbents that fall tonight: they stay as they are."""
        ids = [line["entry"] for line in self.lines if line["e"] == "decaying"]
        return [
            path
            for path in (find_path(db, id) for id in ids)
            if path is not None
        ]

    def told(self, report: dict[str, Any]) -> dict[str, Any]:
        """Return the night's *report* with what phase 4 did."""
        waiting = [
            *report["waiting"],
            *(
                {"capture": capture, "reason": why}
                for capture, why in self.extended
            ),
        ]
        counts = {**report["counts"], "waiting": len(waiting)}
        counts |= {
            name: n
            for name, n in (
                ("branched", len(self.joined)),
                ("won", len(self.promoted)),
            )
            if n
        }
        return {
            **report,
            "waiting": waiting,
            "counts": counts,
            "branches": self.report,
        }

    def spoken(self, lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the `claims` *lines* without those of members that were told again."""
        return [line for line in lines if line["capture"] not in self.silent]

    def trailers(self) -> list[str]:
        return [f"Companion-Promotes: {name}" for name in self.promoted]

    def words(self) -> list[str]:
        """Return what the commit says of it."""
        told = {
            "open": "opened",
            "grow": "grew",
            "promote": "won",
            "follow": "follows",
        }
        return [
            f"minority/{d['branch']} {told[d['action']]}: {d['reason']}"
            for d in self.report
            if d["action"] in told
        ]


class Act:
    """What was decided, as pages and ledger lines."""

    def __init__(
        self, gathered: "Gathered", decisions: Sequence[Decision]
    ) -> None:
        self.given, self.tonight = gathered, gathered.tonight
        self.outcome = Outcome(silent=set(gathered.members))
        self.ties = gathered.ties
        self.speakers: defaultdict[str, list[MemberPage]] = defaultdict(list)
        self.opened = {
            d.branch: d.incumbent for d in decisions if d.action == "open"
        }
        self.weighed = weighed = {
            d.branch: d
            for d in decisions
            if d.pressure is not None and d.branch
        }
        changed = self.opened.keys() | {
            d.branch for d in decisions if d.action in ("grow", "promote")
        }
        changed |= {
            m.branch
            for m in gathered.members.values()
            if m.capture in gathered.again
        }
        changed |= {
            name for name in weighed if self._agree(name) != self._agreed(name)
        }
        winners = {
            d.branch: d
            for d in decisions
            if d.action == "promote" and not d.after
        }
        for decision in decisions:
            getattr(self, f"_{decision.action}")(decision)
        for name in sorted(changed & weighed.keys()):
            self._weigh(weighed[name])
        entries = {name: self._won(name, decisions) for name in sorted(winners)}
        for decision in decisions:
            entry = entries.get(decision.after)
            if decision.action == "follow" and entry is not None:
                self._followed(decision, entry)

    # -- one method for each action; `follow` and `promote` wait until the pages are known ---------

    def _open(self, decision: Decision) -> None:
        line = {
            "e": "branched",
            "branch": decision.branch,
            "entry": decision.incumbent,
            "reason": decision.reason,
        }
        self.outcome.lines.append(line)
        self._grow(decision)

    def _grow(self, decision: Decision) -> None:
        for capture in decision.captures:
            self._join(capture, decision)
        self._tell(decision)

    def _extend(self, decision: Decision) -> None:
        for capture in decision.captures:
            if capture not in self.given.told:
                continue  # it is in quarantine, and stays there
            self.outcome.taken.add(capture)
            self.outcome.extended.append((capture, decision.reason))
            waits = {
                "e": "waits",
                "capture": capture,
                "kind": "extended",
                "incumbent": decision.incumbent,
            }
            if not is_extended(self.tonight.db, capture, decision.incumbent):
                self.outcome.lines.append({**waits, "reason": decision.reason})
        self._tell(decision)

    def _hold(self, decision: Decision) -> None:
        self._tell(decision)

    def _promote(self, decision: Decision) -> None:
        pass

    _follow = _promote

    # -- the parts ---------------------------------------------------------------------------------

    def _tell(self, decision: Decision, entry: str | None = None) -> None:
        # what grew is weighed after all that joined it
        weighed = self.weighed.get(decision.branch, decision)
        self.outcome.report.append(
            {
                "action": decision.action,
                "branch": decision.branch,
                "incumbent": decision.incumbent,
                "captures": list(decision.captures),
                "reason": decision.reason,
                "entry": entry,
                "pressure": weighed.pressure.value
                if weighed.pressure
                else None,
                "threshold": weighed.threshold.value
                if weighed.threshold
                else None,
            }
        )

    def _weigh(self, decision: Decision) -> None:
        assert decision.pressure is not None and decision.threshold is not None
        numbers = {
            "pressure": decision.pressure.value,
            "threshold": decision.threshold.value,
        }
        line = {
            "e": "weighed",
            "branch": decision.branch,
            **numbers,
            "voices": decision.pressure.voices,
        }
        line |= (
            {"agree": agree} if (agree := self._agree(decision.branch)) else {}
        )
        self.outcome.lines.append({**line, "reason": decision.reason})

    def _agree(self, branch: str) -> int:
        """Count the members of *branch* that contradict its incumbent no more."""
        return sum(
            self.given.agrees(each)
            for each in self.given.members.values()
            if each.branch == branch
        )

    def _agreed(self, branch: str) -> int:
        """Return that count as the branch was weighed last."""
        weighings = list_subject_events(self.tonight.db, branch, "weighed")
        return int(weighings[-1].data.get("agree", 0)) if weighings else 0

    def _join(self, capture: str, decision: Decision) -> None:
        told = self.given.told.get(capture)
        against = [
            j
            for j in self.given.against.get(capture, ())
            if j.other == decision.incumbent
        ]
        self.outcome.decided |= {judged.key for judged in against}
        why = _said(against[0]) if against else "Supports this branch."
        if told is None:
            entry, path, content = self._quarantined(capture)
            why = f"{why} Its page stays in quarantine."
        else:
            entry, path, content = self._page(told, decision)
            self.outcome.writes[path] = content
            self.outcome.taken.add(capture)
            self.outcome.joined[capture] = entry
            self.speakers[decision.branch].append(
                _member_page(path, content, told)
            )
            consumed = {
                "e": "consumed",
                "capture": capture,
                "outcome": "consolidated",
                "entry": entry,
            }
            sightings = [
                capture_buffer.encode_sighting(sighting)
                for sighting in told.sightings
            ]
            reason = f"Joined minority/{decision.branch}."
            self.outcome.lines.append(
                {**consumed, "sightings": sightings, "reason": reason}
            )
        line: dict[str, Any] = {
            "e": "joined",
            "branch": decision.branch,
            "capture": capture,
            "entry": entry,
        }
        line["path"] = path
        line |= {
            "blob": objects.hash_blob(content),
            "contradicts": int(bool(against) or told is None),
        }
        self.outcome.lines.append(
            {**line, "ties": self._ties(capture), "reason": why}
        )

    def _ties(self, capture: str) -> list[list[Any]]:
        """Return a capture's ties with those who joined before it, as the ledger keeps them."""
        before = self.given.members.keys() | self.outcome.joined.keys()
        mine = [
            (tie.other if tie.one == capture else tie.one, tie)
            for tie in self.ties
            if capture in (tie.one, tie.other) and (tie.support or tie.rival)
        ]
        kept = sorted(item for item in mine if item[0] in before)
        kept.sort(key=lambda item: -item[1].support)
        return [
            [other, tie.support, int(tie.rival), tie.similarity]
            for other, tie in kept[:_TIES]
        ]

    def _quarantined(self, capture: str) -> tuple[str, str, bytes]:
        page = find_page_of_capture(self.tonight.db, capture)
        return page.entry, page.path, self.given.content(capture)

    def _page(
        self, told: PendingCapture, decision: Decision
    ) -> tuple[str, str, bytes]:
        whole = told._replace(
            capture=told.capture._replace(
                content=self.given.content(told.capture.id)
            )
        )
        text = whole.capture.content.decode("utf-8")
        title, entry = page_title(whole, text), ids.entry_id(told.capture.id)
        path = member_path(
            decision.branch, title, self._used(decision.branch).__contains__
        )
        sources = {s.source for s in told.sightings if s.source}
        words = format_chat_turn(whole) if is_chat(whole) else text
        page = member_page(
            entry,
            title,
            _first(told),
            sorted(sources),
            words,
            decision.incumbent,
        )
        return entry, path, page.encode()

    def _used(self, branch: str) -> set[str]:
        """Return the names in use in a branch's folder: in the tree, on disk, and tonight."""
        folder = os.path.join(
            self.tonight.ws.place.root, minority.FOLDER, branch
        )
        names = set(os.listdir(folder)) if os.path.isdir(folder) else set()
        names.update(list_branch_paths(self.tonight.db, branch))
        names.update(self.outcome.writes)
        return {links.key(name) for name in names}

    # -- promotion ---------------------------------------------------------------------------------

    def _won(self, winner: str, decisions: Sequence[Decision]) -> str | None:
        """Make the promotion of a position real; return its entry, None where it has to wait, and
        say why.
        """
        position = [
            d
            for d in decisions
            if d.action == "promote" and winner in (d.branch, d.after)
        ]
        pages = [item for d in position for item in self._pages(d.branch)]
        waits = self._must_wait(position, [page.path for page in pages])
        if waits or not pages:
            for decision in position:
                self._tell(
                    _held(
                        decision,
                        waits or "the pages of all its members are gone",
                    )
                )
            return None
        pages = in_order_of_telling(pages)
        entry = self._identity(pages[0])
        title = promoted_title(
            self.tonight.db, self.tonight.repo, position[0].incumbent, pages
        )
        path = self._place(pages[0].told, title)
        for write in promotion_files(pages, path, title):
            self._write(write)
        for decision in position:
            self._promoted(
                decision,
                entry,
                path,
                [
                    page.path
                    for page in pages
                    if self._of(page.path) == decision.branch
                ],
            )
        self._fall(position[0], entry)
        self._claims([d.branch for d in position], entry, title)
        return entry

    def _pages(self, branch: str) -> list[MemberPage]:
        held = (
            movable_pages(self.tonight.db, self.tonight.repo, branch)
            if branch not in self.opened
            else []
        )
        return held + self.speakers[branch]

    def _of(self, page: str) -> str | None:
        return minority.find_branch_of_path(page)

    def _must_wait(
        self, position: Sequence[Decision], pages: Sequence[str]
    ) -> str | None:
        there = [page for page in pages if page not in self.outcome.writes]
        blocked = self.tonight.excluded_paths(sorted(there))
        if blocked:
            path, why = min(blocked.items())
            return f"{path} {why}"
        for decision in position:
            back = find_undo_of_promotion(self.tonight.db, decision.branch)
            if back and not self.speakers[decision.branch]:
                return f"its owner took the promotion back in {back}; it takes evidence that came later"
        return None

    def _identity(self, first: MemberPage) -> str:
        """Return the id of the page that moves first: the entry goes on under it."""
        parsed = self.tonight.rules.parse(first.text, first.path)
        return (
            parsed.id
            or {path: entry for entry, path in self._joined_paths()}[first.path]
        )

    def _joined_paths(self) -> Iterator[tuple[str, str]]:
        yield from (
            (member.entry, member.path)
            for member in self.given.members.values()
        )
        yield from (
            (line["entry"], line["path"])
            for line in self.outcome.lines
            if line["e"] == "joined"
        )

    def _place(self, told: str, title: str) -> str:
        beside = work_tree.list_names_on_disk(
            self.tonight, work_tree.list_entry_folders(self.tonight, [told])
        )
        used = work_tree.Basenames(self.tonight, beside | self._used(""))
        folder, taken = self.tonight.config.entries, self.given.wiki.taken
        return entry_path(
            folder, told, title, lambda key: key in used or taken(key)
        )

    def _write(self, write: Write) -> None:
        """Note a file; one that joined tonight and moves at once is never written."""
        if (
            write.content is None
            and self.outcome.writes.pop(write.path, None) is not None
        ):
            return
        self.outcome.writes[write.path] = write.content

    def _promoted(
        self, decision: Decision, entry: str, path: str, pages: Collection[str]
    ) -> None:
        content = self.outcome.writes[path] or b""
        line: dict[str, Any] = {
            "e": "promoted",
            "branch": decision.branch,
            "entry": entry,
            "incumbent": decision.incumbent,
        }
        line |= {
            "path": path,
            "blob": objects.hash_blob(content),
            "bucket": "high",
            "quarantined": 0,
        }
        self.outcome.lines.append(
            {**line, "pages": sorted(pages), "reason": decision.reason}
        )
        self.outcome.promoted.append(decision.branch)
        self.outcome.lines += self._out_of_quarantine(decision.branch)
        tip = self._tip(decision.branch)
        if (
            tip is not None
            and tip != self.tonight.commit
            and tip not in self.outcome.parents
        ):
            self.outcome.parents.append(tip)
        self._tell(decision, entry)

    def _out_of_quarantine(self, branch: str) -> Iterator[dict[str, Any]]:
        """Let go the members that are entries of their own: what they said has won (CON-12)."""
        speaking = {
            m.entry for m in self.given.members.values() if m.branch == branch
        }
        speaking |= {
            each["entry"]
            for each in self.outcome.lines
            if each["e"] == "joined" and each["branch"] == branch
        }
        for entry in sorted(speaking):
            row = find_entry(self.tonight.db, entry)
            if row is not None and row.quarantined:
                line = {
                    "e": "requalified",
                    "entry": entry,
                    "bucket": "high",
                    "quarantined": 0,
                }
                yield {
                    **line,
                    "reason": f"Leaves quarantine: it supports minority/{branch}, which won.",
                }

    def _tip(self, name: str) -> str | None:
        changed = next(
            branch.changed
            for branch in self.given.standing
            if branch.name == name
        )
        return minority_refs.find_commit(self.tonight.repo, changed)

    def _fall(self, decision: Decision, entry: str) -> None:
        """The incumbent decays: its page stays as it is, and what led to it leads on (CON-8)."""
        if find_page(self.tonight.db, decision.incumbent) is None:
            return
        reason = f"minority/{decision.branch} won: {decision.reason}"
        self.outcome.lines.append(
            {
                "e": "decaying",
                "entry": decision.incumbent,
                "by": entry,
                "reason": reason,
            }
        )

    def _claims(self, names: Collection[str], entry: str, title: str) -> None:
        """Read the members' words for the claim ledger: until now they stood beside the wiki."""
        reader = Reader(self.tonight.db)
        members = [
            m.capture for m in self.given.members.values() if m.branch in names
        ]
        fresh = [
            e["capture"]
            for e in self.outcome.lines
            if e["e"] == "joined" and e["branch"] in names
        ]
        for capture in dict.fromkeys((*members, *fresh)):
            self.outcome.silent.discard(capture)
            content, heard = self.given.content(capture), self._heard(capture)
            self.outcome.lines += reader.read_late(
                capture, entry, title, content, heard
            )

    def _heard(self, capture: str) -> list[Sighting]:
        if capture in self.given.told:
            return list(self.given.told[capture].sightings)
        recorded = recorded_sightings(self.tonight.db, capture)
        return [*recorded, *self.given.again.get(capture, ())]

    def _followed(self, decision: Decision, entry: str) -> None:
        line = {
            "e": "followed",
            "branch": decision.branch,
            "entry": entry,
            "incumbent": decision.incumbent,
        }
        self.outcome.lines.append({**line, "reason": decision.reason})
        self._tell(decision, entry)


def _said(judged: Judged) -> str:
    why = (
        f"a person answered {judged.answer}"
        if judged.answer
        else judged.relation.reason
    )
    return f"Contradicts {judged.path or judged.other}. (cost {consistency.contradiction_cost(judged):.2f}: {why})"


def _member_page(path: str, content: bytes, told: PendingCapture) -> MemberPage:
    return MemberPage(
        path, content.decode("utf-8", "surrogateescape"), _first(told)
    )


def _first(told: PendingCapture) -> str:
    return min(sighting.event_time for sighting in told.sightings)


def _held(decision: Decision, why: str) -> Decision:
    return replace(
        decision,
        action="hold",
        reason=f"Would win, but waits: {why}. {decision.reason}",
    )
