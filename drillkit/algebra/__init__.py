"""The one language of authors' formulas and candidates' answers, bounded by construction."""
