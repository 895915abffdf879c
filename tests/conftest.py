"""What every test may rely on: an environment that is the test's own."""

import os

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no defect: no deadlines. Under CI the examples are the same every time, so that
# red means a change.
settings.register_profile(
    "house",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("house")


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
