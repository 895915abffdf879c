"""Tell a person's change of a page from what git put together of the texts of machines."""

from companion.ledger.facts.merged_edits import compare_with_machines
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
