"""JSON Schema checks of untrusted schemas and values (R34)."""
