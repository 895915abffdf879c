"""`companion federation`: exchange signals, and never content, with wikis of other people."""

from collections.abc import Callable, Iterator
from typing import Any

from companion.cli.errors import no_such_action
from companion.cli.format import Doc, local
from companion.cli.lines import Field, Title
from companion.cli.output import Ui
from companion.cli.spec import Argument, Command, Option
from companion.values.wording import many

SPEC = Command(
    help="Exchange signals, and never content, with wikis of other people.\n\n"
    "`card NAME HOST:PORT` prints your public keys; `unit CARD...` makes a unit's file of "
    "several cards; `join FILE` joins it. `preview` shows every message before the first is "
    "sent, `send` tells this week's signals and takes in the unit's, `serve` answers calls. "
    "`status` says what leaves, and to whom; `leave` ends it.\n\n"
    "Nothing leaves before you join and preview, and nothing at all in a unit of fewer than "
    "five. It needs the extra [federation].",
    argument=Argument(
        "action",
        "ACTION",
        "status, preview, send, join FILE, leave, card NAME HOST:PORT, "
        "unit CARD... or serve.",
        True,
        True,
    ),
    options=(
        Option(
            "kind",
            ("--kind",),
            "The kind of a new unit.",
            "choice",
            default="team",
            choices=("family", "team", "department", "community"),
        ),
        Option(
            "relay",
            ("--relay",),
            "The member of a new unit that adds the signals; else everybody adds noise.",
            metavar="NAME",
        ),
    ),
)


def run(ui: Ui, *, action: list[str], kind: str, relay: str | None) -> int:
    """Do one action; raises Usage if *action* is none."""
    from companion.federation import exchange
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki)
    match action:
        case ["status"]:
            _show(ui, exchange.status(ws))
        case ["preview"]:
            _show(ui, exchange.preview(ws))
        case ["send"]:
            _show(ui, exchange.send(ws))
        case ["join", path]:
            _show(ui, exchange.join(ws, path))
            ui.hint(
                "Nothing was sent: `companion federation preview` shows what would be."
            )
        case ["leave"]:
            _show(ui, exchange.leave(ws))
        case ["card", name, address]:
            _show(ui, exchange.make_card(ws, name, address))
        case ["unit", *paths] if paths:
            _show(ui, exchange.assemble(ws, kind, paths, relay))
        case ["serve"]:
            exchange.serve(ws, lambda doc: _show(ui, doc))
        case _:
            raise no_such_action(
                "federation",
                "status, preview, send, join FILE, leave, card NAME HOST:PORT, unit CARD... "
                "or serve",
                action,
                _ACTIONS,
            )
    return 0


def _show(ui: Ui, doc: Any) -> None:
    ui.result(doc, text(doc))


def text(doc: Doc) -> Iterator[str]:
    """Yield the lines of an action's document, which is known by the field that only it has."""
    for field, lines in _TEXTS.items():
        if field in doc:
            return lines(doc)
    return json_text(doc)


def json_text(doc: Doc) -> Iterator[str]:
    """Yield a document that is handed to others as a file."""
    import json

    yield json.dumps(doc, indent=2)


def unit_text(doc: Doc) -> Iterator[str]:
    """Yield what the unit is, and why it is silent if it is."""
    yield Title(f"{doc['kind']} {doc['unit'][:8]}")
    yield Field("members", ", ".join(doc["members"]))
    yield Field("relay", doc["relay"] or "none: signals go out under noise")
    if doc["why_silent"]:
        yield doc["why_silent"]


def status_text(doc: Doc) -> Iterator[str]:
    """Yield what leaves, to whom, and what counts of what came in."""
    if doc["joined"] is None:
        yield "In no unit: nothing leaves this machine."
    else:
        yield from unit_text(doc["joined"])
    for what in doc["leaves"]:
        yield Field("leaves", what)
    if doc["to"]:
        yield Field("to", ", ".join(doc["to"]))
        yield Field("size", f"{doc['bytes_a_week']:,} bytes a week, always")
        seen = "yes" if doc["previewed"] else "not yet; nothing is sent before"
        yield Field("previewed", seen)
    if doc["weeks_sent"]:
        yield Field("told in", many(len(doc["weeks_sent"]), "week"))
    if doc["epsilon_spent"]:
        yield Field(
            "privacy",
            f"ε {doc['epsilon_total']:g} spent in "
            f"{many(len(doc['epsilon_spent']), 'week')}",
        )
    for one in doc["influence"]:
        yield (
            f"  {one['entry']}  {one['owners']} owners elsewhere, voice "
            f"{one['voice']:.2f}, prior {one['prior']:+.3f}, until "
            f"{local(one['until'])[:10]}"
        )


def preview_text(doc: Doc) -> Iterator[str]:
    """Yield every message, and what it is made of."""
    if doc["why_silent"]:
        yield doc["why_silent"]
        return
    yield Title(f"week {doc['week']}, {doc['form']}")
    for one in doc["topics"]:
        numbers = [
            f"{name} {one[name]}"
            for name in ("gravity", "pressure", "open", "won", "lost")
        ]
        numbers += [
            f"{name} {one[name]}" for name in ("divergence", "authority")
        ]
        buckets = " and ".join(map(str, one["buckets"]))
        yield f"  buckets {buckets}: {', '.join(numbers)}  (here: {one['topic']})"
    for message in doc["messages"]:
        yield (
            f"{message['call']} to {message['to']}: {message['bytes']:,} bytes, "
            f"sha256 {message['sha256'][:16]}"
        )
    yield "Names in brackets stay here. Nothing was sent."


def send_text(doc: Doc) -> Iterator[str]:
    """Yield what was told, and what came in."""
    if doc["why"]:
        yield doc["why"]
        return
    yield Field("told", doc["answer"])
    if doc["members"]:
        yield Field(
            "heard",
            f"{many(doc['members'], 'member')}; {many(doc['heard'], 'topic')} "
            "of yours",
        )
    yield from doc["notes"]


def leave_text(doc: Doc) -> Iterator[str]:
    """Yield when the influence of a unit that was left ends."""
    yield f"Left {doc['unit'][:8]}: nothing is told any more."
    if doc["influence_until"]:
        until = local(doc["influence_until"])[:10]
        yield f"What it told counts less every day, and nothing from {until} on."


def serve_text(doc: Doc) -> Iterator[str]:
    """Yield where calls are answered."""
    yield f"Answering {many(doc['members'], 'member')} at {doc['address']}. Ctrl-C ends it."


_ACTIONS = (
    "status",
    "preview",
    "send",
    "join",
    "leave",
    "card",
    "unit",
    "serve",
)
_TEXTS: dict[str, Callable[[Doc], Iterator[str]]] = {
    "leaves": status_text,
    "messages": preview_text,
    "sent": send_text,
    "influence_until": leave_text,
    "port": serve_text,
    "unit": unit_text,
}
