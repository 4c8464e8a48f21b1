"""Randomized numeric problems: drawn, solved and judged."""
