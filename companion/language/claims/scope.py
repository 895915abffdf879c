"""Find the words of a sentence that speak for a fact, and whose words they are.

A relative clause says something of a thing in passing: its "might" and its "last May" are not the
main clause's. What another claims, what is meant as a joke, what holds only under a condition on
the listener, and what only introduces a list is not stated by the writer.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import takewhile

from companion.language.claims.grammar import Grammar
from companion.language.sentences import Token, Words, tokenize
from companion.language.times.mentions import Mention

# the words of another from the first letter to the last, or to who said them
_QUOTED = re.compile(
    '^\\W*(?:"[^"]*"|\u201c[^\u201d]*\u201d|\u201e[^\u201c\u201d]*[\u201c\u201d]'
    "|\u00bb[^\u00ab]*\u00ab|\u00ab[^\u00bb]*\u00bb)"
)
# what a time behind a comma is for, where it may be said of something else
_ASIDE = ("none", "at", "ago")
_WORD = re.compile(r"[^\W\d_]")
_LONGEST_SUBJECT = 4  # words of a subject behind a comma
# kinds of words that begin what another clause depends on
_DEPENDING = ("prepositions", "conditions", "breaks", "adverbs", "relatives")
_NOT_STATED = ("mood.ironic", "mood.distanced", "mood.condition_on_you")


def is_stated(sentence: str, grammar: Grammar) -> bool:
    """Tell whether the writer of *sentence* says it of their own, and in full."""
    if sentence.endswith(("?", ":")):
        return False
    quotation = _QUOTED.match(sentence)
    if quotation is not None and len(quotation.group().split()) > 2:
        return False
    return not any(grammar.matches(rule, sentence) for rule in _NOT_STATED)


def find_relatives(
    text: str, start: int, end: int, grammar: Grammar
) -> list[tuple[int, int]]:
    """Return (start, end) of the relative clauses in text[start:end]."""
    rule = grammar.rules.get("clause.relative")
    if rule is None:
        return []
    return [match.span() for match in rule.finditer(text, start, end)]


def find_remarks(
    text: str,
    start: int,
    end: int,
    mentions: Iterable[Mention],
    now: datetime,
    grammar: Grammar,
    *,
    past: bool,
) -> list[tuple[int, int]]:
    """Return (start, end) of what text[start:end] adds behind a comma with a time that is not the
    main clause's: "needs tablets every month, last given today", "18 euros, paid on 1 September",
    "I'm stage manager, premiere on 26 September".

    Places of *mentions* are counted from *start* on; *past*: the main clause is in the past. A time
    alone is none: ", since May".
    """
    remarks = []
    for mention in mentions:
        first = text.rfind(",", start, start + mention.start) + 1
        if not first:
            continue
        before = text[first : start + mention.start].split()
        is_said_of = bool(before) and _take_time(before, grammar)
        if not is_said_of and not _is_of_remark(mention, now, past=past):
            continue
        comma = text.find(",", start + mention.end, end)
        stop = comma if comma >= 0 else end
        beside = text[first : start + mention.start]
        beside += text[start + mention.end : stop]
        if _WORD.search(beside):
            remarks.append((first, stop))
    return remarks


def _take_time(words: list[str], grammar: Grammar) -> bool:
    """Tell whether a time behind *words* is said of the last of them: of a noun or a participle,
    and not of a name ("Leeds, England in May").
    """
    *others, last = words
    low = last.lower()
    if not low.isalpha() or grammar.has("little", low):
        return False
    if grammar.v2:
        return last != low or grammar.participle(low)
    if last != low:
        return False
    if grammar.lemma(low) is None or grammar.participle(low):
        return True
    # "new date 3 October"
    kinds = ("determiners", "renewed")
    return any(grammar.has_any(kinds, word.lower()) for word in others[-1:])


def _is_of_remark(mention: Mention, now: datetime, *, past: bool) -> bool:
    """Tell whether a time cannot be the main clause's: what is over of what is so, or what is to
    come as the end of what was done.
    """
    if mention.stretch.start > now:
        return past and mention.role == "until"
    return not past and mention.role in _ASIDE


def own_words(
    text: str,
    clause: tuple[int, int],
    part: tuple[int, int],
    relatives: list[tuple[int, int]],
) -> str:
    """Return the words of a *clause* that speak for its *part*, which begins with a verb.

    Of an aside these are its own; of the main clause all but its *relatives*.
    """
    start, end = clause
    if part[0] > start and text[part[0] - 1] in ",(":
        return text[part[0] : part[1]]
    return "".join(_outside(text, start, end, part[0], relatives))


def own_mentions(
    mentions: list[Mention],
    shift: int,
    part: tuple[int, int],
    relatives: list[tuple[int, int]],
) -> list[Mention]:
    """Return the times that do not stand in a relative clause, or a remark, beside their *part*.

    Places of *mentions* are counted from *shift* on.
    """
    foreign = [one for one in relatives if not one[0] <= part[0] < one[1]]
    own: list[Mention] = []
    for mention in mentions:
        place = mention.start + shift
        if not any(start <= place < end for start, end in foreign):
            own.append(mention)
    return own


def without_relatives(tokens: Words, grammar: Grammar) -> Words:
    """Return the words of a verb-second clause without ", die vielleicht ersetzt wird,"."""
    kept = list(tokens)
    for start, end in _verb_last_clauses(tokens, grammar):
        gone = {word.start for word in tokens[start:end]}
        kept = [word for word in kept if word.start not in gone]
    return kept


def _verb_last_clauses(
    tokens: Words, grammar: Grammar
) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the clauses behind a comma that end with their finite verb."""
    commas = [at for at, word in enumerate(tokens) if word.low == ","]
    for at in commas:
        if not at or at + 2 >= len(tokens):
            continue
        if not grammar.has("relative_pronouns", tokens[at + 1].low):
            continue
        end = next((comma for comma in commas if comma > at), len(tokens))
        if grammar.finite(tokens, end - 1):
            yield at, min(end + 1, len(tokens))


