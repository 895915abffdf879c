"""What a person reads: short, aligned, true."""

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cli import commands, fleet_text, reference
from companion.cli.commands import (
    ask,
    consolidate,
    ingest,
    log,
    search,
    status,
    why,
)
from companion.values.wording import many
from tests.cli.shapes import mismatch


def documents(shape: Any) -> st.SearchStrategy[Any]:
    """Return documents of a documented shape."""
    if isinstance(shape, list):
        return st.lists(documents(shape[0]), max_size=3)
    if isinstance(shape, dict):
        if "one of" in shape:
            return st.one_of(*map(documents, shape["one of"]))
        if "*" in shape:
            return st.dictionaries(
                st.text(min_size=1), documents(shape["*"]), max_size=3
            )
        required = {
            key: documents(below)
            for key, below in shape.items()
            if not key.endswith("?")
        }
        optional = {
            key.rstrip("?"): documents(below)
            for key, below in shape.items()
            if key.endswith("?")
        }
        return st.fixed_dictionaries(required, optional=optional)
    return st.one_of([_leaf(part.strip()) for part in shape.split("|")])


def _leaf(name: str) -> st.SearchStrategy[Any]:
    if name.startswith("'"):
        return st.just(name.strip("'"))
    leaves: dict[str, st.SearchStrategy[Any]] = {
        "any": st.text(),
        "null": st.none(),
        "str": st.text(st.characters(codec=None, exclude_categories=())),
        "int": st.integers(0, 10**7),
        "float": st.floats(0, 100),
        "bool": st.booleans(),
    }
    return leaves[name]


#: short forms, and the verb that tells what they did
TOLD_AS = {"add": "ingest", "restore": "recall"}


@pytest.mark.parametrize(
    "name", [name for name in commands.NAMES if name not in ("demo", "mcp")]
)
@given(data=st.data())
def test_every_documented_document_can_be_told(
    name: str, data: st.DataObject
) -> None:
    doc = data.draw(documents(reference.SHAPES[name]))

    assert mismatch(reference.SHAPES[name], doc) is None
    if name == "fleet" and "is_unfit" in doc:
        return  # a worker's answer is JSON for the fleet, and has no text
    file = TOLD_AS.get(name, commands.file_of(name))
    command = import_module(f"companion.cli.commands.{file}")
    tell = command.text
    if name == "links" and "page" in doc:
        tell = command.page_text
    elif name == "remote" and "settled" in doc:
        tell = command.settled_text
    elif "gathered" in doc:
        tell = command.gather_text
    elif "moved_from" in doc:
        tell = command.moved_text
    elif name == "review" and "origin" in doc:
        tell = command.decided_text
    elif "hits" in doc:
        tell = fleet_text.search_text
    elif "told" in doc:
        tell = partial(fleet_text.ask_text, tell=ask.answer_text)
    assert all(isinstance(line, str) for line in tell(doc))


def capture(number: int = 1, **more: Any) -> dict[str, Any]:
    base = {
        "id": f"{number:064x}"[::-1],
        "blob": "b",
        "title": "Buy milk",
        "status": "captured",
        "source": None,
    }
    return base | {"ingested_at": "2026-11-21T22:00:00.000000Z"} | more


def refusal(
    kind: str = "secret", origin: str = "notes.md line 3"
) -> dict[str, str]:
    return {
        "origin": origin,
        "kind": kind,
        "reason": "an AWS access key",
        "hint": "Use --redact.",
    }


def ingested(
    captures: list[dict[str, Any]],
    refused: list[dict[str, str]],
    passed_over: Sequence[dict[str, str]] = (),
    originals: Sequence[dict[str, Any]] = (),
    *,
    explain: bool = False,
) -> list[str]:
    counts = {
        "captured": len(captures),
        "seen": 0,
        "kept": len(originals),
        "known": 0,
        "passed_over": len(passed_over),
        "refused": len(refused),
    }
    doc = {
        "captures": captures,
        "originals": originals,
        "passed_over": passed_over,
        "refused": refused,
        "counts": counts,
    }
    return list(ingest.text(doc, explain=explain))


def original(name: str = "a.pdf", **said: Any) -> dict[str, Any]:
    return {
        "id": "20000000abc",
        "name": name,
        "source": f"in/{name}",
        "status": "kept",
        "url": None,
        "container": None,
        "members": None,
        "blanked": [],
    } | said


def test_one_capture_is_one_line() -> None:
    assert ingested([capture()], []) == ["captured  10000000  Buy milk"]


