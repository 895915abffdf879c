"""The numbers of an exchange: sheets of signals, their groups, masks, noise and limits."""
