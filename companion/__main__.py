"""The entry point. Every call loads this file, so it loads only what telling the version needs."""

import os
import sys

from companion import __version__


def main(argv: list[str] | tuple[str, ...] | None = None) -> int:
    """Run one command line and return its exit code (docs/reference/exit-codes.md lists them).

    Called without *argv*, as the installed program is, it leaves the process itself after a hot
    verb.
    """
    if argv is None and sys.argv[1:] == ["--version"] and _print_version():
        os._exit(0)
    if argv is None:
        _take_datetime_in_c()
        from companion import compiled

        compiled.install(sys.argv[1:])
    from companion.cli.calls.program import run

    return run(argv)


def _take_datetime_in_c() -> None:
    """Let `datetime` be its part in C alone, as it is from Python 3.12 on.

    Before, importing it read a second one in Python, and threw it away.
    """
    if sys.version_info < (3, 12) and "datetime" not in sys.modules:
        sys.modules["datetime"] = __import__("_datetime")


def _print_version() -> bool:
    """Print the version; False where that fails, which `run` tells."""
    try:
        sys.stdout.write(f"companion {__version__}\n")
        sys.stdout.flush()
    except (OSError, AttributeError):  # a full disk, or no stream at all
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
