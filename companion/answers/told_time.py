"""Say a day or a month as the note told it: "3 August", and not "2026-08-03".

Only what names a month is said so: "tomorrow" would be another day where it is read.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from companion.annotations import TYPE_CHECKING
from companion.patterns import lazy
from companion.storage.index.tables.claims import RecordedClaim

if TYPE_CHECKING:
    from companion.language.times.mentions import Mention, Tense

_YEAR = lazy(r"\b\d{4}\b")
_TENSES: "tuple[Tense, ...]" = ("present", "past", "future")
_LANGUAGE = 2  # letters at the beginning of a rule's name


def find_dated(
    ids: Sequence[str], claims: Mapping[str, RecordedClaim]
) -> RecordedClaim:
    """Return the first of the claims *ids* that says when it is so; the first where none does."""
    told = [claims[id] for id in ids]
    dated = (claim for claim in told if claim.assertion.stated)
    return next(dated, told[0])


def say_time_as_told(claim: RecordedClaim, note: str, now: str) -> str | None:
    """Return the words with which *note* says since when *claim* is so, with the year where that is
    not the one of *now*; None where they name no month.
    """
    # word lists: only an answer that is a time needs them
    from companion.language.detect import read_language_data
    from companion.language.times.calendar import parse_moment

    language, _, rule = claim.rule.partition("/")
    if not rule or len(language) != _LANGUAGE:
        return None
    months = read_language_data(language, "time")["months"]
    start = parse_moment(claim.assertion.valid_from)
    for mention in _list_mentions(claim, note, language):
        words = note[mention.start : mention.end].split()
        at = _place_of_day(words, months)
        if at is None:
            continue
        if claim.assertion.precision == "day":
            words = words[at:]
        return _with_year(" ".join(words), start, now)
    return None


def _list_mentions(
    claim: RecordedClaim, note: str, language: str
) -> "Iterator[Mention]":
    """Yield where *note* names the time since when *claim* is so."""
    from companion.language.times.calendar import parse_moment
    from companion.language.times.phrases import time_reader

    assertion = claim.assertion
    told_at = parse_moment(assertion.told_at)
    since = (parse_moment(assertion.valid_from), assertion.precision)
    for tense in _TENSES:
        reader = time_reader(language)
        for mention in reader.mentions(note, told_at, tense=tense):
            stretch = mention.stretch
            if (stretch.start, stretch.precision) == since:
                yield mention


def _place_of_day(
    words: Sequence[str], months: Mapping[str, int]
) -> int | None:
    """Return where the day or the month begins, behind "on the"; None where no month is named."""
    places = [
        at
        for at, word in enumerate(words)
        if word.lower().rstrip(".,") in months
    ]
    if not places:
        return None
    digits = [at for at, word in enumerate(words) if word[:1].isdigit()]
    return min(places + digits)


def _with_year(said: str, start: datetime, now: str) -> str:
    if _YEAR.search(said) or now.startswith(f"{start.year:04d}"):
        return said
    return f"{said} {start.year}"
