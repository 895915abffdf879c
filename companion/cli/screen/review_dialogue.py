"""Ask the questions of `review` one at a time on a terminal.

An answer is logged as soon as its key is pressed, so that leaving at any point loses none.
"""

import os
import re
import subprocess
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from companion.cli.format import day_name, name_of, tell_question, titled
from companion.cli.lines import Aside, Remark, Title
from companion.cli.output import Ui
from companion.cli.screen.keys import END, read_key, single_keys
from companion.cli.screen.side_by_side import Panel
from companion.pages.body import without_facts
from companion.pages.statements import without_derived, without_marks
from companion.reading.question_wording import (
    DISPUTED,
    WORDINGS,
)
from companion.reading.review import (
    WrongAnswer,
    answer_question,
    list_review,
    prefer_claim,
    show_question,
    take_back_answer,
)
from companion.values.wording import many, without_frontmatter
from companion.workspace import Workspace, find_editor

if TYPE_CHECKING:
    from companion.reading.results import QuestionWithSides, SideResult
    from companion.values.results import Named


# the day above a statement: its marks are for Obsidian
_HEADING = re.compile(r"^#+ ", re.MULTILINE)
_MOST_CLAIMS = 9  # as many as there are keys


def ask_questions(ui: Ui, ws: Workspace, *, agent: str | None) -> int:
    """Ask all open questions; return how many were answered."""
    review = list_review(ws)
    ids = [item["id"] for item in review["items"]]
    with single_keys() as lend:
        sitting = _Sitting(ui, ws, ids, agent, lend)
        while sitting.ask():
            pass
    sitting.report()
    if review["locked"]:
        sources = many(len(review["locked"]), "source")
        ui.hint(
            f"{sources} with a secret: `companion review --list` says how to decide."
        )
    return len(sitting.answered)


