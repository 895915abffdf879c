"""Parts that readers of exports share: JSON records, their shape, times, and omissions."""
