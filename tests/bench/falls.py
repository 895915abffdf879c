"""Cascade on generated worlds: when something falls, all that rests on it is flagged, with its
path, and nothing else.

Two kinds of worlds, in two languages. In one, sentences say what depends on what, and the value of
some things changes. In the other, pages link to what they rest on, and their owner deletes some.
What must be flagged is the transitive closure, known from the making; *flagged* is what `show`
marks and `review` asks about after the night.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence

from companion.reading.entry.dependents import find_dependents
from companion.reading.entry.show import show_target
from companion.values.captures import Draft
from tests.bench.life import Life, commit_files, life, share
from tests.bench.worlds import Language, Names

SEEDS = (1, 2, 3)
THINGS = 24
FALLING = 3
_KINDS = ("service", "project", "thing")
_TELL: Mapping[Language, Sequence[str]] = {
    "en": ("The version of {s} is {v}.", "{s}'s version is {v}."),
    "de": ("Die Version von {s} ist {v}.",),
}
_CHANGE: Mapping[Language, Sequence[str]] = {
    "en": (
        "The version of {s} is now {v}.",
        "{s}'s version changed from {old} to {v}.",
    ),
    "de": (
        "Die Version von {s} ist jetzt {v}.",
        "Die neue Version von {s} ist {v}.",
    ),
}
_RESTS: Mapping[Language, Sequence[str]] = {
    "en": (
        "{s} depends on {o}.",
        "{s} requires {o}.",
        "{s} relies on {o}.",
        "{s} needs {o}.",
        "{s} is based on {o}.",
    ),
    "de": (
        "{s} hängt von {o} ab.",
        "{s} benötigt {o}.",
        "{s} beruht auf {o}.",
        "{s} basiert auf {o}.",
    ),
}


class World:
    """Things, and what each of them rests on."""

    def __init__(self, seed: int, language: Language) -> None:
        self.chance = random.Random(f"cascade {seed} {language}")
        self.language: Language = language
        names = Names(self.chance, language)
        self.things = [
            names.of(self.chance.choice(_KINDS)) for _ in range(THINGS)
        ]
        self.on: dict[str, str] = {}
        for n, thing in enumerate(self.things[4:], 4):
            if self.chance.random() < 0.75:
                self.on[thing] = self.chance.choice(
                    self.things[max(0, n - 8) : n]
                )
        below = sorted(set(self.on.values()), key=self.things.index)
        self.falling = self.chance.sample(below, FALLING)

    def resting(self) -> set[str]:
        """Return what rests on anything that falls, over however many steps."""
        found = set(self.falling)
        while (
            more := {thing for thing, on in self.on.items() if on in found}
            - found
        ):
            found |= more
        return {thing for thing, on in self.on.items() if on in found}

    def say(
        self, wordings: Mapping[Language, Sequence[str]], **parts: str
    ) -> str:
        return self.chance.choice(wordings[self.language]).format(**parts)


def falls(seeds: Sequence[int] = SEEDS) -> dict[str, tuple[int, int]]:
    """Print how much is flagged of what must be, and how much is left alone of the rest; return
    both by kind.
    """
    right, asked = Counter[str](), Counter[str]()
    paths = 0
    for seed in seeds:
        for language in ("en", "de"):
            for kind, play in (
                ("sentences", by_sentences),
                ("links", by_links),
            ):
                world = World(seed, language)  # type: ignore[arg-type]
                with life("2026-03-01T08:00:00.000000Z") as home:
                    flagged, reached = play(home, world)
                must = world.resting()
                paths += len(reached & must)
                # a page that is deleted has nobody to tell
                gone = world.falling if kind == "links" else ()
                for thing in world.on.keys() - gone:
                    name = f"{kind} {language} {'flagged' if thing in must else 'left alone'}"
                    asked[name] += 1
                    right[name] += (thing in flagged) == (thing in must)
                asked["reached"] += len(must)
    for name in sorted(set(asked) - {"reached"}):
        print(f"  {name:28} {share(right[name], asked[name])}")
    for what in ("flagged", "left alone"):
        chosen = [name for name in asked if name.endswith(what)]
        print(
            f"  all {what:24} {share(sum(right[n] for n in chosen), sum(asked[n] for n in chosen))}"
        )
    print(f"  `why --depends` reaches      {share(paths, asked['reached'])}")
    return {name: (right[name], asked[name]) for name in asked}


def _page(words: str) -> Draft:
    """Return a note that makes a page of its own: what rests on what is counted by pages."""
    return Draft(words, words)


def by_sentences(home: Life, world: World) -> tuple[set[str], set[str]]:
    """Return (things whose statement is flagged, those that `why --depends` reaches) after some
    values changed.
    """
    values = {
        thing: f"{world.chance.randint(1, 9)}.{world.chance.randint(0, 99)}"
        for thing in world.things
    }
    home.tell_all(
        [
            _page(world.say(_TELL, s=thing, v=value))
            for thing, value in values.items()
        ]
    )
    captures = dict(
        zip(
            world.on,
            home.tell(
                _page(world.say(_RESTS, s=s, o=o)) for s, o in world.on.items()
            ),
            strict=True,
        )
    )
    home.night()
    home.at("2026-03-02T08:00:00.000000Z")
    home.tell_all(
        [
            _page(world.say(_CHANGE, s=s, v=f"1{values[s]}", old=values[s]))
            for s in world.falling
        ]
    )
    home.night()
    entries = {
        thing: show_target(home.ws, str(id))["entry"]
        for thing, id in captures.items()
    }
    flagged = {
        thing
        for thing, entry in entries.items()
        if show_target(home.ws, entry)["rests_on"]
    }
    found = {
        each["entry"]
        for name in world.falling
        for each in find_dependents(home.ws, name)["rests"]
    }
    return flagged, {
        thing for thing, entry in entries.items() if entry in found
    }


def by_links(home: Life, world: World) -> tuple[set[str], set[str]]:
    """Return (pages that are flagged, those that `why --depends` reaches) after some pages were
    deleted.
    """
    for thing in world.things:
        on = world.on.get(thing)
        text = f"# {thing}\n\n{world.say(_TELL, s=thing, v='1.0')}\n" + (
            f"\n[[{on}]]\n" if on else ""
        )
        (home.root / f"{thing}.md").write_text(text, encoding="utf-8")
    commit_files(home.root, ["-A"], "by hand")
    home.night()
    found = {
        each["title"]
        for name in world.falling
        for each in find_dependents(home.ws, f"{name}.md")["rests"]
    }
    home.at("2026-03-02T08:00:00.000000Z")
    for thing in world.falling:
        (home.root / f"{thing}.md").unlink()
    commit_files(home.root, ["-A"], "by hand")
    home.night()
    left = [thing for thing in world.on if thing not in world.falling]
    return {
        thing
        for thing in left
        if show_target(home.ws, f"{thing}.md")["rests_on"]
    }, found
