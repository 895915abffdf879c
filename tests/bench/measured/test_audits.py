"""The tables of AUDIT say what its benches count."""

from tests.bench import audit, judged
from tests.bench.audit import KINDS, Tally
from tests.bench.measured.audits import show_audit, show_fates, show_judged
from tests.bench.suspensions import Fate

FOUND, HARMED, CONFIRMED, OPEN = (
    Tally(0.5, 0.25, 0.25, 0.0),
    Tally(0.0, 0.0025, 0.0, 0.9975),
    Tally(0.0, 0.0, 0.0, 1.0),
    Tally(0.0, 0.0, 1.0, 0.0),
)
TALLIES = dict(zip(KINDS, (FOUND, HARMED, OPEN, CONFIRMED), strict=True))


def test_a_query_set_says_what_is_found_and_who_is_harmed() -> None:
    rows = show_audit(iter([(audit.Set("rich"), TALLIES)])).rows

    assert rows == [
        ("rich", "50.0 %", "0.0 %", "1 of 400", "0 of 400", "0.0 %")
    ]


def test_each_judge_has_a_column_and_the_worst_harm_of_all_is_told() -> None:
    mild = TALLIES | {"foundation": CONFIRMED, "harmful": CONFIRMED}
    sets = [
        (audit.Set("silent"), accuracy, TALLIES if accuracy else mild)
        for accuracy in judged.ACCURACIES
    ]

    found = show_judged(iter(sets))

    (row,) = found.rows
    assert len(found.columns) == len(row)
    assert row[0] == "silent" and row[-1] == "1 of 400"
    assert row[1] == row[-2] == "100.0 %"
    assert set(row[2:-2]) == {"0.0 %"}


def test_fates_are_counted_by_kind() -> None:
    fates = [
        Fate("harmful", "improved", True, "archived, lighter", "archived"),
        Fate("harmful", None, False, "active"),
        Fate("dead weight", "unchanged", False, "active, lighter"),
    ]

    rows = {row[0]: row[1:] for row in show_fates(fates).rows}

    assert rows["harmful"] == ("1 of 2", "0 of 2", "1 of 2", "1 of 1")
    assert rows["dead weight"][2] == "1 of 1"
    assert rows["quiet foundation"] == ("0 of 0",) * 4
