"""`companion erase`: erase words that leaked, from everything on this machine."""

import sys
from collections.abc import Iterator

from companion.cli.errors import BAD_DATA, Usage
from companion.cli.format import Doc, ending, section, some
from companion.cli.output import Title, Ui
from companion.cli.spec import Argument, Command, Option
from companion.values.wording import many

SPEC = Command(
    help="Erase words that leaked, from everything on this machine.\n\n"
    "Shows every place first and changes nothing: pages, notes, ledger, all of git's history, stashes, logs. "
    "Then, confirmed by a word that the preview names, it rewrites all of that, keeps no backup, and refuses the "
    "words from then on. Clones and remotes are out of its reach.",
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
    from companion.maintenance.erase import run as erasing
    from companion.workspace import open_workspace

    if match not in (None, "-"):
        raise Usage(
            "--match takes - only",
            hint="Words on the command line stay in your shell's history; - asks for them.",
        )
    targets = [*words, *([_unseen()] if match else [])]
    if not targets:
        raise Usage(
            "nothing to erase",
            hint="`companion erase --match -` asks for the words, unseen.",
        )
    if words:
        ui.hint(
            "words on the command line stay in your shell's history; `--match -` asks for them, unseen."
        )
    wiki = open_workspace(ui.wiki)
    doc = erasing.erase(wiki, targets, confirm=confirm)
    if confirm is None and not ui.json and _can_ask():
        ui.result(doc, text(doc))
        ui.flush()
        typed = _typed(
            f"Type {doc['confirm']} to erase all of it for good, or nothing: "
        )
        if not typed:
            return 0
        doc = erasing.erase(wiki, targets, confirm=typed)
    ui.result(doc, text(doc))
    if not doc["erased"]:
        ui.hint(
            f"nothing was changed. The same with `--confirm {doc['confirm']}` erases it; there is no way back."
        )
    return BAD_DATA if doc["remains"] else 0


def _can_ask() -> bool:
    return (
        sys.stdin is not None
        and sys.stdin.isatty()
        and sys.stderr is not None
        and sys.stderr.isatty()
    )


def _unseen() -> str:
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


def _typed(prompt: str) -> str:
    sys.stderr.write(prompt)
    sys.stderr.flush()
    return sys.stdin.readline().strip()


def text(doc: Doc) -> Iterator[str]:
    marks = ", ".join(
        f"{item['mark']} ({many(item['characters'], 'character')})"
        for item in doc["words"]
    )
    yield Title(f"{'erased' if doc['erased'] else 'would erase'} → {marks}")
    yield from some(
        f"  {item['where']:<11}  {item['what']}{_number_of_places(item['count'])}"
        for item in doc["places"]
    )
    yield from section(
        "cannot be reached from here", ((item, "") for item in doc["beyond"])
    )
    yield from section(
        "still there",
        ((item["where"], item["what"]) for item in doc["remains"]),
    )
    if doc["erased"] and not doc["remains"]:
        yield "every object and file was read again: the words are nowhere"
    yield from ending(doc, "")


def _number_of_places(count: int) -> str:
    return f"  ({count:,})" if count > 1 else ""
