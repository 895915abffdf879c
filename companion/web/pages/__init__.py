"""One page a file: it gathers what the page shows, and writes it as HTML."""
