"""The front end for pipes, dumb terminals and screen readers: one line after another."""
