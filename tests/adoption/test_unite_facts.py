"""Bring sections together that git merged line by line."""

from companion.adoption.merges.unite_facts import put_section, take_out_facts

NOTE = "## 2026-11-01 08:01\n\nCem lives in Turku. ^a2ad29be8224\n"
OURS = f"# Cem\n\n{NOTE}\n## Facts\n\n- lives in:: Oslo (told 2026-11-05)\n"
THEIRS = f"# Cem\n\n{NOTE}\n## Facts\n\n- lives in:: Bern (told 2026-11-08)\n"
LOST = "- lives in:: Oslo (told 2026-11-05)"


def test_what_a_machine_wrote_is_taken_out_wherever_git_put_it() -> None:
    merged = f"# Cem\n\n{LOST}\n{LOST}\n\n{NOTE}\n### Earlier\n\n## Facts\n\n{LOST}\n"
    text = take_out_facts(merged, [OURS, THEIRS], [OURS, THEIRS])
    assert text == f"# Cem\n\n{NOTE}\n"


def test_a_line_of_the_person_stays() -> None:
    own = "- lives in:: a boat\n"
    merged = f"# Cem\n\n{own}\n{NOTE}\n"
    assert take_out_facts(merged, [OURS, THEIRS], [OURS, THEIRS]) == merged
    beside = f"# Cem\n\n{LOST}\n\n{NOTE}\n"
    assert take_out_facts(beside, [OURS, THEIRS], [beside, THEIRS]) == beside


def test_a_note_that_quotes_a_fact_keeps_its_words() -> None:
    note = NOTE.replace("Cem lives", f"{LOST}\n\nCem lives")
    assert take_out_facts(note, [OURS], [OURS]) == note


def test_the_section_has_each_line_of_all_machines_once() -> None:
    earlier = "\n### Earlier\n\n- lives in: Turku (told 2026-11-01, until 2026-11-05: then Oslo)\n"
    text = put_section(NOTE, [OURS + earlier, THEIRS, OURS])
    assert text == (
        f"{NOTE}\n## Facts\n\n{LOST}\n- lives in:: Bern (told 2026-11-08)\n{earlier}"
    )
    assert put_section(NOTE, [NOTE]) == NOTE
