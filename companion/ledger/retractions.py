"""Find what a retraction takes back.

"Forget that" names nothing, and concerns the voice's last sentence. "Forget Anna's phone number"
names a key; where the voice never told that key ("forget the Porto detail"), it concerns whatever
the voice said with all of those words.
"""

import sqlite3
from collections.abc import Iterable

from companion.language.words.question_words import build_question_tables
from companion.storage.index.tables.claims import (
    RecordedClaim,
    has_spoken_on,
    list_entries_of_key,
    list_last_statement,
    list_statements_fitting,
)
from companion.values.claims import Claim, Span, alike, split_words

Voice = tuple[str, str]
# statements that one retraction takes back: whoever means more has `undo`
MOST = 50


class VoiceMemory:
    """The claims of each voice: those just read, and those of the index before."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        # of the captures now read, each with its capture
        self.statements: dict[Voice, list[tuple[str, Claim]]] = {}

    def remember(self, voice: Voice, capture: str, claim: Claim) -> None:
        """Add what *voice* said in *capture*."""
        self.statements.setdefault(voice, []).append((capture, claim))

    def has_told(self, key: tuple[str, str]) -> bool:
        """Tell whether anybody said anything of *key*."""
        for statements in self.statements.values():
            if any(claim.key == key for _, claim in statements):
                return True
        return bool(list_entries_of_key(self.db, key))

    def list_taken_back(
        self, voice: Voice, retraction: Claim, when: str
    ) -> list[Claim]:
        """Return what *retraction*, said by *voice* at *when*, takes back, each as a retraction of
        its own.
        """
        if retraction.key == ("", ""):
            return self._retract_last(voice, retraction, when)
        if all(retraction.key) and self._has_key(voice, retraction.key, when):
            return [retraction]
        return self._retract_named(voice, retraction, when) or [retraction]

    def _retract_last(
        self, voice: Voice, retraction: Claim, when: str
    ) -> list[Claim]:
        """Return retractions of the last sentence of *voice*."""
        statements = self.statements.get(voice)
        if not statements:
            before = list_last_statement(self.db, *voice, when)
            return [_retract_recorded(old, retraction) for old in before]
        last_capture, last = statements[-1]
        retractions: list[Claim] = []
        for capture, claim in statements:
            if capture == last_capture and _overlap(claim.span, last.span):
                retractions.append(_retract(claim, retraction))
        return retractions

    def _has_key(self, voice: Voice, key: tuple[str, str], when: str) -> bool:
        statements = self.statements.get(voice, ())
        if any(claim.key == key for _, claim in statements):
            return True
        return has_spoken_on(self.db, *voice, key, when)

    def _retract_named(
        self, voice: Voice, retraction: Claim, when: str
    ) -> list[Claim]:
        """Return retractions of whatever *voice* said with all words of *retraction*."""
        names = _content_words(f"{retraction.subject} {retraction.predicate}")
        if not names:
            return []
        retractions = [
            _retract(claim, retraction)
            for _, claim in self.statements.get(voice, ())
            if _speaks_of(_text(claim), names)
        ]
        before = list_statements_fitting(
            self.db, *voice, lambda text: _speaks_of(text, names), when, MOST
        )
        retractions += [_retract_recorded(old, retraction) for old in before]
        return retractions


def _content_words(text: str) -> list[str]:
    tables = build_question_tables()
    function_words = {*tables["stop"], *tables["me"]}
    return [word for word in split_words(text) if word not in function_words]


def _text(claim: Claim) -> str:
    return " ".join((*claim.key, claim.predicate, claim.object))


def _speaks_of(text: str, names: Iterable[str]) -> bool:
    """Tell whether *text* has a form of each of *names*."""
    words = split_words(text)
    return all(_has_form(name, words) for name in names)


def _has_form(name: str, words: Iterable[str]) -> bool:
    return any(alike(name, word) for word in words)


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _retract(claim: Claim, retraction: Claim) -> Claim:
    """Return what was just said as taken back by *retraction*."""
    return claim._replace(
        mood="retracted",
        change=True,
        span=retraction.span,
        rule=retraction.rule,
    )


def _retract_recorded(old: RecordedClaim, retraction: Claim) -> Claim:
    """Return what the index has as taken back by *retraction*."""
    return retraction._replace(
        subject=old.subject,
        predicate=old.predicate,
        object=old.object,
        key=old.assertion.key,
        mood="retracted",
    )


def drop_repeated(claims: Iterable[Claim]) -> list[Claim]:
    """Return *claims*, each once: what was said twice is taken back once."""
    distinct: dict[tuple[object, ...], Claim] = {}
    for claim in claims:
        distinct[claim.key, claim.object, claim.mood, claim.span] = claim
    return list(distinct.values())
