"""Read the times of a clause: its tense, when it is so, and its words without the times."""

import re
from collections.abc import Collection

from companion.language.claims.grammar import Grammar
from companion.language.detect import read_language_data
from companion.language.sentences import Token, Words, tokenize
from companion.language.times.mentions import Mention, Tense
from companion.language.times.names import is_part_of_name
from companion.values.claims import Period

# an hour alone, with or without one word before it: "9:30", "at 5 pm", "um 8 Uhr"
_HOUR = re.compile(
    r"(?:[^\W\d]+ )?\d{1,2}(?::\d{2})? ?(?:[ap]\.?m\.?|uhr)?", re.IGNORECASE
)


def tense_of(clause: str, grammar: Grammar) -> Tense:
    """Return the tense of *clause*."""
    words = tokenize(clause, 0, len(clause))
    if any(grammar.has("future", word.low) for word in words):
        return "future"
    pasts = [word for word in words if _is_past(word, grammar)]
    if pasts and not _have_only(pasts, words, grammar):
        return "past"
    if grammar.matches("mood.future", clause):
        return "future"
    return "present"


def _is_past(word: Token, grammar: Grammar) -> bool:
    return grammar.has("pasts", word.low) or grammar.past(word)


def _have_only(pasts: Words, words: Words, grammar: Grammar) -> bool:
    """Tell whether "hat" is no part of a perfect: "hat am 9. Juni Geburtstag" ends with a noun, and
    not with a participle.
    """
    if not grammar.v2:
        return False
    if not all(grammar.has("perfects", word.low) for word in pasts):
        return False
    others = [word for word in words if word not in pasts]
    last = others[-1].text if others else ""
    return not (last.islower() and last.endswith(("t", "en")))


def announces(clause: str, mentions: list[Mention], grammar: Grammar) -> bool:
    """Tell whether a present tense speaks of what is to come: "in May I move to Leeds", "the choir
    is on Friday".
    """
    if any(mention.role not in ("at", "none") for mention in mentions):
        return False
    words = tokenize(clause, 0, len(clause))
    if _is_dated_state(words, mentions, grammar):
        return True
    for at, word in enumerate(words):
        lemma = grammar.lemma(word.low)
        begins = lemma in grammar.onset or lemma in grammar.changes
        if begins and grammar.finite(words, at):
            return not grammar.past(word)
    return False


def _is_dated_state(
    words: Words, mentions: list[Mention], grammar: Grammar
) -> bool:
    """Tell whether *words* say that something "is" at a time."""
    if all(mention.role != "at" for mention in mentions):
        return False
    return any(grammar.has("copulas", word.low) for word in words)


def dating_mentions(
    mentions: list[Mention], clause: str, tense: Tense, grammar: Grammar
) -> list[Mention]:
    """Return those of *mentions* that say when something is so.

    In the present tense an hour alone says what a thing is, every day. "Monday evening" is one
    time, "every Monday" and "always in March" are none.
    """
    dating: list[Mention] = []
    name_end = -1
    for mention in _list_not_habitual(mentions, clause, tense, grammar):
        if grammar.matches("clause.every", clause[: mention.start]):
            continue
        if mention.start == name_end and mention.role == "until":
            continue  # "Sommer und Winter"
        if is_part_of_name(mention, clause, grammar):
            name_end = mention.end
            continue
        if tense == "present" and _is_bare_hour(mention, clause):
            continue
        dating.append(_with_daytime(mention, clause, grammar))
    return dating


def _list_not_habitual(
    mentions: list[Mention], clause: str, tense: Tense, grammar: Grammar
) -> list[Mention]:
    """Return the *mentions* but those in which something is so every time: "always in March"."""
    if tense != "present" or not grammar.matches("clause.habit", clause):
        return mentions
    return [one for one in mentions if not _may_recur(one, clause, grammar)]


def _may_recur(mention: Mention, clause: str, grammar: Grammar) -> bool:
    """Tell whether a time is a day of the week, a month or a season without a year or a number:
    "in March", and neither "this week" nor "on 5 October".
    """
    if mention.role not in ("at", "none"):
        return False
    *before, last = clause[mention.start : mention.end].lower().split()
    data = read_language_data(grammar.language, "time")
    names = {*data["weekdays"], *data["months"], *data["seasons"]}
    little = ("prepositions", "articles")
    return last.rstrip("s") in names and all(
        grammar.has_any(little, word) for word in before
    )


