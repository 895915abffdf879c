"""Name the pairs that judges are asked about: captures with captures, and captures with pages (MaM
§5.5, phases 1 and 2).

Phase 1 compares captures with each other before anything of the wiki is looked at (CON-1), and with
pages beside the wiki: members of open branches, and quarantine (CON-11). Phase 2 compares them with
pages: those of their title, those they link to, those of their matters, and their nearest.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.comparison import candidate_pairs
from companion.comparison.candidate_pairs import (
    SideId,
    Wanted,
    list_earlier_candidates,
    split_passages,
)
from companion.comparison.evidence import PageToJudge
from companion.comparison.nearest import CHUNK, embed_quantised, find_nearest
from companion.comparison.page_vectors import OPENING
from companion.comparison.pages import (
    Page,
    list_linked_entries,
    list_speaking_sides,
)
from companion.comparison.pending import (
    PendingCapture,
    WikiContext,
    requested_title,
)
from companion.language.detect import language_of
from companion.language.stance.doubts import says_what_ought
from companion.minority.contested.possible_incumbents import (
    WIDE,
    list_possible_incumbents,
    may_have_dependents,
)
from companion.operations.consolidate.judging.night_judges import (
    NightJudges,
    Side,
    file_by_capture,
)
from companion.pages import links
from companion.storage.index.tables.pages.links import (
    list_link_keys,
    list_link_targets,
)
from companion.values.captures import Capture
from companion.values.relations import Statement


class CaptureTexts(NamedTuple):
    """The passages of tonight's captures, and their vectors if there is an embedder."""

    passages: Mapping[str, list[str]]
    vectors: Mapping[str, bytes]


def read_captures(
    night: NightJudges, captures: Sequence[PendingCapture]
) -> CaptureTexts:
    """Return passages and vectors of *captures*; no more than CHUNK texts are held at a time."""
    contents = night.run.contents()
    embedder = night.judges.embedder
    passages: dict[str, list[str]] = {}
    vectors: dict[str, bytes] = {}
    night.run.progress.begin("preparing comparisons", len(captures))
    for start in range(0, len(captures), CHUNK):
        openings = {}
        for told in captures[start : start + CHUNK]:
            id = told.capture.id
            text = contents[id].decode("utf-8", "replace")
            passages[id] = split_passages(text)
            openings[id] = f"{requested_title(told) or ''}\n{text[:OPENING]}"
        if embedder is not None:
            made = embed_quantised(embedder, list(openings.values()))
            vectors.update(zip(openings, made, strict=True))
        night.run.progress(len(openings))
    return CaptureTexts(passages, vectors)


class Questions(NamedTuple):
    """The pairs of one phase, and what they are made of."""

    wanted: Sequence[Wanted]
    captures: Mapping[str, PendingCapture]
    sides: Mapping[SideId, Side]


def compare_captures(
    night: NightJudges,
    captures: Sequence[PendingCapture],
    texts: CaptureTexts,
    beside: Sequence[Page],
) -> None:
    """Phase 1: ask how captures stand to earlier ones and to the pages *beside* the wiki."""
    night.run.progress.begin("pairing notes with notes")
    asked = pair_captures(night, captures, texts, beside)
    judged = night.ask(*asked, phase=1)
    night.evidence.among_captures += judged
    # what stands beside the wiki speaks against nothing that comes in
    against = [one for one in judged if one.other in asked.captures]
    file_by_capture(against, night.evidence.judged)


def pair_captures(
    night: NightJudges,
    captures: Sequence[PendingCapture],
    texts: CaptureTexts,
    beside: Sequence[Page],
) -> Questions:
    """Return what phase 1 asks."""
    told = {one.capture.id: one for one in sorted(captures, key=_order_of)}
    before: dict[str, Page] = {}
    sides: dict[str, Side] = {}
    for page in sorted(beside, key=lambda page: (page.told, page.id)):
        if page.id not in told:
            before[page.id] = page
            sides[page.id] = _side_of_page(page)
    for id, one in told.items():
        sides[id] = _side_of_capture(one)
    candidates = list_earlier_candidates(
        list(sides),
        {id: side.title for id, side in sides.items()},
        _list_targets(night, told, before),
        _find_nearest_captures(night, texts, before, list(sides)),
    )
    wanted = _pair_captures(night, texts, before, candidates)
    named = {SideId(id): side for id, side in sides.items()}
    return Questions(wanted, told, named)


