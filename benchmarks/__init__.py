"""What the promises of the README are measured with. See README.md beside this file."""
