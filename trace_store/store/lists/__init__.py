"""Lists of runs, calls, findings and imports, and single run documents."""
