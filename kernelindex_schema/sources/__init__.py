"""Foreign benchmark files to submissions, one module a source."""
