"""What the arguments of `ingest` mean."""

import io
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.operations.triage import arguments
from companion.operations.triage.arguments import NoSuchFile, UnclearInput
from companion.values.captures import Draft
from companion.values.refusals import MAX_BYTES, Refusal
from companion.values.time import BadTime


def taken(
    args: Sequence[str],
    *,
    lines: bool = False,
    jsonl: str | None = None,
    stdin: bytes | None = None,
    **said: str,
) -> list[Draft | Refusal]:
    stream = None if stdin is None else io.BytesIO(stdin)
    defaults = Draft("", **said)  # type: ignore[arg-type]
    return list(
        arguments.drafts(
            args, lines=lines, jsonl=jsonl, defaults=defaults, stdin=stream
        )
    )


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def texts(items: list[Draft | Refusal]) -> list[str]:
    return [
        item.text if isinstance(item, Draft) else item.kind for item in items
    ]


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["buy milk"], ["buy milk"]),
        (["buy", "milk"], ["buy milk"]),
        (["use", "TCP/IP", "and/or", "UDP"], ["use TCP/IP and/or UDP"]),
        (["buy", "oat milk"], ["buy oat milk"]),
        (
            ["one thought", "another thought"],
            ["one thought", "another thought"],
        ),
        (["see", "https://example.com/a"], ["see https://example.com/a"]),
        (["see /etc/hosts for it"], ["see /etc/hosts for it"]),
        ([""], [""]),
        (["a\0b"], ["a\0b"]),
        (["\ud800"], ["\ud800"]),
        (["x" * 100_000], ["x" * 100_000]),
    ],
)
def test_what_names_no_file_is_text(
    args: list[str], expected: list[str]
) -> None:
    assert texts(taken(args)) == expected


@pytest.mark.parametrize(
    "arg",
    [
        "missing.md",
        "./missing",
        "no/such",
        "/no/such",
        "MISSING.TXT",
        "a.pdf",
        "dir/",
    ],
)
def test_a_mistyped_path_is_an_error_and_nothing_is_captured(arg: str) -> None:
    with pytest.raises(NoSuchFile) as told:
        arguments.drafts(
            ["a thought", arg],
            lines=False,
            jsonl=None,
            defaults=Draft(""),
            stdin=None,
        )

    assert told.value.exit_code == 2
    assert arg in str(told.value)
    with pytest.raises(NoSuchFile):
        taken([arg])


def test_an_existing_file_or_folder_is_read(folder: Path) -> None:
    (folder / "notes").mkdir()
    (folder / "notes" / "a.md").write_text("alpha")
    (folder / "with space.md").write_text("beta")

    items = taken(["notes", "with space.md"])

    assert texts(items) == ["alpha", "beta"]
    assert {item.channel for item in items if isinstance(item, Draft)} == {
        "file"
    }


def test_bare_words_beside_a_folder_are_not_guessed_about(folder: Path) -> None:
    (folder / "docs").mkdir()

    with pytest.raises(UnclearInput):
        taken(["fix", "docs"])
    assert texts(taken(["fix the docs", "docs"])) == ["fix the docs"]


def test_standard_input_is_read_for_a_dash_or_for_no_argument() -> None:
    assert texts(taken(["-"], stdin=b"a\nb\n")) == ["a\nb\n"]
    assert texts(taken([], stdin=b"a\nb\n")) == ["a\nb\n"]
    assert [
        item.channel
        for item in taken([], stdin=b"a")
        if isinstance(item, Draft)
    ] == ["stdin"]
    with pytest.raises(UnclearInput):
        taken([])
    with pytest.raises(UnclearInput):
        taken(["-"])


def test_a_stream_that_is_no_text_is_refused_in_its_place() -> None:
    assert texts(taken(["-", "and a thought"], stdin=b"caf\xe9")) == [
        "encoding",
        "and a thought",
    ]


def test_a_stream_that_is_too_large_is_refused() -> None:
    assert texts(taken(["-"], stdin=b"x" * (MAX_BYTES + 1))) == ["too-large"]


def test_every_line_is_a_capture_of_its_own(folder: Path) -> None:
    (folder / "list.txt").write_text("c\n\nd")

    assert texts(
        taken(["-", "list.txt", "e f\ng h"], lines=True, stdin=b"a\nb\n")
    ) == [
        "a",
        "b",
        "c",
        "d",
        "e f",
        "g h",
    ]


def test_json_lines_say_what_they_say_and_the_options_the_rest(
    folder: Path,
) -> None:
    (folder / "x.jsonl").write_text(
        '{"text": "a", "source": "Ada"}\nnonsense\n{"text": "b"}\n'
    )

    items = taken([], jsonl="x.jsonl", source="Grace", channel="mail")

    assert [
        (item.text, item.source, item.channel)
        if isinstance(item, Draft)
        else item.kind
        for item in items
    ] == [
        ("a", "Ada", "mail"),
        "json",
        ("b", "Grace", "mail"),
    ]
    assert texts(taken([], jsonl="-", stdin=b'{"text": "c"}')) == ["c"]
    with pytest.raises(NoSuchFile):
        taken([], jsonl="missing")
    with pytest.raises(UnclearInput):
        taken(["more"], jsonl="x.jsonl")


def test_an_event_time_is_understood_before_anything_is_captured() -> None:
    assert taken(["a b"], event_time="2026-03-01")[0] == Draft(
        "a b", event_time="2026-03-01T00:00:00.000000Z"
    )
    with pytest.raises(BadTime):
        taken(["a b"], event_time="yesterday")


@given(st.lists(st.text("ab é\n", min_size=1), min_size=1, max_size=4))
def test_no_text_is_lost_or_invented(args: list[str]) -> None:
    items = texts(taken(args))

    assert items in (args, [" ".join(args)])
    assert len(items) == len(args) or any(
        not any(map(str.isspace, arg)) for arg in args
    )
