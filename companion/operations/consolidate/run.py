"""CONSOLIDATE, as an operation of the sleep cycle: gather, ask, plan, publish."""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from companion.adoption import late_edits, work_tree
from companion.adoption import run as adopting
from companion.adoption.run import LISTED, Progress
from companion.comparison import consistency, evidence
from companion.comparison.consistency import Page
from companion.comparison.pending import (
    ConsolidationPlan,
    PendingCapture,
    TitledPage,
    WikiContext,
    requested_title,
)
from companion.judges import configured
from companion.judges.ask import Tally
from companion.judges.run_input import relating_input
from companion.ledger import corrections, dependents, read_notes, update_facts
from companion.ledger.person_answers import notes_on_model_contradictions, settle_answers
from companion.ledger.resolve_run import resolution_events
from companion.minority import gather as minority
from companion.minority.apply import Outcome
from companion.operations.consolidate import judge_captures, quarantine, same_names
from companion.operations.consolidate import plan as consolidation
from companion.operations.consolidate.rules import CONSOLIDATE_RULES
from companion.operations.consolidate.same_names import Move, Namesake
from companion.pages import links
from companion.routing import watch_signals, watch_user_words
from companion.runs import lost_runs
from companion.runs.publication import COMPANION
from companion.runs.retry import run_with_retries
from companion.runs.run import Run, run_inputs
from companion.storage import ledger_file
from companion.storage.git import capture_buffer, objects
from companion.storage.index.tables.captures import (
    find_outcome,
    list_recorded_tellings,
    list_waiting_reasons,
)
from companion.storage.index.tables.entries import list_namesakes
from companion.storage.index.tables.pages import has_name, list_pages_named
from companion.storage.index.tables.verdicts import Verdicts
from companion.storage.journal.queries import Pending
from companion.usage.record_in_run import gather_uses
from companion.values.decisions import Write
from companion.values.wording import many
from companion.workspace import Workspace

Announce = Callable[[str], None]


def consolidate(
    ws: Workspace,
    *,
    dry_run: bool = False,
    release: bool = False,
    progress: Progress | None = None,
    max_calls: int | None = None,
    announce: Announce | None = None,
) -> dict[str, Any]:
    """Integrate the buffer into the wiki as one run (MaM §5.5). Raises Busy or TryLater with
    nothing changed.

    What runs had consumed that left the branch is held, unless *release*. A dry run asks the judges
    too: their answers are kept, and the run itself will not ask again. What a language model may
    cost is told to *announce* before it is asked; *max_calls* overrides the configured cap.
    """

    def once(tonight: Run) -> dict[str, Any]:
        judges = configured.judges(tonight.config, max_calls=max_calls)
        return _consolidate(tonight, judges, announce, dry_run=dry_run, release=release)

    return run_with_retries(ws, "consolidate", once, progress)


# -- consolidate -----------------------------------------------------------------------------------


def _consolidate(
    tonight: Run,
    judges: configured.Judges,
    announce: Announce | None,
    *,
    dry_run: bool,
    release: bool,
) -> dict[str, Any]:
    if not dry_run:
        adopting.record_reverts(tonight)
    late_edits.take_in(tonight)
    capture_buffer.anchor(tonight.journal, tonight.repo)
    done = _Cycle(tonight, judges, announce, release=release).run(dry_run=dry_run)
    if done["run"] is not None:
        tonight.refold()  # from git, like any other run; the plan has been let go by now
        tonight.journal.checkpoint()
    return done


