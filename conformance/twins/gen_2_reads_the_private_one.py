"""GEN-2 broken: a night hands over what was told in private."""

from honest import within

BREAKS = "GEN-2"
EXPECTS = "GEN-2: the quokka crossed"

within(
    {
        "companion.operations.contextualize.collect": """
    def _find_shared_telling(run, id):
        return originals.read_tellings(run.repo, id)[0]
    """
    }
)
