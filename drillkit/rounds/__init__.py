"""The 45-minute design round: what it asks, how it is played, judged and remembered."""
