"""A real client of the SDK, which starts `companion mcp` as a child and talks to it."""

import json
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from companion.values.time import format_instant
from tests.wiki import Wiki

SECONDS = 60  # that one conversation may take before it counts as hanging

Talk = Callable[["Assistant"], Awaitable[Any]]


class Assistant:
    """What a test says to the server, and hears of it."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def hear(self, tool: str, **arguments: Any) -> tuple[str, bool]:
        """Return the text of a result, and whether it is an error."""
        result = await self.client.call_tool(tool, arguments)
        [content] = result.content
        return content.text, result.is_error

    async def call(self, tool: str, **arguments: Any) -> Any:
        """Return the result of a call, which is quoted and no error."""
        text, is_error = await self.hear(tool, **arguments)
        document = json.loads(text)
        assert not is_error, text
        assert "no instruction" in document["notice"]
        assert text.count("\n") == 0
        return document["result"]

    async def fail(self, tool: str, **arguments: Any) -> dict[str, str]:
        """Return the error of a call."""
        text, is_error = await self.hear(tool, **arguments)
        assert is_error, text
        return dict(json.loads(text))


def talk(
    wiki: Wiki, to: Talk, *, agent: str = "scribe", mode: str = "auto"
) -> Any:
    """Return what the conversation *to* returns, with a server of its own.

    In *mode* legacy the client opens as those of 2025 do.
    """
    wiki.tick()
    env = {**os.environ, "COMPANION_NOW": format_instant(wiki.now)}
    words = ["-m", "companion", "-C", str(wiki.root), "-q", "mcp"]
    server = StdioServerParameters(
        command=sys.executable, args=[*words, "--agent", agent], env=env
    )

    async def run() -> Any:
        with anyio.fail_after(SECONDS):
            with open(os.devnull, "w") as nowhere:
                pipe = stdio_client(server, nowhere)
                async with Client(pipe, mode=mode) as client:
                    return await to(Assistant(client))

    return anyio.run(run)
