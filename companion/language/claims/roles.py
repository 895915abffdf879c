"""Roles of things: "the capital of X", "X's capital", "my job", "the band that X leads"."""

import unicodedata
from functools import cache
from typing import NamedTuple

from companion.language.claims.complements import is_capital
from companion.language.claims.grammar import Grammar
from companion.language.sentences import Token, Words
from companion.language.words.genitives import ARTICLES, find_nominative
from companion.language.words.question_words import read_question_data

# letters: "CEO" names an office, longer capitals name a thing
_MAX_ABBREVIATION = 4
# concepts of which a thing has one
_MEASURES = ("price", "salary", "phone", "email", "deadline", "birthday")


class Role(NamedTuple):
    """A thing, and a role that it has."""

    thing: Words
    role: Words


def role_of(words: Words, grammar: Grammar) -> Role | None:
    """Return the thing and its role where *words* name a role of a thing, else None."""
    if len(words) > 1 and grammar.has("possessives", words[0].low):
        return Role(words[:1], words[1:])
    genitive = _find_genitive(words)
    if genitive and _belongs_to_thing(words[: genitive + 1], grammar):
        return _role_of_somebodys(words, grammar)
    if genitive is not None:
        if not 0 < genitive < len(words) - 1:
            return None
        return Role(words[:genitive], words[genitive + 1 :])
    if not grammar.has("articles", words[0].low):
        return None
    for at, token in enumerate(words):
        if at > 1 and grammar.has("relatives", token.low):
            return _relative_role(words, at, grammar)
    return _genitive_role(words, grammar) or _of_role(words, grammar)


def _belongs_to_thing(words: Words, grammar: Grammar) -> bool:
    """Tell whether the genitive that ends *words* belongs to the thing of a role: "the name of
    Ben's" of "the name of Ben's dog".
    """
    if not grammar.has("articles", words[0].low):
        return False
    cut = _split_at_thing(words, grammar)
    return cut is not None and cut > 1


def _role_of_somebodys(words: Words, grammar: Grammar) -> Role | None:
    """Return the role of "the name of Ben's dog"; None where it may be "the king of Spain's
    daughter".
    """
    role = _of_role(words, grammar)
    if role is None:
        return None
    noun = role.role[-1]
    is_somebody = grammar.has("offices", noun.low) or names_person(noun)
    return None if is_somebody else role


def _find_genitive(words: Words) -> int | None:
    for at, word in enumerate(words):
        if word.low == "'s" or (word.low == "'" and at):
            return at
    return None


class Relation(NamedTuple):
    """A name, and what it is to whom: "Karen" is the "sister" of "my"."""

    owner: Words
    role: Words
    name: Words


def named_relation(words: Words, grammar: Grammar) -> Relation | None:
    """Return the parts of "my sister Karen", "Frank's daughter Imogen", "seine Frau Inge"; None
    where *words* name nobody by who they are to another.
    """
    if len(words) < 3:
        return None
    start = _start_of_relation(words, grammar)
    if start is None:
        return None
    end = start + 1  # every German noun has a capital: the first says who it is
    if not grammar.v2:
        end = _find_capital(words, end) or len(words)
    relation = words[start:end]
    name = words[end:]
    if not name or not all(map(is_capital, name)):
        return None
    if grammar.has("possessives", words[0].low) and not grammar.v2:
        is_told = _may_be_relation(relation, name, grammar)
    else:
        is_told = _says_who(relation[-1], grammar)
    if not is_told:
        return None
    return Relation(_owner(words[:start]), relation, name)


def _start_of_relation(words: Words, grammar: Grammar) -> int | None:
    """Return where the words behind "my" or "Frank's" begin."""
    if grammar.has("possessives", words[0].low):
        return 1
    genitive = _find_genitive(words)
    if grammar.v2 or not genitive or genitive + 2 >= len(words):
        return None
    return genitive + 1


def _owner(words: Words) -> Words:
    return [word for word in words if word.low not in ("'s", "'")]


