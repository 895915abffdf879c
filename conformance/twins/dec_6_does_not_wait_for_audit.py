"""DEC-6 broken: what lost to a branch fades like anything else."""

from honest import within

BREAKS = "DEC-6"
EXPECTS = "DEC-6: (archived|compressed) although no AUDIT has reduced it"

within(
    {
        "companion.operations.decay.plan": (
            "def find_protection(each, floor): return"
            " honest.find_protection(each._replace(reduced=True), floor)"
        )
    }
)
