"""Keys: what two statements on one matter share, and two on different matters never do.

The same subject has one key, whatever name or pronoun a text uses for it.
"""

from companion.language.claims.grammar import Grammar
from companion.language.claims.predication import (
    FILLED,
    INSTALLED,
    LEVELLED,
    Fact,
)
from companion.language.names.company import (
    ends_company,
    find_company,
    with_owner,
)
from companion.language.names.spoken_of import find_spoken
from companion.language.sentences import Words
from companion.values.claims import normal

# how a claim names the first person, in every language
FIRST = "I"
FIRST_PLURAL = "we"
ME = "me"
US = "us"
# before whom something is handed to
_RECEIVING = ("to", "an")


class Names:
    """Keep whom and what pronouns and other names mean in a text, as far as it is read."""

    def __init__(self) -> None:
        self.person = ""  # whom "she" means
        self._is_guessed = False  # by where the name stood, and not by a fact
        self.thing = ""  # what "it" means, in the next sentence and no later
        self._is_fresh = False
        self.aliases: dict[str, str] = {}
        self._company: Words = []  # with whom the teller was
        self._met: Words = []  # the same, while that is told

    def is_met(self, *, first: bool) -> bool:
        """Tell whether the next sentence may say with whom the teller was, or who owns what."""
        return first or bool(self._company)

    def meet(self, words: Words, grammar: Grammar, *, first: bool) -> None:
        """Keep with whom the teller was, if the text's *first* sentence, *words*, says so, until
        another does that tells of others.
        """
        if first:
            self._met = find_company(words, grammar)
        elif ends_company(words, self._company, grammar):
            self._company = []

    def give_owner(self, words: Words, grammar: Grammar) -> Words:
        """Return the clause *words* with an owner of its first thing, if it names none.

        Whom the teller was with owns no more once another is spoken of.
        """
        if self._company and ends_company(words, self._company, grammar):
            self._company = []
        return with_owner(words, self._company, grammar)

    def begin_sentence(self) -> None:
        """Forget what "it" means where the last sentence named nothing.

        Whose something is, is told behind the sentence that says with whom its teller was.
        """
        if not self._is_fresh:
            self.thing = ""
        self._is_fresh = False
        if self._met:
            self._company = self._met
            self._met = []

    def resolve(self, name: str, grammar: Grammar) -> str:
        """Return whom or what *name* means; "" where nobody knows."""
        low = name.lower()
        if grammar.has("me", low):
            return FIRST
        if grammar.has("us", low):
            return FIRST_PLURAL
        if grammar.has("persons", low):
            return self.person
        if grammar.has("things", low):
            return self.thing
        if grammar.has_any(("pronouns", "possessives"), low):
            return ""  # "they", "your": nobody knows who
        if _opens_unnamed(low, grammar):
            return ""
        return name

    def remember(
        self, facts: list[Fact], words: Words, text: str, grammar: Grammar
    ) -> None:
        """Keep whom "she" and what "it" will mean behind the clause *words* of *text*: the last
        one that its *facts* tell of, or else the only person whom it names.
        """
        is_told = self._remember_told(facts, words, grammar)
        if any(_hands_to_another(fact, grammar) for fact in facts):
            # "Gerald handed over to Annabel. She …": either of them
            self.person = ""
            is_told = False
        if is_told:
            self._is_guessed = False
        else:
            self._remember_spoken(words, text, grammar)

    def _remember_spoken(
        self, words: Words, text: str, grammar: Grammar
    ) -> None:
        """Keep whom the clause *words* of *text* surely speaks of, and nobody where there may be
        another: one who was so found is meant no longer than nobody else is spoken of.
        """
        spoken = find_spoken(words, text, grammar)
        if spoken.has_others and (spoken.name or self._is_guessed):
            self.person = ""
        elif spoken.name:
            self.person = spoken.name
            self._is_guessed = True

    def _remember_told(
        self, facts: list[Fact], words: Words, grammar: Grammar
    ) -> bool:
        """Keep what *facts* tell of, and tell whether it was somebody."""
        said = {word.text for word in words}
        is_told = False
        for fact in facts:
            name = _name_in(fact, grammar)
            if not name:
                continue
            self.thing = name
            self._is_fresh = True
            if _names_thing(name, grammar) or name.split()[0] not in said:
                continue  # "Keys", of "gave Tom the keys"
            self.person = name
            is_told = True
            if fact.rule == "verb" and fact.object[:1].islower():
                # "Tom gave the spare key back, it's with Pia": what he did it to may be meant
                self.thing = ""
        return is_told

    def add_alias(self, alias: str, subject: str, grammar: Grammar) -> None:
        """Keep that *alias* is another name of *subject*."""
        key = subject_key(subject, grammar)
        self.aliases[subject_key(alias, grammar)] = key

    def key_of(self, subject: str, grammar: Grammar) -> str:
        """Return the key of *subject*: one for all its names."""
        return subject_key(subject, grammar, self.aliases)


