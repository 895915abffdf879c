"""CONSOLIDATE plans, touching nothing: the same arguments give the same plan, and every capture is
in it once.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from companion.comparison.pending import (
    ConsolidationPlan,
    PendingCapture,
    TitledPage,
    WikiContext,
)
from companion.operations.consolidate.events import make_plan_lines
from companion.operations.consolidate.plan import (
    plan_consolidation,
    score_buffer,
)
from companion.pages import page
from companion.pages.links import key
from companion.values.captures import Draft, make_capture, make_sighting
from companion.values.time import after

TIME = "2026-11-01T00:00:00.000000Z"


def told(*drafts: Draft | str, private: bool = False) -> list[PendingCapture]:
    """The drafts as pending captures, a microsecond apart."""
    found, now = [], TIME
    for draft in drafts:
        draft = Draft(draft) if isinstance(draft, str) else draft
        capture = make_capture(draft, now)
        found.append(
            PendingCapture(
                capture,
                (make_sighting(draft, capture.id, now),),
                private=private,
            )
        )
        now = after(now)
    return found


def wiki(
    titles: Mapping[str, Sequence[TitledPage]] | None = None,
    taken: Sequence[str] = (),
    texts: Mapping[str, str] | None = None,
    blocked: Mapping[str, str] | None = None,
    waiting: Mapping[str, str] | None = None,
) -> WikiContext:
    return WikiContext(
        titles or {},
        taken.__contains__,
        texts or {},
        blocked or {},
        lambda target: False,
        waiting or {},
    )


def telling(sighting: Any) -> dict[str, Any]:
    return {"seen_at": sighting.seen_at}


def events(done: ConsolidationPlan) -> list[dict[str, Any]]:
    return make_plan_lines(done, telling, lambda path: "b" * 40)


def test_titles_group_and_the_rest_stand_alone() -> None:
    done = plan_consolidation(
        told("# A\n\none", "no title", "# a\n\ntwo", "nor this"), wiki()
    )
    assert [len(sheet.captures) for sheet in done.pages] == [2, 1, 1]
    assert [sheet.path for sheet in done.pages] == [
        "entries/2026/11/A.md",
        "entries/2026/11/no title.md",
        "entries/2026/11/nor this.md",
    ]
    assert "2 captures share its title" in done.pages[0].reason


def test_a_managed_page_grows_and_a_blocked_one_makes_its_captures_wait() -> (
    None
):
    target = TitledPage("id", "x/A.md", "blob", True)
    pending = told("# A\n\nnew")
    grown = plan_consolidation(
        pending, wiki({"a": [target]}, texts={"x/A.md": "old\r\n"})
    ).pages[0]
    assert (grown.entry, grown.path, grown.base_blob) == (
        "id",
        "x/A.md",
        "blob",
    )
    id = pending[0].capture.id[:12]
    assert grown.content.decode() == (
        f"old\r\n\r\n## 2026-11-01\r\n\r\nnew ^{id}\r\n"
    )
    held = plan_consolidation(
        pending, wiki({"a": [target]}, blocked={"x/A.md": "is being edited"})
    )
    assert held.pages == ()
    assert [(wait.reason, wait.new) for wait in held.waits] == [
        ("x/A.md is being edited", True)
    ]
    known = {pending[0].capture.id: "x/A.md is being edited"}
    again = plan_consolidation(
        pending,
        wiki(
            {"a": [target]},
            blocked={"x/A.md": "is being edited"},
            waiting=known,
        ),
    )
    assert [wait.new for wait in again.waits] == [False]
    assert events(again) == []


def test_a_page_of_theirs_is_linked_never_grown() -> None:
    theirs = TitledPage("id", "Notes/A.md", "blob", False)
    sheet = plan_consolidation(
        told("# A\n\nnew"), wiki({"a": [theirs]}, taken=["a"])
    ).pages[0]
    assert sheet.path == "entries/2026/11/A (2).md"
    assert sheet.content.decode().endswith("See also [[Notes/A|A]].\n")
    assert "beside yours" in sheet.reason


def test_what_was_told_in_private_waits_alone_and_counts_for_nothing() -> None:
    open_ones = told("# A\n\none [[x]]", "two [[x]]")
    private = told("# A\n\nhidden [[x]]", private=True)
    with_it, without = (
        plan_consolidation([*private, *open_ones], wiki()),
        plan_consolidation(open_ones, wiki()),
    )
    assert with_it.pages == without.pages
    assert [wait.told.capture.id for wait in with_it.waits] == [
        private[0].capture.id
    ]
    assert events(with_it) == events(without)


def test_a_capture_without_bytes_waits_alone() -> None:
    lost, kept = told("# A\n\none", "# A\n\ntwo")
    done = plan_consolidation([lost._replace(lost=True), kept], wiki())
    assert [c.capture.id for sheet in done.pages for c in sheet.captures] == [
        kept.capture.id
    ]
    assert "missing" in done.waits[0].reason


def test_phase_one_knows_only_the_buffer() -> None:
    scores = score_buffer(
        told("# A\n\n[[x]]", "# A\n\n[[x]] [[y]]", "[[X]]", "alone")
    )
    assert [tuple(score) for score in scores.values()] == [
        (1, 2),
        (1, 2),
        (0, 2),
        (0, 0),
    ]


def test_the_folder_follows_the_event_time() -> None:
    drafts = [
        Draft("old", event_time="1999-02-03T00:00:00.000000Z"),
        Draft("new"),
    ]
    assert [
        s.path for s in plan_consolidation(told(*drafts), wiki()).pages
    ] == [
        "entries/1999/02/old.md",
        "entries/2026/11/new.md",
    ]


def test_a_growing_page_that_is_no_utf8_keeps_its_bytes() -> None:
    text = b"caf\xe9\n".decode("utf-8", "surrogateescape")
    target = TitledPage("id", "A.md", "blob", True)
    sheet = plan_consolidation(
        told("# A\n\nnew"), wiki({"a": [target]}, texts={"A.md": text})
    ).pages[0]
    assert sheet.content.startswith(b"caf\xe9\n")


def test_bytes_may_be_handed_over_when_they_are_needed() -> None:
    pending = told("# A\n\none", "two")
    contents = {item.capture.id: item.capture.content for item in pending}
    light = [
        item._replace(capture=item.capture._replace(content=b""))
        for item in pending
    ]
    assert plan_consolidation(
        light, wiki(), contents=contents
    ) == plan_consolidation(pending, wiki())


titles = st.sampled_from(
    [None, "A", "a", "A/B", "a b", "con", "..", "漢字", "x" * 400]
)
texts = st.text(
    st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40
).filter(str.strip)


@given(
    st.lists(
        st.tuples(texts, titles), max_size=12, unique_by=lambda pair: pair[0]
    ),
    st.booleans(),
)
def test_every_capture_is_integrated_or_waits_and_the_plan_is_a_function(
    said: list[tuple[str, str | None]], private: bool
) -> None:
    pending = told(
        *(Draft(text, title=title) for text, title in said), private=private
    )
    done = plan_consolidation(pending, wiki(taken=["a"]))
    assert done == plan_consolidation(pending, wiki(taken=["a"]))
    placed = [c.capture.id for s in done.pages for c in s.captures] + [
        w.told.capture.id for w in done.waits
    ]
    assert sorted(placed) == sorted(item.capture.id for item in pending)
    names = [key(sheet.path) for sheet in done.pages]
    assert len(set(names)) == len(names)
    assert "a" not in names
    for sheet in done.pages:
        parsed = page.parse(sheet.content.decode(), sheet.path)
        assert (parsed.id, parsed.managed) == (sheet.entry, True)
        contents = [
            item.capture.content.decode()
            for item in pending
            if item.capture.id == sheet.captures[0].capture.id
        ]
        assert contents[0] in sheet.content.decode()
    consumed = [
        event["capture"] for event in events(done) if event["e"] == "consumed"
    ]
    assert sorted(consumed) == sorted(
        c.capture.id for s in done.pages for c in s.captures
    )
