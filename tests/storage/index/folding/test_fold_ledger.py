"""The fold of ledger files: every event that can be read is folded."""

from companion.storage.index.folding import fold_ledger
from companion.storage.ledger_lines import EVENTS


def test_the_fold_knows_every_event_that_a_ledger_file_may_hold() -> None:
    # "run" is the first line of a file: it has a row in `runs`
    assert sorted([*fold_ledger._ENCODERS, "run"]) == sorted(EVENTS)
