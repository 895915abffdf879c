"""The modules of the program that can be imported with what the check installs."""

import pkgutil
from collections.abc import Iterator

import companion

# starts the program
_STARTS = "companion.__main__"
# need an extra that [test] does not bring, and are loaded where somebody asks
_OF_EXTRAS = (
    "companion.fleet.engines.on_dask",
    "companion.fleet.engines.on_ray",
)


def list_modules() -> Iterator[str]:
    """Name every module of the program, save those that need an extra or start it."""
    left_out = (_STARTS, *_OF_EXTRAS)
    for found in pkgutil.walk_packages(companion.__path__, "companion."):
        if found.name not in left_out:
            yield found.name
