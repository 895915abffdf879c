"""The light Extractor: claims by fields, sentence patterns and a general splitter.

Deterministic, without a model, in the languages that have data. A text in another language, or one
whose sentences follow no pattern, gives no claim.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from companion.language.claims.clauses import read_facts
from companion.language.claims.fields import (
    Field,
    blank_fields,
    plain,
    read_fields,
    title_of,
)
from companion.language.claims.grammar import Grammar, Pattern, grammar_of
from companion.language.claims.keys import (
    FIRST,
    ME,
    is_person,
    predicate_key,
    single,
    subject_key,
    succeeds,
)
from companion.language.claims.predication import INSTALLED, LEVELLED, Fact
from companion.language.claims.roles import Role, role_of
from companion.language.claims.verbs import is_change, mood_of, takes_back
from companion.language.detect import (
    LANGUAGES,
    count_little_words,
    fingerprint,
    language_of,
)
from companion.language.protocols import Identity
from companion.language.sentences import (
    blank_markup,
    find_sentences,
    joined,
    tokenize,
)
from companion.language.times.calendar import format_moment, parse_moment
from companion.language.times.clause_times import (
    blank_frequencies,
    blank_times,
    dating_mentions,
    tense_of,
    value_without_times,
)
from companion.language.times.mentions import Mention
from companion.language.times.periods import period_of
from companion.language.times.phrases import time_reader
from companion.values.claims import Claim, Mood, Period, Span

VERSION = "3"
MAX_CLAIMS = 5_000  # of one text; a note that states more is a table


class LightExtractor:
    """Rules and word lists (`Extractor`)."""

    @cached_property
    def identity(self) -> Identity:
        return Identity(
            "light",
            f"extract-{VERSION}",
            parameters=f'{{"patterns":"{fingerprint()}"}}',
        )

    def extract(self, text: str, *, event_time: str) -> list[Claim]:
        """Return the claims of *text* in the order of their spans.

        Times are seen from *event_time* (RFC 3339 UTC). A field's subject is what its page is
        about, by title or heading; where the page says neither, subject and `key[0]` are empty: the
        caller knows the page. The first person is "I", with the key "me".
        """
        at = parse_moment(event_time)
        around = count_little_words(text)
        page = title_of(text)
        claims = [
            _field_claim(field, page, at, around) for field in read_fields(text)
        ]
        claims += _TextReader(
            blank_markup(blank_fields(text)), at, around
        ).claims()
        return sorted(claims, key=lambda claim: claim.span)[:MAX_CLAIMS]


class _Clause(NamedTuple):
    """One clause of a sentence, by its places in the text."""

    words: str  # with its first words, which say nothing
    start: int  # behind them
    end: int
    sentence: str
    grammar: Grammar

    @property
    def shift(self) -> int:
        return self.end - len(self.words)

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


class _TextReader:
    """One text as it is read: whom a pronoun stands for, and which names mean one thing."""

    def __init__(self, text: str, at: datetime, around: dict[str, int]) -> None:
        self.text = text
        self.at = at
        # how many little words of each language the whole text has
        self.around = around
        self.person = ""  # whom "she" means
        self.thing = ""  # what "it" means
        self.aliases: dict[str, str] = {}
        self.last: Claim | None = None

    def claims(self) -> list[Claim]:
        """Return the claims of the text's sentences."""
        found: list[Claim] = []
        main = grammar_of(language_of(self.text) or "en")
        ordinals = main.language != "en"
        for start, end in find_sentences(
            self.text, main.abbreviations, ordinals=ordinals
        ):
            sentence = self.text[start:end]
            language = language_of(sentence, leaning=self.around)
            if language is None and not self.around:
                language = _language_by_verb(sentence)
            if language is None or sentence.endswith("?"):
                continue
            for claim in self._stated_claims(start, end, grammar_of(language)):
                self.last = claim
                found.append(claim)
        return found

    def _stated_claims(
        self, start: int, end: int, grammar: Grammar
    ) -> Iterator[Claim]:
        """Yield a sentence's claims; "It is not true that …" denies what the rest would state."""
        denial = _match_rule(
            "mood.denied_prefix", self.text[start:end], grammar
        )
        for claim in self._sentence_claims(start + denial, end, grammar):
            yield claim._replace(negated=not claim.negated) if denial else claim

    def _sentence_claims(
        self, start: int, end: int, grammar: Grammar
    ) -> Iterator[Claim]:
        sentence = self.text[start:end]
        if takes_back(sentence, grammar):
            yield self._retraction_of_last(Span(start, end), grammar)
            retraction = grammar.rules["mood.bare_retraction"].search(sentence)
            start += retraction.end() if retraction else 0
            sentence = self.text[start:end]
        elif grammar.matches("mood.retracted", sentence):
            yield from self._retractions(start, sentence, grammar)
        patterned = list(self._pattern_claims(start, sentence, grammar))
        yield from patterned
        exchanged = any(
            claim.rule.endswith("changed-from-to") for claim in patterned
        )
        if exchanged or grammar.order == "patterns":
            return
        rule = "mood.report_prefix"
        if rule not in grammar.rules:
            rule = "clause.report_prefix"
        first = start + _match_rule(rule, sentence, grammar)
        for clause_start, clause_end in _split_clauses(
            self.text, first, end, grammar
        ):
            clause = self._clause_at(
                clause_start, clause_end, self.text[start:end], grammar
            )
            yield from self._clause_claims(clause)

    def _clause_at(
        self, start: int, end: int, sentence: str, grammar: Grammar
    ) -> _Clause:
        words = self.text[start:end]
        length = _match_rule("clause.lead", words, grammar)
        while length:
            start += length
            length = _match_rule("clause.lead", self.text[start:end], grammar)
        return _Clause(words, start, end, sentence, grammar)

    def _clause_claims(self, clause: _Clause) -> Iterator[Claim]:
        grammar = clause.grammar
        tense = tense_of(clause.words, grammar)
        mentions = time_reader(grammar.language).mentions(
            clause.words, self.at, tense=tense
        )
        mentions = dating_mentions(mentions, clause.words, tense, grammar)
        bare = blank_times(self.text, clause.shift, mentions)
        bare = blank_frequencies(bare, clause.shift, clause.end, grammar)
        facts = self._facts(bare, clause)
        only_times = all(
            grammar.has("prepositions", fact.object.lower()) for fact in facts
        )
        dated = bool(mentions) and only_times
        # "the deadline is 30 June", "moved to 7 July": here the time is the value
        if dated:
            mentions = [
                one
                for one in mentions
                if one.role in ("as_of", "ago", "duration")
            ]
            facts = self._facts(
                blank_times(self.text, clause.shift, mentions), clause
            )
        parts = {fact.part for fact in facts}
        for fact in facts:
            own = _mentions_of(fact, mentions, clause.shift, parts)
            if dated and not fact.verbs.past:
                fact = fact._replace(functional=True)
            claim = self._claim(fact, clause, own)
            if claim is not None:
                yield claim
        self._remember(facts, grammar)

    def _facts(self, bare: str, clause: _Clause) -> list[Fact]:
        words = tokenize(bare, clause.start, clause.end)
        return read_facts(words, self.text, clause.grammar)

    def _claim(
        self, fact: Fact, clause: _Clause, mentions: list[Mention]
    ) -> Claim | None:
        """Return the claim that *fact* states; None where nobody knows of whom or what."""
        grammar = clause.grammar
        subject = self._resolve(fact.subject, grammar)
        if not subject or not fact.object or _is_pronoun(fact.object, grammar):
            return None
        who = subject_key(subject, grammar, self.aliases)
        # who moved to another team lives where they did
        named = not fact.object[:1].islower()
        person = named and is_person(subject, who)
        key = predicate_key(fact.matter, grammar, person=person)
        period = self._period(fact, clause, mentions)
        change = _states_change(fact, clause, mentions)
        succeeding = change and succeeds(fact, key, clause.words, grammar)
        return Claim(
            subject=subject,
            predicate=fact.predicate,
            object=fact.object,
            key=(who, key),
            functional=single(fact, key, grammar) or succeeding,
            negated=fact.verbs.negated,
            period=period,
            mood=_mood(fact, clause, period),
            change=change,
            span=clause.span,
            rule=f"{grammar.language}/{fact.rule}",
        )

    def _period(
        self, fact: Fact, clause: _Clause, mentions: list[Mention]
    ) -> Period:
        grammar = clause.grammar
        verbs = fact.verbs
        onset = verbs.lemma in grammar.onset
        lasting = verbs.perfect or not verbs.past
        period = period_of(mentions, onset=onset, lasting=lasting)
        return _bounded_by_now(period, fact, clause, format_moment(self.at))

    def _resolve(self, name: str, grammar: Grammar) -> str:
        """Return whom or what *name* means; "" where nobody knows."""
        low = name.lower()
        if grammar.has("me", low):
            return "I"
        if grammar.has("us", low):
            return "we"
        if grammar.has("persons", low):
            return self.person
        if grammar.has("things", low):
            return self.thing
        if grammar.has_any(("pronouns", "possessives"), low):
            return ""  # "they", "your": nobody knows who
        first = low.split(" ", 1)[0]
        if grammar.has("possessives", first):
            return name
        if grammar.has("articles", first) and first != low:
            return name  # "das Projekt"
        return "" if grammar.has("subjects", first) else name

    def _remember(self, facts: list[Fact], grammar: Grammar) -> None:
        """Keep whom "she" and what "it" will mean in the next clause: the last one named."""
        for fact in facts:
            names = (
                [fact.object, fact.subject]
                if "attribute" in fact.rule
                else [fact.subject]
            )
            names = [name for name in names if name[:1].isupper()]
            named = [
                name for name in names if not _is_speech_role(name, grammar)
            ]
            if not named:
                continue
            self.thing = named[0]
            if not grammar.has("articles", named[0].split()[0].lower()):
                self.person = named[0]

    def _pattern_claims(
        self, start: int, sentence: str, grammar: Grammar
    ) -> Iterator[Claim]:
        for pattern in grammar.patterns:
            for match in pattern.find.finditer(sentence):
                yield self._pattern_claim(
                    start, sentence, pattern, match, grammar
                )

    def _pattern_claim(
        self,
        start: int,
        sentence: str,
        pattern: Pattern,
        match: re.Match[str],
        grammar: Grammar,
    ) -> Claim:
        """Return the claim of a sentence *pattern* that was found at *match*."""
        parts = match.groupdict()
        subject = parts.get("s") or self._resolve(
            parts.get("who") or FIRST, grammar
        )
        predicate = parts.get("p") or pattern.predicate
        tense = tense_of(sentence, grammar)
        mentions = time_reader(grammar.language).mentions(
            sentence, self.at, tense=tense
        )
        before = range(match.start(), match.start("o") + 1)
        mentions = [one for one in mentions if one.start not in before]
        value = value_without_times(
            sentence, match.start("o"), match.end("o"), mentions
        )
        is_alias = pattern.name.startswith("alias")
        if is_alias:
            mentions = []  # a name has no time
            self.aliases[subject_key(value, grammar)] = subject_key(
                subject, grammar
            )
        key = predicate_key(predicate, grammar)
        return Claim(
            subject=subject.strip(),
            predicate=predicate,
            object=value,
            key=(subject_key(subject, grammar, self.aliases), key),
            functional=not is_alias and key not in grammar.plural,
            negated=False,
            period=period_of(mentions, onset=pattern.change),
            mood=mood_of(sentence, grammar),
            change=pattern.change or is_change(sentence, grammar),
            span=Span(start + match.start(), start + match.end()),
            rule=f"{grammar.language}/{pattern.name}",
        )

    def _retractions(
        self, start: int, sentence: str, grammar: Grammar
    ) -> Iterator[Claim]:
        """Yield that what was said of a matter is taken back: "Please forget my old address"."""
        rule = grammar.rules.get("mood.forget_what")
        match = rule.search(sentence) if rule else None
        if match is None:
            return
        span = Span(start + match.start("what"), start + match.end("what"))
        matter = self._named_matter(span, grammar)
        subject = self._resolve(joined(matter.thing, self.text), grammar)
        if not subject:
            return
        predicate = " ".join(word.text for word in matter.role)
        key = (
            subject_key(subject, grammar, self.aliases),
            predicate_key(predicate, grammar),
        )
        rule_name = f"{grammar.language}/forget"
        yield _retraction(span, rule_name)._replace(
            subject=subject, predicate=predicate, key=key
        )

    def _named_matter(self, span: Span, grammar: Grammar) -> Role:
        words = tokenize(self.text, *span)
        while len(words) > 1 and grammar.has("fillers", words[-1].low):
            words.pop()
        # "where Anna lives"
        if len(words) > 2 and grammar.has("conditions", words[0].low):
            return Role(words[1:-1], words[-1:])
        return role_of(words, grammar) or Role(words, [])

    def _retraction_of_last(self, span: Span, grammar: Grammar) -> Claim:
        rule = f"{grammar.language}/taken-back"
        if self.last is None:
            return _retraction(span, rule)
        return self.last._replace(
            mood="retracted", change=True, span=span, rule=rule
        )


