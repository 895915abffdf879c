"""Suspend the statements of a page one by one, where replayed answers used them (CON-17).

Only questions whose answers used a statement are asked again without it: whatever else its page
answers does not depend on it. So all statements of a page together cost about twice what the page
does. No language model is asked about single statements: what readers did decides.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.answers.asked import question_words
from companion.language.words.snowball import stem_text, stem_words
from companion.lookup.statements import describe_statement
from companion.minority.beliefs import name_belief
from companion.minority.contested.contested_page import ContestedPage, Standing
from companion.minority.contested.read_contested_page import read_contested_page
from companion.operations.audit.consequence import (
    Consequence,
    decide_statement_consequence,
)
from companion.operations.audit.observe import (
    Observation,
    list_changed_matters,
    list_changes,
    observe,
)
from companion.operations.audit.questions.probes import count_openings_by_name
from companion.operations.audit.questions.query_set import Probe
from companion.operations.audit.questions.replay import (
    ANSWERED,
    MATTERS,
    Replay,
    list_matters,
)
from companion.operations.audit.statement_use import (
    StatementWords,
    Use,
    as_statement,
    choose_used,
    rank_statement,
)
from companion.operations.audit.verdict import Evidence, Verdict, reach_verdict
from companion.pages import links
from companion.pages.body import FACT_LINE, split_at_facts
from companion.pages.page import parse
from companion.pages.statement_edits import remove_opening, remove_statement
from companion.pages.statements import statement_id
from companion.runs.run import Run
from companion.storage.index.folding.fold_pages import searchable_texts
from companion.storage.index.folding.fold_passages import list_passages
from companion.storage.index.search.suspended import TextLeft
from companion.storage.index.suspension import SuspendedStatement
from companion.storage.index.tables import audits, claims
from companion.storage.index.terms import split_words
from companion.usage.own_words import find_own_words
from companion.values.captures import Link, Page

if TYPE_CHECKING:
    from companion.storage.results import StatementPlace


class StatementFinding(NamedTuple):
    """The result of suspending one statement, and what follows from it."""

    capture: str
    place: "StatementPlace"
    evidence: Evidence
    verdict: Verdict
    follows: Consequence | None


def audit_statements(
    run: Run,
    again: Replay,
    entry: str,
    probes: Sequence[Probe],
    rankings: Mapping[str, Sequence[str]],
) -> list[StatementFinding]:
    """Return what changes while each statement of *entry* that answers used is suspended alone.

    *rankings* has what answers *probes* while nothing is suspended. Empty for a page on which one
    statement stands.
    """
    page = read_contested_page(run.db, run.repo, entry)
    if page is None or not page.gathers:
        return []
    probes = [_against_statement(page, probe) for probe in probes]
    words = _list_words(page, probes)
    answering = _find_answering(again, entry, probes, rankings)
    uses = choose_used(entry, words, probes, rankings, answering)
    return [_audit_statement(run, again, page, use, rankings) for use in uses]


def _against_statement(page: ContestedPage, probe: Probe) -> Probe:
    """Return a challenge of the page as it began as one of its first statement."""
    if probe.kind != "challenge" or probe.statement is not None:
        return probe
    return probe._replace(statement=page.origin)


def _list_words(
    page: ContestedPage, probes: Sequence[Probe]
) -> list[StatementWords]:
    """Return the words that each statement alone has on its page.

    Words without meaning of their own (what, is, the) are nobody's.
    """
    words = {one.capture: split_words(one.words) for one in page.standing}
    rest = page.text
    for one in page.standing:
        rest = _cut(page, rest, one)
    body = parse("\n".join(split_at_facts(rest).before), page.path).body
    others = {*split_words(page.title), *split_words(body)}
    for probe in probes:
        others.update(question_words(probe.words).stop)
    own = find_own_words(words, others)
    return [StatementWords(*each) for each in own.items()]


def _find_answering(
    again: Replay,
    entry: str,
    probes: Sequence[Probe],
    rankings: Mapping[str, Sequence[str]],
) -> dict[str, set[str]]:
    """Return the statements of *entry* whose claims answer a probe, by the probes' ids."""
    answering: dict[str, set[str]] = {}
    for probe in probes:
        if probe.verb not in ANSWERED or entry not in rankings[probe.id]:
            continue
        told = again.answering_claims(probe.words)
        if told:
            captures = {claim.capture for claim in told if claim.entry == entry}
            answering[probe.id] = captures
    return answering


