"""Make numbered facts and questions about them, from a seed.

A fact is drawn for each thing and relation that concerns it; a third of them is told twice, with
another value, and the later number holds. A question walks from a thing over relations that have a
value, and says each step in one of its wordings.
"""

import random
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

WORDS = Path(__file__).with_name("words.toml")
TWICE = 1 / 3  # of the facts are told with another value before
LONGEST = 4  # steps of a question

Key = tuple[str, str]  # a thing and the name of a relation


class Relation(NamedTuple):
    """One kind of fact."""

    name: str
    of: str
    gives: str
    fact: str
    share: float
    noun: Sequence[str]
    asks: Sequence[str]


class Asked(NamedTuple):
    """One question, its answer, and what answers it by facts that no longer hold."""

    question: str
    answer: str
    hops: int


class World(NamedTuple):
    """Facts in the order of their numbers, and questions about them."""

    facts: list[str]
    questions: list[Asked]


def make_world(facts: int, questions: int, seed: int) -> World:
    """Return a world of about *facts* numbered facts, and *questions* of one step and of more."""
    chance = random.Random(seed)
    words = tomllib.loads(WORDS.read_text(encoding="utf-8"))
    relations = [Relation(**one) for one in words["relation"]]
    things = _name_things(words["parts"], facts, chance)
    told = _tell(relations, things, facts, chance)
    holds = {key: values[-1] for key, values in told.items()}
    return World(
        _write(relations, told, chance),
        list(_ask(relations, holds, questions, chance)),
    )


# -- things ----------------------------------------------------------------------------------------


