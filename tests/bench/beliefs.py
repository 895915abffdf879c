"""BMB's belief scenarios: the assertions in the file, held against what `claims` says.

What a scenario stores is told as a sentence by the source that it names; evidence that attacks a
claim is that source's denial of it ("It is not true that …"), for whether a chicken burger
contradicts a vegetarian no rule can know. Time passes only where a scenario waits. A retraction is
that source's "Forget that." A claim is *true* where its own words stand and no denial does, *both*
where both stand, *neither* where nothing does. Degrees of confidence are not covered: weights and
reliabilities cannot be told, and an assertion about them is counted apart.
"""

import json
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from companion.values.captures import Draft
from companion.values.time import format_instant
from tests.bench.life import LIGHT, STANDING, Life, life, share

_START = datetime.fromisoformat("2026-11-01T08:00:00+00:00")
_GRADED = ("confidence_above", "confidence_below")


class Scenario:
    """One scenario as it is played in a wiki."""

    def __init__(self, home: Life) -> None:
        self.home = home
        self.now = _START
        # claim -> the captures that told or denied it
        self.captures: dict[str, set[str]] = {}
        # label -> (claim, source)
        self.sources: dict[str, list[tuple[str, str]]] = {}

    def play(self, action: dict[str, Any]) -> dict[str, Any]:
        """Do one action and return what can be observed of it."""
        kind, claim = action["type"], action.get("claim", "")
        if kind == "wait_days":
            self.now += timedelta(days=action["wait_days"])
            return {}
        if kind == "store":
            return self._store(action)
        if kind == "retract":
            return {
                "affected_beliefs": self._retract(
                    self.sources[action["target_label"]]
                )
            }
        self._tick()
        return self._seen(claim)

    def _store(self, action: dict[str, Any]) -> dict[str, Any]:
        claim, before = action["claim"], self._beliefs()
        for evidence in action["evidence"]:
            said = (
                f"The {claim}."
                if evidence["polarity"] == "supports"
                else f"It is not true that the {claim}."
            )
            self._tell(claim, said, evidence["source_ref"])
            self.sources.setdefault(action["label"], []).append(
                (claim, evidence["source_ref"])
            )
        state = self._seen(claim)
        return {
            **state,
            "merged": bool(before) and self._beliefs() == before,
            "contradiction_detected": state["truth_state"] == "both",
        }

    def _retract(self, told: list[tuple[str, str]]) -> int:
        for claim, source in told:
            self._tell(claim, "Forget that.", source)
        fallen = {
            c["capture"]
            for c in self.home.claims()
            if c["status"] == "retracted" and c["object"]
        }
        return len(
            {claim for claim, _ in told if fallen & self.captures[claim]}
        )

    def _tell(self, claim: str, said: str, source: str) -> None:
        self._tick()
        day = format_instant(self.now.replace(second=0, microsecond=0))
        told = self.home.tell(
            [Draft(said, source=source, channel="lines", event_time=day)]
        )
        self.captures.setdefault(claim, set()).update(
            id for id in told if id is not None
        )
        self.home.night()

    def _tick(self) -> None:
        self.now += timedelta(seconds=1)
        self.home.at(format_instant(self.now))

    def _beliefs(self) -> set[tuple[Any, ...]]:
        return {
            (c["key"], c["object"])
            for c in self.home.claims()
            if c["status"] in STANDING
        }

    def _seen(self, claim: str) -> dict[str, Any]:
        own = [
            c
            for c in self.home.claims()
            if c["capture"] in self.captures.get(claim, ())
        ]
        standing = [c for c in own if c["status"] in STANDING]
        yes, no = (
            any(not c["negated"] for c in standing),
            any(c["negated"] for c in standing),
        )
        state = {
            (True, True): "both",
            (True, False): "true",
            (False, True): "false",
        }.get((yes, no), "neither")
        return {
            "truth_state": state,
            "query_returns_claim": yes,
            "explanation_has_evidence": bool(own),
        }


def bmb(folder: Path, reasoner: str = LIGHT) -> tuple[int, int]:
    """Print how many assertions hold, and each that does not; return how many hold, and of how
    many.
    """
    right, asked = Counter[str](), Counter[str]()
    graded = 0
    for scenario in json.loads(
        (folder / "scenarios.json").read_text(encoding="utf-8")
    ):
        with life(format_instant(_START), reasoner) as home:
            played = Scenario(home)
            seen = {
                action["label"]: played.play(action)
                for action in scenario["actions"]
            }
        for expected in scenario["expectations"]:
            for what, value in expected.items():
                if what == "action_label":
                    continue
                if what in _GRADED:
                    graded += 1
                    continue
                found = seen[expected["action_label"]].get(what)
                asked[scenario["category"]] += 1
                right[scenario["category"]] += found == value
                if found != value:
                    print(
                        f"    {scenario['name']}, {expected['action_label']}: {what} is"
                        f" {found}, not {value}"
                    )
    rows = ", ".join(f"{name} {right[name]}/{asked[name]}" for name in asked)
    print(
        f"  assertions that hold: {share(right.total(), asked.total())}  {rows}; graded ones"
        f" not covered: {graded}"
    )
    return right.total(), asked.total()