def test_a_refusal_says_where_and_why() -> None:
    assert ingested([], [refusal()]) == [
        "refused   notes.md line 3: an AWS access key"
    ]
    assert ingested([], [refusal(origin="")]) == ["refused   an AWS access key"]


def test_of_many_captures_some_are_listed() -> None:
    captures = [capture(n) for n in range(1000)]
    lines = ingested(captures, [])

    assert lines[0] == "1,000 captured"
    assert len(lines) == 12
    assert lines[-1] == "captured  … and 990 more (--explain lists all)"
    assert len(ingested(captures, [], explain=True)) == 1001


def test_files_passed_over_are_named_by_kind_and_are_no_faults() -> None:
    pictures = [
        refusal("not-text", f"in/{n}.png") | {"reason": "pictures"}
        for n in range(12)
    ]
    lines = ingested([capture()], [refusal()], pictures)

    assert lines == [
        "1 captured, 12 passed over, 1 refused",
        "captured  10000000  Buy milk",
        "passed over pictures: "
        + ", ".join(f"{n}.png" for n in range(10))
        + ", and 2 more (--explain lists all)",
        "refused   notes.md line 3: an AWS access key",
    ]
    assert "passed over in/11.png: pictures. Use --redact." in ingested(
        [], [], pictures, explain=True
    )


def test_a_container_says_how_many_members_are_new() -> None:
    counts = {"kept": 3, "known": 2, "passed_over": 0, "refused": 1}
    whole = original("all.zip", members=counts)
    member = original("b.eml", container="x", blanked=["password"] * 2)

    assert ingested([], [], [], [whole, member])[1:] == [
        "kept      20000000  all.zip (3 new, 2 known, 1 refused in it)",
        "blanked   password in in/b.eml",
    ]
    assert "kept      20000000  in/b.eml" in ingested(
        [], [], [], [whole, member], explain=True
    )


_AS_TYPED = {"words": ["oslo"], "corrected": [], "loosened": False}


def test_search_marks_every_state_but_active() -> None:
    result = {
        "id": "abcdefghij",
        "title": "Milk",
        "path": "entries/milk.md",
        "state": "active",
        "score": 1.0,
    }
    result |= {
        "snippet": "buy\n  milk ",
        "event_time": None,
        "quarantined": False,
        "statement": None,
        "link": None,
    }
    pending = result | {"path": None, "state": "pending", "snippet": ""}

    assert list(
        search.text(
            {
                "query": "milk",
                "as_of": None,
                "called": [],
                "results": [result, pending],
                **_AS_TYPED,
            }
        )
    ) == [
        "Milk: buy milk  · entries/milk.md",
        "Milk  (pending)  · abcdefgh",
    ]


def test_search_names_the_note_that_it_found_on_a_page_of_many() -> None:
    result = {
        "id": "abcdefghij",
        "title": "Anna",
        "path": "entries/Anna.md",
        "state": "active",
        "score": 1.0,
        "snippet": "Anna lives in Oslo.",
        "event_time": None,
        "quarantined": False,
        "statement": "0123456789ab",
        "when": "2026-03-02 09:14",
        "link": "[[Anna#^0123456789ab]]",
        "lost": False,
    }
    doc = {"query": "oslo", "as_of": None, "called": [], "results": [result]}
    doc |= _AS_TYPED
    assert list(search.text(doc)) == [
        "Anna: Anna lives in Oslo.  · 2026-03-02 09:14 · [[Anna#^0123456789ab]]",
    ]
    result["lost"] = True
    (line,) = search.text(doc)
    assert "2026-03-02 09:14 (no longer holds) · [[Anna#" in line


def test_search_explains_every_part_of_every_score_in_a_table() -> None:
    result = {
        "id": "abcdefghij",
        "title": "Anna",
        "path": "entries/Anna.md",
        "state": "active",
        "score": 3.5,
        "parts": {"words": 2.5, "beside": 1.0},
        "snippet": "",
        "quarantined": False,
        "statement": None,
        "link": None,
    }
    other = result | {"score": 12.0, "parts": {"words": 2.0, "title": 10.0}}
    doc = {"query": "oslo", "called": [], "results": [other, result]}
    doc |= _AS_TYPED

    assert list(search.text(doc, explain=True))[-3:] == [
        "score  words  title  beside  of",
        "12.00   2.00  10.00          1 Anna",
        " 3.50   2.50           1.00  2 Anna",
    ]


