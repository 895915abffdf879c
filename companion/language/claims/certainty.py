"""The conditions under which a clause states a claim: precision before recall.

A claim needs a subject that is a name, a noun phrase or a speaker, and a value that is a noun
phrase and no clause of its own. Commands, what is said to "you", introductions ("here are …") and
subjects cut out of the middle of a sentence state nothing. What is not certain stays text, and
`search` finds it.
"""

from itertools import pairwise

from companion.language.claims.complements import Complement, is_capital
from companion.language.claims.grammar import Grammar
from companion.language.claims.verbs import VerbGroup
from companion.language.sentences import Token, Words

_OPEN_WORDS = ("second", "expletives")
_CLAUSE_WORDS = ("auxiliaries", "copulas", "modals")
# prepositions that say when, where from or where to something is done, whatever noun is before
_ADVERBIAL = frozenset(("at", "into", "since", "until", "by"))
_WAYS = frozenset(("from", "to"))
# before what a way goes by: "went by train to Rome", and not "think about a trip to Rome"
_PARTICLES = frozenset(("up", "out", "off", "down", "over", "away", "back"))
_ON_THE_WAY = _PARTICLES | {
    "from",
    "to",
    "by",
    "via",
    "through",
    "in",
    "on",
    "at",
}
# and these where a name says where or with whom: "keeps bees in Ahlen"
_BEFORE_NAMES = frozenset(("in", "with", "for", "against"))
# and these behind one known thing: "keeps the passport in a box"
_PLACES = frozenset(("in", "on", "under", "behind", "near", "with", "inside"))


def names_subject(words: Words, grammar: Grammar) -> bool:
    """Tell whether *words*, which stand before a verb, surely are its subject."""
    if any(grammar.has_any(_OPEN_WORDS, word.low) for word in words):
        return False
    if grammar.v2:
        return True
    first = words[0]
    if len(words) == 1:
        return not _is_no_thing(first, grammar)
    if any(map(_goes_on_loosely, words, words[1:])):
        return False
    if _begins_loosely(first, grammar) or _is_left_open(words[-1], grammar):
        return False
    if _opens_clause(first, grammar) or _opens_with_gerund(words, grammar):
        return False
    return not _has_clause_inside(words, grammar)


def _is_left_open(last: Token, grammar: Grammar) -> bool:
    """Tell whether what is meant follows: "the other one", "probability of | getting heads"."""
    return last.low in ("one", "ones") or grammar.has("prepositions", last.low)


def _goes_on_loosely(comma: Token, word: Token) -> bool:
    """Tell whether an adjective or a clause is put behind a subject: "a Seago, grey"."""
    return comma.low == "," and word.text == word.low


def _begins_loosely(first: Token, grammar: Grammar) -> bool:
    """Tell whether a pronoun or an adverb begins a subject: "it 's", "psychologically it"."""
    if first.text != first.low:
        return False
    return grammar.has("things", first.low) or first.low.endswith("ly")


def is_command(subject: Words, verb: Token, grammar: Grammar) -> bool:
    """Tell whether a "subject" is a command, and its "verb" a noun.

    "Use efficient stores like Redis", "Ensure index.html exists". "Test results are in May" and
    "Start date changed" have a verb that is no noun.
    """
    first = subject[0].low
    if grammar.v2 or grammar.lemma(first) != first:
        return False
    is_known = grammar.auxiliary(verb.low) or grammar.lemma(verb.low)
    if not is_known:
        return True  # "Encourage influencers to …", "Use Java libraries like"
    if len(subject) == 1:
        return verb.low.startswith("'")  # "Let's"
    second = subject[1]
    if second.low == "to" or grammar.has("determiners", second.low):
        return True
    if is_capital(second) or second.low[:1].isdigit():
        return False  # "Release 2.4 ships"
    return not (grammar.auxiliary(verb.low) or grammar.past(verb))


