"""The light Extractor: claims by fields, sentence patterns and a general splitter, in the languages
that have data.

Deterministic, without a model. A text in another language, or one whose sentences follow no
pattern, gives no claim.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from functools import cached_property

from companion.language.claims.clauses import INSTALLED, LEVELLED, Fact, facts
from companion.language.claims.fields import Field, body, fields, plain, title_of
from companion.language.claims.grammar import Grammar, grammar
from companion.language.claims.keys import (
    FIRST,
    ME,
    is_person,
    predicate_key,
    single,
    subject_key,
    succeeds,
)
from companion.language.claims.mood import is_change, mood_of, takes_back
from companion.language.claims.roles import role_of
from companion.language.detect import LANGUAGES, fingerprint, language_of, scores
from companion.language.protocols import Identity
from companion.language.sentences import Token, joined, prose, sentences, tokens
from companion.language.times import calendar as times
from companion.language.times.phrases import Mention, Tense, period_of, reader
from companion.values.claims import Claim, Period, Span

VERSION = "3"
MAX_CLAIMS = 5_000  # of one text; a note that states more is a table
_HOUR = re.compile(r"(?:[^\W\d]+ )?\d{1,2}(?::\d{2})? ?(?:[ap]\.?m\.?|uhr)?", re.IGNORECASE)


class LightExtractor:
    """Rules and word lists (`Extractor`)."""

    @cached_property
    def identity(self) -> Identity:
        return Identity(
            "light", f"extract-{VERSION}", parameters=f'{{"patterns":"{fingerprint()}"}}'
        )

    def extract(self, text: str, *, event_time: str) -> list[Claim]:
        """Return the claims of *text* in the order of their spans; times are seen from *event_time*
        (RFC 3339 UTC).

        A field's subject is what its page is about, by title or heading; where the page says
        neither, subject and `key[0]` are empty: the caller knows the page. The first person is "I",
        with the key "me".
        """
        at = times.heard(event_time)
        leaning = scores(text)
        found = [_field_claim(field, title_of(text), at, leaning) for field in fields(text)]
        reading = _Reading(prose(body(text)), at, leaning)
        found += reading.claims()
        return sorted(found, key=lambda claim: claim.span)[:MAX_CLAIMS]


class _Reading:
    """One text as it is read: whom a pronoun stands for, and which names mean one thing."""

    def __init__(self, text: str, at: datetime, leaning: dict[str, int]) -> None:
        self.text, self.at, self.leaning = text, at, leaning
        self.person = self.thing = ""
        self.aliases: dict[str, str] = {}
        self.last: Claim | None = None

    def claims(self) -> list[Claim]:
        found: list[Claim] = []
        main = grammar(language_of(self.text) or "en")
        for start, end in sentences(self.text, main.abbreviations, ordinals=main.language != "en"):
            said = self.text[start:end]
            language = language_of(said, leaning=self.leaning)
            if language is None and not self.leaning:
                language = _by_verb(said)
            if language is None or said.endswith("?"):
                continue
            for claim in self._told(start, end, grammar(language)):
                self.last = claim
                found.append(claim)
        return found

    def _told(self, start: int, end: int, words: Grammar) -> Iterator[Claim]:
        """ "It is not true that …" denies what the rest would state."""
        rule = words.rules.get("mood.denied_prefix")
        denied = rule.match(self.text[start:end]) if rule else None
        if denied is None:
            return self._sentence(start, end, words)
        stated = self._sentence(start + denied.end(), end, words)
        return (claim._replace(negated=not claim.negated) for claim in stated)

    def _sentence(self, start: int, end: int, words: Grammar) -> Iterator[Claim]:
        said = self.text[start:end]
        if takes_back(said, words):
            yield self._taken_back(start, end, words)
            said_end = words.rules["mood.bare_retraction"].search(said)
            start += said_end.end() if said_end else 0
            said = self.text[start:end]
        elif words.says("mood.retracted", said):
            yield from self._forgotten(start, said, words)
        patterned = list(self._patterns(start, said, words))
        yield from patterned
        if any(claim.rule.endswith("changed-from-to") for claim in patterned):
            return
        if words.order == "patterns":
            return
        for first, last in _clauses(self.text, start + self._report(said, words), end, words):
            yield from self._clause(first, last, (start, end), words)

    def _report(self, said: str, words: Grammar) -> int:
        rule = words.rules.get("mood.report_prefix") or words.rules.get("clause.report_prefix")
        found = rule.match(said) if rule else None
        return found.end() if found else 0

    def _clause(
        self, first: int, last: int, whole: tuple[int, int], words: Grammar
    ) -> Iterator[Claim]:
        clause = self.text[first:last]
        lead = words.rules.get("clause.lead")
        while lead and (cut := lead.match(self.text[first:last])) and cut.end():
            first += cut.end()
        tense = _tense(clause, words)
        mentions = _datings(
            reader(words.language).mentions(clause, self.at, tense=tense), clause, tense, words
        )
        bare = _masked(self.text, last - len(clause), mentions)
        bare = _unfrequented(bare, last - len(clause), last, words)
        said = facts(tokens(bare, first, last), self.text, words)
        dated = bool(mentions) and all(
            words.has("prepositions", fact.object.lower()) for fact in said
        )
        if dated:  # "the deadline is 30 June", "moved to 7 July": here the time is the value
            mentions = [one for one in mentions if one.role in ("as_of", "ago", "duration")]
            said = facts(
                tokens(_masked(self.text, last - len(clause), mentions), first, last),
                self.text,
                words,
            )
        parts = {fact.part for fact in said}
        shift = last - len(clause)
        for fact in said:
            own = [
                one
                for one in mentions
                if _concerns(one.start + shift, one.end + shift, fact.part, parts)
            ]
            # "my friend Tom came yesterday": a friend he is today too
            own = [] if fact.rule == "relation" else own
            fact = fact._replace(functional=True) if dated and not fact.group.past else fact
            claim = self._claim(fact, clause, own, (first, last), whole, words)
            if claim is not None:
                yield claim
        self._remember(said, words)

    def _claim(
        self,
        fact: Fact,
        clause: str,
        mentions: list[Mention],
        span: tuple[int, int],
        whole: tuple[int, int],
        words: Grammar,
    ) -> Claim | None:
        subject = self._who(fact.subject, words)
        if not subject or not fact.object or _nobody(fact.object, words):
            return None
        who = subject_key(subject, words, self.aliases)
        named = not fact.object[:1].islower()  # who moved to another team lives where they did
        key = predicate_key(fact.matter, words, person=named and is_person(subject, who))
        onset = fact.group.lemma in words.onset
        period = period_of(
            mentions, self.at, onset=onset, lasting=fact.group.perfect or not fact.group.past
        )
        period, negated = _ended(period, fact, clause, self.at, words)
        sentence = self.text[whole[0] : whole[1]]
        mood = mood_of(clause, words)
        if (
            mood == "confirmed"
            and mood_of(sentence, words) != "confirmed"
            and _hears(sentence, words)
        ):
            mood = mood_of(sentence, words)
        if mood == "confirmed" and fact.group.future and not period.stated:
            # an intention without a date is not yet so, and no day comes on which it would be
            mood = "tentative"
        change = (
            fact.group.lemma in words.changes
            or fact.rule in (INSTALLED, LEVELLED)
            or is_change(clause, words)
            or any(m.role in ("as_of", "since", "onward") for m in mentions)
        )
        return Claim(
            subject=subject,
            predicate=fact.predicate,
            object=fact.object,
            key=(who, key),
            functional=single(fact, key, words) or (change and succeeds(fact, key, clause, words)),
            negated=negated,
            period=period,
            mood=mood,
            change=change,
            span=Span(*span),
            rule=f"{words.language}/{fact.rule}",
        )

    def _who(self, said: str, words: Grammar) -> str:
        low = said.lower()
        if words.has("me", low):
            return "I"
        if words.has("us", low):
            return "we"
        if words.has("persons", low):
            return self.person
        if words.has("things", low):
            return self.thing
        if words.has("pronouns", low) or words.has("possessives", low):
            return ""  # "they", "your": nobody knows who
        first = low.split(" ", 1)[0]
        # "das Projekt"
        named = words.has("possessives", first) or (words.has("articles", first) and first != low)
        return "" if words.has("subjects", first) and not named else said

    def _remember(self, said: list[Fact], words: Grammar) -> None:
        """Whom "she" and what "it" will mean in the next clause: the last one named."""
        for fact in said:
            for name in (fact.object if "attribute" in fact.rule else "", fact.subject):
                if (
                    not name
                    or words.has("pronouns", name.lower())
                    or subject_key(name, words) == ME
                ):
                    continue
                if name[:1].isupper():
                    self.thing = name
                    if not words.has("articles", name.split()[0].lower()):
                        self.person = name
                    break

    def _patterns(self, start: int, said: str, words: Grammar) -> Iterator[Claim]:
        for pattern in words.patterns:
            for match in pattern["find"].finditer(said):
                yield self._patterned(start, said, pattern, match, words)

    def _patterned(
        self, start: int, said: str, pattern: dict[str, str], match: re.Match[str], words: Grammar
    ) -> Claim:
        parts = match.groupdict()
        subject = parts.get("s") or self._who(parts.get("who") or FIRST, words)
        predicate = parts.get("p") or pattern["predicate"]
        mentions = reader(words.language).mentions(said, self.at, tense=_tense(said, words))
        mentions = [one for one in mentions if not match.start() <= one.start <= match.start("o")]
        value = _without_times(said, match.start("o"), match.end("o"), mentions)
        if pattern["name"].startswith("alias"):
            mentions = []  # a name has no time
            self.aliases[subject_key(value, words)] = subject_key(subject, words)
        key = predicate_key(predicate, words)
        return Claim(
            subject=subject.strip(),
            predicate=predicate,
            object=value,
            key=(subject_key(subject, words, self.aliases), key),
            functional=not pattern["name"].startswith("alias") and key not in words.plural,
            negated=False,
            period=period_of(mentions, self.at, onset=bool(pattern.get("change"))),
            mood=mood_of(said, words),
            change=bool(pattern.get("change")) or is_change(said, words),
            span=Span(start + match.start(), start + match.end()),
            rule=f"{words.language}/{pattern['name']}",
        )

    def _forgotten(self, start: int, said: str, words: Grammar) -> Iterator[Claim]:
        """ "Please forget my old address": the matter is named, and what was said of it is taken
        back.
        """
        rule = words.rules.get("mood.forget_what")
        found = rule.search(said) if rule else None
        if found is None:
            return
        span = Span(start + found.start("what"), start + found.end("what"))
        what = tokens(self.text, *span)
        while len(what) > 1 and words.has("fillers", what[-1].low):
            what.pop()
        if len(what) > 2 and words.has("conditions", what[0].low):  # "where Anna lives"
            thing, role = what[1:-1], what[-1:]
        else:
            thing, role = role_of(what, words) or (what, [])
        subject = self._who(joined(thing, self.text), words)
        predicate = " ".join(word.text for word in role)
        key = (subject_key(subject, words, self.aliases), predicate_key(predicate, words))
        if subject:
            yield Claim(
                subject,
                predicate,
                "",
                key,
                False,
                False,
                Period(),
                "retracted",
                True,
                span,
                f"{words.language}/forget",
            )

    def _taken_back(self, start: int, end: int, words: Grammar) -> Claim:
        rule = f"{words.language}/taken-back"
        if self.last is not None:
            return self.last._replace(
                mood="retracted", change=True, span=Span(start, end), rule=rule
            )
        return Claim(
            "", "", "", ("", ""), False, False, Period(), "retracted", True, Span(start, end), rule
        )


def _by_verb(said: str) -> str | None:
    """Return whose verb a sentence without any little word has: "Harbour requires Pier 4"."""
    low = [word for word in re.findall(r"[^\W\d_]{4,}", said)[1:] if word.islower()][:3]
    for language in LANGUAGES:
        words = grammar(language)
        if any(words.lemma(word) not in (None, word) for word in low):
            return language
    return None


def _field_claim(field: Field, page: str, at: datetime, leaning: dict[str, int]) -> Claim:
    language = max(leaning, key=lambda name: leaning[name]) if leaning else "en"
    language = language if language in LANGUAGES else "en"
    words = grammar(language)
    mentions = [
        one
        for one in reader(language).mentions(field.value, at)
        if one.role not in ("none", "at") or one.start == 0
    ]
    whole = len(mentions) == 1 and mentions[0].start == 0 and mentions[0].end == len(field.value)
    value = (
        field.value
        if whole or not mentions
        else _without_times(field.value, 0, len(field.value), mentions) or field.value
    )
    key = predicate_key(field.key)
    return Claim(
        subject=page,
        predicate=field.key,
        object=plain(value),
        key=(subject_key(page, words), key),
        functional=field.once,
        negated=False,
        period=Period() if whole else period_of(mentions, at, onset=True),
        mood="confirmed",
        change=False,
        span=Span(field.start, field.end),
        rule=field.rule,
    )


def _nobody(said: str, words: Grammar) -> bool:
    """Tell whether an object is a mere pronoun: nobody who reads the claim knows what "it" was."""
    low = said.lower()
    return any(words.has(kind, low) for kind in ("pronouns", "subjects")) and not words.has(
        "articles", low
    )


def _clauses(text: str, start: int, end: int, words: Grammar) -> Iterator[tuple[int, int]]:
    first = start
    rule = words.rules.get("clause.split")
    for match in rule.finditer(text, start, end) if rule else ():
        if _goes_on(text[first : match.start()], match.group(), text[match.end() : end], words):
            continue
        if match.start() > first:
            yield first, match.start()
        first = match.end()
    if first < end:
        yield first, end


def _goes_on(before: str, cut: str, after: str, words: Grammar) -> bool:
    """ "Not in Bern but in Rome": behind "but" stands no clause, only what is so instead."""
    if not words.has("instead", cut.strip(" ,").lower()):
        return False
    denied = any(
        words.has("negations", token.low) or token.low == "no"
        for token in tokens(before, 0, len(before))
    )
    following = tokens(after, 0, len(after))
    return denied and not any(words.finite(following, at) for at in range(len(following)))


def _tense(clause: str, words: Grammar) -> Tense:
    said: list[Token] = tokens(clause, 0, len(clause))
    lows = [word.low for word in said]
    if any(words.has("future", low) for low in lows):
        return "future"
    if any(words.has("pasts", word.low) or words.past(word) for word in said):
        return "past"
    return "future" if words.says("mood.future", clause) else "present"


def _datings(found: list[Mention], clause: str, tense: Tense, words: Grammar) -> list[Mention]:
    """Return the times that say when something is so: in the present tense an hour alone says what
    it is, every day.

    "Monday evening" is one time, "every Monday" is none.
    """
    every, rule = words.rules.get("clause.every"), words.rules.get("clause.daytime")
    said = [one for one in found if not (every and every.search(clause[: one.start]))]
    bare = tense == "present"
    said = [
        m
        for m in said
        if not (bare and m.role in ("at", "none") and _HOUR.fullmatch(clause[m.start : m.end]))
    ]
    ends = [(rule.match(clause, one.end) if rule and one.start else None) for one in said]
    return [
        one if end is None else one._replace(end=end.end())
        for one, end in zip(said, ends, strict=True)
    ]


def _unfrequented(text: str, start: int, end: int, words: Grammar) -> str:
    rule = words.rules.get("clause.frequency")
    for match in list(rule.finditer(text, start, end)) if rule else ():
        text = text[: match.start()] + " " * (match.end() - match.start()) + text[match.end() :]
    return text


def _masked(text: str, start: int, mentions: list[Mention]) -> str:
    for mention in mentions:
        a, b = start + mention.start, start + mention.end
        text = text[:a] + " " * (b - a) + text[b:]
    return text


def _without_times(said: str, start: int, end: int, mentions: list[Mention]) -> str:
    value = _masked(said, 0, mentions)[start:end]
    return " ".join(value.split()).strip(" ,;.()[]")


def _ended(
    period: Period, fact: Fact, clause: str, at: datetime, words: Grammar
) -> tuple[Period, bool]:
    """ "No longer" denies from now on; "used to" states what ended some time before now."""
    now = times.spoken(at)
    if words.says("change.ended", clause) and (fact.group.negated or fact.group.instead):
        return (
            period if period.stated else Period(now, None, "day", stated=True)
        ), fact.group.negated
    if words.says("change.past", clause) and period.end is None:
        return Period(
            period.start if period.start and period.start < now else None,
            now,
            period.precision or "day",
            stated=True,
        ), fact.group.negated
    return period, fact.group.negated


def _concerns(start: int, end: int, part: tuple[int, int], parts: set[tuple[int, int]]) -> bool:
    """Tell whether a time at [start, end) is said of *part*: it stands in it, or in front of all of
    them.
    """
    inside = [one for one in parts if one[0] <= start < one[1] or one[0] < end <= one[1]]
    return part in inside or not inside


def _hears(sentence: str, words: Grammar) -> bool:
    return words.says("mood.reported", sentence) or words.says("mood.retracted", sentence)
