"""Place a cohesion score in a bucket: CONSOLIDATE's third phase (MaM §5.5; trapezoid membership
functions).

A cohesion score in [0, 1] belongs to the buckets low, mid and high by degrees that sum to 1; the
largest degree routes. The corners are documented defaults, not tuned constants: low is certain
below 0.25 and gone at 0.45, high begins at 0.55 and is certain from 0.75.
"""

from typing import Literal

from companion.tuples import NamedTuple

Bucket = Literal["low", "mid", "high"]


class Trapezoid(NamedTuple):
    """A membership function: 0 outside (a, d), 1 on [b, c], linear between."""

    a: float
    b: float
    c: float
    d: float

    def degree(self, x: float) -> float:
        """Return the degree of membership of *x*, in [0, 1]."""
        if self.b <= x <= self.c:
            return 1.0
        if x <= self.a or x >= self.d:
            return 0.0
        if x < self.b:
            return (x - self.a) / (self.b - self.a)
        return (self.d - x) / (self.d - self.c)


BUCKETS: dict[Bucket, Trapezoid] = {
    "low": Trapezoid(0.0, 0.0, 0.25, 0.45),
    "mid": Trapezoid(0.25, 0.45, 0.55, 0.75),
    "high": Trapezoid(0.55, 0.75, 1.0, 1.0),
}


class Cohesion(NamedTuple):
    """Where a capture stands on the gradient."""

    score: float
    bucket: Bucket
    degrees: dict[Bucket, float]


def place_score(score: float) -> Cohesion:
    """Return where *score* (in [0, 1], rounded to 1e-6 first) stands on the gradient.

    A tie goes to the lower bucket.
    """
    score = round(score, 6)
    degrees = {
        name: round(shape.degree(score), 6) for name, shape in BUCKETS.items()
    }
    bucket = max(BUCKETS, key=lambda name: degrees[name])
    return Cohesion(score, bucket, degrees)
