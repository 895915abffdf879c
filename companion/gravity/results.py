"""The parts of documents that describe gravity."""

from typing import NotRequired, TypedDict


class WeightResult(TypedDict):
    """The gravity of one entry, as the last pass has it."""

    centrality: float
    unsupported: int
    orphaned: int
    cut_off: int
    factor: float
    base: float
    effective: float
    days: float
    floor: float
    above: bool
    flag: bool
    # there and true where its owner calls it a self-description
    myself: NotRequired[bool]
    reason: str
    as_of: str | None


class GravitySummary(TypedDict):
    """The floor of the last pass, and how many entries are protected."""

    floor: float
    rule: str
    entries: int
    protected: int
    as_of: str | None
