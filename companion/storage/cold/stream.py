"""Bytes in pieces: of a file, or of a git blob that is too large to hold."""

import os
import subprocess
from collections.abc import Iterator

from companion.storage.files import durable
from companion.storage.git.command import GitFailed, git_command
from companion.storage.git.repo import MissingObject, Repo

#: bytes, or the path of a file that has them
Content = bytes | str

CHUNK = 1 << 20  # bytes
_OVERLAP = 1 << 16  # bytes of a window that stand in the next one again
_SMALL = 8 << 20  # bytes of a blob that is read as a whole
# libgit2 holds what it reads; git streams what is above a threshold, and maps packs by windows
_STREAMED = (
    "-c",
    f"core.bigFileThreshold={_SMALL}",
    "-c",
    "core.packedGitWindowSize=16m",
    "-c",
    "core.packedGitLimit=64m",
)


def read_chunks(content: Content, size: int = CHUNK) -> Iterator[bytes]:
    """Yield *content* in pieces of at most *size* bytes. Raises StorageError."""
    if isinstance(content, bytes):
        for start in range(0, len(content), size):
            yield content[start : start + size]
        return
    with durable.guarded(content), open(content, "rb") as file:
        while chunk := file.read(size):
            yield chunk


def size_of(content: Content) -> int:
    """Return how many bytes *content* has. Raises StorageError."""
    if isinstance(content, bytes):
        return len(content)
    with durable.guarded(content):
        return os.stat(content).st_size


def read_content(repo: Repo, blob: str, size: int) -> Iterator[bytes]:
    """Yield the bytes of a git blob in pieces; *size* says how many it is to have.

    Raises MissingObject or GitFailed.
    """
    if not repo.knows(blob):
        raise MissingObject(f"object {blob} is missing")
    if size <= _SMALL:
        yield from read_chunks(repo.blob(blob))
        return
    command, env = git_command(repo.place, *_STREAMED, "cat-file", "blob", blob)
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=repo.place.worktree,
        env=env,
    ) as child:
        assert child.stdout is not None and child.stderr is not None
        try:
            while chunk := child.stdout.read(CHUNK):
                yield chunk
        finally:
            if child.poll() is None:
                child.stdout.close()
        words = child.stderr.read().decode(errors="replace").strip()
    if child.returncode != 0:
        raise GitFailed(f"git cat-file: {words or child.returncode}")


def stream_text(repo: Repo, blob: str, size: int) -> Iterator[str]:
    """Yield the text of a git blob; a large one in windows that overlap, so that no words are cut.

    Bytes that are no UTF-8 become U+FFFD. Raises as `read_content`.
    """
    if size <= _SMALL:
        yield b"".join(read_content(repo, blob, size)).decode(
            "utf-8", "replace"
        )
        return
    before = b""
    for chunk in read_content(repo, blob, size):
        yield (before + chunk).decode("utf-8", "replace")
        before = chunk[-_OVERLAP:]
