"""Claude: projects of an export, projects.json or one of them: instructions and documents."""

from companion.sources.document import Document, Passage
from companion.sources.reader import Reader
from companion.sources.records.instants import read_time
from companion.sources.records.shapes import find_shape
from companion.sources.records.values import (
    Record,
    get_records,
    get_text,
    load_records,
    need_text,
)

_PAGE = "https://claude.ai/project/"


def recognise_project(head: bytes, name: str) -> bool:
    """Tell whether *head* begins a project of Claude."""
    keys = find_shape(head).keys
    return "uuid" in keys and bool(keys & {"prompt_template", "docs"})


def read_project(content: bytes, name: str) -> Document:
    """Return what each project is for, then its documents. Raises Unreadable."""
    projects = load_records(content)
    if len(projects) == 1:
        return _read_one(projects[0])
    passages: list[Passage] = []
    for project in projects:
        title = get_text(project, "name")
        passages.append(Passage(title, "heading", 1, f"project {title}"))
        passages += _read_project(project, f"project {title}, ")
    return Document(
        "Projects of Claude", passages=tuple(passages), site="Claude"
    )


def _read_project(project: Record, before: str) -> list[Passage]:
    description = get_text(project, "description")
    passages = _split(description, before + "description")
    template = get_text(project, "prompt_template")
    passages += _split(template, before + "instructions")
    for number, document in enumerate(get_records(project, "docs"), 1):
        passages += _read_document(document, f"{before}document {number}")
    return passages


def _read_one(project: Record) -> Document:
    id = need_text(project, "uuid")
    passages = _read_project(project, "")
    return Document(
        title=get_text(project, "name") or "Project of Claude",
        passages=tuple(passages),
        key=f"claude-project:{id}",
        site="Claude",
        url=_PAGE + id,
        published_at=read_time(project.get("created_at")),
    )


def _read_document(document: Record, place: str) -> list[Passage]:
    title = Passage(get_text(document, "filename"), "heading", 2, place)
    return [title, *_split(get_text(document, "content"), place)]


def _split(text: str, place: str) -> list[Passage]:
    """Return the paragraphs of *text*."""
    parts = [part.strip("\n") for part in text.split("\n\n")]
    return [Passage(part, place=place) for part in parts if part.strip()]


READER = Reader(
    "claude project", 1, ("application/json",), recognise_project, read_project
)
