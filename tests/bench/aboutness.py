"""`python -m tests.bench aboutness`: which page a note is about, or none that is known.

The worlds of `aboutness.toml`: their pages are written into a wiki, their notes are handed to the
rules. Rules are worked on with the half "dev"; of "score" only totals are printed. With `--data DIR`
the planted notes of the worlds in that folder (`*.txt`) are measured too.
"""

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from companion.judges.configured import open_judges
from companion.language.claims.extract import LightExtractor
from companion.runs.run import Run, open_run
from companion.subjects import aboutness as rules
from companion.subjects.collect import collect_subjects
from companion.subjects.values import About, Note
from companion.values.captures import link_placeholders
from tests.bench import aboutness_sample as sample
from tests.wiki import Wiki

NOW = "2026-11-01T08:00:00Z"
# the tags of planted notes, and of the pages that they are about
_PLANT = re.compile(r"([a-d])[1-9]")


@dataclass(frozen=True)
class Answer:
    """What the rules said of one note of a world."""

    world: str
    note: sample.Note
    given: str  # a title, "" for nothing known
    first: str  # the page that came first, near enough or not
    about: About

    @property
    def right(self) -> bool:
        """Tell whether the answer is the label."""
        return self.given == self.note.about

    @property
    def is_first(self) -> bool:
        """Tell whether the right page came first, near enough or not."""
        return self.first == self.note.about


def aboutness(
    half: str = "dev", data: Path | None = None, number: int = 1
) -> None:
    """Measure one half of a sample, and the planted worlds in *data*."""
    print(f"the half {half!r} of sample {number}")
    answers = list(answer_all(sample.worlds(half, number)))
    report(answers, detailed=half == "dev")
    if data is not None:
        planted = [_read_planted(path) for path in sorted(data.glob("*.txt"))]
        print(
            "\nplanted worlds: dissents, copies, updates, lone contradictions"
        )
        report(list(answer_all(planted)), detailed=False)


def report(answers: Sequence[Answer], *, detailed: bool) -> None:
    """Print shares; where *detailed* is set, those of each kind and every error too."""
    known = [one for one in answers if one.note.about]
    unknown = [one for one in answers if not one.note.about]
    silent = [one for one in answers if not one.given]
    wrong = [one for one in known if one.given and not one.right]
    print(_share("right page first", known, _is_first))
    print(_share("right page given", known, _is_right))
    print(_share("nothing known, of those about none", unknown, _is_right))
    print(_share("of 'nothing known', truly about none", silent, _is_right))
    print(f"{'given a wrong page':40} {len(wrong):4} of {len(known)}")
    for rule in dict.fromkeys(one.about.rule for one in answers):
        some = [one for one in answers if one.about.rule == rule]
        print(_share(f"  by rule {rule}", some, _is_right))
    if not detailed:
        return
    kinds = Counter((bool(one.note.about), one.note.kind) for one in answers)
    for is_known, kind in sorted(kinds):
        some = [
            one
            for one in answers
            if (bool(one.note.about), one.note.kind) == (is_known, kind)
        ]
        label = "known" if is_known else "none"
        print(_share(f"  {label}: {kind}", some, _is_right))
    for one in answers:
        if not one.right:
            _print_error(one)


def _print_error(one: Answer) -> None:
    text = one.note.text.replace("\n", " / ")[:90]
    print(
        f"{one.world}: {one.note.about or '-'} | {one.given or '-'}"
        f" ({one.about.rule}, first {one.first or '-'},"
        f" {one.about.score:.2f}) | {text}"
    )


def _is_right(one: Answer) -> bool:
    return one.right


def _is_first(one: Answer) -> bool:
    return one.is_first


def _share(
    label: str, answers: Sequence[Answer], test: Callable[[Answer], bool]
) -> str:
    right = sum(1 for one in answers if test(one))
    if not answers:
        return f"{label:40} none"
    share = right / len(answers)
    return f"{label:40} {right:4} of {len(answers):4} = {share:.3f}"


def answer_all(worlds: Sequence[sample.World]) -> Iterator[Answer]:
    """Yield what the rules say of each note of *worlds*."""
    for world in worlds:
        with tempfile.TemporaryDirectory(prefix="companion-about-") as folder:
            yield from _answer(world, Path(folder))


def _answer(world: sample.World, folder: Path) -> Iterator[Answer]:
    wiki = Wiki.new(folder / "wiki", _write_pages(world))
    extractor = LightExtractor()
    notes = []
    told_at = datetime.fromisoformat(NOW)
    for number, note in enumerate(world.notes):
        told_at += _pass_time(note)
        claims = extractor.extract(note.text, event_time=NOW)
        subjects = tuple(claim.subject for claim in claims)
        targets = link_placeholders(note.text)
        notes.append(
            Note(
                f"{number:03}",
                note.text,
                None,
                targets,
                subjects,
                told_at=told_at.isoformat(),
            )
        )
    with open_run(wiki.ws, "bench") as run:
        yield from _decide(run, world, notes)


def _pass_time(note: sample.Note) -> timedelta:
    """Return how long after the note above it a note was told."""
    if note.minutes is None:
        return timedelta(days=1)
    return timedelta(minutes=note.minutes)


def _decide(
    run: Run, world: sample.World, notes: Sequence[Note]
) -> Iterator[Answer]:
    view = collect_subjects(run, notes, open_judges(run.config).embedder)
    decided = rules.decide_aboutness(notes, view)
    titles = {entry: page.title for entry, page in view.subjects.items()}
    for note, label in zip(notes, world.notes, strict=True):
        about = decided[note.capture]
        first = about.entry or about.runner_up
        given = titles[about.entry] if about.entry else ""
        yield Answer(
            world.name, label, given, titles[first] if first else "", about
        )


def _write_pages(world: sample.World) -> dict[str, str]:
    pages = {}
    for page in world.pages:
        aliases = ", ".join(page.aliases)
        front = f"---\naliases: [{aliases}]\n---\n" if aliases else ""
        pages[f"{page.title}.md"] = f"{front}{page.text}\n"
    return pages


def _read_planted(path: Path) -> sample.World:
    """Return the titled notes of a world as its pages, and the planted ones as its notes."""
    lines = path.read_text(encoding="utf-8").splitlines()
    blocks = re.split(r"^@ ", "\n".join(lines), flags=re.MULTILINE)[1:]
    pages: dict[str, sample.Page] = {}
    by_tag: dict[str, str] = {}
    planted: list[tuple[str, str]] = []
    for block in blocks:
        head, _, text = block.partition("\n")
        tag = re.search(r"tag=(\w+)", head)
        name = tag.group(1) if tag else ""
        if text.startswith("# "):
            title, _, words = text[2:].partition("\n")
            pages[title] = sample.Page(title, (), "thing", False, words.strip())
            by_tag[name] = title
        elif _PLANT.fullmatch(name):
            planted.append((name, text.strip()))
    language = re.search(r"^!lang (\w+)", "\n".join(lines), re.MULTILINE)
    lang = language.group(1) if language else "en"
    notes = tuple(
        sample.Note(
            text, by_tag[f"{tag[0]}0"], (), f"plant {tag[0]}", lang, False
        )
        for tag, text in planted
    )
    return sample.World(
        path.stem, "", "life", "", lang, tuple(pages.values()), notes
    )
