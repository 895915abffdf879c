"""Join, preview, tell and hear."""

import hashlib
import json
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from companion.errors import MALFORMED, CompanionError
from companion.federation import (
    arrive,
    kept,
    messages,
    tell,
    transport,
    wire,
)
from companion.federation.arrive import Own
from companion.federation.describe import (
    describe_costs,
    describe_influence,
    describe_unit,
    is_telling,
    list_leaving,
)
from companion.federation.kept import Sent
from companion.federation.keys import (
    Keys,
    make_keys,
    read_keys,
    require_installed,
)
from companion.federation.relay import Relay
from companion.federation.sums.profiles import explain_silence
from companion.federation.sums.sketch import (
    Sheet,
    find_places,
)
from companion.federation.tell import Topic
from companion.federation.unit import (
    BadUnit,
    Unit,
    describe_file,
    make_unit,
    parse_card,
    parse_kind,
    parse_unit,
)
from companion.federation.wire import MASKED, NOISY, Round
from companion.routing import peers
from companion.routing.peers import Heard
from companion.routing.watch_peers import read_heard
from companion.runs.publication import COMPANION
from companion.runs.retry import run_with_retries
from companion.runs.run import Run, make_inputs
from companion.storage import ledger_file
from companion.values.decisions import Write
from companion.values.time import parse_instant
from companion.values.wording import many
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.federation.results import (
        CardResult,
        LeaveResult,
        PreviewResult,
        SendResult,
        ServeResult,
        StatusResult,
        UnitFile,
        UnitResult,
    )

VERSION = "federation-1"


_WHY_REFUSED = (
    "A member refuses where it has another roster, or had another message of this week:"
    " join with the unit's newest file."
)


class NotPreviewed(CompanionError):
    """Nobody has seen yet what would be sent."""

    exit_code = 2
    hint = "`companion federation preview` shows every message first."


def make_card(ws: Workspace, name: str, address: str) -> "CardResult":
    """Return the public keys of this wiki under a *name*, made at the first call. Raises BadUnit
    where *address* is none.
    """
    require_installed()
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit():
        raise BadUnit(
            "an address is HOST:PORT", hint="Like ada.example.org:7411."
        )
    keys = make_keys(ws.place.state)
    return {
        "name": name,
        "address": address,
        "certificate": keys.certificate.decode(),
        "exchange": keys.public,
    }


def assemble(
    ws: Workspace, kind: str, paths: list[str], relay: str | None
) -> "UnitFile":
    """Return a unit's file, made of the cards in the files at *paths*. Raises BadUnit."""
    cards = []
    for path in paths:
        with open(path, "rb") as file:
            try:
                given = json.loads(file.read(100_000))
            except MALFORMED as error:
                raise BadUnit(f"{path} is no card") from error
        cards.append(parse_card(given))
    parts = [ws.fresh_id("unit", str(number)) for number in range(4)]
    salt = hashlib.sha256("".join(parts).encode()).digest()
    return describe_file(make_unit(parse_kind(kind), salt, cards, relay))


def join(ws: Workspace, path: str) -> "UnitResult":
    """Join the unit in the file at *path*, or take its new roster. Nothing is sent yet.

    What it said before counts only for those who stay. Raises BadUnit.
    """
    require_installed()
    keys = read_keys(ws.place.state)
    with open(path, "rb") as file:
        unit = parse_unit(file.read(5_000_000))
    if unit.position(keys.public) is None:
        raise BadUnit("this wiki's card is not among the members")
    before = _find_unit(ws)
    kept.write_unit(ws.place.state, unit)
    if before is not None and before.id == unit.id:
        _fade(ws, before, unit)
    return describe_unit(unit)


def leave(ws: Workspace) -> "LeaveResult":
    """Leave the unit: nothing is told any more, and what came in ends when it expires."""
    unit = kept.read_unit(ws.place.state)
    kept.forget_unit(ws.place.state)
    heard = run_with_retries(ws, "federation", read_heard, None)
    ends = [one.until for one in heard if one.unit == unit.id]
    return {"unit": unit.id, "influence_until": max(ends, default=None)}


