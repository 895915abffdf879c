"""companion: a local-first, git-backed memory for one person and their assistants."""

__version__ = "0.1.0"
