"""Reach a database of PostgreSQL, and say in plain words where that fails.

psycopg (https://www.psycopg.org) is of the extra [fleet], and imported here only.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from companion.errors import CompanionError
from companion.storage.index.schema import VERSION

#: the oldest that is tested: generated columns came with it
LEAST = 120_000
#: an index of other tables has another place: versions of companion do not disturb each other
SCHEMA = f"companion_{VERSION:08x}"
_PATIENCE = 10  # seconds until a server must have answered

Connection = Any


class PostgresMissing(CompanionError):
    """Asking all shards at once needs psycopg, which is not installed."""

    exit_code = 69
    hint = "pip install 'companion-wiki[fleet]' installs it."


class PostgresDown(CompanionError):
    """PostgreSQL does not answer."""

    exit_code = 75
    hint = (
        "Every shard can be asked by itself meanwhile. Is the server running, and is this its"
        " address? `postgresql://host/database`, or `service=NAME` of libpq."
    )


class PostgresOld(CompanionError):
    """This PostgreSQL is too old."""

    exit_code = 69
    hint = "Version 12 or newer will do."


class PostgresTrouble(CompanionError):
    """PostgreSQL could not do this."""

    exit_code = 74
    hint = (
        "Nothing changed there. Is its disk full? What it holds can be made again from the shards:"
        " `companion fleet project`."
    )


class NotProjected(CompanionError):
    """No shard was projected into this database."""

    exit_code = 1
    hint = "`companion fleet project SHARD... --database DATABASE` does it."


@contextmanager
def connect(database: str) -> Iterator[Connection]:
    """Give a connection to *database*, as libpq names it; what was written is committed at the end.

    Raises PostgresMissing, PostgresDown, PostgresOld or PostgresTrouble.
    """
    try:
        import psycopg
    except ImportError as error:
        raise PostgresMissing from error
    try:
        connection = psycopg.connect(database, connect_timeout=_PATIENCE)
    except psycopg.Error as error:
        raise PostgresDown(f"PostgreSQL: {_first_line(error)}") from error
    try:
        _require_version(connection)
        with connection:
            connection.execute(f"SET search_path TO {SCHEMA}")
            yield connection
    except psycopg.errors.UndefinedTable as error:
        raise NotProjected from error
    except psycopg.Error as error:
        # what a server says has a code; where it went away there is none, or one of 57P
        is_down = (error.sqlstate or "57P").startswith("57P")
        kind = PostgresDown if is_down else PostgresTrouble
        raise kind(f"PostgreSQL: {_first_line(error)}") from error
    finally:
        connection.close()


def _require_version(connection: Connection) -> None:
    if connection.info.server_version < LEAST:
        version = connection.info.parameter_status("server_version")
        raise PostgresOld(f"PostgreSQL {version} is too old")


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
