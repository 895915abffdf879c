"""Say a day or a month as the note told it: "3 August", and not "2026-08-03".

Only what names a month is said so: "tomorrow" would be another day where it is read.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import zip_longest

from companion.annotations import TYPE_CHECKING
from companion.answers.chains.covers import Chain
from companion.answers.question import Question
from companion.language.words.question_words import question_language
from companion.patterns import lazy
from companion.storage.index.tables.claims import RecordedClaim

if TYPE_CHECKING:
    from companion.language.times.mentions import Mention, Tense

_YEAR = lazy(r"\b\d{4}\b")
_TENSES: "tuple[Tense, ...]" = ("present", "past", "future")
_DAY = len("2026-09-11")
_NOT_NEXT = ("door", "to", "of")  # behind "next"
_LANGUAGE = 2  # letters at the beginning of a rule's name


def keep_asked_side(
    chains: list[Chain],
    asked: Question,
    seen: Mapping[str, RecordedClaim],
    now: str,
) -> list[Chain]:
    """Return *chains*; where the question asks for the "next" or the "last" one, without those that
    tell a time on the other side of *now*: when the boiler was serviced is not when it is next.
    """
    if asked.kinds != {"time"}:
        return chains
    way = _find_way(asked.said)
    if not way:
        return chains
    return [chain for chain in chains if not _lies(chain, -way, seen, now)]


def _find_way(said: Sequence[str]) -> int:
    """Return 1 where a question for what is to come *said* "next", -1 where one for what was said
    "last", else 0.
    """
    # word lists: only an answer that is a time needs them
    from companion.language.claims.grammar import grammar_of
    from companion.language.detect import read_language_data

    language = question_language(said)
    shifts = read_language_data(language, "time")["relative"]
    grammar = grammar_of(language)
    is_past = any(grammar.has("pasts", word) for word in said)
    for word, following in zip_longest(said, said[1:], fillvalue=""):
        if following in _NOT_NEXT:
            continue
        shift = shifts.get(word, 0)
        if (shift < 0) if is_past else (shift > 0):
            return 1 if shift > 0 else -1
    return 0


def _lies(
    chain: Chain, way: int, seen: Mapping[str, RecordedClaim], now: str
) -> bool:
    """Tell whether the time that *chain* answers with lies *way* of *now*: behind (-1), ahead."""
    last = chain.steps[-1]
    claim = seen[last.ids[0]]
    if way < 0 and _is_told_as_past(claim):
        return True
    start, end = _read_bounds(last.when if chain.dated else None, claim)
    return bool(end) and (end <= now if way < 0 else start > now)


def _is_told_as_past(claim: RecordedClaim) -> bool:
    """Tell whether *claim* says when something "was"."""
    from companion.language.claims.grammar import grammar_of

    verb = claim.predicate.split(" ", 1)[0].lower()
    return grammar_of(_language_of(claim) or "en").has("pasts", verb)


def _read_bounds(when: str | None, claim: RecordedClaim) -> tuple[str, str]:
    """Return the beginning and the end of a time: *when* something is so, or the value of *claim*;
    two empty texts where no date is known.
    """
    from companion.language.times.calendar import format_moment

    if when is not None:
        # as it is shown: a day, a month or a year; its end is within what begins with it
        return when, f"{when}~" if len(when) < _DAY else when
    for mention in reversed(_read_mentions(claim, claim.object, "future")):
        if _names_date(claim.object[mention.start : mention.end], claim):
            start, end, _ = mention.stretch
            return format_moment(start), format_moment(end)
    year = _YEAR.search(claim.object)
    return (year[0], f"{year[0]}~") if year else ("", "")


def _names_date(words: str, claim: RecordedClaim) -> bool:
    """Tell whether *words* name a month or a year: "Mondays" come again."""
    from companion.language.detect import read_language_data

    if _YEAR.search(words):
        return True
    months = read_language_data(_language_of(claim), "time")["months"]
    return _place_of_day(words.split(), months) is not None


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

    language = _language_of(claim)
    if not language:
        return None
    months = read_language_data(language, "time")["months"]
    start = parse_moment(claim.assertion.valid_from)
    for mention in _list_mentions(claim, note):
        words = note[mention.start : mention.end].split()
        at = _place_of_day(words, months)
        if at is None:
            continue
        if claim.assertion.precision == "day":
            words = words[at:]
        return _with_year(" ".join(words), start, now)
    return None


def _list_mentions(claim: RecordedClaim, note: str) -> "Iterator[Mention]":
    """Yield where *note* names the time since when *claim* is so."""
    from companion.language.times.calendar import parse_moment

    assertion = claim.assertion
    since = (parse_moment(assertion.valid_from), assertion.precision)
    for tense in _TENSES:
        for mention in _read_mentions(claim, note, tense):
            stretch = mention.stretch
            if (stretch.start, stretch.precision) == since:
                yield mention


def _read_mentions(
    claim: RecordedClaim, text: str, tense: "Tense"
) -> "Sequence[Mention]":
    """Return the times that *text* names, seen from when *claim* was told; none where no language
    of its rule is known.
    """
    from companion.language.times.calendar import parse_moment
    from companion.language.times.phrases import time_reader

    language = _language_of(claim)
    if not language:
        return ()
    told_at = parse_moment(claim.assertion.told_at)
    return time_reader(language).mentions(text, told_at, tense=tense)


def _language_of(claim: RecordedClaim) -> str:
    language, _, rule = claim.rule.partition("/")
    return language if rule and len(language) == _LANGUAGE else ""


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
