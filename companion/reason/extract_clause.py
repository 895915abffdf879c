"""Clauses to facts: a general splitter into subject, verbs and complements, by closed word classes and verb forms.

No parser and no model. "Anna moved to Porto with her dog" gives (Anna, moved to, Porto) and (Anna, moved with, her dog):
one fact for each complement. Attributes are read as such however they are said: "The R of X is Y", "X's R is Y",
"the R that X plays is Y" and "Y is the R of X" all speak of R of X.
"""

from collections.abc import Iterator
from typing import NamedTuple

from companion.reason.extract_grammar import Grammar
from companion.reason.extract_text import Token, joined
from companion.reason.extract_verbs import VerbGroup, verb_group

MAX_WORDS = 20  # longer subjects and objects are no names of things


class Fact(NamedTuple):
    """What one clause says of one thing, before times and moods."""

    subject: str
    predicate: str
    object: str
    matter: str  # the predicate reduced to what it is about, before synonyms: "found by", "live in", "capital"
    functional: bool
    rule: str
    start: int
    end: int
    group: VerbGroup


class Complement(NamedTuple):
    """One noun phrase after the verbs, with the preposition before it."""

    preposition: str  # "," for an apposition
    words: list[Token]
    opening: tuple[Token, ...] = ()  # the preposition as it stands


def facts(tokens: list[Token], text: str, grammar: Grammar) -> list[Fact]:
    """Return what the clause *tokens* states; "… and moved to Porto" goes on with the same subject."""
    at: int | None = _finite(tokens, grammar)
    if at is None:
        return []
    who = _without_adverbs(tokens[:at], grammar)
    if len(who) > 1 and who[-1].low in _NOMINATIVE:
        who = who[-1:]  # "Before Portland I lived in …"
    found: list[Fact] = []
    while at is not None and who and len(who) <= MAX_WORDS:
        group = verb_group(tokens, at, grammar)
        complements, rest = _complements(tokens, group.end, grammar)
        read = _verbal if group.lemma else _copular
        found += read(who, group, complements, text, grammar)
        at = _next_verb(tokens, rest, grammar)
    return found


# -- attributes ------------------------------------------------------------------------------------------------


def _copular(
    who: list[Token], group: VerbGroup, complements: list[Complement], text: str, grammar: Grammar
) -> Iterator[Fact]:
    if not complements:
        return
    who, relation = _relation(who, group, text, grammar)
    yield from relation
    first = complements[0]
    attribute = _attribute(who, grammar)
    if attribute is not None:
        of, role = attribute
        plural = (
            role[-1].low.endswith("s")
            and not role[-1].low.endswith("ss")
            and group.said in ("are", "were", "'re", "sind", "waren")
        )
        words = [*first.words, *_going_on(complements, text)]
        yield _fact(of, role, first.preposition, words, group, "attribute", not plural, text, grammar)
        for one in complements[1:]:
            if one.preposition == ",":
                yield _fact(of, role, "", one.words, group, "attribute", not plural, text, grammar)
        return
    if first.preposition:
        for one in complements[:2]:
            yield _fact(who, [], one.preposition, one.words, group, "place", False, text, grammar)
        return
    yield from _kind(who, group, complements, text, grammar)


def _going_on(complements: list[Complement], text: str) -> list[Token]:
    """A value that is no name goes on to the end: "an MSc in Linguistics", "the 4th floor at the back"."""
    last = complements[0].words[-1]
    if last.text.istitle() and len(last.text) > 1:
        return []
    rest = [one for one in complements[1:] if one.preposition != ","]
    return [word for one in rest for word in (*one.opening, *one.words)]


def _kind(
    who: list[Token], group: VerbGroup, complements: list[Complement], text: str, grammar: Grammar
) -> Iterator[Fact]:
    """ "Y is the R of X", "X is a citizen of Y", "X is famous for Y", "X is Y"."""
    words = complements[0].words
    cut = _of(words, grammar)
    role = words[:cut] if cut else []
    if role and grammar.has("articles", role[0].low) and _lower(role[-1], grammar):
        if role[0].low in _DEFINITE and not _pronoun(who, grammar):
            yield _fact(words[cut + 1 :], role[1:], "", who, group, "attribute-inverse", True, text, grammar)
        yield _fact(who, role[1:], words[cut].low, words[cut + 1 :], group, "kind-of", False, text, grammar)
        return
    for one in complements[1:3]:
        if one.preposition != "," and _lower(words[-1], grammar) and len(words) <= 4:
            yield _fact(
                who, _bare(words, grammar), one.preposition, one.words, group, "kind-with", False, text, grammar
            )
    if len(complements) == 1 or words[0].low in _INDEFINITE or words[0].text != words[0].low:
        yield _fact(who, [], "", words, group, "is", False, text, grammar)


