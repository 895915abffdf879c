"""The words of `typing` that hot commands annotate with, at no cost to a cold start.

Importing `typing` costs a sixth of an empty console script. A type checker reads the real words
here; at run time they are stand-ins, which serve where annotations are evaluated.
"""

TYPE_CHECKING = (
    False  # a type checker takes it for true; `typing` is not loaded
)

if TYPE_CHECKING:
    from typing import Any as Any
    from typing import Literal as Literal
    from typing import Protocol as Protocol
    from typing import get_args as get_args
else:

    class Any:
        """Any value."""

    class Literal:
        """One of the words that a class below this one has as its arguments."""

        __args__ = ()

        def __class_getitem__(cls, words):
            listed = words if isinstance(words, tuple) else (words,)
            return type("Literal", (cls,), {"__args__": listed})

    class Protocol:
        """What a class below this one can do."""

    def get_args(kind):
        """Return the words of a literal type, of this module or of `typing`."""
        return kind.__args__
