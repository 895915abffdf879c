"""Clauses to facts: a general splitter into subject, verbs and complements, by closed word classes
and verb forms.

No parser and no model. "Anna moved to Porto with her dog" gives (Anna, moved to, Porto) and (Anna,
moved with, her dog): one fact for each complement. Attributes are read as such however they are
said: "The R of X is Y", "X's R is Y", "the R that X plays is Y" and "Y is the R of X" all speak of
R of X.
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from companion.language.claims.asides import Aside, without_asides
from companion.language.claims.complements import (
    MAX_WORDS,
    Complement,
    capital,
    complements,
    next_verb,
    unquoted,
    value,
)
from companion.language.claims.grammar import Grammar
from companion.language.claims.roles import Role, common, named_relation, role_of, split_at_of
from companion.language.claims.verbs import VerbGroup, verb_group
from companion.language.claims.word_order import in_order
from companion.language.sentences import Token, joined

FILLED = "filled"  # the rule that reads who holds a role, or when a thing is: one at a time
LEVELLED = "levelled"  # the one that reads to what an amount was raised
INSTALLED = "installed"  # and the one that reads who got the role


class Fact(NamedTuple):
    """What one clause says of one thing, before times and moods."""

    subject: str
    predicate: str
    object: str
    # the predicate reduced to what it is about, before synonyms: "found by", "live in", "capital"
    matter: str
    functional: bool
    rule: str
    group: VerbGroup
    part: tuple[int, int]  # the stretch of text whose times are this fact's


class _Said(NamedTuple):
    """A clause taken apart: whom it is about, its verbs, what follows them."""

    who: list[Token]
    group: VerbGroup
    after: list[Complement]
    text: str
    grammar: Grammar
    part: tuple[int, int]

    def fact(
        self,
        thing: list[Token],
        role: Sequence[Token],
        preposition: str,
        words: list[Token],
        rule: str,
        *,
        one: bool = False,
    ) -> Fact:
        """Return the fact that *role* (with the verbs) of *thing* is *words*; *one*: it has one
        value at a time.
        """
        kind, words = _class(words, self.grammar)
        verb = self.group.said if self.group.lemma else ""
        said = [*(word.text for word in role), verb, preposition, kind]
        matter = [*(word.low for word in role), self.group.lemma, preposition, kind]
        if rule == "place":
            said, matter = [self.group.said, *said], ["be", *matter]
        agent = self.group.passive and self.grammar.has("agents", preposition)
        return Fact(
            subject=joined(unquoted(thing), self.text),
            predicate=" ".join(filter(None, said)) or self.group.said or "is",
            object=_without_stop(joined(value(words, self.grammar), self.text)),
            matter=" ".join(filter(None, matter)) or "is",
            functional=one or bool(kind) or agent,
            rule=rule,
            group=self.group,
            part=self.part,
        )


def facts(tokens: list[Token], text: str, grammar: Grammar) -> list[Fact]:
    """Return what the clause *tokens* states; "… and moved to Porto" goes on with the same
    subject.
    """
    at: int | None
    asides: list[Aside] = []
    if grammar.v2:
        tokens, at = in_order(tokens, grammar)
    else:
        tokens, asides = without_asides(tokens, grammar)
        at = _finite(tokens, grammar)
    who = _subject(tokens[:at], grammar) if at is not None else []
    if not who or len(who) > MAX_WORDS:
        return []
    found = [fact for aside in asides for fact in _beside(aside, who, text, grammar)]
    while at is not None:
        group = verb_group(tokens, at, grammar)
        after, rest = complements(tokens, group.end, grammar)
        following = next_verb(tokens, rest, grammar)
        part = (tokens[at].start, len(text) if following is None else tokens[following].start)
        said = _Said(who, group, after, text, grammar, (0, len(text)) if grammar.v2 else part)
        found += _verbal(said) if group.lemma else _copular(said)
        found += (
            [fact for other in _replaced(said, tokens, rest) for fact in _verbal(other)]
            if group.lemma
            else []
        )
        put = _put_instead(said, tokens, rest) if group.negated else None
        if put is not None:
            found += _verbal(put) if group.lemma else _copular(put)
        at = following
    return found


def _put_instead(said: _Said, tokens: list[Token], rest: int) -> _Said | None:
    """ "No longer lives in Bern but in Rome": what stands behind "but" is so, by the same verb."""
    grammar = said.grammar
    at = rest + 1 if rest < len(tokens) and tokens[rest].low == "," else rest
    if at >= len(tokens) or not grammar.has("instead", tokens[at].low) or not said.after:
        return None
    after, _ = complements(tokens, at + 1, grammar)
    if not after:
        return None
    if not after[0].preposition:  # "no longer works for Globex but Initech"
        after[0] = after[0]._replace(
            preposition=said.after[0].preposition, opening=said.after[0].opening
        )
    return said._replace(after=after, group=said.group._replace(negated=False, instead=True))


def _replaced(said: _Said, tokens: list[Token], rest: int) -> Iterator[_Said]:
    """ "Ida plays the organ instead of Karl": a name in place of a name, so that he plays it no
    longer.
    """
    grammar = said.grammar
    of = tokens[rest + 1 : rest + 2]
    if (
        grammar.v2
        or not of
        or not grammar.has("replaced", tokens[rest].low)
        or not grammar.has("of", of[0].low)
    ):
        return
    name = list(takewhile(capital, tokens[rest + 2 :]))
    thing = said.after[0].words if said.after else []
    if name and thing and common(thing[-1], grammar) and all(map(capital, said.who)):
        yield said._replace(who=name, group=said.group._replace(negated=True))


def _beside(aside: Aside, who: list[Token], text: str, grammar: Grammar) -> Iterator[Fact]:
    if aside.kind == "apposition":
        group = VerbGroup(0, "", "is")
    elif aside.kind == "participle":
        group = VerbGroup(
            1, grammar.lemma(aside.words[0].low) or "", aside.words[0].low, passive=True
        )
    else:
        group = verb_group(aside.words, 1, grammar)
    said = _Said(
        who, group, complements(aside.words, group.end, grammar)[0], text, grammar, aside.part
    )
    if not said.after:
        # "Founded in 1911": without an object, but its time is its own
        yield said.fact(who, [], "", [], "aside")
    yield from _verbal(said) if group.lemma else _copular(said)


def _verbal(said: _Said) -> Iterator[Fact]:
    relation = named_relation(said.who, said.grammar)
    if relation is not None:
        yield _related(said, *relation)
    thing, role = (
        (relation[0], []) if relation else role_of(said.who, said.grammar) or (said.who, [])
    )
    yield from _somebodys(said)
    filled = list(_offices(said))
    yield from filled
    if filled and said.group.lemma != "promote":  # who was promoted has that title, too
        return
    yield from _taken_over(said)
    if not role:
        yield from _levelled(said)
    for one in said.after[:4]:
        preposition = one.preposition if one.preposition != "," else said.after[0].preposition
        yield said.fact(thing, role, preposition, one.words, "verb")


def _offices(said: _Said) -> Iterator[Fact]:
    """ "Lee became CEO of Globex", "Rosa was replaced by Lee as CEO of Globex": who the CEO of
    Globex is now.
    """
    grammar, who = said.grammar, said.who
    if not grammar.has("installing", said.group.lemma) or _pronoun(who, grammar):
        return
    for one in said.after:
        if said.group.passive and grammar.has("agents", one.preposition):
            who = one.words
        if one.preposition.split()[-1:] not in ([], ["as"], ["als"], ["to"], ["zum"], ["zur"]):
            continue
        cut = split_at_of(one.words, grammar)
        little = ("articles", "timely")
        role = [
            word
            for word in one.words[:cut]
            if not any(grammar.has(kind, word.low) for kind in little)
        ]
        if (
            not cut
            and one.preposition.split()[-1:] in (["as"], ["als"])
            and all(common(w, grammar) for w in one.words)
        ):
            plain = said._replace(group=said.group._replace(lemma="", said="is", passive=False))
            # "Ida took over as treasurer"
            yield plain.fact(one.words, [], "", who, INSTALLED, one=True)
        after = [] if cut is None else one.words[cut + 1 :]
        # "takes blades of 2240 mm" is no office
        measure = bool(after) and after[0].low[:1].isdigit()
        if (
            cut
            and role
            and not measure
            and all(common(w, grammar) and not w.low[:1].isdigit() for w in role)
        ):
            plain = said._replace(group=said.group._replace(lemma="", said="is", passive=False))
            fact = plain.fact(one.words[cut + 1 :], role, "", who, "attribute-inverse", one=True)
            yield fact._replace(group=said.group)


def _taken_over(said: _Said) -> Iterator[Fact]:
    """ "Priya took over Aurora from Tomek" says of Aurora who has it now, and who had."""
    first = said.after[0] if said.after else None
    if first is None or not said.grammar.has(
        "taking", f"{said.group.lemma}_{first.preposition}".rstrip("_")
    ):
        return
    if not capital(first.words[0]) or _pronoun(said.who, said.grammar) or said.group.passive:
        return
    by = "von" if said.grammar.v2 else "by"
    yield said.fact(
        first.words, [], f"{first.preposition} {by}".strip(), said.who, "verb", one=True
    )
    for one in said.after[1:]:
        if one.preposition in ("from", "von"):
            yield said.fact(first.words, [], f"{first.preposition} from".strip(), one.words, "verb")


def _levelled(said: _Said) -> Iterator[Fact]:
    """ "The fee went up from 9 to 11 euros": what it is now, as "the fee is 9 euros" says it."""
    grammar = said.grammar
    last = said.after[-1] if said.after else None
    if (
        last is None
        or last.preposition not in ("to", "auf")
        or not last.words[0].low.lstrip("$€£")[:1].isdigit()
    ):
        return
    verbs = (said.group.lemma, f"{said.group.lemma}_{said.after[0].preposition.split(' ', 1)[0]}")
    levels = any(grammar.has("levels", verb) for verb in verbs)
    if levels and grammar.has("definite", said.who[0].low) and not said.group.negated:
        plain = said._replace(
            group=said.group._replace(
                lemma="", said="beträgt" if grammar.v2 else "is", passive=False
            )
        )
        yield plain.fact(said.who, [], "", last.words, LEVELLED, one=True)


def _copular(said: _Said) -> Iterator[Fact]:
    relation = named_relation(said.who, said.grammar)
    if relation is not None:
        yield _related(said, *relation)
        said = said._replace(who=relation[0])
    if not said.after:
        return
    role = role_of(said.who, said.grammar) or _owned(said)
    if role is not None:
        yield from _attribute(said, *role)
    elif said.after[0].preposition:
        for one in said.after[:2]:
            yield said.fact(said.who, [], one.preposition, one.words, "place")
    else:
        yield from _kind(said)


def _owned(said: _Said) -> Role | None:
    """ "Annas Zahnarzt ist Frau Weber": a genitive before its noun, where the value is a name."""
    who = said.who
    if (
        not said.grammar.v2
        or len(who) != 2
        or not all(map(capital, who))
        or not who[0].low.endswith(("s", "'"))
    ):
        return None
    name = said.after[0].words
    if said.after[0].preposition or not _named(name, said.grammar) or who[0].low == name[0].low:
        return None
    owner = who[0].text.rstrip("'\u2019")
    owner = owner.removesuffix("s") if owner == who[0].text else owner
    return [who[0]._replace(text=owner, low=owner.lower(), end=who[0].start + len(owner))], who[1:]


def _related(said: _Said, name: list[Token], relation: list[Token]) -> Fact:
    plain = said._replace(
        group=said.group._replace(lemma="", said="is", passive=False, negated=False)
    )
    return plain.fact(said.who[:1], relation, "", name, "relation")


def _attribute(said: _Said, thing: list[Token], role: list[Token]) -> Iterator[Fact]:
    first = said.after[0]
    name = next((one for one in said.after[1:] if one.preposition == ","), None)
    many = (
        role[-1].low.endswith("s")
        and not role[-1].low.endswith("ss")
        and said.grammar.has("many", said.group.said)
    )
    # "my contact is my sister, Karen Liu": one person, by the name
    if name is not None and not many:
        yield said.fact(thing, role, "", name.words, "attribute", one=True)
        return
    words = [*first.words, *_going_on(said.after)]
    yield said.fact(thing, role, first.preposition, words, "attribute", one=not many)
    if name is not None:
        yield said.fact(thing, role, "", name.words, "attribute")


def _going_on(after: list[Complement]) -> list[Token]:
    """A value that is no name goes on to the end: "an MSc in Linguistics", "the 4th floor at the
    back".
    """
    last = after[0].words[-1]
    if last.text.istitle() and len(last.text) > 1:
        return []
    return [
        word for one in after[1:] if one.preposition != "," for word in (*one.opening, *one.words)
    ]


def _kind(said: _Said) -> Iterator[Fact]:
    """ "Y is the R of X", "X is a citizen of Y", "X is famous for Y", "X is Y"."""
    yield from _somebodys(said)
    words, grammar = said.after[0].words, said.grammar
    cut = split_at_of(words, grammar)
    role = words[:cut] if cut else []
    article = bool(role) and grammar.has("articles", role[0].low)
    if cut and role and (article or grammar.v2) and common(role[-1], grammar):
        definite = not article or grammar.has("definite", role[0].low)
        role = role[1:] if article else role
        if definite and not _pronoun(said.who, grammar):
            yield said.fact(words[cut + 1 :], role, "", said.who, "attribute-inverse", one=True)
        yield said.fact(said.who, role, words[cut].low, words[cut + 1 :], "kind-of")
        return
    if common(words[-1], grammar) and len(words) <= 4 and not words[0].low[:1].isdigit():
        yield from () if grammar.has("weekdays", words[0].low) else _kind_with(said, words)
    if words[0].low[:1].isdigit() or grammar.has("definite", words[0].low):
        # "500 requests per minute", "the largest port in Europe"
        words = [*words, *_going_on(said.after)]
    named = (
        words[0].low[:1].isdigit()
        or words[0].text != words[0].low
        or grammar.has("articles", words[0].low)
    )
    timed = grammar.has("weekdays", words[0].low)
    if named or timed or len(said.after) == 1:
        filled = _filled(said, words)
        who = (
            [word for word in said.who if not grammar.has("renewed", word.low)]
            if filled
            else said.who
        )
        yield said.fact(who, [], "", words, FILLED if filled else "is", one=filled)


def _filled(said: _Said, words: list[Token]) -> bool:
    """Tell whether one thing of its kind is said to be somebody: "the on-call person is Tomek",
    "the launch is Friday".

    Where every noun begins with a capital letter, one word alone may be a trade; "Frau Weber" is
    none.
    """
    who, grammar = said.who, said.grammar
    if grammar.v2:
        return (
            _named(words, grammar)
            and not _pronoun(who, grammar)
            and (
                grammar.has("definite", who[0].low)
                or (len(who) == 1 and grammar.has("titles", words[0].low))
            )
        )
    cut = next(
        (at for at, word in enumerate(who) if at > 1 and grammar.has("prepositions", word.low)),
        len(who),
    )
    unique = (
        not grammar.v2
        and grammar.has("definite", who[0].low)
        and all(common(word, grammar) for word in who[1:cut])
    )
    return unique and words[0].text[:1].isupper() and not grammar.has("many", said.group.said)


def _named(words: list[Token], grammar: Grammar) -> bool:
    titled = grammar.has("titles", words[0].low.rstrip("."))
    return (
        len(words) > 1
        and all(map(capital, words))
        and (titled or not grammar.has("articles", words[0].low))
    )


def _somebodys(said: _Said) -> Iterator[Fact]:
    """ "Ada is my manager", "Ada became our doctor": who that is for somebody."""
    becomes = not said.group.lemma or said.grammar.has("becoming", said.group.lemma)
    words = said.after[0].words if becomes and said.after and not said.after[0].preposition else []
    mine = len(words) > 1 and said.grammar.has("possessives", words[0].low)
    if (
        not mine
        or _pronoun(said.who, said.grammar)
        or not all(common(word, said.grammar) for word in words[1:])
    ):
        return
    plain = said._replace(group=said.group._replace(lemma="", said="is"))
    yield plain.fact(words[:1], words[1:], "", said.who, "attribute-inverse")._replace(
        group=said.group
    )


def _kind_with(said: _Said, words: list[Token]) -> Iterator[Fact]:
    """ "Is responsible for X", "is a band formed in Y by Z"."""
    little = ("articles", "adverbs")
    role: list[Token] = [
        word for word in words if not any(said.grammar.has(kind, word.low) for kind in little)
    ]
    for one in said.after[1:4]:
        if one.preposition == ",":
            continue
        preposition = one.preposition
        if len(one.opening) > 1 and said.grammar.participle(one.opening[0].low):
            verb = one.opening[0]
            role = [verb._replace(low=said.grammar.lemma(verb.low) or verb.low)]
            preposition = " ".join(word.low for word in one.opening[1:])
        yield said.fact(said.who, role, preposition, one.words, "kind-with")


def _class(words: list[Token], grammar: Grammar) -> tuple[str, list[Token]]:
    """Take "the city of" off "the city of Porto": what kind of thing it is belongs to the
    predicate.
    """
    at = 1 if words and grammar.has("articles", words[0].low) else 0
    if at >= len(words) - 1 or not grammar.has("classes", words[at].low):
        return "", words
    if (
        len(words) > at + 2
        and grammar.has("of", words[at + 1].low)
        and (not at or grammar.has("definite", words[0].low))
    ):
        return words[at].low, words[at + 2 :]
    if grammar.v2 and words[at + 1].text[:1].isupper():
        return words[at].low, words[at + 1 :]  # "der Stadt Hamburg"
    return "", words


def _without_stop(said: str) -> str:
    """ "Rudolf V." at the end of a sentence is Rudolf V; "Washington, D.C." keeps its dots."""
    return said[:-1] if said.endswith(".") and not said[:-1].rpartition(" ")[2].count(".") else said


def _finite(tokens: list[Token], grammar: Grammar) -> int | None:
    """Return where the verbs of the main clause begin; those of a relative clause in the subject do
    not count.
    """
    candidates = [at for at in range(1, len(tokens)) if grammar.finite(tokens, at)]
    if not candidates:
        return None
    relative = next(
        (at for at, word in enumerate(tokens) if at > 1 and grammar.has("relatives", word.low)),
        None,
    )
    if relative is None or candidates[0] < relative or not grammar.has("articles", tokens[0].low):
        return _back_over_adverbs(tokens, candidates[0], grammar)
    closing = (
        at for at in candidates if at > relative + 1 and grammar.has("copulas", tokens[at].low)
    )
    return next(
        (
            at
            for at in closing
            if not (at + 1 < len(tokens) and grammar.participle(tokens[at + 1].low))
        ),
        None,
    )


def _back_over_adverbs(tokens: list[Token], at: int, grammar: Grammar) -> int:
    """ "I no longer work": the words before the verb that belong to it."""
    while at > 1 and (
        grammar.has("adverbs", tokens[at - 1].low) or grammar.has("negations", tokens[at - 1].low)
    ):
        at -= 1
    return at


def _subject(words: list[Token], grammar: Grammar) -> list[Token]:
    if words and words[0].text == words[0].low and grammar.auxiliary(words[0].low):
        return []  # "is led by …": whose verb this is was said elsewhere
    if len(words) > 1 and grammar.has("nominatives", words[-1].low):
        return words[-1:]  # "Before Portland I lived in …"
    if words and (grammar.has("prepositions", words[0].low) or grammar.has("breaks", words[0].low)):
        words = _after_the_opening(words, grammar)
    if len(words) > 2 and words[1].low == ",":
        words = words[2:]  # "Thus, …"
    while words and (
        words[-1].low == ","
        or (grammar.has("adverbs", words[-1].low) and words[-1].text == words[-1].low)
    ):
        words = words[:-1]
    while len(words) > 1 and (words[0].low == "," or grammar.has("adverbs", words[0].low)):
        words = words[1:]
    return words


def _after_the_opening(words: list[Token], grammar: Grammar) -> list[Token]:
    """ "For example, X …" speaks of X; "if you …" and "in a world where X …" state nothing."""
    if grammar.has("conditions", words[0].low):
        return []
    comma = max((at for at, word in enumerate(words) if word.low == ","), default=len(words))
    return words[comma + 1 :]


def _pronoun(words: list[Token], grammar: Grammar) -> bool:
    return len(words) == 1 and any(
        grammar.has(kind, words[0].low) for kind in ("me", "us", "pronouns", "subjects")
    )
