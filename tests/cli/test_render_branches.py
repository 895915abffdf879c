"""A list of branches has a line for each night; the reasons are `show`'s."""

from typing import Any

from companion.cli.commands import branches, why
from companion.cli.entry_text import shift

OPENED, JOINED, WON = (
    "a lone contradiction",
    "contradicts it",
    "pressure 2.10; enough",
)


def event(
    day: str, name: str, reason: str, numbers: tuple[float, float] | None = None
) -> dict[str, Any]:
    pressure, threshold = numbers or (None, None)
    return {
        "time": f"{day}T23:00:00Z",
        "run": f"{day}-consolidate",
        "event": name,
        "reason": reason,
        "pressure": pressure,
        "threshold": threshold,
        "undone": False,
    }


HISTORY = [
    event("2026-03-01", "branched", OPENED),
    event("2026-03-01", "joined", JOINED),
    event("2026-03-01", "joined", JOINED),
    event("2026-03-01", "weighed", OPENED, (0.94, 2.05)),
    event("2026-03-08", "weighed", "told anew", (1.0, 2.05)),
    event("2026-03-15", "joined", JOINED),
    event("2026-03-15", "weighed", WON, (2.1, 2.0)),
    event("2026-03-15", "promoted", WON),
]
PAGE = {
    "id": "a",
    "title": "Dosage",
    "path": "entries/dosage.md",
    "state": "active",
}
BRANCH = {
    "name": "dosage-1234",
    "state": "open",
    "entry": None,
    "incumbent": PAGE,
    "statement": None,
    "pressure": 2.1,
    "threshold": 2.0,
    "cluster_size": 3,
    "contradictions": 3,
    "cycles_open": 2,
    "why": "3 independent voices",
    "history": HISTORY,
}
NIGHTS = [
    "  2026-03-01 23:00  opened, 2 joined    0.94 of 2.05",
    "  2026-03-08 23:00  told again          1.00 of 2.05",
    "  2026-03-15 23:00  1 joined, promoted  2.10 of 2.00",
]


def test_a_list_says_what_each_night_did_in_one_line() -> None:
    assert [
        str(line)
        for line in branches.text(
            {"branches": [BRANCH], "open": 1}, explain=True
        )
    ][-9:-6] == NIGHTS
    plain = "\n".join(branches.text({"branches": [BRANCH], "open": 1}))
    assert "opened, 2 joined" in plain and "2.05" not in plain


def test_one_branch_says_why_too_and_nothing_twice() -> None:
    said = [
        str(line)
        for line in branches.text({**BRANCH, "members": []}, explain=True)
    ][5:14]

    assert said == [
        NIGHTS[0],
        f"    {OPENED}",
        f"    {JOINED}",
        NIGHTS[1],
        "    told anew",
        NIGHTS[2],
        f"    {JOINED}",
        f"    {WON}",
        "where this deviates from the paper",
    ]


def test_why_names_a_branch_by_its_whole_name() -> None:
    events = [
        {
            **event("2026-03-01", "branched", OPENED),
            "operation": "consolidate",
            "subject": "dosage-1234",
            "detail": {"branch": "dosage-1234"},
        }
    ]
    said = [
        str(line)
        for line in why.text(
            {"kind": "entry", "id": "a", "title": "Dosage", "events": events}
        )
    ]

    assert said[-1] == f"    branched    dosage-1234: {OPENED}"


def test_a_branch_says_in_one_line_why_it_waits_and_whom_it_is_against() -> (
    None
):
    said = [
        str(line) for line in branches.text({"branches": [BRANCH], "open": 1})
    ]

    assert (
        "  against   “Dosage” · entries/dosage.md" in said
        and "  why       3 independent voices" in said
    )


def test_the_other_side_of_a_shift_is_called_by_its_title() -> None:
    side = {
        "other": "abcdefgh23456789",
        "title": "Dosage",
        "role": "old",
        "branch": "b",
        "since": "2026-03-15T23:00:00Z",
        "statement": None,
    }
    (young,), (old,) = (
        [str(line) for line in shift(doc)]
        for doc in (
            {"shift": side},
            {
                "shift": None,
                "superseded_by": "abcdefgh23456789",
                "successor": "Dosage",
            },
        )
    )

    assert young == (
        "  Replaced on 2026-03-15 23:00 by “Dosage” (abcdefgh), which was minority/b."
    )
    assert old == "  Replaced by “Dosage” (abcdefgh)."


LOST = {
    "capture": "a" * 64,
    "words": "Anna lives in Oslo",
    "told": "2026-03-02T09:00:00Z",
}


def test_a_branch_against_one_statement_names_it_and_its_page() -> None:
    doc = {**BRANCH, "statement": LOST}
    lines = [str(line) for line in branches.text(doc)]

    words = "“Anna lives in Oslo”, told 2026-03-02, on “"
    assert any(words in line for line in lines)


def test_a_young_shift_on_one_page_names_the_statement_that_lost() -> None:
    young = {
        "other": "abcdefgh23456789",
        "title": "Anna",
        "role": "new",
        "branch": "anna-1",
        "since": "2026-03-15T23:00:00Z",
        "statement": LOST,
    }

    assert [str(line) for line in shift({"shift": young})] == [
        "  On 2026-03-15 23:00 minority/anna-1 took the place of “Anna lives"
        " in Oslo”, told 2026-03-02."
    ]
