"""Roles of things: "the capital of X", "X's capital", "my job", "the band that X leads" all name a
thing and a role.
"""

from companion.language.claims.complements import capital
from companion.language.claims.grammar import Grammar
from companion.language.sentences import Token

Role = tuple[list[Token], list[Token]]  # the thing, and its role


def role_of(who: list[Token], grammar: Grammar) -> Role | None:
    """Return (thing, role) where *who* names a role of a thing, else None."""
    if len(who) > 1 and grammar.has("possessives", who[0].low):
        return [who[0]], who[1:]
    for at, token in enumerate(who):
        if token.low == "'s" or (token.low == "'" and at):
            return (who[:at], who[at + 1 :]) if 0 < at < len(who) - 1 else None
    if not grammar.has("articles", who[0].low):
        return None
    relative = next(
        (at for at, token in enumerate(who) if at > 1 and grammar.has("relatives", token.low)), None
    )
    if relative is not None:
        return _relative(who, relative, grammar)
    return _genitive(who, grammar) or _of_phrase(who, grammar)


def named_relation(who: list[Token], grammar: Grammar) -> Role | None:
    """Return (name, relation) of "my sister Karen", else None."""
    if len(who) < 3 or grammar.v2 or not grammar.has("possessives", who[0].low):
        return None
    cut = next((at for at, word in enumerate(who) if at > 1 and capital(word)), len(who))
    relation, name = who[1:cut], who[cut:]
    if (
        not name
        or not all(map(capital, name))
        or not all(word.text == word.low for word in relation)
    ):
        return None
    if any(grammar.has("prepositions", word.low) for word in relation):
        return None  # "my salary at Acme" names no person
    return name, relation


def split_at_of(words: list[Token], grammar: Grammar) -> int | None:
    """Return where a preposition joins a role to its thing.

    "Head of state in X" is a role of X, as "price of bread in X" is; "director of X" one of X.
    """
    compound = False
    for at in range(1, len(words) - 1):
        low = words[at].low
        if grammar.has("of", low) or (grammar.has("of_later", low) and at > 1):
            if grammar.v2 or not _compound(words[at + 1 :], grammar):
                return at
            compound = True
        elif compound and at > 2 and grammar.has("prepositions", low):
            return at
    return None


def common(word: Token, grammar: Grammar) -> bool:
    """Tell whether *word* can be a common noun; "CEO" can."""
    return word.text == word.low or grammar.v2 or (word.text.isupper() and 1 < len(word.text) <= 4)


def _of_phrase(who: list[Token], grammar: Grammar) -> Role | None:
    cut = split_at_of(who, grammar)
    if cut is None or cut < 2:
        return None
    if not common(who[1], grammar) and not grammar.has("offices", who[cut - 1].low):
        return None  # "The Lord of the Rings"
    role, thing = who[1:cut], who[cut + 1 :]
    # "the name of the current head of state in X"
    if grammar.has("names", role[-1].low) and len(thing) > 2:
        return role_of(thing, grammar) or (thing, role)
    return thing, [word for word in role if not grammar.has("timely", word.low)] or role


def _relative(who: list[Token], at: int, grammar: Grammar) -> Role | None:
    """ "The company that produced X", "the place where X was educated": X is the thing, the rest
    its role.
    """
    clause = who[at + 1 :]
    verbs = [
        n for n, word in enumerate(clause) if word.text == word.low and _verbal(word.low, grammar)
    ]
    if not verbs:
        return None
    thing = clause[: verbs[0]] or clause[verbs[-1] + 1 :]
    return (thing, [*who[1:at], *(clause[n] for n in verbs)]) if thing else None


def _genitive(who: list[Token], grammar: Grammar) -> Role | None:
    """ "Die Hauptstadt Deutschlands"."""
    last = who[-1]
    if (
        not grammar.v2
        or len(who) != 3
        or len(last.text) < 4
        or not last.text.endswith("s")
        or not capital(who[1])
    ):
        return None
    return [last._replace(text=last.text[:-1], low=last.low[:-1], end=last.end - 1)], [who[1]]


def _compound(rest: list[Token], grammar: Grammar) -> bool:
    """ "… of state in X": bare small words up to another preposition belong to the role."""
    further = next(
        (n for n, one in enumerate(rest) if n and grammar.has("prepositions", one.low)), None
    )
    if further is None or further >= len(rest) - 1 or grammar.has("articles", rest[0].low):
        return False
    return all(one.text == one.low for one in rest[:further])


def _verbal(low: str, grammar: Grammar) -> bool:
    return grammar.lemma(low) is not None or grammar.has("copulas", low)
