"""The most that a language model may cost: one allowance is shared by all steps of a night."""


class Allowance:
    """The calls and the tokens that a night has spent, and the most calls that it may make."""

    __slots__ = ("calls", "max_calls", "tokens")

    def __init__(self, max_calls: int | None = None) -> None:
        self.max_calls = max_calls  # None: as configured
        self.calls = 0
        self.tokens = 0

    def find_most_calls(self, configured: int) -> int:
        """Return the most calls in all, where *configured* is the setting of the wiki."""
        return configured if self.max_calls is None else self.max_calls

    def count_calls_left(self, configured: int) -> int:
        """Return how many calls may still be made; *configured* is the setting of the wiki."""
        return max(0, self.find_most_calls(configured) - self.calls)
