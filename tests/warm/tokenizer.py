"""The tokenizer of the core install, built once in a process and not once a night.

A night lets it go to give its memory back, and building it again takes .2 CPU s: half of a small
night. What tests a night's memory starts the installed program.
"""

import importlib.util
from functools import cache
from pathlib import Path
from types import ModuleType

import tokenizers


@cache
def keep(data: bytes) -> tokenizers.Tokenizer:
    """Return the tokenizer that *data* describes, the same one for the same bytes."""
    return tokenizers.Tokenizer.from_buffer(data)


def keep_that_of_the_core_install() -> None:
    """Build it now, for every fork of this process. It needs no module of the program."""
    # importing wordllama takes requests and pydantic along
    package = importlib.util.find_spec("wordllama")
    assert package is not None, "wordllama belongs to the core install"
    (folder,) = package.submodule_search_locations or ["."]
    name = "l2_supercat_tokenizer_config.json"
    keep(Path(folder, "tokenizers", name).read_bytes())


def use(static_vectors: ModuleType) -> None:
    """Let the program's module *static_vectors* take what is kept."""
    setattr(static_vectors, "build_tokenizer", keep)  # noqa: B010 - a module of any kind