def _name_things(
    parts: Mapping[str, str], facts: int, chance: random.Random
) -> dict[str, list[str]]:
    """Return the names of the things of each kind; more of them for more *facts*."""
    many = max(12, facts // 8)
    few = max(8, facts // 60)
    split = {name: line.split() for name, line in parts.items()}
    kinds = {
        kind: parts[kind].split(",")
        for kind in (
            "sport",
            "position",
            "genre",
            "religion",
            "continent",
            "field",
        )
    }
    kinds["person"] = _draw(many, chance, lambda: _person(split, chance))
    kinds["city"] = _draw(many // 2, chance, lambda: _coin(split, chance, 3))
    kinds["country"] = _draw(few, chance, lambda: _country(split, chance))
    kinds["language"] = [_coin(split, chance, 2) + "ish" for _ in range(20)]
    kinds["work"] = _draw(many // 2, chance, lambda: _work(split, chance))
    kinds["song"] = _draw(many // 4, chance, lambda: _song(split, chance))
    cities = kinds["city"]
    kinds["company"] = _draw(
        few, chance, lambda: _company(split, cities, chance)
    )
    kinds["university"] = [
        chance.choice((f"University of {city}", f"{city} University"))
        for city in cities[:few]
    ]
    kinds["team"] = [f"{city} Rovers" for city in cities[few : 2 * few]]
    kinds["product"] = _draw(
        few, chance, lambda: f"{_coin(split, chance, 2)} {chance.randint(2, 9)}"
    )
    kinds["player"] = kinds["person"][: many // 4]
    kinds["artist"] = kinds["person"][many // 4 : many // 2]
    return kinds


def _draw(count: int, chance: random.Random, make: Any) -> list[str]:
    """Return *count* different names; fewer where no more can be made."""
    names: dict[str, None] = {}
    for _ in range(count * 4):
        if len(names) == count:
            break
        names.setdefault(make())
    return list(names)


def _coin(
    parts: Mapping[str, list[str]], chance: random.Random, most: int
) -> str:
    syllables = chance.choices(parts["syllable"], k=chance.randint(2, most))
    return "".join(syllables).capitalize()


def _person(parts: Mapping[str, list[str]], chance: random.Random) -> str:
    first = chance.choice(parts["first"])
    last = chance.choice(parts["last"])
    kind = chance.random()
    if kind < 0.1:
        return f"{first} of {_coin(parts, chance, 3)}"
    if kind < 0.4:
        middle = chance.choice("ABCDEFGHJKLMNPRSTW")
        return f"{first} {middle}. {last}"
    return f"{first} {last} {_coin(parts, chance, 2)}"


def _country(parts: Mapping[str, list[str]], chance: random.Random) -> str:
    name = _coin(parts, chance, 2) + "ia"
    form = chance.choice(("{}", "{}", "{}", "Kingdom of {}", "United {} Isles"))
    return form.format(name)


def _work(parts: Mapping[str, list[str]], chance: random.Random) -> str:
    noun = chance.choice(parts["noun"])
    name = _coin(parts, chance, 2)
    form = chance.choice(
        (
            "The {a} {n}",
            "{n} of {c}",
            "{c}'s {n}",
            "{n} and {c}",
            "{c}: {a} {n}",
        )
    )
    adjective = chance.choice(parts["adjective"])
    return form.format(a=adjective, n=noun, c=name)


def _song(parts: Mapping[str, list[str]], chance: random.Random) -> str:
    noun = chance.choice(parts["noun"])
    name = _coin(parts, chance, 2)
    form = chance.choice(("{n} in the {c}", "{c} {n} Blues", "{n}, {c}"))
    return form.format(n=noun, c=name)


def _company(
    parts: Mapping[str, list[str]],
    cities: Sequence[str],
    chance: random.Random,
) -> str:
    last = chance.choice(parts["last"])
    name = _coin(parts, chance, 3)
    city = chance.choice(cities)
    form = chance.choice(
        (
            "{n} Corporation",
            "{l} & Sons",
            "{c} Broadcasting Company",
            "{n} Inc.",
        )
    )
    return form.format(n=name, l=last, c=city)


# -- facts -----------------------------------------------------------------------------------------


def _tell(
    relations: Sequence[Relation],
    things: Mapping[str, list[str]],
    facts: int,
    chance: random.Random,
) -> dict[Key, list[str]]:
    """Return the values of each key, the one that holds last."""
    keys = []
    for relation in relations:
        for thing in things[relation.of]:
            if chance.random() < relation.share:
                keys.append((thing, relation))
    chance.shuffle(keys)
    told: dict[Key, list[str]] = {}
    count = 0
    for thing, relation in keys:
        if count >= facts:
            break
        many = 2 if chance.random() < TWICE else 1
        names = [one for one in things[relation.gives] if one != thing]
        told[thing, relation.name] = chance.sample(names, many)
        count += many
    return told


def _write(
    relations: Sequence[Relation],
    told: Mapping[Key, list[str]],
    chance: random.Random,
) -> list[str]:
    """Return the sentences, mixed, the values of a key in their order."""
    forms = {relation.name: relation.fact for relation in relations}
    order = [key for key, values in told.items() for _ in values]
    chance.shuffle(order)
    left = {key: list(values) for key, values in told.items()}
    facts = []
    for thing, name in order:
        value = left[thing, name].pop(0)
        facts.append(_fill(forms[name], thing, value))
    return facts


def _fill(form: str, thing: str, value: str) -> str:
    before, _, after = form.partition("S" if form.find("S") >= 0 else "V")
    return before + thing + after.replace("V.", f"{value}.")


# -- questions -------------------------------------------------------------------------------------


def _ask(
    relations: Sequence[Relation],
    holds: Mapping[Key, str],
    count: int,
    chance: random.Random,
) -> Iterator[Asked]:
    """Yield *count* questions of one step, and as many of more."""
    by_name = {relation.name: relation for relation in relations}
    following: dict[str, list[str]] = {}
    for thing, name in holds:
        following.setdefault(thing, []).append(name)
    keys = list(holds)
    for thing, name in chance.sample(keys, min(count, len(keys))):
        form = chance.choice(list(by_name[name].asks))
        yield Asked(form.replace("S", thing, 1), holds[thing, name], 1)
    made = 0
    while made < count:
        hops = chance.choice((2, 2, 3, 3, LONGEST))
        path = _walk(chance.choice(keys), holds, following, hops, chance)
        if path is not None:
            made += 1
            yield _phrase(path, holds, by_name, chance)


def _walk(
    first: Key,
    holds: Mapping[Key, str],
    following: Mapping[str, list[str]],
    hops: int,
    chance: random.Random,
) -> list[Key] | None:
    """Return *hops* keys, each of the value of the one before; None where the values end."""
    path = [first]
    while len(path) < hops:
        thing = holds[path[-1]]
        used = {name for _, name in path}
        names = [name for name in following.get(thing, ()) if name not in used]
        if not names:
            return None
        path.append((thing, chance.choice(names)))
    return path


def _phrase(
    path: Sequence[Key],
    holds: Mapping[Key, str],
    by_name: Mapping[str, Relation],
    chance: random.Random,
) -> Asked:
    said = path[0][0]
    for _, name in path[:-1]:
        said = chance.choice(list(by_name[name].noun)).replace("S", said, 1)
    form = chance.choice(list(by_name[path[-1][1]].asks))
    question = form.replace("S", said, 1).replace("the the ", "the ")
    return Asked(question, holds[path[-1]], len(path))
