"""The list of laws beside the conformance suite, and what its coverage says."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conformance import laws, quotations
from conformance.__main__ import main
from conformance.chapter import Malformed, chapters, twins

BOOK = Path(__file__).resolve().parents[3] / "conformance"


def test_the_list_and_the_chapters_agree() -> None:
    assert list(laws.faults(laws.read_laws(BOOK), chapters(BOOK))) == []


def test_what_is_missing_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--coverage"]) == 0

    out = capsys.readouterr().out
    for law in laws.read_laws(BOOK):
        for clause in law.clauses:
            line = f"missing {law.id}: {clause.text} ({clause.why_not})"
            assert (line in out) is bool(clause.why_not)


def test_a_law_without_a_case_is_counted_as_missing() -> None:
    unproved = laws.Clause("a", (), "to come")
    law = laws.Law("TRI-1", "t", (laws.Clause("b", ("x",), ""), unproved))

    rows = laws.count([law], {})

    assert rows == [laws.Row(law, 1, 0, (unproved,))]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('"a" = []', "needs names of cases"),
        ('"a" = [1]', "needs names of cases"),
        ('"a" = " "', "needs names of cases"),
        ("", "has no clause"),
        ("= 1", "laws.toml: "),
    ],
)
def test_a_malformed_list_names_its_place(
    tmp_path: Path, line: str, fault: str
) -> None:
    text = f'[TRI-1]\ntitle = "t"\n{line}\n'
    (tmp_path / laws.LIST).write_text(text, encoding="utf-8")

    with pytest.raises(Malformed, match=fault):
        laws.read_laws(tmp_path)


def test_a_lost_law_and_an_unknown_case_are_faults(tmp_path: Path) -> None:
    text = '[TRI-1]\ntitle = "t"\n"a" = "why"\n[TRI-3]\ntitle = "t"\n"b" = ["none"]\n'
    (tmp_path / laws.LIST).write_text(text, encoding="utf-8")
    listed = laws.read_laws(tmp_path)

    found = list(laws.faults(listed, []))

    assert found == [
        "laws.toml: TRI-2 is missing",
        "laws.toml: TRI-3: there is no case 'none'",
    ]
    assert laws.compare(listed, "TRI-1 … 3 and FED-1") == [
        "laws.toml lacks FED-1",
        "laws.toml lacks TRI-2",
    ]


def test_a_quotation_is_found_whatever_its_line_ends(tmp_path: Path) -> None:
    page = tmp_path / "10-x.md"
    page.write_text("> One two · three\n> four […] five\n\n> nowhere\n")
    quoted = quotations.quotations(tmp_path)

    absent = quotations.absent(quoted, ["| one\ntwo | Three-four, then\nfive"])

    assert absent == ["10-x.md: not in the text: nowhere"]
    assert not quotations.is_recorded(tmp_path, quoted)
    quotations.write_copy(tmp_path, quoted)
    assert quotations.is_recorded(tmp_path, quoted)


def test_the_chapters_quote_what_was_found_in_the_papers() -> None:
    quoted = quotations.quotations(BOOK)

    assert len(quoted) > 100
    assert quotations.is_recorded(BOOK, quoted)


#: what a twin takes from `honest` to change more than what is printed
INSIDE = ("within", "alter", "quietly", "git", "pass_on", "refuse")


def test_of_each_law_a_twin_breaks_the_program_and_not_its_words() -> None:
    broken: dict[str, bool] = {}
    for twin in twins(BOOK).values():
        source = twin.path.read_text("utf-8")
        inside = any(f"{name}(" in source for name in INSIDE)
        for id in twin.breaks:
            broken[id] = broken.get(id, False) or inside
    assert [id for id, inside in broken.items() if not inside] == []


def test_who_only_looks_for_a_module_does_not_take_its_change() -> None:
    """The program looks for modules that it loads ahead: a twin must change them all the same."""
    source = "import importlib.util as u; u.find_spec('colorsys'); import colorsys; print(colorsys.x)"
    environment = {
        **os.environ,
        "CONFORMANCE_WITHIN": '{"colorsys": "x = 7"}',
        "PYTHONPATH": str(BOOK / "twins" / "within"),
    }
    done = subprocess.run(
        [sys.executable, "-c", source],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("7\n", "")
