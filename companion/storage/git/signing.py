"""Signed commits: the person's own signer is given the commit as git would give it, and never a way
to ask for words.

A night has no terminal. A key that needs a passphrase must fail at once and by name, instead of a
prompt that waits for somebody who is asleep: so the signer gets no terminal and no display, and a
bounded time.
"""

import os
import re
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence

from companion.storage.git.command import GitFailed, clean_environment, run_git
from companion.storage.git.layout import UnsuitableRepo
from companion.storage.git.repo import Repo, TryLater
from companion.storage.git.trees import EMPTY_TREE

# a security key may wait for a touch; a prompt would wait for ever
SECONDS = 30.0
_SETTINGS = r"^(commit\.gpgsign|user\.signingkey|gpg\..*)$"
_PROGRAMS = {"openpgp": "gpg", "x509": "gpgsm", "ssh": "ssh-keygen"}
# as git reads a setting; "" is one that is named and given no value
_TRUE = ("", "true", "yes", "on", "1")
_PROMPTERS = ("DISPLAY", "WAYLAND_DISPLAY", "SSH_ASKPASS", "GPG_TTY")


class CannotSign(TryLater):
    """This repository asks for signed commits, and the key cannot sign."""

    hint = (
        "Nothing was changed. Unlock the key (`ssh-add` or one signature by hand, so that the agent has it) and run "
        "this again, or `git config commit.gpgSign false` here."
    )


def sign_commit(repo: Repo, commit: bytes) -> bytes:
    """Return the *commit* object with the signature that ``commit.gpgSign`` asks for; as it is
    where none is asked.

    Raises CannotSign (75) within `SECONDS`.
    """
    said = _settings(repo)
    if said.get("commit.gpgsign", "false").lower() not in _TRUE:
        return commit
    lines = (
        _signature(repo, commit, said)
        .replace(b"\r\n", b"\n")
        .strip(b"\n")
        .split(b"\n")
    )
    headers, _, message = commit.partition(b"\n\n")
    return headers + b"\ngpgsig " + b"\n ".join(lines) + b"\n\n" + message


def require_key(repo: Repo) -> None:
    """Raise UnsuitableRepo where signed commits are asked for and no key can sign now: better at
    init than at night.
    """
    try:
        sign_commit(
            repo, b"tree " + EMPTY_TREE.encode() + b"\n\ncan this key sign?\n"
        )
    except CannotSign as error:
        raise UnsuitableRepo(
            f"this repository asks for signed commits: {error}", hint=error.hint
        ) from error


def _signature(repo: Repo, commit: bytes, said: Mapping[str, str]) -> bytes:
    kind = said.get("gpg.format", "openpgp").lower()
    if kind not in _PROGRAMS:
        raise CannotSign(
            f"gpg.format is {kind!r}",
            hint="Use openpgp, ssh or x509: `git config gpg.format openpgp`.",
        )
    program = (
        said.get(f"gpg.{kind}.program")
        or (kind == "openpgp" and said.get("gpg.program"))
        or _PROGRAMS[kind]
    )
    program = os.path.expanduser(program)
    if kind == "ssh":
        return _ssh(repo, program, commit, said)
    name, email = repo.author()
    key = said.get("user.signingkey") or f"{name} <{email}>"
    out, status = _run(repo, [program, "--status-fd=2", "-bsau", key], commit)
    # The words git itself looks for: an exit code of 0 alone is no signature.
    if b"[GNUPG:] SIG_CREATED " not in status:
        raise CannotSign(f"{program} made no signature")
    return out


def _ssh(
    repo: Repo, program: str, commit: bytes, said: Mapping[str, str]
) -> bytes:
    key = said.get("user.signingkey") or _default_key(repo, said)
    with tempfile.TemporaryDirectory(prefix="companion-sign-") as folder:
        payload = os.path.join(folder, "commit")
        _write(payload, commit)
        literal = (
            key.removeprefix("key::")
            if key.startswith(("key::", "ssh-"))
            else None
        )
        path = (
            os.path.join(folder, "key.pub")
            if literal
            else os.path.expanduser(key)
        )
        if literal:
            _write(path, literal.encode() + b"\n")
        # Only the agent has the other half of a key that is given as text.
        _run(
            repo,
            [
                program,
                "-Y",
                "sign",
                "-n",
                "git",
                "-f",
                path,
                *(["-U"] if literal else []),
                payload,
            ],
            b"",
        )
        try:
            with open(payload + ".sig", "rb") as file:
                return file.read()
        except FileNotFoundError as error:
            raise CannotSign(f"{program} made no signature") from error


def _default_key(repo: Repo, said: Mapping[str, str]) -> str:
    command = said.get("gpg.ssh.defaultkeycommand")
    listed = (
        _run(repo, shlex.split(command), b"")[0].decode("utf-8", "replace")
        if command
        else ""
    )
    found = re.search(r"^(key::|ssh-).*$", listed, re.MULTILINE)
    if found is None:
        hint = "Name one: `git config user.signingKey ~/.ssh/id_ed25519.pub`."
        raise CannotSign(
            "commits are to be signed with ssh, and no key is named", hint=hint
        )
    return found[0]


def _settings(repo: Repo) -> dict[str, str]:
    """Return git's settings about signatures. Git is asked: libgit2 knows no conditional
    include.
    """
    try:
        listing = run_git(repo.place, "config", "-z", "--get-regexp", _SETTINGS)
    except GitFailed:
        return {}  # git fails where nothing matches
    rows = (
        item.partition("\n")
        for item in listing.decode("utf-8", "surrogateescape").split("\0")
        if item
    )
    return {key: value for key, _, value in rows}


def _run(
    repo: Repo, command: Sequence[str], given: bytes
) -> tuple[bytes, bytes]:
    """Run a signer with no terminal; return what it printed on its two streams."""
    env = {
        key: value
        for key, value in clean_environment().items()
        if key not in _PROMPTERS
    }
    env["SSH_ASKPASS_REQUIRE"] = "never"
    pipe, where = subprocess.PIPE, repo.place.worktree
    try:
        child = subprocess.Popen(
            command,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            cwd=where,
            env=env,
            start_new_session=True,
        )
    except OSError as error:
        hint = "Install it, or name another: `git config gpg.program PROGRAM` (gpg.ssh.program for ssh)."
        raise CannotSign(
            f"{command[0]}: {error.strerror}", hint=hint
        ) from error
    try:
        out, status = child.communicate(given, timeout=SECONDS)
    except BaseException as error:
        # Its own children too: a prompt that one of them holds would keep our pipes open.
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        if isinstance(error, subprocess.TimeoutExpired):
            raise CannotSign(
                f"{command[0]} did not sign within {SECONDS:.0f} seconds"
            ) from error
        raise
    if child.returncode != 0:
        raise CannotSign(
            f"{os.path.basename(command[0])} cannot sign: {_last_words(status, child.returncode)}"
        )
    return out, status


def _last_words(status: bytes, code: int) -> str:
    lines = status.decode("utf-8", "replace").splitlines()
    said = [
        line.strip()
        for line in lines
        if line.strip() and not line.startswith("[GNUPG:]")
    ]
    return said[-1].rstrip(".") if said else f"exit {code}"


def _write(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)
