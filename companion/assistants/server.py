"""Serve the tools to one assistant by the Model Context Protocol, on standard input and output.

The official SDK speaks the protocol. It costs 0.8 s and 550 modules to import, so only this file
does, and only when it serves. A call runs in a thread of its own, one after the other: the protocol
stays alive meanwhile, and the wiki sees one reader.
"""

import gc
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from companion import __version__
from companion.assistants.arguments import describe_parameters
from companion.assistants.quoting import quote_error
from companion.assistants.tools import INSTRUCTIONS, TOOLS, Tool, call_tool
from companion.errors import CompanionError
from companion.values.captures import OWNER
from companion.workspace import Workspace

if TYPE_CHECKING:
    import mcp_types
    from mcp.server.lowlevel import Server


class McpMissing(CompanionError):
    """The MCP server needs the package `mcp`, which is not installed."""

    exit_code = 69
    hint = "pip install 'companion-wiki[mcp]' installs it."


class NotThePerson(CompanionError):
    """An assistant cannot read as the person."""

    exit_code = 2
    hint = "Give `--agent` the name of the assistant."


def check_reader(ws: Workspace) -> None:
    """Raise NotThePerson where what the person keeps private would go out to an assistant."""
    if ws.who == OWNER:
        raise NotThePerson


def require_package() -> None:
    """Raise McpMissing where the SDK is not installed."""
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        raise McpMissing


def serve(
    open_wiki: Callable[[], Workspace],
    explain: Callable[[BaseException], CompanionError],
) -> None:
    """Serve until standard input ends; each call sees the wiki that *open_wiki* opens.

    *explain* makes of any exception an error that can be told. Raises McpMissing.
    """
    try:
        import anyio
        from mcp.server.stdio import stdio_server
    except ImportError as error:
        raise McpMissing from error

    async def run() -> None:
        """Speak the protocol with whoever started this process."""
        server = make_server(open_wiki, explain)
        options = server.create_initialization_options()
        # What is loaded by now stays: looking for garbage after each call passes it over.
        gc.freeze()
        async with stdio_server() as (read, write):
            await server.run(read, write, options)

    anyio.run(run)


def make_server(
    open_wiki: Callable[[], Workspace],
    explain: Callable[[BaseException], CompanionError],
) -> "Server":
    """Return a server of the SDK with our tools."""
    import anyio.to_thread
    import mcp_types
    from mcp.server.lowlevel import Server

    schemas = [describe_tool(tool) for tool in TOOLS]
    one_at_a_time = anyio.CapacityLimiter(1)

    async def list_tools(
        context: object, params: object
    ) -> mcp_types.ListToolsResult:
        """Return all tools."""
        return mcp_types.ListToolsResult(tools=schemas)

    async def call(
        context: object, params: mcp_types.CallToolRequestParams
    ) -> mcp_types.CallToolResult:
        """Call a tool; an error is an answer too, so that the assistant can do better."""

        def work() -> mcp_types.CallToolResult:
            return answer_call(
                open_wiki, explain, params.name, params.arguments or {}
            )

        return await anyio.to_thread.run_sync(work, limiter=one_at_a_time)

    return Server(
        "companion",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call,
    )


def answer_call(
    open_wiki: Callable[[], Workspace],
    explain: Callable[[BaseException], CompanionError],
    name: str,
    arguments: Mapping[str, object],
) -> "mcp_types.CallToolResult":
    """Return the result of one call, or its error in the sentences of the command line."""
    import mcp_types

    is_error = False
    try:
        text = call_tool(open_wiki, name, arguments)
    except Exception as error:  # noqa: BLE001 - nobody else would tell the assistant
        text = quote_error(explain(error))
        is_error = True
    content = mcp_types.TextContent(type="text", text=text)
    return mcp_types.CallToolResult(content=[content], is_error=is_error)


def describe_tool(tool: Tool) -> "mcp_types.Tool":
    """Return a tool as the protocol describes it."""
    import mcp_types

    hints = mcp_types.ToolAnnotations(
        read_only_hint=tool.is_read,
        destructive_hint=None if tool.is_read else tool.is_asked_first,
        open_world_hint=False,
    )
    return mcp_types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=describe_parameters(tool.parameters),
        annotations=hints,
    )
