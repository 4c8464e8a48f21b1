"""The author's bench: every diagnostic of a library, and starting files."""
