"""The benches of every day say what is so: an answer counts only where its words were given."""

from pathlib import Path

from tests.bench.assistant import assistant
from tests.bench.completing import completing


def test_an_answer_is_found_with_the_memory_and_not_without(
    tmp_path: Path,
) -> None:
    given = assistant(tmp_path, most=2, later=0)
    found = {one.way: 0 for one in given}
    for one in given:
        found[one.way] += one.found
    assert (found["nothing"], found["ask"]) == (0, 2)


def test_every_kind_of_completion_is_measured(tmp_path: Path) -> None:
    costs = completing(tmp_path, 30, 1)
    assert len(costs) == 8 and all(cost > 0 for cost in costs.values())
