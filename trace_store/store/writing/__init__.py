"""Writing runs: rows, bulk inserts, deletion."""
