"""`companion remote`: keep your notes on another machine too: add a git remote, then sync."""

from collections.abc import Iterator

from companion.cli.errors import Usage
from companion.cli.format import Doc
from companion.cli.lines import Field, Title
from companion.cli.output import Ui
from companion.cli.spec import PRIVATE, Argument, Command
from companion.values.wording import many

SPEC = Command(
    help="Keep your notes on another machine, too.\n\n"
    "`remote add NAME URL` adds a git remote; its `git fetch` also brings the captured "
    "notes. `remote sync [NAME]` exchanges notes until both sides have all of them. Pages "
    "travel by `git push` and `git pull`.",
    argument=Argument(
        "action", "ACTION", "add NAME URL, or sync [NAME].", True, True
    ),
    options=(PRIVATE,),
)


def run(ui: Ui, *, action: list[str], with_private: bool) -> int:
    """Add a remote, or exchange notes with one; raises Usage if *action* is neither."""
    match action:
        case ["add", name, url]:
            _add(ui, name, url, with_private=with_private)
        case ["sync", *_] if with_private:
            raise Usage(
                "--with-private belongs to `remote add`",
                hint="Add the remote again, with it.",
            )
        case ["sync"]:
            _sync(ui, None)
        case ["sync", name]:
            _sync(ui, name)
        case _:
            raise Usage(
                "remote takes `add NAME URL` or `sync [NAME]`",
                hint="See `companion remote --help`.",
            )
    return 0


def _add(ui: Ui, name: str, url: str, *, with_private: bool) -> None:
    from companion.maintenance.remote import add
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki)
    doc = add(ws, name, url, with_private=with_private)
    ui.result(doc, text(doc))
    ui.hint(
        f"Nothing was sent yet: `companion remote sync {name}` sends the notes, `git push {name}` "
        "the pages."
    )


def _sync(ui: Ui, name: str | None) -> None:
    from companion.maintenance.remote import sync
    from companion.workspace import open_workspace

    doc = sync(open_workspace(ui.wiki), name)
    ui.result(doc, text(doc))
    if doc["received"]["captures"]:
        ui.hint(
            f"Run `git pull {doc['remote']}` before `companion consolidate`, or both machines make "
            "pages of the same notes."
        )


def text(doc: Doc) -> Iterator[str]:
    """Yield what the remote carries, or what was exchanged with it."""
    private = ", private ones too" if doc["private"] else ""
    yield Title(f"{doc['remote']}  {doc['url']}")
    if "sent" not in doc:
        yield f"`companion remote sync` exchanges the notes{private}; `git push` sends the pages."
        return
    received = doc["received"]
    captures = many(received["captures"], "capture")
    yield Field(
        "received", f"{captures}, {many(received['tellings'], 'telling')}"
    )
    sent = "nothing new"
    if doc["sent"]["refs"]:
        sent = many(doc["sent"]["captures"], "capture")
    yield Field("sent", sent + private)
