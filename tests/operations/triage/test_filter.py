"""TRIAGE: what it refuses and why, what it keeps, and that it does nothing else (MaM §5.2, TRI-1 to
TRI-8).
"""

import hashlib
import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.operations.triage import filter as triage
from companion.operations.triage.filter import (
    from_record,
    ignored_fields,
    judge,
)
from companion.values.captures import (
    Draft,
    heading,
    link_placeholders,
    make_capture,
    make_sighting,
)
from companion.values.refusals import LONGEST_AGENT, MAX_BYTES, Refusal

NOW = "2026-11-21T22:00:00.000000Z"


def refused(draft: Draft) -> Refusal:
    verdict = judge(draft)
    assert isinstance(verdict, Refusal)
    assert verdict.reason and verdict.hint
    assert verdict.origin == draft.origin
    return verdict


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\n\r\n\t",
        "\u200b\u200d\ufeff",
        "\x1b\x07",
        "\u3000\u2003",
        " \u00ad\x00 ",
        "\ufe0f",
        "\U000e0041",
    ],
)
def test_garbage_is_refused(text: str) -> None:
    assert refused(Draft(text, origin="here")).kind == "empty"


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "?",
        "\U0001fae9",
        "é",
        "\ue000",
        "ㅤ.",
        "\x1b[31mred",
        "-rf",
        "no",
        "0",
    ],
)
def test_whatever_can_be_seen_is_kept_as_it_is(text: str) -> None:
    assert judge(Draft(text)) == Draft(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("one\ntwo\0", "a NUL character at 2:4"),
        ("one\n\ud800", "half a surrogate pair at 2:1"),
        ("\udfff.", "at 1:1"),
    ],
)
def test_broken_structure_is_refused_with_its_place(
    text: str, reason: str
) -> None:
    refusal = refused(Draft(text, origin="a.jsonl line 3"))

    assert refusal.kind == "structure"
    assert reason in refusal.reason


def test_the_limit_counts_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(triage, "MAX_BYTES", 10)

    assert judge(Draft("é" * 5)) == Draft("é" * 5)
    assert refused(Draft("é" * 5 + "x")).kind == "too-large"
    assert refused(Draft("x" * 11)).kind == "too-large"
    assert MAX_BYTES == 64 * 1024 * 1024


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("scope", "secret"),
        ("scope", ""),
        ("scope", "Shared"),
        ("priority", -0.01),
        ("priority", 1.01),
        ("priority", math.nan),
        ("priority", math.inf),
        ("priority", True),
        ("title", "x" * 501),
        ("title", "a\nb"),
        ("title", "a\x1b[31m"),
        ("title", "a\u2028b"),
        ("title", "\ud800"),
        ("agent", "a\0b"),
        ("source", "a\rb"),
        ("source", "x" * 4097),
        ("channel", "a\x85"),
        ("channel", ""),
        ("event_time", "yesterday"),
        ("event_time", "2026-02-30"),
        ("event_time", ""),
        ("event_time", "x" * 10_000),
    ],
)
def test_bad_fields_are_refused_by_name(field: str, value: object) -> None:
    refusal = refused(Draft("text", origin="here")._replace(**{field: value}))  # type: ignore[arg-type]

    assert refusal.kind == "field"
    assert refusal.reason.startswith(f"`{field}`")


def test_fields_become_canonical_and_the_text_does_not() -> None:
    text = "\ufeff---\r\nx: 1\r\n---\r\n  trailing  \r\n\r\n"
    draft = Draft(
        text,
        title="  A  ",
        event_time="2026-03-01",
        source="",
        agent="",
        priority=1,
    )

    assert judge(draft) == Draft(
        text, title="A", event_time="2026-03-01T00:00:00.000000Z", priority=1.0
    )
    assert make_capture(draft, NOW).content == text.encode()


def test_secrets_are_refused_with_kind_place_and_count() -> None:
    refusal = refused(
        Draft(
            "fine\n  password: hunter2",
            title="hf_" + "aB3dE6gH9j" * 4,
            source="https://u:hunter2@h/",
        )
    )

    assert refusal.kind == "secret"
    assert refusal.reason == (
        "3 secrets: password at 2:13, Hugging Face token in the title, password in a URL in the"
        " source"
    )
    assert "--redact" in refusal.hint and "--store-anyway" in refusal.hint
    assert "hunter2" not in repr(refusal)


