"""What the documents say of the tree is so."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()


def test_the_first_screen_has_the_two_commands_each_on_one_line() -> None:
    commands = re.findall(r"^```sh\n(.*)\n```$", README, re.MULTILINE)[:2]

    assert [command.split(" && ")[-1] for command in commands] == [
        ".venv/bin/companion demo",
        ".venv-test/bin/python -m tests",
    ]
    assert all(command.startswith("python3 -m venv ") for command in commands)


def test_ci_runs_the_second_command_of_the_readme(tmp_path: Path) -> None:
    # The same script beside a README whose command only says that it ran, where.
    (tmp_path / ".ci").mkdir()
    (tmp_path / ".ci" / "run").write_bytes((ROOT / ".ci" / "run").read_bytes())
    text = "```sh\nfirst\n```\n\n```sh\necho ran in $PWD && ls && exit 7 # -m tests\n```\n"
    (tmp_path / "README.md").write_text(text)
    (tmp_path / "kept.txt").write_text("untracked, and part of the tree")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)

    done = subprocess.run(
        ["bash", str(tmp_path / ".ci" / "run")],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 7
    assert (
        "\nran in " in "\n" + done.stdout
        and "kept.txt" in done.stdout.splitlines()
    )
    assert f"in {tmp_path}\n" not in done.stdout


def test_links_in_the_documents_lead_somewhere() -> None:
    for text, folder in (
        (README, ROOT),
        ((ROOT / "tests/README.md").read_text(), ROOT / "tests"),
    ):
        targets = re.findall(
            r"\]\(([^)#:]+)\)",
            re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL),
        )
        assert not [
            target for target in targets if not (folder / target).exists()
        ]
