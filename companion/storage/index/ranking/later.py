"""Of two statements of one matter the one that was told later stands first.

Who asks what is so wants what holds now. Two passages speak of one matter where one speaker told
both, they point the same way, and the later one has as much of the question as the earlier, by its
words and by its meaning. Less of it is enough for those that stand out from all others: nothing
else speaks of the matter. A question of what was once so, or of when something was, is left as it
is, and so is a long one, which asks for several things. On the hot path of a search.
"""

import math
import sqlite3
from collections.abc import Collection, Mapping, Sequence

from companion.storage.index.ranking.meaning import Code, read_codes
from companion.storage.index.ranking.tellings import Telling
from companion.tuples import NamedTuple

# cosine of both, and the share of the question that the later has of what the earlier has (ADR 235)
SAME = 1.2
# the same of results that stand out from all others (ADR 332)
SAME_ABOVE = 1.05
# what the later is worth at least, of the earlier; and where both stand out
CLOSE = 0.85
CLOSE_ABOVE = 0.5
# how often the worth of the next a result is worth that stands out, and how many may
_APART = 1.5
_STANDING_OUT = 5
# of the words of the one that has most of the question, what the later one has at least
NEARLY = 0.9
_LONG = 20  # distinct words of a question that asks for several things
_FIRST = 3  # results that a later one may pass
_REACH = 12  # results that may pass them
ABOVE = 1e-6  # of the worth of what it passes, what it stands above it


def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


#: words of questions of what was once so, or of when it was
_ONCE = _split(
    "ago before earlier first former formerly initially original originally"
    " previous previously when"
    " damals ehemalig ehemalige ehemaligen ehemaliger ehemals einst erste ersten"
    " erster fruher fruhere fruheren fruherer ursprunglich vorher vorherige"
    " vorherigen wann zuerst zuvor"
    " ancien ancienne anciennement auparavant avant initialement precedemment"
    " precedent precedente premier premiere quand"
    " anteriormente antes antiguo antigua cuando inicialmente originalmente"
    " primer primera primero"
)


class Worth(NamedTuple):
    """The parts of a passage's worth, and the whole with all that stands around it."""

    words: float
    meaning: float
    whole: float


def asks_of_the_past(words: Collection[str]) -> bool:
    """Tell whether a question of the folded *words* asks what was once so, or when."""
    return not _ONCE.isdisjoint(words)


def asks_what_holds(words: Sequence[str]) -> bool:
    """Tell whether a question of the folded *words* asks one thing, as it is now."""
    return len(set(words)) <= _LONG and not asks_of_the_past(words)


def lift_later(
    db: sqlite3.Connection,
    words: Sequence[str],
    worths: Mapping[int, Worth],
    told: Mapping[int, Telling],
) -> dict[int, float]:
    """Return what each passage gets that says anew what one above it said before."""
    if not asks_what_holds(words):
        return {}
    best = sorted(worths, key=lambda doc: (-worths[doc].whole, doc))[:_REACH]
    known = [doc for doc in best if doc in told]
    codes = read_codes(db, known) if len(known) > 1 else {}
    above = _list_standing_out(best, worths)
    lifts: dict[int, float] = {}
    for place, doc in enumerate(known[:_FIRST]):
        # what has passed an earlier one is passed by none
        if doc in lifts:
            continue
        later = _list_later(known[place + 1 :], told, doc)
        same = [
            other
            for other in later
            if other not in lifts
            and _is_of_one_matter(codes, worths, above, doc, other)
        ]
        if same:
            newest = _find_newest(same, worths, told)
            gap = worths[doc].whole - worths[newest].whole
            lifts[newest] = gap + ABOVE * worths[doc].whole
    return lifts


def _find_newest(
    docs: Sequence[int],
    worths: Mapping[int, Worth],
    told: Mapping[int, Telling],
) -> int:
    """Return the newest of *docs* among those that have nearly most of the question's words."""
    most = max(worths[doc].words for doc in docs)
    fitting = [doc for doc in docs if worths[doc].words >= NEARLY * most]
    return max(fitting, key=lambda doc: (told[doc].told_at, doc))


def _list_later(
    docs: Sequence[int], told: Mapping[int, Telling], doc: int
) -> list[int]:
    """Return which of *docs* were told later than *doc*, by the same."""
    one = told[doc]
    return [
        other
        for other in docs
        if told[other].speaker == one.speaker
        and (told[other].told_at, told[other].seen_at)
        > (one.told_at, one.seen_at)
    ]


def _list_standing_out(
    best: Sequence[int], worths: Mapping[int, Worth]
) -> Sequence[int]:
    """Return the first of *best*, down to the widest gap; none where no gap is wide."""
    wholes = [worths[doc].whole for doc in best if worths[doc].whole > 0]

    def measure_gap(place: int) -> float:
        if place == len(wholes):
            return math.inf
        return wholes[place - 1] / wholes[place]

    most = min(len(wholes), _STANDING_OUT)
    place = max(range(2, most + 1), key=measure_gap, default=0)
    return best[:place] if place and measure_gap(place) >= _APART else ()


def _is_of_one_matter(
    codes: Mapping[int, Code],
    worths: Mapping[int, Worth],
    above: Collection[int],
    doc: int,
    other: int,
) -> bool:
    """Tell whether *other* says anew what *doc* says; those *above* stand out from all others."""
    if doc not in codes or other not in codes:
        return False
    earlier, later = worths[doc], worths[other]
    share = min(
        _divide(later.words, earlier.words),
        _divide(later.meaning, earlier.meaning),
    )
    likeness = share + codes[doc].measure_cosine(codes[other])
    same, close = SAME, CLOSE
    if doc in above and other in above:
        same, close = SAME_ABOVE, CLOSE_ABOVE
    return likeness >= same and later.whole >= close * earlier.whole


def _divide(part: float, whole: float) -> float:
    return min(part / whole, 1.0) if whole > 0 else 1.0