def test_many_secrets_are_counted_not_listed() -> None:
    refusal = refused(Draft("password: hunter2\n" * 9))

    assert refusal.reason.startswith("9 secrets: ")
    assert refusal.reason.endswith(" and 4 more")


def test_secrets_have_two_ways_through() -> None:
    draft = Draft(
        "password: hunter2",
        title="password: hunter2",
        source="https://u:hunter2@h/",
    )

    assert judge(draft, store_anyway=True) == draft
    assert judge(draft, redact=True) == Draft(
        "password: [redacted: password]",
        title="password: [redacted: password]",
        source="https://u:[redacted: password in a URL]@h/",
    )


@given(st.text(), st.booleans(), st.booleans())
def test_nothing_else_is_refused_and_nothing_is_changed(
    text: str, redact: bool, store_anyway: bool
) -> None:
    verdict = judge(
        Draft(text, origin="x"), redact=redact, store_anyway=store_anyway
    )

    if isinstance(verdict, Refusal):
        assert verdict.kind in {"empty", "structure", "secret"}
    elif store_anyway or not redact:
        assert verdict.text == text
        assert (
            judge(verdict, redact=redact, store_anyway=store_anyway) == verdict
        )


@given(st.text(min_size=1))
def test_the_id_is_the_content_alone(text: str) -> None:
    one = make_capture(
        Draft(text, source="a", agent="b", scope="private", priority=0.9), NOW
    )
    other = make_capture(
        Draft(text, channel="file"), "2030-01-01T00:00:00.000000Z"
    )

    assert one.id == other.id == hashlib.sha256(text.encode()).hexdigest()
    assert one.ingested_at == NOW


def test_the_blob_is_gits() -> None:
    taken = make_capture(Draft("a note\r\nwith é\n"), NOW)
    git = subprocess.run(
        ["git", "hash-object", "--stdin"],
        input=taken.content,
        capture_output=True,
        check=True,
    )

    assert taken.blob == git.stdout.decode().strip()


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# A title\nbody", "A title"),
        ("#\tTab #  \r\nbody", "Tab"),
        ("\ufeff# After a mark", "After a mark"),
        ("   # Indented ###", "Indented"),
        ("# C# and #", "C# and"),
        ("# C#", "C#"),
        ("# [[Link]] *x*", "[[Link]] *x*"),
        ("## Second", None),
        ("#Tag", None),
        ("    # Code", None),
        ("\n# Later", None),
        ("---\n# x", None),
        ("# ", None),
        ("# ##", None),
        ("#", None),
        ("plain", None),
        ("# " + "x" * 501, None),
        ("# " + "x" * 500, "x" * 500),
        ("# a\x1b[1m", None),
        ("x" * 3000, None),
    ],
)
def test_the_first_line_may_be_the_title(text: str, title: str | None) -> None:
    assert heading(text) == title
    assert make_capture(Draft(text), NOW).title == title
    assert make_capture(Draft(text, title="Given"), NOW).title == "Given"


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        (
            "see [[B]] and [[A|the a]] and [[B#part|b]] ![[pic.png]]",
            ("B", "A", "pic.png"),
        ),
        ("| [[a\\|x]] | [[ spaced ]] |", ("a", "spaced")),
        ("[[]] [[#here]] [[ ]] [[open\n]] [x](y.md) [[[[z]]]]", ("z",)),
        ("[[" * 50_000, ()),
        ("none", ()),
    ],
)
def test_candidate_edges_are_the_targets_as_written(
    text: str, targets: tuple[str, ...]
) -> None:
    assert link_placeholders(text) == targets


def test_candidate_edges_are_few() -> None:
    assert link_placeholders(
        "".join(f"[[n{n}]]" for n in range(50_000))
    ) == tuple(f"n{n}" for n in range(64))


