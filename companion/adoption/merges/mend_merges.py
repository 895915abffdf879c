"""Make one page of what two machines wrote of one day, subject or note, as a run of its own.

Both gave the page the same id, so git had to merge two files, or two paths, and whoever ran it
committed marks, one side or doubled blocks. The ledger knows what each side held. Where a person
wrote between the marks, the page stays as it is.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from companion.adoption.merges.machine_texts import is_as_told, list_sides
from companion.adoption.merges.taken_lines import (
    lacks_merged,
    lacks_shared,
)
from companion.adoption.merges.taken_pages import find_taken_pages
from companion.adoption.merges.unite_facts import (
    list_lines_of_person,
    put_section,
    take_out_facts,
)
from companion.ledger import supersession
from companion.ledger.facts import section
from companion.ledger.facts.update import write_facts
from companion.ledger.facts.writings import has_section, list_writings
from companion.pages import ids
from companion.pages.merge_sides import merge_sides, put_first_created
from companion.pages.merge_statements import (
    drop_doubled,
    has_markers,
    is_whole,
    list_lines_beside,
    stand_once,
    unite_statements,
)
from companion.pages.statements import (
    find_statement,
    read_opening,
    read_statements,
    statement_id,
)
from companion.runs.parallel_texts import (
    ParallelTexts,
    find_parallel_texts,
)
from companion.runs.publication import COMPANION
from companion.runs.run import Run, make_inputs
from companion.storage import ledger_file
from companion.storage.git import objects
from companion.storage.index.history import PastEvent, list_entry_events
from companion.storage.index.tables.captures import (
    find_outcome,
    list_captures_of_entry,
    list_event_times,
)
from companion.storage.index.tables.pages.entries import (
    EntryRow,
    find_entry,
    find_known,
    find_page,
)
from companion.storage.index.tables.pages.merged_pages import (
    SecondPage,
    list_doubtful_pages,
    list_second_pages,
)
from companion.storage.index.tables.pages.statement_states import (
    find_statement_state,
)
from companion.values.decisions import Write
from companion.values.events import LedgerLine
from companion.values.wording import many

VERSION = "merges-9"

_BY_HAND = ("edited", "renamed", "registered", "moved")


@dataclass(frozen=True)
class _Mended:
    """A page with the statements of both machines, and the pages that go into it."""

    row: EntryRow
    text: str
    second: tuple[SecondPage, ...]
    facts: int | None = (
        None  # lines of its section; None: companion has none there
    )
    reason: str = "Two machines wrote it: the statements of both stand here."


class _Notes(NamedTuple):
    """The notes on a page."""

    captures: list[str]
    standing: set[str]  # the ids of the statements of those that stand
    lost: set[str]  # the ids of those that do not stand any more
    origin: str  # the id of the one that the page began with; "" where none did
    by_hand: bool  # a person ever changed the page


def mend_merges(run: Run) -> None:
    """Bring together the pages that two machines wrote, as one run, and fold it."""
    second: dict[str, list[SecondPage]] = {}
    for other in list_second_pages(run.db):
        second.setdefault(other.of, []).append(other)
    entries = sorted({*second, *list_doubtful_pages(run.db)})
    found = [_mend(run, entry, second.get(entry, ())) for entry in entries]
    for entry, last in find_taken_pages(run).items():
        found.append(_bring_back(run, entry, last))
    mended = _leave_blocked(run, [page for page in found if page is not None])
    if not mended:
        return
    lines: list[LedgerLine] = []
    writes: list[Write] = []
    for page in mended:
        content = _encode(page.text)
        blob = objects.hash_blob(content)
        lines += _make_lines(page, blob)
        if page.row.tombstone or blob != page.row.blob:
            writes.append(Write(page.row.path, content))
        writes += [Write(one.path, None) for one in page.second]
    rules = {
        "merges": VERSION,
        "factsheet": section.VERSION,
        "ledger": supersession.VERSION,
    }
    inputs = make_inputs(run, {}, rules)
    record = ledger_file.make_run("merge", run.moment(), inputs, lines)
    body = "\n".join(page.row.path for page in mended)
    subject = f"merge: {many(len(mended), 'page')} of two machines"
    run.publish(record, writes, subject, body, author=COMPANION)
    run.refold()


def _leave_blocked(run: Run, pages: Sequence[_Mended]) -> list[_Mended]:
    paths = []
    for page in pages:
        paths += [page.row.path, *(one.path for one in page.second)]
    blocked = run.excluded_paths(sorted(paths))
    free = []
    for page in pages:
        own = {page.row.path, *(one.path for one in page.second)}
        if own.isdisjoint(blocked):
            free.append(page)
    return free


def _make_lines(page: _Mended, blob: str) -> list[LedgerLine]:
    lines: list[LedgerLine] = [
        {
            "e": "grown",
            "entry": page.row.id,
            "path": page.row.path,
            "blob": blob,
            "reason": page.reason,
        }
    ]
    if page.facts is not None:
        lines[0]["facts"] = page.facts
    for one in page.second:
        lines.append(
            {
                "e": "merged",
                "entry": one.entry,
                "into": page.row.id,
                "path": one.path,
                "title": one.title,
                "reason": f"Two machines began it: it went into {page.row.path}.",
            }
        )
    return lines


def _mend(run: Run, entry: str, second: Sequence[SecondPage]) -> _Mended | None:
    """Return the page of *entry* as both machines made it; None where nothing is to be done."""
    row = find_page(run.db, entry)
    if row is None:
        return None
    now = run.repo.text(row.blob, exact=True)
    notes = _list_notes(run, row.id)
    # where there are two pages, git merged what was written at each path by itself
    parallel = find_parallel_texts(run, row.id, row.path if second else "")
    if parallel is not None:
        if has_markers(now) and lacks_shared(now, parallel.tips):
            _leave_to_person(run, row.path, "somebody took a line out")
            return None
        mended = _unite_parallel(run, row, now, parallel, notes)
        if mended is not None and not _is_recorded(run, row, mended.text):
            return mended
        if mended is not None and not second:
            return None
    return _bring_together(run, row, now, second, notes)


def _bring_back(run: Run, entry: str, last: PastEvent) -> _Mended | None:
    """Return the page of *entry*, which git took away, as it was in *last* and on other machines.

    None where a run that saw it gone, or saw it there, has been told so.
    """
    row = find_entry(run.db, entry)
    parallel = find_parallel_texts(run, entry)
    if row is None or parallel is None or not run.repo.has(row.blob):
        return None
    now = run.repo.text(row.blob, exact=True)
    notes = _list_notes(run, entry)
    page = _unite_parallel(run, row, now, parallel, notes)
    if page is None:
        page = _Mended(row, now, (), last.data.get("facts"))
    reason = "Two machines each kept another of its two pages: it is back."
    return replace(page, reason=reason)


def _is_recorded(run: Run, row: EntryRow, text: str) -> bool:
    """Tell whether the page is *text*, and the record has it so."""
    known = find_known(run.db, row.id)
    blob = objects.hash_blob(_encode(text))
    return known is not None and known.blob == row.blob == blob


def _bring_together(
    run: Run,
    row: EntryRow,
    now: str,
    second: Sequence[SecondPage],
    notes: _Notes,
) -> _Mended | None:
    """Return the page with what both machines wrote; None where nothing is missing in *now*, or
    where only a person can bring it together, who is told so.
    """
    if not second and _is_complete(now, notes):
        return None
    sides = list_sides(run, row.id)
    if not sides and not second:
        return None
    hindrance = _find_hindrance(run, row, now, second, sides)
    if hindrance:
        _leave_to_person(run, row.path, hindrance)
        return None
    text = _unite_sides(run, row.path, now, sides, notes)
    if text is None or (text == now and not second):
        return None
    return _Mended(row, text, tuple(second))


def _unite_sides(
    run: Run, path: str, now: str, sides: Sequence[str], notes: _Notes
) -> str | None:
    """Return the page of all *sides*; None where the words of a note that lost would go."""
    if _list_added([now], sides):
        # a person wrote here since: their text stays, and takes in what is missing
        return _unite(run, path, [now, *sides], notes)
    text = _unite(run, path, sides, notes)
    return None if text is None else put_first_created(text, sides)


def _find_hindrance(
    run: Run,
    row: EntryRow,
    now: str,
    second: Sequence[SecondPage],
    sides: Sequence[str],
) -> str:
    """Return why only a person can bring the page together; empty where companion can."""
    if second and not is_as_told(run, row, second):
        return "somebody changed a page of it"
    texts = [now, *(run.repo.text(one.blob, exact=True) for one in second)]
    if (second or has_markers(now)) and _list_added(texts, sides):
        return "somebody wrote between"
    return ""


def _unite_parallel(
    run: Run, row: EntryRow, now: str, parallel: ParallelTexts, notes: _Notes
) -> _Mended | None:
    """Return the page of texts that machines wrote in parallel; None where a person wrote there
    since, took out what all had, or changed the same as another.

    What a person chose where git let them choose stays as they left it.
    """
    if _has_words_of_person(now, parallel, notes):
        return None
    now = now if notes.by_hand else stand_once(now, notes.origin)
    text: str | None = now
    if has_markers(now):
        text = _merge_all(parallel.base, parallel.tips)
    if text is None:
        return None
    has_facts = has_section(list_writings(run.db, row.id))
    if not has_facts and _is_complete(now, notes):
        return _Mended(row, now, ())
    sides = _list_parts(text, parallel, has_facts=has_facts)
    text = _unite(run, row.path, sides, notes)
    # another run may have taken marks in
    if text is None or has_markers(text):
        return None
    if not has_facts:
        return _Mended(row, text, ())
    text = put_section(text, parallel.tips)
    page = write_facts(run, row.id, row.title, text, run.moment())
    return _Mended(row, page.text, (), page.lines)


def _has_words_of_person(
    now: str, parallel: ParallelTexts, notes: _Notes
) -> bool:
    """Tell whether a person wrote in the page *now*, or took out what all machines had, or what
    no merge takes out.
    """
    if _list_added([now], parallel.known):
        return True
    return _is_complete(now, notes) and (
        lacks_shared(now, parallel.tips)
        or (notes.by_hand and lacks_merged(now, parallel))
    )


def _list_parts(
    text: str, parallel: ParallelTexts, *, has_facts: bool
) -> list[str]:
    """Return the page *text* and those of all machines, without facts and doubled notes in it."""
    if has_facts:
        text = take_out_facts(text, parallel.known, parallel.tips)
    newest = parallel.tips[0]
    if list_lines_of_person(text) == list_lines_of_person(newest):
        # its notes stand as they were told
        text = take_out_facts(newest, [newest], []) if has_facts else newest
    return [drop_doubled(text, parallel.tips), *parallel.tips]


def _merge_all(base: str, tips: Sequence[str]) -> str | None:
    """Return what came of *base* on all machines, notes and facts aside; None where only a person
    can decide.
    """
    merged = tips[0]
    others = set().union(*map(list_lines_of_person, tips[1:]))
    if others <= list_lines_of_person(merged):
        return merged
    for tip in tips[1:]:
        united = merge_sides(base, merged, tip)
        if united is None:
            return None
        merged = united.text
    return merged


def _unite(
    run: Run, path: str, sides: Sequence[str], notes: _Notes
) -> str | None:
    """Return the page of all *sides*; None where the words of a note that lost would go."""
    order = _find_times(run, notes.captures)
    text = unite_statements(sides, notes.standing, order, notes.lost)
    if _lacks_lost(text, sides, notes.lost):
        _leave_to_person(run, path, "a note lost on one of them")
        return None
    return text if notes.by_hand else stand_once(text, notes.origin)


def _leave_to_person(run: Run, path: str, reason: str) -> None:
    run.notes.append(
        f"{path}: two machines wrote it, and {reason}; "
        "bring it together by hand"
    )


def _find_lost(run: Run, captures: Iterable[str]) -> set[str]:
    """Return the ids of the statements of *captures* that do not stand any more."""
    lost = set()
    for capture in captures:
        last = find_statement_state(run.db, capture)
        if last is not None and last.state != "active":
            lost.add(statement_id(capture))
    return lost


def _list_notes(run: Run, entry: str) -> _Notes:
    captures = _list_standing(run, entry)
    lost = _find_lost(run, captures)
    standing = set(map(statement_id, captures)) - lost
    first = [one for one in captures if ids.entry_id(one) == entry]
    origin = statement_id(first[0]) if first else ""
    by_hand = bool(list_entry_events(run.db, entry, _BY_HAND))
    return _Notes(captures, standing, lost, origin, by_hand)


def _is_complete(text: str, notes: _Notes) -> bool:
    """Tell whether a page has each of its notes once, and no marks of git. The one that it began
    with may open it.
    """
    standing = notes.standing
    if find_statement(text, notes.origin) is None and read_opening(text):
        standing = standing - {notes.origin}
    return is_whole(text, standing)


def _list_added(texts: Iterable[str], sides: Sequence[str]) -> list[str]:
    """Return the lines of *texts* that none of *sides* has."""
    added: list[str] = []
    for text in texts:
        added += list_lines_beside(text, sides)
    return added


def _find_times(run: Run, captures: Iterable[str]) -> dict[str, str]:
    """Return the first time of each of *captures*, by the id of its statement; "" without one."""
    order = {}
    for capture in captures:
        times = list_event_times(run.db, capture)
        order[statement_id(capture)] = times[0] if times else ""
    return order


def _lacks_lost(text: str, sides: Sequence[str], lost: Collection[str]) -> bool:
    """Tell whether *text* has not the words of a note that *lost* and that one of *sides* has."""
    present = {one.id for one in read_statements(text)}
    for side in sides:
        for one in read_statements(side):
            if one.id in lost and one.earlier and one.id not in present:
                return True
    return False


def _list_standing(run: Run, entry: str) -> list[str]:
    """Return the captures that stand on the page of *entry*."""
    captures = []
    for capture in list_captures_of_entry(run.db, entry):
        outcome = find_outcome(run.db, capture)
        if outcome is not None and outcome.outcome == "consolidated":
            captures.append(capture)
    return captures


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
