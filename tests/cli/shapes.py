"""Does a document have the documented shape? Used by every test of ``--json``."""

from typing import Any

_TYPES: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "float": (float, int),
    "bool": (bool,),
}


def mismatch(shape: Any, doc: Any, where: str = "$") -> str | None:
    """Return the first difference between *doc* and *shape* (one of ``companion.cli.json_schema.SHAPES``),
    or None.
    """
    if isinstance(shape, str):
        fits = any(_leaf(part.strip(), doc) for part in shape.split("|"))
        return None if fits else f"{where}: {doc!r} is not {shape}"
    if isinstance(shape, list):
        if not isinstance(doc, list):
            return f"{where}: not a list"
        return _first(
            mismatch(shape[0], item, f"{where}[{i}]")
            for i, item in enumerate(doc)
        )
    if "one of" in shape:
        told = [mismatch(option, doc, where) for option in shape["one of"]]
        return None if None in told else " or ".join(map(str, told))
    if not isinstance(doc, dict):
        return f"{where}: not an object"
    if "*" in shape:
        return _first(
            mismatch(shape["*"], value, f"{where}.{key}")
            for key, value in doc.items()
        )
    return _object(shape, doc, where)


def matches(shape: Any, doc: Any) -> bool:
    return mismatch(shape, doc) is None


def _object(
    shape: dict[str, Any], doc: dict[str, Any], where: str
) -> str | None:
    known = {key.rstrip("?"): key for key in shape}
    missing = {
        name for name, key in known.items() if not key.endswith("?")
    } - doc.keys()
    if missing or doc.keys() - known.keys():
        return (
            f"{where}: missing {sorted(missing)}, not documented"
            f" {sorted(doc.keys() - known.keys())}"
        )
    return _first(
        mismatch(shape[known[name]], value, f"{where}.{name}")
        for name, value in doc.items()
    )


def _leaf(name: str, value: Any) -> bool:
    if name == "any":
        return True
    if name == "null":
        return value is None
    if name.startswith("'"):
        return bool(value == name.strip("'"))
    return isinstance(value, _TYPES[name]) and (
        name == "bool" or not isinstance(value, bool)
    )


def _first(differences: Any) -> str | None:
    return next(
        (difference for difference in differences if difference is not None),
        None,
    )
