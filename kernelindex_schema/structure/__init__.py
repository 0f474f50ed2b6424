"""What a document must look like: published schemas, their faults, and what JSON Schema cannot say."""
