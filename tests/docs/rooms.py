"""The picture of the rooms, made from the imports of the code.

``python -m tests.docs.rooms`` writes docs/images/rooms.svg; ``--check`` exits 1 when it differs.

A room is a folder of companion/, an operation a room of its own, and so is a module beside the
folders. A room stands in the row above the highest room that it imports. Of the imports between
rooms, the picture shows those that do not follow from others. Imports against the order that
pyproject.toml declares are red.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from graphlib import TopologicalSorter
from html import escape
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "companion"
PICTURE = ROOT / "docs" / "images" / "rooms.svg"

SPLIT = ("operations", "interfaces")  # folders whose folders are rooms
BOX_WIDTH, BOX_HEIGHT = 230, 46
GAP, ROW_GAP, MARGIN = 18, 34, 20
COLUMNS = 4
TEXT = 38  # characters of a room's description that fit into its box

# colours of an import along the order, and against it
DOWN, UP = "#8a94a6", "#c0392b"

Imports = Mapping[str, set[str]]


class Room(NamedTuple):
    """One room, as the picture shows it."""

    name: str
    files: int
    about: str  # first sentence of its docstring


class Box(NamedTuple):
    """Where a room stands in the picture: the upper left corner."""

    x: int
    y: int


def main(argv: Sequence[str]) -> int:
    """Write the picture, or check it."""
    wanted = picture(ROOT / PACKAGE)
    current = PICTURE.read_text(encoding="utf-8") if PICTURE.exists() else ""
    if "--check" in argv:
        if current != wanted:
            print(
                "out of date: run `python -m tests.docs.rooms`", file=sys.stderr
            )
        return int(current != wanted)
    PICTURE.write_text(wanted, encoding="utf-8")
    return 0


def picture(package: Path) -> str:
    """Return the SVG of the rooms of *package*, in the order that its pyproject.toml declares."""
    order = declared_order(package.parent / "pyproject.toml")
    down, up = split(imports_of_rooms(package), order)
    rooms = {room.name: room for room in find_rooms(package)}
    boxes = place(rows(down))
    drawn = _arrows(direct(down), boxes, DOWN) + _arrows(up, boxes, UP)
    drawn += [_box(rooms[name], box) for name, box in sorted(boxes.items())]
    width = 2 * MARGIN + COLUMNS * BOX_WIDTH + (COLUMNS - 1) * GAP
    height = MARGIN + max(box.y for box in boxes.values()) + BOX_HEIGHT
    return "\n".join(
        [_HEAD.format(width=width, height=height), *drawn, "</svg>", ""]
    )


# --- reading the code ---------------------------------------------------------------------------


def modules(package: Path) -> Iterator[tuple[str, Path]]:
    """Yield every module but the package's own `__init__`: its dotted name and file."""
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        if parts[-1] == "__init__":
            parts = parts[:-1]
        if len(parts) > 1 and parts[1:] not in [(folder,) for folder in SPLIT]:
            yield ".".join(parts), path


def room_of(module: str) -> str:
    """Return the room of a module: ``companion.storage.git.refs`` is in storage."""
    parts = module.split(".")[1:]
    if parts[0] in SPLIT and len(parts) > 1:
        return "/".join(parts[:2])
    return parts[0]


def find_rooms(package: Path) -> list[Room]:
    """Return every room with the number of its files and what it says of itself."""
    files: dict[str, list[Path]] = {}
    for name, path in modules(package):
        files.setdefault(room_of(name), []).append(path)
    return [
        Room(name, len(paths), _about(package / name))
        for name, paths in files.items()
    ]


def _about(room: Path) -> str:
    path = room / "__init__.py" if room.is_dir() else room.with_suffix(".py")
    if not path.exists():
        return ""
    docstring = (
        ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    )
    first = docstring.split("\n\n")[0].replace("\n", " ")
    return first.split(". ")[0].split(": ")[0].rstrip(".")


def imports_of_rooms(package: Path) -> dict[str, set[str]]:
    """Return which rooms each room imports, itself left out."""
    known = {name for name, _ in modules(package)}
    found: dict[str, set[str]] = {room_of(name): set() for name in known}
    for name, path in modules(package):
        room = room_of(name)
        for target in _imported(path, known):
            if room_of(target) != room:
                found[room].add(room_of(target))
    return found


