"""GEN-2 broken: a night looks for no secrets in what readers give."""

from honest import within

BREAKS = "GEN-2"
EXPECTS = "GEN-2: the wombat crossed"

within(
    {
        "companion.operations.contextualize.read_items": """
    def find_hidden_secrets(document, content):
        return ()
    """
    }
)
