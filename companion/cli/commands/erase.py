"""`companion erase`: erase words that leaked, from everything on this machine."""

import sys
from collections.abc import Iterator
from typing import TextIO

from companion.cli.errors import BAD_DATA, Usage
from companion.cli.format import Doc, ending, section, some
from companion.cli.lines import Row, Title
from companion.cli.output import Ui
from companion.cli.spec import Argument, Command, Option
from companion.values.wording import many

SPEC = Command(
    help="Erase words that leaked, from everything on this machine.\n\n"
    "First it shows every place and changes nothing: pages, notes, ledger, all of git's "
    "history, stashes, logs. Confirmed by the word that this preview names, it rewrites all "
    "of that, keeps no backup, and refuses the words from then on. It cannot reach clones "
    "and remotes.",
    argument=Argument(
        "words",
        "WORDS|CAPTURE",
        "The words, or the id of a capture for all of its words.",
        many=True,
    ),
    options=(
        Option(
            "match",
            ("--match",),
            "Ask for the words unseen, or read them from a pipe.",
            metavar="-",
        ),
        Option(
            "confirm",
            ("--confirm",),
            "Erase what the preview of this word showed.",
            metavar="WORD",
        ),
    ),
)


def run(
    ui: Ui, *, words: list[str], match: str | None, confirm: str | None
) -> int:
    """Print where the words are and, confirmed, erase them; return 65 if some remain.

    Raises Usage if there is nothing to erase.
    """
    from companion.maintenance.erase.run import erase
    from companion.workspace import open_workspace

    targets = _targets(ui, words, match)
    wiki = open_workspace(ui.wiki)
    with ui.progress("looking for the words") as progress:
        doc = erase(wiki, targets, confirm=confirm, progress=progress)
    if confirm is None and not ui.json and _can_ask():
        ui.result(doc, text(doc))
        ui.flush()
        confirm = _ask(
            f"Type {doc['confirm']} to erase all of it for good, or nothing: "
        )
        if not confirm:
            return 0
        with ui.progress("erasing") as progress:
            doc = erase(wiki, targets, confirm=confirm, progress=progress)
    ui.result(doc, text(doc))
    if not doc["erased"]:
        ui.hint(
            f"Nothing was changed. `--confirm {doc['confirm']}` erases all of it; there is no way "
            "back."
        )
    return BAD_DATA if doc["remains"] else 0


def _targets(ui: Ui, words: list[str], match: str | None) -> list[str]:
    """Return the words to erase, those that are read unseen included."""
    if match not in (None, "-"):
        raise Usage(
            "--match takes - only",
            hint="Words on the command line stay in your shell's history; - asks for them.",
        )
    targets = [*words, _read_unseen()] if match else words
    if not targets:
        raise Usage(
            "nothing to erase",
            hint="`companion erase --match -` asks for the words, unseen.",
        )
    if words:
        ui.hint(
            "Words on the command line stay in your shell's history; `--match -` asks for them, "
            "unseen."
        )
    return targets


def _can_ask() -> bool:
    return _is_terminal(sys.stdin) and _is_terminal(sys.stderr)


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def _read_unseen() -> str:
    """Read words from a pipe, or from the person, who does not see them."""
    if sys.stdin is None:
        raise Usage("standard input is closed", hint="Pipe the words in.")
    if sys.stdin.isatty():
        from getpass import getpass

        return getpass("Words to erase (not shown): ")
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as error:
        raise Usage(
            "the words are no UTF-8", hint="Give them as text."
        ) from error


def _ask(prompt: str) -> str:
    sys.stderr.write(prompt)
    sys.stderr.flush()
    return sys.stdin.readline().strip()


def text(doc: Doc) -> Iterator[str]:
    """Yield where the words are, or were; what is out of reach; and what remains."""
    marks = ", ".join(
        f"{item['mark']} ({many(item['characters'], 'character')})"
        for item in doc["words"]
    )
    yield Title(f"{'erased' if doc['erased'] else 'would erase'} → {marks}")
    yield from some(_place(item) for item in doc["places"])
    yield from section(
        "cannot be reached from here", [(item, "") for item in doc["beyond"]]
    )
    remains = [(item["where"], item["what"]) for item in doc["remains"]]
    yield from section("still there", remains)
    if doc["erased"] and not doc["remains"]:
        yield "every object and file was read again: the words are nowhere"
    yield from ending(doc, "")


def _place(item: Doc) -> str:
    places = f"  ({item['count']:,})" if item["count"] > 1 else ""
    return Row(item["where"], item["what"] + places, widths=(11,), indent=2)