def _retraction(span: Span, rule: str) -> Claim:
    return Claim(
        subject="",
        predicate="",
        object="",
        key=("", ""),
        functional=False,
        negated=False,
        period=Period(),
        mood="retracted",
        change=True,
        span=span,
        rule=rule,
    )


def _match_rule(rule: str, text: str, grammar: Grammar) -> int:
    """Return how many characters *rule* matches at the beginning of *text*; 0 where it does not."""
    pattern = grammar.rules.get(rule)
    match = pattern.match(text) if pattern else None
    return match.end() if match else 0


def _language_by_verb(sentence: str) -> str | None:
    """Return whose verb a sentence without any little word has: "Harbour requires Pier 4"."""
    words = re.findall(r"[^\W\d_]{4,}", sentence)[1:]
    low = [word for word in words if word.islower()][:3]
    for language in LANGUAGES:
        grammar = grammar_of(language)
        if any(grammar.lemma(word) not in (None, word) for word in low):
            return language
    return None


def _field_claim(
    field: Field, page: str, at: datetime, around: dict[str, int]
) -> Claim:
    language = max(around, key=lambda name: around[name]) if around else "en"
    if language not in LANGUAGES:
        language = "en"
    named = time_reader(language).mentions(field.value, at)
    mentions = [
        one for one in named if one.role not in ("none", "at") or one.start == 0
    ]
    period = period_of(mentions, onset=True)
    value = field.value
    if (
        len(mentions) == 1
        and mentions[0].start == 0
        and mentions[0].end == len(value)
    ):
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


