"""What readers of exports share: JSON records, their shape, times, and what was left out."""