def status(ws: Workspace) -> "StatusResult":
    """Return what leaves this machine, to whom, and what counts of what came in."""
    unit = _find_unit(ws)
    sent = kept.list_sent(ws.place.state)
    heard = run_with_retries(ws, "federation", read_heard, None)
    costs = [one for one in sent if one.epsilon]
    telling = unit if unit is not None and is_telling(unit) else None
    return {
        "joined": None if unit is None else describe_unit(unit),
        "leaves": list_leaving(telling),
        "to": [] if telling is None else _list_receivers(ws, telling),
        "bytes_a_week": 0 if telling is None else wire.size_of("Contribution"),
        "previewed": _is_previewed(ws, unit),
        "weeks_sent": [one.week for one in sent],
        "epsilon_spent": describe_costs(costs),
        "epsilon_total": round(sum(one.epsilon for one in costs), 6),
        "influence": describe_influence(heard, ws.now()),
    }


def preview(ws: Workspace) -> "PreviewResult":
    """Return every message of this week's exchange; nothing is sent, and sending is allowed after.

    The message is kept, so that what is sent is what was shown.
    """
    require_installed()
    unit = kept.read_unit(ws.place.state)
    form = messages.form_of(unit)
    week = find_week(ws.now())
    silent = explain_silence(len(unit.members), unit.profile)
    document: PreviewResult = {
        "week": week,
        "form": "masked" if form == MASKED else "noisy",
        "topics": [],
        "messages": [],
        "why_silent": silent,
    }
    if silent:
        return document
    topics = run_with_retries(ws, "federation", tell.list_topics, None)
    message = bytes.fromhex(
        messages.prepare(ws, unit, week, form, topics).message
    )
    chosen = tell.choose_signals(topics, unit.profile.topics)
    names = {one.key: one.title for one in topics}
    for key, signal in chosen.items():
        places = find_places(key, unit.salt, week)
        document["topics"].append(
            messages.describe_topic(names[key], places, signal)
        )
    for receiver in _list_receivers(ws, unit):
        document["messages"].append(
            {
                "to": receiver,
                "call": "Contribute",
                "bytes": len(message),
                "sha256": hashlib.sha256(message).hexdigest(),
            }
        )
    kept.note_preview(ws.place.state, unit)
    return document


def send(ws: Workspace) -> "SendResult":
    """Tell this week's signals, and take in what the unit released; a run of its own records it.

    Raises NotPreviewed or PeerUnreachable.
    """
    require_installed()
    keys = read_keys(ws.place.state)
    unit = kept.read_unit(ws.place.state)
    week = find_week(ws.now())
    document = _begin_result(week)
    document["why"] = explain_silence(len(unit.members), unit.profile)
    if document["why"]:
        return document
    if not kept.is_previewed(ws.place.state, unit):
        raise NotPreviewed("nobody has seen yet what would be sent")
    topics = run_with_retries(ws, "federation", tell.list_topics, None)
    form = messages.form_of(unit)
    sent = messages.prepare(ws, unit, week, form, topics)
    message = bytes.fromhex(sent.message)
    answers = set()
    for card in messages.choose_receivers(unit, keys):
        answers.add(transport.contribute(card, keys, message))
    document["sent"] = bool(answers & {wire.TAKEN, wire.ALREADY})
    document["answer"] = ", ".join(
        wire.ANSWERS[each] for each in sorted(answers)
    )
    if wire.REFUSED in answers:
        document["notes"].append(_WHY_REFUSED)
    if form == MASKED:
        _hear(ws, unit, keys, topics, document)
    return document


