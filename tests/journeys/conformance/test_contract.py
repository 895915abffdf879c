"""The contract beside the conformance suite, and the list of laws that is held against it."""

from pathlib import Path

import pytest

from conformance import contract, laws
from conformance.__main__ import main
from conformance.chapter import Malformed
from conformance.contract import COPY, faults, read_contract

BOOK = Path(__file__).resolve().parents[3] / "conformance"


def hold(book: Path, text: str) -> list[str]:
    """Return the faults of the real list, held against a contract with *text* at its end."""
    copy = (BOOK / COPY).read_text(encoding="utf-8")
    (book / COPY).write_text(f"{copy}\n{text}", encoding="utf-8")
    return list(faults(laws.read_laws(BOOK), read_contract(book)))


def test_every_law_of_the_contract_is_listed_and_every_listed_law_is_in_it() -> (
    None
):
    listed = laws.read_laws(BOOK)
    written = read_contract(BOOK)

    assert len(written) > 100
    assert {law.id for law in listed} == written.keys()
    assert list(faults(listed, written)) == []


def test_a_copy_with_one_law_more_is_missing_it(tmp_path: Path) -> None:
    assert hold(tmp_path, "") == []
    assert hold(tmp_path, "- **TRI-9** takes\n  nothing twice.\n") == [
        "TRI-9 is missing: laws.toml lacks it"
    ]


def test_a_copy_with_one_law_less_is_missing_it() -> None:
    written = read_contract(BOOK)
    del written["TRI-3"]

    assert list(faults(laws.read_laws(BOOK), written)) == [
        "TRI-3 is missing: spec.md lacks it"
    ]


def test_a_law_has_as_many_clauses_as_the_contract_has_parts(
    tmp_path: Path,
) -> None:
    sharper = (
        "- **TRI-3** (sharper) also at night; (aside; more) also by day.\n"
    )

    assert hold(tmp_path, sharper) == [
        "laws.toml: TRI-3 has 2 clauses, and spec.md 3 parts"
    ]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "- **TRI-1** one; two. Three\n  goes on.",
            ("one", "two", "Three goes on"),
        ),
        ("- **TRI-1** one (two; (three.) four) five.", ("one five",)),
        ("- **TRI-1** one `two; three` four.", ("one four",)),
        (
            "| TRI-1 | name | one; two | \u2013 | three |",
            ("one", "two", "three"),
        ),
        ("- **TRI-1** one.\n- **TRI-1** two.", ("one", "two")),
    ],
)
def test_parts_are_what_full_stops_semicolons_and_cells_divide(
    tmp_path: Path, text: str, parts: tuple[str, ...]
) -> None:
    (tmp_path / COPY).write_text(f"# Laws\n\n{text}\n\nSee TRI-7.\n")

    assert read_contract(tmp_path) == {"TRI-1": parts}


@pytest.mark.parametrize("text", [None, "# Laws\n\nTRI-1 is one.\n"])
def test_a_book_without_a_contract_is_malformed(
    tmp_path: Path, text: str | None
) -> None:
    if text is not None:
        (tmp_path / COPY).write_text(text)

    with pytest.raises(Malformed, match=r"spec\.md"):
        read_contract(tmp_path)


def test_coverage_fails_where_the_contract_has_a_law_more(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written = read_contract(BOOK)
    more = {**written, "TRI-9": ("takes nothing twice",)}
    monkeypatch.setattr(contract, "read_contract", lambda _: more)

    assert main(["--coverage"]) == 1
    assert (
        "FAIL TRI-9 is missing: laws.toml lacks it" in capsys.readouterr().out
    )
