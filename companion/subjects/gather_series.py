"""Gather dated values of one quantity: a series begins at the third value on two days.

A note that is nothing but a value joins the page of its series as a row of its table, and values on
the pages of days move there with the first page. Cost grows with the values of tonight: a page of a
series is read where its key fits one of them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from companion.comparison.cohesion import place_score
from companion.comparison.consistency import CLEAR, Standing
from companion.comparison.pending import (
    Home,
    Move,
    PendingCapture,
    Placement,
)
from companion.pages import ids, links
from companion.pages.names import file_name
from companion.pages.series_table import fits_row, read_rows
from companion.pages.statements import statement_id
from companion.runs.run import Run
from companion.storage.index.tables.pages.entries import EntryRow, find_entry
from companion.storage.index.tables.pages.names import has_file_name, has_name
from companion.storage.index.tables.pages.statements import list_subjects
from companion.subjects.day_pages import DayPages
from companion.subjects.gathering import Block, Gathering
from companion.subjects.homes import asks_for_no_title, may_take_notes
from companion.subjects.series import (
    Correction,
    DatedValue,
    Series,
    belongs_to,
    find_corrected,
    group_series,
    read_correction,
    read_dated_value,
)
from companion.values.time import local_moment

# rows of a series that say what it measures
_LAST = 5


@dataclass(frozen=True)
class _Known:
    """A series that has a page."""

    page: EntryRow
    key: str
    series: Series  # its last values


@dataclass
class _Values:
    """The values of tonight, and those on pages of days."""

    tonight: dict[str, DatedValue] = field(default_factory=dict)  # by capture
    # notes that correct a value, by capture, with their day
    corrections: dict[str, tuple[str, Correction]] = field(default_factory=dict)
    blocks: dict[str, Block] = field(default_factory=dict)  # by statement
    captures: dict[str, str] = field(default_factory=dict)  # by statement


def gather_series(
    run: Run,
    captures: Sequence[PendingCapture],
    placements: Mapping[str, Placement],
    standings: Mapping[str, Standing],
    days: DayPages,
    is_taken: Callable[[str], bool],
) -> Gathering:
    """Return where the values among *captures* stand, and the blocks of days that move with them.

    *is_taken* tells whether a file name (`links.key`) is in use.
    """
    values = _read_values(run, captures, placements, standings)
    if not (values.tonight or values.corrections):
        return Gathering()
    moves: list[Move] = []
    known = _list_known(run)
    chosen, new = _place_values(values, known)
    rest = [value for value in new if _may_begin(value, values, placements)]
    chosen.update(_place_corrections(values, known))
    _find_earlier(values, rest, days)
    earlier = _read_blocks(values)
    for found in group_series([*rest, *earlier]):
        home = _begin(run, found, is_taken) if found.begins else None
        if home is not None:
            begun = _place_begun(values, found, home, days)
            chosen.update(begun.placements)
            moves += begun.moves
    tonight = {placement.home.entry for placement in chosen.values()}
    kept = [move for move in moves if move.entry in tonight]
    return Gathering(chosen, {}, tuple(kept))


def _place_begun(
    values: _Values, series: Series, home: Home, days: DayPages
) -> Gathering:
    """Return where the values of a series stand that begins tonight at *home*."""
    placements: dict[str, Placement] = {}
    moves: list[Move] = []
    for value in series.values:
        block = values.blocks.get(value.id)
        if block is None:
            capture = values.captures[value.id]
            placements[capture] = Placement(home, "series", home.reason)
        else:
            moves.append(days.make_move(block, home.entry))
    return Gathering(placements, {}, tuple(moves))


def _place_values(
    values: _Values, known: Sequence[_Known]
) -> tuple[dict[str, Placement], list[DatedValue]]:
    """Return where the values of tonight go that are of a *known* series, and the other values."""
    chosen: dict[str, Placement] = {}
    rest: list[DatedValue] = []
    for capture, value in values.tonight.items():
        series = _find_known(value, known)
        if series is None:
            rest.append(value)
        elif may_take_notes(series.page):
            joined = _home_of(series)
            reason = f"Joins {joined.title}: one more of its values."
            chosen[capture] = Placement(joined, "series", reason)
    return chosen, rest


def _may_begin(
    value: DatedValue, values: _Values, placements: Mapping[str, Placement]
) -> bool:
    """Tell whether *value* may begin a series: a bare number says more of a page that it names."""
    placement = placements[values.captures[value.id]]
    return placement.rule == "unknown" or not value.measurement.loose


def _read_values(
    run: Run,
    captures: Sequence[PendingCapture],
    placements: Mapping[str, Placement],
    standings: Mapping[str, Standing],
) -> _Values:
    values = _Values()
    contents = run.contents()
    for told in captures:
        capture = told.capture.id
        standing = standings.get(capture, CLEAR)
        is_low = place_score(standing.consistency).bucket == "low"
        if is_low or not asks_for_no_title(told) or capture not in placements:
            continue
        first = told.sightings[0]
        when = local_moment(first.event_time, first.utc_offset)
        content = told.capture.content or contents[capture]
        words = content.decode("utf-8", "replace").strip("\r\n")
        id = statement_id(capture)
        if not fits_row(words):
            continue
        value = read_dated_value(id, when, words)
        correction = read_correction(words)
        if correction is not None:
            values.corrections[capture] = when[:10], correction
        elif value is not None:
            values.tonight[capture] = value
            values.captures[id] = capture
    return values


def _place_corrections(
    values: _Values, known: Iterable[_Known]
) -> dict[str, Placement]:
    """Return where notes stand that correct a value of a series on its day."""
    placements = {}
    for each in known:
        if not may_take_notes(each.page):
            continue
        candidates = [*each.series.values]
        for value in values.tonight.values():
            if belongs_to(value, each.series):
                candidates.append(value)
        for capture, (day, correction) in values.corrections.items():
            if find_corrected(correction, day, candidates) is not None:
                home = _home_of(each)
                reason = f"Joins {home.title}: it corrects a value of that day."
                placements[capture] = Placement(home, "series", reason)
    return placements


# -- series that have a page -----------------------------------------------------------------------


def _list_known(run: Run) -> list[_Known]:
    known = []
    for subject in list_subjects(run.db, "series"):
        page = find_entry(run.db, subject.entry)
        if page is None or page.tombstone:
            continue
        rows = read_rows(run.repo.text(page.blob, exact=True))[-_LAST:]
        values = []
        for row in rows:
            if row.corrected_by:
                continue
            value = read_dated_value(row.id, row.when, row.words)
            if value is not None:
                values.append(value)
        for series in group_series(values)[:1]:
            known.append(_Known(page, subject.key, series))
    return known


def _find_known(value: DatedValue, known: Iterable[_Known]) -> _Known | None:
    for each in known:
        if belongs_to(value, each.series):
            return each
    return None


def _home_of(known: _Known) -> Home:
    page = known.page
    return Home(page.id, page.path, page.title, page.blob, "series", known.key)


# -- the third value -------------------------------------------------------------------------------


def _find_earlier(
    values: _Values, wanted: Iterable[DatedValue], days: DayPages
) -> None:
    """Add the blocks of days that may be values of what *wanted* measures."""
    phrases: dict[str, None] = {}
    for value in wanted:
        for word in (value.measurement.quantity, value.measurement.unit):
            clean = word.replace('"', "").strip()
            if clean:
                phrases[f'"{clean}"'] = None
    for phrase in phrases:
        for block in days.list_matching(phrase):
            values.blocks[statement_id(block.placed.capture)] = block


def _read_blocks(values: _Values) -> list[DatedValue]:
    found = []
    for id, block in sorted(values.blocks.items()):
        value = read_dated_value(id, block.when, block.words)
        if value is not None and fits_row(block.words):
            found.append(value)
    return found


def _begin(
    run: Run, series: Series, is_taken: Callable[[str], bool]
) -> Home | None:
    """Return the page that *series* begins; None where its name is taken or it was deleted."""
    name = file_name.make_file_name(series.title)
    file = links.key(name)
    if has_name(run.db, links.title_key(series.title)):
        return None
    if has_file_name(run.db, file) or is_taken(file):
        return None
    entry = ids.subject_id("series", series.key)
    if find_entry(run.db, entry) is not None:
        return None
    day = series.values[0].day
    path = f"{run.config.entries}/{day[:4]}/{day[5:7]}/{name}.md"
    reason = f"Series begun: third value on two days. ({series.reason})"
    return Home(
        entry,
        path,
        series.title,
        None,
        "series",
        series.key,
        created=day,
        reason=reason,
        language=series.language,
    )