def _is_pronoun(words: str, grammar: Grammar) -> bool:
    """Tell whether an object is a mere pronoun: a reader of the claim would not know what it was."""
    low = words.lower()
    return grammar.has_any(("pronouns", "subjects"), low) and not grammar.has(
        "articles", low
    )


def _is_speech_role(name: str, grammar: Grammar) -> bool:
    """Tell whether *name* is a pronoun or the speaker, which no later pronoun stands for."""
    return (
        grammar.has("pronouns", name.lower())
        or subject_key(name, grammar) == ME
    )


def _split_clauses(
    text: str, start: int, end: int, grammar: Grammar
) -> Iterator[tuple[int, int]]:
    rule = grammar.rules.get("clause.split")
    for match in rule.finditer(text, start, end) if rule else ():
        before, after = text[start : match.start()], text[match.end() : end]
        if _goes_on(before, match.group(), after, grammar):
            continue
        if match.start() > start:
            yield start, match.start()
        start = match.end()
    if start < end:
        yield start, end


def _goes_on(before: str, cut: str, after: str, grammar: Grammar) -> bool:
    """Tell whether the clause goes on behind "but": "not in Bern but in Rome"."""
    if not grammar.has("instead", cut.strip(" ,").lower()):
        return False
    words_before = tokenize(before, 0, len(before))
    if not any(
        word.low == "no" or grammar.has("negations", word.low)
        for word in words_before
    ):
        return False
    words_after = tokenize(after, 0, len(after))
    return not any(
        grammar.finite(words_after, at) for at in range(len(words_after))
    )