def _says_who(word: Token, grammar: Grammar) -> bool:
    return names_person(word) or grammar.has("kin", word.low)


def _may_be_relation(relation: Words, name: Words, grammar: Grammar) -> bool:
    if not all(map(_is_lower, relation)):
        return False
    if is_common(name[0], grammar):
        return False  # "my employee ID"
    # "my salary at Acme" names no person
    return not any(grammar.has("prepositions", word.low) for word in relation)


def _find_capital(words: Words, start: int) -> int | None:
    for at in range(start, len(words)):
        if is_capital(words[at]):
            return at
    return None


def split_at_of(words: Words, grammar: Grammar) -> int | None:
    """Return where a preposition joins a role to its thing; always 1 or more.

    "Head of state in X" is a role of X, as "price of bread in X" is; "director of X" one of X.
    """
    compound = False
    for at in range(1, len(words) - 1):
        low = words[at].low
        if grammar.has("of", low) or (at > 1 and grammar.has("of_later", low)):
            if grammar.v2 or not _is_compound(words[at + 1 :], grammar):
                return at
            compound = True
        elif compound and at > 2 and grammar.has("prepositions", low):
            return at
    return None


def is_common(word: Token, grammar: Grammar) -> bool:
    """Tell whether *word* can be a common noun; "CEO" can."""
    if grammar.v2 or _is_lower(word):
        return True
    return word.text.isupper() and 1 < len(word.text) <= _MAX_ABBREVIATION


def names_person(word: Token) -> bool:
    """Tell whether *word* says who somebody is: "sister", "boss"."""
    return _plain(word) in _list_person_words()


def names_measure(word: Token, grammar: Grammar) -> bool:
    """Tell whether *word* says what a thing has one of: "deadline", "price", "budget"."""
    if grammar.has("measured", word.low) or word.low in grammar.same:
        return True
    return _plain(word) in _list_measures()


def _plain(word: Token) -> str:
    letters = unicodedata.normalize("NFD", word.low)
    return "".join(one for one in letters if not unicodedata.combining(one))


@cache
def _list_measures() -> frozenset[str]:
    words: set[str] = set()
    for data in read_question_data().values():
        for concept in _MEASURES:
            named, _, _ = data["concepts"].get(concept, "").partition("->")
            words.update(named.split())
    return frozenset(words)


@cache
def _list_person_words() -> frozenset[str]:
    """Return the words of matters whose values are persons."""
    words: set[str] = set()
    for data in read_question_data().values():
        for line in data["concepts"].values():
            named, _, kinds = line.partition("->")
            if "person" in kinds.split():
                words.update(named.split())
    return frozenset(words)


def _is_lower(word: Token) -> bool:
    return word.text == word.low


def _of_role(words: Words, grammar: Grammar) -> Role | None:
    cut = _split_at_thing(words, grammar)
    if cut is None or cut < 2:
        return None
    role = words[1:cut]
    thing = _find_thing(words[cut + 1 :], words[cut].low)
    if _is_left_out(thing[-1], grammar):
        return None  # "der Deckel vom zweiten"
    is_office = grammar.has("offices", role[-1].low)
    if not is_office and not is_common(role[0], grammar):
        return None  # "The Lord of the Rings"
    # "the name of the current head of state in X"
    if grammar.has("names", role[-1].low) and len(thing) > 2:
        return role_of(thing, grammar) or Role(thing, role)
    return Role(thing, _lasting_words(role, grammar))


def _split_at_thing(words: Words, grammar: Grammar) -> int | None:
    return split_at_of(words, grammar) or _split_at_for(words, grammar)


def _split_at_for(words: Words, grammar: Grammar) -> int | None:
    """Return where "for" joins what a thing has one of to the thing: "the price for the jar"."""
    for at in range(2, len(words) - 1):
        if not grammar.has("intended", words[at].low):
            continue
        following = words[at + 1]
        is_thing = is_capital(following) or grammar.has_any(
            ("articles", "possessives"), following.low
        )
        if is_thing and names_measure(words[at - 1], grammar):
            return at
    return None


