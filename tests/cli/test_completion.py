"""Shell completion speaks Typer's protocol with the installed program."""

import os
import subprocess
import sys

import pytest

PROGRAM = os.path.join(os.path.dirname(sys.executable), "companion")

pytestmark = pytest.mark.skipif(
    not os.path.exists(PROGRAM), reason="the program is not installed"
)


def complete(line: str) -> list[str]:
    words = line.split(" ")
    environment = os.environ | {
        "_COMPANION_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
    }
    done = subprocess.run(
        [PROGRAM], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_verbs_are_completed() -> None:
    assert complete("companion sea") == ["search"]
    assert {"init", "ingest", "status"} <= set(complete("companion "))


def test_options_are_completed_global_ones_too() -> None:
    assert complete("companion search x --js") == ["--json"]
    assert complete("companion --json search --st") == ["--state"]
    assert complete("companion search --state p") == ["pending"]


def test_the_script_for_bash_completes_in_bash() -> None:
    environment = os.environ | {"_COMPANION_COMPLETE": "source_bash"}
    script = subprocess.run(
        [PROGRAM], env=environment, capture_output=True, text=True, check=True
    ).stdout
    driver = (
        "COMP_WORDS=(companion cons); COMP_CWORD=1; _companion_completion companion; echo"
        ' "${COMPREPLY[@]}"'
    )
    folder = os.path.dirname(PROGRAM)
    done = subprocess.run(
        ["bash", "-c", script + "\n" + driver],
        env=os.environ | {"PATH": folder + os.pathsep + os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.split() == ["consolidate"]
