"""The picture of the rooms shows the imports as they are."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs import rooms

PYPROJECT = """
[[tool.importlinter.contracts]]
layers = ["cli", "operations | reading", "values"]
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package of four rooms: cli imports reading and values, reading imports values."""
    for name, text in {
        "__init__.py": "",
        "cli/__init__.py": '"""The terminal. More."""',
        "cli/main.py": "from companion.reading import show\nimport companion.values.time\n",
        "reading/show.py": "def show():\n    import companion.values.time\n",
        "values/time.py": "",
        "operations/__init__.py": "",
        "operations/decay/run.py": "from companion.values.time import now\n",
    }.items():
        path = tmp_path / "companion" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    return tmp_path / "companion"


def test_the_picture_in_the_repository_is_up_to_date() -> None:
    assert rooms.main(["--check"]) == 0


def test_a_room_stands_above_what_it_imports(package: Path) -> None:
    imports = rooms.imports_of_rooms(package)

    assert imports["cli"] == {"reading", "values"}
    assert rooms.rows(imports) == [
        ["values"],
        ["operations/decay", "reading"],
        ["cli"],
    ]


def test_an_import_that_follows_from_others_is_not_drawn(package: Path) -> None:
    assert rooms.direct(rooms.imports_of_rooms(package))["cli"] == {"reading"}


def test_every_room_is_in_the_picture_with_its_first_sentence(
    package: Path,
) -> None:
    picture = rooms.picture(package)

    assert all(
        f">{name}<" in picture
        for name in ("cli", "reading", "values", "operations/decay")
    )
    assert ">The terminal<" in picture and picture.count("<path d") == 3


def test_an_import_against_the_order_is_red(package: Path) -> None:
    assert rooms.UP not in rooms.picture(package)

    (package / "values" / "time.py").write_text(
        "from companion.cli import main\n"
    )

    assert rooms.picture(package).count(rooms.UP) == 1


def test_it_runs_as_a_program() -> None:
    command = [sys.executable, "-m", "tests.docs.rooms", "--check"]

    done = subprocess.run(command, cwd=rooms.ROOT, check=False)

    assert done.returncode == 0
