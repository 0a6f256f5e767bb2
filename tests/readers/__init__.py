"""The reader: files to documents to run bodies."""