def _with_daytime(mention: Mention, clause: str, grammar: Grammar) -> Mention:
    """Return a time with the word for a part of the day behind it: "Monday evening"."""
    if not mention.start:
        return mention
    daytime = grammar.match_length("clause.daytime", clause[mention.end :])
    return mention._replace(end=mention.end + daytime)


def mentions_of_part(
    part: tuple[int, int],
    parts: Collection[tuple[int, int]],
    mentions: list[Mention],
    shift: int,
) -> list[Mention]:
    """Return the times that are said of one *part* of a clause: within it, or in front of all.

    *parts* are places in the text; those of *mentions* are counted from *shift* on.
    """
    own: list[Mention] = []
    for mention in mentions:
        start = mention.start + shift
        end = mention.end + shift
        around = [one for one in parts if _overlaps(one, start, end)]
        if part in around or not around:
            own.append(mention)
    return own


def mentions_beside_value(mentions: list[Mention]) -> list[Mention]:
    """Return the times that date a value which is a time itself.

    "Ab dieser Woche" dates "am Donnerstag"; alone it would be the value.
    """
    if len(_list_in_roles(mentions, ("ago",))) == len(mentions):
        return []  # "arrived two days ago"
    dating = _list_in_roles(mentions, ("as_of", "ago", "duration"))
    bounds = _list_in_roles(mentions, ("since", "onward"))
    if len(dating) + len(bounds) == len(mentions):
        return dating
    return [one for one in mentions if one in dating or one in bounds]


def list_onsets(mentions: list[Mention], end: int) -> list[Mention]:
    """Return the times before the place *end* from which on something is so: "Rent from May: 820";
    none where *end* is -1.
    """
    onsets = _list_in_roles(mentions, ("since", "onward"))
    return [mention for mention in onsets if mention.end <= end]


def _list_in_roles(
    mentions: list[Mention], roles: tuple[str, ...]
) -> list[Mention]:
    return [mention for mention in mentions if mention.role in roles]


def bounded_by_now(
    period: Period, clause: str, now: str, grammar: Grammar, *, replaces: bool
) -> Period:
    """Return *period* as "no longer" (from now on) and "used to" (until now) bound it.

    *replaces*: the clause says that something is so no longer, or what is so in its place.
    """
    if replaces and grammar.matches("change.ended", clause):
        if period.stated:
            return period
        return Period(now, None, "day", stated=True)
    if period.end is None and grammar.matches("change.past", clause):
        start = period.start
        if start is not None and start >= now:
            start = None
        return Period(start, now, period.precision or "day", stated=True)
    return period


def blank_times(text: str, shift: int, mentions: list[Mention]) -> str:
    """Return *text* with the *mentions* blanked out, whose places are *shift* characters later."""
    for mention in mentions:
        text = _blank(text, shift + mention.start, shift + mention.end)
    return text


def blank_frequencies(text: str, start: int, end: int, grammar: Grammar) -> str:
    """Return *text* with what says how often something is so in [start, end) blanked out."""
    rule = grammar.rules.get("clause.frequency")
    if rule is None:
        return text
    for match in list(rule.finditer(text, start, end)):
        text = _blank(text, match.start(), match.end())
    return text


def value_without_times(
    text: str, start: int, end: int, mentions: list[Mention]
) -> str:
    """Return text[start:end] without the *mentions*, and without marks around it."""
    value = blank_times(text, 0, mentions)[start:end]
    return " ".join(value.split()).strip(" ,;.()[]")


def _is_bare_hour(mention: Mention, clause: str) -> bool:
    words = clause[mention.start : mention.end]
    return mention.role in ("at", "none") and _HOUR.fullmatch(words) is not None


def _overlaps(part: tuple[int, int], start: int, end: int) -> bool:
    """Tell whether the first or the last character of [start, end) is in *part*."""
    return part[0] <= start < part[1] or part[0] < end <= part[1]


def _blank(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]
