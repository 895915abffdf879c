"""Erasing words at their owner's command."""
