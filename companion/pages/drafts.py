"""How a capture's words become a page: frontmatter beside the person's own."""

from collections.abc import Mapping

from companion.pages import page


def wrap(meta: Mapping[str, str | list[str]], text: str) -> str:
    """Return *text* as a page with *meta* in its frontmatter; the person's own keys and bytes stay
    as they are.

    A key they use already keeps their value. Where `id` is one of them, the page says ``companion:
    managed`` instead (unless they said something of that themselves) and the ledger knows it by its
    path.
    """
    front = page.read_front(text)
    block = text[: len(text) - len(front.body)]
    if not front.meta or front.problem or not block.startswith("---"):
        return page.compose(meta, text)
    theirs = {key.lower() for key in front.meta}
    ours = {key: value for key, value in meta.items() if key not in theirs}
    if "id" in theirs and "companion" not in theirs:
        ours["companion"] = "managed"
    eol = "\r\n" if block.split("\n", 1)[0].endswith("\r") else "\n"
    added = page.compose(ours, "").removeprefix("---\n").removesuffix("---\n").replace("\n", eol)
    first, _, rest = block.partition("\n")
    return f"{first}\n{added}{rest}{front.body}"
