"""Clocks that run ahead by months or years, too little to be doubted, and how they come back.

What such a clock tells is dated in the days to come: it is there at home, the other machines name it
and let it wait for its day. The model knows of each note the last day by which it must be
everywhere.
"""

from datetime import timedelta

from companion.maintenance.doctor.run import doctor, examine
from companion.reading.status import describe_wiki
from tests.simulation.ground import A_DAY, Ground, Machine, Violation

#: worlds from this seed on have clocks that run ahead; those before are drawn as they were
FIRST_SEED = 20_000
SIZES = (timedelta(days=40), timedelta(days=300), timedelta(days=3 * 365))
#: what `doctor` calls a newest time that lies ahead
NAMES = {"time-ahead", "journal-ahead"}


def run_ahead(ground: Ground, machine: Machine) -> str:
    """A clock is set ahead by weeks or years, and believed."""
    machine.skew = ground.dice.choice(SIZES)
    return f"clock ahead by {machine.skew.days} days"


def put_right(ground: Ground, machine: Machine) -> str:
    """A clock is put right; every other time its owner lets `doctor` repair what it can."""
    machine.skew = timedelta()
    wiki = ground.at(machine)
    check_named(ground, machine)
    if ground.dice.random() < 0.5:
        return "clock put right"
    repaired = doctor(wiki.ws, repair=True)["repaired"]
    if "journal-ahead" in {one["kind"] for one in repaired}:
        machine.reach = ground.now
        machine.told_until = ground.now
    return "clock put right and repaired"


def check_named(ground: Ground, machine: Machine) -> None:
    """Whoever told something on a day to come is told so by `status` and by `doctor`."""
    told = machine.told_until
    if told - ground.now < 2 * A_DAY:
        return
    ws = ground.at(machine).ws
    notes = describe_wiki(ws)["notes"]
    if not any("when the clock said" in note for note in notes):
        raise Violation(f"{machine.name}: status is silent of {told:%Y-%m-%d}")
    if not NAMES & {finding.kind for finding in examine(ws)}:
        raise Violation(f"{machine.name}: doctor is silent of {told:%Y-%m-%d}")


def wait_for_days(ground: Ground) -> None:
    """Let the last day come on which anything was told; what waits loses nothing before."""
    if ground.last - ground.now > A_DAY:
        ground.now = ground.last + 2 * A_DAY