def compare_with_pages(
    night: NightJudges,
    captures: Sequence[PendingCapture],
    texts: CaptureTexts,
    wiki: WikiContext,
) -> None:
    """Phase 2: ask how captures stand to pages; note load-bearing ones they may be about."""
    asked = pair_with_pages(night, captures, texts, wiki)
    judged = night.ask(*asked, phase=2)
    file_by_capture(judged, night.evidence.judged)


def pair_with_pages(
    night: NightJudges,
    captures: Sequence[PendingCapture],
    texts: CaptureTexts,
    wiki: WikiContext,
) -> Questions:
    """Return what phase 2 asks; note load-bearing pages that captures may be about."""
    db = night.run.db
    near = night.find_nearest_sides(texts.vectors, WIDE)
    may_contest = night.judges.contest is not None and may_have_dependents(db)
    wanted: list[Wanted] = []
    night.run.progress.begin("pairing notes with pages", len(captures))
    for told in captures:
        night.run.progress(1)
        id = told.capture.id
        ours = texts.passages[id]
        others = _list_candidates(night, told, wiki, near.get(id, ()))
        if may_contest:
            near_by = map(SideId, wiki.about.get(id, ()))
            known = [side.other for side in near_by if night.pages.has(side)]
            known += [side.other for side in others]
            entries = list_possible_incumbents(db, ours, known)
            night.evidence.about[id] = entries
        wanted += _pair_with_pages(
            night, id, ours, others[: candidate_pairs.NEAR]
        )
    told_by_id = {told.capture.id: told for told in captures}
    return _ask_of_pages(night, wanted, told_by_id)


def contest_protected(
    night: NightJudges,
    captures: Sequence[PendingCapture],
    texts: CaptureTexts,
) -> None:
    """Phase 2 again, with the lower bar that load-bearing pages have.

    A note that says since when it is so states a change, and contests nothing (LED-3).
    """
    night.run.progress.begin("looking at pages that others depend on")
    notes = list_contesting(night, captures, texts)
    about = {id: night.evidence.about[id] for id in notes}
    told = {one.capture.id: one for one in captures}
    found = night.contest(notes, about, told)
    file_by_capture(found, night.evidence.judged)


def list_contesting(
    night: NightJudges,
    captures: Sequence[PendingCapture],
    texts: CaptureTexts,
) -> dict[str, Statement]:
    """Return the captures that may contest the load-bearing pages they may be about."""
    told = {one.capture.id: one for one in captures}
    notes = {}
    for id in night.evidence.about:
        passages = "\n".join(texts.passages[id])
        if not _states_time(night, id, passages):
            notes[id] = Statement(passages, requested_title(told[id]))
    return notes


def compare_again(
    night: NightJudges, due: Sequence[PageToJudge], wiki: WikiContext
) -> None:
    """Phase 2 once more, for pages that stand beside the wiki."""
    if not due:
        return
    night.run.progress.begin("looking again at pages that wait", len(due))
    blobs = {one.page.id: one.page.blob for one in due if one.wide}
    near = night.find_nearest_sides(night.find_page_vectors(blobs))
    told = {one.page.id: _as_pending(night, one) for one in due}
    wanted: list[Wanted] = []
    notes = {}
    about = {}
    for one in due:
        night.run.progress(1)
        id = one.page.id
        ours = night.split_page(one.page.blob)
        others = list(one.others)
        if one.wide:
            found = _list_candidates(night, told[id], wiki, near.get(id, ()))
            others += found[: candidate_pairs.NEAR]
        wanted += _pair_with_pages(night, id, ours, others)
        notes[id] = Statement("\n".join(ours), requested_title(told[id]))
        about[id] = [side.other for side in one.others if night.pages.has(side)]
    judged = night.ask(*_ask_of_pages(night, wanted, told), phase=2)
    # only the lower bar finds again what it alone had found
    judged += night.contest(notes, about, told)
    file_by_capture(judged, night.evidence.judged_again)


def _pair_with_pages(
    night: NightJudges, id: str, ours: Sequence[str], others: Sequence[SideId]
) -> list[Wanted]:
    """Return the pairs to ask about.

    Each comes once: a page may be named, and one of its statements beside it.
    """
    wanted: dict[Wanted, None] = {}
    for side in dict.fromkeys(others):
        if night.pages.has(side):
            pairs = night.pair_with_page(id, ours, side)
            wanted.update(dict.fromkeys(pairs))
    return list(wanted)


