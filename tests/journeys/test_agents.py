"""Twelve agents at once: on one subject they converge, whoever came last; nothing that any of them
said is lost.
"""

import itertools
import random
import threading
from typing import Any

import pytest

from companion.answers.claims import read_claims
from companion.ledger import settlement
from companion.storage.git import layout
from companion.workspace import Workspace
from tests.durability.scenes import Stage
from tests.living import Living

AGENTS, NOTES = 12, 3
CITIES = [
    f"{a}{b}burg"
    for a, b in itertools.product(
        ("Al", "Ber", "Cor", "Dun", "Eis", "Fal"),
        ("ma", "no", "pa", "ri", "so", "ti"),
    )
]


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return Stage(tmp_path_factory.mktemp("wikis"))


def tellings() -> list[list[tuple[str, str]]]:
    """(city, event time) of each agent's notes; times are mixed, and the latest is told among the
    first.
    """
    days = [
        f"2026-0{1 + n // 28}-{1 + n % 28:02}T12:00:00Z"
        for n in range(AGENTS * NOTES)
    ]
    random.Random(12).shuffle(days)
    told = [
        list(zip(CITIES[n::AGENTS], days[n::AGENTS], strict=True))
        for n in range(AGENTS)
    ]
    latest = max(told, key=lambda mine: max(day for _, day in mine))
    latest.sort(key=lambda note: note[1], reverse=True)
    return told


def converged(keys: list[dict[str, Any]], told: list[tuple[str, str]]) -> None:
    (key,) = keys
    standing = {claim["object"]: claim["status"] for claim in key["claims"]}
    assert set(standing) == {city for city, _ in told}, (
        "something that was told is lost"
    )
    latest = max(told, key=lambda note: note[1])[0]
    assert [
        city for city, status in standing.items() if status == "active"
    ] == [latest]
    assert set(standing.values()) == {"active", "superseded"}
    assert (key["values"], key["disputed"]) == ([latest], False)


def at_once(wiki: Living, told: list[list[tuple[str, str]]]) -> None:
    """Let every agent tell its notes, each by a process of its own, while nights go by."""
    failed: list[str] = []
    done = threading.Event()

    def tell(agent: int) -> None:
        for city, day in told[agent]:
            said = (
                "ingest",
                f"Zora lives in {city}.",
                "--agent",
                f"agent-{agent}",
                "--event-time",
                day,
            )
            child = wiki.start("--json", *said)
            _, err = child.communicate(timeout=120)
            if child.returncode != 0:
                failed.append(err.decode())

    def sleep() -> None:
        while not done.wait(0.05):
            child = wiki.start("--json", "consolidate")
            out, _ = child.communicate(timeout=120)
            if child.returncode not in (0, 75):
                failed.append(out.decode())

    writers = [
        threading.Thread(target=tell, args=(agent,)) for agent in range(AGENTS)
    ]
    sleeper = threading.Thread(target=sleep)
    for thread in (*writers, sleeper):
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    sleeper.join()
    assert not failed, failed


def test_twelve_writers_on_one_subject_converge_to_the_latest_by_event_time(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki, told = stage.fresh("grow"), tellings()
    at_once(wiki, told)
    wiki.doc("consolidate")
    everything = [note for mine in told for note in mine]

    doc = wiki.doc("claims", "Zora", "lives in", "--history")
    converged(doc["keys"], everything)

    # The same record, read by who came last: the check above must not hold of that.
    monkeypatch.setattr(
        settlement,
        "_select_latest",
        lambda assertions: [max(assertions, key=lambda a: a.told_at)],
    )
    there = layout.make_place(str(wiki.root))
    assert there is not None
    by_arrival = read_claims(
        Workspace(there),
        "Zora",
        "lives in",
        as_of=None,
        known_at=None,
        history=True,
    )
    with pytest.raises(AssertionError):
        converged(by_arrival["keys"], everything)


def test_private_writers_on_one_subject_each_keep_their_own(
    stage: Stage,
) -> None:
    wiki = stage.fresh("grow")
    children = [
        wiki.start(
            "--json",
            "ingest",
            f"Zora lives in {CITIES[n]}.",
            "--agent",
            f"agent-{n}",
            "--scope",
            "private",
        )
        for n in range(AGENTS)
    ]
    for child in children:
        _, err = child.communicate(timeout=120)
        assert child.returncode == 0, err
    for n in range(AGENTS):
        (key,) = wiki.doc("claims", "Zora", "--agent", f"agent-{n}")["keys"]
        assert key["values"] == [CITIES[n]]
    nobody = wiki.start("--json", "claims", "Zora")
    nobody.communicate(timeout=60)
    assert nobody.returncode == 1
