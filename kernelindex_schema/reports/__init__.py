"""A report as text, JSON, JSON Lines, SARIF or GitHub annotations."""