def _order_of(told: PendingCapture) -> tuple[str, str]:
    return told.sightings[0].event_time, told.capture.id


def _side_of_page(page: Page) -> Side:
    return Side(links.title_key(page.title), page.told)


def _side_of_capture(told: PendingCapture) -> Side:
    title = requested_title(told)
    when = told.sightings[0].event_time
    if not title:
        return Side(None, when)
    return Side(links.title_key(title), when)


def _list_targets(
    night: NightJudges,
    told: Mapping[str, PendingCapture],
    before: Mapping[str, Page],
) -> dict[str, set[str]]:
    """Return the link targets and matters of captures, and the link targets of pages."""
    targets = {}
    for id, one in told.items():
        targets[id] = night.list_matters(id)
        targets[id].update(map(links.key, one.capture.edges))
    for id, page in before.items():
        targets[id] = list_link_keys(night.run.db, page.path)
    return targets


def _find_nearest_captures(
    night: NightJudges,
    texts: CaptureTexts,
    before: Mapping[str, Page],
    order: Sequence[str],
) -> dict[str, list[str]]:
    blobs = {id: page.blob for id, page in before.items()}
    vectors = {**night.find_page_vectors(blobs), **texts.vectors}
    places = {id: n for n, id in enumerate(order)}
    return find_nearest(texts.vectors, vectors, before=places)


def _pair_captures(
    night: NightJudges,
    texts: CaptureTexts,
    before: Mapping[str, Page],
    candidates: Mapping[str, Sequence[str]],
) -> list[Wanted]:
    """Return the pairs to ask about, for tonight's captures and their earlier *candidates*."""
    passages = dict(texts.passages)
    wanted: list[Wanted] = []
    for id, others in candidates.items():
        if id not in texts.passages:
            continue
        for other in others:
            if other not in passages:
                text = night.run.repo.text(before[other].blob)
                passages[other] = split_passages(text)
            wanted += night.pair(id, passages[id], other, passages[other])
    return wanted


def _list_candidates(
    night: NightJudges,
    told: PendingCapture,
    wiki: WikiContext,
    near: Sequence[SideId],
) -> list[SideId]:
    """Return what a capture may be compared with, the most promising first.

    That is a page, or a statement of it where its claim or its vector leads there.
    """
    run = night.run
    sides: list[SideId] = []
    title = requested_title(told)
    if title:
        named = wiki.titles.get(links.title_key(title), ())
        for page in named:
            sides.append(SideId(page.id))
    for edge in sorted(set(told.capture.edges)):
        sides += map(SideId, list_linked_entries(run, edge))
    for matter in sorted(night.list_matters(told.capture.id)):
        sides += list_speaking_sides(run, *matter.split("\x1f"))
    candidates = dict.fromkeys([*sides, *near])
    return [side for side in candidates if night.pages.has(side)]


def _ask_of_pages(
    night: NightJudges,
    wanted: Sequence[Wanted],
    told: Mapping[str, PendingCapture],
) -> Questions:
    sides: dict[SideId, Side] = {}
    for pair in wanted:
        if pair.side not in sides:
            sides[pair.side] = night.describe_side(pair.side)
    return Questions(wanted, told, sides)


def _states_time(night: NightJudges, capture: str, text: str) -> bool:
    """Tell whether a capture says since when something is so.

    "It is no longer recommended" says how things ought to be, and no time.
    """
    timed = [
        claim
        for claim in night.readings.claims(capture)
        if claim.functional and claim.period.stated
    ]
    if not timed or not all(claim.negated for claim in timed):
        return bool(timed)
    language = language_of(text)
    return language is None or not says_what_ought(text, language)


def _as_pending(night: NightJudges, due: PageToJudge) -> PendingCapture:
    """Return a page beside the wiki as the capture that it was."""
    page = due.page
    capture = Capture(
        id=page.id,
        blob=page.blob,
        ingested_at=page.told,
        channel="",
        priority=0.0,
        title=page.title,
        edges=tuple(list_link_targets(night.run.db, page.path)),
        content=b"",
    )
    return PendingCapture(capture, tuple(due.sightings))
