"""What the pages are made of: each file is one part that a person can point at."""
