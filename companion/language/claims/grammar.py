"""The words of one language by their use, and the forms of its verbs."""

import re
from collections.abc import Iterable
from functools import lru_cache

from companion.language.detect import LanguageData, WordSet, read_language_data
from companion.language.sentences import Token, Words
from companion.language.words.stems import VerbForms
from companion.patterns import lazy
from companion.tuples import NamedTuple

_MAX_REMEMBERED = 20_000  # words whose lemma is remembered
# of the table `change`; the others are word lists
_CHANGE_RULES = ("words", "ended", "past", "restored")
_AUXILIARY_KINDS = ("copulas", "auxiliaries", "modals")
_WITH_PLAIN_FORM = frozenset(("i", "we", "you", "they"))
_RELATIVES = frozenset(("who", "that", "which"))
_SHORTEST_GUESS = 5  # letters of an unknown word that is taken for a verb
_NOUN_ENDINGS = ("ss", "us", "is")


class Pattern(NamedTuple):
    """A sentence pattern that states one claim."""

    name: str
    find: re.Pattern[str]
    predicate: str  # empty where a group of the pattern names it
    change: bool


class Grammar:
    """The closed classes, verb forms and patterns of one language."""

    def __init__(self, language: str, raw: LanguageData) -> None:
        """Take the words of *raw*, the table `data/<language>/extract.toml`."""
        self.language = language
        # svo, v2, or patterns: no splitter, patterns alone
        self.order: str = raw["order"]
        self.v2 = self.order == "v2"
        self.words = _words_by_kind(raw)
        self._auxiliaries = WordSet().union(
            *(self.words.get(kind, ()) for kind in _AUXILIARY_KINDS)
        )
        # word -> what it stands for, by kind: "deep" -> "depth"
        self.stands_for = {
            kind: _pairs(words)
            for kind, words in raw.get("stands_for", {}).items()
        }
        self.forms = _verb_forms(raw.get("verbs", {}))
        predicates = raw["predicates"]
        self.functional = _phrases(predicates["functional"])
        self.plural = _phrases(predicates["plural"])
        self.same = _key_by_synonym(predicates.get("same", {}))
        self.same_person = _key_by_synonym(predicates.get("same_person", {}))
        self.onset = frozenset(raw["change"]["onset"].split())
        self.changes = frozenset(raw["change"]["verbs"].split())
        self.patterns = [_pattern(table) for table in raw.get("patterns", [])]
        self.rules = _rules(raw)
        # English has it among the moods, German among the clauses
        self.report_prefix = "mood.report_prefix"
        if self.report_prefix not in self.rules:
            self.report_prefix = "clause.report_prefix"
        self._lemmas: dict[str, str | None] = {}

    def has(self, kind: str, word: str) -> bool:
        """Tell whether the lower-case *word* belongs to the closed class *kind*."""
        return word in self.words.get(kind, ())

    def has_any(self, kinds: Iterable[str], word: str) -> bool:
        """Tell whether the lower-case *word* belongs to one of the closed classes *kinds*."""
        for kind in kinds:  # noqa: SIM110 - asked of every word: a generator doubles the time
            if word in self.words.get(kind, ()):
                return True
        return False

    def other_word(self, kind: str, word: str) -> str:
        """Return what the lower-case *word* stands for as a word of *kind*; "" if it is none."""
        return self.stands_for.get(kind, {}).get(word, "")

    def auxiliary(self, word: str) -> bool:
        """Tell whether *word* is a copula, an auxiliary or a modal verb."""
        return word in self._auxiliaries

    def find(self, rule: str, text: str) -> re.Match[str] | None:
        """Return the first match of the pattern *rule* ("mood.tentative") in *text*."""
        pattern = self.rules.get(rule)
        if pattern is None:
            return None
        return pattern.search(text)

    def matches(self, rule: str, text: str) -> bool:
        """Tell whether the pattern *rule* occurs in *text*."""
        return self.find(rule, text) is not None

    def match_length(self, rule: str, text: str) -> int:
        """Return how many characters the pattern *rule* matches at the beginning of *text*."""
        pattern = self.rules.get(rule)
        if pattern is None:
            return 0
        match = pattern.match(text)
        if match is None:
            return 0
        return match.end()

    def lemma(self, word: str) -> str | None:
        """Return the verb of which the lower-case *word* is a form, or None."""
        if word not in self._lemmas:
            if len(self._lemmas) > _MAX_REMEMBERED:
                self._lemmas.clear()
            self._lemmas[word] = self.forms.lemma(word)
        return self._lemmas[word]

    def finite(self, tokens: Words, at: int) -> bool:
        """Tell whether the word at *at* can be the finite verb behind its subject."""
        word = tokens[at]
        if word.text != word.low or (at and self._is_noun_place(tokens, at)):
            return False
        if self.auxiliary(word.low):
            return word.low not in ("be", "been", "being")
        if not self.v2:
            return self._agrees(tokens, at)
        if self.lemma(word.low) is None and not self._guessed_v2(tokens, at):
            return False
        return not (at and self.has("prepositions", tokens[at - 1].low))

    def participle(self, word: str) -> bool:
        """Tell whether *word* can be a participle: what may follow "is", "has", "was"."""
        lemma = self.lemma(word)
        if lemma is None:
            return False
        if self.v2:
            return word.startswith("ge") or word.endswith(("t", "en"))
        if word == lemma and word not in self.forms.irregular:
            return False
        return not _is_third_person(word, lemma)

    def past(self, word: Token) -> bool:
        """Tell whether *word* is a past form or a participle: "kostete", "gesprochen"."""
        low = word.low
        lemma = self.lemma(low)
        if lemma is None or low == lemma:
            return False
        if not self.v2:
            return not low.endswith(("s", "ing"))
        if word.text != low:
            return False  # a noun
        return self._is_past_v2(low, lemma)

    def _is_past_v2(self, low: str, lemma: str) -> bool:
        prefix = self.forms.prefix
        prefixed = low.startswith(prefix)
        is_participle = prefixed and not lemma.startswith(prefix)
        if is_participle or low in self.forms.irregular:
            return prefixed or not low.endswith("t")
        base = lemma.removesuffix("n").removesuffix("e")
        return low.removeprefix(base).startswith(("te", "ete"))

    def guessed(self, tokens: Words, at: int) -> str | None:
        """Return the lemma of an unknown word with a verb's ending where a verb must stand.

        Right after a name or a pronoun: "Anna cherishes".
        """
        word = tokens[at].low
        if self.v2:
            return self._guessed_v2(tokens, at)
        if word.endswith("s") and self._has_object(tokens, at):
            return word.removesuffix("s")
        if not at or not self._may_be_guessed(word):
            return None
        if not self._is_named(tokens[:at]):
            return None
        ending = "s"
        if tokens[at - 1].low in _WITH_PLAIN_FORM:
            ending = "es"
        if not word.endswith(("ed", ending)) or word.endswith(_NOUN_ENDINGS):
            return None
        return _without_ending(word)

    def _may_be_guessed(self, word: str) -> bool:
        return len(word) >= _SHORTEST_GUESS and not self.has("little", word)

    def _guessed_v2(self, tokens: Words, at: int) -> str | None:
        """Return the lemma of an unknown word in second place, between a name and an object.

        "Jonas zerfleddert jedes Buch".
        """
        if at != 1 or len(tokens) < 4:
            return None
        name, verb, opening = tokens[:3]
        low = verb.low
        if not low.endswith("t") or not self._may_be_guessed(low):
            return None
        if self.has("little", name.low):
            return None
        if name.text == name.low or not self.has("determiners", opening.low):
            return None
        return low.removesuffix("t").removesuffix("e") + "en"

    def _is_named(self, subject: Words) -> bool:
        """Tell whether *subject* is a name or a pronoun."""
        if len(subject) == 1 and self.has("pronouns", subject[0].low):
            return True
        return all(token.text[:1].isupper() for token in subject)

    def _is_noun_place(self, tokens: Words, at: int) -> bool:
        """Tell whether a noun must stand at *at*: after "the" and after a genitive."""
        before = tokens[at - 1].low
        if before == "'s":
            return True
        if not self.has("determiners", before) or self.has("negations", before):
            return False
        return not self.has("copulas", tokens[at].low)

    def _agrees(self, tokens: Words, at: int) -> bool:
        """Tell whether the verb at *at* has a form that its subject may have."""
        word = tokens[at].low
        lemma = self.lemma(word) or self.guessed(tokens, at)
        if lemma is None or word.endswith("ing"):
            return False
        if not self._stands_free(tokens, at):
            return False
        subject = self._without_adverbs(tokens[:at])
        if word == lemma and word not in self.forms.irregular:
            return _takes_plain_form(subject)
        if not _is_third_person(word, lemma):
            return True
        return subject[-1:] not in (["i"], ["we"], ["you"], ["they"])

    def _stands_free(self, tokens: Words, at: int) -> bool:
        """Tell whether no word beside the one at *at* makes it an infinitive or a noun."""
        if at:
            before = tokens[at - 1].low
            if before == "to" or self.has("prepositions", before):
                return False
            if tokens[at].low == "like" and self._is_impersonal(before):
                return False  # "sounds like"
        for following in tokens[at + 1 : at + 2]:
            low = following.low
            if self.has("of", low) and not self._takes_of(tokens[at].low):
                return False
            if self._is_noun_before(tokens, at):
                return False
            if low == "'s" or self.has_any(("copulas", "modals"), low):
                return False
        return True

    def _is_impersonal(self, word: str) -> bool:
        return self.has("impersonal", self.lemma(word) or "")

    def _is_noun_before(self, tokens: Words, at: int) -> bool:
        """Tell whether a plural stands at *at*, before its verb and an object: "results take a".

        "The shed needs paint" has a noun behind its verb.
        """
        if at + 2 >= len(tokens) or not tokens[at].low.endswith("s"):
            return False
        word, verb, behind = (token.low for token in tokens[at : at + 3])
        if self.lemma(word) == word or word in self.forms.irregular:
            return False
        if self.has("little", verb) or self.lemma(verb) != verb:
            return False
        return self.has("determiners", behind)

    def _takes_of(self, word: str) -> bool:
        """Tell whether "of" may stand behind the verb *word*: "speaks of", not "acts of"."""
        return word.endswith("ed") or self.has(
            "of_verbs", self.lemma(word) or ""
        )

    def _without_adverbs(self, tokens: Words) -> list[str]:
        passed_over = ("adverbs", "negations")
        return [
            token.low
            for token in tokens
            if not self.has_any(passed_over, token.low)
        ]

    def _has_object(self, tokens: Words, at: int) -> bool:
        """Tell whether an unknown word in -s stands between a noun phrase and its own object.

        "The roof survives two storms".
        """
        word = tokens[at].low
        if len(word) < _SHORTEST_GUESS or word.endswith(_NOUN_ENDINGS):
            return False
        if self.v2 or at < 2 or at + 2 >= len(tokens):
            return False
        if tokens[at - 1].low.endswith("s"):
            return False
        if not self.has("determiners", tokens[0].low):
            return False
        if not self._is_counted(tokens[at + 1].low):
            return False
        inner = tokens[1 : at + 1]
        return not any(self.has("little", token.low) for token in inner)

    def _is_counted(self, low: str) -> bool:
        """Tell whether *low* opens a noun phrase: an article or a number."""
        return low.isdigit() or self.has_any(("articles", "numerals"), low)


