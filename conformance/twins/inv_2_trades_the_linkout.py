"""INV-2 broken: a compressed page does not say what it is a summary of."""

from honest import within

BREAKS = "INV-2"
EXPECTS = "INV-2: the page does not say where its original is"

within(
    {
        "companion.lifecycle.compress": "def set_frontmatter_keys(text, values): "
        "return honest.set_frontmatter_keys(text, {k: v for k, v in values.items() if k !="
        " 'original'})"
    }
)
