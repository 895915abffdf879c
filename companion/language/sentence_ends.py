"""Where sentences end, in the languages that are read.

A full stop ends no sentence behind an abbreviation ("z. B.", "Dr."), an initial ("J. Smith"), an
ordinal ("5. Mai") or before a word in lower case. One word may be both ("St. Moritz", "Main St."):
what follows decides. Every capture and search loads this: standard library only, and the words are
read from their file when the first doubtful full stop is met.
"""

import re
from collections.abc import Iterator

from companion.language.word_kinds import read_word_kinds
from companion.patterns import lazy

DATA = "sentence-ends.txt"

# the marks that may end a sentence, with what closes behind them: '."'; CJK has no space behind
_STOP = lazy(
    r"(?:[.!?\u2026]+[*_\"'\u201c\u201d\u2019\u00bb)\]]*(?=\s|\Z))"
    r"|[\u3002\uff01\uff1f]+[\u300d\u300f\uff09]*"
)
# the same in a text of ASCII, which takes a tenth of the time to compile
_ASCII_STOP = lazy(r"[.!?]+[*_\"')\]]*(?=\s|\Z)")
_OPENING = " \t\r\n\"'\u201c\u201e\u2018\u00ab([*_>\u00bf\u00a1"
# the word right before a full stop, and the one before that
_LAST_WORD = lazy(r"[\w.'\u2019-]*\Z")
_NEXT_WORD = lazy(r"[\w'\u2019]+")
_DOTTED = lazy(r"(?:\w\.)+\w")
_SPACED = lazy(r"(?:(?<!\w)[^\W\d_]\.[ \u00a0\u202f]?)+\Z")
# "p." before "ex", "Dr." before "med"
_WORD_BEFORE = lazy(r"(?<!\w)([^\W\d_]{1,4}\.)\s\w+\Z")
_DAY_AND_MONTH = lazy(r"(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])")
_ORDINAL = lazy(r"\d{1,2}")
_VOWEL = lazy(r"[aeiouyäöüàâáéèêëîïíìôóòûùúœæø]")
_LOOK_BACK = 40  # characters before a full stop that tell what it is
_LOOK_AHEAD = 30


def split_sentences(text: str) -> list[str]:
    """Return the sentences of *text* with the space between them; joined they are *text*.

    The space before a sentence belongs to it. Lines and paragraphs are the caller's.
    """
    ends = [*find_ends(text, 0, len(text))]
    if not ends or ends[-1] < len(text):
        ends.append(len(text))
    parts = []
    start = 0
    for end in ends:
        if not text[end:].strip():
            end = len(text)
        if end > start:
            parts.append(text[start:end])
        start = end
    return parts


def split_lines(text: str) -> Iterator[str]:
    """Yield the sentences of *text* without the space around them; a line ends a sentence too."""
    for line in text.split("\n"):
        for sentence in split_sentences(line):
            yield sentence.strip()