def subject_key(
    subject: str,
    grammar: Grammar | None = None,
    aliases: dict[str, str] | None = None,
) -> str:
    """Return *subject* normalised.

    Letter case, articles, quotation marks and spaces do not make another thing.
    """
    if subject == FIRST:
        return ME
    if subject == FIRST_PLURAL:
        return US
    low = normal(subject)
    if grammar is not None:
        if grammar.has("me", low):
            return ME
        if grammar.has("us", low):
            return US
        low = _without_article(low, grammar)
    if not aliases:
        return low
    name, _, bracket = low.partition(" (")
    if bracket and aliases.get(bracket.rstrip(")")) == name:
        return name
    return aliases.get(low, low)


def predicate_key(
    matter: str, grammar: Grammar | None = None, *, person: bool = False
) -> str:
    """Return the predicate *matter* normalised, and said as all its synonyms are.

    Some synonyms only hold of a *person*.
    """
    low = normal(matter)
    if grammar is None:
        return low
    kinds = ("articles", "timely")
    words = [word for word in low.split() if not grammar.has_any(kinds, word)]
    low = " ".join(words) or low
    if person and low in grammar.same_person:
        return grammar.same_person[low]
    return grammar.same.get(low, low)


def is_person(subject: str, key: str) -> bool:
    """Tell whether *subject* is surely a person.

    The first one is, and a name of several words without an article.
    """
    if key == ME:
        return True
    words = subject.split()
    capitals = all(word[:1].isupper() for word in words)
    return len(words) > 1 and capitals and not key.startswith("the ")


def succeeds(fact: Fact, key: str, clause: str, grammar: Grammar) -> bool:
    """Tell whether a stated change leaves one value.

    Where a thing is now it was not before, and when it is now. Whom a sentence names may be in two
    choirs: of names only whom or what they are *at* or *with* gives way.
    """
    if _adds_another(clause, grammar):
        return False
    return (
        _succeeds_in_time(fact, key, grammar)
        or _is_thing_named(fact, grammar)
        or _succeeds_in_place(fact, key, grammar)
    )


def _adds_another(clause: str, grammar: Grammar) -> bool:
    words = clause.lower().split()
    return any(grammar.has("additive", word.strip(",.")) for word in words)


def _succeeds_in_time(fact: Fact, key: str, grammar: Grammar) -> bool:
    """Tell whether a day, an hour or an amount is exchanged: "at nine since June"."""
    first = fact.object.lower().split(" ", 1)[0]
    if grammar.has("weekdays", first) or grammar.has("equals", fact.predicate):
        return True
    if not _is_amount(first) and not grammar.has("numerals", first):
        return False
    if key not in grammar.plural:
        return True  # "lasts three weeks now"
    return grammar.has("clock", _place_word(fact))


def _is_thing_named(fact: Fact, grammar: Grammar) -> bool:
    """Tell whether a thing gets a name: "as of May the bees in hive 4 are Carniolan"."""
    if fact.rule != "is" or grammar.v2:
        return False
    return fact.object[:1].isupper() and _is_thing(fact.subject, grammar)


def _succeeds_in_place(fact: Fact, key: str, grammar: Grammar) -> bool:
    """Tell whether a thing leaves one place for another, or a person whom they are with."""
    if key in grammar.plural:
        return False
    if fact.rule != "place" and not grammar.has("placed", fact.verbs.lemma):
        return False
    place = _place_word(fact)
    if not grammar.has("prepositions", place):
        return False
    return _is_thing(fact.subject, grammar) or grammar.has("held", place)


