"""Completion of a command line, while the shell waits: without Typer and without git."""