def _relation(who: list[Token], group: VerbGroup, text: str, grammar: Grammar) -> tuple[list[Token], list[Fact]]:
    """ "My sister Karen": who she is to me is a fact of its own, and the clause is about Karen."""
    if len(who) < 3 or not grammar.has("possessives", who[0].low) or grammar.v2:
        return who, []
    cut = next((at for at, word in enumerate(who) if at > 1 and _capital(word)), None)
    if (
        cut is None
        or not all(_capital(word) for word in who[cut:])
        or not all(word.text == word.low for word in who[1:cut])
    ):
        return who, []
    plain = VerbGroup(group.first, group.end, "", "is")
    return who[cut:], [_fact(who[:1], who[1:cut], "", who[cut:], plain, "relation", False, text, grammar)]


def _attribute(who: list[Token], grammar: Grammar) -> tuple[list[Token], list[Token]] | None:
    """Return (thing, role) where *who* names a role of a thing: "the capital of X", "X's capital", "my job"."""
    if len(who) > 1 and grammar.has("possessives", who[0].low):
        return [who[0]], who[1:]
    for at, token in enumerate(who):
        if token.low in ("'s", "’s") or (token.low == "'" and at):
            return (who[:at], who[at + 1 :]) if 0 < at < len(who) - 1 else None
    relative = next((at for at, token in enumerate(who) if at > 1 and grammar.has("relatives", token.low)), None)
    if relative is not None and grammar.has("articles", who[0].low):
        return _relative(who, relative, grammar)
    cut = _of(who, grammar)
    if (
        cut is None
        or not grammar.has("articles", who[0].low)
        or not (_lower(who[1], grammar) or grammar.has("offices", who[cut - 1].low))
    ):
        return None
    role, thing = who[1:cut], who[cut + 1 :]
    if not role or not thing:
        return None
    if role[-1].low == "name" and len(thing) > 2:  # "the name of the current head of state in X"
        return _attribute(thing, grammar) or (thing, role)
    return thing, [word for word in role if word.low not in _TIMELY]


def _relative(who: list[Token], at: int, grammar: Grammar) -> tuple[list[Token], list[Token]] | None:
    """ "The company that produced X", "the place where X was educated": X is the thing, the rest its role."""
    clause = who[at + 1 :]
    verbs = [
        n
        for n, word in enumerate(clause)
        if word.text == word.low and (grammar.lemma(word.low) or grammar.has("copulas", word.low))
    ]
    if not verbs:
        return None
    thing = [word for n, word in enumerate(clause) if n < verbs[0]] or clause[verbs[-1] + 1 :]
    return (thing, [*who[1:at], *(clause[n] for n in verbs)]) if thing else None


def _of(words: list[Token], grammar: Grammar) -> int | None:
    """Return where "of" joins a role to its thing; "head of state in X" is a role of X, "price of bread in X" too."""
    for at in range(1, len(words) - 1):
        word, after = words[at].low, words[at + 1]
        if not (grammar.has("of", word) or (grammar.has("of_later", word) and at > 1)):
            continue
        rest = words[at + 1 :]
        further = next((n for n, one in enumerate(rest) if n and grammar.has("prepositions", one.low)), None)
        bare = (
            further is not None
            and all(one.text == one.low for one in rest[:further])
            and not grammar.has("articles", after.low)
        )
        if bare and not grammar.v2:
            continue
        return at
    return next(
        (n for n, one in enumerate(words) if n > 2 and n < len(words) - 1 and _role_end(words, n, grammar)), None
    )


def _role_end(words: list[Token], at: int, grammar: Grammar) -> bool:
    compound = any(grammar.has("of", word.low) for word in words[:at])
    return compound and words[at].low in ("in", "at", "for", "of")


# -- verbs -----------------------------------------------------------------------------------------------------


def _verbal(
    who: list[Token], group: VerbGroup, complements: list[Complement], text: str, grammar: Grammar
) -> Iterator[Fact]:
    who, relation = _relation(who, group, text, grammar)
    yield from relation
    attribute = _attribute(who, grammar)
    thing, role = attribute if attribute is not None else (who, [])
    for one in complements[:4]:
        preposition = one.preposition if one.preposition != "," else complements[0].preposition
        yield _fact(thing, role, preposition, one.words, group, "verb", False, text, grammar)


