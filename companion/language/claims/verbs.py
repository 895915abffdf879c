"""The verbs of a clause: where they stand, and what they say about time, denial and mood."""

from typing import NamedTuple

from companion.language.claims.grammar import Grammar
from companion.language.sentences import Token, Words
from companion.values.claims import Mood


class VerbGroup(NamedTuple):
    """One main verb and the words with it: "has just been promoted"."""

    end: int  # index of the word after it
    lemma: str  # "promote"; "" for a copula alone
    word: str  # the word that carries the meaning: "promoted", "is"
    passive: bool = False
    negated: bool = False
    past: bool = False
    future: bool = False
    perfect: bool = False
    # of what stands in the place of what it denies: "not in Bern but in Rome"
    instead: bool = False
    # "might", "could": it is not said to be so
    hypothetical: bool = False
    ability: str = ""  # "can": what can be done need not be done

    def as_received(self) -> "VerbGroup":
        """Return the verb of a thing that is done to the subject: "was offered"."""
        return self._replace(
            lemma=f"be {self.lemma}", word=f"was {self.word}", passive=False
        )


def mood_of(text: str, grammar: Grammar) -> Mood:
    """Return the mood of a clause or a sentence.

    What others say is going to happen is tentative until it has happened.
    """
    if grammar.matches("mood.retracted", text):
        return "retracted"
    if grammar.matches("mood.settled", text):
        return "confirmed"
    if grammar.matches("mood.tentative", text):
        return "tentative"
    if not grammar.matches("mood.reported", text):
        return "confirmed"
    if grammar.matches("mood.future", text):
        return "tentative"
    return "confirmed"


def mood_in_sentence(clause: str, sentence: str, grammar: Grammar) -> Mood:
    """Return the mood of a clause, or of its *sentence* where that reports or takes back."""
    mood = mood_of(clause, grammar)
    if mood != "confirmed":
        return mood
    for rule in ("mood.reported", "mood.retracted"):
        if grammar.matches(rule, sentence):
            return mood_of(sentence, grammar)
    return mood


def is_change(text: str, grammar: Grammar) -> bool:
    """Tell whether *text* has the words of a change: "now", "no longer", "as of"."""
    return grammar.matches("change.words", text)


def read_verbs(tokens: Words, first: int, grammar: Grammar) -> VerbGroup:
    """Return the verb group that begins with the finite verb at *first*."""
    at = first
    while at < len(tokens) and _belongs_to_verb(tokens, at, grammar):
        if at > first and tokens[at].text.istitle():
            break  # "is May 3"
        at += 1
    helpers = [word.low for word in tokens[first:at]]
    group = VerbGroup(
        end=at,
        lemma="",
        word=_last_auxiliary(helpers, grammar),
        negated=_any_is("negations", helpers, grammar),
        past=_any_is("pasts", helpers, grammar),
        future=_any_is("future", helpers, grammar),
        perfect=_any_is("perfects", helpers, grammar),
        hypothetical=_any_is("hypothetical", helpers, grammar),
        ability="can" * _any_is("abilities", helpers, grammar),
    )
    group = _with_main_verb(group, tokens, helpers, grammar)
    return _with_second_verb(group, tokens, grammar)


def _any_is(kind: str, words: list[str], grammar: Grammar) -> bool:
    return any(grammar.has(kind, word) for word in words)


def _last_auxiliary(helpers: list[str], grammar: Grammar) -> str:
    for word in reversed(helpers):
        if grammar.auxiliary(word):
            return word
    return ""


def _with_main_verb(
    group: VerbGroup, tokens: Words, helpers: list[str], grammar: Grammar
) -> VerbGroup:
    """Return *group* with the verb that stands behind its helpers."""
    lemma = _main_lemma(group, tokens, helpers, grammar)
    if lemma is not None:
        low = tokens[group.end].low
        if group.word == "'d" and low == lemma:
            group = group._replace(hypothetical=True)  # "I'd love"
        return _with_verb(group, low, lemma, helpers, grammar)
    if _any_is("passives", helpers, grammar) and not _gets(group, grammar):
        return group
    if grammar.has("dos", group.word):
        return group._replace(lemma="do")  # "can't do Tuesdays", "does clothes"
    # "has" of its own, not of another verb
    return group._replace(lemma=grammar.lemma(group.word) or "")


