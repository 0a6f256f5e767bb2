"""Runs on their way out: raw documents as JSON lines, lists as CSV."""