def names_value(words: Words, grammar: Grammar) -> bool:
    """Tell whether *words* are one phrase: no clause of its own, and no loose word."""
    if grammar.v2 or not words:
        return bool(words) and not _says_nothing(words, grammar)
    if len(words) == 1 and not _is_value_alone(words[0], grammar):
        return False
    if _opens_other_clause(words, grammar) or _is_cut_off(words, grammar):
        return False
    if any(_opens_clause_inside(word, grammar) for word in words[1:]):
        return False
    return not _opens_with_finite(words, grammar)


def _is_value_alone(word: Token, grammar: Grammar) -> bool:
    """Tell whether one *word* is a value: not in "not a morning person at all", "said | based"."""
    if word.low == "all" or _is_loose(word, grammar):
        return False
    return grammar.lemma(word.low) is None or not _is_past(word)


def _opens_other_clause(words: Words, grammar: Grammar) -> bool:
    """Tell whether a clause of its own begins *words*: "sure all is well", "it reflects"."""
    first = words[0]
    if grammar.has("breaks", first.low) and not is_capital(first):
        return True
    if _is_other_speaker(first, grammar):
        return True
    kinds = ("things", "opens_clause")
    return len(words) > 1 and grammar.has_any(kinds, first.low)


def _is_cut_off(words: Words, grammar: Grammar) -> bool:
    """Tell whether more is to follow: "the one who", "about whether", "the end of that range"."""
    last = words[-1]
    if len(words) < 3 and last.low in ("one", "whether"):
        return True
    return len(words) > 1 and grammar.has("of", last.low)


def leaves_open_whose(words: str, grammar: Grammar) -> bool:
    """Tell whether an object is a mere pronoun, or begins with one that is another's subject.

    A reader of the claim would not know whose: "waren | es 2,4 kg".
    """
    low = words.lower()
    first, _, rest = low.partition(" ")
    if rest and grammar.has("nominatives", first):
        return True
    if grammar.has("articles", low):
        return False
    return grammar.has_any(("pronouns", "subjects"), low)


def _says_nothing(words: Words, grammar: Grammar) -> bool:
    """Tell whether *words* have a "nichts": "hört auf dem linken Ohr nichts"."""
    return any(grammar.has("nothing", word.low) for word in words)


def certain_complements(
    complements: list[Complement], grammar: Grammar
) -> list[Complement]:
    """Return *complements*, with what may belong to the noun before it put to that noun.

    "Looking for ideas for lunch" looks for ideas for lunch, and not for lunch; "sold jam at the
    Spring Market" sold at the market. Behind a verb of its own ("to book a flight to Rome") all is
    that verb's, and what something is done for is left out.
    """
    if grammar.v2 or not complements:
        return complements
    alone = len(complements) == 1
    if not alone and _says_nothing_alone(complements[0], grammar):
        return []
    if alone and _is_unknown_verb(complements[0], grammar):
        return []  # "trying to figure out how …"
    certain = complements[:1]
    for one in complements[1:]:
        last = certain[-1]
        if _begins_another_verb(one, grammar):
            break
        if is_verbal(last, grammar) or not _belongs_to_verb(last, one, grammar):
            certain[-1] = _joined(last, one)
        else:
            certain.append(one)
    return certain


def _begins_another_verb(complement: Complement, grammar: Grammar) -> bool:
    """Tell whether something else begins that is done: "… using a saw", "… to see a friend"."""
    if is_verbal(complement, grammar):
        return True
    return any(grammar.participle(word.low) for word in complement.opening)


def _joined(one: Complement, other: Complement) -> Complement:
    return one._replace(words=[*one.words, *other.opening, *other.words])


def is_verbal(complement: Complement, grammar: Grammar) -> bool:
    """Tell whether a complement begins with a verb: "to | book a flight", "of | hosting us"."""
    first, *rest = complement.words
    if is_capital(first) or not first.low[:1].isalpha():
        return False
    if complement.preposition.endswith("to"):
        return _is_plain_verb(first, grammar)
    if not rest or not first.low.endswith("ing"):
        return False
    # "re-measuring"; a verb that nobody listed has an object
    known = grammar.lemma(first.low.rpartition("-")[2]) is not None
    return known or grammar.has("determiners", rest[0].low)