def _audit_statement(
    run: Run,
    again: Replay,
    page: ContestedPage,
    use: Use,
    rankings: Mapping[str, Sequence[str]],
) -> StatementFinding:
    entry = page.entry
    capture = use.capture
    belief = name_belief(entry, capture)
    last = audits.list_newest_statement_audits(run.db).get(capture)
    told = claims.list_claims_of_capture(again.db, capture)
    keys = list_matters(told, MATTERS)
    before = Observation(
        rankings={
            probe.id: rank_statement(entry, belief, rankings[probe.id])
            for probe in use.probes
        },
        values=again.standing(keys),
    )
    with again.without_statement(*_take_out(run, page, capture)):
        after = _observe_without(again, entry, use, keys)
    probes = [as_statement(entry, belief, probe) for probe in use.probes]
    evidence = Evidence(
        changes=list_changes(belief, probes, before, after),
        matters=list_changed_matters(run.db, entry, before, after),
        named=count_openings_by_name(run.db, entry, again.now),
        since="" if last is None else last.since,
        thing="note",
    )
    verdict = reach_verdict(belief, evidence)
    follows = None
    if verdict.result is not None:
        follows = decide_statement_consequence(verdict.result)
    place = describe_statement(run.ws, run.db, capture)
    return StatementFinding(capture, place, evidence, verdict, follows)


def _observe_without(
    again: Replay, entry: str, use: Use, keys: Sequence[tuple[str, str]]
) -> Observation:
    """Return what answers the probes while the statement of *use* is suspended.

    The statement should have no part in it. Where it has, it stands for its page still.
    """
    seen = observe(again, use.probes, keys)
    belief = name_belief(entry, use.capture)
    rankings = dict(seen.rankings)
    for probe in use.probes:
        if _is_still_used(again, entry, use, probe):
            rankings[probe.id] = rank_statement(
                entry, belief, rankings[probe.id]
            )
    return Observation(rankings, seen.values)


def _is_still_used(again: Replay, entry: str, use: Use, probe: Probe) -> bool:
    """Tell whether what the statement tells answers *probe*, or its words find its page."""
    if probe.verb in ANSWERED:
        told = again.answering_claims(probe.words)
        if told:
            return use.capture in {claim.capture for claim in told}
    words = [word for word in split_words(probe.words) if word in use.own]
    return bool(words) and entry in again.search(" ".join(words))


def _take_out(
    run: Run, page: ContestedPage, capture: str
) -> tuple[SuspendedStatement, TextLeft]:
    """Return what the index hides while the statement of *capture* is suspended, and the words
    that its page has then.
    """
    standing = page.find(capture)
    assert standing is not None  # only what stands was used
    whole = parse(page.text, page.path)
    left = parse(_text_without(run, page, standing), page.path)
    gone = _list_links(whole.links) - _list_links(left.links)
    words = TextLeft(page.path, *_stem_own(whole), *_stem_own(left))
    return (
        SuspendedStatement(capture, page.entry, page.path, tuple(sorted(gone))),
        words,
    )


def _stem_own(page: Page) -> tuple[list[str], list[str]]:
    """Return the stems of a page's title and of its own words, as the index has them."""
    own = list_passages(page, *searchable_texts(page))[0]
    body = split_words(own.body)
    language, stems = stem_text(body)
    return stem_words(split_words(own.title), language), stems


def _text_without(run: Run, page: ContestedPage, standing: Standing) -> str:
    """Return the text of *page* without a statement and the facts that only it tells."""
    text = _cut(page, page.text, standing)
    told: dict[bool, set[str]] = {True: set(), False: set()}
    for claim in claims.list_claims_of_entry(run.db, page.entry):
        told[claim.capture == standing.capture].add(claim.object.casefold())
    return _drop_facts(text, told[True] - told[False])


def _cut(page: ContestedPage, text: str, standing: Standing) -> str:
    if page.is_opening(standing):
        return remove_opening(text)
    return remove_statement(text, statement_id(standing.capture))


def _drop_facts(text: str, objects: Collection[str]) -> str:
    """Return *text* without the facts whose object is one of *objects*."""
    parts = split_at_facts(text)
    section = []
    for line in parts.section:
        match = FACT_LINE.fullmatch(line)
        if match is None or match["object"].casefold() not in objects:
            section.append(line)
    return "\n".join([*parts.before, *section, *parts.after])


def _list_links(found: Sequence[Link]) -> set[tuple[str, str]]:
    return {
        (link.target, link.kind)
        for link in found
        if links.is_page_target(link.target)
    }
