"""`python -m tests.bench.door [MB]`: what the door costs for an export and for a folder.

An export in the shape of ChatGPT's is made from a fixed seed (1,024 MB unless told otherwise). Each
call of `companion ingest` is a process of its own; seconds are of the wall, memory is the largest
resident size that the system saw. The export is taken in whole, again, grown by a tenth, and by a
call that is killed half-way and repeated. Its bytes are then given back and compared.
"""

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from companion.storage.cold import containers, originals
from companion.storage.git.repo import Repo
from companion.workspace import open_workspace

_WORDS = "the of to and a in is it you that he was for on are with as his they be at one have this from"
_PROGRAM = [sys.executable, "-m", "companion"]


def door(megabytes: int = 1024, files: int = 2000) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _export(folder, megabytes)
        _folder(folder, files)


def _export(folder: Path, megabytes: int) -> None:
    path = folder / "conversations.json"
    count = _write(path, megabytes * 10**6)
    size = path.stat().st_size / 1e6
    print(f"an export of {size:,.0f} MB, {count:,} conversations")
    wiki = _make_wiki(folder / "whole")
    seconds = _tell("taken in", wiki, path, size)
    _tell("again, unchanged", wiki, path, size)
    back = _give_back(wiki)
    print(f"  given back to the byte: {back == _hash(path)}")
    _write(path, megabytes * 11 * 10**5)
    _tell("grown by a tenth", wiki, path, path.stat().st_size / 1e6)
    wiki = _make_wiki(folder / "killed")
    process = subprocess.Popen(
        [*_PROGRAM, "-C", str(wiki), "ingest", str(path)],
        stdout=subprocess.DEVNULL,
    )
    time.sleep(seconds / 2)
    process.send_signal(signal.SIGKILL)
    process.wait()
    known = len(originals.list_ids(Repo(open_workspace(str(wiki)).place)))
    print(f"  killed after {seconds / 2:.1f} s: {known:,} members are safe")
    _tell("again after that", wiki, path, path.stat().st_size / 1e6)
    print(f"  given back to the byte: {_give_back(wiki) == _hash(path)}")


def _folder(folder: Path, count: int) -> None:
    root = folder / "mixed"
    root.mkdir()
    chance = random.Random(2)
    size = 0
    suffixes = (".md", ".txt", ".pdf", ".html", ".eml", ".csv", ".png", ".py")
    starts = {
        ".pdf": "%PDF-1.7\n",
        ".html": "<html>",
        ".png": "\x89PNG\r\n\x1a\n",
    }
    for number in range(count):
        suffix = suffixes[number % len(suffixes)]
        text = starts.get(suffix, "") + _prose(chance, chance.randint(50, 2000))
        content = text.encode("latin-1" if suffix == ".png" else "utf-8")
        size += len(content)
        (root / f"{number % 40}").mkdir(exist_ok=True)
        (root / f"{number % 40}" / f"{number}{suffix}").write_bytes(content)
    print(f"a folder of {count:,} mixed files, {size / 1e6:.0f} MB")
    wiki = _make_wiki(folder / "folder")
    _tell("taken in", wiki, root, size / 1e6)
    _tell("again, unchanged", wiki, root, size / 1e6)


def _tell(what: str, wiki: Path, path: Path, size: float) -> float:
    code = (
        "import resource, subprocess, sys; done = subprocess.run(sys.argv[1:],"
        " capture_output=True, text=True); print(done.stdout.partition(chr(10))[0] or"
        " done.stderr); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    begun = time.perf_counter()
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            code,
            *_PROGRAM,
            "-C",
            str(wiki),
            "ingest",
            str(path),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    seconds = time.perf_counter() - begun
    *lines, memory = done.stdout.strip().splitlines()
    print(
        f"  {what}: {seconds:.1f} s, {size / seconds:.0f} MB/s,"
        f" {int(memory) / 1024:.0f} MB of memory; {lines[0]}"
    )
    return seconds


def _make_wiki(root: Path) -> Path:
    subprocess.run(
        [*_PROGRAM, "-q", "init", str(root)], check=True, capture_output=True
    )
    return root


def _write(path: Path, size: int) -> int:
    """Write an export of about *size* bytes; a longer one begins with the same conversations."""
    written = 0
    count = 0
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        for text in _conversations():
            if written > size:
                break
            file.write(("," if count else "") + text)
            written += len(text.encode())
            count += 1
        file.write("]")
    return count


def _conversations() -> Iterator[str]:
    chance = random.Random(1)
    number = 0
    while True:
        number += 1
        mapping = {}
        for turn in range(chance.choice((2, 4, 8, 20))):
            text = _prose(chance, chance.randint(10, 400))
            message = {
                "id": f"{number}-{turn}",
                "author": {
                    "role": ("user", "assistant")[turn % 2],
                    "name": None,
                },
                "create_time": 1.7e9 + number * 1000 + turn,
                "content": {"content_type": "text", "parts": [text]},
                "metadata": {"model_slug": "gpt-4o", "citations": []},
            }
            mapping[message["id"]] = {"message": message, "children": []}
        yield json.dumps({"title": f"Talk {number}", "mapping": mapping})


def _prose(chance: random.Random, words: int) -> str:
    listed = _WORDS.split()
    return " ".join(
        chance.choice(listed) + str(chance.randint(0, 99)) for _ in range(words)
    )


def _give_back(wiki: Path) -> str:
    repo = Repo(open_workspace(str(wiki)).place)
    whole = [
        i for i in originals.read(repo) if i.media_type == originals.CONTAINER
    ]
    digest = hashlib.sha256()
    for chunk in containers.restore(
        repo, max(whole, key=lambda i: i.received_at)
    ):
        digest.update(chunk)
    return digest.hexdigest()


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


if __name__ == "__main__":
    os.environ.pop("COMPANION_WIKI", None)
    door(*map(int, sys.argv[1:]))
