"""The command line: `trace-store COMMAND`. Results on standard output, everything else on standard error."""

from trace_store.cli.program import main

__all__ = ["main"]
