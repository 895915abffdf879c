"""Pack what the memory says of a topic, or how it stands, into a budget of tokens (LED-14).

What is told is chosen by how near it is, and shown newest first. The tokens are those of the facts,
passages and titles as JSON, ids included, by a real tokenizer (ADR 233).
"""

import json
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from companion.answers.ask import nearest_passages
from companion.answers.claims import read_claims
from companion.answers.known import NotKnown, open_index
from companion.errors import BadInput
from companion.language.tokens import count_tokens, is_exact
from companion.language.words.stop_words import STOP_WORDS, tell_language
from companion.lookup.index import current_index
from companion.lookup.search import search_wiki
from companion.lookup.time_words import read_as_of
from companion.reading.log import list_runs
from companion.reading.review import NoSuchQuestion, list_review
from companion.storage.index.search.pending import list_open
from companion.storage.index.search.spelling import has_word
from companion.storage.index.tables.gravity import list_standings_above
from companion.storage.index.terms import split_words
from companion.usage.record_read import record_read
from companion.values.time import parse_instant
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.answers.results import ClaimResult, KeyResult, PassageResult
    from companion.assistants.results import (
        ContextResult,
        Fact,
        Passage,
        Side,
    )
    from companion.lookup.results import SearchHit

BUDGET = 600  # tokens
_CITED = 3  # notes that a fact names
_ID = 12  # digits of a note's id, as a link to it has them
_LONGEST = 300  # characters of a passage
_MOST_PAGES = 12
_RUNS = 5  # newest runs whose pages changed last
# the title of a page that gathers the notes of a day: it says nothing of them
_DAY = re.compile(r"\d{4}-\d\d-\d\d$")

_Item = TypeVar("_Item")


class NoTopic(BadInput):
    """No topic is named, and how the memory stands is told as of now only."""

    exit_code = 2
    hint = "Name a topic, or leave both times out."


def collect_context(
    ws: Workspace,
    topic: str | None,
    *,
    as_of: str | None,
    known_at: str | None,
    budget: int,
) -> "ContextResult":
    """Return what is known of *topic*, the facts before the passages; without one, how the memory
    stands.

    With either time only facts are told: pages say what is so now. Raises BadTime, and NoTopic for
    a time without a topic. Without a topic nothing counts as read, since nobody asked.
    """
    if topic is None and (as_of or known_at):
        raise NoTopic
    as_of, known_at = _read_time(ws, as_of), _read_time(ws, known_at)
    context: ContextResult = {
        "topic": topic,
        "as_of": as_of,
        "known_at": known_at,
        "facts": [],
        "passages": [],
        "important": [],
        "changed": [],
        "questions": 0,
        "not_known": [],
        "tokens": 0,
        "counted_by": "tokenizer" if is_exact() else "bytes",
        "budget": budget,
        "left_out": 0,
    }
    if topic is None:
        _tell_how_it_stands(ws, context)
        return context
    facts = _list_facts(ws, topic, as_of, known_at)
    context["facts"] = _fit(facts, context)
    context["facts"].sort(key=lambda fact: fact["told"], reverse=True)
    if as_of is None and known_at is None:
        passages = _fit(_list_passages(ws, topic), context)
        passages.sort(key=lambda one: one["when"] or "", reverse=True)
        context["passages"] = passages
        context["not_known"] = _fit(_list_unknown(ws, topic), context)
        shown = [passage["id"] for passage in context["passages"]]
        record_read(ws, "search", topic, shown)
    return context


def _read_time(ws: Workspace, text: str | None) -> str | None:
    named = read_as_of(ws, text)
    return None if named is None else parse_instant(named)


def _tell_how_it_stands(ws: Workspace, context: "ContextResult") -> None:
    """Add the titles of the pages that matter most or changed last, and count the questions."""
    db = current_index(ws, ws.journal())
    if db is None:
        return
    standings = list_standings_above(db, 0.0)
    standings.sort(key=lambda standing: (-standing.base, standing.entry))
    titles = [one.title for one in standings if not _DAY.match(one.title)]
    context["important"] = _fit(titles[:_MOST_PAGES], context)
    context["changed"] = _fit(_list_changed(ws), context)
    context["questions"] = _count_questions(ws)


