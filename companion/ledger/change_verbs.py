"""Verbs of change read as the state of which they speak (LED-3).

"Anna moved to Lisbon" is a value of "lives in" where somebody told where Anna lives, or told of
another such move; a team that moved to another database does not move house. What the ledger holds
stays as it was told: how it reads is a function of the *set* of what was told of one subject,
whatever the order. Pure.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from companion.annotations import Literal
from companion.tuples import NamedTuple
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
    """Predicates that speak of one state, in all languages, as the extractor makes them."""

    name: str
    # one verb of change speaks of one group: who switches, switches one thing
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


FamilyPart = tuple[Family, Part]
Value = tuple[str, ...]  # words of an object


class Wording(NamedTuple):
    """The words of one statement that decide how it reads."""

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
        self._parts = _index_parts(self.families)
        self._roles: dict[str, tuple[str, list[FamilyPart]]] = {}

    def parts(self, predicate: str) -> list[FamilyPart]:
        """Return the families to which *predicate* belongs, and as what."""
        return self._parts.get(predicate, [])

    def of_role(self, predicate: str) -> tuple[str, list[FamilyPart]]:
        """Return the role of "price raise to", and the families that "raise to" belongs to."""
        if predicate not in self._roles:
            if len(self._roles) > _KEPT:
                self._roles.clear()
            self._roles[predicate] = self._split_role(predicate)
        return self._roles[predicate]

    def _split_role(self, predicate: str) -> tuple[str, list[FamilyPart]]:
        pieces = predicate.split()
        for cut in range(1, len(pieces)):
            verb = " ".join(pieces[cut:])
            parts: list[FamilyPart] = [
                (family, part)
                for family, part in self.parts(verb)
                if family.roles and part != "state"
            ]
            if parts:
                return " ".join(pieces[:cut]), parts
        return "", []

    def related(self, predicate: str) -> tuple[frozenset[str], str]:
        """Return the predicates that may be read with *predicate*, and the role whose changes may
        be; "" where there is none.
        """
        families = self._families_of([predicate])
        verbs: set[str] = set()
        for family in families.values():
            verbs.update(family.changes, family.ends)
        families |= self._families_of(verbs)
        role = self.of_role(predicate)[0] or self._without_ending(predicate)
        related = {predicate, role}
        for family in families.values():
            related.update(family.states, family.changes, family.ends)
        return frozenset(related), role

    def _families_of(self, predicates: Iterable[str]) -> dict[str, Family]:
        families: dict[str, Family] = {}
        for predicate in predicates:
            for family, _ in self.parts(predicate):
                families[family.name] = family
        return families

    def _without_ending(self, predicate: str) -> str:
        """Return the role of a state: *predicate* without an ending that states of roles have."""
        for family in self.families:
            for ending in family.roles:
                if ending and predicate.endswith(f" {ending}"):
                    return predicate.removesuffix(f" {ending}")
        return predicate


def _index_parts(families: Iterable[Family]) -> dict[str, list[FamilyPart]]:
    """Return the families of each predicate, and as what it belongs to them."""
    index: dict[str, list[FamilyPart]] = {}
    for family in families:
        parts: tuple[tuple[Part, tuple[str, ...]], ...] = (
            ("state", family.states),
            ("change", family.changes),
            ("end", family.ends),
        )
        for part, predicates in parts:
            for predicate in predicates:
                index.setdefault(predicate, []).append((family, part))
    return index


# -- how the statements of one subject read --------------------------------------------------------


def read_as_matters(
    wordings: Collection[Wording], families: Families
) -> dict[str, tuple[ReadAs, ...]]:
    """Return how statements read, by id. Those that read as they were told are left out.

    All *wordings* must be of one subject.
    """
    subject = _Subject(families, {}, {}, {}, {})
    for wording in wordings:
        subject.by_predicate.setdefault(wording.predicate, []).append(wording)
        subject.by_place.setdefault(wording.place, []).append(wording)
    readings: dict[str, tuple[ReadAs, ...]] = {}
    for wording in wordings:
        options = subject.select_group(wording, subject.list_options(wording))
        if options:
            distinct = {option.reading for option in options}
            readings[wording.id] = tuple(sorted(distinct))
    return readings


class _Option(NamedTuple):
    """One way in which a statement may read."""

    family: Family
    reading: ReadAs
    states: tuple[str, ...]  # those told of this subject


class _Subject(NamedTuple):
    """Everything that was told of one subject."""

    families: Families
    by_predicate: dict[str, list[Wording]]
    by_place: dict[tuple[str, int, int], list[Wording]]
    # (family, role) -> the states and the changes of it that were told
    told: dict[tuple[str, str], tuple[tuple[str, ...], tuple[str, ...]]]
    # (predicate, object) -> the ways in which it may read
    options: dict[tuple[str, str], list[_Option]]

    def list_options(self, wording: Wording) -> list[_Option]:
        """Return the ways in which *wording* may read; the same words are looked at once."""
        words = (wording.predicate, wording.object)
        if words not in self.options:
            self.options[words] = self._find_options(wording)
        return self.options[words]

    def _find_options(self, wording: Wording) -> list[_Option]:
        role = ""
        parts = self.families.parts(wording.predicate)
        if not parts:
            role, parts = self.families.of_role(wording.predicate)
        options = [
            self._find_option(wording, role, family, part)
            for family, part in parts
        ]
        return [option for option in options if option is not None]

    def _find_option(
        self, wording: Wording, role: str, family: Family, part: Part
    ) -> _Option | None:
        states, changes = self._find_told(role, family)
        predicates = (*states, *changes)
        if part == "end":
            if not self._has_value(predicates, [_value(wording)]):
                return None
            return _Option(family, ReadAs(predicates[0], end=True), states)
        if wording.predicate not in predicates:
            return None
        if not _fits(wording.object, family, part):
            return None
        is_series = part == "change" and family.one and not role
        if len(predicates) < 2 and not (
            is_series and self._has_several_values(wording.predicate)
        ):
            return None
        return _Option(family, ReadAs(predicates[0], one=family.one), states)

    def _find_told(
        self, role: str, family: Family
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the states and the changes of *family* that were told, looked for once."""
        place = (family.name, role)
        if place not in self.told:
            states = self._select_told(_states_of(family, role), family)
            changes = self._select_told(
                _with_role(role, family.changes), family
            )
            self.told[place] = (states, changes)
        return self.told[place]

    def _select_told(
        self, predicates: Iterable[str], family: Family
    ) -> tuple[str, ...]:
        """Return those of *predicates* that were told, with a value that the family may have."""
        selected: list[str] = []
        for predicate in predicates:
            wordings = self.by_predicate.get(predicate, ())
            if any(_may_be_value(each.object, family) for each in wordings):
                selected.append(predicate)
        return tuple(selected)

    def _has_several_values(self, predicate: str) -> bool:
        wordings = self.by_predicate[predicate]
        return len({_value(wording) for wording in wordings}) > 1

    def _has_value(
        self, predicates: Iterable[str], values: Collection[Value]
    ) -> bool:
        """Tell whether one of *values* was told under one of *predicates*."""
        for predicate in predicates:
            for wording in self.by_predicate[predicate]:
                if _value(wording) in values:
                    return True
        return False

    def select_group(
        self, wording: Wording, options: Sequence[_Option]
    ) -> Sequence[_Option]:
        """Return the options of one group of families: who switches, switches one thing.

        Where the options are of several groups, the value that the same clause ends ("from") says
        which group is meant; where it does not, none is.
        """
        likely = [option for option in options if option.states] or options
        if _count_groups(likely) < 2:
            return likely
        ended = [
            option for option in likely if self._ends_state(wording, option)
        ]
        if _count_groups(ended) > 1:
            return []
        return ended

    def _ends_state(self, wording: Wording, option: _Option) -> bool:
        """Tell whether the clause of *wording* ends a value of a state of *option*."""
        ended = [
            _value(other)
            for other in self.by_place[wording.place]
            if other.predicate in option.family.ends
        ]
        return self._has_value(option.states, ended)


