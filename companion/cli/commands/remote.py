"""`companion remote`: keep your notes on another machine too: add a git remote, then sync."""

from collections.abc import Iterator

from companion.cli.errors import Usage, no_such_action
from companion.cli.format import Doc, section, short
from companion.cli.lines import Field, Title
from companion.cli.output import Ui
from companion.cli.spec import (
    DRY_RUN,
    PRIVATE,
    WITH_PAGES,
    Argument,
    Command,
)
from companion.values.wording import many

_LISTED = 20  # of what is set aside

SPEC = Command(
    help="Keep your notes on another machine, too.\n\n"
    "`remote add NAME URL` adds a git remote; its `git fetch` also brings the captured "
    "notes. `remote sync [NAME]` exchanges notes until both sides have all of them. Pages "
    "travel by `git push` and `git pull`; where the remote was added `--with-pages`, `sync` merges "
    "and pushes them, too.\n\n"
    "What cannot be believed is set aside and stops nothing: `companion doctor` lists it. "
    "`remote accept ID` captures its words as told now, `remote drop ID` (or `all`) takes it "
    "off the list. `remote undo [NAME]` takes back the notes that the last sync brought, as far as "
    "no night has read them.\n\n"
    "`remote device NAME` names this device: where several people or devices share a wiki, `log` "
    "and `why` say by whom and on which device a run was made, `show` and `why` on which one a "
    "note was told.",
    argument=Argument(
        "action",
        "ACTION",
        "add NAME URL, sync [NAME], undo [NAME], device [NAME], accept ID or drop ID.",
        True,
        True,
    ),
    options=(PRIVATE, WITH_PAGES, DRY_RUN),
)


def run(
    ui: Ui,
    *,
    action: list[str],
    with_private: bool,
    with_pages: bool,
    dry_run: bool,
) -> int:
    """Add a remote, exchange notes with one, or take that back; raises Usage for all else."""
    if dry_run and action[:1] != ["undo"]:
        raise Usage("--dry-run belongs to `remote undo`")
    if action[:1] == ["sync"]:
        _refuse_options(private=with_private, pages=with_pages)
    # of `undo` and `sync`: None stands for the only remote
    name = action[1] if len(action) == 2 else None
    match action:
        case ["undo"] | ["undo", _]:
            _undo(ui, name, dry_run=dry_run)
        case ["sync"] | ["sync", _]:
            _sync(ui, name)
        case ["add", name, url]:
            _add(ui, name, url, private=with_private, pages=with_pages)
        case ["device", *words]:
            _name_device(ui, " ".join(words) or None)
        case ["accept" | "drop", id]:
            _settle(ui, action[0], id)
        case _:
            raise no_such_action(
                "remote",
                "`add NAME URL`, `sync [NAME]`, `undo [NAME]`, `device [NAME]`, `accept ID` or "
                "`drop ID`",
                action,
                ("add", "sync", "undo", "device", "accept", "drop"),
            )
    return 0


def _add(ui: Ui, name: str, url: str, *, private: bool, pages: bool) -> None:
    from companion.maintenance.remotes.remote import add
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki)
    doc = add(ws, name, url, with_private=private, with_pages=pages)
    ui.result(doc, text(doc))
    if pages:
        ui.hint(
            f"Nothing was sent yet: `companion remote sync {name}` sends the notes and the pages."
        )
        return
    ui.hint(
        f"Nothing was sent yet: `companion remote sync {name}` sends the notes, `git push {name}` "
        "the pages."
    )


def _sync(ui: Ui, name: str | None) -> None:
    from companion.maintenance.remotes.remote import sync
    from companion.workspace import open_workspace

    with ui.progress("asking the remote") as progress:
        doc = sync(open_workspace(ui.wiki), name, progress=progress)
    ui.result(doc, text(doc))
    if doc["received"]["captures"] and not doc["pages"]:
        ui.hint(
            f"Run `git pull {doc['remote']}` before `companion consolidate`, or both machines make "
            "pages of the same notes."
        )
    if doc["set_aside"]:
        ui.hint(
            "`companion remote accept ID` captures such words as told now, `companion remote drop "
            "ID` takes it off the list; `companion doctor` lists them again."
        )


