"""Signed commits: every run's commit passes `git verify-commit`, and a key that cannot sign never
holds a night up.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.adoption import undo
from companion.storage.git import signing
from companion.storage.git.layout import UnsuitableRepo
from companion.storage.git.signing import CannotSign
from tests.wiki import Wiki, check_health, check_index, git, person


def ssh_key(folder: Path, passphrase: str = "") -> Path:
    key = folder / f"key{passphrase}"
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-f", str(key)],
        check=True,
    )
    allowed = folder / "allowed"
    allowed.write_text("ada@example.org " + key.with_suffix(".pub").read_text())
    return key


def with_ssh(root: Path, key: str, folder: Path) -> None:
    settings = {
        "commit.gpgSign": "true",
        "gpg.format": "ssh",
        "user.signingKey": key,
    }
    for name, value in {
        **settings,
        "gpg.ssh.allowedSignersFile": str(folder / "allowed"),
    }.items():
        git(root, "config", name, value)


def new(root: Path) -> Wiki:
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    person(root)
    return Wiki(root)


def every_run(wiki: Wiki) -> None:
    """Each of a wiki's operations makes a commit, and git finds its signature good."""
    wiki.init()
    wiki.ingest("oat milk in Ünïcode")
    wiki.consolidate()
    wiki.write("mine.md", "by hand\n")
    wiki.adopt()
    wiki.tick()
    undo.undo(wiki.ws, run_of(wiki))
    assert wiki.commits() == 4
    for commit in wiki.git("rev-list", "HEAD").split():
        wiki.git("verify-commit", commit)
    check_index(wiki)
    check_health(wiki)


def run_of(wiki: Wiki) -> str:
    return Path(
        wiki.git(
            "diff",
            "--name-only",
            "--diff-filter=A",
            "HEAD~1",
            "HEAD",
            "--",
            ".companion",
        ).strip()
    ).stem


