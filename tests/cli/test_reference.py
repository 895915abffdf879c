"""The reference pages are made from the program and can be checked."""

import re
import shutil
from pathlib import Path

import pytest

from companion.cli import commands, reference
from companion.cli.reference import BEGIN, END, FOLDER, TEXTS
from companion.cli.typer_app import EXIT_CODES
from companion.config import Config
from companion.storage.ledger_lines import EVENTS


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """A copy of the reference pages that a test may change."""
    return shutil.copytree(FOLDER, tmp_path / "reference")


def test_the_pages_in_the_repository_are_up_to_date() -> None:
    assert reference.main(["--check"]) == 0


def test_every_command_option_and_shape_is_described() -> None:
    described, shapes = reference.render_commands(), reference.render_json()

    assert set(reference.SHAPES) == set(commands.NAMES)
    for name, verb in commands.load_all().items():
        assert f"\n## companion {name}\n" in described
        assert f"## companion {name}\n" in shapes
        assert all(
            flag in described
            for option in verb.spec.options
            for flag in option.flags
        )


def test_every_setting_has_a_meaning() -> None:
    assert set(TEXTS["settings"]) == set(Config.__dataclass_fields__)
    assert all(
        f"| `{key}` |" in reference.render_settings()
        for key in TEXTS["settings"]
    )


def test_every_event_of_the_ledger_has_a_meaning_in_one_place() -> None:
    described = [
        event for meanings in TEXTS["events"].values() for event in meanings
    ]

    assert sorted(described) == sorted(EVENTS)
    assert all(
        f"| `{event}` |" in reference.render_events() for event in EVENTS
    )


def test_every_exit_code_is_listed() -> None:
    listed = re.findall(
        r"^\| (\d+) \|", reference.render_exit_codes(), re.MULTILINE
    )

    assert [int(code) for code in listed] == list(EXIT_CODES)


def test_links_to_another_section_lead_to_one(pages: Path) -> None:
    for page in pages.glob("*.md"):
        for target, anchor in re.findall(
            r"\]\(([\w-]*(?:\.md)?)#([\w-]+)\)", page.read_text()
        ):
            headings = re.findall(
                r"^#+ (.*)$",
                (pages / (target or page.name)).read_text(),
                re.MULTILINE,
            )
            assert anchor in {
                heading.lower().replace(" ", "-") for heading in headings
            }, page


def test_writing_changes_only_what_stands_between_the_markers(
    pages: Path,
) -> None:
    page = pages / "json.md"
    page.write_bytes(f"before\r\n{BEGIN}\nold\n{END}\r\nafter".encode())

    with pytest.raises(reference.OutOfDate, match=r"json\.md"):
        reference.main(["--check", str(pages)])
    assert reference.main([str(pages)]) == 0

    assert page.read_bytes().startswith(f"before\r\n{BEGIN}\n".encode())
    assert page.read_bytes().endswith(f"{END}\r\nafter".encode())
    assert reference.main(["--check", str(pages)]) == 0


def test_a_page_without_markers_is_refused(pages: Path) -> None:
    page = pages / "json.md"
    page.write_text("nothing here")

    with pytest.raises(reference.NoMarkers, match=r"markers"):
        reference.main([str(pages)])
    assert page.read_text() == "nothing here"
