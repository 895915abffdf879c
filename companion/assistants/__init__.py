"""The interface for assistants: an MCP server, and the lines written into their settings."""
