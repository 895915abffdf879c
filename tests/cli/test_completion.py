"""Shell completion speaks Typer's protocol with the installed program."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli.completion.zsh import finish_script
from tests.wiki import Wiki

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


HOSTILE = 'Odd $(touch pwned) `x` "q" it\'s; a|b & \\ *'


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Wiki:
    pages = {
        "Backup plan.md": "Restic. #infra/disk #Infra/nas\n",
        "Backup log.md": "Ran.\n",
        "odd.md": f"# {HOSTILE}\n",
    }
    wiki = Wiki.new(tmp_path_factory.mktemp("completion") / "wiki", pages)
    wiki.ingest("A note that waits.")
    return wiki


def ask(
    wiki: Wiki, shell: str, line: str, **more: str
) -> tuple[list[str], int]:
    """Return the lines that the program answers, and its exit code."""
    words = line.split("\n")
    environment = (
        os.environ
        | more
        | {
            "_COMPANION_COMPLETE": f"complete_{shell}",
            "COMPANION_WIKI": str(wiki.root),
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
            "_TYPER_COMPLETE_ARGS": line.replace("\n", " "),
        }
    )
    done = subprocess.run(
        [PROGRAM], env=environment, capture_output=True, text=True
    )
    assert done.stderr == ""
    return done.stdout.splitlines(), done.returncode


def names(wiki: Wiki, *words: str) -> set[str]:
    return set(ask(wiki, "bash", "\n".join(("companion", *words)))[0])


def test_titles_ids_and_waiting_notes_are_completed(vault: Wiki) -> None:
    assert names(vault, "show", "back") == {"Backup\\ plan", "Backup\\ log"}
    assert names(vault, "show", '"Backup p') == {"Backup plan"}
    assert names(vault, "why", "Backup", "p") == {"plan"}
    (entry,) = [hit["id"] for hit in vault.search("restic")]
    assert entry in names(vault, "edit", entry[:4])
    (note,) = [item.capture.id for item in vault.journal().unsettled()]
    assert names(vault, "drop", note[:3]) == {note[:12]}


def test_values_of_options_are_completed(vault: Wiki) -> None:
    assert names(vault, "list", "--tag", "infra/") == {
        "infra/disk",
        "infra/nas",
    }
    # what was typed stays as it was typed: a shell compares the letters
    assert names(vault, "list", "--tag", "Infra/n") == {"Infra/nas"}
    assert names(vault, "list", "--tag", "INFRA/Z") == set()
    assert names(vault, "list", "--linked-to", "Backup l") == {"Backup\\ log"}
    assert names(vault, "list", "--state=de") == {"--state=decaying"}
    assert names(vault, "list", "--state", "=", "de") == {"decaying"}
    assert "decaying" in names(vault, "list", "--state", "=")
    assert names(vault, "list", "--since", "yes") == {"yesterday"}
    assert names(vault, "review", "ac") == {"accept"}
    (run,) = names(vault, "undo", "20")
    assert "-init-" in run


def test_there_is_nothing_and_no_error_without_a_wiki(
    vault: Wiki, tmp_path: Path
) -> None:
    assert names(Wiki(tmp_path), "show", "x") == set()
    assert names(vault, "no-such-verb", "x") == set()
    assert names(vault, "export", "x") == set()


def test_fish_asks_twice(vault: Wiki) -> None:
    answer = ask(
        vault,
        "fish",
        "companion show back",
        _TYPER_COMPLETE_FISH_ACTION="get-args",
    )
    assert "Backup plan\tBackup plan.md" in answer[0]
    for line, code in (("companion show back", 0), ("companion show zz", 1)):
        asked = ask(vault, "fish", line, _TYPER_COMPLETE_FISH_ACTION="is-args")
        assert asked == ([], code)


def test_a_title_runs_nothing_in_bash(vault: Wiki, tmp_path: Path) -> None:
    script = (
        "COMP_WORDS=(companion show Odd); COMP_CWORD=2; _companion_completion"
        " companion; eval \"printf '%s' ${COMPREPLY[0]}\""
    )

    done = in_shell(["bash", "-c"], script, vault, tmp_path)

    assert done == HOSTILE
    assert list(tmp_path.iterdir()) == []


def test_a_title_runs_nothing_where_zsh_reads_it_twice(
    vault: Wiki, tmp_path: Path
) -> None:
    """By bash, whose quotation marks zsh has too: first the argument, then the list in it."""
    (line,), _ = ask(vault, "zsh", "companion show Odd")
    script = (
        "_arguments() { local list=${1#*'(('}; eval \"ws=( ${list%'))'} )\";"
        ' printf \'%s\' "${ws[0]}"; }; eval "$LINE"'
    )

    done = in_shell(["bash", "-c"], script, vault, tmp_path, LINE=line)

    title, _, path = done.rpartition(":")
    assert title.replace("\\:", ":").replace("\\\\", "\\") == HOSTILE
    assert path == "odd.md"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.needs("zsh")
def test_zsh_answers_the_first_press_of_a_session(
    vault: Wiki, tmp_path: Path
) -> None:
    """The shell reads the file at the first Tab: that press has an answer, too."""
    home = tmp_path / "home"
    folder = home / ".zfunc"
    folder.mkdir(parents=True)
    written = show_script("zsh")
    (folder / "_companion").write_text(written)
    finish_script(str(home))
    finish_script(str(home))  # installing again adds nothing
    script = (
        "compdef() { :; }; _arguments() { print -rn -- $1; };"
        f" fpath=({folder} $fpath); autoload -Uz _companion;"
        " words=(companion show Backup); CURRENT=3; _companion"
    )

    done = in_shell(["zsh", "-fc"], script, vault, tmp_path, LINE="")

    assert done.count("((") == 1
    (folder / "_companion").write_text(written)
    assert in_shell(["zsh", "-fc"], script, vault, tmp_path, LINE="") == ""


def test_days_are_completed_word_by_word(vault: Wiki) -> None:
    assert "yesterday" in names(vault, "today", "")
    assert names(vault, "today", "last", "f") == {"friday"}
    assert names(vault, "list", "--since", "y") == {"yesterday"}


@pytest.mark.needs("zsh")
def test_zsh_takes_what_it_is_given(vault: Wiki, tmp_path: Path) -> None:
    (line,), _ = ask(vault, "zsh", "companion show Odd")
    script = (
        "_arguments() { local list=${1#*'(('}; eval \"ws=( ${list%'))'} )\";"
        ' print -rn -- "${ws[1]}"; }; eval "$LINE"'
    )

    done = in_shell(["zsh", "-fc"], script, vault, tmp_path, LINE=line)

    assert done.endswith(":odd.md")
    assert list(tmp_path.iterdir()) == []


def show_script(shell: str) -> str:
    environment = os.environ | {"_COMPANION_COMPLETE": f"source_{shell}"}
    return subprocess.run(
        [PROGRAM], env=environment, capture_output=True, text=True, check=True
    ).stdout


def in_shell(
    shell: list[str], script: str, wiki: Wiki, folder: Path, **more: str
) -> str:
    source = ""
    if "LINE" not in more:
        source = subprocess.run(
            [PROGRAM],
            env=os.environ | {"_COMPANION_COMPLETE": "source_bash"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    path = os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"]
    done = subprocess.run(
        [*shell, f"{source}\n{script}"],
        env=os.environ
        | {"PATH": path, "COMPANION_WIKI": str(wiki.root)}
        | more,
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_no_completion_loads_typer_or_git(vault: Wiki) -> None:
    """Either costs more than the answer: the shell waits."""
    code = (
        "import sys; from companion.cli.calls.program import _complete; _complete();"
        " print([m for m in ('typer', 'pygit2', 'numpy', 'rich', 'dataclasses')"
        " if m in sys.modules])"
    )
    environment = os.environ | {
        "_COMPANION_COMPLETE": "complete_bash",
        "COMPANION_WIKI": str(vault.root),
        "COMP_WORDS": "companion\nshow\nBackup p",
        "COMP_CWORD": "2",
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == ["Backup\\ plan", "[]"]
