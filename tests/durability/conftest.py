"""Power fails here: what is written waits for the disk."""

import pytest


@pytest.fixture(scope="module", autouse=True)
def no_power_cut() -> None:
    """Leave the disk's own ways as they are."""