class _Cycle:
    """One pass of CONSOLIDATE: what it heard, what was found, what it decided, and the run that
    comes of it.
    """

    def __init__(
        self, tonight: Run, judges: configured.Judges, announce: Announce | None, *, release: bool
    ) -> None:
        self.tonight, self.judges = tonight, judges
        self.known, gone = adopting.recorded(tonight), tonight.lost()
        self.held = {} if release else lost_runs.held(tonight.repo, tonight.db, tonight.journal)
        unsettled = tonight.journal.unsettled(anchored=True, who=tonight.ws.who)
        self.pending = [_told(tonight, item, gone, self.held) for item in unsettled]
        self.wiki, self.excluded = _wiki(tonight, self.pending)
        self.again, self.moment = _sighted_again(tonight), tonight.moment()
        self.said, self.used = (
            read_notes.read_notes(tonight, self.pending, self.again),
            gather_uses(tonight),
        )
        self.watch = watch_signals.Watch(tonight, watch_signals.File(tonight.repo, tonight.tree))
        self.quarantined = quarantine.Quarantine(tonight, self.known, self.watch)
        self.found = self._find(announce)
        self.words = self._route()

    def _find(self, announce: Announce | None) -> evidence.Evidence:
        """Phases 1 and 2: ask of tonight's captures, and anew of what quarantine and the branches
        hold.
        """
        heard = {told.capture.id: told.sightings for told in self.pending}
        heard |= {capture: new for capture, _, new in self.again}
        return judge_captures.gather(
            self.tonight,
            self.pending,
            self.wiki,
            self.judges,
            announce,
            self.said,
            beside=minority.beside(self.tonight),
            anew=lambda found: [
                *self.quarantined.anew(found, heard),
                *minority.anew(self.tonight, self.known),
            ],
        )

    def _route(self) -> watch_user_words.Words:
        """Rows 2 and 3 of the matrix raise the friction before anything is decided."""
        tonight, found = self.tonight, self.found
        self.watch.look(
            self.pending, [capture for capture, _, _ in self.again], self.said, found.judged
        )
        self.watch.resist(found.stands)
        log = Verdicts(tonight.journal, tonight.db)
        tonight.notes += notes_on_model_contradictions(tonight.db, log)
        words = watch_user_words.Words(tonight, self.pending, self.said)
        words.compensate(found.stands)
        return words

    def run(self, *, dry_run: bool) -> dict[str, Any]:
        """Decide phases 3 and 4, and publish what follows from them unless it is a *dry_run*."""
        apart, plan = self._decide()
        self.known += corrections.correction_events(self.tonight, self.known, self.moment)
        moved = self._moved(apart)
        told = (
            []
            if dry_run
            else self.watch.spoken(apart.spoken(read_notes.claim_events(self.said, plan)))
        )
        told += [] if dry_run else quarantine.spoken(self.tonight, moved)
        left_out = [*self.excluded, *apart.fallen(self.tonight.db)]
        facts = update_facts.refresh_facts(
            self.tonight, plan, [*self.known, *told], self.moment, left_out
        )
        self.excluded = {**self.excluded, **facts.excluded}
        writes = self._writes(facts) + apart.files()
        blobs = {write.path: objects.blob_id(write.content or b"") for write in writes}
        lines = self._lines(facts, apart, moved, blobs)
        relations = _relations(facts.plan, apart, self.found)
        notes, updated = self.tonight.notes, len(facts.updates)
        report = apart.told(_report(facts.plan, relations, self.excluded, notes, updated))
        report["judged"] = [_tally(each) for each in self.found.tallies()]
        report["counts"] |= {"used": self.used.entries} if self.used.lines else {}
        if not (lines or self.used.alone) or dry_run:
            return {"run": None, "commit": None, **report, "dry_run": dry_run}
        lines += told + resolution_events(
            self.tonight, [line for line in (*self.known, *told) if line["e"] == "claims"]
        )
        lines += dependents.flag_run(self.tonight, lines, self.tonight.present())
        run = ledger_file.make(
            "consolidate", self.moment, self._inputs(lines), lines + self.used.lines
        )
        subject, body = _message(
            facts.plan, [*self.known, *self.used.lines], len(facts.updates), apart
        )
        parents, trailers = apart.parents, apart.trailers()
        commit = self.tonight.publish(
            run, writes, subject, body, author=COMPANION, parents=parents, trailers=trailers
        )
        return {"run": run.id, "commit": commit, **report, "dry_run": False}

    def _decide(self) -> tuple[Outcome, ConsolidationPlan]:
        tonight, found = self.tonight, self.found
        apart = minority.decide(
            tonight, self.pending, self.wiki, found, self.again, self.moment, watch=self.watch
        )
        plan = consolidation.plan(
            [told for told in self.pending if told.capture.id not in apart.taken],
            apart.named(self.wiki),
            self.again,
            contents=tonight.contents(),
            stands=found.stands,
            unjudged=found.unjudged,
        )
        return apart, plan

    def _writes(self, facts: update_facts.FactsUpdate) -> list[Write]:
        """Return the pages of tonight, namesakes that move away among them."""
        writes = [Write(sheet.path, sheet.content) for sheet in facts.plan.sheets] + facts.writes()
        busy = {*self.excluded, *(write.path for write in writes)}
        moves = _renamed(self.tonight, busy, {line["entry"] for line in self.known})
        self.known += same_names.events(moves)
        return writes + _rename(self.tonight, moves)

    def _moved(self, apart: Outcome) -> list[dict[str, Any]]:
        """Return the ledger's lines for answers of persons, and for what they and the night let out
        of quarantine.
        """
        log = Verdicts(self.tonight.journal, self.tonight.db)
        settled = settle_answers(self.tonight.db, log, self.watch.friction)
        self.tonight.notes += settled.notes
        passed = {line["entry"] for line in (*settled.lines, *apart.lines) if "entry" in line}
        return settled.lines + self.quarantined.lines(self.found, passed)

    def _lines(
        self,
        facts: update_facts.FactsUpdate,
        apart: Outcome,
        moved: Sequence[dict[str, Any]],
        blobs: Mapping[str, str],
    ) -> list[dict[str, Any]]:
        """Return the ledger's lines on what was decided; *blobs* are those of tonight's pages, by
        path.
        """
        tonight, found, quarantined = self.tonight, self.found, self.quarantined
        self.known += self.watch.lines() + self.words.lines(self.watch.flagged)
        lines = [*self.known, *moved, *apart.lines]
        lines += self.watch.marked(
            facts.events(
                consolidation.events(facts.plan, capture_buffer.telling, blobs.__getitem__)
            )
        )
        placed = {**apart.joined, **quarantined.freed}
        decided = apart.decided | quarantine.supporting(found, quarantined)
        return lines + judge_captures.lines(tonight, found, facts.plan, placed, decided)

    def _inputs(self, lines: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return what the run's first line says: its complete input (CON-2)."""
        answered = [line["key"] for line in lines if line["e"] == "answered"]
        inputs = run_inputs(self.tonight, self.excluded, CONSOLIDATE_RULES)
        inputs |= relating_input(
            self.found.asked,
            self.judges,
            self.said.reader,
            answered,
            contested=bool(self.found.about),
        )
        held = {"held": sorted({item.run for item in self.held.values()})} if self.held else {}
        return inputs | held | {"usage": self.used.mark}


def _rename(tonight: Run, moves: Sequence[Move]) -> list[Write]:
    """Return what moves the pages, and note each for the person."""
    writes = []
    for move in moves:
        writes += [Write(move.path, None), Write(move.to, tonight.repo.blob(move.blob))]
        tonight.notes.append(f"{move.path} is now {move.to}: {move.reason}")
    return writes


def _renamed(tonight: Run, resting: Collection[str], told: Collection[str]) -> list[Move]:
    """Return the new names of pages that two machines gave one name; those in *resting* stay as
    they are tonight.
    """
    pages = list_namesakes(tonight.db)
    if not pages:
        return []
    busy = {*resting, *tonight.excluded_paths(sorted({page.path for page in pages}))}
    found = [
        Namesake(
            page.id,
            page.path,
            page.blob,
            (page.time, page.run),
            not (page.renamed or page.path in busy or page.id in told),
        )
        for page in pages
    ]
    beside = work_tree.on_disk(tonight, {os.path.dirname(page.path) for page in found})
    names = work_tree.Basenames(tonight, beside | {links.key(path) for path in busy})
    return same_names.plan(found, names.__contains__)


def _told(
    tonight: Run, item: Pending, gone: Collection[str], held: Mapping[str, lost_runs.Gone]
) -> PendingCapture:
    id, shared = item.capture.id, tuple(s for s in item.sightings if s.scope != "private")
    why = lost_runs.reason(held[id]) if id in held else None
    if id in gone or not shared or shared[0] is item.sightings[0]:
        return PendingCapture(
            item.capture, shared or item.sightings, private=not shared, lost=id in gone, held=why
        )
    whole = item.capture._replace(content=tonight.contents()[id])
    return PendingCapture(
        capture_buffer.as_told(whole, shared[0])._replace(content=b""), shared, held=why
    )


def _sighted_again(tonight: Run) -> list[tuple[str, str, tuple[Any, ...]]]:
    """Return the tellings of consumed captures that no run has heard yet (TRI-8)."""
    found, known = [], []
    for capture in tonight.journal.retold():
        outcome = find_outcome(tonight.db, capture)
        if outcome is None:
            continue
        heard = list_recorded_tellings(tonight.db, capture)
        # the one that made it a capture here
        heard.add(tonight.journal.capture(capture)[0].ingested_at)
        new = tuple(
            s
            for s in tonight.journal.sightings(capture)
            if s.seen_at not in heard and s.scope != "private"
        )
        known += [(capture, seen_at) for seen_at in heard]
        if new:
            found.append((capture, outcome.entry, new))
    tonight.journal.hear(known)
    return found


def _wiki(tonight: Run, pending: Sequence[PendingCapture]) -> tuple[WikiContext, dict[str, str]]:
    """Gather what CONSOLIDATE may know of the wiki for these captures, and no more."""
    keys = {links.title_key(title) for title in map(requested_title, pending) if title}
    titles = {key: _bearers(tonight, key) for key in sorted(keys)}
    managed = {
        target.path: target for found in titles.values() for target in found if target.managed
    }
    excluded = {**work_tree.unadopted(tonight), **tonight.excluded_paths(sorted(managed))}
    texts = _Texts(
        tonight, {path: target.blob for path, target in managed.items() if path not in excluded}
    )
    folders = work_tree.folders_of(tonight, (told.sightings[0].event_time for told in pending))
    names = work_tree.Basenames(
        tonight, work_tree.on_disk(tonight, folders) | {links.key(path) for path in excluded}
    )
    waiting = list_waiting_reasons(tonight.db)
    resolves = _resolver(tonight, names)
    wiki = WikiContext(
        titles, names.__contains__, texts, excluded, resolves, waiting, tonight.config.entries
    )
    return wiki, excluded


class _Texts(dict[str, str]):
    """The text of pages that may grow, read when it is asked for."""

    def __init__(self, tonight: Run, blobs: dict[str, str]) -> None:
        super().__init__()
        self._tonight, self._blobs = tonight, blobs

    def __missing__(self, path: str) -> str:
        return self._tonight.repo.text(self._blobs[path], exact=True)


def _bearers(tonight: Run, key: str) -> list[TitledPage]:
    return [TitledPage(*page) for page in list_pages_named(tonight.db, key)]


def _resolver(tonight: Run, names: work_tree.Basenames) -> Callable[[str], bool]:
    def resolves(target: str) -> bool:
        key = links.title_key(target)
        return links.key(target) in names or has_name(tonight.db, key)

    return resolves


def _message(
    plan: ConsolidationPlan, known: Sequence[dict[str, Any]], facts: int, apart: Outcome
) -> tuple[str, str]:
    captures = sum(len(sheet.captures) for sheet in plan.sheets)
    what, told = apart.counted(), [f"minority/{name} won" for name in apart.promoted]
    if plan.sheets:
        told.append(f"{many(captures, 'capture')} into {many(len(plan.sheets), 'page')}")
    else:
        what.update(event["e"] for event in known if event["e"] != "claims")
        what.update({"facts updated": facts, "sighted": len(plan.sighted)})
        what.update(waits=sum(wait.new and not wait.told.private for wait in plan.waits))
    subject = "consolidate: " + ", ".join(
        told + [f"{count} {kind}" for kind, count in sorted(what.items()) if count]
    )
    lines = [f"{sheet.path}: {sheet.reason}" for sheet in plan.sheets[:LISTED]]
    if len(plan.sheets) > LISTED:
        lines.append(f"… and {len(plan.sheets) - LISTED} more; the ledger file has them all")
    return subject, "\n".join(lines + apart.words())


def _tally(tally: Tally) -> dict[str, Any]:
    return {**tally._asdict(), "said": str(tally)}


def _relations(
    plan: ConsolidationPlan, apart: Outcome, found: evidence.Evidence
) -> dict[str, list[dict[str, str | None]]]:
    """Return, by integrated capture, how it stands to other pages, for programs to read."""
    integrated: dict[str, Page] = {}
    for sheet in plan.sheets:
        page = Page(sheet.entry, sheet.path)
        integrated.update((told.capture.id, page) for told in sheet.captures)
    pages = {**apart.pages(), **integrated}
    relations: dict[str, list[dict[str, str | None]]] = {}
    for capture in integrated:
        related = consistency.relations(found.judged.get(capture, ()), pages)
        relations[capture] = [each._asdict() for each in related]
    return relations


def _report(
    plan: ConsolidationPlan,
    relations: Mapping[str, Sequence[dict[str, str | None]]],
    excluded: dict[str, str],
    notes: Sequence[str],
    facts: int,
) -> dict[str, Any]:
    integrated = [
        {
            "capture": told.capture.id,
            "entry": sheet.entry,
            "path": sheet.path,
            "title": sheet.title,
            "bucket": sheet.cohesion.bucket,
            "quarantined": sheet.cohesion.bucket == "low",
            "relations": relations[told.capture.id],
            "reason": sheet.reason,
        }
        for sheet in plan.sheets
        for told in sheet.captures
    ]
    counts = {
        "captures": len(integrated),
        "created": sum(sheet.base_blob is None for sheet in plan.sheets),
        "grown": sum(sheet.base_blob is not None for sheet in plan.sheets),
        "sighted": len(plan.sighted),
        "waiting": len(plan.waits),
        "facts": facts,
    }
    return {
        "integrated": integrated,
        "waiting": [
            {"capture": told.capture.id, "reason": reason} for told, reason, _ in plan.waits
        ],
        "left_out": [{"path": path, "reason": reason} for path, reason in sorted(excluded.items())],
        "counts": counts,
        "notes": list(notes),
    }