def _imported(path: Path, known: set[str]) -> Iterator[str]:
    """Yield the modules among *known* that a file imports, at the top or inside a function."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (
                alias.name for alias in node.names if alias.name in known
            )
        elif (
            isinstance(node, ast.ImportFrom) and node.module and node.level == 0
        ):
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                if whole in known or node.module in known:
                    yield whole if whole in known else node.module


def declared_order(pyproject: Path) -> list[list[str]]:
    """Return the layers of the first contract, the lowest first; rooms of one layer together."""
    contracts = tomllib.loads(pyproject.read_text())["tool"]["importlinter"][
        "contracts"
    ]
    return [
        re.split(r"\s*[|:]\s*", layer)
        for layer in reversed(contracts[0]["layers"])
    ]


def split(
    imports: Imports, order: Sequence[Sequence[str]]
) -> tuple[Imports, Imports]:
    """Return the imports along *order* and those against it; what it does not name is on top."""
    level = {
        room: number for number, layer in enumerate(order) for room in layer
    }

    def height(room: str) -> int:
        return level.get(room.split("/")[0], len(order))

    down, up = {}, {}
    for room, others in imports.items():
        down[room] = {other for other in others if height(other) < height(room)}
        up[room] = others - down[room]
    return down, up


# --- laying it out ------------------------------------------------------------------------------


def rows(imports: Imports) -> list[list[str]]:
    """Return the rooms in rows, the lowest first: each room above everything that it imports."""
    row_of: dict[str, int] = {}
    for room in TopologicalSorter(imports).static_order():
        row_of[room] = max(
            (row_of[other] + 1 for other in imports[room]), default=0
        )
    found: list[list[str]] = [[] for _ in range(max(row_of.values()) + 1)]
    for room in sorted(row_of):
        found[row_of[room]].append(room)
    return found


def direct(imports: Imports) -> dict[str, set[str]]:
    """Return the imports without those that follow from others (the transitive reduction)."""
    reach: dict[str, set[str]] = {}
    for room in TopologicalSorter(imports).static_order():
        reach[room] = set(imports[room]).union(
            *(reach[other] for other in imports[room])
        )
    return {
        room: {
            other
            for other in others
            if not any(other in reach[via] for via in others)
        }
        for room, others in imports.items()
    }


def place(found: Sequence[Sequence[str]]) -> dict[str, Box]:
    """Return where each room stands: the lowest row at the bottom, long rows folded."""
    lines = []
    for row in reversed(found):
        lines += [row[at : at + COLUMNS] for at in range(0, len(row), COLUMNS)]
    boxes = {}
    for number, line in enumerate(lines):
        free = (COLUMNS - len(line)) * (BOX_WIDTH + GAP)
        for column, name in enumerate(line):
            x = MARGIN + free // 2 + column * (BOX_WIDTH + GAP)
            boxes[name] = Box(x, MARGIN + number * (BOX_HEIGHT + ROW_GAP))
    return boxes


# --- drawing ------------------------------------------------------------------------------------

_HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">
<title>The rooms of companion and what they import</title>
<rect width="{width}" height="{height}" fill="#ffffff"/>"""


def _arrows(
    imports: Imports, boxes: Mapping[str, Box], colour: str
) -> list[str]:
    pairs = sorted(
        (room, other) for room, others in imports.items() for other in others
    )
    return [_arrow(boxes[room], boxes[other], colour) for room, other in pairs]


def _arrow(begin: Box, end: Box, colour: str) -> str:
    x1, y1 = begin.x + BOX_WIDTH // 2, begin.y + BOX_HEIGHT
    x2, y2 = end.x + BOX_WIDTH // 2, end.y
    bend = max(abs(y2 - y1) // 2, ROW_GAP // 2)
    curve = f"M{x1} {y1} C{x1} {y1 + bend} {x2} {y2 - bend} {x2} {y2}"
    tip = f"M{x2 - 4} {y2 - 8} L{x2} {y2} L{x2 + 4} {y2 - 8}"
    return f'<path d="{curve} {tip}" fill="none" stroke="{colour}"/>'


def _box(room: Room, box: Box) -> str:
    files = "1 file" if room.files == 1 else f"{room.files} files"
    about = (
        room.about
        if len(room.about) <= TEXT
        else room.about[: TEXT - 1].rstrip() + "…"
    )
    corner = (
        f'x="{box.x}" y="{box.y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}"'
    )
    name = (
        f'x="{box.x + 10}" y="{box.y + 19}" font-size="14" font-weight="bold"'
    )
    count = 'font-size="11" font-weight="normal" fill="#55617a" dx="8"'
    small = f'x="{box.x + 10}" y="{box.y + 36}" font-size="11" fill="#333a48"'
    return "\n".join(
        [
            f'<rect {corner} rx="6" fill="#eef2fb" stroke="#4a5f94"/>',
            f"<text {name}>{escape(room.name)}<tspan {count}>{files}</tspan></text>",
            f"<text {small}>{escape(about)}</text>",
        ]
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
