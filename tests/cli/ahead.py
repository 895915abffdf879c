"""Which modules an everyday command loads ahead: ``python -m tests.cli.ahead [--write]``.

Each command is called in a small wiki, in the ways below, and what all its ways load is kept, in
the order in which the modules were done: each stands behind those that it imports.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import companion
from companion import compiled
from tests.living import PROGRAM

#: the file that the program reads
FILE = Path(companion.__file__).with_name(compiled.AHEAD)
NOTES = (
    "Anna lives in Leeds.",
    "The boiler is serviced by Mr. Holt every May.",
    "Tickets for the ferry are in the blue folder.",
)
CALLS: dict[str, list[list[str]]] = {
    "add": [["a thought"]],
    "ask": [["Where does Anna live?"], ["Who has the spare key?"]],
    "ingest": [["a thought"]],
    "list": [[]],
    "search": [["boiler"], ["Who services the boiler in spring?"]],
    "show": [["Anna"]],
    "status": [[]],
}

# what a call is run by: it notes each module when it is done, and writes them as it leaves
_RECORDER = """
import os, sys
from companion import compiled
done = []
load = compiled.SourceFileLoader.exec_module
def note(self, module):
    load(self, module)
    done.append(module.__name__)
compiled._Loader.exec_module = note
compiled._list_ahead = lambda *known: []
leave = os._exit
def write(code):
    with open(os.environ["MODULES"], "w") as file:
        file.write(" ".join(done))
    leave(0)
os._exit = write
from companion.__main__ import main
sys.argv[0] = "companion"
main()
"""


def record() -> str:
    """Return what the file has to be."""
    with tempfile.TemporaryDirectory(prefix="ahead-") as folder:
        wiki = Path(folder) / "wiki"
        _run([*PROGRAM, "init", str(wiki)])
        for note in NOTES:
            _run([*PROGRAM, "add", note, "-C", str(wiki)])
        _run([*PROGRAM, "consolidate", "-C", str(wiki)])
        lines = [
            " ".join([command, *_record_command(wiki, command, ways)])
            for command, ways in CALLS.items()
        ]
    return "\n".join(lines) + "\n"


def _record_command(
    wiki: Path, command: str, ways: list[list[str]]
) -> list[str]:
    """Return the files of the modules that each way of calling *command* loads."""
    loaded = [_record_call(wiki, [command, *words]) for words in ways]
    return [
        _name_file(module)
        for module in loaded[0]
        if all(module in others for others in loaded)
    ]


def _record_call(wiki: Path, words: list[str]) -> list[str]:
    """Return the modules that a call loads, as they are done."""
    call = [sys.executable, "-c", _RECORDER, *words, "-C", str(wiki)]
    modules = wiki.with_name("modules")
    modules.unlink(missing_ok=True)
    _run(call, MODULES=str(modules))  # so that all are compiled
    _run(call, MODULES=str(modules))
    return modules.read_text(encoding="utf-8").split()


def _run(call: list[str], **more: str) -> None:
    environment = {**os.environ, **more}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run(call, check=True, capture_output=True, env=environment)


def _name_file(module: str) -> str:
    """Return the place of *module* in the package, without its ending."""
    place = module.removeprefix("companion.").replace(".", "/")
    if (FILE.parent / place).is_dir():
        return f"{place}/__init__"
    return place


def main() -> int:
    """Write the file, or say whether it is as it has to be."""
    now = record()
    if "--write" in sys.argv[1:]:
        FILE.write_text(now, encoding="utf-8")
        return 0
    is_current = now == FILE.read_text(encoding="utf-8")
    sys.stdout.write("as recorded\n" if is_current else "out of date\n")
    return 0 if is_current else 1


if __name__ == "__main__":
    raise SystemExit(main())
