"""Compute the chances by which an audit tells a finding from an accident. Pure."""

from collections.abc import Sequence

# share of questions that might need an entry that is called unneeded
SPARED = 0.1
_STEPS = 20  # of a change, in the exact test


def chance_of_sum(deltas: Sequence[float]) -> float:
    """Return the exact chance, in (0, 1], that random signs give at least the sum of *deltas*.

    This is Fisher's randomisation test for pairs.
    """
    steps = [round(delta * _STEPS) for delta in deltas]
    observed = sum(steps)
    sizes = [abs(step) for step in steps if step]
    # All sums at once: a polynomial whose coefficients are slots of one long integer.
    slot = len(sizes) + 2
    ways = 1
    for size in sizes:
        ways += ways << size * slot
    tail = ways >> (observed + sum(sizes)) // 2 * slot
    return float(tail % ((1 << slot) - 1) / 2 ** len(sizes))


def chance_of_so_few(tested: int, needed: int) -> float:
    """Return the chance that at most *needed* of *tested* questions need an entry, if a share of
    `SPARED` does.
    """
    term = (1 - SPARED) ** tested
    total = term
    for k in range(1, needed + 1):
        term *= (tested - k + 1) / k * SPARED / (1 - SPARED)
        total += term
    return total
