"""Write claims into `claims` events of the ledger, and derive the index's rows from them.

A `claims` event holds what one telling of one capture states. What follows from the words is left
out: a note's whole record has 2 kB. The id of a claim is a hash of all that makes it, so every
machine gives it the same.
"""

from collections.abc import Iterator, Mapping, Sequence

from companion.annotations import Any, get_args
from companion.tuples import NamedTuple
from companion.values import hashing
from companion.values.claims import Claim, Mood, Precision, normal, split_words
from companion.values.events import LedgerLine

# when something began that was said to end, and nobody said since when it was so
BEGINNING_OF_TIME = "0001-01-01T00:00:00.000000Z"

#: the values that a line leaves out
_USUAL: Mapping[str, object] = {
    "valid": [None, None],
    "precision": None,
    "stated": 0,
    "change": 0,
    "mood": "confirmed",
    "negated": 0,
    "functional": 1,
    "retracts": [],
    "number": None,
}
_MOST_NUMBERS = 10**9
_TEXTS = ("subject", "predicate", "object", "rule")
_FLAGS = ("stated", "change", "negated", "functional")


class ClaimRow(NamedTuple):
    """A row of the index's table `claims`, but for the time at which it was withdrawn."""

    id: str
    subject_key: str
    predicate_key: str
    value: str
    told_at: str
    valid_from: str
    valid_to: str | None
    precision: Precision
    stated: int
    change: int
    mood: Mood
    negated: int
    functional: int
    agent: str
    source: str
    subject: str
    predicate: str
    object: str
    capture: str
    entry: str
    span_start: int
    span_end: int
    rule: str
    run: str  # "" for a claim that was told in private
    name: str  # what its subject is looked up by
    value_name: str  # what its object is looked up by
    given: int  # 1: whoever told it said when it was so
    retracts: str  # ids of the claims that it takes back, with spaces between
    number: int | None  # that its source gave it
    first_number: int | None  # of those that the note counts
    last_number: int | None


class _Telling(NamedTuple):
    seen_at: str
    event_time: str
    given: int
    agent: str
    source: str
    private: bool


def encode_claim(claim: Claim, retracts: Sequence[str] = ()) -> LedgerLine:
    """Return *claim* as the ledger writes it, without what is usual or follows from the words.

    *retracts* are the ids of the claims that the owner takes back by hand.
    """
    period = claim.period
    line: LedgerLine = {
        "subject": claim.subject,
        "predicate": claim.predicate,
        "object": claim.object,
        "span": list(claim.span),
        "rule": claim.rule,
    }
    if claim.key != (normal(claim.subject), normal(claim.predicate)):
        line["key"] = list(claim.key)
    optional = {
        "valid": [period.start, period.end],
        "precision": period.precision,
        "stated": int(period.stated),
        "change": int(claim.change),
        "mood": claim.mood,
        "negated": int(claim.negated),
        "functional": int(claim.functional),
        "retracts": list(retracts),
        "number": claim.number,
    }
    for name, value in optional.items():
        if value != _USUAL[name]:
            line[name] = value
    return line


def is_claim_line(value: object) -> bool:
    """Tell whether *value* can be read back as a claim: a ledger file may come from anybody's
    clone.
    """
    if not isinstance(value, dict):
        return False
    if not all(isinstance(value.get(name), str) for name in _TEXTS):
        return False
    if not all(value.get(name, 0) in (0, 1) for name in _FLAGS):
        return False
    if value.get("mood", "confirmed") not in get_args(Mood):
        return False
    if value.get("precision", "day") not in get_args(Precision):
        return False
    return _has_well_formed_parts(value)


def _has_well_formed_parts(value: Mapping[str, object]) -> bool:
    """Tell whether the pairs, the list and the number of a claim line have their types."""
    return (
        _is_pair(value.get("key", ["", ""]), str)
        and _is_pair(value.get("span"), int)
        and _is_pair(value.get("valid", [None, None]), str | None)
        and _is_list_of_texts(value.get("retracts", []))
        and is_number_of_line(value.get("number", 0))
    )


def is_number_of_line(value: object) -> bool:
    """Tell whether *value* is a number as a note may give its lines."""
    return type(value) is int and 0 <= value < _MOST_NUMBERS


def is_range_of_lines(value: object) -> bool:
    """Tell whether *value* is the lowest and the highest number of a note's lines."""
    if not isinstance(value, list) or len(value) != 2:
        return False
    return is_number_of_line(value[0]) and is_number_of_line(value[1])


def _is_pair(value: object, kind: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(item, kind) for item in value)
    )


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(item, str) for item in value
    )


def normalize_name(text: str) -> str:
    """Return *text*, a subject or an object, as it is looked up."""
    return " ".join(split_words(text))


def build_claim_rows(run: str, event: LedgerLine) -> Iterator[ClaimRow]:
    """Yield the rows of a `claims` event of *run*."""
    telling = _read_telling(event["telling"])
    for line in event["claims"]:
        yield _build_row(run, event, telling, line)


def _read_telling(line: LedgerLine) -> _Telling:
    seen_at: str = line["seen_at"]
    return _Telling(
        seen_at,
        line.get("event_time", seen_at),
        int(bool(line.get("explicit"))),
        line.get("agent") or "",
        line.get("source") or "",
        line.get("scope") == "private",
    )


def _build_row(
    run: str, event: LedgerLine, telling: _Telling, line: LedgerLine
) -> ClaimRow:
    subject, predicate = _read_key(line)
    value = normal(line["object"])
    start, end = line.get("valid", (None, None))
    valid_from = start or (BEGINNING_OF_TIME if end else telling.event_time)
    first, last = line["span"]
    counted = event.get("counted", (None, None))
    identity = [
        event["capture"],
        first,
        last,
        subject,
        predicate,
        value,
        line.get("mood", ""),
        valid_from,
        end or "",
        telling.event_time,
        telling.source,
        telling.agent,
    ]
    if telling.private:
        # what was also told openly is another claim
        identity.append("private")
    return ClaimRow(
        id=_hash_texts(identity),
        subject_key=subject,
        predicate_key=predicate,
        value=value,
        told_at=telling.seen_at,
        valid_from=valid_from,
        valid_to=end,
        precision=line.get("precision", "second"),
        stated=line.get("stated", 0),
        change=line.get("change", 0),
        mood=line.get("mood", "confirmed"),
        negated=line.get("negated", 0),
        functional=line.get("functional", 1),
        agent=telling.agent,
        source=telling.source,
        subject=line["subject"],
        predicate=line["predicate"],
        object=line["object"],
        capture=event["capture"],
        entry=event["entry"],
        span_start=first,
        span_end=last,
        rule=line["rule"],
        run=run,
        name=normalize_name(subject),
        value_name=normalize_name(line["object"]),
        given=telling.given,
        retracts=" ".join(line.get("retracts", ())),
        number=line.get("number"),
        first_number=counted[0],
        last_number=counted[1],
    )


def _read_key(line: LedgerLine) -> tuple[str, str]:
    key = line.get("key")
    if key:
        return key[0], key[1]
    return normal(line["subject"]), normal(line["predicate"])


def _hash_texts(parts: Sequence[object]) -> str:
    """Return a hash of 16 hexadecimal digits over *parts*, which a ledger of anybody wrote."""
    text = "\x1f".join(map(str, parts))
    # a line may hold half of a surrogate pair
    data = text.encode("utf-8", "surrogatepass")
    digest = hashing.sha256()
    digest.update(data)
    return str(digest.hexdigest()[:16])
