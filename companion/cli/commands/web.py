"""`companion web`: look at the wiki in a browser on this machine."""

from collections.abc import Iterator

from companion.cli.format import Doc
from companion.cli.output import Ui
from companion.cli.spec import Command, Option

SPEC = Command(
    help="Look at this wiki in a browser on this machine.\n\n"
    "Prints an address that holds a key, and serves it until Ctrl-C: search, each page with its "
    "history and what rests on it, how it stood at any time, the graph, branches, and review. Only "
    "this machine can reach it, and only a browser that opened that address. Nothing changes but "
    "by an answer in review. It needs the extra `web`: pip install 'companion-wiki[web]'.",
    options=(
        Option(
            "port",
            ("--port",),
            "The port to use; else a free one.",
            "count",
            metavar="N",
        ),
        Option(
            "open_browser",
            ("--open",),
            "Also open the address in the browser.",
            "flag",
            False,
        ),
    ),
)


def run(ui: Ui, *, port: int | None, open_browser: bool) -> int:
    """Serve until Ctrl-C. Raises WebMissing or PortTaken."""
    from companion.cli.errors import known_error
    from companion.web.serve import (
        describe,
        open_socket,
        require_packages,
        serve,
    )
    from companion.workspace import Workspace, find_opener, open_workspace

    def open_wiki() -> Workspace:
        """Open the wiki anew for each request: a night may have come in between."""
        return open_workspace(ui.wiki)

    # What is wrong is told before anybody opens a browser.
    require_packages()
    open_wiki()
    opening = open_socket(port)
    doc = describe(opening)
    ui.result(doc, text(doc))
    ui.flush()
    ui.hint("Open this address in your browser; Ctrl-C ends it.")
    if open_browser:
        _open(find_opener(), opening.address)
    serve(opening, open_wiki, known_error)
    return 0


def _open(opener: list[str], address: str) -> None:
    import subprocess

    if opener:
        subprocess.Popen(
            [*opener, address],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


def text(doc: Doc) -> Iterator[str]:
    """Yield the address."""
    yield doc["address"]
