"""What every test may rely on: an environment that is the test's own."""

import importlib.util
import os
import shutil
import time
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from companion.language.vectors import static_vectors
from companion.language.vectors.static_vectors import StaticEmbedder

# A busy machine is no defect: no deadlines. The examples are the same every time, so that red means
# a change; `python -m tests full` and `slow` look for new ones.
settings.register_profile(
    "house",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
    max_examples=50,
)
settings.register_profile(
    "explore",
    settings.get_profile("house"),
    derandomize=False,
    max_examples=100,
)
settings.load_profile("house")


LEFT_OUT = "left to `python -m tests full`: "
NO_TIME = "no time left for it"
BEGUN = time.monotonic()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--needs",
        choices=["skip", "none", "all"],
        default="skip",
        help="tests that need more than Python and git: skip what is not installed, "
        "run none of them, or fail for it",
    )
    parser.addoption(
        "--at-most", type=float, help="seconds after which no test is begun"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Stop a test that has come too late, or needs what is not here or not to be used."""
    limit = item.config.getoption("--at-most")
    if limit is not None and time.monotonic() - BEGUN > limit:
        pytest.skip(NO_TIME)
    named = {
        name: None
        for marker in item.iter_markers("needs")
        for name in marker.args
    }
    mode = item.config.getoption("--needs")
    if named and mode == "none":
        pytest.skip(LEFT_OUT + f"needs {', '.join(named)}")
    lacking = ", ".join(name for name in named if not _is_here(name))
    if lacking and mode == "all":
        pytest.fail(
            f"needs {lacking}, which tests/README.md says how to install",
            pytrace=False,
        )
    if lacking:
        pytest.skip(f"needs {lacking}")


def _is_here(name: str) -> bool:
    return (
        shutil.which(name) is not None
        or importlib.util.find_spec(name.replace("-", "_")) is not None
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name every test that was left out, and what it needs."""
    skipped = terminalreporter.getreports("skipped")
    left = [report for report in skipped if LEFT_OUT in report.longreprtext]
    if left:
        terminalreporter.section("left out; `python -m tests full` runs them")
    for report in left:
        needed = report.longreprtext.partition(LEFT_OUT)[2].rstrip("')")
        terminalreporter.write_line(f"{report.nodeid}: {needed}")
    late = [
        report.nodeid for report in skipped if NO_TIME in report.longreprtext
    ]
    if late:
        files = ", ".join(sorted({name.partition("::")[0] for name in late}))
        terminalreporter.section(
            "not begun for lack of time; `python -m tests pytest` runs them"
        )
        terminalreporter.write_line(f"{len(late)} tests of {files}")


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
    # a test that wants another zone calls `set_zone` of tests/zone.py
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()


@pytest.fixture(scope="session", autouse=True)
def vectors_read_once() -> Iterator[None]:
    """Read the installed word vectors once a process; every night reads them anew: 60 ms."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_tokenizer", "_matrix"):
            patch.setattr(
                StaticEmbedder,
                name,
                _read_once(name, vars(StaticEmbedder)[name]),
            )
        yield


@pytest.fixture(scope="module", autouse=True)
def no_power_cut() -> Iterator[None]:
    """Wait for no disk: a sixth of a test's time. What survives a power cut is for
    tests/durability, which waits.
    """
    with pytest.MonkeyPatch.context() as patch:
        # a closed file is told as ever
        patch.setattr(os, "fsync", os.fstat)
        yield


def _read_once(
    name: str, property_: "cached_property[Any]"
) -> "cached_property[Any]":
    installed = static_vectors.package_folder()
    kept: list[Any] = []

    def value(embedder: StaticEmbedder) -> Any:
        if (embedder._folder or static_vectors.package_folder()) != installed:
            return property_.func(embedder)
        if not kept:
            kept.append(property_.func(embedder))
        return kept[0]

    once = cached_property(value)
    once.__set_name__(StaticEmbedder, name)
    return once
