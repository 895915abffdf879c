"""`companion claims`: say what was told of somebody or something, and what stands."""

from collections.abc import Iterator

from companion.cli.errors import Usage
from companion.cli.format import Doc, short, some, when
from companion.cli.options import AS_OF, READER
from companion.cli.output import Title, Ui
from companion.cli.spec import Argument, Command, Option

SPEC = Command(
    help="Say what was told of somebody or something, and what stands.\n\n"
    "Current values first, both sides of what is disputed, each with the note it comes from.",
    argument=Argument(
        "about",
        "SUBJECT [PREDICATE]",
        "Of whom, and what; several words in quotation marks.",
        many=True,
        required=True,
    ),
    options=(
        AS_OF,
        Option(
            "known_at", ("--known-at",), "As it was known then.", metavar="TIME"
        ),
        Option(
            "history",
            ("--history",),
            "Also what was so before, and what was taken back.",
            "flag",
            False,
        ),
        READER,
    ),
)


def run(
    ui: Ui,
    *,
    about: list[str],
    as_of: str | None,
    known_at: str | None,
    history: bool,
    agent: str | None,
) -> int:
    from companion.workspace import open_workspace

    if len(about) > 2:
        raise Usage(
            "claims takes a subject and a predicate",
            hint="Put names of several words in quotation marks.",
        )
    from companion.answers.claims import read_claims
    from companion.usage.record_read import record_claims

    subject, predicate = about[0], about[1] if len(about) > 1 else None
    ws = open_workspace(ui.wiki, agent)
    doc = read_claims(
        ws, subject, predicate, as_of=as_of, known_at=known_at, history=history
    )
    ui.result(doc, text(doc))
    ui.hint_unrecorded(record_claims(ws, doc))
    return 0


def text(doc: Doc) -> Iterator[str]:
    for key in doc["keys"]:
        values = " / ".join(key["values"]) or "nothing now"
        yield Title(
            f"{key['subject']} · {key['predicate']}: {values}"
            + ("  (disputed)" if key["disputed"] else "")
        )
        yield from some(_claim(item) for item in key["claims"])
        for spell in key["history"] or ():
            so = " / ".join(spell["values"]) or "nothing"
            yield f"  {_from(spell['from'])} to {when(spell['to']) or 'now'}: {so}"
        yield from map(_night, key["resolved"] or ())


def _night(row: Doc) -> str:
    sides = (
        (word, row[side])
        for word, side in (
            ("", "won"),
            ("over ", "lost"),
            ("disputed: ", "disputed"),
        )
    )
    said = " ".join(
        word + " / ".join(_meant(each) for each in some)
        for word, some in sides
        if some
    )
    return f"  {when(row['at'])}  {row['status']} by {row['strategy']}: {said}  ({row['reason']})"


def _meant(claim: Doc) -> str:
    return claim["object"] or f"claim {claim['id']}"


def _claim(item: Doc) -> str:
    denied = "not " if item["negated"] else ""
    source = f" · {item['source']}" if item["source"] else ""
    source += " · private" if item["scope"] == "private" else ""
    since = f"since {_from(item['valid_from'])}" + (
        f", until {when(item['valid_to'])}" if item["valid_to"] else ""
    )
    words = f"  {item['status']:<10}  {denied}{item['object']}".rstrip()
    if item["read_as"]:
        source += f' · "{item["predicate"]}" read as "{item["read_as"]}"'
    return f"{words}  ({since}) · told {when(item['told_at'])}{source} · {short(item['capture'])}  {item['reason']}"


def _from(moment: str) -> str:
    return "unknown" if moment.startswith("0001-01-01") else when(moment)
