"""Tell whether a later note moves a thing, or lets somebody give up what they were the answer for.

No word of the question need stand in "Gary has retired" or "Louisa took over the rota from Enno";
and "the toolbox went into the bow locker" has no word of a change but the way it goes.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from companion.annotations import TYPE_CHECKING
from companion.language.sentence_ends import split_sentences
from companion.language.words.question_words import (
    read_change_verbs,
    read_question_data,
)
from companion.patterns import lazy
from companion.storage.index.terms import split_words

if TYPE_CHECKING:
    from companion.answers.notes.read_asked import Asked
    from companion.language.claims.grammar import Grammar

_WORD = lazy(r"[^\W\d_]+")
_WORK = "employment"  # who ends it gives up what they did
_NOT = "t"  # what is left of "isn't" as a word
_DENIED_BEFORE = 3  # words between "not" and what is not so
_FROM = frozenset(("from", "von", "vom"))
_HOURS = 25  # of a day, from 0 to 24


def gives_up(text: str, person: str, language: str) -> bool:
    """Tell whether *text* says in one sentence that *person* left, or that somebody took over from
    them.
    """
    name = _read_name(person, language)
    if not name:
        return False
    from companion.language.claims.grammar import grammar_of

    grammar = grammar_of(language)
    for sentence in split_sentences(text):
        words = split_words(sentence)
        at = find_words(words, name)
        if at is None:
            continue
        if _leaves(sentence, words, language, grammar):
            return True
        before = words[at - 1 : at] if at else []
        if _is_followed(sentence, before, language, grammar):
            return True
    return False


def is_called_off(text: str, language: str) -> bool:
    """Tell whether a sentence of *text* says that something is not, or not when it was to be."""
    phrases = read_question_data()[language]["words"]["called_off"].split("|")
    off = [frozenset(split_words(phrase)) for phrase in phrases]
    return any(
        phrase.issubset(split_words(sentence))
        for sentence in split_sentences(text)
        for phrase in off
    )


def goes_somewhere(text: str, language: str) -> bool:
    """Tell whether *text* has words of a way to a place: "into the locker", "in den Keller"."""
    data = read_question_data()[language]["words"]
    words = split_words(text)
    if not set(data["directions"].split()).isdisjoint(words):
        return True
    ways, moved = data["two_way"].split(), data["accusative"].split()
    return any(one in ways and other in moved for one, other in pairwise(words))


def goes_back(words: Sequence[str], asked: "Asked", language: str) -> bool:
    """Tell whether *words* say that a thing left where, or with whom, it was: "got the drill back",
    "Transporter abgeholt", "got the key from the baker".
    """
    if asked.wants == "time":
        return False  # "The dinner is on 6 June", "tickets are sold"
    data = read_question_data()[language]["words"]
    returned = split_words(data["returned"])
    articles = data["articles"].split()
    # "the back of the drill"
    goes = any(
        word in returned and before not in articles
        for before, word in pairwise(("", *words))
    )
    goes = goes or _was_fetched(words, asked.value, language)
    return goes and _says_where_thing_is(asked.matter, asks_who=asked.asks_who)


def _without(little: Collection[str], words: Sequence[str]) -> list[str]:
    return [word for word in words if word not in little]


def _was_fetched(words: Sequence[str], value: str, language: str) -> bool:
    """Tell whether *words* say that something was got from where, or whom, *value* names: "got the
    key from the baker", and not "the key from the baker fits".
    """
    articles = read_question_data()[language]["words"]["articles"].split()
    place = _without(articles, split_words(value))
    told = pairwise(_without(articles, words))
    if not any(one in _FROM and [other] == place[:1] for one, other in told):
        return False
    # verbs last: they cost most
    from companion.language.claims.grammar import grammar_of

    grammar = grammar_of(language)
    lemmas = [grammar.lemma(word) or "" for word in words]
    return any(grammar.has("fetching", lemma) for lemma in lemmas)


def _says_where_thing_is(matter: str, *, asks_who: bool) -> bool:
    """Tell whether *matter* is where a thing is: "be with", "stehen bei", and not "live in"; to who
    asks for a person also "have".
    """
    from companion.language.claims.grammar import grammar_of

    verb, _, preposition = matter.partition(" ")
    grammars = [grammar_of(language) for language in read_change_verbs()]
    if not preposition:
        return asks_who and any(one.has("having", verb) for one in grammars)
    if any(matter in one.same_person.values() for one in grammars):
        return False
    return verb == "be" or any(one.has("placed", verb) for one in grammars)


def denies(words: Sequence[str], value: str, grammar: "Grammar") -> bool:
    """Tell whether *words* say right before a *value* that it is not so: "isn't due 3 May"."""
    at = find_words(words, split_words(value))
    if at is None or not value:
        return False
    before = words[max(at - _DENIED_BEFORE, 0) : at]
    return any(
        word == _NOT or grammar.has("negations", word) for word in before
    )


def find_words(words: Sequence[str], wanted: Sequence[str]) -> int | None:
    """Return where *wanted* stand in *words*, one behind the other; None where they do not."""
    for at in range(len(words) - len(wanted) + 1):
        if list(words[at : at + len(wanted)]) == list(wanted):
            return at
    return None


def _read_name(person: str, language: str) -> list[str]:
    """Return the words of a person's name without title and article: of "Herr Wuttke" "wuttke"."""
    data = read_question_data()[language]["words"]
    words = split_words(person)
    for table in read_question_data().values():
        titles = table["words"]["titles"].split()
        words = [word for word in words if word not in titles]
    return [word for word in words if word not in data["articles"].split()]


