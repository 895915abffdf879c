"""The light Extractor: claims by fields, sentence patterns and a general splitter.

Deterministic, without a model, in the languages that have data. A text in another language, or one
whose sentences follow no pattern, gives no claim.
"""

from datetime import datetime
from functools import cached_property

from companion.language.claims.grammar import grammar_of
from companion.language.claims.keys import predicate_key, subject_key
from companion.language.claims.text_reader import TextReader
from companion.language.detect import (
    LANGUAGES,
    count_little_words,
    fingerprint,
)
from companion.language.fields import (
    Field,
    blank_fields,
    plain,
    read_fields,
    title_of,
)
from companion.language.protocols import Identity
from companion.language.sentences import blank_markup, blank_tags
from companion.language.times.calendar import parse_moment
from companion.language.times.clause_times import value_without_times
from companion.language.times.mentions import Mention
from companion.language.times.periods import period_of
from companion.language.times.phrases import time_reader
from companion.language.words.verse import blank_verse
from companion.values.claims import Claim, Period, Span

VERSION = "21"
MAX_CLAIMS = 5_000  # of one text; a note that states more is a table


class LightExtractor:
    """Rules and word lists (`Extractor`)."""

    @cached_property
    def identity(self) -> Identity:
        """Return the rules' version and the fingerprint of the word lists."""
        return Identity(
            "light",
            f"extract-{VERSION}",
            parameters=f'{{"patterns":"{fingerprint()}"}}',
        )

    def extract(self, text: str, *, event_time: str) -> list[Claim]:
        """Return the claims of *text* in the order of their spans.

        Times are seen from *event_time* (RFC 3339 UTC). A field's subject is what its page is
        about, by title or heading; where the page says neither, subject and `key[0]` are empty: the
        caller knows the page. The first person is "I", with the key "me". Raises ValueError if
        *event_time* is no instant in UTC.
        """
        at = parse_moment(event_time)
        around = count_little_words(text)
        language = _language_of_fields(around)
        page = title_of(text)
        claims: list[Claim] = []
        for field in read_fields(text):
            claims.append(_field_claim(field, page, at, language))
        prose = blank_markup(blank_fields(blank_verse(text)))
        prose = blank_tags(prose)
        claims += TextReader(prose, at, around).read_claims()
        return sorted(claims, key=lambda claim: claim.span)[:MAX_CLAIMS]


def _language_of_fields(around: dict[str, int]) -> str:
    """Return the language of most little words of the text *around*; English where none is read."""
    language = max(around, key=lambda name: around[name], default="en")
    if language in LANGUAGES:
        return language
    return "en"


def _field_claim(field: Field, page: str, at: datetime, language: str) -> Claim:
    value = blank_tags(field.value).strip() or field.value
    mentions = _field_mentions(value, at, language)
    period = period_of(mentions, onset=True)
    if _is_time_alone(value, mentions):
        period = Period()  # the time is the value
    elif mentions:
        value = value_without_times(value, 0, len(value), mentions) or value
    return Claim(
        subject=page,
        predicate=field.key,
        object=plain(value),
        key=(subject_key(page, grammar_of(language)), predicate_key(field.key)),
        functional=field.once,
        negated=False,
        period=period,
        mood="confirmed",
        change=False,
        span=Span(field.start, field.end),
        rule=field.rule,
    )


def _field_mentions(value: str, at: datetime, language: str) -> list[Mention]:
    """Return the times of a *value* that date it: with a word that says so, or at its start."""
    mentions: list[Mention] = []
    for mention in time_reader(language).mentions(value, at):
        if mention.role not in ("none", "at") or mention.start == 0:
            mentions.append(mention)
    return mentions


def _is_time_alone(value: str, mentions: list[Mention]) -> bool:
    places = [(mention.start, mention.end) for mention in mentions]
    return places == [(0, len(value))]
