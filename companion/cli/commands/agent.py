"""`companion agent`: install companion in an assistant, or take it out."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from companion.cli.errors import Usage, no_such_action
from companion.cli.format import Doc
from companion.cli.lines import Aside, Field
from companion.cli.output import Ui
from companion.cli.spec import DRY_RUN, Argument, Command, Option

if TYPE_CHECKING:
    from companion.assistants.install.plan import Setup

SPEC = Command(
    help="Install this wiki in an assistant.\n\n"
    "`agent install NAME` adds the MCP server to the settings of claude-code, codex or cursor, "
    "writes a skill, and a few lines between two marks into CLAUDE.md or AGENTS.md. What is "
    "already there keeps its bytes, and a copy of each file is kept. `agent uninstall NAME` takes "
    "exactly that out again. Without an action, lists where it is installed.\n\n"
    "With --with-sessions you agree that what you type in a session is captured when it ends: as "
    "you typed it, private, never what the assistant said. `agent off` stops that at once, "
    "whatever is installed, `agent on` allows it again; `session NAME` is what the hook calls.",
    argument=Argument(
        "action",
        "ACTION",
        "install NAME, uninstall NAME, off, on or session NAME.",
        many=True,
    ),
    options=(
        Option(
            "project",
            ("--project",),
            "Only for the project in this folder; else for all of them.",
            metavar="DIR",
        ),
        Option(
            "with_hooks",
            ("--with-hooks",),
            "Also let each session begin with `companion context`.",
            "flag",
            False,
        ),
        Option(
            "with_sessions",
            ("--with-sessions",),
            "Also capture what you type, privately, when a session ends.",
            "flag",
            False,
        ),
        DRY_RUN,
    ),
)

_MOST_GIVEN = 1_000_000  # bytes that a hook hands over
_ACTIONS = ("install", "uninstall", "session", "on", "off")
_DONE = {"install": "installed in", "uninstall": "taken out of"}


def run(
    ui: Ui,
    *,
    action: list[str],
    project: str | None,
    with_hooks: bool,
    with_sessions: bool,
    dry_run: bool,
) -> int:
    """Install, uninstall, list, or see to sessions. Raises Usage if *action* is none of these."""
    from companion.assistants.install import run as installing
    from companion.assistants.install.plan import NAMES

    if action in (["off"], ["on"]) or action[:1] == ["session"]:
        return _handle_sessions(ui, action)
    doc: Doc
    match action:
        case []:
            doc = installing.list_assistants()
        case ["install", name] if name in NAMES:
            setup = _make_setup(ui, name, project)._replace(
                with_hooks=with_hooks, with_sessions=with_sessions
            )
            doc = installing.install(setup, dry_run=dry_run)
        case ["uninstall", name] if name in NAMES:
            doc = installing.uninstall(name, project, dry_run=dry_run)
        case _:
            raise _not_taken(action, NAMES)
    ui.result(doc, text(doc))
    if dry_run:
        ui.hint_dry_run()
    elif action[:1] == ["install"]:
        ui.hint("Start the assistant anew, and let it ask companion something.")
    return 0


def _make_setup(ui: Ui, name: str, project: str | None) -> "Setup":
    from companion.assistants.install.run import make_setup
    from companion.assistants.server import require_package
    from companion.sleep.schedule.install import find_program
    from companion.workspace import open_workspace

    # An entry for a server that cannot start would fail in every session.
    require_package()
    return make_setup(
        name,
        open_workspace(ui.wiki).place.root,
        find_program(),
        project=project,
        with_hooks=False,
    )


def _not_taken(action: list[str], names: Sequence[str]) -> Usage:
    """Return the error of an action, or of an assistant, that is not known."""
    takes = f"`install NAME` or `uninstall NAME`; NAME is {', '.join(names)}"
    if action[0] in ("install", "uninstall"):
        return no_such_action("agent", takes, action[1:], names)
    return no_such_action("agent", takes, action, _ACTIONS)


def _handle_sessions(ui: Ui, action: list[str]) -> int:
    """Capture a session that a hook hands over, or switch that off or on."""
    import sys

    from companion.assistants import session
    from companion.assistants.install.plan import EVENTS
    from companion.workspace import open_workspace

    doc: Doc
    match action:
        case ["off"]:
            doc = session.switch_off()
        case ["on"]:
            doc = session.switch_on()
        case ["session", name] if name in EVENTS:
            ws = open_workspace(ui.wiki)
            given = sys.stdin.buffer.read(_MOST_GIVEN)
            doc = session.capture_session(ws, name, given)
        case _:
            raise Usage(
                f"agent takes `session NAME`; NAME is {', '.join(EVENTS)}",
                hint="See `companion agent --help`.",
            )
    ui.result(doc, text(doc))
    return 0


def _tell_session(doc: Doc) -> Iterator[str]:
    """Yield what became of a session, or whether sessions are captured."""
    if "sessions" in doc:
        state = "captured where you agreed to it"
        if doc["sessions"] == "off":
            state = "not captured"
        yield f"{doc['sessions']}: sessions are {state}"
        return
    if doc["off"]:
        yield "sessions are off: nothing was read"
        return
    yield (
        f"{doc['assistant']}: {doc['captured']} captured, {doc['seen']} known, "
        f"{doc['refused']} refused, {doc['short']} too short"
    )


def text(doc: Doc) -> Iterator[str]:
    """Yield what became of files, with the lines added, or of a session; or the assistants."""
    if "assistants" in doc:
        for one in doc["assistants"]:
            yield f"{one['assistant']:<12} {_place(one)}"
        return
    if "files" not in doc:
        yield from _tell_session(doc)
        return
    for file in doc["files"]:
        yield Field(file["state"], file["path"], width=9)
        if file["state"] in ("created", "changed"):
            for line in file["added"]:
                yield Aside(f"    {line}")
    for note in doc["notes"]:
        yield Field("note", note, width=9)
    where = doc["assistant"]
    if doc["project"]:
        where += f", for {doc['project']}"
    verb = _DONE[doc["action"]]
    if doc["dry_run"]:
        verb = f"would be {verb}"
    yield f"{doc['wiki']} {verb} {where}"


def _place(one: Doc) -> str:
    if one["wiki"] is None:
        return "not installed"
    hooks = ", with hooks" if one["hooks"] else ""
    return f"{one['wiki']}{hooks}"
