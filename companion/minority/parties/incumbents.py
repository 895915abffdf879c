"""List what is contradicted tonight, with its gravity and what other wikis say of it."""

from companion.gravity.measure import describe_gravity
from companion.minority.beliefs import entry_of
from companion.minority.challenge import Incumbent
from companion.minority.gather import PhaseInput
from companion.minority.pressure import Telling
from companion.pages.names import slug
from companion.routing import peers
from companion.storage.index.tables.pages.entries import find_page, find_path


def find_peer_voices(given: PhaseInput) -> dict[str, tuple[Telling, str]]:
    """Return the voice of wikis of other people against each incumbent of an open branch."""
    voices = peers.find_voices(given.heard, given.moment)
    found = {}
    for incumbent in given.incumbents.values():
        voice = voices.get(entry_of(incumbent))
        if voice is not None:
            telling = Telling(
                capture="",
                event_time=voice.seen,
                seen_at=voice.seen,
                agent="",
                source=peers.VOICE,
                channel=peers.VOICE,
                trust=voice.trust,
            )
            found[incumbent] = telling, voice.reason
    return found


def list_incumbents(given: PhaseInput) -> dict[str, Incumbent]:
    """Return what branches and challengers contradict, by its name."""
    priors = peers.find_priors(given.heard, given.moment)
    challenged = set(given.incumbents.values())
    for contradictions in given.contradictions.values():
        challenged.update(one.belief for one in contradictions)
    for beliefs in given.quarantined.values():
        challenged.update(beliefs)
    challenged.update(given.confirmed.values())
    found = {}
    for name in sorted(challenged):
        found[name] = _incumbent(given, name)
        if find_page(given.run.db, entry_of(name)) is None:
            found[name] = found[name]._replace(is_gone=True)
        prior = priors.get(entry_of(name))
        if prior is not None:
            found[name] = found[name]._replace(
                prior=prior.value, prior_reason=prior.reason
            )
    return found


def _incumbent(given: PhaseInput, belief: str) -> Incumbent:
    """Return what *belief* names, with the gravity of its entry: a statement has none."""
    entry = entry_of(belief)
    name = _slug(find_path(given.run.db, entry) or entry)
    weight = given.load_bearing.get(entry)
    if weight is not None:
        return Incumbent(belief, name, weight.base, weight.effective, True)
    known = describe_gravity(given.run.db, entry, given.run.ws.now())
    if known is None:  # the entry is gone, and nothing depends on it any more
        return Incumbent(belief, name, 0.0, 0.0, False)
    return Incumbent(belief, name, known["base"], known["effective"], False)


def _slug(path: str) -> str:
    return slug.slugify(path.rpartition("/")[2].removesuffix(".md"))
