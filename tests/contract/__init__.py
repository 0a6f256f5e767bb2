"""The contract, chapter by chapter: cases as golden files, rules as unit tests, properties for what is general."""
