"""Read what wikis of other people said, as the night's tree has it."""

from companion.routing import peers
from companion.routing.peers import Heard
from companion.runs.run import Run


def read_heard(run: Run) -> list[Heard]:
    """Return what units said of entries here; nothing where the tree has no such file."""
    blob = run.repo.subtree(run.tree, peers.PATH)
    if blob is None or not run.repo.has(blob):
        return []
    heard, problems = peers.parse_peers(run.repo.blob(blob))
    run.notes += [f"{peers.PATH}, {problem}" for problem in problems]
    return heard
