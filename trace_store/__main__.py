"""`python -m trace_store`: the command line."""

from trace_store.cli import main

main()