def stands_for_named(
    subject: Words,
    verbs: VerbGroup,
    complements: list[Complement],
    grammar: Grammar,
) -> bool:
    """Tell whether "it" can mean what was named before: not in "it sounds like", "it is clear", nor
    in "vorher war es Dr. Kunz", "es gab Streit".
    """
    if grammar.v2 and len(subject) == 1 and subject[0].low == "es":
        if grammar.has("impersonal", verbs.lemma):
            return False
        return bool(verbs.lemma) or not _is_name_or_number(complements)
    if grammar.v2 or len(subject) != 1 or subject[0].low != "it":
        return True
    if grammar.has("impersonal", verbs.lemma):
        return False
    if verbs.lemma or not complements:
        return bool(verbs.lemma)
    first = complements[0]
    if first.preposition:
        return True
    named = _is_name_or_number(complements)
    return named or grammar.has("determiners", first.words[0].low)


def _is_name_or_number(complements: list[Complement]) -> bool:
    """Tell whether the first complement begins with a capital or a digit."""
    if not complements or complements[0].preposition:
        return False
    word = complements[0].words[0]
    return is_capital(word) or word.low[:1].isdigit()


def _is_plain_verb(word: Token, grammar: Grammar) -> bool:
    """Tell whether *word* behind "to" is a verb, as far as anybody can tell."""
    lemma = grammar.lemma(word.low)
    if lemma is not None:
        return lemma == word.low
    return not grammar.has("little", word.low)


def _is_unknown_verb(complement: Complement, grammar: Grammar) -> bool:
    if len(complement.words) > 1 or complement.preposition != "to":
        return False
    word = complement.words[0]
    return word.text == word.low and grammar.lemma(word.low) is None


def _says_nothing_alone(complement: Complement, grammar: Grammar) -> bool:
    """Tell whether a first complement leaves open what is meant, whatever follows.

    "Need to | stock up on …", "think of | listening to …", "moved | it to the attic".
    """
    if len(complement.words) > 1:
        return False
    low = complement.words[0].low
    is_gerund = low.endswith("ing") and grammar.lemma(low) is not None
    if not complement.preposition:
        return is_gerund or grammar.has("things", low) or low == "them"
    if complement.preposition.endswith("to"):
        return grammar.lemma(low) == low
    return is_gerund


def _belongs_to_verb(
    last: Complement, one: Complement, grammar: Grammar
) -> bool:
    """Tell whether the complement *one* cannot belong to the noun that ends the *last* one."""
    if one.preposition in ("", ",") or _takes_none(last.words[-1], grammar):
        return True
    opening = one.opening[0].low
    first = one.words[0]
    if opening in _WAYS:
        return _is_way_of_verb(last, opening, grammar)
    if opening in _ADVERBIAL or first.low[:1].isdigit():
        return True
    if last.preposition:
        return False
    return _says_where(last, opening, first, grammar)


def _takes_none(noun: Token, grammar: Grammar) -> bool:
    """Tell whether nothing can belong to *noun*: a name, a pronoun, a number."""
    if is_capital(noun) or noun.low[:1].isdigit():
        return True
    # "on the queue and on the ledger"
    return grammar.has_any(("me", "us", "pronouns", "conjunctions"), noun.low)


def _is_way_of_verb(last: Complement, opening: str, grammar: Grammar) -> bool:
    """Tell whether "from" or "to" goes with the verb: "took the train to Rome".

    Not in "took a trip to Rome", "recover from a flight from Rome to Oslo".
    """
    if _has_way_inside(last, opening):
        return False
    return last.preposition in _ON_THE_WAY or _is_definite(last, grammar)


def _says_where(
    last: Complement, opening: str, first: Token, grammar: Grammar
) -> bool:
    """Tell whether it is said where or with whom the verb is done."""
    if opening in _BEFORE_NAMES and is_capital(first):
        return True
    is_known = is_capital(first) or grammar.has("determiners", first.low)
    return opening in _PLACES and is_known and _is_definite(last, grammar)


def _has_way_inside(complement: Complement, opening: str) -> bool:
    """Tell whether a complement already has a way of its own: its noun's."""
    if complement.preposition == opening:
        return True
    return any(word.low in _WAYS for word in complement.words)