@lru_cache(maxsize=8)
def grammar_of(language: str) -> Grammar:
    """Return the grammar of *language*, made once."""
    return Grammar(language, read_language_data(language, "extract"))


def _takes_plain_form(subject: list[str]) -> bool:
    """Tell whether the verb of *subject* has no ending: a plural, or "I", "you" and the like."""
    if not subject:
        return False
    last = subject[-1]
    if last in _WITH_PLAIN_FORM or last in _RELATIVES or "and" in subject:
        return True
    return last.endswith("s") and not last.endswith(("ss", "'s"))


def _without_ending(verb: str) -> str:
    for ending in ("ed", "es", "s"):
        if verb.endswith(ending):
            return verb.removesuffix(ending)
    return verb


def _is_third_person(word: str, lemma: str) -> bool:
    return word.endswith("s") and word != lemma and not lemma.endswith("s")


def _verb_forms(raw: LanguageData) -> VerbForms:
    return VerbForms(
        lemmas=frozenset(raw.get("lemmas", "").split()),
        irregular=_pairs(raw.get("irregular", "")),
        suffixes=[
            (ending, replacement)
            for ending, replacement in raw.get("suffixes", [])
        ],
        prefix=raw.get("prefix", ""),
        separable=tuple(raw.get("separable", "").split()),
        doubled=raw.get("doubled", ""),
    )