def _place_word(fact: Fact) -> str:
    return fact.predicate.rpartition(" ")[2]


def single(fact: Fact, key: str, grammar: Grammar) -> bool:
    """Tell whether the matter has one value at a time (LED-1's functional flag)."""
    if fact.rule in (FILLED, INSTALLED, LEVELLED):
        return True
    if _has_one_amount(fact, key, grammar):
        return True
    matters = (key, normal(fact.matter))
    if not grammar.plural.isdisjoint(matters):
        return False
    return fact.functional or not grammar.functional.isdisjoint(matters)


def _without_article(low: str, grammar: Grammar) -> str:
    first, _, rest = low.partition(" ")
    if rest and grammar.has("articles", first):
        return rest
    return low


def _has_one_amount(fact: Fact, key: str, grammar: Grammar) -> bool:
    """Tell whether a thing is at a number, or has got to one: it is at one number at a time.

    "Is 2 m long" leaves it as wide as it is, and what was "bought for 10 €" is bought again.
    """
    words = fact.object.split()
    if not words or not _is_amount(words[0]):
        return False
    if grammar.has("measures", words[-1].lower()):
        return False
    if fact.verbs.lemma in grammar.changes:
        return True
    return not fact.verbs.past and (key == "is" or key not in grammar.plural)


def _is_amount(word: str) -> bool:
    return word.lstrip("$€£~≈").removeprefix("CHF")[:1].isdigit()


def _is_thing(subject: str, grammar: Grammar) -> bool:
    """Tell whether *subject* is no name.

    "The key", "our van", "rehearsal" in the middle of a sentence, "we".
    """
    first = subject.split(" ", 1)[0].lower()
    return subject[:1].islower() or grammar.has_any(
        ("articles", "possessives", "us"), first
    )


def _opens_unnamed(low: str, grammar: Grammar) -> bool:
    """Tell whether a name begins with a pronoun: "this one", but not "my car", "das Projekt"."""
    first = low.split(" ", 1)[0]
    if grammar.has("possessives", first):
        return False
    if grammar.has("articles", first) and first != low:
        return False
    return grammar.has("subjects", first)


def _names_thing(name: str, grammar: Grammar) -> bool:
    """Tell whether *name* surely names nobody: "The van", "Gate code at Birdham"."""
    words = name.split()
    if grammar.has("articles", words[0].lower()):
        return True
    if len(words) < 2 or grammar.has("prepositions", words[1].lower()):
        return False  # "Tom at the yard"
    return not words[1][:1].isupper()


def _hands_to_another(fact: Fact, grammar: Grammar) -> bool:
    """Tell whether somebody does something to another whom the clause names: not in "went to Rome",
    "arbeitet an der Charité".
    """
    lemma = fact.verbs.lemma
    is_given = grammar.has_any(("giving", "handing_on"), lemma)
    if grammar.v2 and not is_given:
        return False
    if not is_given and grammar.has_any(("moving", "going"), lemma):
        return False
    return _place_word(fact) in _RECEIVING and fact.object[:1].isupper()


def _name_in(fact: Fact, grammar: Grammar) -> str:
    """Return the name that a later pronoun may stand for; "" where *fact* has none."""
    names = [fact.subject]
    if "attribute" in fact.rule or _tells_who(fact, grammar):
        names.insert(0, fact.object)
    for name in names:
        if name[:1].isupper() and not _is_speech_role(name, grammar):
            return name
    return ""


def _tells_who(fact: Fact, grammar: Grammar) -> bool:
    """Tell whether *fact* says who something is: "The chairman is Karl Demel"."""
    if fact.rule == FILLED:
        return True
    if fact.rule != "is" or all(map(_is_upper, fact.subject.split())):
        return False
    words = fact.object.split()
    if len(words) < 2 or grammar.has("articles", words[0].lower()):
        return False
    return all(map(_is_upper, words))


def _is_upper(word: str) -> bool:
    return word[:1].isupper()


def _is_speech_role(name: str, grammar: Grammar) -> bool:
    """Tell whether *name* is a pronoun or who speaks, which no later pronoun stands for."""
    if grammar.has("pronouns", name.lower()):
        return True
    return subject_key(name, grammar) in (ME, US)
