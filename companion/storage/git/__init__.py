"""The wiki's git repository."""
