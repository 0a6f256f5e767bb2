"""The parts of the Actors page."""
