"""Where a clause has its verbs, and what they say about time and denial."""

from typing import NamedTuple

from companion.language.claims.grammar import Grammar
from companion.language.sentences import Token


class VerbGroup(NamedTuple):
    """ "Has just been promoted": one main verb and what its company says."""

    end: int  # index of the word after it
    lemma: str  # "promote"; "" for a copula alone
    said: str  # the word that carries the meaning: "promoted", "is"
    passive: bool = False
    negated: bool = False
    past: bool = False
    future: bool = False
    perfect: bool = False
    # of what stands in the place of what it denies: "not in Bern but in Rome"
    instead: bool = False


def verb_group(tokens: list[Token], first: int, grammar: Grammar) -> VerbGroup:
    """Read the verbs from the finite one at *first* on."""
    at = first
    while at < len(tokens) and _company(tokens, at, grammar):
        at += 1
    company = [word.low for word in tokens[first:at]]
    group = VerbGroup(
        end=at,
        lemma="",
        said=next((word for word in reversed(company) if grammar.auxiliary(word)), ""),
        negated=any(grammar.has("negations", word) for word in company),
        past=any(grammar.has("pasts", word) for word in company),
        future=any(grammar.has("future", word) for word in company),
        perfect=any(grammar.has("perfects", word) for word in company),
    )
    if (
        at < len(tokens)
        and tokens[at].text == tokens[at].low
        and _main(tokens[at].low, company, grammar)
    ):
        group = _with_main(
            group, tokens[at].low, grammar.lemma(tokens[at].low) or "", company, grammar
        )
    elif not company and (guessed := grammar.guessed(tokens, at)) is not None:
        group = _with_main(group, tokens[at].low, guessed, company, grammar)
    elif not any(grammar.has("passives", word) for word in company):
        # "has" of its own, not of another verb
        group = group._replace(lemma=grammar.lemma(group.said) or "")
    return _catenative(group, tokens, grammar)


def _with_main(
    group: VerbGroup, low: str, lemma: str, company: list[str], grammar: Grammar
) -> VerbGroup:
    return group._replace(
        end=group.end + 1,
        lemma=lemma,
        said=low,
        passive=any(grammar.has("passives", word) for word in company) and not low.endswith("ing"),
        past=group.past or (not company and _past(low, lemma, grammar)),
    )


def _past(low: str, lemma: str, grammar: Grammar) -> bool:
    return (
        grammar.past(Token(low, low, 0, 0))
        if grammar.v2
        else low != lemma and not low.endswith("s")
    )


def _company(tokens: list[Token], at: int, grammar: Grammar) -> bool:
    """Tell whether the word *at* is an auxiliary, a copula, a denial or an adverb before the main
    verb.
    """
    low = tokens[at].low
    if low == "no":  # "has no cat" denies the cat
        return _low(tokens, at + 1) == "longer"
    if grammar.auxiliary(low) or (
        grammar.has("negations", low) and not grammar.has("determiners", low)
    ):
        return True
    if low.endswith("ly") and at + 1 < len(tokens) and grammar.participle(_low(tokens, at + 1)):
        return True  # "is widely known"
    return grammar.has("adverbs", low) and grammar.lemma(low) is None


def _main(low: str, company: list[str], grammar: Grammar) -> bool:
    """Tell whether *low* is the main verb, and not the complement of a copula or of "have"."""
    if grammar.lemma(low) is None:
        return False
    said = [word for word in company if grammar.auxiliary(word)]
    if not said or grammar.has("modals", said[-1]) or grammar.has("dos", said[-1]):
        return True
    return low.endswith("ing") or grammar.participle(low)


def _catenative(group: VerbGroup, tokens: list[Token], grammar: Grammar) -> VerbGroup:
    """ "Used to live", "is going to move", "considers moving": the second verb says what it is
    about.
    """
    at = group.end
    infinitive = grammar.has("catenatives", group.lemma) and _low(tokens, at) == "to"
    gerund = grammar.has("gerunds", group.lemma) and _low(tokens, at).endswith("ing")
    second = _low(tokens, at if gerund else at + 1)
    lemma = "" if second == "be" else grammar.lemma(second)
    if lemma is None or not (infinitive or gerund):
        return group
    return group._replace(
        end=at + (1 if gerund else 2),
        lemma=lemma,
        said=second,
        passive=False,
        past=group.past or group.said == "used",
        future=group.future
        or grammar.has("intentions", group.lemma)
        or grammar.has("intentions", group.said),
        negated=group.negated or grammar.has("endings", group.lemma),
    )


def _low(tokens: list[Token], at: int) -> str:
    return tokens[at].low if at < len(tokens) else ""
