"""`python -m tests.bench lives [--half dev|score] [--left-out] [--answered]`: nights over plain worlds, counted as they end.

Each world is told day by day into a new wiki, and a night follows each Sunday. A dissent is heard
where it stands on a branch against its own page, waits beside one, or is held to contradict that
page. With `--left-out` each developed world is judged by weights fitted on the others, with
`--answered` one who knows answers the doubts that a night asks about.
"""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from companion.language.stance import doubts
from companion.maintenance import switch_reasoner
from companion.values.captures import Draft
from tests.bench.plain_worlds import DEVELOPED, SHUT, Note, read_world
from tests.bench.stance.doubts import Weights, fit_left_out
from tests.wiki import Wiki

_SUNDAY = 6
_AFTERWARDS = 4  # nights after the last note
_ON_BRANCH = ("open", "grow", "extend")


class Life(NamedTuple):
    """What became of the notes of one world."""

    world: str
    notes: Sequence[Note]
    captures: dict[str, str]  # by the text of the note
    entries: dict[str, str]  # the entry that a note became, by its capture
    against: dict[str, set[str]]  # what it speaks against, by its capture
    branches: Sequence[Any]
    # (capture, entry) of each doubt that the person was asked about
    asked: Sequence[tuple[str, str]] = ()

    def is_asked(self, note: Note) -> bool:
        """Tell whether the person was asked if *note* contradicts the page of its letter."""
        page = self.find_page(note.tag[:1])
        return (self.captures[note.text], page) in self.asked

    def is_heard(self, note: Note) -> bool:
        """Tell whether *note* is held to speak against the page of its letter."""
        page = self.find_page(note.tag[:1])
        return page in self.against.get(self.captures[note.text], set())

    def find_page(self, letter: str) -> str | None:
        """Return the entry of the page *letter* 0."""
        (page,) = [one for one in self.notes if one.tag == f"{letter}0"]
        return self.entries.get(self.captures[page.text])

    def list_branches_on(self, letter: str) -> list[Any]:
        """Return the branches against the page of *letter*."""
        page = self.find_page(letter)
        return [one for one in self.branches if one["incumbent"]["id"] == page]


def lives(
    half: str,
    reasoner: str = "light",
    *,
    left_out: bool = False,
    answered: bool = False,
) -> None:
    """Live each world of a half, and print what was heard, won and flagged.

    Where *left_out* is set, a developed world is judged by weights that never saw it; where
    *answered*, one who knows answers the doubts.
    """
    names = SHUT if half == "score" else DEVELOPED
    weights = fit_left_out() if left_out else {}
    heard = told = false = plain = fell = kept = strange = asked = questions = 0
    for name in names:
        with (
            tempfile.TemporaryDirectory() as folder,
            _weigh_by(weights.get(name)),
        ):
            life = live(
                name, Path(folder) / "wiki", reasoner, answered=answered
            )
        dissents = _list_tagged(life, "a")
        heard += sum(map(life.is_heard, dissents))
        told += len(dissents)
        unheard = [one for one in dissents if not life.is_heard(one)]
        asked += sum(map(life.is_asked, unheard))
        questions += len(life.asked)
        others = [one for one in life.notes if not one.tag[1:].strip("0")]
        wrong = [one for one in others if life.against.get(_id(life, one))]
        false += len(wrong)
        plain += len(others)
        fell += _has_fallen(life, "a")
        kept += not _has_fallen(life, "b")
        known = {life.find_page(letter) for letter in "abdg"}
        for branch in life.branches:
            strange += branch["incumbent"]["id"] not in known
        _print_world(life, dissents, wrong)
    print(
        f"heard {heard} of {told}; false flags {false} of {plain}; "
        f"beliefs fallen {fell} of {len(names)}; "
        f"copies kept from winning {kept} of {len(names)}; "
        f"false branches {strange}; "
        f"asked about {asked} dissents that were not heard, by {questions} questions"
    )


@contextmanager
def _weigh_by(weights: Weights | None) -> Iterator[None]:
    """Weigh doubts by *weights* for a while; by those of the program where it is None."""
    if weights is None:
        yield
        return
    known = {"bias": weights.bias} | dict(
        zip(weights.names, map(float, weights.values), strict=True)
    )
    with patch.object(doubts, "load_weights", lambda: known):
        yield


