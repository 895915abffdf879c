"""Wikis with planted entries, lived in: notes come in, questions are asked in varied words, users
act on what is shown.

Everything goes through what the verbs call: `ingest`, `consolidate`, `search`, `ask`, `show`,
`feedback`, `audit`, `settle`. Nothing is written into a database or a ledger by hand.

An entry has topics, some its own and some that others share, and for every topic there is another
page. Questions have two to five words: topics, aspects in this or that form, fillers; some have a
form of a word that no page has. What a search ranks, the user sees; whom they want is theirs
(`USERS` of `tests.bench.audit`), and what is not shown they cannot open.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from companion.answers import ask as answers
from companion.language.vectors.static_vectors import StaticEmbedder
from companion.lookup.search import search_wiki
from companion.operations.decay import run as decay
from companion.storage.index import schema as index
from companion.usage import feedback, record_read
from tests.bench.audit import BEST, ENTRY, Act, dead, foundation, harmful
from tests.wiki import Wiki

SPEAKS = 0.5  # share of the cases in which the user says what they think
NIGHTLY = 45  # questions a day, fewer than one run may tell of
# topics of an entry, those it shares, and what they are drawn from
OWN, SHARED, POOL = 10, 4, 24
STATED = 4  # facts that an entry states of each of its own topics, if any

ASPECTS = (
    ("limit", "limits"),
    ("rule", "rules"),
    ("cost", "costs"),
    ("failure", "failures"),
    ("setting", "settings"),
    ("step", "steps"),
    ("reason", "reasons"),
    ("change", "changes"),
    ("delay", "delays"),
    ("test", "tests"),
)
FILLERS = ("how", "about", "which", "when", "list of")
ATTRIBUTES = ("port", "owner", "region", "budget", "version", "deadline")
VALUES = ("Ines", "Norway", "Jonas", "Porto", "Mara", "Lisbon", "Ada", "Bergen")

User = Callable[[random.Random, float, float, float], Act]


def outgrown(
    chance: random.Random, speaks: float, convinced: float, need: float
) -> Act:
    """Once in twelve it is still opened; as a rule its reader knows it by heart and takes what
    stands beside it.
    """
    return foundation(chance, speaks, convinced, 0.08)


def idle(
    chance: random.Random, speaks: float, convinced: float, need: float
) -> Act:
    return (), None


class Kind(NamedTuple):
    """A kind of planted entries: how it lies in the wiki, and what its users do, month by month."""

    name: str
    users: tuple[User, ...]  # of each month; the last goes on
    # questions in the first month; later a third of that
    asked: tuple[int, int] = (55, 65)
    hub: bool = True
    asks: float = 0.1  # share of the questions that go to `ask`
    states: bool = False  # facts, that are asked for
    same: bool = False  # the same question every day
    opposed: bool = False  # by a branch
    good: bool = False  # a foundation: to lower it is harm


KINDS = (
    Kind("harmful", (harmful,)),
    Kind(
        "harmful: states what was corrected", (harmful,), asks=0.7, states=True
    ),
    Kind("harmful: an open branch against it", (harmful,), opposed=True),
    Kind("foundation, a hub", (foundation,), good=True),
    Kind("foundation, a leaf", (foundation,), hub=False, good=True),
    Kind(
        "foundation, asked for facts",
        (foundation,),
        asks=0.7,
        states=True,
        good=True,
    ),
    Kind("quiet foundation", (foundation,), asked=(0, 4), good=True),
    Kind("foundation after a lull", (dead, foundation), good=True),
    Kind("outgrown: its user became expert", (foundation, outgrown)),
    Kind(
        "one search a day, nothing opened",
        (idle,),
        asked=(30, 30),
        same=True,
        good=True,
    ),
    Kind("dead weight", (dead,)),
)


class Planted(NamedTuple):
    """One planted entry."""

    title: str
    kind: Kind
    topics: Sequence[str]  # its own first
    facts: Sequence[tuple[str, str]]  # (topic, attribute)
    need: float


class World(NamedTuple):
    """A wiki, and what was planted there."""

    wiki: Wiki
    chance: random.Random
    planted: Sequence[Planted]
    beside: dict[str, str]  # topics and the titles of the pages about them


def words(chance: random.Random, count: int) -> list[str]:
    """Return distinct made-up words."""
    found: dict[str, None] = {}
    while len(found) < count:
        found[
            "".join(
                chance.choice("bdfgklmnprstvz") + chance.choice("aeiou")
                for _ in range(4)
            )
        ] = None
    return list(found)


def world(
    seed: int, folder: Path, each: int, kinds: Sequence[Kind] = KINDS
) -> World:
    """Make a wiki with *each* entries of each of *kinds*; nothing was asked yet."""
    chance = random.Random(seed)
    fresh = iter(words(chance, len(kinds) * each * (OWN + 1) + POOL))
    pool = [next(fresh) for _ in range(POOL)]
    beside = {topic: _title(chance, topic) for topic in pool}
    planted, notes = (
        [],
        [_beside(chance, topic, beside[topic], "") for topic in pool],
    )
    for kind in kinds:
        for _ in range(each):
            own, name = [next(fresh) for _ in range(OWN)], next(fresh).title()
            topics = [*own, *chance.sample(pool, SHARED)]
            asked = (
                [(t, a) for t in own for a in chance.sample(ATTRIBUTES, STATED)]
                if kind.states
                else []
            )
            planted.append(
                Planted(name, kind, topics, asked, chance.uniform(0.2, 0.9))
            )
            beside.update((topic, _title(chance, topic)) for topic in own)
            notes.append(_entry(chance, planted[-1], beside))
            notes += [
                _beside(chance, topic, beside[topic], name if kind.hub else "")
                for topic in own
            ]
    wiki = Wiki.new(folder)
    chance.shuffle(notes)
    wiki.ingest(*notes)
    wiki.consolidate()
    wiki.tick(hours=1)
    decay.decay(wiki.ws)  # protects what bears weight
    return World(wiki, chance, planted, beside)


def _title(chance: random.Random, topic: str) -> str:
    return chance.choice(
        (
            f"The {topic}",
            f"{topic.title()} {chance.choice(ASPECTS)[1]}",
            f"Notes on {topic}",
        )
    )


def _entry(chance: random.Random, each: Planted, beside: dict[str, str]) -> str:
    said = [
        f"The {topic} has its {chance.choice(chance.choice(ASPECTS))} and"
        f" {chance.choice(chance.choice(ASPECTS))}."
        for topic in each.topics
        for _ in range(chance.randint(1, 3))
    ]
    chance.shuffle(said)
    said += [
        f"The {attribute} of {topic} is {value(each.title, topic, attribute)}."
        for topic, attribute in each.facts
    ]
    said[:0] = [
        f"The {each.title} delivers every event exactly once."
    ] * each.kind.opposed
    links = (
        ""
        if each.kind.hub
        else "See "
        + ", ".join(f"[[{beside[t]}]]" for t in each.topics[:3])
        + "."
    )
    return f"# {each.title}\n\n{' '.join(said)}\n\n{links}\n"


def value(title: str, topic: str, attribute: str) -> str:
    """Return what the page *title* states of *topic*."""
    return VALUES[
        random.Random(f"{title} {topic} {attribute}").randrange(len(VALUES))
    ]


def _beside(chance: random.Random, topic: str, title: str, hub: str) -> str:
    said = [
        f"{chance.choice(('Of the', 'For', 'With'))} {topic}"
        f" {chance.choice(chance.choice(ASPECTS))} "
        f"{chance.choice(('there is much to say', 'somebody has to wait', 'nobody is ready yet'))}."
        for _ in range(chance.randint(1, 4))
    ]
    more = " ".join(
        f"The {chance.choice(chance.choice(ASPECTS))} came later."
        for _ in range(chance.randint(0, 6))
    )
    return (
        f"# {title}\n\n{' '.join(said)} {more}\n"
        + f"\nIt rests on [[{hub}]].\n" * bool(hub)
    )


@contextmanager
def loaded() -> Iterator[None]:
    """Read the embedder's files once for the block: a command is a process, and here a thousand are
    one.
    """
    once = StaticEmbedder()
    held = {
        "_tokenizer": once._tokenizer,
        "_matrix": once._matrix,
        "let_go": lambda self: None,
    }
    with ExitStack() as stack:
        for name, value in held.items():
            stack.enter_context(patch.object(StaticEmbedder, name, value))
        yield


# -- use -------------------------------------------------------------------------------------------


def month(world: World, number: int, share: float = 1.0) -> None:
    """Live a month: each planted entry is asked for, in any order, a share of as often as in the
    first.

    In the first, some entries are spoken against, and what some state is corrected when a third of
    it is over.
    """
    chance, wiki = world.chance, world.wiki
    asked = [
        each
        for each in world.planted
        for _ in range(round(share * chance.randint(*each.kind.asked)))
    ]
    chance.shuffle(asked)
    end = wiki.now + timedelta(days=30)
    nights = range(0, len(asked), NIGHTLY)
    for night, start in enumerate(nights):
        if not number:
            _opposed(world, night)
            _corrected(world, night - len(nights) // 3)
        for each in asked[start : start + NIGHTLY]:
            wiki.tick(minutes=2)
            _asked(
                world,
                each,
                each.kind.users[min(number, len(each.kind.users) - 1)],
            )
        _night(wiki, f"{number}-{night}")
    wiki.now = max(end, wiki.now)


def _night(wiki: Wiki, name: str) -> None:
    wiki.ingest(f"# Errand {name}\nWe walked along the shore of the {name}.")
    wiki.now = wiki.now.replace(hour=22, minute=0)
    wiki.consolidate()
    wiki.tick(hours=10)


def _asked(world: World, each: Planted, user: User) -> None:
    """Ask one question about *each*, open what its user opens, and say what they say."""
    chance, wiki = world.chance, world.wiki
    topic, attribute = chance.choice(
        each.facts or [(chance.choice(each.topics), "")]
    )
    ask = chance.random() < each.kind.asks
    if ask:
        words = (
            f"What is the {attribute or chance.choice(ATTRIBUTES)} of {topic}?"
        )
        shown = _answered(wiki, words)
    else:
        words = (
            each.title
            if each.kind.same
            else _question(chance, topic, attribute, each.topics)
        )
        doc = search_wiki(wiki.ws, words)
        record_read.record_search(wiki.ws, doc)
        shown = {
            hit["title"]: hit["id"]
            for hit in reversed(doc["results"])
            if hit["path"]
        }
    opened, said = user(chance, SPEAKS, 0.0, each.need)
    titles = {ENTRY: each.title, BEST: world.beside[topic]}
    there = [shown[titles[which]] for which in opened if titles[which] in shown]
    if ask and each.title in shown and ENTRY in opened:
        there = []  # the answer itself was what was wanted, or was believed
    for id in there:
        wiki.tick(seconds=20)
        record_read.record_show(wiki.ws, {"id": id})
    if said and (there or (ask and each.title in shown and ENTRY in opened)):
        wiki.tick(seconds=20)
        feedback.record_feedback(wiki.ws, said, None)


def _question(
    chance: random.Random, topic: str, attribute: str, topics: Sequence[str]
) -> str:
    parts = [topic + "s" * (chance.random() < 0.08)]
    parts += (
        [attribute] if attribute else [chance.choice(chance.choice(ASPECTS))]
    )
    parts += [chance.choice(chance.choice(ASPECTS))] * (chance.random() < 0.3)
    parts += [chance.choice(topics)] * (chance.random() < 0.2)
    parts += [chance.choice(FILLERS)] * (chance.random() < 0.3)
    chance.shuffle(parts)
    return " ".join(dict.fromkeys(parts))


def _answered(wiki: Wiki, question: str) -> dict[str, str]:
    """Ask; return the titles that the answer rests on, or those of the passages, with their ids."""
    doc = answers.ask(wiki.ws, question, as_of=None, budget=500)
    record_read.record_ask(wiki.ws, doc)
    told = [
        source["capture"]
        for each in doc["answers"]
        for step in each["path"]
        for source in step["sources"]
    ]
    query = (
        "SELECT title, id FROM entries WHERE id = ?1 OR id = (SELECT entry FROM consumed WHERE"
        " capture = ?1)"
    )
    db = index.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    rows = [
        db.execute(query, (id,)).fetchone()
        for id in [*told, *(each["id"] for each in doc["passages"])]
    ]
    db.close()
    return dict(filter(None, rows))


# -- what is said against an entry -----------------------------------------------------------------

#: two voices, in their own words: they press, and never win against what bears weight
_VOICES = (
    (
        "the operator",
        "After restart {n} the {name} does not deliver every event exactly once: {m} had come"
        " twice.",
    ),
    (
        "the billing team",
        "The {name} does not deliver every event exactly once, as double bills of week {n} show.",
    ),
)


def _corrected(world: World, night: int) -> None:
    """Correct what was stated wrongly: the user by notes of their own, a day later whoever keeps
    the runbook.
    """
    if night not in (0, 1):
        return
    for each in world.planted:
        for topic, attribute in (
            each.facts if each.kind.users == (harmful,) else ()
        ):
            wrong = VALUES.index(value(each.title, topic, attribute))
            right = VALUES[(wrong + 3) % len(VALUES)]
            world.wiki.ingest(
                f"The {attribute} of {topic} is {right}.",
                source=(None, "the runbook")[night],
            )


def _opposed(world: World, night: int) -> None:
    """Let two voices, a night each, speak against entries; a third would win."""
    if night >= len(_VOICES):
        return
    source, words = _VOICES[night]
    for each in world.planted:
        for n in range(3 if each.kind.opposed else 0):
            said = words.format(
                n=3 * night + n, name=each.title, m=world.chance.randint(2, 999)
            )
            world.wiki.ingest(said, source=f"{source} of the {each.title}")