# -- main clauses that a comma alone joins ---------------------------------------------------------


def split_main_clauses(
    text: str, start: int, end: int, grammar: Grammar
) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the main clauses of text[start:end] that commas alone join.

    "Insurance is with Allianz, the policy renews in May". What depends on a clause, lists and what
    is put in between stay with it.
    """
    tokens = tokenize(text, start, end)
    first = 0
    for at, comma in enumerate(tokens):
        if comma.low != ",":
            continue
        before, after = tokens[first:at], tokens[at + 1 :]
        if _stands_alone(before, grammar) and _opens_main(after, grammar):
            yield start, comma.start
            start = comma.end
            first = at + 1
    yield start, end


def _stands_alone(words: Words, grammar: Grammar) -> bool:
    """Tell whether *words* are a main clause of which nothing that follows depends."""
    if not words or grammar.has_any(_DEPENDING, words[0].low):
        return False
    if any(grammar.has("assuming", _lemma(word, grammar)) for word in words):
        return False
    said = " ".join(word.text for word in words)
    if grammar.matches("mood.reported", said):
        return False
    places = range(1, len(words))
    return any(grammar.finite(words, at) for at in places)


def _opens_main(words: Words, grammar: Grammar) -> bool:
    """Tell whether a subject with its verb begins *words*: "the policy renews"."""
    clause = [*takewhile(lambda word: word.low != ",", words)]
    verb = _find_verb(clause, grammar)
    if verb is None:
        return False
    # ", der Katzen jagt" is said of what stands before it
    if grammar.v2 and verb == len(clause) - 1:
        return False
    if not _is_surely_verb(clause, verb, grammar):
        return False
    return all(_is_of_subject(word, grammar) for word in clause[:verb])


def _find_verb(clause: Words, grammar: Grammar) -> int | None:
    """Return where the verb stands behind a subject; None where there is none soon."""
    places = range(1, min(len(clause), _LONGEST_SUBJECT + 1))
    return next((at for at in places if grammar.finite(clause, at)), None)


def _is_surely_verb(clause: Words, verb: int, grammar: Grammar) -> bool:
    """Tell whether the word at *verb* is no noun, as in ", night shifts until June"."""
    if grammar.v2 or grammar.auxiliary(clause[verb].low):
        return True
    first = clause[0]
    return first.text != first.low or grammar.has("determiners", first.low)


def _is_of_subject(word: Token, grammar: Grammar) -> bool:
    if word.text != word.low or grammar.has("determiners", word.low):
        return True
    if grammar.v2:
        return False
    return not grammar.has("little", word.low) and word.low.isalpha()


def _lemma(word: Token, grammar: Grammar) -> str:
    return grammar.lemma(word.low) or ""


def _outside(
    text: str,
    start: int,
    end: int,
    verb: int,
    relatives: list[tuple[int, int]],
) -> Iterator[str]:
    """Yield the stretches of text[start:end] outside its *relatives*.

    One before the *verb* ends there: "the clinic that could close is in Leeds".
    """
    at = start
    for begin, stop in relatives:
        if begin < at:
            continue
        if begin < verb < stop:
            stop = verb
        yield text[at:begin]
        yield " "
        at = stop
    yield text[at:end]
