"""Values as a note writes them: numbers with their units, clocks, pairs."""
