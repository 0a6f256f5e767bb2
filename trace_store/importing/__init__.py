"""Imports: readers, contract, evidence and store, one file after another, with a report of each."""

from trace_store.importing.files import Progress, check_paths, check_stream, import_paths, import_stream

__all__ = ["Progress", "check_paths", "check_stream", "import_paths", "import_stream"]