def test_an_answer_names_each_note_once_however_many_claims_it_makes() -> None:
    """What went up to an amount is that amount, too: two claims of one note."""
    source = {
        "id": "1",
        "capture": "b1beb61c" * 5,
        "told_at": "2026-10-07T18:00:00.000000Z",
        "source": None,
    }
    step = {
        "subject": "The fee",
        "predicate": "is",
        "object": "14 €",
        "sources": [source, {**source, "id": "2"}],
    }
    doc = {
        "known": True,
        "conflict": [],
        "answers": [{"value": "14 €", "disputed": False, "path": [step]}],
        "objections": [],
        "passages": [],
        "left_out": 0,
    }
    said = list(ask.text({**doc, "over_budget": False}))
    assert said[1:] == ["  The fee · is: 14 €  · b1beb61c 2026-10-07 18:00"]


def test_a_night_ends_with_the_commit_to_look_at() -> None:
    item = {
        "capture": "c" * 64,
        "entry": "e",
        "path": "entries/milk.md",
        "title": "Milk",
        "bucket": "high",
    }
    item |= {
        "quarantined": False,
        "relations": [],
        "reason": "New page. (cohesion 0.71 (high))",
    }
    doc = {
        "run": "r",
        "commit": "abc1234def",
        "integrated": [item],
        "waiting": [],
        "left_out": [],
        "judged": [],
        "counts": {},
        "notes": [],
    }

    assert list(consolidate.text(doc)) == [
        "integrated 1 capture",
        "  cccccccc → entries/milk.md  Milk",
        "           New page.",
        "commit abc1234d · git show abc1234d",
    ]
    explained = list(consolidate.text(doc, explain=True))
    assert explained[2] == "           New page. (cohesion 0.71 (high))"
    nothing = doc | {"run": None, "commit": None, "integrated": []}
    assert list(consolidate.text(nothing)) == ["nothing to consolidate"]


def test_notes_that_stand_alone_have_one_line_for_all() -> None:
    day = "journal/2026/2026-11-22.md"
    alone = {
        "capture": "a" * 64,
        "path": day,
        "title": "2026-11-22",
        "quarantined": False,
        "reason": "Stands on its day, 2026-11-22: no page is named or near. (rule: unknown)",
    }
    doubted = alone | {
        "capture": "b" * 64,
        "reason": alone["reason"] + " May disagree with an earlier note.",
    }
    distant = alone | {
        "reason": "Stands on its day, 2026-11-22: no page is near enough. (nearness 0.31 of 0.45)",
    }
    doc = {
        "commit": None,
        "waiting": [],
        "left_out": [],
        "judged": [],
        "counts": {},
        "notes": [],
        "integrated": [alone, doubted, distant],
    }
    lines = list(consolidate.text(doc))

    assert lines[:3] == [
        "integrated 3 captures",
        f"  2 notes stand alone in {day}; none is near a page",
        f"  bbbbbbbb → {day}  2026-11-22",
    ]
    assert not any("aaaaaaaa" in line for line in lines)
    (one,) = [
        line
        for line in consolidate.text(doc | {"integrated": [alone]})
        if "alone" in line
    ]
    assert one == f"  1 note stands alone in {day}; it is near no page"
    later = alone | {"path": "journal/2026/2026-11-23.md"}
    lines = list(consolidate.text(doc | {"integrated": [alone, later]}))
    assert (
        lines[1] == "  2 notes stand alone in 2 day pages; none is near a page"
    )
    kept_apart = alone | {"capture": "c" * 64, "quarantined": True}
    lines = list(consolidate.text(doc | {"integrated": [alone, kept_apart]}))
    assert lines[1] == f"  1 note stands alone in {day}; it is near no page"
    assert lines[2].endswith("2026-11-22  (quarantined)")
    # what will happen, and why it did, is told note by note
    for told in (
        consolidate.text(doc | {"dry_run": True}),
        consolidate.text(doc, explain=True),
    ):
        assert sum("aaaaaaaa" in line for line in told) == 2


def test_the_log_has_one_line_per_run() -> None:
    run = {
        "run": "r",
        "operation": "consolidate",
        "time": "2026-11-21T22:00:00.000000Z",
        "commit": "abc1234def",
        "pages": [],
    }

    assert list(
        log.text(
            {"runs": [run | {"counts": {}, "summary": "3 captures, 3 pages"}]}
        )
    ) == ["2026-11-21 22:00  consolidate  abc1234d  3 captures, 3 pages"]


