"""`companion claims`: list what notes say of somebody or something, and what stands."""

from collections.abc import Iterator

from companion.cli.errors import Usage
from companion.cli.format import Doc, short, some, when
from companion.cli.lines import Title
from companion.cli.output import Ui
from companion.cli.spec import AS_OF, EXPLAIN, READER, Argument, Command, Option

SPEC = Command(
    help="List what notes say of a subject, and what stands.\n\n"
    "Current values come first, then both sides of what is disputed, each with the note it "
    "comes from.",
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
            "known_at",
            ("--known-at",),
            "Answer from what was known at this time.",
            metavar="TIME",
        ),
        Option(
            "history",
            ("--history",),
            "Also list what was so before, and what was taken back.",
            "flag",
            False,
        ),
        EXPLAIN,
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
    explain: bool,
    agent: str | None,
) -> int:
    """Print the claims about a subject; raises Usage if *about* is more than two words."""
    from companion.workspace import open_workspace

    if len(about) > 2:
        raise Usage(
            "claims takes a subject and a predicate",
            hint="Put names of several words in quotation marks.",
        )
    from companion.answers.claims import read_claims
    from companion.lookup.time_words import read_as_of
    from companion.usage.record_read import record_claims

    ws = open_workspace(ui.wiki, agent)
    subject, *predicates = about
    doc = read_claims(
        ws,
        subject,
        predicates[0] if predicates else None,
        as_of=read_as_of(ws, as_of),
        known_at=read_as_of(ws, known_at),
        history=history,
    )
    ui.result(doc, text(doc, explain=explain))
    ui.hint_unrecorded(record_claims(ws, doc))
    return 0


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield each predicate with its values and the claims they come from; with *explain* also when
    each was told, and why it stands.
    """
    for key in doc["keys"]:
        values = " / ".join(key["values"]) or "nothing now"
        disputed = "  (disputed)" if key["disputed"] else ""
        name = f"{key['subject']} · {key['predicate']}"
        yield Title(f"{name}: {values}{disputed}")
        claims = [_claim(claim, explain=explain) for claim in key["claims"]]
        yield from some(claims)
        for spell in key["history"] or ():
            yield f"  {_spell(spell)}"
        for night in key["resolved"] or ():
            yield f"  {_resolution(night)}"


def _claim(claim: Doc, *, explain: bool) -> str:
    denied = "not " if claim["negated"] else ""
    value = f"{claim['status']:<10}  {denied}{claim['object']}".rstrip()
    since = f"since {_from(claim['valid_from'])}"
    if claim["valid_to"]:
        since += f", until {when(claim['valid_to'])}"
    line = f"  {value}  ({since}) · {_origin(claim, explain=explain)}"
    if explain or claim["status"] != "active":
        line += f"  {claim['reason']}"
    return line


def _origin(claim: Doc, *, explain: bool) -> str:
    """Return the note and the source of a claim."""
    parts = []
    if explain:
        parts.append(f"told {when(claim['told_at'])}")
    if claim["source"]:
        parts.append(claim["source"])
    if claim["scope"] == "private":
        parts.append("private")
    if claim["read_as"]:
        parts.append(f'"{claim["predicate"]}" read as "{claim["read_as"]}"')
    parts.append(short(claim["capture"]))
    return " · ".join(parts)


def _spell(spell: Doc) -> str:
    values = " / ".join(spell["values"]) or "nothing"
    end = when(spell["to"]) or "now"
    return f"{_from(spell['from'])} to {end}: {values}"


def _resolution(night: Doc) -> str:
    """Return what a night decided between claims that dispute each other."""
    sides = []
    for side, word in _SIDES.items():
        if night[side]:
            values = " / ".join(_value(claim) for claim in night[side])
            sides.append(word + values)
    decided = f"{night['status']} by {night['strategy']}: {' '.join(sides)}"
    return f"{when(night['at'])}  {decided}  ({night['reason']})"


_SIDES = {"won": "", "lost": "over ", "disputed": "disputed: "}


def _value(claim: Doc) -> str:
    return claim["object"] or f"claim {claim['id']}"


def _from(moment: str) -> str:
    return "unknown" if moment.startswith("0001-01-01") else when(moment)
