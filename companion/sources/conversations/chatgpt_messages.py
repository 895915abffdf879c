"""Messages of ChatGPT, by who wrote them and by the kind of their content."""

import json
from typing import NamedTuple

from companion.sources.document import Turn
from companion.sources.records.instants import read_time
from companion.sources.records.omissions import Omissions
from companion.sources.records.values import (
    Record,
    changed,
    get_first,
    get_list,
    get_record,
    get_records,
    get_text,
    need_record,
    need_text,
)
from companion.sources.records.wording import first_line

# kinds of content that nobody said, and how the warning calls them
_UNSAID = {
    "thoughts": "thoughts of the model",
    "reasoning_recap": "thoughts of the model",
    "user_editable_context": "custom instructions",
    "model_editable_context": "memories of ChatGPT",
    "system_error": "errors of the program",
    "app_pairing_content": "contexts of other programs",
}
_FILES = ("image_asset_pointer", "audio_asset_pointer", "video_container")
_SILENT = ("content_type", "language", "parts")
_ENGINE = "text-davinci-002-render"
_NEW_DOCUMENT = "canmore.create_textdoc"
# what stands for a citation in a text: marks of private use around its name
_CITATION = ("\ue200", "\ue201")


class Settings(NamedTuple):
    """The settings that the messages of one conversation share."""

    model: str  # who speaks where an answer names no model
    omissions: Omissions


def is_spoken(message: Record) -> bool:
    """Tell whether *message* is one that the person or the model said to the other."""
    role = get_text(get_record(message, "author"), "role")
    if role not in ("user", "assistant") or _is_hidden(message):
        return False
    kind = get_text(get_record(message, "content"), "content_type")
    return kind not in _UNSAID and (role == "user" or _is_to_all(message))


def read_message(message: Record, settings: Settings) -> Turn | None:
    """Return the turn that *message* is; None where nobody said it. Raises Unreadable."""
    role = need_text(need_record(message, "author"), "role")
    content = need_record(message, "content")
    kind = need_text(content, "content_type")
    omitted = _find_omission(message, role, kind)
    if omitted:
        settings.omissions.count(omitted, number=bool(_has_words(content)))
        return None
    if role == "user":
        return _read_said(message, "", settings)
    if role == "assistant":
        return _read_answer(message, settings)
    raise changed(f'nobody is known who is called "{role[:20]}"')


def _find_omission(message: Record, role: str, kind: str) -> str:
    """Say what *message* is where it is left out."""
    if role == "system":
        return "instructions of the program"
    if kind in _UNSAID:
        return _UNSAID[kind]
    if role == "tool":
        return "outputs of tools"
    if _is_hidden(message):
        return "hidden messages"
    return ""


def _is_hidden(message: Record) -> bool:
    metadata = get_record(message, "metadata")
    return metadata.get("is_visually_hidden_from_conversation") is True


def _is_to_all(message: Record) -> bool:
    return message.get("recipient") in (None, "", "all")


def _has_words(content: Record) -> bool:
    said = [value for key, value in content.items() if key not in _SILENT]
    return any(said) or any(get_list(content, "parts"))


def _read_answer(message: Record, settings: Settings) -> Turn | None:
    """Return what the model said to the person, or a line for what it told a tool."""
    metadata = get_record(message, "metadata")
    model = _name_model(get_text(metadata, "model_slug") or settings.model)
    if _is_to_all(message):
        return _read_said(message, model, settings)
    tool = get_text(message, "recipient")
    text, _ = _read_content(message, settings.omissions)
    if tool == _NEW_DOCUMENT:
        document = _find_document(text)
        if document:
            return _make_turn(message, model, document, ())
    line = first_line(text)
    if not line:
        return None
    turn = _make_turn(message, tool, line, ())
    return turn._replace(role="tool")