def _find_thing(words: Words, before: str) -> Words:
    """Return *words*, of a noun behind "des" in the nominative: "Router" of "des neuen Routers"."""
    *adjectives, noun = words
    if before not in ARTICLES or not all(map(_is_lower, adjectives)):
        return words  # "des Herrn Peters"
    name = find_nominative(noun.text)
    end = noun.start + len(name)
    return [*adjectives, noun._replace(text=name, low=name.lower(), end=end)]


def _is_left_out(last: Token, grammar: Grammar) -> bool:
    """Tell whether the noun behind *last* is left out, as German writes nouns with capitals."""
    return grammar.v2 and _is_lower(last) and last.low.isalpha()


def _lasting_words(role: Words, grammar: Grammar) -> Words:
    """Return *role* without "current" and the like, unless it has no other word."""
    lasting = [word for word in role if not grammar.has("timely", word.low)]
    return lasting or role


def _relative_role(words: Words, at: int, grammar: Grammar) -> Role | None:
    """Return the role that a relative clause at *at* names.

    "The company that produced X", "the place where X was educated": X is the thing, the rest its
    role.
    """
    clause = words[at + 1 :]
    verbs = [
        place for place, word in enumerate(clause) if _is_verb(word, grammar)
    ]
    if not verbs:
        return None
    thing = clause[: verbs[0]] or clause[verbs[-1] + 1 :]
    if not thing or any(grammar.auxiliary(word.low) for word in thing):
        return None  # "the clinic that could close"
    return Role(thing, [*words[1:at], *(clause[place] for place in verbs)])


def _genitive_role(words: Words, grammar: Grammar) -> Role | None:
    """Return the thing and role of "die Hauptstadt Deutschlands"."""
    if not grammar.v2 or len(words) != 3 or not is_capital(words[1]):
        return None
    last = words[-1]
    if len(last.text) < 4 or not last.text.endswith("s"):
        return None
    thing = last._replace(
        text=last.text[:-1], low=last.low[:-1], end=last.end - 1
    )
    return Role([thing], [words[1]])


def _is_compound(rest: Words, grammar: Grammar) -> bool:
    """Tell whether the words behind "of" belong to the role: "… of state in X"."""
    if grammar.has("articles", rest[0].low):
        return False
    for at, word in enumerate(rest):
        if at and grammar.has("prepositions", word.low):
            return at < len(rest) - 1 and all(map(_is_lower, rest[:at]))
    return False


def _is_verb(word: Token, grammar: Grammar) -> bool:
    if not _is_lower(word):
        return False
    return grammar.lemma(word.low) is not None or grammar.has(
        "copulas", word.low
    )


def without_genitive(owner: Token) -> Token:
    """Return "Anna" of "Annas"."""
    name = owner.text.rstrip("'\u2019")
    if name == owner.text:
        name = name.removesuffix("s")
    return owner._replace(
        text=name, low=name.lower(), end=owner.start + len(name)
    )


def _without_renewed(name: Words, grammar: Grammar) -> Words:
    """Return "Omas Nummer" of "Omas neue Nummer", and any other *name* as it is."""
    if len(name) > 2 and grammar.has("renewed", name[1].low):
        return [name[0], *name[2:]]
    return name


def measure_beside_name(name: Words, grammar: Grammar) -> Role | None:
    """Return the thing and its measure of "Deadline Falke", "Falkes Deadline", "Omas neue Nummer";
    None for another name.
    """
    name = _without_renewed(name, grammar)
    if len(name) != 2 or not all(map(is_capital, name)):
        return None
    first, second = name
    has_first = names_measure(first, grammar)
    has_second = names_measure(second, grammar)
    if has_first and not has_second:
        return Role([second], [first])
    if not grammar.v2 or has_first or not has_second:
        return None
    if not first.low.endswith("s"):
        return None
    return Role([without_genitive(first)], [second])
