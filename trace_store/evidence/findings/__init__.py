"""The findings: their registry, and one module of rules for each chapter of the contract."""
