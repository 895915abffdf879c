"""What everyday commands load ahead is what they need."""

from tests.cli import ahead


def test_the_file_is_as_recorded() -> None:
    """Else: ``python -m tests.cli.ahead --write``."""
    assert ahead.FILE.read_text(encoding="utf-8") == ahead.record()
