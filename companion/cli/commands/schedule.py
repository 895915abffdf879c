"""`companion schedule`: let the system wake the companion often; it decides when to sleep."""

import os
from collections.abc import Iterator

from companion.cli.errors import Usage, no_such_action
from companion.cli.format import Doc
from companion.cli.lines import Aside, Field
from companion.cli.output import Ui
from companion.cli.spec import DRY_RUN, Argument, Command, Option

SPEC = Command(
    help="Let the system wake the companion often.\n\n"
    "`schedule install` writes a launchd agent, a systemd user timer or a line for cron, "
    "which calls `companion sleep` every 20 minutes; that decides whether to sleep. `schedule "
    "status` shows it, `schedule remove` takes it away. Each wiki has a schedule of its own.",
    argument=Argument(
        "action", "ACTION", "install, status or remove.", False, True
    ),
    options=(
        DRY_RUN,
        Option(
            "kind",
            ("--kind",),
            "The timer to use; else the one of this system.",
            "choice",
            choices=("launchd", "systemd", "cron"),
        ),
        Option(
            "every",
            ("--every",),
            "Minutes between two wakes: 10, 12, 15, 20 or 30.",
            "count",
            default=20,
            metavar="N",
        ),
    ),
)


def run(
    ui: Ui, *, action: str, dry_run: bool, kind: str | None, every: int
) -> int:
    """Install, show or remove this wiki's schedule; return 1 where status finds none."""
    from companion.sleep.schedule import install
    from companion.workspace import choose_folder, open_workspace

    if every not in install.STEPS:
        raise Usage(
            f"--every {every} does not divide an hour well",
            hint="Use 10, 12, 15, 20 or 30.",
        )
    match action:
        case "install":
            ws = open_workspace(ui.wiki)
            doc = install.install(ws, kind=kind, minutes=every, dry_run=dry_run)
        case "status":
            doc = install.show(open_workspace(ui.wiki), kind=kind)
        case "remove":
            wiki = _find_wiki(choose_folder(ui.wiki))
            doc = install.remove(wiki, kind=kind, dry_run=dry_run)
        case _:
            raise no_such_action(
                "schedule",
                "`install`, `status` or `remove`",
                [action],
                ("install", "status", "remove"),
            )
    ui.result(doc, text(doc, action=action))
    if dry_run:
        ui.hint_dry_run()
    elif action == "install":
        ui.hint("`companion sleep --explain` says when it will sleep, and why.")
    return 0 if doc["installed"] or action != "status" else 1


def _find_wiki(folder: str) -> str:
    """Return the wiki's root; of one that is gone, with its drive, the folder that was named."""
    from companion.storage.git.layout import NotAWiki, find_place

    try:
        return find_place(folder).root
    except NotAWiki:
        return os.path.abspath(folder)


def text(doc: Doc, *, action: str = "status") -> Iterator[str]:
    """Yield whether the wiki has a schedule; for an installation also what was written."""
    yield _describe(doc, action)
    for file in doc["files"]:
        yield Field("file", f"{file['path']} ({file['state']})", width=9)
        if action == "install":
            for line in file["text"].splitlines():
                yield Aside(f"    {line}")
    for command in doc["commands"]:
        told = "would run" if doc["dry_run"] else "ran"
        yield Field(told, command, width=9)
    if doc["log"]:
        yield Field("log", doc["log"], width=9)
    if doc["last_wake"]:
        wake = doc["last_wake"][:16].replace("T", " ")
        yield Field("last wake", wake, width=9)
    for note in doc["notes"]:
        yield Field("note", note, width=9)


def _describe(doc: Doc, action: str) -> str:
    wakes = f"every {doc['minutes']} minutes by {doc['kind']}"
    if doc["dry_run"]:
        verb = "woken" if action == "install" else "no longer woken"
        return f"{doc['wiki']} would be {verb} {wakes}."
    if doc["installed"]:
        return f"{doc['wiki']} is woken {wakes}."
    return f"{doc['wiki']} has no schedule here."
