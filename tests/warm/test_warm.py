"""A command that the server runs does what the installed program does."""

import json
import os
import select
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import conformance
from tests import warm
from tests.living import IDENTITY

TYPED: list[tuple[list[str], bytes]] = [
    (["--version"], b""),
    (["init", "wiki"], b""),
    (["-C", "wiki", "ingest", "-"], "Über die Brücke — ö\n".encode()),
    (["-C", "wiki", "--json", "search", "Brücke"], b""),
    (["-C", "wiki", "consolidate"], b""),
    (["-C", "wiki", "show", "nothing such"], b""),
    (["-C", "elsewhere", "status"], b""),
    (["nonsense"], b""),
    (["search", "--help"], b""),
]


@pytest.fixture(scope="module")
def served() -> Iterator[list[str]]:
    with (
        warm.serving() as socket,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv(warm.SERVER, socket)
        yield warm.command()


def environment(home: Path) -> dict[str, str]:
    kept = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "COLUMNS": "80"}
    now = {"COMPANION_NOW": "2026-11-02T08:00:00Z"}
    return {**kept, **IDENTITY, **now, "HOME": str(home)}


def lived(command: list[str], home: Path) -> list[tuple[int, bytes, bytes]]:
    home.mkdir()
    results = []
    for words, typed in TYPED:
        done = subprocess.run(
            [*command, *words],
            cwd=home,
            env=environment(home),
            input=typed,
            capture_output=True,
        )
        place = str(home).encode()
        results.append(
            (
                done.returncode,
                done.stdout.replace(place, b"~"),
                done.stderr.replace(place, b"~"),
            )
        )
    return results


def test_a_session_is_the_same_to_the_byte(
    served: list[str], tmp_path: Path
) -> None:
    alone = lived([str(warm.INSTALLED)], tmp_path / "alone")

    assert lived(served, tmp_path / "warm") == alone


def test_git_settings_are_those_of_the_callers_home(
    served: list[str], tmp_path: Path
) -> None:
    (tmp_path / ".gitconfig").write_text(
        "[user]\n\tname = Ines\n\temail = ines@example.org\n"
    )
    env = {
        name: value
        for name, value in environment(tmp_path).items()
        if not name.startswith("GIT_")
    }
    subprocess.run([*served, "init", "wiki"], cwd=tmp_path, env=env, check=True)

    said = subprocess.run(
        ["git", "-C", str(tmp_path / "wiki"), "log", "--format=%an"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert set(said.split()) == {"Ines"}


def test_a_killed_command_dies_and_a_signal_reaches_the_caller(
    served: list[str], tmp_path: Path
) -> None:
    env = environment(tmp_path)
    subprocess.run([*served, "init", "wiki"], cwd=tmp_path, env=env, check=True)
    fault = {**env, "COMPANION_FAULT": "publish.files:after:kill"}

    noted = [*served, "-C", "wiki", "ingest", "a thought"]
    subprocess.run(noted, cwd=tmp_path, env=env, check=True)

    killed = subprocess.run(
        [*served, "-C", "wiki", "consolidate"], cwd=tmp_path, env=fault
    )

    assert killed.returncode == -signal.SIGKILL


def test_a_command_ends_with_its_caller(
    served: list[str], tmp_path: Path
) -> None:
    env = environment(tmp_path)
    subprocess.run([*served, "init", "wiki"], cwd=tmp_path, env=env, check=True)
    caller = subprocess.Popen(
        [*served, "-C", "wiki", "triage", "-"],
        cwd=tmp_path,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert caller.stdin and caller.stdout
    caller.stdin.write(b'{"text": "one"}\n')
    caller.stdin.flush()
    caller.stdout.readline()

    caller.kill()
    caller.wait()

    # the pipe closes when the last process that can write to it has ended
    ended, _, _ = select.select([caller.stdout], [], [], 60)
    assert ended
    assert not caller.stdout.read()


def test_a_change_from_within_is_made_by_a_server_of_its_own(
    served: list[str], tmp_path: Path
) -> None:
    within = Path(conformance.__file__).parent / "twins" / "within"
    changed = "def known_error(error):\n    raise SystemExit(42)\n"
    changes = {
        "PYTHONPATH": str(within),
        "CONFORMANCE_WITHIN": json.dumps({"companion.cli.errors": changed}),
    }
    env = environment(tmp_path)
    wrong = [*served, "nonsense"]

    codes = [
        subprocess.run(wrong, env=each, capture_output=True).returncode
        for each in (env, {**env, **changes}, env)
    ]

    assert codes == [2, 42, 2]


def test_what_will_be_stopped_gets_a_process_of_its_own(
    served: list[str], tmp_path: Path
) -> None:
    env = {**environment(tmp_path), warm.OWN_PROCESS: "1"}
    command = [*served[:-1], "/no/such/socket"]

    done = subprocess.run(
        [*command, "--version"], env=env, capture_output=True, check=True
    )

    assert done.stdout.startswith(b"companion ")
