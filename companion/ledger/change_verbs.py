"""One matter in several predicates: a verb of change speaks of a state that its subject is known to
have (LED-3).

"Anna moved to Lisbon" is a value of "lives in" where somebody told where Anna lives, or told of
another such move; a team that moved to another database does not move house. What the ledger holds
stays as it was told: how it reads is a function of the *set* of what was told of one subject,
whatever the order. Pure.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from companion.values.claims import split_words

Part = Literal["state", "change", "end"]
_KEPT = 20_000  # predicates whose role is remembered
Values = Literal["any", "name", "number"]
_VALUES: Mapping[str, Values] = {
    "any": "any",
    "name": "name",
    "number": "number",
}


class Family(NamedTuple):
    """Predicates that speak of one state, over all languages; the keys as the extractor makes
    them.
    """

    name: str
    # families of several groups exclude each other: who switches, switches one thing
    group: str
    # "live in"; the first one told is what the others read as
    states: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()  # "move to": the value is the new one
    ends: tuple[str, ...] = ()  # "move from": the value is the old one
    values: Values = "any"
    # words that count as numbers: days, months
    like: frozenset[str] = frozenset()
    # words that no value has: who moves to another *team* stays at home
    unlike: frozenset[str] = frozenset()
    one: bool = True  # one value at a time
    # endings of the states of a role: "office in" beside "office move to"; empty: none
    roles: tuple[str, ...] = ()


class Wording(NamedTuple):
    """What is looked at of one statement."""

    id: str
    predicate: str  # of its key
    object: str  # as written
    place: tuple[str, int, int]  # capture and span: what one clause says


class ReadAs(NamedTuple):
    """How a statement reads: under which predicate, and whether it ends its value there."""

    predicate: str
    end: bool = False
    one: bool = True


class Families:
    """The families, by the predicates that they know."""

    def __init__(self, families: Iterable[Family]) -> None:
        self.families = tuple(families)
        self._parts: dict[str, list[tuple[Family, Part]]] = {}
        self._roles: dict[str, tuple[str, list[tuple[Family, Part]]]] = {}
        for family in self.families:
            parts: tuple[tuple[Part, tuple[str, ...]], ...] = (
                ("state", family.states),
                ("change", family.changes),
                ("end", family.ends),
            )
            for part, keys in parts:
                for key in keys:
                    self._parts.setdefault(key, []).append((family, part))

    def parts(self, predicate: str) -> list[tuple[Family, Part]]:
        """Return the families to which *predicate* belongs, and as what."""
        return self._parts.get(predicate, [])

    def of_role(self, predicate: str) -> tuple[str, list[tuple[Family, Part]]]:
        """Return the role of "price raise to", and the families that "raise to" belongs to."""
        if predicate not in self._roles:
            if len(self._roles) > _KEPT:
                self._roles.clear()
            self._roles[predicate] = self._of_role(predicate)
        return self._roles[predicate]

    def _of_role(self, predicate: str) -> tuple[str, list[tuple[Family, Part]]]:
        pieces = predicate.split()
        for cut in range(1, len(pieces)):
            found = self.parts(" ".join(pieces[cut:]))
            tail = [
                each for each in found if each[0].roles and each[1] != "state"
            ]
            if tail:
                return " ".join(pieces[:cut]), tail
        return "", []

    def related(self, predicate: str) -> tuple[frozenset[str], str]:
        """Return the predicates that may be read with *predicate*, and the role whose changes may
        be (or "").
        """
        found = {family.name: family for family, _ in self.parts(predicate)}
        for key in {
            key
            for family in found.values()
            for key in (*family.changes, *family.ends)
        }:
            found |= {family.name: family for family, _ in self.parts(key)}
        keys = {
            key
            for f in found.values()
            for key in (*f.states, *f.changes, *f.ends)
        }
        role = self.of_role(predicate)[0] or self._role(predicate)
        return frozenset(keys | {predicate, role}), role

    def _role(self, predicate: str) -> str:
        endings = {
            f" {ending}"
            for family in self.families
            for ending in family.roles
            if ending
        }
        return next(
            (
                predicate.removesuffix(e)
                for e in endings
                if predicate.endswith(e)
            ),
            predicate,
        )


def read_as_matters(
    told: Collection[Wording], table: Families
) -> dict[str, tuple[ReadAs, ...]]:
    """Return how those of *told*, all of one subject, read that are of a matter told in other words
    too.
    """
    subject = _Subject(told, table)
    found = {said.id: subject.readings(said) for said in told}
    return {id: readings for id, readings in found.items() if readings}


class _Option(NamedTuple):
    """One way in which a statement may read."""

    family: Family
    reading: ReadAs
    states: tuple[str, ...]  # those told of this subject


class _Subject:
    def __init__(self, told: Collection[Wording], table: Families) -> None:
        self.table = table
        self.by_key: dict[str, list[Wording]] = {}
        for said in told:
            self.by_key.setdefault(said.predicate, []).append(said)
        self.by_place: dict[tuple[str, int, int], list[Wording]] = {}
        for said in told:
            self.by_place.setdefault(said.place, []).append(said)

    def readings(self, said: Wording) -> tuple[ReadAs, ...]:
        role, parts = "", self.table.parts(said.predicate)
        if not parts:
            role, parts = self.table.of_role(said.predicate)
        options = [
            o
            for family, part in parts
            if (o := self._option(said, role, family, part)) is not None
        ]
        return tuple(
            sorted(
                {option.reading for option in self._of_one_group(said, options)}
            )
        )

    def _option(
        self, said: Wording, role: str, family: Family, part: Part
    ) -> _Option | None:
        states = self._told(_states(family, role), family)
        changes = self._told(_of(role, family.changes), family)
        keys = (*states, *changes)
        if part == "end":
            others = {
                tuple(split_words(s.object))
                for key in keys
                for s in self.by_key[key]
            }
            ended = bool(keys) and tuple(split_words(said.object)) in others
            return (
                _Option(family, ReadAs(keys[0], end=True), states)
                if ended
                else None
            )
        if not _fits(said.object, family, part) or said.predicate not in keys:
            return None
        if len(keys) < 2 and not (
            part == "change"
            and family.one
            and not role
            and self._several(said.predicate)
        ):
            return None
        if not changes and len(states) < 2:
            return None
        return _Option(family, ReadAs(keys[0], one=family.one), states)

    def _told(self, keys: Iterable[str], family: Family) -> tuple[str, ...]:
        """Return those of *keys* that were told, with a value that the family may have."""
        part: Part = "state"
        return tuple(
            k
            for k in keys
            if any(
                _fits(s.object, family, part) for s in self.by_key.get(k, ())
            )
        )

    def _several(self, predicate: str) -> bool:
        return (
            len(
                {
                    tuple(split_words(said.object))
                    for said in self.by_key[predicate]
                }
            )
            > 1
        )

    def _of_one_group(
        self, said: Wording, options: Sequence[_Option]
    ) -> Sequence[_Option]:
        """Who switches, switches one thing: where several are known, "from" says which, or nobody
        knows.
        """
        stated = [option for option in options if option.states] or options
        if len({option.family.group for option in stated}) < 2:
            return stated
        left = [option for option in stated if self._left(said, option)]
        return (
            left if len({option.family.group for option in left}) == 1 else []
        )

    def _left(self, said: Wording, option: _Option) -> bool:
        old = {
            tuple(split_words(s.object))
            for s in self.by_place[said.place]
            if s.predicate in option.family.ends
        }
        return any(
            tuple(split_words(s.object)) in old
            for key in option.states
            for s in self.by_key[key]
        )


def _of(role: str, keys: Sequence[str]) -> list[str]:
    return [f"{role} {key}" for key in keys] if role else list(keys)


def _states(family: Family, role: str) -> list[str]:
    """Return what the states are called: of a role they are its own, with one of the endings or
    none.
    """
    return (
        [f"{role} {ending}".strip() for ending in family.roles]
        if role
        else list(family.states)
    )


def _fits(said: str, family: Family, part: Part) -> bool:
    found = split_words(said)
    if family.values == "number":
        return any(char.isdigit() for char in said) or any(
            word in family.like for word in found
        )
    if part == "state" or family.values == "any":
        return True
    capital = not said[:1].islower() and any(
        word[:1].isupper() for word in said.split()
    )
    return capital and not any(word in family.unlike for word in found)


def build_families(
    languages: Mapping[str, Mapping[str, Mapping[str, str | bool]]],
) -> list[Family]:
    """Return the families of the data of *languages* (name -> family -> field -> words), those of
    one name as one.
    """
    found: dict[str, Family] = {}
    for name in sorted(languages, key=lambda name: (name != "en", name)):
        for family, fields in languages[name].items():
            found[family] = _joined(found.get(family), family, fields)
    times = frozenset(word for family in found.values() for word in family.like)
    return [
        f._replace(unlike=f.unlike | times) if f.values == "name" else f
        for f in found.values()
    ]


def _joined(
    known: Family | None, name: str, fields: Mapping[str, str | bool]
) -> Family:
    said = {
        field: tuple(str(fields.get(field, "")).split("|"))
        for field in ("states", "changes", "ends")
    }
    lists = {
        field: tuple(key.strip() for key in keys if key.strip())
        for field, keys in said.items()
    }
    like, unlike = (
        frozenset(str(fields.get(field, "")).split())
        for field in ("like", "unlike")
    )
    roles = (
        tuple(each.strip() for each in str(fields["roles"]).split("|"))
        if "roles" in fields
        else ()
    )
    if known is None:
        values = _VALUES[str(fields.get("values", "any"))]
        known = Family(
            name,
            str(fields["group"]),
            values=values,
            one=bool(fields.get("one", True)),
        )
    return known._replace(
        states=known.states + lists["states"],
        changes=known.changes + lists["changes"],
        ends=known.ends + lists["ends"],
        like=known.like | like,
        unlike=known.unlike | unlike,
        roles=known.roles + roles,
    )
