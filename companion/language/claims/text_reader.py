"""Read one text for its claims, sentence by sentence, and keep whom its pronouns mean."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from companion.language.claims.certainty import leaves_open_whose
from companion.language.claims.clauses import Clause, read_facts, split_clauses
from companion.language.claims.facts.bare_notes import date_label, split_note
from companion.language.claims.facts.labels import (
    language_of_label,
    read_label,
)
from companion.language.claims.facts.moods import (
    mood_of_fact,
    retraction_at,
    states_change,
)
from companion.language.claims.facts.sentence_language import find_language
from companion.language.claims.grammar import Grammar, Pattern, grammar_of
from companion.language.claims.keys import (
    FIRST,
    Names,
    is_person,
    predicate_key,
    single,
    succeeds,
)
from companion.language.claims.predication import (
    Fact,
    has_object,
    with_one_time,
)
from companion.language.claims.roles import Role, role_of
from companion.language.claims.scope import (
    find_relatives,
    find_remarks,
    is_stated,
    own_mentions,
    own_words,
)
from companion.language.claims.verbs import is_change, mood_of
from companion.language.names.work_titles import join_titles
from companion.language.sentences import (
    find_sentences,
    joined,
    tokenize,
)
from companion.language.times.calendar import format_moment
from companion.language.times.clause_times import (
    announces,
    blank_frequencies,
    blank_times,
    bounded_by_now,
    dating_mentions,
    list_onsets,
    mentions_beside_value,
    mentions_of_part,
    tense_of,
    value_without_times,
)
from companion.language.times.mentions import Mention, Tense
from companion.language.times.periods import period_of
from companion.language.times.phrases import time_reader
from companion.language.times.told_days import list_moving, write_days
from companion.values.claims import Claim, Period, Span


class _DatedFacts(NamedTuple):
    """The facts of a clause, and the times that say when they are so."""

    facts: list[Fact]
    mentions: list[Mention]


class TextReader:
    """One text as it is read."""

    def __init__(self, text: str, at: datetime, around: dict[str, int]) -> None:
        self.text = text
        self.at = at
        # how many little words of each language the whole text has
        self.around = around
        self.names = Names()
        self.last: Claim | None = None

    def read_claims(self) -> list[Claim]:
        """Return the claims of the text's sentences."""
        claims: list[Claim] = []
        for start, end in find_sentences(self.text):
            sentence = self.text[start:end]
            self.names.begin_sentence()
            language = find_language(sentence, self.around)
            first = not self.text[:start].strip()
            if self.names.is_met(first=first):
                words = tokenize(self.text, start, end)
                grammar = grammar_of(language or "en")
                self.names.meet(words, grammar, first=first)
            labelled = self._label_claim(start, end, language)
            if labelled is not None:
                claims.append(labelled)
                continue
            if language is None:
                continue
            grammar = grammar_of(language)
            if not is_stated(sentence, grammar):
                continue
            for claim in self._stated_claims(start, end, grammar):
                self.last = claim
                claims.append(claim)
        return claims

    def _label_claim(
        self, start: int, end: int, language: str | None
    ) -> Claim | None:
        """Return what a sentence without a verb states: "Gate code: 9031"; None: it has none."""
        sentence = self.text[start:end]
        grammar = grammar_of(language or language_of_label(sentence))
        if grammar.order == "patterns" or not is_stated(sentence, grammar):
            return None
        since: list[Mention] = []
        label = split_note(sentence, start, grammar)
        if label is None:
            mentions = self._mentions(sentence, "future", grammar)
            since = list_onsets(mentions, sentence.find(": "))
            label = split_note(blank_times(sentence, 0, since), start, grammar)
        if label is None:
            return None
        times = self._mentions(sentence, "future", grammar)
        label, named = date_label(label, times, start, grammar)
        clause = Clause(sentence, start, end, sentence, "", grammar)
        fact = read_label(label, self.text, grammar)
        return self._claim(fact, clause, [*since, *named])

    def _stated_claims(
        self, start: int, end: int, grammar: Grammar
    ) -> Iterator[Claim]:
        """Yield a sentence's claims; "It is not true that …" denies what the rest would state."""
        denial = grammar.match_length(
            "mood.denied_prefix", self.text[start:end]
        )
        for claim in self._sentence_claims(start + denial, end, grammar):
            if denial:
                claim = claim._replace(negated=not claim.negated)
            yield claim

    def _sentence_claims(
        self, start: int, end: int, grammar: Grammar
    ) -> Iterator[Claim]:
        sentence = self.text[start:end]
        retraction = grammar.find("mood.bare_retraction", sentence)
        if retraction is not None:
            yield self._retraction_of_last(Span(start, end), grammar)
            start += retraction.end()
        elif grammar.matches("mood.retracted", sentence):
            yield from self._retractions(start, sentence, grammar)
        patterned = list(self._pattern_claims(start, end, grammar))
        yield from patterned
        if grammar.order == "patterns" or any(map(_is_exchange, patterned)):
            return
        for clause in self._clauses(start, end, grammar):
            yield from self._clause_claims(clause)

    # -- clauses ----------------------------------------------------------------------------------

    def _clauses(
        self, start: int, end: int, grammar: Grammar
    ) -> Iterator[Clause]:
        """Yield the clauses of a sentence, without what says who reports it."""
        sentence = self.text[start:end]
        first = start + grammar.match_length(grammar.report_prefix, sentence)
        for begin, stop in split_clauses(self.text, first, end, grammar):
            words = self.text[begin:stop]
            length = grammar.match_length("clause.lead", words)
            while length:
                begin += length
                rest = self.text[begin:stop]
                length = grammar.match_length("clause.lead", rest)
            following = self.text[stop:end]
            yield Clause(words, begin, stop, sentence, following, grammar)

    def _clause_claims(self, clause: Clause) -> Iterator[Claim]:
        facts, mentions = self._read_clause(clause)
        facts = [self._put_instead(fact, clause) for fact in facts]
        parts = {fact.part for fact in facts}
        relatives = find_relatives(
            self.text, clause.shift, clause.end, clause.grammar
        )
        for fact in facts:
            # "my friend Tom came yesterday": a friend he is today too
            own: list[Mention] = []
            if fact.rule != "relation":
                own = mentions_of_part(fact.part, parts, mentions, clause.shift)
                remarks = find_remarks(
                    self.text,
                    clause.shift,
                    clause.end,
                    mentions,
                    self.at,
                    clause.grammar,
                    past=fact.verbs.past,
                )
                aside = relatives + remarks
                own = own_mentions(own, clause.shift, fact.part, aside)
            place = (clause.shift, clause.end)
            words = own_words(self.text, place, fact.part, relatives)
            claim = self._claim(fact, clause.speaking(words), own)
            if claim is not None:
                yield claim
        tokens = tokenize(self.text, clause.start, clause.end)
        self.names.remember(facts, tokens, self.text, clause.grammar)

    def _put_instead(self, fact: Fact, clause: Clause) -> Fact:
        """Return *fact* as said of what the sentence has just denied, if it puts something instead:
        "she doesn't teach on Wednesdays any more, it's Mondays now".
        """
        denied = self.last
        grammar = clause.grammar
        if denied is None or not denied.negated or denied.key[1] == fact.matter:
            return fact
        is_of_sentence = (
            clause.end - len(clause.sentence)
            <= denied.span.start
            < clause.start
        )
        names_nothing = grammar.has("things", fact.subject.lower())
        if fact.rule != "is" or not names_nothing or not is_of_sentence:
            return fact
        if not is_change(clause.words, grammar):
            return fact
        return fact._replace(
            subject=denied.subject,
            predicate=denied.predicate,
            matter=denied.key[1],
        )

    def _read_clause(self, clause: Clause) -> _DatedFacts:
        grammar = clause.grammar
        tense = tense_of(clause.words, grammar)
        words = blank_frequencies(clause.words, 0, len(clause.words), grammar)
        mentions = self._mentions(words, tense, grammar)
        if tense == "present" and announces(words, mentions, grammar):
            mentions = self._mentions(words, "future", grammar)
        mentions = dating_mentions(mentions, clause.words, tense, grammar)
        bare = blank_times(self.text, clause.shift, mentions)
        bare = blank_frequencies(bare, clause.shift, clause.end, grammar)
        facts = self._facts(bare, clause)
        if tense == "present" and any(fact.rule == "verb" for fact in facts):
            # "in August we visit her": the coming one
            coming = self._mentions(words, "future", grammar)
            mentions = dating_mentions(coming, clause.words, tense, grammar)
        if not mentions or any(has_object(fact, grammar) for fact in facts):
            return _DatedFacts(facts, mentions)
        # "the deadline is 30 June", "moved to 7 July": here the time is the value
        times = list_moving(mentions, clause.words, grammar)
        mentions = mentions_beside_value(mentions)
        bare = blank_times(self.text, clause.shift, mentions)
        facts = self._facts(bare, clause, times)
        return _DatedFacts([with_one_time(fact) for fact in facts], mentions)

    def _mentions(
        self, words: str, tense: Tense, grammar: Grammar
    ) -> list[Mention]:
        reader = time_reader(grammar.language)
        return reader.mentions(words, self.at, tense=tense)

    def _facts(
        self, bare: str, clause: Clause, times: Sequence[Mention] = ()
    ) -> list[Fact]:
        words = tokenize(bare, clause.start, clause.end)
        words = write_days(words, times, clause.shift, clause.grammar)
        words = join_titles(words, self.text, clause.grammar)
        words = self.names.give_owner(words, clause.grammar)
        return read_facts(words, self.text, clause.grammar)

    def _claim(
        self, fact: Fact, clause: Clause, mentions: list[Mention]
    ) -> Claim | None:
        """Return the claim that *fact* states; None where nobody knows of whom or what."""
        grammar = clause.grammar
        subject = self.names.resolve(fact.subject, grammar)
        if (
            not subject
            or not fact.object
            or leaves_open_whose(fact.object, grammar)
        ):
            return None
        key = self._key(fact, subject, grammar)
        period = self._period(fact, clause, mentions)
        if not period.stated:
            period = self._period_before_last(key, clause) or period
        change = states_change(fact, clause, mentions)
        succeeding = change and succeeds(fact, key[1], clause.words, grammar)
        return Claim(
            subject=subject,
            predicate=fact.predicate,
            object=fact.object,
            key=key,
            functional=single(fact, key[1], grammar) or succeeding,
            negated=fact.verbs.negated,
            period=period,
            mood=mood_of_fact(fact, clause, period),
            change=change,
            span=Span(clause.start, clause.end),
            rule=f"{grammar.language}/{fact.rule}",
        )

    def _key(
        self, fact: Fact, subject: str, grammar: Grammar
    ) -> tuple[str, str]:
        who = self.names.key_of(subject, grammar)
        # who moved to another team lives where they did
        named = not fact.object[:1].islower()
        person = named and is_person(subject, who)
        return who, predicate_key(fact.matter, grammar, person=person)

    def _period(
        self, fact: Fact, clause: Clause, mentions: list[Mention]
    ) -> Period:
        verbs = fact.verbs
        grammar = clause.grammar
        onset = verbs.lemma in grammar.onset
        lasting = verbs.perfect or not verbs.past
        period = period_of(mentions, onset=onset, lasting=lasting)
        replaces = verbs.negated or verbs.instead
        now = format_moment(self.at)
        return bounded_by_now(
            period, clause.words, now, grammar, replaces=replaces
        )

    def _period_before_last(
        self, key: tuple[str, str], clause: Clause
    ) -> Period | None:
        """Return the time up to the change told last: "before that I lived in York"."""
        last = self.last
        if last is None or not last.change or last.key[0] != key[0]:
            return None
        if last.period.start is None:
            return None
        if not clause.grammar.matches("clause.before_that", clause.words):
            return None
        return last.period._replace(start=None, end=last.period.start)

    # -- sentence patterns ------------------------------------------------------------------------

    def _pattern_claims(
        self, start: int, end: int, grammar: Grammar
    ) -> Iterator[Claim]:
        sentence = self.text[start:end]
        for pattern in grammar.patterns:
            for match in pattern.find.finditer(sentence):
                yield self._pattern_claim(start, pattern, match, grammar)

    def _pattern_claim(
        self,
        start: int,
        pattern: Pattern,
        match: re.Match[str],
        grammar: Grammar,
    ) -> Claim:
        """Return the claim of a sentence that begins at *start*, whose *pattern* is at *match*."""
        sentence = match.string
        parts = match.groupdict()
        who = parts.get("who") or FIRST
        subject = parts.get("s") or self.names.resolve(who, grammar)
        predicate = parts.get("p") or pattern.predicate
        mentions = self._mentions_outside(match, grammar)
        value = value_without_times(
            sentence, match.start("o"), match.end("o"), mentions
        )
        is_alias = pattern.name.startswith("alias")
        if is_alias:
            mentions = []  # a name has no time
            self.names.add_alias(value, subject, grammar)
        key = predicate_key(predicate, grammar)
        return Claim(
            subject=subject.strip(),
            predicate=predicate,
            object=value,
            key=(self.names.key_of(subject, grammar), key),
            functional=not is_alias and key not in grammar.plural,
            negated=False,
            period=period_of(mentions, onset=pattern.change),
            mood=mood_of(sentence, grammar),
            change=pattern.change or is_change(sentence, grammar),
            span=Span(start + match.start(), start + match.end()),
            rule=f"{grammar.language}/{pattern.name}",
        )

    def _mentions_outside(
        self, match: re.Match[str], grammar: Grammar
    ) -> list[Mention]:
        """Return the times of a sentence without those between its pattern's start and object."""
        before = range(match.start(), match.start("o") + 1)
        tense = tense_of(match.string, grammar)
        mentions = self._mentions(match.string, tense, grammar)
        return [one for one in mentions if one.start not in before]

    # -- retractions ------------------------------------------------------------------------------

    def _retractions(
        self, start: int, sentence: str, grammar: Grammar
    ) -> Iterator[Claim]:
        """Yield that what was said of a matter is taken back: "Please forget my old address"."""
        match = grammar.find("mood.forget_what", sentence)
        if match is None:
            return
        span = Span(start + match.start("what"), start + match.end("what"))
        matter = self._named_matter(span, grammar)
        name = joined(matter.thing, self.text)
        subject = self.names.resolve(name, grammar)
        if not subject:
            return
        predicate = " ".join(word.text for word in matter.role)
        who = self.names.key_of(subject, grammar)
        retraction = retraction_at(span, f"{grammar.language}/forget")
        yield retraction._replace(
            subject=subject,
            predicate=predicate,
            key=(who, predicate_key(predicate, grammar)),
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
            return retraction_at(span, rule)
        return self.last._replace(
            mood="retracted", change=True, span=span, rule=rule
        )


def _is_exchange(claim: Claim) -> bool:
    """Tell whether a pattern has read both values of a change, so that nothing is left to split."""
    return claim.rule.endswith("changed-from-to")