def find_ends(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the places in text[start:end] behind the marks that end a sentence."""
    begin = start
    stops = _ASCII_STOP if text.isascii() else _STOP
    for stop in stops.finditer(text, start, end):
        if _ends_sentence(text, begin, stop, end):
            yield stop.end()
            begin = stop.end()


def _ends_sentence(
    text: str, begin: int, stop: re.Match[str], end: int
) -> bool:
    """Tell whether the mark *stop* ends the sentence that begins at *begin*."""
    mark = stop.group()
    after = text[stop.end() : min(end, stop.end() + _LOOK_AHEAD)]
    after = after.lstrip(_OPENING)
    if not after or mark[0] in "\u3002\uff01\uff1f":
        return True
    is_small = after[0].islower()
    if mark[0] in "!?":
        # '"Why?" she asked'
        return not is_small or mark[-1] in "!?"
    if mark[0] != "." or mark.startswith(".."):
        return not is_small
    if is_small and not _writes_small(text, begin, stop.start()):
        return False
    before = text[max(begin, stop.start() - _LOOK_BACK) : stop.start()]
    return not _belongs_to_word(before, after, mark)


def _writes_small(text: str, begin: int, end: int) -> bool:
    """Tell whether a sentence began with a small letter: its writer needs no capitals."""
    head = text[begin : min(end, begin + _LOOK_AHEAD)].lstrip(_OPENING)
    return head[:1].islower()


def _belongs_to_word(before: str, after: str, mark: str) -> bool:
    """Tell whether a full stop is part of the word that ends *before*, and no end."""
    word = _last_word(before)
    if not word:
        return False
    following = _next_word(after)
    if word[-1].isdigit():
        return _is_ordinal(word, before, after, following, mark)
    if len(mark) > 1 and len(word) > 1:
        # 'He said "Stop."': what closes ends the sentence with it
        return _is_of("always", word.lower())
    if len(word) == 1 and not _DOTTED.fullmatch(word):
        return _is_initial(word, before, after, following)
    return _is_abbreviation(word, before, after, following)


def _is_abbreviation(
    word: str, before: str, after: str, following: str
) -> bool:
    if word.isupper() and "." not in word:
        # "HR", "NO": an acronym takes no full stop
        return False
    low = word.lower()
    starts = _is_of("starters", following.lower()) and after[0].isupper()
    number_follows = after[0].isdigit()
    if _is_always_short(low, before):
        return True
    if number_follows and _stands_before_number(low):
        return True
    if _is_of("closing", low):
        return not after[0].isupper()
    if _is_of("month", low):
        return number_follows or (not starts and _follows_number(before, word))
    if _is_of("title", low) and word[0].isupper() and not starts:
        return True
    if low == "al" and before[: -len(word)].rstrip().endswith("et"):
        return not starts
    return not starts and _looks_short(word)


def _is_always_short(low: str, before: str) -> bool:
    """Tell whether *low*, alone or with the word before it, is short wherever it stands."""
    return _is_of("always", low) or _is_of("always", _word_before(before) + low)


def _stands_before_number(low: str) -> bool:
    """Tell whether *low* is short before a number: "Nr. 5", "Hauptstr. 7"."""
    return _is_of("number", low) or low.endswith("str")


def _looks_short(word: str) -> bool:
    """Tell whether *word* is a known short form, has dots inside, or no vowel."""
    low = word.lower()
    is_known = _is_of("name", low) or _DOTTED.fullmatch(low) is not None
    return is_known or _lacks_vowels(word)


def _is_initial(word: str, before: str, after: str, following: str) -> bool:
    """Tell whether a single letter is an initial or part of "z. B.", and no "Plan B"."""
    starts = _is_of("starters", following.lower()) and after[0].isupper()
    spaced = _SPACED.search(before + ".")
    letters = ""
    if spaced is not None:
        letters = re.sub(r"[\s]", "", spaced.group()).lower().rstrip(".")
    if "." in letters:
        if _is_of("always", letters):
            return True
        if _is_of("closing", letters):
            return not after[0].isupper()
        return not starts
    if _is_of("always", f"{word}.{following}".lower()):
        return True
    if word == "I":
        return not before[:-1].strip()
    return not starts or _is_of("particles", following.lower())


def _is_ordinal(
    word: str, before: str, after: str, following: str, mark: str
) -> bool:
    """Tell whether the full stop behind a number makes it an ordinal or a date."""
    if len(mark) > 1:
        return False
    starts = _is_of("starters", following.lower()) and after[0].isupper()
    if _DAY_AND_MONTH.fullmatch(word):
        return not starts
    if not _ORDINAL.fullmatch(word):
        return False
    lead = before[: -len(word)]
    if not lead.strip(_OPENING + "-+#"):
        # "1. Buy milk"
        return True
    if lead[-1:] in ":.,/-":
        return False
    low = following.lower()
    if _is_of("months", low) or _is_of("month", low):
        return not starts
    if _is_of("counted", low):
        return True
    leading = _last_word(lead.rstrip(" .")).lower()
    return _is_of("before-ordinal", leading) and not starts


def _word_before(before: str) -> str:
    """Return the short word with a full stop before the last word: "p." of "p. ex"."""
    match = _WORD_BEFORE.search(before)
    if match is None:
        return ""
    return match.group(1).lower()


def _follows_number(before: str, word: str) -> bool:
    return before[: -len(word)].rstrip(" .")[-1:].isdigit()


def _lacks_vowels(word: str) -> bool:
    """Tell whether *word* looks cut: letters without a vowel ("Hbf"), and no acronym."""
    if not word.isalpha() or not word.isascii() or word.isupper():
        return False
    low = word.lower()
    return _VOWEL.search(low) is None and not _is_of("plain", low)


def _last_word(before: str) -> str:
    match = _LAST_WORD.search(before)
    if match is None:
        return ""
    return match.group().strip(".'\u2019-")


def _next_word(after: str) -> str:
    match = _NEXT_WORD.match(after)
    if match is None:
        return ""
    return match.group()


def _is_of(kind: str, word: str) -> bool:
    return word in read_word_kinds(DATA)[kind]
