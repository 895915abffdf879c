"""Worlds whose answers are known by construction: who and what there is, what is told of it, and
what becomes of it.

Everything is drawn from a seed: made-up names, four domains, two languages, several wordings for
each thing that can be told, changed, taken back and asked. No sentence is from any data set.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

Language = Literal["en", "de"]
Fate = Literal[
    "told",
    "updated",
    "absent",
    "retracted",
    "struck",
    "weighed",
    "ended",
    "deleted",
]
#: what a question about a matter must get: its value, its newest value, or "not known"
KNOWN: tuple[Fate, ...] = ("told", "updated")
UNKNOWN: tuple[Fate, ...] = (
    "absent",
    "retracted",
    "struck",
    "weighed",
    "ended",
    "deleted",
)


class Matter(NamedTuple):
    """One thing that can be known of a subject; {s} is the subject, {v} the value, {old} the one
    before.
    """

    name: str
    values: str  # which pool
    tell: Mapping[Language, Sequence[str]]
    change: Mapping[Language, Sequence[str]]
    ask: Mapping[Language, Sequence[str]]
    # how it is said that it is so no longer
    end: Mapping[Language, Sequence[str]] = {}
    weigh: Mapping[Language, Sequence[str]] = {}  # how a possibility is said


class Fact(NamedTuple):
    """One matter of one subject in a world, with everything that is said of it."""

    subject: str
    matter: str
    fate: Fate
    value: str  # what a question must get, where it is known
    old: str  # what it must no longer get
    said: tuple[tuple[int, str], ...]  # (day, words), in their order
    question: str
    # the title of the note that tells it; empty: a line of its own
    page: str = ""


STRIKE: Mapping[Language, Sequence[str]] = {
    "en": ("Scratch that.", "Forget that.", "Never mind that."),
    "de": ("Streich das.", "Vergiss das."),
}
DOMAINS: Mapping[str, tuple[str, Sequence[Matter]]] = {
    "people": (
        "person",
        (
            Matter(
                "employer", "firm",
                {"en": ("{s} works at {v}.", "{s} works for {v}.", "{s} is employed by {v}."),
                 "de": ("{s} arbeitet bei {v}.", "{s} arbeitet für {v}.")},
                {"en": ("{s} now works at {v}.", "As of this week {s} works for {v}.",
                        "{s} no longer works at {old}. {s} works at {v}."),
                 "de": ("{s} arbeitet jetzt bei {v}.", "Seit dieser Woche arbeitet {s} bei {v}.")},
                {"en": ("Where does {s} work?", "Who is {s}'s employer?", "Which company does {s} work for?"),
                 "de": ("Wo arbeitet {s}?", "Bei welcher Firma arbeitet {s}?")},
                end={"en": ("{s} no longer works at {v}.",), "de": ("{s} arbeitet nicht mehr bei {v}.",)},
                weigh={"en": ("{s} might start working at {v}.", "Perhaps {s} will work for {v}."),
                       "de": ("{s} arbeitet vielleicht bald bei {v}.",)},
            ),
            Matter(
                "city", "town",
                {"en": ("{s} lives in {v}.", "{s} resides in {v}."), "de": ("{s} wohnt in {v}.", "{s} lebt in {v}.")},
                {"en": ("{s} moved to {v}.", "{s} now lives in {v}.", "{s} moved from {old} to {v}."),
                 "de": ("{s} wohnt jetzt in {v}.", "{s} ist nach {v} gezogen.")},
                {"en": ("Where does {s} live?", "In which city does {s} live?"),
                 "de": ("Wo wohnt {s}?", "In welcher Stadt wohnt {s}?")},
                end={"en": ("{s} no longer lives in {v}.",), "de": ("{s} wohnt nicht mehr in {v}.",)},
                weigh={"en": ("{s} might move to {v}.", "{s} is thinking about moving to {v}."),
                       "de": ("{s} zieht vielleicht nach {v}.",)},
            ),
            Matter(
                "phone number", "phone",
                {"en": ("{s}'s phone number is {v}.", "The phone number of {s} is {v}."),
                 "de": ("Die Telefonnummer von {s} ist {v}.",)},
                {"en": ("{s}'s new phone number is {v}.", "The phone number of {s} is now {v}.",
                        "{s}'s phone number changed from {old} to {v}."),
                 "de": ("Die neue Telefonnummer von {s} ist {v}.", "Die Telefonnummer von {s} ist jetzt {v}.")},
                {"en": ("What is {s}'s phone number?", "What is the phone number of {s}?"),
                 "de": ("Wie ist die Telefonnummer von {s}?", "Was ist die Telefonnummer von {s}?")},
            ),
        ),
    ),
    "services": (
        "service",
        (
            Matter(
                "owner", "person",
                {"en": ("The owner of {s} is {v}.", "{s} is owned by {v}."),
                 "de": ("Der Besitzer von {s} ist {v}.", "{s} gehört {v}.")},
                {"en": ("The new owner of {s} is {v}.", "{s} is now owned by {v}."),
                 "de": ("Der neue Besitzer von {s} ist {v}.", "{s} gehört jetzt {v}.")},
                {"en": ("Who owns {s}?", "Who is the owner of {s}?"),
                 "de": ("Wem gehört {s}?", "Wer ist der Besitzer von {s}?")},
            ),
            Matter(
                "database", "engine",
                {"en": ("The database of {s} is {v}.", "{s}'s database is {v}."),
                 "de": ("Die Datenbank von {s} ist {v}.",)},
                {"en": ("The database of {s} is now {v}.", "The database of {s} changed from {old} to {v}."),
                 "de": ("Die Datenbank von {s} ist jetzt {v}.", "Die neue Datenbank von {s} ist {v}.")},
                {"en": ("What is the database of {s}?", "Which database does {s} have?"),
                 "de": ("Was ist die Datenbank von {s}?", "Welche Datenbank hat {s}?")},
            ),
        ),
    ),
    "projects": (
        "project",
        (
            Matter(
                "lead", "person",
                {"en": ("{s} is led by {v}.", "The leader of {s} is {v}."),
                 "de": ("{s} wird von {v} geleitet.", "Der Leiter von {s} ist {v}.")},
                {"en": ("{s} is now led by {v}.", "The new leader of {s} is {v}."),
                 "de": ("{s} wird jetzt von {v} geleitet.", "Der neue Leiter von {s} ist {v}.")},
                {"en": ("Who leads {s}?", "Who is the leader of {s}?"),
                 "de": ("Wer leitet {s}?", "Wer ist der Leiter von {s}?")},
            ),
            Matter(
                "budget", "money",
                {"en": ("The budget of {s} is {v}.", "{s}'s budget is {v}."),
                 "de": ("Das Budget von {s} ist {v}.", "Das Budget von {s} beträgt {v}.")},
                {"en": ("The budget of {s} is now {v}.", "The budget of {s} was raised from {old} to {v}."),
                 "de": ("Das Budget von {s} ist jetzt {v}.", "Das neue Budget von {s} ist {v}.")},
                {"en": ("What is the budget of {s}?", "What is {s}'s budget?"),
                 "de": ("Was ist das Budget von {s}?", "Wie hoch ist das Budget von {s}?")},
            ),
        ),
    ),
    "things": (
        "thing",
        (
            Matter(
                "supplier", "firm",
                {"en": ("The supplier of {s} is {v}.", "{s}'s supplier is {v}."),
                 "de": ("Der Lieferant von {s} ist {v}.",)},
                {"en": ("The new supplier of {s} is {v}.", "The supplier of {s} is now {v}."),
                 "de": ("Der neue Lieferant von {s} ist {v}.", "Der Lieferant von {s} ist jetzt {v}.")},
                {"en": ("Who is the supplier of {s}?", "What is the supplier of {s}?"),
                 "de": ("Wer ist der Lieferant von {s}?",)},
            ),
            Matter(
                "colour", "colour",
                {"en": ("The colour of {s} is {v}.",), "de": ("Die Farbe von {s} ist {v}.",)},
                {"en": ("The colour of {s} is now {v}.", "The colour of {s} changed from {old} to {v}."),
                 "de": ("Die Farbe von {s} ist jetzt {v}.", "Die neue Farbe von {s} ist {v}.")},
                {"en": ("What is the colour of {s}?", "What colour is {s}?"),
                 "de": ("Was ist die Farbe von {s}?", "Welche Farbe hat {s}?")},
            ),
        ),
    ),
}  # fmt: skip
_SYLLABLES = [
    consonant + vowel for consonant in "bdfgklmnprstv" for vowel in "aeio"
]
_FIRST = (
    "Mara",
    "Jonas",
    "Lina",
    "Piet",
    "Orla",
    "Tomas",
    "Freya",
    "Emil",
    "Nora",
    "Anton",
    "Sanna",
    "Levi",
    "Tilda",
)
_COLOURS: Mapping[Language, Sequence[str]] = {
    "en": (
        "red",
        "blue",
        "green",
        "yellow",
        "grey",
        "brown",
        "black",
        "white",
        "orange",
        "violet",
    ),
    "de": (
        "rot",
        "blau",
        "grün",
        "gelb",
        "grau",
        "braun",
        "schwarz",
        "weiß",
        "orange",
        "violett",
    ),
}


class Names:
    """Names that nobody has, each given once."""

    def __init__(self, chance: random.Random, language: Language) -> None:
        self.chance, self.language = chance, language
        self.given: set[str] = set()

    def of(self, kind: str) -> str:
        while (name := self._made(kind)) in self.given and kind != "colour":
            pass
        self.given.add(name)
        return name

    def _made(self, kind: str) -> str:
        chance, word = self.chance, self._word()
        made = {
            "person": f"{chance.choice(_FIRST)} {word}",
            "firm": f"{word} {chance.choice(('Works', 'Labs', 'Group', 'Systems'))}",
            "town": word + chance.choice(("burg", "ville", "ton", "stedt")),
            "phone": f"0{chance.randint(200, 999)} {chance.randint(10000, 999999)}",
            "engine": f"{word}DB",
            "money": f"{chance.randint(2, 900) * 500} euros"
            if self.language == "en"
            else f"{chance.randint(2, 900) * 500} Euro",
            "colour": chance.choice(_COLOURS[self.language]),
            "service": f"{word} Gateway",
            "project": f"Project {word}"
            if self.language == "en"
            else f"Projekt {word}",
            "thing": f"{word} Press",
        }
        return made[kind]

    def _word(self) -> str:
        return "".join(
            self.chance.choice(_SYLLABLES) for _ in range(3)
        ).capitalize()


def world(
    seed: int, domain: str, language: Language, subjects: int = 16
) -> list[Fact]:
    """Return what is told and asked in one world: every matter of every subject, its fate drawn."""
    chance = random.Random(f"{seed} {domain} {language}")
    names = Names(chance, language)
    kind, matters = DOMAINS[domain]
    facts = []
    for n in range(subjects):
        subject, deleted = names.of(kind), n % 8 == 7
        for matter in matters:
            fates = [
                fate
                for fate in (*KNOWN, *UNKNOWN)
                if fate != "deleted" and _can(matter, fate, language)
            ]
            fate = "deleted" if deleted else chance.choice(fates)
            facts.append(_fact(chance, names, subject, matter, fate, language))
    return facts


def replacements(
    seed: int, domain: str, language: Language, subjects: int = 16
) -> list[Fact]:
    """Return a world in which each matter of each subject is told, and later told anew."""
    chance = random.Random(f"replacements {seed} {domain} {language}")
    names = Names(chance, language)
    kind, matters = DOMAINS[domain]
    facts = []
    for _ in range(subjects):
        subject = names.of(kind)
        for matter in matters:
            facts.append(
                _fact(chance, names, subject, matter, "updated", language)
            )
    return facts


def stranger(seed: int, domain: str, language: Language) -> list[str]:
    """Return questions about subjects of which nothing at all was told."""
    chance = random.Random(f"stranger {seed} {domain} {language}")
    names = Names(chance, language)
    kind, matters = DOMAINS[domain]
    return [
        chance.choice(matter.ask[language]).format(s=names.of(kind))
        for matter in matters
        for _ in range(4)
    ]


def _can(matter: Matter, fate: Fate, language: Language) -> bool:
    return bool(
        {"ended": matter.end, "weighed": matter.weigh}.get(
            fate, {"en": 1, "de": 1}
        ).get(language)
    )


def _fact(
    chance: random.Random,
    names: Names,
    subject: str,
    matter: Matter,
    fate: Fate,
    language: Language,
) -> Fact:
    old, new = names.of(matter.values), names.of(matter.values)
    while new == old:
        new = names.of(matter.values)

    def say(wordings: Sequence[str], value: str) -> str:
        return chance.choice(wordings).format(s=subject, v=value, old=old)

    told = (1, say(matter.tell[language], old))
    said: dict[Fate, tuple[tuple[int, str], ...]] = {
        "told": (told,),
        "deleted": (told,),
        "absent": (),
        "updated": (told, (2, say(matter.change[language], new))),
        "retracted": (told, (3, say(_forget(matter, language), old))),
        "struck": (told, (1, chance.choice(STRIKE[language]))),
    }
    if fate == "weighed":
        said["weighed"] = ((1, say(matter.weigh[language], old)),)
    if fate == "ended":
        said["ended"] = (told, (3, say(matter.end[language], old)))
    question = chance.choice(matter.ask[language]).format(s=subject)
    value = {"told": old, "updated": new}.get(fate, "")
    page = subject if fate == "deleted" else ""
    return Fact(
        subject,
        matter.name,
        fate,
        value,
        "" if fate == "told" else old,
        said[fate],
        question,
        page,
    )


_NOUNS: Mapping[Language, Mapping[str, str]] = {
    "en": {"lead": "leader"},
    "de": {
        "employer": "den Arbeitgeber", "phone number": "die Telefonnummer", "owner": "den Besitzer",
        "database": "die Datenbank", "lead": "den Leiter", "budget": "das Budget", "supplier": "den Lieferanten",
        "colour": "die Farbe",
    },
}  # fmt: skip


def _forget(matter: Matter, language: Language) -> Sequence[str]:
    if matter.name == "city":
        return {
            "en": ("Forget where {s} lives.",),
            "de": ("Vergiss, wo {s} wohnt.",),
        }[language]
    noun = _NOUNS[language].get(matter.name, matter.name)
    if language == "de":
        return (
            f"Vergiss {noun} von {{s}}.",
            f"Bitte vergiss {noun} von {{s}}.",
        )
    return (f"Forget the {noun} of {{s}}.", f"Please forget {{s}}'s {noun}.")
