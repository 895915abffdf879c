"""What texts state, by rule."""
