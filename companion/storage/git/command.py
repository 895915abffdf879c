"""Run git itself, in a clean environment."""

import os
import subprocess
from collections.abc import Mapping

from companion.errors import CompanionError
from companion.storage.git.layout import Place

_SETTINGS = (
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "log.showSignature=false",
    "-c",
    "core.fsync=all",
)
# has git ask companion where both sides changed a page; it changes no bytes
MERGE_ATTRIBUTE = b"merge=companion"
# variables of git's that its child inherits
_KEPT = (
    "GIT_AUTHOR_",
    "GIT_COMMITTER_",
    "GIT_CONFIG_",
    "GIT_EXEC_PATH",
    "GIT_SSH",
    "GIT_ASKPASS",
    "GIT_SSL_",
)


def run_git(
    place: Place,
    *args: str,
    stdin: bytes = b"",
    index: str | None = None,
    settings: Mapping[str, str] | None = None,
    refresh: bool = False,
    objects: str | None = None,
) -> bytes:
    """Run git in the wiki's work tree with none of its own variables inherited; return its output.

    With *refresh*, git may note in its index what it found of the files, as a person's own `git
    status` does. New objects go to the folder *objects*, where one is given, and not into the
    repository. Raises GitFailed (74) with git's own words.
    """
    command, env = git_command(place, *args, index=index, settings=settings)
    if objects is not None:
        own = os.path.join(place.common_dir, "objects")
        env["GIT_OBJECT_DIRECTORY"] = objects
        env["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = own
    if refresh:
        env["GIT_OPTIONAL_LOCKS"] = "1"
    try:
        done = subprocess.run(
            command,
            input=stdin,
            capture_output=True,
            cwd=place.worktree,
            env=env,
        )
    except FileNotFoundError as error:
        require_git(error)
        raise
    if done.returncode != 0:
        words = done.stderr.decode(errors="replace").strip()
        failure = GitFailed(
            f"git {args[0]}: {words or f'exit {done.returncode}'}"
        )
        failure.output = done.stdout.decode(errors="replace").strip()
        raise failure
    return done.stdout


def require_git(error: FileNotFoundError) -> None:
    """Raise GitMissing where *error* is that of a git child that could not be started."""
    if error.filename == "git":
        raise GitMissing from error


def git_command(
    place: Place,
    *args: str,
    index: str | None = None,
    settings: Mapping[str, str] | None = None,
) -> tuple[list[str], dict[str, str]]:
    """Return the words and the environment of a git child; its folder is the work tree."""
    # Git is told the work tree, so that it does not look for one: a GIT_DIR in the caller's
    # environment would lead it to another.
    words = [
        "git",
        f"--git-dir={place.git_dir}",
        f"--work-tree={place.worktree}",
        *_SETTINGS,
        *args,
    ]
    return words, clean_environment(index, settings)


class GitFailed(CompanionError):
    """A git command failed."""

    exit_code = 74
    hint = (
        "Git's own words say why. Mend that and run the same command again; "
        "`companion doctor` looks for damage."
    )
    output = ""  # what it had written to its standard output


class GitMissing(CompanionError):
    """Git is not installed, or not where PATH looks."""

    exit_code = 74
    hint = (
        "Install git 2.36 or newer and run the same command again; what you captured is safe"
        " meanwhile."
    )


def clean_environment(
    index: str | None = None, settings: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the environment for a git child, with few of the caller's GIT_* variables.

    Kept are those that say who the person is and how git reaches others.
    """
    env = {}
    for name, value in _inherited().items():
        if not name.startswith("GIT_") or name.startswith(_KEPT):
            env[name] = value
    env["GIT_TERMINAL_PROMPT"] = "0"
    env["GIT_OPTIONAL_LOCKS"] = "0"
    env["GIT_NO_LAZY_FETCH"] = "1"
    env["LC_ALL"] = "C.UTF-8"
    if index is not None:
        env["GIT_INDEX_FILE"] = index
    first = int(env.get("GIT_CONFIG_COUNT") or 0)
    for n, (key, value) in enumerate((settings or {}).items(), first):
        env[f"GIT_CONFIG_KEY_{n}"] = key
        env[f"GIT_CONFIG_VALUE_{n}"] = value
        env["GIT_CONFIG_COUNT"] = str(n + 1)
    return env


def has_own_attributes() -> bool:
    """Tell whether the person or the machine has a file of attributes where git always looks."""
    env = _inherited()
    home = env.get("HOME", "")
    settings = env.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    paths = (os.path.join(settings, "git", "attributes"), "/etc/gitattributes")
    return any(os.path.exists(path) for path in paths)


def _inherited() -> dict[str, str]:
    return dict(os.environ)  # noqa: TID251 - a child process needs its parent's PATH and HOME
