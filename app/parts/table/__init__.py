"""Lists of runs and calls: search bar, facets, columns, selection."""
