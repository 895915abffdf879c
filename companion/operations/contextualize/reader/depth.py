"""Choose how deep a source is worked in for its reader (MaM §5.4, CTX-5, CTX-7).

The score says how far the reader works into a topic, from 0 (not at all) to 1 (every word):

    score = 1 - (1 - prior) · Π (1 - weight_k · full_k)

Each kind of evidence closes a share of what is missing to 1, so more evidence never lowers the
score, and no kind decides alone. ``full_k = 1 - exp(-amount_k / scale_k)`` says how much of its
kind there is:

    kind           weight  scale  amount
    notes            0.45     10  notes near the topic, each by its nearness
    detail           0.35      6  how detailed each of them is, by its nearness
    recency          0.25      4  each note halved every 90 days, by its nearness
    questions        0.40      3  questions near it, halved every 30 days, by their nearness
    neighbourhood    0.20      2  gravity of the pages near it, and a fifth for each link among them
    role             0.15    0.5  nearness of the stated role to the topic
    recalls          0.60    1.5  times its original was fetched

The prior is what saving the source says by itself. In a young wiki the lack of notes says nothing,
and sources stand at key points; the more the person wrote about other things, the more it says; and
sources on the topic that were saved long ago and never opened speak against another one:

    prior = (0.20 + 0.50 · exp(-elsewhere / 50)) · exp(-unopened / 6)

Pure. The weights are chosen, not learnt: docs/concepts/sources.md says what follows from that.
"""

import math
import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from companion.operations.contextualize.values import (
    STEPS,
    Depth,
    NearNote,
    Override,
    ReaderContext,
    Step,
    Topic,
)
from companion.storage.index.terms import split_words
from companion.values.time import days_between
from companion.values.wording import comparable_name, many

VERSION = "depth-2"
#: the least score of each step
THRESHOLDS: tuple[tuple[Step, float], ...] = (
    ("full text", 0.82),
    ("detailed", 0.60),
    ("key points", 0.35),
    ("brief", 0.08),
    ("linkout", 0.0),
)
#: kind -> (weight, scale)
EVIDENCE = {
    "notes": (0.45, 10.0),
    "detail": (0.35, 6.0),
    "recency": (0.25, 4.0),
    "questions": (0.40, 3.0),
    "neighbourhood": (0.20, 2.0),
    "role": (0.15, 0.5),
    "recalls": (0.60, 1.5),
}
#: characters; a source no longer than this is not worth shortening
SHORT = 1_200
# the prior: of a wiki that says nothing of other topics, and of one that says much
_MATURE = 0.20
_YOUNG = 0.50
_ELSEWHERE = 50.0
_UNOPENED = 6.0
# days in which a note, and a question, comes to count half
_NOTE_HALVES = 90.0
_QUESTION_HALVES = 30.0
_LINK = 0.2
_LATELY = 30  # days
# words of a note that make it half as detailed as words can
_LONG = 40
_WORDS_OF_TOPIC = 20
_NUMBER = re.compile(r"(?<![\w.])\d[\d.,:/-]*")
_GLOB = re.compile(r"[*?\[/]|://")


def choose_depth(
    context: ReaderContext, size: int, override: Override | None = None
) -> Depth:
    """Return how deep a source of *size* characters is worked in, and why.

    An *override* names the step; the score is the inferred one all the same. The score never falls
    when evidence is added to *context*.
    """
    score = score_context(context)
    step = step_of(score)
    evidence = describe_evidence(context)
    if override is not None:
        return Depth(override.step, score, (override.reason, *evidence))
    if size <= SHORT and step != "full text":
        reason = f"It has {size:,} characters: too few to shorten."
        return Depth("full text", score, (reason, *evidence))
    return Depth(step, score, evidence)


def score_context(context: ReaderContext) -> float:
    """Return how far the reader works into the topic, in [0, 1], to six digits."""
    missing = 1.0 - _prior(context)
    for kind, amount in _measure_amounts(context).items():
        weight, scale = EVIDENCE[kind]
        missing *= 1.0 - weight * (1.0 - math.exp(-amount / scale))
    return round(1.0 - missing, 6)


def step_of(score: float) -> Step:
    """Return the step that a *score* in [0, 1] reaches."""
    for step, least in THRESHOLDS:
        if score >= least:
            return step
    return STEPS[0]


def measure_detail(note: NearNote, topic: Topic) -> float:
    """Return how detailed a note is, in [0, 1): by length, numbers and the topic's terms."""
    words = split_words(note.text)
    numbers = len(_NUMBER.findall(note.text))
    terms = len(set(words).intersection(topic.words))
    long = len(words) / (len(words) + _LONG)
    exact = 0.5 * numbers / (numbers + 1)
    technical = 0.5 * terms / (terms + 3)
    return 1.0 - (1.0 - long) * (1.0 - exact) * (1.0 - technical)


