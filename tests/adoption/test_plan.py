"""Adoption: what a person did by hand, told apart as rename, edit, deletion or new page."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.adoption.plan import (
    MOST_PAIRS,
    Held,
    Known,
    compare,
    measure_similarity,
    settle,
)


def events(
    held: list[Held], known: list[Known], texts: dict[str, bytes] | None = None
) -> list[tuple[Any, ...]]:
    return [
        (e["e"], e["entry"], e["path"])
        for e in settle(compare(held, known), texts or {})
    ]


def test_each_change_has_its_name() -> None:
    held = [
        Held("edited", "e.md", "b2", True),
        Held("moved", "new/m.md", "b3", True),
        Held("back", "b.md", "b4", True),
        Held("prov", "n.md", "b5", False),
        Held("same", "s.md", "b6", True),
    ]
    known = [
        Known("edited", "e.md", "b1", False),
        Known("moved", "m.md", "b3", False),
        Known("back", "b.md", "b4", True),
        Known("gone", "g.md", "b7", False),
        Known("long gone", "l.md", "b8", True),
        Known("same", "s.md", "b6", False),
    ]
    assert sorted(events(held, known)) == [
        ("deleted", "gone", "g.md"),
        ("edited", "edited", "e.md"),
        ("registered", "back", "b.md"),
        ("registered", "prov", "n.md"),
        ("renamed", "moved", "new/m.md"),
    ]


def test_the_same_content_elsewhere_is_a_rename() -> None:
    assert events(
        [Held("prov", "new.md", "b", False)],
        [Known("id", "old.md", "b", False)],
    ) == [("renamed", "id", "new.md")]


def test_a_rename_must_be_unique_on_both_sides() -> None:
    two = [Held("p1", "a.md", "b", False), Held("p2", "c.md", "b", False)]
    assert sorted(events(two, [Known("id", "old.md", "b", False)])) == [
        ("deleted", "id", "old.md"),
        ("registered", "p1", "a.md"),
        ("registered", "p2", "c.md"),
    ]
    assert ("renamed", "id", "a.md") not in events(
        two[:1],
        [Known("id", "o.md", "b", False), Known("i2", "p.md", "b", False)],
    )


LONG = b"".join(b"line %d\n" % n for n in range(10))


@pytest.mark.parametrize(
    ("new", "kind"),
    [
        (LONG + b"more\n", "renamed"),
        (LONG[:56], "renamed"),
        (LONG[:28] + b"x" * 40, "registered"),
    ],
)
def test_a_rename_with_edits_needs_six_tenths(new: bytes, kind: str) -> None:
    found = events(
        [Held("p", "new.md", "b2", False)],
        [Known("id", "old.md", "b1", False)],
        {"b1": LONG, "b2": new},
    )
    assert found[0][0] == kind


def test_two_candidates_are_no_rename() -> None:
    held = [Held("p1", "a.md", "b2", False), Held("p2", "c.md", "b3", False)]
    texts = {"b1": LONG, "b2": LONG + b"a\n", "b3": LONG + b"b\n"}
    assert {
        kind
        for kind, _, _ in events(
            held, [Known("id", "old.md", "b1", False)], texts
        )
    } == {
        "deleted",
        "registered",
    }


def test_texts_are_asked_for_only_where_they_can_tell() -> None:
    new, old = (
        [Held("p", "new.md", "b", False)],
        [Known("id", "old.md", "c", False)],
    )
    assert compare(new, old).doubtful
    assert not compare(new, []).doubtful
    assert not compare([], old).doubtful
    many = [
        Held(f"p{n}", f"{n}.md", f"n{n}", False) for n in range(MOST_PAIRS + 1)
    ]
    assert not compare(many, old).doubtful


def test_every_event_has_a_reason_without_a_quote() -> None:
    texts = {"b1": b"secret words\n" * 9, "b2": b"secret words\n" * 10}
    for event in settle(
        compare(
            [Held("p", "n.md", "b2", False)], [Known("id", "o.md", "b1", False)]
        ),
        texts,
    ):
        assert event["reason"]
        assert "secret" not in event["reason"]


@given(st.binary(), st.binary())
def test_similarity_is_a_symmetric_share(one: bytes, other: bytes) -> None:
    share = measure_similarity(one, other)
    assert 0 <= share <= 1
    assert share == measure_similarity(other, one)
    assert measure_similarity(one, one) == (1.0 if one else 0.0)


ids = st.sampled_from([f"id{n}" for n in range(5)])
blobs = st.sampled_from(["b1", "b2", "b3"])


@st.composite
def wikis(draw: st.DrawFn) -> tuple[list[Held], list[Known]]:
    paths = [f"{n}.md" for n in range(6)]
    known = [
        Known(
            f"id{n}",
            draw(st.sampled_from(paths)),
            draw(blobs),
            draw(st.booleans()),
        )
        for n in range(draw(st.integers(0, 5)))
    ]
    names = [entry.id for entry in known]
    held = []
    for path in draw(st.lists(st.sampled_from(paths), unique=True)):
        id = draw(st.sampled_from([*names, f"new {path}"]))
        if id in names:
            names.remove(id)
        held.append(Held(id, path, draw(blobs), not id.startswith("new")))
    return held, known


@given(wikis())
def test_every_page_and_every_entry_is_accounted_for_once(
    wiki: tuple[list[Held], list[Known]],
) -> None:
    """After the events, the record is what the tree holds: a second comparison finds nothing."""
    held, known = wiki
    record = {entry.id: entry for entry in known}
    carried: dict[str, str] = {}
    for event in settle(compare(held, known), {}):
        if event["e"] == "deleted":
            record[event["entry"]] = record[event["entry"]]._replace(
                deleted=True
            )
        else:
            record[event["entry"]] = Known(
                event["entry"], event["path"], event["blob"], False
            )
            carried[event["path"]] = event["entry"]
    after = [
        Held(carried.get(p.path, p.id), p.path, p.blob, True) for p in held
    ]
    assert settle(compare(after, record.values()), {}) == []
    assert len({page.id for page in after}) == len(after)
