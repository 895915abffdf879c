"""Pack the suite for whoever tests a program of their own: one archive, the same each time."""

import hashlib
import zipfile
from collections.abc import Iterator
from pathlib import Path

from conformance.laws import Law

# before it no zip file can be dated
_EPOCH = (1980, 1, 1, 0, 0, 0)
_LEFT_OUT = {"__pycache__"}


def name_version(listed: list[Law], folder: Path) -> str:
    """Return the version of the suite in *folder*: ids, clauses with a case, and a hash of all.

    It changes with every law, case and helper, so that two results of one version can be compared.
    """
    clauses = [clause for law in listed for clause in law.clauses]
    proved = sum(not clause.why_not for clause in clauses)
    digest = hashlib.sha256()
    for path in _list_files(folder):
        digest.update(f"{path.relative_to(folder)}\0".encode())
        digest.update(path.read_bytes() + b"\0")
    return f"{len(listed)}.{proved}+{digest.hexdigest()[:8]}"


def pack(listed: list[Law], folder: Path, target: Path) -> str:
    """Write the suite in *folder* into the zip file *target*; return its version."""
    version = name_version(listed, folder)
    root = f"conformance-{version}"
    license = folder.parent / "LICENSE"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, f"{root}/VERSION", f"{version}\n".encode())
        _add(archive, f"{root}/README.md", _README.encode())
        _add(archive, f"{root}/LICENSE", license.read_bytes())
        for path in _list_files(folder):
            place = path.relative_to(folder.parent)
            _add(archive, f"{root}/{place}", path.read_bytes())
    return version


def _list_files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not _LEFT_OUT & set(path.parts):
            yield path


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    """Add a file whose date, owner and rights say nothing of this machine."""
    info = zipfile.ZipInfo(name, _EPOCH)
    info.external_attr = 0o644 << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, data)


_README = """# Conformance of a memory that metabolises

This archive tests any program against the laws of the paper *Memory as Metabolism* and of the claim ledgers that it
builds on. It needs Python 3.11, git and bash, and nothing of PyPI.

    python3 -m conformance --program ./mine --no-twins          everything
    python3 -m conformance --program ./mine --no-twins triage   one chapter
    python3 -m conformance --program ./mine --no-twins --only TRI-3
    python3 -m conformance --coverage                           which laws and clauses have a case

Your program is called as `companion` is: `mine init wiki`, `mine --json ingest "a note"`. Begin with the chapter on
TRIAGE. `conformance/toy.py`, a program of twenty lines, keeps some of its laws and breaks others:

    python3 -m conformance --program "python3 conformance/toy.py" --no-twins --only TRI-1

The last line is always `N passed, N failed`. A case that fails shows what your program said (`+`) and what the law asks
for (`-`); BROKEN means that the case could not even ask.

The twins are programs that break one law each, made of companion's own modules. They show that a case can fail. With
another program, leave them out by `--no-twins`, or write your own (`conformance/README.md`).

`VERSION` counts the laws and the clauses with a case, and has a hash of the whole suite: results of one version can be
compared with each other.
"""
