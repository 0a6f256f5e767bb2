"""The import panel and import reports."""