def _pairs(words: str) -> dict[str, str]:
    """Return the second by the first of each pair: "deep=depth long=length"."""
    return dict(pair.split("=") for pair in words.split())


def _word_sets(table: dict[str, str]) -> dict[str, WordSet]:
    return {name: frozenset(words.split()) for name, words in table.items()}


def _words_by_kind(raw: LanguageData) -> dict[str, WordSet]:
    """Return the closed classes; "little" has the words of all but those that say something."""
    closed = _word_sets(raw["words"])
    little = WordSet().union(*closed.values())
    return {**closed, "little": little, **_word_sets(raw.get("said", {}))}


def _phrases(line: str) -> WordSet:
    """Return the phrases that *line* has between its bars: "found by | live in"."""
    return frozenset(part.strip() for part in line.split("|") if part.strip())


def _key_by_synonym(table: dict[str, list[str]]) -> dict[str, str]:
    keys: dict[str, str] = {}
    for key, synonyms in table.items():
        keys.update(dict.fromkeys(synonyms, key))
    return keys


def _pattern(table: LanguageData) -> Pattern:
    return Pattern(
        name=table["name"],
        find=lazy(table["find"]),
        predicate=table.get("predicate", ""),
        change=bool(table.get("change")),
    )


def _rules(raw: LanguageData) -> dict[str, re.Pattern[str]]:
    rules: dict[str, re.Pattern[str]] = {}
    for group in ("mood", "change", "clause"):
        for name, pattern in raw[group].items():
            if group != "change" or name in _CHANGE_RULES:
                rules[f"{group}.{name}"] = lazy(pattern, re.IGNORECASE)
    return rules
