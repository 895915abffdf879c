"""Where a clause has its verbs: the subject before them, what they say about time and denial, and the rest after them."""

from typing import NamedTuple

from companion.reason.extract_grammar import Grammar
from companion.reason.extract_text import Token

_CATENATIVE = frozenset(
    "plan want hope decide intend need try use go have suppose schedule expect manage like consider start begin stop quit".split()
)


class VerbGroup(NamedTuple):
    """ "has just been promoted": one main verb and what its company says."""

    first: int  # index of its first word
    end: int  # index after its last
    lemma: str  # "promote"; "" for a copula alone
    said: str  # the words that carry meaning: "promoted", "is"
    passive: bool = False
    negated: bool = False
    past: bool = False
    future: bool = False
    perfect: bool = False


def verb_group(tokens: list[Token], first: int, grammar: Grammar) -> VerbGroup:
    """Read the verbs from the finite one at *first* on."""
    words: list[str] = []
    at = first
    while at < len(tokens) and _company(tokens, at, grammar):
        words.append(tokens[at].low)
        at += 1
    passive_company = [word for word in words if grammar.has("passives", word)]
    verbal = at < len(tokens) and tokens[at].text == tokens[at].low and _main(tokens, at, words, grammar)
    flags = {
        "negated": any(grammar.has("negations", word) for word in words),
        "past": any(
            word
            in ("was", "were", "had", "did", "wasn't", "weren't", "didn't", "war", "waren", "hatte", "wurde", "wurden")
            for word in words
        ),
        "future": any(grammar.has("future", word) for word in words),
        "perfect": any(grammar.has("perfects", word) for word in words),
    }
    if not verbal:
        said = next(
            (
                word
                for word in reversed(words)
                if not grammar.has("adverbs", word) and not grammar.has("negations", word)
            ),
            "",
        )
        if said in grammar.words.get("perfects", ()) and _low(tokens, at) == "to":
            return _catenative(VerbGroup(first, at, "have", said, **flags), tokens, grammar)
        have = not passive_company and grammar.has("auxiliaries", said)
        return VerbGroup(first, at, (grammar.lemma(said) or "") if have else "", said, **flags)
    lemma = grammar.lemma(tokens[at].low) or ""
    plain_past = at == first and tokens[at].low != lemma and not tokens[at].low.endswith("s")
    flags["past"] = flags["past"] or plain_past
    group = VerbGroup(
        first, at + 1, lemma, tokens[at].low, bool(passive_company) and not tokens[at].low.endswith("ing"), **flags
    )
    return _catenative(group, tokens, grammar)


def _company(tokens: list[Token], at: int, grammar: Grammar) -> bool:
    """Auxiliaries, copulas, denials and adverbs before the main verb."""
    word = tokens[at].low
    if any(grammar.has(kind, word) for kind in ("copulas", "auxiliaries", "modals", "negations")):
        return (
            not (grammar.has("determiners", word) and word not in ("no",))
            or word == "no"
            and _low(tokens, at + 1) == "longer"
        )
    return grammar.has("adverbs", word) and grammar.lemma(word) is None


def _main(tokens: list[Token], at: int, company: list[str], grammar: Grammar) -> bool:
    """Tell whether the word *at* is the main verb, and not the complement of a copula or of "have"."""
    word = tokens[at].low
    if grammar.lemma(word) is None:
        return False
    said = [one for one in company if not grammar.has("adverbs", one) and not grammar.has("negations", one)]
    if not said or grammar.has("modals", said[-1]) or said[-1] in ("do", "does", "did", "don't", "doesn't", "didn't"):
        return True
    return word.endswith("ing") or grammar.participle(word)


def _catenative(group: VerbGroup, tokens: list[Token], grammar: Grammar) -> VerbGroup:
    """ "Used to live", "is going to move": the verb after "to" says what it is about."""
    at = group.end
    if group.lemma not in _CATENATIVE or at >= len(tokens):
        return group
    gerund = group.lemma in ("consider", "start", "begin", "stop", "quit") and tokens[at].low.endswith("ing")
    if tokens[at].low != "to" and not gerund:
        return group
    verb = at if gerund else at + 1
    lemma = grammar.lemma(_low(tokens, verb)) or ("be" if _low(tokens, verb) == "be" else None)
    if lemma is None:
        return group
    used = group.said == "used" and group.lemma == "use"
    going = group.said in ("going", "gonna", "scheduled", "supposed", "expected")
    ended = group.lemma in ("stop", "quit")
    return group._replace(
        end=verb + 1,
        lemma="" if lemma == "be" else lemma,
        said=_low(tokens, verb),
        passive=False,
        past=group.past or used,
        future=group.future or going or group.lemma in ("plan", "want", "hope", "decide", "intend", "consider"),
        negated=group.negated or ended,
    )


def _low(tokens: list[Token], at: int) -> str:
    return tokens[at].low if at < len(tokens) else ""
