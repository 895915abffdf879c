"""How evidence ages: forward decay, so that sums taken at different times and on several machines
simply add.

Cormode, Shkapenyuk, Srivastava & Xu, "Forward decay: a practical time decay model for streaming
systems", ICDE 2009: instead of shrinking what is old at every look, what is new is counted for
more, from a fixed day on.
"""

from datetime import datetime

HALF_LIFE_DAYS = 180.0

_LANDMARK = 737_425  # 2020-01-01, in days of the common era
_STEEPEST = 900.0  # half-lives: a float holds 2 to the power of ±1022


def growth(instant: str) -> float:
    """Return what evidence of *instant* (RFC 3339 UTC) counts, above 0; only ratios mean
    anything.
    """
    at = datetime.fromisoformat(instant)
    days = (
        at.toordinal()
        - _LANDMARK
        + (at.hour * 3600 + at.minute * 60 + at.second) / 86400
    )
    return float(2.0 ** max(-_STEEPEST, min(_STEEPEST, days / HALF_LIFE_DAYS)))