def _fact(
    thing: list[Token], role: list[Token], preposition: str, words: list[Token], group: VerbGroup,
    rule: str, functional: bool, text: str, grammar: Grammar,
) -> Fact:  # fmt: skip
    classes, words = _class(words, grammar)
    words = _trimmed(words, grammar)
    thing = _unquoted(thing)
    verb = grammar.lemma(group.said) or "" if group.lemma else ""
    matter = " ".join(part for part in (*(one.low for one in role), verb, preposition, classes) if part)
    said = " ".join(
        part for part in (*(one.text for one in role), group.said if group.lemma else "", preposition, classes) if part
    )
    passive = group.passive and preposition in ("by", "in", "von", "in")
    single = functional or bool(classes) or passive
    ends = [*thing, *role, *words]
    return Fact(
        joined(thing, text), said or group.said or "is", joined(words, text), matter or "is", single, rule,
        min(one.start for one in ends) if ends else 0, max(one.end for one in ends) if ends else 0, group,
    )  # fmt: skip


# -- complements -----------------------------------------------------------------------------------------------


def _complements(tokens: list[Token], at: int, grammar: Grammar) -> tuple[list[Complement], int]:
    """Split what follows the verbs at its prepositions; return also where the clause stops."""
    found: list[Complement] = []
    opening: list[Token] = []
    words: list[Token] = []
    while at < len(tokens) and not _stops(tokens, at, words, grammar):
        if _opens(tokens, at, words, grammar):
            if words:
                found.append(_complement(opening, words))
                opening = []
            opening, words = [*opening, tokens[at]], []
        else:
            words.append(tokens[at])
        at += 1
    if words:
        found.append(_complement(opening, words))
    named = _apposition(tokens, at, grammar) if words and not _capital(words[-1]) else []
    if named:
        found.append(Complement(",", named))
        at += len(named) + 1
    return [one for one in found if _says_something(one.words, grammar)], at


def _complement(opening: list[Token], words: list[Token]) -> Complement:
    return Complement(" ".join(word.low for word in opening), words, tuple(opening))


def _opens(tokens: list[Token], at: int, words: list[Token], grammar: Grammar) -> bool:
    """Tell whether the word *at* begins a new complement."""
    low = tokens[at].low
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if grammar.has("of", low) or following is None:
        return False
    if low == "out" and words and words[-1].low[-1:].isdigit():
        return False  # "74 out of 100" is one value
    if low in ("about", "around") and following.low[:1].isdigit():
        return False
    if grammar.has("prepositions", low) or (words and grammar.has("participial", low)):
        return True
    if not words:
        return grammar.has("particles", low)
    content = not grammar.has("determiners", words[-1].low) and not grammar.has("adverbs", words[-1].low)
    reduced = content and tokens[at].text == low and grammar.participle(low)
    return reduced and (
        grammar.has("prepositions", following.low) or grammar.has("determiners", following.low) or _capital(following)
    )


def _apposition(tokens: list[Token], at: int, grammar: Grammar) -> list[Token]:
    """ "My contact is my sister, Karen Liu": the name after the comma."""
    if at >= len(tokens) or tokens[at].low != ",":
        return []
    end = at + 1
    while end < len(tokens) and _capital(tokens[end]) and not grammar.has("little", tokens[end].low):
        end += 1
    closed = end == len(tokens) or tokens[end].low in (",", "and", "but", ";", "und")
    return tokens[at + 1 : end] if closed else []


def _stops(tokens: list[Token], at: int, words: list[Token], grammar: Grammar) -> bool:
    word = tokens[at]
    if word.low in (";", "(", ")", "—", "–", "-", ":", "!", "?"):
        return True
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if word.low == ",":
        return not (
            words
            and following
            and _capital(words[-1])
            and _capital(following)
            and not grammar.has("little", following.low)
        )
    if word.low in ("and", "or", "und", "oder"):
        return (
            following is None
            or not words
            or _next_verb(tokens, at, grammar) is not None
            or grammar.has("subjects", following.low)
        )
    return grammar.has("breaks", word.low)


def _next_verb(tokens: list[Token], at: int, grammar: Grammar) -> int | None:
    """Return where another verb of the same subject follows an "and" or a comma at *at*."""
    rest = at
    while rest < len(tokens) and (tokens[rest].low in _JOINS or grammar.has("adverbs", tokens[rest].low)):
        rest += 1
    if rest == at or rest >= len(tokens) or tokens[rest].text != tokens[rest].low:
        return None
    low = tokens[rest].low
    lemma = grammar.lemma(low)
    inflected = lemma not in (None, low) and not low.endswith("ing") and not (grammar.v2 and low.endswith("en"))
    return rest if inflected or any(grammar.has(kind, low) for kind in ("copulas", "auxiliaries", "modals")) else None


