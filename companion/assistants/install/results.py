"""The documents of `companion agent`."""

from typing import Literal, TypedDict

FileState = Literal["created", "changed", "unchanged", "removed", "left"]


class FileResult(TypedDict):
    """One file, and what becomes of it."""

    path: str
    state: FileState
    added: list[str]  # lines; none when they are taken out


class InstallResult(TypedDict):
    """The files written for an assistant, or the lines taken out of them."""

    assistant: str
    action: Literal["install", "uninstall"]
    wiki: str | None
    project: str | None
    hooks: bool
    files: list[FileResult]
    notes: list[str]
    dry_run: bool


class InstalledAssistant(TypedDict):
    """An assistant, and the wiki that it uses from all projects."""

    assistant: str
    wiki: str | None
    hooks: bool
    files: list[str]


class AssistantList(TypedDict):
    """All assistants that companion knows."""

    assistants: list[InstalledAssistant]
