"""Sign commits with the person's own signer, which gets no way to ask for words.

A night has no terminal. A key that needs a passphrase must fail at once and by name, not prompt
somebody who is asleep: so the signer gets no terminal, no display and a bounded time.
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
        "Nothing was changed. Unlock the key (`ssh-add` or one signature by hand, "
        "so that the agent has it) and run this again, "
        "or `git config commit.gpgSign false` here."
    )


def sign_commit(repo: Repo, commit: bytes) -> bytes:
    """Return the *commit* object, signed if ``commit.gpgSign`` asks for it.

    Raises CannotSign (75) within `SECONDS`.
    """
    settings = _read_settings(repo)
    if settings.get("commit.gpgsign", "false").lower() not in _TRUE:
        return commit
    signature = _sign(repo, commit, settings).replace(b"\r\n", b"\n")
    # git indents the lines of a header after the first
    header = signature.strip(b"\n").replace(b"\n", b"\n ")
    headers, _, message = commit.partition(b"\n\n")
    return headers + b"\ngpgsig " + header + b"\n\n" + message


def require_key(repo: Repo) -> None:
    """Raise UnsuitableRepo where signed commits are asked for and no key can sign now.

    The person learns it at init, not after a night.
    """
    commit = b"tree " + EMPTY_TREE.encode() + b"\n\ncan this key sign?\n"
    try:
        sign_commit(repo, commit)
    except CannotSign as error:
        raise UnsuitableRepo(
            f"this repository asks for signed commits: {error}", hint=error.hint
        ) from error


def _sign(repo: Repo, commit: bytes, settings: Mapping[str, str]) -> bytes:
    kind = settings.get("gpg.format", "openpgp").lower()
    if kind not in _PROGRAMS:
        raise CannotSign(
            f"gpg.format is {kind!r}",
            hint="Use openpgp, ssh or x509: `git config gpg.format openpgp`.",
        )
    program = _find_program(kind, settings)
    if kind == "ssh":
        return _sign_with_ssh(repo, program, commit, settings)
    name, email = repo.author()
    key = settings.get("user.signingkey") or f"{name} <{email}>"
    out, status = _run(repo, [program, "--status-fd=2", "-bsau", key], commit)
    # The words git itself looks for: an exit code of 0 alone is no signature.
    if b"[GNUPG:] SIG_CREATED " not in status:
        raise CannotSign(f"{program} made no signature")
    return out


def _find_program(kind: str, settings: Mapping[str, str]) -> str:
    program = settings.get(f"gpg.{kind}.program")
    if not program and kind == "openpgp":
        program = settings.get("gpg.program")
    return os.path.expanduser(program or _PROGRAMS[kind])


def _sign_with_ssh(
    repo: Repo, program: str, commit: bytes, settings: Mapping[str, str]
) -> bytes:
    key = settings.get("user.signingkey") or _ask_default_key(repo, settings)
    command = [program, "-Y", "sign", "-n", "git", "-f"]
    with tempfile.TemporaryDirectory(prefix="companion-sign-") as folder:
        payload = os.path.join(folder, "commit")
        _write(payload, commit)
        if key.startswith(("key::", "ssh-")):
            # Only the agent has the other half of a key that is given as text: -U asks it.
            path = os.path.join(folder, "key.pub")
            _write(path, key.removeprefix("key::").encode() + b"\n")
            command += [path, "-U", payload]
        else:
            command += [os.path.expanduser(key), payload]
        _run(repo, command, b"")
        try:
            with open(payload + ".sig", "rb") as file:
                return file.read()
        except FileNotFoundError as error:
            raise CannotSign(f"{program} made no signature") from error


def _ask_default_key(repo: Repo, settings: Mapping[str, str]) -> str:
    """Return the key that ``gpg.ssh.defaultKeyCommand`` lists. Raises CannotSign."""
    listing = ""
    command = settings.get("gpg.ssh.defaultkeycommand")
    if command:
        out, _ = _run(repo, shlex.split(command), b"")
        listing = out.decode("utf-8", "replace")
    key = re.search(r"^(key::|ssh-).*$", listing, re.MULTILINE)
    if key is None:
        hint = "Name one: `git config user.signingKey ~/.ssh/id_ed25519.pub`."
        raise CannotSign(
            "commits are to be signed with ssh, and no key is named", hint=hint
        )
    return key[0]


def _read_settings(repo: Repo) -> dict[str, str]:
    """Return git's settings about signatures, by key in lower case.

    Git is asked: libgit2 knows no conditional include.
    """
    try:
        listing = run_git(repo.place, "config", "-z", "--get-regexp", _SETTINGS)
    except GitFailed:
        return {}  # git fails where nothing matches
    settings = {}
    for item in listing.decode("utf-8", "surrogateescape").split("\0"):
        if item:
            key, _, value = item.partition("\n")
            settings[key] = value
    return settings


def _run(
    repo: Repo, command: Sequence[str], given: bytes
) -> tuple[bytes, bytes]:
    """Run a signer with no terminal; return what it printed on its two streams."""
    child = _start(repo, command)
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
        program = os.path.basename(command[0])
        words = _last_words(status) or f"exit {child.returncode}"
        raise CannotSign(f"{program} cannot sign: {words}")
    return out, status


def _start(repo: Repo, command: Sequence[str]) -> "subprocess.Popen[bytes]":
    env = clean_environment()
    for name in _PROMPTERS:
        env.pop(name, None)
    env["SSH_ASKPASS_REQUIRE"] = "never"
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=repo.place.worktree,
            env=env,
            start_new_session=True,
        )
    except OSError as error:
        hint = (
            "Install it, or name another: "
            "`git config gpg.program PROGRAM` (gpg.ssh.program for ssh)."
        )
        raise CannotSign(
            f"{command[0]}: {error.strerror}", hint=hint
        ) from error


def _last_words(status: bytes) -> str:
    """Return the last line that the signer wrote for people."""
    last = ""
    for line in status.decode("utf-8", "replace").splitlines():
        if line.strip() and not line.startswith("[GNUPG:]"):
            last = line.strip()
    return last.rstrip(".")


def _write(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)
