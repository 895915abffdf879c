"""What every test may rely on: an environment that is the test's own."""

import os

import pytest


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the caller's settings; give git an identity, so that a bare machine will do."""
    for name in os.environ:
        if name.startswith(("COMPANION_", "GIT_")):
            monkeypatch.delenv(name)
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "ada@example.org")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