def live(
    name: str, root: Path, reasoner: str = "light", *, answered: bool = False
) -> Life:
    """Tell a world day by day, with a night on each Sunday, judged by *reasoner*."""
    notes = read_world(name)
    day = date.fromisoformat(notes[0].date)
    wiki = Wiki(root, _at(day - timedelta(days=1), 8))
    root.mkdir(parents=True)
    wiki.init()
    if reasoner != "light":
        switch_reasoner.use(wiki.ws, reasoner)
    life = Life(name, notes, {}, {}, {}, [])
    last = date.fromisoformat(notes[-1].date)
    last += timedelta(weeks=_AFTERWARDS)
    while day <= last:
        _tell_day(wiki, life, day)
        if day.weekday() == _SUNDAY:
            _sleep(wiki, life, day)
            if answered:
                _answer_doubts(wiki, life)
        day += timedelta(days=1)
    asked = [
        (one["capture"], one["other"])
        for one in wiki.events("flagged")
        if one["kind"] == "doubt"
    ]
    return life._replace(branches=_read_branches(wiki), asked=asked)


def _tell_day(wiki: Wiki, life: Life, day: date) -> None:
    wiki.now = _at(day, 12)
    for note in life.notes:
        if note.date != day.isoformat():
            continue
        draft = Draft(
            note.text,
            event_time=note.date,
            channel=note.channel,
            source=note.source or None,
        )
        (capture,) = _capture(wiki, draft)
        life.captures[note.text] = capture["id"]


def _capture(wiki: Wiki, draft: Draft) -> list[dict[str, Any]]:
    from companion.operations.triage import capture

    done = capture.ingest(wiki.ws, [draft])
    assert not done["refused"], done
    return list(done["captures"])


def _sleep(wiki: Wiki, life: Life, day: date) -> None:
    wiki.now = _at(day, 23)
    done = wiki.consolidate()
    for one in done["integrated"]:
        capture = one["capture"]
        life.entries[capture] = one["entry"]
        life.against[capture] = {
            relation["entry"]
            for relation in one["relations"]
            if relation["kind"] == "contradicts"
        }
    for branch in done["branches"]:
        if branch["action"] in _ON_BRANCH:
            for capture in branch["captures"]:
                life.against[capture] = {branch["incumbent"]}


def _answer_doubts(wiki: Wiki, life: Life) -> None:
    """Answer each doubt as one does who knows whether the note contradicts the page."""
    from companion.reading.review import answer_question, list_review

    against = {
        (life.captures[one.text], life.find_page(one.tag[0]))
        for one in life.notes
        if one.tag[1:].strip("0") and one.text in life.captures
    }
    for item in list_review(wiki.ws)["items"]:
        if item["kind"] == "doubt":
            pair = (item["capture"], item["other"]["id"])
            choice = "prefer-new" if pair in against else "merge"
            answer_question(wiki.ws, item["id"], choice)


def _read_branches(wiki: Wiki) -> list[Any]:
    from companion.reading.branches.branches import list_branches

    return list(list_branches(wiki.ws)["branches"])


def _at(day: date, hour: int) -> datetime:
    return datetime.combine(day, time(hour), UTC)


def _id(life: Life, note: Note) -> str:
    return life.captures[note.text]


def _list_tagged(life: Life, letter: str) -> list[Note]:
    return [
        one
        for one in life.notes
        if one.tag[:1] == letter and one.tag != f"{letter}0"
    ]


def _has_fallen(life: Life, letter: str) -> bool:
    states = {one["state"] for one in life.list_branches_on(letter)}
    return bool(states - {"open"})


def _print_world(
    life: Life, dissents: Sequence[Note], wrong: Sequence[Note]
) -> None:
    told = ", ".join(
        f"{one.tag} {'heard' if life.is_heard(one) else '-'}"
        for one in [
            *dissents,
            *_list_tagged(life, "b"),
            *_list_tagged(life, "d"),
        ]
    )
    print(f"{life.world}: {told}")
    for branch in life.branches:
        print(
            f"  {branch['incumbent']['title']}: {branch['state']}, "
            f"pressure {branch['pressure'] or 0:.2f} of {branch['threshold'] or 0:.2f}, "
            f"{branch['cycles_open']} cycles"
        )
    for one in wrong:
        print(f"  flagged: {' '.join(one.text.split())[:90]}")
