"""Stand for `companion`: let the server of `tests.warm` run this command line.

Starts with `-I -S` and imports nothing that is not built in, since it starts as often as the program.
"""

import _socket
import os
import sys
import zlib

# Set by a caller who will stop or kill the command.
OWN_PROCESS = "CONFORMANCE_OWN_PROCESS"
# What only a starting Python reads; the server has the hash seed 0.
UNSHARED = ("PYTHON", OWN_PROCESS)
SHARED = ("PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE", "PYTHON_VERSION")
# Set by a twin that changes modules of the program while they are loaded: a server of its own does.
CHANGES = "CONFORMANCE_WITHIN"


def main(address: str, words: list[str]) -> int:
    """Run the program with *words* and return its exit code."""
    if any(
        name.startswith(UNSHARED) and not _is_shared(name)
        for name in os.environ
    ):
        os.execv(sys.executable, [sys.executable, "-m", "companion", *words])
    server = _connected(address)
    streams = b"".join(
        number.to_bytes(4, sys.byteorder) for number in (0, 1, 2)
    )
    server.sendmsg([b"!"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
    fields = [os.getcwdb(), _umask(), str(len(words)).encode()]
    fields += [os.fsencode(word) for word in words]
    fields += [name + b"=" + value for name, value in os.environb.items()]
    request = b"\0".join(fields)
    server.sendall(len(request).to_bytes(8, "big") + request)
    answer = server.recv(4)
    if len(answer) < 4:
        sys.stderr.write("tests.warm: the command ended without an exit code\n")
        return 70
    code = int.from_bytes(answer, "big", signed=True)
    if code < 0:
        os.kill(os.getpid(), -code)
    return code


def _is_shared(name: str) -> bool:
    is_folder_of_changes = name == "PYTHONPATH" and CHANGES in os.environ
    return name in SHARED or is_folder_of_changes


def _connected(address: str) -> _socket.socket:
    """Return a connection to the server of the program, with the changes that are asked for."""
    changes = os.environ.get(CHANGES, "")
    own = f"{address}.{zlib.crc32(changes.encode())}"
    failure = None
    for _ in range(3):
        server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        try:
            server.connect(own)
            return server
        except OSError:
            # two may begin it at once: for one of them it is there already
            failure = _begin(address, own, changes)
    raise ConnectionError(failure or f"no server at {own}")


def _begin(address: str, own: str, changes: str) -> "str | None":
    """Let the server at *address* begin the one at *own*; return what went wrong."""
    base = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    base.connect(address)
    folder = os.environ.get("PYTHONPATH", "")
    request = "\0".join([own, folder, changes]).encode()
    base.sendall(len(request).to_bytes(8, "big") + request)
    return None if base.recv(1) else "the program could not be imported"


def _umask() -> bytes:
    mask = os.umask(0)
    os.umask(mask)
    return str(mask).encode()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