def _finite(tokens: list[Token], grammar: Grammar) -> int | None:
    relative = next((at for at, word in enumerate(tokens) if at > 1 and grammar.has("relatives", word.low)), None)
    candidates = [at for at in range(1, len(tokens)) if grammar.finite(tokens, at)]
    if not candidates:
        return None
    if relative is None or candidates[0] < relative or not grammar.has("articles", tokens[0].low):
        return _back_over_adverbs(tokens, candidates[0], grammar)
    closing = [
        at for at in candidates
        if at > relative + 1 and grammar.has("copulas", tokens[at].low)
        and not (at + 1 < len(tokens) and grammar.participle(tokens[at + 1].low))
    ]  # fmt: skip
    return closing[0] if closing else None


def _back_over_adverbs(tokens: list[Token], at: int, grammar: Grammar) -> int:
    """ "I no longer work": the words before the verb that belong to it."""
    while at > 1 and (grammar.has("adverbs", tokens[at - 1].low) or grammar.has("negations", tokens[at - 1].low)):
        at -= 1
    return at


# -- words -----------------------------------------------------------------------------------------------------

_JOINS = frozenset((",", "and", "then", "und", "dann"))
_NOMINATIVE = frozenset(("i", "he", "she", "we", "they", "ich", "wir", "er"))
_DEFINITE = frozenset(("the", "der", "die", "das"))
_INDEFINITE = frozenset(("a", "an", "ein", "eine", "einer", "einen"))
_TIMELY = frozenset(("current", "present", "new", "former", "aktuelle", "aktueller", "derzeitige", "neue", "neuer"))


def _class(words: list[Token], grammar: Grammar) -> tuple[str, list[Token]]:
    """Take "the city of" off "the city of Porto": what kind of thing it is belongs to the predicate."""
    if (
        len(words) > 3
        and words[0].low in _DEFINITE
        and grammar.has("classes", words[1].low)
        and grammar.has("of", words[2].low)
    ):
        return words[1].low, words[3:]
    if len(words) > 2 and grammar.has("classes", words[0].low) and grammar.has("of", words[1].low):
        return words[0].low, words[2:]
    return "", words


def _trimmed(words: list[Token], grammar: Grammar) -> list[Token]:
    words = list(words)
    while words and (grammar.has("adverbs", words[-1].low) or words[-1].low in (",", "and", '"', "“", "”", "!", "too")):
        words.pop()
    while words and (
        (grammar.has("articles", words[0].low) and words[0].text == words[0].low)
        or grammar.has("adverbs", words[0].low) or words[0].low in (",", '"', "“", "„")
    ):  # fmt: skip
        words.pop(0)
    return _unquoted(words)


def _unquoted(words: list[Token]) -> list[Token]:
    return (
        [word for word in words if word.low not in ('"', "“", "”", "„")]
        if words and words[0].low in ('"', "“", "„")
        else words
    )


def _bare(words: list[Token], grammar: Grammar) -> list[Token]:
    return [word for word in words if not grammar.has("articles", word.low) and not grammar.has("adverbs", word.low)]


def _without_adverbs(words: list[Token], grammar: Grammar) -> list[Token]:
    while words and (
        words[-1].low == "," or (grammar.has("adverbs", words[-1].low) and words[-1].text == words[-1].low)
    ):
        words = words[:-1]
    while len(words) > 1 and (words[0].low == "," or (grammar.has("adverbs", words[0].low))):
        words = words[1:]
    return words


def _says_something(words: list[Token], grammar: Grammar) -> bool:
    return len(words) <= MAX_WORDS and any(
        not (grammar.has("articles", word.low) or grammar.has("adverbs", word.low))
        and word.low[:1].isalnum()
        or word.low[:1] in "$€£"
        for word in words
    )


def _pronoun(words: list[Token], grammar: Grammar) -> bool:
    return len(words) == 1 and any(grammar.has(kind, words[0].low) for kind in ("me", "us", "pronouns", "subjects"))


def _lower(word: Token, grammar: Grammar) -> bool:
    """Tell whether *word* can be a common noun; "CEO" can."""
    return word.text == word.low or grammar.v2 or (word.text.isupper() and 1 < len(word.text) <= 4)


def _capital(word: Token) -> bool:
    return word.text[:1].isupper()
