"""Read the claims of one telling of one note (LED-1).

Two bounds keep a night and its record small. A short note is read whole; of a long one, an essay or
a document, only what somebody wrote down as a field, for most of what its sentences state is of no
use to anybody. A list of numbered facts is read whole, too: somebody wrote down each of its lines.
And what a telling states may take so many bytes; fields and attributes go before what sentences
merely say. A line says what was left out.
"""

import json
import re
import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.language.names.turns import (
    OWNER,
    blank_labels,
    find_speaker,
    find_turn_speaker,
    read_turns,
)
from companion.language.protocols import Extractor
from companion.ledger.numbered_lines import NumberedLines, count_listed
from companion.ledger.retractions import VoiceMemory, drop_repeated
from companion.storage import claim_lines
from companion.storage.git import capture_buffer
from companion.values.captures import (
    MEMORY,
    MODEL,
    SOURCE,
    SPEECH,
    Sighting,
)
from companion.values.claims import Claim, normal
from companion.values.events import LedgerLine
from companion.values.wording import (
    FRONTMATTER,
    blank_source_head,
    many,
    without_frontmatter,
)

# characters up to which a note is read whole: 1,000 cost 6 ms, and 10,000 notes may come in one
# night
READ = 800
# of claims, for one telling: with the note's other lines it keeps within 2 kB
BYTES = 1_000
# the same for the text of a source: sentences were chosen for it already
READ_OF_SOURCE = 6_000
BYTES_OF_SOURCE = 4_000
# the same for a list of numbered facts, and the bytes for each of its lines
READ_OF_LIST = 100_000
BYTES_OF_LINE = 400
# subjects of claims in the first person
FIRST_PERSON = ("me", "us")
_LONGEST = 200  # characters of a name or a value; what is longer is no name
_BLANKED = re.compile(r"[^\r\n]")
# rules that read what somebody wrote down as a fact
_FIRST = ("field", "attribute", "alias")


class Reading(NamedTuple):
    """The claims that one telling of one capture states."""

    capture: str
    sighting: Sighting
    claims: tuple[Claim, ...]
    reason: str  # who read it, and what was left out
    # the words that state a change, and what they state
    changes: tuple[tuple[str, Claim], ...] = ()
    # the lowest and the highest number of what the note states
    numbers: tuple[int, int] | None = None


def make_lines_of_page(
    readings: Iterable[Reading], entry: str
) -> list[LedgerLine]:
    """Return the ledger's lines for the *readings* that state something, whose page is *entry*."""
    lines: list[LedgerLine] = []
    for reading in readings:
        if reading.claims:
            lines.append(make_claims_line(reading, entry))
    return lines


def make_claims_line(reading: Reading, entry: str) -> LedgerLine:
    """Return the ledger's line for one telling, whose page is *entry*."""
    line: LedgerLine = {
        "e": "claims",
        "capture": reading.capture,
        "entry": entry,
        "telling": capture_buffer.encode_sighting(reading.sighting),
        "claims": [claim_lines.encode_claim(claim) for claim in reading.claims],
        "reason": reading.reason,
    }
    if any(claim.number is not None for claim in reading.claims):
        line["counted"] = list(reading.numbers or ())
    return line


def tellings_to_read(sightings: Sequence[Sighting]) -> list[Sighting]:
    """Return the first and the last telling of each voice; what it repeats between them adds
    nothing.
    """
    first: dict[tuple[str | None, str | None], Sighting] = {}
    last: dict[tuple[str | None, str | None], Sighting] = {}
    for sighting in sightings:
        voice = (sighting.agent, sighting.source)
        first.setdefault(voice, sighting)
        last[voice] = sighting
    kept = {*first.values(), *last.values()}
    return [sighting for sighting in sightings if sighting in kept]


