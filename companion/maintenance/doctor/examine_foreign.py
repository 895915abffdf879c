"""Examine what came from other machines and was set aside."""

from collections.abc import Iterator

from companion.maintenance.doctor.findings import LISTED, warning
from companion.maintenance.results import Finding
from companion.storage.boundary import set_aside
from companion.storage.git.repo import Repo
from companion.workspace import Workspace

_MORE = "`companion remote drop all` takes them off the list; they stay on the remote."


def examine_foreign(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """Yield what syncs have set aside, with what settles it. Raises DamagedRef or MissingObject."""
    for doubted in set_aside.list_all(repo):
        for item in doubted.items[:LISTED]:
            what = f"{item.id}: {item.name} is set aside: {item.reason}"
            yield warning("set-aside", what, _say_way_out(item))
        more = doubted.total - len(doubted.items[:LISTED])
        if more > 0:
            remote = doubted.items[0].remote
            yield warning("set-aside", f"{more:,} more from {remote}", _MORE)


def _say_way_out(item: set_aside.SetAside) -> str:
    drop = f"`companion remote drop {item.id}` takes it off this list."
    if item.capture is None:
        return drop
    return f"`companion remote accept {item.id}` captures its words as told now; {drop}"
