"""The findings, chapter by chapter of the contract: each function reports those of one chapter."""