class _Sitting:
    """One person before a number of questions."""

    def __init__(
        self,
        ui: Ui,
        ws: Workspace,
        ids: list[str],
        agent: str | None,
        lend: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self.ui = ui
        self.ws = ws
        self.ids = ids
        self.agent = agent
        self.lend = lend  # the terminal to another program
        self.place = 0
        self.answered: list[int] = []  # places, in the order of answering

    def ask(self) -> bool:
        """Ask the present question until it is answered or left; return whether to go on."""
        if self.place >= len(self.ids):
            return self._ask_what_next()
        doc = show_question(self.ws, self.ids[self.place])
        self._show(doc)
        while True:
            self.ui.line("")
            self.ui.line(Aside(_name_keys(doc)))
            self.ui.flush()
            key = read_key()
            if key in ("q", END):
                return False
            if key == "l":
                self.ui.line("Left for later.")
                self._go_on()
                return True
            if key == "u":
                if self._take_back():
                    return True
            elif key == "o":
                self._open(doc)
            elif self._answer(doc, key):
                self.answered.append(self.place)
                self._go_on()
                return True
            else:
                self.ui.line(f"“{key}” is none of the answers.")

    def _go_on(self) -> None:
        """Go to the next question that has no answer."""
        self.place += 1
        while self.place in self.answered:
            self.place += 1

    def _ask_what_next(self) -> bool:
        """Behind the last question, let its answer be undone too; return whether to go on."""
        if not self.answered:
            return False
        left = self._list_left()
        keys = ["[u] undo", "[q] quit"]
        if left:
            keys.insert(0, f"[l] look at the {len(left):,} left for later")
        self.ui.line("")
        self.ui.line("That was the last question.")
        self.ui.line(Aside("  ".join(keys)))
        self.ui.flush()
        while True:
            key = read_key()
            if key in ("q", END):
                return False
            if key == "u":
                return self._take_back()
            if key == "l" and left:
                self.place = left[0]
                return True

    def _list_left(self) -> list[int]:
        """Return the places without an answer."""
        return sorted(set(range(len(self.ids))) - set(self.answered))

    def report(self) -> None:
        """Say what was answered, and what follows."""
        count = len(set(self.answered))
        left = len(self.ids) - count
        words = f"{many(count, 'question')} answered"
        if left:
            words += f", {left:,} left for later"
        self.ui.line("")
        self.ui.line(Title(f"{words}."))
        if count:
            self.ui.hint(
                "The next `companion consolidate` weighs the answers; until then you may change"
                " them."
            )

    def _show(self, doc: "QuestionWithSides") -> None:
        wording = WORDINGS.get(doc["kind"], DISPUTED)
        number = f"{self.place + 1} of {len(self.ids)}"
        page = _list_pages(doc)[0]
        self.ui.line("")
        self.ui.line(Title(f"{number} · {page['title'] or name_of(page)}"))
        self.ui.line(wording.question)
        self.ui.line(Aside(tell_question(doc)))
        self.ui.line("")
        self.ui.panels([_make_panel(side) for side in doc["sides"]])
        for place, claim in enumerate(doc["claims"][:_MOST_CLAIMS], 1):
            if doc["kind"] != "disputed":
                break
            told = f" · told by {claim['source']}" if claim["source"] else ""
            words = f"{claim['subject']} · {claim['predicate']}"
            self.ui.line(f"  {place}  {words}: {claim['object']}{told}")

    def _answer(self, doc: "QuestionWithSides", key: str) -> bool:
        """Log the answer of *key*; return whether it is one."""
        if doc["kind"] == "disputed":
            return self._choose_claim(doc, key)
        wording = WORDINGS.get(doc["kind"], DISPUTED)
        if key not in wording.answers:
            return False
        choice, words = wording.answers[key]
        answer_question(self.ws, doc["id"], choice, agent=self.agent)
        self.ui.line(f"Noted: {words}.")
        return True

    def _choose_claim(self, doc: "QuestionWithSides", key: str) -> bool:
        claims = doc["claims"][:_MOST_CLAIMS]
        if not key.isdigit() or not 1 <= int(key) <= len(claims):
            return False
        claim = claims[int(key) - 1]
        prefer_claim(self.ws, doc["id"], claim["id"], agent=self.agent)
        self.ui.line(f"Noted: {claim['object']}.")
        return True

    def _take_back(self) -> bool:
        """Take the last answer of this sitting back, and return to its question."""
        if not self.answered:
            self.ui.line("Nothing was answered yet.")
            return False
        place = self.answered.pop()
        try:
            take_back_answer(self.ws, self.ids[place], agent=self.agent)
            self.ui.line("Taken back.")
        except WrongAnswer as error:
            # the question is asked again, and a new answer replaces the old one
            self.ui.line(Remark(f"hint: {error.hint}"))
        self.place = place
        return True

    def _list_files(self, doc: "QuestionWithSides") -> list[str]:
        """Return the files of the question's pages that are on disk, each once."""
        paths = []
        for named in _list_pages(doc):
            if named["path"]:
                paths.append(os.path.join(self.ws.place.root, named["path"]))
        return [path for path in dict.fromkeys(paths) if os.path.isfile(path)]

    def _open(self, doc: "QuestionWithSides") -> None:
        """Open the pages of a question in the person's editor; without one, print them whole."""
        paths = self._list_files(doc)
        editor = find_editor()
        if editor and paths:
            try:
                with self.lend():
                    subprocess.run([*editor, *paths], check=False)
                return
            except OSError as error:
                # the texts are printed instead
                reason = error.strerror or "it does not start"
                self.ui.line(Remark(f"warning: {editor[0]}: {reason}"))
        for side in doc["sides"]:
            self.ui.line(Title(_make_panel(side).head))
            self.ui.verbatim(side["text"])


def _make_panel(side: "SideResult") -> Panel:
    head = f"{side['side']} · {titled(side)}"
    if side["told"]:
        head += f" · {day_name(side['told'])}"
    if side["sources"]:
        head += f" · {', '.join(side['sources'])}"
    text = without_facts(without_derived(side["text"]))
    text = _without_title(without_frontmatter(text))
    text = _HEADING.sub("", without_marks(text))
    if side["kind"] == "entry" and side["dependents"]:
        pages = ", ".join(
            page["title"] or name_of(page) for page in side["dependents"][:3]
        )
        text = f"{text.rstrip()}\n\nneeded by {pages}"
    return Panel(head, text)


def _list_pages(doc: "QuestionWithSides") -> "list[Named]":
    """Return the pages on which the two sides stand now, that of the new words first."""
    pages: list[Named] = []
    for side in doc["sides"]:
        if side["kind"] == "entry":
            pages.append(
                {"id": side["id"], "title": side["title"], "path": side["path"]}
            )
        else:
            # of a note: the page that it became part of
            pages += side["dependents"]
    return pages or [doc["entry"]]


def _without_title(text: str) -> str:
    """Return *text* without a first heading: it stands above the panel."""
    first, _, rest = text.strip().partition("\n")
    return rest.strip() if first.startswith("# ") and rest.strip() else text


def _name_keys(doc: "QuestionWithSides") -> str:
    """Return what each key does."""
    keys = []
    if doc["kind"] == "disputed":
        count = min(len(doc["claims"]), _MOST_CLAIMS)
        keys.append(f"[1-{count}] that one")
    else:
        answers = WORDINGS.get(doc["kind"], DISPUTED).answers
        keys += [f"[{key}] {words}" for key, (_, words) in answers.items()]
    keys += ["[l] later", "[o] open", "[u] undo", "[q] quit"]
    return "  ".join(keys)
