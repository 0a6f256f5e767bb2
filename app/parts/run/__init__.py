"""The parts of the Run page."""
