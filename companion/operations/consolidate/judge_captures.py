"""What judges say of tonight's captures: gathered before CONSOLIDATE plans, in its order (MaM
§5.5).

Phase 1 compares captures with each other before anything of the wiki is looked at (CON-1), and with
what stands beside it: the members of open branches and what is in quarantine (CON-11). Phase 2
compares them with pages: those of their title, those they link to, their nearest neighbours. The
core names the pairs; every answer comes through the verdict log, and what an answer rests on goes
into the run's ledger file.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from companion.comparison import candidate_pairs, consistency, page_vectors
from companion.comparison.candidate_pairs import Wanted
from companion.comparison.consistency import Judged
from companion.comparison.evidence import Anew, Evidence
from companion.comparison.nearest import (
    CHUNK,
    NEAR,
    embed_quantised,
    find_nearest,
)
from companion.comparison.pages import (
    ComparablePages,
    Page,
    list_linked_entries,
    list_pages,
    list_speaking_entries,
)
from companion.comparison.pending import (
    ConsolidationPlan,
    PendingCapture,
    WikiContext,
    requested_title,
)
from companion.judges.ask import RELATE, ask_relations, is_recomputable
from companion.judges.configured import Judges
from companion.language.relations.contest import says_since_when
from companion.ledger.person_answers import list_choices_by_verdict
from companion.ledger.read_notes import Readings
from companion.ledger.resolve import list_protected_entries
from companion.ledger.resolve_run import find_attacks, list_attack_verdicts
from companion.minority import contests
from companion.pages import links
from companion.pages.body import words_to_judge
from companion.runs.run import Run
from companion.storage.index.tables.pages import (
    list_link_keys,
    list_link_targets,
)
from companion.storage.journal.verdicts import Verdicts
from companion.values.captures import Capture
from companion.values.claims import split_words
from companion.values.relations import Statement
from companion.values.wording import many

Announce = Callable[[str], None]
_Passages = Mapping[str, Sequence[str]]


def gather(
    tonight: Run,
    pending: Sequence[PendingCapture],
    wiki: WikiContext,
    judges: Judges,
    announce: Announce | None = None,
    said: Readings = Readings({}, {}),  # noqa: B008
    *,
    beside: Sequence[Page] = (),
    anew: Callable[[Evidence], Sequence[Anew]] = lambda found: (),
) -> Evidence:
    """Ask the judges about *pending*; captures that a judge gave no answer for are to wait.

    *beside* are captures of earlier nights that stand beside the wiki, each with its page; *anew*
    says, once phase 1 has its answers, which of them are to be judged against the wiki again.
    """
    found = Evidence(
        rules=judges.relater is not None
        and is_recomputable(judges.relater.identity)
    )
    open_to_all = [
        told for told in pending if not told.private and not told.lost
    ]
    if judges.relater is None:
        return found
    log = Verdicts(tonight.journal, tonight.db)
    bench = _Bench(tonight, judges, log, found, announce, said)
    if open_to_all:
        passages, vectors = bench.read(open_to_all)
        bench.within(open_to_all, passages, vectors, beside)
        bench.against(open_to_all, passages, vectors, wiki)
        bench.contested(open_to_all, passages)
        bench.attacked()
    again = anew(found)
    found.rejoined = {
        each.page.id: each.others[0] for each in again if not each.wide
    }
    bench.again(again, wiki)
    found.stands = {
        id: consistency.measure_standing(judged)
        for id, judged in found.judged.items()
    }
    judges.let_go()
    return found


def lines(
    tonight: Run,
    found: Evidence,
    plan: ConsolidationPlan,
    joined: Mapping[str, str],
    decided: Collection[str],
) -> list[dict[str, Any]]:
    """Return the ledger's lines for the verdicts that the night rests on and no ledger file has,
    and for open doubts.

    *joined* has the captures that branches took in, by their entries, *decided* the verdicts that
    did it.
    """
    log = Verdicts(tonight.journal, tonight.db)
    integrated = {
        **{
            t.capture.id: sheet.entry
            for sheet in plan.pages
            for t in sheet.captures
        },
        **joined,
    }
    every = (
        *found.within,
        *(
            each
            for of in (found.judged, found.anew)
            for judged in of.values()
            for each in judged
        ),
    )
    attacks = {each.key for each in found.attacks}
    pairs = {
        each.key: each
        for each in every
        if each.capture in integrated and each.key not in attacks
    }
    used = {
        key: logged
        for asked in found.asked
        for key, logged in asked.used.items()
        if key in pairs
    }
    # only what decided: the rest would cost the ledger several times a note's own record
    if found.rules:
        deciding = {
            sheet.against.key
            for sheet in plan.pages
            if sheet.against is not None
        } | set(decided)
        used = {key: logged for key, logged in used.items() if key in deciding}
    told = log.told(used)
    made = [
        {
            "e": "verdict",
            "key": key,
            "task": logged.task,
            "judge": logged.judge,
            "capture": pairs[key].capture,
            "other": pairs[key].other,
            "answer": {k: v for k, v in logged.answer.items() if k != "reason"},
            "reason": logged.answer.get("reason", ""),
        }
        for key, logged in sorted(used.items())
        if key not in told
    ]
    made += [
        _doubt(each, integrated[each.capture])
        for _, each in sorted(pairs.items())
        if _is_doubt(each, used)
    ]
    made += list_attack_verdicts(found.attacks, integrated.keys())
    rest = len(pairs) - len(used)
    if found.rules and made and rest:
        why = f"{rest} pairs decided nothing; the same rules say the same again"
        made.append(
            {
                "e": "judged",
                "task": RELATE,
                "judge": found.asked[0].tally.judge,
                "neutral": rest,
                "reason": why,
            }
        )
    return made


def _is_doubt(judged: Judged, used: Mapping[str, Any]) -> bool:
    """A model that is unsure asks a person; rules that do not know a language would ask every
    night.
    """
    return judged.relation.label == "unsure" and judged.key in used


def _doubt(judged: Judged, entry: str) -> dict[str, Any]:
    return {
        "e": "flagged",
        "flag": consistency.flag_id(judged.key, entry),
        "kind": "unsure",
        "entry": entry,
        "capture": judged.capture,
        "other": judged.other,
        "key": judged.key,
        "reason": judged.relation.reason,
    }


class _Bench:
    """One night's sitting: names the pairs of each phase, asks, and files the answers."""

    def __init__(
        self,
        tonight: Run,
        judges: Judges,
        log: Verdicts,
        found: Evidence,
        announce: Announce | None,
        said: Readings,
    ) -> None:
        self.tonight, self.judges, self.log, self.found, self.said = (
            tonight,
            judges,
            log,
            found,
            said,
        )
        self.guarded = list_protected_entries(tonight.db)
        self.announce = announce or (lambda text: None)
        self.at = tonight.moment()
        self.answers = list_choices_by_verdict(tonight.db, log)

    def read(
        self, pending: Sequence[PendingCapture]
    ) -> tuple[dict[str, list[str]], dict[str, bytes]]:
        """Return the passages and the vector of each capture; the texts are let go, a few hundred
        at a time.
        """
        contents = self.tonight.contents()
        passages: dict[str, list[str]] = {}
        vectors: dict[str, bytes] = {}
        for start in range(0, len(pending), CHUNK):
            openings = {}
            for told in pending[start : start + CHUNK]:
                text = contents[told.capture.id].decode("utf-8", "replace")
                passages[told.capture.id] = candidate_pairs.split_passages(text)
                openings[told.capture.id] = (
                    f"{requested_title(told) or ''}\n{text[: page_vectors.OPENING]}"
                )
            if self.judges.embedder is not None:
                made = embed_quantised(
                    self.judges.embedder, list(openings.values())
                )
                vectors.update(zip(openings, made, strict=True))
        return passages, vectors

    def within(
        self,
        pending: Sequence[PendingCapture],
        passages: _Passages,
        vectors: Mapping[str, bytes],
        beside: Sequence[Page],
    ) -> None:
        """Phase 1: captures against earlier captures, those in branches and in quarantine among
        them.
        """
        told = {each.capture.id: each for each in sorted(pending, key=_when)}
        earlier = sorted(beside, key=lambda page: (page.told, page.id))
        voices = {page.id: page for page in earlier if page.id not in told}
        order = {id: n for n, id in enumerate((*voices, *told))}
        titles = {
            id: links.title_key(title)
            if (title := requested_title(t))
            else None
            for id, t in told.items()
        }
        titles |= {
            id: links.title_key(page.title) for id, page in voices.items()
        }
        targets = {
            id: {*map(links.key, t.capture.edges), *self._keys(id)}
            for id, t in told.items()
        }
        targets |= {id: self._links(page) for id, page in voices.items()}
        spelt = self._vectors({id: page.blob for id, page in voices.items()})
        near = find_nearest(vectors, {**spelt, **vectors}, before=order)
        spoken = _Spoken(self.tonight, passages, voices)
        wanted = [
            pair
            for id, others in candidate_pairs.list_earlier_candidates(
                list(order), titles, targets, near
            ).items()
            for other in others
            if id in told
            for pair in self._pairs(id, passages[id], other, spoken[other])
        ]
        sides = {id: (titles[id], _when(t)[0], "") for id, t in told.items()}
        self._ask(
            wanted,
            told,
            sides
            | {id: (titles[id], page.told, "") for id, page in voices.items()},
            1,
        )

    def _links(self, page: Page) -> set[str]:
        return list_link_keys(self.tonight.db, page.path)

    def against(
        self,
        pending: Sequence[PendingCapture],
        passages: _Passages,
        vectors: Mapping[str, bytes],
        wiki: WikiContext,
    ) -> None:
        """Phase 2: captures against pages."""
        held, near = (
            ComparablePages(self.tonight),
            self._nearest(vectors, contests.WIDE),
        )
        bears = (
            self.judges.contest is not None
            and contests.may_have_dependents(self.tonight.db)
        )
        bodies: dict[str, list[str]] = {}
        wanted: list[Wanted] = []
        for told in pending:
            id = told.capture.id
            others = self._candidates(told, wiki, held, near.get(id, ()))
            if bears:
                self.found.about[id] = contests.list_possible_incumbents(
                    self.tonight.db, passages[id], others
                )
            for other in others[: candidate_pairs.NEAR]:
                if other not in bodies:
                    bodies[other] = self._passages(held[other])
                wanted += self._pairs(id, passages[id], other, bodies[other])
        pages = {
            page.id: page
            for page in list_pages(
                self.tonight, sorted({each.other for each in wanted})
            )
        }
        sides = {
            page.id: (page.title, page.told, page.path)
            for page in pages.values()
        }
        self._ask(wanted, {told.capture.id: told for told in pending}, sides, 2)

    def again(self, anew: Sequence[Anew], wiki: WikiContext) -> None:
        """Phase 2 once more, for pages that stand beside the wiki."""
        if not anew:
            return
        held = ComparablePages(self.tonight)
        near = self._nearest(
            self._vectors(
                {each.page.id: each.page.blob for each in anew if each.wide}
            )
        )
        told = {each.page.id: self._as_told(each) for each in anew}
        found = {
            id: self._candidates(told[id], wiki, held, near.get(id, ()))[
                : candidate_pairs.NEAR
            ]
            for id in (e.page.id for e in anew if e.wide)
        }
        wanted = [
            pair
            for each in anew
            for other in dict.fromkeys(
                (*each.others, *found.get(each.page.id, ()))
            )
            if other in held
            for pair in self._pairs(
                each.page.id,
                self._passages(each.page.blob),
                other,
                self._passages(held[other]),
            )
        ]
        sides = {
            p.id: (p.title, p.told, p.path)
            for p in list_pages(self.tonight, sorted({w.other for w in wanted}))
        }
        self._ask(wanted, told, sides, 2, self.found.anew)
        text = {
            each.page.id: "\n".join(self._passages(each.page.blob))
            for each in anew
        }
        notes = {
            id: Statement(text[id], requested_title(told[id])) for id in text
        }
        about = {
            each.page.id: [other for other in each.others if other in held]
            for each in anew
        }
        # what that bar alone had found, it alone finds again
        self._contest(notes, about, self.found.anew)

    def _as_told(self, anew: Anew) -> PendingCapture:
        page = anew.page
        edges = tuple(list_link_targets(self.tonight.db, page.path))
        return PendingCapture(
            Capture(
                page.id, page.blob, page.told, "", 0.0, page.title, edges, b""
            ),
            tuple(anew.tellings),
        )

    def _passages(self, blob: str) -> list[str]:
        return candidate_pairs.split_passages(
            words_to_judge(self.tonight.repo.text(blob))
        )

    def contested(
        self, pending: Sequence[PendingCapture], passages: _Passages
    ) -> None:
        """Phase 2 again, with the lower bar that load-bearing pages have."""
        told = {each.capture.id: each for each in pending}
        about = {
            id: found
            for id, found in self.found.about.items()
            if not self._states_a_time(id)
        }
        notes = {
            id: Statement("\n".join(passages[id]), requested_title(told[id]))
            for id in about
        }
        self._contest(notes, about, self.found.judged)

    def _states_a_time(self, id: str) -> bool:
        """Tell whether a note says since when it is so: a change that is stated contests nothing
        (LED-3).
        """
        return any(
            claim.functional and claim.period.stated
            for claim in self.said.claims(id)
        )

    def _contest(
        self,
        notes: Mapping[str, Statement],
        about: Mapping[str, Sequence[str]],
        into: dict[str, list[Judged]],
    ) -> None:
        if self.judges.contest is None:
            return
        found = contests.find_contested(
            self.tonight, self.log, self.judges.contest, notes, about, self.at
        )
        if found is None:
            return
        asked, judged = found
        self.found.asked.append(asked)
        for each in judged:
            into.setdefault(each.capture, []).append(
                each._replace(answer=self.answers.get(each.key))
            )

    def attacked(self) -> None:
        """What the claim ledger says by itself: a load-bearing entry is contradicted, and no change
        is stated.
        """
        for id, judged in find_attacks(self.tonight, self.said).items():
            known = [
                each._replace(answer=self.answers.get(each.key))
                for each in judged
            ]
            self.found.attacks += known
            self.found.judged.setdefault(id, []).extend(known)

    def _keys(self, id: str) -> set[str]:
        """Name the single-valued matters that a capture speaks of, as no link target can be
        named.
        """
        return {
            "\x1f".join(claim.key)
            for claim in self.said.claims(id)
            if claim.functional
        }

    def _pairs(
        self, id: str, ours: Sequence[str], other: str, theirs: Sequence[str]
    ) -> list[Wanted]:
        # a model knows what words do not show
        floor = candidate_pairs.FRAME if self.found.rules else 0.0
        return candidate_pairs.pair_passages(
            id, ours, other, theirs, floor=floor
        )

    def _vectors(self, blobs: Mapping[str, str]) -> dict[str, bytes]:
        """Return the vectors of pages by their *blobs*."""
        if self.judges.embedder is None or not blobs:
            return {}
        with page_vectors.open_page_vectors(
            self.tonight, self.judges.embedder
        ) as kept:
            found = kept.of(set(blobs.values()))
        return {id: found[blob] for id, blob in blobs.items()}

    def _nearest(
        self, asked: Mapping[str, bytes], most: int = NEAR
    ) -> dict[str, list[str]]:
        """Return the nearest entries that a capture may be held against."""
        if self.judges.embedder is None or not asked:
            return {}
        with page_vectors.open_page_vectors(
            self.tonight, self.judges.embedder
        ) as kept:
            return kept.nearest(asked, most)

    def _candidates(
        self,
        told: PendingCapture,
        wiki: WikiContext,
        held: ComparablePages,
        near: Sequence[str],
    ) -> list[str]:
        title = requested_title(told)
        ids = [
            target.id
            for target in (
                wiki.titles.get(links.title_key(title), ()) if title else ()
            )
        ]
        for edge in sorted(set(told.capture.edges)):
            ids += list_linked_entries(self.tonight, edge)
        for key in sorted(self._keys(told.capture.id)):
            ids += list_speaking_entries(self.tonight, *key.split("\x1f"))
        return [id for id in dict.fromkeys([*ids, *near]) if id in held]

    def _ask(
        self,
        wanted: Sequence[Wanted],
        told: Mapping[str, PendingCapture],
        sides: Mapping[str, tuple[str | None, str, str]],
        phase: int,
        into: dict[str, list[Judged]] | None = None,
    ) -> None:
        """Ask about the pairs of one phase; *sides* has (title, time, path) of each other side."""
        relater = self.judges.relater
        if not wanted or relater is None:
            return
        if self.judges.budget is not None:
            self.announce(
                f"phase {phase}: {many(len(wanted), 'question')} for {relater.identity}, "
                f"at most {self.judges.budget.max_calls} calls tonight, {self.judges.budget.calls} made so far"
            )
        pairs = [
            (_statement(each, sides), _own(each, told[each.capture]))
            for each in wanted
        ]
        asked = ask_relations(self.log, relater, pairs, self.at)
        self.found.asked.append(asked)
        for each, key, answer in zip(
            wanted, asked.keys, asked.answers, strict=True
        ):
            if answer is None:
                self.found.unjudged[each.capture] = (
                    f"waits for its judge: {relater.identity} gave no answer"
                )
                continue
            sighting = told[each.capture].sightings[0]
            later = (
                sighting.explicit and sighting.event_time > sides[each.other][1]
            )
            path = sides[each.other][2]
            changed = self._states_change(each)
            judged = Judged(
                each.capture,
                each.other,
                phase,
                answer,
                key,
                later,
                self.answers.get(key),
                path,
                changed,
            )
            if phase == 1:
                self.found.within.append(judged)
            # what stands beside the wiki speaks against nothing that comes in
            if phase == 2 or each.other in told:
                (self.found.judged if into is None else into).setdefault(
                    each.capture, []
                ).append(judged)

    def _states_change(self, wanted: Wanted) -> bool:
        """Tell whether the capture's passage says that something changed of which the other passage
        speaks.

        Against a load-bearing entry it must also say since when (LED-3).
        """
        earlier = set(split_words(wanted.earlier))
        return says_since_when(wanted.later, wanted.earlier) or any(
            claim.change
            and claim.mood == "confirmed"
            and (claim.period.stated or wanted.other not in self.guarded)
            and (
                claim.key[0] in ("me", "us")
                or earlier.issuperset(split_words(claim.key[0]))
            )
            for claim in self.said.changes(wanted.capture, wanted.later)
        )


class _Spoken(dict[str, Sequence[str]]):
    """The passages of captures: tonight's, and of earlier ones those that are asked for."""

    def __init__(
        self, tonight: Run, known: _Passages, voices: Mapping[str, Page]
    ) -> None:
        super().__init__(known)
        self._tonight, self._voices = tonight, voices

    def __missing__(self, id: str) -> Sequence[str]:
        text = self._tonight.repo.text(self._voices[id].blob)
        self[id] = candidate_pairs.split_passages(text)
        return self[id]


def _when(told: PendingCapture) -> tuple[str, str]:
    return told.sightings[0].event_time, told.capture.id


def _statement(
    wanted: Wanted, sides: Mapping[str, tuple[str | None, str, str]]
) -> Statement:
    title, when, _ = sides[wanted.other]
    return Statement(wanted.earlier, title, when)


def _own(wanted: Wanted, told: PendingCapture) -> Statement:
    return Statement(
        wanted.later, requested_title(told), told.sightings[0].event_time
    )