def _name_model(slug: str) -> str:
    """Return the name of a model as people know it: exports of 2023 have that of its engine."""
    if slug.startswith(_ENGINE):
        return "ChatGPT"
    return slug


def _find_document(text: str) -> str:
    """Return the text of the document that the model wrote beside the conversation."""
    try:
        value = json.loads(text)
    except ValueError:
        return ""  # it is shown as what it is, a line for a tool
    return get_text(value, "content") if isinstance(value, dict) else ""


def _read_said(
    message: Record, speaker: str, settings: Settings
) -> Turn | None:
    text, files = _read_content(message, settings.omissions)
    files = _name_files(message, files)
    if not text.strip() and not files:
        return None
    plain, cited = _drop_citations(text)
    settings.omissions.count("marks of citations", cited)
    return _make_turn(message, speaker, plain, tuple(dict.fromkeys(files)))


def _make_turn(
    message: Record, speaker: str, text: str, files: tuple[str, ...]
) -> Turn:
    return Turn(
        speaker=speaker,
        role="assistant" if speaker else "owner",
        text=text,
        at=read_time(message.get("create_time")),
        attachments=files,
    )


def _read_content(
    message: Record, omissions: Omissions
) -> tuple[str, list[str]]:
    """Return the words of *message* and the files among them. Raises Unreadable."""
    content = need_record(message, "content")
    parts = content.get("parts")
    if parts is None:
        return _read_plain(content), []
    if not isinstance(parts, list):
        raise changed('"parts" was expected to be an array')
    words: list[str] = []
    files: list[str] = []
    for part in parts:
        if isinstance(part, str):
            words.append(part)
        elif isinstance(part, dict):
            _read_part(part, words, files, omissions)
        elif part is not None:
            raise changed("a part is neither text nor object")
    return "\n\n".join(word for word in words if word), files


def _read_plain(content: Record) -> str:
    """Return the words of a content without parts. Raises Unreadable."""
    kind = get_text(content, "content_type")
    if kind == "tether_quote":
        pieces = (get_text(content, key) for key in ("title", "text", "url"))
        return "\n\n".join(piece for piece in pieces if piece)
    text = get_first(content, "text", "result", "content", "output_str")
    if not text and "text" not in content:
        raise changed(f'the content "{kind[:40]}" is not known')
    return text


def _read_part(
    part: Record, words: list[str], files: list[str], omissions: Omissions
) -> None:
    """Add what *part* of a message holds."""
    kind = get_text(part, "content_type")
    pointer = get_text(part, "asset_pointer")
    text = get_text(part, "text")
    if text:
        words.append(text)
    elif pointer:
        files.append(_name_file(pointer))
    elif kind == "real_time_user_audio_video_asset_pointer":
        audio = get_record(part, "audio_asset_pointer")
        files.append(_name_file(get_text(audio, "asset_pointer") or "audio"))
    elif kind not in (*_FILES, "audio_transcription"):
        omissions.count(f'parts of the kind "{kind[:40]}"')


def _name_file(pointer: str) -> str:
    """Return the name under which the export has the file, without its ending."""
    return pointer.rpartition("://")[2]


def _name_files(message: Record, ids: list[str]) -> list[str]:
    """Return the names of the files *ids* as the person knew them, and of others attached."""
    attached = get_records(get_record(message, "metadata"), "attachments")
    names = {get_text(file, "id"): get_text(file, "name") for file in attached}
    return [*(names.get(id) or id for id in ids), *filter(None, names.values())]


def _drop_citations(text: str) -> tuple[str, int]:
    """Return *text* without marks of citations, and how many there were."""
    opening, closing = _CITATION
    pieces = text.split(opening)
    kept = [pieces[0]]
    for piece in pieces[1:]:
        inside, mark, after = piece.partition(closing)
        if mark:
            kept[-1] = kept[-1].rstrip(" ")
        kept.append(after if mark else opening + inside)
    return "".join(kept), sum(closing in piece for piece in pieces[1:])
