"""Words that every verb's answer is made of: ids, times and counts as a person reads them."""

from collections.abc import Iterable, Iterator, Mapping

from companion.annotations import Any
from companion.cli.lines import Aside, Row, Title
from companion.values.wording import many, without_numbers

#: the result of a verb, or a part of it
Doc = Mapping[str, Any]

# how a night ended that did not do all of its work
_OUTCOMES = {"aborted": "It ended early: ", "failed": "It failed: "}
_DISAGREES = "May disagree with "
# days from which an age is told, from which it is one of months, and one of years
_SAME_WEEK, _WEEKS, _YEARS = 7, 60, 700
MANY = 20  # longer lists are counted, and shown in full by --json only


def short(identifier: str | None) -> str:
    """Return enough of an id for a person to copy."""
    return (identifier or "")[:8]


def when(moment: str | None) -> str:
    """Return the time of a statement as `at` does; a day told without a time is that day in every
    zone. It is stored as its first instant in UTC.
    """
    if moment and moment.endswith("Z") and not moment[10:].strip("T0:.Z"):
        return moment[:10]
    return at(moment)


def at(moment: str | None) -> str:
    """Return an RFC 3339 time to the minute by the clock of this machine's zone, with its offset
    where it is not UTC: `2026-11-24 02:57 +05:30`.
    """
    minutes = _find_offset(moment)
    if minutes is None:
        return local(moment)
    hours, rest = divmod(abs(minutes), 60)
    sign = "-" if minutes < 0 else "+"
    return f"{local(moment)} {sign}{hours:02}:{rest:02}"


def local(moment: str | None) -> str:
    """Return an RFC 3339 time as `at` does, without the offset.

    A clone's record may have anything in the place of a time: that stays as it is. A time without
    an offset is one that a page shows, by the clock of whoever told it, and stays too.
    """
    minutes = _find_offset(moment)
    if not moment or minutes is None:
        return (moment or "")[:16].replace("T", " ")
    from companion.values.time import local_minute

    return local_minute(moment, minutes)


def _find_offset(moment: str | None) -> int | None:
    """Return this machine's offset from UTC at *moment*, in minutes; None for UTC, and for what is
    no instant.
    """
    if not moment or not (moment.endswith("Z") or moment[-6:-5] in ("+", "-")):
        return None
    from companion.values.time import local_minute
    from companion.workspace import find_local_offset

    try:
        minutes = find_local_offset(moment)
        # a time at the end of the calendar is shown in UTC: there is no later one
        if local_minute(moment, minutes) == local_minute(moment, None):
            return None
    except (ValueError, OverflowError):
        return None
    return minutes


def day_name(day: str) -> str:
    """Return a day, or the day of a local time, as `Monday, 23 November`; other words stay."""
    from datetime import date

    try:
        named = date.fromisoformat(day[:10])
    except ValueError:
        return day
    return f"{named:%A}, {named.day} {named:%B}"


def name_night(night: Doc | None) -> str:
    """Return the label of the last night; of runs that a person started, that of a run."""
    if night is not None and night["outcome"] == "by hand":
        return "last run"
    return "last night"


def describe_night(night: Doc | None, now: str, *, dated: bool = False) -> str:
    """Return when the last night was, what it did, and why it ended early; *now* is local.

    With *dated* the day is named also where it is today.
    """
    if night is None:
        return "none yet"
    started, ended = local(night["started"]), local(night["ended"])
    hours = f"{started[11:]} to {ended[11:]}"
    if started[11:] == ended[11:]:
        hours = ended[11:]
    words = f"{hours}: {night['did']}"
    if dated or ended[:10] != now[:10]:
        words = f"{day_name(ended)}{_tell_age(ended, now)}, {words}"
    if night["why"]:
        words += f" {_OUTCOMES.get(night['outcome'], '')}{night['why']}"
    return words


def _tell_age(then: str, now: str) -> str:
    """Return how long ago *then* was, once its day's name alone would mislead; both are local."""
    from datetime import date

    try:
        today, day = map(date.fromisoformat, (now[:10], then[:10]))
    except ValueError:  # a clone's record may have anything in its place
        return ""
    days = (today - day).days
    if days < _SAME_WEEK:
        return ""
    if days < _WEEKS:
        return f", {many(days // 7, 'week')} ago"
    if days < _YEARS:
        return f", {many(round(days / 30.4), 'month')} ago"
    return f" {then[:4]}, {many(days // 365, 'year')} ago"


