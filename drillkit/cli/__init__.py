"""The commands: each reads its arguments, calls one function and prints what it returns."""
