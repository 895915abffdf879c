"""`companion agent`: install companion in an assistant, or take it out."""

from collections.abc import Iterator

from companion.cli.errors import Usage
from companion.cli.format import Doc
from companion.cli.lines import Aside, Field
from companion.cli.output import Ui
from companion.cli.spec import DRY_RUN, Argument, Command, Option

SPEC = Command(
    help="Install this wiki in an assistant.\n\n"
    "`agent install NAME` adds the MCP server to the settings of claude-code, codex or cursor, "
    "writes a skill, and a few lines between two marks into CLAUDE.md or AGENTS.md. What is "
    "already there keeps its bytes, and a copy of each file is kept. `agent uninstall NAME` takes "
    "exactly that out again. Without an action, lists where it is installed.",
    argument=Argument(
        "action", "ACTION", "install NAME or uninstall NAME.", many=True
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
        DRY_RUN,
    ),
)

_DONE = {"install": "installed in", "uninstall": "taken out of"}


def run(
    ui: Ui,
    *,
    action: list[str],
    project: str | None,
    with_hooks: bool,
    dry_run: bool,
) -> int:
    """Install, uninstall or list. Raises Usage if *action* is none of these."""
    from companion.assistants.install import run as installing
    from companion.assistants.install.plan import NAMES

    doc: Doc
    match action:
        case []:
            doc = installing.list_assistants()
        case ["install", name] if name in NAMES:
            doc = _install(ui, name, project, with_hooks, dry_run)
        case ["uninstall", name] if name in NAMES:
            doc = installing.uninstall(name, project, dry_run=dry_run)
        case _:
            raise Usage(
                f"agent takes `install NAME` or `uninstall NAME`; NAME is {', '.join(NAMES)}",
                hint="See `companion agent --help`.",
            )
    ui.result(doc, text(doc))
    if dry_run:
        ui.hint_dry_run()
    elif action[:1] == ["install"]:
        ui.hint("Start the assistant anew, and let it ask companion something.")
    return 0


def _install(
    ui: Ui, name: str, project: str | None, with_hooks: bool, dry_run: bool
) -> Doc:
    from companion.assistants.install.run import install, make_setup
    from companion.assistants.server import require_package
    from companion.sleep.schedule.install import find_program
    from companion.workspace import open_workspace

    # An entry for a server that cannot start would fail in every session.
    require_package()
    setup = make_setup(
        name,
        open_workspace(ui.wiki).place.root,
        find_program(),
        project=project,
        with_hooks=with_hooks,
    )
    return install(setup, dry_run=dry_run)


def text(doc: Doc) -> Iterator[str]:
    """Yield what became of each file, with the lines that were added; or the assistants."""
    if "assistants" in doc:
        for one in doc["assistants"]:
            yield f"{one['assistant']:<12} {_place(one)}"
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