def describe_missed(missed: Doc) -> str:
    """Return which nights were missed, and why."""
    days = day_name(missed["last"])
    if missed["first"] != missed["last"]:
        days = f"{day_name(missed['first'])} to {days}"
    return f"{days}: {missed['why']}"


def reason_of(reason: str, *, explain: bool) -> str:
    """Return *reason* as it is with *explain*; else without the numbers and rules that follow its
    sentences in parentheses.
    """
    return reason if explain else without_numbers(reason)


def tell_question(question: Doc) -> str:
    """Return why a question is asked. The page that it disagrees with is named beside it."""
    reason = reason_of(question["reason"], explain=False)
    page, colon, why = reason.partition(": ")
    if colon and page.startswith(_DISAGREES) and question["other"]:
        return why[:1].upper() + why[1:]
    return reason


def titled(doc: Doc) -> str:
    """Return the title of a document, or, of a capture that has none yet, its id."""
    return doc["title"] or short(doc["id"])


def kind_of(node: Doc) -> str:
    """Return what people call a node on which something rests, or that does."""
    kind = str(node["kind"])
    return "note" if kind == "statement" else kind


def state_of(state: str) -> str:
    """Return what follows the title of an entry that is not simply active."""
    return "" if state == "active" else f"  ({state})"


def section(name: str, rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield a heading with the number of *rows*, and the rows; nothing if there are none."""
    listed = list(rows)
    if not listed:
        return
    yield Title(f"{name} {len(listed):,}")
    yield from some([Row(what, reason, indent=2) for what, reason in listed])


def left_out(doc: Doc) -> Iterator[str]:
    """Yield the pages that an operation did not touch, with the reason for each."""
    rows = ((item["path"], item["reason"]) for item in doc["left_out"])
    yield from section("left out", rows)


def some(lines: Iterable[str]) -> Iterator[str]:
    """Yield the first of many *lines*, and how many more there are."""
    listed = list(lines)
    yield from listed[: 2 * MANY]
    if len(listed) > 2 * MANY:
        more = len(listed) - 2 * MANY
        yield f"  … and {more:,} more lines (all of them with --json)"


def whole_text(text: str) -> Iterator[str]:
    """Yield the lines of a stored text, without the carriage returns of Windows."""
    for line in text.rstrip("\n").split("\n"):
        yield line.rstrip("\r")


def name_of(named: Doc) -> str:
    """Return where an entry lies; else its title, else its id."""
    return named["path"] or named["title"] or short(named["id"])


def called(named: Doc) -> str:
    """Return what an entry is called, and where it lies."""
    if named["title"] and named["path"]:
        return f"“{named['title']}” · {named['path']}"
    return name_of(named)


def called_statement(doc: Doc) -> str:
    """Return how one statement of a page begins, and when it was told."""
    words = f"“{doc['words']}”" if doc["words"] else "a note that is gone"
    told = f", told {when(doc['told'])[:10]}" if doc["told"] else ""
    return words + told


def judges_asked(doc: Doc, *, explain: bool) -> Iterator[str]:
    """Yield which judge was asked how often; without *explain* only if one gave no answer."""
    for tally in doc["judged"]:
        if explain or tally["unanswered"]:
            yield tally["said"]


def ending(doc: Doc, nothing: str) -> Iterator[str]:
    """Yield what ends the answer of an operation: its notes, and its commit, or *nothing* where it
    found nothing.
    """
    yield from (f"note: {note}" for note in doc["notes"])
    if doc["commit"]:
        yield commit_of(doc)
        return
    lists = [value for value in doc.values() if isinstance(value, list)]
    if nothing and not any(lists):
        yield nothing


def commit_of(doc: Doc) -> str:
    """Return the commit of a run, and how to look at it."""
    commit = short(doc["commit"])
    return Aside(f"commit {commit} · git show {commit}")


def counts(numbers: dict[str, int]) -> str:
    """Return counts as ``3 captured, 1 seen``; zeros are left out."""
    parts = [
        f"{number:,} {what.replace('_', ' ')}"
        for what, number in numbers.items()
        if number
    ]
    return ", ".join(parts) or "nothing changed"


def exchanged(doc: Doc) -> Iterator[str]:
    """Yield what an export or an import carried."""
    private = ", private ones included" if doc["private"] else ""
    yield counts(doc["counts"]) + private
    notes = short(doc["buffer"]) or "none"
    yield Aside(f"git objects: pages {short(doc['tree'])}, notes {notes}")