class Reader:
    """Reads tellings in their order.

    "Forget that" concerns what its voice said last; *db* has what it said before.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        from companion.language.claims.extract import (
            # loads word lists: a run without notes does without
            LightExtractor,
        )

        self.extractor: Extractor = LightExtractor()
        self.voices = VoiceMemory(db)

    def select_tellings(
        self, content: bytes, sightings: Sequence[Sighting]
    ) -> Sequence[Sighting]:
        """Return the tellings of a note that are read.

        All are read of a note that says "forget that": each takes back something else.
        """
        text = content[: READ + 1].decode("utf-8", "replace")
        if len(sightings) > 2 and len(text) <= READ:
            claims = self.extractor.extract(
                text, event_time=sightings[0].event_time
            )
            if any(claim.key == ("", "") for claim in claims):
                return sightings
        return tellings_to_read(sightings)

    def read(
        self, capture: str, title: str, sighting: Sighting, content: bytes
    ) -> Reading:
        """Return what one telling of a capture states."""
        text = content.decode("utf-8", "replace")
        limits = find_limits(sighting, text)
        if sighting.channel == SOURCE:
            text = blank_source_head(text)
        readable = readable_text(text, limits.characters)
        turns = read_turns(readable)
        claims: list[Claim] = []
        if readable.strip():
            claims = self.extractor.extract(
                blank_labels(readable, turns), event_time=sighting.event_time
            )
        completed: list[Claim] = []
        for claim in claims:
            speaker = find_turn_speaker(turns, claim.span.start)
            if not speaker:
                speaker = find_first_person(sighting)
            completed += self._complete(
                claim, sighting, capture, title, speaker
            )
        lines = NumberedLines(readable)
        told = map(lines.number, drop_repeated(completed))
        kept, left_out = fit_into_record(list(told), limits.bytes)
        why = f"Read {many(len(kept), 'claim')}."
        if left_out:
            why += f" {left_out:,} more do not fit into the record."
        if len(text) > limits.characters:
            why += f" {limits.words}"
        limit = f"; at most {limits.bytes} bytes" if left_out else ""
        why += f" (by {self.extractor.identity}{limit})"
        changes = [
            (_words_of(claim, readable), claim)
            for claim in claims
            if claim.change
        ]
        return Reading(
            capture, sighting, tuple(kept), why, tuple(changes), lines.range
        )

    def read_late(
        self,
        capture: str,
        entry: str,
        title: str,
        content: bytes,
        sightings: Sequence[Sighting],
    ) -> list[LedgerLine]:
        """Return the ledger's lines for tellings that were not read when they came in, because
        their note waited in quarantine or in a branch.
        """
        words = without_frontmatter(content.decode("utf-8", "replace")).encode()
        readings = [
            self.read(capture, title, sighting, words)
            for sighting in self.select_tellings(words, sightings)
        ]
        return make_lines_of_page(readings, entry)

    def _complete(
        self,
        claim: Claim,
        sighting: Sighting,
        capture: str,
        title: str,
        speaker: str | None,
    ) -> list[Claim]:
        """Return *claim* with what only the caller knows filled in; nothing for what is no use to
        anybody.

        "I" in it is *speaker*: empty for who keeps the wiki, None for nobody known.
        """
        voice = (sighting.agent or "", sighting.source or "")
        if claim.mood == "retracted":
            back = self.voices.list_taken_back(voice, claim, sighting.seen_at)
            return [retraction for retraction in back if is_useful(retraction)]
        if not claim.key[0]:
            claim = claim._replace(
                subject=title, key=(normal(title), claim.key[1])
            )
        if not is_useful(claim):
            return []
        if speaker is None and self._is_of_household(claim):
            speaker = OWNER
        named = _name_first_person(claim, speaker)
        if named is None:
            return []
        self.voices.remember(voice, capture, named)
        return [named]

    def _is_of_household(self, claim: Claim) -> bool:
        """Tell whether a document says "our doctor" of a household that has told who that is.

        A letter that is kept here is about its reader then, or is told in the reader's words.
        """
        is_attribute = claim.key[0] == "us" and "attribute" in claim.rule
        return is_attribute and self.voices.has_told(claim.key)


def find_first_person(sighting: Sighting) -> str | None:
    """Return whom "I" means in a telling: empty for who keeps the wiki, None for nobody known.

    It is the source where that names somebody, else the assistant that hands the note over. A
    document's "I" is its author, of whom the wiki knows nothing; its "our" may be the household's.
    """
    return name_first_person(sighting.channel, sighting.source, sighting.agent)


def name_first_person(
    channel: str, source: str | None, agent: str | None
) -> str | None:
    """Return whom "I" means where *source* or *agent* says something through *channel*."""
    if channel == SOURCE:
        return None
    if source and channel not in (SPEECH, MODEL, MEMORY):
        return find_speaker(source)
    return agent or OWNER


def _name_first_person(claim: Claim, speaker: str | None) -> Claim | None:
    """Return *claim* with *speaker* for "I"; None where nobody knows who that is."""
    if claim.key[0] not in FIRST_PERSON or speaker == "":
        return claim
    return None if speaker is None else _say_of(claim, speaker)


def _say_of(claim: Claim, speaker: str) -> Claim:
    """Return a claim in the first person as one about its *speaker*."""
    key = (normal(speaker), claim.key[1])
    return claim._replace(subject=speaker, key=key)


def _words_of(claim: Claim, text: str) -> str:
    """Return the words of *text* that state *claim*, on one line."""
    return " ".join(text[claim.span.start : claim.span.end].split())


class Limits(NamedTuple):
    """How much of one telling is read, and recorded."""

    characters: int
    bytes: int
    words: str  # what is said of a longer one


_OF_NOTE = Limits(
    READ, BYTES, "The note is too long: only its fields were read."
)
_OF_SOURCE = Limits(
    READ_OF_SOURCE,
    BYTES_OF_SOURCE,
    "The source is long: its beginning and its fields were read.",
)


def find_limits(sighting: Sighting, text: str) -> Limits:
    """Return how much of a telling is read."""
    if sighting.channel == SOURCE:
        return _OF_SOURCE
    if len(text) <= READ:
        return _OF_NOTE
    lines = count_listed(text[:READ_OF_LIST])
    if not lines:
        return _OF_NOTE
    words = "The list is too long: its beginning and its fields were read."
    return Limits(READ_OF_LIST, BYTES_OF_LINE * lines, words)


def readable_text(text: str, most: int = READ) -> str:
    """Return what is read of *text*: all of a short note, the fields of a long one.

    Of the text of a source and of a list, for which *most* is larger, also the beginning. Every
    character stays where it was.
    """
    if len(text) <= most:
        return text
    if most > READ:
        return text[:most] + readable_fields(text[most:])
    head = FRONTMATTER.match(text)
    front = head[0] if head else ""
    return front + readable_fields(text[len(front) :])


def readable_fields(text: str) -> str:
    """Return the fields of *text*, with blanks in the place of all else."""
    return "".join(
        line if "::" in line else _BLANKED.sub(" ", line)
        for line in text.splitlines(keepends=True)
    )


def is_useful(claim: Claim) -> bool:
    """Tell whether *claim* can be asked for: it names somebody or something, and says one thing of
    it.
    """
    start, end = claim.period.start, claim.period.end
    if not all(claim.key) or (
        start is not None and end is not None and end <= start
    ):
        return False
    names = (claim.subject, claim.predicate, claim.object, *claim.key)
    if max(map(len, names)) > _LONGEST:
        return False
    if claim.change and claim.period.stated:
        # "as of May the bees are …": of a thing, too, for it may replace what was told
        return True
    return claim.functional or claim.mood == "retracted" or _is_name(claim)


def _is_name(claim: Claim) -> bool:
    return (
        claim.key[0] in FIRST_PERSON
        or claim.subject[:1].isupper()
        or _rank(claim) == 0
    )


def fit_into_record(
    claims: Sequence[Claim], most: int = BYTES
) -> tuple[list[Claim], int]:
    """Return the claims that fit into *most* bytes, as in the text, and how many do not."""
    kept: list[Claim] = []
    size = 0
    for claim in sorted(claims, key=lambda claim: (_rank(claim), claim.span)):
        size += _size_in_record(claim)
        if size > most:
            break
        kept.append(claim)
    return sorted(kept, key=lambda claim: claim.span), len(claims) - len(kept)


def _size_in_record(claim: Claim) -> int:
    """Return the bytes that *claim* takes in the ledger."""
    line = claim_lines.encode_claim(claim)
    text = json.dumps(line, ensure_ascii=False)
    return len(text.encode("utf-8", "replace"))


def _rank(claim: Claim) -> int:
    """Return 0 for what somebody wrote down as a fact or takes back, 2 for the state of a thing,
    else 1.
    """
    if claim.mood == "retracted" or any(name in claim.rule for name in _FIRST):
        return 0
    return 2 if claim.rule.endswith("/state") else 1
