"""The options that `ingest` and `triage` share, as the values that TRIAGE takes."""

from companion.annotations import TYPE_CHECKING
from companion.cli.errors import Usage
from companion.cli.spec import Arguments

if TYPE_CHECKING:
    from companion.values.captures import Draft


def require_one_way(*, redact: bool, store_anyway: bool) -> None:
    """Raise Usage if both ways past the secrets check are chosen."""
    if redact and store_anyway:
        raise Usage(
            "--redact and --store-anyway exclude each other",
            hint="Choose one of the two.",
        )


def make_draft(
    origin: Arguments, *, title: str | None, event_time: str | None
) -> "Draft":
    """Return a draft without text, with what was said of every capture of this call.

    A reader may replace a channel that was not named. Raises BadName if the agent is empty.
    """
    from companion.values.captures import Draft
    from companion.values.refusals import BadName

    agent = origin["agent"]
    if agent is not None and not agent.strip():
        # An unset variable in an assistant's script must not make it speak as the person.
        raise BadName("`--agent` is empty")
    draft = Draft(
        text="",
        title=title,
        event_time=event_time,
        source=origin["source"],
        agent=agent,
        scope=origin["scope"],
        priority=origin["priority"],
    )
    if origin["channel"]:
        return draft._replace(channel=origin["channel"])
    return draft
