"""Named tuples whose classes cost a cold start little.

`typing.NamedTuple` makes each class twice and compiles its constructor at once. A search loads 45
such classes, `status` 106, and each uses a few. Here a class is made once, and its constructor is
compiled only where many instances are made. Everything else is as there.
"""

import sys

TYPE_CHECKING = (
    False  # a type checker takes it for true; `typing` is not loaded
)

# from 3.14 on a class body holds its annotations in another way
if TYPE_CHECKING or sys.version_info >= (3, 14):
    from typing import NamedTuple as NamedTuple
else:
    # what `collections` itself reads fields with
    from collections import _tuplegetter

    class _Named(tuple):
        """What all named tuples have."""

        __slots__ = ()
        _fields = ()
        _field_defaults = {}

        def __new__(cls, /, *values, **named):
            owner = cls
            while "_fields" not in vars(owner):
                owner = owner.__base__
            left = _left[owner] = _left.get(owner, _FEW) - 1
            filled = _fill(owner, values, named) if left else None
            if filled is not None:
                return tuple.__new__(cls, filled)
            owner.__new__ = staticmethod(_compile_constructor(owner))
            return owner.__new__(cls, *values, **named)

        @classmethod
        def _make(cls, values):
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(
                    f"Expected {len(cls._fields)} arguments, got {len(made)}"
                )
            return made

        def _replace(self, /, **changed):
            values = [*map(changed.pop, self._fields, self)]
            if changed:
                raise ValueError(f"Got unexpected field names: {[*changed]!r}")
            return self._make(values)

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __getnewargs__(self):
            return tuple(self)

        def __repr__(self):
            fields = zip(self._fields, self, strict=True)
            shown = ", ".join(f"{name}={value!r}" for name, value in fields)
            return f"{self.__class__.__name__}({shown})"

    # instances of a class that are made before its constructor is compiled
    _FEW = 15
    # classes -> how many of these are left
    _left = {}

    def _fill(cls, values, named):
        """Return the fields of an instance of *cls*; None where they are not given rightly, which
        its compiled constructor says.
        """
        later = cls._fields[len(values) :]
        given = {**cls._field_defaults, **named}
        filled = (*values, *(given[one] for one in later if one in given))
        is_strange = any(one not in later for one in named)
        if is_strange or len(filled) != len(cls._fields):
            return None
        return filled

    def _compile_constructor(cls):
        """Return the constructor of *cls*, which takes its fields by place or by name."""
        names = ", ".join(cls._fields)
        tail = "," if len(cls._fields) == 1 else ""
        code = f"lambda _cls, {names}: _make(_cls, ({names}{tail}))"
        constructor = eval(code, {"_make": tuple.__new__})
        constructor.__defaults__ = tuple(cls._field_defaults.values())
        constructor.__name__ = "__new__"
        constructor.__qualname__ = f"{cls.__qualname__}.__new__"
        return constructor

    class _Maker(type):
        """Makes a named tuple of each class whose base is `NamedTuple`."""

        def __new__(cls, name, bases, body):
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body[field] for field in fields if field in body}
            late = fields[len(fields) - len(defaults) :]
            if any(field not in defaults for field in late):
                raise TypeError(f"{name}: a field without a default comes late")
            for place, field in enumerate(fields):
                body[field] = _tuplegetter(place, field)
            body["__slots__"] = ()
            body["__match_args__"] = body["_fields"] = fields
            body["_field_defaults"] = defaults
            return type.__new__(type, name, (_Named,), body)

    NamedTuple = type.__new__(_Maker, "NamedTuple", (), {})
