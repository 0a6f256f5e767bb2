"""The findings: their registry, and one module for each subject that they are about."""