def test_the_log_names_three_pages_of_a_run_and_counts_the_others() -> None:
    run = {
        "run": "r",
        "operation": "consolidate",
        "time": "2026-11-21T22:00:00.000000Z",
        "commit": None,
        "counts": {},
        "summary": "6 captures",
    }
    pages = [{"title": f"P{n}", "notes": 3 if n == 0 else 1} for n in range(5)]
    (line,) = log.text({"runs": [run | {"pages": pages}]})
    assert line.endswith("  6 captures: P0 (3 notes), P1, P2, 2 more")


@pytest.mark.parametrize(
    ("count", "noun", "said"),
    [
        (1, "page", "1 page"),
        (0, "page", "0 pages"),
        (2000, "entry", "2,000 entries"),
    ],
)
def test_counts_are_spelled(count: int, noun: str, said: str) -> None:
    assert many(count, noun) == said


def test_why_names_each_run_once_and_what_each_event_is_about() -> None:
    event: dict[str, Any] = {
        "time": "2026-11-21T22:00:00.000000Z",
        "run": "2026-11-21-consolidate-ab",
    }
    event |= {
        "operation": "consolidate",
        "event": "created",
        "subject": "e" * 16,
        "entry": "e" * 16,
    }
    event |= {"reason": "new page", "detail": {}}
    taken = event | {
        "event": "consumed",
        "subject": "c" * 64,
        "reason": "integrated",
    }
    doc = {
        "target": "milk",
        "kind": "entry",
        "id": "e" * 16,
        "title": "Milk",
        "events": [event, taken],
    }

    assert list(why.text(doc)) == [
        "Milk  (entry)",
        "  2026-11-21 22:00  consolidate  2026-11-21-consolidate-ab",
        "    created     new page",
        "    consumed    cccccccc: integrated",
    ]
    run = {
        **doc,
        "kind": "run",
        "id": "2026-11-21-consolidate-ab",
        "title": None,
    }
    run["events"] = [event | {"detail": {"path": "entries/milk.md"}}]
    first, _, last = why.text(run)
    assert (first, last) == (
        "2026-11-21-consolidate-ab  (run)",
        "    created     entries/milk.md: new page",
    )


def test_a_night_that_only_heard_or_recorded_something_says_what() -> None:
    doc: dict[str, Any] = {
        "run": "r",
        "commit": "abc1234def",
        "integrated": [],
        "waiting": [],
        "left_out": [],
    }

    heard = consolidate.text({**doc, "counts": {"sighted": 2}, "notes": []})
    assert next(iter(heard)) == "told again: 2 notes already in the wiki"
    recorded = consolidate.text({**doc, "counts": {"sighted": 0}, "notes": []})
    assert next(iter(recorded)) == "recorded what you committed yourself"


def test_status_says_what_a_push_leaves_behind() -> None:
    doc: dict[str, Any] = {
        "wiki": "/w",
        "branch": "main",
        "head": None,
        "as_of": None,
        "entries": {"active": 0},
        "notes_on_pages": {"notes": 0, "on_days": 0, "lost": 0},
        "set_aside": 0,
        "reasoner": "light",
        "to_review": 2,
        "to_audit": 1,
        "audits": {"entries": 0, "last": None, "to_settle": 0},
    }
    doc |= {
        "pending": 1,
        "branches": {
            "open": 2,
            "nearest": {
                "name": "x-1",
                "against": "X",
                "pressure": 1.0,
                "threshold": 2.0,
            },
        },
        "usage": {"waiting": 3, "entries": 0, "queries": 0},
        "waiting": 0,
        "gravity": None,
        "held": [],
        "sightings": 1,
        "runs": 0,
        "last_run": None,
        "sources": {"pending": 2, "unread": 1, "locked": 0},
        "nights": {"recorded": 0, "last": None, "waits": "", "missed": []},
        "leaves_machine": [],
        "notes": [],
    }
    doc["state"] = {"folder": "/w/.git/companion", "why": "inside git's own"}
    lines = list(
        status.text(
            doc
            | {
                "only_here": {
                    "captures_not_in_git": 1,
                    "captures_on_no_remote": 1,
                    "originals_on_no_remote": 0,
                    "commits_on_no_remote": 3,
                    "refs": ["refs/companion/buffer"],
                }
            }
        )
    )

    said = "only here 1 note not in git yet, 3 commits on no remote, refs/companion/buffer "
    said += "(a plain git push leaves it behind)"
    assert (
        "branches  2 open; the nearest, against “X”, is at 50% (`companion branches`)"
        in lines
    )
    assert (
        "to review 2 questions (`companion review`)" in lines
        and "reasoner  light" in lines
    )
    assert said in lines and "leaves    nothing leaves this machine" in lines
