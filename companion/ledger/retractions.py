"""What a retraction takes back: what its own voice said last, or all that it said of what is named.

"Forget that" names nothing, and concerns the voice's last sentence. "Forget Anna's phone number"
names a key; where the voice never told that key ("forget the Porto detail"), it concerns whatever
the voice said with all of those words.
"""

import sqlite3
from collections.abc import Iterable, Sequence

from companion.language.question_words import build_question_tables
from companion.storage.index.tables.claims import (
    RecordedClaim,
    has_spoken_on,
    list_last_statement,
    list_statements_fitting,
)
from companion.values.claims import Claim, Span, alike, split_words

Voice = tuple[str, str]
# statements that one retraction takes back: whoever means more has `undo`
MOST = 50


class VoiceMemory:
    """What each voice has said so far: tonight, and in the index before."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        # with the capture each was said in
        self.tonight: dict[Voice, list[tuple[str, Claim]]] = {}

    def remember(self, voice: Voice, capture: str, claim: Claim) -> None:
        self.tonight.setdefault(voice, []).append((capture, claim))

    def taken_back(
        self, voice: Voice, retraction: Claim, when: str
    ) -> list[Claim]:
        """Return what *retraction*, said by *voice* at *when*, takes back, each as a retraction of
        its own.
        """
        if retraction.key == ("", ""):
            return self._last(voice, retraction, when)
        if all(retraction.key) and self._has_key(voice, retraction.key, when):
            return [retraction]
        return self._of_words(voice, retraction, when) or [retraction]

    def _last(self, voice: Voice, retraction: Claim, when: str) -> list[Claim]:
        if said := self.tonight.get(voice):
            capture, last = said[-1]
            same = [
                claim
                for where, claim in said
                if where == capture and _overlap(claim.span, last.span)
            ]
            return [_back(claim, retraction) for claim in same]
        return [
            _of(old, retraction)
            for old in list_last_statement(self.db, *voice, when)
        ]

    def _has_key(self, voice: Voice, key: tuple[str, str], when: str) -> bool:
        return any(
            claim.key == key for _, claim in self.tonight.get(voice, ())
        ) or has_spoken_on(self.db, *voice, key, when)

    def _of_words(
        self, voice: Voice, retraction: Claim, when: str
    ) -> list[Claim]:
        tables = build_question_tables()
        little = {*tables["stop"], *tables["me"]}
        named = [
            word
            for word in split_words(
                f"{retraction.subject} {retraction.predicate}"
            )
            if word not in little
        ]
        if not named:
            return []
        mine = [
            claim
            for _, claim in self.tonight.get(voice, ())
            if _speaks_of(_text(claim), named)
        ]
        old = list_statements_fitting(
            self.db, *voice, lambda text: _speaks_of(text, named), when, MOST
        )
        return [_back(claim, retraction) for claim in mine] + [
            _of(each, retraction) for each in old
        ]


def _text(claim: Claim) -> str:
    return " ".join((*claim.key, claim.predicate, claim.object))


def _speaks_of(text: str, named: Sequence[str]) -> bool:
    said = split_words(text)
    return all(any(alike(name, word) for word in said) for name in named)


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _back(claim: Claim, retraction: Claim) -> Claim:
    return claim._replace(
        mood="retracted",
        change=True,
        span=retraction.span,
        rule=retraction.rule,
    )


def _of(old: RecordedClaim, retraction: Claim) -> Claim:
    return retraction._replace(
        subject=old.subject,
        predicate=old.predicate,
        object=old.object,
        key=old.assertion.key,
        mood="retracted",
    )


def drop_repeated(claims: Iterable[Claim]) -> list[Claim]:
    """Return *claims*, each once: what was said twice is taken back once."""
    return list(
        {
            (claim.key, claim.object, claim.mood, claim.span): claim
            for claim in claims
        }.values()
    )