def test_a_sighting_says_who_where_and_when() -> None:
    draft = Draft(
        "x", source="chat", channel="jsonl", agent="claude", scope="private"
    )
    told = judge(draft._replace(event_time="2026-03-01T10:00+02:00"))
    assert isinstance(told, Draft)

    assert make_sighting(draft, "id", NOW)[:4] == ("id", NOW, NOW, False)
    assert make_sighting(told, "id", NOW)[:4] == (
        "id",
        NOW,
        "2026-03-01T08:00:00.000000Z",
        True,
    )
    assert make_sighting(told, "id", NOW, device="desk")[4:] == (
        "chat",
        "jsonl",
        "claude",
        "private",
        120,
        "desk",
    )


DEFAULTS = Draft("", channel="jsonl", source="chat.jsonl", agent="importer")


def test_a_record_says_what_it_wants_and_the_rest_is_default() -> None:
    record = {
        "text": "hi",
        "agent": None,
        "source": "",
        "scope": "private",
        "priority": 1,
        "likes": 3,
    }

    assert from_record(
        record, origin="chat.jsonl line 7", defaults=DEFAULTS
    ) == Draft(
        "hi",
        channel="jsonl",
        source="chat.jsonl",
        agent="importer",
        scope="private",
        priority=1,
        origin="chat.jsonl line 7",
    )
    assert ignored_fields(record) == {"likes"}
    assert ignored_fields([1]) == frozenset()


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        ([], "json"),
        ("text", "json"),
        (None, "json"),
        ({}, "field"),
        ({"text": None}, "field"),
        ({"text": ""}, "empty"),
        ({"text": 5}, "field"),
        ({"text": ["a"]}, "field"),
        ({"text": "x", "priority": "high"}, "field"),
        ({"text": "x", "priority": True}, "field"),
        ({"text": "x", "event_time": 1700000000}, "field"),
        ({"text": "x", "title": {}}, "field"),
        ({"text": "x", "origin": "y", "scope": False}, "field"),
    ],
)
def test_a_record_of_the_wrong_shape_is_refused(
    record: object, kind: str
) -> None:
    verdict = from_record(record, origin="line 1", defaults=DEFAULTS)

    assert isinstance(verdict, Refusal)
    assert (verdict.origin, verdict.kind) == ("line 1", kind)
    assert verdict.hint


def test_a_record_cannot_forge_its_origin() -> None:
    draft = from_record(
        {"text": "x", "origin": "elsewhere"}, origin="line 1", defaults=DEFAULTS
    )

    assert draft.origin == "line 1"


def test_it_has_no_handle_to_anything() -> None:
    """TRI-5 by construction: no file, database or clock module comes with it, and nothing heavy
    either.
    """
    code = (
        "import sys; before = set(sys.modules); import companion.operations.triage.filter;"
        " print(*set(sys.modules) - before)"
    )
    loaded = subprocess.run(
        [sys.executable, "-I", "-c", code],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()

    assert "companion.privacy.secret_formats" in loaded
    banned = {
        "dataclasses",
        "pathlib",
        "inspect",
        "sqlite3",
        "subprocess",
        "socket",
        "hashlib",
        "json",
        "pygit2",
        "yaml",
    }
    assert not banned & set(loaded)
    assert not [name for name in loaded if name.startswith("companion.storage")]


def test_channels_of_what_a_night_reads_are_refused():
    """A note that came through one would wait for a reading that never was."""
    refused = judge(Draft("A thought.", channel="source-turn"))
    assert isinstance(refused, Refusal)
    assert "`channel` begins with source-" in refused.reason
    assert not isinstance(judge(Draft("A thought.", channel="source")), Refusal)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        (" \n", "nothing but white space"),
        ("\u200b", "nothing but characters that cannot be seen"),
        (" \x07", "nothing but characters that cannot be seen"),
    ],
)
def test_what_is_empty_says_how(text: str, words: str) -> None:
    assert refused(Draft(text)).reason == words


