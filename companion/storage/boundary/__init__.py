"""The check of what comes from another machine, and the place of what did not pass it."""
