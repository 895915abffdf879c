"""Named tuples made once do what `typing`'s do."""

import pickle
from typing import NamedTuple, get_type_hints

import pytest

from companion import tuples


class Typed(NamedTuple):
    """A place."""

    row: int
    column: int = 2
    name: str | None = None

    @property
    def area(self) -> int:
        """What both come to."""
        return self.row * self.column


class Made(tuples.NamedTuple):
    """A place."""

    row: int
    column: int = 2
    name: str | None = None

    @property
    def area(self) -> int:
        """What both come to."""
        return self.row * self.column


class Narrow(Made):
    """A place that only its row tells."""

    def __new__(cls, row: int) -> "Narrow":
        return super().__new__(cls, row, 1)


def _describe(kind: type) -> list[object]:
    one = kind(3, name="pier")  # type: ignore[call-arg]
    row, column, name = one
    return [
        (row, column, name),
        one == (3, 2, "pier"),
        hash(one),
        one.area,
        one._asdict(),
        one._replace(column=5),
        one._fields,
        one._field_defaults,
        one.__match_args__,
        kind._make([1, 2, 3]),  # type: ignore[attr-defined]
        kind.__doc__,
        get_type_hints(kind),
        pickle.loads(pickle.dumps(one)),
        repr(one).partition("(")[2],
    ]


def test_they_do_what_those_of_typing_do() -> None:
    assert _describe(Made) == _describe(Typed)


@pytest.mark.parametrize("kind", [Typed, Made], ids=["typing's", "made once"])
def test_what_does_not_fit_is_refused(kind: type) -> None:
    with pytest.raises(TypeError, match="missing 1 required"):
        kind()
    with pytest.raises(TypeError, match="unexpected keyword"):
        kind(1, colour="red")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="unexpected field names"):
        kind(1)._replace(colour="red")  # type: ignore[call-arg, attr-defined]
    with pytest.raises(TypeError, match="Expected 3 arguments"):
        kind._make([1])  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        kind(1).row = 2  # type: ignore[call-arg, attr-defined]


def test_a_class_of_one_has_its_own_constructor_and_its_parents_stays() -> None:
    assert Narrow(4) == (4, 1, None)
    assert Made(4) == (4, 2, None)


def test_a_field_without_a_default_comes_first() -> None:
    with pytest.raises(TypeError, match="comes late"):

        class Wrong(tuples.NamedTuple):  # type: ignore[misc]
            first: int = 1
            second: int  # type: ignore[misc]