def _mentions_of(
    fact: Fact, mentions: list[Mention], shift: int, parts: set[tuple[int, int]]
) -> list[Mention]:
    """Return the times that are said of *fact*: within its part, or in front of all *parts*."""
    if fact.rule == "relation":
        return []  # "my friend Tom came yesterday": a friend he is today too
    return [
        one
        for one in mentions
        if _concerns(one.start + shift, one.end + shift, fact.part, parts)
    ]


def _concerns(
    start: int, end: int, part: tuple[int, int], parts: set[tuple[int, int]]
) -> bool:
    inside = [
        one
        for one in parts
        if one[0] <= start < one[1] or one[0] < end <= one[1]
    ]
    return part in inside or not inside


def _states_change(
    fact: Fact, clause: _Clause, mentions: list[Mention]
) -> bool:
    if fact.verbs.lemma in clause.grammar.changes or fact.rule in (
        INSTALLED,
        LEVELLED,
    ):
        return True
    if is_change(clause.words, clause.grammar):
        return True
    return any(one.role in ("as_of", "since", "onward") for one in mentions)


def _mood(fact: Fact, clause: _Clause, period: Period) -> Mood:
    grammar = clause.grammar
    mood = mood_of(clause.words, grammar)
    if mood == "confirmed" and _is_report(clause.sentence, grammar):
        mood = mood_of(clause.sentence, grammar)
    if mood == "confirmed" and fact.verbs.future and not period.stated:
        # an intention without a date is not yet so, and no day comes on which it would be
        return "tentative"
    return mood


def _is_report(sentence: str, grammar: Grammar) -> bool:
    return any(
        grammar.matches(rule, sentence)
        for rule in ("mood.reported", "mood.retracted")
    )


def _bounded_by_now(
    period: Period, fact: Fact, clause: _Clause, now: str
) -> Period:
    """Return *period* as "no longer" (from now on) and "used to" (until now) bound it."""
    grammar = clause.grammar
    replaces = fact.verbs.negated or fact.verbs.instead
    if replaces and grammar.matches("change.ended", clause.words):
        return (
            period if period.stated else Period(now, None, "day", stated=True)
        )
    if period.end is None and grammar.matches("change.past", clause.words):
        start = period.start if period.start and period.start < now else None
        return Period(start, now, period.precision or "day", stated=True)
    return period