def _hear(
    ws: Workspace,
    unit: Unit,
    keys: Keys,
    topics: list[Topic],
    document: "SendResult",
) -> None:
    """Take in the newest release that is complete: this week's, else the last one's."""
    relay = unit.relay_card
    assert relay is not None
    for week in (document["week"], document["week"] - 1):
        round = Round(week, unit.roster, MASKED)
        answer, members, sheet = transport.fetch(relay, keys, round)
        if answer != wire.TAKEN:
            document["notes"].append(f"week {week}: {wire.ANSWERS[answer]}")
            continue
        document["members"] = members
        told = kept.find_sent(ws.place.state, week, MASKED, unit.roster)
        owns = _list_owns(topics, told)
        groups = members // unit.profile.least
        lines = arrive.match_release(
            sheet,
            owns,
            unit,
            week=week,
            tolerated=max(0, (groups - 1) // 2),
            now=ws.now(),
        )
        _record(ws, unit, week, lines, document)
        return


def hear_noise(
    ws: Workspace, unit: Unit, sheets: list[Sheet], week: int
) -> "SendResult":
    """Take in what noisy *sheets* of others said in a *week*."""
    topics = run_with_retries(ws, "federation", tell.list_topics, None)
    told = kept.find_sent(ws.place.state, week, NOISY, unit.roster)
    lines = arrive.match_noise(
        sheets, _list_owns(topics, told), unit, week=week, now=ws.now()
    )
    document = _begin_result(week)
    document["members"] = len(sheets)
    _record(ws, unit, week, lines, document)
    return document


def serve(ws: Workspace, announce: Callable[["ServeResult"], None]) -> None:
    """Answer the unit's calls until the process is interrupted; *announce* says where.

    Without a relay, what came in is taken into the wiki at the end.
    """
    require_installed()
    keys = read_keys(ws.place.state)
    unit = kept.read_unit(ws.place.state)
    position = unit.position(keys.public)
    assert position is not None
    relay = Relay(unit)
    address = unit.members[position].address
    server, port = transport.serve(
        unit, keys, relay, address, lambda: find_week(ws.now())
    )
    members = len(unit.members)
    announce({"address": address, "port": port, "members": members})
    try:
        threading.Event().wait()
    finally:
        server.stop(1).wait()
        week = find_week(ws.now())
        sheets = relay.list_noisy(week)
        if sheets:
            hear_noise(ws, unit, sheets, week)


def find_week(now: str) -> int:
    """Return the week of *now* (RFC 3339 UTC): whole weeks since Monday, 1970-01-05."""
    from datetime import UTC, datetime

    first = datetime(1970, 1, 5, tzinfo=UTC)
    return (datetime.fromisoformat(parse_instant(now)) - first).days // 7


def _find_unit(ws: Workspace) -> Unit | None:
    try:
        return kept.read_unit(ws.place.state)
    except kept.NotJoined:
        return None


def _is_previewed(ws: Workspace, unit: Unit | None) -> bool:
    return unit is not None and kept.is_previewed(ws.place.state, unit)


def _list_receivers(ws: Workspace, unit: Unit) -> list[str]:
    keys = read_keys(ws.place.state)
    return [
        f"{card.name} ({card.address})"
        for card in messages.choose_receivers(unit, keys)
    ]


def _begin_result(week: int) -> "SendResult":
    """Return what a week came to before anything was told or heard."""
    return {
        "run": None,
        "commit": None,
        "week": week,
        "sent": False,
        "answer": "",
        "members": 0,
        "heard": 0,
        "why": "",
        "notes": [],
    }


def _list_owns(topics: list[Topic], told: Sent | None) -> list[Own]:
    return [
        Own(one.key, one.entry, kept.find_own(told, one.key)) for one in topics
    ]


def _record(
    ws: Workspace,
    unit: Unit,
    week: int,
    lines: list[Heard],
    document: "SendResult",
) -> None:
    """Write what came in into the wiki's file, as one run, if it says anything new."""

    def once(run: Run) -> tuple[str | None, str | None]:
        known = read_heard(run)
        merged = arrive.merge_heard(known, lines, unit.id, week, ws.now())
        if sorted(known) == merged:
            return None, None
        subject = f"federation: what a unit of {len(unit.members)} told"
        return _publish(run, unit, merged, {"week": week}, subject)

    document["heard"] = len(lines)
    document["run"], document["commit"] = run_with_retries(
        ws, "federation", once, None
    )


def _fade(ws: Workspace, before: Unit, unit: Unit) -> None:
    """Let what a unit said count only for those of its members who stay."""

    def once(run: Run) -> None:
        known = read_heard(run)
        stayed = arrive.fade_leavers(
            known,
            unit.id,
            [one.fingerprint for one in before.members],
            [one.fingerprint for one in unit.members],
        )
        if stayed != known:
            subject = "federation: members left, and their share with them"
            _publish(run, unit, stayed, {}, subject)

    run_with_retries(ws, "federation", once, None)


def _publish(
    run: Run,
    unit: Unit,
    lines: list[Heard],
    about: dict[str, Any],
    subject: str,
) -> tuple[str, str]:
    inputs = make_inputs(run, {}, {"federation": VERSION})
    # whose signals these were: on record for whoever asks later
    inputs["federation"] = {**arrive.describe_origin(unit), **about}
    record = ledger_file.make_run("federation", run.moment(), inputs, [])
    writes = [Write(peers.PATH, peers.encode_peers(lines))]
    body = f"{many(len(lines), 'topic')} of this wiki known elsewhere."
    commit = run.publish(record, writes, subject, body, author=COMPANION)
    run.refold()
    return record.id, commit
