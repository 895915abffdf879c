"""A stand-in for a PostgreSQL that is too old: no such server can be installed here.

It listens on this machine and speaks the beginning of PostgreSQL's protocol (version 3): it declines
encryption, lets everybody in and says which version it is. libpq, which really connects, believes
it. What is asked afterwards it answers with an error, and it keeps what it was asked.
"""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_SSL, _GSS = 80877103, 80877104
_STARTUP = 196608  # protocol 3.0
_OK = 0


class OldServer:
    """A server that says it is *version*."""

    def __init__(self, version: str) -> None:
        self.version = version
        self.asked: list[bytes] = []  # kinds of messages after the beginning
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]

    @property
    def database(self) -> str:
        return f"postgresql://someone@127.0.0.1:{self.port}/old"

    def run(self) -> None:
        """Serve one connection after another until the socket is closed."""
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                self._serve(connection)

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _serve(self, connection: socket.socket) -> None:
        while True:
            (size,) = struct.unpack("!i", _read(connection, 4))
            body = _read(connection, size - 4)
            (code,) = struct.unpack("!i", body[:4])
            if code == _STARTUP:
                break
            assert code in (_SSL, _GSS)
            connection.sendall(b"N")
        connection.sendall(self._begin())
        while True:
            kind = connection.recv(1)
            if kind in (b"", b"X"):
                return
            (size,) = struct.unpack("!i", _read(connection, 4))
            _read(connection, size - 4)
            self.asked.append(kind)
            fields = b"SERROR\0C0A000\0Mthis is a stand-in\0\0"
            connection.sendall(_message(b"E", fields) + _message(b"Z", b"I"))

    def _begin(self) -> bytes:
        parts = [_message(b"R", struct.pack("!i", _OK))]
        for name, value in (
            ("server_version", self.version),
            ("client_encoding", "UTF8"),
            ("server_encoding", "UTF8"),
            ("standard_conforming_strings", "on"),
        ):
            parts.append(_message(b"S", f"{name}\0{value}\0".encode()))
        parts.append(_message(b"K", struct.pack("!ii", 1, 1)))
        parts.append(_message(b"Z", b"I"))
        return b"".join(parts)


def _message(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("!i", len(body) + 4) + body


def _read(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = connection.recv(size - len(data))
        if not more:
            raise ConnectionError("the client went away")
        data += more
    return data


@contextmanager
def serve_old(version: str) -> Iterator[OldServer]:
    """Let a server of *version* run in a thread."""
    server = OldServer(version)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join(10)
