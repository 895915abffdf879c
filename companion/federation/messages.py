"""The message of this wiki for a week, and its receivers: the same at every call."""

import hashlib
from typing import TYPE_CHECKING

import numpy

from companion.federation import kept, tell, wire
from companion.federation.kept import Sent
from companion.federation.keys import Keys, read_keys
from companion.federation.sums import noise
from companion.federation.sums.groups import draw_groups
from companion.federation.sums.masks import mask_sheet
from companion.federation.sums.sketch import (
    WORDS,
    Sheet,
    Signal,
    find_places,
    make_sheet,
)
from companion.federation.tell import Topic
from companion.federation.unit import Card, Unit
from companion.federation.wire import MASKED, NOISY, Round
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.federation.results import TopicResult


def form_of(unit: Unit) -> int:
    """Return MASKED where the unit has a relay, NOISY where it has none."""
    return NOISY if unit.relay is None else MASKED


def choose_receivers(unit: Unit, keys: Keys) -> list[Card]:
    """Return whom this member tells: the relay, or everybody else where there is none."""
    relay = unit.relay_card
    if relay is not None:
        return [relay]
    return [one for one in unit.members if one.exchange != keys.public]


def prepare(
    ws: Workspace, unit: Unit, week: int, form: int, topics: list[Topic]
) -> Sent:
    """Return this week's message, the same at every call; it is kept before it is sent."""
    known = kept.find_sent(ws.place.state, week, form, unit.roster)
    if known is not None:
        return known
    keys = read_keys(ws.place.state)
    chosen = dict(tell.choose_signals(topics, unit.profile.topics))
    if form == MASKED:
        sheet = _mask(unit, keys, week, make_sheet(chosen, unit.salt, week))
    else:
        sheet = _add_noise(unit, keys, week, topics[: unit.profile.topics])
    round = Round(week, unit.roster, form)
    sent = Sent(
        week=week,
        form=form,
        roster=unit.roster,
        epsilon=0.0 if form == MASKED else unit.profile.epsilon,
        message=wire.encode_contribution(round, sheet).hex(),
        topics={key: list(signal) for key, signal in chosen.items()},
    )
    kept.note_sent(ws.place.state, sent)
    return sent


def _mask(unit: Unit, keys: Keys, week: int, sheet: Sheet) -> Sheet:
    member = unit.position(keys.public)
    assert member is not None
    groups = draw_groups(len(unit.members), unit.profile.least, unit.salt, week)
    (group,) = (one for one in groups if member in one)
    secrets = {
        other: keys.share(unit.members[other].exchange)
        for other in group
        if other != member
    }
    return mask_sheet(sheet, member, group, secrets, week)


def _add_noise(unit: Unit, keys: Keys, week: int, topics: list[Topic]) -> Sheet:
    """Return the noisy sheet of one topic, drawn by a stream that only this member's key gives."""
    about = f"companion noise 1\n{week}\n{unit.roster}\n".encode()
    stream = hashlib.shake_256(about + keys.exchange)
    drawn = numpy.frombuffer(stream.digest(8 * (noise.BITS + 1)), dtype="<u8")
    chances = (drawn / 2.0**64).tolist()
    epsilon = unit.profile.epsilon
    if not topics:
        return noise.encode_nothing(epsilon, chances[1:])
    topic = topics[int(chances[0] * len(topics))]
    bucket = find_places(topic.key, unit.salt, week)[0] // WORDS
    state = 2 if topic.signal.won else topic.signal.open
    return noise.encode_topic(bucket, state, epsilon, chances[1:])


def describe_topic(
    title: str, places: tuple[int, ...], signal: Signal
) -> "TopicResult":
    """Return what a signal says of a topic, whose *title* stays here."""
    return {
        "topic": title,
        "buckets": [place // WORDS for place in places],
        "gravity": signal.gravity,
        "pressure": signal.pressure,
        "open": signal.open,
        "won": signal.won,
        "lost": signal.lost,
        "divergence": signal.divergence,
        "authority": signal.authority,
    }
