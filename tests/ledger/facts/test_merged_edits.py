"""Tell a person's change of a page from what git put together of the texts of machines."""

from companion.ledger.facts.merged_edits import (
    compare_with_machines,
    list_passages,
)
from companion.runs.parallel_texts import ParallelTexts

BASE = "# Cem\n\nCem likes figs.\n\nCem lives in Turku.\n"
OURS = f"{BASE}\n## Facts\n\n- lives in:: Oslo (told 2026-11-05)\n"
THEIRS = (
    f"{BASE}\nCem sings.\n\n## Facts\n\n- lives in:: Bern (told 2026-11-08)\n"
)
PARALLEL = ParallelTexts((THEIRS, OURS), BASE, (BASE, OURS, THEIRS))


def test_what_some_machine_wrote_is_nobodys_word() -> None:
    merged = (
        THEIRS
        + "- lives in:: Oslo (told 2026-11-05)\n- lives in:: Oslo (told 2026-11-05)\n"
    )
    for text in (merged, OURS, THEIRS):
        assert not any(compare_with_machines(PARALLEL, text))


def test_what_none_of_them_wrote_is_told() -> None:
    text = THEIRS.replace("figs", "dates").replace("Bern", "Lyon")
    edit = compare_with_machines(PARALLEL, text)
    assert edit.new_passages[0] == "Cem likes dates."
    assert [fact.object for fact in edit.new_facts.values()] == ["Lyon"]


def test_what_all_of_them_had_is_taken_back() -> None:
    edit = compare_with_machines(
        PARALLEL, THEIRS.replace("Cem likes figs.\n", "")
    )
    assert edit.lost_passages == ["Cem likes figs."]
    assert edit.new_passages == []


def test_what_one_of_them_lacked_is_taken_back_by_nobody() -> None:
    edit = compare_with_machines(PARALLEL, THEIRS.replace("Cem sings.\n", ""))
    assert not any(edit)


def test_derived_lines_are_no_passages_wherever_a_merge_puts_them() -> None:
    line = (
        "- 2028-05-26 17:57: [[2028-05-26#^53d7c680b385|The train leaves at 8]]"
    )
    text = f"# Rome\n\nmine\n\n## Mentions\n\n{line}\n\n## Mentions\n\n{line}\n{line}\n"
    passages = ["# Rome", "mine", "## Mentions", "## Mentions"]
    assert list_passages(text) == passages


def test_a_line_that_a_merge_puts_below_a_derived_one_is_read_alone() -> None:
    line = "- 2027-11-14 17:54: [[2027-11-14#^9f47b56d99df|Cem lives in Oslo]]"
    text = f"above\n{line}\nby hand 18\n{line}\nbelow\n"
    assert list_passages(text) == ["above", "by hand 18", "below"]
