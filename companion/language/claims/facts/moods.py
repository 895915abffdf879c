"""How a clause states a fact: as a change, as a possibility, under a condition."""

from companion.language.claims.clauses import Clause
from companion.language.claims.grammar import Grammar
from companion.language.claims.predication import INSTALLED, LEVELLED, Fact
from companion.language.claims.verbs import is_change, mood_in_sentence
from companion.language.sentences import Token
from companion.language.times.mentions import Mention
from companion.values.claims import Claim, Mood, Period, Span

_SINCE_WHEN = ("as_of", "since", "onward")  # roles of times


def states_change(fact: Fact, clause: Clause, mentions: list[Mention]) -> bool:
    """Tell whether a clause says that something became so."""
    if fact.verbs.lemma in clause.grammar.changes:
        return True
    if fact.rule in (INSTALLED, LEVELLED):
        return True
    if is_change(clause.words, clause.grammar):
        return True
    if not fact.verbs.past and _is_restored(clause):
        return True
    return any(mention.role in _SINCE_WHEN for mention in mentions)


def _is_restored(clause: Clause) -> bool:
    """Tell whether a state has come back: "walks without a stick again"."""
    return clause.grammar.matches("change.restored", clause.words)


def _tells_of_past(fact: Fact, grammar: Grammar) -> bool:
    """Tell whether it is told of one time: "Anna also lived in York when she was small"."""
    verbs = fact.verbs
    if verbs.past or verbs.perfect:
        return True
    word = Token(verbs.word, verbs.word, 0, 0)
    return not verbs.passive and grammar.past(word)


def _is_conditional(clause: Clause) -> bool:
    """Tell whether a condition stands in the clause, or opens what follows it."""
    matches = clause.grammar.matches
    return matches("mood.condition_behind", clause.words) or matches(
        "mood.condition_after", clause.following
    )


def mood_of_fact(fact: Fact, clause: Clause, period: Period) -> Mood:
    """Return whether a clause says that a fact is so, or may be, or holds under a condition."""
    mood = mood_in_sentence(clause.words, clause.sentence, clause.grammar)
    if clause.grammar.matches("mood.condition", clause.sentence):
        return "tentative"
    if mood != "confirmed":
        return mood
    if not _tells_of_past(fact, clause.grammar) and _is_conditional(clause):
        return "tentative"
    if fact.verbs.hypothetical and not fact.verbs.negated:
        return "tentative"
    if fact.verbs.future and not period.stated:
        # an intention without a date is not yet so, and no day comes on which it would be
        return "tentative"
    return "confirmed"


def retraction_at(span: Span, rule: str) -> Claim:
    """Return a claim that takes back what *span* speaks of, and names nothing yet."""
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
