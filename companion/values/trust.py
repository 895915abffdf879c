"""Trust classes: what the word of a source or an agent weighs against a belief (MaM §5.0, row
4).
"""

from collections.abc import Mapping

#: weight of a telling by the class of its source. High is an elevated weight and no free pass: one
#: voice alone stays below every threshold, whatever its class (`companion.minority.pressure`).
TRUST: Mapping[str, float] = {"low": 0.5, "ordinary": 1.0, "high": 1.5}
# What settings may name: a weight of 0 would be a voice that nobody hears (CON-5).
SMALLEST_TRUST = 0.1
LARGEST_TRUST = 2.0
