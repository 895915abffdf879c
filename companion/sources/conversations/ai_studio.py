"""Google AI Studio: a prompt as the studio saves it in Drive, one conversation a file."""

from companion.sources.document import Document, Turn, Unreadable
from companion.sources.documents.text import find_title
from companion.sources.reader import Reader
from companion.sources.records.instants import read_time
from companion.sources.records.omissions import Omissions
from companion.sources.records.shapes import find_shape
from companion.sources.records.values import (
    Record,
    changed,
    get_record,
    get_records,
    get_text,
    load_record,
    need_list,
    need_record,
    need_text,
)

_ROLES = {"user": "owner", "model": "assistant"}
_FILES = ("driveDocument", "driveImage", "driveVideo", "driveAudio")


def recognise_prompt(head: bytes, name: str) -> bool:
    """Tell whether *head* begins a prompt of AI Studio."""
    keys = find_shape(head).keys
    return "chunkedPrompt" in keys or (
        "runSettings" in keys and b'"chunkedPrompt"' in head
    )


def read_prompt(content: bytes, name: str) -> Document:
    """Return the conversation of *content*; its file's name is its title. Raises Unreadable."""
    prompt = load_record(content)
    settings = get_record(prompt, "runSettings")
    model = get_text(settings, "model").removeprefix("models/") or "Gemini"
    omissions = Omissions()
    turns: list[Turn] = []
    chunks = need_list(need_record(prompt, "chunkedPrompt"), "chunks")
    for number, chunk in enumerate(chunks, 1):
        try:
            turn = _read_chunk(chunk, model, omissions)
        except Unreadable as error:
            omissions.report(f"chunk {number}", error)
            continue
        if turn is not None:
            turns.append(turn._replace(place=f"turn {len(turns) + 1}"))
    omissions.check(len(turns))
    instructions = get_records(get_record(prompt, "systemInstruction"), "parts")
    omissions.count("instructions to the model", len(instructions))
    return Document(
        title=find_title(name),
        turns=tuple(turns),
        site="Google AI Studio",
        published_at=turns[0].at if turns else None,
        warnings=omissions.sentences(),
    )


def _read_chunk(chunk: object, model: str, omissions: Omissions) -> Turn | None:
    """Return the turn that *chunk* is; None where nobody said it. Raises Unreadable."""
    if not isinstance(chunk, dict):
        raise changed("an object was expected")
    if chunk.get("isThought") is True:
        omissions.count("thoughts of the model")
        return None
    role = need_text(chunk, "role")
    if role not in _ROLES:
        raise changed(f'nobody is known who is called "{role[:20]}"')
    text, files = get_text(chunk, "text"), _find_files(chunk)
    if not text.strip() and not files:
        return None
    at = read_time(chunk.get("createTime"))
    if role == "user":
        return Turn("", "owner", text, at, attachments=files)
    return Turn(model, "assistant", text, at, attachments=files)


def _find_files(chunk: Record) -> tuple[str, ...]:
    ids = (get_text(get_record(chunk, key), "id") for key in _FILES)
    return tuple(id for id in ids if id)


READER = Reader(
    "ai studio", 1, ("application/json",), recognise_prompt, read_prompt
)