def _gets(group: VerbGroup, grammar: Grammar) -> bool:
    """Tell whether "got" stands alone: "I got a dog", and not "got married"."""
    return not grammar.v2 and grammar.lemma(group.word) == "get"


def _main_lemma(
    group: VerbGroup, tokens: Words, helpers: list[str], grammar: Grammar
) -> str | None:
    """Return the lemma of the verb behind the *helpers*, None where none stands there."""
    for word in tokens[group.end : group.end + 1]:
        if word.text == word.low and _is_main(word.low, group.word, grammar):
            return grammar.lemma(word.low)
    if not helpers:
        return grammar.guessed(tokens, group.end)
    return _unknown_lemma(group, tokens, grammar)


def _unknown_lemma(
    group: VerbGroup, tokens: Words, grammar: Grammar
) -> str | None:
    """Return an unknown word that must be a verb: behind a modal, or in -ed behind "have"."""
    if grammar.v2 or group.end >= len(tokens):
        return None
    word = tokens[group.end]
    if word.text != word.low or not word.low.isalpha():
        return None
    if grammar.has_any(("little", "fragments"), word.low):
        return None
    is_denied = group.negated and grammar.has("dos", group.word)
    if is_denied or grammar.has("modals", group.word):
        return word.low
    if grammar.has("perfects", group.word) and word.low.endswith("ed"):
        return word.low.removesuffix("ed")
    return None


def _with_verb(
    group: VerbGroup, low: str, lemma: str, helpers: list[str], grammar: Grammar
) -> VerbGroup:
    passive = _any_is("passives", helpers, grammar)
    past = group.past or (not helpers and _is_past(low, lemma, grammar))
    return group._replace(
        end=group.end + 1,
        lemma=lemma,
        word=low,
        passive=passive and not low.endswith("ing"),
        past=past,
    )


def _is_past(low: str, lemma: str, grammar: Grammar) -> bool:
    if grammar.v2:
        return grammar.past(Token(low, low, 0, 0))
    return low != lemma and not low.endswith("s")


def _belongs_to_verb(tokens: Words, at: int, grammar: Grammar) -> bool:
    """Tell whether the word at *at* is an auxiliary, a denial or an adverb before the main verb."""
    low = tokens[at].low
    following = _low_at(tokens, at + 1)
    if low == "no":  # "has no cat" denies the cat
        return following == "longer"
    denial = grammar.has("negations", low) and not grammar.has(
        "determiners", low
    )
    if denial or grammar.auxiliary(low):
        return True
    if low.endswith("ly") and grammar.participle(following):
        return True  # "is widely known"
    return grammar.has("adverbs", low) and grammar.lemma(low) is None


def _is_main(low: str, auxiliary: str, grammar: Grammar) -> bool:
    """Tell whether *low* is the main verb, and not the complement of a copula or of "have"."""
    if grammar.lemma(low) is None:
        return False
    if not auxiliary or auxiliary == "'d":
        return True
    if grammar.has_any(("modals", "dos"), auxiliary):
        return True
    return low.endswith("ing") or grammar.participle(low)


def _with_second_verb(
    group: VerbGroup, tokens: Words, grammar: Grammar
) -> VerbGroup:
    """Return *group* with a second verb that says what it is about.

    "Used to live", "is going to move", "considers moving".
    """
    at = _find_second_verb(group, tokens, grammar)
    if at is None:
        return group
    second = _low_at(tokens, at)
    lemma = grammar.lemma(second)
    if second == "be":
        lemma = ""
    if lemma is None:
        return group
    intended = _any_is("intentions", [group.lemma, group.word], grammar)
    return group._replace(
        end=at + 1,
        lemma=lemma,
        word=second,
        passive=False,
        past=group.past or group.word == "used",
        future=group.future or intended,
        negated=group.negated or grammar.has("endings", group.lemma),
    )


def _find_second_verb(
    group: VerbGroup, tokens: Words, grammar: Grammar
) -> int | None:
    """Return where an infinitive or a gerund stands that the verb takes, None without one."""
    following = _low_at(tokens, group.end)
    if following == "to" and grammar.has("catenatives", group.lemma):
        return group.end + 1
    if following.endswith("ing") and grammar.has("gerunds", group.lemma):
        return group.end
    return None


def _low_at(tokens: Words, at: int) -> str:
    if at >= len(tokens):
        return ""
    return tokens[at].low
