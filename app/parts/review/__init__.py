"""The parts of the Review page and of the review panel."""