def _value(wording: Wording) -> Value:
    return tuple(split_words(wording.object))


def _count_groups(options: Iterable[_Option]) -> int:
    return len({option.family.group for option in options})


def _with_role(role: str, predicates: Sequence[str]) -> Sequence[str]:
    if not role:
        return predicates
    return [f"{role} {predicate}" for predicate in predicates]


def _states_of(family: Family, role: str) -> Sequence[str]:
    """Return the predicates of the states; those of a role are the role, with or without an
    ending.
    """
    if not role:
        return family.states
    return [f"{role} {ending}".strip() for ending in family.roles]


def _may_be_value(object: str, family: Family) -> bool:
    """Tell whether *family* may have *object* for a value at all."""
    if family.values != "number":
        return True
    if any(char.isdigit() for char in object):
        return True
    return not family.like.isdisjoint(split_words(object))


def _fits(object: str, family: Family, part: Part) -> bool:
    """Tell whether a state may have *object* for a value, and a change for a new one."""
    if part == "state" or family.values != "name":
        return _may_be_value(object, family)
    if object[:1].islower():
        return False
    is_name = any(word[:1].isupper() for word in object.split())
    return is_name and family.unlike.isdisjoint(split_words(object))


# -- the data of languages -------------------------------------------------------------------------


def build_families(
    languages: Mapping[str, Mapping[str, Mapping[str, str | bool]]],
) -> list[Family]:
    """Return the families of the data of *languages* (name -> family -> field -> words).

    What several languages say of one family is joined; English comes first.
    """
    families: dict[str, Family] = {}
    for language in sorted(languages, key=lambda name: (name != "en", name)):
        for name, fields in languages[language].items():
            known = families.get(name) or _new_family(name, fields)
            families[name] = _extend_family(known, fields)
    times: set[str] = set()
    for family in families.values():
        times |= family.like
    return [
        _exclude_times(family, frozenset(times)) for family in families.values()
    ]


def _new_family(name: str, fields: Mapping[str, str | bool]) -> Family:
    return Family(
        name,
        str(fields["group"]),
        values=_VALUES[str(fields.get("values", "any"))],
        one=bool(fields.get("one", True)),
    )


def _extend_family(family: Family, fields: Mapping[str, str | bool]) -> Family:
    like = str(fields.get("like", "")).split()
    unlike = str(fields.get("unlike", "")).split()
    roles = family.roles
    if "roles" in fields:
        # an empty ending counts: a role may stand alone
        endings = str(fields["roles"]).split("|")
        roles += tuple(ending.strip() for ending in endings)
    return family._replace(
        states=family.states + _list_predicates(fields, "states"),
        changes=family.changes + _list_predicates(fields, "changes"),
        ends=family.ends + _list_predicates(fields, "ends"),
        like=family.like.union(like),
        unlike=family.unlike.union(unlike),
        roles=roles,
    )


def _list_predicates(
    fields: Mapping[str, str | bool], field: str
) -> tuple[str, ...]:
    predicates = str(fields.get(field, "")).split("|")
    return tuple(each.strip() for each in predicates if each.strip())


def _exclude_times(family: Family, times: frozenset[str]) -> Family:
    """Return *family* without words of time among its values: "on Friday" is no name."""
    if family.values != "name":
        return family
    return family._replace(unlike=family.unlike | times)
