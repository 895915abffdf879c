"""The check of a foreign telling: what passes, a night can work with; all else is refused by name."""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.storage.boundary.tellings import (
    LARGEST,
    MOST_TELLINGS,
    Doubtful,
    Telling,
    check_content,
    check_telling,
    merge_tellings,
    read_telling,
)
from companion.storage.git.capture_buffer import encode_sighting
from companion.values.captures import Capture, Sighting
from companion.values.time import local_minute
from tests.maintenance.machines import TIME, header, name_of

ID = name_of("words")
GOOD: Mapping[str, Any] = json.loads(header("words"))

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from([ID, TIME, "0" * 40, "shared", "private", "\ud800"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*GOOD, "seen_at", "event_time", "scope"]), inner
        )
    ),
    max_leaves=8,
)
instants = st.datetimes(
    min_value=datetime.fromisoformat("2020-01-01"),
    max_value=datetime.fromisoformat("2030-01-01"),
).map(lambda moment: moment.isoformat(timespec="microseconds") + "Z")
names = st.text(
    st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp"]),
    max_size=40,
)


@st.composite
def sightings(draw: st.DrawFn) -> Sighting:
    seen_at = draw(instants)
    explicit = draw(st.booleans())
    return Sighting(
        ID,
        seen_at,
        draw(instants) if explicit else seen_at,
        explicit,
        draw(st.none() | names),
        draw(names),
        draw(st.none() | names),
        draw(st.sampled_from(["shared", "private"])),
        draw(st.none() | st.sampled_from([-300, 60, 840])),
        draw(st.none() | names),
    )


@st.composite
def headers(draw: st.DrawFn) -> Capture:
    return Capture(
        ID,
        GOOD["blob"],
        draw(instants),
        draw(names),
        draw(st.floats(0, 1)),
        draw(st.none() | names),
        tuple(draw(st.lists(names, max_size=3))),
        b"",
    )


def encode(capture: Capture | None, told: list[Sighting]) -> bytes:
    fields: dict[str, Any] = {"v": 1, "id": ID}
    if capture is not None:
        fields |= capture._asdict()
        del fields["content"]
    fields["sightings"] = [encode_sighting(one) for one in told]
    return json.dumps(fields).encode()


def works(telling: Telling) -> None:
    """Do what a night does with every part of a telling."""
    assert telling.sightings and telling.newest >= telling.day
    for sighting in telling.sightings:
        for instant in (sighting.seen_at, sighting.event_time):
            assert datetime.fromisoformat(instant[:-1]).year >= 1
            local_minute(instant, sighting.utc_offset)
        texts = [sighting.source, sighting.channel, sighting.agent]
        "".join(text or "" for text in texts).encode()
    capture = telling.header
    if capture is not None:
        assert 0 <= capture.priority <= 1
        f"{capture.title}{capture.edges}{capture.channel}".encode()
    check_telling(telling)


@given(
    st.binary(max_size=200) | json_values.map(lambda v: json.dumps(v).encode())
)
@example(b"[" * 100_000)
@example(b'{"v": 1' + b"0" * 5_000 + b"}")
def test_no_bytes_do_more_than_be_refused(data: bytes) -> None:
    try:
        works(read_telling(data, ID))
    except Doubtful as doubt:
        assert str(doubt)


@given(field=st.sampled_from([*GOOD]), value=json_values)
def test_one_strange_field_is_refused_or_harmless(
    field: str, value: object
) -> None:
    try:
        works(read_telling(json.dumps({**GOOD, field: value}).encode(), ID))
    except Doubtful as doubt:
        assert str(doubt)


@given(
    field=st.sampled_from(
        [
            "seen_at",
            "event_time",
            "explicit",
            "source",
            "channel",
            "agent",
            "scope",
            "utc_offset",
            "device",
        ]
    ),
    value=json_values,
)
def test_one_strange_field_of_a_sighting_is_refused_or_harmless(
    field: str, value: object
) -> None:
    one = {"seen_at": TIME, "channel": "cli", field: value}
    fields = {**GOOD, "sightings": [one]}
    try:
        works(read_telling(json.dumps(fields).encode(), ID))
    except Doubtful as doubt:
        assert str(doubt)


@given(headers(), st.lists(sightings(), min_size=1, max_size=4))
def test_what_companion_writes_passes_and_reads_back(
    capture: Capture, told: list[Sighting]
) -> None:
    telling = read_telling(encode(capture, told), ID)
    assert telling == Telling(capture, tuple(told))
    later = read_telling(encode(None, told), ID)
    assert later == Telling(None, tuple(told))
    works(telling)


@given(
    st.lists(
        st.builds(
            Telling,
            st.none() | headers(),
            st.lists(sightings(), min_size=1, max_size=3).map(tuple),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_merging_loses_no_sighting_and_repeats_none(
    tellings: list[Telling],
) -> None:
    merged = merge_tellings(tellings)
    told = [one[:-2] for telling in tellings for one in telling.sightings]
    assert [one[:-2] for one in merged.sightings] == list(dict.fromkeys(told))
    backwards = merge_tellings(reversed(tellings))
    assert set(backwards.sightings) == set(merged.sightings)
    again = merge_tellings([merged, *tellings])
    assert set(again.sightings) == set(merged.sightings)


def test_a_reason_quotes_nothing_of_what_came() -> None:
    secret = "hunter22"
    for field in GOOD:
        fields = {**GOOD, field: {secret: secret}}
        with pytest.raises(Doubtful) as refused:
            read_telling(json.dumps(fields).encode(), ID)
        assert secret not in str(refused.value)


def test_too_much_is_refused_before_it_is_worked_on() -> None:
    with pytest.raises(Doubtful, match="larger than 4 MiB"):
        read_telling(b" " * (LARGEST + 1), ID)
    many = {**GOOD, "sightings": GOOD["sightings"] * (MOST_TELLINGS + 1)}
    with pytest.raises(Doubtful, match="more than 10000 tellings"):
        read_telling(json.dumps(many).encode(), ID)


def test_every_bit_of_the_words_counts() -> None:
    check_content(b"words", ID)
    for place in range(5):
        for bit in range(8):
            content = bytearray(b"words")
            content[place] ^= 1 << bit
            with pytest.raises(Doubtful, match="not what its id says"):
                check_content(bytes(content), ID)


def test_bytes_that_are_no_text_are_refused() -> None:
    content = b"\xff\xfe"
    with pytest.raises(Doubtful, match="no text"):
        check_content(content, hashlib.sha256(content).hexdigest())