def _is_definite(complement: Complement, grammar: Grammar) -> bool:
    """Tell whether a direct object is one that the reader knows: "the passport", "my keys"."""
    if complement.preposition:
        return False
    first = complement.words[0].low
    return grammar.has_any(("definite", "possessives"), first)


def _is_no_thing(word: Token, grammar: Grammar) -> bool:
    """Tell whether a word alone is no subject: an adverb, "must", "working"."""
    kinds = ("adverbs", "conditions", "breaks", "abilities", "numerals")
    if grammar.has_any(kinds, word.low):
        return True
    if word.low in ("must", "would", "could", "should", "might"):
        return True
    return word.low.endswith("ing") and grammar.lemma(word.low) is not None


def _opens_clause(first: Token, grammar: Grammar) -> bool:
    """Tell whether *first* opens a clause of its own: "what I like", "whenever Anna"."""
    return grammar.has_any(("conditions", "breaks"), first.low)


def _opens_with_gerund(words: Words, grammar: Grammar) -> bool:
    """Tell whether a subject is something done: "having friends", "moving to green tea"."""
    first = words[0].low
    if not first.endswith("ing") or grammar.lemma(first) in (None, first):
        return False
    return not is_capital(words[1])


def _has_clause_inside(words: Words, grammar: Grammar) -> bool:
    """Tell whether a verb of its own stands in *words*: "generates a password and"."""
    if words[-1].low in ("and", "or"):
        return True
    for before, word in pairwise(words):
        if _is_other_subject(before, word, grammar):
            return True
        if _is_finite_before(before, word, grammar):
            return True
    if _has_plural_verb(words, grammar):
        return True
    if grammar.has("articles", words[0].low):
        return False  # "the band that Otto leads"
    kinds = ("conditions", "relatives")
    return any(
        word.text == word.low and grammar.has_any(kinds, word.low)
        for word in words
    )


def _has_plural_verb(words: Words, grammar: Grammar) -> bool:
    """Tell whether a verb without ending stands in *words*: "points highlight both"."""
    for noun, verb, object in zip(words, words[1:], words[2:], strict=False):
        if not noun.low.endswith("s") or grammar.lemma(verb.low) != verb.low:
            continue
        if grammar.has("determiners", object.low):
            return True
    return False


def _is_other_subject(before: Token, word: Token, grammar: Grammar) -> bool:
    """Tell whether *word* begins another clause: not in "Anna and I", "Ardashir I"."""
    if not grammar.has("nominatives", word.low):
        return False
    return before.low != "and" and not is_capital(before)


def _is_finite_before(word: Token, following: Token, grammar: Grammar) -> bool:
    """Tell whether *word* is a verb with its object behind it: "makes a"."""
    lemma = grammar.lemma(word.low)
    if lemma is None or not word.low.endswith("s") or word.low == lemma:
        return False
    return grammar.has("determiners", following.low)


def _opens_with_finite(words: Words, grammar: Grammar) -> bool:
    if len(words) < 2 or is_capital(words[0]):
        return False
    return _is_finite_before(words[0], words[1], grammar)


def _is_past(word: Token) -> bool:
    return word.text == word.low and word.low.endswith("ed")


def _is_loose(word: Token, grammar: Grammar) -> bool:
    """Tell whether *word* alone is no value: "up", "of", "forward"."""
    kinds = (
        "prepositions",
        "particles",
        "adverbs",
        "negations",
        "expletives",
        "fragments",
    )
    return word.text == word.low and grammar.has_any(kinds, word.low)


def _is_other_speaker(word: Token, grammar: Grammar) -> bool:
    """Tell whether *word* is the subject of another clause, or "you"."""
    return grammar.has_any(("nominatives", "second"), word.low)


def _opens_clause_inside(word: Token, grammar: Grammar) -> bool:
    """Tell whether *word* shows that a value is a clause: "sure I'm", "it is a good choice"."""
    if _is_other_speaker(word, grammar):
        return True
    if word.text != word.low:
        return False
    return grammar.has_any(_CLAUSE_WORDS, word.low)
