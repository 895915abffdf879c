"""The life of every day: write, look, follow links, take back."""

from tests.cli.golden import Life


def daily(life: Life) -> None:
    """The short verbs, and what they say where there is nothing."""
    life.call("list")  # no wiki here
    life.write(
        "Garden.md",
        "---\ntags: [travel/italy]\n---\n# Garden\n\nSee [[Backups]], [[Nobody]].\n",
    )
    life.write("Alone.md", "Nothing links here. #idle\n")
    life.call("init")
    life.at("2026-03-02T08:00")
    life.call("add", "Buy", "oat", "milk", "for", "[[Anna]]", "#office")
    life.call("add", "--title", "Backups", "Restic on Sundays.", "#work")
    life.call("add", "--event-time", "yesterday", "The crane was painted.")
    life.call("add", stdin="From a pipe, about the quay.\n")
    life.call("add", stdin="")
    life.call("add", "--redact", "--store-anyway", "words")
    life.call("today")
    life.call("list")
    life.at("2026-03-02T23:00")
    life.call("consolidate")
    life.at("2026-03-03T09:00")
    life.call("add", "A note of today.")
    life.call("today")
    life.call("today", "yesterday")
    life.call("today", "last", "week")
    life.call("today", "some day")
    life.call("list")
    life.call("list", "-n", "2")
    life.call("list", "--tag", "travel")
    life.call("list", "--tag", "#work,office")
    life.call("list", "--state", "pending")
    life.call("list", "--state", "archived")
    life.call("list", "--since", "today")
    life.call("list", "--before", "today", "--state", "active")
    life.call("list", "--since", "never")
    life.call("list", "--orphan")
    life.call("list", "--linked-to", "Backups", "--agent", "claude")
    life.call("list", "--linked-to", "Nobody at all")
    life.call("list", "--format", "{path}\\t{link}")
    life.call("list", "--format", "{colour}")
    life.call("links", "Backups")
    life.call("links", "Garden", "--agent", "claude")
    life.call("links", "Alone")
    life.call("links", "Nobody at all")
    life.call("links", "Backups", "--broken")
    life.call("drop", "Backups")
    life.call("drop", "no such note")
    life.call("add", "Dropped at once.")
    life.call("drop", "15d5f599", "--dry-run")
    life.call("drop", "15d5f599")
    life.call("show", "15d5f599")
    life.call("undo", "15d5f599")
    life.call("drop", "15d5f599")
    life.call("restore", "Backups", "--dry-run")
    life.call("restore", "Backups", "--agent", "claude")
    life.call("undo")
    life.call("undo", "--yes", "--dry-run")
    life.call("undo", "--yes")
    life.call("undo", "--yes")
    life.call("edit", "Alone")  # by an editor that changes nothing
    life.call("edit", "Nobody at all")
    life.call("open", "Alone")  # there is no screen
    life.call("open", "Nobody at all")
