"""The command kix-schema: options, streams and exit codes."""