def _undo(ui: Ui, name: str | None, *, dry_run: bool) -> None:
    from companion.maintenance.remotes.undo_sync import undo_sync
    from companion.workspace import open_workspace

    doc = undo_sync(open_workspace(ui.wiki), name, dry_run=dry_run)
    ui.result(doc, text(doc))
    if dry_run:
        ui.hint_dry_run()
    elif doc["taken_back"]:
        ui.hint(
            "`companion undo ID` brings such a note back; the next sync tells the other machines."
        )


def _name_device(ui: Ui, name: str | None) -> None:
    from companion.maintenance.remotes.device import name_device, read_device
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki)
    doc = read_device(ws) if name is None else name_device(ws, name)
    ui.result(doc, text(doc))
    if name is not None:
        ui.hint(
            "Its runs say so from now on, in git's commits: others who share the wiki see it."
        )


def _refuse_options(*, private: bool, pages: bool) -> None:
    """Raise Usage where `sync` is given an option of `add`."""
    if private or pages:
        option = "--with-private" if private else "--with-pages"
        raise Usage(
            f"{option} belongs to `remote add`",
            hint="Add the remote again, with it.",
        )


def _settle(ui: Ui, choice: str, id: str) -> None:
    from companion.maintenance.remotes.settle_foreign import accept, drop
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki)
    doc = accept(ws, id) if choice == "accept" else drop(ws, id)
    ui.result(doc, settled_text(doc))


def settled_text(doc: Doc) -> Iterator[str]:
    """Yield what became of what was set aside."""
    if doc["capture"]:
        yield f"captured  {short(doc['capture'])}"
    count = len(doc["settled"])
    yield f"{many(count, 'file')} off the list; nothing changed on the remote"


def text(doc: Doc) -> Iterator[str]:
    """Yield what the remote carries, what was exchanged with it, or what was taken back; or the
    name of this device.
    """
    if "taken_back" in doc:
        yield from _taken_back_text(doc)
        return
    if "device" in doc:
        yield _describe_device(doc["device"])
        return
    private = ", private ones too" if doc["private"] else ""
    yield Title(f"{doc['remote']}  {doc['url']}")
    if "sent" in doc:
        yield from _exchanged_text(doc, private)
        return
    pages = "`git push` sends the pages"
    if doc["pages"]:
        pages = "merges and pushes the pages"
    yield f"`companion remote sync` exchanges the notes{private}; {pages}."


def _exchanged_text(doc: Doc, private: str) -> Iterator[str]:
    """Yield what was received, sent and set aside."""
    received = doc["received"]
    captures = many(received["captures"], "capture")
    yield Field(
        "received", f"{captures}, {many(received['tellings'], 'telling')}"
    )
    sent = "nothing new"
    if doc["sent"]["refs"]:
        sent = many(doc["sent"]["captures"], "capture")
    yield Field("sent", sent + private)
    if doc["merged"] is not None:
        yield Field("pages", _describe_pages(doc["merged"]))
    if doc["set_aside_count"]:
        what = many(doc["set_aside_count"], "file")
        yield Field("set aside", f"{what}; the rest was taken")
    for item in doc["set_aside"][:_LISTED]:
        name = item["path"]
        if item["capture"]:
            name = f"capture {item['capture'][:12]}"
        yield f"  {item['id']}  {name}: {item['reason']}"


def _describe_device(name: str | None) -> str:
    if name is None:
        return (
            "This device has no name; `companion remote device NAME` gives one."
        )
    return f"This device is called {name}."


def _describe_pages(merged: Doc) -> str:
    received = many(merged["received"], "commit")
    if merged["left"]:
        return f"{received} received; the rest was left: {merged['left']}"
    return f"{received} received, {many(merged['sent'], 'commit')} sent"


def _taken_back_text(doc: Doc) -> Iterator[str]:
    taken = [
        (short(each["capture"]), each["title"]) for each in doc["taken_back"]
    ]
    if not taken:
        yield f"Nothing that came from {doc['remote']} waits for a night."
    yield from section("taken back", taken)
    for each in doc["read"]:
        notes = many(each["captures"], "note")
        yield (
            f"A night has read {notes} already: `companion undo {each['run']}` "
            "takes it back."
        )
    if doc["told_since"]:
        notes = many(doc["told_since"], "note")
        yield f"{notes} stay: somebody told them again since."