def _list_changed(ws: Workspace) -> list[str]:
    titles: dict[str, None] = {}
    for run in list_runs(ws, limit=_RUNS)["runs"]:
        for page in run["pages"]:
            if page["title"] and not _DAY.match(page["title"]):
                titles.setdefault(page["title"])
    return list(titles)[:_MOST_PAGES]


def _count_questions(ws: Workspace) -> int:
    try:
        return list_review(ws)["open"]
    # before the first night there are none
    except NoSuchQuestion:
        return 0


# -- facts and passages ----------------------------------------------------------------------------


def _list_facts(
    ws: Workspace, topic: str, as_of: str | None, known_at: str | None
) -> "list[Fact]":
    """Return what was told of *topic*, as of either time; nothing where nobody told anything."""
    try:
        told = read_claims(
            ws, topic, None, as_of=as_of, known_at=known_at, history=False
        )
    except NotKnown:
        return []
    return [_describe_fact(key) for key in told["keys"] if key["values"]]


def _describe_fact(key: "KeyResult") -> "Fact":
    standing = [one for one in key["claims"] if one["object"] in key["values"]]
    newest = sorted(
        standing or key["claims"],
        key=lambda claim: (claim["told_at"], claim["capture"]),
        reverse=True,
    )
    cited = dict.fromkeys(claim["capture"][:_ID] for claim in newest)
    fact: Fact = {
        "matter": f"{key['subject']} · {key['predicate']}",
        "values": key["values"],
        "disputed": key["disputed"],
        "told": newest[0]["told_at"][:10] if newest else "",
        "notes": list(cited)[:_CITED],
        "sides": [],
    }
    if key["disputed"]:
        fact["sides"] = [_describe_side(claim) for claim in newest]
    return fact


def _describe_side(claim: "ClaimResult") -> "Side":
    """Return who told one side of a dispute, and when."""
    return {
        "value": claim["object"],
        "told": claim["told_at"][:10],
        "by": claim["source"] or claim["agent"] or "",
        "note": claim["capture"][:_ID],
    }


def _list_unknown(ws: Workspace, topic: str) -> list[str]:
    """Return the telling words of *topic* that no page and no waiting note has."""
    journal = ws.journal()
    db = current_index(ws, journal)
    words = split_words(topic)
    little = STOP_WORDS.get(tell_language(words) or "", frozenset())
    waiting: set[str] = set()
    for note in list_open(journal.connection, ws.who):
        waiting.update(split_words(note.text))
    unknown = dict.fromkeys(words)
    return [
        word
        for word in unknown
        if word not in little and word not in waiting and not has_word(db, word)
    ]


def _list_passages(ws: Workspace, topic: str) -> "list[Passage]":
    """Return the passages nearest to *topic*; before the first night, the notes with its words."""
    journal = ws.journal()
    try:
        db = open_index(ws, journal)
    except NotKnown:
        return [
            _describe_hit(hit)
            for hit in search_wiki(ws, topic, plain=True)["results"]
        ]
    nearest = nearest_passages(ws, journal, db, topic)
    return [describe_passage(found) for found in nearest]


def describe_passage(passage: "PassageResult") -> "Passage":
    """Return the part of a passage that an assistant needs."""
    return {
        "id": passage["id"],
        "title": passage["title"],
        "text": passage["text"][:_LONGEST],
        "when": passage["when"],
    }


def _describe_hit(hit: "SearchHit") -> "Passage":
    return {
        "id": hit["id"],
        "title": hit["title"],
        "text": hit["snippet"][:_LONGEST],
        "when": hit["when"] or hit["event_time"],
    }


# -- the budget ------------------------------------------------------------------------------------


def count_item(item: object) -> int:
    """Return how many tokens *item* takes as JSON, with what parts it from the next."""
    text = json.dumps(item, ensure_ascii=False, separators=(",", ":"))
    return count_tokens(f"{text},")


def _fit(
    items: Sequence[_Item] | Iterable[_Item], context: "ContextResult"
) -> list[_Item]:
    """Return those of *items* that still fit, in their order, and count the others as left out."""
    kept = []
    for item in items:
        tokens = count_item(item)
        if context["tokens"] + tokens > context["budget"]:
            context["left_out"] += 1
            continue
        context["tokens"] += tokens
        kept.append(item)
    return kept
