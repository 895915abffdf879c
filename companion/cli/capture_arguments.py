"""What `ingest` and `triage` are told of every capture of one call."""

from typing import TYPE_CHECKING, Any

from companion.cli.errors import Usage

if TYPE_CHECKING:
    from companion.values.captures import Draft


def door_of(said: dict[str, Any]) -> dict[str, bool]:
    """Take the two ways past the secrets check out of *said*; they exclude each other."""
    door = {name: said.pop(name) for name in ("redact", "store_anyway")}
    if all(door.values()):
        raise Usage(
            "--redact and --store-anyway exclude each other",
            hint="Choose one of the two.",
        )
    return door


def draft_of(said: dict[str, Any], **more: Any) -> "Draft":
    """Return what was said of every capture of this call; a channel not named is left to the
    reader.
    """
    from companion.values.captures import Draft
    from companion.values.refusals import BadName

    if said["agent"] is not None and not said["agent"].strip():
        # an unset variable of an assistant's script must not speak as the person
        raise BadName("`--agent` is empty")
    said = said | more
    return Draft(
        text="",
        **(said if said["channel"] else said | {"channel": Draft("").channel}),
    )
