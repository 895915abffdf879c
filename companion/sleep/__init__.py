"""When the companion sleeps, how deep, and until when (MaM §6.1)."""
