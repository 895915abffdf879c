"""How a command line becomes a call, and help where it asks for it."""
