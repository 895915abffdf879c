"""The page of a year's sleep: its record, its table and its words."""

import json
from pathlib import Path
from typing import NamedTuple

QUALITY = Path(__file__).resolve().parents[2] / "docs" / "quality"
RESULTS = QUALITY / "results" / "sleep.json"
PAGE = QUALITY / "sleep.md"
COMMAND = "python -m tests.bench.sleeping --write"


class Lived(NamedTuple):
    """What came of one life."""

    name: str
    nights: int  # whole ones
    slices: int
    naps: int  # DECAY alone
    aborted: int
    missed: int  # nights that came later than one and a half intervals
    half: int  # hours that half of the notes waited at most
    longest: float  # days that a note waited for a night
    returns: int
    shared: int  # minutes in which a night went on beside the person
    lowest: (
        float  # battery at the end of a minute of a night; 1: none ran on it
    )


class Record(NamedTuple):
    """What is published of one run."""

    command: str
    commit: str
    date: str
    seeds: list[int]
    days: int
    lives: list[Lived]


def write_record(record: Record) -> str:
    """Return *record* as JSON that `read_record` reads."""
    lives = [one._asdict() for one in record.lives]
    return json.dumps({**record._asdict(), "lives": lives}, indent=1) + "\n"


def read_record(text: str) -> Record:
    """Return what `write_record` wrote."""
    document = json.loads(text)
    document["lives"] = [Lived(**row) for row in document["lives"]]
    return Record(**document)


def write_page(record: Record) -> str:
    """Return the page as Markdown."""
    lines = [
        "| life | nights | slices | DECAY alone | ended early | nights caught up |"
        " half of the notes waited | longest wait | returns | shared minutes |"
        " lowest battery |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for one in record.lives:
        battery = f"{one.lowest:.0%}" if one.lowest < 1 else "mains"
        lines.append(
            f"| {one.name} | {one.nights} | {one.slices} | {one.naps} |"
            f" {one.aborted} | {one.missed} | {one.half} h |"
            f" {one.longest:.1f} days | {one.returns} | {one.shared} |"
            f" {battery} |"
        )
    head = _HEAD.format(**record._asdict(), count=len(record.lives))
    return head + "\n".join(lines) + "\n\n" + _TAIL


_HEAD = """\
# Sleep

Made by `{command}` from a fixed seed on {date}, after {commit}; the figures are in
[results/sleep.json](results/sleep.json), and a test holds this page to them.

{days} days of {count} simulated machines, minute by minute, against the real policy, histogram and course of the battery. The
operations are not run: a night takes a minute, and twelve seconds for each note. The command ends with 1 if a note waits
longer than seven days, a battery falls below its floor, or a night goes on beside its person.

"""
_TAIL = """\
![How long notes waited for their night, by life](../images/sleeping.svg)

- **nights caught up** began when something had waited longer than one and a half intervals: their best time was missed.
- **returns** are nights and slices that ended because the person came: at the next safe point, within five seconds, with
  nothing done. Captures and reads wait for neither (SCH-1); how much slower they are meanwhile is measured under
  [speed](speed.md).
- **shared minutes** are those in which a night went on beside the person. Only a slice of what has waited for six days does
  that. The command ends with 1 where there is any.
- **lowest battery** is the lowest at the end of a minute in which a night ran. The floor stands in the rules. "mains" means that no
  night ran on the battery.

**Limits.** The always carried laptop and the traveller's use their machine whenever it runs, so that they sleep in
slices. The lives have no holidays, and load and heat are constant. Histograms are recomputed once a day, not at each wake.
The figures were looked at while the rules were made; there is no second half kept shut.

## Other promises

| promise | shown by |
|---|---|
| the battery stays above its floor, a person at work is not disturbed, five quiet minutes are enough after four days, a full buffer and a person's word wake it, better conditions never keep it awake | `tests/sleep/decision/test_policy.py` (properties) |
| a night ends at a safe point and goes on next time; one failing step skips no other; a full disk, a drive that is taken away, a model server that is down and a clock set back cost no note | `tests/sleep/test_night.py` |
| both changes of summer time, a traveller | `tests/sleep/test_zones.py` |
| a night beside an operation by hand, beside a second night, beside git | `tests/sleep/test_night.py`, `tests/sleep/test_unattended.py`, `conformance/75-runtime.md` |
| two machines: one lease, and one tree without a network | `tests/journeys/test_two_sleepers.py` |
| launchd, systemd and cron read the files as they are meant; real cron runs them | `tests/sleep/schedule/` |
| SCH-1, SCH-2, SCH-3, DEC-5 for any program | `conformance/75-runtime.md`, `conformance/53-decay.md` |
"""
