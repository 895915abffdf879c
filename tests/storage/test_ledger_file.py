"""The ledger's codec: what was written is read back for ever, and nothing is guessed."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.storage.ledger_file import (
    BadLedger,
    NewerLedger,
    RunRecord,
    decode,
    encode,
    make_path,
    make_run,
)

NOW = "2026-11-01T22:00:00.000000Z"
EVENTS: list[dict[str, Any]] = [
    {"e": "registered", "entry": "a" * 16, "path": "Ä b.md", "blob": "0" * 40, "reason": "new"},
    {"e": "deleted", "entry": "a" * 16, "path": "Ä b.md", "reason": "gone", "title": "Ä b"},
    {
        "e": "consumed", "capture": "c" * 64, "outcome": "consolidated", "entry": "a" * 16, "reason": "integrated",
        "sightings": [{"seen_at": NOW, "channel": "cli"}],
    },
]  # fmt: skip

# A golden file: a companion of any later year must read it to the same events.
GOLDEN_ID = "2026-11-01-adopt-b424770eade9"
GOLDEN = (
    b'{"base":null,"e":"run","now":"2026-11-01T22:00:00.000000Z","operation":"adopt","v":1}\n'
    b'{"blob":"0000000000000000000000000000000000000000","e":"registered","entry":"aaaaaaaaaaaaaaaa",'
    b'"path":"\xc3\x84 b.md","reason":"new","v":1}\n'
)


def run(events: list[dict[str, Any]] = EVENTS) -> RunRecord:
    return make_run("adopt", NOW, {"base": None}, events)


def test_the_golden_file_is_written_and_read_as_ever() -> None:
    made = run(EVENTS[:1])
    assert (made.id, encode(made)) == (GOLDEN_ID, GOLDEN)
    read = decode(GOLDEN_ID, GOLDEN)
    assert (read.operation, read.now, read.path) == (
        "adopt",
        NOW,
        f".companion/ledger/2026/11/{GOLDEN_ID}.jsonl",
    )
    assert list(read.events) == [{"v": 1, **EVENTS[0]}]


def test_what_is_written_is_read_back() -> None:
    made = run()
    read = decode(made.id, encode(made))
    assert read.input == made.input
    assert list(read.events) == [{"v": 1, **event} for event in EVENTS]
    assert encode(read) == encode(made)
    assert make_path(made.id).startswith(
        ".companion/ledger/2026/11/2026-11-01-adopt-"
    )


texts = st.text(st.characters(exclude_categories=["Cs"]))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner) | st.dictionaries(texts, inner),
    max_leaves=5,
)


@given(
    st.dictionaries(
        texts.filter(
            lambda key: (
                key not in ("v", "e", "operation", "now", "reason", "entry")
            )
        ),
        values,
    )
)
def test_any_input_survives_and_names_the_run(inputs: dict[str, Any]) -> None:
    inputs = {
        key: value
        for key, value in inputs.items()
        if key not in ("path", "from", "blob")
    }
    made = make_run(
        "adopt", NOW, {f"x{key}": value for key, value in inputs.items()}, []
    )
    assert decode(made.id, encode(made)).input == made.input
    assert (made.id == run([]).id) is False


def test_a_run_is_named_by_its_complete_input() -> None:
    assert run().id == run([]).id
    assert make_run("adopt", NOW, {"base": "other"}, EVENTS).id != run().id
    assert (
        make_run(
            "adopt", "2026-11-01T22:00:00.000001Z", {"base": None}, EVENTS
        ).id
        != run().id
    )


def damaged(change: dict[str, Any], event: int = 2) -> bytes:
    events = [dict(line) for line in EVENTS]
    events[event].update(change)
    return encode(run(events))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"not json\n",
        b"[1]\n",
        b'{"v":1,"e":"waits","capture":"c","reason":"r"}\n',
        b"\xff\xfe\n",
        b"[" * 200_000 + b"\n",
        GOLDEN + b"<<<<<<< HEAD\n",
        GOLDEN + GOLDEN,
        GOLDEN + b'{"v":1,"e":"deleted"}\n',
        GOLDEN + b"[" * 200_000 + b"\n",
    ],
    ids=range(11),
)
def test_damage_is_named(data: bytes) -> None:
    with pytest.raises(BadLedger, match=GOLDEN_ID):
        list(decode(GOLDEN_ID, data).events)


@pytest.mark.parametrize(
    "change",
    [
        {"sightings": "x"},
        {"sightings": [1]},
        {"sightings": [{}]},
        {"sightings": [{"seen_at": NOW, "event_time": 1}]},
        {"sightings": [{"seen_at": NOW, "utc_offset": "+02:00"}]},
        {"sightings": [{"seen_at": NOW, "utc_offset": 120.5}]},
        {"sightings": [{"seen_at": NOW, "utc_offset": True}]},
        {"sightings": [{"seen_at": NOW, "utc_offset": None}]},
        {"capture": 5},
        {"entry": []},
        {"reason": None},
        {"quarantined": 2**80},
        {"bucket": {}},
        {"title": 1},
    ],
)
def test_values_that_the_fold_could_not_take_are_named(
    change: dict[str, Any],
) -> None:
    with pytest.raises(BadLedger, match="line 4"):
        list(decode(run().id, damaged(change)).events)


@pytest.mark.parametrize("telling", [{}, {"utc_offset": -300}])
def test_a_telling_may_name_its_offset_or_none(telling: dict[str, Any]) -> None:
    change = {"sightings": [{"seen_at": NOW, **telling}]}
    events = list(decode(run().id, damaged(change)).events)
    assert change["sightings"] in [line.get("sightings") for line in events]


def test_a_file_under_another_name_or_with_another_first_line_is_not_that_run() -> (
    None
):
    with pytest.raises(BadLedger, match="name"):
        decode("2026-11-01-adopt-000000000000", GOLDEN)
    with pytest.raises(BadLedger, match="name"):
        decode(GOLDEN_ID, GOLDEN.replace(b'"base":null', b'"base":"x"'))


@pytest.mark.parametrize(
    "line", [{"v": 2, "e": "registered"}, {"v": 1, "e": "prophesied"}]
)
def test_a_newer_ledger_stops_the_reader_with_an_upgrade(
    line: dict[str, Any],
) -> None:
    with pytest.raises(NewerLedger) as caught:
        list(decode(GOLDEN_ID, GOLDEN + json.dumps(line).encode()).events)
    assert caught.value.exit_code == 65
    assert "Upgrade" in caught.value.hint


def test_unknown_fields_of_known_events_are_kept() -> None:
    made = run([{**EVENTS[0], "later": [1, 2]}])
    assert next(iter(decode(made.id, encode(made)).events))["later"] == [1, 2]
