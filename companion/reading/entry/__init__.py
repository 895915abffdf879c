"""Read one entry: what it says, its statements, its story, and what rests on it."""
