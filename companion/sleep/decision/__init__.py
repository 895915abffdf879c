"""The decision whether to sleep: pure files, which take values and give reasons."""
