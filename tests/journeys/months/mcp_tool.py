"""`mcp TOOL JSON`: call one tool of `companion mcp` by the client of the SDK, and print its answer."""

import json
import os
import sys

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main(tool: str, arguments: str) -> None:
    """Print what the server answers for the agent tessa."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "companion", "-q", "mcp", "--agent", "tessa"],
        env=dict(os.environ),
        cwd=os.getcwd(),
    )
    with anyio.fail_after(60), open(os.devnull, "w") as nowhere:
        async with Client(stdio_client(server, nowhere)) as client:
            result = await client.call_tool(tool, json.loads(arguments))
            for content in result.content:
                print(content.text)
            if result.is_error:
                print("(an error)")


if __name__ == "__main__":
    anyio.run(main, sys.argv[1], sys.argv[2])
