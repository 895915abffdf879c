"""Carry out a promotion: the pages of a position that won become one entry (MaM §5.7, CON-8)."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from companion.adoption import work_tree
from companion.language.headline import headline
from companion.ledger.read_telling import Reader
from companion.minority.beliefs import (
    entry_of,
    name_belief,
    split_belief,
)
from companion.minority.challenge import Decision
from companion.minority.contested.contested_page import (
    ContestedPage,
    Standing,
    say_reason,
    take_place,
)
from companion.minority.contested.lost_pages import LostPage
from companion.minority.contested.members import (
    find_winner,
    in_order_of_telling,
    list_newcomers,
    movable_pages,
    promoted_title,
    promotion_files,
)
from companion.minority.contested.read_contested_page import (
    is_edited,
    read_contested_page,
)
from companion.minority.gather import PhaseInput
from companion.minority.outcome import Outcome
from companion.minority.pages import MemberPage, entry_path
from companion.pages import links
from companion.pages.page import parse
from companion.pages.statement_edits import clean_link_words
from companion.runs.run import Run
from companion.storage import files_in_git
from companion.storage.git import minority_refs, objects
from companion.storage.index.tables.minority import FOLDER, find_branch_of_path
from companion.storage.index.tables.pages.entries import (
    EntryRow,
    find_entry,
    find_page,
)
from companion.storage.index.tables.pages.names import list_branch_paths
from companion.storage.index.tables.promotions import find_undo_of_promotion
from companion.values.decisions import Write
from companion.values.events import LedgerLine


def report_on(
    outcome: Outcome,
    decision: Decision,
    weighed: Decision,
    entry: str | None = None,
) -> None:
    """Add *decision* to the report of the night, with the numbers of *weighed*."""
    pressure = weighed.pressure
    threshold = weighed.threshold
    outcome.report.append(
        {
            "action": decision.action,
            "branch": decision.branch,
            "incumbent": entry_of(decision.incumbent),
            "statement": split_belief(decision.incumbent)[1],
            "captures": list(decision.captures),
            "reason": decision.reason,
            "entry": entry,
            "pressure": None if pressure is None else pressure.value,
            "threshold": None if threshold is None else threshold.value,
        }
    )


def list_names_in_use(run: Run, outcome: Outcome, branch: str) -> set[str]:
    """Return the names in a branch's folder: in the tree, on disk, and those of tonight."""
    folder = os.path.join(run.ws.place.prefix, FOLDER, branch)
    names = set(list_branch_paths(run.db, branch))
    names.update(files_in_git.list_names(run.repo, folder))
    names.update(outcome.writes)
    return {links.key(name) for name in names}


