"""Memory over time: the log, the state replayed from it, the schedule and the sitting."""