def _leaves(
    sentence: str, words: Sequence[str], language: str, grammar: "Grammar"
) -> bool:
    """Tell whether *sentence* has a verb that ends work; "left at noon" ends a day."""
    found = _find_verbs(sentence, _list_leaving_verbs(language), grammar)
    if not _names_hour(words, language):
        return bool(found)
    # who retires or resigns does so for good, at whatever hour
    return not found <= _list_bare_verbs(language)


def _names_hour(words: Sequence[str], language: str) -> bool:
    """Tell whether *words* name an hour of the day: "at noon", "um 12"."""
    data = read_question_data()[language]["words"]
    hours = {*data["numbers"].split(), *data["months"].split()}
    hours.update(map(str, range(_HOURS)))
    return any(
        one == data["clock"] and other in hours
        for one, other in pairwise(words)
    )


def _is_followed(
    sentence: str,
    before: Sequence[str],
    language: str,
    grammar: "Grammar",
) -> bool:
    """Tell whether *sentence* has a verb by which something passes on from whom *before* names."""
    for preposition in before:
        for verb, *particles in _list_passing_verbs(language, preposition):
            words = split_words(sentence)
            if not set(particles) <= set(words):
                continue
            if _has_verb(sentence, frozenset((verb,)), grammar):
                return True
    return False


def _has_verb(sentence: str, verbs: frozenset[str], grammar: "Grammar") -> bool:
    return bool(_find_verbs(sentence, verbs, grammar))


def _find_verbs(
    sentence: str, verbs: frozenset[str], grammar: "Grammar"
) -> frozenset[str]:
    """Return those of *verbs* that *sentence* has, in any form."""
    words = _WORD.findall(sentence.lower())
    return verbs & {grammar.lemma(word) or "" for word in words}


@lru_cache(maxsize=8)
def _list_leaving_verbs(language: str) -> frozenset[str]:
    """Return the verbs that end work, and do not only change it: "retire", "kündigen"."""
    table = read_change_verbs()[language][_WORK]
    changing = {phrase.split()[0] for phrase in table["changes"].split("|")}
    ending = {phrase.split()[0] for phrase in table["ends"].split("|")}
    return frozenset(ending - changing)


@lru_cache(maxsize=8)
def _list_bare_verbs(language: str) -> frozenset[str]:
    """Return the leaving verbs that no preposition binds to work: one may leave a room, too."""
    ends = read_change_verbs()[language][_WORK]["ends"].split("|")
    bound = {phrase.split()[0] for phrase in ends if " " in phrase}
    return _list_leaving_verbs(language) - bound


@lru_cache(maxsize=32)
def _list_passing_verbs(
    language: str, preposition: str
) -> tuple[tuple[str, ...], ...]:
    """Return the verbs, with their particles, by which something passes on from somebody: of "from"
    "take over".
    """
    found = dict.fromkeys(_list_phrases(language))
    return tuple(
        tuple(phrase[:-1]) for phrase in found if phrase[-1] == preposition
    )


def _list_phrases(language: str) -> Iterator[tuple[str, ...]]:
    for table in read_change_verbs()[language].values():
        for kind in ("changes", "ends"):
            for phrase in table.get(kind, "").split("|"):
                if phrase:
                    yield tuple(phrase.split())