class Promotion:
    """One position that won: its branches become one entry, or take the place of one statement of a
    page on which others stand.
    """

    def __init__(
        self,
        given: PhaseInput,
        outcome: Outcome,
        new_pages: Mapping[str, Sequence[MemberPage]],
        position: Sequence[Decision],
    ) -> None:
        self.given = given
        self.run = given.run
        self.outcome = outcome
        self.new_pages = new_pages  # of members that join tonight, by branch
        self.position = position  # a decision for each branch

    def carry_out(self) -> str | None:
        """Note files, lines and report of the promotion; return the name of what stands now in the
        place of the incumbent, None if the promotion must wait.
        """
        pages = self._list_pages()
        waits = self._find_obstacle(pages)
        if waits is not None:
            for decision in self.position:
                held = replace(
                    decision,
                    action="hold",
                    reason=f"Would win, but waits: {waits}. {decision.reason}",
                )
                report_on(self.outcome, held, decision)
            return None
        pages = in_order_of_telling(pages)
        if self.contested is not None:
            return self._take_place_of_statement(self.contested, pages)
        return self._make_page(pages)

    @cached_property
    def contested(self) -> ContestedPage | None:
        """The page of the incumbent as tonight leaves it, if other statements stand on it."""
        entry, statement = split_belief(self.position[0].incumbent)
        page = read_contested_page(self.run.db, self.run.repo, entry)
        if page is None or not page.list_others(statement):
            return None
        if statement is None:
            return None
        content = self.outcome.writes.get(page.path)
        if content is None:
            return page
        return page._replace(text=content.decode("utf-8", "surrogateescape"))

    def _make_page(self, pages: Sequence[MemberPage]) -> str:
        """Make the entry that *pages* become; the incumbent decays."""
        entry = self._find_entry_id(pages[0])
        winner = self.position[0]
        incumbent = entry_of(winner.incumbent)
        title = promoted_title(self.run.db, self.run.repo, incumbent, pages)
        path = self._choose_path(pages[0].told, title)
        for write in promotion_files(pages, path, title):
            self._write(write)
        for decision in self.position:
            self._promote_branch(decision, entry, path, pages)
        self._replace_incumbent(winner, entry, path, title)
        self._read_members(entry, title, pages)
        return entry

    def _take_place_of_statement(
        self, page: ContestedPage, pages: Sequence[MemberPage]
    ) -> str:
        """Put the notes of *pages* on *page* in the place of the statement that lost (CON-17)."""
        winner = self.position[0]
        statement = split_belief(winner.incumbent)[1]
        first = find_winner(page, pages)
        # else there would be no such page, or the promotion would wait
        assert statement is not None and first is not None
        newcomers = list_newcomers(pages)
        assert winner.pressure is not None  # it won
        text = take_place(
            page,
            self._list_losers(page, statement),
            newcomers,
            stands=first,
            until=self.given.moment,
            voices=winner.pressure.voices,
        )
        for each in pages:
            self._write(Write(each.path, None))
        content = text.encode("utf-8", "surrogateescape")
        self.outcome.change_page(page.path, content)
        for decision in self.position:
            self._promote_branch(
                decision, page.entry, page.path, pages, statement
            )
        by = first.capture
        lost = [one.capture for one in page.list_same(statement)]
        for capture in lost or [statement]:
            self.outcome.lines.append(
                {
                    "e": "statement",
                    "entry": page.entry,
                    "capture": capture,
                    "state": "decaying",
                    "by": by,
                    "reason": f"minority/{winner.branch} won: {winner.reason}",
                }
            )
        self._read_members(page.entry, page.title, pages)
        return name_belief(page.entry, by)

    def _list_losers(
        self, page: ContestedPage, statement: str
    ) -> list[Standing]:
        """Return the statements that move under "Earlier": no line of a person does."""
        losers = []
        for one in page.list_same(statement):
            if is_edited(self.run.db, self.run.repo, page, one):
                self.run.notes.append(
                    f"{page.path}: “{headline(one.words)}” lost to minority/"
                    f"{self.position[0].branch}, and stays where it is: you "
                    "edited it"
                )
            else:
                losers.append(one)
        return losers

    def _list_pages(self) -> list[MemberPage]:
        before = {branch.name for branch in self.given.branches}
        pages: list[MemberPage] = []
        for decision in self.position:
            branch = decision.branch
            if branch in before:
                pages += movable_pages(self.run.db, self.run.repo, branch)
            pages += self.new_pages.get(branch, ())
        return pages

    def _find_obstacle(self, pages: Sequence[MemberPage]) -> str | None:
        """Return why the promotion has to wait; None if it need not."""
        there = {page.path for page in pages} - self.outcome.writes.keys()
        if self.contested is not None:
            there.add(self.contested.path)
        blocked = self.run.excluded_paths(sorted(there))
        if blocked:
            path, why = min(blocked.items())
            return f"{path} {why}"
        for decision in self.position:
            undo = find_undo_of_promotion(self.run.db, decision.branch)
            if undo and not self.new_pages.get(decision.branch):
                return (
                    f"its owner took the promotion back in {undo}; "
                    "it takes evidence that came later"
                )
        if not pages:
            return "the pages of all its members are gone"
        if self.contested and find_winner(self.contested, pages) is None:
            return "the notes of all its members are on other pages"
        return None

    def _find_entry_id(self, first: MemberPage) -> str:
        """Return the id of the page that moves first: the entry goes on under it."""
        parsed = parse(first.text, first.path)
        if parsed.id:
            return parsed.id
        entries = {
            member.path: member.entry for member in self.given.members.values()
        }
        for line in self.outcome.list_events("joined"):
            entries[line["path"]] = line["entry"]
        return entries[first.path]

    def _choose_path(self, told: str, title: str) -> str:
        folders = work_tree.list_entry_folders(self.run, [told])
        beside = work_tree.list_names_on_disk(self.run, folders)
        of_branches = list_names_in_use(self.run, self.outcome, "")
        names = work_tree.Basenames(self.run, beside | of_branches)
        taken = self.given.wiki.taken
        return entry_path(
            self.run.config.entries,
            told,
            title,
            lambda key: key in names or taken(key),
        )

    def _write(self, write: Write) -> None:
        """Note a file; a page that joined tonight and moves at once is never written."""
        removed = write.content is None
        if removed and self.outcome.writes.pop(write.path, None) is not None:
            return
        self.outcome.writes[write.path] = write.content

    def _promote_branch(
        self,
        decision: Decision,
        entry: str,
        path: str,
        pages: Sequence[MemberPage],
        statement: str | None = None,
    ) -> None:
        branch = decision.branch
        moved = [
            page.path
            for page in pages
            if find_branch_of_path(page.path) == branch
        ]
        line: LedgerLine = {
            "e": "promoted",
            "branch": branch,
            "entry": entry,
            "incumbent": entry_of(decision.incumbent),
            "path": path,
            "blob": objects.hash_blob(self.outcome.writes[path] or b""),
            "bucket": "high",
            "quarantined": 0,
            "pages": sorted(moved),
        }
        if statement is not None:
            row = find_entry(self.run.db, entry)
            if row is not None:  # the page stands where it stood
                line["bucket"] = row.cohesion_bucket or "high"
                line["quarantined"] = int(row.quarantined)
            line["statement"] = statement
        self.outcome.lines.append({**line, "reason": decision.reason})
        self.outcome.promoted.append(branch)
        self._release_from_quarantine(branch)
        tip = self._find_tip(branch)
        parents = self.outcome.parents
        if tip is not None and tip not in (self.run.commit, *parents):
            parents.append(tip)
        report_on(self.outcome, decision, decision, entry)

    def _release_from_quarantine(self, branch: str) -> None:
        """Release the members that are entries of their own: what they said has won (CON-12)."""
        entries = {
            member.entry
            for member in self.given.members.values()
            if member.branch == branch
        }
        for line in self.outcome.list_events("joined"):
            if line["branch"] == branch:
                entries.add(line["entry"])
        for entry in sorted(entries):
            row = find_entry(self.run.db, entry)
            if row is not None and row.quarantined:
                self.outcome.lines.append(
                    {
                        "e": "requalified",
                        "entry": entry,
                        "bucket": "high",
                        "quarantined": 0,
                        "reason": "Leaves quarantine: "
                        f"it supports minority/{branch}, which won.",
                    }
                )

    def _find_tip(self, name: str) -> str | None:
        """Return the commit in which a branch last changed."""
        changed = {
            branch.name: branch.changed for branch in self.given.branches
        }
        return minority_refs.find_commit(self.run.repo, changed[name])

    def _replace_incumbent(
        self, winner: Decision, entry: str, path: str, title: str
    ) -> None:
        """Let the incumbent decay: its words stay, and links to it lead on (CON-8).

        A page that companion writes says that it lost, and to what: the page *title* at *path*.
        """
        incumbent = entry_of(winner.incumbent)
        row = find_page(self.run.db, incumbent)
        if row is None:
            return
        if row.managed:
            self._mark_lost(row, winner, path, title)
        self.outcome.lines.append(
            {
                "e": "decaying",
                "entry": incumbent,
                "by": entry,
                "reason": f"minority/{winner.branch} won: {winner.reason}",
            }
        )

    def _mark_lost(
        self, lost: EntryRow, winner: Decision, path: str, title: str
    ) -> None:
        """Say on the page *lost* that *title* at *path* took its place; a page with changes that
        are not adopted says it in the ledger alone.
        """
        blocked = self.run.excluded_paths([lost.path])
        if blocked:
            self.run.notes.append(
                f"{lost.path} lost to minority/{winner.branch}, and does not "
                f"say so: it {blocked[lost.path]}"
            )
            return
        assert winner.pressure is not None  # it won
        self.outcome.lost.append(
            LostPage(
                lost.id,
                lost.path,
                self.run.repo.text(lost.blob, exact=True),
                self.given.moment[:10],
                _link_to(path, title),
                say_reason(winner.pressure.voices),
                winner.branch,
            )
        )

    def _read_members(
        self, entry: str, title: str, pages: Sequence[MemberPage]
    ) -> None:
        """Read the members' words for the claim ledger: until now they stood beside the wiki.

        Notes on other pages were read when they came there.
        """
        reader = Reader(self.run.db)
        known = {page.capture for page in pages if page.stays}
        for capture in dict.fromkeys(self._list_captures()):
            self.outcome.silent.discard(capture)
            if capture in known:
                continue
            self.outcome.lines += reader.read_late(
                capture,
                entry,
                title,
                self.given.content_of(capture),
                self.given.sightings_of(capture),
            )

    def _list_captures(self) -> Iterator[str]:
        """Yield the captures that speak for the position, members of tonight last."""
        branches = {decision.branch for decision in self.position}
        for member in self.given.members.values():
            if member.branch in branches:
                yield member.capture
        for line in self.outcome.list_events("joined"):
            if line["branch"] in branches:
                yield line["capture"]


def _link_to(path: str, title: str) -> str:
    """Return a link to the page *title* at *path*."""
    name = path.rpartition("/")[2].removesuffix(".md")
    words = clean_link_words(title)
    return f"[[{name}]]" if words == name else f"[[{name}|{words}]]"
