"""The words of one language by their use, and the forms of its verbs."""

import re
from functools import lru_cache
from typing import Any

from companion.language.detect import data
from companion.language.sentences import Token


class Grammar:
    """The closed classes, verb forms and patterns of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        raw = data(language, "extract")
        self.order: str = raw["order"]  # svo, v2, or patterns: no splitter, patterns alone
        self.v2 = self.order == "v2"
        self.words: dict[str, frozenset[str]] = {
            name: frozenset(words.split()) for name, words in raw["words"].items()
        }
        self.words["little"] = frozenset().union(*self.words.values())
        self.words |= {
            name: frozenset(words.split()) for name, words in raw.get("said", {}).items()
        }
        verbs = raw.get("verbs", {})
        self._lemmas = frozenset(verbs.get("lemmas", "").split())
        self._irregular: dict[str, str] = dict(
            pair.split("=") for pair in verbs.get("irregular", "").split()
        )
        self._suffixes: list[tuple[str, str]] = [
            (end, put) for end, put in verbs.get("suffixes", [])
        ]
        self._prefix: str = verbs.get("prefix", "")
        self._doubled: str = verbs.get("doubled", "")
        self.functional = _set(raw["predicates"]["functional"])
        self.plural = _set(raw["predicates"]["plural"])
        self.same: dict[str, str] = {
            said: key
            for key, others in raw["predicates"].get("same", {}).items()
            for said in others
        }
        self.same_person: dict[str, str] = {
            said: key
            for key, others in raw["predicates"].get("same_person", {}).items()
            for said in others
        }
        self.onset = frozenset(raw["change"]["onset"].split())
        self.changes = frozenset(raw["change"]["verbs"].split())
        self.patterns: list[dict[str, Any]] = [
            pattern | {"find": re.compile(pattern["find"])} for pattern in raw.get("patterns", [])
        ]
        self.rules = {
            f"{group}.{name}": re.compile(pattern, re.IGNORECASE)
            for group in ("mood", "change", "clause")
            for name, pattern in raw[group].items()
            if group != "change" or name in ("words", "ended", "past")
        }
        self.abbreviations = frozenset(raw["clause"]["abbreviations"].split())
        self._memory: dict[str, str | None] = {}

    def has(self, kind: str, word: str) -> bool:
        """Tell whether the lower-case *word* belongs to the closed class *kind*."""
        return word in self.words.get(kind, ())

    def auxiliary(self, word: str) -> bool:
        """Tell whether *word* is a copula, an auxiliary or a modal verb."""
        return (
            self.has("copulas", word) or self.has("auxiliaries", word) or self.has("modals", word)
        )

    def says(self, rule: str, text: str) -> bool:
        """Tell whether the pattern *rule* ("mood.tentative") occurs in *text*."""
        found = self.rules.get(rule)
        return found is not None and found.search(text) is not None

    def lemma(self, word: str) -> str | None:
        """Return the verb of which the lower-case *word* is a form, or None."""
        if word not in self._memory:
            if len(self._memory) > 20_000:
                self._memory.clear()
            self._memory[word] = self._look_up(word)
        return self._memory[word]

    def finite(self, tokens: list[Token], at: int) -> bool:
        """Tell whether the word *at* can be the finite verb of a sentence whose subject stands
        before it.
        """
        word = tokens[at]
        if word.text != word.low or (at and self._noun_after(tokens, at)):
            return False
        if self.auxiliary(word.low):
            return word.low not in ("be", "been", "being")
        if self.v2:
            return self.lemma(word.low) is not None and not (
                at and self.has("prepositions", tokens[at - 1].low)
            )
        return self._agrees(tokens, at)

    def participle(self, word: str) -> bool:
        """Tell whether *word* can be a participle: what may follow "is", "has", "was"."""
        lemma = self.lemma(word)
        if self.v2:
            return lemma is not None and (word.startswith("ge") or word.endswith(("t", "en")))
        return (
            lemma is not None
            and (word != lemma or word in self._irregular)
            and not _third(word, lemma)
        )

    def past(self, word: Token) -> bool:
        """Tell whether *word* is a verb in the past or a participle; "kostet" and "spricht" are
        neither.
        """
        low, lemma = word.low, self.lemma(word.low)
        if lemma is None or low == lemma:
            return False
        if not self.v2:
            return not low.endswith(("s", "ing"))
        if word.text != low:
            return False  # a noun
        if low in self._irregular or (
            low.startswith(self._prefix) and not lemma.startswith(self._prefix)
        ):
            return low.startswith(self._prefix) or not low.endswith("t")
        return low.removeprefix(lemma.removesuffix("n").removesuffix("e")).startswith(("te", "ete"))

    def _noun_after(self, tokens: list[Token], at: int) -> bool:
        """After "the" and after a genitive stands a noun."""
        if tokens[at - 1].low == "'s":
            return True
        return (
            self.has("determiners", tokens[at - 1].low)
            and not self.has("negations", tokens[at - 1].low)
            and not self.has("copulas", tokens[at].low)
        )

    def _agrees(self, tokens: list[Token], at: int) -> bool:
        word, before = tokens[at].low, tokens[at - 1].low if at else ""
        lemma = self.lemma(word) or self.guessed(tokens, at)
        if (
            lemma is None
            or word.endswith("ing")
            or (before != "to" and self.has("prepositions", before))
            or before == "to"
        ):
            return False
        following = tokens[at + 1].low if at + 1 < len(tokens) else ""
        if any(self.has(kind, following) for kind in ("copulas", "modals")) or following == "'s":
            return False
        subject = [
            token.low
            for token in tokens[:at]
            if not (self.has("adverbs", token.low) or self.has("negations", token.low))
        ]
        if word == lemma and word not in self._irregular:
            last = subject[-1] if subject else ""
            return (
                last in ("i", "we", "you", "they", "who", "that", "which")
                or "and" in subject
                or (last.endswith("s") and not last.endswith(("ss", "'s")))
            )
        return not (_third(word, lemma) and subject[-1:] in (["i"], ["we"], ["you"], ["they"]))

    def guessed(self, tokens: list[Token], at: int) -> str | None:
        """ "Anna cherishes": right after a name or a pronoun an unknown word with a verb's ending
        is a verb.
        """
        word, before = tokens[at].low, tokens[at - 1]
        if word[-1:] == "s" and self._governs(tokens, at):
            return word.removesuffix("s")
        named = all(token.text[:1].isupper() for token in tokens[:at]) or (
            at == 1 and self.has("pronouns", before.low)
        )
        if not at or not named or len(word) < 5 or word in self.words["little"]:
            return None
        ends = ("ed", "es") if before.low in ("i", "we", "you", "they") else ("ed", "s")
        if not word.endswith(ends) or word.endswith(("ss", "us", "is")):
            return None
        return next(word.removesuffix(end) for end in ("ed", "es", "s") if word.endswith(end))

    def _governs(self, tokens: list[Token], at: int) -> bool:
        """ "The roof survives two storms": an unknown word in -s between a noun phrase and an
        object of its own.
        """
        word, before = tokens[at].low, tokens[at - 1].low
        if (
            not word.endswith("s")
            or word.endswith(("ss", "us", "is"))
            or before.endswith("s")
            or len(word) < 5
        ):
            return False
        if self.v2 or at < 2 or at + 2 >= len(tokens) or not self.has("determiners", tokens[0].low):
            return False
        following = tokens[at + 1].low
        counted = (
            self.has("articles", following)
            or self.has("numerals", following)
            or following.isdigit()
        )
        return counted and not any(self.has("little", token.low) for token in tokens[1 : at + 1])

    def _look_up(self, word: str) -> str | None:
        if word in self._irregular:
            return self._irregular[word]
        if word in self._lemmas:
            return word
        # In this order on every machine: "gehört" is of "gehören" before it is of "hören".
        for stem in dict.fromkeys((word, word.removeprefix(self._prefix))):
            for end, put in self._suffixes:
                if stem.endswith(end) and len(stem) > len(end) + 1:
                    base = stem[: len(stem) - len(end)]
                    if base + put in self._lemmas:
                        return base + put
                    if (
                        len(base) > 2
                        and base[-1] == base[-2]
                        and base[-1] in self._doubled
                        and base[:-1] + put in self._lemmas
                    ):
                        return base[:-1] + put
        return None


@lru_cache(maxsize=8)
def grammar(language: str) -> Grammar:
    """Return the grammar of *language*, made once."""
    return Grammar(language)


def _third(word: str, lemma: str) -> bool:
    return word.endswith("s") and word != lemma and not lemma.endswith("s")


def _set(said: str) -> frozenset[str]:
    return frozenset(part.strip() for part in said.split("|") if part.strip())
