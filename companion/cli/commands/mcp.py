"""`companion mcp`: serve the wiki to an assistant."""

from companion.cli.errors import known_error
from companion.cli.output import Ui
from companion.cli.spec import Command, Option

SPEC = Command(
    help="Serve this wiki to an assistant, over MCP.\n\n"
    "An assistant starts it and speaks the Model Context Protocol with it on standard input and "
    "output; `companion agent install` tells the assistant how. It reads and writes in the name of "
    "--agent, so it sees shared notes and its own private ones, never yours. It needs the extra "
    "`mcp`: pip install 'companion-wiki[mcp]'.",
    options=(
        Option(
            "agent",
            ("--agent",),
            "The name under which the assistant reads and captures.",
            default="assistant",
            metavar="NAME",
        ),
    ),
)


def run(ui: Ui, *, agent: str) -> int:
    """Serve until the assistant closes standard input."""
    from companion.assistants.server import check_reader, serve
    from companion.workspace import Workspace, open_workspace

    def open_wiki() -> Workspace:
        """Open the wiki anew for each call: a night may have come in between."""
        return open_workspace(ui.wiki, agent)

    # What is wrong with the wiki is told before anybody is waiting for an answer.
    check_reader(open_wiki())
    ui.hint("Waiting for an assistant on standard input; Ctrl-C ends it.")
    serve(open_wiki, known_error)
    return 0