def describe_evidence(context: ReaderContext) -> tuple[str, ...]:
    """Return what the wiki shows of the reader, in plain sentences with numbers."""
    lines = [_describe_notes(context)]
    lines += _describe_questions(context)
    lines += _describe_pages(context)
    if context.role:
        relation = "is not near this topic"
        if context.role_nearness >= 0.3:
            relation = "is near this topic"
        lines.append(f'Your role, "{context.role}", {relation}.')
    if context.recalls:
        count = many(context.recalls, "time")
        lines.append(f"You fetched its original {count}: it was too shallow.")
    if context.unopened:
        saved = many(context.unopened, "other source")
        lines.append(
            f"You saved {saved} near this over a month ago and opened none."
        )
    return tuple(lines)


def find_override(
    settings: Iterable[tuple[str, str]],
    *,
    source: str,
    title: str,
    topic: Topic,
) -> Override | None:
    """Return the step that companion.yaml names for a source, by the longest pattern that fits.

    A pattern with a slash, a star or an address is held against the source; other patterns are
    words that must all stand in the title or among the topic's heaviest words.
    """
    chosen: tuple[str, str] | None = None
    for pattern, step in sorted(settings):
        fits = _fits_pattern(pattern, source, title, topic)
        if fits and (chosen is None or len(pattern) > len(chosen[0])):
            chosen = (pattern, step)
    if chosen is None:
        return None
    pattern, name = chosen
    step = next(each for each in STEPS if each == name)
    return Override(step, f'Your settings say "{pattern}: {step}".')


def _fits_pattern(pattern: str, source: str, title: str, topic: Topic) -> bool:
    if _GLOB.search(pattern):
        name = comparable_name(source)
        wanted = comparable_name(pattern)
        return name == wanted or fnmatchcase(name, wanted)
    wanted_words = split_words(pattern)
    known = {*split_words(title), *topic.words[:_WORDS_OF_TOPIC]}
    return bool(wanted_words) and known.issuperset(wanted_words)


def _prior(context: ReaderContext) -> float:
    young = _YOUNG * math.exp(-context.elsewhere / _ELSEWHERE)
    return (_MATURE + young) * math.exp(-context.unopened / _UNOPENED)


def _measure_amounts(context: ReaderContext) -> dict[str, float]:
    notes = context.notes
    detail = 0.0
    recency = 0.0
    for note in notes:
        detail += note.nearness * measure_detail(note, context.topic)
        recency += note.nearness * _fade(note.at, context.now, _NOTE_HALVES)
    asked = 0.0
    for question in context.questions:
        fresh = _fade(question.at, context.now, _QUESTION_HALVES)
        asked += question.times * question.nearness * fresh
    gravity = sum(page.gravity for page in context.pages)
    return {
        "notes": sum(note.nearness for note in notes),
        "detail": detail,
        "recency": recency,
        "questions": asked,
        "neighbourhood": gravity + _LINK * context.links,
        "role": context.role_nearness,
        "recalls": float(context.recalls),
    }


def _fade(at: str, now: str, halves: float) -> float:
    """Return what something of the time *at* counts, in [0, 1]: nothing where it is unknown."""
    if not at:
        return 0.0
    return float(0.5 ** (max(0.0, days_between(at, now)) / halves))


def _describe_notes(context: ReaderContext) -> str:
    notes = context.notes
    if not notes:
        if not context.elsewhere:
            return "You wrote no note yet."
        others = many(context.elsewhere, "note")
        return f"You wrote {others} about other things and none near this."
    parts = [f"You wrote {many(len(notes), 'note')} near this"]
    lately = _count_lately([note.at for note in notes], context.now)
    if lately:
        parts.append(f"{lately} in the last {_LATELY} days")
    exact = sum(_NUMBER.search(note.text) is not None for note in notes)
    if exact:
        parts.append(f"with numbers in {exact}")
    return ", ".join(parts) + "."


def _describe_questions(context: ReaderContext) -> list[str]:
    if not context.questions:
        return []
    asked = sum(question.times for question in context.questions)
    line = f"You asked {many(asked, 'question')} about it"
    last = max(question.at for question in context.questions)
    if last:
        line += f", the last on {last[:10]}"
    return [f"{line}."]


def _describe_pages(context: ReaderContext) -> list[str]:
    if not context.pages or not (context.links or _weight(context)):
        return []
    heaviest = max(context.pages, key=lambda page: (page.gravity, page.entry))
    pages = many(len(context.pages), "page")
    links = many(context.links, "link")
    line = f"{pages} near it have {links} among them"
    if heaviest.gravity > 0:
        line += (
            f'; most depends on "{heaviest.title}" '
            f"(gravity {heaviest.gravity:.2f})"
        )
    return [f"{line}."]


def _weight(context: ReaderContext) -> float:
    return sum(page.gravity for page in context.pages)


def _count_lately(times: Sequence[str], now: str) -> int:
    known = [at for at in times if at]
    return sum(days_between(at, now) <= _LATELY for at in known)
