"""Hand a representation over: its texts become captures in the buffer, and CONSOLIDATE makes the
page (MaM §5.4).

The owner's turns of a conversation are the owner's own tellings. Everybody else's are theirs, under
their name; what a language model said comes through a channel of its own, so that it never passes
for a person's word.
"""

from collections.abc import Sequence
from typing import NamedTuple

from companion.operations.contextualize.identify import Identified
from companion.operations.contextualize.values import KeptTurn, Representation
from companion.privacy import erased_words
from companion.runs.run import Run
from companion.sources.document import Document
from companion.storage.erasure.remembered import read_erased_words
from companion.storage.git import layout
from companion.storage.journal.journal import TRUSTED
from companion.values.captures import (
    MEMORY,
    MODEL,
    SOURCE,
    SPEECH,
    TURN,
    Draft,
    has_controls,
    make_capture,
    make_sighting,
)
from companion.values.refusals import LONGEST_AGENT, plain_name
from companion.values.time import moment

VERSION = "hand-over-1"

_LONGEST_TITLE = 500  # characters


class Handed(NamedTuple):
    """One text for the buffer, and what the ledger says of it."""

    draft: Draft
    role: str = ""  # of a turn: owner, assistant, other or tool
    speaker: str = ""
    said_at: str = ""  # RFC 3339 UTC, empty if unknown
    place: str = ""  # in the original

    @property
    def turn(self) -> list[str]:
        """Its part of the ledger's `turns`."""
        return [self.role, self.speaker, self.said_at, self.place]


def make_handed(
    one: Identified, representation: Representation
) -> list[Handed]:
    """Return the texts that a source hands over, in their order.

    A document is one text. A conversation is a head and its kept turns, memories are notes of their
    own. A container is no text: its members are.
    """
    handed: list[Handed] = []
    if one.kind == "container":
        return handed
    item = one.read.item
    if one.kind != "memories":
        head = Draft(
            clean_text(representation.text),
            title=clean_title(representation.title),
            event_time=one.told_at,
            channel=SOURCE,
            source=find_voice(one),
            utc_offset=item.utc_offset,
        )
        handed.append(Handed(head))
    for turn in representation.turns:
        if one.kind == "memories":
            draft = _draft_memory(one.read.document, turn, find_voice(one))
        else:
            draft = _draft_turn(turn)
        time = draft.event_time or one.told_at
        draft = draft._replace(event_time=time, utc_offset=item.utc_offset)
        if draft.text.strip():
            place = turn.spans[0].place if turn.spans else ""
            speaker = clean_name(turn.speaker) or ""
            handed.append(
                Handed(draft, turn.role, speaker, turn.at or "", place)
            )
    return handed


def find_voice(one: Identified) -> str:
    """Return the name of the source as a teller: what trust and readers know it by.

    It is the identity that the source has of itself, else the name of its file: the path may be
    another one on each machine, and one document is one voice.
    """
    if one.key.startswith("sha256:"):
        return clean_title(one.read.item.name) or one.key
    return clean_title(one.key)


def _draft_turn(turn: KeptTurn) -> Draft:
    """Return one turn as its speaker's telling.

    No source is named: the speaker is the one who says it, in whatever conversation, and ten
    conversations with one model are one voice. The ledger's `turns` say where it stands.
    """
    text = clean_text(turn.text)
    if turn.role == "owner":
        return Draft(text, event_time=turn.at, channel=TURN)
    channel = SPEECH if turn.role == "other" else MODEL
    speaker = clean_name(turn.speaker) or turn.role
    return Draft(text, event_time=turn.at, channel=channel, agent=speaker)


def _draft_memory(document: Document, turn: KeptTurn, voice: str) -> Draft:
    memory = document.memories[turn.number]
    return Draft(
        clean_text(turn.text),
        title=clean_title(memory.title or "") or None,
        event_time=memory.at,
        channel=MEMORY,
        source=voice,
        agent=clean_name(memory.agent or ""),
    )


def clean_text(text: str) -> str:
    """Return *text* as the buffer can hold it: without NUL characters and half characters."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def clean_title(title: str) -> str:
    """Return *title* as a title can be: on one line, and no longer than one may be."""
    return _on_one_line(title)[:_LONGEST_TITLE].strip()


def clean_name(name: str) -> str | None:
    """Return the name of a speaker as one may be written; None for an empty one."""
    return plain_name(_on_one_line(name)[:LONGEST_AGENT]) or None


def _on_one_line(text: str) -> str:
    words = " ".join(clean_text(text).split())
    if not has_controls(words):
        return words
    return "".join(char for char in words if not has_controls(char))


def hand_over(run: Run, handed: Sequence[Handed]) -> list[str]:
    """Put the texts into the buffer, durably; return the ids of their captures.

    Erased words stay out. A text that is there already is a telling more at most (TRI-3, TRI-8).
    """
    erased = read_erased_words(run.ws.place)
    last = run.journal.begin()
    trusted = run.journal.get(TRUSTED)
    device = layout.read_device(run.ws.place)
    ids: list[str] = []
    try:
        for one in handed:
            draft = one.draft
            if erased is not None:
                draft = _without_erased(draft, *erased)
            last, event = moment(run.ws.now(), last, trusted, draft.event_time)
            capture = make_capture(draft, last)
            sighting = make_sighting(
                draft, capture.id, last, event, device=device
            )
            run.journal.add(capture, sighting)
            ids.append(capture.id)
        run.journal.commit(last)
    except BaseException:
        run.journal.rollback()
        raise
    return ids


def _without_erased(
    draft: Draft, known: Sequence[erased_words.Erased], key: bytes
) -> Draft:
    title = draft.title
    if title is not None:
        title = erased_words.redact(title, known, key)
    text = erased_words.redact(draft.text, known, key)
    return draft._replace(text=text, title=title)
