"""The parts of the Failures page."""
