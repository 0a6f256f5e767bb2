"""Bytes to JSON values: where each value lies, and how it is parsed."""
