"""`companion remote`: keep your notes on another machine too: add a git remote, then sync."""

from collections.abc import Iterator

from companion.cli.errors import Usage
from companion.cli.format import Doc
from companion.cli.options import PRIVATE
from companion.cli.output import Title, Ui
from companion.cli.spec import Argument, Command
from companion.values.wording import many

SPEC = Command(
    help="Keep your notes on another machine too: add a git remote, then sync.\n\n"
    "`remote add NAME URL` makes a git remote whose `git fetch` brings the notes as they were given, too. "
    "`remote sync [NAME]` unites the notes here and there, on both sides, and loses none; pages travel by "
    "`git push` and `git pull`.",
    argument=Argument(
        "action", "ACTION", "add NAME URL, or sync [NAME].", True, True
    ),
    options=(PRIVATE,),
)


def run(ui: Ui, *, action: list[str], with_private: bool) -> int:
    from companion.maintenance import remote as remotes
    from companion.workspace import open_workspace

    doc: Doc
    match action:
        case ["add", name, url]:
            doc = remotes.add(
                open_workspace(ui.wiki), name, url, with_private=with_private
            )
            ui.result(doc, text(doc))
            ui.hint(
                f"nothing was sent yet: `companion remote sync {name}` does; `git push {name}` sends the pages."
            )
        case ["sync", *names] if len(names) <= 1 and not with_private:
            doc = remotes.sync(open_workspace(ui.wiki), *names)
            ui.result(doc, text(doc))
            if doc["received"]["captures"]:
                ui.hint(
                    f"`git pull {doc['remote']}` before a night, or both machines make pages of the same notes."
                )
        case ["sync", *_] if with_private:
            raise Usage(
                "--with-private belongs to `remote add`",
                hint="Add the remote again, with it.",
            )
        case _:
            raise Usage(
                "remote takes `add NAME URL` or `sync [NAME]`",
                hint="See `companion remote --help`.",
            )
    return 0


def text(doc: Doc) -> Iterator[str]:
    private = ", private ones too" if doc["private"] else ""
    yield Title(f"{doc['remote']}  {doc['url']}")
    if "sent" not in doc:
        yield f"carries the pages by `git push`, and the notes{private} by `companion remote sync`"
        return
    came, sent = doc["received"], doc["sent"]
    yield f"received  {many(came['captures'], 'capture')}, {many(came['tellings'], 'telling')}"
    yield f"sent      {many(sent['captures'], 'capture') if sent['refs'] else 'nothing new'}{private}"