@pytest.mark.needs("ssh-keygen")
@pytest.mark.parametrize("given", ["private", "public", "home"])
def test_signed_with_ssh(
    tmp_path: Path, given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = ssh_key(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    wiki = new(tmp_path / "wiki")
    with_ssh(
        wiki.root,
        {"private": str(key), "public": f"{key}.pub", "home": "~/key"}[given],
        tmp_path,
    )
    every_run(wiki)


@pytest.mark.needs("ssh-keygen", "ssh-agent")
def test_a_key_that_only_the_agent_has_given_as_text_or_by_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = ssh_key(tmp_path)
    # a socket's path has 108 bytes at most
    with tempfile.TemporaryDirectory(dir="/tmp") as short:
        socket = f"{short}/agent"
        agent = subprocess.Popen(
            ["ssh-agent", "-D", "-a", socket], stdout=subprocess.DEVNULL
        )
        try:
            while not os.path.exists(socket):
                time.sleep(0.01)
            monkeypatch.setenv("SSH_AUTH_SOCK", socket)
            subprocess.run(["ssh-add", "-q", str(key)], check=True)
            key.unlink()
            wiki = new(tmp_path / "wiki")
            with_ssh(
                wiki.root,
                "key::" + key.with_suffix(".pub").read_text().strip(),
                tmp_path,
            )
            every_run(wiki)
            wiki.git("config", "--unset", "user.signingKey")
            with pytest.raises(CannotSign, match="no key is named"):
                signing.sign_commit(wiki.repo(), b"tree x\n\nx\n")
            wiki.git("config", "gpg.ssh.defaultKeyCommand", "ssh-add -L")
            wiki.ingest("another")
            wiki.git("verify-commit", wiki.consolidate()["commit"])
        finally:
            agent.terminate()
            agent.wait()


@pytest.fixture
def gnupg(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="gnupg-") as folder:
        monkeypatch.setenv("GNUPGHOME", folder)
        yield Path(folder)
        subprocess.run(["gpgconf", "--kill", "all"], check=True)


def gpg_key(passphrase: str = "") -> None:
    command = [
        "gpg",
        "--batch",
        "--quiet",
        "--pinentry-mode",
        "loopback",
        "--passphrase",
        passphrase,
    ]
    command += [
        "--quick-generate-key",
        "Ada <ada@example.org>",
        "default",
        "default",
        "never",
    ]
    subprocess.run(command, check=True, capture_output=True)


@pytest.mark.needs("gpg", "gpg-agent")
def test_signed_with_openpgp(tmp_path: Path, gnupg: Path) -> None:
    gpg_key()
    wiki = new(tmp_path / "wiki")
    wiki.git("config", "commit.gpgSign", "yes")
    every_run(wiki)


def test_an_x509_signer_is_called_as_git_calls_it(tmp_path: Path) -> None:
    """A signer of the test's own: it records its arguments and answers in the words git looks
    for.
    """
    signer = tmp_path / "signer"
    signer.write_text(
        f"#!{sys.executable}\nimport sys\nopen({str(tmp_path / 'asked')!r},"
        " 'w').write(repr(sys.argv[1:]))\n"
        "sys.stdin.buffer.read()\nprint('-----BEGIN SIGNED MESSAGE-----\\nx\\n-----END SIGNED"
        " MESSAGE-----')\n"
        "sys.stderr.write('\\n[GNUPG:] SIG_CREATED x\\n')\n"
    )
    signer.chmod(0o755)
    wiki = new(tmp_path / "wiki")
    for name, value in {
        "commit.gpgSign": "true",
        "gpg.format": "x509",
        "gpg.x509.program": str(signer),
    }.items():
        wiki.git("config", name, value)
    wiki.init()
    assert (
        tmp_path / "asked"
    ).read_text() == "['--status-fd=2', '-bsau', 'Ada <ada@example.org>']"
    header = wiki.git("cat-file", "commit", "HEAD").partition("\n\n")[0]
    assert header.endswith(
        "gpgsig -----BEGIN SIGNED MESSAGE-----\n x\n -----END SIGNED MESSAGE-----"
    )
    wiki.git("fsck", "--strict")


# -- what cannot sign ------------------------------------------------------------------------------


@pytest.mark.needs("ssh-keygen")
def test_a_setting_for_a_folder_of_repositories_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """libgit2 does not read includeIf; a commit without the signature that git would have made is a
    surprise.
    """
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    (tmp_path / "gitconfig").write_text(
        f'[includeIf "gitdir:{tmp_path}/"]\n\tpath = {tmp_path}/signing\n'
    )
    key = ssh_key(tmp_path)
    (tmp_path / "signing").write_text(
        f"[commit]\n\tgpgSign\n[gpg]\n\tformat = ssh\n[user]\n\tsigningKey = {key}\n"
        f'[gpg "ssh"]\n\tallowedSignersFile = {tmp_path}/allowed\n'
    )
    every_run(new(tmp_path / "wiki"))


def lasts(root: Path, seconds: float) -> str:
    """A signer that starts a child which waits as a prompt does."""
    signer = root / "waits"
    signer.write_text(f"#!/bin/sh\nsleep {seconds} &\nwait\n")
    signer.chmod(0o755)
    return str(signer)


@pytest.mark.needs("ssh-keygen")
def test_init_refuses_what_every_night_would_have_to(tmp_path: Path) -> None:
    key = ssh_key(tmp_path, "locked")
    wiki = new(tmp_path / "wiki")
    with_ssh(wiki.root, str(key), tmp_path)
    before = sorted(map(str, wiki.root.rglob("*")))
    with pytest.raises(UnsuitableRepo, match="signed commits") as caught:
        wiki.init()
    assert (caught.value.exit_code, "ssh-add" in caught.value.hint) == (
        11,
        True,
    )
    assert sorted(map(str, wiki.root.rglob("*"))) == before


@pytest.mark.needs("ssh-keygen")
@pytest.mark.parametrize(
    "why",
    [
        "passphrase",
        "gone",
        "no program",
        "nonsense",
        "says nothing",
        "bad format",
    ],
)
def test_a_key_that_cannot_sign_stops_the_night_by_name_and_loses_nothing(
    tmp_path: Path, why: str
) -> None:
    wiki = Wiki.new(tmp_path / "wiki", {"a.md": "oat\n"})
    with_ssh(wiki.root, str(ssh_key(tmp_path, "locked")), tmp_path)
    for name, value in {
        "gone": ("user.signingKey", str(tmp_path / "gone")),
        "no program": ("gpg.ssh.program", "/no/such/program"),
        "nonsense": ("gpg.ssh.program", "false"),
        "says nothing": ("gpg.ssh.program", "true"),
        "bad format": ("gpg.format", "smoke"),
    }.items():
        if name == why:
            wiki.git("config", *value)
    (captured,) = wiki.ingest("oat milk")
    before = (wiki.head, wiki.status())
    with pytest.raises(CannotSign) as caught:
        wiki.consolidate()
    assert (caught.value.exit_code, bool(caught.value.hint)) == (75, True)
    assert (wiki.head, wiki.status()) == before
    assert {hit["id"] for hit in wiki.search("milk")} == {captured["id"]}
    check_index(wiki)
    check_health(wiki)
    wiki.git("config", "commit.gpgSign", "false")
    assert wiki.consolidate()["counts"]["captures"] == 1


def test_a_signer_that_waits_is_ended_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    for name, value in {
        "commit.gpgSign": "true",
        "gpg.program": lasts(tmp_path, 61.25),
    }.items():
        wiki.git("config", name, value)
    monkeypatch.setattr(signing, "SECONDS", 0.3)
    wiki.ingest("oat milk")
    began = time.monotonic()
    with pytest.raises(CannotSign, match="did not sign within"):
        wiki.consolidate()
    assert time.monotonic() - began < 20
    left = subprocess.run(
        ["ps", "-eo", "args"], capture_output=True, text=True, check=True
    ).stdout
    assert "sleep 61.25" not in left


def test_a_signer_has_no_terminal_and_no_display(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("GPG_TTY", "/dev/tty")
    signer = tmp_path / "signer"
    signer.write_text(
        f"#!/bin/sh\nenv > {tmp_path}/env\n(: < /dev/tty) 2> {tmp_path}/tty\nexit 1\n"
    )
    signer.chmod(0o755)
    wiki = Wiki.new(tmp_path / "wiki")
    for name, value in {
        "commit.gpgSign": "true",
        "gpg.program": str(signer),
    }.items():
        wiki.git("config", name, value)
    with pytest.raises(CannotSign):
        signing.sign_commit(wiki.repo(), b"tree x\n\nx\n")
    names = {
        line.partition("=")[0]
        for line in (tmp_path / "env").read_text().splitlines()
    }
    assert not names & {"DISPLAY", "GPG_TTY", "SSH_ASKPASS"}
    assert (tmp_path / "tty").read_text(), "the terminal could be opened"


def test_an_exit_code_of_0_is_no_signature(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    for name, value in {
        "commit.gpgSign": "true",
        "gpg.program": "true",
    }.items():
        wiki.git("config", name, value)
    with pytest.raises(CannotSign, match="made no signature"):
        signing.sign_commit(wiki.repo(), b"tree x\n\nx\n")


@pytest.mark.needs("gpg", "gpg-agent")
def test_a_locked_openpgp_key_fails_at_once(
    tmp_path: Path, gnupg: Path
) -> None:
    gpg_key("a passphrase")
    # it remembered the passphrase
    subprocess.run(["gpgconf", "--kill", "gpg-agent"], check=True)
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.git("config", "commit.gpgSign", "true")
    began = time.monotonic()
    with pytest.raises(CannotSign):
        signing.sign_commit(wiki.repo(), b"tree x\n\nx\n")
    assert time.monotonic() - began < 20
