"""Samples with bytes changed, lost and repeated: read, or refused by a name that says why."""

import io
import os
import random
import zipfile

import pytest

from companion.sources.document import Unreadable
from companion.sources.read import Readers
from companion.sources.reader import LIMITS
from tests.sources.originals import make
from tests.sources.samples import FOLDER, load

ROUNDS = 10  # of each sample
NAMED = {
    *("damaged", "truncated", "encrypted", "empty", "unknown", "too-large"),
    *("needs-ocr", "needs-documents"),
}
SAMPLES = sorted(
    name
    for name in os.listdir(FOLDER)
    if "." in name and not name.endswith((".py", ".pyc"))
    # a picture takes a second
    if not name.startswith("scan")
)


def _damage(content: bytes, chance: random.Random) -> bytes:
    damaged = bytearray(content)
    for _ in range(chance.choice((1, 5, 50))):
        at = chance.randrange(len(damaged) + 1)
        deed = chance.randrange(3)
        if deed == 0:
            damaged[at : at + 1] = bytes([chance.randrange(256)])
        elif deed == 1:
            del damaged[at : at + chance.randrange(1, 200)]
        else:
            damaged[at:at] = damaged[at : at + chance.randrange(1, 400)]
    return bytes(damaged)


@pytest.fixture(scope="module")
def readers():
    with Readers(LIMITS._replace(cpu_seconds=20)) as readers:
        yield readers


@pytest.mark.parametrize("name", SAMPLES)
def test_damaged_files_are_read_or_refused_by_name(readers, name):
    chance = random.Random(name)
    for _ in range(ROUNDS):
        content = _damage(load(name), chance)
        try:
            readers.read(content, make(content, name))
        except Unreadable as error:
            assert error.code in NAMED, (error.code, str(error))


def test_a_broken_manifest_is_no_crash(readers):
    content = bytearray(load("calc.ods"))
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        begin = package.getinfo("META-INF/manifest.xml").header_offset
    for at in range(begin + 60, begin + 120):
        content[at] ^= 0x5A

    try:
        readers.read(bytes(content), make(bytes(content), "calc.ods"))
    except Unreadable as error:
        assert error.code == "damaged"