def test_what_is_seen_late_is_seen() -> None:
    for text in (" " * 80 + "x", "\u200b" * 500 + "?"):
        assert judge(Draft(text)) == Draft(text)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", "x" * 500),
        ("source", "x" * 4096),
        ("channel", "x" * 200),
        ("agent", "x" * LONGEST_AGENT),
        ("priority", 0.0),
        ("priority", 1.0),
        ("scope", "private"),
    ],
)
def test_fields_on_the_border_are_kept(field: str, value: object) -> None:
    draft = Draft("text")._replace(**{field: value})  # type: ignore[arg-type]
    assert judge(draft) == draft


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("title", "x" * 501, "`title` has 501 characters, more than 500"),
        ("channel", "x" * 201, "`channel` has 201 characters, more than 200"),
        ("title", "a\nb", "`title` has control characters"),
        ("channel", "", "`channel` is empty"),
        ("scope", "open", "`scope` must be `shared` or `private`"),
        ("priority", 2, "`priority` must be a number from 0 to 1"),
        ("priority", "1", "`priority` must be a number from 0 to 1"),
    ],
)
def test_a_bad_field_says_what_is_wrong_and_which_option_gives_another(
    field: str, value: object, reason: str
) -> None:
    refusal = refused(Draft("text")._replace(**{field: value}))  # type: ignore[arg-type]
    assert refusal.reason == reason
    assert f"--{field} " in refusal.hint


def test_a_field_of_two_words_is_an_option_with_a_dash() -> None:
    refusal = refused(Draft("text", event_time="2026-02-30"))
    assert refusal.reason.startswith("`event_time`: ")
    assert refusal.reason[14].islower() and not refusal.reason.endswith(".")
    typed = from_record(
        {"text": "x", "event_time": 5}, origin="o", defaults=DEFAULTS
    )
    assert isinstance(typed, Refusal)
    assert "--event-time" in typed.hint and "`event_time`" in typed.hint


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (True, "true or false"),
        (1, "a number"),
        (1.5, "a number"),
        ([], "a list"),
        ({}, "an object"),
    ],
)
def test_a_field_of_the_wrong_type_says_which_it_has(
    value: object, kind: str
) -> None:
    record = {"text": "x", "title": value}
    refusal = from_record(record, origin="o", defaults=DEFAULTS)
    assert isinstance(refusal, Refusal)
    assert refusal.reason == f"`title` must be a string, not {kind}"


def test_a_priority_of_the_wrong_type_says_which_it_has() -> None:
    for value, kind in (("high", "a string"), (True, "true or false")):
        record = {"text": "x", "priority": value}
        refusal = from_record(record, origin="o", defaults=DEFAULTS)
        assert isinstance(refusal, Refusal)
        assert refusal.reason == f"`priority` must be a number, not {kind}"


@pytest.mark.parametrize(
    ("count", "start", "more"),
    [(1, "1 secret: ", ""), (5, "5 secrets: ", ""), (6, "6 ", " and 1 more")],
)
def test_five_secrets_are_named(count: int, start: str, more: str) -> None:
    reason = refused(Draft("password: hunter2\n" * count)).reason
    assert reason.startswith(start)
    assert reason.count("password at") == min(count, 5)
    assert reason.endswith(more or f"{count}:11")


@pytest.mark.parametrize("field", ["title", "source", "channel", "agent"])
def test_a_secret_in_a_field_is_found_and_blanked(field: str) -> None:
    draft = Draft("text")._replace(**{field: "password: hunter2"})
    assert refused(draft).reason == f"1 secret: password in the {field}"
    clean = judge(draft, redact=True)
    assert isinstance(clean, Draft)
    assert getattr(clean, field) == "password: [redacted: password]"


def test_who_stores_anyway_keeps_what_would_be_blanked() -> None:
    draft = Draft("password: hunter2")
    assert judge(draft, store_anyway=True, redact=True) == draft


def test_the_offset_belongs_to_the_time_that_it_was_given_with() -> None:
    defaults = DEFAULTS._replace(utc_offset=120)
    plain = from_record({"text": "x"}, origin="o", defaults=defaults)
    dated = from_record(
        {"text": "x", "event_time": "2026-03-01"}, origin="o", defaults=defaults
    )
    assert isinstance(plain, Draft) and plain.utc_offset == 120
    assert isinstance(dated, Draft) and dated.utc_offset is None
    told = judge(Draft("x", event_time="2026-03-01T10:00+02:00"))
    kept = judge(Draft("x", event_time="2026-03-01", utc_offset=60))
    assert isinstance(told, Draft) and told.utc_offset == 120
    assert isinstance(kept, Draft) and kept.utc_offset == 60
