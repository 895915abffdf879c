"""Readers that behave badly, registered like the real ones: what a broken library does."""

import os
import signal
import sys
import tempfile

from companion.sources.document import Document, Passage, Unreadable
from companion.sources.reader import Reader
from companion.sources.registry import Entry

READERS = (Entry("tests.sources.misbehaving", ("test/bad",), (".bad",)),)


def _recognise(head: bytes, name: str) -> bool:
    return name.endswith(".bad")


def _loop() -> None:
    while True:
        pass


def _sleep() -> None:
    signal.pause()


def _eat() -> None:
    eaten = []
    while True:
        eaten.append(b"x" * 2**24)


def _eat_like_rust() -> None:
    sys.stderr.write("memory allocation of 4096 bytes failed\n")
    sys.stderr.flush()
    os.abort()


def _die() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def _exit() -> None:
    os._exit(3)


def _fail() -> None:
    raise ValueError("the words of the person")


def _sink() -> None:
    _sink()


def _write() -> None:
    with tempfile.TemporaryFile() as file:
        file.write(b"x" * 2**22)


def _chatter() -> None:
    sys.stdout.write("x" * 2**18)
    sys.stderr.write("x" * 2**18)


def _lock() -> None:
    raise Unreadable("encrypted", "it needs a password", hint="Unlock it.")


def _nothing() -> None:
    return None


_DEEDS = {
    b"loop": _loop,
    b"sleep": _sleep,
    b"eat": _eat,
    b"eat like rust": _eat_like_rust,
    b"die": _die,
    b"exit": _exit,
    b"fail": _fail,
    b"sink": _sink,
    b"chatter": _chatter,
    b"lock": _lock,
    b"write": _write,
}


def _read(content: bytes, name: str) -> Document:
    if content == b"blank":
        return Document("blank", (Passage(" \x00 "),))
    if content == b"long":
        return Document("long", (Passage("x" * 2**21),))
    if content == b"pid":
        return Document("pid", (Passage(str(os.getpid())),))
    if content == b"controls":
        return Document(
            "a\x1b[31m\nb", (Passage("c\x00d\x07\x9be\r\nf\ud800"),)
        )
    _DEEDS.get(content, _nothing)()
    return Document("good", (Passage(content.decode()),))


READER = Reader("bad", 7, ("test/bad",), _recognise, _read)
